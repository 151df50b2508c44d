"""The cards that come with fairdeal against the facts in ``tests/data``."""

import json
from pathlib import Path
from typing import Any

import pytest

from card_data.mindbug import available_sets, load_sets
from card_data.mindbug.language.formatter import format_set
from card_data.mindbug.language.rules_text import rules_text
from card_data.mindbug.loader import set_path
from card_data.mindbug.schema import Card, PowerCard

DATA = Path(__file__).parents[2] / "data"
SETS = {card_set.set_id: card_set for card_set in load_sets(available_sets())}
FACTS: dict[str, dict[str, Any]] = {
    name: json.loads((DATA / f"{name}.json").read_text("utf-8")) for name in SETS
}
CREATURES = [(name, facts) for name in FACTS for facts in FACTS[name]["creatures"]]
POWER_CARDS = [(name, facts) for name in FACTS for facts in FACTS[name].get("power_cards", [])]
CARDS = [card for card_set in SETS.values() for card in (*card_set.cards, *card_set.power_cards)]

#: Creatures that are cards of the pool (R7).
SIZES = {
    "first_contact": 48,
    "new_servants": 24,
    "beyond_evolution": 44,
    "beyond_eternity": 48,
    "king_of_tokyo": 32,
    "promos": 28,
}


def test_sets_are_these() -> None:
    """Every set comes with fairdeal, with the size that the rules name (R7)."""
    sizes = {name: sum(card.copies for card in SETS[name].cards) for name in SETS}
    assert sizes == SIZES == {name: FACTS[name]["deck_size"] for name in FACTS}


@pytest.mark.parametrize("name", SETS)
def test_set_has_these_cards_and_no_others(name: str) -> None:
    """A set bears its name and holds exactly the cards of the facts."""
    card_set, facts = SETS[name], FACTS[name]
    assert card_set.name == facts["set"]
    ids = [card.card_id for card in card_set.cards]
    assert ids == sorted(creature["id"] for creature in facts["creatures"])
    ids = [card.card_id for card in card_set.power_cards]
    assert ids == sorted(card["id"] for card in facts.get("power_cards", []))


@pytest.mark.parametrize(("name", "facts"), CREATURES, ids=lambda value: str(value)[:30])
def test_creature_is_as_the_facts_say(name: str, facts: dict[str, Any]) -> None:
    """Name, power, keywords, copies, dice symbols and evolution are those of the facts."""
    [card] = [card for card in SETS[name].cards if card.card_id == facts["id"]]
    assert card.name == facts["name"]
    assert card.power == facts["power"]
    assert sorted(keyword.name.lower() for keyword in card.keywords) == facts["keywords"]
    assert card.copies == facts["copies"]
    assert card.dice == facts["dice"]
    assert card.evolves_to == facts["evolves_to"]
    assert card.stage == (facts["stage"] or 1)


@pytest.mark.parametrize(("name", "facts"), POWER_CARDS, ids=lambda value: str(value)[:30])
def test_power_card_is_as_the_facts_say(name: str, facts: dict[str, Any]) -> None:
    """Name and price are those of the facts, and there is one of each."""
    [card] = [card for card in SETS[name].power_cards if card.card_id == facts["id"]]
    assert (card.name, card.cost, card.copies) == (facts["name"], facts["cost"], 1)


@pytest.mark.parametrize("name", SETS)
def test_file_is_canonical(name: str) -> None:
    """Formatting changes nothing in a file that comes with fairdeal."""
    text = set_path(name).read_text("utf-8")
    assert format_set(text) == text


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.card_id)
def test_card_has_a_text(card: Card | PowerCard) -> None:
    """Every ability of every card reads as whole sentences."""
    texts = rules_text(card)
    abilities = 1 if isinstance(card, PowerCard) else len(card.constant) + len(card.triggered)
    assert len(texts) <= abilities
    assert bool(texts) == bool(abilities)
    assert all(text.endswith(".") and "  " not in text for text in texts)
