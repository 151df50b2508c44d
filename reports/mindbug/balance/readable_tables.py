"""Tables for reading: an estimate and its interval in one cell, as a notebook shows them."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pandas as pd

from analysis.mindbug.registry import TABLES
from reports.kit.cells import NumberKinds
from reports.kit.words import between, count, interval, percent, points

_UNKNOWN = "–"
#: Estimates whose interval is called just ``ci_low`` to ``ci_high``.
_MAIN = ("estimate", "first_player_win_rate", "score", "win_rate")


def readable(table: pd.DataFrame, *, digits: int = 1) -> pd.DataFrame:
    """A table with its numbers as texts: shares in per cent, differences in percentage points.

    Parameters
    ----------
    table
        A table of `analysis`, or some of its rows and columns.  An estimate takes up its interval,
        if the ends of that are among the columns.
    digits
        Decimals of shares and differences.

    Returns
    -------
    DataFrame
        The same rows, of texts alone: "53.6% (53.3–53.9%)", and "–" for what is not known.
    """
    names = [str(column) for column in table.columns]
    ends = {name: found for name in names if (found := _ends(name, names))}
    taken = {end for pair in ends.values() for end in pair}
    rows, kinds = table.to_dict("records"), NumberKinds.like(TABLES, names)
    columns = {
        name: [_told(row, name, ends.get(name), digits, kinds) for row in rows]
        for name in names
        if name not in taken
    }
    return pd.DataFrame(columns, index=table.index)


def _ends(name: str, names: list[str]) -> tuple[str, str] | None:
    """The columns with the ends of the interval of an estimate, if they are there."""
    stems = [f"{name}_", f"{name.removesuffix('_win_rate')}_", *[""] * (name in _MAIN)]
    for stem in stems:
        low, high = f"{stem}ci_low", f"{stem}ci_high"
        if low in names and high in names:
            return low, high
    return None


def _told(
    row: dict[Any, Any], name: str, ends: tuple[str, str] | None, digits: int, kinds: NumberKinds
) -> str:
    """A cell with its interval."""
    value = row[name]
    if isinstance(value, str):
        return value
    if pd.isna(value):
        return _UNKNOWN
    if isinstance(value, int):
        return count(value)
    kind = kinds.of(name, str(row.get("statistic", row.get("measure", ""))))
    if kind == "p_value":
        return f"{value:.2g}"
    if ends is not None and pd.isna(row[ends[0]]):
        ends = None
    if kind == "share":
        text = percent(value, digits)
        return f"{text} ({between(row[ends[0]], row[ends[1]], digits)})" if ends else text
    words: Callable[[float], str] = "{:.2f}".format
    if kind == "difference":
        words = partial(points, digits=digits)
    text = words(value)
    return f"{text} ({interval(row[ends[0]], row[ends[1]], words)})" if ends else text
