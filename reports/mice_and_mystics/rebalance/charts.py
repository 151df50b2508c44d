"""The charts of a rebalancing, from the tables of `experiments.rebalance`."""

import pandas as pd

from analysis.mice_and_mystics.experiments.rebalance_goals import ENTRIES
from analysis.mice_and_mystics.registry import TABLES
from reports.kit.drawing import Charts, percent_tick, points_tick
from reports.kit.words import display_name, percent, points
from reports.mice_and_mystics.balance.names import party_name
from reports.rebalance.charts import Look, rebalance_charts

_LONGEST = 46

#: The charts of this module by the names of their files.
REBALANCE_CHARTS = Charts(TABLES)


def _look(goals: pd.DataFrame) -> Look:
    """Every party or entry."""
    rows = goals.sort_values(["before", "entry"], ignore_index=True)
    if rows["judged"].iloc[0] == ENTRIES:
        names = [display_name(name, _LONGEST) for name in rows["name"]]
        return Look(rows, names, "Entries", "win rate added, points", points_tick, points)
    names = [display_name(party_name(name), _LONGEST) for name in rows["entry"]]
    return Look(rows, names, "Parties", "games won", percent_tick, percent)


plot_front, plot_before_after = rebalance_charts(
    REBALANCE_CHARTS, lambda front: str(front["judged"].iloc[0]), "outside", _look
)
