"""The charts of a verdict on an entry of a chapter."""

import pandas as pd
from matplotlib.axes import Axes

from analysis.mice_and_mystics.registry import TABLES
from reports.kit.drawing import (
    Charts,
    draw_points,
    name_rows,
    new_axes,
    points_tick,
    set_titles,
    style_for,
    width_of,
    write_points,
)
from reports.kit.theme import BAND, MUTED, VERDICT_MARKS
from reports.kit.words import display_name

_ROW = 0.36  # inches
_LONGEST = 44

#: The charts of a verdict by the names of their files.
CHARTS = Charts(TABLES)


@CHARTS.draws("effect", "verdict")
def plot_effect(verdict: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """The effect of the entry, for each player, and the band that is called balanced."""
    rows = verdict.iloc[::-1].reset_index(drop=True)
    title = f"What {display_name(rows['name'].iloc[0])} adds to the win rate"
    return _draw(rows, list(rows["policy"]), title, ax)


@CHARTS.draws("changes", "verdict_changes", optional=True)
def plot_changes(verdict_changes: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """The effect of the entry with each change that was tried."""
    rows = verdict_changes.sort_values("fresh", ascending=False, kind="stable")
    rows = rows.iloc[::-1].reset_index(drop=True)
    names = [
        f"{display_name(row['change'], _LONGEST)}"
        + (f" ({row['policy']}, fresh)" if row["fresh"] else "")
        for _, row in rows.iterrows()
    ]
    return _draw(rows, names, f"{display_name(rows['name'].iloc[0])} with one change", ax)


def _draw(rows: pd.DataFrame, names: list[str], title: str, ax: Axes | None) -> Axes:
    """Effects with their intervals and the band."""
    with style_for(ax):
        ax = ax or new_axes(_ROW * max(len(rows), 2), left=width_of(names), right=0.9)
        band = rows["band"].iloc[0]
        ax.axvspan(-band, band, color=BAND, zorder=0)
        ax.axvline(0, color=MUTED, linewidth=1, zorder=1)
        for verdict, (colour, marker) in VERDICT_MARKS.items():
            marked = rows[rows["verdict"] == verdict]
            if len(marked):
                look = {"color": colour, "marker": marker, "markersize": 8}
                draw_points(ax, marked, "effect", "effect", label=verdict, **look)
        write_points(ax, rows["effect"])
        name_rows(ax, names, margin=0.7)
        ax.xaxis.set_major_formatter(points_tick)
        ax.set_xlabel("difference of the win rate in percentage points")
        set_titles(ax, title, "shaded: balanced", legend=True)
    return ax
