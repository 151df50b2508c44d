"""Words of every page, chart and console: numbers as text, lists in a sentence, findings.

A number has as many digits as its interval supports; a rate has one decimal.
"""

import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from math import floor, isnan, log10
from typing import Any, NamedTuple, Self

from analysis.confidence import confidence

#: Between what was and what is: "4 → 6".
ARROW = "\N{RIGHTWARDS ARROW}"
#: What stands for a number that is not known.
UNKNOWN = "\N{EN DASH}"
#: Between the parts of a line that says what was played.
DOT = " \N{MIDDLE DOT} "

# Characters that change the direction of the text around them.
_TURNS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


def level() -> str:
    """The confidence level of everything that is shown: "95%"."""
    return f"{100 * confidence():g}%"


def intervals() -> str:
    """The part of a caption that only charts with intervals have."""
    return f"{DOT}{level()} intervals"


class _Told(NamedTuple):
    """What something is about, and what is said of it."""

    topic: str
    text: str


class Finding(_Told):
    """One of the first things to know: what it is about, and a few sentences.

    ``brief`` is the one plain sentence of it that the first screen of a page has room for; "" where
    the text is no longer than that.
    """

    brief: str

    def __new__(cls, topic: str, text: str, brief: str = "") -> Self:
        """A pair of topic and text that knows its sentence."""
        told = super().__new__(cls, topic, text)
        told.brief = brief
        return told

    @classmethod
    def of(cls, topic: str, sentences: Sequence[str]) -> Self:
        """The finding of some sentences, the first of which the first screen has room for."""
        return cls(topic, " ".join(sentences), sentences[0] if len(sentences) > 1 else "")


class Played(ABC):
    """What a page says of what was played."""

    @property
    @abstractmethod
    def played(self) -> str:
        """One line, for the terminal and below the headline."""

    @property
    def caption(self) -> str:
        """What stands under a chart."""
        return f"{self.played}{intervals()}"

    @property
    @abstractmethod
    def facts(self) -> list[tuple[str, str]]:
        """What else is needed to play it again, but for the games and the command."""


def headline(findings: Iterable[Finding]) -> str:
    """The finding that matters most, for a list of runs; "" where nothing was found."""
    return next((finding.brief or finding.text for finding in findings), "")


def listed(parts: Iterable[str], most: int | None = None, *, last: str = "and") -> str:
    """Parts as a list in a sentence: "a, b and c", or "a, b and 7 more"."""
    named = list(parts)
    if most is not None and len(named) > most + 1:
        named = [*named[:most], f"{len(named) - most} more"]
    return f" {last} ".join([", ".join(named[:-1]), named[-1]] if len(named) > 1 else named)


def capital(text: str) -> str:
    """A text as it begins a sentence: "the first" -> "The first"."""
    return f"{text[0].upper()}{text[1:]}"


#: Letters of a word that may be left out whole where a text is cut.
_LONG_WORD = 16


