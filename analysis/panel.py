"""Several players on the same items: what holds for a further one, and how well two of them agree.

Each player gives an estimate of each item with an error, from games among players of that kind.
The players are a random factor like the deals: they are a sample of those who might play.  For each
item

    x[player] = mean + what this player makes of it + error,

where the second term has standard deviation ``spread``.  `Panel` estimates mean and spread.  With
two to five players an item by itself says next to nothing of its spread, so what is known of other
items helps [1]_.  The variances between players are scaled inverse chi-squared, with degrees of
freedom learned from many items, and a scale learned from all items of the panel on top of what was
known of it before (`SpreadPrior`).  Given a spread everything is normal, and the likelihood of a
spread is the restricted one (REML [2]_), so what is known of an item is a mixture of normal
distributions over a grid of spreads [3]_.  Its intervals hold both sources of chance, players and
deals, without the 12.7 standard errors of Student's t for two players.

`judge_panel` gives each item the word that the interval of a further player allows, and says for
which the players are on different sides of zero (Gail and Simon's test for crossover interaction
[4]_).

`rank_agreement` is the rank correlation of the true values behind two sets of estimates: their
errors, which would make it smaller, are taken out.

References
----------
.. [1] A. Gelman, "Prior distributions for variance parameters in hierarchical models", Bayesian
   Analysis 1 (2006), 515-534.
.. [2] S. R. Searle, G. Casella, C. E. McCulloch, *Variance Components*, Wiley 1992, chapter 6.
.. [3] C. Roever, "Bayesian random-effects meta-analysis using the bayesmeta R package", J.
   Statistical Software 93 (2020), no. 6.
.. [4] M. Gail, R. Simon, "Testing for qualitative interactions between treatment effects and
   patient subsets", Biometrics 41 (1985), 361-372.
"""

from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import chdtrc, comb, ndtr

from analysis.confidence import confidence, tail
from analysis.estimates import Estimate, adjust_p
from analysis.shrinkage import mixture_quantile, spread_chances, spread_grid, spread_shares
from analysis.verdicts import FAIR, NEEDS_GAMES, TOO_STRONG, TOO_WEAK, verdict, verdicts
from simcore.arrays import Floats

DEPENDS, MORE_PLAYERS = "depends on who plays", "needs more players"
#: What each verdict of a panel says; of those that apply the first counts.
PANEL_VERDICTS = {
    FAIR: "the interval of another player of this kind is inside the band",
    DEPENDS: "shown to be above zero among one of these players and below it among another",
    TOO_STRONG: "the interval of another player of this kind is above the band",
    TOO_WEAK: "the interval of another player of this kind is below the band",
    MORE_PLAYERS: "none of this is shown, and the players differ by more than the error of one of "
    "them: more players would help more than more games",
    NEEDS_GAMES: "none of this is shown, and the players differ by less than that error",
}

# Each spread of the grid is so many times the one before.
_STEP = 2**0.25
# The error of what is not known, in the largest of the others.
_UNKNOWN = 1e3
# Items that a rank correlation takes at least.
_FEWEST = 4
# Draws of the true values, and points of the grids of standard deviations and correlations.
_DRAWS, _DEVIATIONS, _CORRELATIONS = 2_000, 9, 31


class SpreadPrior(NamedTuple):
    """How far players of a kind differ on items, as learned from other items.

    The variance between players is scaled inverse chi-squared with so many ``degrees`` of freedom.
    Its scale is the same for all items of a panel, and log-normal beforehand: its median is
    ``scale``, a standard deviation in the unit of the estimates, and one standard deviation away it
    is ``factor`` times as large or as small.
    """

    scale: float
    factor: float
    degrees: float

    def chances(self, scales: Floats) -> Floats:
        """How likely each of some scales is, up to a factor; they are evenly spaced logarithms."""
        return np.exp(-0.5 * (np.log(scales / self.scale) / np.log(self.factor)) ** 2)


