"""A game from decision to decision is the game that is told: same end, choices and positions."""

import re

import pytest

from card_data.mindbug import available_sets, load_pool
from simcore.mindbug import CardTable, compile_cards
from simcore.mindbug.face.replay import replay_game
from simcore.mindbug.face.steps import step_through


@pytest.fixture(scope="module")
def table() -> CardTable:
    """All sets."""
    pool = load_pool(available_sets())
    return compile_cards(pool.sets, pool.modes)


@pytest.mark.parametrize("player", ["random", "heuristic"])
@pytest.mark.parametrize("number", range(2))
def test_steps_are_the_told_game(table: CardTable, player: str, number: int) -> None:
    """Each step has the options, choice and thoughts of the told game, and the same end."""
    policies = (player, player)
    told = replay_game(table, seed=5, game=number, policies=policies)
    stepped = step_through(table, seed=5, game=number, policies=policies)
    assert stepped.record == told.record
    *steps, last = stepped.steps
    asked = [line for line in told.lines if line.startswith("  ? ")]
    assert len(asked) == len(steps)
    for step, line in zip(steps, asked, strict=True):
        assert step.move is not None
        chosen = step.move.options[step.move.chosen]
        thought = f" ({step.move.thoughts[step.move.chosen]})" if step.move.thoughts else ""
        assert f"[{chosen}{thought}]" in line
        assert step.move.asked.partition(" on ")[0] in line
    thoughtful = [step for step in steps if step.move and step.move.thoughts]
    assert bool(thoughtful) == (player == "heuristic")
    assert last.move is None
    [end] = [line for line in told.lines if re.match(r"Player \d wins|A draw", line)]
    assert end in last.lines


def test_the_layout_is_that_of_the_head_of_a_turn(table: CardTable) -> None:
    """At the first decision of a turn, what players have is what its head tells."""
    told = replay_game(table, seed=5, game=1)
    steps = step_through(table, seed=5, game=1).steps
    seen = set()
    for step in steps:
        layout = step.layout
        if layout.turn in seen or step.move is None or "chooses an action" not in step.move.asked:
            continue
        seen.add(layout.turn)
        head = next(
            n for n, line in enumerate(told.lines) if line.startswith(f"Turn {layout.turn}: ")
        )
        for player, side in enumerate(layout.sides):
            line = told.lines[head + 1 + player].replace(";", ",")
            counts = [f"life {side.life}", f"Mindbugs {side.mindbugs}"]
            counts += [f"hand {len(side.hand)}", f"draw pile {side.draw_pile}"]
            counts.append(f"discard pile {len(side.discard_pile)}")
            assert [
                count for count in counts if f"{count}," not in f"{line.replace(';', ',')}"
            ] == []
            for creature in side.in_play:
                assert f"{creature.name} ({creature.power}" in line
    assert len(seen) > 5
