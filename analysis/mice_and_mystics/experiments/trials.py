"""Games of a chapter, of its variants and of different players, kept in the folder of a question.

Game i meets the same party, decks and dice in all of them, as long as the games stay alike.  Of a
game its result is kept, a few bytes; a file for each trial and block of games appears whole or not
at all, so that what was interrupted resumes with the next file.
"""

import hashlib
import json
from collections.abc import Generator, Iterable, Mapping
from concurrent.futures import Executor
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from attrs import field, frozen

from analysis.mice_and_mystics.run_facts import RunFacts
from analysis.mice_and_mystics.tallies import scores
from card_data.mice_and_mystics.facts import Facts
from card_data.mice_and_mystics.fingerprint import facts_hash
from card_data.mice_and_mystics.formatter import facts_text
from card_data.mice_and_mystics.settings import Settings
from simcore.mice_and_mystics import RULES_VERSION
from simcore.mice_and_mystics.play.run import (
    FACTS_FILE,
    SEATS,
    read_task,
    run_entries,
    task_entries,
)
from simcore.mice_and_mystics.play.run import SETTINGS as RUN_SETTINGS
from simcore.mice_and_mystics.play.simulate import play_rows, with_replays
from simcore.mice_and_mystics.players.seats import fingerprints, parse_player, seat, split_players
from simcore.mice_and_mystics.table.compile_facts import compile_facts
from simcore.mice_and_mystics.table.records import GAME_RECORD, Outcome
from simcore.mice_and_mystics.table.table import Table
from simcore.random_streams import check_seed
from simcore.sealed import Shape
from simcore.work.folder import VERSIONS, FolderKind, begin, versions_of
from simcore.work.pieces import Piece, Workers
from simcore.work.progress import Meter, Progress
from simcore.work.tasks import Task

#: What is kept of a game: whether it was won, its score in units of 1 / page_end (`tallies`), and
#: the place of its party among those that can be drawn.
RESULT = np.dtype([("won", np.int8), ("score", np.int16), ("party", np.int8)])

#: Games of a trial in one file, at most.
BLOCK = 20_000

# Games that a worker plays in one go, of players who search, and those of the first batch.
_AT_ONCE, _AT_ONCE_SEARCHING, _FIRST_BATCH = 2000, 4, 64


class Spared(NamedTuple):
    """Games 0 … of the same seed that another trial had, most of which this one has, too.

    ``results`` are theirs, of RESULT; those ``touched`` may go differently; both (n_games,).
    """

    results: npt.NDArray[np.void]
    touched: npt.NDArray[np.bool_]


@frozen(slots=False)
class Trial:
    """What is played in one go: facts, settings and the player of all mice.

    ``replays`` of each deal are played, those from ``fresh_from`` on with dice of their own
    (`simcore.mice_and_mystics.play.simulate.with_replays`).  ``spared`` are games that need not be
    played; another process plays them, too.
    """

    facts: Facts
    settings: Settings
    player: str
    replays: int = 1
    fresh_from: int = 1
    spared: Spared | None = field(default=None, eq=False, repr=False)

    @property
    def players(self) -> tuple[str, ...]:
        """One player, or one for each mouse.  Raises ValueError."""
        return split_players(self.player)

    @cached_property
    def name(self) -> str:
        """A name that no other trial has."""
        said = [
            facts_hash(self.facts),
            self.settings.as_json(),
            self.player,
            fingerprints(self.players),
            self.replays,
            self.fresh_from,
        ]
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()[:16]


def folder_kind(noun: str, file: str, **asked: Any) -> FolderKind:
    """The folder of a kind of question; ``asked`` is the shape of what was asked besides the game.

    The command that asked may be spelled in another way when the work is resumed.
    """
    played = {
        name: shape
        for name, shape in RUN_SETTINGS.items()
        if name not in ("policies", "until", "stopped")
    }
    shape: dict[Any, Shape] = {
        "game": str,
        "rules_version": int,
        **played,
        "command": str,
        "versions": VERSIONS,
        **asked,
    }
    return FolderKind(noun, file, 1, "games/*.parquet", shape, ("versions", "command"))