class Panel:
    """What is known of the items from all players together.

    Parameters
    ----------
    estimates : ndarray(float), shape (n_items, n_players)
        nan where a player says nothing of an item.
    covariance : ndarray(float), shape (n_items, n_players, n_players)
        That of the errors of each item.  Players on the same deals share luck.
    prior
        How far such players differ, as far as that is known without these estimates.

    Raises
    ------
    ValueError
        For less than two players.
    """

    def __init__(
        self, estimates: npt.ArrayLike, covariance: npt.ArrayLike, prior: SpreadPrior
    ) -> None:
        estimates, covariance = np.asarray(estimates, float), np.asarray(covariance, float)
        if estimates.shape[1] < 2:
            raise ValueError("a panel has two players or more")
        self.n = np.isfinite(estimates).sum(axis=1)
        spreads = _grid(estimates, covariance, prior)
        x, errors = _without_gaps(estimates, covariance)
        precision = np.linalg.inv(
            errors[:, None] + spreads[:, None, None] ** 2 * np.eye(x.shape[1])
        )
        weight = precision.sum(axis=-1)
        information = weight.sum(axis=-1)
        mean = (weight * x[:, None]).sum(axis=-1) / information
        off = x[:, None] - mean[..., None]
        fit = np.einsum("isp,ispq,isq->is", off, precision, off)
        likelihood = (np.linalg.slogdet(precision)[1] - np.log(information) - fit) / 2
        #: Spreads of the grid (n_spreads,), how likely each is of each item (n_items, n_spreads),
        #: and given the spread the mean over players and its variance, of the same shape.
        self._spreads, self._variance = spreads, 1 / information
        self._given = np.where(self.n[:, None] > 0, mean, np.nan)
        shares = spread_shares(spreads, prior.degrees)
        self._chance = spread_chances(likelihood, shares, prior.chances(spreads))

    @property
    def mean(self) -> Estimate:
        """The mean over players of the kind; the interval holds the chance of players and deals."""
        return self._estimate(np.sqrt(self._variance))

    @property
    def further(self) -> Estimate:
        """A further player of the kind; the interval holds the chance of who that is as well."""
        return self._estimate(np.hypot(np.sqrt(self._variance), self._spreads))

    @property
    def spread(self) -> Estimate:
        """The standard deviation between players, errors taken out: the median and its interval.

        nan for an item with less than two estimates.
        """
        reached = np.cumsum(self._chance, axis=1)
        ends = [self._spreads[(reached < level).sum(axis=1)] for level in (0.5, tail(), 1 - tail())]
        average = (self._chance * self._spreads).sum(axis=1)
        variance = (self._chance * (self._spreads - average[:, None]) ** 2).sum(axis=1)
        middle, low, high, std_err = (
            np.where(self.n > 1, values, np.nan) for values in (*ends, np.sqrt(variance))
        )
        return Estimate(middle, low, high, std_err, self.n)

    def mean_above(self, value: float) -> Floats:
        """The chance that the mean over players of the kind is above a number."""
        return self._above(value, np.sqrt(self._variance))

    def further_above(self, value: float) -> Floats:
        """The chance that the true value of a further player of the kind is above a number."""
        return self._above(value, np.hypot(np.sqrt(self._variance), self._spreads))

    def _above(self, value: float, deviation: Floats) -> Floats:
        """The chance that the mixture of normal distributions of these deviations has it above."""
        return np.asarray((self._chance * ndtr((self._given - value) / deviation)).sum(axis=1))

    def _estimate(self, deviation: Floats) -> Estimate:
        """The mixture of normal distributions of these deviations, around the means."""
        average = (self._chance * self._given).sum(axis=1)
        variance = (self._chance * (deviation**2 + self._given**2)).sum(axis=1) - average**2
        low, high = (
            mixture_quantile(level, self._chance, self._given, deviation)
            for level in (tail(), 1 - tail())
        )
        return Estimate(average, low, high, np.sqrt(variance), self.n)


def crossover_p(estimates: npt.ArrayLike, std_errs: npt.ArrayLike) -> Floats:
    """Whether the true values of an item are on different sides of zero: p-values, (n_items,).

    The test of Gail and Simon [4]_: the sums of squares, in standard errors, of what is above zero
    and of what is below it must both be larger than luck makes them.  For two players that is the
    larger of two one-sided p-values.

    Parameters
    ----------
    estimates, std_errs : ndarray(float), shape (n_items, n_players)
        nan for what is not known; an item with less than two estimates has no p-value.
    """
    scaled = np.asarray(estimates, float) / np.asarray(std_errs, float)
    above, below = (
        np.nansum(np.where(side * scaled > 0, scaled, 0.0) ** 2, axis=1) for side in (1, -1)
    )
    others = np.isfinite(scaled).sum(axis=1) - 1
    k = np.arange(1, max(others.max(initial=1), 1) + 1)
    ways = comb(others[:, None], k) * 0.5 ** others[:, None]
    luck = ways * chdtrc(k, np.minimum(above, below)[:, None])
    return np.where(others > 0, luck.sum(axis=1), np.nan)


