"""Few small changes that bring a pool to its goals: sequential linear integer programming.

The search has four stages.

1. It plays single changes: first those of the cards farthest outside the aim, and those about no
   card.  It leaves cards inside their range alone, unless the others are not enough.
2. All plans play the same deals, so few games show what one change does to every number, and these
   effects nearly add up.  For each amount of change an integer programme finds the changes that
   miss the goals least (the epsilon-constraint method [1]_, solved with HiGHS [2]_).  The search
   plays them together.
3. It solves the programme again around the result, for a step of limited size: larger where the
   last step brought what was expected, smaller where it did not (sequential linear programming [3]_
   with a trust region).
4. When that gets no further, it plays single changes around the best plan, and then mends one card
   after another, always the one that is farthest off.

A number of the whole pool is out of reach if it stays outside its range even with all changes
together that move it the right way.  The search sets it aside: every small gain would cost another
change.

A change also moves the cards that it is not about.  These effects are small, and chance blurs them
as much as the effect on the changed card.  Most of them are equal, since what one card wins the
others lose together.  So each counts as their median, unless it differs from the median by more
than chance explains among that many effects (hard thresholding [4]_).

Nothing here knows of cards or games.  A *plan* is a set of changes, by their numbers.  A simulator
returns where each number stands with it, in units in which the goal is -1 to 1.

References
----------
.. [1] Y. Y. Haimes, L. S. Lasdon, D. A. Wismer, "On a bicriterion formulation of the problems of
   integrated system identification and system optimization", IEEE Trans. Systems, Man, and
   Cybernetics 1 (1971), 296-297.
.. [2] Q. Huangfu, J. A. J. Hall, "Parallelizing the dual revised simplex method", Mathematical
   Programming Computation 10 (2018), 119-142.
.. [3] R. E. Griffith, R. A. Stewart, "A nonlinear programming technique for the optimization of
   continuous processing systems", Management Science 7 (1961), 379-392.
.. [4] D. L. Donoho, I. M. Johnstone, "Ideal spatial adaptation by wavelet shrinkage", Biometrika 81
   (1994), 425-455.
"""

import os
import sys
from collections.abc import Callable, Hashable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from math import inf

import numpy as np
import numpy.typing as npt
from attrs import field, frozen

#: Numbers of changes, ascending; empty for nothing changed.
Plan = tuple[int, ...]

#: The least that each step of a change must bring, in units of a goal: 0.04 points of a band of 2.
WORTH = 0.02
#: The share of the budget that is kept for playing changes together.
_FOR_PLANS = 0.3
#: How often the programme is solved around a result: for any amount of change, and for one amount.
_ROUNDS, _FEW_ROUNDS = 20, 3
#: The size of the first step; later ones are doubled or halved.
_FIRST_STEP = 6
#: Shares of the expected gain above which a step is doubled, and below which it is halved.
_WELL, _BADLY = 0.75, 0.25
#: How many more cards are mended one by one than were off at first.
_MORE_CARDS = 2
#: How many amounts of change are tried first; others between them follow where it matters.
_MOST_AMOUNTS = 8
# An integer programme is solved to within 2% of the best, or for this many nodes of its tree; its
# effects are not known more precisely.
_SOLVED = {"mip_rel_gap": 0.02, "node_limit": 100}
_HALF, _TINY = 0.5, 1e-9
_Context = AbstractContextManager[object]
_FLOAT = npt.NDArray[np.float64]


@frozen
class Stand:
    """Where the numbers of a plan stand, arrays of shape (n_goals,).

    ``moved_errors`` are the standard errors of the differences from the plan that it is compared
    with.
    """

    stands: _FLOAT
    moved_errors: _FLOAT


#: Sees plans, from nothing changed on.
SeePlans = Callable[[tuple[Plan, ...]], None]
#: Plays plans: called with the purpose, the plans, and the plan to compare them with.
Simulate = Callable[[str, Sequence[Plan], Plan], list[Stand]]


