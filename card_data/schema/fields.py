"""The fields of entries: how what they hold is read, checked, written, described and stepped."""

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, ClassVar

from attrs import evolve, frozen
from attrs import field as attribute

from card_data.faults import shown
from card_data.names import MAX_NAME, is_name
from card_data.schema.value_reader import At, ValueReader
from card_data.toml_places import TomlPlaces
from card_data.toml_writer import quoted
from card_data.typed_numbers import decimal_number, whole_number

#: Characters of a text such as a source.
MAX_TEXT = 1_500
#: In place of a default: the field must be there.
REQUIRED: Any = object()
#: Values of a fraction that are tried, evenly between its ends.
_FRACTIONS = 20
_SPELLED = {"true": True, "yes": True, "on": True, "false": False, "no": False, "off": False}

#: A JSON Schema, or a part of one.
Json = dict[str, Any]


@frozen
class Parameter:
    """Something in a value that can be stepped; ``put`` makes the value with another one there.

    ``path`` says which one it is, ``label`` says so to people.  ``others`` is everything else that
    it can be, numbers upwards.
    """

    path: str
    label: str
    value: Any
    others: tuple[Any, ...]
    put: Callable[[Any], Any]

    def inside(self, path: str, label: str, whole: Callable[[Any], Any]) -> "Parameter":
        """The same of something larger, which ``whole`` makes from this value."""
        return Parameter(
            ".".join(filter(None, (path, self.path))),
            ", ".join(filter(None, (label, self.label))),
            *(self.value, self.others),
            put=lambda to: whole(self.put(to)),
        )


def number(
    path: str, label: str, value: int, low: int, high: int, put: Callable[[int], Any]
) -> Parameter:
    """A whole number in a value, with its range."""
    others = tuple(one for one in range(low, high + 1) if one != value)
    return Parameter(path, label, value, others, put)


def replaced(items: tuple[Any, ...], at: int, item: Any) -> tuple[Any, ...]:
    """A list with another object at a place."""
    return (*items[:at], item, *items[at + 1 :])


def plain_words(name: str) -> str:
    """A name of a file as words."""
    return name.replace("_", " ")


def _of_toml(text: str) -> Any:
    """The value that a text of TOML says.  Raises ValueError."""
    import tomllib

    return tomllib.loads(f"value = {text}")["value"]


def _kept(default: Any) -> Any:
    if isinstance(default, dict):
        return EntryCounts(default)
    return tuple(default) if isinstance(default, list) else default


@frozen(kw_only=True, eq=False)
class Field(ABC):
    """A field of an entry, or of a table inside one.

    ``default`` is what it holds where it is left out, REQUIRED where it may not be; with ``always``
    it is written at its default, too.  ``reads`` is how people read it where that is not its name
    with what it holds, as ``{} dice``; one for 1 may come first: ``{} die|{} dice``.  ``left_out``
    says of its default what the reference page has to say.
    """

    default: Any = attribute(default=REQUIRED, converter=_kept)
    meaning: str = ""
    always: bool = False
    reads: str = ""
    left_out: str = ""

    #: Whether what can be stepped in it is told without the name of the field.
    tells_parameters: ClassVar[bool] = False

    @property
    def required(self) -> bool:
        """Whether it must be there."""
        return self.default is REQUIRED

    @property
    @abstractmethod
    def allowed(self) -> str:
        """What can stand there, in words."""

    @property
    def several(self) -> str:
        """What can stand there in a list, in words."""
        return f"values, each {self.allowed}"

    @property
    def wanted(self) -> str:
        """What can stand there, for a message."""
        return self.allowed.replace("`", "")

    @abstractmethod
    def read(self, reader: ValueReader, at: At, value: Any) -> Any:
        """The value as entries have it; what is wrong is noted, and the rest gone on with."""

    def write(self, value: Any) -> str:
        """The value as TOML."""
        return quoted(value)

    def json_schema(self) -> Json:
        """The JSON Schema of the value; anything where a schema cannot say it."""
        return {}

    def parameters(self, value: Any, held: Mapping[str, Any]) -> Iterable[Parameter]:  # noqa: ARG002
        """Everything in a value that can be stepped; ``held`` is all that its entry holds."""
        return ()

    def spelled(self, text: str) -> Any:
        """The value that a text on a command line spells, as a file would have it."""
        try:
            return _of_toml(text)
        except ValueError:
            return text

    def checked(self, value: Any) -> Any:
        """The value as entries have it.  Raises ValueError."""
        reader = ValueReader("", TomlPlaces(""))
        found = self.read(reader, At(("",)), value)
        if reader.faults:
            raise ValueError("; ".join(str(evolve(one, file="", line=0)) for one in reader.faults))
        return found

    def typed(self, text: str) -> Any:
        """The value that a text on a command line spells.  Raises ValueError."""
        return self.checked(self.spelled(text))

    def holds(self, value: Any) -> bool:
        """Whether it can hold a value, as entries have it."""
        try:
            self.checked(_of_toml(self.write(value)))
        except (ValueError, TypeError, AttributeError):
            return False
        return True


