"""Putting a pool together from what is named, and noting every fault on the way.

A card of an own file takes the place of a card of a set that has its id: in the set of that card,
so that the same seed deals the same cards with it and without it, copies being the same.
"""

import os
from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

from attrs import evolve, frozen

from card_data.faults import CardFileError, Fault, shown
from card_data.mindbug import loader
from card_data.mindbug.evolution import MAX_STAGE
from card_data.mindbug.language.foreign_wordings import nearest_field
from card_data.mindbug.modes import MODES, Modes
from card_data.mindbug.schema import MAX_CARDS, MAX_COPIES, Card, CardSet, Pool, PowerCard
from card_data.mindbug.vocabulary import Ruling
from card_data.names import parts_of, plain_key
from card_data.schema.fields import Whole
from card_data.schema.value_reader import At, ValueReader
from card_data.toml_files import read_toml
from card_data.toml_places import KeyPath, TomlPlaces

#: The fewest cards that a game can be dealt from (R7).
MIN_CARDS = 20

#: The pool file in the folder of a pool.
POOL_FILE = "pool.toml"
#: The fields of a pool file, with their meaning.
POOL_FIELDS = {
    "sets": "Sets that come with fairdeal, or paths of card files that are to count as sets.",
    "cards": "Paths of your own card files; their cards take the place of those of the sets.",
    "leave_out": "Ids of cards that are not in the pool.",
    "copies": "A table: how many copies of a card are in the pool, 0 to 20; 0 leaves it out.",
    "modes": "A table: how the pool is played.",
}

_SPREADSHEETS = (".csv", ".xlsx", ".xls", ".ods")

#: Sets, own card files of a pool file, and those named beside it.
_LAYERS = _SETS, _OWN_OF_POOL, _OWN_SAID = 0, 1, 2

_AnyCard = Card | PowerCard
_SomeCard = TypeVar("_SomeCard", Card, PowerCard)


def split_names(names: Iterable[str]) -> list[str]:
    """What is named, one by one: apart what is joined with "+", as no file is called."""
    return [part for name in _several(names) for part in parts_of(name)]


@frozen
class _Wish:
    """A set or own card file that is asked for: its path, what was said and where.

    ``at`` is the offset in the pool file and ``field`` the list there; -1 for the command line.
    """

    path: Path
    said: str
    own: bool
    field: str = ""
    at: int = -1

    @property
    def layer(self) -> int:
        """Whose cards come first where ids are the same: those of the highest layer."""
        if not self.own:
            return _SETS
        return _OWN_OF_POOL if self.at >= 0 else _OWN_SAID


