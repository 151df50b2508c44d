"""One short text that stands for a choice of cards, so that results can say what was played."""

from collections.abc import Iterable
from enum import Enum
from typing import Any

import attrs

from card_data.mindbug.schema import CardSet, Pool


def cards_hash(sets: Iterable[CardSet]) -> str:
    """SHA-256, in hex, over everything that the cards say to the game or to a report.

    The order of sets and cards, comments and layout do not matter.  A field at its default is left
    out, so that a field which a later version adds leaves the hash of older cards alone.
    """
    import hashlib
    import json

    facts = sorted((_plain(card_set) for card_set in sets), key=lambda facts: facts["set_id"])
    text = json.dumps(facts, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def pool_hash(pool: Pool) -> str:
    """SHA-256, in hex, over the cards of a pool, as in ``cards_hash``, and its modes."""
    import hashlib
    import json

    facts = {"cards": cards_hash(pool.sets), "modes": _plain(pool.modes)}
    return hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()


def _plain(value: Any) -> Any:
    """A schema object as dicts, lists, numbers and names."""
    if attrs.has(type(value)):
        return {
            field.name: _plain(getattr(value, field.name))
            for field in attrs.fields(type(value))
            if getattr(value, field.name) != field.default
        }
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, frozenset):
        return sorted(_plain(item) for item in value)
    return [_plain(item) for item in value] if isinstance(value, tuple) else value
