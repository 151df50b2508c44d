"""The evolution finds what scores best, and goes on where it was interrupted."""

from pathlib import Path

import numpy as np
import pytest

from simcore.evolution import PAST_EVERY, Evolution, Points, evolve, read_curve
from simcore.work.progress import Meter

_BEST = np.array([1.0, -2.0, 0.5])


def _distances(number: int, points: Points, past: Points) -> tuple[list[float], float]:
    """Points nearer to the best one score more."""
    strength = -float(np.linalg.norm(past - _BEST)) if number % PAST_EVERY == 0 else np.nan
    return [-float(np.linalg.norm(point - _BEST)) for point in points], strength


def _learn(curve: Path, generations: int, seed: int = 3) -> Points:
    evolution = Evolution(generations, population=12, seed=seed)
    meter = Meter(generations, None)
    return evolve(3, evolution, _distances, curve=curve, identity="a test", meter=meter)


def test_an_evolution_finds_the_best_point(tmp_path: Path) -> None:
    """Three numbers are found to within a hundredth; strength is measured now and then."""
    np.testing.assert_allclose(_learn(tmp_path / "curve.csv", 80), _BEST, atol=0.01)
    kept = read_curve(tmp_path / "curve.csv", "a test")
    assert [n for n, one in kept.items() if not np.isnan(one.strength)] == [0, 25, 50, 75]


def test_an_interrupted_evolution_ends_as_if_it_had_not_been(tmp_path: Path) -> None:
    """Generations that the curve has are not tried again, and the end is the same to the bit."""
    whole = _learn(tmp_path / "whole.csv", 30)
    _learn(tmp_path / "cut.csv", 12)
    np.testing.assert_array_equal(_learn(tmp_path / "cut.csv", 30), whole)
    assert (tmp_path / "cut.csv").read_bytes() == (tmp_path / "whole.csv").read_bytes()


def test_the_curve_of_another_training_is_refused(tmp_path: Path) -> None:
    """A curve says what is learned; it is not gone on with for something else."""
    _learn(tmp_path / "curve.csv", 3)
    with pytest.raises(ValueError, match="of another training"):
        read_curve(tmp_path / "curve.csv", "something else")
