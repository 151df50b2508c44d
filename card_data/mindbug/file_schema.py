"""A JSON Schema of card files, made from the registries that the reader uses.

Editors complete and check a TOML file by it (taplo, which is Even Better TOML in VS Code).  It
knows fields, types, ranges and keywords; what a line of the card language means it does not know,
and neither what cards say of each other: ``fairdeal cards check`` has the last word.
"""

import json
from typing import Any

from card_data.mindbug.card_reader import (
    CARD_FIELDS,
    MAX_CONSTANTS,
    POWER_CARD_FIELDS,
    TRIGGER_FIELDS,
)
from card_data.mindbug.schema import (
    MAX_CARDS,
    MAX_COPIES,
    MAX_COST,
    MAX_DICE,
    MAX_POWER,
    MIN_POWER,
)
from card_data.mindbug.vocabulary import Keyword
from card_data.table_reader import ID_PATTERN, MAX_NAME
from card_data.toml_files import MAX_LINE

#: What taplo and most editors read.
_DIALECT = "http://json-schema.org/draft-07/schema#"
_NAME = {"type": "string", "minLength": 1, "maxLength": MAX_NAME, "pattern": r"^\S(.*\S)?$"}
_LINE = {"type": "string", "minLength": 1, "maxLength": MAX_LINE}
_LIST = {"type": "array", "items": _LINE, "minItems": 1, "maxItems": MAX_CONSTANTS}
_LINES = {"anyOf": [_LINE, _LIST]}
_KEYWORDS = [spelled for word in Keyword.__members__ for spelled in (word, word.lower())]


def _whole(least: int, most: int) -> dict[str, Any]:
    return {"type": "integer", "minimum": least, "maximum": most}


#: What each field of a card may hold.
_KINDS: dict[str, dict[str, Any]] = {
    "name": _NAME,
    "power": _whole(MIN_POWER, MAX_POWER),
    "keywords": {"type": "array", "items": {"enum": _KEYWORDS}, "uniqueItems": True},
    "copies": _whole(0, MAX_COPIES),
    "dice": _whole(0, MAX_DICE),
    "evolves_to": {"type": "string", "pattern": ID_PATTERN},
    "cost": _whole(0, MAX_COST),
    **dict.fromkeys((*TRIGGER_FIELDS, "bought", "text"), _LINE),
    **dict.fromkeys(("constant", "in_discard"), _LINES),
}


def card_file_schema() -> dict[str, Any]:
    """The schema of a card file, as values of JSON."""
    fields = {name: {"description": text, **_KINDS[name]} for name, text in CARD_FIELDS.items()}
    creature_only = [name for name in CARD_FIELDS if name not in POWER_CARD_FIELDS]
    card = {
        "type": "object",
        "description": "A card; the word in brackets is its id.",
        "properties": fields,
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
        "properties": {"name": {"description": "The printed name of the set.", **_NAME}},
        "required": ["name"],
        "propertyNames": {"pattern": ID_PATTERN},
        "additionalProperties": card,
        "minProperties": 2,
        "maxProperties": MAX_CARDS + 1,
    }


def schema_text() -> str:
    """The schema as a file of JSON."""
    return json.dumps(card_file_schema(), indent=2, ensure_ascii=False) + "\n"
