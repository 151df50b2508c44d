"""The course of a told game: its curve, and the choices that cost most."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analysis.mindbug.story import Judge
from analysis.runs import open_run
from analysis.story_games import Seen
from card_data.mindbug import load_pool
from reports.cli.app import run
from reports.games import reports_of
from reports.mice_and_mystics.cli.play import MatchOptions
from reports.mice_and_mystics.studio.bench import BENCH as MICE
from reports.mindbug.cli.play import MatchOptions as MindbugOptions
from reports.mindbug.studio.bench import BENCH as MINDBUG
from reports.own_games.options import OwnMatchOptions
from reports.own_games.studio.bench import bench_of
from reports.play.course import Course, chances, course_of, mistakes
from reports.play.scene import Moment, Move, Option, Scene
from reports.playtests.played import costs_of_choices
from reports.studio.project import Project
from reports.studio.table.table import Table
from simcore.mindbug import compile_cards
from simcore.mindbug.face.game import Game
from support.own_games import EXAMPLES

NOTHING = Scene("", [])


def moment(chosen: int, turn: int = 1) -> Moment:
    """A decision between two options."""
    options = [Option("play A"), Option("play B")]
    return Moment([], NOTHING, Move("What?", options, chosen), turn)


def seen(at: int, seat: int, first: float, **more: Any) -> Seen:
    """A decision at which a seat sees a chance of the first side."""
    return Seen(at, at + 1, seat, "", np.array([first, 1 - first]), seat, **more)


def course(*decisions: Seen, own: set[int] | None = None, side: int = 0) -> Course:
    """A game as somebody judges it."""
    return Course("expert", "turn", "You", side, own, decisions)


def test_a_chance_is_the_mean_of_what_all_seats_see() -> None:
    """Each seat's latest view counts; where nothing was judged the chance stays."""
    told = course(seen(0, 0, 0.7), seen(2, 1, 0.5), seen(3, 0, 0.2))
    assert chances(told, 5) == pytest.approx([0.7, 0.7, 0.6, 0.35, 0.35])
    assert chances(told._replace(side=1), 5) == pytest.approx([0.3, 0.3, 0.4, 0.65, 0.65])
    assert chances(course(), 2) == [0.5, 0.5]


def test_the_dearest_choices_come_first() -> None:
    """Of a person their own alone; a small loss is not told, nor one that may be luck."""
    told = course(
        seen(0, 0, 0.5, best=0, cost=0.2),
        seen(1, 1, 0.9, best=0, cost=0.8),
        seen(2, 0, 0.5, best=0, cost=0.02),
        seen(3, 0, 0.4),
        seen(4, 0, 0.3, best=0, cost=0.3, error=0.09),
        seen(5, 0, 0.3, best=0, cost=0.3, error=0.11),
    )
    moments = [moment(1, turn) for turn in range(1, 7)] + [Moment([], NOTHING)]
    found = mistakes(told, moments)
    assert [(one.at, one.turn) for one in found] == [(1, 2), (4, 5), (0, 1)]
    assert [one.cost for one in found] == pytest.approx([0.8, 0.3, 0.2])
    assert found[0].chosen == "play B"
    assert found[0].best == "play A"
    mine = told._replace(own={0, 2, 3, 4})
    assert [one.at for one in mistakes(mine, moments)] == [4, 0]


def test_what_options_win_in_playouts() -> None:
    """The best of one half is judged by the other; exact chances need none."""
    won = np.array([[0.2, 0.8], [0.4, 0.6], [0.2, 0.8], [0.4, 0.6]])
    found = seen(0, 0, 0.5).of_playouts(won, 0)
    assert found.best == 1
    assert [found.cost, found.loss] == pytest.approx([0.4, 0.2])
    assert found.error == pytest.approx(np.std([0.6, 0.2, 0.6, 0.2], ddof=1) / 2)
    exact = seen(0, 0, 0.5).of_options(np.array([0.3, np.nan, 0.7]), 0)
    assert exact.best == 2
    assert [exact.cost, exact.loss, exact.spread] == pytest.approx([0.4, 0.2, 0.4])


