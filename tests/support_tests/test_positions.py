"""Tests of positions in words: how cards are numbered, and what the words may be."""

import pytest

from support.positions import ALICE, BOB, NEUTRAL, Position, Side, Table
from support.reference_game import ReferenceGame


def table_from(position: Position) -> Table:
    """Put the reference engine on the table."""
    return Table(ReferenceGame.from_position(position), position)


def test_boost_cards_are_numbered_after_all_other_cards():
    """Player 0's play area first, each creature's boost cards in the order in which they stand."""
    position = Position(
        Side(play=["sea_rex boosts:peacasus,robopup", "gorillion"], hand=["luchataur"]),
        Side(play=["bee_bear exhausted boosts:killer_bee"], discard=["turbo_bug"]),
    )
    cards = [(c.instance, c.card_id, c.zone, c.under) for c in position.cards()]
    assert cards == [
        (0, "sea_rex", "play", None),
        (1, "gorillion", "play", None),
        (2, "luchataur", "hand", None),
        (3, "bee_bear", "play", None),
        (4, "turbo_bug", "discard", None),
        (5, "peacasus", "boost", 0),
        (6, "robopup", "boost", 0),
        (7, "killer_bee", "boost", 3),
    ]
    creatures = ReferenceGame.from_position(position).snapshot()["creatures"]
    assert (creatures[0]["power"], creatures[0]["boosts"]) == (7, [5, 6])
    assert (creatures[3]["exhausted"], creatures[3]["boosts"]) == (True, [7])


def test_cards_from_the_unused_pile_get_the_next_numbers():
    """The top card gets the number after the boost cards (R32)."""
    position = Position(
        Side(hand=["future_eric", *NEUTRAL], draw=[]),
        Side(play=["bee_bear boosts:killer_bee"], hand=list(NEUTRAL)),
        unused=["turbo_bug", "brain_fly", "gorillion"],
    )
    table = table_from(position)
    table.choose("play future_eric")
    assert [c for c in table.game.snapshot()["players"][ALICE]["hand"] if c > 3] == [9, 10]
    assert {"turbo_bug", "brain_fly"} <= set(table.hand(ALICE))


def test_a_later_stage_stands_in_play_as_its_stage_one_card():
    """R102: the instance is the stage I card, its face the later stage."""
    position = Position(Side(play=["world_eater"], hand=list(NEUTRAL)), Side(hand=list(NEUTRAL)))
    game = ReferenceGame.from_position(position)
    assert game.card_ids[0] == "curious_tadpole"
    assert game.snapshot()["creatures"][0]["face"] == "world_eater"
    assert Table(game, position).in_play(ALICE) == ["world_eater"]


def test_a_profile_may_be_given():
    """C45: an exhausted Sluggernaut stands in play with one of its profiles."""
    position = Position(
        Side(hand=list(NEUTRAL)),
        Side(play=["sluggernaut exhausted profile:1"], hand=list(NEUTRAL)),
    )
    table = table_from(position)
    assert (table.power("sluggernaut"), table.keywords("sluggernaut")) == (8, ["FRENZY"])


def test_the_power_deck_starts_with_the_display():
    """R10: the first three power cards of the list are visible, top first."""
    position = Position(
        Side(play=["kong"], hand=list(NEUTRAL), energy=1),
        Side(hand=list(NEUTRAL), energy=2),
        power_deck=["rage", "ambush", "stomp", "pounce", "railgun"],
        kot_parts=True,
    )
    table = table_from(position)
    assert table.power_cards("display") == ["ambush", "rage", "stomp"]
    assert table.power_cards("power_deck") == ["pounce", "railgun"]
    assert (table.energy(ALICE), table.energy(BOB)) == (1, 2)
    assert table.point == "D15"


@pytest.mark.parametrize(
    ("words", "zone"),
    [
        ("bee_bear tired", "play"),
        ("bee_bear boosts:", "play"),
        ("sluggernaut profile:2", "play"),
        ("bee_bear exhausted", "hand"),
        ("bee_bear boosts:gorillion", "discard"),
    ],
)
def test_wrong_words_are_refused(words, zone):
    """Words that say nothing about a card there are a ValueError that quotes them."""
    with pytest.raises(ValueError, match=words):
        Position(Side(**{zone: [words]}), Side()).cards()


@pytest.mark.parametrize(
    ("position", "fault"),
    [
        (Position(Side(play=["bee_bear boosts:bea_beer"]), Side()), "bea_beer"),
        (Position(Side(), Side(), unused=["gorillon"]), "gorillon"),
        (Position(Side(), Side(), power_deck=["rags"]), "rags"),
        (Position(Side(), Side(), power_deck=["rage", "rage"]), "power deck"),
    ],
)
def test_unknown_cards_are_refused(position, fault):
    """Unknown boost cards, unused cards and power cards, and a power card twice."""
    with pytest.raises(ValueError, match=fault):
        ReferenceGame.from_position(position)
