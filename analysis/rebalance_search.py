"""Few small changes that bring a pool to its goals: sequential linear integer programming.

Single changes are tried first.  Games are dealt alike, so what one change does to every number is
known from few games, and these effects nearly add up.  So for each amount of change an integer
programme finds the changes that miss the goals least (the epsilon-constraint method [1]_, solved
with HiGHS [2]_), these are played together, and the programme is solved again around what was seen
there (sequential linear programming [3]_), until it proposes nothing new.

What a change does to a card that it is not about is small, and seen with as much chance as what it
does to its own.  These effects are drawn towards their mean, the more the less they differ beyond
chance (empirical Bayes [4]_).

Nothing here knows of cards or games: a *plan* is a set of changes, by their numbers, and a
simulator says where every number stands then, in units in which -1 to 1 is as it should be.

References
----------
.. [1] Y. Y. Haimes, L. S. Lasdon, D. A. Wismer, "On a bicriterion formulation of the problems of
   integrated system identification and system optimization", IEEE Trans. Systems, Man, and
   Cybernetics 1 (1971), 296-297.
.. [2] Q. Huangfu, J. A. J. Hall, "Parallelizing the dual revised simplex method", Mathematical
   Programming Computation 10 (2018), 119-142.
.. [3] R. E. Griffith, R. A. Stewart, "A nonlinear programming technique for the optimization of
   continuous processing systems", Management Science 7 (1961), 379-392.
.. [4] B. Efron, C. Morris, "Stein's estimation rule and its competitors: an empirical Bayes
   approach", J. Amer. Statist. Assoc. 68 (1973), 117-130.
"""

from collections.abc import Callable, Hashable, Sequence
from contextlib import AbstractContextManager, nullcontext
from math import inf

import numpy as np
import numpy.typing as npt
from attrs import field, frozen

#: Numbers of changes, ascending; empty for nothing changed.
Plan = tuple[int, ...]

#: What each step of a change must bring at least, in units of a goal: 0.04 points of a band of 2.
WORTH = 0.02
#: The share of the budget that is kept for playing changes together.
_FOR_PLANS = 0.3
#: How often the programme is solved around what was seen, for one amount of change.
_ROUNDS = 4
#: Amounts of change that are looked at first; between them there are others where it matters.
_MOST_AMOUNTS = 8
_HALF = 0.5
# An integer programme is solved to within 2 % of the best, or for so many nodes of its tree: the
# effects that go into it are known less well.
_SOLVED = {"mip_rel_gap": 0.02, "node_limit": 100}
_Context = AbstractContextManager[object]
_FLOAT = npt.NDArray[np.float64]


@frozen
class Stand:
    """Where the numbers of a plan stand, with standard errors, arrays of shape (n_goals,).

    ``moved_errors`` are those of the differences to nothing changed.
    """

    stands: _FLOAT
    moved_errors: _FLOAT


#: Plays plans; says what for, and where the numbers stand then, in the order of the plans.
Simulate = Callable[[str, Sequence[Plan]], list[Stand]]


