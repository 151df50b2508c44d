"""The reference page: complete, true and up to date."""

from enum import IntEnum
from pathlib import Path
from typing import Any

import pytest
from attrs import fields, has

import card_data.mindbug.vocabulary
from card_data.mindbug import parse_set
from card_data.mindbug.card_fields import CARD_FIELDS
from card_data.mindbug.language.formatter import format_set
from card_data.mindbug.language.phrases import table
from card_data.mindbug.language.reference import (
    EXAMPLE,
    documented,
    example,
    example_set,
    example_text,
    language_reference,
)
from card_data.mindbug.vocabulary import Ruling, WhoStarts
from card_data.phrases import CANONICAL, Node, Phrase, tokens_of

PAGE = Path(__file__).parents[4] / "docs" / "card_language.md"
ENTRIES = documented()
#: Words of pool files, which no card uses.
POOL_WORDS = (Ruling, WhoStarts)
VOCABULARY = [
    member
    for words in vars(card_data.mindbug.vocabulary).values()
    if isinstance(words, type) and issubclass(words, IntEnum) and words is not IntEnum
    for member in words
    if words not in POOL_WORDS
]


def tree(phrase: Phrase) -> Node:
    """How the example of a phrase is read."""
    field, line = example(phrase)
    start = field if field in ("constant", "in_discard") else "triggered"
    [reading] = table().read(tokens_of(line), start)
    return reading.node


def parts(value: Any) -> set[object]:
    """All vocabulary words inside a schema object."""
    if has(type(value)):
        value = [getattr(value, field.name) for field in fields(type(value))]
    if isinstance(value, (tuple, list, frozenset)):
        return set().union(*map(parts, value))
    return {(type(value), value)} if isinstance(value, IntEnum) else set()


def test_page_is_up_to_date() -> None:
    """docs/card_language.md is what language_reference() returns."""
    assert PAGE.read_text("utf-8") == language_reference()


def test_what_files_are_written_with_is_documented() -> None:
    """Whatever a canonical line can be begun with, each phrase of it has its entry on the page."""
    helpers = {
        "mode", "or_mode", "left", "pile_whose", "whole_of_theirs", "opponent", "opponent's",
        "counted_group", "standing_who", "boosted_ones", "single", "twin_side", "condition",
    }  # fmt: skip
    undocumented = {
        phrase.category
        for phrase in table().phrases
        if phrase.templates.get(CANONICAL, ["-"]) != ["-"] and not phrase.meaning
    }
    shown_under_another_name = {"card_range", "card_quality", "of_power", "late_proviso"}
    assert undocumented <= helpers | shown_under_another_name
    assert len(ENTRIES) > 170


@pytest.mark.parametrize("phrase", ENTRIES, ids=lambda phrase: f"{phrase.category}.{phrase.name}")
def test_example_uses_its_phrase(phrase: Phrase) -> None:
    """The example of a phrase is a line that is read by that phrase."""
    assert phrase.name in {node.data for node in tree(phrase).walk()}
    assert " ".join(phrase.meaning).endswith(".")
    assert example_text(phrase).endswith(".")


def test_examples_use_every_word_of_the_vocabulary() -> None:
    """Every member of every closed word list is built by some example of the page."""
    used = parts(parse_set(EXAMPLE))
    for entry in ENTRIES:
        used |= parts(example_set(entry))
    assert used == {(type(member), member) for member in VOCABULARY}


def test_opening_example_shows_every_field_in_canonical_form() -> None:
    """The file at the top of the page is valid, canonical, and uses each field of a card."""
    assert format_set(EXAMPLE) == EXAMPLE
    assert all(f"\n{field} = " in EXAMPLE for field in CARD_FIELDS if field != "text")
    assert all(f"| `{field}` |" in PAGE.read_text("utf-8") for field in CARD_FIELDS)
