"""Tests of the reference engine itself: interface, single rules, and random games by themselves.

The worked examples of the rules are in ``tests/simcore/mindbug/rules/test_worked_examples*.py``.
"""

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