# ---------------------------------------------------------------- single values


@frozen(eq=False)
class Whole(Field):
    """A whole number."""

    low: int
    high: int

    def __attrs_post_init__(self) -> None:
        _check_range(self.low, self.high)

    @property
    def allowed(self) -> str:
        """What can stand there, in words."""
        if self.low == self.high:
            return f"the number {self.low}"
        return f"a whole number from {self.low} to {self.high}"

    @property
    def several(self) -> str:
        """What can stand there in a list, in words."""
        return f"whole numbers from {self.low} to {self.high}"

    def read(self, reader: ValueReader, at: At, value: Any) -> int:
        """The number; the least one where there is no proper one."""
        if type(value) is int and self.low <= value <= self.high:
            return value
        if isinstance(value, str) and re.fullmatch(r"\s*-?\d{1,4}\s*", value):
            problem = f"{shown(value)} is a text; remove the quotes: {at.field} = {int(value)}"
            reader.fault(at, problem, word=value)
        else:
            reader.refuse(at, value, self.allowed)
        return self.low

    def json_schema(self) -> Json:
        """The JSON Schema of the value."""
        return {"type": "integer", "minimum": self.low, "maximum": self.high}

    def parameters(self, value: Any, held: Mapping[str, Any]) -> Iterable[Parameter]:  # noqa: ARG002
        """The number, unless it is the default of a field that was left out, such as None."""
        if type(value) is int and self.low <= value <= self.high:
            yield number("", "", value, self.low, self.high, lambda to: to)

    def spelled(self, text: str) -> Any:
        """The number that a text spells, or the text if it spells none."""
        try:
            return whole_number(text)
        except ValueError:
            return text


@frozen(eq=False)
class Real(Field):
    """A number with a fraction."""

    low: float
    high: float

    def __attrs_post_init__(self) -> None:
        _check_range(self.low, self.high)

    @property
    def allowed(self) -> str:
        """What can stand there, in words."""
        return f"a number from {self.low:g} to {self.high:g}"

    def read(self, reader: ValueReader, at: At, value: Any) -> float:
        """The number; the least one where there is no proper one."""
        if type(value) in (int, float) and self.low <= value <= self.high:
            return float(value)
        if isinstance(value, str) and re.fullmatch(r"\s*-?\d{1,9}(\.\d{1,9})?\s*", value):
            problem = f"{shown(value)} is a text; remove the quotes: {at.field} = {value.strip()}"
            reader.fault(at, problem, word=value)
        else:
            reader.refuse(at, value, self.allowed)
        return float(self.low)

    def json_schema(self) -> Json:
        """The JSON Schema of the value."""
        return {"type": "number", "minimum": self.low, "maximum": self.high}

    def parameters(self, value: Any, held: Mapping[str, Any]) -> Iterable[Parameter]:  # noqa: ARG002
        """The number; a few others of its range are tried."""
        if isinstance(value, float):
            width = self.high - self.low
            others = [round(self.low + width * i / _FRACTIONS, 9) for i in range(_FRACTIONS + 1)]
            yield Parameter("", "", value, tuple(one for one in others if one != value), float)

    def spelled(self, text: str) -> Any:
        """The number that a text spells, or the text if it spells none."""
        try:
            return decimal_number(text)
        except ValueError:
            return text


