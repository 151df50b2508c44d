"""What the studio shows of a verdict on an entry: what its numbers do, with whom it adds more."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from reports.kit.verdicts import doubt
from reports.kit.words import capital
from reports.studio.bench import Chart
from reports.studio.rows import estimate_row, points_chart
from reports.verdict.words import shown_changes

if TYPE_CHECKING:
    import pandas as pd

#: The headings of the charts.
_BY_EXPERIMENT = "Why: what it adds with one number changed, in the same games"
_WITH_WHOM = "With whom: what it adds beyond the usual in parties with another hero"


def why(tables: "Mapping[str, pd.DataFrame]") -> Mapping[str, Chart]:
    """What each number of the entry does by experiment, and with which heroes it adds more."""
    found = {
        _BY_EXPERIMENT: _by_experiment(tables["verdict_changes"]),
        _WITH_WHOM: _with_whom(tables["verdict_partners"]),
    }
    return {heading: chart for heading, chart in found.items() if chart is not None}


def _by_experiment(changes: "pd.DataFrame") -> Chart | None:
    """By how many points the entry adds more or less with a number one less or one more."""
    shown = shown_changes(changes)
    steps = shown[~shown["fresh"] & ~shown["joined"] & (shown["amount"] == 1)]
    steps = steps.loc[steps["difference"].abs().sort_values(ascending=False).index]
    rows = [
        estimate_row(line, "difference", capital(line["change"]), word=_doubt(line, "difference"))
        for _, line in steps.iterrows()
    ]
    return points_chart(("Changed", "Points", ""), rows)


def _with_whom(partners: "pd.DataFrame") -> Chart | None:
    """By how many points it adds more or less in parties with a hero than in parties without."""
    ordered = partners.sort_values("beyond", ascending=False)
    rows = [
        estimate_row(line, "beyond", line["other_name"], word=_doubt(line, "beyond"))
        for _, line in ordered.iterrows()
    ]
    return points_chart(("In parties with", "Points", ""), rows)


def _doubt(line: "pd.Series", column: str) -> str:
    """What a row says beside its number."""
    return doubt(line, column).removeprefix(", ")
