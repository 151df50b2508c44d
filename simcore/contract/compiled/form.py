"""A game in its compiled form: loaded from its rewritten text, played, and compared."""

import copy
import hashlib
import sys
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

import numpy as np
from attrs import frozen

from card_data.cache import cache_folder, make_folder, tell_once
from card_data.schema import Entry
from simcore.contract.compiled.floor import MOST_NUMBER, THING_BITS, WORD_BITS
from simcore.contract.compiled.kinds import Problem
from simcore.contract.compiled.layout import Unfit
from simcore.contract.compiled.program import Program
from simcore.contract.faults import GameError
from simcore.contract.game import GREEDY, RANDOM, SEARCH, simulations_of
from simcore.contract.loops import LoopWatch
from simcore.contract.network import Network, Samples, is_learned, network_of
from simcore.contract.play import Play, Table
from simcore.contract.rules import Option
from simcore.jit import for_types_of
from simcore.jit.cache import KEPT_OWN_RULES, OWN_RULES
from simcore.places import written_aside
from simcore.sealed import write_aside

# Where the rewritten texts are, in the cache folder.
_TEXTS = "rules"
# The players that the compiled form has, beside those that search.
_PLAYERS = RANDOM, GREEDY
# The number of the one that has learned.
_LEARNED = -1
_PLAYED_PLAINLY = "{} is played by its rules as they are, which is slower: {}"
# Games that are compared before the first that only the compiled form plays; and where its kernel
# has played those of another table alike, such as one with a changed card.
_COMPARED, _COMPARED_AGAIN = 30, 3
# The player that is compared in place of those that search longer, and in how many games.
_SEARCHING, _COMPARED_SEARCHING = f"{SEARCH}:16", 4
#: Playouts of a game that is judged: behind the option that is taken, behind each other one at
#: most, and behind all together; the parts in which they are told; and room for options.
TAKEN, EACH, ALL = 512, 64, 1_024
_PARTS, _ROOM = 8, 256
# The kernels, and their players, that have been compared.
_alike = set[tuple[str, ...]]()


