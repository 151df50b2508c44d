"""A game as its author declares it: `Game`, with its rules, kinds of entries and settings."""

import hashlib
import inspect
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache, cached_property
from math import isfinite
from pathlib import Path
from typing import Any

from attrs import field, frozen

from card_data.faults import did_you_mean, unknown_word
from card_data.schema import EntryTable, Kind, Schema, load_entries
from card_data.schema.kinds import CONTRAST
from simcore.contract.faults import GameError, RuleError
from simcore.contract.rules import CHOSEN, DEALT, INCLUDED, Rules, Setup
from simcore.contract.state import Cards

#: What an outcome of 1 is in records of games without a range of scores: shares of a first place
#: among up to ten seats, and ranks of as many, are whole numbers of it.
UNIT = 5_040
#: Players that no game writes: every game has the first, one whose rules say how a seat stands the
#: second.
RANDOM, GREEDY = "random", "greedy"
#: And one that learns the game before it plays, and with a number of simulations behind it one that
#: searches: "search:100".
LEARNED = "learned"
SEARCH = "search"
MOST_SIMULATIONS = 1_000_000
#: Seats that a game may have.
MOST_SEATS = 10
# Words that no setting can be, since they stand beside settings.
_OF_SETUP = [name for name in vars(Setup) if not name.startswith("_")]
# Arguments of declarations that say how games are counted or told, and change none of them.
_MEANT = "Setting", "Whole", "Real", "Choice", "Flag", "Words", "Text", "Entries", "ListOf"
_TOLD = dict.fromkeys(_MEANT, ("meaning",)) | {"Game": ("title",), "Kind": ("measure", "meaning")}

#: A player: a game as its seat may imagine it, the seat, its options, luck; one of the options.
Player = Callable[[Rules, int, Sequence[Any], Any], Any]


@frozen
class Score:
    """An outcome that is the score itself: 0 for the worst, 1 for the best."""

    worst: float
    best: float


@frozen
class Setting:
    """Something of the rules that can be set: its name, what it can be, and what it usually is."""

    name: str
    field: Any
    default: Any
    meaning: str = ""


