"""Estimates against statsmodels, and against planted truths."""

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy.stats import binom
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.proportion import proportion_confint

from analysis import estimates
from analysis.confidence import at_confidence, normal_z
from analysis.estimates import RatioSums, estimate_difference, estimate_rate, estimate_share
from analysis.mindbug.card_strength import cards_table
from analysis.mindbug.tallies import CardTraits, tally_games
from simcore.mindbug.table.card_table import CardTable
from support.synthetic import synthetic_cards, synthetic_games, true_dealt_win_rate

RANDOM = ("random", "random")


@pytest.fixture(scope="module")
def card_table() -> CardTable:
    """The cards of the games."""
    return synthetic_cards()


def cards_of(games: np.ndarray, card_table: CardTable) -> pd.DataFrame:
    """The table ``cards`` of some games."""
    tally = tally_games(games, CardTraits.of(card_table.cards), same_policy=True, mindbugs_each=2)
    return cards_table(tally, [("synthetic", card) for card in card_table.cards], RANDOM)


def test_intervals_cover_planted_rates(card_table: CardTable) -> None:
    """In 300 small runs 95% of the intervals contain the known win rate of the card."""
    worth = np.linspace(-0.03, 0.03, 16)
    truth = np.array([true_dealt_win_rate(card, worth) for card in range(16)])
    assert np.ptp(truth) > 0.04
    covered, std_errors, rates = [], [], []
    for seed in range(300):
        table = cards_of(synthetic_games(card_table, 300, seed=seed, worth=worth), card_table)
        covered.append((table["dealt_ci_low"] <= truth) & (truth <= table["dealt_ci_high"]))
        rates.append(table["dealt_win_rate"])
        std_errors.append((table["dealt_ci_high"] - table["dealt_ci_low"]) / 2 / normal_z())
    assert np.mean(covered) == pytest.approx(0.95, abs=0.01)
    assert np.mean(rates, axis=0) == pytest.approx(truth, abs=0.006)
    spread = np.std(rates, axis=0)
    assert np.mean(std_errors, axis=0) == pytest.approx(spread, rel=0.15)
    as_if_independent = np.sqrt(0.25 / table["dealt_n"].mean())
    assert spread.mean() < 0.9 * as_if_independent


def test_card_held_by_both_players_is_certain() -> None:
    """A card that both players hold in every game wins exactly half, without sampling error."""
    always_both = RatioSums.of_cells([400, 600], n=[2, 2], s=[1, 1])
    rate = estimate_rate(always_both)
    assert float(rate.estimate) == 0.5
    assert float(rate.std_err) == 0


def test_clustered_rate_is_that_of_statsmodels() -> None:
    """Rate and standard error are those of a regression on a constant, clustered by game."""
    rng = np.random.default_rng(1)
    cells = np.array([[1, 0], [1, 1], [1, 0.5], [2, 1], [2, 2], [2, 0.5]])
    counts = rng.integers(5, 40, len(cells))
    scores: list[float] = []
    clusters: list[int] = []
    for (n, s), count in zip(cells, counts, strict=True):
        for _ in range(count):
            cluster = clusters[-1] + 1 if clusters else 0
            scores += [s / n] * int(n)
            clusters += [cluster] * int(n)
    fit = sm.OLS(scores, np.ones(len(scores))).fit(
        cov_type="cluster", cov_kwds={"groups": np.array(clusters)}
    )
    rate = estimate_rate(RatioSums.of_cells(counts, *cells.T))
    assert rate.estimate == pytest.approx(fit.params[0])
    assert rate.std_err == pytest.approx(fit.bse[0])
    effective = rate.estimate * (1 - rate.estimate) / fit.bse[0] ** 2
    low, high = proportion_confint(effective * rate.estimate, effective, method="wilson")
    assert (rate.ci_low, rate.ci_high) == pytest.approx((low, high))


def single(n: int) -> RatioSums:
    """All results of ``n`` games with one observation each, by the number of wins."""
    wins = np.arange(n + 1)
    return RatioSums.of_cells(np.stack([wins, n - wins], axis=1), n=[1, 1], s=[1, 0])