class NotCompiled(Exception):
    """A game has no compiled form: what keeps it from that."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("; ".join(map(str, problems)))
        self.problems = problems


@frozen
class Games:
    """Games that were played: what the records of a run have of them."""

    numbers: np.ndarray  # decisions, and the seat of the first
    deals: np.ndarray
    outcomes: np.ndarray
    points: np.ndarray
    entries: np.ndarray
    observed: np.ndarray


@frozen
class Position:
    """A game before a decision: its state by name, the seat that chooses, and its options.

    ``imagined`` is the state of a game that the seat may take it for, None if no player asks.
    """

    state: dict[str, Any]
    imagined: dict[str, Any] | None
    seat: int
    options: list[Option]


class Judged(NamedTuple):
    """A decision between several options, with what each side wins behind each of them.

    ``at`` counts decisions from 0, ``taken`` is the place of the option that was chosen, and
    ``won`` the share of some playouts, part by part, (n_parts, n_options, n_sides).
    """

    at: int
    seat: int
    options: Sequence[Option]
    taken: int
    won: np.ndarray


class Stopped(Exception):
    """The compiled form has come upon something for which the rules would raise, in this game."""

    def __init__(self, number: int) -> None:
        super().__init__(f"game {number}")
        self.number = number


class Form:
    """The compiled form of the game of a table, for players by seat: none that a game brings.

    It can be one that ``judges`` games.  Raises NotCompiled where there is none.
    """

    def __init__(self, table: Table, players: Sequence[str], *, judges: bool = False) -> None:
        self.table, self.players = table, players
        self.program = program_of(table, players, judges=judges)
        self._network = table.network or _network_of(players, self.program)
        layout = self.program.layout
        self._played, self._state, self._options = layout.played(), layout.state, layout.options
        try:
            kernels = _loaded(table.game.name, self.program.text)
            self._play = for_types_of(kernels["play"], *self._arguments(0, 0, 0, -1))
            if judges:
                self._judge = for_types_of(kernels["judge"], *self._about_judging(0, 0, (), 0, 1))
        except Exception as error:
            problem = _unexpected("compiled", error)
            tell_once(_PLAYED_PLAINLY.format(table.game.title, problem))
            raise NotCompiled([problem]) from error

    def playing(self, players: Sequence[str]) -> "Form":
        """The same for other players, none of whom asks more of the rules."""
        found = copy.copy(self)
        found.players = players
        return found

    def knowing(self, table: Table, players: Sequence[str]) -> "Form":
        """The same for players of a table that is alike but for what was learned."""
        found = self.playing(players)
        found.table, found._network = table, table.network or self._network
        return found

    def play(self, seed: int, first: int, n: int) -> Games:
        """Games ``first`` and following.  Raises Stopped."""
        return Games(*self._run(seed, first, n, -1)[11:17])

    def samples(self, seed: int, first: int, n: int) -> Samples:
        """What seats saw after their decisions in some games.  Raises Stopped."""
        games = self.play(seed, first, n)
        most = int(games.numbers[:, 0].sum())
        given = self._run(seed, first, n, -1, most)
        kept, outcomes, seen, whose = int(given[10][2]), *given[13:14], *given[17:]
        return Samples(seen[:kept], whose[:kept], outcomes / self.table.game.unit)

    def judged(
        self, seed: int, number: int, taken: Sequence[int] = ()
    ) -> tuple[list[Judged], list[int], int]:
        """A game, judged: its decisions between options, its outcomes, how many decisions it had.

        The first options are ``taken`` that are given.  Raises Stopped.
        """
        room = _ROOM
        while True:
            given = self._about_judging(seed, number, taken, room, _PARTS)
            self._called(self._judge, given, number)
            told, won, (rows, n), outcomes = given[-4:]
            if rows >= 0:
                break
            room *= 4
        found = []
        starts = np.flatnonzero(np.diff(told[:rows, 0], prepend=-1))
        for first, end in pairwise([*starts, rows]):
            options = [self._option(int(code)) for code in told[first:end, 2]]
            at, seat = map(int, told[first, :2])
            behind = np.moveaxis(won[first:end], 0, 1)
            found.append(Judged(at, seat, options, int(told[first:end, 3].argmax()), behind))
        return found, outcomes[: self.table.seats].tolist(), int(n)

    def _about_judging(
        self, seed: int, number: int, taken: Sequence[int], room: int, parts: int
    ) -> tuple[Any, ...]:
        """What the kernel is given that judges."""
        sides = max(len(self.table.game.teams_of(self.table.seats)), 2)
        return (
            *self._arguments(seed, number, 0, -1)[:8],
            np.array(taken, np.int64),
            np.array([TAKEN, EACH]),
            ALL,
            np.zeros((room, 4), np.int64),
            np.zeros((room, parts, sides)),
            np.zeros(2, np.int64),
            np.zeros(self.program.layout.seats, np.int64),
        )

    def position(self, seed: int, number: int, decision: int) -> Position | None:
        """A game before a decision, None if it is over.  Raises Stopped."""
        given = self._run(seed, number, 1, decision)
        (state, other, *_), options, seat = given[0], given[2][0], int(given[10][1])
        if seat < 0:
            return None
        codes = options["options"][: options["n"]]
        looks = self.program.layout.as_it_stands
        imagined = looks(other) if self.program.imagines else None
        return Position(looks(state), imagined, seat, [self._option(int(one)) for one in codes])

    def _arguments(
        self, seed: int, first: int, n: int, stop: int, most: int = 0
    ) -> tuple[Any, ...]:
        """What the kernel is given: records, what is to be played, room for what comes of it."""
        network = self._network
        table, seats = self.table, self.program.layout.seats
        shape = table.seats, max(len(table.game.events), 2), len(table.cards)
        return (
            np.zeros(4, self._state),
            self._played,
            np.zeros(2, self._options),
            np.zeros(shape, np.int64),
            np.array([_number_of(player) for player in self.players]),
            network.kernel_form,
            *(seed, first, n, stop),
            np.array([first, -1, 0]),
            np.zeros((n, 2), np.int64),
            np.zeros(n, np.uint64),
            np.zeros((n, seats), np.int64),
            np.zeros((n, seats)),
            np.zeros((n, *shape), np.uint16),
            np.zeros((n, len(table.game.observe)), np.int64),
            np.zeros((most, len(network.mean))),
            np.zeros((most, 2), np.int64),
        )

    def _run(self, seed: int, first: int, n: int, stop: int, most: int = 0) -> tuple[Any, ...]:
        """Let the kernel play; what it was given, of which it has made something else."""
        given = self._arguments(seed, first, n, stop, most)
        self._called(self._play, given)
        return given

    def _called(self, kernel: Callable[..., None], given: Sequence[Any], number: int = -1) -> None:
        """Call a kernel, of a game or of those that it counts.  Raises Stopped."""
        try:
            kernel(*given)
        except (
            ArithmeticError,
            AttributeError,
            LookupError,
            MemoryError,
            RuntimeError,
            TypeError,
            ValueError,
        ):
            raise Stopped(number if number >= 0 else int(given[10][0])) from None

    def _option(self, code: int) -> Option:
        """An option as the rules offer it."""
        word, (_, kinds) = [*self.program.options.items()][code & (1 << WORD_BITS) - 1]
        layout = self.program.layout
        entries = {layout.number_of(entry): entry for entry in self.table.cards}
        words = [*layout.words]
        things = []
        for place, kind in enumerate(kinds):
            number = code >> WORD_BITS + THING_BITS * place & MOST_NUMBER
            of: Any = {"entry": entries.get, "word": words.__getitem__}
            things.append(of.get(kind.what, int)(number))
        return (word, *things) if things else word


def _network_of(players: Sequence[str], program: Program) -> Network:
    """What the player goes by who has learned; nothing where nobody has.  Raises NotCompiled."""
    try:
        found = network_of(players)
    except GameError as error:
        raise NotCompiled([Problem(str(error))]) from error
    if found is None:
        return Network.ignorant(program.sight.width if any(map(is_learned, players)) else 0)
    if len(found.mean) != program.sight.width:
        raise NotCompiled([Problem("what was learned is of another game")])
    return found


def _number_of(player: str) -> int:
    """The number of a player for the kernel; those that search come behind the others."""
    if is_learned(player):
        return _LEARNED
    return simulations_of(player) + 1 if simulations_of(player) else _PLAYERS.index(player)


def program_of(table: Table, players: Collection[str] = (), *, judges: bool = False) -> Program:
    """The rewritten rules of a table, with what some players ask.  Raises NotCompiled."""
    try:
        found = Program(table, players, judges=judges)
        problems = found.problems
        found.layout.played()
    except Unfit as error:
        problems = [Problem(str(error))]
    except Exception as error:  # noqa: BLE001 - whatever somebody may have written
        problems = [_unexpected("rewritten", error)]
    if problems:
        raise NotCompiled(problems)
    return found


def _unexpected(what: str, error: Exception) -> Problem:
    why = f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}"
    return Problem(f"its rules cannot be {what} ({why})")


def form_of(
    table: Table, players: Sequence[str], seed: int, *, judges: bool = False
) -> Form | None:
    """The compiled form of a table, None where it has none or plays otherwise, which is told."""
    try:
        form = Form(table, players, judges=judges)
    except NotCompiled:
        return None
    kernel = form.program.text, *players
    with LoopWatch():
        n_games = _COMPARED_AGAIN if kernel in _alike else _COMPARED
        different = next(_compared(form, seed, n_games), "")
    if different:
        tell_difference(table, different)
        return None
    _alike.add(kernel)
    return form


def _compared(form: Form, seed: int, n_games: int) -> Iterator[str]:
    """Where games go otherwise: with random players for those that search, then a few with these.

    The rules as they are search slowly, and the compiled form plays up to each decision anew.
    """
    yield from differences(
        form.playing(_without_search(form.players, RANDOM)), seed, range(n_games)
    )
    if any(map(simulations_of, form.players)):
        searching = form.playing(_without_search(form.players, _SEARCHING))
        yield from differences(searching, seed, range(min(n_games, _COMPARED_SEARCHING)))


def _without_search(players: Sequence[str], other: str) -> list[str]:
    """Players, with another in place of each that searches."""
    return [other if simulations_of(one) else one for one in players]


def tell_difference(table: Table, where: object) -> None:
    """Tell that both forms of a game differ."""
    tell_once(_PLAYED_PLAINLY.format(table.game.title, f"compiled it differs ({where})"))


def _age(path: Path) -> float:
    """When a file was written, the newest first; one that another process has removed is last."""
    try:
        return -path.stat().st_mtime
    except FileNotFoundError:
        return 0.0


@cache
def _loaded(name: str, text: str) -> Mapping[str, Any]:
    """The kernels of a rewritten text, by name.  Raises OSError, NotCompiled.

    The text lies in a file, whose content is a part of the name of what is kept of its kernel.
    """
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    path = cache_folder() / _TEXTS / f"{name}_{digest}.py"
    make_folder(path.parent)
    with written_aside(path) as aside:  # others may read and write meanwhile
        write_aside(aside, text.encode())
    for old in sorted(path.parent.glob("*.py"), key=_age)[KEPT_OWN_RULES:]:
        old.unlink(missing_ok=True)
    module = ModuleType(f"{OWN_RULES}{name}")
    sys.modules[module.__name__] = module
    exec(compile(text, str(path), "exec"), module.__dict__)
    return module.__dict__


def differences(form: Form, seed: int, numbers: Sequence[int]) -> Iterator[str]:
    """Where games go otherwise than by the rules themselves, decision by decision."""
    for number in numbers:
        yield from _differences(form, seed, number)


def _differences(form: Form, seed: int, number: int) -> Iterator[str]:
    play = None
    where = f"game {number} of seed {seed}"
    try:
        play = Play(form.table, seed, number)
        while not play.over:
            where = f"game {number} of seed {seed}, turn {play.decisions + 1}"
            there = form.position(seed, number, play.decisions)
            layout = form.program.layout.of(play.table)
            state = layout.as_interpreted(play.rules)
            if there is None:
                yield f"{where}: the compiled game is over"
                return
            names = [one for one in state if state[one] != there.state[one]]
            if there.imagined and not names:
                with play.telling():
                    state = layout.as_interpreted(play.imagined())
                different = (one for one in state if state[one] != there.imagined[one])
                names = [f"{one} (as imagined)" for one in different]
            same_options = [*map(_by_ids, there.options)] == [*map(_by_ids, play.options)]
            if names or there.seat != play.seat or not same_options:
                what = ", ".join(names) or "the options"
                yield f"{where}: {what} are others when compiled"
                return
            play.choose(play.think(form.players[play.seat]))
    except GameError:
        try:
            form.play(seed, number, 1)
        except Stopped:
            return
        yield f"{where}: the rules raise, and not when compiled"
        return
    except Stopped:
        yield f"{where}: it goes on by the rules, and not when compiled"
        return
    yield from _results(form, play, where)


def _by_ids(option: Option) -> Option:
    """An option with ids in place of entries, whose values a swap may change."""
    things = (option,) if isinstance(option, str) else option
    return tuple(one.id if isinstance(one, Entry) else one for one in things)


def _results(form: Form, play: Play, where: str) -> Iterator[str]:
    """What of a finished game is otherwise."""
    games, seats = form.play(play.seed, play.number, 1), form.table.seats
    counts = np.zeros(games.entries.shape[1:], np.uint16)
    events = form.table.game.events
    for event, seat, entry, n in play.counts():
        counts[seat, events.index(event), play.table.places[entry]] = n
    pairs: dict[str, tuple[Any, Any]] = {
        "decisions": (games.numbers[0].tolist(), [play.decisions, play.first]),
        "deal": (int(games.deals[0]), play.deal),
        "outcomes": (games.outcomes[0, :seats].tolist(), play.outcomes),
        "scores": (games.points[0, :seats].tolist(), play.points),
        "counts of entries": (games.entries[0].tolist(), counts.tolist()),
        "what is observed": (games.observed[0].tolist(), [*play.observed.values()]),
    }
    for what, (compiled, played) in pairs.items():
        if compiled != played:
            yield f"{where}: {what} are others when compiled"
            return
