"""Files to entries: those of a game, and what a designer changes in them, with all faults at once.

An entry of an own file takes the place of the entry with its kind and id, as a whole; an entry with
a new id is added behind the others.
"""

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from card_data.faults import CardFileError, Fault, shown
from card_data.schema.entry_reader import EntryReader
from card_data.schema.fields import Entries, EntryCounts, plain_words
from card_data.schema.kinds import Key, Schema
from card_data.schema.value_reader import At
from card_data.toml_files import Unreadable, parse_mended, printable, read_text
from card_data.toml_places import TomlPlaces


@frozen
class Found:
    """An entry and the file that it stands in; no ``entry`` where not enough could be read."""

    reader: EntryReader
    entry: Any


@frozen
class EntryTable(Mapping[str, tuple[Any, ...]]):
    """The entries of each kind, by its word, in the order of the files; nothing in it changes."""

    _kinds: Mapping[str, tuple[Any, ...]]

    def __getitem__(self, word: str) -> tuple[Any, ...]:
        return self._kinds[word]

    def __iter__(self) -> Iterator[str]:
        return iter(self._kinds)

    def __len__(self) -> int:
        return len(self._kinds)


def read_entries(text: str, file: str, schema: Schema) -> EntryTable:
    """The entries in the text of a file.

    Raises CardFileError with everything that is wrong with it.
    """
    return _table(schema, combined([read_entry_text(text, file, schema)]))


def load_entries(
    files: Iterable[str | os.PathLike[str]],
    schema: Schema,
    own: Iterable[str | os.PathLike[str]] = (),
) -> EntryTable:
    """The entries of files; those of ``own`` files take the place of others.

    Raises CardFileError with everything that is wrong with any of the files.
    """
    readers, changed = (
        [read_entry_file(Path(file), schema) for file in some] for some in (files, own)
    )
    return _table(schema, combined([*readers, *changed], changed))


def read_entry_file(path: Path, schema: Schema) -> EntryReader:
    """The entries of a file, or what is wrong with it."""
    file = printable(path)
    try:
        text = read_text(path)
    except Unreadable as error:
        reader = EntryReader(file, TomlPlaces(""), schema)
        reader.faults += error.faults(file)
        return reader
    return read_entry_text(text, file, schema)


def read_entry_text(text: str, file: str, schema: Schema) -> EntryReader:
    """The entries in the text of a file, or what is wrong with it."""
    text, data, slips = parse_mended(text, file, schema.layout)
    reader = EntryReader(file, TomlPlaces(text), schema)
    reader.faults += slips
    if data is not None:
        reader.read(data)
    return reader


def combined(
    readers: Iterable[EntryReader],
    own: Iterable[EntryReader] = (),
    check: Callable[[Mapping[Key, Found]], object] = lambda _: None,
) -> dict[Key, Any]:
    """The entries of all files together; those of ``own`` take the place of others.

    ``check`` notes what is wrong between entries.  Raises CardFileError with everything that is
    wrong.
    """
    found: dict[Key, Found] = {}
    owners: dict[Key, EntryReader] = {}
    readers, own = list(readers), list(own)
    n_before = {id(reader): len(reader.faults) for reader in readers}
    for reader in readers:
        for key in reader.keys:
            if key in owners and (reader not in own or owners[key] in own):
                problem = f"{owners[key].file} has an entry with this id already"
                reader.note(key, reader.places.key(key), problem, found=key[1])
                continue
            owners[key] = reader
            found[key] = Found(reader, reader.entries.get(key))
    unread = [reader for reader in readers if reader.faults and not reader.keys]
    if not unread and found:
        _check_held(found)
        check(found)
    faults: list[Fault] = [
        fault
        for reader in readers
        for fault in sorted(reader.faults, key=lambda fault: (fault.line, fault.column))
    ]
    for reader in readers:  # files of a game are read once
        del reader.faults[n_before[id(reader)] :]
    if faults:
        raise CardFileError(faults)
    return {key: one.entry for key, one in found.items()}


def _check_held(found: Mapping[Key, Found]) -> None:
    """Notes entries that others hold, but nobody is."""
    ids: defaultdict[str, list[str]] = defaultdict(list)
    for word, entry_id in found:
        ids[word].append(entry_id)
    for (word, entry_id), one in found.items():
        kind = one.reader.schema.kinds[word]
        for name, field in kind.fields.items():
            if one.entry is None or not isinstance(field, Entries):
                continue
            for held in field.counted(getattr(one.entry, name)):
                if (field.kind, held) not in found:
                    problem = f"there is no {plain_words(field.kind)} {shown(held)}"
                    at = At((*kind.path(entry_id), name))
                    one.reader.fault(at, problem, word=held, allowed=tuple(ids[field.kind]))


def _table(schema: Schema, entries: Mapping[Key, Any]) -> EntryTable:
    """Entries by their kinds, each with those that it holds."""
    return linked(
        schema,
        {
            word: tuple(entry for key, entry in entries.items() if key[0] == word)
            for word in schema.kinds
        },
    )


def linked(schema: Schema, entries: Mapping[str, tuple[Any, ...]]) -> EntryTable:
    """Entries of which each holds those of the same table."""
    known: dict[Key, Any] = {}
    for kind in schema.in_order:
        fields = {name: one for name, one in kind.fields.items() if isinstance(one, Entries)}
        for entry in entries[kind.word]:
            held = {
                name: EntryCounts(
                    {
                        known[field.kind, one]: n
                        for one, n in field.counted(getattr(entry, name)).items()
                    }
                )
                for name, field in fields.items()
            }
            known[kind.word, entry.id] = evolve(entry, **held) if held else entry
    return EntryTable(
        {word: tuple(known[word, entry.id] for entry in entries[word]) for word in schema.kinds}
    )
