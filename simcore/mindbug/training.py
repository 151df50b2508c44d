"""Learning weights from play: evolution of the weights of ``heuristic.py`` against frozen players.

The method is the evolution strategy with covariance matrix adaptation (Hansen and Ostermeier 2001,
"Completely derandomized self-adaptation in evolution strategies"; the library ``cma``), restricted
to a diagonal matrix (Ros and Hansen 2008).  A candidate's fitness is its score against a panel: the
players asked for, and its own past.  All candidates of a generation play the same deals with the
same luck, from both sides, so that what differs is how they play.
"""

import csv
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from attrs import frozen

from simcore.mindbug.card_table import CardTable
from simcore.mindbug.players import seat, seat_weights
from simcore.mindbug.simulate import play_rows
from simcore.mindbug.weights import N_WEIGHTS, WEIGHTS, Weights

_PAST_EVERY = 25  # generations after which the panel's copy of the learner is renewed
_FIRST_GAME = 1 << 40  # training and later tests never play the same games


@frozen
class Training:
    """What to train: everything that the outcome depends on, besides the cards.

    ``start`` are the weights to begin with, shape (N_WEIGHTS,); ``panel`` are players as
    `players.parse_player` reads them; ``games`` are played by a candidate against each member of
    the panel in each pool, half of them from either seat; ``self_play`` adds the learner's past.
    """

    start: Weights
    panel: tuple[str, ...] = ("heuristic",)
    self_play: bool = True
    generations: int = 200
    population: int = 24
    games: int = 1000
    spread: float = 0.3
    seed: int = 0


@frozen
class Generation:
    """How one generation did: number, scores of all candidates (share of wins), step size."""

    number: int
    scores: tuple[float, ...]
    step: float


def scales(start: Weights) -> npt.NDArray[np.float64]:
    """How far each weight moves in one step, shape (N_WEIGHTS,): half of it, at least a little."""
    least = {"creature": 5.0, "rule": 8.0, "effect": 0.2, "ability": 0.2}
    floor = [least.get(name.split(".")[0], 5.0) for name in WEIGHTS]
    small = [0.2 if text.startswith("share") else 5.0 for text in WEIGHTS.values()]
    return np.maximum(np.abs(start) * 0.5, np.minimum(floor, small)).astype(float)


def score(
    tables: Sequence[CardTable],
    weights: Weights,
    opponents: Sequence[str | Weights],
    *,
    n_games: int,
    seed: int,
    first_game: int = 0,
) -> float:
    """Share of games that weights win against opponents, draws counted half, seats balanced.

    ``opponents`` are players as text, or weights.  Raises ValueError as `players.seat` does.
    """
    won = played = 0.0
    for table in tables:
        for opponent in opponents:
            for place in range(2):
                name = opponent if isinstance(opponent, str) else "heuristic"
                players = ("heuristic", name) if place == 0 else (name, "heuristic")
                rows = seat(table, players)
                seat_weights(table, rows, place, weights)
                if not isinstance(opponent, str):
                    seat_weights(table, rows, 1 - place, opponent)
                games = play_rows(rows, n_games=n_games // 2, seed=seed, first_game=first_game)
                winner = games["winner"]
                won += (winner == place).sum() + 0.5 * (winner == -1).sum()
                played += len(games)
    return won / played


def train(
    tables: Sequence[CardTable],
    training: Training,
    *,
    curve: Path,
    threads: int = 1,
    on_generation: Callable[[Generation], None] | None = None,
) -> Weights:
    """The weights that training ends with, shape (N_WEIGHTS,).

    ``curve`` is a CSV file with a line for each generation: its scores.  It is also the checkpoint:
    generations that it already has are not played again, and the outcome is the same.  Raises
    ValueError as `players.seat` does, and when ``curve`` is of another training.
    """
    import cma

    rng = np.random.default_rng(training.seed)
    settings = {
        "popsize": training.population,
        "randn": lambda *shape: rng.standard_normal(shape),
        "CMA_diagonal": True,
        "verbose": -9,
        "seed": np.nan,
    }
    evolution = cma.CMAEvolutionStrategy(np.zeros(N_WEIGHTS), training.spread, settings)
    step = scales(training.start)

    def weights_of(point: npt.NDArray[np.float64]) -> Weights:
        return np.asarray(training.start + step * point, np.float32)

    past = training.start
    done = _read_curve(curve, training.population)
    with ThreadPoolExecutor(threads) as pool:
        for number in range(training.generations):
            points = evolution.ask()
            if number % _PAST_EVERY == 0:
                past = weights_of(evolution.mean)
            panel: list[Any] = [*training.panel, *([past] if training.self_play else [])]
            if number < len(done):
                scores = done[number]
            else:
                first = _FIRST_GAME + number * training.games
                jobs = [
                    pool.submit(
                        score,
                        tables,
                        weights_of(point),
                        panel,
                        n_games=training.games,
                        seed=training.seed,
                        first_game=first,
                    )
                    for point in points
                ]
                scores = tuple(round(job.result(), 6) for job in jobs)
                _add_line(curve, scores)
            evolution.tell(points, [-value for value in scores])
            if on_generation:
                on_generation(Generation(number, scores, float(evolution.sigma)))
    return weights_of(evolution.mean)


def _read_curve(curve: Path, population: int) -> list[tuple[float, ...]]:
    """The scores of finished generations.  A last line that was cut off is left out."""
    if not curve.exists():
        return []
    lines = curve.read_text("utf-8").splitlines(keepends=True)
    rows = list(csv.reader(line for line in lines[1:] if line.endswith("\n")))
    if any(len(row) != population + 1 for row in rows):
        raise ValueError(f"{curve} is of a training with another population; choose another folder")
    if lines and not lines[-1].endswith("\n"):
        curve.write_text("".join(lines[:-1]), "utf-8")
    return [tuple(map(float, row[1:])) for row in rows]


def _add_line(curve: Path, scores: Sequence[float]) -> None:
    """Write down one more finished generation."""
    new = not curve.exists()
    with curve.open("a", encoding="utf-8") as file:
        if new:
            file.write(",".join(["generation", *(f"score_{i}" for i in range(len(scores)))]) + "\n")
        number = sum(1 for _ in curve.open(encoding="utf-8")) - 1 if not new else 0
        file.write(",".join([str(number), *map(str, scores)]) + "\n")
