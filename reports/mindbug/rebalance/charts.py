"""The charts of a rebalancing: ``plot_x(table, *, ax=None) -> Axes``, as in `charts`.

Each takes one of the tables of `analysis.mindbug.experiments.rebalance` and draws it as it is.
"""

import pandas as pd
from matplotlib.axes import Axes

from analysis.mindbug.registry import TABLES
from reports.kit.drawing import Charts, points_tick, write_points
from reports.kit.words import display_name
from reports.rebalance.charts import draw_before_after, draw_front

#: The charts of this module by the names of their files.
REBALANCE_CHARTS = Charts(TABLES)


@REBALANCE_CHARTS.draws("front", "front")
def plot_front(front: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """How much is changed against how far the cards stay outside the band."""
    return draw_front(front, "cards", "cards_outside", ax)


@REBALANCE_CHARTS.draws("before_after", "goals")
def plot_before_after(goals: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """Every card before and after the changes, the band shaded; before alone without a proposal."""
    cards = goals[goals["goal"] == "card"]
    rows = cards.sort_values(["before", "name"], ignore_index=True)
    names = [display_name(name) for name in rows["name"]]
    xlabel = "advantage when dealt, percentage points"
    return draw_before_after(rows, names, "Cards", xlabel, points_tick, write_points, ax)
