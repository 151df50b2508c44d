"""Changes of a TOML text at one place: all that was not meant, comments too, stays as it is.

A change is tried on the text and on the data in it; if the changed text does not hold the changed
data, it is not made.  So a layout that `TomlPlaces` does not know is refused, never garbled.
"""

import re
from collections.abc import Sequence
from copy import deepcopy
from typing import Any

from card_data.toml_files import Unreadable, parse_toml
from card_data.toml_places import KeyPath, Statement, TomlPlaces
from card_data.toml_writer import quoted

#: What a field can be given; None takes it away.
Value = str | int | float | bool | list[Any] | dict[str, Any] | None

_INDENT = "    "


class NotEditable(Exception):
    """A place of a text that is written in a way which is not changed here."""


def with_value(
    text: str, path: KeyPath, value: Value, order: Sequence[str] = (), spelled: str = ""
) -> str:
    """A text in which the field ``path`` has this value.

    A new field stands behind all that do not follow it in ``order``.  Of a list only those items
    are written that differ.  Comments beside a field that is taken away stay.  ``spelled`` is the
    value as TOML, and needed for one that has tables in it.

    Raises
    ------
    NotEditable
        Where it is written in a way that is not known here, or its table is not there.
    Unreadable
        If the text is no TOML.
    """
    data = parse_toml(text)
    table = _table(data, path[:-1])
    old = table.get(path[-1])
    if value is None:
        table.pop(path[-1], None)
    else:
        table[path[-1]] = value
    places = TomlPlaces(text)
    known = places.statements.get(path)
    spelled = spelled or _written(value)
    if known is None:
        changed = text if value is None else _inserted(text, places, path, spelled, order)
    elif value is None:
        changed = _taken_out(text, known)
    else:
        changed = _replaced(text, known, old, value, spelled)
    return _sound(changed, data)


def with_table(text: str, lines: str) -> str:
    """A text with one more table at its end.  Raises NotEditable and Unreadable."""
    before = text.rstrip()
    changed = f"{before}\n\n{lines}" if before else lines
    return _sound(changed, {**parse_toml(text), **_merged(parse_toml(text), parse_toml(lines))})


def with_tables(text: str, tables: str, usual: str = "") -> str:
    """A text with some tables in place of those of the same headers; new ones come last.

    Of a table that is there, the fields whose values differ are changed, as `with_value` does it.
    ``tables`` has nothing but tables with headers of their own.  ``usual`` is the text spelled as
    they are, so that what is only spelled in another way stays; by default the text itself.  Raises
    NotEditable and Unreadable.
    """
    wanted, before, places = parse_toml(tables), parse_toml(usual or text), TomlPlaces(tables)
    for header in [path for path, one in places.statements.items() if one.is_header]:
        old, fields = _found(before, header), _table(wanted, header)
        if old is None:
            start, end = _extent(tables, header)
            text = with_table(text, tables[start:end] + "\n")
            continue
        for field in dict.fromkeys([*fields, *old]):
            path = *header, field
            if old.get(field) != fields.get(field):
                known = places.statements.get(path)
                spelled = tables[known.value : known.value_end] if known else ""
                text = with_value(text, path, fields.get(field), [*fields], spelled)
    return text


def without_table(text: str, header: KeyPath) -> str:
    """A text without a table and the comments right above it.  Raises NotEditable, Unreadable."""
    data = parse_toml(text)
    outer = _table(data, header[:-1])
    if outer.pop(header[-1], None) is None:
        raise NotEditable
    if not outer and len(header) > 1:
        _table(data, header[:-2]).pop(header[-2])
    start, end = _extent(text, header)
    while (above := text[:start].removesuffix("\n").rpartition("\n")[2]).lstrip().startswith("#"):
        start -= len(above) + 1
    after = text[end:].lstrip("\n")
    return _sound(text[:start].rstrip("\n") + ("\n\n" + after if after else "\n"), data)


def with_copy(text: str, header: KeyPath, copy: str, name: str) -> str:
    """A text with a copy of a table right behind it, with an id and name of its own.

    Raises NotEditable and Unreadable.
    """
    data = parse_toml(text)
    start, end = _extent(text, header)
    block = _HEADER.sub(lambda _: f"[{'.'.join((*header[:-1], copy))}]", text[start:end], count=1)
    outer = _table(data, header[:-1])
    outer[copy] = deepcopy(outer[header[-1]])
    changed = _sound(f"{text[:end]}\n\n{block}{text[end:] or chr(10)}", data)
    return with_value(changed, (*header[:-1], copy, "name"), name)


