"""Rebalancing: the search against planted truths, the measures against slow ones, real games."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import inf

import numpy as np
import pytest

from analysis.rebalance_search import WORTH, Found, Plan, Problem, Stand, search, thresholded

STEPS = (-2, -1, 1, 2)


class Linear:
    """A made-up pool of known truth: stands = base + effects, and what spoils that.

    Every card has four changes, by -2 to 2 steps of ``step``; what its number gains the others lose
    together.  ``bend`` makes changes of several cards work less together, ``noise`` blurs what is
    seen.  Rules can be changed by one step either way and move the last number alone.
    """

    def __init__(
        self,
        base: Sequence[float],
        *,
        step: float = 0.6,
        bend: float = 0.0,
        noise: float = 0.0,
        rules: float = 0.0,
        seed: int = 0,
    ) -> None:
        self.base, self.bend, self.noise = np.array(base, float), bend, noise
        self.n_cards = len(base) - (rules > 0)
        self.changes = [(card, by) for card in range(self.n_cards) for by in STEPS]
        effects = []
        for card, by in self.changes:
            effect = np.zeros(len(base))
            effect[: self.n_cards] = -step * by / (self.n_cards - 1)
            effect[card] = step * by
            effects.append(effect)
        if rules:
            for by in (-1, 1):
                self.changes.append((-1, by))
                effects.append(np.append(np.zeros(self.n_cards), by * rules))
        self.effects = np.array(effects)
        self.played: dict[Plan, np.ndarray] = {}
        self._luck = np.random.default_rng(seed)

    def truth(self, plan: Plan) -> np.ndarray:
        """Where the numbers really stand."""
        moved = self.effects[list(plan)].sum(axis=0)
        return np.asarray(self.base + moved * (1 - self.bend * max(len(plan) - 1, 0)))

    def problem(self, **more: object) -> Problem:
        """What is asked of the search."""
        return Problem(**{
            "amounts": tuple(abs(by) for _, by in self.changes),
            "things": tuple(card for card, _ in self.changes),
            "own": tuple(card for card, _ in self.changes),
            "n_cards": self.n_cards,
            "aim": np.full(len(self.base), 0.9),
            **more,
        })  # type: ignore[arg-type]  # fmt: skip

    def simulate(self, what: str, plans: Sequence[Plan], beside: Plan) -> list[Stand]:
        """Play plans."""
        for plan in plans:
            if plan not in self.played:
                luck = self.noise * self._luck.standard_normal(len(self.base))
                self.played[plan] = self.truth(plan) + luck
        error = np.full(len(self.base), 2**0.5 * self.noise)
        return [Stand(self.played[plan], error) for plan in plans]

    def search(self, **more: object) -> Found:
        """What the search finds."""
        return search(self.problem(**more), self.simulate)

    def amount(self, plan: Plan) -> int:
        """How much a plan changes."""
        return sum(abs(self.changes[one][1]) for one in plan)

    def cheapest(self) -> float:
        """The least amount that reaches the aim, of all plans that there are; inf if none does."""
        found = []
        for steps in product((0, *STEPS), repeat=self.n_cards):
            plan = tuple(self.changes.index((card, by)) for card, by in enumerate(steps) if by)
            if (np.abs(self.truth(plan)) <= 0.9).all():
                found.append(self.amount(plan))
        return min(found, default=inf)


THREE_FAULTS = [0.1, -1.9, 0.3, 2.0, -0.2, 0.0, 1.4, -0.4]


def test_three_planted_faults_are_mended() -> None:
    """The proposal changes the three cards that are off and no other, towards the middle."""
    pool = Linear(THREE_FAULTS)
    found = pool.search()
    assert found.reached and not found.spent
    assert [pool.changes[one] for one in found.proposal] == [(1, 2), (3, -2), (6, -1)]
    assert len(pool.played) == found.played < 30  # three cards with four changes, and few plans


@pytest.mark.parametrize("seed", range(6))
def test_no_plan_does_it_with_less(seed: int) -> None:
    """Against all plans of small pools."""
    base = np.random.default_rng(seed).normal(0, 1.1, 5)
    pool = Linear(base - base.mean())
    found = pool.search()
    least = pool.cheapest()
    assert found.reached == (least < inf)
    assert not found.reached or pool.amount(found.proposal) == least


def test_front() -> None:
    """From nothing changed to the proposal, each plan changes more and misses less."""
    pool = Linear(THREE_FAULTS)
    found = pool.search()
    assert found.front[0] == () and found.front[-1] == found.proposal
    amounts = [pool.amount(plan) for plan in found.front]
    missed = [np.maximum(np.abs(pool.truth(plan)) - 0.9, 0).sum() for plan in found.front]
    assert amounts == sorted(set(amounts)) == [0, 1, 2, 3, 4, 5]
    assert missed == sorted(missed, reverse=True) and missed[-1] == 0
    assert found.stands[found.proposal] == pytest.approx(pool.truth(found.proposal))


def test_changes_that_do_not_add_up() -> None:
    """What changes do together is seen and put right, where the sum of effects alone would fail."""
    pool = Linear(THREE_FAULTS, step=0.8, bend=0.12)
    straight = Linear(THREE_FAULTS, step=0.8).search().proposal
    assert (np.abs(pool.truth(straight)) > 0.9).any()
    found = pool.search()
    assert found.reached and (np.abs(pool.truth(found.proposal)) <= 0.9).all()


def test_what_cannot_be_reached() -> None:
    """The best that was found, without changes that bring next to nothing."""
    pool = Linear([0.0, 9.0, 0.2, -0.1, 0.3])
    found = pool.search()
    assert not found.reached and not found.spent
    assert (1, -2) in [pool.changes[one] for one in found.proposal]
    missed = [np.maximum(np.abs(pool.truth(plan)) - 0.9, 0).sum() for plan in ((), found.proposal)]
    assert missed[0] - missed[1] > WORTH * pool.amount(found.proposal)


def test_nothing_to_do() -> None:
    """A pool that is as it should be is left alone, after one look."""
    pool = Linear([0.1, -0.5, 0.3, 0.8])
    found = pool.search()
    assert (found.reached, found.proposal, found.front, found.played) == (True, (), ((),), 1)


def test_limits_are_kept() -> None:
    """No more plans than the budget, no more changes than asked for."""
    for budget in (1, 2, 5, 9, 15):
        pool = Linear(THREE_FAULTS)
        found = pool.search(budget=budget)
        assert len(pool.played) == found.played <= budget
        assert found.spent
    found = Linear(THREE_FAULTS).search(most=2)
    assert len(found.proposal) == 2 and not found.reached


def test_a_number_of_the_whole() -> None:
    """What is missed by the whole is mended by the change of a rule, not by cards."""
    pool = Linear([0.1, -0.2, 0.4, 0.0, 1.7], rules=1.0)
    found = pool.search()
    assert found.reached
    assert [pool.changes[one] for one in found.proposal] == [(-1, -1)]


def test_luck_is_allowed_for() -> None:
    """With an aim inside the goals, most proposals are good in truth, though luck blurs all."""
    good = 0
    for seed in range(12):
        pool = Linear([0.1, -1.9, 2.0, -0.2, 0.0], noise=0.1, seed=seed)
        found = pool.search(aim=np.full(5, 1 - 1.28 * 0.1))
        good += bool((np.abs(pool.truth(found.proposal)) <= 1).all())
    assert good >= 10


def test_effects_that_may_be_chance() -> None:
    """They become the median of all; what differs beyond chance stays as it is."""
    errors = np.full(200, 0.3)
    seen = -0.1 + 0.3 * np.random.default_rng(1).standard_normal(200)
    seen[7] = 2.5
    found = thresholded(seen, errors)
    assert found[7] == 2.5
    assert set(np.delete(found, 7)) == {np.median(seen)}
    assert list(thresholded(np.array([0.4]), np.array([1.0]))) == [0.4]
    assert list(thresholded(seen, np.zeros(200))) == list(seen)
