"""What the studio shows of a verdict on an entry: what its numbers do, with whom it adds more."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from reports.studio.bench import Chart
from reports.studio.rows import by_size, doubted_row, points_chart
from reports.verdict.words import shown_changes

if TYPE_CHECKING:
    import pandas as pd

#: The headings of the charts.
_BY_EXPERIMENT = "Why: what it adds with one number changed, in the same games"
_WITH_WHOM = "With whom: what it adds beyond the usual in parties with another hero"


def why(tables: "Mapping[str, pd.DataFrame]") -> Mapping[str, Chart]:
    """What each number of the entry does by experiment, and with which heroes it adds more."""
    shown = shown_changes(tables)
    steps = by_size(shown[~shown["fresh"] & ~shown["joined"] & (shown["amount"] == 1)])
    partners = tables["verdict_partners"].sort_values("beyond", ascending=False)
    numbers = [doubted_row(line, "difference", line["change"]) for _, line in steps.iterrows()]
    heroes = [doubted_row(line, "beyond", line["other_name"]) for _, line in partners.iterrows()]
    found = {
        _BY_EXPERIMENT: points_chart(("Changed", "Points", ""), numbers),
        _WITH_WHOM: points_chart(("In parties with", "Points", ""), heroes),
    }
    return {heading: chart for heading, chart in found.items() if chart is not None}
