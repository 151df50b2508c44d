"""Few small changes that bring a pool to its goals: Bayesian optimisation of sets of changes.

Every plan that is played teaches a surrogate (`analysis.experiments.surrogate`) what each change
does.  In each round the search plays the plan that should be best, the best that changes less, and
one that would be best if effects were as they may be, drawn at random (Thompson sampling [1]_): so
what is little known is tried where it may help.  Single changes come first where the budget allows
it.  These plans are found by steepest descent over
single changes and pairs of them, begun anew from parts of what it finds.  When rounds bring nothing
better, neighbours of the best plan are played.  Plans are compared by where the surrogate sees
them, within a standard error of their games: by these alone the luckiest would win.

The search leaves cards inside their range alone, unless the others are not enough.  In the end it
looks for the best plan of each amount of change (the epsilon-constraint method [2]_).

A number of the whole pool is out of reach if it stays outside its range even with all changes
together that move it the right way.  The search sets it aside: every small gain would cost another
change.

Nothing here knows of cards or games.  A *plan* is a set of changes, by their numbers.  A simulator
returns where each number stands with it, in units in which the goal is -1 to 1.

References
----------
.. [1] R. Baptista, M. Poloczek, "Bayesian optimization of combinatorial structures", Proc. ICML
   2018, 462-471; W. R. Thompson, Biometrika 25 (1933), 285-294.
.. [2] Y. Y. Haimes, L. S. Lasdon, D. A. Wismer, "On a bicriterion formulation of the problems of
   integrated system identification and system optimization", IEEE Trans. Systems, Man, and
   Cybernetics 1 (1971), 296-297.
"""

from collections.abc import Callable, Hashable, Sequence
from math import inf

import numpy as np
from attrs import field, frozen

from analysis.experiments.surrogate import Surrogate
from simcore.arrays import Floats

#: Numbers of changes, ascending; empty for nothing changed.
Plan = tuple[int, ...]

#: The least that each step of a change must bring, in units of a goal: 0.04 points of a band of 2.
WORTH = 0.02
#: Single changes are played first if they take no more than this share of the budget.
_ALONE = 0.3
#: After this many rounds without a better plan, neighbours of the best one are played.
_PATIENCE = 4
#: After this many, a plan that is good enough is taken as it is.
_PATIENCE_AT_GOAL = 5
#: The share of the budget that is spent when each stage ends; the rest is for the front.
_SHARES = 0.5, 0.8, 0.9
#: When this share of the budget is spent, numbers of the whole pool are set aside that are too far.
_EARLY = 0.3
#: By how many standard errors of its games a plan may be seen elsewhere by the surrogate.
_LUCK = 1.0
#: How many plans of one amount of change are played.
_FEW_ROUNDS = 2
#: How many amounts of change are tried first; others between them follow where it matters.
_MOST_AMOUNTS = 8
#: How often a descent is begun anew, and the share of its changes that are then left out.
_RESTARTS, _LEFT_OUT = 3, 0.4
_TINY = 1e-9


@frozen
class Stand:
    """Where the numbers of a plan stand, arrays of shape (n_goals,).

    ``moved_errors`` are the standard errors of the differences from nothing changed.
    """

    stands: Floats
    moved_errors: Floats


#: Sees plans, from nothing changed on.
SeePlans = Callable[[tuple[Plan, ...]], None]
#: Plays plans: called with the purpose, and the plans.
Simulate = Callable[[str, Sequence[Plan]], list[Stand]]


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
    aim: Floats
    most: int | None = None
    budget: int = 200

    def amount(self, plan: Plan) -> int:
        """How much a plan changes."""
        return sum(self.amounts[change] for change in plan)


