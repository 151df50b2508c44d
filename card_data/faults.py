"""What is wrong with a card file, and where: all faults of a file travel in one exception."""

from collections.abc import Iterable

from attrs import frozen


@frozen
class Fault:
    """One thing that is wrong, and the nearest right one.

    ``line`` and ``column`` count from 1 and are 0 where the fault has no place inside a file.
    ``allowed`` is what could stand there instead, ``nearest`` the one of them most like ``found``.
    """

    file: str
    line: int
    column: int
    card_id: str
    field: str
    problem: str
    found: str = ""
    allowed: tuple[str, ...] = ()
    nearest: str = ""

    def __str__(self) -> str:
        """``file:line:column: card.field: problem; did you mean …? Allowed here: …``."""
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        where = ".".join(part for part in (self.card_id, self.field) if part)
        guess = f"; did you mean '{self.nearest}'?" if self.nearest else "."
        allowed = f" Allowed here: {', '.join(self.allowed)}." if self.allowed else ""
        return ": ".join(part for part in (place, where, self.problem) if part) + guess + allowed


class CardFileError(Exception):
    """Card files that cannot be used; ``faults`` holds everything that is wrong with them."""

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(map(str, self.faults)))


def nearest(word: str, words: Iterable[str]) -> str:
    """The one of ``words`` that ``word`` was probably meant to be, or an empty string."""
    from rapidfuzz import fuzz, process

    best = process.extractOne(
        word, list(words), scorer=fuzz.ratio, processor=str.casefold, score_cutoff=60
    )
    return best[0] if best else ""