@frozen(kw_only=True)
class Game:
    """A game.

    Parameters
    ----------
    name
        A short name, as in the name of a file.
    title
        What people call it.
    version
        Goes up when the rules change: results of different versions are never mixed.
    rules
        The class of its rules.
    seats
        The numbers of seats that it can be played with, the usual one first.
    teams
        None, "together", or a function from the number of seats to lists of seats.
    outcome
        What players want, 0 to 1 for a seat: "highest", "rank" or a `Score`.
    kinds, settings
        The kinds of its entries, and what can be set.
    players
        Players of its own by name.
    observe
        Functions of a finished game, by the name of what they give: a whole number from 0 on, or
        whether something is so.
    entries
        The file of its entries, beside that of the rules.
    source
        Where it was loaded from, the name of an installed game or a file; not for authors to say.
    loaded
        The text that was run, whatever its file says by now; not for authors to say either.
    beside
        Sources of what it imports from its folder or package, by their places there; likewise.
    """

    name: str
    title: str
    version: int
    rules: type[Rules]
    seats: Sequence[int] = (2,)
    teams: Callable[[int], Sequence[Sequence[int]]] | str | None = None
    outcome: str | Score = "highest"
    kinds: Sequence[Kind] = ()
    settings: Sequence[Setting] = ()
    players: Mapping[str, Player] = field(factory=dict)
    observe: Mapping[str, Callable[[Any], int]] = field(factory=dict)
    entries: str = "cards.toml"
    source: str = ""
    loaded: str = field(default="", repr=False)
    beside: Mapping[str, bytes] = field(factory=dict, repr=False)

    def __attrs_post_init__(self) -> None:
        for problem in _problems(self):
            raise ValueError(problem)
        _ = self.schema  # raises where kinds do not fit together

    @property
    def file(self) -> Path:
        """The file of the rules."""
        return Path(sys.modules[self.rules.__module__].__file__ or "")

    @cached_property
    def text(self) -> str:
        """The text of that file."""
        return self.loaded or self.file.read_text(encoding="utf-8")

    @cached_property
    def digest(self) -> str:
        """A digest of what that text and what it imports play, whatever they say besides."""
        played = [_played(self.text), *map(_played, self.beside.values())]
        return hashlib.sha256("\n".join(played).encode()).hexdigest()[:16]

    @property
    def schema(self) -> Schema:
        """The form of its files of entries."""
        return Schema(tuple(self.kinds), game=self.name, title=self.title)

    @property
    def events(self) -> tuple[str, ...]:
        """What is counted of entries: `DEALT`, `CHOSEN`, `INCLUDED`, and words that rules note."""
        included = [INCLUDED] if self.contrasted else []
        return (DEALT, CHOSEN, *included, *_noted(self.text)) if self.kinds else ()

    @property
    def contrasted(self) -> Sequence[str]:
        """The kinds of which games with an entry can be set beside games without it.

        Those drawn by lot where all play together, and those of which the author says so.
        """
        alone = self.teams == "together" or [*self.seats] == [1]
        return [
            kind.word
            for kind in self.kinds
            if kind.by_lot
            and not kind.each_seat
            and (kind.measure == CONTRAST or (alone and not kind.measure))
        ]

    @property
    def unit(self) -> int:
        """What an outcome of 1 is in records, a whole number."""
        if isinstance(self.outcome, Score):
            width = self.outcome.best - self.outcome.worst
            if width == int(width) and 0 < width <= UNIT:
                return int(width)
        return UNIT

    @property
    def player_names(self) -> tuple[str, ...]:
        """Everybody who can play it: players of every game, and its own."""
        return (*self._given, *self.players)

    @property
    def _given(self) -> tuple[str, ...]:
        return (RANDOM, GREEDY) if hasattr(self.rules, "standing") else (RANDOM,)

    def load(self, own: Sequence[Path] = (), alone: Path | None = None) -> EntryTable:
        """The entries of its file with those of a person's ``own`` files, or of one file alone.

        Raises CardFileError.
        """
        if not self.kinds:
            return load_entries([], self.schema)
        path = alone or self.file.parent / self.entries
        if not path.exists():
            kind = next(iter(self.schema.kinds.values()))
            raise GameError(
                f"{path}: there is no such file, and the {kind.plural} of {self.title} are to be in"
                f" it: write them there, each below a header such as {kind.header}, or say"
                ' entries="another.toml" in Game(…)'
            )
        return load_entries([path], self.schema, own=own)

    def set(self, words: Sequence[str]) -> dict[str, Any]:
        """The settings, with those of ``NAME=VALUE``.  Raises ValueError."""
        fields = {one.name: one.field for one in self.settings}
        found = {one.name: one.default for one in self.settings}
        for word in words:
            name, _, text = word.partition("=")
            if name not in fields:
                meant = did_you_mean(name, fields)
                there = f" There are: {', '.join(fields)}." if fields else " There are none."
                raise ValueError(f"{self.title} has no setting {name!r}{meant}{there}")
            try:
                found[name] = fields[name].typed(text)
            except ValueError:
                wanted = fields[name].wanted
                raise ValueError(f"{name} is {text!r}; it must be {wanted}") from None
        return found

    def outcomes(self, scores: Any, seats: int) -> list[int]:
        """The outcome of each seat in `unit`, from the scores of the rules.  Raises RuleError."""
        found = list(scores) if isinstance(scores, list | tuple) else None
        where = self.rules.scores
        if found is None or len(found) != seats:
            raise RuleError(f"scores gave {scores!r}: it needs {seats} numbers, one a seat", where)
        if not all(isinstance(one, int | float) and isfinite(one) for one in found):
            raise RuleError(f"scores gave {scores!r}: every score must be a finite number", where)
        teams = self.teams_of(seats)
        results = [sum(found[seat] for seat in team) / len(team) for team in teams]
        by_seat = [0] * seats
        for team, result in zip(teams, self._of_teams(results, where), strict=True):
            for seat in team:
                by_seat[seat] = result
        return by_seat

    def teams_of(self, seats: int) -> Sequence[Sequence[int]]:
        """The seats of each team; without teams each seat by itself."""
        if self.teams == "together":
            return [[*range(seats)]]
        return self.teams(seats) if callable(self.teams) else [[seat] for seat in range(seats)]

    def lead(self, stands: Sequence[float], seat: int) -> float:
        """How far the team of a seat is ahead of the others, where all seats stand like this."""
        [mine] = [team for team in self.teams_of(len(stands)) if seat in team]
        others = [one for other, one in enumerate(stands) if other not in mine]
        ahead = sum(stands[one] for one in mine) / len(mine)
        ahead -= sum(others) / len(others) if others else 0
        low_wins = isinstance(self.outcome, Score) and self.outcome.best < self.outcome.worst
        return -ahead if low_wins else ahead

    def _of_teams(self, results: list[float], where: Any) -> list[int]:
        if isinstance(self.outcome, Score):
            worst, best = self.outcome.worst, self.outcome.best
            for one in results:
                if not min(worst, best) <= one <= max(worst, best):
                    raise RuleError(f"scores gave {one}: outcome says {worst} to {best}", where)
            return [round(self.unit * (one - worst) / (best - worst)) for one in results]
        if self.outcome == "highest":
            first = results.count(max(results))
            return [self.unit // first if one == max(results) else 0 for one in results]
        beaten = [2 * sum(one > other for other in results) for one in results]
        level = [results.count(one) - 1 for one in results]
        most = 2 * max(len(results) - 1, 1)
        return [self.unit * (a + b) // most for a, b in zip(beaten, level, strict=True)]


def _problems(game: Any) -> Iterator[str]:
    """What is wrong with the declaration of a game, whose author may have written anything."""
    if not game.name.isidentifier():
        yield f"the name of a game is a word such as my_game, not {game.name!r}"
    if not (isinstance(game.rules, type) and issubclass(game.rules, Rules)):
        yield "rules is the class with the rules: class MyRules(Rules)"
    if type(game.version) is not int or game.version < 1:
        yield f"version is {game.version!r}: a whole number from 1 on"
    if not _is_list_of(int, game.seats) or not all(1 <= n <= MOST_SEATS for n in game.seats):
        yield f"seats is {game.seats!r}: a list of numbers from 1 to {MOST_SEATS}"
    if game.outcome not in ("highest", "rank") and not isinstance(game.outcome, Score):
        yield f"outcome is {game.outcome!r}: 'highest', 'rank', Score(worst, best)"
    yield from _problems_of_teams(game)
    yield from _problems_of_zones(game)
    for name, kind in (("kinds", Kind), ("settings", Setting)):
        if not _is_list_of(kind, getattr(game, name), least=0):
            yield f"{name} is a list, of {kind.__name__}(…)"
    for one in game.kinds:
        if one.measure == CONTRAST and not isinstance(game.outcome, Score):
            yield (
                f"kind '{one.word}': measure '{CONTRAST}' compares the outcome of all seats, which"
                f" is always the same with outcome '{game.outcome}': it needs Score(worst, best)"
            )
    yield from _problems_of_settings(game)
    if not isinstance(game.players, Mapping) or not all(map(callable, game.players.values())):
        yield 'players gives functions by their names: {"wise": wise}'
    if not isinstance(game.observe, Mapping) or not all(
        isinstance(name, str) and name.isidentifier() and callable(one)
        for name, one in game.observe.items()
    ):
        yield 'observe gives functions of a finished game by names: {"turns": turns}'


def _problems_of_settings(game: Game) -> Iterator[str]:
    names = [one.name for one in game.settings]
    for one in game.settings:
        if not one.field.holds(one.default):
            yield f"setting {one.name}: {one.default!r} is not {one.field.wanted}"
        if not one.name.isidentifier() or one.name.startswith("_") or one.name in _OF_SETUP:
            yield (
                f"setting {one.name!r}: its name is a word such as rows, and none of"
                f" {', '.join(_OF_SETUP)}"
            )
        elif names.count(one.name) > 1:
            yield f"there are several settings called {one.name}"


def _is_span(outcome: Score) -> bool:
    """Whether both ends are known numbers, and differ."""
    ends = outcome.worst, outcome.best
    known = all(isinstance(end, int | float) and isfinite(end) for end in ends)
    return known and outcome.worst != outcome.best


def _problems_of_teams(game: Game) -> Iterator[str]:
    if isinstance(game.outcome, Score) and not _is_span(game.outcome):
        yield f"outcome is {game.outcome!r}: it takes two numbers, of which one is better"
    if game.teams == "together" and not isinstance(game.outcome, Score):
        yield "seats that play together have an outcome Score(worst, best)"
    if not (game.teams in (None, "together") or callable(game.teams)):
        yield (
            f"teams is {game.teams!r}: 'together', or a function from the number of seats to lists"
            " of seats"
        )
    for number in game.seats:
        teams = game.teams_of(number)
        if sorted(seat for team in teams for seat in team) != [*range(number)]:
            yield f"teams({number}) is {teams!r}: it must have each seat once"


def _problems_of_zones(game: Game) -> Iterator[str]:
    kinds = [one.word for one in game.kinds if isinstance(one, Kind)]
    for name, zone in game.rules._declared.items():
        for word in zone.of if isinstance(zone, Cards) else ():
            if word not in kinds:
                yield f"zone {name}: of: {unknown_word('kind', word, kinds)}"


def _is_list_of(kind: type, things: Any, least: int = 1) -> bool:
    """Whether these are some things of a kind, one after the other."""
    there = isinstance(things, list | tuple | range) and len(things) >= least
    return there and all(isinstance(one, kind) and type(one) is not bool for one in things)


@cache
def _noted(text: str) -> tuple[str, ...]:
    """The words of ``self.note("word", …)`` in a source, each once, in their order.

    Kept, since threads ask for them, in which Python 3.11 cannot parse at the same time.
    """
    import ast

    found = [
        (node.lineno, word.value)
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and node.func.attr == "note"
        for word in [*node.args[:1], *(one.value for one in node.keywords if one.arg == "what")]
        if isinstance(word, ast.Constant) and isinstance(word.value, str)
    ]
    ours = DEALT, CHOSEN, INCLUDED
    return (*dict.fromkeys(word for _, word in sorted(found) if word not in ours),)


def _played(text: str | bytes) -> str:
    """The part of a source that decides how games go: its statements, without layout or comments.

    Docstrings are left out, and the arguments of declarations that `_TOLD` names.
    """
    import ast

    tree = ast.parse(text)
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = getattr(node.func, "attr", getattr(node.func, "id", ""))
            told = _TOLD.get(called, ())
            node.keywords = [one for one in node.keywords if one.arg not in told]
        elif isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            del node.body[: ast.get_docstring(node) is not None]
    return ast.dump(tree)


def simulations_of(player: str) -> int:
    """The N of ``search:N``, 0 for other players.  Raises ValueError."""
    name, _, number = player.partition(":")
    if name != SEARCH:
        return 0
    if number.isascii() and number.isdecimal() and 1 <= int(number[:8]) <= MOST_SIMULATIONS:
        return int(number[:8])
    raise ValueError(
        f"{player!r} needs a number of simulations from 1 to {MOST_SIMULATIONS:,}, as in search:100"
    )


def check_game(game: Any, where: str) -> Game:
    """The game that a module has.  Raises GameError."""
    if not isinstance(game, Game):
        raise GameError(f"{where}: GAME is {type(game).__name__}; write GAME = Game(…)")
    for name, player in game.players.items():
        if name in (*game._given, LEARNED, SEARCH):
            raise GameError(f"{where}: the player {name} is there already: give yours another name")
        wanted = len(inspect.signature(player).parameters)
        if wanted != 4:
            raise GameError(
                f"{where}: the player {name} takes {wanted} arguments; it is given four: game,"
                " seat, options, rng"
            )
    return game
