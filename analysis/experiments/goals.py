"""Goals of a rebalancing: how far numbers are from them, what is shown, and what comes of it.

A goal is a range for a number.  If c is the middle of the range and a half its width, a number v
*stands* at (v - c) / a: between -1 and 1 the goal is met, whatever the number counts.  The *excess*
of some goals is the sum of what lies outside.
"""

from collections.abc import Sequence
from math import ceil, log10
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import ndtri

from analysis.confidence import normal_z

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
_FLOAT = npt.NDArray[np.float64]


class Excess(NamedTuple):
    """By how much goals are missed, in their units, and the influence of each game on that.

    ``influence``, of shape (n_games,), follows from the delta method; its length is the standard
    error.
    """

    value: float
    influence: _FLOAT

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


def joint_verdict(verdicts: Sequence[str]) -> str:
    """What is shown of several goals together."""
    if all(verdict == MET for verdict in verdicts):
        return MET
    return MISSED if any(verdict == MISSED for verdict in verdicts) else NOT_SHOWN


def aim_inside(errors: _FLOAT, games: int, confirm: int) -> _FLOAT:
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


def games_to_show(gain: float, error: float, games: int) -> int | None:
    """Fresh games that show a gain as large as one seen in ``games``, nine times in ten.

    ``error`` is its standard error; None where nothing was gained.
    """
    if gain <= 0:
        return None
    wanted = games * ((normal_z() + float(ndtri(CHANCE))) * error / gain) ** 2
    step = 10 ** max(int(log10(max(wanted, 1))) - 1, 0)
    return max(ceil(wanted / step) * step, games)


def with_interval(name: str, found: tuple[float, float], unit: float) -> dict[str, float]:
    """A number and its interval, from the number and its standard error in another unit."""
    value, error = found
    ends = {"": 0.0, "_ci_low": -normal_z(), "_ci_high": normal_z()}
    return {f"{name}{end}": (value + z * error) * unit for end, z in ends.items()}
