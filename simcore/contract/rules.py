"""Rules of a game: a class with declared state, which offers and carries out what seats do."""

import copy
import inspect
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import FunctionType
from typing import Any

from card_data.schema import Entry
from simcore.contract.faults import RuleError
from simcore.contract.luck import Luck
from simcore.contract.state import (
    Cards,
    Choice,
    Declaration,
    Flag,
    Number,
    Zone,
    ZoneOfEach,
    copied,
)

#: An option: a word, or a word and what its method is given.
Option = str | tuple[Any, ...]

#: Counted of every game besides what rules note: seats that had the entry before the first
#: decision, and seats that chose an option that names it; and, where everybody plays with what is
#: drawn by lot, all seats of games that have it.
DEALT, CHOSEN, INCLUDED = "dealt", "chosen", "included"
#: A game that has more decisions never ends.
MOST_DECISIONS = 5_000
#: The largest number that can be observed of a game.
MOST_OBSERVED = 1_000_000

#: What every game has; no zone, number or method may have such a name.
RESERVED = frozenset({"setup", "seats", "rng", "acting", "note"})
# And what the program asks every game, in the same way.
_ASKED = frozenset({"zones", "moved", "imagined"})
# What methods are given, by their names.
_GIVEN = {
    "start": "self",
    "options": "self, seat",
    "scores": "self",
    "all_chosen": "self",
    "could_hold": "self, seat, card, zone, place",
    "possible": "self, seat",
    "hidden": "self, seat, rng",
    "unseen": "self, seat",
    "standing": "self, seat",
    "say": "self, seat, option",
}
_TRIES = 100
# What every game holds besides.
_OURS = frozenset({"_notes", "_log", "_shown"})


class _Body(dict[str, Any]):
    """The body of a class of rules, which declares no name twice."""

    def __setitem__(self, name: str, value: Any) -> None:
        if name in self and not name.startswith("__") and not isinstance(value, property):
            kinds = " and ".join(dict.fromkeys(map(_kind_of, (self[name], value))))
            raise RuleError(
                f"{name} is declared twice ({kinds}), and Python would keep only the second: give"
                " one of them another name"
            )
        super().__setitem__(name, value)


def _kind_of(value: Any) -> str:
    for kind, word in ((Cards, "a zone"), ((Number, Choice, Flag), "a number or word")):
        if isinstance(value, kind):
            return word
    return "a method" if callable(value) else "a value"


def _check_method(name: str, method: FunctionType) -> None:
    """Refuse a method that cannot be called as it will be.  Raises RuleError."""
    code, given = method.__code__, _GIVEN.get(name)
    written = code.co_varnames[: code.co_argcount]
    if written[:1] != ("self",) and not code.co_flags & inspect.CO_VARARGS:
        meant = given or ", ".join(("self", *written))
        raise RuleError(f"{name} needs self first: write def {name}({meant})", method)
    if given and len(written) not in (0, given.count(",") + 1):
        raise RuleError(
            f"{name} is given ({given}), and takes ({', '.join(written)}): write"
            f" def {name}({given})",
            method,
        )


class _RulesType(type):
    """The type of classes of rules."""

    @classmethod
    def __prepare__(cls, _name: str, _bases: tuple[type, ...], /, **_: Any) -> _Body:
        return _Body()

    def __new__(cls, name: str, bases: tuple[type, ...], body: dict[str, Any]) -> "_RulesType":
        made = super().__new__(cls, name, bases, dict(body))
        if not bases:
            return made
        if wrong := sorted((RESERVED | _ASKED) & body.keys()):
            raise RuleError(f"{wrong[0]} belongs to every game: give yours another name")
        for key, value in body.items():
            if isinstance(value, type) and issubclass(value, Declaration):
                raise RuleError(f"{key} = {value.__name__} lacks its brackets: {value.__name__}(…)")
            if isinstance(value, FunctionType):
                _check_method(key, value)
        made._declared = {  # type: ignore[attr-defined]
            key: value
            for one in reversed(made.__mro__)
            for key, value in vars(one).items()
            if isinstance(value, Declaration)
        }
        return made


