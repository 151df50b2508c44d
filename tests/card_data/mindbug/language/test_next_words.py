"""What can stand next in a line of the card language."""

import re

import pytest

from card_data.mindbug import available_sets, load_sets
from card_data.mindbug.language.formatter import format_cards
from card_data.mindbug.language.next_words import next_in_box, next_words


@pytest.mark.parametrize(
    ("line", "field", "wanted"),
    [
        ("", "play", "steal "),
        ("", "constant", "Mindbugs cannot be used"),
        ("", "in_discard", "when you lose life, "),
        ("st", "play", "steal "),
        ("gain ", "play", "1 "),
        ("the ", "play", "opponent "),
        ("defeat an enemy creature with fr", "play", "FRENZY"),
        ("if your life <= 2 ", "play", ", "),
        ("if your life <= 2 and ", "play", "your "),
        ("if creatures with TOUGH and ", "play", "the "),
        ("while the opponent\u2019s ", "constant", "life "),
        ("this has ", "constant", "+"),
    ],
)
def test_words_of_the_grammar(line: str, field: str, wanted: str) -> None:
    """What the grammar expects is offered, with the words that must follow it."""
    assert wanted in [word.text for word in next_words(line, field)]


@pytest.mark.parametrize("line", ["gian 1 ", "gain 1 life", "win the game", "(", "\x00"])
def test_nothing_where_nothing_can_stand(line: str) -> None:
    """Behind what is not a line, and behind a whole one, nothing is offered."""
    assert next_words(line, "play") == []


def test_every_word_of_every_shipped_card_is_offered() -> None:
    """Whoever writes a card that there is finds its next word, wherever they are."""
    texts = "\n".join(map(format_cards, load_sets(available_sets())))
    lines = re.findall(r'^(play|attack|constant) = "(.+)"$', texts, re.MULTILINE)
    assert len(lines) > 80
    for field, line in lines:
        for word in re.finditer(r"[A-Za-z']+", line):
            offered = next_words(line[: word.start()], field)
            assert word[0] in {one.text.split()[0].strip(",:") for one in offered}, (line, word[0])


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("", "Play: "),
        ("Att", "Attack: "),
        ("Play: Gain 1 life. De", "Defeated: "),
        ("Play: Your opponent ", "loses "),
        ("FRENZY. Attack: Defeat every enemy ", "creature"),
        ("Play: Gain 1 life. Your other creatures ", "have "),
    ],
)
def test_words_of_a_rules_box(text: str, wanted: str) -> None:
    """In a whole rules box its trigger words are offered, and the words of cards behind them."""
    assert wanted in [word.text for word in next_in_box(text)]


@pytest.mark.parametrize(
    ("line", "field", "wanted"),
    [
        ("Your ", "play", "opponent "),
        ("Defeat every enemy creature of power 4 or ", "play", "less"),
        ("If you control ", "attack", "fewer "),
        ("While you have no ", "constant", "Mindbugs left "),
    ],
)
def test_words_of_cards(line: str, field: str, wanted: str) -> None:
    """Sentences of cards are completed like short lines."""
    assert wanted in [word.text for word in next_words(line, field)]