def judge_panel(
    panel: Panel, estimates: npt.ArrayLike, std_errs: npt.ArrayLike, *, band: float
) -> pd.DataFrame:
    """Judge items that are tested together; of `PANEL_VERDICTS` the first that is shown counts.

    Parameters
    ----------
    panel : Panel
        Of the estimates; they and their errors are of shape (n_items, n_players).
    band
        Values between ``-band`` and ``band`` are inside.

    Returns
    -------
    DataFrame
        ``p_value`` (of a mean over players of zero), ``q_value``, ``same_side`` and ``in_band``
        (the chance that a further player has the item on the side of the mean, or inside the band),
        ``further_ci_low`` and ``further_ci_high`` (`Panel.further`), ``depends_p_value``
        (`crossover_p`), ``depends_q_value``, ``band`` and ``panel_verdict``.
    """
    enough, level = panel.n > 1, 1 - confidence()
    low, high = (np.where(enough, end, np.nan) for end in panel.further[1:3])
    word = verdicts(low, high, band=band)
    above, mean_above = panel.further_above(0.0), panel.mean_above(0.0)
    up = mean_above > 0.5
    p_value = np.where(enough, 2 * np.minimum(mean_above, 1 - mean_above), np.nan)
    same_side = np.where(enough, np.where(up, above, 1 - above), np.nan)
    in_band = np.where(enough, panel.further_above(-band) - panel.further_above(band), np.nan)
    depends_p = crossover_p(estimates, std_errs)
    q_value, depends_q = map(adjust_p, (p_value, depends_p))
    error = np.sqrt(np.nanmean(np.where(enough[:, None], std_errs, np.inf) ** 2, axis=1))
    return pd.DataFrame(
        {
            "p_value": p_value,
            "q_value": q_value,
            "same_side": same_side,
            "further_ci_low": low,
            "further_ci_high": high,
            "in_band": in_band,
            "depends_p_value": depends_p,
            "depends_q_value": depends_q,
            "band": band,
            "panel_verdict": np.select(
                [
                    word == FAIR,
                    depends_q < level,
                    word != NEEDS_GAMES,
                    panel.spread.estimate > error,
                ],
                [FAIR, DEPENDS, word, MORE_PLAYERS],
                NEEDS_GAMES,
            ),
        }
    )


def further_verdict(row: "pd.Series[Any]") -> str:
    """The verdict that the interval of a further player allows, in a row of a panel's table."""
    return verdict(row["further_ci_low"], row["further_ci_high"], band=row["band"])


def rank_agreement(estimates: npt.ArrayLike, covariance: npt.ArrayLike) -> Estimate:
    """Rank correlation of the true values of two players, errors taken out.

    The true values of the items are taken to be normal with a correlation between the players;
    means, standard deviations and correlation are learned from all items, none of them known
    beforehand (uniform).  Given these, the true values behind the estimates are normal as well.
    They are drawn again and again, and each draw has a rank correlation (Spearman's): the estimate
    is the median, the interval holds 95% of them.  It is about these items; the chance is that of
    the games.

    Parameters
    ----------
    estimates : ndarray(float), shape (n_items, 2)
        Items without two estimates are left out; less than four have no rank correlation (nan).
    covariance : ndarray(float), shape (n_items, 2, 2)
        That of the errors of each item.

    Returns
    -------
    Estimate
        Numbers; ``n`` is the number of items.
    """
    estimates, covariance = np.asarray(estimates, float), np.asarray(covariance, float)
    known = np.isfinite(estimates).all(axis=1)
    numbers = np.full(4, np.nan)
    if known.sum() >= _FEWEST:
        truth = _draw_truths(estimates[known], covariance[known], np.random.default_rng(0))
        ranks = truth.argsort(axis=1).argsort(axis=1).astype(float)  # normal draws have no ties
        ranks -= ranks.mean(axis=1, keepdims=True)
        products = np.einsum("dip,diq->dpq", ranks, ranks)
        drawn = products[:, 0, 1] / np.sqrt(products[:, 0, 0] * products[:, 1, 1])
        numbers[:3] = np.quantile(drawn, (0.5, tail(), 1 - tail()))
        numbers[3] = drawn.std()
    estimate, low, high, std_err = map(np.array, numbers)
    return Estimate(estimate, low, high, std_err, np.array(known.sum()))


