"""Rows and charts of experiments whose numbers are percentage points."""

from collections.abc import Mapping, Sequence
from math import ceil, isnan
from typing import Any

from reports.kit.words import display_name
from reports.studio.bench import Chart, Choice, Row

#: What is said of a row of which nothing is known yet.
UNKNOWN = "not played yet"
#: Letters of a name in a row.
LONGEST = 120
# Percentage points either way that a chart shows at least.
_LEAST_REACH = 2.0


def games_choice(usual: Mapping[str, str], *others: int) -> Choice:
    """How many games are played; the command's number first, with its words."""
    return Choice("games", "Games", {**usual, **{str(one): f"{one:,}" for one in others}})


def points_row(name: str, value: str, ends: str, shares: Sequence[float], **more: Any) -> Row:
    """A row whose interval is in percentage points; blue or orange where it leaves out 0."""
    low, at, high = (None if isnan(one) else 100 * float(one) for one in shares)
    kind = ""
    if low is not None and high is not None:
        kind = "strong" if low > 0 else "weak" if high < 0 else ""
    return Row(display_name(name, LONGEST), value, ends, low, at, high, **{"kind": kind, **more})


def points_chart(
    headings: tuple[str, str, str], rows: Sequence[Row], band: float = 0, more: Sequence[str] = ()
) -> Chart | None:
    """Rows on a ground of percentage points with 0 in the middle; None without rows."""
    ends = [abs(end) for row in rows for end in (row.low, row.high) if end is not None]
    reach = ceil(max([*ends, _LEAST_REACH]))
    ticks = f"\N{MINUS SIGN}{reach} points", f"+{reach}"
    return Chart(headings, rows, -reach, reach, 0, band, ticks, more) if rows else None