def _check_range(low: float, high: float) -> None:
    for end in (low, high):
        if isinstance(end, bool) or not isinstance(end, int | float):
            raise ValueError(f"the ends of a range are numbers, not {shown(end)}")
    if low > high:
        raise ValueError(f"a range from {low} to {high} is empty; write the lower end first")


@frozen(eq=False)
class Flag(Field):
    """A truth value."""

    allowed = "true or false"

    def read(self, reader: ValueReader, at: At, value: Any) -> bool:
        """The truth value; False where there is none."""
        if not isinstance(value, bool):
            reader.refuse(at, value, self.allowed)
        return value is True

    def json_schema(self) -> Json:
        """The JSON Schema of the value."""
        return {"type": "boolean"}

    def parameters(self, value: Any, held: Mapping[str, Any]) -> Iterable[Parameter]:  # noqa: ARG002
        """The truth value."""
        yield Parameter("", "", value, (not value,), bool)

    def spelled(self, text: str) -> Any:
        """The truth value that a text spells, or the text if it spells none."""
        return _SPELLED.get(text.strip().lower(), text)


@frozen(eq=False)
class Text(Field):
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

    def json_schema(self) -> Json:
        """The JSON Schema of the value."""
        return {"type": "string", "minLength": 1, "maxLength": self.most}

    def spelled(self, text: str) -> str:
        """The text."""
        return text


def _words(words: Iterable[str]) -> tuple[str, ...]:
    if isinstance(words, str):
        raise ValueError(f'words are a list, such as ["{words}"]')
    found = tuple(words)
    if not all(isinstance(word, str) and word for word in found):
        raise ValueError(f"words are texts, not {shown(list(found))}")
    if len(set(found)) < len(found):
        raise ValueError(f"a word stands twice in {shown(list(found))}")
    return found


@frozen(eq=False)
class Choice(Field):
    """One of a closed list of words."""

    words: tuple[str, ...] = attribute(converter=_words)

    def __attrs_post_init__(self) -> None:
        if not self.words:
            raise ValueError("there is nothing to choose from: name the words")

    @property
    def allowed(self) -> str:
        """What can stand there, in words."""
        return "one of " + ", ".join(f"`{word}`" for word in self.words)

    def read(self, reader: ValueReader, at: At, value: Any) -> str:
        """The word; the first one where there is none."""
        return reader.word(at, value, self.words)

    def json_schema(self) -> Json:
        """The JSON Schema of the value."""
        return {"enum": [*self.words]}

    def parameters(self, value: Any, held: Mapping[str, Any]) -> Iterable[Parameter]:  # noqa: ARG002
        """The word, unless it is the default of a field that was left out."""
        if value in self.words:
            others = tuple(word for word in self.words if word != value)
            yield Parameter("", "", value, others, str)

    def spelled(self, text: str) -> str:
        """The word."""
        return text.strip()


@frozen(eq=False)
class Words(Field):
    """A list of words: of a closed list, or any, such as ids that are looked up later."""

    words: tuple[str, ...] = attribute(default=(), converter=_words)
    of: str = attribute(default="words", kw_only=True)
    repeated: bool = attribute(default=False, kw_only=True)
    most: int = attribute(default=24, kw_only=True)

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

    def json_schema(self) -> Json:
        """The JSON Schema of the value."""
        item = {"enum": [*self.words]} if self.words else {"type": "string"}
        listed = {"type": "array", "items": item, "maxItems": self.most}
        return listed if self.repeated else {**listed, "uniqueItems": True}

    def parameters(self, value: Any, held: Mapping[str, Any]) -> Iterable[Parameter]:  # noqa: ARG002
        """Each word of the closed list: whether it is there."""
        for word in self.words:
            others = tuple(one for one in self.words if one in value and one != word)
            both = tuple(one for one in self.words if one in value or one == word)
            there = word in value
            yield Parameter(
                word,
                plain_words(word),
                there,
                (not there,),
                {True: both, False: others}.__getitem__,
            )

    def spelled(self, text: str) -> list[str]:
        """The words, with commas or spaces between them."""
        return re.findall(r"[^\s,]+", text)


