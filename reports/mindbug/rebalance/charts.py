"""The charts of a rebalancing: ``plot_x(table, *, ax=None) -> Axes``, as in `charts`.

Each takes one of the tables of `analysis.mindbug.experiments.rebalance` and draws it as it is.
"""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator

from analysis.mindbug.experiments.rebalance_goals import MET, MISSED, NOT_SHOWN
from analysis.mindbug.registry import TABLES
from reports.kit.drawing import (
    LINE,
    ROW,
    Charts,
    draw_points,
    name_rows,
    new_axes,
    players_of,
    points_tick,
    set_titles,
    style_for,
    whiskers,
    width_of,
    write_points,
)
from reports.kit.theme import BAND, BLUE, GREY, INK, MUTED, ORANGE, PAPER
from reports.kit.words import display_name

_MARKS = {MET: (BLUE, "o"), NOT_SHOWN: (GREY, "d"), MISSED: (ORANGE, "X")}
_points = FuncFormatter(lambda value, _: f"{100 * value:.4g}")


#: The charts of this module by the names of their files.
REBALANCE_CHARTS = Charts(TABLES)


@REBALANCE_CHARTS.draws("front", "front")
def plot_front(front: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How much is changed against how far the cards stay outside the band."""
    with style_for(ax):
        ax = ax or new_axes(3.9, left=0.85, right=0.4)
        rest, proposed = front[~front["proposed"]], front[front["proposed"]]
        ax.plot(
            front["amount"], front["excess"], color=MUTED, linewidth=1, drawstyle="steps-post",
            zorder=2,
        )  # fmt: skip
        for rows, colour, marker, label in (
            (rest, GREY, "o", "other plans"),
            (proposed, BLUE, "D", "the proposal"),
        ):
            if len(rows):
                ax.errorbar(
                    rows["amount"], rows["excess"], yerr=whiskers(rows, "excess", "excess"),
                    color=colour, marker=marker, markersize=8, label=label, clip_on=False,
                    **LINE,
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
        ax.set_ylabel("points outside the band, all cards")
        subtitle = f"{players_of(front)}; fresh games; above each: cards outside the band"
        set_titles(ax, "What more change brings", subtitle, legend=True)
    return ax


@REBALANCE_CHARTS.draws("before_after", "goals")
def plot_before_after(goals: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Every card before and after the changes, the band shaded; before alone without a proposal."""
    cards = goals[goals["goal"] == "card"]
    rows = cards.sort_values(["before", "name"], ignore_index=True)
    names = [display_name(name) for name in rows["name"]]
    with style_for(ax):
        ax = ax or new_axes(ROW * max(len(rows), 1), left=width_of(names), right=0.75)
        ax.axvspan(rows["least"].iloc[0], rows["most"].iloc[0], color=BAND, linewidth=0, zorder=0)
        ax.axvline(0, color=MUTED, linewidth=1, zorder=1)
        ax.hlines(rows.index, rows["before"], rows["after"], color=GREY, linewidth=1, zorder=1)
        before = {"color": GREY, "markersize": 6, "markerfacecolor": PAPER, "zorder": 2}
        proposed = bool(rows["after"].notna().any())
        side, who = ("after", "proposal: ") if proposed else ("before", "")
        if proposed:
            draw_points(ax, rows, "before", "before", label="as it is", **before)
        for verdict, (colour, marker) in _MARKS.items():
            marked = rows[rows[f"{side}_verdict"] == verdict]
            if len(marked):
                look = {"color": colour, "marker": marker, "markersize": 6.5}
                label = f"{who}{_STANDING[verdict]} ({len(marked)})"
                draw_points(ax, marked, side, side, label=label, **look)
        write_points(ax, rows[side])
        name_rows(ax, names, margin=0.7)
        ax.xaxis.set_major_formatter(points_tick)
        ax.set_xlabel("advantage when dealt, percentage points")
        subtitle = f"{players_of(rows)}; fresh games; shaded: the band"
        title = "Cards before and after" if proposed else "Cards as they are"
        set_titles(ax, title, subtitle, legend=True)
    return ax


_STANDING = {MET: "within", NOT_SHOWN: "more games", MISSED: "outside"}
