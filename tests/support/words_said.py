"""Which words of the vocabulary the cards of a set say."""

from collections.abc import Iterator
from enum import IntEnum
from typing import Any

import attrs

from card_data.mindbug.schema import CardSet


def words_of(card_set: CardSet) -> set[tuple[type[IntEnum], IntEnum]]:
    """Every word that is said somewhere, with its list: members of lists are equal as numbers."""
    return {(type(word), word) for word in _words([card_set.cards, card_set.power_cards])}


def _words(value: Any) -> Iterator[IntEnum]:
    """The words in a checked object and in all that it consists of."""
    if isinstance(value, IntEnum):
        yield value
    elif isinstance(value, list | tuple | frozenset):
        for part in value:
            yield from _words(part)
    elif attrs.has(type(value)):
        for field in attrs.fields(type(value)):
            yield from _words(getattr(value, field.name))
