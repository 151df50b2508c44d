"""The charts of how sure all this is: what assumed numbers and switches change, and sources.

Nothing is estimated here.
"""

import pandas as pd
from matplotlib.axes import Axes

from analysis.mice_and_mystics.registry import TABLES
from reports.kit.drawing import (
    Charts,
    name_rows,
    new_axes,
    percent_tick,
    set_titles,
    style_for,
    width_of,
    write_in,
)
from reports.kit.theme import AMBER, BLUE, GREY, INK, PAPER
from reports.sensitivity.tornado import draw_tornado

#: The charts of this module by the names of their files.
CHARTS = Charts(TABLES)

_KINDS = {"tiles": "rooms", "all": "all entries"}
_CONFIDENCES = {"verified": (BLUE, PAPER), "reported": (AMBER, INK), "assumed": (GREY, PAPER)}


@CHARTS.draws("assumptions", "assumptions", optional=True)
def plot_assumptions(assumptions: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """By how much each assumed number and each switch moves the win rate, the most on top."""
    return draw_tornado(assumptions, "What the win rate rests on", ax=ax)


@CHARTS.draws("sources", "sources", optional=True, intervals=False)
def plot_sources(sources: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How many entries of each kind are verified, reported and assumed."""
    rows = sources.iloc[::-1].reset_index(drop=True)
    names = [_KINDS.get(kind, kind.replace("_", " ")) for kind in rows["kind"]]
    with style_for(ax):
        ax = ax or new_axes(0.36 * len(rows), left=width_of(names))
        left = pd.Series(0.0, index=rows.index)
        for word, (colour, on_it) in _CONFIDENCES.items():
            share = rows[f"{word}_share"]
            ax.barh(rows.index, share, left=left, height=0.72, color=colour, label=word)
            for row, part in share.items():
                if part > 0.05:
                    write_in(ax, row, left[row] + part / 2, str(rows[word][row]), on_it)
            left += share
        name_rows(ax, names)
        ax.set_xlim(0, 1)
        ax.xaxis.set_major_formatter(percent_tick)
        ax.set_xlabel("entries of the data that can come up")
        set_titles(ax, "How sure the data are", "entries by kind, with their number", legend=True)
    return ax