def test_a_game_of_mindbug_is_judged_as_it_was_played() -> None:
    """Each decision is judged by whoever decides; the end agrees with the winner."""
    table = compile_cards(load_pool(["first_contact"]))
    game, taken, sides = Game(table, seed=3, game=1), list[int](), list[int]()
    while not game.over:
        sides.append(game.decider)
        taken.append(game.choose("expert"))
        game.step(taken[-1])
    told = course_of(Judge(table, 3), 1, taken, "You")
    assert len(told.seen) > 5
    assert all(one.seat == one.side == sides[one.at] for one in told.seen)
    assert (chances(told, len(taken))[-1] > 0.5) == (game.winner == 0)
    # The judge of a story sees the same, if its players are.
    assert Judge(table, 3, ["expert"] * 2).watch(1)[0][-1].view == pytest.approx(told.seen[-1].view)


@pytest.mark.parametrize(
    ("named", "name", "turn"),
    [
        ("first_contact", "The (first|second) player", "Turn"),
        ("standin_four_rooms", "The party", "Round"),
        ("duel.py", "Seat 1", "Decision"),
        ("dike.py", "Seat 1, Seat 2 and Seat 3", "Decision"),
    ],
)
def test_a_game_of_a_run_has_its_course(
    named: str, name: str, turn: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In every game of the house and in those of one's own; its end is that of the game."""
    monkeypatch.chdir(tmp_path)
    own = f"{EXAMPLES / named}"
    played = own if named.endswith(".py") else named
    words = "--policy", "random" if played == own else "learned", "--games", "3"
    assert run(["simulate", played, *words, "--threads", "1", "--out", "runs/few"]) == 0
    game = open_run(Path("runs/few")).game.name
    bench = {"mindbug": MINDBUG, "mice_and_mystics": MICE}.get(game) or bench_of(own)
    table = Table(Project(Path()), {game: bench})
    html = table.course({"run": "few", "number": "1"})["html"]
    assert re.search(rf"<h2>{name}: chance of winning, judged by [a-z ]+</h2>", html), html
    points = re.findall(r"[\d.]+,([\d.]+)", html.partition("points=")[2].partition(">")[0])
    assert len(points) > 8
    assert len({*points}) > 3
    for told in re.findall(r"<button[^>]*>(\w+) \d+", html):
        assert told == turn


@pytest.mark.parametrize(
    ("options", "named", "player"),
    [
        (MatchOptions(mice="filch"), "standin_four_rooms", "learned"),
        (OwnMatchOptions(), EXAMPLES / "duel.py", "random"),
        (MindbugOptions(), "first_contact", "greedy"),
    ],
)
def test_a_person_is_told_what_their_choices_cost(
    options: MatchOptions | OwnMatchOptions | MindbugOptions, named: object, player: str
) -> None:
    """Their own alone, after the game, and what those of others would have."""
    _, log = options.log([str(named)], player=None, seed=2, start_with=None)
    match, taken = reports_of(log.game).match(log), list[tuple[int, int]]()

    def choose() -> int:
        taken.append((match.place, match.opinion(player, len(taken)).chosen))
        return taken[-1][1]

    assert [*match.tell(choose, brief=True)]
    told = reports_of(log.game).match(log).course(taken)
    assert told is not None
    assert told.own == {at for at, (place, _) in enumerate(taken) if place in log.person}
    assert 0 < len(told.own) < len(taken)
    costs = costs_of_choices(told, reports_of(log.game).match(log), taken)
    assert -0.05 < costs[""] < 0.4
    assert costs[""] < costs["chance"] + 0.05
    if player == "greedy":  # who chose for the person, and is one of the rungs
        assert [*costs] == ["", "greedy", "heuristic", "chance"]
        assert costs["greedy"] == pytest.approx(costs[""])
    else:
        assert [*costs] == ["", "chance"]
    nothing = told._replace(own=set())
    assert costs_of_choices(nothing, reports_of(log.game).match(log), taken) == {}
    assert told.seen[-1].at <= len(taken) - 1
