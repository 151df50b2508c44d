"""The kinds of entries of a game, each with its fields, and all kinds of one game together."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cached_property
from typing import Any, ClassVar

import attrs
from attrs import Factory, frozen
from attrs import field as attribute

from card_data.faults import did_you_mean, shown
from card_data.names import MAX_NAME, is_id
from card_data.schema.fields import Entries, Field, ListOf, Record, Text, Whole, Words, plain_words
from card_data.schema.value_reader import ValueReader
from card_data.toml_places import KeyPath
from card_data.toml_slips import Layout

#: The word in the header of an entry, and its id.
Key = tuple[str, str]
#: Measures of what an entry is worth.  Share: by how much seats that were dealt it did better than
#: all seats of their games; or within, than all seats with the same entry of the kind that it is
#: within.  Access: by how much a seat does better than in the same games without the choice of it.
#: Contrast: by how much all seats do better in games that have the entry by lot.  Swap: by how much
#: seats that have the entry do better than in the same games where it has the values of another.
SHARE, WITHIN, ACCESS, CONTRAST, SWAP = MEASURES = (
    *("share", "share within", "access", "contrast", "swap"),
)
#: What entries have besides their fields.
_GIVEN = ("id", "name", "kind")


@frozen(kw_only=True)
class Entry:
    """An entry of a file: what all of them have.  ``kind`` is the word of its kind."""

    kind: ClassVar[str] = ""

    id: str
    name: str = ""

    def __copy__(self) -> "Entry":
        return self

    def __deepcopy__(self, memo: object) -> "Entry":
        return self


def _several(names: Iterable[str]) -> tuple[str, ...]:
    return (names,) if isinstance(names, str) else tuple(names)


def _same(values: Mapping[str, Any]) -> dict[str, Any]:
    return dict(values)


def _nothing(*_: Any) -> None:
    """No further checks."""


def _all_fields(kind: "Kind") -> dict[str, Field]:
    return {"name": kind.name_field, **kind.fields, **kind.about}


def _all_names(kind: "Kind") -> tuple[str, ...]:
    tables = [one.one if isinstance(one, ListOf) else one for one in kind.fields.values()]
    inner = [name for one in tables if isinstance(one, Record) for name in one.fields]
    return (*kind.all_fields, *inner)


def _class_of(kind: "Kind") -> type[Entry]:
    """The class of the entries of a kind that has none of its own."""
    name = "".join(word.capitalize() for word in kind.word.split("_"))
    fields = {one: attribute() for one in kind.all_fields if one not in _GIVEN}
    cls: type[Entry] = attrs.make_class(
        name, fields, bases=(Entry,), frozen=True, slots=True, kw_only=True, cache_hash=True
    )
    cls.kind = kind.word
    return cls


@frozen(eq=False)
class Kind:
    """A kind of entry: the word in its header, and its fields in the order that is written.

    Attributes
    ----------
    copies
        How many copies of an entry there are: a number, or the field that holds it.
    by_lot
        So many different ones are drawn for each game; 0 for all of them.
    each_seat
        Each seat has one, by lot unless it is named.
    within
        The kind whose `Entries` bring entries of this kind into a game, "" for none.
    alike
        Fields in which "an average one in its place" must agree.
    fixed
        Fields that say which one it is, such as the place of a square: no change touches them, and
        whatever takes its place keeps them.
    measure
        One of MEASURES, "" for the one that suits how its entries come into a game.
    meaning
        What it is, for the reference page.
    name_field
        The field of the name; one that may be left out is made from the id.
    about
        Fields that say something about an entry, and never change a game.
    cls, make, take
        The class of its entries.  ``make`` turns what the fields hold into its arguments, ``take``
        an entry into those fields that it holds in another form.
    is_single, has_numbers
        Whether there is one alone, whose header has no id; whether ids may be numbers.
    most
        How many a game can have; 0 for any number.
    check_table, check_entry
        Note what is wrong with an entry besides its fields: before they are read, given the path
        and the table, and afterwards, given the entry and the fields that are faulty.
    """

    word: str
    plural: str
    fields: Mapping[str, Field]
    copies: int | str = attribute(default=1, kw_only=True)
    by_lot: int = attribute(default=0, kw_only=True)
    each_seat: bool = attribute(default=False, kw_only=True)
    within: str = attribute(default="", kw_only=True)
    alike: tuple[str, ...] = attribute(default=(), kw_only=True, converter=_several)
    fixed: tuple[str, ...] = attribute(default=(), kw_only=True, converter=_several)
    measure: str = attribute(default="", kw_only=True)
    meaning: str = attribute(default="", kw_only=True)
    name_field: Field = attribute(
        default=Text(
            MAX_NAME,
            default="",
            meaning="The name that people read.",
            left_out="made from the id",
        ),
        kw_only=True,
    )
    about: Mapping[str, Field] = attribute(factory=dict, kw_only=True)
    make: Callable[[Mapping[str, Any]], dict[str, Any]] = attribute(default=_same, kw_only=True)
    take: Callable[[Any], Mapping[str, Any]] = attribute(default=lambda _: {}, kw_only=True)
    is_single: bool = attribute(default=False, kw_only=True)
    has_numbers: bool = attribute(default=False, kw_only=True)
    most: int = attribute(default=0, kw_only=True)
    check_table: Callable[[ValueReader, KeyPath, Mapping[str, Any]], None] = attribute(
        default=_nothing, kw_only=True
    )
    check_entry: Callable[[ValueReader, Any, set[str]], None] = attribute(
        default=_nothing, kw_only=True
    )
    #: The name, the fields of this kind, and those about its entries.
    all_fields: Mapping[str, Field] = attribute(
        init=False, default=Factory(_all_fields, takes_self=True)
    )
    #: The names of all fields, those of tables inside an entry too.
    all_names: tuple[str, ...] = attribute(init=False, default=Factory(_all_names, takes_self=True))
    cls: type[Any] = attribute(default=Factory(_class_of, takes_self=True), kw_only=True)

    def __attrs_post_init__(self) -> None:
        for problem in _problems(self):
            raise ValueError(f"kind '{self.word}': {problem}")

    def with_values_of(self, entry: Any, peer: Any) -> Any:
        """An entry with the values of another; its name, copies, `fixed` and `about` stay."""
        kept = {"name", *self.about, *self.fixed, self.copies}
        own = {name: value for name, value in self.held(entry).items() if name in kept}
        return self.new(entry.id, self.held(peer) | own)

    @property
    def can_swap(self) -> bool:
        """Whether an entry can have values of another: some field of it is not fixed."""
        return bool({*self.fields} - {*self.fixed, self.copies})

    def peers(self, entry: Any, others: Iterable[Any]) -> list[Any]:
        """Those of its entries that agree with one in the fields `alike`."""
        return [
            one
            for one in others
            if one.id != entry.id
            and all(getattr(one, name) == getattr(entry, name) for name in self.alike)
        ]

    @property
    def header(self) -> str:
        """An example of a header."""
        if self.is_single:
            return f"[{self.word}]"
        return f"[{self.word}.{'5' if self.has_numbers else f'my_{self.word}'}]"

    def path(self, entry_id: str) -> KeyPath:
        """The path of the header of an entry."""
        return (self.word,) if self.is_single else (self.word, entry_id)

    def new(self, entry_id: str, values: Mapping[str, Any]) -> Any:
        """The entry with what its fields hold."""
        values = {**values, "name": values["name"] or _title(entry_id)}
        return self.cls(id=entry_id, **self.make(values))

    def held(self, entry: Any) -> dict[str, Any]:
        """What the fields of an entry hold."""
        taken = self.take(entry)
        held = {
            name: taken[name] if name in taken else getattr(entry, name) for name in self.all_fields
        }
        if not self.name_field.required and held["name"] == _title(entry.id):
            held["name"] = self.name_field.default
        return held


def _title(entry_id: str) -> str:
    words = plain_words(entry_id)
    return words[:1].upper() + words[1:]


def _problems(kind: Kind) -> Iterator[str]:
    """What is wrong with the declaration of a kind."""
    declared: Mapping[Any, Any] = kind.fields
    for name in (kind.word, kind.plural, *declared):
        if not isinstance(name, str) or not is_id(name):
            yield f"{shown(name)} is not a name: a-z, 0-9 and _, a letter first"
    for name, field in declared.items():
        if not isinstance(field, Field):
            yield f"field '{name}' is {shown(field)}; write a field such as Whole(0, 9)"
        elif name in (*_GIVEN, *kind.about):
            yield f"every entry has '{name}' already; give the field another name"
        elif not field.required and field.default and not field.holds(field.default):
            yield f"field '{name}': its default {shown(field.default)} is not {field.wanted}"
    for name, least in (("copies", 1), ("by_lot", 0)):
        number = getattr(kind, name)
        if isinstance(number, bool | float) or (isinstance(number, int) and number < least):
            yield f"{name} is {shown(number)}: a whole number from {least} on"
    each_seat: Any = kind.each_seat
    if not isinstance(each_seat, bool):
        yield f"each_seat is {shown(kind.each_seat)}: True or False"
    if isinstance(kind.copies, str) and not isinstance(kind.fields.get(kind.copies), Whole):
        yield f"copies: there is no field '{kind.copies}' that holds a whole number"
    for said in ("alike", "fixed"):
        for name in getattr(kind, said):
            if name not in kind.fields:
                yield f"{said}: there is no field '{name}'{did_you_mean(name, kind.fields, '')}"
    yield from _problems_of_measure(kind)


def _problems_of_measure(kind: Kind) -> Iterator[str]:
    if kind.measure not in ("", *MEASURES):
        meant = did_you_mean(kind.measure, MEASURES, "")
        yield f"measure: '{kind.measure}' is none of {', '.join(MEASURES)}{meant}"
    if kind.measure == CONTRAST and (not kind.by_lot or kind.each_seat):
        yield (
            f"measure '{CONTRAST}' compares games with an entry and games without it, and here all"
            " games have all of them: it needs by_lot="
        )


def _by_word(kinds: Iterable[Kind]) -> dict[str, Kind]:
    return {kind.word: kind for kind in kinds}


def _held_by(kind: Kind | None) -> list[str]:
    """The kinds whose entries those of a kind hold."""
    fields = kind.fields.values() if kind else ()
    return [field.kind for field in fields if isinstance(field, Entries)]


def _in_order(kinds: Mapping[str, Kind]) -> Iterable[Kind]:
    """The kinds, each behind those whose entries it holds.  Raises ValueError."""
    order: dict[str, Kind] = {}

    def put(word: str, above: tuple[str, ...]) -> None:
        if word in above:
            raise ValueError(f"kinds hold each other in a circle: {' → '.join((*above, word))}")
        if word not in kinds:
            raise ValueError(f"kind '{above[-1]}' holds entries of '{word}', which is not a kind")
        for other in _held_by(kinds[word]):
            put(other, (*above, word))
        order.setdefault(word, kinds[word])

    for word in kinds:
        put(word, ())
    return order.values()


@frozen(eq=False)
class Schema:
    """The kinds of entries of a game, by their words, in the order in which all is told.

    ``game`` is what a file may say at its top, so that commands for several games know whose it is;
    ``title`` is what people call the game.
    """

    kinds: Mapping[str, Kind] = attribute(converter=_by_word)
    game: str = ""
    title: str = ""

    in_order: tuple[Kind, ...] = attribute(
        init=False, default=Factory(lambda self: tuple(_in_order(self.kinds)), takes_self=True)
    )

    def __attrs_post_init__(self) -> None:
        for kind in self.kinds.values():
            if kind.word == "game":
                raise ValueError("no kind can be called 'game': a file names its game so")
            if kind.within and kind.word not in _held_by(self.kinds.get(kind.within)):
                raise ValueError(
                    f"kind '{kind.word}': within='{kind.within}' needs a kind '{kind.within}' with"
                    f' a field Entries("{kind.word}")'
                )
            holder = self.kinds.get(kind.within)
            if kind.measure == WITHIN and not (holder and holder.each_seat):
                raise ValueError(
                    f"kind '{kind.word}': measure '{WITHIN}' compares seats with the same faction,"
                    " deck or the like: it needs within= of a kind with each_seat=True"
                )

    def kind_of(self, entry: Any) -> Kind:
        """The kind of an entry."""
        return next(kind for kind in self.kinds.values() if kind.cls is type(entry))

    def key_of(self, entry: Any) -> Key:
        """The word in the header of an entry, and its id."""
        return self.kind_of(entry).word, entry.id

    @cached_property
    def layout(self) -> Layout:
        """What the files look like."""
        every = [one for kind in self.kinds.values() for one in kind.all_fields.items()]
        first = next(iter(self.kinds.values()), None)
        word = first.word if first else "entry"
        numbers = [(name, one) for name, one in every if isinstance(one, Whole)]
        name, number = numbers[0] if numbers else ("number", Whole(0, 9))
        lists = tuple(dict.fromkeys(name for name, one in every if isinstance(one, Words)))
        return Layout(
            thing="entry",
            header=first.header if first else "[entry.my_entry]",
            field=f"{name} = {max(number.low, min(2, number.high))}",
            text=f'name = "My {plain_words(word).title()}"',
            fields=tuple(dict.fromkeys(name for name, _ in every)),
            numbers=tuple(dict.fromkeys(name for name, _ in numbers)),
            lists=lists,
            words=lists,
            dotted=True,
        )
