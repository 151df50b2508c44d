"""A JSON Schema of files of entries, made from the registry of their fields.

``docs/mice_and_mystics_file.schema.json`` is written from it with ``python -m
card_data.mice_and_mystics.file_schema > docs/mice_and_mystics_file.schema.json``.  It knows kinds,
fields, types, ranges and words, for editors that complete and check TOML by a schema; effects,
graphs of rooms and what entries say of each other are left to the reader.
"""

import json
from functools import singledispatch
from typing import Any

from card_data.mice_and_mystics.entries import DIE, KINDS, EntryKind
from card_data.mice_and_mystics.entry_reader import GAME
from card_data.mice_and_mystics.values import (
    Field,
    Kind,
    Record,
    Records,
    Text,
    TileId,
    Whole,
    Word,
    Words,
    YesNo,
)

_Schema = dict[str, Any]


def file_schema() -> _Schema:
    """The schema of a file of entries, as values of JSON."""
    kinds = {
        word: {
            "type": "object",
            "description": f"{kind.meaning} The header is [{word}.my_{word}].",
            "additionalProperties": _entry(kind),
        }
        for word, kind in KINDS.items()
    }
    game = {"description": "The game of this file; may be left out.", "enum": [GAME]}
    return {
        "$schema": "http://json-schema.org/draft-07/schema#",
        "title": "A file of Mice & Mystics for fairdeal",
        "type": "object",
        "properties": {"game": game, **kinds, DIE.word: _entry(DIE)},
        "additionalProperties": False,
    }


def _entry(kind: EntryKind) -> _Schema:
    return {"description": kind.meaning, **_table(kind.all_fields)}


def _table(fields: tuple[Field, ...]) -> _Schema:
    return {
        "type": "object",
        "properties": {one.name: {"description": one.meaning, **_of(one.kind)} for one in fields},
        "required": [one.name for one in fields if one.required],
        "additionalProperties": False,
    }


@singledispatch
def _of(kind: Kind) -> _Schema:  # noqa: ARG001 - what is registered looks at it
    """The schema of what a field may hold; anything where a schema cannot say it."""
    return {}


@_of.register
def _(kind: Whole) -> _Schema:
    return {"type": "integer", "minimum": kind.least, "maximum": kind.most}


@_of.register
def _(_: YesNo) -> _Schema:
    return {"type": "boolean"}


@_of.register
def _(kind: Text) -> _Schema:
    return {"type": "string", "minLength": 1, "maxLength": kind.most}


@_of.register
def _(kind: Word) -> _Schema:
    return {"enum": [*kind.words]}


@_of.register
def _(kind: Words) -> _Schema:
    item = {"enum": [*kind.words]} if kind.words else {"type": "string"}
    listed = {"type": "array", "items": item, "maxItems": kind.most}
    return listed if kind.repeated else {**listed, "uniqueItems": True}


@_of.register
def _(_: TileId) -> _Schema:
    return {"type": ["string", "integer"]}


@_of.register
def _(kind: Record) -> _Schema:
    return _table(kind.fields)


@_of.register
def _(kind: Records) -> _Schema:
    return {"type": "array", "items": _table(kind.one.fields), "maxItems": kind.most}


def schema_text() -> str:
    """The schema as a file of JSON."""
    return json.dumps(file_schema(), indent=2, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    print(schema_text(), end="")
