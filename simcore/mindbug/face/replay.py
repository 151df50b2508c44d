"""One game as readable text: turns, choices with the options that were there, and what happened.

The narrator plays the game phase by phase through ``Game`` and tells the difference between the
positions before and after; it knows no rule of its own.  The words are in ``replay_text.py``.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from attrs import asdict

from card_data.mindbug.modes import Modes
from card_data.mindbug.vocabulary import Effect, Trigger
from simcore.mindbug.face import replay_text as words
from simcore.mindbug.face.game import Game
from simcore.mindbug.face.options import Option
from simcore.mindbug.table.card_table import CardTable
from simcore.mindbug.table.records import Ending
from simcore.mindbug.table.state import Decision, Phase
from simcore.narration import Narrator, Replay


def replay_game(
    table: CardTable, *, seed: int, game: int, policies: Sequence[str] = ("random", "random")
) -> Replay:
    """Play game number ``game`` of a seed once more and tell it.

    Raises
    ------
    ValueError
        For a policy that does not exist.
    """
    played = Game(table, seed=seed, game=game, to_decision=False)
    lines = tell(played, lambda game: game.choose(policies[game.decider]))
    return Replay(tuple(lines), played.record())


def tell(game: Game, choose: Callable[[Game], int]) -> Iterator[str]:
    """Play a game on and tell it, line by line.

    Parameters
    ----------
    game
        A game that stands before a turn: made with ``to_decision=False``.
    choose
        Gives the number of the option to take at each decision.
    """
    return _Narrator(game, choose).tell()


@dataclass(frozen=True)
class _Moment:
    """The position at one moment: ``Game.snapshot``, ``Game.details`` and what is derived."""

    position: dict[str, Any]
    details: dict[str, Any]
    waiting: list[tuple[int, Trigger, int, int]]
    phase: Phase
    faces: list[str]  # (slot) name of the face that is up
    places: dict[int, tuple[str, int]] = field(init=False)  # zone, and player or host

    def __post_init__(self) -> None:
        object.__setattr__(self, "places", _places(self.position))

    @property
    def creatures(self) -> dict[int, dict[str, Any]]:
        """Creatures in play by slot."""
        found: dict[int, dict[str, Any]] = self.position["creatures"]
        return found


class _Narrator(Narrator):
    """Plays one game and keeps the position that was described last.

    ``brief`` leaves out what players have at the head of a turn, for those who see the table.
    """

    def __init__(self, game: Game, choose: Callable[[Game], int], *, brief: bool = False) -> None:
        super().__init__(game, choose, brief=brief)
        self._book = words.Book(game.table)
        self._mover = -1  # whose turn was described last
        self._effective = False  # whether the running effect has changed anything
        self._given: set[int] = set()  # cards in limbo that a player gave to the other
        self._n_slots = 1 + max([*_places(game.snapshot()), *game.details()["unused"]])
        self._now = self._look()
        self._suffixes = self._number_copies()

    def tell(self) -> Iterator[str]:
        """The text, line by line; a name that ends with a full stop ends its sentence."""
        return (line[:-1] if line.endswith("..") else line for line in self._story())

    def _story(self) -> Iterator[str]:
        way = self.game.table.modes.who_starts
        why = "" if way == Modes().who_starts else f" (who_starts: {way})"
        yield f"Player {self._now.position['active']} starts{why}."
        yield from self._dealt()
        while not self.game.over:
            yield from self._choice() if self.game.waits else self._phase()
        yield from self._end()

    def _dealt(self) -> Iterator[str]:
        """What the players were dealt."""
        for number, player in enumerate(self._now.position["players"]):
            yield (
                f"Player {number} was dealt {self._list(player['hand'])}; in the draw pile lie"
                f" {self._list(player['draw'])}."
            )

    def face_up(self) -> set[int]:
        """The cards that lie open, with those in hands and those that an effect has picked up."""
        hidden = {slot for player in self._now.position["players"] for slot in player["draw"]}
        return (self._now.places.keys() - hidden) | {*self._now.details["gathered"]}

    def _look(self) -> _Moment:
        """The present moment."""
        game = self.game
        faces = [card.name for card in game.cards(self._n_slots)]
        return _Moment(game.snapshot(), game.details(), game.waiting, game.phase, faces)

    def _number_copies(self) -> Mapping[int, str]:
        """What follows the name of each card: nothing, or its number among several copies.

        Cards of the unused pile are counted on, so that no dealt card is numbered because of them.
        """
        names, unused = self._now.faces, set(self._now.details["unused"])
        copies = Counter(name for slot, name in enumerate(names) if slot not in unused)
        seen, suffixes = Counter[str](), dict[int, str]()
        for slot, name in enumerate(names):
            seen[name] += 1
            alone = seen[name] == 1 if slot in unused else copies[name] == 1
            suffixes[slot] = "" if alone else f" #{seen[name]}"
        return suffixes

    # ------------------------------------------------------------ decisions

    def _choice(self) -> Iterator[str]:
        """One decision, and what it changes at once."""
        game, before, options = self.game, self._now, self.game.options
        if options[0].word == "pile":
            yield f"  {self._list(before.details['gathered'])} is revealed."
        chosen = self._choose(game)
        yield from self._decided(options, chosen)
        game.step_option(chosen)
        self._now = self._look()
        if options[chosen].word.startswith("reroll"):
            yield f"  {words.shown(self._now.details['dice'])}"
        yield from self._plain_dice()
        yield from self._purchases(before)
        yield from self._begun(before)

    def _decided(self, options: Sequence[Option], chosen: int) -> Iterator[str]:
        """Every option that there was, the chosen one in brackets.

        Behind each stands what the player thought of it, if it is known, or that they never do it.
        """
        game, decision = self.game, self.game.decision
        texts = [self._option(decision, option, options) for option in options]
        if game.thoughts is not None:
            thoughts = words.thoughts_text(**asdict(game.thoughts))
            texts = [
                text if number in game.barred else f"{text} ({thoughts[number]})"
                for number, text in enumerate(texts)
            ]
        for number in game.barred:
            texts[number] += words.NEVER
        texts[chosen] = f"[{texts[chosen]}]"
        yield f"  ? Player {game.decider} {self._question(decision, options)}: {' | '.join(texts)}"

    def _asked(self) -> str:
        """Who decides what."""
        game = self.game
        return f"Player {game.decider} {self._question(game.decision, game.options)}"

    def _asked_in_full(self) -> str:
        """The same with the name of a card on which a Mindbug may be used."""
        asked = self._asked()
        if self.game.decision == Decision.MINDBUG:
            asked += f" on {self._list(self._now.position['limbo'])}"
        return asked

    def _question(self, decision: Decision, options: Sequence[Option]) -> str:
        """What is to be decided."""
        first, effect = options[0].word, self._now.details["effect"]
        if decision == Decision.HUNT and first != "no_hunt":
            return "has to hunt"
        if decision == Decision.DISCARD and effect == Effect.TAKE_GIVEN_CARD:
            return "chooses a card to give"
        if decision == Decision.UP_TO and effect == Effect.DISCARD:
            return "may choose a card to discard"
        if decision == Decision.BOOST and first != "stop":
            return "chooses the creature that it goes under"
        if decision == Decision.MODE and first == "play":
            return "decides what becomes of the card"
        if decision == Decision.ACTION and self.game.obliged:
            return "has to choose one of these actions"
        return words.CHOICES.get(first) or words.QUESTIONS[decision]

    def _option(self, decision: Decision, option: Option, options: Sequence[Option]) -> str:
        """One option in words."""
        now, details = self._now, self._now.details
        card = option.slot
        if decision == Decision.MODE and option.word in ("play", "keep"):
            (card,) = details["gathered"]
        text = words.OPTIONS[option.word]
        if option.word == "reroll" and len(details["dice"]) == 1:
            text = "roll again"
        elif decision == Decision.MODE and option.word == "keep":
            text = words.KEEP_CARD
        creature = self._creature(card) if card >= 0 else ""
        if option.word == "target" or decision == Decision.BOOST:
            places = {now.places[other.slot] for other in options if other.slot >= 0}
            if len(places) > 1:
                creature += self._place(card)
        trigger = words.TRIGGERS[option.trigger] if option.trigger is not None else ""
        if option.word == "resolve" and option.other >= 0:
            trigger += f" from {self._name(option.other)}"
        elif option.word == "resolve":
            name = self._book.abilities[option.program].name  # R54: not the card as it is now
            if name != now.faces[card]:
                creature = name + self._suffixes[card]
        return text.format(
            card=creature,
            other=self._creature(option.other) if option.other >= 0 else "",
            number=option.number,
            mode=self._book.modes[details["program"]][option.number]
            if option.word == "mode"
            else "",
            power_card=self._power_card(option.number) if option.word == "buy" else "",
            die=words.die(details["dice"], option.number)
            if option.word in ("reroll", "first")
            else "",
            trigger=trigger,
            keyword=option.keyword.name if option.keyword is not None else "",
        )

    def _place(self, slot: int) -> str:
        """Where a card lies, for options that lie in several places."""
        zone, of = self._now.places.get(slot, ("unused", -1))
        return words.PLACES[zone].format(of=self._whose(zone, of))

    # ------------------------------------------------------------ phases

    def _phase(self) -> Iterator[str]:
        """One phase of the machine and what it changed."""
        before, phase = self._now, self.game.phase
        yield from self._announce(phase, *self.game.fight)
        self.game.step_phase()
        self._now = now = self._look()
        if phase == Phase.START_TURN:
            yield from self._turn(extra=before.position["active"] == self._mover)
            self._mover = now.position["active"]
        yield from self._purchases(before)
        yield from self._plain_dice()
        yield from self._dice(phase)
        changes = list(self._changes(before))
        yield from changes
        if phase == Phase.EFFECT:
            self._effective |= bool(changes) or self._something_waits(before)
            ended = now.phase not in (Phase.EFFECT, Phase.OVER) and not self.game.waits
            if ended and not self._effective:
                yield "  Nothing happens."
        elif not changes:
            yield from self._unchanged(phase, *self.game.fight)
        yield from self._discarded(before)
        yield from self._afterwards(phase)
        yield from self._begun(before)

    def _something_waits(self, before: _Moment) -> bool:
        """Whether an effect has done what is to be seen later only."""
        now = self._now
        rules = now.details["turn_rules"] > before.details["turn_rules"]
        return rules or len(now.waiting) > len(before.waiting)

    def _announce(self, phase: Phase, attacker: int, blocker: int) -> Iterator[str]:
        """What is about to happen."""
        now = self._now
        attacking = now.details["attacking"]
        if phase == Phase.PLAY:
            player = now.position["active"]
            yield f"  Player {player} plays {self._list(now.position['limbo'])} from hand."
        elif phase == Phase.DECLARE:
            yield f"  Player {attacking} attacks with {self._creature(attacker)}."
        elif phase == Phase.HUNT and now.places.get(attacker) != ("play", attacking):
            yield "  The attack ends."
        elif phase == Phase.COMBAT and blocker < 0:
            yield f"  {self._creature(attacker)} is not blocked."
        elif phase == Phase.COMBAT:
            yield f"  {self._creature(attacker)} fights {self._creature(blocker)}."
        elif phase == Phase.FORCED_DONE:
            yield "  The forced attack is over."

    def _plain_dice(self) -> Iterator[str]:
        """What plain dice have shown (C55)."""
        for number in self._now.details["plain_dice"]:
            yield f"  The die shows {number}."

    def _dice(self, phase: Phase) -> Iterator[str]:
        """A roll of dice, or the result that is applied."""
        details = self._now.details
        faces = details["dice"]
        if phase == Phase.ROLL and self._now.phase == Phase.REROLL:
            yield f"  Player {details['attacking']} rolls {' and '.join(faces)}."
        elif phase == Phase.DIE and self._now.phase in (Phase.DIE, Phase.STRIKE):
            yield f"  Result of the die: {faces[details['applied'] - 1]}."

    def _unchanged(self, phase: Phase, attacker: int, blocker: int) -> Iterator[str]:
        """What is said where something was expected and nothing changed."""
        if phase == Phase.COMBAT and attacker >= 0 and not self.game.over:
            loser = 1 - self._now.details["attacking"]
            yield f"  Player {loser} loses no life." if blocker < 0 else "  Nobody is defeated."
        elif phase == Phase.DIE and self._now.phase == Phase.DIE:
            yield "  Nothing happens."

    def _afterwards(self, phase: Phase) -> Iterator[str]:
        """What comes next, where it is not plain."""
        after = self._now.phase
        if phase == Phase.ACTION_DONE and after == Phase.ACTION:
            yield f"  Player {self._now.position['active']} takes an extra turn action."
        elif phase == Phase.END_TURN and after == Phase.QUEUE:
            yield "  The turn ends."

    def _turn(self, *, extra: bool) -> Iterator[str]:
        """The head of a turn: who is to move, and the position."""
        now = self._now.position
        yield ""
        yield f"Turn {now['turn']}: player {now['active']}{' (extra turn)' if extra else ''}"
        if not self._brief:
            yield from self._standings()

    def _standings(self) -> Iterator[str]:
        """What both players have, and what belongs to neither."""
        now = self._now.position
        kot_parts = self.game.table.modes.kot_parts
        for number, player in enumerate(now["players"]):
            play = ", ".join(self._creature(slot, boosts=True) for slot in player["play"])
            energy = f" energy {player['energy']}," if kot_parts else ""
            yield (
                f"  Player {number}: life {player['life']}, Mindbugs {player['mindbugs']},{energy}"
                f" hand {len(player['hand'])}, draw pile {len(player['draw'])},"
                f" discard pile {len(player['discard'])}; in play: {play or 'no creature'}"
            )
        yield from self._common()

    def _common(self) -> Iterator[str]:
        """What belongs to neither player."""
        now = self._now.position
        if now["display"] or now["power_deck"]:
            cards = ", ".join(map(self._power_card, now["display"])) or "none"
            yield f"  Power cards: {cards}; in the power deck {len(now['power_deck'])}"
        if now["set_aside"]:
            yield f"  Set aside: {self._list(now['set_aside'])}"

    # ------------------------------------------------------------ effects and purchases

    def _begun(self, before: _Moment) -> Iterator[str]:
        """The effect that begins, if one does."""
        old, new = before.details, self._now.details
        begins = new["effects"] > old["effects"] or new["depth"] > old["depth"]
        if self._now.phase != Phase.EFFECT or not begins:
            return
        self._effective = False
        ability = self._book.abilities[new["program"]]
        slot, player = new["source"], new["you"]
        gone = Counter(before.waiting) - Counter(self._now.waiting)
        granter = next(iter(gone))[3] if gone else -1
        if slot < 0:
            name = ability.name
        elif granter >= 0:
            name = self._name(slot)
        else:
            name = ability.name + self._suffixes[slot]
        head = f"{name} (player {player})"
        if ability.trigger == Trigger.PLAY and not gone:  # C23
            (copied,) = new["chosen"]
            head = f"{self._name(slot)} (player {player}) copies {self._creature(copied)}"
        colon = ", " if ability.has_header else ": "
        source = f" from {self._name(granter)}" if granter >= 0 else ""
        yield f"  {head}{colon}{ability.header}{source}{ability.text}"

    def _purchases(self, before: _Moment) -> Iterator[str]:
        """Power cards that were bought, shown and discarded."""
        old, new = before.position, self._now.position
        player, deck = self._now.details["you"], self._book.power_cards
        bought = set(self._now.details["bought"]) - set(before.details["bought"])
        for number in sorted(bought):
            name = deck[number].name
            was, is_now = (position["players"][player]["energy"] for position in (old, new))
            if number not in old["display"]:
                yield f"  Player {player} reveals {name} and buys it for free."
            elif was == is_now:
                yield f"  Player {player} buys {name} for free."
            else:
                yield f"  Player {player} buys {name}; energy: {was} → {is_now}."
        shown = [number for number in new["display"] if number not in old["display"]]
        if shown:
            yield f"  New power card to buy: {', '.join(map(self._power_card, shown))}."

    def _discarded(self, before: _Moment) -> Iterator[str]:
        """Power cards that have been resolved."""
        old, new = (moment.position["power_discard"] for moment in (before, self._now))
        for number in sorted(set(new) - set(old)):
            yield f"  {self._book.power_cards[number].name} goes to the discarded power cards."

    def _power_card(self, number: int) -> str:
        """A power card with its cost."""
        card = self._book.power_cards[number]
        return f"{card.name} ({card.cost} energy)"

    # ------------------------------------------------------------ differences

    def _changes(self, before: _Moment) -> Iterator[str]:
        """What is different: life, energy, TOUGH, evolution, then cards that moved, then powers."""
        now = self._now
        for number in (0, 1):
            old, new = (moment.position["players"][number] for moment in (before, now))
            if old["life"] != new["life"]:
                verb, by = words.gain_or_loss(old["life"], new["life"])
                yield f"  Player {number} {verb} {by} life: {old['life']} → {new['life']}."
            if old["energy"] < new["energy"]:
                by = new["energy"] - old["energy"]
                yield f"  Player {number} gains {by} energy: {old['energy']} → {new['energy']}."
        stayed = [slot for slot in now.creatures if slot in before.creatures]
        for slot in stayed:
            if now.creatures[slot]["exhausted"] and not before.creatures[slot]["exhausted"]:
                yield f"  {self._name(slot, before)} is exhausted instead of defeated (TOUGH)."
            if now.faces[slot] != before.faces[slot]:
                yield f"  {self._name(slot, before)} evolves into {self._creature(slot)}."
        yield from self._moves(before)
        for slot in before.creatures:
            if slot not in now.creatures and now.faces[slot] != before.faces[slot]:
                yield f"  {self._name(slot, before)} is {self._name(slot)} again."
        yield from self._marks(before)
        if now.phase not in (Phase.START_TURN, Phase.OVER):
            changed = [slot for slot in stayed if self._is_other(slot, before)]
            if changed:
                yield f"  Now: {self._list(changed)}."

    def _is_other(self, slot: int, before: _Moment) -> bool:
        """Whether the power or the keywords of a creature are not what they were."""
        old, new = before.creatures[slot], self._now.creatures[slot]
        evolved = before.faces[slot] != self._now.faces[slot]
        return not evolved and (old["power"], old["keywords"]) != (new["power"], new["keywords"])

    def _marks(self, before: _Moment) -> Iterator[str]:
        """Creatures that must or cannot do something."""
        for key, what in words.MARKS.items():
            now, old = self._now.details[key], before.details[key]
            if now == old:
                continue  # as after nearly every step
            marked = Counter(now) - Counter(old)
            if marked:
                has = "has" if len(marked) == 1 else "have"
                yield f"  {self._list(sorted(marked))} {what.format(has=has)}."

    def _moves(self, before: _Moment) -> Iterator[str]:
        """The cards that moved, those drawn last."""
        nowhere, moves = ("unused", -1), dict[tuple[Any, Any], list[int]]()
        for slot, place in sorted(self._now.places.items()):
            was = before.places.get(slot, nowhere)
            if was != place:
                moves.setdefault((was, place), []).append(slot)
        for (zone, of), (new_zone, to) in sorted(moves, key=lambda move: move[0][0] == "draw"):
            cards = moves[(zone, of), (new_zone, to)]
            text = self._move(before, cards, zone, new_zone, same=of == to)
            if text:
                fields = {"of": self._whose(zone, of, before), "to": self._whose(new_zone, to)}
                fields |= words.endings_of_verbs(len(cards))
                yield f"  {text.format(cards=self._list(cards, before), **fields)}"

    def _move(
        self, before: _Moment, cards: Sequence[int], zone: str, new_zone: str, *, same: bool
    ) -> str:
        """What is said of a move from a zone to another; nothing if it has been said."""
        effect = before.details["effect"]
        if new_zone == "limbo":
            if self._now.phase == Phase.PLAY:
                return ""
            self._given.update(cards)
            return words.GIVES
        if zone == "limbo" and not self._given.isdisjoint(cards):
            self._given.difference_update(cards)
            return words.GIVEN[new_zone]
        special = words.SPECIAL_MOVES.get((zone, new_zone, effect))
        if special:
            return special
        if zone in words.COMMON or new_zone in words.COMMON:
            return words.MOVES.get((zone, new_zone)) or words.any_move(zone, new_zone)
        return words.MOVES.get((zone, new_zone, same)) or words.any_move(zone, new_zone)

    def _end(self) -> Iterator[str]:
        """How the game ended, in agreement with its record."""
        game, now = self.game, self._now
        assert game.ending is not None
        source = now.details["source"]
        more_life = game.ending == Ending.CAPPED and game.winner >= 0
        why = (words.MORE_LIFE if more_life else words.ENDINGS[game.ending]).format(
            loser=1 - game.winner,
            turn=now.position["turn"],
            source=self._name(source) if source >= 0 else "a power card",
        )
        yield ""
        yield f"{f'Player {game.winner} wins' if game.winner >= 0 else 'A draw'}: {why}."
        life, mindbugs = (
            [player[key] for player in now.position["players"]] for key in ("life", "mindbugs")
        )
        yield (
            f"Turns {now.position['turn']}, life {life[0]} : {life[1]},"
            f" unused Mindbugs {mindbugs[0]} : {mindbugs[1]} (player 0 : player 1)."
        )

    # ------------------------------------------------------------ names

    def _name(self, slot: int, moment: _Moment | None = None) -> str:
        """A card by the name of the face that is up at a moment."""
        return (moment or self._now).faces[slot] + self._suffixes[slot]

    def _whose(self, zone: str, of: int, moment: _Moment | None = None) -> str:
        """A player, or the creature over a boost."""
        return self._name(of, moment) if zone == "boost" else str(of)

    def _list(self, slots: Sequence[int], before: _Moment | None = None) -> str:
        """Cards in words; ``before`` is the moment they had their face if they have left play."""
        return ", ".join(self._creature(slot, before) for slot in slots) or "nothing"

    def _creature(self, slot: int, before: _Moment | None = None, *, boosts: bool = False) -> str:
        """A card by name; a creature in play with its current power, keywords and state."""
        creature = self._now.creatures.get(slot)
        if creature is None:
            return self._name(slot, before if before and slot in before.creatures else None)
        state = [str(creature["power"]), *creature["keywords"]]
        state += ["exhausted"] if creature["exhausted"] else []
        under = creature["boosts"]
        text = " ".join(state)
        if under and boosts:
            text += f", boosted by {self._list(under)}"
        elif under:
            text += f", {len(under)} boost{'s' if len(under) > 1 else ''}"
        return f"{self._name(slot)} ({text})"


def _places(position: dict[str, Any]) -> dict[int, tuple[str, int]]:
    """Zone of every card, with its player, or the creature over a boost; -1 for common zones."""
    places = {
        slot: (zone, number)
        for number, player in enumerate(position["players"])
        for zone in words.ZONES
        for slot in player[zone]
    }
    for host, creature in position["creatures"].items():
        places |= dict.fromkeys(creature["boosts"], ("boost", host))
    places |= dict.fromkeys(position["set_aside"], ("set_aside", -1))
    return places | dict.fromkeys(position["limbo"], ("limbo", position["active"]))