# ---------------------------------------------------------------- several values


@frozen(eq=False)
class Counts(Field):
    """Numbers of things by their ids, such as ``{ roach = 3 }``, as pairs."""

    of: str = attribute(kw_only=True)
    low: int = attribute(kw_only=True)
    high: int = attribute(kw_only=True)
    example: str = attribute(kw_only=True)

    @property
    def allowed(self) -> str:
        """What can stand there, in words."""
        return f"numbers of {self.of} by their ids, such as `{self.example}`"

    def made(self, counts: Mapping[str, int]) -> Any:
        """The value with some numbers."""
        return tuple(counts.items())

    def counted(self, value: Any) -> dict[str, int]:
        """The numbers by the ids."""
        return dict(value)

    def read(self, reader: ValueReader, at: At, value: Any) -> Any:
        """The numbers; what is faulty is left out."""
        found: dict[str, int] = {}
        if not isinstance(value, dict):
            reader.refuse(at, value, self.wanted)
            return self.made(found)
        for word, count in value.items():
            if type(count) is int and self.low <= count <= self.high:
                found[word] = count
            else:
                wanted = f"a whole number from {self.low} to {self.high}"
                reader.refuse(at, count, f"{wanted}, of {shown(word)}", word=word)
        return self.made(found)

    def write(self, value: Any) -> str:
        """The value as TOML."""
        return inline(self.counted(value))

    def parameters(self, value: Any, held: Mapping[str, Any]) -> Iterable[Parameter]:  # noqa: ARG002
        """Each of the numbers; one of several things can be left out."""
        counts = self.counted(value)
        low = 0 if len(counts) > 1 else self.low

        def put(word: str, to: int) -> Any:
            new = {**counts, word: to}
            return self.made({one: n for one, n in new.items() if n or not self.low})

        for word, count in counts.items():
            yield number(word, plain_words(word), count, low, self.high, partial(put, word))


class EntryCounts(Mapping[Any, int]):
    """Numbers of entries, which never change: ``deck.cards[card]``."""

    __slots__ = ("_counts", "_hash")

    def __init__(self, counts: Mapping[Any, int]) -> None:
        self._counts = dict(counts)
        self._hash: int | None = None

    def __getitem__(self, entry: Any) -> int:
        return self._counts[entry]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._counts)

    def __len__(self) -> int:
        return len(self._counts)

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(tuple(self._counts.items()))
        return self._hash

    def __repr__(self) -> str:
        return repr(self._counts)


@frozen(eq=False)
class Entries(Counts):
    """Entries of a kind with their numbers: what a deck or a faction holds."""

    kind: str
    of: str = attribute(default="entries", kw_only=True)
    low: int = attribute(default=1, kw_only=True)
    high: int = attribute(default=99, kw_only=True)
    example: str = attribute(default="{ my_entry = 3 }", kw_only=True)

    @property
    def allowed(self) -> str:
        """What can stand there, in words."""
        word = self.kind
        return f"numbers by the ids of a {plain_words(word)}, such as `{{ my_{word} = 3 }}`"

    def made(self, counts: Mapping[str, int]) -> EntryCounts:
        """The value with some numbers; ids stand for entries until all are read."""
        return EntryCounts(counts)

    def counted(self, value: Any) -> dict[str, int]:
        """The numbers by the ids."""
        return {one if isinstance(one, str) else one.id: n for one, n in dict(value).items()}

    def json_schema(self) -> Json:
        """The JSON Schema of the value."""
        count = {"type": "integer", "minimum": self.low, "maximum": self.high}
        return {"type": "object", "additionalProperties": count}


