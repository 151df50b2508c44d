"""The fast engine against the slow one: same decisions, everything compared after each of them.

``support/lockstep.py`` drives both.  The slow engine was written from the rules text alone.
"""

from __future__ import annotations

import random
from collections import Counter

import pytest

from card_data import load_sets
from simcore.mindbug import CardTable, compile_cards
from simcore.mindbug import Decision as Point
from support.fast_game import SETS, FastGame, card_table
from support.lockstep import (
    at_random,
    like_the_policy,
    pair_from_deal,
    pair_from_position,
    play_in_lockstep,
    random_position,
    reference_cards,
)
from support.positions import Decision, Option, Position, Side
from support.purpose_made import made_table
from support.random_cards import EFFECTS, RULES, random_set
from support.reference_cards import CARDS
from support.reference_language import facts_of

MODES = ("turn", "action")
#: The modes play the same decisions on the same deal where nothing lasts "this turn", so each mode
#: gets deals of its own.
SEEDS = {"turn": 2024, "action": 2025}
POOLS = {"first_contact": SETS[:1], "new_servants": SETS[:2], "test_cards": SETS}

#: Decision points of each pool; D7 needs a card that no shipped set has.
POINTS = {f"D{point.value}" for point in Point if point != Point.NONE}


def pool_table(pool: str, mode: str, turn_cap: int = 500) -> CardTable:
    """The compiled cards of a pool."""
    return card_table(mode, turn_cap, sets=POOLS[pool])


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("pool", "policy", "n_games"),
    [
        ("first_contact", "random", 1000),
        ("first_contact", "greedy", 100),
        ("new_servants", "random", 200),
        ("test_cards", "random", 100),
    ],
)
def test_games_from_deals(pool: str, policy: str, n_games: int, mode: str) -> None:
    """Whole games from the engine's own deals: state, options and outcome agree throughout."""
    table = pool_table(pool, mode)
    cards = reference_cards(table)
    counts: Counter[str] = Counter()
    for game in range(n_games):
        fast, reference = pair_from_deal(table, mode, SEEDS[mode], game, cards)
        counts += play_in_lockstep(fast, reference, like_the_policy(policy))
    assert {"life", "no_action"} <= counts.keys() <= {"life", "no_action"} | POINTS
    assert POINTS - {"D7", "D11"} <= counts.keys()


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("pool", "n_games", "points"),
    [
        ("first_contact", 800, POINTS - {"D7"}),
        ("new_servants", 500, POINTS - {"D7"}),
        ("test_cards", 250, POINTS),
    ],
)
def test_games_from_random_positions(pool: str, n_games: int, points: set[str], mode: str) -> None:
    """From crowded positions the rare meetings of abilities are common, orders (D11) included."""
    turn_cap = 6
    table = pool_table(pool, mode, turn_cap)
    cards = reference_cards(table)
    counts: Counter[str] = Counter()
    for number in range(n_games):
        rng = random.Random(f"{pool} {mode} {number}")
        position = random_position(rng, table.cards, mode)
        fast, reference = pair_from_position(position, table, cards, seed=number, turn_cap=turn_cap)
        counts += play_in_lockstep(fast, reference, at_random(rng))
    assert counts.keys() == points | {"life", "no_action", "capped"}


@pytest.mark.parametrize("mode", MODES)
def test_games_with_cards_made_up_at_random(mode: str) -> None:
    """Cards that say anything the language can say, in crowded positions."""
    caps = {"turn_cap": 5, "effect_cap": 4}
    counts: Counter[str] = Counter()
    for number in range(80):
        rng = random.Random(f"cards {mode} {number}")
        table = compile_cards([random_set(rng)], after_mindbug=mode, **caps)
        cards = reference_cards(table)
        for seed in range(8):
            position = random_position(rng, table.cards, mode)
            fast, reference = pair_from_position(position, table, cards, seed=seed, **caps)
            counts += play_in_lockstep(fast, reference, at_random(rng))
    assert counts.keys() == POINTS | {"life", "no_action", "capped", "looped"}


@pytest.mark.parametrize("n_creatures", [31, 33, 62, 63])
def test_many_triggers_wait_together(n_creatures: int) -> None:
    """R57: one batch of as many triggers as there are cards is ordered and worked off."""
    table = made_table(
        {
            "bell": {"defeated": "gain 1 life, then the opponent gains 1 life"},
            "storm": {"play": "defeat all creatures", "defeated": "gain 5 life"},
        }
    )
    alice = Side(play=["bell"] * (n_creatures // 2), hand=["storm"])
    position = Position(alice, Side(play=["bell"] * (n_creatures - n_creatures // 2)))
    fast, reference = pair_from_position(position, table, reference_cards(table))

    def play_then_newest_first(game: FastGame, decision: Decision) -> Option:
        return decision.options[0 if decision.point == "D1" else -1]

    counts = play_in_lockstep(fast, reference, play_then_newest_first)
    assert counts["D11"] == n_creatures


@pytest.mark.parametrize("mode", MODES)
def test_random_cards_say_every_word(mode: str) -> None:
    """The cards made up at random use every effect and constant rule that can be played."""
    cards = [
        card
        for seed in range(40)
        for card in random_set(random.Random(f"cards {mode} {seed}")).cards
    ]
    instructions = [i for c in cards for ability in c.triggered for i in ability.instructions]
    assert {instruction.effect for instruction in instructions} == set(EFFECTS)
    assert {ability.rule for card in cards for ability in card.constant} == set(RULES)


def test_hand_written_cards_agree_with_their_words() -> None:
    """The slow engine plays a card alike whether written by hand or read from the card language."""
    cards = [card for card_set in load_sets(SETS[:2]) for card in card_set.cards]
    for card in cards:
        by_hand, by_word = CARDS[card.card_id], facts_of(card)
        for field in ("id", "power", "keywords", "copies"):
            assert getattr(by_hand, field) == getattr(by_word, field), card.card_id
        for field in ("play", "attack", "defeated"):
            has = getattr(by_hand, field) is not None
            assert has == (getattr(by_word, field) is not None), card.card_id
