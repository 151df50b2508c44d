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


@each_puzzle
def test_search_solves_puzzles(puzzle: Puzzle) -> None:
    """A few hundred simulations find a right option of every puzzle."""
    assert puzzle.answer("search:400") in puzzle.right, puzzle.why


@each_puzzle
def test_learned_solves_puzzles(puzzle: Puzzle) -> None:
    """``learned`` solves every puzzle but those that say they need a search."""
    assert (puzzle.answer("learned") in puzzle.right) == (puzzle.solved_from == "learned")


def test_enough_puzzles_are_for_every_rung() -> None:
    """At least forty puzzles are solved by each player from ``learned`` up."""
    assert {puzzle.solved_from for puzzle in PUZZLES} == {"learned", "search"}
    assert sum(puzzle.solved_from == "learned" for puzzle in PUZZLES) >= 40


def test_random_does_not_solve_the_puzzles() -> None:
    """The set can fail: a player who does not think gets about half of it wrong."""
    solved = [puzzle.answer("random") in puzzle.right for puzzle in PUZZLES]
    assert sum(solved) < 0.6 * len(PUZZLES)


def test_puzzles_are_of_every_kind() -> None:
    """There are enough puzzles, and enough beyond the base game."""
    assert len(PUZZLES) >= 45
    assert sum(puzzle.sets != ["first_contact"] for puzzle in PUZZLES) >= 12
