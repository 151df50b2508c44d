"""What the charts of a rebalancing share: the front, and numbers before and after."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, MaxNLocator

from analysis.experiments.goals import MET, MISSED, NOT_SHOWN
from reports.kit.drawing import (
    LINE,
    ROW,
    Charts,
    draw_points,
    name_rows,
    new_axes,
    players_of,
    set_titles,
    whiskers,
    width_of,
    write_beside,
)
from reports.kit.theme import BAND, BLUE, GREY, INK, MUTED, ORANGE, PAPER

_MARKS = {MET: (BLUE, "o"), NOT_SHOWN: (GREY, "d"), MISSED: (ORANGE, "X")}
_STANDING = {MET: "within", NOT_SHOWN: "more games", MISSED: "outside"}
_points = FuncFormatter(lambda value, _: f"{100 * value:.4g}")


class Look(NamedTuple):
    """How numbers before and after are drawn.

    ``rows`` are from below, ``names`` theirs and ``what`` they are of, such as "Cards"; ``label``
    and ``tick`` are of the axis, and ``words`` put each number beside its row.
    """

    rows: pd.DataFrame
    names: Sequence[str]
    what: str
    label: str
    tick: Callable[[float, float], str]
    words: Callable[[float], str]


def rebalance_charts(
    charts: Charts,
    noun: Callable[[pd.DataFrame], str],
    outside: str,
    look: Callable[[pd.DataFrame], Look],
) -> tuple[Callable[..., Axes], Callable[..., Axes]]:
    """The charts of the front and of the numbers before and after, registered.

    ``noun`` says of a front what is judged, such as "cards"; ``outside`` is its column with how
    many are outside the band.
    """

    @charts.draws("front", "front")
    def plot_front(front: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
        """How much is changed against how far all of them stay outside the band."""
        return _draw_front(front, noun(front), outside, ax)

    @charts.draws("before_after", "goals")
    def plot_before_after(goals: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
        """Each before and after the changes, the band shaded; before alone without a proposal."""
        return _draw_before_after(look(goals), ax)

    return plot_front, plot_before_after


def _draw_front(front: pd.DataFrame, what: str, outside: str, ax: Axes | None) -> Axes:
    """How much is changed against how far ``what``, such as "cards", stay outside the band.

    ``outside`` is the column that says how many are.
    """
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
    for amount, high, n_outside in zip(
        front["amount"], front["excess_ci_high"], front[outside], strict=True
    ):
        ax.annotate(
            f"{n_outside}", (amount, high), ha="center",
            va="bottom", xytext=(0, 7), textcoords="offset points", color=INK,
            bbox={"facecolor": PAPER, "edgecolor": "none", "pad": 1},
        )  # fmt: skip
    ax.set_xlim(-0.5, max(front["amount"].max(), 1) + 0.5)
    ax.set_ylim(0, max(1.15 * front["excess_ci_high"].max(), 0.005))
    ax.xaxis.set_major_locator(MaxNLocator(integer=True))
    ax.yaxis.set_major_formatter(_points)
    ax.tick_params(axis="x", pad=10)  # room for a plan that leaves nothing beyond
    ax.set_xlabel("amount of change")
    ax.set_ylabel(f"points outside the band, all {what}")
    subtitle = f"{players_of(front)}; fresh games; above each: {what} outside the band"
    best = (proposed if len(proposed) else front).nsmallest(1, "excess").iloc[0]
    left = f"{best[outside]} of the {what} outside the band"
    finding = f"In fresh games, changes of {best['amount']:g} left {left}"
    set_titles(ax, finding, subtitle, legend=True)
    return ax


def _draw_before_after(look: Look, ax: Axes | None) -> Axes:
    """Each number before and after, the band shaded; before alone where there is no proposal."""
    rows, names = look.rows, look.names
    ax = ax or new_axes(ROW * max(len(rows), 1), left=width_of(names), right=0.75)
    ax.axvspan(rows["least"].iloc[0], rows["most"].iloc[0], color=BAND, linewidth=0, zorder=0)
    middle = (rows["least"].iloc[0] + rows["most"].iloc[0]) / 2
    ax.axvline(middle, color=MUTED, linewidth=1, zorder=1)
    ax.hlines(rows.index, rows["before"], rows["after"], color=GREY, linewidth=1, zorder=1)
    before = {"color": GREY, "markersize": 6, "markerfacecolor": PAPER, "zorder": 2}
    proposed = bool(rows["after"].notna().any())
    side, who = ("after", "proposal: ") if proposed else ("before", "")
    if proposed:
        draw_points(ax, rows, "before", "before", label="as it is", **before)
    for verdict, (colour, marker) in _MARKS.items():
        marked = rows[rows[f"{side}_verdict"] == verdict]
        if len(marked):
            marks = {"color": colour, "marker": marker, "markersize": 6.5}
            label = f"{who}{_STANDING[verdict]} ({len(marked)})"
            draw_points(ax, marked, side, side, label=label, **marks)
    for row, value in rows[side].items():
        write_beside(ax, row, look.words(value))
    name_rows(ax, names, look.tick, look.label, margin=0.7)
    subtitle = f"{players_of(rows)}; fresh games; shaded: the band"
    met = (rows[f"{side}_verdict"] == MET).sum()
    when = "after" if proposed else "without"
    title = f"{met} of {len(rows)} {look.what.lower()} are shown to be fair {when} the changes"
    set_titles(ax, title, subtitle, legend=True)
    return ax