class Setup:
    """What is played: the settings by their names, the entries of this game, and who has which.

    ``self.setup`` of `Rules`.  ``without`` is a seat that may not choose an entry, and the entry.
    """

    __slots__ = ("_copies", "_entries", "_of", "_settings", "_without")

    def __init__(
        self,
        settings: Mapping[str, Any],
        entries: Mapping[str, Sequence[Entry]],
        copies: Mapping[str, int | str],
        of: Mapping[str, Sequence[Entry]],
        without: tuple[int, Entry] | None = None,
    ) -> None:
        self._settings, self._entries, self._copies, self._of = settings, entries, copies, of
        self._without = without

    def __getattr__(self, name: str) -> Any:
        try:
            return self._settings[name]
        except KeyError:
            there = ", ".join(self._settings) or "none"
            raise RuleError(f"there is no setting {name!r}; there are: {there}") from None

    def entries(self, kind: str) -> Sequence[Entry]:
        """The entries of a kind that are in this game."""
        return self._known(self._entries, kind)

    def deck(self, kind: str) -> list[Entry]:
        """The same, each in as many copies as there are of it: for ``zone.fill``."""
        copies = self._known(self._copies, kind)
        return [
            entry
            for entry in self._entries[kind]
            for _ in range(getattr(entry, copies) if isinstance(copies, str) else copies)
        ]

    def of(self, seat: int, kind: str) -> Entry:
        """The entry of a kind that a seat has: its faction, hero or deck."""
        found: Entry = self._known(self._of, kind)[seat]
        return found

    @staticmethod
    def _known(things: Mapping[str, Any], kind: str) -> Any:
        if kind not in things:
            there = ", ".join(things) or "none"
            raise RuleError(f"there is no kind {kind!r} here; there are: {there}")
        return things[kind]