@pytest.mark.parametrize("n", [1, 2, 3, 9, 29])
def test_few_single_observations_count_in_full(n: int) -> None:
    """Observations in a game each are independent: their rate has Wilson's interval."""
    rate = estimate_rate(single(n))
    low, high = proportion_confint(np.arange(n + 1), n, method="wilson")
    assert rate.ci_low == pytest.approx(low) and rate.ci_high == pytest.approx(high)


def test_rates_of_few_games_have_honest_intervals() -> None:
    """Of 3 to 9 games, and with true rates of 70 to 80%, 93 to 97% of the intervals hold.

    All results count, each with its chance: nothing is drawn by lot.
    """
    truths, held = np.linspace(0.7, 0.8, 101), []
    for n in range(3, 10):
        rate = estimate_rate(single(n))
        inside = (rate.ci_low[:, None] <= truths) & (truths <= rate.ci_high[:, None])
        held.append((binom.pmf(np.arange(n + 1)[:, None], n, truths) * inside).sum(axis=0))
    assert 0.93 < np.mean(held) < 0.97


def test_few_games_with_two_observations_keep_their_caution() -> None:
    """Where a game has two observations its effective sample size is that of the variance."""
    rate = estimate_rate(RatioSums.of_cells([2, 1, 3, 4], n=[2, 2, 1, 1], s=[2, 0, 1, 0]))
    effective = rate.estimate * (1 - rate.estimate) / rate.std_err**2
    low, high = proportion_confint(effective * rate.estimate, effective, method="wilson")
    assert (rate.ci_low, rate.ci_high) == pytest.approx((low, high))


def test_difference_is_that_of_statsmodels() -> None:
    """A difference of two rates from the same games has the clustered standard error."""
    rng = np.random.default_rng(2)
    n_games = 4000
    in_first = rng.random((n_games, 2)) < 0.4
    win = rng.random(n_games) < 0.3 + 0.4 * in_first[:, 0]
    scores = np.stack([win, ~win], axis=1).astype(float)
    fit = sm.OLS(scores.ravel(), sm.add_constant(in_first.ravel().astype(float))).fit(
        cov_type="cluster", cov_kwds={"groups": np.repeat(np.arange(n_games), 2)}
    )
    first = in_first.sum(axis=1), (in_first * scores).sum(axis=1)
    second = (~in_first).sum(axis=1), (~in_first * scores).sum(axis=1)
    difference = estimate_difference(np.ones(n_games), first, second)
    assert difference.estimate == pytest.approx(fit.params[1])
    assert difference.std_err == pytest.approx(fit.bse[1], rel=1e-3)
    low, high = fit.conf_int()[1]
    assert (difference.ci_low, difference.ci_high) == pytest.approx((low, high), abs=2e-4)


def test_difference_stays_possible_with_few_games() -> None:
    """The interval of a difference keeps width when both rates are at their limits."""
    first, second = ([1, 1, 0, 0], [1, 0, 0, 0]), ([0, 0, 1, 1], [0, 0, 1, 0])
    difference = estimate_difference([3, 0, 0, 4], first, second)
    assert difference.estimate == 1
    assert -1 <= difference.ci_low < 0.9 and difference.ci_high == 1


def test_shares_have_wilson_intervals() -> None:
    """A share of independent games has the interval that statsmodels gives."""
    share = estimate_share([0, 3, 200], 200)
    low, high = proportion_confint([0, 3, 200], 200, method="wilson")
    np.testing.assert_allclose(share.ci_low, low, atol=1e-15)
    np.testing.assert_allclose(share.ci_high, high)
    assert share.ci_low[0] == 0 and share.ci_high[2] == 1


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.999])
def test_wilson_intervals_are_those_of_statsmodels_to_the_bit(level: float) -> None:
    """Written out, the interval is as exact; rates of 0 and 1 end there, and nothing stays nan."""
    numbers = np.random.default_rng(5)
    n = numbers.uniform(0.5, 1e6, 500)
    count = np.floor(numbers.random(500) * n)
    count[:20], count[20:40], n[40:60] = 0, n[20:40], 0
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = count / n
        low, high = proportion_confint(np.nan_to_num(rate) * n, n, alpha=1 - level, method="wilson")
    with at_confidence(level):
        found = estimates._wilson(rate, n)
    np.testing.assert_array_equal(found[0], np.where(rate == 0, 0, low))
    np.testing.assert_array_equal(found[1], np.where(rate == 1, 1, high))
    assert np.isnan(found[0][40:60]).all()


