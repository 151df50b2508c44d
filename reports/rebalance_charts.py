"""The charts of a rebalancing: ``plot_x(table, *, ax=None) -> Axes``, as in `charts`.

Each takes one of the tables of `analysis.rebalance` and draws it as it is.
"""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator

from analysis.rebalance_goals import MET, MISSED, NOT_SHOWN
from reports import theme
from reports.charts import (
    _LINE,
    _ROW,
    Chart,
    _new_axes,
    _players,
    _points_tick,
    _set_titles,
    _style_for,
    _whiskers,
    _width_of,
    _write_beside,
)
from reports.theme import BAND, BLUE, GREY, INK, MUTED, ORANGE, PAPER

_MARKS = {MET: (BLUE, "o"), NOT_SHOWN: (GREY, "d"), MISSED: (ORANGE, "X")}
_points = FuncFormatter(lambda value, _: f"{100 * value:.4g}")


def plot_front(front: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How much is changed against how far the pool stays from its goals."""
    with _style_for(ax):
        ax = ax or _new_axes(3.9, left=0.85, right=0.4)
        rest, proposed = front[~front["proposed"]], front[front["proposed"]]
        ax.plot(
            front["amount"], front["excess"], color=MUTED, linewidth=1, drawstyle="steps-post",
            zorder=2,
        )  # fmt: skip
        for rows, colour, marker, label in (
            (rest, GREY, "o", "plans with less change"),
            (proposed, BLUE, "D", "the proposal"),
        ):
            if len(rows):
                ax.errorbar(
                    rows["amount"], rows["excess"], yerr=_whiskers(rows, "excess", "excess"),
                    color=colour, marker=marker, markersize=8, label=label, clip_on=False,
                    **_LINE,
                )  # fmt: skip
        for row in front.itertuples():
            ax.annotate(
                f"{row.cards_outside}", (row.amount, row.excess_ci_high), ha="center",
                va="bottom", xytext=(0, 7), textcoords="offset points", fontsize=10.5, color=INK,
                bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 1},
            )  # fmt: skip
        ax.set_xlim(-0.5, max(front["amount"].max(), 1) + 0.5)
        ax.set_ylim(0, max(1.15 * front["excess_ci_high"].max(), 0.005))
        ax.xaxis.set_major_locator(MaxNLocator(integer=True))
        ax.yaxis.set_major_formatter(_points)
        ax.tick_params(axis="x", pad=10)  # room for a plan that leaves nothing beyond
        ax.set_xlabel("amount of change")
        ax.set_ylabel("points beyond the goals, together")
        words = f"{_players(front)}; fresh games; above each: cards outside the band"
        _set_titles(ax, "How much to change, and what it brings", words, legend=True)
    return ax


def plot_before_after(goals: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Every card before and after the changes, the band shaded."""
    cards = goals[goals["goal"] == "card"]
    rows = cards.sort_values(["before", "name"], ignore_index=True)
    names = [theme.display_name(name) for name in rows["name"]]
    with _style_for(ax):
        ax = ax or _new_axes(_ROW * max(len(rows), 1), left=_width_of(names), right=0.75)
        ax.axvspan(rows["least"].iloc[0], rows["most"].iloc[0], color=BAND, linewidth=0, zorder=0)
        ax.axvline(0, color=MUTED, linewidth=1, zorder=1)
        ax.hlines(rows.index, rows["before"], rows["after"], color=GREY, linewidth=1, zorder=1)
        ax.errorbar(
            rows["before"], rows.index, xerr=_whiskers(rows, "before", "before"), color=GREY,
            marker="o", markerfacecolor=PAPER, label="as it is", **{**_LINE, "zorder": 2},
        )  # fmt: skip
        for verdict, (colour, marker) in _MARKS.items():
            mine = rows[rows["after_verdict"] == verdict]
            if len(mine):
                ax.errorbar(
                    mine["after"], mine.index, xerr=_whiskers(mine, "after", "after"),
                    color=colour, marker=marker, markersize=6.5,
                    label=f"proposal: {_SAID[verdict]} ({len(mine)})", **_LINE,
                )  # fmt: skip
        for row, value in rows["after"].items():
            _write_beside(ax, row, theme.points(value))
        ax.set_yticks(range(len(rows)), names, parse_math=False)
        ax.set_ylim(-0.7, len(rows) - 0.3)
        ax.grid(axis="y", visible=False)
        ax.xaxis.set_major_formatter(_points_tick)
        ax.set_xlabel("advantage when dealt, percentage points")
        words = f"{_players(rows)}; fresh games; shaded: the band"
        _set_titles(ax, "Cards before and after", words, legend=True)
    return ax


_SAID = {MET: "within", NOT_SHOWN: "not shown", MISSED: "outside"}

#: The charts of the page.
REBALANCE_CHARTS = {
    "front": Chart(plot_front, "front"),
    "before_after": Chart(plot_before_after, "goals"),
}
