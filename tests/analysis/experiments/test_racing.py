"""Racing: successive halving over candidates that play the same games."""

from collections.abc import Sequence

import numpy as np

from analysis.mice_and_mystics.experiments.rebalance import race


def test_the_best_are_left_and_few_games_are_played() -> None:
    """Of 64 candidates with noisy gains those far ahead are left, for a fifth of all games."""
    rng = np.random.default_rng(1)
    truth = np.where(np.arange(64) % 16 == 5, 3.0, 0.0)
    asked: list[tuple[int, int]] = []

    def measure(candidates: Sequence[int], games: int) -> tuple[np.ndarray, np.ndarray]:
        asked.append((len(candidates), games))
        error = np.full(len(candidates), 10 / games**0.5)
        return truth[list(candidates)] + error * rng.standard_normal(len(candidates)), error

    raced = race(range(64), measure, first=100, most=1600, keep=4)
    assert set(raced.left) == {5, 21, 37, 53}
    assert asked == [(64, 100), (32, 200), (16, 400), (8, 800)]
    assert raced.games == 64 * 100 + 32 * 100 + 16 * 200 + 8 * 400
    assert raced.games < 64 * 1600 / 5


def test_who_is_shown_to_be_worse_is_out() -> None:
    """Candidates that clearly harm do not fill up the places."""

    def measure(candidates: Sequence[int], _: int) -> tuple[np.ndarray, np.ndarray]:
        return np.array([1.0 if one == 3 else -1.0 for one in candidates]), np.full(
            len(candidates), 0.1
        )

    assert race(range(9), measure, first=10, most=100, keep=5).left == (3,)


def test_few_candidates_do_not_race() -> None:
    """Where there is room for all, nothing is played."""
    raced = race(range(4), lambda *_: (np.empty(0), np.empty(0)), first=10, most=100, keep=4)
    assert raced == ((0, 1, 2, 3), 0)