@frozen
class Problem:
    """What may be changed, and what is asked for.

    ``amounts``: how much each change counts, whole numbers.  ``things``: what each is a change of;
    a plan has no two changes of one thing.  ``own``: the goal that each change is about, -1 for
    none.  The first ``n_cards`` of the goals are about cards, the others about the whole.  ``aim``:
    a plan is taken to be good if all numbers stand between -aim and aim, shape (n_goals,).
    ``most``: changes in a plan, at most.  ``budget``: plans that may be played.
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


@frozen
class Found:
    """What came of a search.

    ``front``: the plans of which none changes less and misses less than another, from nothing
    changed to ``proposal``.  ``reached`` says whether the proposal stands within the aim.
    ``tried`` are the changes that were tried alone, ``played`` is the number of plans played, and
    ``spent`` says whether the budget ended the search.
    """

    front: tuple[Plan, ...]
    proposal: Plan
    reached: bool
    tried: tuple[int, ...]
    played: int
    spent: bool
    stands: dict[Plan, Stand] = field(repr=False)


def search(
    problem: Problem, simulate: Simulate, solving: Callable[[], _Context] = nullcontext
) -> Found:
    """Plans that bring the numbers to their goals with the least change.

    Every integer programme is solved inside a context of ``solving``.
    """
    return _Search(problem, simulate, solving).run()


def shrunk(effects: _FLOAT, errors: _FLOAT) -> _FLOAT:
    """Effects drawn towards their mean, by the share of their spread that chance explains."""
    if len(effects) < 2:
        return effects
    noise = float(np.mean(errors**2))
    spread = float(np.var(effects, ddof=1))
    keep = max(spread - noise, 0.0) / spread if spread > 0 else 0.0
    mean = effects.mean()
    return np.asarray(mean + keep * (effects - mean))


class _Search:
    """The state of a search: what was played, and the effects of single changes."""

    def __init__(
        self, problem: Problem, simulate: Simulate, solving: Callable[[], _Context]
    ) -> None:
        self._problem, self._simulate, self._solving = problem, simulate, solving
        self._stands: dict[Plan, Stand] = {}
        self._effects: dict[int, _FLOAT] = {}
        self._spent = False

    def run(self) -> Found:
        """Single changes, plans of any amount, then plans of less."""
        self._measure("", [()])
        top: Plan = ()
        while self._screen(top):
            top = self._improve(inf)
            if self._reached(top):
                break
        self._fill_front(top)
        proposal = min(self._stands, key=self._rank)
        tried = tuple(sorted(self._effects))
        front = self._front(proposal)
        played = len(self._stands)
        reached = self._reached(proposal)
        return Found(front, proposal, reached, tried, played, self._spent, self._stands)

    # ------------------------------------------------------------ what plans are worth

    def _beyond(self, plan: Plan) -> _FLOAT:
        """By how much each number lies beyond the aim."""
        return np.maximum(np.abs(self._stands[plan].stands) - self._problem.aim, 0)

    def _reached(self, plan: Plan) -> bool:
        return not self._beyond(plan).any()

    def _rank(self, plan: Plan) -> tuple[bool, float, float, Plan]:
        """Plans that reach the aim by their amount, then the others by what they miss."""
        amount, missed = self._problem.amount(plan), float(self._beyond(plan).sum())
        if self._reached(plan):
            room = float((np.abs(self._stands[plan].stands) / self._problem.aim).max())
            return False, amount, room, plan
        return True, missed + WORTH * amount, amount, plan

    def _front(self, proposal: Plan) -> tuple[Plan, ...]:
        """Plans from nothing changed to the proposal, each missing less than those before."""
        front: list[Plan] = [()]
        amount, missed = self._problem.amount, {p: self._beyond(p).sum() for p in self._stands}
        for plan in sorted(self._stands, key=lambda plan: (amount(plan), missed[plan], plan)):
            less = missed[front[-1]] - missed[plan]
            more = amount(plan) - amount(front[-1])
            if amount(plan) < amount(proposal) and more and less > WORTH * more:
                front.append(plan)
        return tuple(dict.fromkeys([*front, proposal]))

    # ------------------------------------------------------------ playing

    def _measure(self, what: str, plans: Sequence[Plan]) -> bool:
        """Play plans that were not played yet; False if the budget does not allow it."""
        missing = [plan for plan in plans if plan not in self._stands]
        if len(self._stands) + len(missing) > max(self._problem.budget, 1):
            self._spent = True
            return False
        found = self._simulate(what, missing) if missing else []
        self._stands |= dict(zip(missing, found, strict=True))
        return True

    def _screen(self, plan: Plan) -> bool:
        """Try single changes that may help a plan, as the budget allows; whether there were any.

        Those of what lies beyond the aim come first; where they are not enough, all others.
        """
        wanted = [one for one in self._helpful(plan) if one not in self._effects]
        if not wanted and self._beyond(plan).any():
            wanted = [one for one in self._by_size() if one not in self._effects]
        left = self._problem.budget - len(self._stands)
        room = left - int(_FOR_PLANS * self._problem.budget)
        self._spent |= room < len(wanted)
        wanted = wanted[: max(room, 0)]
        if not wanted or not self._measure("trying single changes", [(one,) for one in wanted]):
            return False
        base = self._stands[()].stands
        for one in wanted:
            played = self._stands[(one,)]
            self._effects[one] = self._effect(one, played.stands - base, played.moved_errors)
        return True

    def _helpful(self, plan: Plan) -> list[int]:
        """Changes of what lies beyond the aim, the farthest first and the smallest change first.

        Changes that are about no card can help whatever is missed; where a number of the whole is
        missed every change can.
        """
        problem, beyond = self._problem, self._beyond(plan)
        if not beyond.any():
            return []
        of_all = beyond[problem.n_cards :].any()

        def missed(one: int) -> float:
            return inf if problem.own[one] < 0 else float(beyond[problem.own[one]])

        changes = sorted(self._by_size(), key=missed, reverse=True)
        return [one for one in changes if of_all or missed(one) > 0]

    def _by_size(self) -> list[int]:
        """All changes, the smallest first."""
        return sorted(range(len(self._problem.amounts)), key=lambda one: self._problem.amounts[one])

    def _effect(self, one: int, effect: _FLOAT, errors: _FLOAT) -> _FLOAT:
        """What a change does, those to other cards drawn towards their mean."""
        others = np.arange(len(effect)) < self._problem.n_cards
        if self._problem.own[one] >= 0:
            others[self._problem.own[one]] = False
        effect = effect.copy()
        effect[others] = shrunk(effect[others], errors[others])
        return effect

    # ------------------------------------------------------------ changes together

    def _improve(self, limit: float) -> Plan:
        """The best plan of at most an amount, after some rounds of solving and playing."""
        anchor = self._best(limit)
        for _ in range(_ROUNDS):
            with self._solving():
                plan = self._solve(anchor, limit)
            if plan in self._stands or not self._measure("playing changes together", [plan]):
                break
            anchor = plan
            if self._reached(plan):
                break
        return self._best(limit)

    def _best(self, limit: float) -> Plan:
        """The best plan of at most an amount that was played."""
        plans = [plan for plan in self._stands if self._problem.amount(plan) <= limit]
        return min(plans, key=self._rank)

    def _fill_front(self, top: Plan) -> None:
        """Plans of less change than the one that was found without a limit."""
        most = self._problem.amount(top)
        steps = np.unique(np.linspace(1, most, _MOST_AMOUNTS).round().astype(int))
        for limit in steps[steps < most]:
            self._improve(float(limit))
        # Between the largest amount that fails and the smallest that does, look at the middle.
        looked = set(steps.tolist())
        while self._reached(self._best(inf)) and not self._spent:
            enough = self._problem.amount(self._best(inf))
            less = max((amount for amount in looked if amount < enough), default=0)
            if enough - less < 2:
                break
            middle = (enough + less) // 2
            looked.add(middle)
            self._improve(float(middle))

    def _solve(self, anchor: Plan, limit: float) -> Plan:
        """The plan that misses the aim least, as seen from a plan that was played.

        Solves min sum s + WORTH * amount(x), -aim - s <= stands(x) <= aim + s, over x in {0, 1}.
        The aim is taken smaller by `WORTH`, so that no step too much is left undone at its edge.
        Gives the anchor back if the solver finds nothing.
        """
        from scipy.optimize import Bounds, LinearConstraint, milp
        from scipy.sparse import csr_array, eye_array, hstack

        problem, changes = self._problem, sorted(self._effects)
        n, m, aim = len(changes), len(problem.aim), problem.aim - WORTH
        if not n:
            return anchor
        effects = np.array([self._effects[one] for one in changes]).T  # (n_goals, n)
        amounts = np.array([problem.amounts[one] for one in changes], float)
        is_in = np.array([one in anchor for one in changes], float)
        start = self._stands[anchor].stands - effects @ is_in
        both, slack = csr_array(effects), eye_array(m)
        things = sorted({problem.things[one] for one in changes}, key=repr)
        of_thing = np.array(
            [[problem.things[one] == thing for one in changes] for thing in things], float
        )
        no_slack = np.zeros((1, m))
        rules = [
            LinearConstraint(hstack([both, -slack]), -np.inf, aim - start),
            LinearConstraint(hstack([both, slack]), -aim - start, np.inf),
            LinearConstraint(np.hstack([of_thing, np.zeros((len(things), m))]), -np.inf, 1),
            LinearConstraint(np.hstack([amounts[None], no_slack]), -np.inf, limit),
        ]
        if problem.most is not None:
            rules.append(LinearConstraint(np.hstack([np.ones((1, n)), no_slack]), 0, problem.most))
        result = milp(
            np.append(WORTH * amounts, np.ones(m)),
            constraints=rules,
            integrality=np.append(np.ones(n), np.zeros(m)),
            bounds=Bounds(np.zeros(n + m), np.append(np.ones(n), np.full(m, np.inf))),
            options=_SOLVED,
        )
        if result.x is None:
            return anchor
        return tuple(one for one, x in zip(changes, result.x[:n], strict=True) if x > _HALF)
