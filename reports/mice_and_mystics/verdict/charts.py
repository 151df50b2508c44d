"""The charts of a verdict on an entry of a chapter."""

import pandas as pd
from matplotlib.axes import Axes

from analysis.mice_and_mystics.registry import TABLES
from reports.kit.drawing import Charts
from reports.mice_and_mystics.verdict.text import SCALE
from reports.verdict.charts import changes_chart, draw_place

#: The charts of a verdict by the names of their files.
CHARTS = Charts(TABLES)


@CHARTS.draws("effect", "verdict_place")
def plot_effect(verdict_place: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """The effect of the entry for each player, as it is and with the proposed change."""
    return draw_place(ax, verdict_place, "What {} adds to the win rate", SCALE)


plot_changes = changes_chart(CHARTS, SCALE)
