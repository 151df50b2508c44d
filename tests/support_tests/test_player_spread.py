"""By how much stronger play stretches advantages: what is planted is found."""

import numpy as np
import pytest

from analysis.confidence import normal_z
from support.player_spread import Known, slopes, stretch

SLOPE, ERRORS = 1.3, (0.6, 1.0)


def families(seed: int) -> tuple[list[Known], list[Known]]:
    """What the cards of three sets do among two players, each with errors of their own."""
    rng = np.random.default_rng(seed)
    sides: tuple[list[Known], list[Known]] = ([], [])
    for n in (12, 30, 32):
        true = rng.normal(0.5, 2.5, n)
        for side, of, error in zip(sides, (true, SLOPE * true), ERRORS, strict=True):
            errors = np.full(n, error)
            side.append((of + errors * rng.standard_normal(n), errors))
    return sides


def test_a_planted_slope_is_found() -> None:
    """The errors of neither side make it smaller, and its intervals hold."""
    found = np.array([stretch(*families(seed)) for seed in range(400)])
    slopes, errors = found.T
    assert slopes.mean() == pytest.approx(SLOPE, abs=0.01)
    assert 0.92 < np.mean(np.abs(slopes - SLOPE) <= normal_z() * errors) < 0.98


def test_errors_that_are_too_large_are_seen() -> None:
    """With the widths of intervals that hold together the slope would come out larger."""
    wide = [
        stretch([(x, 1.6 * error) for x, error in weaker], stronger)[0]
        for weaker, stronger in (families(seed) for seed in range(100))
    ]
    assert np.mean(wide) > SLOPE + 0.05


def test_the_table_sets_the_stronger_player_beside_the_weaker() -> None:
    """Of a player who has all cards twice as far from average the slope is 2, not 1."""
    weaker = np.linspace(-0.05, 0.05, 24), np.full(24, 1e-6)
    stronger = 2 * weaker[0], weaker[1]
    found = {("one", "weak"): [weaker], ("one", "strong"): [stronger]}
    *_, row = slopes(found, {"one set": ["one"]})
    assert row == "| one set | 2.00 (2.00 to 2.00) |"


def test_what_one_of_them_says_nothing_of_is_left_out() -> None:
    """A card that came up too rarely among one of the players is no part of the slope."""
    x, error = np.linspace(-0.05, 0.05, 24), np.full(24, 1e-6)
    seen = np.where(np.arange(24) % 5, x, np.nan)
    slope, _ = stretch([(seen, error)], [(2 * x, error)])
    assert slope == pytest.approx(2)
