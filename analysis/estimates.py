"""Rates, means and differences with 95% intervals, clustered by game.

The unit of independence is the game.  A game can put two players, or several plays, into one rate,
so a rate is a ratio of sums over games and its variance is that of a ratio estimator [1]_.  All
functions start from counts of games that are alike ("cells": how many games had n players in the
selection who scored s together), never from single games, so they cost the same for a thousand
games and for ten million, and the result does not depend on how a run was cut into parts.

A rate gets a Wilson interval [2]_ with the *effective* sample size, the number of independent
observations that would have the clustered variance [3]_ [4]_.  A mean of counts gets the score
interval of a Poisson mean [7]_ with the effective number of events in the same way: its variance
grows with the truth, so an interval from few events reaches far up and never below zero.  Student's
t stands in it for the normal quantile, with as many degrees of freedom as the variance was
estimated from: few games, or few games with an event.

References
----------
.. [1] W. G. Cochran, *Sampling Techniques*, 3rd ed., Wiley 1977, sections 2.11 and 6.3.
.. [2] E. B. Wilson, "Probable inference, the law of succession, and statistical inference",
   J. Amer. Statist. Assoc. 22 (1927), 209-212; L. D. Brown, T. T. Cai, A. DasGupta, "Interval
   estimation for a binomial proportion", Statistical Science 16 (2001), 101-133.
.. [3] E. L. Korn, B. I. Graubard, "Confidence intervals for proportions with small expected number
   of positive counts estimated from survey data", Survey Methodology 24 (1998), 193-201.
.. [4] N. Dean, M. Pagano, "Evaluating confidence interval methods for binomial proportions in
   clustered surveys", J. Survey Statistics and Methodology 3 (2015), 484-503.
.. [5] G. Y. Zou, A. Donner, "Construction of confidence limits about effect measures: a general
   approach", Statistics in Medicine 27 (2008), 1693-1702 (after R. G. Newcombe 1998).
.. [6] Y. Benjamini, Y. Hochberg, "Controlling the false discovery rate", J. Royal Statist. Soc. B
   57 (1995), 289-300.
.. [7] L. Barker, "A comparison of nine confidence intervals for a Poisson parameter when the
   expected number of events is at most 5", The American Statistician 56 (2002), 85-89.
.. [8] D. G. Bonett, "Approximate confidence interval for standard deviation of nonnormal
   distributions", Computational Statistics & Data Analysis 50 (2006), 775-782.
.. [9] Y. Benjamini, D. Yekutieli, "False discovery rate-adjusted multiple confidence intervals for
   selected parameters", J. Amer. Statist. Assoc. 100 (2005), 71-81.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import betainc, ndtr, ndtri, stdtrit

from analysis.confidence import confidence, normal_z, tail

#: From this many observations on, one more or less changes an interval by less than 2%.
FEW = 30
#: With fewer games a mean has no interval: from two it would be many times as wide as the mean.
MIN_GAMES_OF_MEAN = 3
#: With fewer games a variance has no interval.
MIN_GAMES_OF_VARIANCE = 10
# Halvings of an interval in the search for an end, and rates that are taken for 0.
_HALVINGS, _LEAST_RATE = 60, 1e-12


class Estimate(NamedTuple):
    """Estimates, all arrays of one shape; nan where there are no observations."""

    estimate: np.ndarray
    ci_low: np.ndarray
    ci_high: np.ndarray
    std_err: np.ndarray
    n: np.ndarray  # observations, for instance player-games

    @classmethod
    def normal(cls, estimate: ArrayLike, std_err: ArrayLike, n: ArrayLike) -> "Estimate":
        """Estimates with normal intervals."""
        estimate, std_err, n = (np.asarray(one) for one in (estimate, std_err, n))
        reach = normal_z() * std_err
        return cls(estimate, estimate - reach, estimate + reach, std_err, n)

    def at(self, place: Any) -> "Estimate":
        """Those at a place of the arrays."""
        return Estimate(*(values[place] for values in self))


class RatioSums(NamedTuple):
    """What a ratio of sums over games and its variance need: sums over games of n, s and products.

    ``n`` is the number of observations in a game, ``s`` their total; arrays of one shape.
    """

    games: np.ndarray  # games with at least one observation
    n: np.ndarray
    s: np.ndarray
    nn: np.ndarray
    ns: np.ndarray
    ss: np.ndarray

    @classmethod
    def of_cells(cls, counts: ArrayLike, n: ArrayLike, s: ArrayLike) -> "RatioSums":
        """Sums over cells.

        Parameters
        ----------
        counts : ndarray, shape (..., n_cells)
            Games in each cell.
        n, s : ndarray, shape (n_cells,) or (n_cells, n_rates)
            Observations in one game of the cell, and their total.
        """
        counts, n, s = np.asarray(counts, float), np.asarray(n, float), np.asarray(s, float)
        return cls(*(counts @ weight for weight in (n > 0, n, s, n * n, n * s, s * s)))

    @classmethod
    def of_games(cls, n: np.ndarray, s: np.ndarray) -> "RatioSums":
        """Sums over the observations in each game and their totals, both (n_games, ...)."""
        columns = n > 0, n, s, n * n, n * s, s * s
        return cls(*(np.asarray(one.sum(axis=0), float) for one in columns))

    @classmethod
    def one_each(cls, n: ArrayLike, s: ArrayLike, ss: ArrayLike) -> "RatioSums":
        """Sums of games with one observation each: their number, its sum and sum of squares."""
        n, s, ss = (np.asarray(one, float) for one in (n, s, ss))
        return cls(n, n, s, n, s, ss)


def estimate_rate(sums: RatioSums, together: int = 1) -> Estimate:
    """Mean score per observation, a number in 0-1, with a clustered Wilson interval [2]_ [3]_.

    With ``together`` the confidence is that all of so many independent intervals hold.
    """
    rate, variance = _ratio(sums)
    effective = _effective(sums, rate, variance)
    return Estimate(rate, *_wilson(rate, effective, together), np.sqrt(variance), sums.n)


def estimate_mean(sums: RatioSums) -> Estimate:
    """Mean of numbers that are not negative, with a clustered score interval [7]_.

    With mean m, variance v and dispersion d = v / m, the interval has the means M for which
    (m - M)² <= t² d M.  Where games do not vary each unit counts as an event.  A mean below 0, as
    scores may have, gets Student's interval.  nan for less than `MIN_GAMES_OF_MEAN` games.
    """
    mean, variance = _ratio(sums)
    with np.errstate(divide="ignore", invalid="ignore"):
        dispersion = np.where(variance > 0, variance / mean, 1 / sums.n)
        events = np.nan_to_num(mean / dispersion)
    freedom = np.maximum(np.minimum(sums.games - 1, 2 * events + 3), 1)
    t = np.where(sums.games >= MIN_GAMES_OF_MEAN, stdtrit(freedom, 0.5 + confidence() / 2), np.nan)
    low, high = _score_interval(mean, dispersion, t)
    below = (mean < 0) | ((mean == 0) & (variance > 0))
    student = stdtrit(np.maximum(sums.games - 1, 1), 0.5 + confidence() / 2) * np.sqrt(variance)
    student = np.where(np.isfinite(t), student, np.nan)
    low, high = np.where(below, mean - student, low), np.where(below, mean + student, high)
    return Estimate(mean, low, high, np.sqrt(variance), sums.n)


def estimate_share(count: ArrayLike, n: ArrayLike) -> Estimate:
    """Share of ``n`` independent games, with a Wilson interval [2]_."""
    count = np.asarray(count, float)
    n = np.broadcast_to(np.asarray(n, float), count.shape)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = count / n
        std_err = np.sqrt(share * (1 - share) / n)
    return Estimate(share, *_wilson(share, n), std_err, n)


def estimate_seen(count: ArrayLike, n: ArrayLike) -> Estimate:
    """`estimate_share` for rows that exist because something was seen at least once.

    What was seen once in a thousand games was mostly lucky to be seen, so an ordinary interval
    misses the truth more often than it should.  This one has the shares at which, among counts of
    1 and more, one as large and one as small are likely enough; of the count itself half the chance
    is taken (mid-p), so that few counts do not make it too wide.  nan where nothing was seen.
    """
    share = estimate_share(count, n)
    count, n = np.broadcast_arrays(np.asarray(count, float), np.asarray(n, float))

    def beyond(rates: np.ndarray, side: int) -> np.ndarray:
        at_least = betainc(np.maximum(count, 1), n - count + 1, rates)
        more = np.where(count < n, betainc(count + 1, np.maximum(n - count, 1), rates), 0.0)
        here, seen = at_least - more, -np.expm1(n * np.log1p(-rates))
        return ((more if side < 0 else seen - at_least) + here / 2) / seen

    ends = []
    for side in (-1, 1):
        low, high = np.zeros(count.shape), np.ones(count.shape)
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            with np.errstate(divide="ignore", invalid="ignore"):
                is_over = (beyond(middle, side) < tail()) == (side < 0)
            low, high = np.where(is_over, middle, low), np.where(is_over, high, middle)
        ends.append(np.where(count > 0, (low + high) / 2, np.nan))
    return share._replace(ci_low=np.where(ends[0] < _LEAST_RATE, 0.0, ends[0]), ci_high=ends[1])


def estimate_difference(
    counts: ArrayLike, first: tuple[ArrayLike, ArrayLike], second: tuple[ArrayLike, ArrayLike]
) -> Estimate:
    """First rate minus second rate, both from the same games.

    The interval joins the two Wilson intervals and takes the covariance of the rates into account
    (the square-and-add method [5]_); ``std_err`` is that of the linearised difference.  ``n`` is
    the number of observations of the scarcer side.

    Parameters
    ----------
    counts : ndarray, shape (..., n_cells)
        Games in each cell.
    first, second : pairs of ndarray, shape (n_cells,)
        Observations of each rate in one game of the cell, and their total.
    """
    counts = np.asarray(counts, float)
    (n1, s1), (n2, s2) = ((np.asarray(n, float), np.asarray(s, float)) for n, s in (first, second))
    one, two = _rate_of_cells(counts, n1, s1), _rate_of_cells(counts, n2, s2)
    with np.errstate(divide="ignore", invalid="ignore"):
        covariance = (
            counts @ (s1 * s2)
            - one.estimate * (counts @ (n1 * s2))
            - two.estimate * (counts @ (s1 * n2))
            + one.estimate * two.estimate * (counts @ (n1 * n2))
        ) / (one.n * two.n)
        correlation = np.clip(covariance / (one.std_err * two.std_err), -1, 1)
    correlation = np.nan_to_num(correlation, posinf=0, neginf=0)
    difference = one.estimate - two.estimate
    variance = one.std_err**2 + two.std_err**2 - 2 * covariance

    def reach(side1: np.ndarray, side2: np.ndarray) -> np.ndarray:
        return np.sqrt(np.maximum(side1**2 + side2**2 - 2 * correlation * side1 * side2, 0))

    low = difference - reach(one.estimate - one.ci_low, two.ci_high - two.estimate)
    high = difference + reach(one.ci_high - one.estimate, two.estimate - two.ci_low)
    std_err = np.sqrt(np.maximum(variance, 0))
    return Estimate(difference, low, high, std_err, np.minimum(one.n, two.n))


def estimate_contrast(
    counts: ArrayLike, rates: Sequence[tuple[ArrayLike, ArrayLike]], weights: Sequence[float]
) -> Estimate:
    """A weighted sum of rates from the same games, with a normal interval.

    ``n`` is the number of observations of the scarcest rate.

    Parameters
    ----------
    counts : ndarray, shape (..., n_cells)
        Games in each cell.
    rates : pairs of ndarray, shape (n_cells,)
        Observations of each rate in one game of the cell, and their total.
    weights
        One for each rate.
    """
    counts, factor = np.asarray(counts, float), np.asarray(weights, float)
    n, s = (np.array([rate[part] for rate in rates], float) for part in (0, 1))
    observed = counts @ n.T
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = counts @ s.T / observed
        of_rates = (s - mean[..., None] * n) / observed[..., None]
    total, influence = mean @ factor, factor @ of_rates
    std_err = np.sqrt((counts * influence**2).sum(axis=-1))
    return Estimate.normal(total, std_err, observed.min(axis=-1))


def estimate_combination(parts: Estimate, weights: ArrayLike) -> Estimate:
    """A weighted sum of independent estimates, such as a difference, or a mean over strata.

    The interval joins those of the parts (the square-and-add method [5]_), or is the normal one
    where that is wider: Wilson intervals of many small parts, drawn towards one half, are too
    narrow together.  ``n`` is the number of observations of the scarcest part that has a weight.

    Parameters
    ----------
    parts : Estimate, arrays of shape (..., n_parts)
    weights : ndarray, shape (..., n_parts)
        0 for a part that is left out, known or not; nan where all are left out.
    """
    joined = _square_and_add(parts, weights)
    normal = Estimate.normal(joined.estimate, joined.std_err, joined.n)
    return _wider(joined, normal.ci_low, normal.ci_high)


def estimate_over_strata(parts: Estimate, weights: ArrayLike, *, are_shares: bool) -> Estimate:
    """A mean of independent shares, or of means that are not negative, with weights that add to 1.

    As `estimate_combination`, but with Wilson's interval [2]_, or the score interval of a mean
    [7]_, in place of the normal one: neither leaves the numbers that a share or a mean can be.  A
    mean below 0 keeps the normal one.
    """
    joined = _square_and_add(parts, weights)
    mean, variance = joined.estimate, joined.std_err**2
    with np.errstate(divide="ignore", invalid="ignore"):
        if are_shares:
            low, high = _wilson(mean, mean * (1 - mean) / variance)
        else:
            normal = Estimate.normal(mean, joined.std_err, joined.n)
            score = _score_interval(mean, variance / mean, normal_z())
            low, high = np.where(mean > 0, score, (normal.ci_low, normal.ci_high))
    # Where no part varies the intervals of the parts are all that is known.
    return _wider(joined, *np.where(variance > 0, (low, high), mean - variance))


def estimate_apart(one: Estimate, other: Estimate) -> Estimate:
    """One estimate minus another, of games of which none is in both; as `estimate_combination`."""
    both = (np.stack(pair, axis=-1) for pair in zip(one, other, strict=True))
    return estimate_combination(Estimate(*both), (1.0, -1.0))


def estimate_variance(values: ArrayLike, counts: ArrayLike) -> Estimate:
    """Variance of independent games, with Bonett's interval, which allows for their kurtosis [8]_.

    It holds where no single game has much of the variance, as among games that ended by the rules;
    a few that were stopped after hundreds of turns are no such sample.  nan for less than
    `MIN_GAMES_OF_VARIANCE` games.

    Parameters
    ----------
    values, counts : ndarray, shape (n_values,)
        The values that occur and the number of games with each.
    """
    values, counts = np.asarray(values, float), np.asarray(counts, float)
    n = counts.sum()
    with np.errstate(divide="ignore", invalid="ignore"):
        deviations = values - counts @ values / n
        squares = counts @ deviations**2
        variance = squares / (n - 1)
        kurtosis = n * (counts @ deviations**4) / squares**2
        error = np.sqrt(np.maximum(kurtosis - (n - 3) / n, 0) / (n - 1))  # of the logarithm
        if n < MIN_GAMES_OF_VARIANCE:
            error = np.full_like(error, np.nan)
        correction = n / (n - normal_z())
        low, high = (
            correction * variance * np.exp(side * normal_z() * correction * error)
            for side in (-1, 1)
        )
    return Estimate(variance, low, high, variance * error, n)


def interval_columns(name: str, estimates: Estimate) -> dict[str, np.ndarray]:
    """An estimate and its interval as columns; numbers where the estimate is one number."""
    estimate, ci_low, ci_high = (np.asarray(values)[()] for values in estimates[:3])
    return {name: estimate, f"{name}_ci_low": ci_low, f"{name}_ci_high": ci_high}


def interval(column: str, estimate: Any, reach: Any) -> dict[str, Any]:
    """The columns of an estimate and of the ends of an interval that reaches so far either way."""
    return {
        column: estimate,
        f"{column}_ci_low": estimate - reach,
        f"{column}_ci_high": estimate + reach,
    }


def two_sided_p(estimate: ArrayLike, std_err: ArrayLike) -> np.ndarray:
    """Probability of an estimate at least this far from zero if the truth is zero (normal)."""
    with np.errstate(divide="ignore", invalid="ignore"):
        return 2 * ndtr(-np.abs(np.asarray(estimate, float) / np.asarray(std_err, float)))


def adjust_p(p_values: ArrayLike) -> np.ndarray:
    """Benjamini-Hochberg adjusted p-values [6]_; nan stays nan and does not count as a test."""
    p_values = np.asarray(p_values, float)
    adjusted = np.full(p_values.shape, np.nan)
    tested = p_values[known := ~np.isnan(p_values)]
    order = np.argsort(tested)
    raw = tested[order] / (np.arange(1, len(tested) + 1) / len(tested))
    tested[order] = np.minimum(np.minimum.accumulate(raw[::-1])[::-1], 1)
    adjusted[known] = tested
    return adjusted


def corrected_z(p_values: ArrayLike) -> float:
    """Half the width, in standard errors, of intervals corrected for several tests [9]_.

    They leave out zero where `adjust_p` finds less than ``1 - confidence()``, and of those that do
    as large a share holds as is promised.  nan is no test.
    """
    adjusted = adjust_p(p_values)
    tests = max(int(np.count_nonzero(~np.isnan(adjusted))), 1)
    found = max(int(np.count_nonzero(adjusted < 1 - confidence())), 1)
    return float(-ndtri((1 - confidence()) * found / tests / 2))


def corrected(estimates: Estimate) -> Estimate:
    """Estimates with intervals that are corrected for their number; see `corrected_z`.

    Each end is so many times as far away as it takes.
    """
    z = corrected_z(two_sided_p(estimates.estimate, estimates.std_err))
    low, high = (
        estimates.estimate + z / normal_z() * (end - estimates.estimate)
        for end in (estimates.ci_low, estimates.ci_high)
    )
    return estimates._replace(ci_low=low, ci_high=high)


def _square_and_add(parts: Estimate, weights: ArrayLike) -> Estimate:
    """A weighted sum with the intervals of its parts joined [5]_; see `estimate_combination`."""
    weights = np.asarray(weights, float)
    used = weights != 0
    weights = np.where(used.any(axis=-1, keepdims=True), weights, np.nan)
    estimate, low, high, std_err, n = (np.where(used, values, 0.0) for values in parts)
    down = np.where(weights > 0, estimate - low, high - estimate) * weights
    up = np.where(weights > 0, high - estimate, estimate - low) * weights
    total = (weights * estimate).sum(axis=-1)
    return Estimate(
        total,
        total - np.sqrt((down * down).sum(axis=-1)),
        total + np.sqrt((up * up).sum(axis=-1)),
        np.sqrt((weights * weights * std_err * std_err).sum(axis=-1)),
        np.where(used.any(axis=-1), np.where(used, n, np.inf).min(axis=-1), 0.0),
    )


def _wider(found: Estimate, low: np.ndarray, high: np.ndarray) -> Estimate:
    """Estimates whose intervals reach at least as far as these; nan where either is not known."""
    ends = np.minimum(found.ci_low, low), np.maximum(found.ci_high, high)
    return found._replace(ci_low=ends[0], ci_high=ends[1])


def _rate_of_cells(counts: np.ndarray, n: np.ndarray, s: np.ndarray) -> Estimate:
    """`estimate_rate`, but without any error where the rate is the same in every cell.

    The mean score of both players of a game is such a rate: always one half.
    """
    rate = estimate_rate(RatioSums.of_cells(counts, n, s))
    if np.ptp(s[n > 0] / n[n > 0]) > 0:
        return rate
    return rate._replace(
        ci_low=rate.estimate, ci_high=rate.estimate, std_err=np.zeros_like(rate.estimate)
    )


def _effective(sums: RatioSums, rate: np.ndarray, variance: np.ndarray) -> np.ndarray:
    """Independent observations that would have the variance of the rates [3]_.

    The variance has a factor G / (G - 1), which turns n independent observations into n - 1.
    Wilson's interval needs no such correction, so few observations count in full, unless two are
    from one game: their correlation is estimated as well.  Where games do not vary, nothing is
    known beyond their number.
    """
    single = (sums.n == sums.nn) & (sums.n < FEW)
    with np.errstate(divide="ignore", invalid="ignore"):
        correction = np.where(single, sums.games / (sums.games - 1), 1.0)
        effective = np.where(variance > 0, rate * (1 - rate) / variance * correction, sums.games)
    return np.where(effective > 0, effective, sums.games)


def _ratio(sums: RatioSums) -> tuple[np.ndarray, np.ndarray]:
    """The ratio of sums and its variance between games [1]_; nan for less than two games."""
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = sums.s / sums.n
        squares = sums.ss - 2 * ratio * sums.ns + ratio**2 * sums.nn
        correction = np.where(sums.games > 1, sums.games / (sums.games - 1), np.nan)
        return ratio, np.maximum(squares, 0) * correction / sums.n**2


def _score_interval(
    mean: np.ndarray, dispersion: np.ndarray, z: ArrayLike
) -> tuple[np.ndarray, np.ndarray]:
    """The means M for which (mean - M)² <= z² dispersion M [7]_."""
    half = np.square(z) * dispersion / 2
    reach = np.sqrt(np.maximum(half * (2 * mean + half), 0))
    return np.maximum(mean + half - reach, 0), mean + half + reach


def _wilson(rate: np.ndarray, n: np.ndarray, together: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Wilson interval [2]_ for a rate of ``n`` (effective) observations; nan where n is 0."""
    z = -ndtri((1 - confidence() ** (1 / together)) / 2)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = np.nan_to_num(rate) * n / n
        shrunk = 1 + z**2 / n
        centre = (share + z**2 / (2 * n)) / shrunk
        reach = z * np.sqrt(share * (1 - share) / n + z**2 / (4 * n**2)) / shrunk
    return np.where(rate == 0, 0.0, centre - reach), np.where(rate == 1, 1.0, centre + reach)
