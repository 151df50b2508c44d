"""How a game's files are edited as fields: made of the JSON Schema that they have."""

import re
from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from attrs import Factory, frozen

from card_data.toml_places import KeyPath

if TYPE_CHECKING:
    from card_data.schema import Schema

#: Characters of a text beyond which it has a line of its own.
_LONG = 100
# The head of an entry, which gives way to that of a new one.
_HEAD = re.compile(r"^\[(\w+)\.\w+\]\n(?:name = .*\n)?")


class Offer(NamedTuple):
    """What can be written next, in place of the last ``typed`` characters."""

    typed: int
    text: str


#: What can stand behind the beginning of a text; also given the ids of the file's entries.
Offers = Callable[[str, Sequence[str]], Sequence[Offer]]


class Shape(StrEnum):
    """What a field holds; OTHER is written in the text alone."""

    TEXT = "text"
    NUMBER = "number"
    YES = "yes"
    CHOICE = "choice"
    WORDS = "words"
    LINE = "line"
    LINES = "lines"
    OTHER = "other"

    @property
    def is_added(self) -> bool:
        """Whether it is shown once somebody adds it."""
        return self in (Shape.LINE, Shape.LINES)


@frozen
class Field:
    """A field of an entry: its name and meaning, and what it can hold.

    ``options`` are the words of CHOICE and WORDS, ``least`` and ``most`` the ends of a NUMBER,
    which may have a fraction where it ``is_real``; LINES that ``can_be_one`` are a text where there
    is one of them, not a list.
    """

    name: str
    meaning: str
    shape: Shape
    options: tuple[str, ...] = ()
    least: float | None = None
    most: float | None = None
    is_real: bool = False
    can_be_one: bool = False
    offers: Offers | None = None


@frozen
class Kind:
    """A kind of entry: what it is called, its fields, and a new one.

    ``lines`` are those of a new one, in which ``{id}`` and ``{name}`` are its own; ``known`` are
    the lines of entries that come with the game by their names, to be changed.
    """

    title: str
    fields: Sequence[Field]
    lines: str
    known: Callable[[], Mapping[str, str]] = dict


@frozen
class Forms:
    """The forms of a game's files.

    ``file`` are the fields of a file before its entries, ``kinds`` those of entries by a word for
    each, ``kind_of`` tells the word of every entry in the data of a file.  ``references`` are the
    fields that name entries of a kind by their ids: words of kinds and names of fields.
    """

    file: Sequence[Field]
    kinds: Mapping[str, Kind]
    kind_of: Callable[[Mapping[str, Any]], Mapping[KeyPath, str]]
    references: Mapping[str, Sequence[tuple[str, str]]] = Factory(dict)

    def fields(self, kind: str) -> Sequence[Field]:
        """The fields of a kind of entry, or for "" of the file."""
        return self.kinds[kind].fields if kind else self.file


def forms_of(
    schema: "Schema",
    known: Callable[[str], Mapping[str, str]],
    references: Mapping[str, Sequence[tuple[str, str]]],
) -> Forms:
    """The forms of files of entries, made of their schema.

    ``known`` gives the lines of the entries of a kind that come with the game by their names; a new
    entry is like the first of them.  ``references`` are those of `Forms`.
    """
    from card_data.schema import json_schema

    tables = json_schema(schema)["properties"]
    words = [kind.word for kind in schema.kinds.values() if not kind.is_single]
    kinds = {
        word: Kind(
            word.replace("_", " "),
            fields_of(tables[word]["additionalProperties"], {}),
            _new(word, known(word)),
            partial(known, word),
        )
        for word in words
    }
    return Forms((), kinds, partial(_kind_of, words), references)


def _kind_of(words: Sequence[str], data: Mapping[str, Any]) -> dict[KeyPath, str]:
    """The kind of each entry, which is in its header."""
    return {
        (word, entry_id): word
        for word in words
        if isinstance(entries := data.get(word), dict)
        for entry_id, table in entries.items()
        if isinstance(table, dict)
    }


def _new(word: str, known: Mapping[str, str]) -> str:
    """The lines of a new entry."""
    like = next(iter(known.values()), f"[{word}.first]\n")
    return _HEAD.sub(r"[\1.{id}]\nname = {name}\n", like, count=1)


def fields_of(table: Mapping[str, Any], offers: Mapping[str, Offers]) -> tuple[Field, ...]:
    """The fields of a table, from its JSON Schema; ``offers`` has what its texts can say."""
    return tuple(
        _field(name, schema, offers.get(name)) for name, schema in table["properties"].items()
    )


def _field(name: str, schema: Mapping[str, Any], offers: Offers | None) -> Field:
    kind, meaning = schema.get("type"), schema.get("description", "")
    either = [one.get("type") for one in schema.get("anyOf", [])]
    item = schema.get("items", {})
    if "enum" in schema:
        return Field(name, meaning, Shape.CHOICE, _words(schema))
    if kind in ("integer", "number"):
        ends = schema.get("minimum"), schema.get("maximum")
        return Field(name, meaning, Shape.NUMBER, (), *ends, is_real=kind == "number")
    if kind == "boolean":
        return Field(name, meaning, Shape.YES)
    if kind == "string":
        is_long = schema.get("maxLength", 0) > _LONG
        return Field(name, meaning, Shape.LINE if is_long else Shape.TEXT, offers=offers)
    if kind == "array" and "enum" in item and schema.get("uniqueItems"):
        return Field(name, meaning, Shape.WORDS, _words(item))
    if either == ["string", "array"] or (kind == "array" and item.get("type") == "string"):
        return Field(name, meaning, Shape.LINES, can_be_one=bool(either), offers=offers)
    return Field(name, meaning, Shape.OTHER)


def _words(schema: Mapping[str, Any]) -> tuple[str, ...]:
    """The words of an enumeration, each in its first spelling."""
    first: dict[str, str] = {}
    for word in schema["enum"]:
        first.setdefault(word.casefold(), word)
    return tuple(first.values())