@pytest.mark.parametrize("n", [0, 1, 2, 40, 1000])
def test_adjusted_p_values_are_those_of_statsmodels_to_the_bit(n: int) -> None:
    """Ties, values close to 0 and the unknown among them."""
    p_values = np.random.default_rng(6).random(n) ** 6
    p_values[n // 2 :][:5] = 0.25
    known = np.ones(n, bool)
    known[3::7] = False
    expected = np.full(n, np.nan)
    if n:
        expected[known] = multipletests(p_values[known], method="fdr_bh")[1]
    found = estimates.adjust_p(np.where(known, p_values, np.nan))
    np.testing.assert_array_equal(found, expected)


def test_variance_has_an_interval() -> None:
    """The variance is the sample variance, and its interval narrows with the number of games."""
    values = np.random.default_rng(3).poisson(20, 5000)
    numbers, counts = np.unique(values, return_counts=True)
    few = estimates.estimate_variance(numbers, counts)
    many = estimates.estimate_variance(numbers, 100 * counts)
    assert few.estimate == pytest.approx(values.var(ddof=1))
    assert few.ci_low < 20 < few.ci_high
    assert many.std_err == pytest.approx(few.std_err / 10, rel=0.01)


def coverage_of_means(truth: np.ndarray, n_games: int) -> float:
    """Share of runs whose interval holds the mean of a population of numbers."""
    numbers = np.random.default_rng(7).choice(truth, (4_000, n_games)).astype(float)
    n = np.ones(numbers.shape)
    mean = estimates.estimate_mean(sums_of(n, numbers))
    held = (mean.ci_low <= truth.mean()) & (truth.mean() <= mean.ci_high)
    assert (mean.ci_high > mean.ci_low).all() and (mean.ci_low >= 0).all()
    return float(held.mean())


@pytest.mark.parametrize("n_games", [3, 5, 9, 30])
def test_means_of_few_games_have_honest_intervals(n_games: int) -> None:
    """From three games on about 95% of the intervals hold the mean turn, and none is a point."""
    rng = np.random.default_rng(4)
    turns = 1 + rng.poisson(rng.gamma(2, 4, 100_000))  # with the spread of turns on which one plays
    assert 0.93 < coverage_of_means(turns, n_games) < 0.97


@pytest.mark.parametrize("n_games", [200, 1000, 5000])
def test_means_of_rare_events_have_honest_intervals(n_games: int) -> None:
    """Numbers that are 0 in nearly every game, and several at once else: 94 to 98.5% are held.

    With one or two events expected no interval can have exactly 95%: the events are whole.
    """
    rng = np.random.default_rng(5)
    rare = (rng.random(1_000_000) < 0.002) * rng.geometric(0.6, 1_000_000)
    assert 0.94 < coverage_of_means(rare, n_games) < 0.985


def test_two_games_have_a_mean_without_an_interval() -> None:
    """The mean of one or two games is told alone."""
    for n_games in (1, 2):
        mean = estimates.estimate_mean(sums_of(np.ones((1, n_games)), np.ones((1, n_games))))
        assert mean.estimate == 1 and np.isnan([*mean.ci_low, *mean.ci_high]).all()


@pytest.mark.parametrize("n_games", [10, 100, 1000])
def test_variances_have_honest_intervals(n_games: int) -> None:
    """About 95% of the intervals hold the variance of a number, at any number of games."""
    rng = np.random.default_rng(6)
    truth, held = rng.poisson(20, 200_000), 0
    for _ in range(1000):
        numbers, counts = np.unique(rng.choice(truth, n_games), return_counts=True)
        variance = estimates.estimate_variance(numbers, counts)
        held += bool(variance.ci_low <= truth.var() <= variance.ci_high)
    assert 0.93 < held / 1000 < 0.97
    assert np.isnan(estimates.estimate_variance([3, 5], [4, 5]).ci_low)


@pytest.mark.parametrize("mean", [0.05, 1.0, 3.0, 10.0, 50.0])
def test_what_is_told_because_it_was_seen_has_an_interval_that_holds(mean: float) -> None:
    """Among counts of 1 and more at least 94% hold; ordinary intervals of rare ones do not."""
    rng = np.random.default_rng(1)
    count = rng.binomial(2_000, mean / 2_000, 20_000)
    count = count[count > 0]
    held = []
    for share in (estimates.estimate_seen(count, 2_000), estimates.estimate_share(count, 2_000)):
        assert (share.ci_low <= share.estimate).all() and (share.estimate <= share.ci_high).all()
        held.append(np.mean((share.ci_low <= mean / 2_000) & (mean / 2_000 <= share.ci_high)))
    assert held[0] >= 0.94
    assert held[1] < 0.9 or mean >= 3
    assert np.isnan(estimates.estimate_seen([0], 10).ci_low).all()


def test_nothing_observed_is_nan() -> None:
    """Without observations an estimate is nan, and nothing warns."""
    nothing = RatioSums.of_cells([0, 0], n=[1, 1], s=[0, 1])
    assert all(np.isnan(value) for value in estimate_rate(nothing)[:4])
    assert all(np.isnan(value) for value in estimates.estimate_mean(nothing)[:4])
    assert np.isnan(estimate_share(0, 0).estimate)
    assert np.isnan(estimates.estimate_variance([0], [0]).estimate)
    assert np.isnan(estimate_difference([0], ([1], [1]), ([1], [0])).estimate)
    np.testing.assert_array_equal(estimates.adjust_p([np.nan]), [np.nan])


def sums_of(n: np.ndarray, s: np.ndarray) -> RatioSums:
    """Sums over games; ``n`` and ``s`` have shape (n_rates, n_games)."""
    return RatioSums(*(one.sum(axis=1).astype(float) for one in (n > 0, n, s, n * n, n * s, s * s)))


def test_adjusted_p_values_ignore_nan() -> None:
    """A card without a test does not count as one."""
    adjusted = estimates.adjust_p([0.01, np.nan, 0.04])
    np.testing.assert_allclose(adjusted, [0.02, np.nan, 0.04])


def test_means_below_zero_have_honest_intervals() -> None:
    """Scores may be negative: the interval holds the mean, which lies inside it."""
    numbers = np.random.default_rng(8).normal(-3, 2, (2000, 40))
    found = estimates.estimate_mean(sums_of(np.ones(numbers.shape), numbers))
    assert ((found.ci_low < found.estimate) & (found.estimate < found.ci_high)).all()
    assert 0.93 < np.mean((found.ci_low <= -3) & (found.ci_high >= -3)) < 0.97


def test_corrected_intervals_keep_their_form() -> None:
    """No win of 50 is no rate without any doubt, beside none of 1,000 either."""
    none, many = (estimates.estimate_share([0.0, 0], [n, n]) for n in (50, 1000))
    alone = estimates.estimate_apart(none, many)
    found = estimates.corrected(alone)
    assert (found.ci_high >= alone.ci_high).all() and (alone.ci_high > 0.05).all()


@pytest.mark.parametrize("truth", [0.02, 0.5, 0.96])
@pytest.mark.parametrize("are_shares", [True, False], ids=["shares", "means"])
def test_means_over_strata_hold_and_stay_in_their_range(truth: float, are_shares: bool) -> None:
    """Few games of each party, most of them alike: no interval from -3% to 102%, and 95% hold."""
    n = np.array([3, 5, 8, 12, 20, 30])
    weights, truths = n / n.sum(), truth + np.linspace(-0.02, 0.02, 6)
    rng = np.random.default_rng(3)
    draw = (lambda rate, many: rng.binomial(1, rate, many)) if are_shares else rng.poisson
    games = draw(np.repeat(truths, n), (4000, n.sum()))
    s, ss = (np.add.reduceat(one, np.cumsum(n) - n, axis=1) for one in (games, games**2))
    sums = RatioSums.one_each(np.broadcast_to(n, s.shape), s, ss)
    parts = estimate_rate(sums) if are_shares else estimates.estimate_mean(sums)
    found = estimates.estimate_over_strata(parts, weights, are_shares=are_shares)
    assert (found.ci_low >= 0).all() and (found.ci_high <= (1 if are_shares else np.inf)).all()
    held = (found.ci_low <= weights @ truths) & (weights @ truths <= found.ci_high)
    assert 0.94 < np.mean(held) < 0.985
    joined = estimates.estimate_combination(parts, weights)
    np.testing.assert_array_equal(found.estimate, joined.estimate)
    nothing = estimates.estimate_over_strata(parts, 0 * weights, are_shares=are_shares)
    assert np.isnan(nothing.ci_high).all()
