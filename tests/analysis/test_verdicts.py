"""Verdicts on planted advantages."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.estimates import Estimate
from analysis.mindbug.selections import VERDICTS
from analysis.verdicts import BALANCED, BAND, MIN_GAMES, STRONG, UNDECIDED, WEAK, judge


def advantages(values: list[float], std_err: float, n: int = 10_000) -> Estimate:
    """Estimates with equal standard errors."""
    estimate, errors = np.array(values), np.full(len(values), std_err)
    return Estimate(
        estimate, estimate - 2 * errors, estimate + 2 * errors, errors, np.full(len(values), n)
    )


def test_verdicts_follow_the_band() -> None:
    """Cards far outside the band stand out, cards well inside are balanced, others undecided."""
    judged = judge(advantages([0.05, -0.05, 0.004, BAND], 0.002))
    assert list(judged["verdict"]) == [STRONG, WEAK, BALANCED, UNDECIDED]
    assert set(judged["verdict"]) == set(VERDICTS)
    assert judged["p_value"][2] == pytest.approx(0.0455, abs=1e-4)


def test_few_games_decide_nothing() -> None:
    """Whatever the estimate, fewer than the least number of games give no verdict."""
    judged = judge(advantages([0.4, 0.0], 0.001, n=MIN_GAMES - 1))
    assert list(judged["verdict"]) == [UNDECIDED, UNDECIDED]
    assert judged["q_value"].isna().all()


def test_wide_intervals_decide_nothing() -> None:
    """A card without an advantage is not shown balanced when the games are too few for it."""
    assert list(judge(advantages([0.0], BAND))["verdict"]) == [UNDECIDED]


def test_false_discoveries_are_rare() -> None:
    """Among cards on the edge of the band, hardly a run in twenty calls one an outlier."""
    rng = np.random.default_rng(4)
    called = 0
    for _ in range(400):
        values = BAND + 0.01 * rng.standard_normal(40)
        called += bool((judge(advantages(list(values), 0.01))["verdict"] == STRONG).any())
    assert called / 400 == pytest.approx(0.05, abs=0.03)


def test_more_cards_need_more_evidence() -> None:
    """The same advantage is called an outlier alone and not among a hundred average cards."""
    alone = judge(advantages([BAND + 0.0025], 0.001))
    among = judge(advantages([BAND + 0.0025] + [BAND] * 100, 0.001))
    assert (alone["verdict"][0], among["verdict"][0]) == (STRONG, UNDECIDED)


def test_band_must_make_sense() -> None:
    """A band of zero is an error that says what is possible."""
    with pytest.raises(ValueError, match="between 0 and 1"):
        judge(advantages([0.0], 0.1), band=0)
