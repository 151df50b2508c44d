"""Learning weights from play: candidates that evolve.

How candidates evolve is in `simcore.evolution`; what they play and how well they do, each game says
for itself.  All candidates of a generation play the same games, so that what differs is how they
play.
"""

import pickle
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack

import numpy as np
from attrs import frozen

from simcore.evolution import PAST_EVERY, Evolution, Points, evolve
from simcore.setup import Setup, new_task, read_task
from simcore.weights import Weights
from simcore.work.hands import Who
from simcore.work.pieces import Piece, Workers
from simcore.work.progress import Meter, Progress

#: The first game that is learned from: learning and later tests never play the same games.
FIRST_GAME = 1 << 40
# How one candidate did.
_SCORE = np.dtype([("score", np.float64)])
# Where the files of a task have candidates, and how they are scored.
_HOW = "how"


@frozen
class Candidates:
    """Weights that play the same games, and the `RowPlayer` that scores them.

    ``weights`` are of shape (n, n_weights).  ``score`` is a function at the top of a module, which
    other processes find there; it is called with the compiled ``setups``, weights, ``opponents``
    and, by its names, all of ``how``.
    """

    setups: Sequence[Setup]
    score: Callable[..., float]
    weights: Weights
    how: Mapping[str, Any]
    opponents: tuple[str, ...] = ()

    def piece(self) -> Piece:
        """Their scores, as what is to be played: rows of ``score``."""
        how, opponents = (self.score, self.weights, self.how), self.opponents
        task = new_task(
            f"{__name__}:rebuild",
            self.setups,
            opponents,
            self,
            more_files={_HOW: pickle.dumps(how)},
            opponents=[*opponents],
        )
        seats, rows = self.setups[0].seats, range(len(self.weights))
        return Piece(lambda: task, _SCORE, seats, rows, at_once=1, first_batch=1, units=0)

    def play(self, first: int, out: np.ndarray) -> None:
        """Fill ``out`` with the scores of candidates ``first`` and following."""
        tables = [one.table for one in self.setups]
        for row, weights in enumerate(self.weights[first : first + len(out)]):
            out["score"][row] = self.score(tables, weights, self.opponents, **self.how)


def rebuild(settings: Mapping[str, Any], files: Mapping[str, bytes]) -> Candidates:
    """The player of a task in another process.  Raises RunError as `read_task` does."""
    setups, players = read_task(settings, files)
    score, weights, how = pickle.loads(files[_HOW])
    return Candidates(
        setups, score, weights, how, tuple(players[one] for one in settings["opponents"])
    )


@frozen(kw_only=True)
class Training(ABC):
    """Everything that the outcome of a training depends on, besides what is played.

    ``start`` are the weights to begin with, (n_weights,); a candidate plays so many ``games``.
    """

    start: Weights
    evolution: Evolution
    games: int

    @property
    def seed(self) -> int:
        """The seed of its games."""
        return self.evolution.seed

    @property
    def numbers(self) -> dict[str, Any]:
        """How much is played, as values of JSON."""
        tried = self.evolution
        return {
            "generations": tried.generations,
            "population": tried.population,
            "games": self.games,
            "spread": tried.spread,
            "seed": self.seed,
        }

    @property
    @abstractmethod
    def steps(self) -> Mapping[int, float]:
        """How far the weights at some places move with the numbers of a candidate."""

    @abstractmethod
    def play(
        self, setups: Sequence[Any], number: int, weights: Weights, past: Weights, measured: bool
    ) -> Iterable[Candidates]:
        """What a generation plays: its weights, in that order.

        ``past`` are those of an earlier generation, whose score comes last if it is ``measured``.
        """


def train(
    setups: Sequence[Setup],
    training: Training,
    *,
    curve: Path,
    on_progress: Progress | None = None,
    identity: str = "",
    **who: Unpack[Who],
) -> Weights:
    """The weights that training ends with, (n_weights,).

    ``curve`` is a CSV file with a line for each generation, which is also the checkpoint, and
    ``identity`` says what is trained (`simcore.evolution.evolve`).  ``who`` is as
    `Workers` take it; ``on_progress`` is told of generations.  Raises DamagedError when
    ``curve`` is of another training, and what playing raises.
    """
    start, evolution, steps = training.start, training.evolution, training.steps
    places, step = [*steps], np.array([*steps.values()])

    def weights_of(points: Points) -> Weights:
        moved = np.broadcast_to(start, (*points.shape[:-1], len(start))).astype(float)
        moved[..., places] += step * points
        return moved.astype(np.float32)

    meter = Meter(evolution.generations, on_progress)
    with Workers(meter, **who) as workers:

        def trial(number: int, points: Points, past: Points) -> tuple[Sequence[float], float]:
            renewed = number % PAST_EVERY == 0
            played = training.play(setups, number, weights_of(points), weights_of(past), renewed)
            pieces = (candidates.piece() for candidates in played)
            found = [*workers.finish(pieces, lambda finished: finished.found["score"])]
            scores = np.concatenate(found).tolist()
            return scores[: len(points)], scores[-1] if renewed else np.nan

        return weights_of(
            evolve(len(places), evolution, trial, curve=curve, identity=identity, meter=meter)
        )
