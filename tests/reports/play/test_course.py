"""The course of a told game: its curve, and the choices that cost most."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.mindbug.story import chances_in
from card_data.mindbug import load_pool
from reports.mindbug.play import course_of
from reports.play.course import Course, Judged, chances, cost_of_choices, mistakes
from reports.play.scene import Moment, Move, Option, Scene
from simcore.mindbug import compile_cards
from simcore.mindbug.face.game import Game

NOTHING = Scene("", [])


def moment(chosen: int, turn: int = 1) -> Moment:
    """A decision between two options."""
    options = [Option("play A"), Option("play B")]
    return Moment([], NOTHING, Move("What?", options, chosen), turn)


def course(*judged: Judged | None, own: bool = False, side: int = 0) -> Course:
    """A game as somebody judges it."""
    return Course("expert", "You", side, own, judged)


def test_a_chance_is_the_mean_of_what_both_sides_see() -> None:
    """Each side's latest view counts, that of the other turned round."""
    told = course(Judged(0, [0.7, 0.6]), None, Judged(1, [0.8, 0.5]), Judged(0, [0.2, 0.3]))
    moments = [moment(0), moment(0), moment(1), moment(0), Moment([], NOTHING)]
    # The other side's 0.5 is 0.5 for this one.
    assert chances(told, moments) == pytest.approx([0.6, 0.6, 0.6, 0.35])
    turned = told._replace(side=1)
    assert chances(turned, moments) == pytest.approx([0.4, 0.4, 0.4, 0.65])


def test_the_dearest_choices_come_first() -> None:
    """Of a person their own alone; a barred option is none, and a small loss is not told."""
    nan = float("nan")
    told = course(
        Judged(0, [0.7, 0.5]),
        Judged(1, [0.9, 0.1]),
        Judged(0, [0.5, 0.48]),
        Judged(0, [nan, 0.4]),
        Judged(0, [0.6, 0.3]),
    )
    moments = [moment(1, turn) for turn in (1, 2, 3, 4, 5)] + [Moment([], NOTHING)]
    found = mistakes(told, moments)
    assert [(one.at, one.turn) for one in found] == [(1, 2), (4, 5), (0, 1)]
    assert [one.cost for one in found] == pytest.approx([0.8, 0.3, 0.2])
    assert found[0].chosen == "play B"
    assert found[0].best == "play A"
    assert [one.at for one in mistakes(told._replace(own=True), moments)] == [4, 0]


def test_choices_cost_on_average_what_they_cost() -> None:
    """Those of the side that is shown; a decision with one option is no choice."""
    told = course(
        Judged(0, [0.7, 0.5]), Judged(1, [0.9, 0.1]), None, Judged(0, [0.6, float("nan")]),
        Judged(0, [0.5, 0.4]),
    )  # fmt: skip
    assert cost_of_choices(told, [1, 1, 0, 0, 0]) == pytest.approx(0.1)
    assert cost_of_choices(course(None), [0]) is None


def test_a_game_of_mindbug_is_judged_as_it_was_played() -> None:
    """Each decision has a chance for each option, by whoever decides; the end agrees with it."""
    table = compile_cards(load_pool(["first_contact"]))
    game, taken, sides = Game(table, seed=3, game=1), [], []
    while not game.over:
        sides.append(game.decider)
        taken.append(game.choose("expert"))
        game.step(taken[-1])
    found = chances_in(table, 3, 1, taken)
    assert [side for side, _ in found] == sides
    known = [values for _, values in found if values is not None]
    assert len(known) > 5
    for values in known:
        there = values[~np.isnan(values)]
        assert len(there) >= 1
        assert ((there >= 0) & (there <= 1)).all()
    told = course_of(table, 3, 1, taken)
    moments = [
        Moment([], NOTHING, Move("", [Option(str(n)) for n in range(99)], one)) for one in taken
    ]
    end = chances(told, moments)[-1]
    assert (end > 0.5) == (game.winner == 0)
