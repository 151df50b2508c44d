"""Learning from play what the player ``learned`` goes by.

The weights evolve (`simcore.evolution`) from those that ``weight_names.py`` begins with.  A
candidate's fitness is the share of games that it wins, and a little for how far it comes in those
that it does not.  All candidates of a generation play the same games: the same decks and, as long
as they decide alike, the same dice.

How good a position is, is learned in ``position_fit.py``.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from attrs import evolve as evolve_settings
from attrs import frozen

from card_data.mice_and_mystics.facts import Facts
from card_data.mice_and_mystics.settings import Settings, legal_parties
from simcore.evolution import PAST_EVERY, Evolution, Points, evolve
from simcore.mice_and_mystics.play.position_fit import FIRST_GAME
from simcore.mice_and_mystics.play.setup import SEATS, ChapterSetup
from simcore.mice_and_mystics.play.simulate import play_rows
from simcore.mice_and_mystics.players.seats import seat
from simcore.mice_and_mystics.players.weights import Weights
from simcore.mice_and_mystics.table.records import GAME_RECORD, Outcome
from simcore.mice_and_mystics.table.table import Table
from simcore.mice_and_mystics.table.weight_names import POSITION, START, WEIGHTS
from simcore.setup import new_task, read_task
from simcore.work.pieces import Piece, Workers
from simcore.work.progress import Meter, Progress

#: How one candidate did: its fitness.
_SCORE = np.dtype([("score", np.float64)])
# What a room of the route is worth beside a game won.
_EACH_ROOM = 0.03
# Weights of which a candidate tries smaller changes, since what they count is larger.
_SMALL = ("walk.", "place.far", "place.exit", "search.wheel", "search.room", "explore.wheel")


@frozen
class Training:
    """A training: everything that its outcome depends on, besides the facts.

    ``worlds`` are what is played, each a chapter with its settings; a candidate plays ``games`` of
    each.  ``start`` are the weights to begin with, shape (N_WEIGHTS,).
    """

    worlds: tuple[Settings, ...]
    start: Weights
    evolution: Evolution
    games: int = 800


def worlds_of(facts: Facts, chapters: Sequence[Settings]) -> tuple[Settings, ...]:
    """Chapters with their own parties and, where those are not all, with any party (S12)."""
    worlds = []
    for chapter in chapters:
        wide = evolve_settings(chapter, parties="any")
        worlds.append(chapter)
        if not chapter.party and len(legal_parties(facts, wide)) > len(
            legal_parties(facts, chapter)
        ):
            worlds.append(wide)
    return tuple(worlds)


def first_weights() -> Weights:
    """The weights to begin with, shape (N_WEIGHTS,)."""
    return np.array(START, np.float32)


def scales(start: Weights) -> npt.NDArray[np.float64]:
    """The step of each weight, shape (N_WEIGHTS,): half of it, within bounds.

    It is 0 for those of positions: no game of a candidate depends on them.
    """
    least = np.array([0.1 if name.startswith(_SMALL) else 0.3 for name in WEIGHTS])
    least[POSITION] = 0.0
    return np.clip(np.abs(start) / 2, least, 5 * least).astype(float)


def score(
    tables: Sequence[Table], weights: Weights, *, n_games: int, seed: int, first_game: int = 0
) -> tuple[float, list[float]]:
    """The fitness of weights in ``n_games`` of each table, and the share won with each."""
    fitness, won = 0.0, []
    for table in tables:
        rows = seat(table, ("learned",))
        rows[0]["players"]["weights"] = weights
        games = np.zeros(n_games, GAME_RECORD)
        play_rows(rows, seed=seed, first_game=first_game, out=games)
        won.append(float((games["outcome"] == Outcome.WIN).mean()))
        fitness += won[-1] + _EACH_ROOM * float(games["route_depth"].mean())
    return fitness / len(tables), won


@frozen
class _Trial:
    """What a generation plays: candidates, shape (n, N_WEIGHTS), on the same games."""

    candidates: npt.NDArray[np.float32]
    n_games: int
    seed: int
    first_game: int

    def piece(self, setups: Sequence[ChapterSetup]) -> Piece:
        """The fitness of all candidates, as what is to be played: rows of ``score``."""
        settings = {
            "candidates": self.candidates.tolist(),
            "n_games": self.n_games,
            "seed": self.seed,
            "first_game": self.first_game,
        }
        built = _Scores([one.table for one in setups], self)
        task = new_task(f"{__name__}:rebuild", setups, (), built, **settings)
        rows = range(len(self.candidates))
        return Piece(lambda: task, _SCORE, SEATS, rows, at_once=1, first_batch=1, units=0)


@frozen
class _Scores:
    """Finds how candidates do: the `RowPlayer` of a trial's task."""

    tables: Sequence[Table]
    trial: _Trial

    def play(self, first: int, out: np.ndarray) -> None:
        """Fill ``out`` with the fitness of candidates ``first`` and following."""
        trial = self.trial
        for row, weights in enumerate(trial.candidates[first : first + len(out)]):
            out["score"][row], _ = score(
                self.tables,
                weights,
                n_games=trial.n_games,
                seed=trial.seed,
                first_game=trial.first_game,
            )


def rebuild(settings: Mapping[str, Any], files: Mapping[str, bytes]) -> _Scores:
    """The player of a trial's task in another process.  Raises RunError as `read_task` does."""
    setups, _ = read_task(settings, files)
    numbers = {name: settings[name] for name in ("n_games", "seed", "first_game")}
    trial = _Trial(np.array(settings["candidates"], np.float32), **numbers)
    return _Scores([one.table for one in setups], trial)


def train(
    facts: Facts,
    training: Training,
    *,
    curve: Path,
    threads: int | None = None,
    executor: Executor | None = None,
    on_progress: Progress | None = None,
    identity: str = "",
) -> Weights:
    """The weights that training ends with, shape (N_WEIGHTS,).

    ``curve`` and ``identity`` are those of `simcore.evolution.evolve`; ``threads`` and ``executor``
    those of `simcore.work.pieces.Workers`; ``on_progress`` is told of generations.  Raises
    ValueError when ``curve`` is of another training.
    """
    step, games = scales(training.start), training.games
    learned = np.flatnonzero(step)
    seed = training.evolution.seed
    setups = [ChapterSetup(facts, world) for world in training.worlds]

    def weights_of(points: Points) -> npt.NDArray[np.float32]:
        weights = np.broadcast_to(training.start, (*points.shape[:-1], len(step))).astype(float)
        weights[..., learned] += step[learned] * points
        return weights.astype(np.float32)

    meter = Meter(training.evolution.generations, on_progress)
    with Workers(meter, threads=threads, executor=executor) as workers:

        def trial(number: int, points: Points, past: Points) -> tuple[Sequence[float], float]:
            renewed = number % PAST_EVERY == 0
            first = FIRST_GAME + number * games
            tried = np.vstack([points, past]) if renewed else points
            piece = _Trial(weights_of(tried), games, seed, first).piece(setups)
            (found,) = workers.finish([piece], lambda played: played.found["score"].tolist())
            return found[: len(points)], found[-1] if renewed else np.nan

        best = evolve(
            len(learned), training.evolution, trial, curve=curve, identity=identity, meter=meter
        )
    return weights_of(best)
