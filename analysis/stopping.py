"""Play until enough is known: the rule that ends a run, and intervals that still hold there.

A run of ``--until`` looks at its rates again and again, and ends when all that are watched are
known well enough: "every card to ±0.2 points".  That is one promise about all of them, so the
intervals hold together with 95%.

**At the end** (the usual form).  The rule looks at nothing but widths.  Widths hardly depend on who
wins, so the number of games is as good as chosen beforehand, and ordinary intervals hold at the end
[1]_: fixed-width intervals of Chow and Robbins.  All have the one width that makes them right
together (`simultaneous.joint_width`), since that is what was asked for, so the cards that are known
better leave the others more of the 5% in which one may miss.  That takes no more games than a
number chosen beforehand.

**At every look** (``anytime``).  Somebody who reads the results and then decides whether to play on
is misled by such intervals: who looks often enough sees one miss.  An asymptotic confidence
sequence [2]_, the mixture over a normal prior of [3]_, holds at all looks: with a chance of 95%
*all* intervals of all win rates, after any number of games, contain the truth.  With the clustered
standard error :math:`s` of `estimates` and :math:`\\alpha = 0.05 / K` the interval is

.. math:: \\hat r \\pm s \\sqrt{(1 + 1/k) \\log((1 + k) / \\alpha^2)}, \\qquad k = c\\,(s_* / s)^2,

where :math:`c = \\log((1 + c) / \\alpha^2)` makes it as narrow as can be at the standard error
:math:`s_*` at which it has the width that was asked for; there it spans :math:`\\sqrt{1 + c}`
standard errors either way.

References
----------
.. [1] Y. S. Chow, H. Robbins, "On the asymptotic theory of fixed-width sequential confidence
   intervals for the mean", Annals of Mathematical Statistics 36 (1965), 457-462; F. J. Anscombe,
   "Large-sample theory of sequential estimation", Proc. Cambridge Phil. Soc. 48 (1952), 600-607.
.. [2] I. Waudby-Smith, D. Arbour, R. Sinha, E. H. Kennedy, A. Ramdas, "Time-uniform central limit
   theory and asymptotic confidence sequences", Annals of Statistics 52 (2024), 2613-2640.
.. [3] H. Robbins, "Statistical methods related to the law of the iterated logarithm", Annals of
   Mathematical Statistics 41 (1970), 1397-1409; S. R. Howard, A. Ramdas, J. McAuliffe, J. Sekhon,
   "Time-uniform, nonparametric, nonasymptotic confidence sequences", Annals of Statistics 49
   (2021), 1055-1080.
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from functools import cache, partial
from typing import Any, ClassVar, NamedTuple

import numpy as np
from attrs import field, fields, frozen
from numpy.typing import ArrayLike

from analysis.confidence import confidence
from analysis.estimates import RatioSums
from analysis.simultaneous import apart_z, joint_width
from card_data.typed_numbers import decimal_number
from simcore.work.runs import Look

#: How the forms are called in a manifest: right where the run ends, and right at every look.
AT_THE_END, ANYTIME = "fixed-width intervals", "asymptotic confidence sequence"
#: A rate of fewer games than this counts as unknown: the method is one for many games.
LEAST_GAMES = 100
#: What came up in none of so many games is not waited for: it does in fewer than 3 of 10,000.
NEVER_GAMES = 10_000

# The most games that can be asked for would not do for less than the first.
_LEAST_POINTS, _MOST_POINTS = 0.001, 50
_LEAST_PART, _MOST_PART = 256, 65_536
_LOOKS = 32  # about this many at least, more if few players have what is watched


class GoalError(ValueError):
    """What was said with ``--until`` is not a goal; the message says why, and what is."""


@frozen
class Goal:
    """How well something shall be known: ``precision`` in percentage points, and ``of`` what.

    What there can be is the game's business; "" is all that it usually watches.
    """

    precision: float
    of: str = ""

    @classmethod
    def parse(cls, text: str, examples: str = "") -> "Goal":
        """The goal in ``0.2`` or ``0.2:WHAT``.  Raises GoalError, which gives the examples."""
        number, colon, of = text.partition(":")
        try:
            precision = decimal_number(number)
        except ValueError:
            precision = math.nan
        if not _LEAST_POINTS <= precision <= _MOST_POINTS or (colon and not of):
            more = f", {examples}" if examples else ""
            raise GoalError(
                f"'{text}' is not a precision; give percentage points from {_LEAST_POINTS} to"
                f" {_MOST_POINTS}, as in 0.2{more}"
            )
        return cls(precision, of)

    def called(self, names: Mapping[str, str]) -> "Goal":
        """The goal about the entry that is meant by its id or its name, in any letters.

        ``names`` are printed names by id; several entries have commas between them.
        """
        ids = {name.casefold(): one for one, name in names.items()}
        ids |= {one.casefold(): one for one in names}
        words = (word.strip() for word in self.of.split(","))
        return Goal(self.precision, ",".join(ids.get(word.casefold(), word) for word in words))

    def __str__(self) -> str:
        return f"{self.precision:g}" + (f":{self.of}" if self.of else "")


class Known(NamedTuple):
    """Win rates and what is known of them, all arrays of one shape."""

    rate: np.ndarray
    std_err: np.ndarray  # infinite where there are too few games
    half_width: np.ndarray


class Watched(NamedTuple):
    """One rate that is watched."""

    key: str  # in a manifest
    name: str
    policy: str  # of the players whom it is about, "" if all
    word: str = ""  # what is said in the place of a verdict


@frozen
class Promise:
    """What intervals hold: ``together`` of them with 95%, at the end or ``anytime``.

    ``precision`` is the half width that was asked for, a share; it has to be chosen before the
    first look.  Those at the end have one width.
    """

    precision: float
    together: int = 1
    anytime: bool = False

    @property
    def span(self) -> float:
        """Standard errors either way that an interval of the width asked for spans at most."""
        return math.sqrt(1 + self._at_best) if self.anytime else apart_z(self.together)

    def half_width(self, std_err: ArrayLike) -> np.ndarray:
        """Half the width of the intervals of estimates with these standard errors.

        Of the same shape, (..., together) at the end.
        """
        std_err = np.asarray(std_err, float)
        if not self.anytime:
            return np.broadcast_to(joint_width(std_err)[..., None], std_err.shape)
        with np.errstate(divide="ignore", invalid="ignore"):
            k = self._at_best * (self.precision / self.span / std_err) ** 2
            width = std_err * np.sqrt((1 + 1 / k) * np.log((1 + k) / self._alpha**2))
        return np.where(np.isfinite(std_err), width, np.inf)

    @property
    def _alpha(self) -> float:
        return (1 - confidence()) / self.together

    @property
    def _at_best(self) -> float:
        """The c of the module's formula."""
        return _solved(self._alpha)


