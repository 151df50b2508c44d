"""Tests of the reference engine itself: interface, single rules, and random games by themselves.

The worked examples of the rules are in ``tests/simcore/mindbug/rules/test_worked_examples*.py``.
"""

from __future__ import annotations

import random

import pytest

from support.positions import ALICE, BOB, NEUTRAL, Position, Side, Table, board
from support.reference_deal import find_starting_player
from support.reference_game import ReferenceGame, roll_lowest, take_lowest
from support_tests.random_games import POOLS, random_game


def table_from(position: Position, **settings: int) -> Table:
    """Put the reference engine on the table."""
    return Table(ReferenceGame.from_position(position, **settings), position)


def test_the_same_choices_give_the_same_game():
    """A game is fixed by its deal and its choices: two copies stay equal after every step."""
    first, second = (random_game(7, "all_sets", "turn") for _ in range(2))
    rng = random.Random(7)
    while not first.over:
        assert first.decision == second.decision
        assert first.snapshot() == second.snapshot()
        option = rng.choice(first.decision.options)
        first.choose(option)
        second.choose(option)
    assert (second.over, second.winner, second.ending) == (True, first.winner, first.ending)


# Interface ----------------------------------------------------------------------------------------


def test_pools_have_the_printed_sizes():
    """Each set has as many cards as R7 says; stages II and III are not in a pool."""
    assert {name: len(pool) for name, pool in POOLS.items()} == {
        "first_contact": 48,
        "new_servants": 24,
        "beyond_evolution": 44,
        "beyond_eternity": 48,
        "king_of_tokyo": 32,
        "promos": 28,
        "all_sets": 224,
    }


def test_t1_the_deal():
    """T1: each player has 5 cards in hand, 5 in the pile, 3 life and 2 Mindbugs (R8, R9)."""
    game = random_game(1, "first_contact", "turn")
    state = game.snapshot()
    for number, player in enumerate(state["players"]):
        first = 10 * number
        assert player == {
            "hand": [first, first + 1, first + 2, first + 3, first + 4],
            "draw": [first + 5, first + 6, first + 7, first + 8, first + 9],
            "discard": [],
            "play": [],
            "life": 3,
            "mindbugs": 2,
            "energy": 0,
        }
    assert (state["turn"], state["creatures"], state["limbo"]) == (1, {}, [])
    assert game.decision.point == "D1"
    assert game.decision.player == state["active"]


def test_t2_the_starting_player():
    """T2: 7 and 7, then 3 and 9: Bob starts, four cards lie revealed, 24 are left (R11, R12)."""
    pile = ["giraffodile", "mysterious_mermaid", "spider_owl", "luchataur", *["gorillion"] * 24]
    starter, revealed, left = find_starting_player(pile, roll_lowest)
    assert starter == BOB
    assert (revealed, len(left)) == (pile[:4], 24)


@pytest.mark.parametrize("pile", [["gorillion"], ["gorillion", "gorillion", "bee_bear"]])
def test_a_coin_decides_where_no_difference_is_found(pile):
    """R13: with fewer than two cards left a fair coin decides."""
    for coin in (ALICE, BOB):
        starter, _, left = find_starting_player(pile, {2: coin}.__getitem__)
        assert (starter, len(left)) == (coin, 1)


@pytest.mark.parametrize(("life", "mindbugs", "hand_size"), [(3, 2, 5), (5, 1, 4)])
def test_switches_of_the_set_up(life, mindbugs, hand_size):
    """Life, Mindbugs and hand size of a deal are switches; 3, 2 and 5 by default (R9)."""
    game = random_game(
        3, "first_contact", "turn", life=life, mindbugs=mindbugs, hand_size=hand_size
    )
    for player in game.snapshot()["players"]:
        assert (player["life"], player["mindbugs"]) == (life, mindbugs)
        assert (len(player["hand"]), len(player["draw"])) == (hand_size, 10 - hand_size)


def test_only_offered_options_can_be_chosen():
    """An option that is not offered is a ValueError and changes nothing."""
    game = ReferenceGame.from_position(board(["gorillion"], ["bee_bear"]))
    before = game.snapshot()
    with pytest.raises(ValueError, match="not offered at D1"):
        game.choose(("attack", 4))
    assert game.snapshot() == before


def test_a_finished_game_offers_nothing():
    """To choose after the end is a ValueError."""
    game = ReferenceGame.from_position(board(["gorillion"], [], bob_life=1))
    game.choose(("attack", 0))
    assert (game.over, game.decision) == (True, None)
    with pytest.raises(ValueError, match="over"):
        game.choose(("attack", 0))


def test_wrong_set_ups_are_refused():
    """Unknown cards, modes, words and short decks are ValueErrors that say what is wrong."""
    with pytest.raises(ValueError, match="gorillon"):
        ReferenceGame.from_position(board(["gorillon"], []))
    with pytest.raises(ValueError, match="after_mindbug"):
        ReferenceGame.from_position(Position(Side(), Side(), after_mindbug="never"))
    with pytest.raises(ValueError, match="tired"):
        ReferenceGame.from_position(board(["gorillion tired"], []))
    with pytest.raises(ValueError, match="10"):
        ReferenceGame.from_deal((["gorillion"], []), 0, pick_random=take_lowest)


