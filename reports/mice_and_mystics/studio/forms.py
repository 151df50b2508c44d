"""The form of files of entries, made of their schema; effects and rooms are written as text."""

import re
from collections.abc import Mapping
from functools import cache, partial
from typing import Any

from card_data.mice_and_mystics.entries import KINDS
from card_data.toml_places import KeyPath
from reports.studio.form import Forms, Kind, fields_of

#: The fields that name a hero, a minion or a search card by its id.
_REFERENCES = {
    "hero": (
        *(("hero", "extra_ability_class"), ("search_card", "requires")),
        *(("ability", "classes"), ("ability", "cost_by_class")),
        *(("chapter", "allowed"), ("chapter", "must_include")),
    ),
    "minion": (
        *(("minion", "initiative_card"), ("encounter", "bands"), ("encounter", "surge")),
        *(("chapter", "start"), ("chapter", "room_rules"), ("minion", "abilities")),
    ),
    "search_card": (("hero", "starting_gear"), ("hero", "innate")),
}
_HEAD = re.compile(r"^\[(\w+)\.\w+\]\nname = .*$", re.MULTILINE)


@cache
def forms() -> Forms:
    """The forms of files of entries; a new entry is like the first of its kind in the game."""
    from card_data.mice_and_mystics.entries import SCHEMA
    from card_data.schema import json_schema

    schemas = json_schema(SCHEMA)["properties"]
    kinds = {
        word: Kind(
            word.replace("_", " "),
            fields_of(schemas[word]["additionalProperties"], {}),
            _new(word),
            partial(_known, word),
        )
        for word in KINDS
    }
    return Forms((), kinds, _kind_of, _REFERENCES)


def _kind_of(data: Mapping[str, Any]) -> dict[KeyPath, str]:
    """The kind of each entry, which is in its header."""
    return {
        (word, entry_id): word
        for word in KINDS
        if isinstance(entries := data.get(word), dict)
        for entry_id, table in entries.items()
        if isinstance(table, dict)
    }


@cache
def _known(word: str) -> Mapping[str, str]:
    """The lines of all entries of a kind that the game has, by their names."""
    from card_data.mice_and_mystics import load_facts
    from card_data.mice_and_mystics.formatter import entry_text

    return {one.name: entry_text(one) for one in getattr(load_facts(), KINDS[word].plural)}


def _new(word: str) -> str:
    """The lines of a new entry."""
    return _HEAD.sub(r"[\1.{id}]\nname = {name}", next(iter(_known(word).values())), count=1)
