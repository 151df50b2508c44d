"""A training in a folder (`reports.training.folder`): begun, resumed, finished and tested."""

import re
from collections.abc import Sequence
from concurrent.futures import Executor
from functools import partial
from pathlib import Path
from typing import Any

from attrs import asdict, frozen

from card_data.mindbug import pool_hash
from card_data.mindbug.schema import Pool
from reports.games import Compiled
from reports.training.folder import (
    CURVE,
    WEIGHTS,
    begin_training,
    heading,
    keep_scores,
    read_scores,
    training_folder,
    write_learning,
)
from reports.training.scores import MEASURED, measured
from simcore.evolution import PAST_EVERY
from simcore.mindbug import CardTable, compile_cards
from simcore.mindbug.play.position_fit import fit_positions
from simcore.mindbug.play.training import Training, score, train
from simcore.mindbug.players.registry import POLICIES
from simcore.mindbug.players.seats import fingerprints
from simcore.mindbug.players.weights import Weights, own_weights, read_weights, write_weights
from simcore.mindbug.table.weight_names import SECTIONS
from simcore.work.progress import Progress


def _say(name: str, there: Any) -> str | None:
    """How a setting is said that a training in a folder has otherwise than asked."""
    if name == "start":
        return "other weights to begin with"
    if name == "pools":
        return "other cards"
    if name == "panel":
        return f"--against {','.join(there or ())}"
    if name == "times":
        return "opponents that are met more or less often"
    if name == "only":
        return "no --only" if there in (None, [*SECTIONS]) else f"--only {','.join(there)}"
    if name == "self_play":
        return "--self-play" if there else "--no-self-play"
    return None


#: The folder, and the file in it that says what was asked for.
FOLDER = training_folder(
    {"panel": [str], "times": [int], "only": [str], "pools": [str], "self_play": bool}, _say
)
#: The shape of the scores.
SCORES = {str: {"score": float, **MEASURED}}
_OFTEN = re.compile(r"(?P<player>[^*]*)(\*(?P<times>[1-9][0-9]?))?")
_TEST_GAMES = 20_000
_POSITIONS = 20_000


