"""The charts of a verdict on an entry of a chapter."""

import pandas as pd
from matplotlib.axes import Axes

from analysis.mice_and_mystics.registry import TABLES
from reports.kit.drawing import (
    Charts,
    name_rows,
    new_axes,
    points_tick,
    set_titles,
    style_for,
    write_points,
)
from reports.kit.theme import BAND, MUTED
from reports.kit.words import display_name
from reports.verdict.charts import ROW, draw_verdicts, drawn_changes, names_of, width_of_lines

#: The charts of a verdict by the names of their files.
CHARTS = Charts(TABLES)


@CHARTS.draws("effect", "verdict_place")
def plot_effect(verdict_place: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """The effect of the entry for each player, as it is and with the proposed change."""
    rows = verdict_place.iloc[::-1].reset_index(drop=True)
    names = [
        f"{display_name(row['change'])}\n({row['policy']})"
        if row["change"]
        else f"as it is ({row['policy']})"
        for _, row in rows.iterrows()
    ]
    title = f"What {display_name(rows['name'].iloc[0])} adds to the win rate"
    return _draw(rows, names, title, ax)


@CHARTS.draws("changes", "verdict_changes", optional=True)
def plot_changes(verdict_changes: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """The effect of the entry with each change that was tried."""
    rows = drawn_changes(verdict_changes)
    names = names_of(rows)
    return _draw(rows, names, f"{display_name(rows['name'].iloc[0])} with one change", ax)


def _draw(rows: pd.DataFrame, names: list[str], title: str, ax: Axes | None) -> Axes:
    """Effects with their intervals and the band."""
    with style_for(ax):
        ax = ax or new_axes(ROW * max(len(rows), 2), left=width_of_lines(names), right=0.9)
        band = rows["band"].iloc[0]
        ax.axvspan(-band, band, color=BAND, zorder=0)
        ax.axvline(0, color=MUTED, linewidth=1, zorder=1)
        draw_verdicts(ax, rows, "effect", 8)
        write_points(ax, rows["effect"])
        name_rows(ax, names, margin=0.7)
        ax.xaxis.set_major_formatter(points_tick)
        ax.set_xlabel("difference of the win rate in percentage points")
        set_titles(ax, title, "shaded: fair", legend=True)
    return ax
