"""Few games of a strong player joined with many of others: what each item is among the strong.

Each item has an estimate from a few games of the strong player, and one from many games of others.
Both judge the same items, so that

    truth = slope * truth among the others + what the strong player alone makes of it,

where the last term has standard deviation ``spread``.  One slope holds for all items: stronger play
stretches what they are worth.  What is known of the slope, and of how far the last term goes, comes
from all items together [1]_.  The spread of an item is its own, and the spreads of all are scaled
inverse chi-squared as in `analysis.panel`: an item of which the strong player makes something else
keeps most of what its own games say.  Slope and spread are averaged over, and both estimates have
errors; the intervals hold all of that.

References
----------
.. [1] A. Gelman, J. Hill, *Data Analysis Using Regression and Multilevel/Hierarchical Models*,
   Cambridge 2006, chapter 12.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from analysis.confidence import confidence, tail
from analysis.estimates import Estimate, two_sided_p
from analysis.panel import SpreadPrior
from analysis.shrinkage import mixture_quantile, spread_grid, spread_shares
from simcore.arrays import Bools, Floats

# Each spread of the grid is so many times the one before; the slopes that are looked at.
_STEP, _SLOPES = 2**0.5, np.linspace(0.0, 3.0, 61)
# A density below is as good as this one.
_NOTHING = 1e-300


class SlopePrior(NamedTuple):
    """What a slope is known to be beforehand: normal with this mean and standard deviation."""

    mean: float
    deviation: float

    def chances(self) -> Floats:
        """How likely each slope is that is looked at, up to a factor."""
        return np.exp(-0.5 * ((_SLOPES - self.mean) / self.deviation) ** 2)


class Pooled(NamedTuple):
    """What all games together say.

    ``items`` and ``together`` have shape (n_items,); the intervals of ``together`` hold for all
    items together.  ``slope`` is a number.  ``differs_p_value`` is the probability of estimates at
    least this far apart if the slope were all that is between the players.
    """

    items: Estimate
    together: Estimate
    slope: Estimate
    differs_p_value: Floats


def pool_partially(
    own: Estimate,
    others: Estimate,
    spreads: SpreadPrior,
    slopes: SlopePrior,
    *,
    alike: npt.ArrayLike = 0.0,
) -> Pooled:
    """Join few games of a strong player with many of others.

    Parameters
    ----------
    own, others
        Estimates of shape (n_items,), in which zero is the average item; nan in either for an item
        of which nothing is said.
    spreads, slopes
        What is known beforehand.
    alike
        The correlation of their errors, of all items or of each: players share luck on the same
        deals.

    Raises
    ------
    ValueError
        Where nothing is known of any item.
    """
    known = np.isfinite(own.estimate * own.std_err * others.estimate * others.std_err)
    if not known.any():
        raise ValueError("no item has estimates of both players")
    luck = np.broadcast_to(np.asarray(alike, float), known.shape)
    y, e, x, d, r = (
        np.asarray(values, float)[known, None, None]
        for values in (own.estimate, own.std_err, others.estimate, others.std_err, luck)
    )
    grid = spread_grid(min(e.min(), spreads.scale), max(np.abs(y).max(), spreads.scale), _STEP)
    b, shared = _SLOPES[:, None], r * e * d
    truth = (b * d) ** 2 + grid**2  # variance, given the others: (n_items, n_slopes, n_spreads)
    pull, total = truth - b * shared, truth - 2 * b * shared + e**2
    off = y - b * x
    chance = _chances(-0.5 * (np.log(total) + off**2 / total), grid, spreads, slopes)
    mean, variance = b * x + pull / total * off, np.maximum(truth - pull**2 / total, 0)
    mixture = [one.reshape(len(y), -1) for one in (chance, mean, np.sqrt(variance))]
    family = (1 - confidence() ** (1 / len(y))) / 2
    items, together = (_estimate(known, own.n, *mixture, outside=p) for p in (tail(), family))
    slope = _slope(chance[0].sum(axis=1), known.sum())
    apart = own.std_err**2 + (slope.estimate * others.std_err) ** 2
    apart -= 2 * slope.estimate * luck * own.std_err * others.std_err
    p_value = two_sided_p(own.estimate - slope.estimate * others.estimate, np.sqrt(apart))
    return Pooled(items, together, slope, p_value)


def _chances(likelihood: Floats, grid: Floats, spreads: SpreadPrior, slopes: SlopePrior) -> Floats:
    """How likely each slope and spread is of each item, (n_items, n_slopes, n_spreads)."""
    likely = np.exp(likelihood - likelihood.max(axis=(1, 2), keepdims=True))
    shares = spread_shares(grid, spreads.degrees)
    by_scale = np.maximum(likely @ shares.T, _NOTHING)  # (n_items, n_slopes, n_scales)
    of_all = np.log(by_scale).sum(axis=0)
    chance = np.exp(of_all - of_all.max()) * slopes.chances()[:, None] * spreads.chances(grid)
    return np.asarray(likely * ((chance / chance.sum() / by_scale) @ shares))


def _estimate(
    known: Bools,
    n: npt.ArrayLike,
    weight: Floats,
    mean: Floats,
    deviation: Floats,
    *,
    outside: float,
) -> Estimate:
    """Mixtures of normal distributions for the items that are known; so much is at either end."""
    average = (weight * mean).sum(axis=1)
    variance = (weight * (deviation**2 + (mean - average[:, None]) ** 2)).sum(axis=1)
    low, high = (mixture_quantile(p, weight, mean, deviation) for p in (outside, 1 - outside))
    found = np.full((4, *known.shape), np.nan)
    found[:, known] = average, low, high, np.sqrt(variance)
    at, low, high, std_err = found
    return Estimate(at, low, high, std_err, np.asarray(n))


def _slope(chance: Floats, n_items: int) -> Estimate:
    """The slope that all items share."""
    mean = chance @ _SLOPES
    low, high = (_SLOPES[np.searchsorted(np.cumsum(chance), p)] for p in (tail(), 1 - tail()))
    numbers = mean, low, high, np.sqrt(chance @ (_SLOPES - mean) ** 2), n_items
    return Estimate(*map(np.array, numbers))
