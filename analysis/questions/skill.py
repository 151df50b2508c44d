"""How much of a game is luck, and how much it matters who plays: the parts of the variance.

Each player plays the same deals, and each deal several times.  Some of the replays share all
chance, the others the deal alone.  The variance of the result is then a sum [1]_, each part
estimated without bias from products of games of different replays or deals
(`analysis.questions.skill`); a game says what its parts are.

Of all players together there is one more part: ``player``, between their mean results, each
counting the same.  It is about the players who are compared, and grows with the weakest of them.

Deals are the units of independence.  Intervals come from the influence of each deal on the estimate
(the infinitesimal jackknife [2]_), and end at 0 and at 100%.

References
----------
.. [1] S. R. Searle, G. Casella, C. E. McCulloch, *Variance Components*, Wiley 1992, chapter 4.
.. [2] B. Efron, "Nonparametric estimates of standard error: the jackknife, the bootstrap and other
   methods", Biometrika 68 (1981), 589-599.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from attrs import frozen

from analysis.confidence import normal_z
from analysis.registry import Table, with_interval
from simcore.arrays import Floats

#: Replays of each deal, and the first of them with luck of its own after the deal.
REPLAYS, FRESH_FROM = 8, 4
#: The player of rows about all of them together.
ALL_PLAYERS = "all"
#: The part of all players together, and what it is.
PLAYER = "player"
PLAYER_MEANS = "between the players who are compared (of all players together alone)"
WHERE = "in the folder of a comparison of players"
RUNG = "place of the player among those compared, from the weakest, 0"


@frozen(eq=False)
class Known:
    """A number estimated from deals, and the influence of each deal on it, (n_deals,), mean 0."""

    value: float
    influence: Floats

    @classmethod
    def mean(cls, values: Floats) -> "Known":
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


def adding_up(shares: npt.ArrayLike) -> Floats:
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


def products(results: Floats) -> tuple[Floats, int]:
    """The sum of the products of each deal's pairs of results, (n_deals,), and how many there are.

    Both orders of a pair count.
    """
    n = results.shape[1]
    return results.sum(axis=1) ** 2 - (results**2).sum(axis=1), n * (n - 1)


@frozen
class Moments:
    """Means of products of results of a player; their differences are the parts of the variance.

    ``mean`` is the mean result, ``nothing`` the product of two that share nothing, and ``shared``
    that of two that share all up to each source of variance, the last of which is the game itself.
    """

    mean: Known
    nothing: Known
    shared: Mapping[str, Known]

    @classmethod
    def of(cls, results: Floats, deal: str, chance: str, rest: str) -> "Moments":
        """Those of results (n_deals, `REPLAYS`), with what the three sources are called.

        Products are of results less their mean, which leaves the differences as they are and makes
        them more exact.
        """
        mean = Known.mean(results.mean(axis=1))
        results = results - mean.value
        alike, fresh = results[:, :FRESH_FROM], results[:, FRESH_FROM:]
        in_alike, n_alike = products(alike)
        in_fresh, n_fresh = products(fresh)
        across = 2 * alike.sum(axis=1) * fresh.sum(axis=1)
        n_across = 2 * alike.shape[1] * fresh.shape[1]
        return cls(
            mean,
            Known.mean(results.mean(axis=1)).squared(),
            {
                deal: Known.mean((in_fresh + across) / (n_fresh + n_across)),
                chance: Known.mean(in_alike / n_alike),
                rest: Known.mean((results**2).mean(axis=1)),
            },
        )


def together(moments: Sequence[Moments]) -> Moments:
    """The mean of several, such as those of all sides of a game."""
    return Moments(
        average([one.mean for one in moments]),
        average([one.nothing for one in moments]),
        {name: average([one.shared[name] for one in moments]) for name in moments[0].shared},
    )


def player_rows(
    moments: Mapping[str, Moments], measure: str, *, joined: bool = True
) -> list[dict[str, Any]]:
    """The rows of each player, weaker first, and of several together if they can be ``joined``."""
    asked = [([one], player) for player, one in moments.items()]
    if joined and len(moments) > 1:
        asked.append(([*moments.values()], ALL_PLAYERS))
    return [
        {"player": player, "rung": rung, "measure": measure, **row}
        for rung, (of, player) in enumerate(asked)
        for row in _part_rows(of)
    ]


def _part_rows(moments: Sequence[Moments]) -> list[dict[str, Any]]:
    """A row for each part of the variance of one player, or of several together."""
    every = together(moments)
    levels = [every.nothing, *every.shared.values()]
    whole = levels[-1] - every.nothing
    parts = {
        source: more - less
        for source, less, more in zip(every.shared, levels, levels[1:], strict=False)
    }
    if len(moments) > 1:
        means = [one.mean for one in moments]
        between = average([one.squared() for one in means]) - every.mean.squared()
        whole, parts = whole + between, {PLAYER: between, **parts}
    rows = []
    estimates = adding_up([part.of(whole).value for part in parts.values()])
    for (source, part), share in zip(parts.items(), estimates, strict=True):
        _, share_low, share_high = part.of(whole).interval(1)
        variance, low, high = part.interval()
        rows.append(
            {
                "source": source,
                "n_deals": len(part.influence),
                "share": share,
                "share_ci_low": min(share_low, share),
                "share_ci_high": max(share_high, share),
                "spread": np.sqrt(variance),
                "spread_ci_low": np.sqrt(low),
                "spread_ci_high": np.sqrt(high),
            }
        )
    return rows


def parts_table(who: str, measures: Mapping[str, str], sources: Mapping[str, str]) -> Table:
    """The parts of the variance, by player."""
    return Table(
        "skill",
        "One row per player, measure and source of variance",
        {
            "player": f"{who}; `{ALL_PLAYERS}`: the players together, each as often",
            "rung": RUNG,
            "measure": "what varies: "
            + "; ".join(f"`{name}`: {meaning}" for name, meaning in measures.items()),
            "source": "where that comes from: "
            + "; ".join(f"`{name}`: {meaning}" for name, meaning in sources.items()),
            "n_deals": f"deals, the units of independence; each was played {REPLAYS} times",
            **with_interval("share", "share of the variance that comes from there"),
            **with_interval(
                "spread",
                "square root of that part of the variance: the standard deviation of what it does",
            ),
        },
        where=WHERE,
        numbers=("spread",),
    )
