"""A game that somebody brings, in which a person decides for a seat."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from card_data.schema import Entry
from reports.kit.words import listed
from reports.own_games.told import ended, happened
from reports.play.log import GameLog
from reports.play.match import Choice, Match, Opinion, Question, entry_called
from reports.play.scene import Area, Moment, Move, Option, Piece, Scene, Side
from simcore.contract.loops import LoopWatch
from simcore.contract.packages import installed
from simcore.contract.play import Play
from simcore.contract.state import Cards, Zone, is_seen
from simcore.own_games.run import NAME
from simcore.own_games.setup import ENTRIES, OwnGames, record_at, table_of
from simcore.sealed import read_file
from simcore.work.parts import deal_of

if TYPE_CHECKING:
    from analysis.own_games.story import Judge
    from analysis.runs import Run

#: What is said of a field that holds nothing.
NOTHING = "none"
# The seat of a person in a game without one.
_NOBODY = -1


class OwnMatch(Match):
    """One game; the person decides for the seat of ``log.person``, if there is one."""

    def __init__(self, log: GameLog) -> None:
        super().__init__(log)
        self._table = table_of(log.asked, log.data[ENTRIES])
        [self._seat] = log.person or (_NOBODY,)
        there = self._seat == _NOBODY or 0 <= self._seat < self._table.seats
        if not there or len(log.players) != self._table.seats:
            raise ValueError("it has other seats than its game")
        self._begin()

    def _begin(self) -> None:
        with LoopWatch():
            self._game = Play(self._table, self.log.seed, self.log.number, told=True)

    @property
    def named(self) -> dict[str, Any]:
        """The rules, where they are a file: it is named each time that it is to be run."""
        source = self.log.asked["rules"]["source"]
        return {} if source in installed() else {"rules": source}

    @property
    def who(self) -> str:
        """The person's seat, and who plays the others."""
        others = [who for seat, who in enumerate(self.log.players) if seat != self._seat]
        if not others:
            return "you play alone"
        return f"you in seat {self._seat + 1} against {listed(dict.fromkeys(others))}"

    def tell(
        self,
        choose: Callable[[], int],
        *,
        openly: bool = False,
        brief: bool = False,  # noqa: ARG002 - the table is told only where it is asked for
    ) -> Iterator[str]:
        """Play the game and tell it."""
        self._begin()
        play, seat = self._game, None if openly else self._seat
        numbers: dict[str, str] = {}
        yield from happened(play, play.log(), seat)
        yield from self._changed(numbers, seat)
        while not play.over:
            self._take(choose())
            yield from happened(play, play.log(), seat)
            yield from self._changed(numbers, seat)
        yield from ended(play)

    def _changed(self, told: dict[str, str], seat: int | None) -> Iterator[str]:
        """The numbers and words that a seat sees and that are not as they were told before."""
        for owner in (None, *range(self._table.seats)):
            for name, value in self._numbers(owner, seat):
                whose = name if owner is None else f"{name} of seat {owner + 1}"
                if told.get(whose) != value:
                    is_one = whose in told and " " not in value  # a board is shown as it is now
                    yield f"  {whose}: {f'{told[whose]} to ' if is_one else ''}{value}"
                    told[whose] = value

    def moments(self, choose: Callable[[], int]) -> list[Moment]:
        """Play the game and tell it move by move."""
        self._begin()
        play, found = self._game, list[Moment]()
        while not play.over:
            lines, scene = [*happened(play, play.log())], self._scene(None)
            options = [Option(play.said(one)) for one in play.options]
            asked, turn = self._asked(), play.decisions + 1
            chosen = choose()
            found.append(Moment(lines, scene, Move(asked, options, chosen), turn))
            self._take(chosen)
        lines = [*happened(play, play.log()), *ended(play)]
        return [*found, Moment(lines, self._scene(None), None, play.decisions)]

    @property
    def judge(self) -> "Judge":
        """Playouts by the players of the game, where it has some."""
        from analysis.own_games.story import Judge

        return Judge(self._table, self.log.seed, self.log.players)

    @property
    def side(self) -> int:
        """The team of the person."""
        return self.judge.side_of(self._seat)

    def _take(self, option: int) -> None:
        with LoopWatch():
            self._game.choose(option)

    def as_played(self) -> int:
        """What the present player chooses in a run."""
        with LoopWatch():
            return self._game.think(self.player(self.place))

    @property
    def record(self) -> np.void:
        """The record of the finished game."""
        record = np.zeros(1, record_at(self._table))
        OwnGames(self._table, self.log.seed, self.log.players).write(self._game, record[0])
        found: np.void = record[0]
        return found

    @property
    def place(self) -> int:
        """The seat that decides."""
        return self._game.seat

    def question(self) -> Question:
        """What the person decides."""
        choices = []
        for option in self._game.options:
            text = self._game.said(option)
            word = option if isinstance(option, str) else option[0].replace("_", " ")
            parts = word.replace("_", " "), text.removeprefix(word).strip()
            choices.append(Choice(*parts) if text.startswith(word) else Choice(text))
        return Question(self._asked(), choices)

    def _asked(self) -> str:
        who = "You" if self._game.seat == self._seat else f"Seat {self._game.seat + 1}"
        return f"Decision {self._game.decisions + 1}. {who} may"

    def glance(self) -> Iterator[str]:
        """Where the game stands."""
        yield from _lines(self.scene())

    def table(self) -> Iterator[str]:
        """The same, with what the cards say."""
        yield from _lines(self.scene(), words=True)

    def scene(self) -> Scene:
        """What the person sees of every zone and number."""
        return self._scene(self._seat)

    def _scene(self, seat: int | None) -> Scene:
        """What a seat sees of every zone and number; all of it for None."""
        rules, table = self._game.rules, self._table
        sides = []
        for owner in (None, *range(table.seats)):
            name = "The table" if owner is None else f"Seat {owner + 1}"
            areas = [_area(zone, seat) for zone in rules.zones() if zone.seat == owner]
            numbers = [*self._numbers(owner, seat)]
            if areas or numbers:
                sides.append(Side(name, numbers, areas, is_own=owner == self._seat))
        return Scene("The game is over" if self.over else self._asked(), sides)

    def _numbers(self, owner: int | None, seat: int | None) -> Iterator[tuple[str, str]]:
        """The numbers and words that a seat sees of an owner, or of nobody's."""
        for name, one in self._game.rules._declared.items():
            if isinstance(one, Cards) or one.per_seat != (owner is not None):
                continue
            if seat is None or is_seen(getattr(one, "seen_by", "all"), owner, seat):
                value = getattr(self._game.rules, name)
                yield name.replace("_", " "), said_value(value if owner is None else value[owner])

    def card(self, name: str) -> Sequence[str]:
        """What an entry says."""
        entries = {word.casefold(): one for one in self._table.cards for word in (one.id, one.name)}
        found = entry_called(name, entries)
        return [found.name, *(f"{field}: {value}" for field, value in entry_fields(found))]

    @property
    def adviser(self) -> str:
        """The last of the game's players: one of its own, if there are any."""
        return self._table.game.player_names[-1]

    def opinion(self, player: str, decision: int) -> Opinion:
        """What a player chooses; nothing is known of what they think."""
        with LoopWatch():
            chosen = self._game.think(player, decision)
        choice = self._game.said(self._game.options[chosen])
        return Opinion(player, self._asked(), chosen, choice, "", ())


