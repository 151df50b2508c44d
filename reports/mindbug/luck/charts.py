"""The chart of luck and skill, from `analysis.mindbug.experiments.luck`."""

import pandas as pd
from matplotlib.axes import Axes

from analysis.mindbug.experiments.luck import REPLAYS
from analysis.mindbug.registry import TABLES
from reports.kit.drawing import (
    LINE,
    Charts,
    name_rows,
    new_axes,
    percent_tick,
    set_titles,
    style_for,
    whiskers,
    width_of,
    write_beside,
)
from reports.kit.theme import BLUE, INK, ORANGE
from reports.kit.words import count, display_name, percent
from reports.mindbug.luck.text import skill_of, source_names

#: The charts of this module by the names of their files.
CHARTS = Charts(TABLES)


@CHARTS.draws("luck", "luck", optional=True)
def plot_luck(luck: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How much of who wins each source of luck decides, and how much the players' choices."""
    rows = luck.iloc[::-1].reset_index(drop=True)
    called = source_names(luck)
    names = [called[source] for source in rows["source"]]
    with style_for(ax):
        ax = ax or new_axes(0.42 * len(rows), left=width_of(names), right=0.75)
        of_skill = rows["source"].isin(skill_of(luck))
        for mine, label, colour in ((~of_skill, "luck", BLUE), (of_skill, "the players", ORANGE)):
            bars = rows[mine]
            if len(bars):
                ax.barh(bars.index, bars["share"], height=0.6, color=colour, label=label)
        ax.errorbar(
            rows["share"],
            rows.index,
            xerr=whiskers(rows, "share", "share"),
            **{**LINE, "color": INK, "marker": "none"},
        )
        for row, share in rows["share"].items():
            write_beside(ax, row, percent(share, 0 if share >= 0.1 else 1))
        name_rows(ax, names)
        ax.set_xlim(left=0)
        ax.xaxis.set_major_formatter(percent_tick)
        ax.set_xlabel("share of what decides who wins")
        who, deals = display_name(rows["policy"].iloc[0]), count(rows["n_deals"].max())
        set_titles(
            ax, "What decides who wins", f"{who}; {deals} deals, {REPLAYS} games each", legend=True
        )
    return ax
