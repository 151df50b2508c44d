"""A surrogate of the games: where numbers stand with changes that were not played together.

The stand of a number is taken to be a Gaussian process [1]_ over sets of changes: what it is with
nothing changed, the effect of each change, and what each two do together beyond that [2]_.  Effects
have mean 0 and one of two variances, that of a change on the number that it is about, and that of
one on another; those of pairs have a third.  The three are found by penalised marginal likelihood,
and everything that was played tells about every effect.

References
----------
.. [1] C. E. Rasmussen, C. K. I. Williams, *Gaussian Processes for Machine Learning*, MIT Press
   2006, sections 2.2 and 5.4.1.
.. [2] R. Baptista, M. Poloczek, "Bayesian optimization of combinatorial structures", Proc. ICML
   2018, 462-471.
"""

import numpy as np

from simcore.arrays import Bools, Floats

# Standard deviations from which the fit begins, in units of a goal, and how sure these are: of the
# logarithm of a variance.
_OWN, _OTHER, _PAIR = 1.0, 0.1, 0.1
_SURE = 2.0
#: The fit is repeated when the number of plans has grown by this factor.
_AGAIN = 1.4
_FEWEST, _STEPS = 4, 120
_JITTER = 1e-6


class Surrogate:
    """Predicts where numbers stand.

    ``own`` says which effects are large, (n_goals, n_changes).  Sets of changes are rows of 0 and
    1, (n, n_changes).
    """

    def __init__(self, own: Bools) -> None:
        n_goals, n = own.shape
        self._own = own
        self._sets = np.zeros((0, n))
        self._moved = np.zeros((0, n_goals))
        self._errors = np.zeros((0, n_goals))
        self._logs = self._start = 2 * np.log(np.array([_OWN, _OTHER, _PAIR]))
        self._fitted = 0

    def learn(self, sets: Floats, moved: Floats, errors: Floats) -> None:
        """Learn by how much sets moved numbers, with standard errors, both (n, n_goals)."""
        self._sets = np.vstack([self._sets, sets])
        self._moved = np.vstack([self._moved, moved])
        self._errors = np.vstack([self._errors, errors])
        n = len(self._sets)
        if n >= max(_FEWEST, _AGAIN * self._fitted):
            self._fit()
            self._fitted = n

    def predict(
        self, sets: Floats, luck: np.random.Generator | None = None, n_samples: int = 0
    ) -> list[Floats]:
        """By how much sets should move the numbers, (n, n_goals): the mean, and then samples."""
        found = [np.zeros((len(sets), len(self._own))) for _ in range(1 + n_samples)]
        of_own, of_other, pair = np.exp(self._logs)
        across_pairs, known_pairs, left_pairs = (
            pair * _pairs(one @ other.T)
            for one, other in ((sets, self._sets), (self._sets, self._sets), (sets, sets))
        )
        for goal, own in enumerate(self._own):
            spread = np.where(own, of_own, of_other)
            across = (sets * spread) @ self._sets.T + across_pairs
            known = (self._sets * spread) @ self._sets.T + known_pairs
            factor = _factor(known, self._errors[:, goal])
            half = np.linalg.solve(factor, across.T)
            mean = half.T @ np.linalg.solve(factor, self._moved[:, goal])
            found[0][:, goal] = mean
            if luck is None or not n_samples:
                continue
            left = (sets * spread) @ sets.T + left_pairs - half.T @ half
            sizes, axes = np.linalg.eigh(left)
            axes = axes * np.sqrt(np.maximum(sizes, 0))
            for sample in found[1:]:
                sample[:, goal] = mean + axes @ luck.standard_normal(len(sizes))
        return found

    def _fit(self) -> None:
        """Find the three variances."""
        from scipy.optimize import minimize

        shared = self._sets @ self._sets.T
        pairs = _pairs(shared)
        mine = [(self._sets * own) @ self._sets.T for own in self._own]

        def minus_likelihood(logs: Floats) -> float:
            of_own, of_other, pair = np.exp(logs)
            value = float((((logs - self._start) / _SURE) ** 2).sum() / 2)
            for goal, own in enumerate(mine):
                known = of_own * own + of_other * (shared - own) + pair * pairs
                factor = _factor(known, self._errors[:, goal])
                value += float(np.log(np.diag(factor)).sum())
                value += float((np.linalg.solve(factor, self._moved[:, goal]) ** 2).sum() / 2)
            return value

        corners = np.vstack([self._logs, self._logs + np.eye(3)])
        options = {"maxfev": _STEPS, "xatol": 0.05, "fatol": 0.1, "initial_simplex": corners}
        best = minimize(minus_likelihood, self._logs, method="Nelder-Mead", options=options)
        self._logs = np.asarray(best.x)


def _pairs(shared: Floats) -> Floats:
    """How many pairs of changes two sets share, by how many changes they share."""
    return shared * (shared - 1) / 2


def _factor(known: Floats, errors: Floats) -> Floats:
    """The Cholesky factor of a covariance with errors of measurement."""
    return np.asarray(np.linalg.cholesky(known + np.diag(errors**2 + _JITTER)), np.float64)
