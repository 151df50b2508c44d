"""Verdicts: the one word that an interval allows, and intervals of many that fit their words."""

import numpy as np
import pandas as pd
import pytest

from analysis.confidence import confidence, normal_z
from analysis.estimates import Estimate, adjust_p, corrected, two_sided_p
from analysis.simultaneous import of_enough_games, together
from analysis.verdicts import (
    BAND,
    CHANGES,
    FAIR,
    LESS,
    MIN_GAMES,
    MORE,
    NEEDS_GAMES,
    NOT_SETTLED,
    SAME,
    TOO_STRONG,
    TOO_WEAK,
    VERDICTS,
    changes,
    is_settled,
    judge,
    verdict,
    verdicts,
)


def advantages(values: list[float], std_err: float, n: int = 10_000) -> Estimate:
    """Estimates with equal standard errors, each with an interval of its own."""
    estimate, errors = np.array(values), np.full(len(values), std_err)
    return Estimate(
        estimate,
        estimate - normal_z() * errors,
        estimate + normal_z() * errors,
        errors,
        np.full(len(values), n),
    )


@pytest.mark.parametrize(
    ("low", "high", "word"),
    [
        (0.021, 0.03, TOO_STRONG),
        (-0.03, -0.021, TOO_WEAK),
        (-0.02, 0.02, FAIR),
        (-0.001, 0.001, FAIR),
        (0.01, 0.03, NEEDS_GAMES),
        (-0.03, 0.03, NEEDS_GAMES),
        (np.nan, np.nan, NEEDS_GAMES),
    ],
)
def test_a_verdict_is_where_its_interval_lies(low: float, high: float, word: str) -> None:
    """Above, below or inside the band, wherever that is; the other side's words are reversed."""
    assert verdict(low, high, band=BAND) == word
    assert verdict(0.25 + low, 0.25 + high, band=BAND + 1e-12, null=0.25) == word
    turned = {TOO_STRONG: TOO_WEAK, TOO_WEAK: TOO_STRONG}.get(word, word)
    assert verdict(low, high, band=BAND, of_foe=True) == turned


@pytest.mark.parametrize(
    ("low", "high", "word"),
    [
        (0.001, 0.002, MORE),
        (-0.002, -0.001, LESS),
        (-0.001, 0.005, SAME),
        (0.0, 0.0, SAME),
        (-0.001, 0.02, NOT_SETTLED),
        (np.nan, np.nan, NOT_SETTLED),
    ],
)
def test_a_difference_has_the_word_of_its_interval(low: float, high: float, word: str) -> None:
    """More or less where zero is left out, the same inside the band, otherwise not settled."""
    assert str(changes(low, high, band=0.01)) == word
    row = pd.Series({"x_ci_low": low, "x_ci_high": high})
    assert is_settled(row, "x") == (word in (MORE, LESS))
    assert set(CHANGES) == {MORE, LESS, SAME, NOT_SETTLED}


def test_judged_are_the_intervals_that_are_given() -> None:
    """One table of words; p-values are those of no difference at all."""
    judged = judge(advantages([0.05, -0.05, 0.004, BAND], 0.002))
    assert list(judged["verdict"]) == [TOO_STRONG, TOO_WEAK, FAIR, NEEDS_GAMES]
    assert set(judged["verdict"]) == set(VERDICTS)
    assert judged["p_value"][2] == pytest.approx(0.0455, abs=1e-4)


def test_intervals_of_many_hold_together() -> None:
    """Among forty cards on the edge of the band, hardly a run in twenty has one outside it."""
    rng = np.random.default_rng(4)
    wrong = 0
    for _ in range(400):
        values = BAND + 0.01 * rng.standard_normal(40)
        found = together(advantages(list(values), 0.01))
        wrong += bool(((found.ci_low > BAND) | (found.ci_high < BAND)).any())
        assert (judge(found)["verdict"] == verdicts(*found[1:3], band=BAND)).all()
    assert wrong / 400 == pytest.approx(0.05, abs=0.03)


def test_one_by_itself_keeps_its_interval() -> None:
    """Together with none an interval is what it was; nan is no member of the family."""
    alone = advantages([0.01], 0.002)
    for mine, theirs in zip(alone, together(alone), strict=True):
        np.testing.assert_allclose(mine, theirs)
    unknown = Estimate(*(np.append(one, np.nan) for one in alone))
    assert together(unknown).ci_low[0] == pytest.approx(alone.ci_low[0])


def test_more_cards_need_more_evidence() -> None:
    """The same advantage is too strong by itself, and not among a hundred others."""
    alone = judge(together(advantages([BAND + 0.0025], 0.001)))
    among = judge(together(advantages([BAND + 0.0025] + [BAND] * 100, 0.001)))
    assert (alone["verdict"][0], among["verdict"][0]) == (TOO_STRONG, NEEDS_GAMES)


def test_few_games_have_no_interval() -> None:
    """Whatever a normal approximation says, fewer than the least number of games say nothing."""
    few = of_enough_games(advantages([0.4, 0.0], 0.001, n=MIN_GAMES - 1))
    assert list(judge(few)["verdict"]) == [NEEDS_GAMES, NEEDS_GAMES]
    assert judge(few)["q_value"].isna().all()


def test_corrected_intervals_leave_zero_out_where_the_tests_say_so() -> None:
    """Of any family: the interval beside a difference never contradicts its corrected test."""
    rng = np.random.default_rng(3)
    for _ in range(200):
        n = rng.integers(1, 60)
        errors = rng.uniform(0.2, 2, n)
        truths = rng.choice([0.0, 3.0], n) * errors
        values = truths + errors * rng.standard_normal(n)
        found = corrected(Estimate.normal(values, errors, np.full(n, 1000)))
        shown = adjust_p(two_sided_p(values, errors)) < 1 - confidence()
        assert (np.isin(changes(found.ci_low, found.ci_high), [MORE, LESS]) == shown).all()


def test_corrected_intervals_hold_where_they_leave_zero_out() -> None:
    """Of those that are picked for that, the promised share holds the truth."""
    rng = np.random.default_rng(5)
    picked = held = 0
    for _ in range(400):
        truths = rng.choice([0.0, 0.0, 2.0, 4.0], 40)
        values = truths + rng.standard_normal(40)
        low, high = corrected(Estimate.normal(values, np.ones(40), np.full(40, 1000)))[1:3]
        shown = (low > 0) | (high < 0)
        picked += int(shown.sum())
        held += int((shown & (low <= truths) & (truths <= high)).sum())
    assert picked > 3_000
    assert held / picked > 0.945


@pytest.mark.parametrize("band", [-0.01, 1])
def test_band_must_make_sense(band: float) -> None:
    """A band of less than nothing, or of all, is an error that says what is possible."""
    with pytest.raises(ValueError, match="between 0 and 1"):
        judge(advantages([0.0], 0.1), band=band)
