"""Puzzles with one right answer: the answers are proved, and every serious player finds them."""

from __future__ import annotations

import pytest

from support.puzzles import Puzzle, outcomes, puzzles, words_of

PUZZLES = puzzles()

each_puzzle = pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.name)


@each_puzzle
def test_puzzles_ask_what_they_say(puzzle: Puzzle) -> None:
    """A puzzle stands at its decision; the right options are offered, and a wrong one."""
    table = puzzle.table()
    offered = set(words_of(table))
    assert table.point == puzzle.asked
    assert set(puzzle.right) < offered


@pytest.mark.parametrize(
    "puzzle", [puzzle for puzzle in PUZZLES if puzzle.proof], ids=lambda puzzle: puzzle.name
)
def test_answers_are_proved(puzzle: Puzzle) -> None:
    """Perfect play for the turns of the proof: every right option leads to more than any other."""
    values = outcomes(puzzle)
    right = {values.pop(words) for words in puzzle.right}
    assert min(right) > max(values.values())


@pytest.mark.parametrize("player", ["learned", "search:400"])
@each_puzzle
def test_players_solve_puzzles(puzzle: Puzzle, player: str) -> None:
    """From ``learned`` up, every player chooses a right option."""
    assert puzzle.answer(player) in puzzle.right, puzzle.why


def test_random_does_not_solve_the_puzzles() -> None:
    """The set can fail: a player who does not think gets about half of it wrong."""
    solved = [puzzle.answer("random") in puzzle.right for puzzle in PUZZLES]
    assert sum(solved) < 0.6 * len(PUZZLES)


def test_puzzles_are_of_every_kind() -> None:
    """There are enough puzzles, and enough beyond the base game."""
    assert len(PUZZLES) >= 45
    assert sum(puzzle.sets != ["first_contact"] for puzzle in PUZZLES) >= 12
