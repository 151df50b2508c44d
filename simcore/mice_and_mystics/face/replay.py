"""One game told so that a player of the board game can follow it on the table.

The narrator plays the game step by step of the machine through `Game` and tells what each step has
changed; dice are those that the engine drew between two moments.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from simcore.mice_and_mystics.face.game import Game
from simcore.mice_and_mystics.face.moments import Change, Moment, bits
from simcore.mice_and_mystics.face.replay_changes import Changes
from simcore.mice_and_mystics.face.replay_text import (
    Book,
    Figures,
    counted,
    dice_of,
    grouped,
    listed,
    of,
    sentence,
)
from simcore.mice_and_mystics.table import steps, words
from simcore.mice_and_mystics.table.limits import MICE
from simcore.mice_and_mystics.table.records import Outcome
from simcore.mice_and_mystics.table.table import Table
from simcore.narration import Narrator, Replay

_TURN, _THING = "  ", "    "


class Board(NamedTuple):
    """A room to be drawn: its id, and what stands on its spaces."""

    tile: str
    standing: Mapping[str, Sequence[str]]


def replay_game(
    table: Table, *, seed: int, game: int, players: tuple[str, ...] = ("uniform",)
) -> Replay:
    """Play game number ``game`` of a seed once more and tell it.

    Raises
    ------
    ValueError
        For a player that does not exist.
    """
    played = Game(table, seed=seed, game=game, players=players, to_decision=False)
    return Replay(tuple(tell(played, Game.choose)), played.record)


def tell(game: Game, choose: Callable[[Game], int]) -> Iterator[str | Board]:
    """Play a new game to its end and tell it, line by line.

    Parameters
    ----------
    game
        A new game, made with ``to_decision=False``.
    choose
        Gives the number of the option to take at each decision.
    """
    return _Narrator(game, choose).tell()


class _Narrator(Narrator):
    """Plays one game and keeps the moment that was told last.

    A ``brief`` one leaves out how everything stands at the beginning of a round, and the maps.
    """

    def __init__(self, game: Game, choose: Callable[[Game], int], *, brief: bool = False) -> None:
        super().__init__(game, choose, brief=brief)
        self._book = Book(game.table)
        self._figures = Figures(self._book)
        self._changes = Changes(self._book, self._figures)
        self._now = Moment(game)
        self._drawn: object = None  # the board that was drawn last
        self._heads: dict[int, Callable[[Change, int], Iterator[str | Board]]] = {
            int(steps.PLACE_AT_START): self._start,
            int(steps.NEW_ROUND): self._round,
            int(steps.NEXT_CARD): self._turn,
            int(steps.EXTRA_MOVE): self._extra_move,
            int(steps.TAKE_EXTRA_MOVE): self._move,
            int(steps.TAKE_MENU): self._menu,
            int(steps.PLACE_MICE): self._room,
            int(steps.PLACE_ENCOUNTER): self._encounter,
            int(steps.SURGE): self._surge,
            int(steps.END_MOUSE_TURN): self._end_of_turn,
            int(steps.NEXT_FIGURE): self._figure,
            int(steps.FIGURE_ATTACKS): self._attack,
        }

    def tell(self) -> Iterator[str | Board]:
        """The text, line by line."""
        yield from self._set_up()
        while not self.game.over:
            if self.game.waits:
                yield from self._decide()
            else:
                yield from self._go_on()
        yield from self._end()

    # ------------------------------------------------------------ steps

    def _name(self, mouse: int) -> str:
        return self._book.hero(self._now, mouse)

    def _figure_in_place(self, figure: int) -> str:
        """A figure with the space on which it stands."""
        now = self._now
        space = self._book.space(now, now.of("figure_space", figure))
        return f"{self._figures.name(now, figure)} ({space})"

    def _decide(self) -> Iterator[str | Board]:
        """One decision with all options, the one taken in brackets."""
        now, game = self._now, self.game
        chosen = self._choose(game)
        yield from self._decided(chosen)
        picked = int(now.state["options"][chosen])
        yield from self._perform(picked, lambda: game.step(chosen))

    def _decided(self, chosen: int) -> Iterator[str]:
        """All options, the one taken in brackets."""
        now = self._now
        phrases = self._book.phrases(now, self._figure_in_place)
        may = " may react" if now["point"] == words.D9 else ""
        yield f"{_THING}? {self._name(now['decider'])}{may}: {grouped(phrases, chosen)}"

    def _go_on(self) -> Iterator[str | Board]:
        """A step without a decision; an only option is taken in it."""
        yield from self._perform(self._now["picked"], self.game.go_on)
        now = self._now
        silent = not self.game.over and not self.game.waits and now.step in _TAKING
        if silent and now["picked"] & 255 != words.PASS:
            lead, item = self._book.phrase(now, now["picked"], self._figure_in_place)
            yield f"{_THING}{self._name(now['decider'])} can only {f'{lead} {item}'.strip()}."

    def _perform(self, picked: int, perform: Callable[[], None]) -> Iterator[str | Board]:
        """Let the machine perform a step, and tell what it has changed."""
        before = self._now
        step = before.step
        perform()
        self._now = Moment(self.game)
        self._figures.follow(self._now)
        change = Change(before, self._now)
        head = self._heads.get(step)
        if head is not None:
            yield from head(change, picked)
        for line in self._changes.tell(step, picked, change):
            yield f"{_THING}{line}"
        self._figures.forget(self._now)

    def _board(self) -> Iterator[str | Board]:
        """The map of the room, if something stands elsewhere than in the last one."""
        if not self._brief:
            yield from self._map()

    def _map(self) -> Iterator[str | Board]:
        """The same, told briefly or not."""
        now = self._now
        standing = self._book.standing(now)
        board = Board(self.game.table.ids["tiles"][now["tile"]], standing)
        if board != self._drawn:
            self._drawn = board
            yield board
            yield f"{_THING}{self._book.legend(now)}"

    def _track(self) -> str:
        """The initiative track."""
        cards = [self._book.track_card(self._now, card) for card in self._now.track]
        return f"initiative: {', '.join(cards)}"

    # ------------------------------------------------------------ setting up

    def _set_up(self) -> Iterator[str]:
        """The chapter, the party and its gear."""
        book, now, row = self._book, self._now, self._book.row
        party = [self._name(mouse) for mouse in range(book.n_mice)]
        yield f"{book.chapter.name}: {listed(party)}"
        yield (
            f"The hourglass starts on page {now['page']}; on page {book.page_end} the chapter is"
            f" lost. {counted(int(row['wheel_size']), 'cheese', 'cheese')} on the minions' wheel"
            " make a surge."
        )
        yield f"{self._goal()} Faces of dice with a star are marked *."
        yield ""
        yield "Setting up"
        for mouse in range(book.n_mice):
            hero = book.facts.heroes[now.of("hero", mouse)]
            worn = [book.card(card) for card in now.worn(mouse)]
            pack = [book.card(card) for card in now.pack(mouse)]
            cheese = f", {now.of('cheese', mouse)} cheese" if now.of("cheese", mouse) else ""
            yield (
                f"{_TURN}{self._name(mouse)}: battle {hero.battle}, defense {hero.defense}, lore"
                f" {hero.lore}, move {hero.move}, life {hero.life}{cheese}; equipped:"
                f" {listed(worn) if worn else 'nothing'}"
                + (f"; in the pack: {listed(pack)}" if pack else "")
            )

    def _goal(self) -> str:
        """How the chapter is won."""
        win = self._book.chapter.win
        room = self._book.room(self.game.table.ids["tiles"].index(win.tile))
        if not win.space:
            return f"The chapter is won when no minion is left in {room}."
        alone = " and no minion is there" if win.requires_no_minions else ""
        who = "all mice that are not captured"
        return f"The chapter is won when {who} are on {win.space} of {room}{alone}."

    def _start(self, change: Change, _picked: int) -> Iterator[str | Board]:
        """The minions of the first room, and the track."""
        if change.after.step != steps.NEW_ROUND:
            return
        yield f"{_TURN}The mice are in {self._book.room(change.after['tile'])}."
        yield from self._placed(change)

    def _placed(self, change: Change) -> Iterator[str]:
        """Minions that were placed."""
        before, after = change.before, change.after
        new = [one for one in after.figures if not before.has("figures", one)]
        if new:
            yield f"{_THING}Placed: {self._where(new)}."
        elif not after["outcome"]:
            yield f"{_THING}No minion is placed."
        if n := change["minions_not_placed"]:
            are = "is" if n == 1 else "are"
            yield f"{_THING}{counted(n, 'minion')} {are} not placed, for want of figures or room."

    def _where(self, figures: Sequence[int]) -> str:
        """Figures by space."""
        now = self._now
        spaces: dict[int, list[int]] = {}
        for figure in figures:
            spaces.setdefault(now.of("figure_space", figure), []).append(figure)
        return "; ".join(
            f"on {self._book.space(now, space)} {self._figures.names(now, members)}"
            for space, members in sorted(spaces.items())
        )

    # ------------------------------------------------------------ rounds and turns

    def _round(self, change: Change, _picked: int) -> Iterator[str | Board]:
        """The head of a round: page, wheel, track and who stands where."""
        now = self._now
        if now["outcome"]:
            return
        yield ""
        yield from [self._round_head()] if self._brief else self._standings()
        yield from self._board()
        del change

    def _round_head(self) -> str:
        """Page, wheel and room."""
        now, size = self._now, int(self._book.row["wheel_size"])
        return (
            f"Round {now['round']}: page {now['page']} of {self._book.page_end}, {now['wheel']} of"
            f" {size} cheese on the wheel, {self._book.room(now['tile'])}"
        )

    def _standings(self) -> Iterator[str]:
        """Page, wheel, track, how the mice are and where minions stand."""
        now = self._now
        yield self._round_head()
        yield f"{_TURN}{sentence(self._track())}"
        for mouse in range(self._book.n_mice):
            yield f"{_TURN}{self._mouse(mouse)}"
        if now.figures:
            yield f"{_TURN}Minions: {self._where(now.figures)}"

    def _mouse(self, mouse: int) -> str:
        """How a mouse is."""
        now, book = self._now, self._book
        if now.has("captured", mouse) or now.has("missing", mouse):
            where = "captured" if now.has("captured", mouse) else "missing"
        else:
            where = f"on {book.space(now, now.of('space', mouse))}"
        life = book.facts.heroes[now.of("hero", mouse)].life
        parts = [where]
        if wounds := now.of("wounds", mouse) + now.of("poison", mouse):
            poison = now.of("poison", mouse)
            parts.append(
                f"{counted(wounds, 'wound')} of {life}" + (f" ({poison} of poison)" * bool(poison))
            )
        if cheese := now.of("cheese", mouse):
            parts.append(f"{cheese} cheese")
        parts += ["stunned"] if now.has("stunned", mouse) else []
        parts += ["webbed"] if now.has("webbed", mouse) else []
        parts += ["knocked down"] if now.has("down", mouse) else []
        if pack := now.pack(mouse):
            parts.append(f"pack: {listed(book.card(card) for card in pack)}")
        return f"{self._name(mouse)}: {', '.join(parts)}"

    def _turn(self, change: Change, _picked: int) -> Iterator[str | Board]:
        """The turn of a card begins."""
        now = change.after
        card = now["acting"]
        if card < 0:
            return
        if card >= MICE:
            yield from self._minions_turn(change, card)
            return
        name = self._name(card)
        if change.before.has("captured", card):
            if change["rescues"]:
                yield f"{_TURN}{of(name)} turn: no minions are here, so {name} is rescued."
            else:
                yield f"{_TURN}{of(name)} turn is skipped: captured, with minions on the tile."
            return
        if now.has("missing", card):
            yield f"{_TURN}{of(name)} turn is skipped: missing."
            return
        yield f"{_TURN}{of(name)} turn, on {self._book.space(now, now.of('space', card))}"
        yield f"{_THING}{self._allowance(change, name, now['allowance'])}"

    def _allowance(self, change: Change, name: str, allowance: int) -> str:
        """A roll for movement."""
        number = self._book.total(change.dice[:1], "number")
        return (
            f"{name} rolls {number} for movement: {allowance - number} + {number} ="
            f" {counted(allowance, 'space')}."
        )

    def _minions_turn(self, change: Change, card: int) -> Iterator[str | Board]:
        """The turn of a card of minions."""
        now = change.after
        name = self._book.track_card(now, card)
        if change.before.has("slowed", card):
            yield f"{_TURN}{sentence(f'{name}: the turn is lost')}"
            return
        order = [int(one) for one in now.state["order"][: now["n_order"]]]
        if self._book.is_single(card - MICE):
            space = self._book.space(now, now.of("figure_space", order[0]))
            yield f"{_TURN}{of(name)[0].upper()}{of(name)[1:]} turn, on {space}"
        else:
            acting = ", ".join(self._figure_in_place(one) for one in order)
            yield f"{_TURN}{name[0].upper()}{name[1:]} act: {acting}"
        if any(not change.before.has("figures", one) for one in now.figures):
            yield from self._arrived(change)

    def _end_of_turn(self, change: Change, _picked: int) -> Iterator[str]:
        """Drift and idle cheese."""
        before, after = change.before, change.after
        mouse = before["acting"]
        if change["drifts"]:
            space = after.of("space", mouse)
            where = "off the tile" if space < 0 else f"to {self._book.space(after, space)}"
            yield f"{_THING}The current carries {self._name(mouse)} {where}."
        if n := change["wheel_in_idle"]:
            yield (
                f"{_THING}{self._name(mouse)} is the last mouse of the round and no minions are"
                f" here: {n} cheese goes on the wheel, which has {after['wheel']}."
            )

    # ------------------------------------------------------------ mice

    def _menu(self, change: Change, picked: int) -> Iterator[str]:
        """What an entry of the menu does at once."""
        kind = picked & 255
        if kind in (words.MOVE, words.SWIM, words.LEAVE_WATER):
            yield from self._move(change, picked)
        elif change.after["tile"] != change.before["tile"]:
            yield f"{_THING}The party leaves for {self._book.room(change.after['tile'])}."

    def _move(self, change: Change, picked: int) -> Iterator[str]:
        """Dice for leaving the water and for mousetraps."""
        dice, name = change.dice, self._name(change.before["decider"])
        if change["leave_tries"]:
            space = picked >> 8 & 255
            n = 1 + change.before.of("mice_at", space).bit_count()
            space_name = self._book.space(change.before, space)
            left = change["leave_success"]
            how = f"leaves the water for {space_name}" if left else "stays in the water"
            yield f"{_THING}{name} rolls {dice_of(n)}: {self._book.faces(dice[:n])}: {how}."
            dice = dice[n:]
        if n := change["traps_entered"]:
            each = len(dice) // n
            for trap in range(n):
                shown = self._book.faces(dice[each * trap : each * (trap + 1)])
                sprung = trap == n - 1 and change["traps_sprung"]
                what = "the mousetrap springs" if sprung else "the mousetrap does not spring"
                yield f"{_THING}{name} enters a trap and rolls {dice_of(each)}: {shown}: {what}."

    def _extra_move(self, change: Change, _picked: int) -> Iterator[str]:
        """A scurry or another move on top."""
        mouse = change.before.frame[1]
        hero = self._book.facts.heroes[change.after.of("hero", mouse)]
        number = self._book.total(change.dice[:1], "number")
        allowance = max(0, hero.move + change.after.of("gear_move", mouse) + number)
        yield f"{_THING}{self._allowance(change, self._name(mouse), allowance)}"

    def _room(self, change: Change, _picked: int) -> Iterator[str | Board]:
        """All mice have arrived in a room."""
        before, after = change.before, change.after
        if change["returns_to_explored"]:
            yield f"{_THING}The room is explored already: no encounter."
        elif card := next(iter(change.grown("drawn_e")), -1) + 1:
            yield from self._card(after, card - 1)
        elif after["face_up"] < 0 and after["entered"] != before["entered"] and not after.figures:
            yield f"{_THING}There is no encounter card to draw."
        elif after["entered"] != before["entered"]:
            yield f"{_THING}Minions of the chapter wait here instead of an encounter."
            yield from self._placed(change)

    def _card(self, now: Moment, card: int) -> Iterator[str]:
        """An encounter card that was drawn."""
        book = self._book
        encounter = book.facts.encounters[card]
        page = now["page"]
        bands = [one for one in encounter.bands if one.last is None or page <= one.last]
        band = bands[0] if bands else encounter.bands[-1]
        yield (
            f"{_THING}Encounter card: {book.encounter(card)}; on page {page}:"
            f" {book.groups(band.minions)}."
        )
        if now["mousetraps"]:
            spaces = [book.space(now, space) for space in bits(now["mousetraps"])]
            yield f"{_THING}Mousetraps are laid on {listed(spaces)}."

    def _encounter(self, change: Change, _picked: int) -> Iterator[str | Board]:
        """The minions of an encounter are placed, and perhaps an ambush follows."""
        yield from self._placed(change)
        if change["ambushes"] and change.after.figures:
            yield from self._ambush(change)
        if self._book.row["continues_round"]:
            yield f"{_THING}{sentence(self._track())}"
            yield from self._board()

    def _ambush(self, change: Change) -> Iterator[str]:
        """Cards of minions that move up the track (M81)."""
        book, after = self._book, change.after
        kinds = {after.of("type", figure) for figure in after.figures}
        here = {card for kind in kinds for card in book.cards_of(after, kind)}
        n = book.n_mice + len(here)
        dice = change.dice[len(change.dice) - len(here) :]
        first = len(change.dice) - len(here) - (n - 1)
        track = change.shuffled([*range(book.n_mice), *sorted(here)], first)
        moves = zip([card for card in track if card >= MICE], dice, strict=True)
        shuffled = ", ".join(book.track_card(after, card) for card in track)
        rolls = listed(
            f"{book.track_card(after, card)} {book.does(card, 'move')} up"
            f" {book.total([die], 'number')}"
            for card, die in moves
        )
        yield f"{_THING}Ambush! The track was {shuffled}; {rolls}."

    def _surge(self, change: Change, _picked: int) -> Iterator[str | Board]:
        """A surge."""
        before, after = change.before, change.after
        yield f"{_THING}SURGE! The hourglass goes to page {after['page']}."
        if after["outcome"]:
            return
        groups = self._book.surges.get(after["tile"])
        card = before["face_up"]
        if groups is not None:
            yield f"{_THING}Surge of the room: {self._book.groups(groups)}. The wheel is emptied."
            yield from self._arrived(change)
            return
        if card < 0:
            yield f"{_THING}No encounter card lies face up: no minions come. The wheel is emptied."
            return
        groups = self._book.facts.encounters[card].surge
        yield (
            f"{_THING}Surge of {self._book.encounter(card)}, which is discarded:"
            f" {self._book.groups(groups) if groups else 'no minions'}. The wheel is emptied."
        )
        yield from self._arrived(change)

    def _arrived(self, change: Change) -> Iterator[str | Board]:
        """Who has come onto the tile, the track, and the board."""
        yield from self._placed(change)
        yield f"{_THING}{sentence(self._track())}"
        yield from self._board()

    # ------------------------------------------------------------ minions

    def _figure(self, change: Change, _picked: int) -> Iterator[str]:
        """A figure moves, or the turn of its card ends."""
        before, after = change.before, change.after
        if after.step == steps.END_TURN and change.before["next_in_order"] >= before["n_order"]:
            yield from self._swap(change)
            return
        figure = int(after.state["frame"][0][1])
        name = self._figures.name(before, figure)
        here = self._book.space(before, before.of("figure_space", figure))
        if int(after.state["frame"][0][2]) == 0:
            cheese = change["wheel_in_counter"]
            what = f"{cheese} cheese goes on the wheel" if cheese else "no cheese comes"
            yield f"{_THING}{name} stays at the cheese on {here}: rolls a die: {what}."
            return
        row = self._book.row["minions"][after["acting"] - MICE]
        if row["pounces"]:
            there = self._book.space(after, after.of("figure_space", figure))
            yield f"{_THING}{name} pounces from {here} on {there}."
            return
        n = 2 if row["chases"] else int(row["move_dice"])
        number = self._book.total(change.dice[:n], "number")
        if before.has("knocked", figure):
            yield f"{_THING}{name} is knocked down and stands up."
        elif not after.has("figures", figure):
            trap = next(bits(before["set_traps"] & ~after["set_traps"]))
            there = self._book.space(before, trap)
            yield f"{_THING}{name} rolls {number} and moves from {here} to {there}."
        elif after.of("figure_space", figure) == before.of("figure_space", figure):
            yield f"{_THING}{name} rolls {number} and stays on {here}."
        else:
            there = self._book.space(after, after.of("figure_space", figure))
            yield f"{_THING}{name} rolls {number} and moves from {here} to {there}."

    def _swap(self, change: Change) -> Iterator[str]:
        """A card that changes places with the one above (M18)."""
        before, after = change.before, change.after
        moved = [card for card, old in zip(after.track, before.track, strict=True) if card != old]
        if len(moved) == 2:
            up, down = (self._book.track_card(after, card) for card in moved)
            moves = self._book.does(moved[0], "move")
            yield f"{_THING}{sentence(f'on the track {up} {moves} above {down}')}"

    def _attack(self, change: Change, _picked: int) -> Iterator[str]:
        """The figure that acts picks its victim."""
        before, after = change.before, change.after
        figure = int(before.state["frame"][0][1])
        if not before.has("figures", figure):
            return
        name = self._figures.name(before, figure)
        if after.step in {steps.SWEEP, steps.SWEEP_WOUNDS, steps.SWEEP_END}:
            yield f"{_THING}{name} attacks all figures in its way."
        elif after["depth"] > before["depth"]:
            yield f"{_THING}{name} attacks {self._name(after.frame[2])}."
        elif int(before.state["frame"][0][2]) > 0:
            yield f"{_THING}{name} has nobody to attack."

    # ------------------------------------------------------------ the end

    def _end(self) -> Iterator[str]:
        """How the game ended and why, and what it was in numbers."""
        now, record = self._now, self.game.record
        yield ""
        page = f"on page {now['page']} of {self._book.page_end}, in round {now['round']}"
        yield {
            Outcome.WIN: f"The chapter is won {page}.",
            Outcome.LOSS_PAGE: f"The hourglass has reached page {now['page']}: the chapter is lost"
            f" in round {now['round']}.",
            Outcome.LOSS_CAPTURED: f"No mouse is left on the tile: the chapter is lost {page}.",
            Outcome.TIMEOUT: f"The game is stopped after round {now['round']}.",
        }[Outcome(now["outcome"])]
        pages = int(record["page_final"]) - int(self._book.row["page_start"])
        yield (
            f"{counted(pages, 'page')} lost: {counted(int(record['surges']), 'surge')},"
            f" {counted(int(record['captures']), 'capture')}."
            f" {counted(int(record['kills'].sum()), 'minion')} defeated;"
            f" {counted(int(record['rooms_explored']), 'room')} entered;"
            f" {counted(int(record['decisions']), 'decision')}."
        )


#: Steps that take an entry, in which an only entry has been taken without asking.
_TAKING = frozenset(
    (
        steps.TAKE_ABILITY,
        steps.TAKE_START,
        steps.TAKE_MENU,
        steps.TAKE_RESCUE,
        steps.TAKE_EXTRA_MOVE,
        steps.TAKE_PLACE,
        steps.TAKE_RETURN,
        steps.TAKE_KNIFE,
        steps.TAKE_CHAIN,
        steps.TAKE_CURE,
        steps.TAKE_PICK,
        steps.TAKE_FOUND,
        steps.TAKE_DROP,
    )
)
