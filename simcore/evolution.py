"""Learning numbers from play: an evolution whose every generation is kept on disk.

The evolution strategy is that with covariance matrix adaptation (Hansen and Ostermeier 2001,
"Completely derandomized self-adaptation in evolution strategies"; the library ``cma``), restricted
to a diagonal matrix (Ros and Hansen 2008).  What a candidate is and how well it does, the game
says.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
from attrs import frozen

from simcore.arrays import Floats
from simcore.sealed import DamagedError, read_file, write_file
from simcore.work.progress import Meter

#: Generations after which `evolve` hands over another point as the past.
PAST_EVERY = 25

Points = Floats


@frozen
class Generation:
    """The results of one generation.

    ``scores`` are those of the candidates, more being better; ``strength`` is that of what has been
    learned so far, NaN in most generations.
    """

    number: int
    strength: float
    scores: tuple[float, ...]


@frozen
class Evolution:
    """How candidates are tried: ``spread`` is how far the first ones are from the start."""

    generations: int = 200
    population: int = 24
    spread: float = 0.3
    seed: int = 0


#: How the candidates of a generation do: from its number, their points of shape (population, n) and
#: the mean of an earlier generation, their scores and the strength of that mean.  The mean is one
#: of this very generation in every ``PAST_EVERY``-th, and strength is NaN in all others.
Trial = Callable[[int, Points, Points], tuple[Sequence[float], float]]


def evolve(
    n: int, evolution: Evolution, trial: Trial, *, curve: Path, identity: str, meter: Meter
) -> Points:
    """The point of n numbers that an evolution from 0 ends with, shape (n,).

    ``curve`` is a CSV file with a line for each generation.  It is also the checkpoint: generations
    that it already has are not tried again, and the outcome is the same.  Each line has a checksum
    over itself and ``identity``, which says what is learned.  ``meter`` is told of generations.
    Raises DamagedError when ``curve`` is of another training.
    """
    import cma

    rng = np.random.default_rng(evolution.seed)
    settings = {
        "popsize": evolution.population,
        "randn": lambda *shape: rng.standard_normal(shape),
        "CMA_diagonal": True,
        "verbose": -9,
        "seed": np.nan,
    }
    strategy = cma.CMAEvolutionStrategy(np.zeros(n), evolution.spread, settings)
    past = np.zeros(n)
    done = read_curve(curve, identity)
    for number in range(evolution.generations):
        points = np.array(strategy.ask())
        if number % PAST_EVERY == 0:
            past = np.array(strategy.mean)
        if number not in done:
            scores, strength = trial(number, points, past)
            in_short = tuple(round(float(score), 6) for score in scores)
            done[number] = Generation(number, round(strength, 6), in_short)
            keep_curve(curve, done, identity)
        strategy.tell(list(points), [-value for value in done[number].scores])
        meter.advance(1)
    return np.array(strategy.mean)


def read_curve(curve: Path, identity: str = "") -> dict[int, Generation]:
    """The finished generations of a training by their numbers; none of a line that is damaged.

    ``identity`` is that of `train`.  Raises DamagedError when the file is of another training, and
    RunError when it cannot be read.
    """
    try:
        text = read_file(curve).decode("utf-8", "replace")
    except FileNotFoundError:
        return {}
    found = {}
    _, *lines = text.splitlines(keepends=True) or [""]
    for line in lines:
        row, _, checksum = line.rpartition(",")
        if checksum == f"{_checksum(row, identity)}\n":
            number, strength, *scores = row.split(",")
            found[int(number)] = Generation(int(number), float(strength), tuple(map(float, scores)))
    if len(lines) > 1 and not found:
        raise DamagedError(
            f"{curve} is of another training, or damaged; choose another folder, or delete it"
        )
    return found


def keep_curve(curve: Path, done: Mapping[int, Generation], identity: str) -> None:
    """Write down the finished generations, by their numbers, for `read_curve`."""
    in_order = [done[number] for number in sorted(done)]
    names = (f"score_{i}" for i in range(len(in_order[0].scores)))
    lines = [",".join(["generation", "strength", *names, "checksum"])]
    for one in in_order:
        row = ",".join(map(str, [one.number, one.strength, *one.scores]))
        lines.append(f"{row},{_checksum(row, identity)}")
    write_file(curve, ("\n".join(lines) + "\n").encode())


def _checksum(row: str, identity: str) -> str:
    return hashlib.sha256(f"{identity}\n{row}".encode()).hexdigest()[:16]
