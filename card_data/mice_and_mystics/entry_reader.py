"""The tables of one file to entries: fields, types, limits, forms of effects, room graphs.

What needs more than one entry to be seen is looked at by ``checks.py`` when all files are read.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

from card_data.faults import shown
from card_data.mice_and_mystics.entries import CARD_FIELDS, DIE, KINDS, EntryKind
from card_data.mice_and_mystics.facts import Entry, Tile
from card_data.mice_and_mystics.graphs import check_tile
from card_data.mice_and_mystics.value_reader import At, ValueReader
from card_data.mice_and_mystics.values import Record, Records
from card_data.table_reader import MAX_NAME, is_id
from card_data.toml_places import KeyPath, TomlPlaces

#: What a file may say at its top, so that commands for several games know whose it is.
GAME = "mice_and_mystics"
#: The kind and the id of an entry.
Key = tuple[str, str]
DIE_KEY: Key = ("die", "die")

_TILE_ID = re.compile(rf"[A-Za-z0-9_]{{1,{MAX_NAME}}}")


class EntryReader(ValueReader):
    """Turns the tables of one file into entries and notes every fault on the way.

    ``keys`` are those of all entries that the file has, ``entries`` those of which enough could be
    read.
    """

    def __init__(self, file: str, places: TomlPlaces) -> None:
        super().__init__(file, places)
        self.keys: list[Key] = []
        self.entries: dict[Key, Entry] = {}

    # ------------------------------------------------------------ tables

    def read(self, data: Mapping[str, Any]) -> None:
        """Reads everything in a file."""
        headers = (*KINDS, DIE.word)
        for word, tables in data.items():
            if word == "game":
                if tables != GAME:
                    at = self.places.value((word,))
                    self.note((word,), at, f'write game = "{GAME}", or leave it out')
            elif word == DIE.word and isinstance(tables, dict):
                self.keys.append(DIE_KEY)
                self._entry(DIE, "die", (DIE.word,), tables)
            elif word in KINDS and isinstance(tables, dict):
                for entry_id, table in tables.items():
                    self._table(KINDS[word], entry_id, table)
            elif word in headers:
                problem = (
                    f"{word}s stand in tables such as [{word}.{'5' if word == 'tile' else 'x'}]"
                )
                if isinstance(tables, list):
                    problem = (
                        f"an id stands in the header: [{word}.my_{word}], in one pair of brackets"
                    )
                self.note((word,), self.places.key((word,)), problem, found=word)
            else:
                self._unknown_kind(word, tables, headers)
        if not self.keys and not self.faults:
            problem = "there is nothing in this file; an entry begins with a header: [hero.my_hero]"
            self.note((), 0, problem)

    def _unknown_kind(self, word: str, tables: Any, headers: tuple[str, ...]) -> None:
        """Notes a table or field that stands where a kind of entry should."""
        at = self.places.key((word,))
        if isinstance(tables, dict):
            first = next((key for key, one in tables.items() if isinstance(one, dict | list)), "")
            at = self.places.key((word, first)) if first else at
            header = f"[{word}.{first}]" if first else f"[{word}]"
            problem = f"{header}: {shown(word)} is not a kind of entry"
            if not first:
                problem += f"; a header is a kind and an id, such as [hero.{word}]"
        else:
            problem = f"{shown(word)} stands in no entry; put it below a header such as [hero.x]"
        more = {"found": word, "allowed": headers, "nearest": self.nearest(word, headers)}
        self.note((word,), at, problem, **more)

    def _table(self, kind: EntryKind, entry_id: str, table: Any) -> None:
        """Reads one entry with an id."""
        path: KeyPath = (kind.word, entry_id)
        if not isinstance(table, dict):
            problem = f"[{kind.word}] has no id; write [{kind.word}.my_{kind.word}]"
            self.note(path, self.places.key((kind.word,)), problem, found=entry_id)
            return
        self.keys.append((kind.word, entry_id))
        fits = _TILE_ID.fullmatch(entry_id) if kind.cls is Tile else is_id(entry_id)
        if not fits:
            wanted = (
                "letters, digits and _" if kind.cls is Tile else "a-z, 0-9 and _, a letter first"
            )
            problem = f"{shown(entry_id)} is not an id: {wanted}, at most {MAX_NAME}"
            self.note(path, self.places.key(path), problem, found=entry_id)
        self._entry(kind, entry_id, path, table)

    def _entry(self, kind: EntryKind, entry_id: str, path: KeyPath, table: dict[str, Any]) -> None:
        """Reads the fields of an entry."""
        n_faults = len(self.faults)
        fields = kind.all_fields
        names = tuple(field.name for field in fields)
        self.place = kind.place(table)
        self.confidence_fields = (*names, *_inner_names(kind))
        self.timing = table.get("timing")
        for key in table:
            if key not in names:
                left = tuple(name for name in names if name not in table)
                self.unknown((*path, key), left, f"a {kind.word.replace('_', ' ')}")
        if kind.word == "search_card":
            self._check_card_fields(path, table)
        values = {}
        for field in fields:
            at = At((*path, field.name))
            if field.name in table:
                values[field.name] = field.kind.read(self, at, table[field.name])
            elif field.required:
                self.missing(at.path)
            else:
                values[field.name] = field.default
        if any(field.required and values.get(field.name) is None for field in fields):
            return
        entry = kind.cls(id=entry_id, **kind.make(values))
        self.entries[kind.word, entry_id] = entry
        if isinstance(entry, Tile):
            check_tile(self, entry, {fault.field for fault in self.faults[n_faults:]})

    def _check_card_fields(self, path: KeyPath, table: dict[str, Any]) -> None:
        """Notes fields that a search card of its type does not have, or needs."""
        if not (card_type := table.get("type")) or not self.place:
            return
        for name, (may, must) in CARD_FIELDS.items():
            here = (*path, name)
            if name in table and card_type not in may:
                problem = f"cards of the type '{card_type}' have no field '{name}'"
                self.note(here, self.places.key(here), problem, found=name)
            elif name not in table and card_type in must:
                self.missing(here)
        if card_type in ("armor", "accessory") and ("paws" in table) != (
            table.get("slot") == "paw"
        ):
            here = (*path, "paws")
            problem = "'paws' belongs to the slot 'paw', and that slot needs it"
            self.note(here, self.places.key(here), problem)


def _inner_names(kind: EntryKind) -> Iterator[str]:
    """The fields of the tables inside an entry."""
    for field in kind.fields:
        inner = field.kind.one if isinstance(field.kind, Records) else field.kind
        if isinstance(inner, Record):
            yield from (one.name for one in inner.fields)
