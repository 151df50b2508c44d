"""What is changed in the form, as changes of the text."""

import re
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from card_data.names import MAX_NAME, free_id
from card_data.toml_editor import (
    NotEditable,
    Value,
    says,
    with_copy,
    with_header,
    with_table,
    with_value,
    with_word,
    without_table,
)
from card_data.toml_files import Unreadable, parse_toml
from card_data.toml_places import KeyPath
from card_data.toml_writer import quoted
from reports.cli.console import InputError
from reports.studio.form import Field, Forms, Shape

_NUMBER = re.compile(r"-?\d{1,9}")
_REAL = re.compile(r"-?\d{1,9}\.\d{1,9}")


class Edited(NamedTuple):
    """A changed text, and the entry that the form shows then."""

    text: str
    entry: str


class Sheet:
    """A text of which one entry after the other can be changed; every method raises InputError."""

    def __init__(self, forms: Forms, text: str) -> None:
        self.forms, self.text = forms, text
        try:
            self.data = parse_toml(text)
        except Unreadable as error:
            line = f" (line {error.line})" if error.line else ""
            raise InputError(
                f"the form cannot change a text that cannot be read{line}; correct the text first"
            ) from None
        found = forms.kind_of(self.data)
        self.kinds = {".".join(path): kind for path, kind in found.items()}
        self._paths = {".".join(path): path for path in found}

    def with_value(self, entry: str, name: str, given: object) -> Edited:
        """Give a field of an entry, or of the file for "", another value; None takes it away."""
        field = self.field(entry, name)
        order = [one.name for one in self.forms.fields(self.kinds[entry] if entry else "")]
        value = _value(field, given, self.table(entry).get(name))
        return self._edited(entry, with_value, (*self.path(entry), name), value, order)

    def with_step(self, entry: str, name: str, by: object) -> Edited:
        """Give a whole number of an entry another value, so much more, within its ends."""
        field, now = self.field(entry, name), self.table(entry).get(name)
        if type(now) is not int or type(by) is not int or field.shape is not Shape.NUMBER:
            raise InputError(f"{name} cannot be stepped; change it in the text")
        least, most = (end if end is not None else now + by for end in (field.least, field.most))
        return self.with_value(entry, name, str(int(min(max(now + by, least), most))))

    def with_new(self, kind: str, name: str) -> Edited:
        """Add an entry: a new one, or one that comes with the game if it has that name."""
        if kind not in self.forms.kinds:
            raise InputError("there is no such kind of entry")
        form, name = self.forms.kinds[kind], name.strip()
        lines = form.known().get(name)
        if lines is None:
            lines = form.lines.replace("{id}", self._free_id(name)).replace("{name}", quoted(name))
        [path] = self.forms.kind_of(parse_toml(lines))
        if ".".join(path) in self.kinds:
            raise InputError(f"{name} is in the file already; choose it in the list")
        return self._edited(".".join(path), with_table, lines)

    def with_copy(self, entry: str) -> Edited:
        """Add a copy of an entry, with an id and a name of its own."""
        path = self._own(entry)
        old = str(self.table(entry).get("name", entry))
        names = {str(self.table(one).get("name")).casefold() for one in self.kinds}
        tries = (f"{old[: MAX_NAME - 5]} {number}" for number in range(2, len(names) + 3))
        name = next(one for one in tries if one.casefold() not in names)
        copy = self._free_id(path[-1])
        return self._edited(".".join((*path[:-1], copy)), with_copy, path, copy, name)

    def without(self, entry: str) -> Edited:
        """Take an entry away; its neighbour is shown."""
        path, all_entries = self._own(entry), [*self.kinds]
        at = all_entries.index(entry)
        rest = all_entries[:at] + all_entries[at + 1 :]
        return self._edited(rest[min(at, len(rest) - 1)] if rest else "", without_table, path)

    def renamed(self, entry: str, new: str) -> Edited:
        """Give an entry another id, also where other entries of the file name it."""
        path = self._own(entry)
        if not re.fullmatch(r"[\w-]+", new) or len(new) > MAX_NAME:
            raise InputError(f"an id has letters, digits and '_', at most {MAX_NAME}")
        if ".".join((*path[:-1], new)) in self.kinds:
            raise InputError(f"{new} is the id of another entry already")
        named = self.forms.references.get(self.kinds[entry], ())

        def change(text: str) -> str:
            text = with_header(text, path, new)
            return with_word(text, [*_naming(self.forms, text, named, path[-1])], path[-1], new)

        return self._edited(".".join((*path[:-1], new)), change)

    def path(self, entry: str) -> KeyPath:
        """The path of an entry, or for "" of the file.  Raises InputError for none."""
        return self._own(entry) if entry else ()

    def table(self, entry: str) -> Mapping[str, Any]:
        """The data of an entry, or for "" of the file.  Raises InputError for none."""
        found: Any = self.data
        for key in self.path(entry):
            found = found[key]
        return found if isinstance(found, Mapping) else {}

    def field(self, entry: str, name: str) -> Field:
        """A field of an entry, or for "" of the file.  Raises InputError for none."""
        self.path(entry)
        for one in self.forms.fields(self.kinds[entry] if entry else ""):
            if one.name == name:
                return one
        raise InputError(f"there is no field {name[:MAX_NAME]!r} in this form")

    def _own(self, entry: str) -> KeyPath:
        """The path of an entry.  Raises InputError for none."""
        if entry not in self._paths:
            raise InputError("this is in the file no more; choose another in the list")
        return self._paths[entry]

    def _free_id(self, name: str) -> str:
        """An id like a name that no entry has."""
        taken = {*self.data, *(path[-1] for path in self._paths.values())}
        return free_id(name, taken, "entry")

    def _edited(self, entry: str, change: Any, *how: Any) -> Edited:
        try:
            return Edited(change(self.text, *how), entry)
        except (NotEditable, Unreadable):
            raise InputError(
                "this is written in a way that the form cannot change; change it in the text"
            ) from None


def _naming(
    forms: Forms, text: str, named: Collection[tuple[str, str]], entry_id: str
) -> Iterator[KeyPath]:
    """The fields of a text that name an entry, of those that can."""
    data = parse_toml(text)
    for path, kind in forms.kind_of(data).items():
        table: Any = data
        for key in path:
            table = table[key]
        for field, value in table.items():
            if (kind, field) in named and says(value, entry_id):
                yield (*path, field)


def _value(field: Field, given: object, old: object) -> Value:
    """A value as the page sent it, as the field holds it."""
    if given is None:
        return None
    if isinstance(given, list) and all(isinstance(one, str) for one in given):
        if field.shape not in (Shape.WORDS, Shape.LINES):
            raise InputError(f"{field.name} holds one value")
        is_one = len(given) == 1 and field.can_be_one and not isinstance(old, list)
        return given[0] if is_one else given or None
    if not isinstance(given, str):
        raise InputError(f"{field.name} must be a text")
    if field.shape is Shape.LINE:
        return given
    if field.shape is Shape.YES:
        return given == "true" if given in ("true", "false") else None
    if field.shape is Shape.NUMBER and _NUMBER.fullmatch(given.strip()):
        return int(given)
    if field.is_real and _REAL.fullmatch(given.strip()):
        return float(given)
    return given or None