class Rules(metaclass=_RulesType):
    """Rules of a game.  A subclass declares its state, and defines `start`, `options`, `scores`.

    Besides them it has a method for the first word of each option, which carries it out, and may
    have

    ``all_chosen()``
        called once when all seats that chose at once have been carried out;
    ``could_hold(seat, card, zone, place)``
        False for a card that a seat is known not to have there, in an imagined game;
    ``possible(seat)``
        whether an imagined game can be, for what that cannot say;
    ``hidden(seat, rng)``
        imagines what is hidden from a seat and no card, by ``rng`` as by ``self.rng``;
    ``unseen(seat)``
        for state that is not declared: groups of lists whose contents could be exchanged;
    ``standing(seat)``
        how well a seat stands, in the unit of scores, before the game is over: the player
        ``greedy`` takes the option behind which this is best for its seat.
    ``say(seat, option)``
        an option in words.

    Attributes
    ----------
    setup
        Settings by name, and the entries of this game.
    seats
        How many seats there are.
    rng
        The luck of this game: ``rng.roll(6, "dice", seat)``, and likewise ``rng.below``,
        ``rng.choice`` and ``rng.shuffled``.
    acting
        The seat that chooses next; a list or range of seats that choose at once; None at the end.
    """

    _declared: Mapping[str, Any] = {}
    setup: Setup
    seats: int
    rng: Luck
    acting: int | Sequence[int] | None
    _notes: dict[tuple[str, int, Entry], int]
    _log: list[tuple[Any, ...]] | None
    _shown: tuple["Rules", int, Luck] | None

    def __init__(self, setup: Setup, seats: int, luck: Luck) -> None:
        state = self.__dict__
        state.update(setup=setup, seats=seats, rng=luck, acting=None)
        state.update(_notes={}, _log=None)
        for name, one in self._declared.items():
            if isinstance(one, Cards):
                owners = range(seats) if one.per_seat else [None]
                zones = [Zone(one, name, seat, self) for seat in owners]
                state[name] = ZoneOfEach(zones) if one.per_seat else zones[0]
            else:
                state[name] = one.start(name, seats, setup._entries)

    def __setattr__(self, name: str, value: Any) -> None:
        declared = self._declared.get(name)
        if name == "acting":
            self.__dict__[name] = self._seats_of(value)
        elif declared is None:
            if name in RESERVED:
                raise RuleError(f"self.{name} is given and cannot be changed")
            self.__dict__[name] = value
        elif isinstance(self.__dict__[name], list | dict | tuple):
            raise RuleError(f"self.{name} has several places: write self.{name}[…] = {value!r}")
        else:
            self.__dict__[name] = declared.check(name, value)

    def _seats_of(self, value: Any) -> int | tuple[int, ...] | None:
        seats = [value] if type(value) is int else value
        if value is None:
            return None
        several = isinstance(seats, list | tuple | range)
        if several and seats and all(type(one) is int and 0 <= one < self.seats for one in seats):
            return value if type(value) is int else tuple(sorted({*seats}))
        raise RuleError(
            f"self.acting is {value!r}: a seat from 0 to {self.seats - 1}, a list of seats that"
            " choose at once, or None when the game is over"
        )

    # ------------------------------------------------------------ what an author writes

    def start(self) -> None:
        """Deal, and say who acts."""
        raise RuleError("the rules need a method start(self), which deals and says who acts")

    def options(self, seat: int) -> Iterable[Option]:  # noqa: ARG002
        """What a seat may do now."""
        raise RuleError("the rules need a method options(self, seat)")

    def scores(self) -> Sequence[float]:
        """A number for each seat, when the game is over."""
        raise RuleError("the rules need a method scores(self): one number for each seat")

    # ------------------------------------------------------------ what is given

    def note(self, what: str, seat: int, entry: Entry, n: int = 1) -> None:
        """Count something that no move and no option says: a lot won, damage dealt."""
        if not isinstance(entry, Entry):
            raise RuleError(f"note(what, seat, entry): {entry!r} is no entry, such as a card")
        if what in (DEALT, CHOSEN, INCLUDED):
            raise RuleError(
                f"note('{what}', …): the program counts that already; take another word"
            )
        if type(seat) is not int or not 0 <= seat < self.seats:
            raise RuleError(
                f"note(what, seat, entry): seat is {seat!r}: it must be 0 to {self.seats - 1}"
            )
        if type(n) is not int or n < 0:
            raise RuleError(f"note(what, seat, entry, n): n is {n!r}: a whole number from 0 on")
        key = (what, seat, entry)
        self._notes[key] = self._notes.get(key, 0) + n
        if self._log is not None:
            more = f" ({n})" if n != 1 else ""
            self._log.append(("note", f"seat {seat + 1}: {what} {entry.name}{more}"))

    def moved(self, card: Entry, before: Zone | None, after: Zone) -> None:
        """Keep a move of a card, where the game is told."""
        if self._log is not None:
            self._log.append(("move", card, before, after))

    # ------------------------------------------------------------ other games like this one

    def zones(self) -> Iterator[Zone]:
        """All zones."""
        for name in self._zone_names():
            yield from self._zones_of(name)

    def _zone_names(self) -> list[str]:
        return [name for name, one in self._declared.items() if isinstance(one, Cards)]

    def _zones_of(self, name: str) -> Sequence[Zone]:
        held = getattr(self, name)
        return held if self._declared[name].per_seat else (held,)

    def _look_at(self, declared: Cards) -> Any:
        """A zone of a game that is shown to a player, which has none before they look at it."""
        if "_shown" not in self.__dict__:
            return declared
        name = next(name for name, one in self._declared.items() if one is declared)
        if self._shown is None:
            raise RuleError(
                f"{name} was not looked at when the player was asked, and the game has gone on"
            )
        game, seat, rng = self._shown
        if all(zone.seen(seat) for zone in game._zones_of(name)):
            self._copy_zones(game, [name])
        else:
            self._copy_zones(game, [one for one in self._zone_names() if one not in self.__dict__])
            self._exchange(seat, rng)
        return self.__dict__[name]

    def imagined(self, seat: int, rng: Luck) -> "Rules":
        """A game that a seat may take this one for: the same in all that it sees.

        Cards that it does not see change places within their pool; luck to come is other luck.
        """
        for _ in range(_TRIES):
            found = self._copied(rng.fork("luck"))
            found._exchange(seat, rng)
            possible = getattr(found, "possible", None)
            if possible is None or possible(seat):
                return found
        return self._copied(rng.fork("luck"))

    def _copied(self, luck: Luck, *, zones: bool = True) -> "Rules":
        """A copy of the game, with other luck to come."""
        new: Rules = object.__new__(type(self))
        state = new.__dict__
        free = {}
        for name, value in self.__dict__.items():
            declared = self._declared.get(name)
            if isinstance(declared, Cards):
                continue
            if declared is not None:
                state[name] = copied(value)
            elif name in RESERVED:
                state[name] = value
            elif name not in _OURS:
                free[name] = value
        if free:
            state.update(copy.deepcopy(free))
        state.update(rng=luck, _notes={}, _log=None)
        if zones:
            new._copy_zones(self, self._zone_names())
        return new

    def _copy_zones(self, game: "Rules", names: Iterable[str]) -> None:
        for name in names:
            made = ZoneOfEach(zone.copied(self) for zone in game._zones_of(name))
            self.__dict__[name] = made if self._declared[name].per_seat else made[0]

    def _exchange(self, seat: int, rng: Luck) -> None:
        """Let what a seat does not see lie otherwise."""
        pools: dict[str, list[tuple[Zone, int]]] = {}
        for zone in self.zones():
            if not zone.seen(seat):
                hidden = [place for place in range(len(zone)) if not zone.sees(seat, place)]
                pools.setdefault(zone.declared.group, []).extend((zone, place) for place in hidden)
        could_hold = getattr(self, "could_hold", None)
        for name, places in pools.items():
            cards = [zone[place] for zone, place in places]
            for _ in range(_TRIES):
                drawn = rng.shuffled(cards, "imagine", name)
                if could_hold is None or all(
                    zone.declared.seen_by == "nobody"
                    or zone.seat is None
                    or could_hold(zone.seat, card, zone, place)
                    for (zone, place), card in zip(places, drawn, strict=True)
                ):
                    for (zone, place), card in zip(places, drawn, strict=True):
                        zone.replace(place, card)
                    break
        unseen = getattr(self, "unseen", None)
        for group in unseen(seat) if unseen is not None else ():
            things = rng.shuffled([one for held in group for one in held], "imagine", "free")
            for held in group:
                held[:] = [things.pop() for _ in held]
        if hasattr(self, "hidden"):
            self.hidden(seat, rng)


