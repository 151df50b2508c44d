"""The compiled look at every state finds nothing in sound games, and finds what is planted."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from card_data.mindbug import load_sets
from simcore.mindbug import Decision, Game, compile_cards, play_games
from simcore.mindbug.table.state import STALE_POWERS
from support.mass_invariants import Fault, faults_of, look_at_games
from support.mass_lockstep import MODES, POOLS, WITH_DICE, pool_table

ONE = np.uint64(1)


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("pool", POOLS)
def test_every_state_of_thousands_of_games_is_sound(pool: str, mode: str) -> None:
    """No fault at any decision or end; the games are those of ``play_games``."""
    table = pool_table(pool, mode, kot_parts=pool in WITH_DICE)
    for policies, n_games in ((("random", "random"), 2000), (("greedy", "random"), 200)):
        found = look_at_games(table, n_games=n_games, seed=4, first_game=7, policies=policies)
        assert (found.n_faulty, found.counts, found.first) == (0, {}, {})
        games = play_games(table, n_games=n_games, seed=4, first_game=7, policies=policies)
        np.testing.assert_array_equal(found.games, games)
        assert found.n_states >= games["decisions"].sum() + n_games


def a_game(decision: Decision) -> tuple[Game, int]:
    """A game of King of Tokyo at a decision, and its cards as a mask.

    Both players have creatures in play and cards to draw.
    """
    table = pool_table("king_of_tokyo", "turn", kot_parts=True)
    for number in range(1000):
        game = Game(table, seed=2, game=number)
        while not game.over:
            state = game._states[0]
            if game.decision == decision and state["play_area"].all() and state["draw_pile"].all():
                return game, all_cards(state)
            game.step(game.choose("random"))
    raise AssertionError(f"no such {decision.name} in a thousand games")


def all_cards(state: Any) -> int:
    """The cards of a game as a mask."""
    zones = ["hand", "draw_pile", "discard_pile", "play_area", "limbo", "unused", "boosts"]
    return int(np.bitwise_or.reduce(np.hstack([state[zone] for zone in [*zones, "set_aside"]])))


def lowest(mask: np.uint64) -> np.uint64:
    """The mask of the first card of a mask."""
    return mask & (~mask + ONE)


def slot_of(mask: np.uint64) -> int:
    """The slot of the first card of a mask."""
    return int(lowest(mask)).bit_length() - 1


def lose_a_card(state: Any) -> None:
    state["draw_pile"][0] ^= lowest(state["draw_pile"][0])


def have_a_card_twice(state: Any) -> None:
    state["hand"][0] |= lowest(state["play_area"][1])


def discard_without_drawing(state: Any) -> None:
    card = lowest(state["hand"][1])
    state["hand"][1] ^= card
    state["discard_pile"][1] |= card


def let_a_card_in_hand_work_like_one_in_a_pile(state: Any) -> None:
    state["at_work_in_piles"] |= lowest(state["hand"][0])


def exhaust_a_card_in_hand(state: Any) -> None:
    state["exhausted"] |= lowest(state["hand"][0])


def boost_a_card_in_a_pile(state: Any) -> None:
    card = lowest(state["draw_pile"][0])
    state["draw_pile"][0] ^= card
    state["boosts"] |= card
    state["host"][slot_of(card)] = slot_of(state["draw_pile"][0])


def have_less_than_no_life(state: Any) -> None:
    state["life"][0] = -1


def live_on_without_life(state: Any) -> None:
    state["life"][1] = 0


def owe_a_mindbug(state: Any) -> None:
    state["mindbugs"][0] = -1


def owe_energy(state: Any) -> None:
    state["energy"][1] = -1


def lose_all_power(state: Any) -> None:
    slot = slot_of(state["play_area"][0])
    state["printed"][slot] = state["power"][slot] = 0


def remember_an_old_power(state: Any) -> None:
    state["power"][slot_of(state["play_area"][0])] += 1
    state["stale"] &= ~STALE_POWERS


def have_no_options(state: Any) -> None:
    state["options"] = state["attack_options"] = state["action_options"] = 0
    state["n_options"] = 0


def offer_a_card_of_the_pile(state: Any) -> None:
    state["options"] ^= lowest(state["options"]) | lowest(state["draw_pile"][state["decider"]])


def ask_the_other_player(state: Any) -> None:
    state["decider"] = 1 - state["decider"]


def count_an_option_too_many(state: Any) -> None:
    state["n_options"] += 1


def lift_a_card(state: Any) -> None:
    card = lowest(state["draw_pile"][0])
    state["draw_pile"][0] ^= card
    state["limbo"] |= card


def let_a_trigger_wait(state: Any) -> None:
    state["waiting"] = 1


def show_a_power_card_twice(state: Any) -> None:
    state["power_discard"] |= lowest(state["display"])


def leave_a_gap_in_the_display(state: Any) -> None:
    card = lowest(state["display"])
    state["display"] ^= card
    state["power_discard"] |= card


@pytest.mark.parametrize(
    ("plant", "decision", "fault"),
    [
        (lose_a_card, Decision.ACTION, Fault.PLACES),
        (have_a_card_twice, Decision.BLOCK, Fault.PLACES),
        (exhaust_a_card_in_hand, Decision.ACTION, Fault.MARKS),
        (boost_a_card_in_a_pile, Decision.ACTION, Fault.MARKS),
        (discard_without_drawing, Decision.MINDBUG, Fault.HANDS),
        (have_less_than_no_life, Decision.BLOCK, Fault.LIFE),
        (live_on_without_life, Decision.ACTION, Fault.LIFE),
        (let_a_card_in_hand_work_like_one_in_a_pile, Decision.ACTION, Fault.PLACES),
        (owe_a_mindbug, Decision.ACTION, Fault.SUPPLIES),
        (owe_energy, Decision.ACTION, Fault.SUPPLIES),
        (lose_all_power, Decision.BLOCK, Fault.POWERS),
        (remember_an_old_power, Decision.ACTION, Fault.STALE),
        (have_no_options, Decision.ACTION, Fault.OPTIONS),
        (offer_a_card_of_the_pile, Decision.ACTION, Fault.OPTIONS),
        (offer_a_card_of_the_pile, Decision.BLOCK, Fault.OPTIONS),
        (offer_a_card_of_the_pile, Decision.HUNT, Fault.OPTIONS),
        (ask_the_other_player, Decision.BLOCK, Fault.OPTIONS),
        (count_an_option_too_many, Decision.BUY, Fault.OPTIONS),
        (lift_a_card, Decision.ACTION, Fault.LIMBO),
        (lift_a_card, Decision.BLOCK, Fault.LIMBO),
        (lift_a_card, Decision.MINDBUG, Fault.LIMBO),
        (let_a_trigger_wait, Decision.ACTION, Fault.WAITING),
        (let_a_trigger_wait, Decision.BUY, Fault.WAITING),
        (show_a_power_card_twice, Decision.ACTION, Fault.POWER_CARDS),
        (leave_a_gap_in_the_display, Decision.ACTION, Fault.POWER_CARDS),
    ],
)
def test_a_planted_fault_is_found(
    plant: Callable[[Any], None], decision: Decision, fault: Fault
) -> None:
    """A sound state in which one thing is made wrong has that fault and no other."""
    game, cards = a_game(decision)
    before = game._states.tobytes()
    assert faults_of(game, cards) == set()
    assert game._states.tobytes() == before  # looking changes nothing
    plant(game._states[0])
    assert faults_of(game, cards) == {fault}


@pytest.mark.parametrize(
    ("field", "value"), [("winner", -1), ("ending", 1), ("ending", 2), ("turn", 501)]
)
def test_a_wrong_ending_is_found(field: str, value: int) -> None:
    """R14, R18, R20: who has won fits how the game ended."""
    game, cards = a_game(Decision.ACTION)
    while not game.over:
        game.step(game.choose("random"))
    assert faults_of(game, cards) == set()
    game._states[0][field] = value
    assert faults_of(game, cards) == {Fault.ENDING}


def test_faults_are_counted_in_the_games_that_have_them() -> None:
    """A card whose power is 0 is found in games in which it came into play, and in no others."""
    table = compile_cards(load_sets(["first_contact"]))
    row = next(i for i, card in enumerate(table.cards) if card.card_id == "gorillion")
    table.rows[0]["cards"]["power"][row] = 0
    found = look_at_games(table, n_games=3000, seed=3, first_game=50)
    entered = ((found.games["cards"] == row) & (found.games["best_stage"] > 0)).any(axis=1)
    assert found.counts.keys() == {Fault.POWERS}
    assert found.first[Fault.POWERS] == 50 + np.flatnonzero(entered)[0]
    # Another card may have raised its power all the time, or lowered it, which makes it 1 (R86).
    assert 0.8 * entered.sum() < found.n_faulty <= entered.sum()
    assert found.n_faulty < found.counts[Fault.POWERS]


def test_players_without_life_are_found_in_every_game() -> None:
    """R14: players who start with no life are found at every decision of every game."""
    table = compile_cards(load_sets(["first_contact"]))
    table.rows[0]["life"] = 0
    found = look_at_games(table, n_games=20, seed=3)
    assert found.n_faulty == 20
    assert found.counts[Fault.LIFE] > 20
    assert found.first[Fault.LIFE] == 0