@frozen
class Found:
    """The result of a search.

    ``front``: the plans that no other plan beats in both change and distance from the goals, from
    nothing changed to ``proposal``.  ``careful`` is the best plan that leaves cards inside their
    range alone; it is the proposal if that is enough.  ``reached`` says whether the proposal is
    within the aim.
    ``nearest``: the goals that no plan reached, each with the plan that came nearest; ``aside`` are
    those of them that the search set aside.  ``tried``: the changes that were in a plan.
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
    stands: dict[Plan, Floats] = field(repr=False)


def search(problem: Problem, simulate: Simulate, see: SeePlans | None = None) -> Found:
    """Plans that bring the numbers to their goals with the least change.

    ``see`` is shown what would be the front if the search ended, first with nothing changed alone.
    """
    return _Search(problem, simulate, see).run()


class _Search:
    """The state of a search: what was played, and what it taught."""

    def __init__(self, problem: Problem, simulate: Simulate, see: SeePlans | None) -> None:
        self._problem, self._simulate, self._seer = problem, simulate, see
        self._stands: dict[Plan, Floats] = {}
        self._errors: dict[Plan, Floats] = {}
        self._likely: dict[Plan, Floats] = {}
        self._spent = False
        self._aim = problem.aim
        self._every = frozenset(range(len(problem.amounts)))
        self._stage = 0
        own = np.array(problem.own, int)
        goals = np.arange(len(problem.aim))[:, None]
        # What is about no card may move any number, and any change may move one of the whole pool.
        self._surrogate = Surrogate((own == goals) | (own < 0) | (goals >= problem.n_cards))
        self._luck = np.random.default_rng(0)

    def run(self) -> Found:
        """Search among changes of what is outside its range, then among more.

        First of what is outside with nothing changed, then also of what is outside with the best
        plan, and then among all changes.  A number inside its range, however near the edge, is no
        reason to change another one.  So the later searches aim only half as far inside.
        """
        self._measure("", [()])
        stands, problem = np.abs(self._stands[()]), self._problem
        self._aim = np.where(stands > 1, problem.aim, np.maximum(problem.aim, stands))
        self._show()
        careful: Plan = ()
        for self._stage, share in enumerate(_SHARES):
            if self._is_inside(self._best(inf)):
                break
            if self._stage == 1:
                self._aim = (1 + self._aim) / 2
            self._look(share)
            careful = careful if self._stage else self._best(inf)
        self._spent |= self._left() <= int(problem.budget * (1 - _SHARES[-1]))
        self._fill_front(self._best(inf))
        proposal = self._best(inf)
        return Found(
            front=self._front(proposal),
            careful=careful,
            proposal=proposal,
            reached=self._reached(proposal),
            nearest=self._nearest(proposal),
            aside=tuple(np.flatnonzero(np.isinf(self._aim)).tolist()),
            tried=tuple(sorted({one for plan in self._stands for one in plan})),
            played=len(self._stands),
            spent=self._spent,
            stands=self._stands,
        )

    def _look(self, share: float) -> None:
        """Look for a plan among the allowed changes, until so much of the budget is spent.

        It ends sooner where a plan is good enough and none with less is found, or where the best
        plan is better than all its neighbours.
        """
        in_vain, kept = 0, int(self._problem.budget * (1 - share))
        alone = [(one,) for one in sorted(self._allowed(self._best(inf)))]
        if len(alone) <= self._problem.budget * _ALONE:
            self._play("trying single changes", alone, kept)
        while True:
            best = self._best(inf)
            if self._left() < self._problem.budget * (1 - _EARLY):
                self._set_aside()
            done = self._is_done(best)
            if done and in_vain >= _PATIENCE_AT_GOAL:
                break
            limit = self._problem.amount(best) - 1.0 if done else inf
            view = _View(self._problem, self._allowed(best), best)
            if not view.changes:
                break
            mean, sample = self._moved(view, 1)
            less = float(self._luck.integers(1, max(self._problem.amount(best), 2)))
            plans = [self._solved(view, mean, limit), self._solved(view, mean, less)]
            if done or in_vain < _PATIENCE:
                plans.append(self._solved(view, sample, limit))
            else:
                plans += self._neighbour(view, sample, plans)
            if not self._play("playing changes together", plans, kept):
                if not done and in_vain >= _PATIENCE:
                    break
                in_vain = in_vain + 1 if done else _PATIENCE
                continue
            in_vain = 0 if self._rank(self._best(inf)) < self._rank(best) else in_vain + 1
        self._set_aside()

    def _allowed(self, best: Plan) -> frozenset[int]:
        """What may be changed at this stage, and that for the best plan."""
        outside = np.abs(self._stands[()]) > 1
        if self._stage > 0:
            outside = outside | (np.abs(self._likely[best]) > 1)
        every = enumerate(self._problem.own)
        return frozenset(one for one, own in every if self._stage > 1 or own < 0 or outside[own])

    def _neighbour(self, view: "_View", moved: Floats, but: Sequence[Plan]) -> list[Plan]:
        """The best plan of a view that was not played, where they move numbers so far; if any."""
        start, most = self._stands[()], self._problem.most or inf
        values = {
            plan: self._value(plan, start + by)
            for plan, by in zip(view.plans, moved, strict=True)
            if plan not in self._stands and plan not in but and len(plan) <= most
        }
        return [min(values, key=lambda plan: values[plan])] if values else []

    # ------------------------------------------------------------ playing

    def _left(self) -> int:
        """How many more plans may be played."""
        return max(self._problem.budget, 1) - len(self._stands)

    def _measure(self, what: str, plans: Sequence[Plan]) -> None:
        """Play plans, and learn from them."""
        found = self._simulate(what, plans)
        self._stands |= {plan: one.stands for plan, one in zip(plans, found, strict=True)}
        if any(plans):
            moved = np.array([one.stands - self._stands[()] for one in found])
            errors = np.array([one.moved_errors for one in found])
            self._surrogate.learn(self._as_sets(plans), moved, errors)
        self._errors |= {plan: one.moved_errors for plan, one in zip(plans, found, strict=True)}
        (moved,) = self._surrogate.predict(self._as_sets([*self._stands]))
        for by, (plan, seen) in zip(moved, self._stands.items(), strict=True):
            most = _LUCK * self._errors[plan]
            self._likely[plan] = np.clip(self._stands[()] + by, seen - most, seen + most)

    def _play(self, what: str, plans: Sequence[Plan], kept: int = 0) -> bool:
        """Play those of some plans that were not played; whether there were any.

        ``kept`` is how many plans of the budget are left for later.
        """
        wanted = [plan for plan in dict.fromkeys(plans) if plan not in self._stands]
        room = max(self._left() - kept, 0)
        self._spent |= self._left() < len(wanted)
        if not wanted[:room]:
            return False
        self._measure(what, wanted[:room])
        self._show()
        return True

    def _show(self) -> None:
        """Show what would be the front."""
        if self._seer is not None:
            self._seer(self._front(self._best(inf)))

    # ------------------------------------------------------------ what is out of reach

    def _set_aside(self) -> None:
        """Set aside numbers of the whole pool that all changes together cannot reach."""
        problem = self._problem
        for goal in range(problem.n_cards, len(problem.aim)):
            if np.isinf(self._aim[goal]) or self._comes_inside(goal):
                continue
            untried = self._every.difference(*self._stands)
            self._play("trying every change", self._cover(sorted(untried)))
            if not self._comes_inside(goal):
                self._aim = self._aim.copy()
                self._aim[goal] = inf

    def _cover(self, changes: Sequence[int]) -> list[Plan]:
        """Plans that have some changes, as many in each as can be together."""
        plans: list[list[int]] = []
        most = self._problem.most or len(changes)
        things = self._problem.things
        for one in changes:
            for plan in plans:
                if len(plan) < most and all(things[one] != things[other] for other in plan):
                    plan.append(one)
                    break
            else:
                plans.append([one])
        return [tuple(plan) for plan in plans]

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

        The plan that should move it farthest has all changes that move it that way; for a card, all
        of its own.
        """
        if min(self._off(goal, plan) for plan in self._stands) <= 1:
            return True
        problem, side = self._problem, np.sign(self._stands[()][goal])
        mine = [
            one
            for one in sorted(self._every)
            if goal >= problem.n_cards or problem.own[one] == goal
        ]
        if not mine:
            return False
        (moved,) = self._surrogate.predict(self._as_sets([(one,) for one in mine]))
        best: dict[Hashable, tuple[float, int]] = {}
        for one, gain in zip(mine, -side * moved[:, goal], strict=True):
            if gain > 0:
                thing = problem.things[one]
                best[thing] = max(best.get(thing, (0.0, one)), (gain, one))
        ranked = sorted(best.values(), reverse=True)[: problem.most]
        plan = tuple(sorted(one for _, one in ranked))
        if plan not in self._stands and not self._play("looking how near a goal is", [plan]):
            return self._off(goal, ()) - sum(gain for gain, _ in ranked) <= 1
        return self._off(goal, plan) <= 1

    # ------------------------------------------------------------ what plans are worth

    def _beyond(self, plan: Plan) -> Floats:
        """By how much each number lies beyond the aim."""
        return np.maximum(np.abs(self._likely[plan]) - self._aim, 0)

    def _reached(self, plan: Plan) -> bool:
        """Whether all numbers are seen within the aim, which allows for luck."""
        return bool((np.abs(self._stands[plan]) <= self._aim).all())

    def _is_inside(self, plan: Plan) -> bool:
        """Whether all numbers lie in their ranges, but for those set aside."""
        return bool((np.abs(self._stands[plan]) <= np.maximum(self._aim, 1)).all())

    def _is_done(self, plan: Plan) -> bool:
        """Whether a plan is good enough.

        When cards inside their range may be changed as well, all numbers inside their range are
        enough, whatever the aim.
        """
        return self._reached(plan) or (self._stage > 0 and self._is_inside(plan))

    def _rank(self, plan: Plan) -> tuple[bool, float, float, Plan]:
        """Plans that reach the aim come first, by amount; then the others, by distance."""
        amount, missed = self._problem.amount(plan), float(self._beyond(plan).sum())
        if self._reached(plan):
            room = float((np.abs(self._stands[plan]) / self._aim).max())
            return False, amount, room, plan
        return True, missed + WORTH * amount, amount, plan

    def _best(self, limit: float) -> Plan:
        """The best plan that changes no more than ``limit``."""
        plans = [plan for plan in self._stands if self._problem.amount(plan) <= limit]
        return min(plans, key=self._rank)

    def _front(self, proposal: Plan) -> tuple[Plan, ...]:
        """Plans from nothing changed to the proposal, each nearer to the goals than the last."""
        front: list[Plan] = [()]
        amount, missed = self._problem.amount, {p: self._beyond(p).sum() for p in self._stands}
        for plan in sorted(self._stands, key=lambda plan: (amount(plan), missed[plan], plan)):
            less = missed[front[-1]] - missed[plan]
            more = amount(plan) - amount(front[-1])
            if amount(plan) < amount(proposal) and more and less > WORTH * more:
                front.append(plan)
        return tuple(dict.fromkeys([*front, proposal]))

    def _value(self, plan: Plan, stands: Floats) -> float:
        """What a descent minimises, where numbers stand so."""
        beyond = np.maximum(np.abs(stands) - (self._aim - WORTH), 0)
        return float(beyond.sum()) + WORTH * self._problem.amount(plan)

    def _fill_front(self, top: Plan) -> None:
        """Plans that change less than the one found without a limit."""
        most = self._problem.amount(top)
        steps = np.unique(np.linspace(1, most, _MOST_AMOUNTS).round().astype(int))
        for limit in steps[steps < most]:
            self._descend(float(limit))
        # Halve the distance between the largest amount that fails and the smallest that is enough.
        looked = set(steps.tolist())
        while self._reached(self._best(inf)) and not self._spent:
            enough = self._problem.amount(self._best(inf))
            less = max((amount for amount in looked if amount < enough), default=0)
            if enough - less < 2:
                break
            middle = (enough + less) // 2
            looked.add(middle)
            self._descend(float(middle))

    def _descend(self, limit: float) -> None:
        """Play the plans that should be best among those that change no more than ``limit``."""
        for _ in range(_FEW_ROUNDS):
            best = self._best(limit)
            view = _View(self._problem, self._allowed(best), best)
            (moved,) = self._moved(view)
            if not self._play("playing fewer changes together", [self._solved(view, moved, limit)]):
                break

    # ------------------------------------------------------------ what should be played

    def _as_sets(self, plans: Sequence[Plan]) -> Floats:
        """Plans as rows of 0 and 1."""
        found = np.zeros((len(plans), len(self._problem.amounts)))
        for row, plan in zip(found, plans, strict=True):
            row[list(plan)] = 1
        return found

    def _moved(self, view: "_View", n_samples: int = 0) -> list[Floats]:
        """By how much plans of a view should move numbers, and then by how much they may."""
        return self._surrogate.predict(self._as_sets(view.plans), self._luck, n_samples)

    def _solved(self, view: "_View", moved: Floats, limit: float) -> Plan:
        """The plan that a descent finds where plans of a view move numbers so far."""
        kept = np.isfinite(self._aim)  # what was set aside counts for nothing
        stands, aim = self._likely[view.centre][kept], self._aim[kept] - WORTH
        descent = _Descent(view, stands, view.effects(moved[:, kept]), aim)
        return descent.run(limit, self._luck)


