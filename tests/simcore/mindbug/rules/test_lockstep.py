"""The fast engine against the slow one: same decisions, everything compared after each of them.

``support/lockstep.py`` drives both.  The slow engine was written from the rules text alone.
"""

import random
from collections import Counter

import pytest

from card_data.mindbug import load_sets
from card_data.mindbug.vocabulary import (
    Choice,
    Comparison,
    Effect,
    Quantity,
    Rule,
    Timing,
    Trigger,
    Zone,
)
from simcore.mindbug import Decision as Point
from simcore.mindbug import compile_cards
from support.fast_game import FastGame
from support.lockstep import (
    pair_from_position,
    play_in_lockstep,
    reference_cards,
    reference_power_cards,
)
from support.mass_lockstep import (
    MODES,
    WITH_DICE,
    play_deals,
    play_positions,
    play_random_cards,
    pool_table,
    random_mixture,
)
from support.positions import Decision, Option, Position, Side
from support.purpose_made import made_table
from support.random_cards import random_set
from support.reference_cards import ALL_CARDS, SETS
from support.reference_language import facts_of
from support.words_said import words_of

#: The modes play the same decisions on the same deal where nothing lasts "this turn", so each mode
#: gets deals of its own.
SEEDS = {"turn": 2024, "action": 2025}

ALL_POINTS = {f"D{point.value}" for point in Point if point != Point.NONE}
#: Decision points of every set.
USUAL = {"D1", "D2", "D3", "D4", "D5", "D6", "D10"}
DICE = {"D15", "D16", "D17"}
#: The decision points that games of each pool have to reach from crowded positions.
POINTS = {
    "first_contact": USUAL | {"D8", "D11"},
    "new_servants": USUAL | {"D9", "D11", "D12"},
    "beyond_evolution": USUAL | {"D8", "D9"},
    "beyond_eternity": USUAL | {"D7", "D8", "D9", "D11", "D12", "D13", "D14"},
    "king_of_tokyo": USUAL | {"D11"} | DICE,
    "promos": USUAL | {"D8", "D9", "D11", "D12", "D14"},
    "all_sets": USUAL | {"D7", "D8", "D9", "D11", "D12", "D14", "D15", "D16"},
    "test_cards": USUAL | {"D7", "D8", "D9", "D11", "D12", "D13", "D14", "D15", "D16"},
}
KOT = [
    pytest.param(pool, kot_parts, id=f"{pool}-{'kot_parts' if kot_parts else 'plain'}")
    for pool in POINTS
    for kot_parts in ((False, True) if pool in WITH_DICE else (False,))
]


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize(
    ("pool", "policy", "n_games"),
    [
        ("first_contact", "random", 40),
        ("first_contact", "greedy", 10),
        ("new_servants", "random", 15),
        ("beyond_evolution", "random", 15),
        ("beyond_eternity", "random", 15),
        ("king_of_tokyo", "random", 15),
        ("king_of_tokyo", "greedy", 5),
        ("promos", "random", 15),
        ("all_sets", "random", 15),
        ("all_sets", "greedy", 5),
    ],
)
def test_games_from_deals(pool: str, policy: str, n_games: int, mode: str) -> None:
    """Whole games from the engine's own deals: state, options and outcome agree throughout."""
    table = pool_table(pool, mode, kot_parts=pool in WITH_DICE)
    counts = play_deals(table, policy, range(n_games), SEEDS[mode])
    endings = {"life", "no_action", "effect"}
    assert "life" in counts.keys() <= endings | ALL_POINTS
    assert {"D1", "D2", "D4"} <= counts.keys()


@pytest.mark.parametrize("who_starts", ["lower_card", "random", "weaker_hand", "stronger_hand"])
def test_games_with_other_ways_to_start(who_starts: str) -> None:
    """What follows from who starts does not depend on how that was found, the unused pile too."""
    table = compile_cards(load_sets(["promos"]), kot_parts=True, who_starts=who_starts, hand_size=4)
    assert "life" in play_deals(table, "random", range(8), 3)


@pytest.mark.parametrize(("pool", "kot_parts"), KOT)
def test_games_from_random_positions(pool: str, kot_parts: bool) -> None:
    """From crowded positions the rare meetings of abilities are common, orders (D11) included."""
    counts: Counter[str] = Counter()
    for mode in MODES:
        table = pool_table(pool, mode, 6, kot_parts=kot_parts)
        counts += play_positions(table, f"{pool} {mode} {kot_parts}", range(60))
    possible = ALL_POINTS if kot_parts else ALL_POINTS - DICE
    assert POINTS[pool] & possible <= counts.keys()
    assert counts.keys() <= possible | {"life", "no_action", "capped", "effect"}


