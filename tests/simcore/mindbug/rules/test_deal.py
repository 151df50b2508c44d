"""Dealing and the starting player (R7-R13): by the twin, by construction and by counting."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from attrs import evolve
from scipy.stats import binomtest, chisquare

from card_data.mindbug import load_sets
from card_data.mindbug.schema import Card, CardSet
from card_data.mindbug.vocabulary import WhoStarts
from simcore.mindbug import DEALT, CardTable, Game, compile_cards, play_games
from support.random_twin import deal

FIRST_CONTACT = load_sets(["first_contact"])

#: The chance that a test of randomness fails although all is well; the seeds are fixed.
ALPHA = 1e-6


def plain_cards(powers: list[int], **modes: Any) -> CardTable:
    """A pool of single cards without abilities, with these powers."""
    cards = [Card(f"card_{i:03}", f"Card {i}", power) for i, power in enumerate(powers)]
    return compile_cards([CardSet("plain", "Plain", tuple(cards))], **modes)


def pool_of(table: CardTable) -> list[int]:
    """Card row of every copy in the pool (R7)."""
    return [row for row, card in enumerate(table.cards) for _ in range(card.copies)]


def test_t1_the_deal() -> None:
    """T1: 48 cards; each player 5 in hand, 5 in the pile, 3 life, 2 Mindbugs (R2, R8, R9)."""
    table = compile_cards(FIRST_CONTACT)
    assert table.pool_size == 48
    state = Game(table, seed=1, game=0, to_decision=False).snapshot()
    for player in range(2):
        first = 10 * player
        assert state["players"][player] == {
            "hand": list(range(first, first + 5)),
            "draw": list(range(first + 5, first + 10)),
            "discard": [],
            "play": [],
            "life": 3,
            "mindbugs": 2,
            "energy": 0,
        }
    assert (state["turn"], state["creatures"], state["limbo"], state["waiting"]) == (0, {}, [], 0)


def test_no_card_is_dealt_more_often_than_it_has_copies() -> None:
    """R8: the cards dealt are a part of the pool, copies counted."""
    table = compile_cards(FIRST_CONTACT)
    copies = np.array([card.copies for card in table.cards])
    for cards in play_games(table, n_games=2000, seed=3)["cards"]:
        assert (np.bincount(cards, minlength=len(copies)) <= copies).all()


@pytest.mark.parametrize("powers", [None, [5] * 40, [5, 6] * 12, [1] * 15 + [9] * 10, [7] * 21])
def test_t2_higher_revealed_power_starts(powers: list[int] | None) -> None:
    """T2: the twin deals the same and finds the same starting player, ties included (R11-R13)."""
    table = compile_cards(FIRST_CONTACT) if powers is None else plain_cards(powers)
    pool = pool_of(table)
    printed = [table.cards[row].power for row in pool]
    games = play_games(table, n_games=2000, seed=17)
    reveals = set()
    for game, record in enumerate(games):
        dealt = deal(pool, printed, 17, game)
        first_player, revealed = dealt.first_player, dealt.revealed
        assert record["cards"].tolist() == dealt.cards
        assert record["first_player"] == first_player
        if revealed and revealed[-2] != revealed[-1]:
            higher = 0 if revealed[-2] > revealed[-1] else 1
            assert (first_player, revealed[:-2:2]) == (higher, revealed[1:-2:2])
        reveals.add(len(revealed))
    if powers is None:
        assert {2, 4, 6} <= reveals
    elif len(set(powers)) == 1:
        assert reveals == {(len(powers) - 20) // 2 * 2}


@pytest.mark.parametrize("hand_size", [1, 5, 10])
@pytest.mark.parametrize("who_starts", ["lower_card", "random", "weaker_hand", "stronger_hand"])
def test_other_ways_to_start(who_starts: str, hand_size: int) -> None:
    """The twin deals the same and finds the same starting player; equal hands ask the coin."""
    table = compile_cards(FIRST_CONTACT, who_starts=who_starts, hand_size=hand_size)
    pool = pool_of(table)
    printed = [table.cards[row].power for row in pool]
    powers = np.array([card.power for card in table.cards])
    games = play_games(table, n_games=2000, seed=17)
    equal = []
    for game, record in enumerate(games):
        dealt = deal(pool, printed, 17, game, 0, who_starts, hand_size)
        assert record["cards"].tolist() == dealt.cards
        assert record["first_player"] == dealt.first_player
        hands = powers[record["cards"]].reshape(2, 10)[:, :hand_size].sum(axis=1)
        if hands[0] == hands[1]:
            equal.append(record["first_player"])
        elif who_starts == "weaker_hand":
            assert record["first_player"] == hands.argmin()
        elif who_starts == "stronger_hand":
            assert record["first_player"] == hands.argmax()
    assert {0, 1} == set(equal)


def test_the_lower_card_starts_where_the_higher_did_not() -> None:
    """R11 turned round: the same cards are revealed, and the other player starts."""
    games = [
        play_games(compile_cards(FIRST_CONTACT, who_starts=way), n_games=2000, seed=4)
        for way in ("higher_card", "lower_card")
    ]
    np.testing.assert_array_equal(games[0]["cards"], games[1]["cards"])
    np.testing.assert_array_equal(games[0]["first_player"], 1 - games[1]["first_player"])


def test_impossible_ways_to_start() -> None:
    """A word that is no way is refused, with those that are."""
    with pytest.raises(ValueError, match=r"who_starts is 'oldest'; .*weaker_hand"):
        compile_cards(FIRST_CONTACT, who_starts="oldest")


@pytest.mark.parametrize("who_starts", ["higher_card", "lower_card", "random", "weaker_hand"])
@pytest.mark.parametrize("pool", ["king_of_tokyo", "promos"])
def test_the_unused_pile_and_the_power_deck(pool: str, who_starts: str) -> None:
    """R2, R8, R10, R12: the twin deals the same unused pile and power deck; three are visible."""
    table = compile_cards(load_sets([pool]), kot_parts=True, who_starts=who_starts)
    rows = pool_of(table)
    printed = [table.cards[row].power for row in rows]
    n_power_cards = len(table.power_cards)
    for game in range(200):
        dealt = deal(rows, printed, 23, game, n_power_cards, who_starts)
        state = Game(table, seed=23, game=game).snapshot()
        assert state["display"] == sorted(dealt.power_deck[:3])
        assert state["power_deck"] == dealt.power_deck[3:]
        assert state["power_discard"] == []
        assert len(dealt.cards) + len(dealt.revealed) + len(dealt.unused) == len(rows)


@pytest.mark.parametrize("who_starts", [way.name.lower() for way in WhoStarts])
@pytest.mark.parametrize("powers", [list(range(1, 49)), [5] * 40, [5] * 20, [3, 4] * 11])
def test_either_player_starts_equally_often(powers: list[int], who_starts: str) -> None:
    """R11, R13: by cards, hands or the coin, nobody starts more often."""
    table = plain_cards(powers, who_starts=who_starts)
    games = play_games(table, n_games=20_000, seed=5)
    starts = int((games["first_player"] == 0).sum())
    assert binomtest(starts, len(games)).pvalue > ALPHA


def test_every_copy_is_equally_likely_at_every_place() -> None:
    """R8: each slot holds each copy of the pool equally often (chi-square)."""
    games = play_games(plain_cards(list(range(1, 31))), n_games=60_000, seed=11)
    for slot in range(DEALT):
        counts = np.bincount(games["cards"][:, slot], minlength=30)
        assert chisquare(counts).pvalue > ALPHA / DEALT


def test_pairs_of_places_are_independent() -> None:
    """R8: neighbours, and the same place of both players, hold each ordered pair equally often."""
    games = play_games(plain_cards(list(range(1, 25))), n_games=120_000, seed=12)
    cards = games["cards"].astype(np.int64)
    pairs = [(slot, slot + 1) for slot in range(DEALT - 1)] + [(s, s + 10) for s in range(10)]
    for one, other in pairs:
        counts = np.bincount(24 * cards[:, one] + cards[:, other], minlength=24 * 24)
        counts = counts.reshape(24, 24)
        assert (np.diag(counts) == 0).all()
        off_diagonal = counts[~np.eye(24, dtype=bool)]
        assert chisquare(off_diagonal).pvalue > ALPHA / len(pairs)


def test_orders_of_three_cards_are_equally_likely() -> None:
    """R8: of three given cards dealt to one player, each of the six orders is equally likely."""
    games = play_games(plain_cards(list(range(1, 23))), n_games=60_000, seed=13)
    place = np.full((len(games), 22), -1)
    np.put_along_axis(place, games["cards"].astype(np.int64), np.arange(DEALT)[None, :], axis=1)
    for trio in list(combinations(range(6), 3))[:10]:
        where = place[:, trio]
        where = where[(where >= 0).all(axis=1)]
        order = np.argsort(where, axis=1) @ [9, 3, 1]
        counts = np.unique(order, return_counts=True)[1]
        assert len(counts) == 6
        assert chisquare(counts).pvalue > ALPHA / 10


def test_deals_do_not_depend_on_the_players() -> None:
    """Common random numbers: other policies play the same deals with the same starting player."""
    table = compile_cards(FIRST_CONTACT)
    first, second = (
        play_games(table, n_games=500, seed=4, policies=policies)
        for policies in (("random", "random"), ("greedy", "random"))
    )
    np.testing.assert_array_equal(first["cards"], second["cards"])
    np.testing.assert_array_equal(first["first_player"], second["first_player"])
    assert (first["turns"] != second["turns"]).any()


def test_deals_do_not_depend_on_abilities_and_modes() -> None:
    """Common random numbers: a card with another text, or another mode, sees the same deals."""
    cards = [evolve(card, triggered=()) for card in FIRST_CONTACT[0].cards]
    plain = compile_cards([evolve(FIRST_CONTACT[0], cards=tuple(cards))])
    games = play_games(compile_cards(FIRST_CONTACT), n_games=500, seed=4)
    for table in (plain, compile_cards(FIRST_CONTACT, after_mindbug="action")):
        others = play_games(table, n_games=500, seed=4)
        np.testing.assert_array_equal(games["cards"], others["cards"])
        np.testing.assert_array_equal(games["first_player"], others["first_player"])


def test_two_versions_of_a_card_see_the_same_deals() -> None:
    """Common random numbers: a changed power changes no deal, only who starts where it is seen."""
    changed = tuple(
        evolve(card, power=1) if card.card_id == "gorillion" else card
        for card in FIRST_CONTACT[0].cards
    )
    before = play_games(compile_cards(FIRST_CONTACT), n_games=4000, seed=4)
    after = play_games(
        compile_cards([evolve(FIRST_CONTACT[0], cards=changed)]), n_games=4000, seed=4
    )
    np.testing.assert_array_equal(before["cards"], after["cards"])
    other_start = (before["first_player"] != after["first_player"]).mean()
    assert 0 < other_start < 0.06  # Gorillion is revealed in about 2 of 48 games