@frozen
class Problem:
    """What may be changed, and what is asked for.

    ``amounts``: how much each change counts, whole numbers.  ``things``: what each change is a
    change of; a plan has at most one change of each thing.  ``own``: the goal that each change is
    about, -1 for none.  The first ``n_cards`` goals are about cards, the others about the whole
    pool.  ``aim``: a plan is good if all numbers stand between -aim and aim, shape (n_goals,); a
    number that was inside its range before may stay where it was.
    ``most``: the most changes in a plan.  ``budget``: the most plans to play.
    """

    amounts: tuple[int, ...]
    things: tuple[Hashable, ...]
    own: tuple[int, ...]
    n_cards: int
    aim: _FLOAT
    most: int | None = None
    budget: int = 200

    def amount(self, plan: Plan) -> int:
        """How much a plan changes."""
        return sum(self.amounts[change] for change in plan)

    def apart(self, plan: Plan, other: Plan) -> int:
        """How much two plans differ."""
        return self.amount(tuple(set(plan) ^ set(other)))


@frozen
class Found:
    """The result of a search.

    ``front``: the plans that no other plan beats in both change and distance from the goals, from
    nothing changed to ``proposal``.  ``careful`` is the best plan that leaves cards inside their
    range alone; it is the proposal if that is enough.  ``reached`` says whether the proposal is
    within the aim.
    ``nearest``: the goals that no plan reached, each with the plan that came nearest; ``aside`` are
    those of them that the search set aside.  ``tried``: the changes that were played alone.
    ``played``: the number of plans played.  ``spent``: whether the budget ended the search.
    """

    front: tuple[Plan, ...]
    careful: Plan
    proposal: Plan
    reached: bool
    nearest: dict[int, Plan]
    aside: tuple[int, ...]
    tried: tuple[int, ...]
    played: int
    spent: bool
    stands: dict[Plan, _FLOAT] = field(repr=False)


def search(
    problem: Problem,
    simulate: Simulate,
    solving: Callable[[], _Context] = nullcontext,
    see: SeePlans | None = None,
) -> Found:
    """Plans that bring the numbers to their goals with the least change.

    Each integer programme is solved inside a context that ``solving`` makes.  ``see`` is shown what
    would be the front if the search ended, first with nothing changed alone.
    """
    return _Search(problem, simulate, solving, see).run()


def thresholded(effects: _FLOAT, errors: _FLOAT) -> _FLOAT:
    """Effects; those that differ from their median only by chance become the median [4]_."""
    if len(effects) < 2:
        return effects
    median = np.median(effects)
    chance = errors * np.sqrt(2 * np.log(len(effects)))
    return np.asarray(np.where(np.abs(effects - median) > chance, effects, median))


@contextmanager
def _stdout_closed() -> Iterator[None]:
    """Discard what is written to stdout: HiGHS now and then prints a line that it should not."""
    sys.stdout.flush()
    kept = os.dup(1)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


