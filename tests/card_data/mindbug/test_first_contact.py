"""The shipped First Contact cards against the facts in ``tests/data/first_contact.json``."""

import json
from pathlib import Path

import pytest

from card_data.mindbug import load_sets
from card_data.mindbug.language.formatter import format_line
from card_data.mindbug.schema import Card

FACTS = json.loads(Path(__file__).parents[2].joinpath("data/first_contact.json").read_text("utf-8"))
CARDS = {card.card_id: card for card in load_sets(["first_contact"])[0].cards}

#: What the facts say an ability does, and how the card language says it.
LINES = {
    "you: life +2": "gain 2 life",
    "enemy creatures with current power <=6 may not be declared as blockers against this": (
        "enemy creatures with power <= 6 cannot block this"
    ),
    "take control of 1 creature that you do not control yet, with current power >=6; your choice; "
    "mandatory if there is one (R45)": "take control of an enemy creature with power >= 6",
    "opponent: life -1": "the opponent loses 1 life",
    "play 1 card of your choice from your discard pile (mandatory if any; its Play effect triggers;"
    " no Mindbug window)": "play a card from your discard pile",
    "Play effects of the opponent do not activate": "the opponent's play effects do not trigger",
    "opponent may not block any attack with creatures of current power <=4": (
        "enemy creatures with power <= 4 cannot block"
    ),
    "defeat 1 creature on either side; your choice; mandatory if a legal target exists": (
        "defeat a creature"
    ),
    "opponent discards 2 from hand, own choice, as many as possible": (
        "the opponent discards 2 cards"
    ),
    "move every card of your discard pile to your hand": "draw all cards from your discard pile",
    "during your turn: this gets +6 power": "during your turn, this has +6 power",
    "play 1 card of your choice from the opponent's discard pile (mandatory if any; under your "
    "control; its Play effect triggers; no Mindbug window)": (
        "play a card from the opponent's discard pile"
    ),
    "take control of up to 2 creatures that you do not control yet, each with current power <=5; "
    "your choice (R45)": "take control of up to 2 enemy creatures with power <= 5",
    "defeat every enemy creature with current power <=4": (
        "defeat all enemy creatures with power <= 4"
    ),
    "while you control no other creature: this gets +5 power and FRENZY": (
        "while other allied creatures = 0, this has +5 power and FRENZY"
    ),
    "your life total becomes the opponent's life total (up or down)": (
        "set your life to the opponent's life"
    ),
    "defeat 1 enemy creature with current power >=6; your choice; mandatory if a legal target "
    "exists": "defeat an enemy creature with power >= 6",
    "for each keyword in {HUNTER, SNEAKY, FRENZY, POISONOUS} separately: this has it while at least"
    " 1 enemy creature has it (TOUGH is not copied)": (
        "this copies FRENZY, HUNTER, POISONOUS and SNEAKY from enemy creatures"
    ),
    "your other creatures get +1 power": "other allied creatures have +1 power",
    "if your creature count < opponent count: defeat 1 creature on either side; your choice; "
    "mandatory if a legal target exists": (
        "if allied creatures < enemy creatures, defeat a creature"
    ),
    "your other creatures with current power <=4 have HUNTER and POISONOUS": (
        "other allied creatures with power <= 4 have HUNTER and POISONOUS"
    ),
    "take 2 random cards from the opponent's hand into your hand (as many as they have)": (
        "steal 2 random cards"
    ),
    "defeat 1 enemy creature with current power >=7; your choice; mandatory if a legal target "
    "exists": "defeat an enemy creature with power >= 7",
    "if opponent's life > 1 it drops to 1 (treated as losing the difference)": (
        "the opponent loses all but 1 life"
    ),
    "opponent discards 1 from hand, own choice, as many as possible": (
        "the opponent discards a card"
    ),
    "during your turn: your other creatures get +2 power": (
        "during your turn, other allied creatures have +2 power"
    ),
}


def abilities(card: Card) -> list[tuple[str, str]]:
    """The abilities of a card as pairs of trigger and line."""
    return [
        *((ability.trigger.name.lower(), format_line(ability)) for ability in card.triggered),
        *(("constant", format_line(ability)) for ability in card.constant),
    ]


@pytest.mark.parametrize("facts", FACTS["creatures"], ids=lambda facts: facts["id"])
def test_card_is_as_the_facts_say(facts: dict) -> None:
    """Name, power, keywords, copies and every ability of the card are those of the facts file."""
    card = CARDS[facts["id"]]
    assert card.name == facts["name"]
    assert card.power == facts["power"]
    assert sorted(keyword.name.lower() for keyword in card.keywords) == facts["keywords"]
    assert card.copies == facts["copies"]
    assert abilities(card) == [
        (ability["trigger"], LINES[ability["effect"]]) for ability in facts["abilities"]
    ]


def test_set_has_these_cards_and_no_others() -> None:
    """The set holds every card of the facts file, once, and 48 copies in all (R7)."""
    assert list(CARDS) == sorted(facts["id"] for facts in FACTS["creatures"])
    assert sum(card.copies for card in CARDS.values()) == FACTS["deck_size"] == 48