def with_header(text: str, header: KeyPath, new: str) -> str:
    """A text in which a table has another id.  Raises NotEditable and Unreadable."""
    data = parse_toml(text)
    outer = _table(data, header[:-1])
    if new in outer:
        raise NotEditable
    outer[new] = outer.pop(header[-1])
    start = _known(text, header).start
    head = f"[{'.'.join((*header[:-1], new))}]"
    return _sound(text[:start] + _HEADER.sub(lambda _: head, text[start:], count=1), data)


def with_word(text: str, fields: Sequence[KeyPath], old: str, new: str) -> str:
    """A text in which some fields say ``new`` wherever they say ``old``, as a string or a key.

    Raises NotEditable and Unreadable.
    """
    data = parse_toml(text)
    for path in fields:
        table = _table(data, path[:-1])
        table[path[-1]] = _renamed(table[path[-1]], old, new)
        places = TomlPlaces(text)
        if path not in places.statements or places.statements[path].is_header:
            raise NotEditable
        for start, end in reversed(places.words(path, old)):
            text = text[:start] + new + text[end:]
    return _sound(text, data)


def says(value: object, word: str) -> bool:
    """Whether a value has a word somewhere, as a string or a key."""
    return _renamed(value, word, "") != value


def _renamed(value: Any, old: str, new: str) -> Any:
    """A value in which a word is another one."""
    if isinstance(value, dict):
        return {_renamed(key, old, new): _renamed(one, old, new) for key, one in value.items()}
    if isinstance(value, list):
        return [_renamed(one, old, new) for one in value]
    return new if value == old else value


_HEADER = re.compile(r"\[[^\]\n]*\]")


def _table(data: dict[str, Any], path: KeyPath) -> dict[str, Any]:
    """The table at a path of the data."""
    for key in path:
        if not isinstance(data.get(key), dict):
            raise NotEditable
        data = data[key]
    return data


def _found(data: dict[str, Any], path: KeyPath) -> dict[str, Any] | None:
    """The same; None where there is none."""
    try:
        return _table(data, path)
    except NotEditable:
        return None


def _merged(data: dict[str, Any], more: dict[str, Any]) -> dict[str, Any]:
    """What the tables of ``more`` make of those of the same name."""
    if any(not isinstance(data.get(key, {}), dict) for key in more):
        raise NotEditable
    return {key: {**data.get(key, {}), **value} for key, value in more.items()}


def _sound(changed: str, wanted: dict[str, Any]) -> str:
    """The changed text, if it says what is wanted."""
    try:
        is_sound = parse_toml(changed) == wanted
    except Unreadable:
        is_sound = False
    if not is_sound:
        raise NotEditable
    return changed


def _known(text: str, path: KeyPath) -> Statement:
    try:
        return TomlPlaces(text).statements[path]
    except KeyError:
        raise NotEditable from None


def _extent(text: str, header: KeyPath) -> tuple[int, int]:
    """Where the line of a header begins, and where the last line of its table ends."""
    statements = TomlPlaces(text).statements
    if header not in statements:
        raise NotEditable
    ends = [one.end for path, one in statements.items() if path[: len(header)] == header]
    return _line_start(text, statements[header].start), max(ends)


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1


def _written(value: Value) -> str:
    """A value as it is written anew: texts of several words on lines of their own."""
    if isinstance(value, list) and any(" " in item for item in value):
        return "[\n" + "".join(f"{_INDENT}{quoted(item)},\n" for item in value) + "]"
    return quoted(value)


def _inserted(
    text: str, places: TomlPlaces, path: KeyPath, spelled: str, order: Sequence[str]
) -> str:
    """The text with a new field."""
    line = f"{path[-1]} = {spelled}"
    header, names = path[:-1], [*order]
    later = names[names.index(path[-1]) :] if path[-1] in names else []
    ends = [
        one
        for other, one in places.statements.items()
        if other == header
        or (other[:-1] == header and not one.is_header and other[-1] not in later)
    ]
    if ends:
        last = max(ends, key=lambda one: one.end)
        indent = "" if last.is_header else text[_line_start(text, last.start) : last.start]
        return f"{text[: last.end]}\n{indent}{line}{text[last.end :] or chr(10)}"
    if header:
        raise NotEditable
    lead = re.match(r"(?:[ \t]*#[^\n]*\n)+(?=\s*\n|\Z)", text)
    at = lead.end() if lead else 0
    after = text[at:].lstrip("\n")
    return text[:at] + line + "\n" + (f"\n{after}" if after else "")


