"""Changes that are tried one after the other: rows and maps that fill meanwhile.

What is known of a change is a line of a table with the columns ``difference`` and its interval, as
shares of games, and ``variant``, what is won with the change.
"""

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from analysis.verdicts import NOT_SETTLED, SETTLED, changes
from reports.kit.verdicts import KINDS
from reports.kit.words import display_name, interval_of, level, percent, points
from reports.studio.bench import Cell, Map, Row
from reports.studio.rows import LONGEST, UNKNOWN, points_row

if TYPE_CHECKING:
    import pandas as pd

_Any = TypeVar("_Any")

#: What is said of more wins and of fewer.
OF_CHANGE = ("stronger", "weaker")

# Seconds from one look to the next, at least.
_SECONDS = 0.3

#: Differences of shares as points with two decimals.
fine_points = partial(points, digits=2)


def interval_heading() -> str:
    """The heading of the first column behind those of `effect_row`."""
    return f"{level()} interval"


def seldom(look: Callable[[_Any], None]) -> Callable[[_Any], None]:
    """Look at what is known so far, unless that was done just now."""
    due = 0.0

    def see(so_far: _Any) -> None:
        nonlocal due
        if time.monotonic() >= due:
            look(so_far)
            due = time.monotonic() + _SECONDS

    return see


def shares_of(line: "pd.Series") -> list[float]:
    """The difference of a line between the ends of its interval."""
    return [line[f"difference{end}"] for end in ("_ci_low", "", "_ci_high")]


def effect(shares: Sequence[float], words: tuple[str, str] = OF_CHANGE) -> Mapping[str, str]:
    """What the interval of a difference shows, in words and as a colour."""
    word = str(changes(shares[0], shares[2]))
    said = dict(zip(SETTLED, words, strict=True)).get(word, NOT_SETTLED)
    return {"word": said, "kind": KINDS.get(word, "")}


def effect_row(
    name: str,
    line: "pd.Series | None",
    words: tuple[str, str] = OF_CHANGE,
    **more: Any,
) -> Row:
    """A change as a row, with its interval and what is won with it; None for nothing known yet."""
    if line is None:
        return Row(display_name(name, LONGEST), word=UNKNOWN, more=["", ""], **more)
    shares = shares_of(line)
    ends = interval_of(line, "difference", fine_points)
    columns = [ends, percent(line["variant"])]
    told = effect(shares, words)
    return points_row(name, fine_points(shares[1]), ends, shares, **told, more=columns, **more)


def effect_cell(
    label: str, line: "pd.Series | None", most: float, text: str, *, in_brackets: bool = False
) -> Cell | None:
    """A change as a cell of a map, whose colour is full at a difference of ``most``."""
    if line is None:
        return None
    shares = shares_of(line)
    value = points(shares[1])
    value = f"({value})" if in_brackets else value
    told = f"{label}: {interval_of(line, 'difference', fine_points)}"
    kind = "strong" if shares[1] > 0 else "weak" if shares[1] < 0 else ""
    share = abs(shares[1]) / most if most else 0.0
    return Cell(value, told, kind, round(share, 2), text, bool(effect(shares)["kind"]))


def effect_map(
    heading: str,
    columns: Sequence[str],
    rows: Iterable[tuple[str, bool, Mapping[str, Cell | None]]],
    how: str,
) -> Map:
    """Entries by changes, one's own first.

    ``rows`` are names, whether they are one's own, and their cells by columns.
    """
    shown = [
        (display_name(name, LONGEST), is_own, [cells.get(column, "") for column in columns])
        for name, is_own, cells in rows
    ]
    return Map(heading, columns, sorted(shown, key=lambda row: not row[1]), how)
