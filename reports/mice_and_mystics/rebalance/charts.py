"""The charts of a rebalancing, from the tables of `experiments.rebalance`."""

from collections.abc import Callable
from functools import partial

import pandas as pd
from matplotlib.axes import Axes

from analysis.mice_and_mystics.experiments.rebalance_tables import ENTRIES
from analysis.mice_and_mystics.registry import TABLES
from reports.kit.drawing import Charts, percent_tick, points_tick, write_beside
from reports.kit.words import display_name, percent, points
from reports.mice_and_mystics.balance.names import party_name
from reports.rebalance.charts import draw_before_after, draw_front

_LONGEST = 46

#: The charts of this module by the names of their files.
REBALANCE_CHARTS = Charts(TABLES)


@REBALANCE_CHARTS.draws("front", "front")
def plot_front(front: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How much is changed against how far parties or entries stay outside the band."""
    return draw_front(front, front["judged"].iloc[0], "outside", ax)


@REBALANCE_CHARTS.draws("before_after", "goals")
def plot_before_after(goals: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Every party or entry before and after the changes, the band shaded."""
    rows = goals.sort_values(["before", "entry"], ignore_index=True)
    if rows["judged"].iloc[0] == ENTRIES:
        names = [display_name(name, _LONGEST) for name in rows["name"]]
        what = "Entries", "win rate added, points", points_tick, partial(_write, text=points)
    else:
        names = [display_name(party_name(name), _LONGEST) for name in rows["entry"]]
        what = "Parties", "games won", percent_tick, partial(_write, text=percent)
    return draw_before_after(rows, names, *what, ax)


def _write(ax: Axes, rates: pd.Series, text: Callable[[float], str]) -> None:
    for row, rate in rates.items():
        write_beside(ax, row, text(rate))