def know(sums: RatioSums, promise: Promise) -> Known:
    """What is known of rates whose sums these are, with the intervals of a promise.

    The rates on the last axis are those that hold together.

    The sum of squares is enlarged by one whole win: nothing among many games, but a card that has
    always won is not known without any doubt.  With n wins of n games the interval has about the
    width 3 / n that is right for it.
    """
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = sums.s / sums.n
        squares = sums.ss - 2 * rate * sums.ns + rate**2 * sums.nn
        std_err = np.sqrt(np.maximum(squares, 0) + 1) / sums.n
    std_err = np.where(sums.games >= LEAST_GAMES, std_err, np.inf)
    return Known(rate, std_err, promise.half_width(std_err))


@frozen
class PlayUntil(ABC):
    """A stopping rule of `simcore.work.runs`: the run ends when all that is watched is known.

    A game says what is watched and counts it.  ``anytime`` asks for intervals that hold at every
    look; otherwise they hold where the run ends.  ``on_look`` is told of every look.  A goal about
    nothing in particular is about what is ``usual``.
    """

    usual: ClassVar[str]

    goal: Goal
    anytime: bool = field(default=False, kw_only=True)
    on_look: Callable[[Look], None] | None = field(default=None, eq=False, kw_only=True)

    def __reduce__(self) -> tuple[Any, ...]:
        """The rule as another process has it, which counts and tells nobody."""
        kind: Any = type(self)
        names = [one.name for one in fields(kind) if one.name != "on_look"]
        return partial(kind, **{name: getattr(self, name) for name in names}), ()

    @property
    def of(self) -> str:
        """What the goal is about, for the manifest."""
        return self.goal.of or self.usual

    @property
    @abstractmethod
    def watched(self) -> Sequence[Watched]:
        """What is watched."""

    @abstractmethod
    def count(self, records: np.ndarray) -> np.ndarray:
        """What the rule needs of some games, to be added up; called from several threads."""

    @abstractmethod
    def rates(self, sums: np.ndarray) -> RatioSums:
        """The sums of all that is watched, each of shape (n_watched,), from those of `count`."""

    @property
    def asked(self) -> Mapping[str, Any]:
        """What the rule is, for the manifest."""
        return {
            "precision": self.goal.precision,
            "of": self.of,
            "confidence": confidence(),
            "together": self.promise.together,
            "method": ANYTIME if self.anytime else AT_THE_END,
        }

    @property
    def promise(self) -> Promise:
        """The intervals of what is watched."""
        return Promise(self.goal.precision / 100, len(self.watched), self.anytime)

    @property
    def part_games(self) -> int:
        """Games from one look to the next; follows from what was asked alone."""
        players = (self.promise.span / self.promise.precision) ** 2 / 4
        part = 1 << max(int(math.log2(players / _LOOKS)), 0)
        return min(max(part, _LEAST_PART), _MOST_PART)

    def look(self, sums: np.ndarray, n_games: int) -> Look:
        """Whether everything watched is known as well as it shall be.

        What has never come up, by `NEVER_GAMES`, is named and no longer waited for.
        """
        known, goal = self.known(sums), self.promise.precision
        never = ~self.came_up(sums) & (n_games >= NEVER_GAMES)
        waited = np.flatnonzero(~never)
        if never.any() and len(waited):
            std_err = known.std_err[waited]
            known = Known(known.rate[waited], std_err, self.promise.half_width(std_err))
        worst = int(np.argmax(known.std_err))
        width = float(known.half_width[worst])
        needed = None
        if math.isfinite(width):
            needed = math.ceil(n_games * self._share_of_needed(known, worst) ** 2)
        reached = width <= goal or not len(waited)
        watched = self.watched[int(waited[worst]) if len(waited) else 0]
        details: dict[str, Any] = {
            "worst": watched.key,
            "worst_name": watched.name,
            "worst_policy": watched.policy,
            "half_width": 100 * width if math.isfinite(width) else None,
            "more_games": 0 if reached else needed and max(needed - n_games, 1),
        }
        if never.any():
            details["never"] = [self.watched[int(at)].name for at in np.flatnonzero(never)]
        look = Look(reached=reached, games_needed=needed, details=details)
        if self.on_look:
            self.on_look(look)
        return look

    def came_up(self, sums: np.ndarray) -> np.ndarray:
        """Whether each of what is watched came up at all, shape (n_watched,)."""
        return np.asarray(self.rates(sums).games > 0)

    def _share_of_needed(self, known: Known, worst: int) -> float:
        """How many times too wide the intervals are, the errors falling with the games."""
        goal = self.goal.precision / 100
        if self.anytime:
            return float(known.std_err[worst]) * self.promise.span / goal
        return float(known.half_width[worst]) / goal

    def known(self, sums: np.ndarray, promise: Promise | None = None) -> Known:
        """What the sums of counts say of all that is watched, with the rule's intervals.

        Or with those of another promise.
        """
        return know(self.rates(sums), promise or self.promise)


def goal_of(until: Mapping[str, Any]) -> Goal:
    """The goal of a rule, by the entry of the manifest that says what was asked."""
    return Goal(float(until["precision"]), until["of"])


def promise_of(until: Mapping[str, Any]) -> Promise:
    """What was promised of the intervals, by the entry of the manifest that says what was asked."""
    together, anytime = int(until["together"]), until["method"] == ANYTIME
    return Promise(float(until["precision"]) / 100, together, anytime)


@cache
def _solved(alpha: float) -> float:
    """The c of c = log((1 + c) / alpha^2)."""
    c = 8.0
    for _ in range(50):
        c = math.log((1 + c) / alpha**2)
    return c


def interval_ends(rate: float, reach: float) -> tuple[float, float]:
    """The ends of an interval of a rate."""
    return max(rate - reach, 0.0), min(rate + reach, 1.0)
