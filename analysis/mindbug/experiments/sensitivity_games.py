"""The games of a sensitivity analysis: a pool as it is, and variants of its cards, same deals.

The folder holds ``sensitivity.json`` (what was asked for, and with which versions), the pool as a
run folder does, ``games/base.parquet`` and one file in ``games/`` for each variant, named after the
fingerprint of its pool.  Game i is dealt the same cards everywhere, so of a variant nothing but
who won, how long it took and who began is kept, four bytes a game; games that the change cannot
touch are not played again.  A file appears whole or not at all, so what was interrupted resumes
with the next variant, and other cards or changes of the same pool can be added later.  Where a
question is about one card, games in which nobody is dealt it can be passed over: of a large pool
that is most of them.  What the games say is in `analysis.mindbug.experiments.sensitivity`.
"""

import os
from collections.abc import Generator, Mapping, Sequence
from concurrent.futures import Executor
from contextlib import closing, suppress
from functools import cached_property, partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from attrs import frozen

from analysis.mindbug.experiments.usual import PLAYER, VARIANT_GAMES
from card_data.mindbug import pool_files, pool_hash
from card_data.mindbug.schema import Card, Pool
from card_data.mindbug.variants import dealt_alike, with_card
from simcore.mindbug import CardTable, compile_cards, parse_player, split_players
from simcore.mindbug.play.affected import affected_games
from simcore.mindbug.play.asked import (
    EXPERIMENT,
    differing,
    experiment_entries,
    new_task,
    read_task,
)
from simcore.mindbug.play.simulate import deal_games, play_rows
from simcore.mindbug.players.seats import fingerprints, seat
from simcore.mindbug.table.records import DEALT, SEATS
from simcore.places import located
from simcore.random_streams import check_seed
from simcore.records import to_records
from simcore.sealed import RunError
from simcore.work.folder import FolderKind, WorkFolder, begin, read_asked, versions_of
from simcore.work.pieces import Piece, Workers
from simcore.work.progress import Meter, Progress
from simcore.work.tasks import Task

#: The folder, and the file in it that says what was asked for.
FOLDER = FolderKind(
    "analysis",
    "sensitivity.json",
    3,
    "games/*.parquet",
    {**EXPERIMENT, "policies": [str], "games": range(1, 2**63), "dealt": (str, None)},
    differing=differing,
)

#: What is kept of a game of a variant.
OUTCOME = np.dtype([("winner", np.int8), ("turns", np.int16), ("first_player", np.int8)])
#: What is kept of a game of the base, and of a pool that is dealt otherwise: the deal as well.
BASE_GAME = np.dtype(
    [*((name, OUTCOME[name]) for name in OUTCOME.names or ()), ("cards", np.int16, (DEALT,))]
)  # fmt: skip

# Games that a worker plays in one go; of players who search.
_AT_ONCE, _AT_ONCE_SEARCHING = 1000, 4
_BASE = "base"
# Games that are dealt at once to find those with a card.
_DEALT_AT_ONCE = 16_384


