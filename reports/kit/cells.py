"""Cells of the tables in a page: a number as text, with its interval and what it sorts by."""

import math
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from statistics import median
from typing import Any, NamedTuple, Self

import pandas as pd

from analysis.registry import Registry, Table
from reports.kit.verdicts import KINDS
from reports.kit.words import bare_percent, count, interval, points


class Dot(NamedTuple):
    """Where the lower end of an interval, its estimate and its upper end lie, in per cent."""

    low: str
    at: str
    high: str

    @property
    def width(self) -> str:
        """How long the interval is."""
        return f"{float(self.high) - float(self.low):.1f}".removesuffix(".0")


class Scale(NamedTuple):
    """What an axis without ticks shows: from ``low`` to ``high``."""

    low: float
    high: float

    def place(self, value: float) -> str:
        """Where a value lies, in per cent of the axis; what lies beyond is put at its end."""
        share = (value - self.low) / (self.high - self.low)
        return f"{100 * min(max(share, 0), 1):.1f}".removesuffix(".0")

    def dot(self, low: float, value: float, high: float) -> Dot | None:
        """Where an estimate and its interval are drawn; None for one that is not known."""
        if math.isnan(value):
            return None
        return Dot(*(self.place(value if math.isnan(one) else one) for one in (low, value, high)))


class Cell(NamedTuple):
    """One cell: its text, the number that it sorts by, and what is said about it.

    ``value`` is None for words and nan for a number that is not known; ``title`` is shown on
    pointing, ``kind`` are the classes of the style sheet, ``target`` is the id that it links to,
    ``mark`` stands behind a name, and ``dot`` are the places of an interval and of its estimate.
    """

    text: str
    value: float | None = None
    interval: str = ""
    title: str = ""
    kind: str = ""
    target: str = ""
    mark: str = ""
    ends: tuple[float, float] | None = None
    dot: "Dot | None" = None

    @property
    def order(self) -> str:
        """What the cell sorts by in the page; empty for a number that is not known."""
        return "" if self.value is None or math.isnan(self.value) else str(self.value)


class Ground(NamedTuple):
    """What intervals are drawn on: a line at ``middle`` (nan for none), and shade around it.

    ``band`` is how far the shade reaches to either side, ``words`` write the ends of the axis.
    """

    words: Callable[[float], str]
    middle: float = 0
    band: float = 0


class Column(NamedTuple):
    """One column of a table that can be sorted.

    ``filter`` is what the column is called where rows are chosen by it: "" if they are not;
    ``several`` says that a cell may hold several words, with commas.  On its ``ground`` the
    intervals of a column are drawn in another one, of which ``axis`` is the style.
    """

    heading: str
    meaning: str
    cell: Callable[[Any], Cell]
    kind: str = ""
    sorted: bool = False
    filter: str = ""
    several: bool = False
    ground: Ground | None = None
    axis: str = ""


class Columns:
    """Makes columns of one table, whose headings are explained as the table explains them."""

    def __init__(self, meanings: Mapping[str, str]) -> None:
        self._meanings = meanings

    def of(self, heading: str, column: str, cell: Callable[[Any], Cell], **more: Any) -> Column:
        """A column with cells of any kind."""
        return Column(heading, self._meanings[column].replace("`", ""), cell, **more)

    def count(self, heading: str, column: str) -> Column:
        """A whole number."""
        return self.of(heading, column, cell_of(column, counted))

    def estimate(
        self,
        heading: str,
        column: str,
        words: Callable[[float], str] = points,
        n: str | None = None,
        **more: Any,
    ) -> Column:
        """A number with its interval; ``n`` is the column with its number of observations."""
        return self.of(heading, column, estimate_of(column, words, n), **more)

    def verdict(self) -> Column:
        """The verdict on a row, by which rows can be chosen."""
        cell = cell_of("verdict", verdict)
        return self.of("Verdict", "verdict", cell, kind="word", filter="Verdict")


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
    kind = KINDS.get(like or text, "")
    return word(text, f"mark {kind}" if kind else "")


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
    told = interval(low, high, words) if math.isfinite(low) and math.isfinite(high) else ""
    title = "" if n is None else f"n = {count(n)}"
    ends = (low, high) if told else None
    return Cell(words(value), round(value, 6), told, title, ends=ends)


