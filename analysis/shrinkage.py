"""Many estimates at once, shrunk towards zero: empirical Bayes.

Of many noisy estimates the largest are large by luck as well as by nature.  What is known of all of
them together says by how much each is to be believed: the true values are taken to come from one
distribution, a mixture of normal distributions around zero with a grid of standard deviations,
whose shares are estimated from all estimates at once ("adaptive shrinkage" [1]_).  Where most
truths are next to nothing and a few are large, the small estimates shrink to nearly nothing and the
large ones hardly at all, which one normal distribution for all of them could not do.  What comes
out are means and intervals given the estimates, which may be picked by their size without becoming
too large [2]_.

Unlike in [1]_ the narrowest distribution is no point at zero but a quarter of the least error wide.
No estimate can tell the two apart, and with the point the interval of nearly everything would be
zero to zero, which claims more than anybody knows.

References
----------
.. [1] M. Stephens, "False discovery rates: a new deal", Biostatistics 18 (2017), 275-294.
.. [2] B. Efron, "Tweedie's formula and selection bias", J. Amer. Statist. Assoc. 106 (2011),
   1602-1614.
.. [3] Y. Kim, P. Carbonetto, M. Stephens, M. Anitescu, "A fast algorithm for maximum likelihood
   estimation of mixture proportions using sequential quadratic programming", J. Computational and
   Graphical Statistics 29 (2020), 261-273.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.optimize import minimize
from scipy.special import ndtr

from analysis.estimates import CONFIDENCE

# Standard deviations of the grid [1]_: the first, in the least error, and how many times each is
# the one before.
_LEAST, _STEP = 0.25, 2**0.5
# What speaks for the narrowest beforehand, in estimates: errs on the side of nothing [1]_.
_PRIOR_ZEROS = 10.0
_NOTHING, _NEGLIGIBLE = 1e-12, 1e-6
_HALVINGS = 40


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
        total = spread**2 + std_err**2
        log_density = -0.5 * (np.log(total) + estimate**2 / total)
        density = np.exp(log_density - log_density.max(axis=1, keepdims=True))
        share = _shares(density)
        used = share > 0
        spread, weight = spread[used], (density * share)[:, used]
        weight /= weight.sum(axis=1, keepdims=True)
        kept = spread**2 / (spread**2 + std_err**2)
        mean, deviation = kept * estimate, np.sqrt(kept) * std_err
        tail = (1 - CONFIDENCE) / 2
        shrunk.mean[known] = (weight * mean).sum(axis=1)
        shrunk.ci_low[known] = mixture_quantile(tail, weight, mean, deviation)
        shrunk.ci_high[known] = mixture_quantile(1 - tail, weight, mean, deviation)
    return shrunk


def _grid(estimate: np.ndarray, std_err: np.ndarray) -> np.ndarray:
    """Standard deviations of the components, the narrowest first."""
    least = _LEAST * std_err.min()
    beyond = np.max(estimate**2 - std_err**2)
    most = 2 * np.sqrt(beyond) if beyond > 0 else 8 * least
    n = int(np.ceil(np.log(max(most / least, 1)) / np.log(_STEP))) + 1
    return least * _STEP ** np.arange(n)


def _shares(density: np.ndarray) -> np.ndarray:
    """The shares of the components of greatest likelihood, but for the `_PRIOR_ZEROS`.

    ``density[i, k]`` is that of estimate i under component k, up to a factor of i.  The likelihood
    has no other maximum, and one without the condition that shares add up to one is as good [3]_.
    """
    n_components, prior = density.shape[1], _PRIOR_ZEROS - 1
    n = len(density) + prior

    def loss(share: np.ndarray) -> tuple[float, np.ndarray]:
        mixed = np.einsum("ik,k->i", density, share)
        value = share.sum() - (np.log(mixed).sum() + prior * np.log(share[0])) / n
        slope = 1 - np.einsum("ik,i->k", density, 1 / mixed) / n
        slope[0] -= prior / (n * share[0])
        return value, slope

    # Without BLAS, here and in TNC: in so small a problem its threads took ten times longer than
    # the work.
    found = minimize(
        loss,
        np.full(n_components, 1 / n_components),
        jac=True,
        method="TNC",
        bounds=[(_NOTHING, None)] * n_components,
        options={"maxfun": 5_000, "ftol": 1e-12, "gtol": 1e-8, "xtol": 1e-9},
    ).x
    return np.where(found < _NEGLIGIBLE, 0.0, found) / found.sum()


def mixture_quantile(
    level: float, weight: np.ndarray, mean: np.ndarray, deviation: np.ndarray
) -> np.ndarray:
    """Quantiles of mixtures of normal distributions, shape (n,); by bisection.

    ``weight``, ``mean`` and ``deviation`` of the components are of shape (n, n_components).
    """
    low = (mean - 6 * deviation).min(axis=1)
    high = (mean + 6 * deviation).max(axis=1)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        below = ndtr((middle[:, None] - mean) / deviation)
        enough = (weight * below).sum(axis=1) >= level
        low, high = np.where(enough, low, middle), np.where(enough, middle, high)
    return (low + high) / 2