class PoolReader(ValueReader):
    """Puts a pool together and notes every fault on the way.

    What is faulty is left out or read as its default, so that the rest is checked as well.
    """

    def __init__(
        self,
        names: Iterable[str],
        card_files: Iterable[str | os.PathLike[str]] = (),
        pool_file: str | os.PathLike[str] | None = None,
        modes: Mapping[str, Any] | None = None,
    ) -> None:
        """The arguments are those of `load_pool`."""
        parts = split_names(names)
        pool_files = [Path(part) for part in parts if loader.is_pool_file(Path(part))]
        sets = [part for part in parts if not part.endswith(".toml")]
        files = [part for part in parts if part not in sets and Path(part) not in pool_files]
        # A card file beside something else holds cards of one's own; by itself it is a set.
        beside = bool(sets or pool_files or pool_file is not None)
        self._said = [_Wish(loader.set_path(part), part, own=False) for part in sets]
        self._said += [_Wish(Path(part), part, own=beside) for part in files]
        own = map(os.fspath, _several(card_files))
        self._said += [_Wish(Path(file), file, own=True) for file in own]
        pool_files += [] if pool_file is None else [Path(pool_file)]
        path = pool_files[0] if pool_files else None
        super().__init__("" if path is None else str(path), TomlPlaces(""))
        self._said_modes = dict(modes or {})
        for other in pool_files[1:]:
            problem = f"{path} is a pool file, too; a pool has one"
            self.faults.append(Fault(str(other), 0, 0, "", "", problem))
        self._folder = Path() if path is None else path.parent
        self._shipped = loader.available_sets()
        self._data: dict[str, Any] = {}
        self._complete = True  # all cards are known, so that an unknown id is a fault
        self._files: dict[int, dict[str, Path]] = {layer: {} for layer in _LAYERS}  # of cards
        if path is not None:
            try:
                text, data = read_toml(path, loader.LAYOUT)
                if isinstance(data.get("name"), str) and not data.keys() & POOL_FIELDS.keys():
                    self._say("this is a card file, not a pool file; name it with --cards")
                    self._complete = False
                else:
                    self._data, self.places = data, TomlPlaces(text)
            except CardFileError as error:
                self.faults += error.faults
                self._complete = False

    def raise_faults(self) -> None:
        """Raises CardFileError if there are faults, in the order of the files and their lines."""
        named = dict.fromkeys(fault.file for fault in self.faults)
        files = {file: number for number, file in enumerate(named)}
        if self.faults:
            raise CardFileError(
                sorted(self.faults, key=lambda f: (files[f.file], f.line, f.column))
            )

    def _of_file(self) -> list[_Wish]:
        """The sets and card files of the pool file."""
        wishes, n_faults = [], len(self.faults)
        for field, own in (("sets", False), ("cards", True)):
            for name, at in self._words((field,), self._data.get(field, [])):
                shipped = not own and not name.endswith(".toml")
                path = loader.set_path(name) if shipped else self._folder / name
                wishes.append(_Wish(path, name, own, field, at))
        self._complete &= len(self.faults) == n_faults
        return wishes

    def pool(self) -> Pool:
        """The pool of everything that is asked for."""
        chosen, named = self._chosen()
        kot_sets = {card_set.set_id for card_set in named if card_set.power_cards}
        modes = self._modes(chosen, kot_sets)
        n_cards = sum(card.copies for card_set in chosen for card in card_set.cards)
        if not named and self._complete:
            self._say("no cards are named; name a set, a card file or a pool file")
        elif n_cards < MIN_CARDS and self._complete:
            self._say(
                f"the pool has {n_cards} cards, copies counted; a game deals {MIN_CARDS} (R8);"
                " add cards or copies"
            )
        return Pool(tuple(_in_place(chosen, named)), modes)

    def sets(self) -> list[CardSet]:
        """The sets of everything that is asked for, sorted by id."""
        return _in_place(*self._chosen())

    def _chosen(self) -> tuple[list[CardSet], list[CardSet]]:
        """The cards that are chosen, and all sets and files as they were read, both by layer."""
        self._check_fields((), self._data, POOL_FIELDS)
        found = self._read(self._said + self._of_file())
        chosen = [
            self._without(card_set, self._own_above(layer))
            for layer in _LAYERS
            for card_set in found[layer]
        ]
        self._check_lines(chosen)
        chosen = self._with_copies(chosen)
        n_different = sum(len(card_set.all_cards) for card_set in chosen)
        if n_different > MAX_CARDS:
            self._say(f"the pool has {n_different:,} different cards; {MAX_CARDS:,} are the most")
        return chosen, [card_set for layer in _LAYERS for card_set in found[layer]]

    # ------------------------------------------------------------ cards

    def _read(self, wishes: list[_Wish]) -> dict[int, list[CardSet]]:
        """The sets and own files that are asked for, by layer, as far as they can be read."""
        sets: dict[str, CardSet] = {}
        taken: dict[int, dict[str, str]] = {layer: {} for layer in _LAYERS}
        found: dict[int, list[CardSet]] = {layer: [] for layer in _LAYERS}
        own_said = {wish.path.stem for wish in wishes if wish.layer == _OWN_SAID}
        for wish in wishes:
            if wish.layer == _OWN_OF_POOL and wish.path.stem in own_said:
                continue  # an older version of a file that is said
            if not self._can_be_read(wish):
                self._complete = False
            elif wish.path.stem in sets:
                problem = f"set '{wish.path.stem}' is named twice"
                self._refuse(wish, f"{problem}; name it once, or give the file another name")
            else:
                card_set, faults = loader.read_set(wish.path, taken[wish.layer])
                self.faults += faults
                if card_set is None:
                    self._complete = False
                    continue
                sets[card_set.set_id] = card_set
                found[wish.layer].append(card_set)
                ids = [card.card_id for card in card_set.all_cards]
                reason = f"set '{card_set.set_id}' has a card with this id already"
                taken[wish.layer] |= dict.fromkeys(ids, reason)
                self._files[wish.layer] |= dict.fromkeys(ids, wish.path)
        return found

    def _own_above(self, layer: int) -> dict[str, Path]:
        """The files of the own cards that come before those of a layer."""
        return {
            card_id: path
            for above in _LAYERS[layer + 1 :]
            for card_id, path in self._files[above].items()
        }

    def _can_be_read(self, wish: _Wish) -> bool:
        """Whether there is such a set or file; what is wrong is noted."""
        shipped = self._shipped
        is_set = not wish.own and not wish.said.endswith(".toml")
        if is_set and wish.said in shipped:
            return True
        if Path(wish.said).suffix.lower() in _SPREADSHEETS:
            advice = "make a card file of it with 'fairdeal cards import'"
            self._refuse(wish, f"{Path(wish.said).name} is a spreadsheet; {advice}")
        elif is_set and not wish.said:
            self._refuse(wish, "nothing is named before or after a '+'")
        elif is_set and wish.at < 0 and _exists(Path(wish.said)):
            advice = "a card file ends in .toml"
            if Path(wish.said).is_dir():
                advice = f"the folder of a run has its pool in {Path(wish.said, POOL_FILE)}"
            self._refuse(wish, f"there is no set '{wish.said}'; {advice}", found=wish.said)
        elif is_set:
            folder = Path() if wish.at < 0 else self._folder
            guess = loader.nearest_set(wish.said, folder) if self.guesses else ""
            more = {"allowed": tuple(shipped), "nearest": guess}
            self._refuse(wish, f"there is no set '{wish.said}'", found=wish.said, **more)
        elif wish.at >= 0 and not _exists(wish.path):
            self._refuse(wish, f"there is no file {wish.path}", found=wish.said)
        else:
            return True
        return False

    def _without(self, card_set: CardSet, ids: Collection[str]) -> CardSet:
        """A set without some of its cards, and without the stages that nothing evolves to now."""
        there = {card.card_id: card for card in card_set.cards if card.card_id not in ids}
        kept: set[str | None] = set()
        for card in there.values():
            stage = card.card_id if card.copies else None
            while stage in there and stage not in kept:
                kept.add(stage)
                stage = there[stage].evolves_to
        cards = tuple(card for card in there.values() if card.card_id in kept)
        power_cards = tuple(card for card in card_set.power_cards if card.card_id not in ids)
        return evolve(card_set, cards=cards, power_cards=power_cards)

    def _check_lines(self, sets: list[CardSet]) -> None:
        """Notes own cards that take the place of a stage inside the line of a set."""
        own = self._own_above(_SETS)
        places: dict[Path, TomlPlaces] = {}
        for card_set in sets:
            ids = {card.card_id for card in card_set.cards}
            for card in card_set.cards:
                later = card.evolves_to
                if later is None or later in ids or later not in own:
                    continue
                path = own[later]
                if path not in places:
                    places[path] = TomlPlaces(read_toml(path, loader.LAYOUT)[0])
                problem = (
                    f"'{card.card_id}' of set '{card_set.set_id}' evolves to a card with this id;"
                    " to change one stage, copy its whole line into your file"
                )
                line, column = places[path].line_column(places[path].key((later,)))
                self.faults.append(Fault(str(path), line, column, later, "", problem))

    def _with_copies(self, sets: list[CardSet]) -> list[CardSet]:
        """The sets with the copies that the pool file asks for."""
        cards = {card.card_id: card for card_set in sets for card in card_set.all_cards}
        left_out = dict(self._words(("leave_out",), self._data.get("leave_out", [])))
        for card_id, at in left_out.items():
            self._check_id(("leave_out",), at, card_id, cards)
        copies = {}
        for card_id, number in self._table("copies").items():
            path = ("copies", card_id)
            self._check_id(path, self.places.key(path), card_id, cards)
            if card_id in left_out:
                self.note(path, self.places.key(path), f"{shown(card_id)} is left out already")
            else:
                n_faults = len(self.faults)
                count = Whole(0, MAX_COPIES).read(self, At(path), number)
                if len(self.faults) == n_faults:
                    copies[card_id] = count
        gone = left_out.keys() | {card_id for card_id, number in copies.items() if not number}
        return [self._without(_counted(card_set, copies), gone) for card_set in sets]

    def _check_id(self, path: KeyPath, at: int, card_id: str, cards: dict[str, _AnyCard]) -> None:
        """Notes an id that is not that of a card of the pool, or is that of a later stage."""
        if card_id not in cards:
            if self._complete:
                problem = f"no card of the pool has the id {shown(card_id)}"
                self.note(path, at, problem, found=card_id, nearest=self.nearest(card_id, cards))
        elif not cards[card_id].copies:
            first = _first_stage(card_id, _before(cards))
            problem = f"'{card_id}' is a later stage of '{first}' and has no copies of its own"
            self.note(path, at, problem, found=card_id, nearest=first)

    # ------------------------------------------------------------ modes

    def _modes(self, sets: list[CardSet], kot_sets: set[str]) -> Modes:
        """The modes of the pool file, the others at the default that the cards ask for.

        ``kot_sets`` are the sets that have power cards; a creature of one asks for all the rest.
        """
        table = self._table("modes") | self._said_modes
        self._check_fields(("modes",), table, MODES)
        if isinstance(words := table.get("rulings"), list):
            table["rulings"] = [one.lower() if isinstance(one, str) else one for one in words]
        said = {
            name: field.read(self, At(("modes", name)), table[name])
            for name, field in MODES.items()
            if name in table
        }
        creatures = {card_set.set_id for card_set in sets if card_set.cards}
        kot = not kot_sets.isdisjoint(creatures)
        if "kot_parts" not in said and not kot:
            self._check_no_kot_cards(sets)
        rulings = frozenset(Ruling[word.upper()] for word in said.get("rulings", ()))
        usual = {"after_mindbug": "action" if kot else "turn", "kot_parts": kot}
        return Modes(**{**usual, **said, "rulings": rulings})

    def _check_no_kot_cards(self, sets: list[CardSet]) -> None:
        """Notes dice and power cards that would lie idle without anyone having said so."""
        idle = [
            card.card_id
            for card_set in sets
            for card in card_set.all_cards
            if isinstance(card, PowerCard) or card.dice
        ]
        if idle and self._complete:
            cards = f"'{idle[0]}'" + (f" and {len(idle) - 1} more" if idle[1:] else "")
            self._say(
                f"{cards}: dice and power cards do nothing without kot_parts; add the set"
                " king_of_tokyo, or say whether they are in play: --kot-parts or --no-kot-parts, or"
                " kot_parts = true or false in the [modes] of a pool file"
            )

    # ------------------------------------------------------------ the pool file

    def nearest_field(self, word: str, fields: Iterable[str]) -> str:
        """The field that was probably meant, also where it is called otherwise elsewhere."""
        return nearest_field(word, fields) if self.guesses else ""

    def note(self, path: KeyPath, at: int, problem: str, **more: Any) -> None:
        """Notes a fault of a key at an offset of the text; a mode that was said has no place."""
        place = (self.file, *self.places.line_column(at))
        if path[:1] == ("modes",) and not self._said_modes.keys().isdisjoint(path[1:]):
            place = ("", 0, 0)
        self.faults.append(Fault(*place, "", ".".join(map(plain_key, path)), problem, **more))

    def _say(self, problem: str) -> None:
        """Notes a fault of the pool as a whole."""
        self.faults.append(Fault(self.file, 0, 0, "", "", problem))

    def _refuse(self, wish: _Wish, problem: str, **more: Any) -> None:
        """Notes what is wrong with something that is asked for, where it was said."""
        if wish.at >= 0:
            self.note((wish.field,), wish.at, problem, **more)
        else:
            self.faults.append(Fault(wish.said, 0, 0, "", "", problem, **more))

    def _check_fields(self, path: KeyPath, table: dict[str, Any], known: Iterable[str]) -> None:
        """Notes keys that have no meaning."""
        for key in sorted(table.keys() - {*known}):
            allowed = tuple(name for name in known if name not in table)
            self.unknown((*path, key), allowed, "the modes" if path else "a pool file")

    def _table(self, key: str) -> dict[str, Any]:
        """The table with a name, empty where there is none."""
        table = self._data.get(key, {})
        if isinstance(table, dict):
            return table
        self.wrong((key,), table, f"a table; it begins with [{key}] on a line of its own")
        return {}

    def _words(self, path: KeyPath, words: object) -> list[tuple[str, int]]:
        """The texts in a list and where each of them stands; none twice."""
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            self.wrong(path, words, 'a list of texts such as ["one", "two"]')
            return []
        found: dict[str, int] = {}
        for index, word in enumerate(words):
            at = self.places.in_string(path, index, word, 0)
            if word in found:
                self.note(path, at, f"{shown(word)} is named twice", found=word)
            found.setdefault(word, at)
        return list(found.items())