def cell_of(column: str, kind: Callable[[Any], Cell] = word) -> Callable[[Any], Cell]:
    """Makes the cells of a column as it is: a word, unless another ``kind`` is given."""
    return lambda row: kind(row[column])


def estimate_of(
    column: str, words: Callable[[float], str], n: str | None = None
) -> Callable[[Any], Cell]:
    """Makes the cells of a column with an interval; see `estimate`."""
    return partial(estimate, column=column, words=words, n=n)


def scale_of(values: Iterable[float], step: float) -> Scale:
    """The axis on which values have room, in whole steps; those that are not known are left out."""
    known = [value for value in values if not math.isnan(value)]
    if not known:
        return Scale(0, 1)
    low = math.floor(round(min(known) / step, 6)) * step
    high = math.ceil(round(max(known) / step, 6)) * step
    return Scale(low, max(high, low + step))


def with_drawn(columns: Iterable[Column], rows: Iterable[Any]) -> list[Column]:
    """The columns, and beside each that has a `Ground` one that draws its intervals in these rows.

    All lie on one axis, whose ends are the heading; an interval three times as long as the median
    one does not stretch it.
    """
    rows, shown = list(rows), []
    for column in columns:
        shown.append(column)
        if column.ground and any(column.cell(row).ends for row in rows):
            shown.append(_drawn(column, column.ground, rows))
    return shown


def _drawn(column: Column, ground: Ground, rows: Iterable[Any]) -> Column:
    """A column that draws the intervals of another."""
    pairs = [pair for row in rows if (pair := column.cell(row).ends) is not None]
    longest = 3 * median([high - low for low, high in pairs])
    ends = [end for low, high in pairs if high - low <= longest for end in (low, high)]
    ends += [(low + high) / 2 for low, high in pairs]
    edges = [ground.middle, ground.middle - ground.band, ground.middle + ground.band]
    known = [end for end in [*ends, *edges] if not math.isnan(end)]
    scale = scale_of(known, _step(max(known) - min(known)))

    def cell(row: Any) -> Cell:
        told = column.cell(row)
        if told.ends is None or told.value is None:
            return Cell("", kind="dots")
        found = row.get("verdict", "") if isinstance(row, pd.Series) else ""
        kind = f"dots {told.kind or KINDS.get(found, '')}".rstrip()
        return Cell("", kind=kind, dot=scale.dot(told.ends[0], told.value, told.ends[1]))

    style = ""
    if not math.isnan(ground.middle):
        places = zip(("--zero", "--from", "--to"), map(scale.place, edges), strict=True)
        style = ";".join(f"{name}:{place}" for name, place in places)
    heading = interval(scale.low, scale.high, ground.words)
    return Column(heading, "", cell, "dots", axis=style or "--zero:-9")


def _step(width: float) -> float:
    """A round step of an axis of that width, which has five to ten of them."""
    if width <= 0:
        return 0.01
    rough = 10.0 ** math.floor(math.log10(width))
    return rough / 2 if width < 4 * rough else rough


class NumberKinds:
    """The kinds of the columns of a table, by what its entry in the registry says."""

    def __init__(self, *tables: Table) -> None:
        self._differences = {column for one in tables for column in one.differences}
        self._numbers = {column for one in tables for column in one.numbers} - self._differences

    @classmethod
    def like(cls, registry: Registry, columns: Collection[str]) -> Self:
        """Of a table without a name: that of the tables which have the most of its columns."""
        shared = {name: len(set(columns) & {*one.columns}) for name, one in registry.items()}
        most = max(shared.values())
        return cls(*(one for name, one in registry.items() if shared[name] == most))

    def of(self, column: str, about: str = "") -> str:
        """The kind of a column that is no interval and not of whole numbers.

        One of "share", "difference" (of shares), "number" and "p_value".  ``about`` is the
        statistic or measure of the row, in tables whose rows differ in that.  The ends of an
        interval are shown as the estimate that stands before them.
        """
        if column.endswith(("p_value", "q_value")):
            return "p_value"
        if (
            column in self._numbers
            or f"{column} {about}".startswith("mean_")
            or about.startswith(("mean_", "variance_"))
        ):
            return "number"
        if column in self._differences or about.endswith("_effect"):
            return "difference"
        return "share"
