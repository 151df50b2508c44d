"""The charts of a verdict on an entry of a chapter."""

import pandas as pd
from matplotlib.axes import Axes

from analysis.mice_and_mystics.registry import TABLES
from reports.kit.drawing import Charts
from reports.kit.words import display_name
from reports.mice_and_mystics.verdict.text import SCALE
from reports.verdict.charts import changes_chart, draw_verdicts

#: The charts of a verdict by the names of their files.
CHARTS = Charts(TABLES)


@CHARTS.draws("effect", "verdict_place")
def plot_effect(verdict_place: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """The effect of the entry for each player, as it is and with the proposed change."""
    rows = verdict_place.iloc[::-1].reset_index(drop=True)
    names = [
        f"{display_name(row['change'])}\n({row['policy']})"
        if row["change"]
        else f"as it is ({row['policy']})"
        for _, row in rows.iterrows()
    ]
    title = f"What {display_name(rows['name'].iloc[0])} adds to the win rate"
    return draw_verdicts(ax, rows, names, title, SCALE)


plot_changes = changes_chart(CHARTS, SCALE)
