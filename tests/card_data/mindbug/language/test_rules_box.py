"""Whole rules boxes: what a card says is what a card file can say, in one field."""

import csv
import io
import random

import pytest
from attrs import evolve

from card_data.mindbug import CardFileError, available_sets, load_sets, parse_set
from card_data.mindbug.language.formatter import format_set
from card_data.mindbug.language.parser import LanguageError, parse_field
from card_data.mindbug.language.rules_text import format_ability, rules_text
from card_data.mindbug.schema import Card, PowerCard, TriggeredAbility
from card_data.mindbug.spreadsheet import parse_table
from card_data.mindbug.vocabulary import Keyword, Trigger
from support.round_trip import faults, random_card

SETS = load_sets(available_sets())
SHIPPED: list[Card | PowerCard] = [card for one in SETS for card in one.cards]
SHIPPED += [card for one in SETS for card in one.power_cards]
HEAD = 'name = "T"\n[rat]\nname = "Rat"\npower = 1\n'


def boxed(card: Card | PowerCard, text: str) -> Card | PowerCard:
    """The same card with its abilities from a rules box."""
    price = f"cost = {card.cost}" if isinstance(card, PowerCard) else f"power = {card.power}"
    file = f"name = 'T'\n[{card.card_id}]\nname = 'A'\n{price}\ntext = '''{text}'''\n"
    if "volve" in text:
        file += "evolves_to = 'zz'\n[zz]\nname = 'Z'\npower = 1\ncopies = 0\n"
    cards = parse_set(file)
    several: list[Card | PowerCard] = [*cards.cards, *cards.power_cards]
    [found] = [one for one in several if one.card_id == card.card_id]
    return found


def abilities(card: Card | PowerCard) -> object:
    """What a card can do."""
    return card.bought if isinstance(card, PowerCard) else (card.triggered, card.constant)


def test_every_shipped_card_is_read_as_it_is_printed() -> None:
    """All 188 sentences of the six sets, as `cards list` prints them, give the same cards."""
    assert sum(len(rules_text(card)) for card in SHIPPED) == 188
    for card in SHIPPED:
        if said := rules_text(card):
            for between in (" ", "\n"):
                again = boxed(card, between.join(said))
                assert abilities(again) == abilities(card)
                assert rules_text(again) == said


def test_an_effect_of_three_triggers_has_one_header() -> None:
    """As it is printed: the same effect for each of them."""
    said = ["Play/Attack/Defeated: Gain 1 life."]
    card = boxed(Card("a", "A", 1), said[0])
    assert isinstance(card, Card) and rules_text(card) == said
    names = [one.trigger for one in card.triggered]
    assert names == [Trigger.PLAY, Trigger.ATTACK, Trigger.DEFEATED]


def test_as_many_is_said_of_the_same_creatures_alone() -> None:
    """A side that counts others, those with a twin on any side, is named."""
    twins = "enemy creatures with the same power as another creature"
    [read] = parse_field("play", f"if allied creatures >= {twins}, gain 1 life")
    ability = TriggeredAbility(Trigger.PLAY, read)
    assert not [*faults(Card("a", "A", 1, triggered=(ability,)))]


def test_made_up_cards_are_read_as_they_are_printed() -> None:
    """Printed, read and printed again is the same; both registers give the same card."""
    rng = random.Random(5)
    for _ in range(300):
        assert not [*faults(random_card(rng))]


def test_the_formatter_writes_both_registers() -> None:
    """As printed or in short lines, the cards stay the same, and so does their canonical file."""
    text = (
        f'{HEAD}keywords = ["TOUGH"]\n# why\nplay = "gain 2 life"\n'
        'constant = ["this has +1 power", "enemy creatures with power <= 4 cannot block"]\n'
    )
    printed = format_set(text, as_printed=True)
    assert '# why\nplay = "Gain 2 life."' in printed
    assert '"Enemy creatures of power 4 or less cannot block."' in printed
    assert format_set(printed, as_printed=True) == printed
    assert format_set(printed) == format_set(text)


