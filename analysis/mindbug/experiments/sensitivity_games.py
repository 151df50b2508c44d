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
from collections.abc import Callable, Generator, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any, Unpack

import numpy as np
from attrs import frozen

from analysis.experiments.trials import Spared, Trial, Trials
from analysis.mindbug.experiments.usual import PLAYER, VARIANT_GAMES
from card_data.mindbug import pool_files, pool_hash
from card_data.mindbug.schema import Card, Pool
from card_data.mindbug.variants import dealt_alike, with_card
from simcore.arrays import Integers, Records
from simcore.mindbug import split_players
from simcore.mindbug.play.affected import affected_games
from simcore.mindbug.play.asked import EXPERIMENT, differing, experiment_entries
from simcore.mindbug.play.setup import PoolSetup
from simcore.mindbug.play.simulate import games_dealt
from simcore.mindbug.players.seats import fingerprints
from simcore.mindbug.table.records import DEALT
from simcore.places import located
from simcore.work.folder import FolderKind, versions_of
from simcore.work.hands import Who
from simcore.work.progress import Progress

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

_BASE = "base"


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

    Whoever has one holds its folder (`simcore.work.lock.holding`).

    Raises RunError when the folder holds something else or cannot be written, and ValueError for a
    pool or player that cannot be played, before anything is written.
    """

    def __init__(
        self, experiments: Experiments, folder: str | os.PathLike[str], **who: Unpack[Who]
    ) -> None:
        """``who`` plays, as `simcore.work.pieces.Workers` takes it."""
        self.experiments = experiments
        self._setup = PoolSetup(experiments.pool)
        _ = self._setup.table  # finds cards that cannot be played
        self._trials = Trials(
            *(FOLDER, located(folder), _asked(experiments), pool_files(experiments.pool), keep),
            seed=experiments.seed,
            numbers=self._chosen if experiments.dealt else None,
            **who,
        )
        self._base: Records | None = None

    @property
    def numbers(self) -> Integers:
        """The number of each game that is played, (games,)."""
        found = self._trials.numbers
        return np.arange(self.experiments.games) if found is None else found

    @property
    def folder(self) -> Path:
        """Where the games are kept."""
        return self._trials.folder

    @property
    def manifest(self) -> dict[str, Any]:
        """What was asked for, and with which versions."""
        return self._trials.manifest

    def play_base(self, on_progress: Progress | None = None) -> Records:
        """The games of the pool as it is, (games,) of BASE_GAME."""
        if self._base is None:
            base = Trial(self._setup, self.experiments.policies, _BASE, BASE_GAME)
            [self._base] = self._trials.play([(base, self._games)], on_progress)
        return self._base

    def play(self, cards: Sequence[Card], on_progress: Progress | None = None) -> list[Records]:
        """The games of the pool with each of these faces in the place of its card, of OUTCOME."""
        return [*self.play_each(cards, on_progress)]

    def play_each(
        self, cards: Sequence[Card], on_progress: Progress | None = None
    ) -> Generator[Records]:
        """The same one after the other, as soon as each is played."""
        pool = self.experiments.pool
        return self._play_pools([with_card(pool, card) for card in cards], on_progress)

    def play_pools(
        self, pools: Sequence[Pool], on_progress: Progress | None = None
    ) -> list[Records]:
        """The games of changed pools, of OUTCOME, or of BASE_GAME where they are dealt otherwise.

        KeyboardInterrupt loses the variant that is being played, and no other.  Raises ValueError
        for a pool that is dealt otherwise where only games with a card are played.
        """
        return [*self._play_pools(pools, on_progress)]

    def _play_pools(
        self, pools: Sequence[Pool], on_progress: Progress | None
    ) -> Generator[Records]:
        """The games of `play_pools`, one pool after the other."""
        asked = self.experiments
        if asked.dealt and not all(dealt_alike(asked.pool, pool) for pool in pools):
            raise ValueError("games that are chosen by their deal need a pool that is dealt alike")
        base = self.play_base()
        names = [pool_hash(pool)[:16] for pool in pools]
        own = pool_hash(asked.pool)[:16]
        changed = {name: pool for name, pool in zip(names, pools, strict=True) if name != own}
        wanted = [(self._trial(name, pool, base), self._games) for name, pool in changed.items()]
        found = {own: base[list(OUTCOME.names or ())].astype(OUTCOME)}
        with closing(self._trials.play_each(wanted, on_progress)) as coming:
            for name in names:
                while name not in found:  # the pools come in the order of their first names
                    found[wanted[len(found) - 1][0].name] = next(coming)
                yield found[name]

    @property
    def _games(self) -> range:
        return range(self.experiments.games)

    def _trial(self, name: str, pool: Pool, base: Records) -> Trial:
        """The games of a variant; those of the base that it cannot touch are spared."""
        setup, kept = PoolSetup(pool), OUTCOME
        if not dealt_alike(self.experiments.pool, pool):
            kept = BASE_GAME
        policies = self.experiments.policies

        def spared() -> Spared:
            touched = affected_games(
                *(setup.table, self._setup.table, base),
                seed=self.experiments.seed,
                games=self.numbers,
                policies=policies,
            )
            return Spared(base, touched)

        return Trial(setup, policies, name, kept, spared)

    def _chosen(self) -> Integers:
        asked = self.experiments
        games = {"seed": asked.seed, "n_games": asked.games}
        return games_dealt(self._setup.table, asked.dealt, **games)


def keep(
    _setup: PoolSetup, _players: Sequence[str], kept: np.dtype
) -> Callable[[Records], Records]:
    """What makes rows of OUTCOME or BASE_GAME from records of games."""
    return lambda games: games[list(kept.names or ())].astype(kept)


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
