"""The chart of restricted play: ``plot_costs(table, *, ax=None) -> Axes``, as in `charts`."""

import pandas as pd
from matplotlib.axes import Axes

from analysis.mindbug.experiments.ablation import COSTS, GAINS, NEVER, NOTHING
from analysis.mindbug.registry import TABLES
from analysis.verdicts import NEEDS_GAMES
from reports.kit.drawing import (
    Charts,
    check_one,
    draw_points,
    name_rows,
    new_axes,
    points_tick,
    set_titles,
    style_for,
    width_of,
    write_beside,
)
from reports.kit.theme import BAND, BLUE, GREY, MUTED, ORANGE
from reports.kit.words import display_name
from reports.mindbug.ablation.text import cost

#: Colour, marker and words of each verdict.
_MARKS = {
    COSTS: (BLUE, "o", "costs something"),
    GAINS: (ORANGE, "v", "better without"),
    NOTHING: (MUTED, "s", "costs nothing"),
    NEEDS_GAMES: (GREY, "d", "needs more games"),
    NEVER: (GREY, "x", "never came up"),
}


#: The charts of this module by the names of their files.
RESTRICT_CHARTS = Charts(TABLES)


@RESTRICT_CHARTS.draws("costs", "restrictions")
def plot_costs(restrictions: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """What each restriction costs, with intervals and the band, the costliest on top."""
    check_one(restrictions, "policy")
    rows = restrictions.sort_values("cost", ascending=False, kind="stable")
    rows = rows.iloc[::-1].reset_index(drop=True)
    names = [f"never {never}" for never in rows["never"]]
    with style_for(ax):
        ax = ax or new_axes(0.36 * max(len(rows), 2), left=width_of(names), right=0.75)
        band = rows["band"].iloc[0]
        ax.axvspan(-band, band, color=BAND, linewidth=0, zorder=0)
        ax.axvline(0, color=MUTED, linewidth=1, zorder=1)
        for verdict, (colour, marker, meaning) in _MARKS.items():
            marked = rows[rows["verdict"] == verdict]
            if len(marked):
                look = {"color": colour, "marker": marker, "markersize": 7}
                draw_points(ax, marked, "cost", "cost", label=f"{meaning} ({len(marked)})", **look)
        for row, share in rows["cost"].items():
            write_beside(ax, row, cost(share))
        name_rows(ax, names, margin=0.7)
        ax.xaxis.set_major_formatter(lambda share, at: points_tick(share, at).removeprefix("+"))
        ax.set_xlabel("cost in percentage points of games won; grey: treated as zero")
        who = display_name(rows["policy"].iloc[0])
        players = f"{who} with the restriction against {who} without, each deal from both sides"
        set_titles(ax, "What each restriction costs", players, legend=True)
    return ax
