"""Entries as text: the one way in which files are written, and a JSON Schema for editors."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any

from card_data.faults import CardFileError
from card_data.schema.fields import Json, table_schema
from card_data.schema.kinds import Kind, Schema
from card_data.schema.loader import read_entry_text
from card_data.toml_writer import TomlWriter


def format_entries(text: str, file: str, schema: Schema) -> str:
    """The text of a file in canonical form.

    Entries stay in their order, which is that of the game; their fields have a fixed one, and what
    is usual is left out.  A comment stays above, or beside, the entry or field that it was written
    at.  Raises CardFileError if single entries have faults.
    """
    reader = read_entry_text(text, file, schema)
    if reader.faults:
        raise CardFileError(sorted(reader.faults, key=lambda fault: (fault.line, fault.column)))
    places = reader.places
    paths = {key: schema.kinds[key[0]].path(key[1]) for key in reader.entries}
    ordered = sorted(reader.entries, key=lambda key: places.key(paths[key]))
    writer = TomlWriter(places.statements)
    has_game = ("game",) in places.statements
    if has_game:
        writer.put(("game",), game_line(schema))
    title = re.match(r"(?:#.*\n)+(?=\n)", places.text)
    if title and ordered and not has_game:
        above = places.statements[paths[ordered[0]]].above
        n_lines = title[0].count("\n")
        writer.lines += above[:n_lines]
        del above[:n_lines]
    for key in ordered:
        _write(writer, schema.kinds[key[0]], reader.entries[key])
    return _text(writer, places.tail)


def game_line(schema: Schema) -> str:
    """The line that says whose file it is."""
    return f'game = "{schema.game}"'


def entries_text(schema: Schema, entries: Mapping[str, Iterable[Any]]) -> str:
    """Entries by their kinds as the text of one file."""
    writer = TomlWriter({})
    writer.put(("game",), game_line(schema))
    for word, some in entries.items():
        for entry in some:
            _write(writer, schema.kinds[word], entry)
    return _text(writer, [])


def entry_text(schema: Schema, entry: Any) -> str:
    """One entry as it would stand in a file."""
    writer = TomlWriter({})
    _write(writer, schema.kind_of(entry), entry)
    return _text(writer, [])


def changes_text(
    schema: Schema, entries: Mapping[str, Iterable[Any]], base: Mapping[str, Iterable[Any]]
) -> str:
    """What is other than in a base, as an own file that is named behind it; "" if nothing."""
    changed = {word: [*_new(some, base.get(word, ()))] for word, some in entries.items()}
    return entries_text(schema, changed) if any(changed.values()) else ""


def _new(entries: Iterable[Any], known: Iterable[Any]) -> Iterable[Any]:
    there = set(known)
    return (entry for entry in entries if entry not in there)


def _text(writer: TomlWriter, tail: list[str]) -> str:
    return writer.text(tail).lstrip("\n")


def _write(writer: TomlWriter, kind: Kind, entry: Any) -> None:
    """Write an entry: its header and the fields that are not as usual."""
    path = kind.path(entry.id)
    held = kind.held(entry)
    writer.lines.append("")
    writer.put(path, f"[{'.'.join(path)}]")
    for name, field in kind.all_fields.items():
        line = None
        if field.required or field.always or held[name] != field.default:
            line = f"{name} = {field.write(held[name])}"
        writer.put((*path, name), line)


def json_schema(schema: Schema) -> Json:
    """The schema of a file of entries, as values of JSON."""
    game = {"description": "The game of this file; may be left out.", "enum": [schema.game]}
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": f"A file of {schema.title} for fairdeal",
        "type": "object",
        "properties": {"game": game, **{word: _kind(one) for word, one in schema.kinds.items()}},
        "additionalProperties": False,
    }


def _kind(kind: Kind) -> Json:
    entry = {"description": kind.meaning, **table_schema(kind.all_fields)}
    if kind.is_single:
        return entry
    return {
        "type": "object",
        "description": f"{kind.meaning} The header is [{kind.word}.my_{kind.word}].".strip(),
        "additionalProperties": entry,
    }


def json_schema_text(schema: Schema) -> str:
    """The schema as a file of JSON."""
    return json.dumps(json_schema(schema), indent=2, ensure_ascii=False) + "\n"
