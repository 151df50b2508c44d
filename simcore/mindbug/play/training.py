"""Learning from play how to choose.

The weights of ``heuristic.py`` evolve (`simcore.evolution`) against frozen players.  A candidate's
fitness is its score against a panel: the players asked for, and its own past.  All candidates of a
generation play the same deals with the same luck, from both sides, so that what differs is how they
play.

How good a position is, is learned in ``position_fit.py``.
"""

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from attrs import frozen

from card_data.mindbug.schema import Pool
from simcore.evolution import PAST_EVERY, Evolution, Points, evolve
from simcore.mindbug.play.position_fit import FIRST_GAME
from simcore.mindbug.play.setup import PoolSetup
from simcore.mindbug.play.simulate import play_rows
from simcore.mindbug.players.seats import seat, seat_weights
from simcore.mindbug.players.weights import Weights
from simcore.mindbug.table.card_table import CardTable
from simcore.mindbug.table.records import SEATS
from simcore.mindbug.table.weight_names import POSITION, SEARCHING, SECTIONS, WEIGHTS
from simcore.setup import new_task, read_task
from simcore.work.pieces import Piece, Workers
from simcore.work.progress import Meter, Progress

#: How one candidate did: the share of games that it won.
_SCORE = np.dtype([("score", np.float64)])


@frozen
class Training:
    """A training: everything that its outcome depends on, besides the cards.

    ``start`` are the weights to begin with, shape (N_WEIGHTS,); ``panel`` are players as
    `players.parse_player` reads them; ``games`` are played by a candidate against each of them in
    each pool, half from either seat, and ``times`` as many against some, all 1 if not given;
    ``self_play`` adds the learner's past, once.  ``only`` are the sections of weights that are
    learned, as `weights.SECTIONS` names them; the others stay as they are.
    """

    start: Weights
    panel: tuple[str, ...] = ("heuristic",)
    times: tuple[int, ...] | None = None
    self_play: bool = True
    generations: int = 200
    population: int = 24
    games: int = 1000
    spread: float = 0.3
    seed: int = 0
    only: tuple[str, ...] = SECTIONS


def scales(start: Weights) -> npt.NDArray[np.float64]:
    """The step of each weight, shape (N_WEIGHTS,): half of it, at least a little."""
    least = {"creature": 5.0, "rule": 8.0, "effect": 0.2, "ability": 0.2}
    floor = [least.get(name.split(".")[0], 5.0) for name in WEIGHTS]
    small = [0.2 if text.startswith("share") else 5.0 for text in WEIGHTS.values()]
    return np.maximum(np.abs(start) * 0.5, np.minimum(floor, small)).astype(float)


def learned_places(only: Sequence[str]) -> npt.NDArray[np.intp]:
    """Places of the weights of these sections that are learned: what games of a candidate show.

    What positions are worth and how far a search looks is not: no such game depends on it.
    """
    return np.setdiff1d(_places(only), POSITION + SEARCHING)


def _places(sections: Sequence[str]) -> npt.NDArray[np.intp]:
    return np.flatnonzero([name.split(".")[0] in sections for name in WEIGHTS])


