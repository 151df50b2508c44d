"""How good a price list is, and how wide its intervals must be so that they hold.

Prices are judged on batches of things left out whole: players learn each batch anew and then judge
all of it a little higher or lower, which leaving out one thing at a time cannot show.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from analysis.confidence import confidence, normal_z
from analysis.mixed_model import Forecast
from simcore.arrays import Bools, Floats, Integers

#: Known to no better than this, in points, a thing has no price.
WIDEST = 6.0
# Prices count from and to here where an interval grows with them, in tens of points.
_LOWEST, _HIGHEST = -0.8, 1.2
_FEWEST = 20


class Held(NamedTuple):
    """Things with their price without themselves, and what they were worth when played, (n,).

    ``error`` is the variance of ``worth``; ``modifiers`` are those that make a price less sure;
    ``batch`` is that of each.
    """

    price: Forecast
    worth: Floats
    error: Floats
    modifiers: Integers
    batch: Integers

    def where(self, chosen: Bools) -> "Held":
        """Some of them."""
        return Held(
            Forecast(self.price.mean[chosen], self.price.variance[chosen]),
            self.worth[chosen],
            self.error[chosen],
            self.modifiers[chosen],
            self.batch[chosen],
        )


class Calibration(NamedTuple):
    """How the variance of a price follows from that of the model, and how wide an interval is.

    ``level``, ``by_price`` (for ten points) and ``by_modifier`` are logarithms; ``slope`` is the
    standard deviation of the scale of prices between batches; an interval is ``times`` standard
    deviations to either side.
    """

    level: float
    by_price: float
    by_modifier: float
    slope: float
    times: float

    @classmethod
    def of(cls, held: Held) -> "Calibration":
        """The one under which prices miss by as much as they say."""
        from scipy.optimize import minimize  # a third of a second

        slope = _slope_spread(held)

        def minus_likelihood(three: Floats) -> float:
            level, by_price, by_modifier = map(float, three)
            one = cls(level, by_price, by_modifier, slope, 1.0)
            variance = one.variance(held.price, held.modifiers) + held.error
            missed = (held.worth - held.price.mean) ** 2
            prior = 0.5 * (np.asarray(three) ** 2).sum()
            return float((np.log(variance) + missed / variance).sum() / 2 + prior)

        best = minimize(minus_likelihood, np.zeros(3), method="Nelder-Mead").x
        level, by_price, by_modifier = map(float, best)
        found = cls(level, by_price, by_modifier, slope, 1.0)
        sizes = np.abs(held.worth - held.price.mean)
        sizes /= np.sqrt(found.variance(held.price, held.modifiers) + held.error)
        return found._replace(times=float(np.quantile(sizes, confidence())))

    def variance(self, price: Forecast, modifiers: npt.ArrayLike) -> Floats:
        """The variance of what is worth what prices say."""
        tens = np.clip(price.mean / 10, _LOWEST, _HIGHEST)
        factor = self.level + self.by_price * tens + self.by_modifier * np.asarray(modifiers)
        return price.variance * np.exp(factor) + (self.slope * price.mean) ** 2

    def half_width(self, price: Forecast, modifiers: npt.ArrayLike) -> Floats:
        """Half the width of the interval of a price."""
        return self.times * np.sqrt(self.variance(price, modifiers))


class Quality(NamedTuple):
    """How good prices are, in points.

    ``error`` is the standard deviation of price minus worth without the chance in what was played,
    ``error_played`` with it, and the two correlations likewise; ``slope`` is by how much worth
    grows with a price; ``covered`` is the share of intervals that held; ``spread`` is the standard
    deviation of the worths.
    """

    n: int
    error: float
    error_played: float
    slope: float
    slope_ci_low: float
    slope_ci_high: float
    correlation: float
    correlation_played: float
    covered: float
    half_width: float
    spread: float

    @classmethod
    def of(cls, held: Held, variance: Floats, times: Floats) -> "Quality":
        """That of some prices with these variances, whose intervals are ``times`` as wide."""
        if len(held.worth) < 3:
            return cls(len(held.worth), *(float("nan"),) * 10)
        price, noise = held.price.mean, float(held.error.mean())
        missed = held.worth - price
        slope, std_err = _slope(price, held.worth)
        with_noise = float(np.var(held.worth, ddof=1))
        true = max(with_noise - noise, 0.0)
        played = float(np.corrcoef(price, held.worth)[0, 1])
        inside = np.abs(missed) <= times * np.sqrt(variance + held.error)
        return cls(
            n=len(price),
            error=float(np.sqrt(max((missed**2).mean() - noise, 0.0))),
            error_played=float(np.sqrt((missed**2).mean())),
            slope=slope,
            slope_ci_low=slope - normal_z() * std_err,
            slope_ci_high=slope + normal_z() * std_err,
            correlation=min(played * np.sqrt(with_noise / true), 1.0) if true else float("nan"),
            correlation_played=played,
            covered=float(inside.mean()),
            half_width=float((times * np.sqrt(variance)).mean()),
            spread=float(np.sqrt(true)),
        )


def cross_calibrated(held: Held) -> tuple[Floats, Floats]:
    """Variances and widths of intervals, those of each batch by what all other batches show."""
    variance, times = np.empty(len(held.worth)), np.empty(len(held.worth))
    for batch in np.unique(held.batch):
        mine = held.batch == batch
        others = held.where(~mine)
        found = Calibration.of(others if len(others.worth) >= _FEWEST else held)
        own = held.where(mine)
        variance[mine] = found.variance(own.price, own.modifiers)
        times[mine] = found.times
    return variance, times


def _slope(price: Floats, worth: Floats) -> tuple[float, float]:
    """By how much worth grows with price, and the standard error of that."""
    far = price - price.mean()
    slope = float(far @ worth / (far @ far))
    rest = worth - worth.mean() - slope * far
    return slope, float(np.sqrt(rest @ rest / max(len(price) - 2, 1) / (far @ far)))


def _slope_spread(held: Held) -> float:
    """The standard deviation of the slope between batches, without what is chance in it."""
    several = [
        _slope(held.price.mean[mine], held.worth[mine])
        for mine in (held.batch == batch for batch in np.unique(held.batch))
        if np.count_nonzero(mine) >= _FEWEST
    ]
    if len(several) < 2:
        return 0.1
    slopes, std_errs = np.array(several).T
    return float(np.sqrt(max(np.var(slopes, ddof=1) - (std_errs**2).mean(), 0.0)))