class _View:
    """A plan, and what each allowed change does there: it with the change, and without it."""

    def __init__(self, problem: Problem, allowed: frozenset[int], centre: Plan) -> None:
        self.problem, self.centre = problem, centre
        self.changes = sorted(allowed | set(centre))
        things = problem.things
        rest = {
            one: tuple(other for other in centre if things[other] != things[one])
            for one in self.changes
        }
        self._ends = [(tuple(sorted((*rest[one], one))), rest[one]) for one in self.changes]
        #: All these plans.
        self.plans = [*dict.fromkeys([centre, *(plan for ends in self._ends for plan in ends)])]

    def effects(self, moved: Floats) -> Floats:
        """What each change does, (n_changes, n_goals), where `plans` move the numbers so far."""
        place = {plan: at for at, plan in enumerate(self.plans)}
        return np.array([moved[place[one]] - moved[place[rest]] for one, rest in self._ends])


class _Descent:
    """Looks for the changes of a view that should miss the aim least, where effects add up.

    Minimises the sum of what lies beyond the aim, and `WORTH` for each step of a change.
    """

    def __init__(self, view: _View, stands: Floats, effects: Floats, aim: Floats) -> None:
        problem, changes = view.problem, view.changes
        self._changes, self._effects, self._aim = changes, effects, aim
        self._amounts = np.array([problem.amounts[one] for one in changes], float)
        self._centre = np.array([one in view.centre for one in changes], float)
        self._start = stands - self._centre @ effects  # where nothing changed would stand
        things = [problem.things[one] for one in changes]
        self._same = np.array([[one == other for other in things] for one in things])
        self._first = np.array([things.index(one) for one in things])
        # What a plan uses up: amount, and number of changes.
        self._uses = np.stack([self._amounts, np.ones(len(changes))], axis=1)
        self._most = inf if problem.most is None else problem.most

    def run(self, limit: float, luck: np.random.Generator) -> Plan:
        """The best plan found that changes no more than ``limit``."""
        ends = np.array([limit, self._most]) + _TINY
        start = self._centre
        if not (start @ self._uses <= ends).all():
            start = np.zeros(len(start))
        best, value = self._from(start, ends)
        for _ in range(_RESTARTS):
            left_out = (luck.random(len(best)) < _LEFT_OUT)[self._first]
            found, other = self._from(np.where(left_out, start, best), ends)
            if other < value - _TINY:
                best, value = found, other
        return tuple(one for one, on in zip(self._changes, best, strict=True) if on)

    def _from(self, chosen: Floats, ends: Floats) -> tuple[Floats, float]:
        """Where a descent ends, and the value there."""
        n, diagonal = len(chosen), np.arange(len(chosen))
        value = inf
        while True:
            stands, used = self._start + chosen @ self._effects, chosen @ self._uses
            value = min(value, float(self._values(stands, used, ends)))
            # A step puts a change in, for another of its thing, or takes it out.
            steps = np.where(self._same & (chosen > 0), -1.0, 0.0)
            steps[diagonal, diagonal] = 1 - 2 * chosen
            moved, uses = steps @ self._effects, steps @ self._uses
            values = self._values(stands + moved, used + uses, ends)
            step = steps[np.argmin(values)]
            if values.min() >= value - _TINY:
                moved = stands + moved[:, None] + moved
                values = self._values(moved, used + uses[:, None] + uses, ends)
                values[self._same] = inf
                one, other = divmod(int(np.argmin(values)), n)
                step = steps[one] + steps[other]
                if values[one, other] >= value - _TINY:
                    return chosen, value
            chosen = chosen + step

    def _values(self, stands: Floats, used: Floats, ends: Floats) -> Floats:
        """What plans are worth, (...,), by where they stand and what they use; inf beyond ends."""
        beyond = np.maximum(np.abs(stands) - self._aim, 0).sum(axis=-1)
        return np.where((used <= ends).all(axis=-1), beyond + WORTH * used[..., 0], inf)
