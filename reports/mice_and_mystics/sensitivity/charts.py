"""The chart of a sensitivity analysis, from the table ``sensitivity``."""

import pandas as pd
from matplotlib.axes import Axes

from analysis.mice_and_mystics.registry import TABLES
from reports.kit.drawing import Charts
from reports.mice_and_mystics.tornado import draw_tornado

#: The charts of this module by the names of their files.
SENSITIVITY_CHARTS = Charts(TABLES)


@SENSITIVITY_CHARTS.draws("steps", "sensitivity", optional=True)
def plot_steps(sensitivity: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """By how much one step on a number, or another way of a switch, moves the win rate."""
    rows = sensitivity[sensitivity["measure"] == "win_rate"]
    names = {"difference": "win_effect"} | {
        f"difference_ci_{end}": f"win_effect_{end}" for end in ("low", "high")
    }
    return draw_tornado(rows.rename(columns=names), "What one step changes", ax=ax)
