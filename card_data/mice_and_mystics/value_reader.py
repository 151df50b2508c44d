"""What kinds of values use while a file is read: where they stand, and notes of what is wrong."""

from typing import Any

from attrs import frozen

from card_data.faults import shown
from card_data.mice_and_mystics.operations import Form
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

    ``place`` is where the effects of the entry that is read stand, a word of `operations.PLACES`,
    ``timing`` its timing as it stands there, and ``confidence_fields`` are the fields whose
    confidence it may tell.
    """

    def __init__(self, file: str, places: TomlPlaces) -> None:
        super().__init__(file, places)
        self.place = ""
        self.timing: Any = None
        self.confidence_fields: tuple[str, ...] = ()

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

    def check_timing(self, at: At, op: str, form: Form) -> None:
        """Notes an effect that does nothing at the time that its card is used."""
        if not form.timings or self.place == "scroll" or not isinstance(self.timing, str):
            return
        if self.timing not in form.timings:
            problem = f"'{op}' in this form can do nothing with timing '{self.timing}'"
            self.fault(at, problem, word=op, allowed=form.timings, guess=False)