@frozen
class TrainingRun:
    """A training that stands in a folder, begun or finished."""

    folder: Path
    pools: tuple[Pool, ...]
    training: Training
    identity: str

    @classmethod
    def begin(
        cls,
        folder: Path | None,
        pools: Sequence[Pool],
        *,
        against: Sequence[str],
        start: str,
        **numbers: Any,
    ) -> "TrainingRun":
        """Begin a training in ``folder``, or take it up again; None for one that is only asked for.

        ``numbers`` are the other fields of `Training`.  Raises ValueError for players or weights
        that there are not, pools that cannot be played, and a folder that holds something else;
        RunError when it cannot be written.
        """
        panel, times = _panel(against)
        fingerprints(panel)  # there are such players, and their weights can be read
        for pool in pools:
            compile_cards(pool.sets, pool.modes)  # they can be played
        training = Training(start=_weights(start), panel=panel, times=times, **numbers)
        asked = asdict(training) | {
            "start": training.start.tolist(),
            "panel": [*panel],
            "times": [*times],
            "only": [*training.only],
            "pools": [pool_hash(pool) for pool in pools],
        }
        identity = "" if folder is None else begin_training(FOLDER, folder, asked)
        return cls(folder or Path(), tuple(pools), training, identity)

    #: What is learned, who plays like the learner, what is progress.
    learned, learner = "weights", "heuristic"
    units = "generations"

    @property
    def players(self) -> tuple[str, ...]:
        """Who plays, besides the learner."""
        return self.training.panel

    @property
    def games(self) -> list[tuple[str, int]]:
        """Against whom the learner plays, and how many games in each pool: to learn, to be judged.

        Candidates play them, now and then what has been learned so far, and at the end the outcome.
        """
        training = self.training
        often = training.times or (1,) * len(training.panel)
        past = [("heuristic", 1)] if training.self_play else []
        candidates, each = training.generations * training.population, 2 * (training.games // 2)
        judged = len(range(0, training.generations, PAST_EVERY))
        learning = [
            (who, candidates * 2 * (times * training.games // 2))
            for who, times in (*zip(training.panel, often, strict=True), *past)
        ]
        tested = dict.fromkeys((*training.panel, "random"), _TEST_GAMES)
        return [
            *learning,
            *((who, judged * each) for who in training.panel),
            *tested.items(),
            ("heuristic", _POSITIONS),
        ]

    @property
    def tables(self) -> list[CardTable]:
        """The pools, compiled."""
        return [compile_cards(pool.sets, pool.modes) for pool in self.pools]

    @property
    def compiled(self) -> list[Compiled]:
        """What only training compiles."""
        fit = partial(fit_positions, self.tables[:1], self.training.start, n_games=500, seed=0)
        return [("simcore.mindbug.play.position_fit._sample_positions", 14, fit)]

    def finish(
        self, *, threads: int | None, executor: Executor | None, on_progress: Progress
    ) -> dict[str, Any]:
        """Train to the end; write weights and chart, and return files and scores.

        ``scores`` are against each opponent asked for and against `random`, in games that training
        did not see, as `reports.training.scores.measured` tells them.
        """
        training = self.training
        weights = train(
            self.pools,
            training,
            curve=self.folder / CURVE,
            threads=threads,
            executor=executor,
            on_progress=on_progress,
            identity=self.identity,
        )
        weights = fit_positions(self.tables, weights, n_games=_POSITIONS, seed=training.seed)
        path = self.folder / WEIGHTS
        write_weights(weights, path, heading=heading())
        opponents = dict.fromkeys((*training.panel, "random"))
        scores = {who: self._test(weights, who) for who in opponents}
        keep_scores(self.folder, self.identity, WEIGHTS, scores)
        return self._answer(scores)

    def finished(self) -> dict[str, Any] | None:
        """What `finish` returns, where the training is done; None where something is to be done."""
        generations = self.training.generations
        scores = read_scores(self.folder, self.identity, WEIGHTS, generations, SCORES)
        return None if scores is None else self._answer(scores)

    def _answer(self, scores: dict[str, dict[str, float]]) -> dict[str, Any]:
        """Draw the chart; the files and scores."""
        what = "games won against its opponents"
        chart = write_learning(self.folder, self.identity, how=self.how, what=what, even=True)
        return {"weights": str(self.folder / WEIGHTS), "curve": str(chart), "scores": scores}

    @property
    def how(self) -> str:
        """How much was played, against whom, and the seed."""
        training = self.training
        own_past = " and the learner's past" if training.self_play else ""
        parts = [
            f"{training.generations} generations of {training.population} candidates",
            f"{training.games:,} games each",
            f"against {' and '.join(training.panel)}{own_past}",
            f"seed {training.seed}",
        ]
        return " · ".join(parts)

    def _test(self, weights: Weights, opponent: str) -> dict[str, float]:
        """How weights do in fresh games; draws count half and count as games of their own."""
        share = score(self.tables, weights, [opponent], n_games=_TEST_GAMES, seed=self._test_seed)
        return measured(share, _TEST_GAMES * len(self.tables))

    @property
    def _test_seed(self) -> int:
        """Another seed than that of the training."""
        return self.training.seed ^ 1


def _panel(against: Sequence[str]) -> tuple[tuple[str, ...], tuple[int, ...]]:
    """Players and how many times the games each is met in: "random*8" in eight times as many.

    Raises ValueError for a number that is none.
    """
    found = [_OFTEN.fullmatch(text) for text in against]
    for text, match in zip(against, found, strict=True):
        if match is None:
            raise ValueError(
                f"--against has {text!r}; behind the star stands how many times as many games are"
                " played against that player, 1 to 99, as in 'heuristic,random*8'"
            )
    pairs = [(match["player"], int(match["times"] or 1)) for match in found if match]
    return tuple(player for player, _ in pairs), tuple(times for _, times in pairs)


def _weights(text: str) -> Weights:
    """The weights of a policy or a file."""
    if text in POLICIES and POLICIES[text].weights is not None:
        return own_weights(str(POLICIES[text].weights))
    if text.endswith(".toml"):
        return read_weights(Path(text))
    having = ", ".join(
        name for name, policy in POLICIES.items() if name in (policy.weights, policy.network)
    )
    raise ValueError(
        f"--start is {text!r}; it is a file that ends in .toml or .npz, or one of: nothing,"
        f" {having}"
    )