def _taken_out(text: str, known: Statement) -> str:
    """The text without a field."""
    start = _line_start(text, known.start)
    indent = text[start : known.start]
    kept = "".join(f"{indent}{comment}\n" for comment in known.beside)
    return text[:start] + kept + text[known.end + 1 :]


def _replaced(text: str, known: Statement, old: object, value: Value, spelled: str) -> str:
    """The text with another value in a field; comments inside one that is written anew stay."""
    if isinstance(old, list) and isinstance(value, list) and old and value:
        is_texts = all(isinstance(item, str) for item in [*old, *value])
        if is_texts and len(known.strings) == len(old):
            return _with_items(text, known, old, value)
        if len(value) == len(old) == len(known.items):
            return _with_changed_items(text, known, old, value, spelled)
    inside = text[known.value : known.value_end]
    start = _line_start(text, known.start)
    indent = text[start : known.start]
    kept = "".join(f"{indent}{comment}\n" for comment in known.beside if comment in inside)
    return text[:start] + kept + text[start : known.value] + spelled + text[known.value_end :]


def _with_changed_items(
    text: str, known: Statement, old: list[Any], new: list[Any], spelled: str
) -> str:
    """The text with those items of a list changed that differ, of as many in both."""
    written = TomlPlaces(f"x = {spelled}")
    given = written.statements["x",]
    for at in reversed(range(len(old))):
        if old[at] != new[at]:
            item = f"x = {spelled}"[given.items[at] : given.item_ends[at]]
            text = text[: known.items[at]] + item + text[known.item_ends[at] :]
    return text


# ---------------------------------------------------------------- lists of texts


def _with_items(text: str, known: Statement, old: list[str], new: list[str]) -> str:
    """The text with other items in a list; what both lists share at their ends is not touched."""
    short = min(len(old), len(new))
    first = next((at for at in range(short) if old[at] != new[at]), short)
    most = short - first
    tail = next((at for at in range(most) if old[-1 - at] != new[-1 - at]), most)
    both = min(len(old), len(new)) - tail
    for at in reversed(range(both, len(old) - tail)):
        text = _without_item(text, known, at)
    for item in reversed(new[both : len(new) - tail]):
        text = _with_item(text, known, both, item)
    for at in reversed(range(first, both)):
        start, end = known.strings[at], known.string_ends[at]
        text = text[:start] + quoted(new[at]) + text[end:]
    return text


_COMMA = re.compile(r"[ \t]*,")


def _without_item(text: str, known: Statement, at: int) -> str:
    """The text without an item of a list that has others."""
    start, end = known.strings[at], known.string_ends[at]
    if comma := _COMMA.match(text, end):
        end = comma.end()
        end += len(text[end:]) - len(text[end:].lstrip(" \t"))
    elif at and "\n" not in text[known.string_ends[at - 1] : start]:
        start = known.string_ends[at - 1]
    line = _line_start(text, start)
    if not text[line:start].strip() and text[end : end + 1] == "\n":
        start, end = line, end + 1
    return text[:start] + text[end:]


def _with_item(text: str, known: Statement, at: int, item: str) -> str:
    """The text with one more item of a list, before the one at ``at``."""
    if at == 0:
        start = known.strings[0]
        lead = text[_line_start(text, start) : start]
        between = " " if lead.strip() else f"\n{lead}"
        return f"{text[:start]}{quoted(item)},{between}{text[start:]}"
    end = known.string_ends[at - 1]
    stop = known.strings[at] if at < len(known.strings) else known.value_end
    if "\n" not in text[end:stop]:
        return f"{text[:end]}, {quoted(item)}{text[end:]}"
    start = known.strings[at - 1]
    lead = text[_line_start(text, start) : start]
    lead = _INDENT if lead.strip() else lead
    line_end = text.index("\n", end)
    behind = text[end:line_end]
    if _COMMA.match(behind):
        return f"{text[:line_end]}\n{lead}{quoted(item)},{text[line_end:]}"
    return f"{text[:end]},{behind}\n{lead}{quoted(item)}{text[line_end:]}"
