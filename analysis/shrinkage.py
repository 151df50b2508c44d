"""Many estimates at once, shrunk towards zero: empirical Bayes.

Of many noisy estimates the largest are large by luck as well as by nature.  What is known of all of
them together says by how much each is to be believed: the true values are taken to come from one
distribution, a mixture of a point at zero and of normal distributions around zero with a grid of
standard deviations, whose shares are estimated from all estimates at once ("adaptive shrinkage"
[1]_).  Where most truths are next to nothing and a few are large, the small estimates shrink to
nearly nothing and the large ones hardly at all, which one normal distribution for all of them could
not do.  What comes out are means and intervals given the estimates, which may be picked by their
size without becoming too large [2]_.

References
----------
.. [1] M. Stephens, "False discovery rates: a new deal", Biostatistics 18 (2017), 275-294.
.. [2] B. Efron, "Tweedie's formula and selection bias", J. Amer. Statist. Assoc. 106 (2011),
   1602-1614.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import ndtr

from analysis.estimates import CONFIDENCE

# Standard deviations of the grid, from a tenth of the least error up [1]_, and by which factor.
_LEAST, _STEP = 0.1, 2**0.5
# What speaks for zero beforehand, in estimates: errs on the side of nothing [1]_.
_PRIOR_ZEROS = 10.0
_MOST_ROUNDS, _CLOSE = 5_000, 1e-7
_HALVINGS = 50
_NOTHING = 1e-12


class Shrunk(NamedTuple):
    """What is believed of the truth behind each estimate, arrays of one shape."""

    mean: np.ndarray
    ci_low: np.ndarray
    ci_high: np.ndarray


def shrink(estimates: ArrayLike, std_errs: ArrayLike) -> Shrunk:
    """Shrink estimates of alike things towards zero.

    Parameters
    ----------
    estimates, std_errs : ndarray(float), shape (n,)
        Normal estimates and their standard errors, above zero; nan where there is no estimate,
        which has no part in the others and stays nan.

    Returns
    -------
    Shrunk
        Posterior means with 95 % intervals.
    """
    estimates, std_errs = np.asarray(estimates, float), np.asarray(std_errs, float)
    shrunk = Shrunk(*(np.full(estimates.shape, np.nan) for _ in Shrunk._fields))
    known = np.isfinite(estimates) & np.isfinite(std_errs) & (std_errs > 0)
    if known.any():
        estimate, std_err = estimates[known, None], std_errs[known, None]
        spread = _grid(estimate, std_err)
        weight = _responsibilities(estimate, std_err, spread)
        kept = spread**2 / (spread**2 + std_err**2)
        mean, deviation = kept * estimate, np.sqrt(kept) * std_err
        tail = (1 - CONFIDENCE) / 2
        shrunk.mean[known] = (weight * mean).sum(axis=1)
        shrunk.ci_low[known] = _quantile(tail, weight, mean, deviation)
        shrunk.ci_high[known] = _quantile(1 - tail, weight, mean, deviation)
    return shrunk


def _grid(estimate: np.ndarray, std_err: np.ndarray) -> np.ndarray:
    """Standard deviations of the components, zero the first."""
    least = _LEAST * std_err.min()
    beyond = np.max(estimate**2 - std_err**2)
    most = 2 * np.sqrt(beyond) if beyond > 0 else 8 * least
    n = int(np.ceil(np.log(max(most / least, 1)) / np.log(_STEP))) + 1
    return np.concatenate([[0.0], least * _STEP ** np.arange(n)])


def _responsibilities(estimate: np.ndarray, std_err: np.ndarray, spread: np.ndarray) -> np.ndarray:
    """How likely each estimate is to come from each component, shape (n, n_components).

    The shares of the components are those of greatest likelihood, but for the `_PRIOR_ZEROS`,
    found by expectation and maximisation.
    """
    total = spread**2 + std_err**2
    log_density = -0.5 * (np.log(total) + estimate**2 / total)
    density = np.exp(log_density - log_density.max(axis=1, keepdims=True))
    share = np.full(len(spread), 1 / len(spread))
    prior = np.zeros(len(spread))
    prior[0] = _PRIOR_ZEROS - 1
    for _ in range(_MOST_ROUNDS):
        counts = share * (density.T @ (1 / (density @ share))) + prior
        before, share = share, counts / counts.sum()
        if np.abs(share - before).max() < _CLOSE:
            break
    weight = density * share
    return weight / weight.sum(axis=1, keepdims=True)


def _quantile(
    level: float, weight: np.ndarray, mean: np.ndarray, deviation: np.ndarray
) -> np.ndarray:
    """Quantiles of mixtures of normal distributions, shape (n,); by bisection.

    A deviation of zero is a point at zero.
    """
    low = (mean - 6 * deviation).min(axis=1)
    high = (mean + 6 * deviation).max(axis=1)
    smooth = deviation > 0
    safe = np.where(smooth, deviation, 1.0)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        below = np.where(smooth, ndtr((middle[:, None] - mean) / safe), middle[:, None] >= 0)
        enough = (weight * below).sum(axis=1) >= level
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return np.where(np.abs(high) < _NOTHING, 0.0, high)
