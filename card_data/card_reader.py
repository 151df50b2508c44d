"""The data of one card file to checked objects: fields, types, limits and ability lines."""

import re
import reprlib
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from card_data.faults import Fault, nearest
from card_data.schema import (
    MAX_COPIES,
    MAX_POWER,
    MIN_POWER,
    Card,
    CardSet,
    ConstantAbility,
    TriggeredAbility,
)
from card_data.toml_places import KeyPath, TomlPlaces
from card_data.vocabulary import Keyword, Trigger

#: The fields of a card in the order in which they are written, with their meaning.
CARD_FIELDS = {
    "name": "The printed name: 1 to 60 printable characters, different for every card of the file.",
    "power": "The printed power: 1 to 99.",
    "keywords": "The printed keywords, a list; may be left out.",
    "copies": "How many copies of the card are in the pool (R7): 1 to 20; 1 if left out.",
    "play": "Triggers when the creature comes into play (R52).",
    "attack": "Triggers when the creature attacks (R52).",
    "play_attack": "The combined header, in place of `play` and `attack`: both triggers (R52).",
    "defeated": "Triggers when the creature is defeated (R52).",
    "constant": "Works all the time that the creature is in play (R84); a line or a list.",
}

#: Fields that hold a triggered ability, with its triggers; a combined header gives both (R52).
TRIGGER_FIELDS = {
    "play": (Trigger.PLAY,),
    "attack": (Trigger.ATTACK,),
    "play_attack": (Trigger.PLAY, Trigger.ATTACK),
    "defeated": (Trigger.DEFEATED,),
}

MAX_CONSTANTS = 8
MAX_NAME = 60

_CARD_ID = re.compile(r"[a-z][a-z0-9_]*")
_Parsed = TypeVar("_Parsed")


