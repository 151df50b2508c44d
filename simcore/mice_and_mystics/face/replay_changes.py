"""What a step of the machine has changed, in sentences: dice, cheese, wounds, figures, cards."""

from collections.abc import Iterator

from simcore.mice_and_mystics.face.moments import Change, MinionAttack, MouseAttack, bits
from simcore.mice_and_mystics.face.replay_text import (
    LASTING,
    Book,
    Figures,
    counted,
    dice_of,
    listed,
    sentence,
    several,
)
from simcore.mice_and_mystics.table import steps, words
from simcore.mice_and_mystics.table.limits import MICE

_MOUSE_DICE = ("mouse_melee_dice", "mouse_ranged_dice")
_MINION_DICE = ("minion_melee_dice", "minion_ranged_dice")


class Changes:
    """Tells changes in the order in which the rules have them happen."""

    def __init__(self, book: Book, figures: Figures) -> None:
        self._book, self._figures = book, figures
        self._hits = 0  # of the attack roll that was told last
        self._step = -1
        self._picked = 0

    def tell(self, step: int, picked: int, change: Change) -> Iterator[str]:
        """The sentences on a step in which an entry may have been taken."""
        self._step, self._picked = step, picked
        self._wheel_now = change.before["wheel"]
        self._cheese = [change.before.of("cheese", mouse) for mouse in range(MICE)]
        for part in (
            self._paid,
            self._mouse_roll,
            self._attack_cheese,
            self._minion_roll,
            self._figure_defense,
            self._mouse_defense,
            self._stolen,
            self._search,
            self._cards,
            self._wounds,
            self._figures_hurt,
            self._captured,
            self._better,
            self._lasting,
            self._on_spaces,
            self._moved_mice,
        ):
            for line in part(change):
                yield sentence(line)

    # ------------------------------------------------------------ names

    def _hero(self, change: Change, mouse: int) -> str:
        return self._book.hero(change.before, mouse)

    def _figure(self, change: Change, figure: int) -> str:
        """A figure as it is called now, or was called before it left."""
        now = change.after if change.after.has("figures", figure) else change.before
        return self._figures.name(now, figure)

    def _wheel(self, change: Change, counters: str) -> Iterator[str]:
        """Cheese that came onto the wheel."""
        if n := change[counters]:
            self._wheel_now += n
            goes = "goes" if n == 1 else "go"
            yield f"{n} cheese {goes} on the wheel, which has {self._wheel_now}"

    def _gains(self, change: Change, mouse: int, n: int) -> Iterator[str]:
        if n > 0:
            self._cheese[mouse] += n
            yield f"{self._hero(change, mouse)} gains {n} cheese and has {self._cheese[mouse]}"

    def _kind(self) -> int:
        return self._picked & 255

    # ------------------------------------------------------------ cheese that is paid

    def _paid(self, change: Change) -> Iterator[str]:
        mouse = self._hero(change, change.before["decider"])
        if n := change["cheese_out_ability"]:
            ability = self._book.ability(change.grown("cheese_ability")[0])
            self._cheese[change.before["decider"]] -= n
            yield f"{mouse} pays {n} cheese for {ability}"
        if change["minion_attacks_cancelled"]:
            yield "the attack is over"
        if self._step == steps.TAKE_MINION_REACTION and self._protects():
            yield f"the attack is now on {mouse}"

    def _protects(self) -> bool:
        """Whether the entry taken draws an attack on the mouse that took it."""
        if self._kind() != words.REACT:
            return False
        row = self._book.row
        ability = row["abilities"][self._picked >> 8 & 255]
        first = int(ability["first_effect"])
        ops = row["effects"]["op"][first : first + int(ability["n_effects"])]
        return bool(words.OP_PROTECT in ops)

    # ------------------------------------------------------------ attacks

    def _mouse_roll(self, change: Change) -> Iterator[str]:
        n = change.rolled(*_MOUSE_DICE)
        if self._step not in _ATTACK_ROLLS or (n == 0 and not change.grown("attacks")):
            return
        attack = MouseAttack(*change.before.frame[1:])
        dice = change.dice[:n]
        self._hits = self._book.total(dice, "melee" if attack.swords else "ranged")
        again = " again" if self._step == steps.TAKE_REROLL else ""
        what = self._book.card(attack.weapon) if attack.weapon != words.NO_CARD else "magic"
        yield (
            f"{self._hero(change, attack.attacker)} rolls {dice_of(n)}{again} with {what}:"
            f" {self._shown(dice)}{counted(self._hits, 'hit')}"
        )

    def _attack_cheese(self, change: Change) -> Iterator[str]:
        """Cheese that a mouse keeps once it does not roll again."""
        if n := change["cheese_in_attack"]:
            yield from self._gains(change, MouseAttack(*change.before.frame[1:]).attacker, n)

    def _shown(self, dice: list[int]) -> str:
        return f"{self._book.faces(dice)}: " if dice else ""

    def _minion_roll(self, change: Change) -> Iterator[str]:
        if self._step not in _MINION_ROLLS or not change.grown("attacks_by"):
            return
        if change["minion_attacks_cancelled"]:
            return
        attack = MinionAttack(*change.before.frame[1:3])
        n = change.rolled(*_MINION_DICE)
        dice = change.dice[:n]
        kind = change.before.of("type", attack.figure)
        hits = self._book.total(dice, self._book.facts.minions[kind].attack)
        yield (
            f"{self._figure(change, attack.figure)} rolls {dice_of(n)}:"
            f" {self._shown(dice)}{counted(hits, 'hit')}"
        )
        yield from self._wheel(change, "wheel_in_attack")

    def _figure_defense(self, change: Change) -> Iterator[str]:
        """Figures defend against hits of a mouse, or of a trap."""
        n, hits = change["mouse_hits"], self._hits
        if n == 0:
            yield from self._mouse_cheese_late(change)
            return
        if self._step == steps.NEXT_FIGURE:
            targets, hits = [self._acting(change)], n
            dice = change.dice[len(change.dice) - change.rolled("minion_defense_dice") :]
            yield (
                f"{self._figure(change, targets[0])} steps on the trap and defends against"
                f" {counted(hits, 'hit')}"
            )
        else:
            attack = MouseAttack(*change.before.frame[1:])
            if not change.rolled(*_MOUSE_DICE) and self._step == steps.ATTACK_DEFENSE:
                hits = attack.hits
            targets = [attack.figure, *bits(attack.later)][: n // hits]
            dice = change.dice[change.rolled(*_MOUSE_DICE) :]
        for target in targets:
            own = dice[: self._defense_of(change, target, len(targets))]
            dice = dice[len(own) :]
            yield self._defends(change, target, own, hits)
        yield from self._wheel(change, "wheel_in_defense")
        yield from self._mouse_cheese_late(change)

    def _acting(self, change: Change) -> int:
        return int(change.after.state["frame"][0][1])

    def _mouse_cheese_late(self, change: Change) -> Iterator[str]:
        """Cheese that the bow takes from the defense."""
        if n := change["cheese_in_bow"]:
            yield from self._gains(change, MouseAttack(*change.before.frame[1:]).attacker, n)

    def _defense_of(self, change: Change, figure: int, n_targets: int) -> int:
        """How many dice a figure has rolled: all, or its own where several defend."""
        if n_targets == 1:
            return change.rolled("minion_defense_dice")
        own = self._book.defense(change.before, figure) + change.before.of("weakened", figure)
        return max(0, own)

    def _defends(self, change: Change, figure: int, dice: list[int], hits: int) -> str:
        name = self._figure(change, figure)
        if not dice:
            return f"{name} has no defense dice"
        blocked = min(hits, self._book.total(dice, "shield"))
        return f"{name} defends with {dice_of(len(dice))}: {self._shown(dice)}blocks {blocked}"

    def _victim(self, change: Change) -> int:
        """The mouse that a minion attacks in this step."""
        if self._step == steps.TAKE_MINION_REACTION and self._protects():
            return change.before["decider"]
        return MinionAttack(*change.before.frame[1:3]).victim

    def _mouse_defense(self, change: Change) -> Iterator[str]:
        n = change.rolled("mouse_defense_dice")
        if n:
            first = change.rolled(*_MINION_DICE)
            dice = change.dice[first : first + n]
            yield (
                f"{self._hero(change, self._victim(change))} defends with {dice_of(n)}:"
                f" {self._shown(dice)}blocks {change['minion_hits_blocked']}"
            )
        if n := change["cheese_in_defense"]:
            yield from self._gains(change, self._victim(change), n)

    def _stolen(self, change: Change) -> Iterator[str]:
        if n := change["cheese_out_theft"]:
            thief = MinionAttack(*change.before.frame[1:3]).figure
            wheel = change["wheel_in_theft"]
            self._wheel_now += wheel
            where = f", which goes on the wheel: it has {self._wheel_now}" if wheel else ""
            yield (
                f"{self._figure(change, thief)} steals {n} cheese from"
                f" {self._hero(change, self._victim(change))}{where}"
            )
        if n := change["wounds_prevented"]:
            yield f"{counted(n, 'wound')} {'is' if n == 1 else 'are'} prevented"

    # ------------------------------------------------------------ wounds

    def _wounds(self, change: Change) -> Iterator[str]:
        if n := change["wounds_total"]:
            mouse = self._hurt_mouse(change)
            yield from self._gains(change, mouse, change["cheese_in_trap"])
            life = self._book.facts.heroes[change.before.of("hero", mouse)].life
            had = change.before.of("wounds", mouse) + change.before.of("poison", mouse)
            left = max(life - had - n, 0)
            poison = "poison " if change["wounds_poison"] else ""
            yield (
                f"{self._hero(change, mouse)} takes {counted(n, f'{poison}wound')}"
                f" and has {left} of {life} life left"
            )
        if change["stuns"]:
            for mouse in bits(change.after["stunned"] & ~change.before["stunned"]):
                yield f"{self._hero(change, mouse)} is stunned"
        for mouse in bits(change.after["webbed"] & ~change.before["webbed"]):
            yield f"{self._hero(change, mouse)} is webbed"

    def _hurt_mouse(self, change: Change) -> int:
        """The one mouse that a step has wounded."""
        before, after = change.before, change.after
        for mouse in range(MICE):
            more = after.of("wounds", mouse) + after.of("poison", mouse)
            if more > before.of("wounds", mouse) + before.of("poison", mouse):
                return mouse
        return next(bits(after["captured"] & ~before["captured"]))

    def _figures_hurt(self, change: Change) -> Iterator[str]:
        before, after = change.before, change.after
        for figure in before.figures:
            more = after.of("damage", figure) - before.of("damage", figure)
            if after.has("figures", figure) and more > 0:
                minion = self._book.facts.minions[after.of("type", figure)]
                if minion.cards:
                    yield f"{self._figure(change, figure)} takes {counted(more, 'wound')}"
                    continue
                life = minion.life
                left = life - after.of("damage", figure)
                yield (
                    f"{self._figure(change, figure)} takes {counted(more, 'wound')}"
                    f" and has {left} of {life} life left"
                )
        gone = [figure for figure in before.figures if not after.has("figures", figure)]
        if gone:
            one = len(gone) == 1
            what = "leaves" if one else "leave"
            names = self._figures.names(before, gone)
            if change["kills_grape"]:
                yield f"{names} {what} the tile for the grape"
            else:
                yield f"{names} {'is' if one else 'are'} defeated"
            for card in [one for one in before.track if one not in after.track]:
                yield f"the card of {self._book.track_card(before, card)} leaves the track"
        yield from self._pilfered(change)

    def _pilfered(self, change: Change) -> Iterator[str]:
        if n := change["cheese_in_pilfer"]:
            heroes = [
                mouse
                for mouse in range(self._book.n_mice)
                if self._book.row["heroes"]["pilfers"][change.before.of("hero", mouse)]
            ]
            wheel = change["wheel_out_pilfer"]
            also = f"; {wheel} leaves the wheel, which has {change.after['wheel']}" if wheel else ""
            (gain,) = self._gains(change, heroes[0], n)
            yield f"{gain} (Pilfer{also})"

    def _captured(self, change: Change) -> Iterator[str]:
        before, after = change.before, change.after
        for mouse in bits(after["captured"] & ~before["captured"]):
            lost = before.worn(mouse)
            for card in after.worn(mouse):
                lost.remove(card)
            parts = [f"{n} cheese"] if (n := change["cheese_out_capture"]) else []
            parts += [self._book.card(card) for card in lost]
            losing = f" and loses {listed(parts)}" if parts else ""
            yield f"{self._hero(change, mouse)} is captured{losing}; the card stays on the track"
        for mouse in bits(after["missing"] & ~before["missing"]):
            yield f"{self._hero(change, mouse)} is missing until somebody searches with success"
        if after["page"] > before["page"] and self._step != steps.SURGE:
            yield f"the hourglass goes to page {after['page']}"

    def _better(self, change: Change) -> Iterator[str]:
        """Mice that are healed, cured or on their feet again."""
        before, after = change.before, change.after
        for mouse in range(self._book.n_mice):
            name = self._hero(change, mouse)
            if after.has("captured", mouse) and not before.has("captured", mouse):
                continue
            if (n := before.of("wounds", mouse) - after.of("wounds", mouse)) > 0:
                yield f"{name} loses {counted(n, 'wound')}"
            if (n := before.of("poison", mouse) - after.of("poison", mouse)) > 0:
                yield f"{name} loses {counted(n, 'poison wound')}"
            if before.has("stunned", mouse) and not after.has("stunned", mouse):
                yield f"{name} is no longer stunned"
            if before.has("webbed", mouse) and not after.has("webbed", mouse):
                yield f"{name} is no longer webbed"
            if after.has("down", mouse) and not before.has("down", mouse):
                yield f"{name} is knocked down, and the turn is over"
            if before.has("down", mouse) and not after.has("down", mouse):
                yield f"{name} stands up"

    # ------------------------------------------------------------ cards

    def _search(self, change: Change) -> Iterator[str]:
        if not change["search_success"] and not change.rolled("search_dice"):
            return
        n = change.rolled("search_dice")
        dice = change.dice[:n]
        found = "finds something" if change["search_success"] else "finds nothing"
        searcher = self._hero(change, change.before.frame[1])
        yield f"{searcher} rolls {dice_of(n)}: {self._shown(dice)}{found}"

    def _cards(self, change: Change) -> Iterator[str]:
        before, after = change.before, change.after
        if after["deck_end"] != before["deck_end"]:
            yield "the search deck is used up: the discards are shuffled and lie below what is left"
        drawn = change.grown("drawn")
        cards = listed(self._book.card(card) for card in drawn) if drawn else ""
        if self._step == steps.TAKE_PICK:
            kept = self._picked >> 8 & 255
            drawn.remove(kept)
            rest = listed(self._book.card(card) for card in drawn) if drawn else "nothing"
            yield f"discarded without effect: {rest}"
            drawn = [kept]
        elif drawn:
            yield f"the card is {cards}"
        if change["cards_party"]:
            yield "it is a party card, which the party keeps"
        if change["cards_events"]:
            yield from self._event(change)
        if change["cheese_in_discard"]:
            yield from self._gains(change, before["decider"], change["cheese_in_discard"])

    def _event(self, change: Change) -> Iterator[str]:
        yield "it is an event, which happens at once"
        if n := change["cheese_in_event"]:
            yield from self._gains(change, change.before.frame[1], n)
        yield from self._wheel(change, "wheel_in_event")

    # ------------------------------------------------------------ effects that last

    def _lasting(self, change: Change) -> Iterator[str]:
        before, after = change.before, change.after
        for field, text in LASTING.items():
            for mouse in range(MICE):
                n = after.of(field, mouse) - before.of(field, mouse)
                if n > 0:
                    dice = "die" if n == 1 else "dice"
                    yield text.format(mouse=self._hero(change, mouse), n=n, dice=dice)
        if after["pay_cost"] > before["pay_cost"]:
            times = "once" if after["pay_times"] == 1 else f"{after['pay_times']} times"
            yield (
                f"until the end of the round every mouse may pay {after['pay_cost']} cheese for"
                f" one more action, {times} each"
            )
        for mouse in bits(after["invisible"] & ~before["invisible"]):
            name = self._hero(change, mouse)
            yield f"minions ignore {name} until the next turn of {name}"
        for mouse in bits(after["crossing"] & ~before["crossing"]):
            yield f"{self._hero(change, mouse)} may cross red lines until the end of the turn"
        for card in bits(after["slowed"] & ~before["slowed"]):
            lose = "loses its" if self._book.is_single(card - MICE) else "lose their"
            yield f"{self._book.track_card(after, card)} {lose} next turn"
        for figure in after.figures:
            n = after.of("weakened", figure) - before.of("weakened", figure)
            if before.has("figures", figure) and n < 0:
                fewer = counted(-n, "defense die", "defense dice")
                figure_name = self._figure(change, figure)
                yield f"until the end of the round {figure_name} has {fewer} less"

    def _on_spaces(self, change: Change) -> Iterator[str]:
        before, after = change.before, change.after
        if after["tile"] != before["tile"]:
            return
        for space in bits(after["set_traps"] & ~before["set_traps"]):
            hits = counted(after.of("set_trap_hits", space), "hit")
            yield f"a trap of {hits} lies on {self._book.space(after, space)} for minions"
        knocked = after["knocked"] & ~before["knocked"]
        if knocked:
            are = "is" if knocked & (knocked - 1) == 0 else "are"
            yield f"{self._figures.names(after, bits(knocked))} {are} knocked down"
        if after["greedy"] >= 0 and before["greedy"] < 0:
            card = self._book.card_of(after["greedy"])
            plain, greedy = (several(self._book.minion(kind)) for kind in (card, after["greedy"]))
            yield f"until the last has left, all {plain} on the tile are {greedy}"

    def _moved_mice(self, change: Change) -> Iterator[str]:
        """Mice that stand elsewhere than an entry or the current has said."""
        before, after = change.before, change.after
        if change["drifts"]:
            return
        for mouse in after.mice:
            space = after.of("space", mouse)
            if self._kind() in _TO_SPACES and self._picked >> 8 & 255 == space:
                continue
            if before.of("space", mouse) != space or before["tile"] != after["tile"]:
                where = self._book.space(after, space)
                yield f"{self._hero(change, mouse)} is on {where}"


_TO_SPACES = (words.MOVE, words.SWIM, words.LEAVE_WATER, words.PLACE)
_ATTACK_ROLLS = (
    steps.MOUSE_ATTACK,
    steps.TAKE_ATTACK_REACTION,
    steps.ATTACK_ROLL,
    steps.TAKE_REROLL,
)
_MINION_ROLLS = (steps.MINION_ATTACK, steps.TAKE_MINION_REACTION)
