"""The charts of verdicts: estimates with their intervals, verdicts and the band."""

from collections.abc import Callable, Iterable

import pandas as pd
from matplotlib.axes import Axes

from analysis.verdicts import FAIR, NEEDS_GAMES
from reports.kit.drawing import (
    Charts,
    draw_points,
    name_rows,
    new_axes,
    percent_tick,
    points_tick,
    set_titles,
    width_of,
    write_beside,
)
from reports.kit.theme import BAND, MUTED, VERDICT_MARKS
from reports.kit.words import display_name, games
from reports.verdict.words import Scale, without_change

# The height of a row, in inches, and letters of a change.
_ROW, _LONGEST = 0.42, 40


def changes_chart(
    charts: Charts, scale: Scale, called: Callable[[str], str] = str
) -> Callable[..., Axes]:
    """The chart of the changes that were tried, with those in fresh games on top.

    ``called`` is how a player is called where a person reads it.
    """

    @charts.draws("changes", "verdict_changes", optional=True)
    def plot_changes(verdict_changes: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
        """Each change that was tried by itself, and those that played fresh games."""
        fresh = verdict_changes["fresh"]
        single = verdict_changes[~fresh & ~verdict_changes["joined"]]
        rows = pd.concat([verdict_changes[fresh], single]).iloc[::-1].reset_index(drop=True)
        names = [
            display_name(row["change"], _LONGEST)
            + (f"\n({called(row['policy'])}, fresh)" * row["fresh"])
            for _, row in rows.iterrows()
        ]
        mended = rows[rows["verdict"] == FAIR].iloc[::-1]
        name = display_name(rows["name"].iloc[0])
        title = (
            f"{name} is fair with “{mended['change'].iloc[0]}”:"
            f" {scale.number(mended[scale.column].iloc[0])}"
            if len(mended)
            else f"No single change is shown to make {name} fair"
        )
        found = without_change(verdict_changes, scale)
        more = f"; as it is {found[0]} in these {games(found[1])}" if found else ""
        return draw_verdicts(ax, rows, names, title, scale, more)

    return plot_changes


def place_chart(charts: Charts, scale: Scale) -> Callable[..., Axes]:
    """The chart of what is judged, called as its column."""

    @charts.draws(scale.column, "verdict_place")
    def plot_place(verdict_place: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
        """What is judged for each player, as it is and with the proposed change."""
        rows = verdict_place.iloc[::-1].reset_index(drop=True)
        names = [
            f"{display_name(row['change'])}\n({row['policy']})"
            if row["change"]
            else f"as it is ({row['policy']})"
            for _, row in rows.iterrows()
        ]
        first = verdict_place.iloc[0]
        word = "needs more games" if first["verdict"] == NEEDS_GAMES else f"is {first['verdict']}"
        title = f"{display_name(first['name'])} {word}: {scale.number(first[scale.column])}"
        return draw_verdicts(ax, rows, names, title, scale)

    return plot_place


def draw_verdicts(
    ax: Axes | None, rows: pd.DataFrame, names: list[str], title: str, scale: Scale, more: str = ""
) -> Axes:
    """Estimates and intervals, the first row at the bottom, marked by their verdicts.

    ``more`` is said behind what the shade means.
    """
    ax = ax or new_axes(_ROW * max(len(rows), 2), left=width_of_lines(names), right=0.9)
    for verdict, (colour, marker) in VERDICT_MARKS.items():
        marked = rows[rows["verdict"] == verdict]
        if len(marked):
            look = {"color": colour, "marker": marker, "markersize": 8}
            draw_points(ax, marked, scale.column, scale.column, label=verdict, **look)
    for place, value in rows[scale.column].items():
        write_beside(ax, place, scale.number(value))
    finish(ax, names, title, scale, rows["band"].iloc[0], margin=0.7, more=more)
    return ax


def finish(
    ax: Axes,
    names: list[str],
    title: str,
    scale: Scale,
    band: float,
    *,
    margin: float,
    more: str = "",
) -> None:
    """Name rows, axis and chart, and draw the band."""
    ax.axvspan(scale.fair - band, scale.fair + band, color=BAND, zorder=0)
    ax.axvline(scale.fair, color=MUTED, linewidth=1, zorder=1)
    tick = percent_tick if scale.is_share else points_tick
    name_rows(ax, names, tick, scale.label, margin=margin)
    set_titles(ax, title, f"shaded: fair{more}", legend=True)


def width_of_lines(names: Iterable[str]) -> float:
    """The room that names of several lines need."""
    return width_of(line for name in names for line in name.split("\n"))
