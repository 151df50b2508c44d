"""The games of a sensitivity analysis: a pool as it is, and variants of its cards, same deals.

The folder holds ``sensitivity.json`` (what was asked for, and with which versions), the pool as a
run folder does, ``games/base.parquet`` and one file in ``games/`` for each variant, named after the
fingerprint of its pool.  Game i is dealt the same cards everywhere, so of a variant nothing but
who won, how long it took and who began is kept, four bytes a game; games that the change cannot
touch are not played again.  A file appears whole or not at all, so what was interrupted goes on
with the next variant, and other cards or changes of the same pool can be added later.  What the
games say is in `analysis.mindbug.experiments.sensitivity`.
"""

import os
import platform
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import CancelledError, ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from attrs import frozen

from card_data.mindbug import pool_files, pool_hash
from card_data.mindbug.schema import Card, Pool
from card_data.mindbug.variants import dealt_alike, with_card
from simcore.mindbug import (
    RULES_VERSION,
    CardTable,
    compile_cards,
    parse_player,
    split_players,
)
from simcore.mindbug.play.affected import affected_games
from simcore.mindbug.play.asked import plain_modes
from simcore.mindbug.play.simulate import play_rows
from simcore.mindbug.players.seats import fingerprints, seat
from simcore.mindbug.table.records import DEALT
from simcore.records import encode_part, to_records
from simcore.sealed import RunError, write_file, writing
from simcore.work.folder import VERSIONS, FolderKind, begin, identity, read_piece

#: Games of the base and of each variant, unless something else is asked for.
GAMES = 100_000
#: The folder, and the file in it that says what was asked for.
FOLDER = FolderKind(
    "analysis",
    "sensitivity.json",
    3,
    "games/*.parquet",
    {
        "game": str,
        "rules_version": int,
        "sets": [str],
        "set_names": [str],
        "modes": dict,
        "pool_hash": str,
        "policies": [str],
        "weights": {str: str},
        "games": range(1, 2**63),
        "seed": range(2**63),
        "versions": VERSIONS,
    },
)

#: What is kept of a game of a variant.
OUTCOME = np.dtype([("winner", np.int8), ("turns", np.int16), ("first_player", np.int8)])
#: What is kept of a game of the base, and of a pool that is dealt otherwise: the deal as well.
BASE_GAME = np.dtype(
    [*((name, OUTCOME[name]) for name in OUTCOME.names or ()), ("cards", np.int16, (DEALT,))]
)  # fmt: skip

#: Called with (games done, games in all), from one thread at a time.
Progress = Callable[[int, int], None]

# Games in one go, after which progress and Ctrl-C are looked at.
_BATCH, _SEARCHING_BATCH = 1000, 4


@frozen
class Experiments:
    """What is played: a pool, who plays, games and seed.

    ``policy`` is that of both players, or as on the command line "greedy:random" for one each.
    """

    pool: Pool
    policy: str = "heuristic"
    games: int = GAMES
    seed: int = 0

    @property
    def policies(self) -> tuple[str, str]:
        """The policy of each player.  Raises ValueError."""
        return split_players(self.policy)


