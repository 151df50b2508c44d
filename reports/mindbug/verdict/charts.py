"""The charts of a verdict: ``plot_x(table, *, ax=None) -> Axes``, as in `reports.kit.drawing`."""

import numpy as np
import pandas as pd
from matplotlib.axes import Axes

from analysis.mindbug.registry import TABLES
from reports.kit.drawing import (
    Charts,
    draw_points,
    name_rows,
    new_axes,
    percent_tick,
    set_titles,
    style_for,
    write_beside,
)
from reports.kit.theme import BAND, BLUE, LIGHT, MUTED
from reports.kit.words import display_name, percent
from reports.mindbug.run_text import called
from reports.verdict.charts import ROW, draw_verdicts, drawn_changes, names_of, width_of_lines

_HALF = 0.5
_STRIP = 0.85  # inches
# How far the dots of cards lie apart up and down, in rows, so that each can be seen.
_SPREAD = 0.28

#: The charts of a verdict by the names of their files.
CHARTS = Charts(TABLES)


@CHARTS.draws("place", "verdict_place")
def plot_place(verdict_place: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """The card among all cards of the pool, for each player, and where the change would put it."""
    lines = verdict_place[["policy", "change"]].drop_duplicates().iloc[::-1]
    players = lines["policy"].map(called)
    labels = [
        f"{display_name(change)}\n({player})" if change else player
        for player, change in zip(players, lines["change"], strict=True)
    ]
    asked = verdict_place[verdict_place["asked"]]
    name = display_name(asked["name"].iloc[0])
    with style_for(ax):
        ax = ax or new_axes(
            _STRIP * len(lines), left=width_of_lines(labels), right=0.9,
        )  # fmt: skip
        _draw_band(ax, verdict_place["band"].iloc[0])
        for place, (_, line) in enumerate(lines.iterrows()):
            rows = verdict_place[
                (verdict_place["policy"] == line["policy"])
                & (verdict_place["change"] == line["change"])
            ]
            others = rows[~rows["asked"]].sort_values("win_rate")
            heights = place + _SPREAD * np.array([(-1, 0, 1)[n % 3] for n in range(len(others))])
            ax.plot(
                others["win_rate"], heights, linestyle="none", marker="o", markersize=6,
                color=LIGHT, zorder=2, label="other cards" if place == len(lines) - 1 else None,
            )  # fmt: skip
            mine = rows[rows["asked"]].set_index(pd.Index([place]))
            look = {"color": BLUE, "marker": "D", "markersize": 9, "zorder": 4}
            label = name if place == len(lines) - 1 else None
            draw_points(ax, mine, "win_rate", "win_rate", label=label, **look)
            write_beside(ax, place, percent(mine["win_rate"].iloc[0]))
        name_rows(ax, labels, margin=0.55)
        ax.xaxis.set_major_formatter(percent_tick)
        ax.set_xlabel("games won by players who were dealt the card")
        set_titles(ax, f"{name} among the other cards", "shaded: fair", legend=True)
    return ax


@CHARTS.draws("changes", "verdict_changes", optional=True)
def plot_changes(verdict_changes: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """What each change that was tried does to the win rate of players who were dealt the card."""
    rows = drawn_changes(verdict_changes)
    names = names_of(rows, called)
    with style_for(ax):
        ax = ax or new_axes(ROW * max(len(rows), 1), left=width_of_lines(names), right=0.9)
        _draw_band(ax, rows["band"].iloc[0])
        draw_verdicts(ax, rows, "win_rate", 7)
        for place, row in rows.iterrows():
            write_beside(ax, place, percent(row["win_rate"]))
        name_rows(ax, names, margin=0.7)
        ax.xaxis.set_major_formatter(percent_tick)
        ax.set_xlabel("games won by players who were dealt the card")
        name = display_name(rows["name"].iloc[0])
        set_titles(ax, f"{name} with one change", "shaded: fair", legend=True)
    return ax


def _draw_band(ax: Axes, band: float) -> None:
    ax.axvspan(_HALF - band, _HALF + band, color=BAND, zorder=0)
    ax.axvline(_HALF, color=MUTED, linewidth=1, zorder=1)
