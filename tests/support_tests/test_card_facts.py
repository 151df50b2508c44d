"""The records of the reference engine against the facts of the cards (``tests/data/*.json``)."""

import json
from pathlib import Path
from typing import Any

import pytest

from support.reference_cards import POWER_CARDS, SETS

DATA = Path(__file__).parent.parent / "data"


def facts_of_set(name: str) -> dict[str, Any]:
    """The facts of one set, as they were read off the cards."""
    return json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("name", SETS)
def test_records_agree_with_the_facts(name):
    """Power, keywords, copies, dice and evolution are those of the card."""
    facts = {card["id"]: card for card in facts_of_set(name)["creatures"]}
    assert sorted(facts) == sorted(record.id for record in SETS[name])
    for record in SETS[name]:
        card = facts[record.id]
        assert (record.power, record.copies) == (card["power"], card["copies"]), record.id
        assert {word.lower() for word in record.keywords} == set(card["keywords"]), record.id
        assert record.dice == card.get("dice", 0), record.id
        assert record.evolves_to == card.get("evolves_to"), record.id
        assert (record.action_possible is None) == (record.action is None), record.id


def test_power_cards_agree_with_the_facts():
    """Costs, and the order that gives the instance numbers."""
    facts = facts_of_set("king_of_tokyo")["power_cards"]
    expected = [(card["id"], card["cost"]) for card in facts]
    assert [(power.id, power.cost) for power in POWER_CARDS.values()] == expected
