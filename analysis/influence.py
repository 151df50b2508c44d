"""Estimates with the influence of each game on them.

The estimate r = sum s_i / sum n_i over games has the influence u_i = (s_i - r n_i) / sum n_i of
game i, and its variance is G / (G - 1) times the sum of the squares of u_i, where G is the number
of games with n_i above 0.  A weighted sum of estimates from the same games, such as a Shapley
value, is an estimate of that kind as well, from the weighted sums of each game: its error needs no
assumption about how the estimates depend on each other.
"""

from collections.abc import Sequence
from typing import Self

import numpy as np
import numpy.typing as npt
from attrs import frozen

from analysis.confidence import normal_z
from analysis.estimates import interval
from simcore.arrays import Floats

_INT = npt.NDArray[np.integer]

# How many games have their influences in memory at a time.
_BATCH = 8192


@frozen(eq=False)
class Influence:
    """An estimate, what each game adds to it, (n_games,), and how many had an observation."""

    estimate: float
    of_games: Floats
    games: int

    @classmethod
    def ratio(cls, s: _INT, n: _INT, unit: float = 1.0) -> Self:
        """The ratio of the sums of s and n over games; ``unit`` is what 1 is worth in s."""
        total = n.sum()
        if not total:
            return cls(np.nan, np.full(len(n), np.nan), 0)
        mean = float(s.sum() / total)
        return cls(unit * mean, unit * (s - mean * n) / total, int(np.count_nonzero(n)))

    def __truediv__(self, other: "Influence") -> "Influence":
        """The ratio of two estimates from the same observations, by the delta method."""
        share = self.estimate / other.estimate
        of_games = (self.of_games - share * other.of_games) / other.estimate
        return Influence(share, of_games, other.games)

    @property
    def std_err(self) -> float:
        """The standard error; nan for fewer than two games."""
        if self.games < 2:
            return np.nan
        return float(np.sqrt(self.of_games @ self.of_games * self.games / (self.games - 1)))

    def interval(self, column: str) -> dict[str, float]:
        """The columns of the estimate and of its normal interval."""
        return interval(column, self.estimate, normal_z() * self.std_err)


def covariance(s: Sequence[_INT], n: Sequence[_INT]) -> Floats:
    """The covariance of the errors of ratios of sums over the same games, (n_ratios, n_ratios)."""
    totals = np.array([one.sum(dtype=np.int64) for one in n])
    ratios = np.array([one.sum(dtype=np.int64) for one in s]) / totals
    found = np.zeros((len(totals), len(totals)))
    n_games = len(s[0]) if s else 0
    for first in range(0, n_games, _BATCH):
        batch = slice(first, first + _BATCH)
        some_s, some_n = (np.stack([one[batch] for one in each]) for each in (s, n))
        influence = (some_s - ratios[:, None] * some_n) / totals[:, None]
        found += influence @ influence.T
    return found * n_games / max(n_games - 1, 1)
