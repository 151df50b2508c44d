"""How many games the search of `rebalance` needs, beside CMA-ES on the same games.

    PYTHONPATH=.:tests .venv/bin/python tests/benchmarks/bench_rebalance.py [first_contact|planted]

Both see the same pools through the same measurements and want the same: every number within the
aim, with as little change as possible.  CMA-ES moves every power as an integer variable (option
``integer_variables`` of the library cma) and minimises what the search's integer programme does:
what lies beyond the aim, and `WORTH` for each step.  It may play up to `MOST` candidates.  What
counts in the end is how far the plan of either is from the goals in fresh games.
"""

import sys
import tempfile
import time
from pathlib import Path

import cma
import numpy as np
from attrs import evolve

from analysis.experiments.rebalance_search import WORTH, Plan, Problem, search
from analysis.experiments.watch import unwatched
from analysis.mindbug.experiments.rebalance import PoolPlayers, Question
from analysis.mindbug.experiments.rebalance_goals import Goals
from card_data.mindbug import load_pool
from card_data.mindbug.adjustments import POWER, adjustments_of
from simcore.work.hands import Hands
from support.planted_faults import planted_pool

#: Candidates that CMA-ES may play.
MOST = 600
SEEDS = range(2)
FRESH = 200_000
FAULTS = {"bee": 8, "eel": 9, "hen": 3}


def question(which: str, seed: int) -> Question:
    """What is to be mended: three planted faults, or First Contact as it is."""
    if which == "planted":
        pool = planted_pool(FAULTS)
        changes = adjustments_of(pool, [POWER], power_step=3)
        return Question(pool, tuple(changes), Goals(0.02), "random", 20_000, 100_000, seed=seed)
    pool = load_pool(["first_contact"])
    changes = adjustments_of(pool, [POWER])
    return Question(pool, tuple(changes), Goals(0.02), "heuristic", 20_000, 100_000, seed=seed)


def by_cma(asked: Question, problem: Problem, players: PoolPlayers, seed: int) -> tuple[int, Plan]:
    """Candidates until all numbers are within the aim, and the plan; the best if they never are."""
    places = {change.name: place for place, change in enumerate(asked.changes)}
    cards = sorted({change.card_id for change in asked.changes})
    powers = {card.card_id: card.power for one in asked.pool.sets for card in one.cards}

    most = max(change.amount for change in asked.changes)

    def plan_of(steps: np.ndarray) -> Plan:
        found = (
            places.get(f"{card}.power={powers[card] + round(step)}")
            for card, step in zip(cards, steps, strict=True)
        )
        return tuple(sorted(place for place in found if place is not None))

    settings = {
        "integer_variables": list(range(len(cards))), "bounds": [-most, most], "seed": seed + 1,
        "verbose": -9, "maxfevals": MOST,
    }  # fmt: skip
    evolution = cma.CMAEvolutionStrategy(np.zeros(len(cards)), 1.0, settings)
    seen: dict[Plan, float] = {}
    while not evolution.stop():
        asks = evolution.ask()
        values = []
        for steps in asks:
            plan = plan_of(steps)
            (measured,) = players.measure("", [plan])
            beyond = np.maximum(np.abs(measured.stands) - problem.aim, 0)
            values.append(float(beyond.sum()) + WORTH * problem.amount(plan))
            seen[plan] = values[-1] if beyond.any() else -1.0
            if not beyond.any():
                return len(seen), plan
        evolution.tell(asks, values)
    return len(seen), min(seen, key=lambda plan: seen[plan])


def main() -> None:
    """Print a line for each search."""
    which = sys.argv[1] if len(sys.argv) > 1 else "planted"
    for seed in SEEDS:
        for method in ("search", "cma"):
            asked = question(which, seed)
            began = time.process_time()
            with tempfile.TemporaryDirectory() as folder:
                players = asked.players(Path(folder, "search"), unwatched, Hands())
                problem = players.problem(0)
                if method == "search":
                    found = search(problem, players.simulate)
                    played, plan = found.played, found.proposal
                else:
                    played, plan = by_cma(asked, problem, players, seed)
                took = time.process_time() - began
                (measured,) = players.measure("", [plan])
                beyond = np.maximum(np.abs(measured.stands) - problem.aim, 0).sum()
                fresh = evolve(asked, games=FRESH, seed=asked.seed + 1000)
                judges = fresh.players(Path(folder, "confirm"), unwatched, Hands())
                before, after = judges.measure("", [(), plan])
            points = [100 * asked.goals.band * one.excess for one in (before, after)]
            print(
                f"{which} seed {seed} {method}: {played} candidates,"
                f" {played * asked.games:,} games, amount {problem.amount(plan)}, beyond the aim"
                f" {beyond:.2f}, {took:.0f} s of processor time; in {FRESH:,} fresh games"
                f" {points[1]:.1f} points beyond the goals, before {points[0]:.1f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
