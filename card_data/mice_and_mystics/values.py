"""What a field of a file can hold: how it is read and checked, written, and told of.

A kind of value is read by ``read(reader, at, value)``, which notes what is wrong and then returns
what can be gone on with, and written by ``write(value)``.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Protocol

from attrs import frozen

from card_data.faults import shown
from card_data.mice_and_mystics.facts import CONFIDENCES, Band, Effect, Group
from card_data.mice_and_mystics.limits import EFFECTS, FIGURES, NUMBER, PAGES
from card_data.mice_and_mystics.operations import OPERATIONS, PLACES, Form
from card_data.mice_and_mystics.value_reader import At, ValueReader
from card_data.table_reader import MAX_NAME, is_name
from card_data.toml_writer import quoted

#: Values of more items, or of a longer line, are written with one item a line.
MAX_WIDTH = 100
#: Characters of a text such as a source.
MAX_TEXT = 1_500
#: In place of a default: the field must be there.
REQUIRED: Any = object()


class Kind(Protocol):
    """A kind of value; ``allowed`` says in words what it can be."""

    @property
    def allowed(self) -> str:
        """What can stand there, in words."""

    def read(self, reader: ValueReader, at: At, value: Any) -> Any:
        """The value as the facts have it; what is wrong is noted."""

    def write(self, value: Any) -> str:
        """The value as TOML."""


@frozen
class Whole:
    """A whole number."""

    least: int
    most: int

    @property
    def allowed(self) -> str:
        """What can stand there, in words."""
        if self.least == self.most:
            return f"the number {self.least}"
        return f"a whole number from {self.least} to {self.most}"

    def read(self, reader: ValueReader, at: At, value: Any) -> int:
        """The number; the least one where there is no proper one."""
        if type(value) is int and self.least <= value <= self.most:
            return value
        if isinstance(value, str) and re.fullmatch(r"\s*-?\d{1,4}\s*", value):
            problem = f"{shown(value)} is a text; remove the quotes: {at.field} = {int(value)}"
            reader.fault(at, problem, word=value)
        else:
            reader.refuse(at, value, self.allowed)
        return self.least

    def write(self, value: int) -> str:
        """The value as TOML."""
        return str(value)


@frozen
class YesNo:
    """A truth value."""

    allowed: str = "true or false"

    def read(self, reader: ValueReader, at: At, value: Any) -> bool:
        """The truth value; False where there is none."""
        if not isinstance(value, bool):
            reader.refuse(at, value, self.allowed)
        return value is True

    def write(self, value: bool) -> str:
        """The value as TOML."""
        return quoted(value)


@frozen
class Text:
    """A text in one line for readers alone, or a name."""

    most: int = MAX_TEXT

    @property
    def allowed(self) -> str:
        """What can stand there, in words."""
        return f"a text of 1 to {self.most:,} printable characters"

    def read(self, reader: ValueReader, at: At, value: Any) -> str:
        """The text; empty where there is none."""
        fits = is_name if self.most == MAX_NAME else str.isprintable
        if isinstance(value, str) and fits(value) and 1 <= len(value) <= self.most:
            return value
        reader.refuse(at, value, self.allowed)
        return ""

    def write(self, value: str) -> str:
        """The value as TOML."""
        return quoted(value)


@frozen
class Word:
    """One of a closed list of words."""

    words: tuple[str, ...]

    @property
    def allowed(self) -> str:
        """What can stand there, in words."""
        return "one of " + ", ".join(f"`{word}`" for word in self.words)

    def read(self, reader: ValueReader, at: At, value: Any) -> str:
        """The word; the first one where there is none."""
        return reader.word(at, value, self.words)

    def write(self, value: str) -> str:
        """The value as TOML."""
        return quoted(value)


@frozen
class Words:
    """A list of words: of a closed list, or ids, which are looked up when everything is read."""

    of: str
    words: tuple[str, ...] = ()
    repeated: bool = False
    most: int = 24

    @property
    def allowed(self) -> str:
        """What can stand there, in words."""
        listed = f": {', '.join(f'`{word}`' for word in self.words)}" if self.words else ""
        return f"a list of {self.of}{listed}"

    def read(self, reader: ValueReader, at: At, value: Any) -> tuple[str, ...]:
        """The words; none twice unless they may be."""
        if not isinstance(value, list) or len(value) > self.most:
            reader.refuse(at, value, f"a list of {self.of}, {self.most} at most")
            return ()
        found: list[str] = []
        for item, word in enumerate(value):
            here = At(at.path, item)
            if not isinstance(word, str):
                reader.refuse(here, word, f"one of the {self.of}, in quotes")
            elif self.words and word not in self.words:
                reader.word(here, word, self.words)
            elif word in found and not self.repeated:
                reader.fault(here, f"{shown(word)} is named twice", word=word)
            else:
                found.append(word)
        return tuple(found)

    def write(self, value: tuple[str, ...]) -> str:
        """The value as TOML."""
        return quoted(list(value))


@frozen
class TileId:
    """The id of a tile, which may be a number."""

    allowed: str = "the id of a tile, such as 5"

    def read(self, reader: ValueReader, at: At, value: Any) -> str:
        """The id as a text."""
        if type(value) is int or isinstance(value, str):
            return str(value)
        reader.refuse(at, value, self.allowed)
        return ""

    def write(self, value: str) -> str:
        """The value as TOML."""
        return value if value.isdigit() and value[0] != "0" else quoted(value)


@frozen
class TileIds:
    """A list of ids of tiles."""

    allowed: str = "a list of ids of tiles, such as [5, 6]"

    def read(self, reader: ValueReader, at: At, value: Any) -> tuple[str, ...]:
        """The ids as texts."""
        if not isinstance(value, list):
            reader.refuse(at, value, self.allowed)
            return ()
        return tuple(
            TileId().read(reader, At(at.path, item), one) for item, one in enumerate(value)
        )

    def write(self, value: tuple[str, ...]) -> str:
        """The value as TOML."""
        return f"[{', '.join(map(TileId().write, value))}]"


@frozen
class Counts:
    """Numbers of things by their ids, such as ``{ roach = 3 }``; ``make`` says as what."""

    of: str
    make: Callable[[dict[str, int]], Any]
    take: Callable[[Any], Mapping[str, int]]
    least: int
    most: int
    example: str

    @property
    def allowed(self) -> str:
        """What can stand there, in words."""
        return f"numbers of {self.of} by their ids, such as `{self.example}`"

    def read(self, reader: ValueReader, at: At, value: Any) -> Any:
        """The numbers; what is faulty is left out."""
        found: dict[str, int] = {}
        if not isinstance(value, dict):
            reader.refuse(at, value, f"numbers of {self.of} by their ids, such as {self.example}")
            return self.make(found)
        for word, number in value.items():
            if type(number) is int and self.least <= number <= self.most:
                found[word] = number
            else:
                wanted = f"a whole number from {self.least} to {self.most}"
                reader.refuse(at, number, f"{wanted}, of {shown(word)}", word=word)
        return self.make(found)

    def write(self, value: Any) -> str:
        """The value as TOML."""
        return inline(self.take(value))


def _groups(counts: Mapping[str, int]) -> tuple[Group, ...]:
    return tuple(Group(type=minion, count=count) for minion, count in counts.items())


def _counted(groups: tuple[Group, ...]) -> dict[str, int]:
    return {group.type: group.count for group in groups}


GROUPS = Counts("minions", _groups, _counted, 1, FIGURES, "{ roach = 3 }")
PRICES = Counts("cheese", lambda prices: tuple(prices.items()), dict, 0, NUMBER, "{ healer = 1 }")


@frozen
class Cost:
    """A price in cheese: a number, or "1..3" for 1 to start and up to 3 in all."""

    allowed: str = (
        f'a whole number from 0 to {NUMBER}, or two as in `"1..3"`: 1 to start, up to 3 in all'
    )

    def read(self, reader: ValueReader, at: At, value: Any) -> tuple[int, int]:
        """The least and the most cheese."""
        if type(value) is int and 0 <= value <= NUMBER:
            return value, value
        if isinstance(value, str) and (match := re.fullmatch(r"(\d)\.\.(\d)", value)):
            least, most = int(match[1]), int(match[2])
            if 1 <= least < most:
                return least, most
        reader.refuse(at, value, self.allowed.replace("`", ""))
        return 0, 0

    def write(self, value: tuple[int, int]) -> str:
        """The value as TOML."""
        least, most = value
        return str(least) if least == most else quoted(f"{least}..{most}")


@frozen
class Bands:
    """The minions of an encounter by pages."""

    allowed: str = (
        '`{ "1-2" = { roach = 4 }, "3-" = { spider = 1 } }`: pages one after the other from 1 on,'
        " the last band open"
    )

    def read(self, reader: ValueReader, at: At, value: Any) -> tuple[Band, ...]:
        """The bands, in the order of their pages."""
        if not isinstance(value, dict) or not value:
            reader.refuse(at, value, 'bands such as { "1-2" = { roach = 4 }, "3-" = {} }')
            return ()
        bands = []
        for pages, counts in value.items():
            match = re.fullmatch(r"(\d{1,2})-(\d{1,2})?", pages)
            if not match:
                problem = f'{shown(pages)} is no range of pages; write "1-2", or "5-" at the end'
                reader.fault(at, problem, word=pages)
                continue
            last = int(match[2]) if match[2] else None
            minions = GROUPS.read(reader, at, counts)
            bands.append(Band(first=int(match[1]), last=last, minions=minions))
        if len(bands) == len(value):
            bands.sort(key=lambda band: band.first)
            self._check(reader, at, bands)
        return tuple(bands)

    def _check(self, reader: ValueReader, at: At, bands: list[Band]) -> None:
        """Notes pages that have no band, or two."""
        page: int | None = 1
        for band in bands:
            if page is None or band.first != page:
                after = (
                    "nothing may follow an open band" if page is None else f"page {page} is next"
                )
                reader.fault(
                    at, f"{after}, but a band begins on page {band.first}", word=_pages(band)
                )
                return
            if band.last is not None and not band.first <= band.last <= PAGES:
                reader.fault(at, f"'{_pages(band)}' is no range of pages", word=_pages(band))
                return
            page = None if band.last is None else band.last + 1
        if page is not None:
            reader.fault(at, f'the last band has to be open, as in "{bands[-1].first}-"')

    def write(self, value: tuple[Band, ...]) -> str:
        """The value as TOML."""
        return inline({_pages(band): _counted(band.minions) for band in value})


def _pages(band: Band) -> str:
    return f"{band.first}-{'' if band.last is None else band.last}"


@frozen
class Confidences:
    """How sure single fields are."""

    allowed: str = f'`{{ battle = "verified" }}`: {", ".join(CONFIDENCES)} for single fields'

    def read(self, reader: ValueReader, at: At, value: Any) -> tuple[tuple[str, str], ...]:
        """The confidences by field; what is faulty is left out."""
        if not isinstance(value, dict):
            reader.refuse(at, value, 'a table such as { battle = "verified" }')
            return ()
        fields = reader.confidence_fields
        found = []
        for field, word in value.items():
            if field not in fields:
                problem = f"{shown(field)} is not a field of this entry"
                reader.fault(at, problem, word=field, allowed=fields)
            elif word not in CONFIDENCES:
                reader.word(at, word, CONFIDENCES)
            else:
                found.append((field, word))
        return tuple(found)

    def write(self, value: tuple[tuple[str, str], ...]) -> str:
        """The value as TOML."""
        return inline(dict(value))


@frozen(kw_only=True)
class Field:
    """A field of an entry or of a table inside one; ``default`` REQUIRED where it has none.

    ``always`` says that it is written at its default, too.  ``reads`` is how people read it where
    that is not its name with what it holds, as ``{} dice``; one for 1 may come first: ``{} die|{}
    dice``.
    """

    name: str
    kind: Kind
    meaning: str
    default: Any = REQUIRED
    always: bool = False
    reads: str = ""

    @property
    def required(self) -> bool:
        """Whether it must be there."""
        return self.default is REQUIRED


@frozen
class Record:
    """A table inside an entry, as an object of a class."""

    cls: type
    fields: tuple[Field, ...]
    example: str

    @property
    def allowed(self) -> str:
        """What can stand there, in words."""
        return f"a table such as `{self.example}`"

    def read(self, reader: ValueReader, at: At, value: Any) -> Any:
        """The object, None where there is none."""
        if not isinstance(value, dict):
            reader.refuse(at, value, self.allowed.replace("`", ""))
            return None
        names = tuple(field.name for field in self.fields)
        for key in value:
            if key not in names:
                problem = f"{shown(key)} is not a field here"
                left = tuple(name for name in names if name not in value)
                reader.fault(at, problem, word=key, allowed=left)
        found = {}
        for field in self.fields:
            if field.name in value:
                found[field.name] = field.kind.read(reader, at, value[field.name])
            elif field.required:
                reader.fault(at, f"the field '{field.name}' is missing here")
                return None
            else:
                found[field.name] = field.default
        return self.cls(**found)

    def write(self, value: Any) -> str:
        """The value as TOML."""
        parts = [
            f"{field.name} = {field.kind.write(getattr(value, field.name))}"
            for field in self.fields
            if field.required or getattr(value, field.name) != field.default
        ]
        return f"{{ {', '.join(parts)} }}"


@frozen
class Records:
    """A list of tables, as objects of a class."""

    one: Record
    most: int

    @property
    def allowed(self) -> str:
        """What can stand there, in words."""
        return f"a list of tables such as `{self.one.example}`"

    def read(self, reader: ValueReader, at: At, value: Any) -> tuple[Any, ...]:
        """The objects; what is faulty is left out."""
        if not isinstance(value, list):
            reader.refuse(at, value, self.allowed.replace("`", ""))
            return ()
        if len(value) > self.most:
            reader.fault(at, f"there are {len(value):,} of them; {self.most} are the most")
            return ()
        found = [self.one.read(reader, At(at.path, item), one) for item, one in enumerate(value)]
        return tuple(one for one in found if one is not None)

    def write(self, value: tuple[Any, ...]) -> str:
        """The value as TOML."""
        return several([self.one.write(one) for one in value])


@frozen
class Effects:
    """A list of effects, by the forms of their operations that may stand where they do."""

    allowed: str = 'a list of effects such as `{ op = "battle", delta = 1 }`'

    def read(self, reader: ValueReader, at: At, value: Any) -> tuple[Effect, ...]:
        """The effects, with the fields that were left out; what is faulty is left out."""
        if not isinstance(value, list) or len(value) > EFFECTS:
            reader.refuse(at, value, f"{self.allowed.replace('`', '')}, {EFFECTS} at most")
            return ()
        found = [self._effect(reader, At(at.path, item), one) for item, one in enumerate(value)]
        return tuple(one for one in found if one is not None)

    def _effect(self, reader: ValueReader, at: At, value: Any) -> Effect | None:
        if not isinstance(value, dict):
            reader.refuse(at, value, 'an effect such as { op = "battle", delta = 1 }')
            return None
        given = dict(value)
        op = given.pop("op", None)
        if op is None:
            reader.fault(at, "the field 'op' is missing here; it says what the effect does")
            return None
        if not isinstance(op, str):
            reader.refuse(at, op, "an operation, in quotes")
            return None
        if (form := self._form(reader, at, op, given)) is None:
            return None
        names = tuple(field.name for field in form.fields)
        n_faults = len(reader.faults)
        for key in given:
            if key not in names:
                problem = f"{shown(key)} is not a field of '{op}' here"
                left = tuple(name for name in names if name not in given)
                reader.fault(at, problem, word=key, allowed=left)
        for field in form.fields:
            if field.name not in given:
                if field.default is None:
                    reader.fault(at, f"'{op}' needs '{field.name}': {field.allowed}", word=op)
            elif not field.accepts(given[field.name]):
                problem = f"{shown(given[field.name])} is not {field.allowed}"
                reader.fault(at, f"'{field.name}': {problem}", word=field.name)
        if len(reader.faults) > n_faults:
            return None
        reader.check_timing(at, op, form)
        values = ((field.name, given.get(field.name, field.default)) for field in form.fields)
        return Effect(op, tuple((name, value) for name, value in values if value is not None))

    def _form(self, reader: ValueReader, at: At, op: Any, given: Mapping[str, Any]) -> Form | None:
        """The form of an operation that fits its place and its marks."""
        if not (place := reader.place):
            return None  # of a card whose type is not known
        fitting = tuple(
            name
            for name, known in OPERATIONS.items()
            if any(place in form.places for form in known)
        )
        if op not in OPERATIONS:
            reader.word(at, op, fitting, "an operation")
            return None
        forms = [form for form in OPERATIONS[op] if place in form.places]
        if not forms:
            problem = f"'{op}' cannot stand in {PLACES[place]}"
            reader.fault(at, problem, word=op, allowed=fitting, guess=False)
            return None
        for form in forms:
            if all(given.get(mark.name) in mark.words for mark in form.marks):
                return form
        ways = " or ".join(
            " with ".join(f'{mark.name} = "{mark.words[0]}"' for mark in form.marks)
            for form in forms
        )
        reader.fault(at, f"'{op}' needs {ways} here", word=op)
        return None

    def write(self, value: tuple[Effect, ...]) -> str:
        """The value as TOML."""
        return several([self._write_one(effect) for effect in value])

    def _write_one(self, effect: Effect) -> str:
        usual = {
            field.name: field.default
            for form in OPERATIONS[effect.op]
            for field in form.fields
            if field.default is not None
        }
        given = {name: value for name, value in effect.given if usual.get(name) != value}
        return inline({"op": effect.op, **given})


def inline(table: Mapping[str, Any]) -> str:
    """A table in one line, as TOML."""

    def part(value: Any) -> str:
        return inline(value) if isinstance(value, Mapping) else quoted(value)

    parts = [f"{_key(key)} = {part(value)}" for key, value in table.items()]
    return f"{{ {', '.join(parts)} }}" if parts else "{}"


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_]+", key) else quoted(key)


def several(parts: list[str]) -> str:
    """A list: one part in one line, several with a line for each."""
    if len(parts) < 2:
        return f"[{''.join(parts)}]"
    return "[\n" + "".join(f"    {part},\n" for part in parts) + "]"