def test_the_first_hand_of_a_position_is_refilled():
    """R27 holds from the start: a hand of 3 with 3 cards in the pile is filled up to 5."""
    table = table_from(
        Position(Side(hand=list(NEUTRAL), draw=list(NEUTRAL)), Side(hand=list(NEUTRAL)))
    )
    assert (table.hand_size(ALICE), table.draw_size(ALICE)) == (5, 1)


def test_table_explains_words_that_do_not_fit():
    """The driver lists the offered options when no or several different options fit."""
    table = table_from(board(["snail_hydra"], ["snail_hydra", "gorillion"]))
    with pytest.raises(ValueError, match=r"no option fits.*attack alice snail_hydra"):
        table.choose("attack bee_bear")
    table.choose("attack snail_hydra")
    with pytest.raises(ValueError, match="several options fit"):
        table.choose("target snail_hydra")
    with pytest.raises(ValueError, match="several creatures fit"):
        table.power("snail_hydra")
    assert table.power("bob snail_hydra") == 9


def test_effect_cap_stops_a_turn_as_looped():
    """R20: the effect beyond ``effect_cap`` is not carried out; the game is a draw, looped."""
    position = Position(
        Side(hand=["compost_dragon", *NEUTRAL], discard=["axolotl_healer"]),
        Side(hand=list(NEUTRAL)),
    )
    table = table_from(position, effect_cap=2)
    table.choose("play compost_dragon")
    assert (table.over, table.life(ALICE)) == (False, 5)
    table = table_from(position, effect_cap=1)
    table.choose("play compost_dragon")
    assert (table.over, table.winner, table.ending) == (True, -1, "looped")
    assert table.life(ALICE) == 3


def test_strange_barrel_asks_chance_once_also_for_whole_hands():
    """R31: one call with n = min(2, hand size), none for an empty hand."""
    calls = []

    def pick(candidates: list[int], n: int) -> list[int]:
        calls.append((candidates, n))
        return candidates[-n:]

    for hand, expected in (
        (["turbo_bug", *NEUTRAL], [([1, 2, 3, 4], 2)]),
        (["turbo_bug"], [([1], 1)]),
        ([], []),
    ):
        calls.clear()
        position = Position(
            Side(play=["gorillion"], hand=hand),
            Side(play=["strange_barrel"], hand=list(NEUTRAL)),
        )
        table = Table(ReferenceGame.from_position(position, pick_random=pick), position)
        if hand:
            table.choose("attack gorillion")
        table.choose("block strange_barrel")
        assert calls == expected
        assert table.hand_size(BOB) == 3 + len(hand[-2:])


# Single rules that no worked example of these sets shows ------------------------------------------


def test_two_hyenixes_trigger_as_one_batch():
    """R57, C16: each Hyenix in the pile has its own trigger; the active player orders them."""
    table = table_from(
        Position(
            Side(play=["luchataur"], hand=list(NEUTRAL)),
            Side(hand=list(NEUTRAL), discard=["hyenix", "hyenix"]),
        )
    )
    table.choose("attack luchataur")
    assert (table.point, table.decider, table.waiting) == ("D11", ALICE, 2)
    assert table.options() == ["resolve bob hyenix life_lost"] * 2
    table.choose("resolve hyenix")
    assert (table.point, table.decider, table.waiting) == ("D9", BOB, 1)
    table.choose("no")
    assert (table.point, table.decider, table.waiting) == ("D9", BOB, 0)
    table.choose("yes")
    assert table.in_play(BOB) == ["hyenix"]
    assert table.discard(BOB) == ["hyenix"]


def test_hyenix_belongs_to_the_player_who_lost_life():
    """C16: a Hyenix in the other player's pile does not trigger."""
    table = table_from(
        Position(
            Side(play=["gorillion"], hand=list(NEUTRAL), discard=["hyenix"]),
            Side(hand=list(NEUTRAL)),
        )
    )
    table.choose("attack gorillion")
    assert (table.point, table.decider) == ("D1", BOB)


def test_setting_life_lower_is_losing_life():
    """R17: Mermaid lowers Alice's life to Bob's 2, which triggers the Hyenix in her pile."""
    table = table_from(
        Position(
            Side(hand=["mysterious_mermaid", *NEUTRAL], discard=["hyenix"]),
            Side(hand=list(NEUTRAL), life=2),
        )
    )
    table.choose("play mysterious_mermaid")
    assert (table.life(ALICE), table.point, table.decider) == (2, "D9", ALICE)
    table.choose("yes")
    assert table.in_play(ALICE) == ["hyenix", "mysterious_mermaid"]