class Trials:
    """Plays trials as far as the folder lacks them.

    Whoever has one holds its folder (`simcore.work.lock.holding`).  Raises RunError when the folder
    holds something else or cannot be written, and TableError and ValueError for what cannot be
    played, before anything is written.
    """

    def __init__(
        self,
        kind: FolderKind,
        folder: Path,
        base: Trial,
        *,
        seed: int,
        asked: Mapping[str, Any],
        threads: int | None = None,
        executor: Executor | None = None,
    ) -> None:
        """``base`` is the chapter as it is; ``asked`` are the entries of `folder_kind`."""
        check_seed(seed)
        self._seed, self._threads, self._executor = seed, threads, executor
        table = compile_facts(base.facts, base.settings)
        seat(table, base.players)
        entries = {
            "game": "mice_and_mystics",
            "rules_version": RULES_VERSION,
            **run_entries(table),
            "seed": seed,
            "versions": versions_of("numba", "numpy"),
            **asked,
        }
        files = {FACTS_FILE: facts_text(base.facts).encode()}
        self._folder = begin(kind, folder, entries, files=files)

    @property
    def manifest(self) -> dict[str, Any]:
        """What was asked for, and with which versions."""
        return dict(self._folder.manifest)

    def identity(self) -> dict[str, str]:
        """What tables of these games carry."""
        return self._folder.identity("")

    def play(
        self,
        wanted: Iterable[tuple[Trial, range]],
        on_progress: Progress | None = None,
    ) -> list[npt.NDArray[np.void]]:
        """Some games of each trial, (n_games,) of RESULT each.

        They are kept in blocks of BLOCK games; KeyboardInterrupt loses those that are being played.
        """
        return [*self.play_each(wanted, on_progress)]

    def play_each(
        self,
        wanted: Iterable[tuple[Trial, range]],
        on_progress: Progress | None = None,
    ) -> Generator[npt.NDArray[np.void]]:
        """The same one after the other, as soon as each is played."""
        pieces = [
            [self._piece(trial, games[low : low + BLOCK]) for low in range(0, len(games), BLOCK)]
            for trial, games in wanted
        ]
        meter = Meter(sum(len(piece.rows) for one in pieces for piece in one), on_progress)
        with Workers(meter, threads=self._threads, executor=self._executor) as workers:
            blocks = workers.finish(chain(*pieces), lambda finished: finished.found)
            for one in pieces:
                yield np.concatenate([next(blocks) for _ in one])

    def _piece(self, trial: Trial, games: range) -> Piece:
        name = f"{trial.name}-{games.start:09}-{games.stop:09}"
        searching = any(parse_player(player).imagines for player in trial.players)
        at_once = _AT_ONCE_SEARCHING if searching else _AT_ONCE
        return Piece(
            partial(new_task, trial, self._seed),
            RESULT,
            SEATS,
            games,
            self._folder,
            f"games/{name}.parquet",
            name,
            at_once=at_once,
            first_batch=min(_FIRST_BATCH, at_once),
        )


class _Player:
    """Plays games of a trial: the `RowPlayer` of its task."""

    def __init__(
        self, table: Table, seed: int, trial: Mapping[str, Any], spared: Spared | None = None
    ) -> None:
        self._table, self._seed, self._trial, self._spared = table, seed, trial, spared
        self._facts = RunFacts(table.facts, table.settings, trial["player"])

    @cached_property
    def _rows(self) -> npt.NDArray[np.void]:
        """The table with its players."""
        rows = seat(self._table, split_players(self._trial["player"]))
        return with_replays(rows, self._trial["replays"], self._trial["fresh_from"])

    def play(self, first: int, out: npt.NDArray[np.void]) -> None:
        """Fill ``out``, rows of RESULT, with games ``first`` and following."""
        touched = np.ones(len(out), np.bool_)
        if self._spared is not None:
            touched = self._spared.touched[first : first + len(out)]
            out[...] = self._spared.results[first : first + len(out)]
        edges = np.flatnonzero(np.diff(touched, prepend=False, append=False))
        for low, high in edges.reshape(-1, 2):
            games = np.empty(high - low, GAME_RECORD)
            play_rows(self._rows, seed=self._seed, first_game=first + low, out=games)
            out[low:high] = results_of(games, self._facts)


def results_of(games: npt.NDArray[np.void], facts: RunFacts) -> npt.NDArray[np.void]:
    """What is kept of games, of RESULT."""
    out = np.empty(len(games), RESULT)
    out["won"] = games["outcome"] == Outcome.WIN
    out["score"] = scores(games, facts)
    out["party"] = facts.party_of(games)
    return out


def new_task(trial: Trial, seed: int) -> Task:
    """How games of a trial are played.  Raises what its players and facts raise."""
    table = compile_facts(trial.facts, trial.settings)
    settings, files = task_entries(table, trial.players)
    asked = {
        "seed": seed,
        "player": trial.player,
        "replays": trial.replays,
        "fresh_from": trial.fresh_from,
    }
    return Task(
        f"{__name__}:rebuild", settings | asked, files, _Player(table, seed, asked, trial.spared)
    )


def rebuild(settings: Mapping[str, Any], files: Mapping[str, bytes]) -> _Player:
    """The player of a task in another process.  Raises what `read_task` raises."""
    table, players = read_task(settings, files)
    here = ":".join(players[one] for one in settings["players"])
    return _Player(table, settings["seed"], {**settings, "player": here})
