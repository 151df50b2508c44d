"""Planted games whose chances are known by formula: races by coins, and walks by normal steps.

As a program it prints how often intervals of walks hold, as ``docs/story.md`` has it::

    python -m support.planted_stories 200
"""

import sys
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from itertools import pairwise

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from analysis.questions.story import (
    BACK,
    CHANGES,
    DECIDED,
    LEADER,
    MOMENTS,
    TAIL,
    TURNS,
    Story,
    Views,
    Words,
)

_FLOAT = npt.NDArray[np.float64]
WORDS = Words(cards=[], names=[])


@cache
def chance(left: int, right: int, goal: int, catch_up: float = 0.0) -> float:
    """The chance of the left side, which wins at ``goal`` steps; who is behind steps more often."""
    if goal in (left, right):
        return float(left == goal)
    step = step_of(left, right, catch_up)
    behind = chance(left + 1, right, goal, catch_up), chance(left, right + 1, goal, catch_up)
    return step * behind[0] + (1 - step) * behind[1]


def step_of(left: int, right: int, catch_up: float) -> float:
    """How likely the left side takes the next step."""
    return 0.5 + catch_up * ((right > left) - (left > right))


def race(n_games: int, goal: int, seed: int, catch_up: float = 0.0) -> Views:
    """Races to so many steps, each a coin; both seats see the chance before every step."""
    rng = np.random.default_rng(seed)
    told = []
    for _ in range(n_games):
        at, chances = [0, 0], list[float]()
        while goal not in at:
            chances.append(chance(at[0], at[1], goal, catch_up))
            at[int(rng.random() >= step_of(at[0], at[1], catch_up))] += 1
        told.append((chances, int(at[1] == goal)))
    return views_of(told)


def views_of(told: list[tuple[list[float], int]]) -> Views:
    """Games in which seats in turn see the chance of the first side, with their winners."""
    game = np.concatenate([[number] * len(one) for number, (one, _) in enumerate(told)])
    turn = np.concatenate([range(1, len(one) + 1) for one, _ in told])
    first = np.concatenate([one for one, _ in told])
    zero, nothing = np.zeros(len(game), int), np.full(len(game), np.nan)
    step = np.full(len(game), "a step")
    return Views(
        *(game, turn, zero, zero, step, zero - 1, np.column_stack([first, 1 - first])),
        *(nothing, nothing, nothing),
        np.eye(2)[[winner for _, winner in told]],
        np.array([len(one) for one, _ in told]),
        np.arange(len(told)),
    )


def walk(n_games: int, steps: int, seed: int) -> Views:
    """Sums of normal steps, won by their sign: chances are any numbers, those of races a few."""
    at, own = walked(n_games, steps, np.random.default_rng(seed))
    return views_of([([*one], int(end < 0)) for one, end in zip(own, at[:, -1], strict=True)])


def walked(n_games: int, steps: int, rng: np.random.Generator) -> tuple[_FLOAT, _FLOAT]:
    """Sums behind each step, and the chance of the first side before each, (n_games, steps)."""
    at = rng.normal(size=(n_games, steps)).cumsum(axis=1)
    before = np.pad(at[:, :-1], ((0, 0), (1, 0)))
    return at, ndtr(before / np.sqrt(np.arange(steps, 0, -1)))


@cache
def truth_of_walk(steps: int, n_games: int = 400_000) -> dict[tuple[str, str], float]:
    """The figures of a walk: leads by the law of the arcsine, others by that many games."""

    def differ(one: int, two: int) -> float:
        return float(np.arccos(np.sqrt(one / two)) / np.pi)  # in sign, behind so many steps

    found = {}
    for moment in MOMENTS:
        turn = min(max(round(steps * moment), 1), steps - 1)
        found[LEADER, f"{moment:.3g}"] = 1 - differ(turn - 1, steps)
    ends = [*range(1, steps - 1), steps]
    found[CHANGES, ""] = sum(differ(one, two) for one, two in pairwise(ends))
    at, first = walked(n_games, steps, np.random.default_rng(0))
    own = np.where(at[:, -1:] > 0, first, 1 - first)[:, :-1]
    is_open = np.pad(own < DECIDED, ((0, 0), (0, 1)))
    found[TAIL, ""] = float((is_open[:, ::-1].argmax(axis=1) - 1).mean())
    for depth in (0.25, 0.1):
        found[BACK, f"{depth:g}"] = float((own.min(axis=1) < depth).mean())
    return found


def paths(goal: int, left: int = 0, right: int = 0) -> Iterator[tuple[list[float], int, float]]:
    """Every fair race from here: its chances before each step, its winner, and how likely it is."""
    if goal in (left, right):
        yield [], int(right == goal), 1.0
        return
    for step in ((left + 1, right), (left, right + 1)):
        for chances, winner, likely in paths(goal, *step):
            yield [chance(left, right, goal), *chances], winner, likely / 2


def truth(goal: int) -> dict[tuple[str, str], float]:
    """The figures of a fair race by formula: sums over all its paths."""
    found = defaultdict[tuple[str, str], float](float)
    for first, winner, likely in paths(goal):
        own = [one if winner == 0 else 1 - one for one in first[:-1]]
        own = [*own, 1.0]  # the end of the last turn is that of the game
        n = len(own)
        last_open = max((turn for turn, one in enumerate(own, 1) if one < DECIDED), default=0)
        found[TURNS, ""] += likely * n
        found[TAIL, ""] += likely * (n - max(last_open + 1, 1))
        for moment in MOMENTS:
            there = own[min(max(round(n * moment), 1), n - 1) - 1]
            found[LEADER, f"{moment:.3g}"] += likely * (0.5 if there == 0.5 else there > 0.5)
        for depth in (0.25, 0.1):
            found[BACK, f"{depth:g}"] += likely * (min(own) < depth)
        leads = [one > 0.5 for one in own if one != 0.5]
        found[CHANGES, ""] += likely * sum(a != b for a, b in pairwise(leads))
    return dict(found)


def held(seeds: int, n_games: int = 400, steps: int = 12) -> dict[tuple[str, str], float]:
    """The share of seeds in which the interval of each figure has the truth."""
    known, found = truth_of_walk(steps), defaultdict[tuple[str, str], list[bool]](list)
    for seed in range(seeds):
        table = Story(walk(n_games, steps, seed), WORDS).tables()["story"]
        for row in table.to_dict("records"):
            if (key := (row["kind"], row["of"])) in known:
                found[key].append(row["value_ci_low"] <= known[key] <= row["value_ci_high"])
    return {key: float(np.mean(one)) for key, one in found.items()}


if __name__ == "__main__":
    for (kind, of), share in held(int(sys.argv[1])).items():
        print(f"{kind} {of:6} {share:.1%}")