def moments_of_run(run: "Run", game: int) -> list[Moment]:
    """A game of a run, played again and told move by move.  Raises RunError."""
    manifest = run.manifest
    text = read_file(run.folder / ENTRIES) if manifest["kinds"] else b""
    seed, number = deal_of(manifest, game)
    log = GameLog(
        game=NAME,
        title=run.game.title,
        asked=manifest,
        files={ENTRIES: text.decode()},
        seed=seed,
        number=number,
        start_with=None,
        players=tuple(manifest["policies"]),
        weights={},
        person=(),
    )
    match = OwnMatch(log)
    return match.moments(match.as_played)


def _area(zone: Zone, seat: int | None) -> Area:
    """A zone as a seat sees it; all of it for None."""
    seen = [at for at in range(len(zone)) if seat is None or zone.sees(seat, at)]
    return Area(
        zone.name.replace("_", " "),
        [_piece(zone, at) for at in seen],
        face_down=len(zone) - len(seen),
        row=zone.declared.ordered,
    )


def _piece(zone: Zone, at: int) -> Piece:
    """The card at a place, with its fields and marks."""
    words = ", ".join(f"{name} {said_value(value)}" for name, value in entry_fields(zone[at]))
    marks = {mark: getattr(zone, mark)[at] for mark in zone.declared.marks}
    return Piece(zone[at].name, "", words, [f"{mark} {n}" for mark, n in marks.items() if n])


def _lines(scene: Scene, *, words: bool = False) -> Iterator[str]:
    """The table in lines."""
    for side in scene.sides:
        told = ", ".join(f"{name} {value}" for name, value in side.numbers)
        yield f"{side.name}{' (you)' if side.is_own else ''}{': ' if told else ''}{told}"
        for area in side.areas:
            pieces = []
            for piece in area.pieces:
                more = filter(None, (*piece.marks, piece.words if words else ""))
                pieces.append(" ".join([piece.title, *(f"({one})" for one in more)]))
            if area.face_down:
                pieces.append(f"{area.face_down} face down")
            yield f"  {area.name}: {', '.join(pieces) or 'empty'}"


def entry_fields(entry: Entry) -> Iterator[tuple[str, Any]]:
    """What an entry says besides its id and name."""
    for field in type(entry).__attrs_attrs__:
        if field.name not in ("id", "name"):
            yield field.name.replace("_", " "), getattr(entry, field.name)


def said_value(value: Any) -> str:
    """What a field or a number holds, as a person reads it."""
    if isinstance(value, Mapping):
        there = {getattr(key, "name", key): n for key, n in value.items() if n}
        return ", ".join(f"{key} {n}" for key, n in there.items()) or NOTHING
    if isinstance(value, list | tuple):
        return " ".join(map(said_value, value)) or NOTHING
    return str(value)
