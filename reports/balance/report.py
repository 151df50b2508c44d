"""What a report of an analysed run is made of, whatever it is written as."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from analysis.confidence import confidence
from analysis.games import analysis_of
from analysis.registry import Registry
from analysis.runs import Run
from analysis.tables import confidence_of
from reports.balance.sections import Block, Tab
from reports.kit import figure_files
from reports.kit.drawing import Chart
from reports.kit.figures import suffix_of, write_figures
from reports.kit.words import Finding, level
from simcore.games import find

if TYPE_CHECKING:
    from analysis.experiments.comparison import Comparison

#: For each chart its files, without suffix, by the policy that they are about ("" if about all).
ChartFiles = dict[str, dict[str, Path]]


class Report(ABC):
    """An analysed run as all its reports show it.  A game has a subclass.

    Parameters
    ----------
    run
        The run.
    tables
        Its tables by name, those of experiments on it among them.
    before
        Its comparison with an earlier run, whose table joins the others.

    Raises ValueError for the comparison of another run.
    """

    #: The charts by the names of their files.
    charts: Mapping[str, Chart] = {}

    def __init__(
        self, run: Run, tables: Mapping[str, pd.DataFrame], before: "Comparison | None" = None
    ) -> None:
        self.run, self.tables, self.before = run, dict(tables), before
        if before is not None:
            if before.variant.folder.resolve() != run.folder.resolve():
                raise ValueError(
                    f"the comparison is of {before.variant.folder}, not of {run.folder}"
                )
            self.tables["comparison"] = before.table

    @property
    def confidence(self) -> float:
        """The level of its intervals, which is that of the tables."""
        return confidence_of(self.run.folder, self.run.manifest["game"]) or confidence()

    @property
    def registry(self) -> Registry:
        """All tables that there can be, with the meaning of their columns."""
        return analysis_of(self.run.manifest["game"]).all_tables

    @property
    @abstractmethod
    def title(self) -> str:
        """What stands above the report."""

    @property
    @abstractmethod
    def played(self) -> str:
        """One line that says what was played."""

    @property
    def method(self) -> str:
        """What Markdown says of how the numbers were found."""
        return (
            f"Intervals are for {level()}, clustered by game; those that verdicts go by hold for"
            " all rows of their table together."
        )

    @property
    def note(self) -> tuple[str, str] | None:
        """What is to be known before anything else: a few words, and a sentence or two."""
        return None

    @property
    def findings(self) -> list[Finding]:
        """What is worth knowing first."""
        return []

    @property
    def headline(self) -> str:
        """The finding of all findings, which the page has in place of the title."""
        return self.title

    @property
    def own_findings(self) -> list[Finding]:
        """A line on each card or entry of a designer's own, with its verdict."""
        return []

    @property
    def overview(self) -> Sequence[Finding]:
        """At most five things to know, in a sentence or two each, with links where they lead."""
        return self.findings[:5]

    @property
    def lead(self) -> Block | None:
        """The chart of the first screen."""
        return None

    @property
    def linked_findings(self) -> Sequence[Finding]:
        """All findings for the page, with links in them."""
        return self.findings

    @property
    def asides(self) -> list[tuple[str, list[tuple[str, str]]]]:
        """What the first sheet of a workbook tells besides: headings, each with names and texts."""
        return []

    @property
    @abstractmethod
    def facts(self) -> list[tuple[str, str]]:
        """What was played, with everything needed to play it again."""

    @property
    def remarks(self) -> list[str]:
        """What Markdown says at its end, below how the numbers were found."""
        return []

    @property
    def saved(self) -> Mapping[str, pd.DataFrame]:
        """The tables that can be saved from the page, by their names."""
        return self.tables

    @property
    def tables_in(self) -> list[Path]:
        """The folders that the tables lie in."""
        return [self.run.folder / "tables"]

    def caption(self, _chart: str) -> str:
        """What stands under a chart."""
        return self.played

    @abstractmethod
    def tabs(self, on_telling: Callable[[], object] | None = None) -> list[Tab]:
        """The sections, in their order.

        ``on_telling`` is called before the first game is told in words, if any is.
        """

    @property
    def more_figures(self) -> Mapping[str, Callable[..., object]]:
        """The functions of charts that `draw_more` may draw, by the names of their files."""
        return {}

    def draw_more(self, _figures: Path) -> ChartFiles:
        """Draw what is not made of a table alone.  Raises RunError."""
        return {}


def told_before(before: "Comparison") -> tuple[str, list[tuple[str, str]]]:
    """What differs from an earlier run, as one of the ``asides``."""
    base = before.base
    reports = find(base.game.name, "reports")  # by name: `reports.games` asks for this
    played, found = reports.before_words(before)
    return f"Compared with {base.folder.resolve().name}", [("Played", played), *found]


def draw_charts(report: Report) -> ChartFiles:
    """Draw every chart of a report into ``figures/``.  Raises RunError when it cannot be written.

    The same tables give the same bytes.
    """
    figures = report.run.folder / "figures"
    files: ChartFiles = {}
    for name, chart in report.charts.items():
        caption = report.caption(name) if chart.table in report.tables else ""
        files |= write_figures(report.tables, figures, caption=caption, charts={name: chart})
    return files | report.draw_more(figures)


def chart_files(report: Report) -> Iterator[Path]:
    """The files of charts in the folder of a run that a report of it may have drawn."""
    names = {*report.charts, *report.more_figures}
    names |= {
        f"{name}{suffix_of(who)}" for name in names for who in report.run.manifest["policies"]
    }
    for path in (report.run.folder / "figures").glob("*"):
        if path.stem in names and path.suffix[1:] in figure_files.KINDS:
            yield path
