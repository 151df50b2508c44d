"""Intervals that hold together: how many standard errors make a whole family right with 95%.

An interval of 1.96 standard errors holds for one estimate by itself; of four hundred such, twenty
miss.  Intervals of ``c`` standard errors hold together where ``c`` is the 95% quantile of the
largest deviation of the family, in standard errors (the *max-t* method [1]_).  The deviations are
jointly normal among many games; what is needed is how they depend on each other.  Where that is not
known, or is next to nothing, `apart_z` is on the safe side for any dependence [2]_.

`joint_z` estimates the dependence from sums of influences over blocks of games.  Each block gets a
random normal weight, again and again, and the largest weighted sum is looked at (the multiplier
bootstrap [3]_): given the games, the weighted sums are jointly normal with the correlations that
the blocks show.

References
----------
.. [1] T. Hothorn, F. Bretz, P. Westfall, "Simultaneous inference in general parametric models",
   Biometrical Journal 50 (2008), 346-363.
.. [2] Z. Sidak, "Rectangular confidence regions for the means of multivariate normal
   distributions", J. Amer. Statist. Assoc. 62 (1967), 626-633.
.. [3] V. Chernozhukov, D. Chetverikov, K. Kato, "Gaussian approximations and multiplier bootstrap
   for maxima of sums of high-dimensional random vectors", Annals of Statistics 41 (2013),
   2786-2819.
"""

import numpy as np
from scipy.special import ndtr, ndtri

from analysis.confidence import confidence, normal_z
from analysis.estimates import Estimate
from analysis.verdicts import MIN_GAMES

#: Blocks of games that show the correlations well enough: they err by 1 / sqrt(500) at most.
BLOCKS = 500
_DRAWS = 10_000
_AT_A_TIME = 1_000
_HALVINGS = 40


def apart_z(number: int) -> float:
    """Half the width, in standard errors, of ``number`` normal intervals that hold together.

    For estimates that do not depend on each other; for others it is wider than need be [2]_.
    """
    return float(ndtri(0.5 + confidence() ** (1 / number) / 2))


def together(found: Estimate, n: int = 0) -> Estimate:
    """Estimates with intervals of one level that hold for all of them together.

    Each end is so many times as far away as it takes; the intervals are those of single estimates.
    ``n`` says of how many, where some say the same; by default all that are known count.
    """
    known = n or int(np.count_nonzero(np.isfinite(found.ci_low)))
    wider = apart_z(max(known, 1)) / normal_z()
    low, high = (
        found.estimate + wider * (end - found.estimate) for end in (found.ci_low, found.ci_high)
    )
    return found._replace(ci_low=low, ci_high=high)


def of_enough_games(found: Estimate) -> Estimate:
    """Estimates without the intervals of those from too few games for a normal approximation."""
    enough = np.asarray(found.n) >= MIN_GAMES
    low, high = (np.where(enough, end, np.nan) for end in (found.ci_low, found.ci_high))
    return found._replace(ci_low=low, ci_high=high)


def joint_width(std_err: np.ndarray) -> np.ndarray:
    """The half width with which intervals of one width for all hold together.

    The chance that normal estimates all lie within ``w`` of the truth is at least the product of
    their chances, whatever the dependence [2]_; ``w`` makes that 95%.  A family with one much
    wider than the others needs hardly more than that one by itself.

    Parameters
    ----------
    std_err : ndarray(float), shape (..., n_estimates)
        The standard errors of each family; infinite where nothing is known.

    Returns
    -------
    ndarray, shape (...,)
        Infinite where one of the errors is.
    """
    widest = std_err.max(axis=-1)
    known = np.isfinite(widest)
    errors = std_err[known]
    low, high = (z * widest[known] for z in (apart_z(1), apart_z(std_err.shape[-1])))
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        with np.errstate(divide="ignore"):
            sure = np.log1p(-2 * ndtr(-middle[..., None] / errors)).sum(axis=-1)
        enough = sure >= np.log(confidence())
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    width = np.full(widest.shape, np.inf)
    width[known] = high
    return width


def joint_z(influences: np.ndarray) -> float:
    """The same for estimates of which each block of games shows what it adds to their error.

    The same influences give the same number.  A column without any influence counts as one that
    depends on no other.

    Parameters
    ----------
    influences : ndarray(float), shape (n_blocks, n_estimates)
        The sum, over the games of each block, of what a game adds to the error of each estimate.
    """
    sizes = np.sqrt((influences * influences).sum(axis=0))
    varied = sizes > 0
    shares = influences[:, varied] / sizes[varied]
    rng = np.random.default_rng(0)
    largest = np.zeros(_DRAWS)
    for first in range(0, _DRAWS if varied.any() else 0, _AT_A_TIME):
        weights = rng.standard_normal((_AT_A_TIME, len(shares)))
        largest[first : first + _AT_A_TIME] = np.abs(weights @ shares).max(axis=1)
    if alone := int(np.count_nonzero(~varied)):
        of_others = ndtri(0.5 + rng.random(_DRAWS) ** (1 / alone) / 2)
        largest = np.maximum(largest, of_others)
    return float(np.round(np.quantile(largest, confidence()), 3))
