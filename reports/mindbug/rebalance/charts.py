"""The charts of a rebalancing: ``plot_x(table, *, ax=None) -> Axes``, as in `charts`.

Each takes one of the tables of `analysis.mindbug.experiments.rebalance` and draws it as it is.
"""

import pandas as pd

from analysis.mindbug.registry import TABLES
from reports.kit.drawing import Charts, points_tick
from reports.kit.words import display_name, points
from reports.rebalance.charts import Look, rebalance_charts

#: The charts of this module by the names of their files.
REBALANCE_CHARTS = Charts(TABLES)


def _look(goals: pd.DataFrame) -> Look:
    """Every card, those with the least advantage below."""
    rows = goals[goals["goal"] == "card"].sort_values(["before", "name"], ignore_index=True)
    names = [display_name(name) for name in rows["name"]]
    label = "advantage when dealt, percentage points"
    return Look(rows, names, "Cards", label, points_tick, points)


plot_front, plot_before_after = rebalance_charts(
    REBALANCE_CHARTS, lambda _: "cards", "cards_outside", _look
)
