"""What games are played with, and who plays, here and in the processes that are sent tasks.

Each game has its kind of `Setup`: its data and settings, with what any question asks to play them.
"""

import hashlib
import pickle
import re
import tempfile
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, lru_cache
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from simcore.arrays import Integers, Records
from simcore.own_code import is_own
from simcore.sealed import RunError, read_file, write_file
from simcore.work.folder import difference
from simcore.work.tasks import RowPlayer, Task

# Where the files of a task have its setups, and what players think with, by their places.
_SETUPS, _PLAYERS = "setups/", "players/"
# Setups that a process keeps compiled for the tasks that it is sent.
_KEPT = 8

_BRINGING = threading.Lock()


class Player(Protocol):
    """A player, as a game reads its spelling."""

    @property
    def is_slow(self) -> bool:
        """Whether a single game may take long."""


class Players(Protocol):
    """What a game knows of its players, by how they are spelled: a module of the game."""

    def parse_player(self, text: str, /) -> Player:
        """The player that a text spells.  Raises ValueError."""

    def seat(self, table: Any, players: Any, /) -> Records:
        """The rows of a compiled table with its players.  Raises ValueError."""

    def fingerprints(self, players: Iterable[str], /) -> dict[str, str]:
        """A digest of what each player thinks with who thinks with something."""

    def file_of(self, text: str, /) -> Path | None:
        """The file that a player thinks with, None for what comes with fairdeal."""

    def with_file(self, text: str, name: str, /) -> str:
        """The same player, who thinks with another file."""


def spelled_players(text: str) -> list[str]:
    """The players in ``A`` or ``A:B``, as text.

    A number after a colon belongs to its player, a name behind ``.py:`` to its file.  Raises
    TypeError for anything but text.
    """
    if not isinstance(text, str):
        raise TypeError(f"players are text, as in 'greedy' or 'greedy:random', and not {text!r}")
    players: list[str] = []
    for part in text.split(":"):
        if players and (re.match(r"\d", part) or players[-1].endswith(".py")):
            players[-1] += f":{part}"
        else:
            players.append(part)
    return players


def spelled_share(text: str | None, whole: str, what: str) -> float:
    """A share of decisions that a player takes otherwise, 0 where none is said.

    ``whole`` and ``what`` say for a message how the player is spelled, and what it is a share of.
    Raises ValueError.
    """
    if text is None:
        return 0.0
    try:
        share = float(text)
    except ValueError:
        share = -1.0
    if not 0.0 <= share <= 1.0:
        raise ValueError(f"{whole!r}: {what} is {text!r}; it must be 0 to 1")
    return share


class Setup(ABC):
    """The data and settings that games are played with.

    Tasks carry it as it is in memory, since a change may make what no file could hold.
    """

    @property
    @abstractmethod
    def rules_version(self) -> int:
        """The version of the rules."""

    @property
    @abstractmethod
    def record(self) -> np.dtype:
        """The dtype of a game."""

    @property
    @abstractmethod
    def seats(self) -> int:
        """The number of its columns by seat."""

    @property
    @abstractmethod
    def players(self) -> Players:
        """What knows the game's players."""

    @property
    @abstractmethod
    def digests(self) -> dict[str, Any]:
        """What tells this setup from any other: values of JSON."""

    @property
    @abstractmethod
    def table(self) -> Any:
        """The data and settings, compiled.  Raises what they raise that cannot be played."""

    @abstractmethod
    def play(self, seated: Records, seed: int, games: Integers, out: Records) -> None:
        """Fill ``out``, (n,) of ``record``, with the games of these numbers, (n,)."""

    def is_interpreted(self, seated: Records, seed: int) -> bool:  # noqa: ARG002
        """Whether Python plays them, one thread at a time."""
        return False

    def seat(self, players: Sequence[str]) -> Records:
        """The table with its players, for `play`.  Raises ValueError."""
        return self.players.seat(self.table, tuple(players))

    def is_slow(self, players: Iterable[str]) -> bool:
        """Whether a single game of these players may take long."""
        return any(self.players.parse_player(player).is_slow for player in players)


class Games:
    """Plays games of a setup: the `RowPlayer` of a run's task."""

    def __init__(self, setup: Setup, seed: int, players: Sequence[str]) -> None:
        self.setup, self.seed, self.players = setup, seed, tuple(players)

    @cached_property
    def seated(self) -> Records:
        """The table with its players.  Made late: it compiles what they think with."""
        return self.setup.seat(self.players)

    @property
    def is_interpreted(self) -> bool:
        """Whether Python plays them, one thread at a time."""
        return self.setup.is_interpreted(self.seated, self.seed)

    def play(self, first: int, out: Records) -> None:
        """Fill ``out``, (n_games,) of records, with games ``first`` and following."""
        self.setup.play(self.seated, self.seed, np.arange(first, first + len(out)), out)