@contextmanager
def shown(rules: Rules, seat: int, luck: Luck) -> Iterator[Rules]:
    """A game as a player imagines it who chooses now.

    Most look at little: cards are imagined when they are looked at, unless the rules want more of
    an imagined game than that they lie otherwise.
    """
    if any(hasattr(rules, name) for name in ("possible", "unseen", "hidden")):
        yield rules.imagined(seat, luck)
        return
    found = rules._copied(luck.fork("luck"), zones=False)
    found.__dict__["_shown"] = rules, seat, luck
    yield found
    found.__dict__["_shown"] = None


def options_of(rules: Rules, seat: int) -> list[Option]:
    """What a seat may do now, each option once.  Raises RuleError where there is nothing.

    Options with an entry that the seat may not choose are left out, unless there are no others.
    """
    found = rules.options(seat)
    options = [*dict.fromkeys(found)] if found is not None else []
    if not options:
        raise RuleError(
            f"options gave nothing for seat {seat + 1}, and the game is not over: set"
            " self.acting to None, or offer something",
            type(rules).options,
        )
    without = rules.__dict__["setup"]._without
    if without is None or without[0] != seat:
        return options
    return [one for one in options if type(one) is not tuple or without[1] not in one] or options


def carry_out(rules: Rules, choices: Iterable[tuple[int, Option]]) -> None:
    """Carry out what seats chose, in their order; tell the rules so where they chose at once."""
    at_once = type(rules.__dict__["acting"]) is tuple
    for seat, option in choices:
        word, *things = (option,) if isinstance(option, str) else option
        getattr(rules, word)(seat, *things)
    if at_once and (all_chosen := getattr(rules, "all_chosen", None)):
        all_chosen()


def endless(rules: Rules) -> RuleError:
    """The fault of a game that has had `MOST_DECISIONS`."""
    text = (
        f"the game has not ended after {MOST_DECISIONS:,} decisions: see that each option leads on"
        " (self.acting = …), and that the end is reached (self.acting = None)"
    )
    return RuleError(text, type(rules).start)
