"""Notes of what is wrong with values while a file is read, and where each stands."""

from collections.abc import Mapping
from typing import Any

from attrs import frozen

from card_data.faults import shown
from card_data.table_reader import TableReader
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


class ValueReader(TableReader):
    """Notes what is wrong with values.

    ``current`` is the entry that is read, as it stands in its file, ``current_fields`` are the
    names of all its fields, those of tables inside it too.
    """

    def __init__(self, file: str, places: TomlPlaces) -> None:
        super().__init__(file, places)
        self.current: Mapping[str, Any] = {}
        self.current_fields: tuple[str, ...] = ()

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
