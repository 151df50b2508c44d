"""The charts of a rebalancing, from the tables of `experiments.rebalance`."""

import pandas as pd
from matplotlib.axes import Axes

from analysis.mice_and_mystics.registry import TABLES
from reports.kit.drawing import Charts, percent_tick, write_beside
from reports.kit.words import display_name, percent
from reports.mice_and_mystics.balance.names import party_name
from reports.rebalance.charts import draw_before_after, draw_front

_LONGEST = 46

#: The charts of this module by the names of their files.
REBALANCE_CHARTS = Charts(TABLES)


@REBALANCE_CHARTS.draws("front", "front")
def plot_front(front: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How much is changed against how far the parties stay outside the band."""
    return draw_front(front, "parties", ax)


@REBALANCE_CHARTS.draws("before_after", "goals")
def plot_before_after(goals: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Every party before and after the changes, the band shaded."""
    rows = goals.sort_values(["before", "party"], ignore_index=True)
    names = [display_name(party_name(name), _LONGEST) for name in rows["party"]]
    return draw_before_after(rows, names, "Parties", "games won", percent_tick, _write, ax)


def _write(ax: Axes, rates: pd.Series) -> None:
    for row, rate in rates.items():
        write_beside(ax, row, percent(rate))