class CardReader:
    """Turns the TOML of one file into objects and notes every fault on the way.

    What is faulty is left out or read as its default, so that the rest is checked as well.  A
    ``path`` is that of a key in the file: (key,) for the set, (card id, key) for a card.
    """

    def __init__(self, file: str, places: TomlPlaces, taken: Mapping[str, str]) -> None:
        """``taken`` are the card ids of other sets, with the set that has them."""
        self.file = file
        self.places = places
        self.taken = taken
        self.faults: list[Fault] = []

    def note(self, path: KeyPath, at: int, problem: str, **more: Any) -> None:
        """Notes a fault of a key at an offset of the text."""
        line, column = self.places.line_column(at)
        card_id, key = (_plain(part) for part in ("", "", *path)[-2:])
        self.faults.append(Fault(self.file, line, column, card_id, key, problem, **more))

    def card_set(self, set_id: str, data: dict[str, Any]) -> CardSet:
        """The set that a whole file describes."""
        if not _is_name(set_id):
            self.note((), 0, f"the file name has to be 1 to {MAX_NAME} printable characters")
        facts = dict(data)
        name = self.name(("name",), {"name": facts.pop("name", None)})
        tables = {key: value for key, value in facts.items() if isinstance(value, dict)}
        for key in sorted(facts.keys() - tables.keys()):
            self.unknown((key,), () if name else ("name",))
        if not tables:
            self.note((), 0, "there are no cards; a card begins with its id in brackets")
        cards = [self.card(card_id, table) for card_id, table in tables.items()]
        self.check_names(cards)
        return CardSet(set_id, name, tuple(sorted(cards, key=lambda card: card.card_id)))

    def card(self, card_id: str, table: dict[str, Any]) -> Card:
        """The card that a table describes."""
        if not _CARD_ID.fullmatch(card_id):
            problem = f"{_show(card_id)} is not a card id: a-z, 0-9 and _, a letter first"
            self.note((card_id, ""), self.places.key((card_id,)), problem, found=card_id)
        elif card_id in self.taken:
            problem = f"set '{self.taken[card_id]}' has a card with this id already"
            self.note((card_id, ""), self.places.key((card_id,)), problem, found=card_id)
        for key in sorted(table.keys() - CARD_FIELDS.keys()):
            self.unknown((card_id, key), tuple(key for key in CARD_FIELDS if key not in table))
        return Card(
            card_id=card_id,
            name=self.name((card_id, "name"), table),
            power=self.whole((card_id, "power"), table, MIN_POWER, MAX_POWER),
            keywords=self.keywords((card_id, "keywords"), table.get("keywords", [])),
            copies=self.whole((card_id, "copies"), {"copies": 1, **table}, 1, MAX_COPIES),
            triggered=self.triggered(card_id, table),
            constant=self.constant((card_id, "constant"), table),
        )

    def check_names(self, cards: list[Card]) -> None:
        """Notes every card that bears the name of an earlier one."""
        first: dict[str, str] = {}
        for card in cards:
            other = first.setdefault(card.name.casefold(), card.card_id)
            if card.name and other != card.card_id:
                path = (card.card_id, "name")
                problem = f"'{card.name}' is the name of {other} already"
                self.note(path, self.places.value(path), problem, found=card.name)

    def unknown(self, path: KeyPath, allowed: tuple[str, ...]) -> None:
        """Notes a key that has no meaning."""
        key, owner = path[-1], "a card" if path[1:] else "a card file"
        problem = f"{_show(key)} is not a field of {owner}"
        guess = nearest(key, allowed)
        self.note(path, self.places.key(path), problem, found=key, allowed=allowed, nearest=guess)

    def missing(self, path: KeyPath) -> None:
        """Notes a field that has to be there."""
        self.note(path, self.places.key(path), f"the field '{path[-1]}' is missing")

    def wrong(self, path: KeyPath, value: object, wanted: str) -> None:
        """Notes a value that is not what its field wants."""
        shown = _show(value)
        self.note(path, self.places.value(path), f"{shown} is not {wanted}", found=shown)

    def name(self, path: KeyPath, table: dict[str, Any]) -> str:
        """A printed name; empty where there is no proper one."""
        name = table.get("name")
        if isinstance(name, str) and _is_name(name):
            return name
        if name is None:
            self.missing(path)
        else:
            self.wrong(path, name, f"a name of 1 to {MAX_NAME} printable characters")
        return ""

    def whole(self, path: KeyPath, table: dict[str, Any], least: int, most: int) -> int:
        """A whole number; the least one where there is no proper one."""
        number = table.get(path[-1])
        if type(number) is int and least <= number <= most:
            return number
        if number is None:
            self.missing(path)
        else:
            self.wrong(path, number, f"a whole number from {least} to {most}")
        return least

    def keywords(self, path: KeyPath, words: object) -> frozenset[Keyword]:
        """The printed keywords."""
        if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
            self.wrong(path, words, 'a list of keywords such as ["FRENZY", "TOUGH"]')
            return frozenset()
        allowed = tuple(Keyword.__members__)
        found = set()
        for index, word in enumerate(words):
            at = self.places.in_string(path, index, word, 0)
            if word.upper() not in allowed:
                problem, guess = f"{_show(word)} is not a keyword", nearest(word, allowed)
                self.note(path, at, problem, found=word, allowed=allowed, nearest=guess)
            elif Keyword[word.upper()] in found:
                self.note(path, at, f"'{word}' is named twice", found=word)
            else:
                found.add(Keyword[word.upper()])
        return frozenset(found)

    def triggered(self, card_id: str, table: dict[str, Any]) -> tuple[TriggeredAbility, ...]:
        """The triggered abilities of a card, in the order of their triggers."""
        from card_data.mindbug.language import parse_triggered

        abilities: dict[Trigger, TriggeredAbility] = {}
        for key in [key for key in TRIGGER_FIELDS if key in table]:
            path = (card_id, key)
            if not isinstance(table[key], str):
                self.wrong(path, table[key], "a line of the card language")
                continue
            instructions = self.line(path, 0, table[key], parse_triggered) or ()
            for trigger in TRIGGER_FIELDS[key]:
                if trigger in abilities:
                    problem = f"the card has a {trigger.name.capitalize()} ability already"
                    self.note(path, self.places.key(path), problem)
                abilities[trigger] = TriggeredAbility(trigger, instructions)
        return tuple(abilities[trigger] for trigger in sorted(abilities))

    def constant(self, path: KeyPath, table: dict[str, Any]) -> tuple[ConstantAbility, ...]:
        """The constant abilities of a card, in the order written."""
        from card_data.mindbug.language import parse_constant

        if "constant" not in table:
            return ()
        lines = table["constant"] if isinstance(table["constant"], list) else [table["constant"]]
        if not 1 <= len(lines) <= MAX_CONSTANTS or not all(isinstance(line, str) for line in lines):
            wanted = f"a line of the card language, or a list of 1 to {MAX_CONSTANTS} lines"
            self.wrong(path, table["constant"], wanted)
            return ()
        abilities = [self.line(path, i, line, parse_constant) for i, line in enumerate(lines)]
        return tuple(ability for ability in abilities if ability)

    def line(
        self, path: KeyPath, index: int, line: str, parse: Callable[[str], _Parsed]
    ) -> _Parsed | None:
        """One line of the card language: the ``index``-th string of its field."""
        from card_data.mindbug.language import LanguageError

        try:
            return parse(line)
        except LanguageError as error:
            for problem in error.problems:
                self.note(
                    path,
                    self.places.in_string(path, index, line, problem.offset),
                    problem.message,
                    found=problem.found,
                    allowed=problem.allowed,
                    nearest=problem.nearest,
                )
            return None


def _is_name(text: str) -> bool:
    return 1 <= len(text) <= MAX_NAME and text.isprintable() and text == text.strip()


def _show(value: object) -> str:
    """A value as it may appear in a message: short and printable."""
    return reprlib.repr(value)


def _plain(text: str) -> str:
    """A key as it may appear in a message."""
    return text if _CARD_ID.fullmatch(text) or not text else _show(text)
