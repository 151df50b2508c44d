"""The best option is chosen as NumPy would: the first of those with the most points."""

import numpy as np
import pytest

from simcore.jit import cached_kernel
from simcore.mindbug.players.best_option import NO_RANK, _best_option, _option_of, _rank
from simcore.mindbug.table.state import GAME_STATE, MAX_OPTIONS


@cached_kernel
def _best(states):
    return _best_option(states[0])


@cached_kernel
def _best_by_rank(points):
    best = NO_RANK
    for option in range(len(points)):
        best = max(best, _rank(points[option], option))
    return _option_of(best)


@pytest.mark.parametrize("n_options", [1, 2, 3, 17, MAX_OPTIONS])
def test_the_first_of_the_best(n_options: int) -> None:
    """Ties go to the option that comes first; what lies behind the options is not looked at."""
    rng = np.random.default_rng(n_options)
    states = np.zeros(1, GAME_STATE)
    states["n_options"] = n_options
    for _ in range(200):
        points = rng.integers(-2, 3, MAX_OPTIONS) / 4
        states[0]["points"] = points
        assert _best(states) == np.argmax(points[:n_options])


def test_options_that_are_not_compared() -> None:
    """The first one is taken where points begin with NaN, whatever the others say."""
    states = np.zeros(1, GAME_STATE)
    states["n_options"] = 3
    states[0]["points"][:3] = np.nan, 1.0, 2.0
    assert _best(states) == 0


@pytest.mark.parametrize("n_options", [1, 2, 3, 17, MAX_OPTIONS])
def test_the_highest_rank(n_options: int) -> None:
    """The highest rank belongs to the first of the options with the most points, below 0 too."""
    rng = np.random.default_rng(n_options)
    for most in (-2_000_000, 0, 2_000_000):
        for _ in range(50):
            points = rng.integers(most - 2, most, n_options, endpoint=True)
            assert _best_by_rank(points) == np.argmax(points)