@frozen(eq=False)
class Record(Field):
    """A table inside an entry, as an object of a class.

    ``key`` are fields that tell one from another in a list.
    """

    cls: type
    fields: Mapping[str, Field]
    example: str
    key: tuple[str, ...] = ()

    @property
    def allowed(self) -> str:
        """What can stand there, in words."""
        return f"a table such as `{self.example}`"

    @property
    def several(self) -> str:
        """What can stand there in a list, in words."""
        return f"tables such as `{self.example}`"

    def read(self, reader: ValueReader, at: At, value: Any) -> Any:
        """The object, None where there is none."""
        if not isinstance(value, dict):
            reader.refuse(at, value, self.wanted)
            return None
        for key in value:
            if key not in self.fields:
                problem = f"{shown(key)} is not a field here"
                left = tuple(name for name in self.fields if name not in value)
                reader.fault(at, problem, word=key, allowed=left)
        found = {}
        for name, field in self.fields.items():
            if name in value:
                found[name] = field.read(reader, at, value[name])
            elif field.required:
                reader.fault(at, f"the field '{name}' is missing here")
                return None
            else:
                found[name] = field.default
        return self.cls(**found)

    def write(self, value: Any) -> str:
        """The value as TOML."""
        parts = [
            f"{name} = {field.write(getattr(value, name))}"
            for name, field in self.fields.items()
            if field.required or getattr(value, name) != field.default
        ]
        return f"{{ {', '.join(parts)} }}"

    def json_schema(self) -> Json:
        """The JSON Schema of the value."""
        return table_schema(self.fields)

    def parameters(self, value: Any, held: Mapping[str, Any]) -> Iterable[Parameter]:
        """Those of its fields."""
        for name, field in self.fields.items() if value is not None else ():
            for one in field.parameters(getattr(value, name), held):
                label = "" if one.label else plain_words(name)
                yield one.inside(name, label, partial(with_part, value, name))

    def named(self, value: Any, at: int) -> tuple[str, str]:
        """What an object is called in a list: for a program, and for people."""
        if not self.key:
            return str(at + 1), str(at + 1)
        words = {name: str(getattr(value, name)) for name in self.key}
        said = [
            (self.fields[name].reads or "{}").format(plain_words(word))
            for name, word in words.items()
        ]
        return ".".join(words.values()), ", ".join(said)


def with_part(whole: Any, name: str, part: Any) -> Any:
    """An object with another part."""
    return evolve(whole, **{name: part})


@frozen(eq=False)
class ListOf(Field):
    """A list of what another field can hold."""

    one: Field
    most: int = 1_000

    tells_parameters: ClassVar[bool] = True

    @property
    def allowed(self) -> str:
        """What can stand there, in words."""
        return f"a list of {self.one.several}"

    def read(self, reader: ValueReader, at: At, value: Any) -> tuple[Any, ...]:
        """The values; what is faulty is left out."""
        if not isinstance(value, list):
            reader.refuse(at, value, self.wanted)
            return ()
        if len(value) > self.most:
            reader.fault(at, f"there are {len(value):,} of them; {self.most} are the most")
            return ()
        found = [self.one.read(reader, At(at.path, item), one) for item, one in enumerate(value)]
        return tuple(one for one in found if one is not None)

    def write(self, value: tuple[Any, ...]) -> str:
        """The value as TOML."""
        parts = [self.one.write(one) for one in value]
        return several(parts) if isinstance(self.one, Record) else f"[{', '.join(parts)}]"

    def json_schema(self) -> Json:
        """The JSON Schema of the value."""
        return {"type": "array", "items": self.one.json_schema(), "maxItems": self.most}

    def parameters(self, value: Any, held: Mapping[str, Any]) -> Iterable[Parameter]:
        """Those of each item."""
        for at, item in enumerate(value):
            path, label = str(at + 1), str(at + 1)
            if isinstance(self.one, Record):
                path, label = self.one.named(item, at)
            for one in self.one.parameters(item, held):
                yield one.inside(path, label, partial(replaced, value, at))


def table_schema(fields: Mapping[str, Field]) -> Json:
    """The JSON Schema of a table with some fields."""
    return {
        "type": "object",
        "properties": {
            name: {"description": one.meaning, **one.json_schema()} for name, one in fields.items()
        },
        "required": [name for name, one in fields.items() if one.required],
        "additionalProperties": False,
    }


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
