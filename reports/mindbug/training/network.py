"""Training players of Mindbug (`reports.training.trainer`): their network."""

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

from card_data.mindbug import pool_hash
from card_data.mindbug.schema import Pool
from reports.games import Compiled
from reports.mindbug.cli.steps import plan, plans_of_lessons
from reports.mindbug.training.fit import PoolTrainer, check_opponents, playable
from reports.training.folder import CURVE
from simcore.mindbug import parse_player
from simcore.mindbug.play.network_fit import compile_fitting
from simcore.mindbug.play.network_training import (
    NetworkTraining,
    score_network,
    train_network,
)
from simcore.mindbug.play.simulate import compile_considered
from simcore.mindbug.players import network_files
from simcore.mindbug.players.registry import POLICIES
from simcore.mindbug.players.seats import fingerprints
from simcore.work.cost import Plan
from simcore.work.folder import FolderKind

#: What a training begins with that has no network yet.
NOTHING = "nothing"
_TEST_GAMES = 4000


def begins_network(start: str) -> bool:
    """Whether a training that begins with ``start`` is that of a network."""
    return start == NOTHING or _own(start) is not None or start.endswith(".npz")


def _own(start: str) -> str | None:
    """The network of fairdeal's that is named, by its own name or by that of its player."""
    if start in network_files.NETWORKS:
        return start
    return POLICIES[start].network if start in POLICIES else None


@frozen
class NetworkTrainer(PoolTrainer):
    """Trains a network: ``training`` is a `NetworkTraining`."""

    kind = FolderKind(
        "training",
        "training.json",
        3,
        "",
        {
            "network": str,
            "opponent": [str],
            "opponent_weights": {str: str},
            "generations": int,
            "games": int,
            "rounds": int,
            "seed": int,
            "pools": [str],
        },
    )
    learned, file, units = "network", "network.npz", "games"
    learner = "expert"

    training: NetworkTraining

    @classmethod
    def of(
        cls,
        pools: Sequence[Pool],
        *,
        start: str,
        against: str | None,
        generations: int | None = None,
        games: int | None = None,
        seed: int,
    ) -> "NetworkTrainer":
        """A training as it is asked for.

        ``against`` is the opponent, None for the learner itself; a network that begins with one is
        then taught (`NetworkTraining.teaching`).  The rest is as in `NetworkTraining`.  Raises
        ValueError for a player or network that there is not, and pools that cannot be played.
        """
        if against is not None:
            if re.search("[,*]", against):
                raise ValueError(
                    f"--against is {against!r}; a network plays one opponent, in all of its games:"
                    " name one player, without a star"
                )
            check_opponents([against])
        network = _network(start)
        if network is not None and against is None:
            training = NetworkTraining.teaching(
                network, pools, generations=generations, games=games, seed=seed
            )
        else:
            training = NetworkTraining(
                network, against, generations or 15, games or 30_000, seed=seed
            )
        return cls(playable(pools), training)

    @property
    def generations(self) -> int:
        """How many generations are played."""
        return self.training.generations

    @property
    def asked(self) -> dict[str, Any]:
        """The training and its pools."""
        training = self.training
        opponents = [*filter(None, [training.opponent])]
        return {
            "network": "" if training.start is None else training.start.digest,
            "opponent": opponents,
            "opponent_weights": fingerprints(opponents),
            "generations": training.generations,
            "games": training.games,
            "rounds": training.rounds,
            "seed": training.seed,
            "pools": [pool_hash(pool) for pool in self.pools],
        }

    @property
    def opponents(self) -> Sequence[str]:
        """The opponent, ``learned`` and ``random``."""
        return (self.training.opponent or "learned", "learned", "random")

    @property
    def players(self) -> Sequence[str]:
        """Who plays, besides the learner."""
        return ("random", "learned", *filter(None, [self.training.opponent]))

    @property
    def plans(self) -> list[Plan]:
        """All games with each pool: to learn, to be measured, and the test at the end."""
        seed, tests = self.training.seed, dict.fromkeys(self.opponents)
        return [
            one
            for pool in self.pools
            for one in (
                *plans_of_lessons(pool, self.training),
                *(plan(pool, (self.learner, who), _TEST_GAMES, seed, kept=0) for who in tests),
            )
        ]

    @property
    def compiled(self) -> list[Compiled]:
        """What thinks, and what learns."""
        return [
            ("simcore.mindbug.play.engine._run", 25, compile_considered),
            ("simcore.mindbug.play.network_fit._learn", 4, compile_fitting),
        ]

    @property
    def shown(self) -> str:
        """What the learning curve shows."""
        return f"games won against {parse_player(self.training.opponent or 'learned').policy}"

    @property
    def how(self) -> str:
        """How much was played, against whom, and the seed."""
        training = self.training
        whom = training.opponent or "itself"
        return (
            f"{training.generations} generations of {training.games:,} games in each of"
            f" {len(self.pools)} pools · against {whom} · seed {training.seed}"
        )

    def learn(self, folder: Path, identity: str, **how: Any) -> network_files.Network:
        """The network."""
        how |= {"folder": folder, "curve": folder / CURVE, "identity": identity}
        return train_network(self.pools, self.training, **how)

    def write(self, learned: network_files.Network, path: Path) -> None:
        """Write the network."""
        network_files.write_network(learned, path)

    def score(self, learned: network_files.Network, opponent: str) -> tuple[float, int]:
        """With another seed than that of the training."""
        seed = self.training.seed ^ 1
        share = score_network(self.tables, learned, opponent, n_games=_TEST_GAMES, seed=seed)
        return share, _TEST_GAMES * len(self.pools)


def _network(start: str) -> network_files.Network | None:
    """The network that a training begins with; None for one that knows nothing."""
    if start == NOTHING:
        return None
    own = _own(start)
    return (
        network_files.read_network(Path(start)) if own is None else network_files.own_network(own)
    )
