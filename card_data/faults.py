"""What is wrong with a card file, and where: all faults of a file travel in one exception."""

import reprlib
from collections.abc import Iterable, Sequence

from attrs import field as attribute
from attrs import frozen

#: Faults that a message tells one by one, and those for which the nearest word is looked for: a few
#: more, since they are found in another order than they are told in.
MAX_TOLD = 50
MAX_GUESSES = 4 * MAX_TOLD

_MAX_FOUND = 100
_MAX_ALLOWED = 100


@frozen
class Fault:
    """One thing that is wrong, and the nearest right one.

    ``line`` and ``column`` count from 1 and are 0 where the fault has no place inside a file.
    ``found`` is what stands there, its beginning if it is long; ``allowed`` is what could stand
    there instead, ``nearest`` the one of them most like ``found``.
    """

    file: str
    line: int
    column: int
    card_id: str
    field: str
    problem: str
    found: str = attribute(default="", converter=lambda text: text[:_MAX_FOUND])
    allowed: tuple[str, ...] = ()
    nearest: str = ""

    def __str__(self) -> str:
        """``file:line:column: card.field: problem; did you mean …? Allowed here: …``."""
        place = f"{self.file}:{self.line}:{self.column}" if self.line else self.file
        where = ".".join(part for part in (self.card_id, self.field) if part)
        guess = f"; did you mean '{self.nearest}'?" if self.nearest else "."
        words = self.allowed[:_MAX_ALLOWED]
        if any("," in word for word in words):  # where commas are words, all words are quoted
            words = tuple(f"'{word}'" for word in words)
        listed = [*words, *(["…"] if self.allowed[_MAX_ALLOWED:] else [])]
        allowed = f" Allowed here: {', '.join(listed)}." if listed else ""
        return ": ".join(part for part in (place, where, self.problem) if part) + guess + allowed


class CardFileError(Exception):
    """Card files that cannot be used; ``faults`` holds everything that is wrong with them.

    The message tells the first of many faults.
    """

    def __init__(self, faults: Iterable[Fault]) -> None:
        self.faults = tuple(faults)
        super().__init__("\n".join(map(str, told(self.faults))))


def told(faults: Sequence[Fault]) -> list[Fault]:
    """The faults that are told one by one, and behind them how many more there are."""
    if not (n_more := len(faults[MAX_TOLD:])):
        return list(faults)
    more = f"{n_more:,} more fault{'s' if n_more > 1 else ''}; correct these first"
    return [*faults[:MAX_TOLD], Fault("", 0, 0, "", "", more)]


def nearest(word: str, words: Iterable[str]) -> str:
    """The one of ``words`` that ``word`` was probably meant to be, or an empty string."""
    from rapidfuzz import fuzz, process

    if len(word) > _MAX_FOUND:  # nobody's slip
        return ""
    best = process.extractOne(
        word, list(words), scorer=fuzz.ratio, processor=str.casefold, score_cutoff=60
    )
    return best[0] if best else ""


def did_you_mean(word: str, words: Iterable[str], otherwise: str = ".") -> str:
    """What a word was probably meant to be: "; did you mean 'power'?"; ``otherwise`` if unknown."""
    guess = nearest(word, words)
    return f"; did you mean '{guess}'?" if guess else otherwise


def unknown_word(what: str, word: str, allowed: Sequence[str], guess: str = "") -> str:
    """Why a word cannot be read: "there is no change 'pwer'; did you mean 'power'? Allowed …"."""
    meant = f"; did you mean '{guess}'?" if guess else did_you_mean(word, allowed)
    return f"there is no {what} '{word}'{meant} Allowed here: {', '.join(allowed)}."


def shown(value: object) -> str:
    """A value as it may appear in a message: short and printable."""
    return reprlib.repr(value)
