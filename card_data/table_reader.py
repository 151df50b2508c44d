"""The tables of one file to checked objects: what readers of any game's files have in common."""

import re
from collections.abc import Iterable
from typing import Any

from card_data.faults import MAX_GUESSES, Fault, nearest, shown
from card_data.toml_places import KeyPath, TomlPlaces

MAX_NAME = 60

#: What an id is, as a regular expression for all of it.
ID_PATTERN = rf"^[a-z][a-z0-9_]{{0,{MAX_NAME - 1}}}$"
_ID = re.compile(ID_PATTERN[1:-1])


class TableReader:
    """Notes every fault of a file while its tables are read.

    What is faulty is left out or read as its default, so that the rest is checked as well.  A
    ``path`` is that of a key in the file: (key,) for the file, (header, key) for a table.
    """

    def __init__(self, file: str, places: TomlPlaces) -> None:
        self.file = file
        self.places = places
        self.faults: list[Fault] = []

    @property
    def guesses(self) -> bool:
        """Whether faults are still explained in full: of very many only the first are."""
        return len(self.faults) < MAX_GUESSES

    def nearest(self, word: str, words: Iterable[str]) -> str:
        """The nearest of the right words, or an empty string."""
        return nearest(word, words) if self.guesses else ""

    def nearest_field(self, word: str, fields: Iterable[str]) -> str:
        """The field that was probably meant, or an empty string."""
        return self.nearest(word, fields)

    def note(self, path: KeyPath, at: int, problem: str, **more: Any) -> None:
        """Notes a fault of a key at an offset of the text."""
        line, column = self.places.line_column(at)
        header, key = (plain_key(part) for part in ("", "", *path)[-2:])
        self.faults.append(Fault(self.file, line, column, header, key, problem, **more))

    def unknown(self, path: KeyPath, allowed: tuple[str, ...], owner: str = "a card file") -> None:
        """Notes a key that has no meaning."""
        key = path[-1]
        problem = f"{shown(key)} is not a field of {owner}"
        guess = self.nearest_field(key, allowed)
        self.note(path, self.places.key(path), problem, found=key, allowed=allowed, nearest=guess)

    def missing(self, path: KeyPath) -> None:
        """Notes a field that has to be there."""
        self.note(path, self.places.key(path), f"the field '{path[-1]}' is missing")

    def wrong(self, path: KeyPath, value: object, wanted: str) -> None:
        """Notes a value that is not what its field wants."""
        found = shown(value)
        self.note(path, self.places.value(path), f"{found} is not {wanted}", found=found)


def is_name(text: str) -> bool:
    """Whether a text can be a printed name."""
    return 1 <= len(text) <= MAX_NAME and text.isprintable() and text == text.strip()


def is_id(text: str) -> bool:
    """Whether a text can be an id: a-z, 0-9 and _, a letter first."""
    return _ID.fullmatch(text) is not None


def plain_key(text: str) -> str:
    """A key as it may appear in a message."""
    return text if is_id(text) or not text else shown(text)