def _several(names: Iterable[Any]) -> list[Any]:
    """Names as a list; a single text or path is one name."""
    return [names] if isinstance(names, str | os.PathLike) else list(names)


def _in_place(chosen: list[CardSet], named: list[CardSet]) -> list[CardSet]:
    """The chosen cards, each in the set of the card whose place it takes; sets by their ids.

    ``named`` are all sets and own files as they were read, those first that others come before.
    Cards are dealt by their place in the pool, so a changed card leaves all other cards where they
    are dealt.  A line goes where its first stage was.
    """
    homes: dict[str, str] = {}
    sets = {card_set.set_id: evolve(card_set, cards=(), power_cards=()) for card_set in named}
    for card_set in named:
        homes = {card.card_id: card_set.set_id for card in card_set.all_cards} | homes
    cards = {card.card_id: card for card_set in chosen for card in card_set.all_cards}
    before = _before(cards)
    for card_id in sorted(cards):
        home, card = homes[_first_stage(card_id, before)], cards[card_id]
        if isinstance(card, PowerCard):
            sets[home] = evolve(sets[home], power_cards=(*sets[home].power_cards, card))
        else:
            sets[home] = evolve(sets[home], cards=(*sets[home].cards, card))
    return [sets[set_id] for set_id in sorted(sets) if any(sets[set_id].all_cards)]


def _counted(card_set: CardSet, copies: Mapping[str, int]) -> CardSet:
    """A set with other numbers of copies; a number of 0 is for cards that will be left out."""

    def counted(card: _SomeCard) -> _SomeCard:
        return evolve(card, copies=copies.get(card.card_id, card.copies))

    return evolve(
        card_set,
        cards=tuple(map(counted, card_set.cards)),
        power_cards=tuple(map(counted, card_set.power_cards)),
    )


def _before(cards: Mapping[str, _AnyCard]) -> dict[str, str]:
    """For each later stage, the id of the card that evolves to it."""
    return {
        card.evolves_to: card.card_id
        for card in cards.values()
        if isinstance(card, Card) and card.evolves_to is not None
    }


def _first_stage(card_id: str, before: Mapping[str, str]) -> str:
    """The id of the card that evolves, at some stage, to a card."""
    for _ in range(MAX_STAGE):  # a longer line, or a circle, is a fault of its own
        card_id = before.get(card_id, card_id)
    return card_id


def _exists(path: Path) -> bool:
    """Whether there is something at a path that may be impossible."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False
