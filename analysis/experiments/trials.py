"""Games of a setup, of changed ones and of other players, kept in the folder of a question.

Game i has the same luck in all of them.  Of a game what the question needs is kept, a few bytes; a
file for each trial, or for each block of its games, appears whole or not at all, so that what was
interrupted resumes with the next file.  Games that a change cannot touch are not played again.
"""

import pickle
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import Any, Generic, NamedTuple, TypeVar, Unpack

import numpy as np
from attrs import field, frozen

from simcore.arrays import Bools, Integers, Records
from simcore.random_streams import check_seed
from simcore.setup import Setup, new_task, read_task
from simcore.work.folder import FolderKind, begin
from simcore.work.hands import Who
from simcore.work.pieces import Piece, Workers
from simcore.work.progress import Meter, Progress
from simcore.work.tasks import Task

_S = TypeVar("_S", bound=Setup)

#: Gives for a setup, players and a dtype what makes rows of that dtype from records of games.
Keep = Callable[[Any, Sequence[str], np.dtype], Callable[[Records], Records]]

# Where the files of a task have what is kept of which games, and how.
_HOW = "how"
# Games that a worker plays in one go, of players who are slow, and those of the first batch.
_AT_ONCE, _AT_ONCE_SLOW, _FIRST_BATCH = 2000, 4, 64


class Spared(NamedTuple):
    """Games of the same numbers that were played, most of which go the same way here.

    ``results`` are what is kept of them; those ``touched`` may go differently; both (n_games,).
    """

    results: Records
    touched: Bools


@frozen
class Trial(Generic[_S]):
    """What is played in one go: a setup and players.

    ``name`` is that of its files, which no other trial of the folder has; ``kept`` is the dtype of
    what is kept of a game.  ``spared`` gives the games that need not be played, if any are to be.
    """

    setup: _S
    players: tuple[str, ...]
    name: str
    kept: np.dtype
    spared: Callable[[], Spared] | None = field(default=None, eq=False, repr=False)


class Trials:
    """Plays trials as far as the folder lacks them.

    Whoever has one holds its folder (`simcore.work.lock.holding`).  Raises RunError when the folder
    holds something else or cannot be written.
    """

    def __init__(
        self,
        kind: FolderKind,
        folder: Path,
        asked: Mapping[str, Any],
        files: Mapping[str, bytes],
        keep: Keep,
        *,
        seed: int,
        numbers: Callable[[], Integers] | None = None,
        block: int = 0,
        **who: Unpack[Who],
    ) -> None:
        """Begin in a folder or take it up again.

        Parameters
        ----------
        kind, asked, files
            What the folder says of itself, and the files that lie in it.
        keep
            A function at the top of a module, which other processes find there.
        numbers
            Gives the numbers of the games that are played, (n,); by default all from 0 on.
        block
            Games in one file, at most; 0 for all of a trial.
        who
            Who plays, as `simcore.work.pieces.Workers` takes them.
        """
        check_seed(seed)
        self._keep, self._seed, self._block = keep, seed, block
        self._chosen, self._who = numbers, who
        self._folder = begin(kind, folder, asked, files=files)

    @property
    def folder(self) -> Path:
        """Where the games are kept."""
        return self._folder.path

    @property
    def manifest(self) -> dict[str, Any]:
        """What was asked for, and with which versions."""
        return dict(self._folder.manifest)

    def identity(self) -> dict[str, str]:
        """What tables of these games carry."""
        return self._folder.identity("")

    @cached_property
    def numbers(self) -> Integers | None:
        """The number of each game that is played, (n,); None for all from 0 on."""
        return None if self._chosen is None else self._chosen()

    def play(
        self, wanted: Iterable[tuple[Trial[Any], range]], on_progress: Progress | None = None
    ) -> list[Records]:
        """Some games of each trial, (n_games,) of what it keeps.

        KeyboardInterrupt loses those that are being played, and no others.
        """
        return [*self.play_each(wanted, on_progress)]

    def play_each(
        self, wanted: Iterable[tuple[Trial[Any], range]], on_progress: Progress | None = None
    ) -> Generator[Records]:
        """The same one after the other, as soon as each is played."""
        wanted = [*wanted]
        names = [(trial.name, games) for trial, games in wanted]  # alike, they share their files
        meter = Meter(sum(len(games) for _, games in {*names}), on_progress)
        times, again = Counter(names), dict[Any, Records]()
        with Workers(meter, **self._who) as workers:
            distinct = dict(zip(names, wanted, strict=True))
            pieces = chain.from_iterable(self._pieces(*one) for one in distinct.values())
            blocks = workers.finish(pieces, lambda finished: finished.found)
            for name in names:
                made = again.get(name)
                if made is None:
                    made = np.concatenate([next(blocks) for _ in self._blocks(name[1])])
                if times[name] > 1:
                    again[name] = made
                yield made

    def _blocks(self, games: range) -> list[range]:
        """The games of each file."""
        step = self._block or max(len(games), 1)
        return [games[low : low + step] for low in range(0, max(len(games), 1), step)]

    def _pieces(self, trial: Trial[Any], games: range) -> Iterable[Piece]:
        at_once = _AT_ONCE_SLOW if trial.setup.is_slow(trial.players) else _AT_ONCE
        for rows in self._blocks(games):
            name = trial.name
            if self._block:
                name += f"-{rows.start:09}-{rows.stop:09}"
            yield Piece(
                partial(new_trial_task, trial, self._seed, self._keep, self.numbers),
                trial.kept,
                trial.setup.seats,
                rows,
                self._folder,
                f"games/{name}.parquet",
                name,
                at_once=at_once,
                first_batch=min(_FIRST_BATCH, at_once),
            )


