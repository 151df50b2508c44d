"""The records of a compiled game: what is played, the game as it stands, what a seat may do."""

import copy
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from attrs import define, field

from card_data.schema import Entry
from card_data.schema.fields import Choice as WordField
from card_data.schema.fields import Entries as EntriesField
from card_data.schema.fields import Flag as FlagField
from card_data.schema.fields import Real, Whole, Words
from simcore.contract.compiled.floor import MOST_NUMBER
from simcore.contract.features import rounded_up
from simcore.contract.game import Score
from simcore.contract.luck import number_of
from simcore.contract.play import Table
from simcore.contract.rules import INCLUDED, Rules
from simcore.contract.state import SEERS, Cards, Choice, Flag, Number

#: Numbers that may stand behind a purpose of luck; options that a seat may have.
BEHIND, MOST_OPTIONS = 32, 2_048
_MOST_CELLS = 1 << 16
_OUTCOMES = ("highest", "rank")
# Streams of the players that each seat has.
_OF_SEATS = "player", "search", "playout"


class Unfit(Exception):
    """Something that the compiled form has no room or word for."""


@define
class Layout:
    """Where everything lies that a game of a table has.

    Entries are numbered over all kinds, from 1 on, with room for more of each; words have a number
    each, which rewriting may add to.  The first zones have the entries that are in a game, kind by
    kind; their own streams of luck come first, then those of players, then those of the rules.
    """

    table: Table
    words: dict[str, int] = field(factory=dict)
    streams: dict[tuple[str, tuple[Any, ...]], int] = field(factory=dict)
    fields: set[str] = field(factory=set)
    settings: set[str] = field(factory=set)
    seats: int = field(init=False)
    declared: Mapping[str, Any] = field(init=False)
    #: By the word of a kind its place, and the number of its first entry.
    kinds: dict[str, int] = field(init=False)
    firsts: dict[str, int] = field(init=False)
    #: By the name of what is declared as a zone its first number.
    zones: dict[str, int] = field(init=False)
    marks: dict[str, int] = field(init=False)
    n_entries: int = field(init=False)
    _rooms: list[int] = field(init=False)

    def __attrs_post_init__(self) -> None:
        game = self.table.game
        self.seats = max(game.seats)
        self.declared = game.rules._declared
        self.kinds = {kind.word: place for place, kind in enumerate(game.kinds)}
        self.firsts, number = {}, 1
        self._rooms = []
        for kind in game.kinds:
            self.firsts[kind.word] = number
            self._rooms.append(rounded_up(len(self.table.entries[kind.word])))
            number += self._rooms[-1]
        self._rooms = self._rooms or [1]
        self.n_entries = number
        if number > MOST_NUMBER:
            raise Unfit(f"more than {MOST_NUMBER:,} entries")
        self.zones, marks = {}, dict[str, int]()
        for name, one in self.declared.items():
            if isinstance(one, Cards):
                self.zones[name] = len(self._rooms)
                self._rooms += [one.room] * (self.seats if one.per_seat else 1)
                for mark in one.marks:
                    marks.setdefault(mark, len(marks))
        self.marks = marks
        for word in self.kinds:
            self.word(word)

    def of(self, table: Table) -> "Layout":
        """The same for a table with other values."""
        found = copy.copy(self)
        found.table = table
        return found

    # ------------------------------------------------------------ numbers

    def word(self, text: str) -> int:
        """The number of a word."""
        return self.words.setdefault(text, len(self.words))

    def stream(self, words: tuple[Any, ...], begins: str = "address") -> int:
        """The first stream of a purpose; where it has a number, None stands in its place.

        ``begins`` is the field of a record by which it begins: that of the luck of the game, or
        "players".
        """
        return self.streams.setdefault((begins, words), self._n_streams)

    @property
    def _n_streams(self) -> int:
        """How many streams there are: those of zones and players, then those of the rules."""
        for (_, words), number in reversed(self.streams.items()):
            return number + (BEHIND if None in words else 1)
        return len(self._rooms) + len(_OF_SEATS) * self.seats + 2 + len(self.pools)

    @property
    def pools(self) -> list[str]:
        """The pools in which hidden cards are exchanged, in their order."""
        zones = (one for one in self.declared.values() if isinstance(one, Cards))
        return [*dict.fromkeys(one.group for one in zones)]

    def field_of(self, name: str) -> list[Any]:
        """The fields of this name that kinds of entries have."""
        kinds = self.table.game.kinds
        return [kind.fields[name] for kind in kinds if name in kind.fields]

    def mask_words(self, name: str) -> list[str]:
        """The words that a list of words of this name can have, in the order of their bits."""
        found = dict.fromkeys(word for one in self.field_of(name) for word in one.words)
        if not found or len(found) > 62:
            raise Unfit(f"{name} has no list of words, or more than 62")
        return [*found]

    def dims(self, name: str) -> list[tuple[str, Any]]:
        """The dimensions of a declared number or word: over seats, places, entries, words."""
        one = self.declared[name]
        dims: list[tuple[str, Any]] = [("seats", self.seats)] if one.per_seat else []
        if isinstance(one, Number):
            shape = (one.shape,) if isinstance(one.shape, int) else one.shape
            dims += [("places", n) for n in shape]
            words = [one.per] if isinstance(one.per, str) else [*one.per]
            if words and {*words} & {*self.kinds}:
                dims.append(("entries", tuple(words)))
            elif words:
                dims.append(("words", tuple(words)))
        return dims

    def shape_of(self, name: str) -> tuple[int, ...]:
        """How many values of a declared number or word there are."""
        sizes = {"entries": lambda _: self.n_entries, "words": len}
        return tuple(sizes.get(what, lambda n: n)(of) for what, of in self.dims(name))

    # ------------------------------------------------------------ records

    @property
    def state(self) -> np.dtype:
        """The record of a game as it stands."""
        n_zones, n_cards = len(self._rooms), sum(self._rooms)
        fields: list[Any] = [
            ("address", np.uint64),
            ("players", np.uint64),
            ("acting", np.int64),
            ("at_once", np.int64),
            ("points", np.float64, (self.seats,)),
            ("results", np.float64, (self.seats,)),
            ("has", np.int64, (max(len(self.kinds), 1), self.seats)),
            ("n", np.int64, (n_zones,)),
            ("changes", np.int64, (n_zones,)),
            ("drawn", np.uint64, (self._n_streams,)),
            ("cards", np.int64, (n_cards,)),
            ("known", np.int64, (n_cards,)),
        ]
        fields.append(("marks", np.int64, (len(self.marks), n_cards)))
        for name, one in self.declared.items():
            if not isinstance(one, Cards):
                shape = self.shape_of(name)
                fields.append((f"v_{name}", np.int64, *([shape] if shape else [])))
        found = np.dtype(fields)
        if found.itemsize > 8 * _MOST_CELLS:
            raise Unfit("the game has room for too much")
        return found

    @property
    def options(self) -> np.dtype:
        """The record of what a seat may do, and of what seats have chosen."""
        return np.dtype(
            [
                ("n", np.int64),
                ("taken", np.int64, (self.seats,)),
                ("options", np.int64, (MOST_OPTIONS,)),
                ("worth", np.float64, (MOST_OPTIONS,)),
                *((name, np.int64, (sum(self._rooms),)) for name in ("zone", "place", "drawn")),
            ]
        )

    def played(self) -> np.ndarray:
        """The record of what is played, an array (1,), or of what it is with each peer (peers,)."""
        every = [self.of(table)._values() for table in self.table.swaps or [self.table]]
        kinds = [[(name, one.dtype, one.shape) for name, one in values.items()] for values in every]
        if any(kind != kinds[0] for kind in kinds):
            raise Unfit("entries that are swapped hold lists of other lengths")
        found = np.zeros(len(every), np.dtype(kinds[0]))
        for record, values in zip(found, every, strict=True):
            for name, one in values.items():
                record[name] = one
        return found

    def _values(self) -> dict[str, np.ndarray]:
        table, game = self.table, self.table.game
        teams = game.teams_of(table.seats)
        score = game.outcome if isinstance(game.outcome, Score) else None
        whole = {
            "seats": table.seats,
            "n_teams": len(teams),
            "outcome": 2 if score else _OUTCOMES.index(str(game.outcome)),
            "unit": game.unit,
            "worst": float(score.worst) if score else 0.0,
            "best": float(score.best) if score else 0.0,
            "players_key": np.uint64(number_of(("players",))),
            "first_choice": len(self._rooms),
            "search": len(self._rooms) + self.seats,
            "playout": len(self._rooms) + 2 * self.seats,
            "luck": len(self._rooms) + len(_OF_SEATS) * self.seats,
            "team_of": self._filled(
                (
                    next(place for place, team in enumerate(teams) if seat in team)
                    for seat in range(table.seats)
                ),
                self.seats,
            ),
            "team_sizes": self._filled(map(len, teams), self.seats),
            "team_seats": self._filled((seat for team in teams for seat in team), self.seats),
        }
        found = {name: np.asarray(one) for name, one in whole.items()}
        seat, entry = table.without or (-1, None)
        found |= {
            "without_seat": np.asarray(seat),
            "without": np.asarray(self.number_of(entry) if entry else 0),
            "swap_key": np.asarray(np.uint64(number_of(("swap",)))),
        }
        found |= self._values_of_zones() | self._values_of_kinds()
        for name in sorted(self.fields):
            found |= self._values_of_field(name)
        fields = {one.name: one.field for one in game.settings}
        for name in sorted(self.settings):
            number = self._number(fields[name], table.settings[name])
            found[f"set_{name}"] = np.asarray(number)
        return found

    def _values_of_zones(self) -> dict[str, np.ndarray]:
        starts = np.cumsum([0, *self._rooms[:-1]])
        owner, known = np.full(len(self._rooms), -1), np.zeros(len(self._rooms), np.int64)
        keys = np.zeros(len(self._rooms), np.uint64)
        seen_by, pool = np.zeros((2, len(self._rooms)), np.int64)
        pool[:] = -1
        purposes: list[Any] = [None] * len(self._rooms)
        for name, first in self.zones.items():
            one = self.declared[name]
            for seat in range(self.seats) if one.per_seat else [None]:
                zone = first + (seat or 0)
                owner[zone] = -1 if seat is None else seat
                seen_by[zone] = SEERS.index(one.seen_by)
                pool[zone] = self.pools.index(one.group)
                known[zone] = one.seen_by != "nobody"
                keys[zone] = number_of(name if seat is None else f"{name}[{seat}]")
                purposes[zone] = "shuffle", name, seat
        purposes += [(word, seat) for word in _OF_SEATS for seat in range(self.seats)]
        purposes += [("luck",), "greedy", *(("imagine", one) for one in self.pools)]
        for _, words in self.streams:
            behind = range(BEHIND) if None in words else [None]
            purposes += [tuple(n if one is None else one for one in words) for n in behind]
        return {
            "start": starts,
            "room": np.asarray(self._rooms),
            "owner": owner,
            "is_known": known,
            "seen_by": seen_by,
            "pool": pool,
            "zone_key": keys,
            "key": np.array([number_of(one) for one in purposes], np.uint64),
        }

    def _values_of_kinds(self) -> dict[str, np.ndarray]:
        table, game = self.table, self.table.game
        kinds, size = game.kinds, max(len(game.kinds), 1)
        included = game.events.index(INCLUDED) if game.contrasted else 0
        by_entry = {
            name: np.zeros(self.n_entries, np.int64)
            for name in ("kind", "kind_word", "place", "copies")
        }
        keys = np.zeros(self.n_entries, np.uint64)
        for place, kind in enumerate(kinds):
            for entry in table.entries[kind.word]:
                number = self.number_of(entry)
                by_entry["kind"][number] = place
                by_entry["kind_word"][number] = self.word(kind.word)
                by_entry["place"][number] = table.places[entry]
                copies = kind.copies
                by_entry["copies"][number] = (
                    getattr(entry, copies) if isinstance(copies, str) else copies
                )
                keys[number] = number_of(entry.id)
        lots = [number_of(("lot", kind.word)) for kind in kinds]
        entries = [table.entries[kind.word] for kind in kinds]
        if any(kind.by_lot > len(there) for kind, there in zip(kinds, entries, strict=True)):
            raise Unfit("there are too few entries")
        rows = np.zeros((self.n_entries, table.rows.shape[1]))
        for entry in table.cards:
            rows[self.number_of(entry)] = table.rows[table.places[entry]]
        return by_entry | {
            "rows": rows,
            "entry_key": keys,
            "many": self._filled(map(len, entries), size),
            "first": self._filled(self.firsts.values(), size),
            "by_lot": self._filled((kind.by_lot for kind in kinds), size),
            "each_seat": self._filled((kind.each_seat for kind in kinds), size),
            "included": self._filled(
                (included if kind.word in game.contrasted else 0 for kind in kinds), size
            ),
            "lot_key": np.array(lots or [0], np.uint64),
        }

    def _values_of_field(self, name: str) -> dict[str, np.ndarray]:
        """What all entries hold in a field, and which have it."""
        kinds = [kind for kind in self.table.game.kinds if name in kind.fields]
        there = [(kind, entry) for kind in kinds for entry in self.table.entries[kind.word]]
        has = np.zeros(self.n_entries, np.int64)
        for _, entry in there:
            has[self.number_of(entry)] = 1
        if isinstance(kinds[0].fields[name], EntriesField):
            most = rounded_up(max([len(getattr(entry, name)) for _, entry in there], default=1))
            which, numbers = np.zeros((2, self.n_entries, most), np.int64)
            for _, entry in there:
                for place, (one, n) in enumerate(getattr(entry, name).items()):
                    which[self.number_of(entry), place] = self.number_of(one)
                    numbers[self.number_of(entry), place] = n
            return {f"has_{name}": has, f"which_{name}": which, f"many_{name}": numbers}
        is_real = isinstance(kinds[0].fields[name], Real)
        values = np.zeros(self.n_entries, np.float64 if is_real else np.int64)
        for kind, entry in there:
            value = self._number(kind.fields[name], getattr(entry, name), name)
            values[self.number_of(entry)] = value
        return {f"has_{name}": has, f"f_{name}": values}

    def _number(self, what: Any, value: Any, name: str = "") -> int | float:
        """A value of a field as a number."""
        if isinstance(what, Words):
            bits = self.mask_words(name)
            return sum(1 << bits.index(word) for word in {*value})
        if isinstance(what, WordField) and value in what.words:
            return self.word(value)
        if isinstance(what, Whole | Real | FlagField) and isinstance(value, int | float):
            return value
        raise Unfit(f"{name} may be {value!r}")

    def number_of(self, entry: Entry) -> int:
        """The number of an entry."""
        table = self.table
        place = table.places[entry] - table.places[table.entries[entry.kind][0]]
        return self.firsts[entry.kind] + place

    @staticmethod
    def _filled(numbers: Iterable[int], size: int) -> np.ndarray:
        found = np.zeros(size, np.int64)
        there = [*numbers]
        found[: len(there)] = there
        return found

    # ------------------------------------------------------------ looking

    def as_it_stands(self, s: np.void) -> dict[str, Any]:
        """What a record has of all that is declared, and who acts."""
        found: dict[str, Any] = {"acting": _acting(s)}
        entries = {self.number_of(one): one.id for one in self.table.cards}
        starts = np.cumsum([0, *self._rooms])
        for name, one in self.declared.items():
            if isinstance(one, Cards):
                for seat in range(self.table.seats) if one.per_seat else [0]:
                    zone = self.zones[name] + seat
                    places = slice(starts[zone], starts[zone] + s["n"][zone])
                    found[f"{name} {seat}"] = [entries.get(n, n) for n in s["cards"][places]]
                    for mark in one.marks:
                        row = s["marks"][self.marks[mark], places]
                        found[f"{name} {seat} {mark}"] = row.tolist()
            else:
                values = s[f"v_{name}"]
                if one.per_seat:
                    values = values[: self.table.seats]
                found[name] = np.asarray(values).ravel().tolist()
        return found

    def as_interpreted(self, rules: Rules) -> dict[str, Any]:
        """The same of a game that is played by its rules."""
        acting = rules.__dict__["acting"]
        found: dict[str, Any] = {"acting": [*acting] if type(acting) is tuple else acting}
        for name, one in self.declared.items():
            value = rules.__dict__[name]
            if isinstance(one, Cards):
                for seat, zone in enumerate(value if one.per_seat else (value,)):
                    found[f"{name} {seat}"] = [card.id for card in zone]
                    for mark in one.marks:
                        found[f"{name} {seat} {mark}"] = [*getattr(zone, mark)]
            else:
                found[name] = [*self._flat(one, value)]
        return found

    def _flat(self, one: Number | Choice | Flag, value: Any) -> Iterable[int]:
        if isinstance(value, dict):
            if any(isinstance(key, Entry) for key in value):
                row = [one.default if isinstance(one, Number) else 0] * self.n_entries
                for key, n in value.items():
                    row[self.number_of(key)] = n
                yield from row
            else:
                yield from value.values()
        elif isinstance(value, list):
            for inner in value:
                yield from self._flat(one, inner)
        else:
            yield self.words[value] if isinstance(value, str) else int(value)


def _acting(s: np.void) -> int | Sequence[int] | None:
    seats = [seat for seat in range(64) if int(s["acting"]) >> seat & 1]
    return seats if s["at_once"] else seats[0] if seats else None
