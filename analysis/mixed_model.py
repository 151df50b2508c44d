"""A linear mixed model: what things are worth by what they are made of, with what that leaves open.

    worth = features @ effects + what a thing has of its own + error

Effects of one block of features have one variance, and so has what things have of their own; all
are found by penalised marginal likelihood [1]_ [2]_ [3]_.  An effect that was never met has mean 0
and the variance of its block, so a forecast says by itself how little is known of it.

References
----------
.. [1] C. E. Rasmussen, C. K. I. Williams, *Gaussian Processes for Machine Learning*, MIT Press
   2006, section 5.4.1.
.. [2] A. Gelman, J. Hill, *Data Analysis Using Regression and Multilevel/Hierarchical Models*,
   Cambridge 2006, chapters 12 and 13.
.. [3] Y. Chung, S. Rabe-Hesketh, V. Dorie, A. Gelman, J. Liu, "A nondegenerate penalized likelihood
   estimator for variance parameters in multilevel models", Psychometrika 78 (2013), 685-709.
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from attrs import frozen

from simcore.arrays import Floats, Integers

#: The block whose variance is not looked for: as good as no shrinkage.
FREE = "free"
_FREE_VARIANCE = 100.0
#: What is a thing's own, among the variances.
OWN = "own"
_START, _LEAST, _MOST, _STEPS = 1.0, 1e-4, 50.0, 60


class Forecast(NamedTuple):
    """Means and variances of what things are worth, without errors of measurement, (n,)."""

    mean: Floats
    variance: Floats


def spread_of(blocks: Iterable[str], variances: Mapping[str, float]) -> Floats:
    """The variance of the effect of each feature, (p,), by its block; 1 where that has none."""
    known = {**variances, FREE: _FREE_VARIANCE}
    return np.array([known.get(name, _START) for name in blocks])


def effects_of_many(features: Any, worth: Floats, error: Floats, spread: Floats) -> Floats:
    """The mean of each effect, (p,), where there are many more things than features.

    ``features`` is a sparse array (n, p), ``error`` the variance of what is measured and of what
    things have of their own, (n,), and ``spread`` that of each effect, (p,).  `MixedModel` finds
    the same by n equations.
    """
    from scipy.linalg import solve

    weighted = features.T.multiply(1 / error).tocsr()
    precision = (weighted @ features).toarray()
    precision[np.diag_indices_from(precision)] += 1 / spread
    return np.asarray(solve(precision, weighted @ worth, assume_a="pos"))


@frozen(eq=False)
class MixedModel:
    """A fitted model: features (n, p) of things, blocks (p,), worths and error variances (n,).

    ``variances`` has that of each block, and of `OWN`.
    """

    features: Floats
    blocks: tuple[str, ...]
    worth: Floats
    error: Floats
    variances: Mapping[str, float]

    @classmethod
    def fit(
        cls,
        features: Floats,
        blocks: Sequence[str],
        worth: Floats,
        error: Floats,
        start: Mapping[str, float],
    ) -> "MixedModel":
        """Find the variances, beginning with those that are given."""
        from scipy.linalg.lapack import dpotri  # a third of a second, with the next
        from scipy.optimize import minimize

        names = [*dict.fromkeys(one for one in blocks if one != FREE), OWN]
        found = np.log([start.get(name, _START) for name in names])
        bounds = [(np.log(_LEAST), np.log(_MOST))] * len(names)
        own = len(names) - 1
        # Features without a variance that is looked for count for nothing: `own` has another slope.
        place = np.array([own if name == FREE else names.index(name) for name in blocks])

        def minus_likelihood(logs: Floats) -> tuple[float, Floats]:
            shares = np.exp(logs)
            variances = dict(zip(names, shares, strict=True))
            model = cls(features, tuple(blocks), worth, error, variances)
            factor, _ = model._factor
            value = np.log(np.diag(factor)).sum()
            lower, _ = dpotri(factor, lower=True)
            gap = np.tril(lower) + np.tril(lower, -1).T
            pull = gap @ worth
            value += worth @ pull / 2
            gap -= np.outer(pull, pull)
            each = (model._sparse.T @ gap * features.T).sum(axis=1)
            slopes = np.bincount(place, each, len(names)) / 2
            slopes[own] = np.trace(gap) / 2
            # A variance of 0 would tell that nothing is open: it is kept away from there [3]_.
            return float(value) - logs.sum() / 2, slopes * shares - 0.5

        best = minimize(
            minus_likelihood,
            found,
            jac=True,
            method="L-BFGS-B",
            bounds=bounds,
            options={"maxiter": _STEPS, "ftol": 1e-7},
        )
        variances = dict(zip(names, map(float, np.exp(best.x)), strict=True))
        return cls(features, tuple(blocks), worth, error, variances)

    @cached_property
    def _spread(self) -> Floats:
        return spread_of(self.blocks, self.variances)

    @cached_property
    def _sparse(self) -> Any:
        """The features without those that a thing has not: all but some twenty of thousands."""
        from scipy.sparse import csr_array

        return csr_array(self.features)

    @cached_property
    def _factor(self) -> Any:
        """The Cholesky factor of the covariance of the worths, (n, n), as scipy has it."""
        from scipy.linalg import cho_factor

        covariance = self._sparse @ (self.features * self._spread).T
        covariance += np.diag(self.error + self.variances[OWN])
        return cho_factor(covariance, lower=True, overwrite_a=True)

    def _solved(self, right: Floats) -> Floats:
        """The inverse of that covariance times a vector or a matrix."""
        from scipy.linalg import cho_solve

        return np.asarray(cho_solve(self._factor, right))

    @cached_property
    def effects(self) -> Floats:
        """The mean of the effect of each feature, (p,)."""
        return np.asarray(self._spread * (self._sparse.T @ self._solved(self.worth)))

    def contrast(self, features: Floats) -> Forecast:
        """What sums or differences of features are worth, (m, p), without what is things' own."""
        shared = self._sparse @ (features * self._spread).T
        variance = features**2 @ self._spread - (shared * self._solved(shared)).sum(axis=0)
        return Forecast(features @ self.effects, np.maximum(variance, 0.0))

    def forecast(self, features: Floats) -> Forecast:
        """What things that were not measured are worth, (m, p)."""
        found = self.contrast(features)
        return Forecast(found.mean, found.variance + self.variances[OWN])

    def left_out(self, groups: Integers) -> Forecast:
        """What each thing is worth by those of all other groups; those below 0 are one by one."""
        inverse = self._solved(np.eye(len(groups)))
        pull = inverse @ self.worth
        diagonal = np.diag(inverse)
        mean, variance = self.worth - pull / diagonal, 1 / diagonal - self.error
        for group in np.unique(groups[groups >= 0]):
            out = np.flatnonzero(groups == group)
            # What the others say of a group is in its block of the inverse: nothing is fitted anew.
            spread = np.linalg.inv(inverse[np.ix_(out, out)])
            mean[out] = self.worth[out] - spread @ pull[out]
            variance[out] = np.diag(spread) - self.error[out]
        return Forecast(mean, np.maximum(variance, 0.0))
