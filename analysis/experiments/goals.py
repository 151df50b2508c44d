"""Goals of a rebalancing: how far numbers are from them, what is shown, and what comes of it.

A goal is a range for a number.  If c is the middle of the range and a half its width, a number v
*stands* at (v - c) / a: between -1 and 1 the goal is met, whatever the number counts.  The *excess*
of some goals is the sum of what lies outside.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from math import ceil, log10
from typing import Generic, NamedTuple, TypeVar

import numpy as np
import pandas as pd
from attrs import frozen
from scipy.special import ndtri

from analysis.confidence import normal_z
from analysis.estimates import Estimate
from analysis.simultaneous import of_enough_games
from analysis.verdicts import FAIR, MIN_GAMES, TOO_STRONG, TOO_WEAK, verdicts
from simcore.arrays import Bools, Floats

#: Verdicts on a goal.
MET, MISSED, NOT_SHOWN = VERDICTS = ("met", "missed", "not shown with this many games")
#: What came of a question: a proposal whose gain is shown, or why there is none.
PROPOSED, NEEDLESS, NOTHING_HELPS, NO_GAIN_SHOWN = OUTCOMES = (
    *("proposal", "nothing needs to be changed"),
    *("nothing that was tried helps", "no gain shown"),
)
#: The chance that fresh games confirm a number that the search considers good.
CHANCE = 0.9

# A number must be allowed to lie this far from its middle, however few games confirm it.
_LEAST_AIM = 0.3
_G = TypeVar("_G")


class Excess(NamedTuple):
    """By how much goals are missed, in their units, and the influence of each game on that.

    ``influence``, of shape (n_games,), follows from the delta method; its length is the standard
    error.
    """

    value: float
    influence: Floats

    @property
    def error(self) -> float:
        """The standard error."""
        n = len(self.influence)
        return float(np.sqrt(self.influence @ self.influence * n / max(n - 1, 1)))

    def less(self, other: "Excess", *, dealt_alike: bool) -> tuple[float, float]:
        """The difference from another excess, this one minus the other, and its standard error.

        ``dealt_alike`` says that the games of both have the same deals and the same luck.
        """
        if dealt_alike:
            error = Excess(0, self.influence - other.influence).error
        else:
            error = float(np.hypot(self.error, other.error))
        return self.value - other.value, error


@frozen
class Measured:
    """The numbers that goals are about: an `Estimate` of arrays of shape (n_goals,).

    ``stands`` and ``errors`` are where they stand and the standard errors, in the units of each
    goal.
    """

    numbers: Estimate
    stands: Floats
    errors: Floats

    @property
    def excess(self) -> float:
        """By how much all goals together are missed."""
        return float(np.maximum(np.abs(self.stands) - 1, 0).sum())

    @property
    def beyond(self) -> Floats:
        """On which side of its range each number lies: -1 below, 1 above, 0 inside it."""
        return np.where(np.abs(self.stands) > 1, np.sign(self.stands), 0.0)

    @property
    def worst(self) -> int:
        """The goal that is farthest from its middle."""
        return int(np.argmax(np.abs(self.stands)))


class Meter(ABC, Generic[_G]):
    """Measures games of a setup, and of changed ones, against goals.

    ``middle`` and ``reach`` are the middle of each range and half its width, of shape (n_goals,).
    """

    middle: Floats
    reach: Floats

    @property
    def n_entries(self) -> int:
        """How many goals are about entries; they come first."""
        return len(self.reach)

    @property
    @abstractmethod
    def about(self) -> Mapping[str, Sequence[str]]:
        """Columns that say what each goal is about."""

    @property
    def ends(self) -> tuple[Floats, Floats]:
        """The lower and the upper end of each range."""
        return self.middle - self.reach, self.middle + self.reach

    @abstractmethod
    def numbers(self, games: _G) -> Estimate:
        """The number of each goal."""

    @abstractmethod
    def moved_errors(self, games: _G, others: _G) -> Floats:
        """Standard errors of the differences between games with the same luck, as `errors`."""

    @abstractmethod
    def influence(self, measured: Measured, games: _G, weights: Floats) -> Floats:
        """What each game adds to the sum of all numbers, each times its weight."""

    def measure(self, games: _G) -> Measured:
        """The numbers of games, and where they stand."""
        numbers = self.numbers(games)
        stands = np.nan_to_num((numbers.estimate - self.middle) / self.reach)
        return Measured(numbers, stands, np.nan_to_num(numbers.std_err / self.reach))

    def excess(self, measured: Measured, games: _G, goals: Bools | None = None) -> Excess:
        """By how much some goals are missed, or all, in half the width of their ranges.

        A number whose interval reaches outside its range counts in the error as if it lay outside:
        at the edge the excess has no derivative, and without such numbers the error would be too
        small.
        """
        which = np.ones(len(self.reach), np.bool_) if goals is None else goals
        value = float(np.maximum(np.abs(measured.stands[which]) - 1, 0).sum())
        might = np.abs(measured.stands) + normal_z() * measured.errors > 1
        weights = np.where(which & might, np.sign(measured.stands), 0.0) / self.reach
        return Excess(value, self.influence(measured, games, weights))

    def table(self, measured: Measured) -> pd.DataFrame:
        """A row for each goal: its number, the interval and what is shown; few games show nothing.

        See `VERDICTS`.
        """
        numbers = of_enough_games(measured.numbers)
        words = {FAIR: MET, TOO_STRONG: MISSED, TOO_WEAK: MISSED}
        judged = verdicts(*numbers[1:3], band=self.reach, null=self.middle)
        return pd.DataFrame(
            {
                **self.about,
                "n": measured.numbers.n.astype(np.int64),
                **dict(zip(("least", "most"), self.ends, strict=True)),
                **dict(zip(("estimate", "ci_low", "ci_high"), numbers[:3], strict=True)),
                "verdict": [words.get(one, NOT_SHOWN) for one in judged],
            }
        )


def joint_verdict(verdicts: Sequence[str]) -> str:
    """What is shown of several goals together."""
    if all(verdict == MET for verdict in verdicts):
        return MET
    return MISSED if any(verdict == MISSED for verdict in verdicts) else NOT_SHOWN


def aim_inside(errors: Floats, games: int, confirm: int) -> Floats:
    """How far from its middle each number may be seen, so that fresh games will confirm it.

    ``errors`` are the standard errors of where numbers stand in ``games`` games; ``confirm`` is the
    number of fresh games.
    """
    return np.maximum(1 - errors_inside((games / confirm) ** 0.5) * errors, _LEAST_AIM)


def errors_inside(share: float) -> float:
    """How far inside its range a number must be seen so that fresh games will confirm it.

    In standard errors of the games seen; ``share`` is the standard error of the fresh games divided
    by that.  The interval asks that the fresh estimate lies a number of its own errors inside.  It
    differs from the estimate seen by the chance of both, and passes with probability `CHANCE`.
    """
    return float(normal_z() * share + ndtri(CHANCE) * np.hypot(1, share))


def games_to_show(gain: float, error: float, games: int, observed: int) -> int | None:
    """Fresh games that show a gain as large as one seen in ``games``, nine times in ten.

    ``error`` is its standard error, and ``observed`` how many observations the number has that has
    fewest; None where nothing was gained, or a number was not observed at all.
    """
    if gain <= 0 or not observed:
        return None
    wanted = games * ((normal_z() + float(ndtri(CHANCE))) * error / gain) ** 2
    wanted = max(wanted, games * MIN_GAMES / observed)
    step = 10 ** max(int(log10(max(wanted, 1))) - 1, 0)
    return max(ceil(wanted / step) * step, games)


def with_interval(name: str, found: tuple[float, float], unit: float) -> dict[str, float]:
    """A number and its interval, from the number and its standard error in another unit."""
    value, error = found
    ends = {"": 0.0, "_ci_low": -normal_z(), "_ci_high": normal_z()}
    return {f"{name}{end}": (value + z * error) * unit for end, z in ends.items()}
