"""The chart of a comparison: ``plot_changes(table, *, ax=None)``, as in `charts`."""

from collections.abc import Callable
from pathlib import Path

import pandas as pd
from matplotlib.axes import Axes

from analysis.experiments.comparison import Comparison
from analysis.mindbug.registry import TABLES
from reports.compare.charts import plot_differences
from reports.kit.drawing import (
    check_one,
    draws,
)
from reports.kit.figures import draw_chart
from reports.kit.words import display_name
from reports.mindbug.compare import text
from reports.mindbug.explain.charts import plot_change_parts
from simcore.sealed import writing


@draws(TABLES, "comparison")
def plot_changes(comparison: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """The cards whose win rate dealt changed most, with intervals, the largest change on top.

    ``comparison`` is the table of `analysis.experiments.comparison.compare_runs`.
    """
    lines = comparison[(comparison["kind"] == "card") & (comparison["measure"] == "dealt")]
    check_one(lines, "policy")
    return plot_differences(
        lines,
        [display_name(name) for name in lines["name"]],
        label="change of games won when dealt it, percentage points",
        what="cards",
        directions=("stronger", "weaker"),
        ax=ax,
    )


def draw_changes(comparison: Comparison, figures: Path) -> dict[str, Path]:
    """Draw the chart of a comparison into a folder: its files, without suffix, by policy.

    Raises RunError when they cannot be written.
    """
    cards = comparison.table[comparison.table["kind"] == "card"]
    return _draw(comparison, cards, "changes", plot_changes, figures)


def draw_parts(comparison: Comparison, figures: Path) -> dict[str, Path]:
    """Draw what goes with the change of the changed cards, as `draw_changes` does; none for none.

    Raises RunError when the files cannot be written.
    """
    parts = comparison.more.get("change_parts")
    if parts is None:
        return {}
    return _draw(comparison, parts, "change_parts", plot_change_parts, figures)


def _draw(
    comparison: Comparison,
    table: pd.DataFrame,
    name: str,
    plot: Callable[[pd.DataFrame], Axes],
    figures: Path,
) -> dict[str, Path]:
    """Draw a chart for each policy of a table."""
    with writing(figures):
        figures.mkdir(parents=True, exist_ok=True)
    drawn = {}
    for number, (policy, of_policy) in enumerate(table.groupby("policy", sort=False)):
        path = figures / (name + f"_{number}" * (table["policy"].nunique() > 1))
        draw_chart(plot, of_policy, text.caption_of(comparison), path)
        drawn[policy] = path
    return drawn
