"""Intervals, families and tests at other confidence levels: they hold as often as they say."""

import numpy as np
import pytest
from scipy.special import ndtri

from analysis.confidence import (
    USUAL,
    at_confidence,
    confidence,
    confidence_said,
    normal_z,
    unusual_confidence,
)
from analysis.estimates import (
    Estimate,
    RatioSums,
    adjust_p,
    corrected,
    estimate_contrast,
    estimate_mean,
    estimate_rate,
    estimate_share,
    two_sided_p,
)
from analysis.panel import Panel, SpreadPrior
from analysis.shrinkage import shrink
from analysis.simultaneous import together
from analysis.stopping import Promise

LEVELS = (0.5, 0.8, 0.99)


def test_the_level_is_that_of_the_innermost_block() -> None:
    """It is the usual one outside, and again when a block is left by an error."""
    assert confidence() == USUAL and unusual_confidence() == {} and confidence_said() is None
    with at_confidence(0.9):
        assert normal_z() == pytest.approx(ndtri(0.95))
        assert confidence_said() == "90%"
        with at_confidence(0.8):
            assert unusual_confidence() == {"confidence": 0.8}
        assert confidence() == 0.9
        with pytest.raises(ZeroDivisionError), at_confidence(0.8):
            _ = 1 // 0
        assert confidence() == 0.9
    assert confidence() == USUAL


@pytest.mark.parametrize("level", [0.0, 0.49, 0.9995, 1.0, 90.0, float("nan")])
def test_a_level_that_is_none_is_refused(level: float) -> None:
    with pytest.raises(ValueError, match="must be between 50% and"), at_confidence(level):
        pass
    assert confidence() == USUAL


def holds(found: Estimate, truth: float) -> np.ndarray:
    """Which intervals hold the truth."""
    return (found.ci_low <= truth) & (truth <= found.ci_high)


@pytest.mark.parametrize("level", LEVELS)
def test_intervals_hold_as_often_as_they_say(level: float) -> None:
    """Rates, shares, means, differences from the same games, and shrunk estimates of a prior."""
    rng = np.random.default_rng(7)
    runs, games = 4000, 800
    won = rng.binomial(games, 0.3, runs)
    counts = np.column_stack([won, games - won])
    events = np.array([np.bincount(rng.poisson(2.0, games), minlength=16) for _ in range(runs)])
    cells = rng.multinomial(games, [0.3, 0.25, 0.25, 0.2], runs)  # first side wins, then second
    first, second = ([1, 1, 0, 0], [1, 0, 0, 0]), ([0, 0, 1, 1], [0, 0, 1, 0])
    with at_confidence(level):
        found = {
            "rate": holds(estimate_rate(RatioSums.of_cells(counts, [1, 1], [1, 0])), 0.3),
            "share": holds(estimate_share(won, games), 0.3),
            "mean": holds(
                estimate_mean(RatioSums.of_cells(events, np.ones(16), np.arange(16))), 2.0
            ),
            "contrast": holds(
                estimate_contrast(cells, [first, second], (1, -1)), 0.3 / 0.55 - 0.25 / 0.45
            ),
        }
        truth = rng.normal(0, 1, (40, 60))
        seen = truth + rng.normal(0, 1, truth.shape)
        shrunk = [shrink(one, np.ones(60)) for one in seen]
        found["shrunk"] = np.array(
            [
                (one.ci_low <= true) & (true <= one.ci_high)
                for one, true in zip(shrunk, truth, strict=True)
            ]
        )
    for name, hits in found.items():
        error = 4 * np.sqrt(level * (1 - level) / hits.size)
        assert np.mean(hits) == pytest.approx(level, abs=error + 0.012), name


@pytest.mark.parametrize("level", LEVELS)
def test_families_hold_together_as_often_as_they_say(level: float) -> None:
    """All of a family; and where all truths are zero, a corrected one is off as often as allowed.

    Word and interval agree: what a test finds at the level is what its interval leaves out.
    """
    rng = np.random.default_rng(8)
    all_hold, none_found = [], []
    with at_confidence(level):
        for values in rng.normal(0, 1, (1500, 20)):
            ends = values - normal_z(), values + normal_z()
            found = Estimate(values, *ends, np.ones(20), np.full(20, 1000.0))
            all_hold.append(holds(together(found), 0.0).all())
            fitted = corrected(found)
            left_out = (fitted.ci_low > 0) | (fitted.ci_high < 0)
            q_values = adjust_p(two_sided_p(values, np.ones(20)))
            assert list(left_out) == list(q_values < 1 - level)
            none_found.append(not left_out.any())
    assert np.mean(all_hold) == pytest.approx(level, abs=0.04)
    assert np.mean(none_found) == pytest.approx(level, abs=0.04)


def test_wider_levels_have_wider_intervals() -> None:
    """So it is of a panel of players and of a rule that ends a run, at either kind of promise."""
    rng = np.random.default_rng(9)
    estimates, covariance = rng.normal(0, 0.02, (8, 3)), np.tile(np.eye(3) * 1e-4, (8, 1, 1))
    prior = SpreadPrior(scale=0.004, factor=2.0, degrees=4.0)
    widths: dict[str, list[float]] = {}
    for level in (*LEVELS[:2], USUAL, LEVELS[2]):
        with at_confidence(level):
            panel = Panel(estimates, covariance, prior)
            for name, one in (("mean", panel.mean), ("further", panel.further)):
                widths.setdefault(name, []).append(float(np.mean(one.ci_high - one.ci_low)))
            for anytime in (False, True):
                promise = Promise(0.005, 10, anytime)
                width = promise.half_width(np.full(10, 0.001))
                widths.setdefault(f"anytime {anytime}", []).append(float(width.max()))
    for name, found in widths.items():
        assert found == sorted(found) and len({*found}) == len(found), name
