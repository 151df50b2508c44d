"""Intervals that hold together: as wide as the dependence asks, and no wider."""

import numpy as np
import pytest

from analysis.confidence import normal_z
from analysis.simultaneous import BLOCKS, apart_z, joint_width, joint_z


def influences(correlation: float, n_estimates: int, seed: int = 1) -> np.ndarray:
    """Influences of blocks on estimates that depend on each other through one common part."""
    rng = np.random.default_rng(seed)
    common, own = rng.standard_normal((BLOCKS, 1)), rng.standard_normal((BLOCKS, n_estimates))
    return np.sqrt(correlation) * common + np.sqrt(1 - correlation) * own


def test_one_estimate_has_the_usual_interval() -> None:
    """A family of one needs 1.96 standard errors, however its size is asked for."""
    assert apart_z(1) == pytest.approx(normal_z())
    assert joint_z(influences(0, 1)) == pytest.approx(normal_z(), abs=0.03)
    assert joint_z(np.repeat(influences(0, 1), 50, axis=1)) == pytest.approx(normal_z(), abs=0.03)
    assert joint_z(np.zeros((BLOCKS, 1))) == pytest.approx(normal_z(), abs=0.03)


@pytest.mark.parametrize(("number", "known"), [(3, 2.388), (40, 3.220), (400, 3.830)])
def test_apart_estimates_need_sidak_s_width(number: int, known: float) -> None:
    """Without any dependence the two agree, and columns without influence count as apart."""
    assert apart_z(number) == pytest.approx(known, abs=0.001)
    assert joint_z(influences(0, number)) == pytest.approx(known, abs=0.05)
    half = influences(0, number)
    half[:, number // 2 :] = 0
    assert joint_z(half) == pytest.approx(known, abs=0.05)


@pytest.mark.parametrize("correlation", [0.5, 0.9])
def test_dependence_makes_the_width_smaller_and_right(correlation: float) -> None:
    """Of 5,000 families with that correlation 95% lie within the width."""
    z = joint_z(influences(correlation, 60))
    assert z < apart_z(60) - 0.1
    rng = np.random.default_rng(2)
    common, own = rng.standard_normal((5000, 1)), rng.standard_normal((5000, 60))
    families = np.sqrt(correlation) * common + np.sqrt(1 - correlation) * own
    assert (np.abs(families).max(axis=1) < z).mean() == pytest.approx(0.95, abs=0.012)


def test_the_same_influences_give_the_same_width() -> None:
    """Nothing is left to the clock, and the scale of an estimate does not matter."""
    mine = influences(0.3, 20)
    assert joint_z(mine) == joint_z(mine.copy()) == joint_z(mine * np.arange(1, 21))


def test_one_width_for_all_holds_together() -> None:
    """Equal errors need Sidak's width; one far above the others needs its own; none is infinite."""
    alike = np.full((2, 32), 0.5)
    assert joint_width(alike) == pytest.approx(0.5 * apart_z(32))
    one = np.r_[1.0, np.full(31, 0.01)]
    assert joint_width(one) == pytest.approx(normal_z())
    unknown = np.array([[1.0, np.inf], [1.0, 1.0]])
    assert list(np.isfinite(joint_width(unknown))) == [False, True]
    errors = np.linspace(0.5, 1, 40)
    width = float(joint_width(errors))
    noise = np.random.default_rng(1).standard_normal((20_000, 40)) * errors
    assert (np.abs(noise).max(axis=1) < width).mean() == pytest.approx(0.95, abs=0.006)
    assert width < 0.97 * apart_z(40)
