"""Notes of what is wrong with a file while it is read, and where each value stands."""

from collections.abc import Iterable, Mapping
from typing import Any

from attrs import frozen

from card_data.faults import MAX_GUESSES, Fault, nearest, shown
from card_data.names import plain_key
from card_data.toml_places import KeyPath, TomlPlaces


@frozen
class At:
    """Where a value stands: the path of its field, and which item of a list it is in (-1: none)."""

    path: KeyPath
    item: int = -1

    @property
    def field(self) -> str:
        """The name of the field."""
        return self.path[-1]


class ValueReader:
    """Notes every fault of a file while its tables are read.

    What is faulty is left out or read as its default, so that the rest is checked as well.  A
    ``path`` is that of a key in the file: (key,) for the file, (header, key) for a table.
    ``current`` is the entry that is read, as it stands in its file, ``current_fields`` are the
    names of all its fields, those of tables inside it too.
    """

    def __init__(self, file: str, places: TomlPlaces) -> None:
        self.file = file
        self.places = places
        self.faults: list[Fault] = []
        self.current: Mapping[str, Any] = {}
        self.current_fields: tuple[str, ...] = ()

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
        header, key = (plain_key(part) for part in ("", "", *path)[-2:])
        self.faults.append(self.places.fault(at, self.file, header, key, problem, **more))

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

    def fault(
        self,
        at: At,
        problem: str,
        *,
        word: str = "",
        allowed: tuple[str, ...] = (),
        guess: bool = True,
    ) -> None:
        """Notes a fault where a word of a value stands; the nearest of the right words is added."""
        close = self.nearest(word, allowed) if guess and word else ""
        where = self.places.word(at.path, word, at.item)
        self.note(at.path, where, problem, found=word, allowed=allowed, nearest=close)

    def refuse(self, at: At, value: Any, wanted: str, *, word: str = "") -> None:
        """Notes a value that is not what is wanted."""
        found = word or (value if isinstance(value, str) else str(value))
        where = self.places.word(at.path, found, at.item)
        self.note(at.path, where, f"{shown(value)} is not {wanted}", found=shown(value))

    def word(self, at: At, value: Any, words: tuple[str, ...], what: str = "") -> str:
        """One of the right words; the first of them where there is none, which is noted."""
        if value in words:
            return str(value)
        problem = f"{shown(value)} is not {what or 'a word that can stand here'}"
        self.fault(at, problem, word=value if isinstance(value, str) else "", allowed=words)
        return words[0]
