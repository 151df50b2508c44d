"""What every policy must keep to: legal options, nothing hidden, no changes; and its strength."""

from __future__ import annotations

import random
from copy import deepcopy

import numpy as np
import pytest

from card_data import load_pool
from simcore.mindbug import POLICIES, Ending, compile_cards, play_games, policy_number
from support.fast_game import SETS, FastGame, card_table
from support.lockstep import random_position
from support.positions import Position


def reshuffled(rng: random.Random, position: Position) -> Position:
    """The same position for the active player, with other hidden cards (R4).

    The opponent's hand and draw pile are mixed with one another, and the own draw pile is mixed.
    """
    other = deepcopy(position)
    sides = (other.alice, other.bob)
    mine, theirs = sides[other.active], sides[1 - other.active]
    hidden = theirs.hand + theirs.draw
    rng.shuffle(hidden)
    theirs.hand, theirs.draw = hidden[: len(theirs.hand)], hidden[len(theirs.hand) :]
    rng.shuffle(mine.draw)
    return other


@pytest.mark.parametrize("policy", list(POLICIES))
def test_policies_do_not_look_at_hidden_cards(policy: str) -> None:
    """R4: another hand of the opponent or another draw pile does not change the choice."""
    table = card_table()
    for number in range(400):
        rng = random.Random(number)
        position = random_position(rng, table)
        for side in (position.alice, position.bob):  # a full hand: no refill changes it
            side.hand = (side.hand + ["gorillion"] * 5)[:5]
        one = FastGame.from_position(position, table=table, seed=number).game
        other = FastGame.from_position(reshuffled(rng, position), table=table, seed=number).game
        if not one.over:
            assert one.choose(policy) == other.choose(policy)


@pytest.mark.parametrize("policy", list(POLICIES))
def test_policies_choose_options_and_change_nothing(policy: str) -> None:
    """R121: at every decision the choice is an option, and asking leaves the game as it was."""
    table = card_table(turn_cap=15)
    for number in range(60):
        rng = random.Random(number)
        game = FastGame.from_position(random_position(rng, table), table=table).game
        while not game.over:
            before = game.snapshot(), game.options, game.decision, game.decider
            assert 0 <= game.choose(policy) < len(game.options)
            assert (game.snapshot(), game.options, game.decision, game.decider) == before
            game.step(rng.randrange(len(game.options)))


def test_greedy_beats_random() -> None:
    """Greedy wins at least 97 % of First Contact games against random, seats balanced."""
    table = card_table(sets=SETS[:1])
    first = play_games(table, n_games=10_000, seed=1, policies=("greedy", "random"))
    second = play_games(table, n_games=10_000, seed=1, policies=("random", "greedy"))
    wins = np.concatenate([first["winner"] == 0, second["winner"] == 1])
    assert wins.mean() > 0.97


def test_unknown_policies_are_refused() -> None:
    """An unknown name is a ValueError that names the nearest one; numbers follow the table."""
    assert [policy_number(name) for name in POLICIES] == list(range(len(POLICIES)))
    with pytest.raises(ValueError, match="did you mean 'greedy'"):
        policy_number("gready")


def test_greedy_does_not_copy_for_ever() -> None:
    """Two Utility Bugs could copy each other until the turn is stopped (C23, R20)."""
    pool = load_pool(["beyond_evolution"])
    table = compile_cards(pool.sets, pool.modes)
    games = play_games(table, n_games=1000, seed=1, policies=("greedy", "greedy"))
    assert not (games["ending"] == Ending.LOOPED).any()
