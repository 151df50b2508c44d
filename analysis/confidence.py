"""The confidence level of intervals, verdicts and tests: one for all that is estimated at a time.

It belongs to the process and not to a thread, since a command estimates in several threads.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

#: What it is called where it is written down.
LEVEL = "confidence"
#: The level unless another is set, and the least and the most that can be.
USUAL, LEAST, MOST = 0.95, 0.5, 0.999

_levels = [USUAL]  # that of the innermost block last


def confidence() -> float:
    """The share of intervals that hold, such as 0.95."""
    return _levels[-1]


def tail() -> float:
    """The share of intervals that lie all above the truth, and of those all below."""
    return (1 - confidence()) / 2


def normal_z() -> float:
    """Half the width of a normal interval, in standard errors."""
    return _normal_z(confidence())


@cache
def _normal_z(level: float) -> float:
    from scipy.special import ndtri  # a sixth of a second

    return float(ndtri(0.5 + level / 2))


def unusual_confidence() -> dict[str, float]:
    """What tells an answer from one of the usual level: nothing where it is of that."""
    return {} if confidence() == USUAL else {LEVEL: confidence()}


def confidence_said() -> str | None:
    """The level as an option says it, in a command that answers at it; None for the usual one."""
    return None if confidence() == USUAL else f"{100 * confidence():g}%"


@contextmanager
def at_confidence(level: float) -> Iterator[None]:
    """Estimate everything in the block at this level.

    Raises ValueError for one that is not between `LEAST` and `MOST`.
    """
    if not (math.isfinite(level) and LEAST <= level <= MOST):
        raise ValueError(
            f"the confidence is {100 * level:g}%; it must be between {100 * LEAST:g}% and"
            f" {100 * MOST:g}%"
        )
    _levels.append(level)
    try:
        yield
    finally:
        _levels.pop()