def _draw_truths(x: Floats, errors: Floats, rng: np.random.Generator) -> Floats:
    """True values given the estimates of two players: (n_draws, n_items, 2)."""
    between, weight = _covariances(x)
    total = between[:, None] + errors  # (n_covariances, n_items, 2, 2)
    size = total[..., 0, 0] * total[..., 1, 1] - total[..., 0, 1] ** 2
    precision = _adjugate(total) / size[..., None, None]
    information = precision.sum(axis=1)
    scatter = np.linalg.inv(information)
    pulls = (precision @ x[..., None])[..., 0]
    weighted = pulls.sum(axis=1)
    mean = (scatter @ weighted[..., None])[..., 0]
    fit = (pulls * x).sum(axis=(1, 2)) - (weighted * mean).sum(axis=1)
    likelihood = -(np.log(size).sum(axis=1) + np.log(np.linalg.det(information)) + fit) / 2
    weight = weight * np.exp(likelihood - likelihood.max())
    one = rng.choice(len(weight), _DRAWS, p=weight / weight.sum())
    centre = mean[one] + _normal(scatter[one], rng)
    pulled = between[one][:, None] @ precision[one]
    expected = centre[:, None] + (pulled @ (x - centre[:, None])[..., None])[..., 0]
    left = between[one][:, None] - pulled @ between[one][:, None]
    return expected + _normal(left, rng)


def _covariances(x: Floats) -> tuple[Floats, Floats]:
    """Covariances that true values might have, (n, 2, 2), and the weight of each beforehand."""
    deviations = x.std(axis=0) * np.geomspace(0.2, 1.5, _DEVIATIONS)[:, None]  # (n, 2)
    correlations = np.tanh(np.linspace(-3, 3, _CORRELATIONS))
    one, two, shared = np.meshgrid(*deviations.T, correlations, indexing="ij")
    off = shared * one * two
    between = np.stack([one**2, off, off, two**2], axis=-1).reshape(-1, 2, 2)
    # Uniform: points lie as far apart as the deviation, or as 1 - the square of the correlation.
    return between, (one * two * (1 - shared**2)).ravel()


def _adjugate(matrices: Floats) -> Floats:
    """Symmetric matrices of two rows, with which they multiply to their determinant."""
    turned = -matrices
    turned[..., 0, 0], turned[..., 1, 1] = matrices[..., 1, 1], matrices[..., 0, 0]
    return turned


def _normal(covariance: Floats, rng: np.random.Generator) -> Floats:
    """Draws from normal distributions of two dimensions around zero, (…, 2)."""
    one, two = rng.standard_normal((2, *covariance.shape[:-2]))
    first = np.sqrt(np.maximum(covariance[..., 0, 0], 0.0))
    slope = covariance[..., 0, 1] / np.where(first > 0, first, 1.0)
    rest = np.sqrt(np.maximum(covariance[..., 1, 1] - slope**2, 0.0))
    return np.stack([first * one, slope * one + rest * two], axis=-1)


def _grid(x: Floats, errors: Floats, prior: SpreadPrior) -> Floats:
    """Spreads that are looked at, the least first; one for nothing but gaps."""
    std_errs = np.sqrt(np.einsum("ipp->ip", errors))[np.isfinite(x)]
    if not len(std_errs):
        return np.ones(1)
    apart = np.nanmax(x) - np.nanmin(x)
    most = max(std_errs.max(), apart, prior.scale)
    return spread_grid(min(std_errs.min(), prior.scale), most, _STEP)


def _without_gaps(x: Floats, errors: Floats) -> tuple[Floats, Floats]:
    """Estimates and covariance; what is not known has an error beyond all others."""
    missing = ~np.isfinite(x)
    if missing.any():
        known = np.where(missing, 0.0, np.einsum("ipp->ip", errors))
        unknown = missing * max(known.max(), 1e-12) * _UNKNOWN**2
        errors = np.where(missing[:, :, None] | missing[:, None], 0.0, errors)
        errors = errors + np.eye(x.shape[1]) * unknown[:, None]
    return np.where(missing, 0.0, x), errors
