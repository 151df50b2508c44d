"""The facts of the base game."""

from card_data.mice_and_mystics import by_id, load_facts
from card_data.mice_and_mystics.facts import Edge

FACTS = load_facts()


def test_numbers_of_entries() -> None:
    """Section 29: 71 search cards, 12 + 6 encounters, 28 abilities, 6 heroes, 7 minion types."""
    assert sum(card.count for card in FACTS.search_cards) == 71
    assert sum(not encounter.difficult for encounter in FACTS.encounters) == 12
    assert len(FACTS.encounters) == 18
    assert len(FACTS.abilities) == 28
    assert [hero.id for hero in FACTS.heroes] == [
        *("collin", "nez", "tilda", "filch", "lily", "maginos")
    ]
    assert [minion.id for minion in FACTS.minions if minion.boss] == ["captain_vurst"]
    assert len(FACTS.minions) == 7


def test_die_is_that_of_the_rules() -> None:
    """M118: numbers 1, 2, 3 twice each; three stars; 3 swords, 2 bows, 2 shields, 1 cheese."""
    faces = FACTS.die.faces
    assert sorted(face.number for face in faces) == [1, 1, 2, 2, 3, 3]
    sums = [sum(getattr(face, what) for face in faces) for what in ("star", "melee", "ranged")]
    assert sums == [3, 3, 2]
    assert [sum(getattr(face, what) for face in faces) for what in ("shield", "cheese")] == [2, 1]


def test_graphs_are_read() -> None:
    """Neighbours, arrows, red lines and currents of the kitchen and the sewer (W2, W3, W12)."""
    tiles = by_id(FACTS.tiles)
    kitchen, sewer = tiles["3"], tiles["6"]
    assert Edge(a="K", b="A5", cost_ab=1, cost_ba=3) in kitchen.edges
    assert Edge(a="A1", b="A2") in kitchen.edges
    assert set(kitchen.red_lines) == {("K", f"A{number}") for number in (1, 2, 3, 4, 6)}
    assert dict(sewer.current)["N3"] == "N2"
    assert dict(sewer.current)["N1"] == "OFF"
    assert ("t1", "t10") in tiles["2"].no_line_of_sight


def test_chapters_are_read() -> None:
    """The route of chapter 1, its kitchen off the route, and the boss of the stand-in."""
    first, stand_in = FACTS.chapters
    assert first.route == ("5", "6", "4", "2", "1")
    assert first.tiles == (*first.route, "3")
    assert first.start.mice_spaces == ("C1", "D1")
    [rule] = stand_in.room_rules
    assert [(group.type, group.count) for group in rule.minions] == [
        ("captain_vurst", 1),
        ("elite_rat_warrior", 2),
    ]