def new_trial_task(
    trial: Trial[Any], seed: int, keep: Keep, numbers: Integers | None = None
) -> Task:
    """How games of a trial are played; the rest is as in `Trials`."""
    spared = None if trial.spared is None else trial.spared()
    how = trial.kept, keep, numbers, spared
    return new_task(
        f"{__name__}:rebuild",
        [trial.setup],
        trial.players,
        _Player(trial.setup, trial.players, seed, *how),
        more_files={_HOW: pickle.dumps(how)},
        seed=seed,
        policies=[*trial.players],
    )


class _Player:
    """Plays games of a trial: the `RowPlayer` of its task."""

    def __init__(
        self,
        setup: Setup,
        players: tuple[str, ...],
        seed: int,
        kept: np.dtype,
        keep: Keep,
        numbers: Integers | None,
        spared: Spared | None,
    ) -> None:
        self._setup, self._players, self._seed = setup, players, seed
        self._rows_of, self._numbers, self._spared = keep(setup, players, kept), numbers, spared

    @cached_property
    def _seated(self) -> Records:
        """The table with its players."""
        return self._setup.seat(self._players)

    @property
    def is_interpreted(self) -> bool:
        """Whether Python plays them, one thread at a time."""
        return self._setup.is_interpreted(self._seated, self._seed)

    def play(self, first: int, out: Records) -> None:
        """Fill ``out``, rows of what is kept, with games ``first`` and following."""
        rows = slice(first, first + len(out))
        touched = np.ones(len(out), np.bool_)
        if self._spared is not None:
            touched = self._spared.touched[rows]
            for name in out.dtype.names or ():
                out[name] = self._spared.results[name][rows]
        every = np.arange(rows.start, rows.stop) if self._numbers is None else self._numbers[rows]
        games = np.zeros(np.count_nonzero(touched), self._setup.record)
        self._setup.play(self._seated, self._seed, every[touched], games)
        out[touched] = self._rows_of(games)


def rebuild(settings: Mapping[str, Any], files: Mapping[str, bytes]) -> _Player:
    """The player of a task in another process.  Raises RunError as `read_task` does."""
    (setup,), players = read_task(settings, files)
    seated = tuple(players[one] for one in settings["policies"])
    return _Player(setup, seated, settings["seed"], *pickle.loads(files[_HOW]))