class Laboratory:
    """Plays the base and the variants that are asked for, as far as the folder lacks them.

    Whoever has one holds its folder (`simcore.work.folder.holding`).

    Raises RunError when the folder holds something else or cannot be written, and ValueError for a
    pool or player that cannot be played, before anything is written.
    """

    def __init__(
        self,
        experiments: Experiments,
        folder: str | os.PathLike[str],
        *,
        threads: int | None = None,
    ) -> None:
        self.experiments = experiments
        self.folder = Path(folder)
        self._threads = (os.cpu_count() or 1) if threads is None else threads
        searches = any(parse_player(policy).simulations for policy in experiments.policies)
        self._batch = _SEARCHING_BATCH if searches else _BATCH
        self._table = compile_cards(experiments.pool.sets, experiments.pool.modes)
        asked, files = _asked(experiments), pool_files(experiments.pool)
        with writing(self.folder):
            self.folder.mkdir(parents=True, exist_ok=True)
        self.manifest = dict(begin(FOLDER, self.folder, asked, files=files).manifest)
        self._base: npt.NDArray[np.void] | None = None

    def play_base(self, on_progress: Progress | None = None) -> npt.NDArray[np.void]:
        """The games of the pool as it is, (games,) of BASE_GAME."""
        if self._base is None:
            path = self._path("base")
            self._base = self._kept(path, BASE_GAME)
            if self._base is None:
                games = self.experiments.games
                counter = _Counter(games, on_progress)
                self._base = self._play(self._table, BASE_GAME, counter)
                self._keep(path, self._base)
        return self._base

    def play(
        self, cards: Sequence[Card], on_progress: Progress | None = None
    ) -> list[npt.NDArray[np.void]]:
        """The games of the pool with each of these faces in the place of its card, of OUTCOME."""
        pool = self.experiments.pool
        return self.play_pools([with_card(pool, card) for card in cards], on_progress)

    def play_pools(
        self, pools: Sequence[Pool], on_progress: Progress | None = None
    ) -> list[npt.NDArray[np.void]]:
        """The games of changed pools, of OUTCOME, or of BASE_GAME where they are dealt otherwise.

        KeyboardInterrupt loses the variant that is being played, and no other.
        """
        base = self.play_base()
        names = [pool_hash(pool)[:16] for pool in pools]
        own, found = pool_hash(self.experiments.pool)[:16], {}
        counter = _Counter(self.experiments.games * len(set(names) - {own}), on_progress)
        for pool, name in zip(pools, names, strict=True):
            if name in found:
                continue
            if name == own:  # the pool as it is
                found[name] = base[list(OUTCOME.names or ())].astype(OUTCOME)
                continue
            record = OUTCOME if dealt_alike(self.experiments.pool, pool) else BASE_GAME
            outcome = self._kept(self._path(name), record)
            if outcome is None:
                table = compile_cards(pool.sets, pool.modes)
                outcome = self._play(table, record, counter)
                self._keep(self._path(name), outcome)
            else:
                counter.skip(self.experiments.games)
            found[name] = outcome
        return [found[name] for name in names]

    def _play(self, table: CardTable, kept: np.dtype, counter: "_Counter") -> npt.NDArray[np.void]:
        """All games with a card table; those that it cannot change are taken from the base.

        Raises RunError if they are not dealt as the base was, unless deals are kept, too.
        """
        seed, policies = self.experiments.seed, self.experiments.policies
        seated = seat(table, policies)
        games = np.zeros(self.experiments.games, kept)
        stopped = threading.Event()

        def play(first: int) -> None:
            if stopped.is_set():
                raise CancelledError
            rows = games[first : first + self._batch]
            affected = np.ones(len(rows), np.bool_)
            if self._base is not None:
                base = self._base[first : first + self._batch]
                affected = affected_games(
                    table, self._table, base, seed=seed, first_game=first, policies=policies
                )
                for name in kept.names or ():
                    rows[name] = base[name]
            batch = play_rows(seated, seed=seed, games=first + np.flatnonzero(affected))
            as_base = self._base is not None and kept == OUTCOME
            if as_base and (batch["cards"] != base["cards"][affected]).any():
                raise RunError("the variant was dealt other cards than the base")
            for name in kept.names or ():
                rows[name][affected] = batch[name]
            counter.advance(len(rows))

        with ThreadPoolExecutor(self._threads) as workers:
            try:
                jobs = [workers.submit(play, first) for first in range(0, len(games), self._batch)]
                for job in jobs:
                    job.result()
            except BaseException:
                stopped.set()
                workers.shutdown(cancel_futures=True)
                raise
        return games

    def _path(self, name: str) -> Path:
        return self.folder / "games" / f"{name}.parquet"

    def _keep(self, path: Path, games: npt.NDArray[np.void]) -> None:
        write_file(path, encode_part(games, identity(FOLDER, self.manifest, path.stem)))

    def _kept(self, path: Path, record: np.dtype) -> npt.NDArray[np.void] | None:
        """The games of a file; None if there is none, or it is damaged, or of something else."""
        if not path.exists():
            return None
        said = identity(FOLDER, self.manifest, path.stem)
        try:
            return to_records(read_piece(FOLDER, path, said, ""), record)
        except RunError:
            return None


def _asked(experiments: Experiments) -> dict[str, Any]:
    """Everything that the games depend on, and the versions, as JSON values.  Raises ValueError."""
    policies = experiments.policies
    versions = {name: version(name) for name in ("balancelab", "numba", "numpy")}
    return {
        "game": "mindbug",
        "rules_version": RULES_VERSION,
        "sets": [card_set.set_id for card_set in experiments.pool.sets],
        "set_names": [card_set.name for card_set in experiments.pool.sets],
        "modes": plain_modes(experiments.pool.modes),
        "pool_hash": pool_hash(experiments.pool),
        "policies": list(policies),
        "weights": fingerprints(policies),
        "games": experiments.games,
        "seed": experiments.seed,
        "versions": {"python": platform.python_version(), **versions},
    }


class _Counter:
    """Counts games as done over all threads and says so."""

    def __init__(self, games: int, on_progress: Progress | None) -> None:
        self._lock = threading.Lock()
        self._done, self._games = 0, games
        self._on_progress = on_progress

    def advance(self, n_games: int) -> None:
        """So many more games are done."""
        with self._lock:
            self._done += n_games
            if self._on_progress:
                self._on_progress(self._done, self._games)

    def skip(self, n_games: int) -> None:
        """So many games were done before and do not count for the speed."""
        with self._lock:
            self._games -= n_games
