"""Declared state of a game: numbers, words, and zones of cards with who sees them.

A declaration stands in the body of a class of `Rules`; each game that is played has its own values.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from card_data.faults import did_you_mean
from card_data.schema import Choice as WordField
from card_data.schema import Entry
from card_data.schema import Flag as FlagField
from simcore.contract.faults import RuleError

#: What a number is at most, either way, where nothing else is said.  Compiled rules reckon in 64
#: bits, which hold the product of two such numbers.
MOST = 10**9
#: Who sees a zone: everybody, its owner, nobody, or all but its owner.
SEERS = ("all", "owner", "nobody", "others")

_Check = Callable[[str, Any], Any]


def is_seen(by: str, owner: int | None, seat: int) -> bool:
    """Whether a seat sees what an owner has, by who sees it: one of `SEERS`."""
    return by == "all" or (by == "owner" and seat == owner) or (by == "others" and seat != owner)


def _seer(_: Any, __: Any, word: str | None) -> None:
    if word not in (None, *SEERS):
        raise ValueError(f"seen_by is {word!r}; it must be one of {', '.join(SEERS)}")


def _words(one: str | Sequence[str]) -> tuple[str, ...]:
    """One word or several, as several."""
    return (one,) if isinstance(one, str) else tuple(one)


class _Declared:
    """A declaration in the body of a class; in a game stands what it declares."""

    __slots__ = ()

    if TYPE_CHECKING:

        def __get__(self, rules: object, kind: object = None) -> Any: ...

        def __set__(self, rules: object, value: Any) -> None: ...


@frozen
class Number(_Declared):
    """A whole number, or one for each seat, place, entry or word.

    ``shape`` is how many there are, or rows and columns.  ``per`` names a kind, several, or lists
    words: one number for each of their entries or words, ``self.pile[card]``.  ``low`` and ``high``
    are checked; without them it is -`MOST` to `MOST`.  ``seen_by`` is that of zones, and "all"
    where nothing is said, which `said_seen_by` keeps apart.
    """

    default: int = 0
    per_seat: bool = field(default=False, kw_only=True)
    shape: int | tuple[int, ...] = field(default=(), kw_only=True)
    per: str | Sequence[str] = field(default=(), kw_only=True)
    said_seen_by: str | None = field(default=None, kw_only=True, alias="seen_by", validator=_seer)
    low: int | None = field(default=None, kw_only=True)
    high: int | None = field(default=None, kw_only=True)

    @property
    def seen_by(self) -> str:
        """Who sees it, one of `SEERS`."""
        return self.said_seen_by or "all"

    def check(self, name: str, value: Any) -> int:
        """The value, if it can stand here.  Raises RuleError."""
        if type(value) is not int:
            if isinstance(value, bool):
                return int(value)
            hint = "; write // instead of /" if isinstance(value, float) else ""
            raise RuleError(f"self.{name} became {value!r}: whole numbers only{hint}")
        low, high = self.ends
        if not low <= value <= high:
            may_be = f"{high} or less" if value > high else f"{low} or more"
            if None not in (self.low, self.high):
                may_be = f"{low} to {high}"
            raise RuleError(f"self.{name} became {value}: it may be {may_be}")
        return value

    @property
    def ends(self) -> tuple[int, int]:
        """The least and the most that it may be."""
        return (
            -MOST if self.low is None else self.low,
            MOST if self.high is None else self.high,
        )

    def start(self, name: str, seats: int, entries: Mapping[str, Sequence[Entry]]) -> Any:
        """The values at the beginning of a game."""
        keys = self._keys(name, entries)
        shape = (self.shape,) if isinstance(self.shape, int) else self.shape
        return _nested([seats, *shape] if self.per_seat else [*shape], keys, self, name)

    def _keys(self, name: str, entries: Mapping[str, Sequence[Entry]]) -> list[Any] | None:
        words = [self.per] if isinstance(self.per, str) else [*self.per]
        if not words:
            return None
        if not {*words} & {*entries}:
            if isinstance(self.per, str):
                there = ", ".join(entries) or "none"
                raise RuleError(f"{name}: there is no kind {self.per!r}; there are: {there}")
            return words
        return [entry for word in words for entry in entries[word]]


@frozen
class Choice(WordField, _Declared):
    """A word of a list, as state of a game or as a field of entries and settings."""

    per_seat: bool = field(default=False, kw_only=True)

    def check(self, name: str, value: Any) -> str:
        """The word, if it can stand here.  Raises RuleError."""
        if value not in self.words:
            meant = did_you_mean(str(value), self.words, f"; it has {', '.join(self.words)}")
            raise RuleError(f"self.{name} became {value!r}: no word of it{meant}")
        return str(value)

    def start(self, name: str, seats: int, _: Mapping[str, Sequence[Entry]]) -> Any:
        """The words at the beginning of a game: the default, or the first."""
        first = self.default if self.default in self.words else self.words[0]
        return Checked([first] * seats, self, name) if self.per_seat else first


@frozen
class Flag(FlagField, _Declared):
    """Yes or no, as state of a game or as a field of entries and settings."""

    per_seat: bool = field(default=False, kw_only=True)

    def check(self, name: str, value: Any) -> bool:
        """The value, if it can stand here.  Raises RuleError."""
        if type(value) is not bool:
            raise RuleError(f"self.{name} became {value!r}: True or False")
        return value

    def start(self, name: str, seats: int, _: Mapping[str, Sequence[Entry]]) -> Any:
        """The values at the beginning of a game: the default, or no."""
        first = self.default is True
        return Checked([first] * seats, self, name) if self.per_seat else first


@frozen
class Cards(_Declared):
    """A zone of cards, or one for each seat.

    Attributes
    ----------
    room
        The most cards in it.
    seen_by
        "all", "owner", "nobody" or "others", all but the owner; "all" where nothing is said, which
        `said_seen_by` keeps apart.
    ordered
        Whether the order of its cards matters.
    marks
        Numbers beside each card, 0 when it arrives: ``zone.damage[i]``.
    of
        The kinds that it holds, where there are several.
    pool
        Hidden cards are exchanged between zones of one pool where a game is imagined.
    """

    room: int
    per_seat: bool = field(default=False, kw_only=True)
    said_seen_by: str | None = field(default=None, kw_only=True, alias="seen_by", validator=_seer)
    ordered: bool = field(default=True, kw_only=True)
    marks: Sequence[str] = field(default=(), kw_only=True)
    of: Sequence[str] = field(default=(), kw_only=True, converter=_words)
    pool: str = field(default="", kw_only=True)

    def __get__(self, rules: Any, kind: object = None) -> Any:
        return self if rules is None else rules._look_at(self)

    @property
    def seen_by(self) -> str:
        """Who sees what lies there, one of `SEERS`."""
        return self.said_seen_by or "all"

    @property
    def group(self) -> str:
        """The pool: its own, or the kinds."""
        return self.pool or " ".join(self.of)

    def check(self, name: str, _: Any) -> Any:
        """Refuse to put anything in the place of a zone."""
        raise RuleError(f"self.{name} is a zone: use move, deal, fill, add or shuffle")


Declaration = Number | Choice | Flag | Cards


class Checked(list[Any]):
    """Values side by side, each checked when it is written."""

    __slots__ = ("_check", "_name")

    def __init__(self, values: Iterable[Any], of: Any, name: str) -> None:
        super().__init__(values)
        self._check, self._name = of.check, name

    def __setitem__(self, place: Any, value: Any) -> None:
        super().__setitem__(place, self._check(self._name, value))

    def copied(self) -> "Checked":
        """The same values once more."""
        new = Checked.__new__(Checked)
        list.extend(new, map(copied, self))
        new._check, new._name = self._check, self._name
        return new


class Keyed(dict[Any, Any]):
    """A number for each entry or word, each checked when it is written."""

    __slots__ = ("_check", "_name")

    def __init__(self, keys: Iterable[Any], of: Number, name: str) -> None:
        super().__init__(dict.fromkeys(keys, of.default))
        self._check, self._name = of.check, name

    def __setitem__(self, key: Any, value: Any) -> None:
        self[key]
        super().__setitem__(key, self._check(self._name, value))

    def __missing__(self, key: Any) -> Any:
        what = getattr(key, "name", None) or repr(key)
        raise RuleError(f"self.{self._name} has no number for {what}")

    def copied(self) -> "Keyed":
        """The same numbers once more."""
        new = Keyed.__new__(Keyed)
        dict.update(new, self)
        new._check, new._name = self._check, self._name
        return new


def copied(value: Any) -> Any:
    """A value of declared state once more."""
    return value.copied() if isinstance(value, Checked | Keyed) else value


def _nested(sizes: Sequence[int], keys: list[Any] | None, of: Number, name: str) -> Any:
    if not sizes:
        return of.check(name, of.default) if keys is None else Keyed(keys, of, name)
    rest = [_nested(sizes[1:], keys, of, name) for _ in range(sizes[0])]
    return Checked(rest, of if len(sizes) == 1 and keys is None else _Fixed, name)


class _Fixed:
    """The check of a row of numbers, which stays the row that it is."""

    @staticmethod
    def check(name: str, value: Any) -> Any:
        raise RuleError(f"self.{name} has one number more: a whole row became {value!r}")


class ZoneOfEach(tuple["Zone", ...]):
    """A zone of each seat."""

    __slots__ = ()

    def __getattr__(self, name: str) -> Any:
        zone = self[0].name
        raise RuleError(f"each seat has its own {zone}: write self.{zone}[seat].{name}")


class Zone:
    """The cards of a zone in one game, from the bottom to the top."""

    __slots__ = ("_cards", "_changes", "_known", "_marks", "_table", "declared", "name", "seat")

    def __init__(self, declared: Cards, name: str, seat: int | None, table: Any) -> None:
        self.declared, self.name, self.seat, self._table = declared, name, seat, table
        self._cards: list[Entry] = []
        self._known: list[int] = []  # for each card a bit for each seat that was shown it
        self._marks = {mark: Checked((), Number(), f"{name}.{mark}") for mark in declared.marks}
        self._changes = 0

    # ------------------------------------------------------------ looking

    def __len__(self) -> int:
        return len(self._cards)

    def __bool__(self) -> bool:
        return bool(self._cards)

    def __contains__(self, card: object) -> bool:
        return card in self._cards

    def __iter__(self) -> Iterator[Entry]:
        changes = self._changes
        for card in self._cards:
            yield card
            if self._changes != changes:
                raise RuleError(
                    f"{self} was changed while it was looped over: note what to move, and move it"
                    " after the loop"
                )

    def __getitem__(self, place: Any) -> Entry:
        if isinstance(place, slice):
            raise RuleError(f"{self}: zone[…] takes one place")
        return self._cards[place]

    def __getattr__(self, name: str) -> Checked:
        marks: dict[str, Checked] = object.__getattribute__(self, "_marks")
        if name in marks:
            return marks[name]
        raise RuleError(
            f"{self} is a zone and has no {name}: use move, move_at, move_all, swap, deal, fill,"
            f" add, shuffle, reveal or count{', or ' + ', '.join(marks) if marks else ''}"
        )

    def __str__(self) -> str:
        return self.name if self.seat is None else f"{self.name}[{self.seat}]"

    def count(self, card: Entry) -> int:
        """How many copies of a card lie here."""
        return self._cards.count(card)

    def seen(self, seat: int) -> bool:
        """Whether a seat sees what lies here."""
        return is_seen(self.declared.seen_by, self.seat, seat)

    def sees(self, seat: int, place: int) -> bool:
        """Whether a seat sees, or was shown, the card at a place."""
        return self.seen(seat) or bool(self._known[place] >> seat & 1)

    # ------------------------------------------------------------ moving

    def move(self, card: Entry, other: "Zone") -> Entry:
        """Move one copy of a card to another zone, and give it."""
        if not isinstance(card, Entry):
            raise RuleError(f"{card!r} is no card: give the card itself, as {self} holds it")
        try:
            return self.move_at(self._cards.index(card), other)
        except ValueError:
            what = getattr(card, "name", repr(card))
            raise RuleError(f"{what} is not in {self}, which has {self._told()}") from None

    def move_at(self, place: int, other: "Zone") -> Entry:
        """Move the card at a place to another zone, and give it."""
        try:
            card = self._cards.pop(place)
        except IndexError:
            raise RuleError(f"{self} has no card {place}; it has {len(self)}") from None
        known = self._known.pop(place)
        for mark in self._marks.values():
            mark.pop(place)
        self._changes += 1
        other._arrive(card, known)
        self._table.moved(card, self, other)
        return card

    def deal(self, n: int, other: "Zone") -> int:
        """Move up to ``n`` cards from the end to another zone, and give how many there were."""
        number = min(n, len(self._cards))
        for _ in range(number):
            self.move_at(-1, other)
        return number

    def move_all(self, other: "Zone") -> int:
        """Move all cards to another zone, in their order, and give how many there were."""
        number = len(self._cards)
        for _ in range(number):
            self.move_at(0, other)
        return number

    def swap(self, other: "Zone") -> None:
        """Exchange all cards, and their marks, with another zone."""
        for name in ("_cards", "_known", "_marks"):
            mine = getattr(self, name)
            setattr(self, name, getattr(other, name))
            setattr(other, name, mine)
        self._changes += 1
        other._changes += 1

    def fill(self, cards: Iterable[Entry] | Mapping[Entry, int]) -> None:
        """Hold these cards and no others; with a number for each card, so many copies."""
        if isinstance(cards, Mapping):
            cards = [card for card, number in cards.items() for _ in range(number)]
        self._cards, self._known = [], []
        for mark in self._marks.values():
            mark.clear()
        for card in cards:
            self._arrive(card, 0)
        self._changes += 1

    def add(self, card: Entry, n: int = 1) -> None:
        """Put ``n`` new copies of a card here."""
        for _ in range(n):
            self._arrive(card, 0)
        self._changes += 1
        self._table.moved(card, None, self)

    def shuffle(self) -> None:
        """Put the cards in a random order, which nobody knows."""
        self._changes += 1
        if any(any(mark) for mark in self._marks.values()):
            raise RuleError(
                f"{self} cannot be shuffled: its cards have marks; write these after the shuffle,"
                " and what a card always is into a field of its entry"
            )
        self._cards = self._table.rng.shuffled(self._cards, "shuffle", self.name, self.seat)
        self._known = [0] * len(self._cards)

    def reveal(self, seat: int) -> None:
        """Show all cards to a seat, who knows them until they are shuffled."""
        self._known = [known | 1 << seat for known in self._known]

    def _arrive(self, card: Entry, known: int) -> None:
        if not isinstance(card, Entry):
            raise RuleError(f"{card!r} cannot lie in {self}: zones hold cards")
        if self.declared.of and card.kind not in self.declared.of:
            raise RuleError(
                f"{card.name} cannot lie in {self}, which holds {' and '.join(self.declared.of)}"
                f" (of=…), and it is a {card.kind}"
            )
        if len(self._cards) >= self.declared.room:
            raise RuleError(f"{self} is full: it has room for {self.declared.room}")
        self._cards.append(card)
        self._known.append(known)
        for mark in self._marks.values():
            mark.append(0)

    def _told(self) -> str:
        return ", ".join(card.name for card in self._cards) or "no card"

    # ------------------------------------------------------------ copies

    def copied(self, table: Any) -> "Zone":
        """The same zone in a copy of the game."""
        new = Zone.__new__(Zone)
        new.declared, new.name, new.seat, new._table = self.declared, self.name, self.seat, table
        new._cards, new._known, new._changes = [*self._cards], [*self._known], 0
        new._marks = {name: mark.copied() for name, mark in self._marks.items()}
        return new

    def replace(self, place: int, card: Entry) -> None:
        """Put another card in a place: in an imagined game."""
        self._cards[place] = card
