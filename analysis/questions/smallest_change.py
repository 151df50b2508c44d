"""The smallest change that brings something into its band: what is tried, and what is proposed.

A change is made of *steps*, such as one less power or one keyword more, each of which has a size.
Single steps have been tried.  From the smallest size on, every change of a size that can be made of
steps which do not lead away from the band is tried, in successive halving [1]_: all of them on a
few games, and on more games the nearest of those that are not shown to be outside the band.  The
search ends at the first size at which one is seen to be well inside.  Where none may do, steps that
lead away are joined as well: they can make up for one that goes too far.

The changes that are most likely to be inside are then played on fresh games, which had no part in
choosing them.  One of several is proposed, so their intervals and verdicts hold for all of them
together [2]_.  That a smaller change would do is never ruled out by a sum of steps alone, unless
the steps would not do together if each did twice what it does by itself.

References
----------
.. [1] K. Jamieson, A. Talwalkar, "Non-stochastic best arm identification and hyperparameter
   optimization", Proc. AISTATS 2016, 240-248.
.. [2] Z. Sidak, "Rectangular confidence regions for the means of multivariate normal
   distributions", J. Amer. Statist. Assoc. 62 (1967), 626-633.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations_with_replacement, islice
from typing import Generic, TypeVar

import numpy as np
from attrs import evolve, field, frozen
from scipy.special import ndtr

from analysis.confidence import normal_z
from analysis.estimates import Estimate
from analysis.simultaneous import apart_z, of_enough_games
from analysis.verdicts import FAIR, verdict

#: The largest change that is tried, and how many of one size at most, those nearest by their steps.
LARGEST, MOST_OF_A_SIZE = 6, 24
#: Changes of one size that play more than a few games, and changes that play fresh ones.
KEPT, CONFIRMED = 4, 4

# A change is out of the race if it is seen this many standard errors outside the band.
_OUT = 3
# One that is seen this far inside the band, as a share of it, is well inside, however unsure.
_DEEP = 0.5
# A change with a smaller chance to be inside plays no fresh games.
_LEAST_CHANCE = 0.05
# Changes that play fresh games where none may do.
_NEAREST = 2

Made = TypeVar("Made")


@frozen
class Step:
    """One step: what is changed, by one more or less, and how much that counts."""

    thing: str
    by: int
    size: int = 1


@frozen
class Plan(Generic[Made]):
    """A change: its steps, what it is in words, and what is played with it."""

    steps: tuple[Step, ...]
    label: str = field(eq=False)
    made: Made = field(eq=False)

    @property
    def amount(self) -> int:
        """How much it changes."""
        return sum(step.size for step in self.steps)

    @property
    def is_joined(self) -> bool:
        """Whether it changes several things at once."""
        return len({step.thing for step in self.steps}) > 1


@frozen
class Tried(Generic[Made]):
    """A change in some games, beside the same games without it, by one player.

    ``stands`` is how far from the middle of the band it leads, ``moved`` how far from where it was
    in the same games, ``overall`` by how much the win rate of all these games moves, where that can
    be; each of shape (1,).
    """

    plan: Plan[Made]
    policy: str
    fresh: bool
    games: int
    stands: Estimate = field(converter=of_enough_games)
    moved: Estimate = field(converter=of_enough_games)
    overall: Estimate | None = None

    @property
    def at(self) -> float:
        """Where it stands."""
        return float(self.stands.estimate[0])

    def verdict(self, band: float) -> str:
        """The verdict on it."""
        return verdict(float(self.stands.ci_low[0]), float(self.stands.ci_high[0]), band=band)


#: Plays some games of changes.
Play = Callable[[Sequence[Plan[Made]], int], Sequence[Tried[Made]]]


@frozen
class Search(Generic[Made]):
    """The search for the smallest change.

    Parameters
    ----------
    band
        What is to be reached: at most this far from the middle.
    now
        Where the thing stands, of shape (1,).
    make
        A change of some steps; None where there is none.
    play
        Plays the first games of changes, as many as it is asked for.
    few, many
        How many games all changes of a size play, and those that may do.
    """

    band: float
    now: Estimate
    make: Callable[[tuple[Step, ...]], Plan[Made] | None]
    play: Play[Made]
    few: int
    many: int

    def try_all(self, tried: Sequence[Tried[Made]], usual: Iterable[Step]) -> list[Tried[Made]]:
        """What was ``tried``, and changes of several steps.

        They are made of the ``usual`` steps, as far as these do not lead away from the band.  Where
        nothing of that may do, since a step goes too far, or leads elsewhere than it should, they
        are made of any.
        """
        found = self._try_all(tried, self._helpful(tried, {*usual}))
        if any(self._chance(one) >= _LEAST_CHANCE for one in self._played(found)):
            return found
        return self._try_all(found, self._effects(tried))

    def _try_all(
        self, tried: Sequence[Tried[Made]], steps: Mapping[Step, tuple[float, float]]
    ) -> list[Tried[Made]]:
        """What was tried, and the changes that are made of these steps."""
        known = {one.plan: one for one in tried}
        for size in range(1, LARGEST + 1):
            left = self._of_size(size, steps)
            for games in (self.few, self.many):
                missing = [one for one in left if one not in known or known[one].games < games]
                if missing:
                    known |= {one.plan: one for one in self.play(missing, games)}
                able = [known[one] for one in left if self._may_do(known[one])]
                left = [one.plan for one in sorted(able, key=self._distance)[:KEPT]]
            if any(self._is_well_inside(known[one]) for one in left):
                break
        return [*known.values()]

    def to_confirm(self, tried: Iterable[Tried[Made]]) -> list[Plan[Made]]:
        """The changes that are most likely inside the band, smallest first.

        Else those nearest to it, if they come nearer than the thing is now.
        """
        played = self._played(tried)
        likely = sorted(played, key=self._chance, reverse=True)
        likely = [one for one in likely if self._chance(one) >= _LEAST_CHANCE][:CONFIRMED]
        now = abs(float(self.now.estimate[0]))
        nearer = [one for one in played if self._distance(one) < now]
        chosen = likely or sorted(nearer, key=self._distance)[:_NEAREST]
        return [one.plan for one in sorted(chosen, key=lambda one: one.plan.amount)]

    def _effects(self, tried: Iterable[Tried[Made]]) -> dict[Step, tuple[float, float]]:
        """By how much each single step leads towards the band, and the error of that."""
        side = np.sign(self.now.estimate[0])
        return {
            one.plan.steps[0]: (
                float(-side * one.moved.estimate[0]),
                float(one.moved.std_err[0]),
            )
            for one in tried
            if len(one.plan.steps) == 1
        }

    def _helpful(
        self, tried: Iterable[Tried[Made]], usual: set[Step]
    ) -> dict[Step, tuple[float, float]]:
        """The usual steps that do not lead away, one way for each thing."""
        best: dict[str, Step] = {}
        effects = self._effects(tried)
        for step in sorted(usual & effects.keys(), key=lambda step: effects[step]):
            gain, error = effects[step]
            if gain + normal_z() * error > 0:
                best[step.thing] = step
        return {step: effects[step] for step in effects if best.get(step.thing) == step}

    def _of_size(self, size: int, steps: Mapping[Step, tuple[float, float]]) -> list[Plan[Made]]:
        """The changes of a size, those first that come nearest if their steps add up."""
        distance = abs(float(self.now.estimate[0]))
        found: list[tuple[float, tuple[Step, ...]]] = []
        for taken in _of_size(size, [*steps]):
            gain, error = (sum(steps[step][which] for step in taken) for which in (0, 1))
            if 2 * (gain + normal_z() * error) >= distance - self.band:
                found.append((abs(distance - gain), taken))
        found.sort(key=lambda pair: pair[0])
        plans = filter(None, (self.make(taken) for _, taken in found))
        return [*islice(plans, MOST_OF_A_SIZE)]

    def _seen(self, one: Tried[Made]) -> tuple[float, float]:
        """Where a change leads, from where the thing stands and what it moves, and the error."""
        at = float(self.now.estimate[0] + one.moved.estimate[0])
        return at, float(np.hypot(self.now.std_err[0], one.moved.std_err[0]))

    def _played(self, tried: Iterable[Tried[Made]]) -> list[Tried[Made]]:
        return [one for one in tried if one.games >= self.many]

    def _distance(self, one: Tried[Made]) -> float:
        return abs(self._seen(one)[0])

    def _may_do(self, one: Tried[Made]) -> bool:
        at, error = self._seen(one)
        return abs(at) <= self.band + _OUT * error

    def _is_well_inside(self, one: Tried[Made]) -> bool:
        at, error = self._seen(one)
        return abs(at) <= max(self.band - normal_z() * error, _DEEP * self.band)

    def _chance(self, one: Tried[Made]) -> float:
        """About how likely a change is inside the band."""
        at, error = self._seen(one)
        if not error:
            return float(abs(at) <= self.band)
        return float(ndtr((self.band - at) / error) - ndtr((-self.band - at) / error))


def _of_size(size: int, steps: Sequence[Step]) -> Iterator[tuple[Step, ...]]:
    """Every choice of steps, some several times, none both ways, whose sizes add up."""
    for number in range(1, size + 1):
        for taken in combinations_with_replacement(steps, number):
            ways = {*taken}
            if len({step.thing for step in ways}) < len(ways):
                continue
            if sum(step.size for step in taken) == size:
                yield taken


def judged_together(fresh: Sequence[Tried[Made]]) -> list[Tried[Made]]:
    """Changes on fresh games, with intervals that hold for all of them together."""
    return [evolve(one, stands=_widened(one.stands, len(fresh))) for one in fresh]


def _widened(found: Estimate, among: int) -> Estimate:
    if among == 1:
        return found
    reach = apart_z(among) * found.std_err
    return found._replace(ci_low=found.estimate - reach, ci_high=found.estimate + reach)


def proposed(fresh: Sequence[Tried[Made]], band: float) -> Plan[Made] | None:
    """The smallest change shown to be inside the band, else the smallest that seems to be.

    None where fresh games see none inside the band.
    """
    inside = [one for one in fresh if abs(one.at) <= band]
    shown = [one for one in inside if one.verdict(band) == FAIR]
    best = sorted(shown or inside, key=lambda one: (one.plan.amount, abs(one.at)))
    return best[0].plan if best else None
