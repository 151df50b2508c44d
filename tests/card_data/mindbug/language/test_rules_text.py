"""The text made from abilities."""

import pytest
from hypothesis import given

from card_data.mindbug import parse_set
from card_data.mindbug.language.rules_text import rules_text
from card_data.mindbug.schema import Card, ConstantAbility, PowerCard, TriggeredAbility
from support.line_strategies import abilities

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
        "Attack: If 1 >= your hand, put your whole discard pile into your hand."
    ),
    "attack: if your Mindbugs = 1, the opponent gains 1 life": (
        "Attack: If you have exactly 1 Mindbug left, your opponent gains 1 life."
    ),
    "attack: if creatures with SNEAKY > your draw pile, steal a random card": (
        "Attack: If there are more creatures with SNEAKY in play than you have cards in your draw "
        "pile, take a card at random from your opponent's hand into yours."
    ),
    "attack: if 2 < 3, gain 1 life": "Attack: If 2 < 3, gain 1 life.",
    "attack: if your life = 1 and the opponent's hand = 0, the opponent loses all but 2 life": (
        "Attack: If you have exactly 1 life and your opponent has no cards in hand, they lose all "
        "but 2 life."
    ),
    "constant: while it is your turn or your life <= 2, this has TOUGH": (
        "While it is your turn or you have at most 2 life, this has TOUGH."
    ),
    "end_of_turn: if it is your turn and your life = 1, gain 1 life": (
        "At the end of your turn, if you have exactly 1 life, gain 1 life."
    ),
    "end_of_turn: if it is your turn and your life = 1 and your hand = 0, lose all but 1 life": (
        "At the end of your turn, if you have exactly 1 life and you have no cards in hand, lose "
        "all but 1 life."
    ),
    "end_of_turn: if it is your turn or your life = 1, gain 1 life": (
        "At the end of each turn, if it is your turn or you have exactly 1 life, gain 1 life."
    ),
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
        "While you control exactly 1 other creature, this has −1 power."
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
    "action: the opponent discards a card, then defeat a creature": (
        "Action: Your opponent discards a card, then you defeat a creature."
    ),
    "discarded: the opponent discards a card": (
        "When this card is put into your discard pile, your opponent discards a card."
    ),
    "end_of_turn: if it is your turn, gain 1 life": "At the end of your turn, gain 1 life.",
    "end_of_turn: if it is your turn, gain 1 life, then lose 1 life": (
        "At the end of each turn, if it is your turn, gain 1 life, then lose 1 life."
    ),
    "end_of_turn: if this defeated an enemy creature this turn, gain 1 life": (
        "At the end of each turn, if this defeated an enemy creature this turn, gain 1 life."
    ),
    "mindbug_used: the opponent loses 1 life": (
        "When your opponent uses a Mindbug, they lose 1 life."
    ),
    "exhausted: choose one: this becomes power 5 with HUNTER; or this becomes power 8": (
        "When this becomes exhausted, choose one: this becomes a creature of power 5 with HUNTER; "
        "or this becomes a creature of power 8 without keywords."
    ),
    "in_discard: when you lose life, you may play this": (
        "In your discard pile: When you lose life, you may play this card."
    ),
    "in_discard: allied creatures have -2 power": (
        "In your discard pile: Your creatures have −2 power."
    ),
    "in_discard: the opponent loses 2 more life each time they lose life": (
        "In your discard pile: When your opponent loses life, they lose 2 more."
    ),
    "attack: you may defeat another allied creature, if you do, defeat an enemy creature": (
        "Attack: You may defeat another allied creature. If you do, defeat an enemy creature."
    ),
    "attack: you may the opponent discards a card": (
        "Attack: You may decide that your opponent discards a card."
    ),
    "attack: if enemy creatures = 0, the opponent discards a card for each enemy creature": (
        "Attack: If your opponent controls no creatures, they discard a card for each enemy "
        "creature."
    ),
    "attack: the opponent loses 1 life for each of the opponent's Mindbugs": (
        "Attack: Your opponent loses 1 life for each of their unused Mindbugs."
    ),
    "play: as often as a die shows 4 or more, defeat an enemy creature": (
        "Play: Roll a die; on 4 or more, defeat an enemy creature, then roll again."
    ),
    "play: discard up to 2 cards, then defeat a creature for each card discarded": (
        "Play: Discard up to 2 cards, then defeat a creature for each card discarded this way."
    ),
    "play: up to 2 enemy creatures cannot block this turn": (
        "Play: Choose up to 2 enemy creatures; they cannot block this turn."
    ),
    "play: boost up to 1 card to a creature": (
        "Play: Put up to 1 card from a discard pile under a creature as a boost."
    ),
    "play: boost up to 4 cards to creatures": (
        "Play: Put up to 4 cards from discard piles under one or more creatures as boosts."
    ),
    "play: boost up to 3 cards to allied creatures": (
        "Play: Put up to 3 cards from discard piles under one or more of your creatures as boosts."
    ),
    "constant: while your discard pile = 0, this has +4 power": (
        "While you have no cards in your discard pile, this has +4 power."
    ),
    "attack: if the opponent's discard pile >= 3, gain 1 life": (
        "Attack: If your opponent has at least 3 cards in their discard pile, gain 1 life."
    ),
    "attack: if your draw pile < the opponent's draw pile, gain 1 life": (
        "Attack: If you have fewer cards in your draw pile than your opponent, gain 1 life."
    ),
    "attack: if your draw pile > 0, gain 1 life": (
        "Attack: If you have any cards in your draw pile, gain 1 life."
    ),
    "play: set your life to the opponent's discard pile": (
        "Play: Your life becomes the number of cards in your opponent's discard pile."
    ),
    "play: return all other creatures from play": (
        "Play: Return every other creature to its controller's hand."
    ),
    "play: return 2 creatures from play": "Play: Return 2 creatures to their controllers' hands.",
    "play: play a card with an Action effect from either discard pile without play effects": (
        "Play: Choose a card with an Action effect in either discard pile and play it without its "
        "Play effect."
    ),
    "defeated: play any number of boosts of this": (
        "Defeated: Play any number of this creature's boosts."
    ),
    "defeated: defeat an enemy creature with a block this turn and power within 1 of this": (
        "Defeated: Defeat an enemy creature with power within 1 of this creature's that blocked "
        "this turn."
    ),
    "attack: if allied creatures >= enemy creatures + 3, win the game": (
        "Attack: If you control at least 3 more creatures than your opponent, you win the game."
    ),
    "attack: if your life + 1 < the opponent's life + 2, lose the game": (
        "Attack: If you have less life plus 1 than your opponent plus 2, you lose the game."
    ),
    "constant: during the opponent's turn, enemy creatures with HUNTER must hunt this": (
        "During your opponent's turn, your opponent must attack with an enemy creature with HUNTER "
        "and hunt this, if able."
    ),
    "constant: this has +2 power for each other allied creature": (
        "This has +2 power for each other allied creature."
    ),
    "constant: enemy creatures have attack: discard a card": (
        'Enemy creatures have "Attack: Discard a card".'
    ),
    "bought: allied creatures have 1 more die this turn": (
        "Your creatures have 1 more dice symbol this turn."
    ),
}


