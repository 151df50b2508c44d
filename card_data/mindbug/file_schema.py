"""A JSON Schema of card files, made from the registries that the reader uses.

Editors complete and check a TOML file by it (taplo, which is Even Better TOML in VS Code).  It
knows fields, types, ranges and keywords; what a line of the card language means it does not know,
and neither what cards say of each other: ``fairdeal cards check`` has the last word.
"""

import json
from typing import Any

from card_data.mindbug.card_fields import CARD_FIELDS, CREATURE_FIELDS, POWER_CARD_FIELDS
from card_data.mindbug.schema import MAX_CARDS
from card_data.names import ID_PATTERN
from card_data.schema.fields import table_schema

#: What taplo and most editors read.
_DIALECT = "http://json-schema.org/draft-07/schema#"


def card_file_schema() -> dict[str, Any]:
    """The schema of a card file, as values of JSON."""
    creature_only = [name for name in CREATURE_FIELDS if name not in POWER_CARD_FIELDS]
    card = {
        "type": "object",
        "description": "A card; the word in brackets is its id.",
        "properties": table_schema(CARD_FIELDS)["properties"],
        "additionalProperties": False,
        "required": ["name"],
        # A price or an effect that is bought makes a power card; all others are creatures.
        "if": {"anyOf": [{"required": ["cost"]}, {"required": ["bought"]}]},
        "then": {
            "required": ["cost"],
            "anyOf": [{"required": ["bought"]}, {"required": ["text"]}],
            "properties": {"copies": {"minimum": 1}, **dict.fromkeys(creature_only, False)},
        },
        "else": {"required": ["power"]},
    }
    return {
        "$schema": _DIALECT,
        "title": "A card file of Mindbug for fairdeal",
        "type": "object",
        "properties": {
            "name": {
                "description": "The printed name of the set.",
                **CARD_FIELDS["name"].json_schema(),
            }
        },
        "required": ["name"],
        "propertyNames": {"pattern": ID_PATTERN},
        "additionalProperties": card,
        "minProperties": 2,
        "maxProperties": MAX_CARDS + 1,
    }


def schema_text() -> str:
    """The schema as a file of JSON."""
    return json.dumps(card_file_schema(), indent=2, ensure_ascii=False) + "\n"