@frozen
class Experiments:
    """What is played: a pool, who plays, games and seed.

    ``policy`` is that of both players, or as on the command line "greedy:random" for one each.
    ``dealt`` is the id of a card: of the games of the seed the first are played in which somebody
    is dealt it; "" for all games.
    """

    pool: Pool
    policy: str = PLAYER
    games: int = VARIANT_GAMES
    seed: int = 0
    dealt: str = ""

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
        executor: Executor | None = None,
    ) -> None:
        """``threads`` and ``executor`` are those of `simcore.work.pieces.Workers`."""
        check_seed(experiments.seed)
        self.experiments = experiments
        self._threads, self._executor = threads, executor
        self._table = compile_cards(experiments.pool)
        asked, files = _asked(experiments), pool_files(experiments.pool)
        self._folder = begin(FOLDER, located(folder), asked, files=files)
        self._base: npt.NDArray[np.void] | None = None

    @cached_property
    def numbers(self) -> npt.NDArray[np.int64]:
        """The number of each game that is played, (games,)."""
        asked = self.experiments
        return _numbers(self._table, asked.seed, asked.games, asked.dealt)

    @property
    def folder(self) -> Path:
        """Where the games are kept."""
        return self._folder.path

    @property
    def manifest(self) -> dict[str, Any]:
        """What was asked for, and with which versions."""
        return dict(self._folder.manifest)

    def play_base(self, on_progress: Progress | None = None) -> npt.NDArray[np.void]:
        """The games of the pool as it is, (games,) of BASE_GAME."""
        if self._base is None:
            games = {_BASE: self.experiments.pool}
            self._base = dict(self._finish(games, on_progress))[_BASE]
        return self._base

    def play(
        self, cards: Sequence[Card], on_progress: Progress | None = None
    ) -> list[npt.NDArray[np.void]]:
        """The games of the pool with each of these faces in the place of its card, of OUTCOME."""
        return [*self.play_each(cards, on_progress)]

    def play_each(
        self, cards: Sequence[Card], on_progress: Progress | None = None
    ) -> Generator[npt.NDArray[np.void]]:
        """The same one after the other, as soon as each is played."""
        pool = self.experiments.pool
        return self._play_pools([with_card(pool, card) for card in cards], on_progress)

    def play_pools(
        self, pools: Sequence[Pool], on_progress: Progress | None = None
    ) -> list[npt.NDArray[np.void]]:
        """The games of changed pools, of OUTCOME, or of BASE_GAME where they are dealt otherwise.

        KeyboardInterrupt loses the variant that is being played, and no other.  Raises ValueError
        for a pool that is dealt otherwise where only games with a card are played.
        """
        return [*self._play_pools(pools, on_progress)]

    def _play_pools(
        self, pools: Sequence[Pool], on_progress: Progress | None
    ) -> Generator[npt.NDArray[np.void]]:
        """The games of `play_pools`, one pool after the other."""
        asked = self.experiments
        if asked.dealt and not all(dealt_alike(asked.pool, pool) for pool in pools):
            raise ValueError("games that are chosen by their deal need a pool that is dealt alike")
        base = self.play_base()
        names = [pool_hash(pool)[:16] for pool in pools]
        own = pool_hash(self.experiments.pool)[:16]
        changed = {name: pool for name, pool in zip(names, pools, strict=True) if name != own}
        found = {own: base[list(OUTCOME.names or ())].astype(OUTCOME)}
        with closing(self._finish(changed, on_progress)) as coming:
            for name in names:
                if name not in found:  # the pools come in the order of their first names
                    found |= [next(coming)]
                yield found[name]

    def _finish(
        self, pools: Mapping[str, Pool], on_progress: Progress | None
    ) -> Generator[tuple[str, npt.NDArray[np.void]]]:
        """Pools by the name of their file with their games, played as far as they are not there."""
        meter = Meter(self.experiments.games * len(pools), on_progress)
        with Workers(meter, threads=self._threads, executor=self._executor) as workers:
            pieces = (self._piece(name, pool) for name, pool in pools.items())
            finished = workers.finish(pieces, lambda games: games.found)
            yield from zip(pools, finished, strict=True)

    def _piece(self, name: str, pool: Pool) -> Piece:
        """The games of a pool, as what is to be played."""
        asked = self.experiments
        searching = any(parse_player(policy).is_slow for policy in asked.policies)
        at_once = _AT_ONCE_SEARCHING if searching else _AT_ONCE
        as_base = self._base is None or not dealt_alike(asked.pool, pool)
        return Piece(
            partial(self._task, pool),
            BASE_GAME if as_base else OUTCOME,
            SEATS,
            range(asked.games),
            self._folder,
            f"games/{name}.parquet",
            name,
            at_once=at_once,
            first_batch=at_once,
        )

    def _task(self, pool: Pool) -> Task:
        """How the games of a pool are played."""
        asked, base = self.experiments, self._base
        table = self._table if base is None else compile_cards(pool)
        return new_task(
            f"{__name__}:rebuild",
            [pool] if base is None else [pool, asked.pool],
            asked.policies,
            _Variant(
                table,
                asked.seed,
                asked.policies,
                base,
                self._table,
                self.numbers,
                chosen=bool(asked.dealt),
            ),
            seed=asked.seed,
            policies=list(asked.policies),
            games=asked.games,
            dealt=asked.dealt,
            base=None if base is None else pool_hash(asked.pool),
            folder=str(self.folder.resolve()),
        )


