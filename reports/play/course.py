"""The course of a game: how likely a side was to win all along, and which choices cost most."""

from collections.abc import Sequence
from math import isnan
from typing import NamedTuple

from reports.play.scene import Moment

#: Points of a chance from which on a choice is told as a mistake, and how many are told.
LEAST, MOST = 0.03, 5


class Judged(NamedTuple):
    """A decision as a judge sees it: the side whose it is, and its chance with each option.

    A chance is nan for an option that may not be taken.
    """

    side: int
    chances: Sequence[float]


class Course(NamedTuple):
    """A game of two sides, judged: each decision, or None for one without a choice.

    ``name`` is that of the ``side`` whose chance is shown, and whose choices are told if they are
    its ``own``, else those of both; ``judge`` is who says so.
    """

    judge: str
    name: str
    side: int
    own: bool
    decisions: Sequence[Judged | None]


class Mistake(NamedTuple):
    """A choice that cost much: the place of its moment, what was chosen, and what was better."""

    at: int
    turn: int
    chosen: str
    best: str
    cost: float


def chances(course: Course, moments: Sequence[Moment]) -> list[float]:
    """The chance of the side that is shown, at each moment: the mean of what both sides last saw.

    Each side judges by what it sees, so that the two need not add up to one.
    """
    views, found = [0.5, 0.5], []
    for judged, moment in zip(course.decisions, moments, strict=False):
        if judged is not None and moment.move is not None:
            seen = judged.chances[moment.move.chosen]
            if not isnan(seen):
                views[judged.side] = seen if judged.side == course.side else 1 - seen
        found.append(sum(views) / 2)
    return found


def cost_of_choices(course: Course, taken: Sequence[int]) -> float | None:
    """What the choices of the side that is shown cost on average; None where it had none."""
    costs = []
    for judged, option in zip(course.decisions, taken, strict=True):
        if judged is not None and judged.side == course.side:
            known = [one for one in judged.chances if not isnan(one)]
            if len(known) > 1 and not isnan(judged.chances[option]):
                costs.append(max(known) - judged.chances[option])
    return sum(costs) / len(costs) if costs else None


def mistakes(course: Course, moments: Sequence[Moment]) -> list[Mistake]:
    """The choices that cost most, the dearest first."""
    found = []
    for at, (judged, moment) in enumerate(zip(course.decisions, moments, strict=False)):
        move = moment.move
        if judged is None or move is None or (course.own and judged.side != course.side):
            continue
        known = [one for one in judged.chances if not isnan(one)]
        taken = judged.chances[move.chosen]
        if isnan(taken) or max(known) - taken < LEAST:
            continue
        best = move.options[judged.chances.index(max(known))]
        told = move.options[move.chosen].whole, best.whole
        found.append(Mistake(at, moment.turn, *told, max(known) - taken))
    return sorted(found, key=lambda one: -one.cost)[:MOST]
