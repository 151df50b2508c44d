"""The reference page: complete, true and up to date."""

from enum import IntEnum
from pathlib import Path
from typing import Any

import pytest
from attrs import fields, has
from lark import Lark, Tree

import card_data.mindbug.vocabulary
from card_data.mindbug import parse_set
from card_data.mindbug.card_reader import CARD_FIELDS
from card_data.mindbug.language.formatter import format_set
from card_data.mindbug.language.parser import grammar_parser
from card_data.mindbug.language.reference import (
    EXAMPLE,
    Entry,
    entries,
    example_set,
    example_text,
    language_reference,
)
from card_data.mindbug.vocabulary import Keyword, Ruling, WhoStarts

PAGE = Path(__file__).parents[4] / "docs" / "card_language.md"
ENTRIES = [entry for entry in entries() if isinstance(entry, Entry)]
#: Words of pool files, which no card uses.
POOL_WORDS = (Ruling, WhoStarts)
VOCABULARY = [
    member
    for words in vars(card_data.mindbug.vocabulary).values()
    if isinstance(words, type) and issubclass(words, IntEnum) and words is not IntEnum
    for member in words
    if words not in POOL_WORDS
]


def tree(entry: Entry) -> Tree:
    """The parse tree of an entry's example."""
    parser: Lark = grammar_parser()
    start = entry.field if entry.field in ("constant", "in_discard") else "triggered"
    return parser.parse(entry.line, start)


def names(entry: Entry) -> set[str]:
    """Rules, named alternatives, terminals and keywords that occur in an entry's example."""
    found = {str(node.data) for node in tree(entry).iter_subtrees()}
    for token in tree(entry).scan_values(lambda _: True):
        found |= {token.type, f"{token.type}.{token.upper()}"}
    return found


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


def test_every_alternative_of_the_grammar_is_documented() -> None:
    """The entries are exactly the rules that the parser was built from, each once."""
    rules = {
        rule.alias or rule.origin.name
        for rule in grammar_parser().rules
        if not rule.origin.name.startswith("__")
    }
    assert len(rules) > 70
    words = [entry.name for entry in ENTRIES if entry.rule.islower()]
    assert sorted(words) == sorted(rules)
    keywords = [entry.words.strip('"') for entry in ENTRIES if entry.rule == "KEYWORD"]
    assert keywords == list(Keyword.__members__)


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: f"{entry.rule}.{entry.name}")
def test_example_uses_its_alternative(entry: Entry) -> None:
    """The example of an entry is a line that really goes through that alternative."""
    word = entry.words.strip('"')
    assert (f"KEYWORD.{word}" if entry.rule == "KEYWORD" else entry.name) in names(entry)
    assert entry.meaning.endswith(".")
    assert example_text(entry).endswith(".")


def test_examples_use_every_word_of_the_vocabulary() -> None:
    """Every member of every closed word list is built by some example of the page."""
    used = parts(parse_set(EXAMPLE))
    for entry in ENTRIES:
        used |= parts(example_set(entry))
    assert used == {(type(member), member) for member in VOCABULARY}


def test_opening_example_shows_every_field_in_canonical_form() -> None:
    """The file at the top of the page is valid, canonical, and uses each field of a card."""
    assert format_set(EXAMPLE) == EXAMPLE
    assert all(f"\n{field} = " in EXAMPLE for field in CARD_FIELDS)
    assert all(f"| `{field}` |" in PAGE.read_text("utf-8") for field in CARD_FIELDS)
