"""Entries that were changed, as text for a file."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any, TypeVar

from attrs import evolve

from card_data.mice_and_mystics.changes import OF_ENTRIES
from card_data.mice_and_mystics.entries import SCHEMA
from card_data.mice_and_mystics.facts import Entry, Facts
from card_data.mice_and_mystics.formatter import entry_text
from card_data.mice_and_mystics.loader import read_changes
from card_data.schema.kinds import Key
from card_data.toml_places import KeyPath

_Any = TypeVar("_Any", bound=Entry)


def unsourced(entry: _Any, **fields: Any) -> _Any:
    """An entry with other numbers, for which its sources do not speak."""
    return evolve(entry, confidence="assumed", field_confidence=(), source="", note="", **fields)


def changed_text(facts: Facts, changed: Facts, own: Collection[Key]) -> str:
    """The entries in which facts differ from others, as they stand in a file.

    ``own`` are those of the file already, which keep their sources and notes.
    """
    entries = (
        entry if SCHEMA.key_of(entry) in own else unsourced(entry)
        for entry in _changed(facts, changed)
    )
    return "\n".join(map(entry_text, entries))


def own_entries(text: str, file: str) -> Mapping[KeyPath, str]:
    """The entries in the text of a file by kind and id, each as it stands in one."""
    return {SCHEMA.key_of(entry): entry_text(entry) for entry in read_changes(text, file)[0]}


def _changed(facts: Facts, changed: Facts) -> Iterator[Entry]:
    for kind in OF_ENTRIES:
        if getattr(facts, kind) is not getattr(changed, kind):
            old = set(getattr(facts, kind))
            yield from (entry for entry in getattr(changed, kind) if entry not in old)
