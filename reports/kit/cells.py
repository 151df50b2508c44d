"""Cells of the tables in a page: a number as text, with its interval and what it sorts by."""

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import pandas as pd

from analysis.verdicts import STRONG, WEAK
from reports.kit.words import count


class Cell(NamedTuple):
    """One cell: its text, the number that it sorts by, and what is said about it.

    ``value`` is None for words and nan for a number that is not known; ``title`` is shown on
    pointing, ``kind`` are the classes of the style sheet, ``target`` is the id that it links to.
    """

    text: str
    value: float | None = None
    interval: str = ""
    title: str = ""
    kind: str = ""
    target: str = ""

    @property
    def order(self) -> str:
        """What the cell sorts by in the page; empty for a number that is not known."""
        return "" if self.value is None or math.isnan(self.value) else str(self.value)


class Column(NamedTuple):
    """One column of a table that can be sorted.

    ``filter`` is what the column is called where rows are chosen by it: "" if they are not;
    ``several`` says that a cell may hold several words, with commas.
    """

    heading: str
    meaning: str
    cell: Callable[[Any], Cell]
    kind: str = ""
    sorted: bool = False
    filter: str = ""
    several: bool = False


def whole(number: int) -> Cell:
    """A whole number."""
    return Cell(str(number), number)


def counted(number: int) -> Cell:
    """A whole number with separated thousands."""
    return Cell(count(number), number)


def word(text: str, kind: str = "") -> Cell:
    """A word or a few; of a second ``kind`` where it is not plain."""
    return Cell(text, kind=f"word {kind}".strip())


def verdict(text: str, like: str = "") -> Cell:
    """A verdict, with the mark and the colour of the one that it is like."""
    like = like or text
    return word(text, f"mark {like}" if like in (STRONG, WEAK) else "")


def rate(row: pd.Series, selection: str) -> Cell:
    """The win rate of a selection, in per cent."""
    low, high = row[f"{selection}_ci_low"], row[f"{selection}_ci_high"]
    return number(row[f"{selection}_win_rate"], low, high, bare_percent, row[f"{selection}_n"])


def estimate(
    row: pd.Series, column: str, words: Callable[[float], str], n: str | None = None
) -> Cell:
    """Another estimate with its interval; ``n`` is the column with its number of observations."""
    low, high = row[f"{column}_ci_low"], row[f"{column}_ci_high"]
    return number(row[column], low, high, words, None if n is None else row[n])


def number(
    value: float, low: float, high: float, words: Callable[[float], str], n: int | None = None
) -> Cell:
    """A number and its interval, each in ``words``; a dash for nan."""
    if math.isnan(value):
        return Cell("–", math.nan)
    interval = ""
    if not math.isnan(low):
        signed = any(words(end)[0] in "+\N{MINUS SIGN}" for end in (low, high))
        dash = " to " if signed else "\N{THIN SPACE}–\N{THIN SPACE}"
        interval = f"{words(low)}{dash}{words(high)}"
    title = "" if n is None else f"n = {count(n)}"
    return Cell(words(value), round(value, 6), interval, title)


def bare_percent(share: float, digits: int = 1) -> str:
    """A share in per cent without the sign: 0.5312 -> "53.1"."""
    return f"{100 * share:.{digits}f}"
