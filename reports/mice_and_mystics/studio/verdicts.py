"""What the studio shows of a verdict on an entry: what its numbers do, with whom it adds more."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from reports.studio.bench import Chart
from reports.studio.rows import chart_of_steps, doubted_row, points_chart

if TYPE_CHECKING:
    import pandas as pd

#: The heading of a chart.
_WITH_WHOM = "With whom: what it adds beyond the usual in parties with another hero"


def why(tables: "Mapping[str, pd.DataFrame]") -> Mapping[str, Chart]:
    """What each number of the entry does by experiment, and with which heroes it adds more."""
    partners = tables["verdict_partners"].sort_values("beyond", ascending=False)
    heroes = [doubted_row(line, "beyond", line["other_name"]) for _, line in partners.iterrows()]
    chart = points_chart(("In parties with", "Points", ""), heroes)
    return chart_of_steps(tables, "what it adds") | ({_WITH_WHOM: chart} if chart else {})
