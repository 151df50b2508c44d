"""The report of an analysed run."""

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.runs import open_run
from analysis.tables import read_tables
from reports.balance.report import Report
from reports.balance.sections import Block, Downloads, Grid, Section, Tab, Terms
from reports.kit.cells import Column, counted, estimate, word
from reports.kit.words import Finding, percent
from reports.mice_and_mystics.balance.text import findings
from reports.mice_and_mystics.run_text import caption, describe_run

if TYPE_CHECKING:
    from analysis.experiments.comparison import Comparison


class ChapterReport(Report):
    """What the report of a chapter shows."""

    @property
    def title(self) -> str:
        """What stands above the report."""
        return f"{self.run.manifest['chapter_name']}: report"

    @property
    def played(self) -> str:
        """One line that says what was played."""
        return describe_run(self.run.manifest)

    @property
    def findings(self) -> list[Finding]:
        """What a designer wants to know first."""
        return findings(self.tables)

    @property
    def facts(self) -> list[tuple[str, str]]:
        """What was played, with everything needed to play it again."""
        return self.run.facts()

    def caption(self, _chart: str) -> str:
        """What stands under a chart."""
        return caption(self.run.manifest)

    def tabs(self, _on_telling: Callable[[], object] | None = None) -> list[Tab]:
        """The sections, in their order."""
        columns = (
            Column("Party", "", lambda row: word(row["party"]), "word"),
            Column("Games", "", lambda row: counted(row["n_games"])),
            Column(
                "Win rate",
                "share of games won",
                lambda row: estimate(row, "win_rate", percent, "n_games"),
            ),
        )
        blocks: list[Block] = [
            Grid.of(columns, self.tables["parties"], "Win rate by party", "sortable"),
            Downloads.of(*self.tables),
        ]
        return [
            Tab("Parties", [Section("parties", "Parties", blocks)]),
            Tab("The run", [Section("run", "The run", [Terms(self.facts)], ())]),
        ]


def read_report(folder: Path, before: "Comparison | None" = None) -> ChapterReport:
    """The report of an analysed run.  Raises RunError when its tables are missing or damaged."""
    run = open_run(folder)
    return ChapterReport(run, read_tables(folder), before)