def score(
    tables: Sequence[CardTable],
    weights: Weights,
    opponents: Sequence[str | Weights],
    *,
    n_games: int,
    seed: int,
    first_game: int = 0,
    times: Sequence[int] | None = None,
) -> float:
    """Share of games that weights win against opponents, draws counted half, seats balanced.

    ``opponents`` are players as text, or weights; ``n_games`` are played against each with each
    table, or ``times`` as many.  Raises ValueError as `players.seat` does.
    """
    won = played = 0.0
    for table in tables:
        for opponent, often in zip(opponents, times or [1] * len(opponents), strict=True):
            numbers = np.arange(first_game, first_game + often * (n_games // 2))
            for place in range(2):
                name = opponent if isinstance(opponent, str) else "heuristic"
                players = ("heuristic", name) if place == 0 else (name, "heuristic")
                rows = seat(table, players)
                seat_weights(table, rows, place, weights)
                if not isinstance(opponent, str):
                    seat_weights(table, rows, 1 - place, opponent)
                games = play_rows(rows, seed=seed, games=numbers)
                winner = games["winner"]
                won += (winner == place).sum() + 0.5 * (winner == -1).sum()
                played += len(games)
    return won / played


@frozen
class Match:
    """What a generation plays: candidates against the same opponents on the same deals.

    ``candidates`` are weights, shape (n, N_WEIGHTS); the rest is as in `score`.
    """

    candidates: npt.NDArray[np.float32]
    opponents: tuple[str | Weights, ...]
    times: tuple[int, ...]
    n_games: int
    seed: int
    first_game: int

    def piece(self, setups: Sequence[PoolSetup]) -> Piece:
        """The scores of all candidates, as what is to be played: rows of ``score``."""
        opponents = [one if isinstance(one, str) else one.tolist() for one in self.opponents]
        settings = {
            "candidates": self.candidates.tolist(),
            "opponents": opponents,
            "times": list(self.times),
            "n_games": self.n_games,
            "seed": self.seed,
            "first_game": self.first_game,
        }
        players = [one for one in self.opponents if isinstance(one, str)]
        built = _Scores([one.table for one in setups], self)
        task = new_task(f"{__name__}:rebuild", setups, players, built, **settings)
        rows = range(len(self.candidates))
        return Piece(lambda: task, _SCORE, SEATS, rows, at_once=1, first_batch=1, units=0)


@frozen
class _Scores:
    """Finds how candidates do: the `RowPlayer` of a match's task."""

    tables: Sequence[CardTable]
    match: Match

    def play(self, first: int, out: np.ndarray) -> None:
        """Fill ``out`` with the scores of candidates ``first`` and following."""
        match = self.match
        for row, weights in enumerate(match.candidates[first : first + len(out)]):
            out["score"][row] = score(
                self.tables,
                weights,
                match.opponents,
                n_games=match.n_games,
                seed=match.seed,
                first_game=match.first_game,
                times=match.times,
            )


def rebuild(settings: Mapping[str, Any], files: Mapping[str, bytes]) -> _Scores:
    """The player of a match's task in another process.  Raises RunError as `read_task` does."""
    numbers = {name: settings[name] for name in ("n_games", "seed", "first_game")}
    setups, players = read_task(settings, files)
    opponents = (
        players[one] if isinstance(one, str) else np.array(one, np.float32)
        for one in settings["opponents"]
    )
    candidates = np.array(settings["candidates"], np.float32)
    match = Match(candidates, tuple(opponents), tuple(settings["times"]), **numbers)
    return _Scores([one.table for one in setups], match)


def train(
    pools: Sequence[Pool],
    training: Training,
    *,
    curve: Path,
    threads: int | None = None,
    executor: Executor | None = None,
    on_progress: Progress | None = None,
    identity: str = "",
) -> Weights:
    """The weights that training ends with, shape (N_WEIGHTS,).

    ``curve`` is a CSV file with a line for each generation.  It is also the checkpoint: generations
    that it already has are not played again, and the outcome is the same.  Each line has a checksum
    over itself and ``identity``, which says what is trained.  ``threads`` and ``executor`` are
    those of `simcore.work.pieces.Workers`; ``on_progress`` is told of generations.  Raises
    ValueError as `players.seat` does, and when ``curve`` is of another training.
    """
    places, learned = _places(training.only), learned_places(training.only)
    step = scales(training.start)

    def weights_of(point: npt.NDArray[np.float64]) -> Weights:
        moved = training.start.astype(np.float64)
        moved[places] += step[places] * point
        weights = training.start.copy()
        weights[learned] = moved[learned]
        return weights

    setups = [PoolSetup(pool) for pool in pools]
    meter = Meter(training.generations, on_progress)
    with Workers(meter, threads=threads, executor=executor) as workers:

        def trial(number: int, points: Points, past: Points) -> tuple[Sequence[float], float]:
            candidates = np.array([weights_of(point) for point in points])
            renewed = number % PAST_EVERY == 0
            matches = _matches(training, number, candidates, weights_of(past), renewed=renewed)
            pieces = (match.piece(setups) for match in matches)
            scores = list(workers.finish(pieces, lambda played: played.found["score"]))
            return scores[0].tolist(), float(scores[1][0]) if renewed else np.nan

        evolution = Evolution(
            training.generations, training.population, training.spread, training.seed
        )
        best = evolve(len(places), evolution, trial, curve=curve, identity=identity, meter=meter)
    return weights_of(best)


def _matches(
    training: Training,
    number: int,
    candidates: npt.NDArray[np.float32],
    past: Weights,
    *,
    renewed: bool,
) -> Iterator[Match]:
    """What a generation plays: the candidates, and its past where that has been ``renewed``."""
    times = training.times or (1,) * len(training.panel)
    # No generation plays games of another.
    first_game = FIRST_GAME + number * training.games * max(times)
    games = training.games, training.seed, first_game
    panel: tuple[str | Weights, ...] = training.panel
    own = training.self_play
    yield Match(candidates, (*panel, past) if own else panel, (*times, 1) if own else times, *games)
    if renewed:
        yield Match(past[None], panel, (1,) * len(panel), *games)
