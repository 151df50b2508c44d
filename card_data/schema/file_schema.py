"""A JSON Schema of the files of a game, for editors that complete and check TOML by a schema.

It knows kinds, fields, types, ranges and words; what entries say of each other is left to the
reader.
"""

import json

from card_data.schema.fields import Json, table_schema
from card_data.schema.kinds import Kind, Schema


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
