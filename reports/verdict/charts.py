"""What charts of verdicts share: which changes they show, and how these are called."""

from collections.abc import Callable, Iterable

import pandas as pd
from matplotlib.axes import Axes

from reports.kit.drawing import draw_points, width_of
from reports.kit.theme import VERDICT_MARKS
from reports.kit.words import display_name

#: The height of a change, in inches.
ROW = 0.42
# Letters of a change.
_LONGEST = 40


def drawn_changes(changes: pd.DataFrame) -> pd.DataFrame:
    """The changes that a chart shows, from below: those in fresh games above single ones."""
    fresh, single = changes[changes["fresh"]], changes[~changes["fresh"] & ~changes["joined"]]
    return pd.concat([fresh, single]).iloc[::-1].reset_index(drop=True)


def names_of(changes: pd.DataFrame, called: Callable[[str], str] = str) -> list[str]:
    """The changes in words, with who played fresh games, as they are ``called``, below."""
    return [
        display_name(row["change"], _LONGEST)
        + (f"\n({called(row['policy'])}, fresh)" * row["fresh"])
        for _, row in changes.iterrows()
    ]


def draw_verdicts(ax: Axes, rows: pd.DataFrame, column: str, size: int) -> None:
    """Draw estimates and intervals, marked by their verdicts, with the words of these as legend."""
    for verdict, (colour, marker) in VERDICT_MARKS.items():
        marked = rows[rows["verdict"] == verdict]
        if len(marked):
            look = {"color": colour, "marker": marker, "markersize": size}
            draw_points(ax, marked, column, column, label=verdict, **look)


def width_of_lines(names: Iterable[str]) -> float:
    """The room that names of several lines need."""
    return width_of(line for name in names for line in name.split("\n"))