def consecutive(numbers: Integers) -> Iterator[tuple[int, slice]]:
    """Which numbers follow each other: the first of them, and their places; of none, 0 and none."""
    breaks = np.flatnonzero(np.diff(numbers) != 1) + 1
    for low, high in zip([0, *breaks], [*breaks, len(numbers)], strict=True):
        yield (int(numbers[low]) if low < high else 0), slice(low, high)


def rebuild(settings: Mapping[str, Any], files: Mapping[str, bytes]) -> Games:
    """The player of a run's task in another process.  Raises RunError as `read_task` does."""
    (setup,), players = read_task(settings, files)
    return Games(setup, settings["seed"], [players[one] for one in settings["policies"]])


def new_task(
    entry: str,
    setups: Sequence[Setup],
    players: Iterable[str],
    built: RowPlayer,
    *,
    more_files: Mapping[str, bytes] | None = None,
    **settings: Any,
) -> Task:
    """A task about setups of a game and players, which `read_task` reads where it is played.

    ``built`` is the player of this process, ``settings`` and ``more_files`` what else others need
    to build theirs.
    """
    players, game = [*players], setups[0]
    settings |= {"players": players} | _same_here(setups, game.players.fingerprints(players))
    files = {f"{_SETUPS}{number}": pickle.dumps(one) for number, one in enumerate(setups)}
    for number, player in enumerate(settings["weights"]):
        if file := game.players.file_of(player):
            files[f"{_PLAYERS}{number}{file.suffix}"] = read_file(file)
    return Task(entry, settings, {**files, **(more_files or {})}, built)


def read_task(
    settings: Mapping[str, Any], files: Mapping[str, bytes]
) -> tuple[list[Any], dict[str, str]]:
    """The setups of a task, of its game's kind, and how its players are spelled in this process.

    That differs for those who think with a file: the task has brought it along.  Raises RunError
    when this process would play something else than the one that sent the task: other rules,
    another reading of the data, other weights in a player's file; and for a function of a person's
    own, which is run where they named it alone.
    """
    check_travels(settings["players"])
    setups: list[Any] = [_setup(data) for name, data in files.items() if name.startswith(_SETUPS)]
    game, players = setups[0], {player: player for player in settings["players"]}
    for name, data in files.items():
        if name.startswith(_PLAYERS):
            file = Path(name)
            player = [*settings["weights"]][int(file.stem)]
            players[player] = game.players.with_file(player, str(brought(data, file.suffix)))
    found = game.players.fingerprints(players.values())
    weights = {one: found[name] for one, name in players.items() if name in found}
    check_same(settings, _same_here(setups, weights))
    return setups, players


def check_same(asked: Mapping[str, Any], here: Mapping[str, Any]) -> None:
    """Raise RunError where something is other than what was asked for."""
    if told := difference({name: asked[name] for name in here}, here):
        raise RunError(
            f"this process would play another game than was asked for ({told}); use the same"
            " fairdeal and the same files everywhere"
        )


def _same_here(setups: Sequence[Setup], weights: Mapping[str, str]) -> dict[str, Any]:
    """What must be the same in the process that asks and in the one that plays."""
    return {
        "rules_version": setups[0].rules_version,
        "setups": [one.digests for one in setups],
        "weights": dict(weights),
    }


@lru_cache(_KEPT)
def _setup(pickled: bytes) -> Setup:
    """The setup of a task; what it has compiled stays with it."""
    found: Setup = pickle.loads(pickled)
    return found


def check_travels(players: Iterable[str]) -> None:
    """Raise RunError for a player of a task who is a function of a person's own.

    It is run where they named it alone.
    """
    if own := next(filter(is_own, players), ""):
        raise RunError(
            f"{own} is a function of your own, which plays in threads of the command alone; leave"
            " --workers and --scheduler out"
        )


def brought(data: bytes, suffix: str) -> Path:
    """A file of this process with some contents, named after these.  Raises RunError."""
    with _BRINGING:
        file = Path(_folder().name, hashlib.sha256(data).hexdigest()[:16] + suffix)
        if not file.exists():
            write_file(file, data)
    return file


@cache
def _folder() -> "tempfile.TemporaryDirectory[str]":
    """The folder of what tasks have brought along; it goes when the process ends."""
    return tempfile.TemporaryDirectory(prefix="fairdeal-players-")
