"""A training in a folder (`reports.training.folder`): begun, resumed, finished and tested."""

from collections.abc import Sequence
from concurrent.futures import Executor
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from attrs import frozen

from card_data.mice_and_mystics.facts import Facts, by_id
from card_data.mice_and_mystics.fingerprint import facts_hash
from card_data.mice_and_mystics.settings import Settings
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
from simcore.evolution import PAST_EVERY, Evolution
from simcore.mice_and_mystics.play.position_fit import fit_positions
from simcore.mice_and_mystics.play.simulate import play_games
from simcore.mice_and_mystics.play.training import (
    Training,
    first_weights,
    score,
    train,
    worlds_of,
)
from simcore.mice_and_mystics.players.registry import POLICIES
from simcore.mice_and_mystics.players.weights import (
    Weights,
    own_weights,
    read_weights,
    write_weights,
)
from simcore.mice_and_mystics.table.compile_facts import compile_facts
from simcore.mice_and_mystics.table.records import Outcome
from simcore.mice_and_mystics.table.table import Table
from simcore.work.progress import Progress

#: The word for the weights that learning begins with.
FIRST = "first"


def _say(name: str, _there: Any) -> str | None:
    """How a setting is said that a training in a folder has otherwise than asked."""
    said = {
        "start": "other weights to begin with",
        "facts_hash": "other facts",
        "worlds": "other chapters, parties or switches",
    }
    return said.get(name)


#: The folder, and the file in it that says what was asked for.
FOLDER = training_folder({"facts_hash": str, "worlds": [dict]}, _say)
_TEST_GAMES = 20_000
# The shape of how often a world is won.
_BESIDE = {"heuristic": float, "heuristic_ci_low": float, "heuristic_ci_high": float}
_WIN = {"what": str, "win_rate": float, **MEASURED, **_BESIDE}
_POSITIONS = 40_000


@frozen(slots=False)
class TrainingRun:
    """A training that stands in a folder, begun or finished."""

    folder: Path
    facts: Facts
    training: Training
    identity: str

    @classmethod
    def begin(
        cls,
        folder: Path | None,
        facts: Facts,
        chapters: Sequence[Settings],
        *,
        start: str,
        games: int,
        evolution: Evolution,
    ) -> "TrainingRun":
        """Begin a training in ``folder``, or take it up again; None for one that is only asked for.

        Raises ValueError for weights that there are not, TableError for facts that the engine
        cannot play, and RunError for a folder that holds something else or cannot be written.
        """
        training = Training(worlds_of(facts, chapters), _weights(start), evolution, games)
        for world in training.worlds:
            compile_facts(facts, world)  # they can be played
        asked = {
            "start": training.start.tolist(),
            "generations": evolution.generations,
            "population": evolution.population,
            "games": games,
            "spread": evolution.spread,
            "seed": evolution.seed,
            "facts_hash": facts_hash(facts),
            "worlds": [world.as_json() for world in training.worlds],
        }
        identity = "" if folder is None else begin_training(FOLDER, folder, asked)
        return cls(folder or Path(), facts, training, identity)

    @property
    def games(self) -> list[tuple[str, int]]:
        """Who plays how many games in each world: the learner to learn and to be judged, and both.

        Candidates play them, now and then what has been learned so far, and at the end the outcome.
        """
        evolution = self.training.evolution
        judged = len(range(0, evolution.generations, PAST_EVERY))
        tried = evolution.generations * evolution.population + judged
        own = tried * self.training.games + _POSITIONS + _TEST_GAMES
        return [("learned", own), ("heuristic", _TEST_GAMES)]

    @cached_property
    def tables(self) -> list[Table]:
        """What is played, compiled."""
        return [compile_facts(self.facts, world) for world in self.training.worlds]

    @property
    def names(self) -> list[str]:
        """What the worlds are called, each once."""
        return list(dict.fromkeys(map(_name, self.tables)))

    def finish(
        self, *, threads: int | None, executor: Executor | None, on_progress: Progress
    ) -> dict[str, Any]:
        """Train to the end; write weights and chart, and return files and win rates.

        ``wins`` has the win rate in each world that was trained in, in games that training did not
        see: ``what`` it is, ``win_rate`` as `reports.training.scores.measured` tells it, and
        ``heuristic``, the win rate of that player in the same games, with the ends of its interval.
        """
        seed = self.training.evolution.seed
        weights = train(
            self.facts,
            self.training,
            curve=self.folder / CURVE,
            threads=threads,
            executor=executor,
            on_progress=on_progress,
            identity=self.identity,
        )
        weights = fit_positions(self.tables, weights, n_games=_POSITIONS, seed=seed)
        path = self.folder / WEIGHTS
        write_weights(weights, path, heading=heading())
        wins = [self._test(table, weights) for table in self.tables]
        keep_scores(self.folder, self.identity, WEIGHTS, wins)
        return self._answer(wins)

    def finished(self) -> dict[str, Any] | None:
        """What `finish` returns, where the training is done; None where something is to be done."""
        generations = self.training.evolution.generations
        wins = read_scores(self.folder, self.identity, WEIGHTS, generations, [_WIN])
        return None if wins is None else self._answer(wins)

    def _answer(self, wins: list[dict[str, Any]]) -> dict[str, Any]:
        """Draw the chart; the files and win rates."""
        what = "games won, and 3 for each room"
        chart = write_learning(self.folder, self.identity, how=self.how, what=what)
        return {"weights": str(self.folder / WEIGHTS), "curve": str(chart), "wins": wins}

    @property
    def how(self) -> str:
        """How much was played, and the seed."""
        evolution = self.training.evolution
        parts = [
            f"{evolution.generations} generations of {evolution.population} candidates",
            f"{self.training.games:,} games each",
            f"in {' and '.join(self.names)}",
            f"seed {evolution.seed}",
        ]
        return " · ".join(parts)

    def _test(self, table: Table, weights: Weights) -> dict[str, Any]:
        """How often weights win fresh games of a world, and `heuristic` the same games."""
        seed = self.training.evolution.seed ^ 1
        _, (share,) = score([table], weights, n_games=_TEST_GAMES, seed=seed)
        usual = play_games(table, n_games=_TEST_GAMES, seed=seed, players=("heuristic",))
        beside = measured(float(np.mean(usual["outcome"] == Outcome.WIN)), _TEST_GAMES)
        return {
            "what": _name(table),
            **measured(share, _TEST_GAMES, name="win_rate"),
            "heuristic": beside["score"],
            "heuristic_ci_low": beside["ci_low"],
            "heuristic_ci_high": beside["ci_high"],
        }


def _name(table: Table) -> str:
    """What a world is called: its chapter, and who may play it."""
    settings = table.settings
    name = by_id(table.facts.chapters)[settings.chapter].name
    if settings.party:
        return f"{name} with {', '.join(settings.party)}"
    return f"{name} with any party" if settings.parties == "any" else name


def _weights(text: str) -> Weights:
    """The weights of a player or a file, or those that learning begins with."""
    if text == FIRST:
        return first_weights()
    if text in POLICIES and POLICIES[text].weights:
        return own_weights()
    if text.endswith(".toml"):
        return read_weights(Path(text))
    raise ValueError(
        f"--start is {text!r}; it is '{FIRST}', 'learned', or a file of weights that ends in .toml"
    )
