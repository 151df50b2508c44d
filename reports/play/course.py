"""The course of a game: how likely a side was to win all along, and which choices cost most."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

import numpy as np

from analysis.questions.story import mean_of_latest
from analysis.story_games import Judge, Seen
from reports.play.scene import Moment

#: Points of a chance from which on a choice is told as a mistake, and how many are told.
LEAST, MOST = 0.03, 5
# A cost that was found by playouts is told if it is so many times its error.
_SURE = 3.0


class Course(NamedTuple):
    """A told game, judged: its decisions, but for those without a choice.

    ``judge`` is who says so, ``turn`` what a turn is called, ``name`` that of the ``side`` whose
    chance is shown; ``own`` are the places of the decisions of a person, None where nobody's are.
    """

    judge: str
    turn: str
    name: str
    side: int
    own: Collection[int] | None
    seen: Sequence[Seen]

    @property
    def mine(self) -> list[Seen]:
        """The decisions of the person, or else of everybody."""
        return [one for one in self.seen if self.own is None or one.at in self.own]


class Mistake(NamedTuple):
    """A choice that cost much: the place of its moment, what was chosen, and what was better."""

    at: int
    turn: int
    chosen: str
    best: str
    cost: float


def course_of(
    judge: Judge,
    number: int,
    taken: Sequence[int],
    name: str,
    side: int = 0,
    own: Collection[int] | None = None,
) -> Course:
    """The course of a game whose options were ``taken``; see `Course`."""
    seen, *_ = judge.watch(number, taken)
    return Course(judge.name, judge.words.turn, name, side, own, seen)


def chances(course: Course, n_moments: int) -> list[float]:
    """The chance of the side that is shown, at each moment: the mean of all latest views."""
    if not course.seen:
        return [0.5] * n_moments
    view = np.array([one.view for one in course.seen])
    seat = np.array([one.seat for one in course.seen])
    known = mean_of_latest(view, seat, np.zeros(len(seat), int))[:, course.side]
    places = np.searchsorted([one.at for one in course.seen], range(n_moments), side="right")
    return [float(one) for one in known[np.maximum(places - 1, 0)]]


def mistakes(course: Course, moments: Sequence[Moment]) -> list[Mistake]:
    """The choices that cost most, the dearest first."""
    found = []
    for one in course.mine:
        move = moments[one.at].move
        if move is not None and one.cost >= max(LEAST, _SURE * one.error):
            told = move.options[move.chosen].whole, move.options[one.best].whole
            found.append(Mistake(one.at, moments[one.at].turn, *told, one.cost))
    return sorted(found, key=lambda one: -one.cost)[:MOST]
