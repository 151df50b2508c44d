"""Tables of a TOML text in place of others, where all else stays as it was typed."""

import tomllib
from collections.abc import Iterator, Mapping
from functools import reduce
from operator import getitem
from typing import Any, NamedTuple

from card_data.toml_places import KeyPath, Statement, TomlPlaces

_Fields = dict[KeyPath, Statement]


class _Edit(NamedTuple):
    """What comes in the place of a part of a text."""

    start: int
    end: int
    text: str


def put_tables(text: str, tables: str) -> str:
    """A TOML text with some tables in place of those of the same names; new ones come last.

    Of a table that is there, the fields whose values differ are written anew; whatever else stands
    in the text stays: comments, spelling, order.  ``tables`` has nothing but tables, which have no
    tables in them.  Raises ValueError for what is not TOML.
    """
    before, after = tomllib.loads(text), tomllib.loads(tables)
    there = _by_header(text)
    edits: list[_Edit] = []
    added: list[str] = []
    for header, fields in _by_header(tables).items():
        if header in there:
            edits += _edits(there[header], fields, text, tables, before, after)
        else:
            added.append(tables[fields[header].start : [*fields.values()][-1].end])
    # From the last to the first, so that no place moves; what is put at one place keeps its order.
    edits.sort(key=lambda edit: edit.start)
    for edit in edits[::-1]:
        text = text[: edit.start] + edit.text + text[edit.end :]
    return "\n\n".join([text.rstrip("\n"), *added]) + "\n" if added else text


def _by_header(text: str) -> dict[KeyPath, _Fields]:
    """The statements of each table, its header first."""
    found: dict[KeyPath, _Fields] = {}
    fields: _Fields = {}
    for path, statement in TomlPlaces(text).statements.items():
        if statement.is_header:
            found[path] = fields = {}
        fields[path] = statement
    return found


def _edits(
    old: _Fields,
    new: _Fields,
    text: str,
    tables: str,
    before: Mapping[str, Any],
    after: Mapping[str, Any],
) -> Iterator[_Edit]:
    """What makes a table another one, from the texts of both and from what these say."""
    end = next(iter(old.values())).end
    for path, statement in new.items():
        known = old.get(path)
        line = tables[statement.start : statement.end]
        if known is None:
            yield _Edit(end, end, f"\n{line}")  # behind the field that it follows
        elif statement.is_header or _at(before, path) == _at(after, path):
            end = known.end
        else:
            beside = f"  {known.beside[0]}" if len(known.beside) == 1 and "\n" not in line else ""
            yield _Edit(known.start, known.end, line + beside)
            end = known.end
    for path, known in old.items():
        if path not in new:
            # With the line break before it, so that no empty line is left.
            start = text.rfind("\n", 0, known.start)
            yield _Edit(max(start, 0), known.end, "")


def _at(said: Mapping[str, Any], path: KeyPath) -> Any:
    """The value at a path."""
    return reduce(getitem, path, said)
