"""The fields that only these files have: tiles, minions, prices, bands, effects and confidence."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from typing import Any, ClassVar

from attrs import frozen

from card_data.faults import shown
from card_data.mice_and_mystics.facts import CONFIDENCES, Band, Effect, Group
from card_data.mice_and_mystics.limits import EFFECTS, FIGURES, NUMBER, PAGES
from card_data.mice_and_mystics.operations import OPERATIONS, PLACES, Form, Number, form_of
from card_data.schema.fields import (
    Counts,
    Field,
    Json,
    Parameter,
    inline,
    number,
    plain_words,
    replaced,
    several,
    with_part,
)
from card_data.schema.value_reader import At, ValueReader
from card_data.toml_writer import quoted


@frozen(eq=False)
class TileId(Field):
    """The id of a tile, which may be a number."""

    allowed = "the id of a tile, such as 5"
    several = "ids of tiles, such as [5, 6]"

    def read(self, reader: ValueReader, at: At, value: Any) -> str:
        """The id as a text."""
        if type(value) is int or isinstance(value, str):
            return str(value)
        reader.refuse(at, value, self.allowed)
        return ""

    def write(self, value: str) -> str:
        """The value as TOML."""
        return value if value.isdigit() and value[0] != "0" else quoted(value)

    def json_schema(self) -> Json:
        """The JSON Schema of the value."""
        return {"type": ["string", "integer"]}


@frozen(eq=False)
class Groups(Counts):
    """Numbers of minions by their types."""

    of: str = "minions"
    low: int = 1
    high: int = FIGURES
    example: str = "{ roach = 3 }"

    def made(self, counts: Mapping[str, int]) -> tuple[Group, ...]:
        """The value with some numbers."""
        return tuple(Group(type=minion, count=count) for minion, count in counts.items())

    def counted(self, value: tuple[Group, ...]) -> dict[str, int]:
        """The numbers by the types."""
        return {group.type: group.count for group in value}


PRICES = partial(Counts, of="cheese", low=0, high=NUMBER, example="{ healer = 1 }")


@frozen(eq=False)
class Cost(Field):
    """A price in cheese: a number, or "1..3" for 1 to start and up to 3 in all."""

    allowed = (
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
        reader.refuse(at, value, self.wanted)
        return 0, 0

    def write(self, value: tuple[int, int]) -> str:
        """The value as TOML."""
        least, most = value
        return str(least) if least == most else quoted(f"{least}..{most}")

    def parameters(self, value: Any, held: Mapping[str, Any]) -> Iterable[Parameter]:  # noqa: ARG002
        """The price, or the two ends of a price that the user chooses."""
        least, most = value
        if least == most:
            yield number("", "", least, 0, NUMBER, lambda to: (to, to))
        else:
            yield number("least", "least", least, 1, most - 1, lambda to: (to, most))
            yield number("most", "most", most, least + 1, NUMBER, lambda to: (least, to))


@frozen(eq=False)
class Bands(Field):
    """The minions of an encounter by pages."""

    tells_parameters: ClassVar[bool] = True

    allowed = (
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
                problem = f'{shown(pages)} is not a range of pages; write "1-2", or "5-" at the end'
                reader.fault(at, problem, word=pages)
                continue
            last = int(match[2]) if match[2] else None
            minions = Groups().read(reader, at, counts)
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
                reader.fault(at, f"'{_pages(band)}' is not a range of pages", word=_pages(band))
                return
            page = None if band.last is None else band.last + 1
        if page is not None:
            reader.fault(at, f'the last band has to be open, as in "{bands[-1].first}-"')

    def write(self, value: tuple[Band, ...]) -> str:
        """The value as TOML."""
        return inline({_pages(band): Groups().counted(band.minions) for band in value})

    def parameters(self, value: Any, held: Mapping[str, Any]) -> Iterable[Parameter]:
        """The numbers of minions of each band."""
        for at, band in enumerate(value):
            for one in Groups().parameters(band.minions, held):
                of_band = one.inside("", "", partial(with_part, band, "minions"))
                pages = _pages(band)
                yield of_band.inside(pages, f"pages {pages}", partial(replaced, value, at))


def _pages(band: Band) -> str:
    return f"{band.first}-{'' if band.last is None else band.last}"


@frozen(eq=False)
class Confidences(Field):
    """How sure single fields are."""

    allowed = f'`{{ battle = "verified" }}`: {", ".join(CONFIDENCES)} for single fields'

    def read(self, reader: ValueReader, at: At, value: Any) -> tuple[tuple[str, str], ...]:
        """The confidences by field; what is faulty is left out."""
        if not isinstance(value, dict):
            reader.refuse(at, value, 'a table such as { battle = "verified" }')
            return ()
        fields = reader.current_fields
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


@frozen(eq=False)
class Effects(Field):
    """A list of effects, by the forms of their operations that may stand where they do.

    ``place`` is where they stand, a word of `operations.PLACES`, or says so of their entry.
    """

    place: str | Callable[[Mapping[str, Any]], str]

    tells_parameters: ClassVar[bool] = True

    def place_in(self, entry: Mapping[str, Any]) -> str:
        """Where the effects of an entry stand; "" if that cannot be known."""
        return self.place if isinstance(self.place, str) else self.place(entry)

    allowed = 'a list of effects such as `{ op = "battle", delta = 1 }`'

    def read(self, reader: ValueReader, at: At, value: Any) -> tuple[Effect, ...]:
        """The effects, with the fields that were left out; what is faulty is left out."""
        if not isinstance(value, list) or len(value) > EFFECTS:
            reader.refuse(at, value, f"{self.wanted}, {EFFECTS} at most")
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
        self._check_timing(reader, at, op, form)
        values = ((field.name, given.get(field.name, field.default)) for field in form.fields)
        return Effect(op, tuple((name, value) for name, value in values if value is not None))

    def _form(self, reader: ValueReader, at: At, op: Any, given: Mapping[str, Any]) -> Form | None:
        """The form of an operation that fits its place and its marks."""
        if not (place := self.place_in(reader.current)):
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

    def _check_timing(self, reader: ValueReader, at: At, op: str, form: Form) -> None:
        """Notes an effect that does nothing at the time that its card is used."""
        timing = reader.current.get("timing")
        if (
            not form.timings
            or self.place_in(reader.current) == "scroll"
            or not isinstance(timing, str)
        ):
            return
        if timing not in form.timings:
            problem = f"'{op}' in this form can do nothing with timing '{timing}'"
            reader.fault(at, problem, word=op, allowed=form.timings, guess=False)

    def parameters(self, value: tuple[Effect, ...], held: Mapping[str, Any]) -> Iterator[Parameter]:
        """The numbers that the operations let be another."""
        names = [effect.op for effect in value]

        def put(at: int, name: str, to: int) -> tuple[Effect, ...]:
            given = tuple((one, to if one == name else old) for one, old in value[at].given)
            return replaced(value, at, Effect(value[at].op, given))

        for at, effect in enumerate(value):
            which = "" if names.count(effect.op) == 1 else f".{at + 1}"
            for field in form_of(effect, self.place_in(held)).fields:
                count = effect.get(field.name)
                if isinstance(field, Number) and type(count) is int:
                    yield number(
                        f"{effect.op}{which}.{field.name}",
                        f"{plain_words(field.name)} of {plain_words(effect.op)}",
                        *(count, field.least, field.most),
                        put=partial(put, at, field.name),
                    )
