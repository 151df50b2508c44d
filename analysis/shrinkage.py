"""Many estimates at once, shrunk towards zero by as much as all of them together tell.

Of many noisy estimates the largest are large by luck as well as by nature.  What is known of all of
them says by how much each is to be believed.  The true values are taken to come from one of
Student's distributions around zero, from the normal one to Cauchy's: where most truths are next to
nothing and a few are large, the small estimates shrink to nearly nothing and the large ones hardly
at all, which the normal distribution could not do.

Scale and shape of that distribution are not known, so they are averaged over, each weighted by how
likely it makes all estimates together.  Beforehand the square of the scale is uniform, from next to
nothing to more than any estimate [1]_ [2]_, and the shapes are equally likely.  A best guess of the
scale put in their place would make the intervals of small families far too narrow: it comes out as
zero where eight or twenty estimates happen to be alike.  What comes out are means and intervals
given the estimates, which may be picked by their size without becoming too large [3]_.

`spread_shares` and `spread_chances` do the same for any unknown spread, such as that of the players
of a panel.

References
----------
.. [1] C. N. Morris, "Parametric empirical Bayes inference: theory and applications", J. Amer.
   Statist. Assoc. 78 (1983), 47-55.
.. [2] C. N. Morris, R. Tang, "Estimating random effects via adjustment for density maximization",
   Statistical Science 26 (2011), 271-287.
.. [3] B. Efron, "Tweedie's formula and selection bias", J. Amer. Statist. Assoc. 106 (2011),
   1602-1614.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from analysis.confidence import tail
from simcore.arrays import Floats

# Degrees of freedom (the normal distribution, one in between, and Cauchy's) and which power of the
# scale is uniform beforehand: its square, and less of Cauchy's distribution, whose long tails make
# few large truths among many small ones likely at a scale that the square would all but rule out.
_SHAPES = {np.inf: 2.0, 4.0: 2.0, 1.0: 1.5}

# Spreads of a grid: the least, in the least error; how many times each is the one before; and the
# largest, in the largest of errors and estimates.
_LEAST, _STEP, _MOST = 0.05, 2**0.5, 4.0
# A spread with a smaller chance adds nothing to an interval, and a density below is as good as 0.
_NEGLIGIBLE, _NOTHING = 1e-7, 1e-300
_HALVINGS = 36


class Shrunk(NamedTuple):
    """What is believed of the truth behind each estimate, arrays of one shape."""

    mean: Floats
    ci_low: Floats
    ci_high: Floats


def shrink(estimates: npt.ArrayLike, std_errs: npt.ArrayLike) -> Shrunk:
    """Shrink estimates of alike things towards zero.

    Parameters
    ----------
    estimates, std_errs : ndarray(float), shape (n,)
        Normal estimates and their standard errors, above zero; nan where there is no estimate,
        which has no part in the others and stays nan.

    Returns
    -------
    Shrunk
        Posterior means with 95% intervals.
    """
    estimates, std_errs = np.asarray(estimates, float), np.asarray(std_errs, float)
    shrunk = Shrunk(*(np.full(estimates.shape, np.nan) for _ in Shrunk._fields))
    known = np.isfinite(estimates) & np.isfinite(std_errs) & (std_errs > 0)
    if known.any():
        estimate, std_err = estimates[known, None], std_errs[known, None]
        spreads = spread_grid(std_err.min(), max(np.abs(estimate).max(), std_err.max()))
        total = spreads**2 + std_err**2
        likelihood = -0.5 * (np.log(total) + estimate**2 / total)
        shares = np.concatenate([spread_shares(spreads, degrees) for degrees in _SHAPES])
        uniform = [spreads**power / (spreads**power).sum() for power in _SHAPES.values()]
        weight = spread_chances(likelihood, shares, np.concatenate(uniform))
        kept = spreads**2 / total
        mean, deviation = kept * estimate, np.sqrt(kept) * std_err
        shrunk.mean[known] = (weight * mean).sum(axis=1)
        shrunk.ci_low[known] = mixture_quantile(tail(), weight, mean, deviation)
        shrunk.ci_high[known] = mixture_quantile(1 - tail(), weight, mean, deviation)
    return shrunk


def spread_grid(least: float, most: float, step: float = _STEP) -> Floats:
    """Spreads that are looked at, the least first, each ``step`` times the one before.

    ``least`` is the least error, and ``most`` the largest of errors and estimates.
    """
    first = _LEAST * least
    return first * step ** np.arange(np.ceil(np.log(_MOST * most / first) / np.log(step)) + 1)


def spread_shares(spreads: Floats, degrees: float) -> Floats:
    """Distributions of spreads over the grid, (n_scales, n_spreads), whose scales are the spreads.

    A normal value whose variance has a scaled inverse chi-squared distribution is Student's with
    these degrees of freedom; with infinitely many all have the same variance.
    """
    if np.isinf(degrees):
        return np.eye(len(spreads))
    ratio = (spreads[:, None] / spreads) ** 2
    density = np.exp(degrees / 2 * (np.log(ratio) - ratio + 1))  # of the logarithm of a spread
    return np.asarray(density / density.sum(axis=1, keepdims=True))


def spread_chances(likelihood: Floats, shares: Floats, prior: Floats) -> Floats:
    """How likely each spread is of each item, (n_items, n_spreads), from all items together.

    Parameters
    ----------
    likelihood : ndarray(float), shape (n_items, n_spreads)
        The logarithm of how likely a spread makes each item.
    shares : ndarray(float), shape (n_distributions, n_spreads)
        Distributions that the spreads may come from.
    prior : ndarray(float), shape (n_distributions,)
        How likely each of them is beforehand.
    """
    likely = np.exp(likelihood - likelihood.max(axis=1, keepdims=True))
    by_distribution = np.maximum(likely @ shares.T, _NOTHING)
    of_all = np.log(prior) + np.log(by_distribution).sum(axis=0)
    chance = np.exp(of_all - of_all.max())
    found = likely * ((chance / chance.sum() / by_distribution) @ shares)
    return np.asarray(found / found.sum(axis=1, keepdims=True))


def mixture_quantile(level: float, weight: Floats, mean: Floats, deviation: Floats) -> Floats:
    """Quantiles of mixtures of normal distributions, shape (n,); by bisection.

    ``weight``, ``mean`` and ``deviation`` of the components are of shape (n, n_components).
    """
    used = weight.max(axis=0) > _NEGLIGIBLE
    weight, mean, deviation = weight[:, used], mean[:, used], deviation[:, used]
    low = (mean - 6 * deviation).min(axis=1)
    high = (mean + 6 * deviation).max(axis=1)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        below = ndtr((middle[:, None] - mean) / deviation)
        enough = (weight * below).sum(axis=1) >= level
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return (low + high) / 2