@pytest.mark.parametrize("mode", MODES)
def test_games_of_random_mixtures_of_sets(mode: str) -> None:
    """R7: any sets can be played together, with dice and without."""
    rng = random.Random(f"mixtures {mode}")
    for number in range(4):
        sets = load_sets(random_mixture(rng))
        kot_parts = number % 2 > 0
        way = ("draw", "higher_life")[kot_parts]
        table = compile_cards(
            sets, after_mindbug=mode, turn_cap=8, kot_parts=kot_parts, at_turn_cap=way
        )
        play_positions(table, f"mixture {mode} {number}", range(8))
        play_deals(table, "random", range(2), number)


@pytest.mark.parametrize("kot_parts", [False, True])
@pytest.mark.parametrize("mode", MODES)
def test_games_with_cards_made_up_at_random(mode: str, kot_parts: bool) -> None:
    """Cards that say anything the language can say, in crowded positions."""
    counts: Counter[str] = Counter()
    for number in range(8):
        counts += play_random_cards(
            f"cards {mode} {number}", mode, 6, kot_parts=kot_parts, themed=number >= 4
        )
    assert {"D1", "D2", "D4", "D6", "D8", "D9", "D10", "D11", "D12", "D14"} <= counts.keys()
    assert {"life", "capped"} <= counts.keys()


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


def test_hands_are_filled_between_two_dice() -> None:
    """R27, R115, C44: energy of the first die lets the opponent draw before a strike of the second.

    Found by ``make lockstep``: the hand was filled after both dice.
    """
    table = made_table(
        {
            "racer": {"dice": 2, "keywords": ["SNEAKY"]},
            "miser": {
                "constant": "while your energy <= 0, the opponent cannot put cards into their hand"
            },
        },
        kot_parts=True,
    )
    position = Position(
        Side(play=["racer", "miser"], hand=["gorillion"]),
        Side(play=["gorillion"], draw=["gorillion"] * 6),
        kot_parts=True,
    )
    rng = random.Random(27)
    strikes = 0

    def attack_first(game: FastGame, decision: Decision) -> Option:
        attack = ("attack", 0)
        return attack if attack in decision.options else rng.choice(decision.options)

    for seed in range(100):
        fast, reference = pair_from_position(position, table, reference_cards(table), seed=seed)
        strikes += play_in_lockstep(fast, reference, attack_first)["D10"]
    assert strikes > 0


def test_a_purchase_lets_the_opponent_draw() -> None:
    """R27, R110, C44: the price is paid before the power card is resolved, so there is a hand."""
    table = made_table(
        {
            "miser": {
                "constant": "while your energy >= 2, the opponent cannot put cards into their hand"
            },
            "toll": {"cost": 1, "bought": "the opponent discards a card"},
        },
        kot_parts=True,
        turn_cap=1,
    )
    alice = Side(play=["miser"], hand=["gorillion"], energy=2)
    bob = Side(play=["gorillion"], draw=["gorillion"] * 6)
    position = Position(alice, bob, kot_parts=True, power_deck=["toll"])
    fast, reference = pair_from_position(position, table, reference_cards(table))
    counts = play_in_lockstep(fast, reference, lambda _, decision: decision.options[-1])
    assert (counts["D15"], counts["D10"]) == (1, 1)


def test_random_cards_say_every_word() -> None:
    """The cards made up at random use every word of the language that can be played."""
    lists = (Effect, Rule, Trigger, Quantity, Comparison, Choice, Timing, Zone)
    unsaid = {(words, word) for words in lists for word in words}
    unsaid -= {(Zone, Zone.DRAW_PILE), (Zone, Zone.HAND)}
    for seed in range(100):
        unsaid -= words_of(random_set(random.Random(f"words {seed}")))
        if not unsaid:
            break
    assert unsaid == set()


@pytest.mark.parametrize("pool", [*SETS, "all_sets"])
def test_cards_written_by_hand_play_like_their_words(pool: str) -> None:
    """The slow engine plays a card alike whether written by hand or read from the card language.

    The other tests play shipped cards as they are written by hand; here they are read.
    """
    table = pool_table(pool, "action", 6, kot_parts=True)
    cards = {card.card_id: facts_of(card) for card in table.cards}
    play_positions(table, f"by word {pool}", range(25), cards)
    assert all(card.card_id in reference_power_cards(table) for card in table.power_cards)
    for card_id, by_word in cards.items():
        by_hand = ALL_CARDS[card_id]
        for field in ("id", "power", "keywords", "copies", "dice", "evolves_to"):
            assert getattr(by_hand, field) == getattr(by_word, field), card_id
        for field in ("play", "attack", "defeated", "action", "discarded", "mindbug_used"):
            has = getattr(by_hand, field) is not None
            assert has == (getattr(by_word, field) is not None), (card_id, field)
