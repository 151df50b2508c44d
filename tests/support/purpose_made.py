"""Tiny cards made for one test, written in the card language, and a list of the words tested."""

import json
from collections.abc import Callable, Iterable, Mapping
from enum import IntEnum
from functools import cache, lru_cache
from typing import Any, TypeVar

from card_data.mindbug import load_sets, parse_set
from card_data.mindbug.schema import CardSet
from simcore.mindbug import CardTable, compile_cards

#: The fields of a card, as in a card file; ``power`` is 5 if left out, and none with a ``cost``.
Fields = Mapping[str, Any]

_Test = TypeVar("_Test", bound=Callable[..., None])


def made_set(cards: Mapping[str, Fields]) -> CardSet:
    """A set of cards, each with its id and the fields of its card file."""
    return parse_set(_card_file(cards), "made.toml")


def _card_file(cards: Mapping[str, Fields]) -> str:
    lines = ['name = "Made"']
    for card_id, fields in cards.items():
        lines.append(f"[{card_id}]")
        facts = {"name": card_id, **({} if "cost" in fields else {"power": 5}), **fields}
        lines += [f"{key} = {json.dumps(value)}" for key, value in facts.items()]
    return "\n".join(lines)


def made_table(cards: Mapping[str, Fields], **settings: Any) -> CardTable:
    """The compiled cards of First Contact and of ``cards``, compiled once for both engines."""
    return _compiled(_card_file(cards), **settings)


@lru_cache(maxsize=100)
def _compiled(card_file: str, **settings: Any) -> CardTable:
    return compile_cards([*_first_contact(), parse_set(card_file, "made.toml")], **settings)


@cache
def _first_contact() -> list[CardSet]:
    return load_sets(["first_contact"])


class Covered:
    """Which words of the vocabulary the tests of a module are about."""

    def __init__(self) -> None:
        self.words: list[IntEnum] = []

    def __call__(self, *words: IntEnum) -> Callable[[_Test], _Test]:
        """Decorate a test with the words that it is about."""

        def note(test: _Test) -> _Test:
            self.words.extend(words)
            return test

        return note

    def missing(self, *lists: Iterable[IntEnum]) -> list[IntEnum]:
        """The words of some lists that no test is about."""
        # Members of different lists are equal as numbers, so they are told apart by their names.
        known = {(type(word).__name__, word.name) for word in self.words}
        return [w for words in lists for w in words if (type(w).__name__, w.name) not in known]
