"""The page of a run, and its chart."""

from __future__ import annotations

import pandas as pd
from matplotlib.axes import Axes

from reports.balance.report import Report
from reports.balance.sections import Block, Downloads, Figures, Grid, Section, Tab, Terms, Text
from reports.kit.cells import Column, counted, estimate, word
from reports.kit.drawing import Charts
from reports.kit.words import Finding, intervals, percent
from support.harvest.shown import REPORTS
from support.harvest.tables import ANALYSIS

CHARTS = Charts(ANALYSIS.all_tables)


@CHARTS.draws("lots", "lots")
def plot_lots(lots: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
    """What those scored who took each lot."""
    import matplotlib.pyplot as plt

    axes = plt.figure().add_subplot() if ax is None else ax
    axes.barh(lots["lot"], lots["score"])
    return axes


class HarvestReport(Report):
    """What the report shows."""

    charts = CHARTS

    @property
    def title(self) -> str:
        return f"Harvest, {self.run.manifest['sets'][0]}: report"

    @property
    def played(self) -> str:
        return REPORTS.describe(self.run.manifest)

    @property
    def findings(self) -> list[Finding]:
        return REPORTS.findings(self.tables)

    @property
    def facts(self) -> list[tuple[str, str]]:
        return self.run.facts()[:-1]

    def caption(self, _chart: str) -> str:
        return f"{self.played}{intervals()}"

    def tabs(self, _on_telling: object = None) -> list[Tab]:
        columns = (
            Column("Lot", "", lambda row: word(row["lot"]), "word"),
            Column("Taken", "games in which somebody took it", lambda row: counted(row["n"])),
            Column("Score", "of the best", lambda row: estimate(row, "score", percent, "n")),
        )
        lots = Grid.of(columns, self.tables["lots"], "Table of lots", "sortable")
        blocks: list[Block] = [
            Text("What those scored who took a lot."),
            Figures.of("lots"),
            lots,
            Downloads.of("lots"),
        ]
        return [
            Tab("Lots", [Section("lots", "Lots", blocks)]),
            Tab("The run", [Section("run", "The run", [Terms(self.facts)], ())]),
        ]