@pytest.mark.parametrize(
    ("field", "line", "canonical"),
    [
        ("play", "Play: Gain 2 life.", "gain 2 life"),
        ("play", "JUGAR: gain 2 life", "gain 2 life"),
        ("attack", "Attacco: Your opponent loses 1 life.", "the opponent loses 1 life"),
        ("defeated", "Уничтожение: gain two life", "gain 2 life"),
        ("action", "Azione - gain 2 life", "gain 2 life"),
        ("play_attack", "Play/Attack: Gain 1 life.", "gain 1 life"),
        ("in_discard", "Nella pila degli scarti: Your creatures have +1 power.",
         "allied creatures have +1 power"),
        ("discarded", "When this card is put into your discard pile, gain 1 life.", "gain 1 life"),
        ("mindbug_used", "When your opponent uses a Mindbug, they lose 1 life.",
         "the opponent loses 1 life"),
        ("end_of_turn", "At the end of your turn, gain 1 life.",
         "if it is your turn, gain 1 life"),
        ("end_of_turn", "At the end of your turn, if you have exactly 1 life, gain 1 life.",
         "if it is your turn and your life = 1, gain 1 life"),
    ],
)  # fmt: skip
def test_a_line_may_begin_with_its_trigger_word(field: str, line: str, canonical: str) -> None:
    """In every printed language, as a word or as the beginning of a sentence."""
    assert format_ability(*parse_field(field, line)) == canonical


def test_the_trigger_word_of_another_field_is_told() -> None:
    """A line does not change its field without a word."""
    with pytest.raises(LanguageError, match="the trigger word of the field 'attack'"):
        parse_field("play", "Attack: Gain 1 life.")


def test_a_box_may_be_untidy() -> None:
    """Keywords, abilities without full stops, several sentences of one trigger, bullets."""
    text = (
        "Frenesí, POISONOUS\\n• Play: gain 2 life\\n- Attack: You may discard a card. If you do, "
        "defeat a creature. Your other creatures have +1 power Defeated: gain one life. Discard a "
        "card"
    )
    [card] = parse_set(f'{HEAD}text = "{text}"\n').cards
    assert rules_text(card) == [
        "Play: Gain 2 life.",
        "Attack: You may discard a card. If you do, defeat a creature.",
        "Defeated: Gain 1 life, then discard a card.",
        "Your other creatures have +1 power.",
    ]
    assert card.keywords == {Keyword.FRENZY, Keyword.POISONOUS}


@pytest.mark.parametrize(
    ("lines", "problem"),
    [
        ('text = "Play: Gian 1 life."', "'Gian' is not a word of the card language here"),
        ('text = "Play: Gain 1 life."\nplay = "gain 1 life"', "has a 'play' ability already"),
        ('text = "Play: Gain 1 life. Play: Gain 2 life."', "has a 'play' ability already"),
        ("text = 3", "what stands in the rules box"),
        ('text = " "', "what stands in the rules box"),
        ('text = "Creatures are nice."', "is not a word of the card language here"),
    ],
)
def test_faults_in_a_box_have_their_places(lines: str, problem: str) -> None:
    """A fault in a rules box is told where it stands."""
    with pytest.raises(CardFileError) as caught:
        parse_set(HEAD + lines)
    [fault] = caught.value.faults
    assert problem in fault.problem
    assert fault.line == 5
    if "Gian" in lines:
        assert fault.column == lines.index("Gian") + 1


def test_tables_have_boxes_and_columns_of_keywords() -> None:
    """A designer's table: a column with the whole text, one of TRUE and FALSE a keyword."""
    out = io.StringIO()
    csv.writer(out).writerows(
        [
            ["card_id", "name", "power", "Frenesí", "TOUGH", "Rules text"],
            ["rat", "Rat", "3", "TRUE", "", "Play: Gain 2 life."],
            ["bat", "Bat", "4", "no", "x", ""],
        ]
    )
    bat, rat = parse_table(out.getvalue().encode(), "t.csv").cards
    assert [*bat.keywords, *rat.keywords] == [Keyword.TOUGH, Keyword.FRENZY]
    assert rules_text(rat) == ["Play: Gain 2 life."]
    wrong = out.getvalue().replace("TRUE", "perhaps").encode()
    with pytest.raises(CardFileError, match="row 2, column D: rat: the column of FRENZY holds"):
        parse_table(wrong, "t.csv")


def test_keywords_of_the_printed_languages() -> None:
    """Capitals and accents do not matter."""
    [card] = parse_set(f'{HEAD}keywords = ["caceria", "VELENO", "скрытное", "Tenacia"]\n').cards
    assert card.keywords == {
        Keyword.HUNTER, Keyword.POISONOUS, Keyword.SNEAKY, Keyword.TOUGH
    }  # fmt: skip
    assert evolve(card, keywords=frozenset()) != card
