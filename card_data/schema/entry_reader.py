"""The tables of one file to entries: kinds, ids, fields, types and limits.

What needs more than one entry to be seen is looked at when all files are read.
"""

import re
from collections.abc import Mapping
from typing import Any

from card_data.faults import shown
from card_data.names import MAX_NAME, is_id
from card_data.schema.fields import plain_words
from card_data.schema.kinds import Key, Kind, Schema
from card_data.schema.value_reader import At, ValueReader
from card_data.toml_places import KeyPath, TomlPlaces

_NUMBERED_ID = re.compile(rf"[A-Za-z0-9_]{{1,{MAX_NAME}}}")


class EntryReader(ValueReader):
    """Turns the tables of one file into entries and notes every fault on the way.

    ``keys`` are those of all entries that the file has, ``entries`` those of which enough could be
    read.
    """

    def __init__(self, file: str, places: TomlPlaces, schema: Schema) -> None:
        super().__init__(file, places)
        self.schema = schema
        self.keys: list[Key] = []
        self.entries: dict[Key, Any] = {}

    def read(self, data: Mapping[str, Any]) -> None:
        """Reads everything in a file."""
        kinds, game = self.schema.kinds, self.schema.game
        for word, tables in data.items():
            kind = kinds.get(word)
            if word == "game":
                if tables != game:
                    at = self.places.value((word,))
                    self.note((word,), at, f'write game = "{game}", or leave it out')
            elif kind is None:
                self._unknown_kind(word, tables)
            elif not isinstance(tables, dict):
                self._no_header(kind, tables)
            elif kind.is_single:
                self.keys.append((word, word))
                self._entry(kind, word, (word,), tables)
            else:
                for entry_id, table in tables.items():
                    self._table(kind, entry_id, table)
        if not self.keys and not self.faults and kinds:
            header = self.schema.layout.header
            problem = f"there is nothing in this file; an entry begins with a header: {header}"
            self.note((), 0, problem)

    def _no_header(self, kind: Kind, tables: Any) -> None:
        """Notes entries of a kind that have no header."""
        word = kind.word
        problem = f"{word}s stand in tables such as [{word}.{'5' if kind.has_numbers else 'x'}]"
        if kind.is_single:
            problem = f"there is one {word}, in a table: {kind.header}"
        elif isinstance(tables, list):
            problem = f"an id stands in the header: [{word}.my_{word}], in one pair of brackets"
        self.note((word,), self.places.key((word,)), problem, found=word)

    def _unknown_kind(self, word: str, tables: Any) -> None:
        """Notes a table or field that stands where a kind of entry should."""
        at = self.places.key((word,))
        words = tuple(self.schema.kinds)
        first_kind = words[0] if words else "entry"
        if isinstance(tables, dict):
            first = next((key for key, one in tables.items() if isinstance(one, dict | list)), "")
            at = self.places.key((word, first)) if first else at
            header = f"[{word}.{first}]" if first else f"[{word}]"
            problem = f"{header}: {shown(word)} is not a kind of entry"
            if not first:
                problem += f"; a header is a kind and an id, such as [{first_kind}.{word}]"
        else:
            problem = (
                f"{shown(word)} stands in no entry; put it below a header such as [{first_kind}.x]"
            )
        more = {"found": word, "allowed": words, "nearest": self.nearest(word, words)}
        self.note((word,), at, problem, **more)

    def _table(self, kind: Kind, entry_id: str, table: Any) -> None:
        """Reads one entry with an id."""
        path = kind.path(entry_id)
        if not isinstance(table, dict):
            problem = f"[{kind.word}] has no id; write [{kind.word}.my_{kind.word}]"
            self.note(path, self.places.key((kind.word,)), problem, found=entry_id)
            return
        self.keys.append((kind.word, entry_id))
        fits = _NUMBERED_ID.fullmatch(entry_id) if kind.has_numbers else is_id(entry_id)
        if not fits:
            wanted = (
                "letters, digits and _" if kind.has_numbers else "a-z, 0-9 and _, a letter first"
            )
            problem = f"{shown(entry_id)} is not an id: {wanted}, at most {MAX_NAME}"
            self.note(path, self.places.key(path), problem, found=entry_id)
        self._entry(kind, entry_id, path, table)

    def _entry(self, kind: Kind, entry_id: str, path: KeyPath, table: dict[str, Any]) -> None:
        """Reads the fields of an entry."""
        n_faults = len(self.faults)
        fields = kind.all_fields
        self.current, self.current_fields = table, kind.all_names
        for key in table:
            if key not in fields:
                left = tuple(name for name in fields if name not in table)
                self.unknown((*path, key), left, f"a {plain_words(kind.word)}")
        kind.check_table(self, path, table)
        values = {}
        for name, field in fields.items():
            at = At((*path, name))
            if name in table:
                values[name] = field.read(self, at, table[name])
            elif field.required:
                self.missing(at.path)
            else:
                values[name] = field.default
        if any(field.required and values.get(name) is None for name, field in fields.items()):
            return
        entry = self.entries[kind.word, entry_id] = kind.new(entry_id, values)
        kind.check_entry(self, entry, {fault.field for fault in self.faults[n_faults:]})