class _Variant:
    """Plays games of a changed pool, or of the pool as it is: the `RowPlayer` of their task."""

    def __init__(
        self,
        table: CardTable,
        seed: int,
        policies: tuple[str, str],
        base: npt.NDArray[np.void] | None,
        base_table: CardTable,
        numbers: npt.NDArray[np.int64],
        *,
        chosen: bool,
    ) -> None:
        """``base`` are the games of the pool as it is, (games,) of BASE_GAME, if they are there.

        ``numbers`` are those of the games that are played, (games,); ``chosen`` says that they were
        chosen since a card is dealt in them.
        """
        self._table, self._seed, self._policies = table, seed, policies
        self._base, self._base_table = base, base_table
        self._numbers, self._chosen = numbers, chosen

    @cached_property
    def _seated(self) -> npt.NDArray[np.void]:
        """The table with both players."""
        return seat(self._table, self._policies)

    def play(self, first: int, out: npt.NDArray[np.void]) -> None:
        """Fill ``out``, rows of OUTCOME or BASE_GAME; what cannot change is taken from the base.

        Raises RunError if games are not dealt as the base was, unless deals are kept, too.
        """
        kept, affected = out.dtype.names or (), np.ones(len(out), np.bool_)
        numbers = self._numbers[first : first + len(out)]
        if self._base is not None:
            base = self._base[first : first + len(out)]
            if not self._chosen:
                affected = affected_games(
                    self._table,
                    self._base_table,
                    base,
                    seed=self._seed,
                    first_game=first,
                    policies=self._policies,
                )
            for name in kept:
                out[name] = base[name]
        games = play_rows(self._seated, seed=self._seed, games=numbers[affected])
        as_base = self._base is not None and "cards" not in kept
        if as_base and (games["cards"] != base["cards"][affected]).any():
            raise RunError("the variant was dealt other cards than the base")
        for name in kept:
            out[name][affected] = games[name]


def rebuild(settings: Mapping[str, Any], files: Mapping[str, bytes]) -> _Variant:
    """The player of a task in another process, which reads the base from the folder.

    One that cannot, on another machine, plays all games.  Raises RunError as `read_task` does.
    """
    tables, players = read_task(settings, files)
    table, base_table = tables[0], tables[-1]
    base = None
    with suppress(RunError):
        base = _read_base(located(settings["folder"]), settings["base"])
    first, second = (players[policy] for policy in settings["policies"])
    seed = settings["seed"]
    numbers = _numbers(base_table, seed, settings["games"], settings["dealt"])
    chosen = bool(settings["dealt"])
    return _Variant(table, seed, (first, second), base, base_table, numbers, chosen=chosen)


def _read_base(path: Path, wanted: str | None) -> npt.NDArray[np.void] | None:
    """The games of the pool as it is, if that is the one ``wanted``.  Raises RunError."""
    if wanted is None:
        return None
    folder = WorkFolder(FOLDER, path, read_asked(FOLDER, path))
    if folder.manifest["pool_hash"] != wanted:
        return None
    return to_records(folder.read(f"games/{_BASE}.parquet", _BASE), BASE_GAME, seats=SEATS)


def _numbers(table: CardTable, seed: int, n_games: int, dealt: str) -> npt.NDArray[np.int64]:
    """The numbers of the first games of a seed in which a card is dealt; "" is dealt in all."""
    if not dealt:
        return np.arange(n_games)
    row = [card.card_id for card in table.cards].index(dealt)
    found: list[npt.NDArray[np.int64]] = []
    first = 0
    while sum(map(len, found)) < n_games:
        games = np.arange(first, first + _DEALT_AT_ONCE)
        deals = deal_games(table, seed=seed, games=games)
        found.append(games[(deals["cards"] == row).any(axis=1)])
        first += _DEALT_AT_ONCE
    return np.concatenate(found)[:n_games]


def _asked(experiments: Experiments) -> dict[str, Any]:
    """Everything that the games depend on, and the versions, as JSON values.  Raises ValueError."""
    policies = experiments.policies
    return {
        **experiment_entries(experiments.pool),
        "policies": list(policies),
        "weights": fingerprints(policies),
        "games": experiments.games,
        "seed": experiments.seed,
        **({"dealt": experiments.dealt} if experiments.dealt else {}),
        "versions": versions_of("numba", "numpy"),
    }
