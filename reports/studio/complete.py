"""What can be written at a place of a text, which need not be whole while somebody types."""

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from reports.studio.editing import Sheet
from reports.studio.form import Field, Forms, Kind, Offer, Shape

#: Options that are listed at most.
_MOST = 60
#: Characters before and behind a place in which its table is looked for.
_NEAR = 20_000

_TABLE = re.compile(r"^[ \t]*\[+[ \t]*([^\[\]\n]*?)[ \t]*\]", re.MULTILINE)
_KEY = re.compile(r"^[ \t]*([\w-]+)[ \t]*=[ \t]*", re.MULTILINE)
_OPEN_TABLE = re.compile(r"[ \t]*\[([\w.-]*)")
_OPEN_KEY = re.compile(r"[ \t]*([\w-]*)")
_DONE = re.compile(r"\"(?:\\.|[^\"\\\n])*\"|'[^'\n]*'|#[^\n]*\n|[^\"'#]")
_WORD = re.compile(r"[\w-]*\Z")


class Option(NamedTuple):
    """Something to choose: what it takes the place of, what is written, and what it is.

    The last ``typed`` characters before the place give way to ``text``, and the place is then
    ``back`` characters before its end.
    """

    typed: int
    text: str
    hint: str = ""
    back: int = 0


class _Value(NamedTuple):
    """A value up to a place: in a string its beginning, else None, and how many lists are open."""

    content: str | None
    depth: int


def options_in_text(forms: Forms, text: str, at: int) -> list[Option]:
    """What can be written at an offset of a file's text."""
    start, end = max(at - _NEAR, 0), at + _NEAR
    before, behind = text[start:at], text[at:end]
    line = before.rpartition("\n")[2]
    ids = _TABLE.findall(text)
    if opened := _OPEN_TABLE.fullmatch(line):
        return [*_ids(forms, opened[1], behind)][:_MOST]
    tables = [*_TABLE.finditer(before)]
    table = before[tables[-1].end() :] if tables else before
    following = _TABLE.search(behind)
    keys = _KEY.findall(table + behind[: following.start() if following else len(behind)])
    fields = _fields(forms, tables[-1][1] if tables else "", keys)
    field_at = next(reversed([*_KEY.finditer(table)]), None)
    if field_at:
        value = _value(table[field_at.end() :])
        if value and ("\n" not in table[field_at.end() :] or value.depth):
            field = next((one for one in fields if one.name == field_at[1]), None)
            return [*_values(field, value, table, behind, ids)][:_MOST] if field else []
    if opened := _OPEN_KEY.fullmatch(line):
        return [*_names([one for one in fields if one.name not in keys], opened[1])]
    return []


def options_in_field(forms: Forms, text: str, entry: str, name: str, content: str) -> list[Option]:
    """What can be written behind ``content`` in a field of an entry.  Raises InputError."""
    sheet = Sheet(forms, text)
    ids = [one for one in sheet.kinds if one != entry]
    return _offered(sheet.field(entry, name), content, ids)[:_MOST]


def options_of_names(kind: Kind, content: str) -> list[Option]:
    """The entries that come with the game by what their names begin with."""
    named = [Option(len(content), name) for name in kind.known()]
    return [one for one in named if _begins(one.text, content)][:_MOST]


def _begins(word: str, typed: str) -> bool:
    """Whether a word goes on what is typed."""
    return word.casefold().startswith(typed.casefold()) and word != typed


def _fields(forms: Forms, header: str, keys: Sequence[str]) -> Sequence[Field]:
    """The fields of the table with this header, of which these are there."""
    data: dict[str, Any] = dict.fromkeys(keys)
    path = tuple(part.strip("\"' ") for part in header.split(".")) if header else ()
    for part in reversed(path):
        data = {part: data}
    kind = forms.kind_of(data).get(path, "")
    return forms.fields(kind) if kind or not header else ()


def _ids(forms: Forms, typed: str, behind: str) -> Iterator[Option]:
    """Ids of entries that come with the game, to be changed in the file."""
    close = "" if behind.startswith("]") else "]"
    for kind in forms.kinds.values():
        for name, lines in kind.known().items():
            found = _TABLE.match(lines)
            if found and _begins(found[1], typed):
                yield Option(len(typed), found[1] + close, name)


def _names(fields: Sequence[Field], typed: str) -> Iterator[Option]:
    """Names of fields, with what surrounds their values."""
    for field in fields:
        if _begins(field.name, typed):
            is_list = field.shape is Shape.WORDS or (
                field.shape is Shape.LINES and not field.can_be_one
            )
            is_text = field.shape in (Shape.TEXT, Shape.LINE, Shape.LINES, Shape.CHOICE)
            around = "[]" if is_list else '""' if is_text else ""
            said = f"{field.name} = {around}"
            yield Option(len(typed), said, field.meaning, len(around) // 2)


def _value(text: str) -> _Value | None:
    """How far a value is that begins here; None inside a comment."""
    at, depth = 0, 0
    while found := _DONE.match(text, at):
        depth += (found[0] == "[") - (found[0] == "]")
        at = found.end()
    rest = text[at:]
    if rest.startswith("#") or "\n" in rest:
        return None
    return _Value(rest[1:] if rest else None, depth)


def _values(
    field: Field, value: _Value, before: str, behind: str, ids: Sequence[str]
) -> Iterator[Option]:
    """What a field can hold at a place of its value."""
    if value.content is not None:
        whole = field.shape in (Shape.WORDS, Shape.CHOICE)
        close = '"' if whole and behind[:1] not in ('"', "'") else ""
        for one in _offered(field, value.content, ids):
            yield one._replace(text=one.text + close)
        return
    found = _WORD.search(before)
    typed = found[0] if found else ""
    is_word = field.shape is Shape.CHOICE or (field.shape is Shape.WORDS and value.depth)
    words = [f'"{one}"' for one in field.options] if is_word else []
    words = ["true", "false"] if field.shape is Shape.YES else words
    for word in words:
        if _begins(word.strip('"'), typed):
            yield Option(len(typed), word)


def _offered(field: Field, content: str, ids: Sequence[str]) -> list[Option]:
    """What can stand behind the beginning of a text."""
    offered: Sequence[Offer] = field.offers(content, ids) if field.offers else ()
    if field.options:
        offered = [Offer(len(content), one) for one in field.options if _begins(one, content)]
    return [Option(*one) for one in offered]