def card(ability: str) -> Card | PowerCard:
    """A card with one ability, given as field and line."""
    field, _, line = ability.partition(": ")
    price = "cost" if field == "bought" else "power"
    text = f'name = "T"\n[a]\nname = "A"\n{price} = 1\n{field} = "{line}"\n'
    card_set = parse_set(text)
    return card_set.power_cards[0] if card_set.power_cards else card_set.cards[0]


@pytest.mark.parametrize("ability", TEXTS)
def test_ability_reads(ability: str) -> None:
    """The ability reads as a player would expect it on a card."""
    assert rules_text(card(ability)) == [TEXTS[ability]]


def test_abilities_come_in_the_order_of_a_card() -> None:
    """Headers come first, then events, constant abilities and those of the discard pile."""
    lines = """
        constant = "this has TOUGH"
        in_discard = ["when you lose life, play this", "Mindbugs cannot be used"]
        discarded = "gain 1 life"
        defeated = "lose 1 life"
        play_attack = "gain 1 life"
    """
    [full] = parse_set(f'name = "T"\n[a]\nname = "A"\npower = 1\n{lines}').cards
    assert rules_text(full) == [
        "Play/Attack: Gain 1 life.",
        "Defeated: Lose 1 life.",
        "When this card is put into your discard pile, gain 1 life.",
        "This has TOUGH.",
        "In your discard pile: Nobody can use a Mindbug.",
        "In your discard pile: When you lose life, play this card.",
    ]


def test_who_can_neither_attack_nor_block_is_told_once() -> None:
    """Two abilities in a row about the same creatures make one sentence, others do not."""
    lines = """
        constant = [
            "enemy creatures with SNEAKY cannot attack",
            "enemy creatures with SNEAKY cannot block",
            "this has TOUGH",
            "allied creatures cannot block",
        ]
        in_discard = ["creatures cannot attack", "creatures cannot block"]
    """
    [full] = parse_set(f'name = "T"\n[a]\nname = "A"\npower = 1\n{lines}').cards
    assert rules_text(full) == [
        "Enemy creatures with SNEAKY cannot attack or block.",
        "This has TOUGH.",
        "Your creatures cannot block.",
        "In your discard pile: Creatures cannot attack or block.",
    ]


def test_card_without_abilities_says_nothing() -> None:
    """A card without abilities has no text."""
    assert rules_text(Card("a", "A", 1)) == []


@given(abilities)
def test_every_ability_has_a_sentence(ability: TriggeredAbility | ConstantAbility) -> None:
    """Whatever the language can say is one sentence without gaps."""
    if isinstance(ability, ConstantAbility):
        [sentence] = rules_text(Card("a", "A", 1, constant=(ability,)))
    else:
        [sentence] = rules_text(Card("a", "A", 1, triggered=(ability,)))
    assert sentence[0].isupper() or sentence[0].isdigit()
    assert sentence.endswith(".")
    assert "  " not in sentence
    assert "None" not in sentence
    assert "{" not in sentence
