"""The tree of a search: what it remembers, and that it learns from it."""

import numpy as np
import pytest

from card_data.mindbug import load_sets
from simcore.mindbug import CardTable, Game, compile_cards
from simcore.mindbug.play.engine import CHOOSE, run_task
from simcore.mindbug.players.look_ahead import N_STATES
from simcore.mindbug.players.search import _TRUST, SEARCH
from simcore.mindbug.players.search_tree import MAX_MOVES
from simcore.mindbug.players.seats import seat
from simcore.mindbug.table.state import GAME_STATE, Decision

Move = tuple[int, int, int, float]  # move before, name, visits, average for the player who searches


@pytest.fixture(scope="module")
def table() -> CardTable:
    """First Contact."""
    return compile_cards(load_sets(["first_contact"]))


def searched(table: CardTable, seed: int, simulations: int) -> tuple[np.void, int]:
    """The work space of a search for the first decision of a game, and how many options it has."""
    game = Game(table, seed=seed)
    states, works = np.zeros(N_STATES, GAME_STATE), np.zeros(1, SEARCH)
    states[0] = game._states[0]
    player = f"search:{simulations}"
    option = run_task(CHOOSE, seat(table, (player, player)), states, works=works)
    assert 0 <= option < len(game.options)
    return works[0], len(game.options)


def moves_of(work: np.void) -> dict[int, Move]:
    """The moves of a tree that come after its options, by their numbers."""
    return {
        int(move): (
            (int(key) >> 32) - 1,
            int(key) & 0xFFFFFFFF,
            int(work["visits"][move]),
            float(work["won"][move] / work["visits"][move]),
        )
        for key, move in zip(work["key"], work["move"], strict=True)
        if key
    }


@pytest.mark.parametrize("seed", range(3))
def test_every_simulation_is_counted_once(table: CardTable, seed: int) -> None:
    """At an option as often as at what comes after it, but where the tree or the game ended."""
    work, n_options = searched(table, seed, 400)
    moves = moves_of(work)
    assert sorted(moves) == list(range(n_options, int(work["n_moves"])))
    rounds = (n_options - 1).bit_length()
    tried = work["visits"][:n_options] - _TRUST  # what the first look counts
    assert 400 - n_options * rounds <= tried.sum() <= 400
    visits = dict(enumerate(tried.tolist()))
    visits |= {move: visited for move, (_, _, visited, _) in moves.items()}
    after = dict.fromkeys(visits, 0)
    for move, (before, _, visited, average) in moves.items():
        assert before < move
        assert 0.0 <= average <= 1.0
        after[before] += visited
    assert all(after[move] <= visits[move] for move in visits)
    assert sum(after.values()) > 300  # most simulations find a move that is known


@pytest.mark.parametrize("seed", range(3))
def test_the_opponent_answers_with_what_is_worst_for_the_player(
    table: CardTable, seed: int
) -> None:
    """Of taking a card with a Mindbug and leaving it, the one that gains more is tried more."""
    work, n_options = searched(table, seed, 4000)
    moves = moves_of(work).values()
    clear = 0
    for option in range(n_options):
        replies = [
            (average, visits)
            for before, name, visits, average in moves
            if before == option and name >> 20 == Decision.MINDBUG
        ]
        if len(replies) == 2 and abs(replies[0][0] - replies[1][0]) > 0.05:
            clear += 1
            (_, bad_for_him), (_, good_for_him) = sorted(replies, reverse=True)
            assert good_for_him > bad_for_him
    assert clear > 0


@pytest.mark.parametrize("simulations", [1, 25, 400])
def test_a_tree_is_as_large_as_its_search_needs(table: CardTable, simulations: int) -> None:
    """What one uses is cleared for each decision, and never full."""
    work, n_options = searched(table, 0, simulations)
    assert work["n_moves"] > n_options
    assert work["n_moves"] < work["places"] < 8 * (n_options + simulations)
    assert not work["key"][work["places"] :].any()


def test_a_full_tree_goes_on_without_new_moves(table: CardTable) -> None:
    """More simulations than there is room for moves."""
    work, n_options = searched(table, 0, 3 * MAX_MOVES)
    assert work["n_moves"] == MAX_MOVES
    assert work["visits"][:n_options].sum() > 2 * MAX_MOVES
