"""Parts of a variance, estimated from units of independence that were each tried several times.

A unit, such as a deal, is played again with some of its luck shared and the rest fresh.  Products
of two results estimate without bias what the two have in common, and the differences between such
products divide the variance among its sources (method of moments [1]_).  Intervals come from the
influence of each unit on the estimate (the infinitesimal jackknife [2]_).

References
----------
.. [1] S. R. Searle, G. Casella, C. E. McCulloch, *Variance Components*, Wiley 1992, chapter 4.
.. [2] B. Efron, "Nonparametric estimates of standard error: the jackknife, the bootstrap and other
   methods", Biometrika 68 (1981), 589-599.
.. [3] J. Duchi, S. Shalev-Shwartz, Y. Singer, T. Chandra, "Efficient projections onto the l1-ball
   for learning in high dimensions", Proc. ICML 2008, 272-279.
"""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
from attrs import frozen

from analysis.confidence import normal_z

_FLOAT = npt.NDArray[np.float64]


@frozen(eq=False)
class Known:
    """A number estimated from deals, and the influence of each deal on it, (n_deals,), mean 0."""

    value: float
    influence: _FLOAT

    @classmethod
    def mean(cls, values: _FLOAT) -> "Known":
        """The mean of a value of each deal."""
        return cls(values.mean(), values - values.mean())

    def __add__(self, other: "Known") -> "Known":
        return Known(self.value + other.value, self.influence + other.influence)

    def __sub__(self, other: "Known") -> "Known":
        return Known(self.value - other.value, self.influence - other.influence)

    def of(self, whole: "Known") -> "Known":
        """The share that it is of another; unknown where that is 0."""
        if not whole.value > 0:
            return Known(np.nan, np.full_like(self.influence, np.nan))
        share = self.value / whole.value
        return Known(share, (self.influence - share * whole.influence) / whole.value)

    def squared(self) -> "Known":
        """Its square, without bias."""
        square = self.value**2 - self.std_err**2
        return Known(square, 2 * self.value * self.influence)

    @property
    def std_err(self) -> float:
        """The standard error."""
        n = len(self.influence)
        return float(np.sqrt((self.influence**2).sum() / (n * (n - 1))))

    def interval(self, most: float = np.inf) -> tuple[float, float, float]:
        """The number and its interval, all three between 0 and ``most``."""
        low, high = self.value - normal_z() * self.std_err, self.value + normal_z() * self.std_err
        value, low, high = (float(np.clip(one, 0, most)) for one in (self.value, low, high))
        return value, low, high


def average(known: Sequence[Known]) -> Known:
    """The mean of several numbers of the same deals."""
    values = np.mean([one.value for one in known])
    return Known(float(values), np.mean([one.influence for one in known], axis=0))


def adding_up(shares: npt.ArrayLike) -> _FLOAT:
    """The nearest shares that are not below 0 and add up to 1 (least squares [3]_).

    Estimates of parts that are next to nothing may be below 0.  Set to 0 by themselves they would
    leave the others with more than the whole; so these are each made smaller by as much.  nan stays
    nan.
    """
    shares = np.asarray(shares, float)
    ranked = np.sort(shares)[::-1]
    over = (np.cumsum(ranked) - 1) / np.arange(1, len(ranked) + 1)
    kept = np.count_nonzero(ranked > over)
    return np.maximum(shares - over[kept - 1], 0) if kept else shares


def products(results: _FLOAT) -> tuple[_FLOAT, int]:
    """The sum of the products of each deal's pairs of results, (n_deals,), and how many there are.

    Both orders of a pair count.
    """
    n = results.shape[1]
    return results.sum(axis=1) ** 2 - (results**2).sum(axis=1), n * (n - 1)
