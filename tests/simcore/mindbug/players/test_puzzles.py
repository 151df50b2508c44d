"""Puzzles with one right answer: the answers are proved, and every serious player finds them."""

import pytest

from support.puzzles import Puzzle, outcomes, puzzles, words_of
from support.reference_cards import SETS as SHIPPED

PUZZLES = puzzles()
AHEAD = puzzles("puzzles_ahead")
ALL = (*PUZZLES, *AHEAD)

each_puzzle = pytest.mark.parametrize("puzzle", ALL, ids=lambda puzzle: puzzle.name)


@each_puzzle
def test_puzzles_ask_what_they_say(puzzle: Puzzle) -> None:
    """A puzzle stands at its decision; the right options are offered, and a wrong one."""
    table = puzzle.table()
    offered = set(words_of(table))
    assert table.point == puzzle.asked
    assert set(puzzle.right) < offered


@pytest.mark.parametrize(
    "puzzle", [puzzle for puzzle in ALL if puzzle.proof], ids=lambda puzzle: puzzle.name
)
def test_answers_are_proved(puzzle: Puzzle) -> None:
    """Perfect play for the turns of the proof: every right option leads to more than any other."""
    values = outcomes(puzzle)
    right = {values.pop(words) for words in puzzle.right}
    assert min(right) > max(values.values())


@pytest.mark.parametrize("puzzle", AHEAD, ids=lambda puzzle: puzzle.name)
def test_luck_does_not_refute_answers(puzzle: Puzzle) -> None:
    """Whatever chance brings, no wrong option leads to more than a right one."""
    for luck in range(3):
        values = outcomes(puzzle, luck=luck)
        right = {values.pop(words) for words in puzzle.right}
        assert min(right) >= max(values.values())


@pytest.mark.parametrize("puzzle", PUZZLES, ids=lambda puzzle: puzzle.name)
def test_search_solves_puzzles(puzzle: Puzzle) -> None:
    """A few hundred simulations find a right option of every puzzle."""
    assert puzzle.answer("search:400") in puzzle.right, puzzle.why


def test_search_looks_ahead() -> None:
    """A few hundred simulations solve nine in ten of the puzzles that need looking ahead."""
    missed = [puzzle.name for puzzle in AHEAD if puzzle.answer("search:400") not in puzzle.right]
    assert len(missed) <= len(AHEAD) // 10, missed


@each_puzzle
def test_learned_solves_puzzles(puzzle: Puzzle) -> None:
    """``learned`` solves every puzzle but those that say they need a search."""
    assert (puzzle.answer("learned") in puzzle.right) == (puzzle.solved_from == "learned")


def test_enough_puzzles_are_for_every_rung() -> None:
    """``learned`` solves at least forty puzzles, and a third of those that need looking ahead."""
    assert {puzzle.solved_from for puzzle in ALL} == {"learned", "search"}
    assert sum(puzzle.solved_from == "learned" for puzzle in PUZZLES) >= 40
    assert sum(puzzle.solved_from == "learned" for puzzle in AHEAD) >= len(AHEAD) / 3


@pytest.mark.parametrize("chosen", [PUZZLES, AHEAD], ids=["puzzles", "ahead"])
def test_random_does_not_solve_the_puzzles(chosen: tuple[Puzzle, ...]) -> None:
    """The set can fail: a player who does not think gets about half of it wrong."""
    solved = [puzzle.answer("random") in puzzle.right for puzzle in chosen]
    assert sum(solved) < 0.6 * len(chosen)


def test_puzzles_are_of_every_kind() -> None:
    """There are enough puzzles, and enough beyond the base game."""
    assert len(PUZZLES) >= 45
    assert sum(puzzle.sets != ["first_contact"] for puzzle in PUZZLES) >= 12


def test_looking_ahead_is_of_every_kind() -> None:
    """Forty proved puzzles ask for it, at all sorts of decisions and with every set but promos."""
    assert len(AHEAD) >= 40
    assert all(puzzle.proof for puzzle in AHEAD)
    assert {puzzle.asked for puzzle in AHEAD} >= {"D1", "D2", "D3", "D4", "D5", "D6", "D14", "D15"}
    sets = {name for puzzle in AHEAD for name in puzzle.sets}
    assert sets >= {*SHIPPED} - {"promos"}
    assert len({puzzle.name for puzzle in ALL}) == len(ALL)