class _Search:
    """The state of a search: what was played, and the effects of changes around some plans.

    ``_plans`` are those that an integer programme proposed.  A plan that was played to learn the
    effect of a single change is not proposed: among many such plans the luckiest would win.
    """

    def __init__(
        self,
        problem: Problem,
        simulate: Simulate,
        solving: Callable[[], _Context],
        see: SeePlans | None,
    ) -> None:
        self._problem, self._simulate, self._solving = problem, simulate, solving
        self._seer = see
        self._stands: dict[Plan, _FLOAT] = {}
        self._plans: set[Plan] = set()
        self._effects: dict[Plan, dict[int, _FLOAT]] = {}
        self._spent = False
        self._aim = problem.aim
        self._every = frozenset(range(len(problem.amounts)))
        self._allowed = self._every

    def run(self) -> Found:
        """Search among changes of what is outside its range, then among all.

        A number inside its range, however near the edge, is no reason to change another one.  So
        the second search aims only half as far inside.
        """
        self._measure("", [()])
        stands, problem = np.abs(self._stands[()]), self._problem
        self._aim = np.where(stands > 1, problem.aim, np.maximum(problem.aim, stands))
        self._add(())
        if not self._is_inside(()):
            self._allowed = frozenset(
                one for one, own in enumerate(problem.own) if own < 0 or stands[own] > 1
            )
            self._look()
        self._fill_front(self._best(inf))
        careful = self._best(inf)
        if not self._is_inside(careful):
            self._allowed = self._every
            self._aim = (1 + self._aim) / 2
            self._look()
            self._fill_front(self._best(inf))
        proposal = self._best(inf)
        return Found(
            front=self._front(proposal),
            careful=careful,
            proposal=proposal,
            reached=self._reached(proposal),
            nearest=self._nearest(proposal),
            aside=tuple(np.flatnonzero(np.isinf(self._aim)).tolist()),
            tried=tuple(sorted(self._effects.get((), ()))),
            played=len(self._stands),
            spent=self._spent,
            stands=self._stands,
        )

    def _look(self) -> None:
        """Look for a plan among the allowed changes, as long as the budget lasts."""
        self._screen((), self._helpful(()))
        self._set_aside()
        self._descend(inf, _ROUNDS)
        looked: set[Plan] = {()}
        mended = False
        while not self._is_done(best := self._best(inf)):
            if best not in looked:
                looked.add(best)
                self._screen(best, [*self._promising(best), *best])
            elif not mended:
                mended = True
                self._mend_one_by_one()
            elif not self._screen((), self._by_size()):
                break
            self._descend(inf, _ROUNDS)

    # ------------------------------------------------------------ what is out of reach

    def _set_aside(self) -> None:
        """Set aside numbers of the whole pool that all changes together cannot reach."""
        problem, allowed = self._problem, self._allowed
        for goal in range(problem.n_cards, len(problem.aim)):
            if np.isinf(self._aim[goal]) or self._comes_inside(goal):
                continue
            self._allowed = self._every
            self._screen((), self._helpful(()))
            if not self._comes_inside(goal):
                self._aim = self._aim.copy()
                self._aim[goal] = inf
                self._allowed = allowed

    def _nearest(self, proposal: Plan) -> dict[int, Plan]:
        """The goals that no plan reached, each with the plan that came nearest."""
        missed = np.flatnonzero(np.abs(self._stands[proposal]) > 1)
        return {
            goal: min(self._stands, key=lambda plan: (self._off(goal, plan), plan))
            for goal in missed.tolist()
            if not self._comes_inside(goal)
        }

    def _off(self, goal: int, plan: Plan) -> float:
        """How far a number stands from its middle, on the side where it stood before."""
        return float(np.sign(self._stands[()][goal]) * self._stands[plan][goal])

    def _comes_inside(self, goal: int) -> bool:
        """Whether a plan brings a number into its range, or out on the other side.

        The plan that moves it farthest has all changes that move it that way; for a card, all of
        its own.
        """
        if min(self._off(goal, plan) for plan in self._stands) <= 1:
            return True
        problem, side = self._problem, np.sign(self._stands[()][goal])
        best: dict[Hashable, tuple[float, int]] = {}
        for one, effect in self._effects.get((), {}).items():
            gain = -side * effect[goal]
            if gain > 0 and (goal >= problem.n_cards or problem.own[one] == goal):
                thing = problem.things[one]
                best[thing] = max(best.get(thing, (0.0, one)), (gain, one))
        ranked = sorted(best.values(), reverse=True)[: problem.most]
        plan = tuple(sorted(one for _, one in ranked))
        if plan not in self._stands and not self._measure("looking how near a goal is", [plan]):
            return self._off(goal, ()) - sum(gain for gain, _ in ranked) <= 1
        return self._off(goal, plan) <= 1

    # ------------------------------------------------------------ what plans are worth

    def _beyond(self, plan: Plan) -> _FLOAT:
        """By how much each number lies beyond the aim."""
        return np.maximum(np.abs(self._stands[plan]) - self._aim, 0)

    def _reached(self, plan: Plan) -> bool:
        return not self._beyond(plan).any()

    def _is_inside(self, plan: Plan) -> bool:
        """Whether all numbers lie in their ranges, but for those set aside."""
        return bool((np.abs(self._stands[plan]) <= np.maximum(self._aim, 1)).all())

    def _is_done(self, plan: Plan) -> bool:
        """Whether a plan is good enough.

        When cards inside their range may be changed as well, all numbers inside their range are
        enough, whatever the aim.
        """
        return self._reached(plan) or (self._allowed is self._every and self._is_inside(plan))

    def _rank(self, plan: Plan) -> tuple[bool, float, float, Plan]:
        """Plans that reach the aim come first, by amount; then the others, by distance."""
        amount, missed = self._problem.amount(plan), float(self._beyond(plan).sum())
        if self._reached(plan):
            room = float((np.abs(self._stands[plan]) / self._aim).max())
            return False, amount, room, plan
        return True, missed + WORTH * amount, amount, plan

    def _best(self, limit: float) -> Plan:
        """The best plan that changes no more than ``limit``."""
        plans = [plan for plan in self._plans if self._problem.amount(plan) <= limit]
        return min(plans, key=self._rank)

    def _front(self, proposal: Plan) -> tuple[Plan, ...]:
        """Plans from nothing changed to the proposal, each nearer to the goals than the last."""
        front: list[Plan] = [()]
        amount, missed = self._problem.amount, {p: self._beyond(p).sum() for p in self._plans}
        for plan in sorted(self._plans, key=lambda plan: (amount(plan), missed[plan], plan)):
            less = missed[front[-1]] - missed[plan]
            more = amount(plan) - amount(front[-1])
            if amount(plan) < amount(proposal) and more and less > WORTH * more:
                front.append(plan)
        return tuple(dict.fromkeys([*front, proposal]))

    def _add(self, plan: Plan) -> None:
        """Let a plan that was played be one that can be proposed."""
        self._plans.add(plan)
        if self._seer is not None:
            self._seer(self._front(self._best(inf)))

    # ------------------------------------------------------------ single changes

    def _measure(self, what: str, plans: Sequence[Plan], beside: Plan = ()) -> list[Stand]:
        """Play plans, or none if that would exceed the budget."""
        missing = set(plans) - set(self._stands)
        if len(self._stands) + len(missing) > max(self._problem.budget, 1):
            self._spent = True
            return []
        found = self._simulate(what, plans, beside)
        self._stands |= {
            plan: stand.stands for plan, stand in zip(plans, found, strict=True) if plan in missing
        }
        return found

    def _screen(self, centre: Plan, changes: Sequence[int]) -> bool:
        """Try single changes of a plan, as the budget allows; whether any were played."""
        known = self._effects.setdefault(centre, {})
        wanted = [one for one in changes if one not in known]
        left = self._problem.budget - len(self._stands)
        room = max(int(left * (1 - _FOR_PLANS)), 0)
        self._spent |= room < len(wanted)
        wanted = wanted[:room]
        what = "trying changes of it" if centre else "trying single changes"
        played = self._measure(what, [self._with(centre, one) for one in wanted], centre)
        if not wanted or not played:
            return False
        for one, stand in zip(wanted, played, strict=True):
            effect = stand.stands - self._stands[centre]
            known[one] = self._effect(one, -effect if one in centre else effect, stand.moved_errors)
        for one in wanted:  # it took the place of a change of the same thing
            for old in set(centre) - {one}:
                if self._problem.things[old] == self._problem.things[one] and old in known:
                    known[one] = known[one] + known[old]
        return True

    def _with(self, plan: Plan, one: int) -> Plan:
        """A plan with one more change, which replaces one of the same thing, or without it."""
        if one in plan:
            return tuple(other for other in plan if other != one)
        things = self._problem.things
        rest = [other for other in plan if things[other] != things[one]]
        return tuple(sorted([*rest, one]))

    def _helpful(self, plan: Plan) -> list[int]:
        """Changes of what lies outside the aim, the farthest first, small changes first.

        A change that is about no card can help any goal; any change can help a goal about the whole
        pool.
        """
        problem, beyond = self._problem, self._beyond(plan)
        if not beyond.any():
            return []
        of_all = beyond[problem.n_cards :].any()

        def missed(one: int) -> float:
            return inf if problem.own[one] < 0 else float(beyond[problem.own[one]])

        changes = sorted(self._by_size(), key=missed, reverse=True)
        return [one for one in changes if (of_all or missed(one) > 0) and one not in plan]

    def _promising(self, plan: Plan) -> list[int]:
        """Helpful changes, except those that by themselves moved their card the wrong way."""
        own, stands = self._problem.own, self._stands[plan]

        def helped(one: int) -> bool:
            effect = self._effects[()].get(one)
            return effect is None or own[one] < 0 or effect[own[one]] * stands[own[one]] <= 0

        return [one for one in self._helpful(plan) if helped(one)]

    def _by_size(self) -> list[int]:
        """All allowed changes, the smallest first."""
        return sorted(self._allowed, key=lambda one: (self._problem.amounts[one], one))

    def _effect(self, one: int, effect: _FLOAT, errors: _FLOAT) -> _FLOAT:
        """The effects of a change, those on other cards thresholded."""
        others = np.arange(len(effect)) < self._problem.n_cards
        if self._problem.own[one] >= 0:
            others[self._problem.own[one]] = False
        effect = effect.copy()
        effect[others] = thresholded(effect[others], errors[others])
        return effect

    # ------------------------------------------------------------ changes together

    def _descend(self, limit: float, rounds: int) -> None:
        """Some rounds of solving and playing, for plans that change no more than ``limit``."""
        anchor, radius = self._best(limit), float(_FIRST_STEP)
        for _ in range(rounds):
            if self._reached(anchor) or radius < 1:
                break
            with self._solving():
                plan, expected = self._solve(anchor, limit, radius)
            if plan == anchor:
                break
            if plan not in self._stands and not self._measure("playing changes together", [plan]):
                break
            self._add(plan)
            before = self._value(anchor)
            gained = (before - self._value(plan)) / max(before - expected, _TINY)
            step = self._problem.apart(plan, anchor)
            if gained > _WELL:
                radius = max(radius, 2.0 * step)
            elif gained < _BADLY:
                radius = step / 2
            if self._rank(plan) < self._rank(anchor):
                anchor = plan
            elif gained >= _BADLY:  # as expected, but no better
                break

    def _value(self, plan: Plan) -> float:
        """What the programme minimises, as observed."""
        beyond = np.abs(self._stands[plan]) - (self._aim - WORTH)
        return float(np.maximum(beyond, 0).sum()) + WORTH * self._problem.amount(plan)

    def _mend_one_by_one(self) -> None:
        """Plans that mend one card after another, always the one that is farthest off."""
        plan: Plan = ()
        left = set(range(self._problem.n_cards))
        off = int(np.count_nonzero(self._beyond(plan)[: self._problem.n_cards]))
        for _ in range(min(off + _MORE_CARDS, len(left))):
            card = max(left, key=lambda one: (self._beyond(plan)[one], -one))
            left.remove(card)
            if not self._beyond(plan)[card] or self._is_full(plan) or self._spent:
                break
            plan = self._mend(plan, card)
            self._add(plan)

    def _mend(self, plan: Plan, card: int) -> Plan:
        """A plan with the change of a card that helps it most; the likelier half is tried first."""
        effects, stand = self._effects_near(plan), self._stands[plan][card]

        def likely(one: int) -> float:
            return abs(stand + effects[one][card]) if one in effects else inf

        mine = [one for one in self._by_size() if self._problem.own[one] == card]
        mine.sort(key=likely)
        half = -(-len(mine) // 2)
        for some in (mine[:half], mine[half:]):
            plans = [self._with(plan, one) for one in some]
            if plans and not self._measure("mending one card after another", plans):
                break
            off = {one: self._beyond(one)[card] for one in [plan, *plans]}
            plan = min(off, key=lambda one: (off[one], self._problem.amount(one), one))
            if not off[plan]:
                break
        return plan

    def _is_full(self, plan: Plan) -> bool:
        return self._problem.most is not None and len(plan) >= self._problem.most

    def _fill_front(self, top: Plan) -> None:
        """Plans that change less than the one found without a limit."""
        most = self._problem.amount(top)
        steps = np.unique(np.linspace(1, most, _MOST_AMOUNTS).round().astype(int))
        for limit in steps[steps < most]:
            self._descend(float(limit), _FEW_ROUNDS)
        # Halve the distance between the largest amount that fails and the smallest that is enough.
        looked = set(steps.tolist())
        while self._reached(self._best(inf)) and not self._spent:
            enough = self._problem.amount(self._best(inf))
            less = max((amount for amount in looked if amount < enough), default=0)
            if enough - less < 2:
                break
            middle = (enough + less) // 2
            looked.add(middle)
            self._descend(float(middle), _FEW_ROUNDS)

    def _effects_near(self, anchor: Plan) -> dict[int, _FLOAT]:
        """The effects of changes, each as observed nearest to a plan."""
        near: dict[int, _FLOAT] = {}
        centres = sorted(self._effects, key=lambda c: (self._problem.apart(c, anchor), c))
        for centre in reversed(centres):
            near |= self._effects[centre]
        return near

    def _solve(self, anchor: Plan, limit: float, radius: float) -> tuple[Plan, float]:
        """The plan that should miss the aim least, judged from a played one, and by how much.

        Solves min sum s + WORTH * amount(x), -aim - s <= stands(x) <= aim + s, over x in {0, 1},
        not farther than ``radius`` from the anchor.  The aim is smaller by `WORTH`, so that the
        programme does not stop one step short of its edge.  What a change does to most cards alike
        is one more variable, which leaves few numbers in the programme.  Returns the anchor if the
        solver finds nothing.
        """
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import csr_array, eye_array, hstack

        problem, known = self._problem, self._effects_near(anchor)
        changes = sorted(known.keys() & (self._allowed | set(anchor)))
        kept = np.isfinite(self._aim)  # what was set aside has no rows
        n, m, aim = len(changes), int(kept.sum()), self._aim[kept] - WORTH
        if not n:
            return anchor, inf
        effects = np.array([known[one] for one in changes]).T.round(3)[kept]  # (n_goals, n)
        amounts = np.array([problem.amounts[one] for one in changes], float)
        is_in = np.array([one in anchor for one in changes], float)
        start = (self._stands[anchor][kept] - effects @ is_in).round(3)
        alike = np.median(effects[: problem.n_cards], axis=0).round(3)
        rest = effects.copy()
        rest[: problem.n_cards] -= alike
        of_cards = (np.arange(m) < problem.n_cards)[:, None].astype(float)
        things = sorted({problem.things[one] for one in changes}, key=repr)
        of_thing = [[problem.things[one] == thing for one in changes] for thing in things]

        def rows(of_x: npt.ArrayLike, of_slack: object = None, of_alike: object = None) -> object:
            """Rows of the programme over x, s and the effect that most cards share."""
            x = csr_array(np.atleast_2d(np.asarray(of_x, float)))
            slack = csr_array((x.shape[0], m)) if of_slack is None else of_slack
            shared = csr_array((x.shape[0], 1)) if of_alike is None else csr_array(of_alike)
            return hstack([x, slack, shared])

        slack = eye_array(m)
        rules = [
            LinearConstraint(rows(rest, -slack, of_cards), -np.inf, aim - start),
            LinearConstraint(rows(rest, slack, of_cards), -aim - start, np.inf),
            LinearConstraint(rows(alike, None, -np.ones((1, 1))), 0, 0),
            LinearConstraint(rows(of_thing), -np.inf, 1),
            LinearConstraint(rows(amounts), -np.inf, limit),
            LinearConstraint(rows(amounts * (1 - 2 * is_in)), -np.inf, radius - amounts @ is_in),
        ]
        if problem.most is not None:
            rules.append(LinearConstraint(rows(np.ones(n)), 0, problem.most))
        for presolve in (True, False):  # a rare rounding error of the one does not befall the other
            with _stdout_closed():
                result = milp(
                    np.concatenate([WORTH * amounts, np.ones(m), [0]]),
                    constraints=rules,
                    integrality=np.append(np.ones(n), np.zeros(m + 1)),
                    bounds=Bounds(
                        np.append(np.zeros(n + m), -np.abs(alike).sum()),
                        np.concatenate([np.ones(n), np.full(m, np.inf), [np.abs(alike).sum()]]),
                    ),
                    options={**_SOLVED, "presolve": presolve},
                )
            if result.x is not None:
                chosen = zip(changes, result.x[:n], strict=True)
                return tuple(one for one, x in chosen if x > _HALF), float(result.fun)
        return anchor, inf
