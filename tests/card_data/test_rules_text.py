"""The text made from abilities."""

import pytest
from hypothesis import given, settings

from card_data import parse_set
from card_data.mindbug.rules_text import rules_text
from card_data.schema import Card, ConstantAbility, TriggeredAbility
from support.ability_strategies import abilities

TEXTS = {
    "play: gain 2 life": "Play: Gain 2 life.",
    "play_attack: you lose 1 life": "Play/Attack: Lose 1 life.",
    "defeated: defeat a creature": "Defeated: Defeat a creature.",
    "play: defeat an enemy creature with power >= 7": (
        "Play: Defeat an enemy creature of power 7 or more."
    ),
    "play: defeat all enemy creatures with power <= 4": (
        "Play: Defeat every enemy creature of power 4 or less."
    ),
    "play: defeat up to 2 other creatures with power 4 to 6 and FRENZY or HUNTER": (
        "Play: Defeat up to 2 other creatures of power 4 to 6 with FRENZY or HUNTER."
    ),
    "play: defeat 3 creatures with power 5 and TOUGH and the lowest power": (
        "Play: Defeat 3 creatures of power 5 with TOUGH and the lowest power."
    ),
    "attack: if allied creatures < enemy creatures, defeat another allied creature": (
        "Attack: If you control fewer creatures than your opponent, defeat another allied creature."
    ),
    "attack: lose 1 life, then if your life <= 2, the opponent discards 2 cards": (
        "Attack: Lose 1 life, then if you have at most 2 life, your opponent discards 2 cards."
    ),
    "attack: if your life < the opponent's life, defeat this": (
        "Attack: If you have less life than your opponent, defeat this."
    ),
    "attack: if the opponent's life = your life, discard a card": (
        "Attack: If your opponent has as much life as you, discard a card."
    ),
    "attack: if 1 >= your hand, draw all cards from your discard pile": (
        "Attack: If you have at most 1 card in hand, put your whole discard pile into your hand."
    ),
    "attack: if your Mindbugs = 1, the opponent gains 1 life": (
        "Attack: If you have exactly 1 Mindbug left, your opponent gains 1 life."
    ),
    "attack: if creatures with SNEAKY > your draw pile, steal a random card": (
        "Attack: If there are more creatures with SNEAKY in play than you have cards in the draw "
        "pile, take a card at random from your opponent's hand into yours."
    ),
    "attack: if 2 < 3, gain 1 life": "Attack: If 3 is more than 2, gain 1 life.",
    "play: set your life to the opponent's life": (
        "Play: Your life becomes equal to your opponent's life."
    ),
    "play: set the opponent's life to other enemy creatures": (
        "Play: Your opponent's life becomes the number of other creatures your opponent controls."
    ),
    "play: set your life to creatures": "Play: Your life becomes the number of creatures in play.",
    "play: take control of another enemy creature": (
        "Play: Take control of another enemy creature."
    ),
    "play: play a card from the opponent's discard pile": (
        "Play: Choose a card in your opponent's discard pile and play it."
    ),
    "constant: while other allied creatures = 0, this has +5 power and FRENZY": (
        "While you control no other creatures, this has +5 power and FRENZY."
    ),
    "constant: while other allied creatures = 1, this has -1 power": (
        "While you control exactly 1 other creature, this has -1 power."
    ),
    "constant: during your turn, other allied creatures have +2 power": (
        "During your turn, your other creatures have +2 power."
    ),
    "constant: other enemy creatures have TOUGH, FRENZY and HUNTER": (
        "Other enemy creatures have FRENZY, HUNTER and TOUGH."
    ),
    "constant: this copies TOUGH from enemy creatures": (
        "This has TOUGH while an enemy creature has it."
    ),
    "constant: this copies TOUGH and FRENZY from enemy creatures": (
        "This has FRENZY and TOUGH, each while an enemy creature has it."
    ),
    "constant: creatures with power >= 6 cannot block this": (
        "Creatures of power 6 or more cannot block this."
    ),
    "constant: the opponent's play effects do not trigger": (
        "Play effects do not trigger for your opponent."
    ),
}


def card(ability: str) -> Card:
    """A card with one ability, given as field and line."""
    field, _, line = ability.partition(": ")
    text = f'name = "T"\n[a]\nname = "A"\npower = 1\n{field} = "{line}"\n'
    return parse_set(text).cards[0]


@pytest.mark.parametrize("ability", TEXTS)
def test_ability_reads(ability: str) -> None:
    """The ability reads as a player would expect it on a card."""
    assert rules_text(card(ability)) == [TEXTS[ability]]


def test_abilities_come_in_the_order_of_a_card() -> None:
    """Triggered abilities come first, in the order Play, Attack, Defeated, then constant ones."""
    full = Card(
        "a", "A", 1,
        triggered=card("play_attack: gain 1 life").triggered
        + card("defeated: lose 1 life").triggered,
        constant=card("constant: this has TOUGH").constant,
    )  # fmt: skip
    assert rules_text(full) == [
        "Play/Attack: Gain 1 life.", "Defeated: Lose 1 life.", "This has TOUGH."
    ]  # fmt: skip


def test_card_without_abilities_says_nothing() -> None:
    """A card without abilities has no text."""
    assert rules_text(Card("a", "A", 1)) == []


@given(abilities)
@settings(max_examples=100, deadline=None)
def test_every_ability_has_a_sentence(ability: TriggeredAbility | ConstantAbility) -> None:
    """Whatever the language can say is one sentence without gaps."""
    if isinstance(ability, ConstantAbility):
        [sentence] = rules_text(Card("a", "A", 1, constant=(ability,)))
    else:
        [text] = rules_text(Card("a", "A", 1, triggered=(ability,)))
        sentence = text.partition(": ")[2]
    assert sentence[0].isupper() or sentence[0].isdigit()
    assert sentence.endswith(".")
    assert "  " not in sentence
    assert "None" not in sentence
    assert "{" not in sentence
