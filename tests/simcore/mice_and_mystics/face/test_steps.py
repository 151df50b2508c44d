"""A game from decision to decision is the game that is told: same end, choices and positions."""

import re

import pytest

from simcore.mice_and_mystics.face.replay import Board, replay_game
from simcore.mice_and_mystics.face.steps import step_through
from simcore.narration import Step
from support.mice_and_mystics.fast_table import table_of

SEED = 11
GAMES = [
    ("ch1_flight_to_barksburg", ("page_end=3", "parties=any"), "category"),
    ("standin_four_rooms", (), "learned"),
]


@pytest.mark.parametrize(("chapter", "switches", "player"), GAMES)
def test_steps_are_the_told_game(chapter: str, switches: tuple[str, ...], player: str) -> None:
    """Each step has the choice of the told game, the last one its end; the table is as drawn."""
    table = table_of(chapter, *switches)
    told = replay_game(table, seed=SEED, game=1, players=(player,))
    stepped = step_through(table, seed=SEED, game=1, players=(player,))
    assert stepped.record == told.record
    lines = [line for line in told.lines if isinstance(line, str)]
    asked = [line for line in lines if line.lstrip().startswith("? ")]
    *steps, last = stepped.steps
    assert len(steps) == len(asked) > 30
    for step, line in zip(steps, asked, strict=True):
        assert step.move is not None
        taken = re.search(r"\[(.*?)\]", line)
        assert taken is not None
        assert " ".join(step.move.options[step.move.chosen]).strip().endswith(taken[1])
        assert step.move.asked.startswith(step.layout.mice[step.move.mouse].hero.name)
    assert any(step.move and step.move.thoughts for step in steps) == (player == "learned")
    assert last.move is None
    assert lines[-1] in last.lines
    happened = {line for step in stepped.steps for line in step.lines}
    assert happened <= {line.strip() for line in lines}
    assert_drawn(stepped.steps, [one for one in told.lines if isinstance(one, Board)])


def assert_drawn(steps: tuple[Step, ...], boards: list[Board]) -> None:
    """Everybody stands on the plan where their piece says, and on the maps of the story."""
    plans = []
    for step in steps:
        layout = step.layout
        there = {one.seen.space for one in layout.mice} - {""}
        assert there == {*layout.mice_at}
        assert sum(map(len, layout.mice_at.values())) == sum(
            one.seen.space != "" for one in layout.mice
        )
        counted = sum(int(tag[0]) for tags in layout.minions_at.values() for tag in tags)
        assert counted == len(layout.minions)
        assert {one.seen.space for one in layout.minions} == {*layout.minions_at}
        letters = {space: (mice,) for space, mice in layout.mice_at.items()}
        tags = {space: tuple(tags) for space, tags in layout.minions_at.items()}
        plans.append(
            (
                layout.room,
                {
                    space: (*letters.get(space, ()), *tags.get(space, ()))
                    for space in {**letters, **tags}
                },
            )
        )
    drawn = [(board.tile, dict(board.standing)) for board in boards]
    assert sum(board in plans for board in drawn) > len(drawn) / 2


def test_marks_prices_and_turns() -> None:
    """Who acts is marked on the track and on the mouse; abilities have their price."""
    table = table_of("ch1_flight_to_barksburg")
    steps = step_through(table, seed=SEED, game=3, players=("learned",)).steps
    acting = [step.layout for step in steps if step.move and "has" in step.move.asked]
    assert acting
    for layout in acting:
        [now] = [name for name, state in layout.track if state == "acts now"]
        assert now == layout.turn
        assert [one.hero.name for one in layout.mice if "acts now" in one.marks] == [now]
    costs = {one.id: (one.cost, dict(one.cost_by_class)) for one in table.facts.abilities}
    for mouse in acting[-1].mice:
        for ability, price in zip(mouse.seen.abilities, mouse.prices, strict=True):
            usual, by_class = costs[ability]
            assert price in (usual, *by_class.values())
    assert {layout.goal for layout in acting} == {acting[0].goal}
    assert acting[0].goal.startswith("The chapter is won when")
