"""The training of a network in a folder: begun, resumed, finished and tested."""

from collections.abc import Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

from attrs import frozen

from card_data.mindbug import pool_hash
from card_data.mindbug.schema import Pool
from reports.games import Compiled
from reports.mindbug.training.fit import SCORES
from reports.training.folder import (
    CURVE,
    begin_training,
    keep_scores,
    read_scores,
    write_learning,
)
from reports.training.scores import measured
from simcore.mindbug import CardTable, compile_cards, parse_player
from simcore.mindbug.play.network_fit import compile_fitting
from simcore.mindbug.play.network_training import (
    NetworkTraining,
    score_network,
    train_network,
)
from simcore.mindbug.play.simulate import compile_considered
from simcore.mindbug.players.network_files import (
    NETWORKS,
    Network,
    own_network,
    read_network,
    write_network,
)
from simcore.mindbug.players.registry import POLICIES
from simcore.mindbug.players.seats import fingerprints
from simcore.work.folder import FolderKind
from simcore.work.progress import Progress

#: What a training begins with that has no network yet.
NOTHING = "nothing"
NETWORK = "network.npz"
_TEST_GAMES = 4000

#: The folder, and the file in it that says what was asked for.
FOLDER = FolderKind(
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


def begins_network(start: str) -> bool:
    """Whether a training that begins with ``start`` is that of a network."""
    return start == NOTHING or _own(start) is not None or start.endswith(".npz")


def _own(start: str) -> str | None:
    """The network of fairdeal's that is named, by its own name or by that of its player."""
    if start in NETWORKS:
        return start
    return POLICIES[start].network if start in POLICIES else None


@frozen
class NetworkRun:
    """A training of a network that stands in a folder, begun or finished."""

    folder: Path
    pools: tuple[Pool, ...]
    training: NetworkTraining
    identity: str

    @classmethod
    def begin(
        cls,
        folder: Path | None,
        pools: Sequence[Pool],
        *,
        start: str,
        against: str | None,
        generations: int | None = None,
        games: int | None = None,
        seed: int,
    ) -> "NetworkRun":
        """Begin a training in ``folder``, or take it up again; None for one that is only asked for.

        ``against`` is the opponent, None for the learner itself; a network that begins with one is
        then taught (`NetworkTraining.teaching`).  The rest is as in `NetworkTraining`.  Raises
        ValueError for a player or network that there is not, pools that cannot be played, and a
        folder that holds something else; RunError when it cannot be written.
        """
        opponents = [] if against is None else [against]
        weights = fingerprints(opponents)  # there is such a player
        for pool in pools:
            compile_cards(pool.sets, pool.modes)  # they can be played
        network = _network(start)
        if network is not None and against is None:
            training = NetworkTraining.teaching(
                network, pools, generations=generations, games=games, seed=seed
            )
        else:
            training = NetworkTraining(
                network, against, generations or 25, games or 12_000, seed=seed
            )
        asked = {
            "network": "" if network is None else network.digest,
            "opponent": opponents,
            "opponent_weights": weights,
            "generations": training.generations,
            "games": training.games,
            "rounds": training.rounds,
            "seed": seed,
            "pools": [pool_hash(pool) for pool in pools],
        }
        identity = "" if folder is None else begin_training(FOLDER, folder, asked)
        return cls(folder or Path(), tuple(pools), training, identity)

    #: What is learned, who plays like the learner, what is progress.
    learned, learner = "network", "expert"
    units = "games"

    @property
    def players(self) -> tuple[str, ...]:
        """Who plays, besides the learner."""
        return ("random", "learned", *filter(None, [self.training.opponent]))

    @property
    def games(self) -> list[tuple[str, int]]:
        """Against whom the learner plays, and how many games in each pool to learn from."""
        return [(self.training.opponent or "expert", self.training.all_games)]

    @property
    def compiled(self) -> list[Compiled]:
        """What training compiles."""
        return [
            ("simcore.mindbug.play.engine._run", 25, compile_considered),
            ("simcore.mindbug.play.network_fit._learn", 4, compile_fitting),
        ]

    def learn(
        self,
        *,
        threads: int | None,
        executor: Executor | None = None,
        on_progress: Progress | None = None,
    ) -> Network:
        """Train to the end."""
        return train_network(
            self.pools,
            self.training,
            folder=self.folder,
            curve=self.folder / CURVE,
            threads=threads,
            executor=executor,
            on_progress=on_progress,
            identity=self.identity,
        )

    def finish(
        self, *, threads: int | None, executor: Executor | None, on_progress: Progress
    ) -> dict[str, Any]:
        """Train to the end; write network and chart, and return files and scores.

        ``scores`` are against the opponent, `learned` and `random`, in games that training did not
        see, as `reports.training.scores.measured` tells them.
        """
        training = self.training
        network = self.learn(threads=threads, executor=executor, on_progress=on_progress)
        path = self.folder / NETWORK
        write_network(network, path)
        opponent = training.opponent or "learned"
        tables = [compile_cards(pool.sets, pool.modes) for pool in self.pools]
        opponents = dict.fromkeys((opponent, "learned", "random"))
        scores = {who: self._test(tables, network, who) for who in opponents}
        keep_scores(self.folder, self.identity, NETWORK, scores)
        return self._answer(scores)

    def finished(self) -> dict[str, Any] | None:
        """What `finish` returns, where the training is done; None where something is to be done."""
        generations = self.training.generations
        scores = read_scores(self.folder, self.identity, NETWORK, generations, SCORES)
        return None if scores is None else self._answer(scores)

    def _answer(self, scores: dict[str, dict[str, float]]) -> dict[str, Any]:
        """Draw the chart; the files and scores."""
        whom = parse_player(self.training.opponent or "learned").policy
        what = f"games won against {whom}"
        chart = write_learning(self.folder, self.identity, how=self.how, what=what, even=True)
        return {"weights": str(self.folder / NETWORK), "curve": str(chart), "scores": scores}

    @property
    def how(self) -> str:
        """How much was played, against whom, and the seed."""
        training = self.training
        whom = training.opponent or "itself"
        return (
            f"{training.generations} generations of {training.games:,} games in each of"
            f" {len(self.pools)} pools · against {whom} · seed {training.seed}"
        )

    def _test(self, tables: Sequence[CardTable], network: Network, who: str) -> dict[str, float]:
        """How a network does in fresh games; draws count half."""
        seed = self.training.seed ^ 1
        share = score_network(tables, network, who, n_games=_TEST_GAMES, seed=seed)
        return measured(share, _TEST_GAMES * len(tables))


def _network(start: str) -> Network | None:
    """The network that a training begins with; None for one that knows nothing."""
    if start == NOTHING:
        return None
    own = _own(start)
    return read_network(Path(start)) if own is None else own_network(own)
