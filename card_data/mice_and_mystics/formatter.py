"""Entries as text: the one way in which files are written."""

import re

from card_data.faults import CardFileError
from card_data.mice_and_mystics.entries import DIE, KINDS, EntryKind
from card_data.mice_and_mystics.entry_reader import GAME, EntryReader, Key
from card_data.mice_and_mystics.facts import Entry, Facts
from card_data.mice_and_mystics.loader import LAYOUT
from card_data.toml_files import parse_mended
from card_data.toml_places import TomlPlaces
from card_data.toml_writer import TomlWriter

_KINDS = {**KINDS, DIE.word: DIE}
_GAME_LINE = f'game = "{GAME}"'


def format_file(text: str, file: str = "changes.toml") -> str:
    """The text of a file in canonical form.

    Entries stay in their order, which is that of the game; their fields have a fixed one, and what
    is usual is left out.  A comment stays above, or beside, the entry or field that it was written
    at.  Raises CardFileError if single entries have faults.
    """
    text, data, slips = parse_mended(text, file, LAYOUT)
    places = TomlPlaces(text)
    reader = EntryReader(file, places)
    reader.faults += slips
    reader.read(data or {})
    if reader.faults:
        raise CardFileError(sorted(reader.faults, key=lambda fault: (fault.line, fault.column)))
    ordered = sorted(reader.entries, key=lambda key: places.key(_path(key)))
    writer = TomlWriter(places.statements)
    if data and "game" in data:
        writer.put(("game",), _GAME_LINE)
    title = re.match(r"(?:#.*\n)+(?=\n)", text)
    if title and ordered and "game" not in (data or {}):
        above = places.statements[_path(ordered[0])].above
        n_lines = title[0].count("\n")
        writer.lines += above[:n_lines]
        del above[:n_lines]
    for key in ordered:
        _write(writer, key, reader.entries[key])
    return _text(writer, places.tail)


def facts_text(facts: Facts) -> str:
    """All facts as one text, which `parse_facts` reads back: what a run folder keeps."""
    writer = TomlWriter({})
    writer.put(("game",), _GAME_LINE)
    _write(writer, (DIE.word, DIE.word), facts.die)
    for word, kind in KINDS.items():
        for entry in getattr(facts, kind.plural):
            _write(writer, (word, entry.id), entry)
    return _text(writer, [])


def entry_key(entry: Entry) -> Key:
    """The word in the header of an entry, and its id."""
    return next(word for word, kind in _KINDS.items() if kind.cls is type(entry)), entry.id


def entry_text(entry: Entry) -> str:
    """One entry as it would stand in a file."""
    writer = TomlWriter({})
    _write(writer, entry_key(entry), entry)
    return _text(writer, [])


def changes_text(facts: Facts, base: Facts) -> str:
    """What is other in facts than in a base, as an own file that is named behind it; "" if nothing.

    The die is the same in all facts.
    """
    writer = TomlWriter({})
    for word, kind in KINDS.items():
        there = set(getattr(base, kind.plural))
        for entry in getattr(facts, kind.plural):
            if entry not in there:
                _write(writer, (word, entry.id), entry)
    return f"{_GAME_LINE}\n{writer.text([])}" if writer.lines else ""


def _text(writer: TomlWriter, tail: list[str]) -> str:
    return writer.text(tail).lstrip("\n")


def _path(key: Key) -> tuple[str, ...]:
    """The path of the header of an entry."""
    return key[:1] if key[0] == DIE.word else key


def _write(writer: TomlWriter, key: Key, entry: Entry) -> None:
    """Write an entry: its header and the fields that are not as usual."""
    kind: EntryKind = _KINDS[key[0]]
    path = _path(key)
    held = kind.take(entry)
    writer.lines.append("")
    writer.put(path, f"[{'.'.join(path)}]")
    for field in kind.all_fields:
        value = held.get(field.name, getattr(entry, field.name, None))
        line = None
        if field.required or field.always or value != field.default:
            line = f"{field.name} = {field.kind.write(value)}"
        writer.put((*path, field.name), line)
