"""The chart of restricted play: ``plot_costs(table, *, ax=None) -> Axes``, as in `charts`."""

import pandas as pd
from matplotlib.axes import Axes

from analysis.restricted import COSTS, GAINS, NEVER, NOTHING
from analysis.views import UNDECIDED
from reports import theme
from reports.charts import (
    _LINE,
    Chart,
    _check_one,
    _new_axes,
    _points_tick,
    _set_titles,
    _style_for,
    _whiskers,
    _width_of,
    _write_beside,
)
from reports.restrict_words import cost
from reports.theme import BAND, BLUE, GREY, MUTED, ORANGE

#: Colour, marker and words of each verdict.
_MARKS = {
    COSTS: (BLUE, "o", "costs something"),
    GAINS: (ORANGE, "v", "better without"),
    NOTHING: (MUTED, "s", "nothing beyond the band"),
    UNDECIDED: (GREY, "d", "not known yet"),
    NEVER: (GREY, "x", "never came up"),
}


def plot_costs(restrictions: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """What each restriction costs, with intervals and the band, the costliest on top."""
    _check_one(restrictions, "policy")
    rows = restrictions.sort_values("cost", ascending=False, kind="stable")
    rows = rows.iloc[::-1].reset_index(drop=True)
    names = [f"never {never}" for never in rows["never"]]
    with _style_for(ax):
        ax = ax or _new_axes(0.36 * max(len(rows), 2), left=_width_of(names), right=0.75)
        band = rows["band"].iloc[0]
        ax.axvspan(-band, band, color=BAND, linewidth=0, zorder=0)
        ax.axvline(0, color=MUTED, linewidth=1, zorder=1)
        for verdict, (colour, marker, words) in _MARKS.items():
            mine = rows[rows["verdict"] == verdict]
            if len(mine):
                ax.errorbar(
                    mine["cost"],
                    mine.index,
                    xerr=_whiskers(mine, "cost", "cost"),
                    color=colour,
                    marker=marker,
                    markersize=7,
                    label=f"{words} ({len(mine)})",
                    **_LINE,
                )
        for row, share in rows["cost"].items():
            _write_beside(ax, row, cost(share))
        ax.set_yticks(rows.index, names)
        ax.set_ylim(-0.7, len(rows) - 0.3)
        ax.grid(axis="y", visible=False)
        ax.xaxis.set_major_formatter(lambda share, at: _points_tick(share, at).removeprefix("+"))
        ax.set_xlabel("cost in percentage points of games won; grey is taken for none")
        who = theme.display_name(rows["policy"].iloc[0])
        words = f"{who} with the restriction against {who} without, each deal from both sides"
        _set_titles(ax, "What it costs to do without", words, legend=True)
    return ax


#: The charts of restricted play.
RESTRICT_CHARTS = {"costs": Chart(plot_costs, "restrictions")}