def test_a_hyenix_trigger_of_a_card_that_left_the_pile_is_void():
    """C16: after a "yes" the second trigger of the same card does nothing and asks nothing.

    No cards of these sets make two losses before the first trigger resolves, so the two events are
    performed by hand.
    """
    game = ReferenceGame.from_position(
        Position(Side(hand=list(NEUTRAL), discard=["hyenix"]), Side(hand=list(NEUTRAL)))
    )
    game.lose_life(ALICE, 1)
    game.lose_life(ALICE, 1)
    assert game.snapshot()["waiting"] == 2
    queue = game._work_off_queue()
    assert next(queue).point == "D9"
    with pytest.raises(StopIteration):
        queue.send(("yes",))
    assert game.snapshot()["players"][ALICE]["play"] == [3]
    assert (game.snapshot()["waiting"], game.effects_this_turn) == (0, 2)


def test_the_lurker_is_sneaky_this_turn_only():
    """R25: The Lurker has SNEAKY for this attack if Alice has more creatures; then no more."""
    table = table_from(board(["the_lurker", "gorillion"], ["bee_bear"]))
    table.choose("attack the_lurker")
    assert table.life(BOB) == 2
    assert (table.point, table.active) == ("D1", BOB)
    assert table.keywords("the_lurker") == ["TOUGH"]


def test_turf_the_surfer_forbids_one_blocker():
    """R26: the creature chosen by Turf The Surfer may not block this turn; others may."""
    table = table_from(board(["turf_the_surfer"], ["gorillion", "luchataur"]))
    table.choose("attack turf_the_surfer")
    assert table.options() == [
        "target alice turf_the_surfer",
        "target bob gorillion",
        "target bob luchataur",
    ]
    table.choose("target gorillion")
    assert table.options() == ["block bob luchataur", "no_block"]


def test_froblin_instigator_counts_the_others():
    """R84: Froblin Instigator has +2 power for each other allied creature."""
    table = table_from(board(["froblin_instigator", "gorillion", "luchataur"], ["bee_bear"]))
    assert table.power("froblin_instigator") == 5


def test_hamster_lion_forbids_the_second_attack():
    """R74: Harpy Mother takes Turbo Bug, so Luchataur is the lowest and cannot attack again."""
    table = table_from(
        Position(
            Side(play=["luchataur", "turbo_bug"], hand=list(NEUTRAL)),
            Side(play=["harpy_mother", "hamster_lion"], hand=list(NEUTRAL)),
        )
    )
    table.choose("attack luchataur")
    table.choose("block harpy_mother")
    table.choose("target turbo_bug")
    assert table.in_play(ALICE) == ["luchataur"]
    assert (table.point, table.active) == ("D1", BOB)


def test_action_mode_gives_another_action_in_the_same_turn():
    """R38: with ``action`` Alice acts again in turn 1 and may attack; then Bob has turn 2."""
    table = table_from(
        Position(
            Side(play=["gorillion"], hand=list(NEUTRAL)),
            Side(hand=list(NEUTRAL), mindbugs=2),
            after_mindbug="action",
        )
    )
    for number, card in enumerate(("luchataur", "plated_scorpion")):
        table.choose("play", card)
        table.choose("use")
        assert (table.point, table.active, table.turn) == ("D1", ALICE, 1)
        assert table.mindbugs(BOB) == 1 - number
    table.choose("attack gorillion")
    table.choose("no_block")
    assert (table.point, table.active, table.turn) == ("D1", BOB, 2)


def test_the_order_inside_a_batch_is_picked_each_time_anew():
    """R57: three 5s fall together; the active player picks anew after each of their effects."""
    table = table_from(
        board(
            ["majestic_manticore", "gorillion", "luchataur"],
            ["explosive_toad", "explosive_toad", "harpy_mother"],
        )
    )
    table.choose("attack majestic_manticore")
    # Toad, Toad and Harpy Mother (all 5) fall together and form one batch of three.
    assert table.options() == [
        "resolve bob explosive_toad defeated",
        "resolve bob explosive_toad defeated",
        "resolve bob harpy_mother defeated",
    ]
    assert (table.point, table.decider, table.waiting) == ("D11", ALICE, 3)
    table.choose("resolve explosive_toad")
    table.choose("target gorillion")
    assert (table.point, table.waiting) == ("D11", 2)
    table.choose("resolve harpy_mother")
    assert (table.point, table.decider, table.waiting) == ("D6", BOB, 0)
    table.choose("target majestic_manticore")
    # The attacker is gone, the attack ends (R64).
    assert table.life(BOB) == 3
    assert (table.point, table.active) == ("D1", BOB)


def test_older_batches_go_first():
    """R57: the trigger of Alice's second Toad waits until Bob's older one has been resolved."""
    table = table_from(
        board(
            ["explosive_toad", "explosive_toad", "gorillion"],
            ["explosive_toad", "luchataur", "bee_bear"],
        )
    )
    table.choose("attack explosive_toad")
    table.choose("block explosive_toad")
    table.choose("resolve alice explosive_toad")
    table.choose("target explosive_toad")
    assert (table.point, table.decider, table.waiting) == ("D6", BOB, 1)
    table.choose("target gorillion")
    assert (table.point, table.decider, table.waiting) == ("D6", ALICE, 0)
    assert table.options() == ["target bob bee_bear", "target bob luchataur"]