def display_name(name: str, length: int = 30) -> str:
    """A name as it may stand in a chart: one line, printable, not too long.

    What is too long ends between two words, where that leaves out little more.
    """
    plain = "".join(
        char if char.isprintable() and unicodedata.bidirectional(char) not in _TURNS else " "
        for char in name
    )
    plain = " ".join(plain.split())
    if len(plain) <= length:
        return plain
    cut = plain[: length - 1]
    whole = cut if plain[length - 1] == " " else cut.rpartition(" ")[0]
    is_near = len(cut) - len(whole) <= min(_LONG_WORD, length // 4)
    return (whole if is_near else cut).rstrip() + "…"


def percent(share: float, digits: int = 1) -> str:
    """A share as text: 0.5312 -> "53.1%"."""
    return "unknown" if isnan(share) else f"{100 * share:.{digits}f}%"


#: What stands in the place of an interval where there is none.
NO_INTERVAL = "too few games for an interval"


def interval(low: float, high: float, words: Callable[[float], str], after: str = "") -> str:
    """An interval, its ends in ``words`` and what follows: "53.5 to 53.9%", "+1.1 to +1.5".

    It stands in parentheses behind its estimate, or behind a comma where both are in parentheses.
    """
    if isnan(low) and isnan(high):
        return NO_INTERVAL
    return f"{words(low)} to {words(high)}{after}"


def interval_of(row: Any, column: str, words: Callable[[float], str], after: str = "") -> str:
    """The interval of an estimate in a row of a table, which is the row's only one for ""."""
    low, high = (row[f"{column}_ci_{end}".lstrip("_")] for end in ("low", "high"))
    return interval(low, high, words, after)


def between(low: float, high: float, digits: int = 1) -> str:
    """An interval of shares as text: "53.5 to 53.9%"."""
    return interval(low, high, partial(bare_percent, digits=digits), "%")


def bare_percent(share: float, digits: int = 1) -> str:
    """A share in per cent without the sign: 0.5312 -> "53.1"."""
    return f"{100 * share:.{digits}f}".replace("-", "\N{MINUS SIGN}")


def points(difference: float, digits: int = 1) -> str:
    """A difference between shares in percentage points: 0.012 -> "+1.2"."""
    return signed(100 * difference, digits)


def points_text(size: float) -> str:
    """A size in points with its unit: 0.01 -> "1 point", 0.005 -> "0.5 points"."""
    number = f"{100 * size:.2f}".rstrip("0").rstrip(".")
    return f"{number} {plural('point', 1 if number == '1' else 2)}"


def plural(noun: str, number: float) -> str:
    """A regular noun as it follows a number: "game" after 1, "games" after any other."""
    return noun if number == 1 else f"{noun}s"


def decimal(number: float) -> str:
    """A number with two decimals, such as a correlation: -0.441 -> "−0.44"."""
    return f"{number:.2f}".replace("-", "\N{MINUS SIGN}")


def signed(number: float, digits: int) -> str:
    """A number with its sign: -1.23 -> "−1.2"; one that is rounded to zero has none."""
    if isnan(number):
        return "unknown"
    text = f"{number:+.{digits}f}".replace("-", "\N{MINUS SIGN}")
    return text if set(text) & set("123456789") else text[1:]


def elo(rating: float) -> str:
    """A rating, or a difference between ratings, in whole Elo: -41.3 -> "−41"."""
    text = f"{round(rating):+,}".replace("-", "\N{MINUS SIGN}")
    return text if round(rating) else "0"


def chance(p_value: float) -> str:
    """A p-value, corrected or not, as text: 0.0312 -> "0.031", 2.4e-197 -> "<0.0001"."""
    if isnan(p_value):
        return ""
    return "<0.0001" if p_value < 0.0001 else f"{p_value:.2g}"


def times(factor: float) -> str:
    """A factor in as many digits as are worth reading: 3.42 -> "3.4", 2867.3 -> "about 2,900"."""
    if factor < 10:
        return f"{factor:.1f}"
    return f"about {count(float(f'{factor:.2g}'))}"


def decimals(low: float, high: float) -> int:
    """How many decimals an interval supports, 1 to 3: the first in which its half-width shows."""
    half = (high - low) / 2
    if not half > 0:  # unknown, or without any doubt
        return 1
    return min(max(-floor(log10(half)), 1), 3)


def seed_text(manifest: Mapping[str, Any]) -> str:
    """The seed of a run: "seed 1", or "seeds 1, 2" where runs of several were merged."""
    from simcore.work.parts import seeds_text  # with all that reads parts

    return f"{plural('seed', len(seeds_text(manifest).split()))} {seeds_text(manifest)}"


def games(number: int) -> str:
    """A number of games: "1 game", "1,000 games"."""
    return f"{count(number)} {plural('game', number)}"


def count(number: float) -> str:
    """A whole number with separated thousands: 1000000 -> "1,000,000"."""
    return f"{int(number):,}"
