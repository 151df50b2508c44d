"""The report as one HTML page that holds all it needs and works without a network."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import pandas as pd
from attrs import frozen
from markupsafe import Markup

from reports.balance.report import ChartFiles, Report
from reports.balance.sections import Block, Section, Tab, has_content
from reports.kit.inline_svg import Shared, drawings
from reports.kit.page import csv_address, page_script, page_template
from reports.kit.words import Finding
from simcore.sealed import write_file

PAGE = "report.html"


@frozen(kw_only=True)
class Page:
    """A page of sections that is no report of a run; its parts are those of a `Report`.

    ``first`` are the first things to know, where these are not the first findings.
    """

    title: str
    headline: str
    played: str
    findings: Sequence[Finding]
    lead: Block | None
    sections: Sequence[Section]
    saved: Mapping[str, pd.DataFrame]
    note: tuple[str, str] | None = None
    first: Sequence[Finding] = ()

    @property
    def overview(self) -> Sequence[Finding]:
        """At most five things to know."""
        return self.first or self.findings[:5]

    @property
    def linked_findings(self) -> Sequence[Finding]:
        """All findings."""
        return self.findings

    def tabs(self) -> list[Tab]:
        """A tab for each section."""
        return [Tab(one.heading, [one]) for one in self.sections]


def write_page(
    report: Report, files: ChartFiles, on_telling: Callable[[], object] | None = None
) -> Path:
    """Write ``report.html`` with the charts in ``files``; its path.  Raises RunError.

    ``on_telling`` is called before the first game is told in words, if any is.
    """
    shared = Shared()
    charts = drawings(files, shared)
    path = report.run.folder / PAGE
    write_file(path, render_page(report, charts, shared, report.tabs(on_telling)).encode())
    return path


def render_page(
    report: Report | Page,
    charts: Mapping[str, Sequence[Markup]],
    shared: Shared | None = None,
    tabs: Sequence[Tab] | None = None,
    template: str = "report.html",
) -> str:
    """The page as text.

    Parameters
    ----------
    report
        What it shows.
    charts
        The drawings of each chart, as `drawings` gives them.
    shared
        What the charts have in common, if they were drawn with it.
    tabs
        Its sections; default: those of the report.
    template
        What is filled.
    """
    drawn = [name for name, pictures in charts.items() if pictures]
    shown = [
        tab._replace(sections=[one for one in tab.sections if has_content(one.blocks, drawn)])
        for tab in (report.tabs() if tabs is None else tabs)
    ]
    return page_template(template).render(
        **page_script(),
        title=report.title,
        headline=report.headline,
        lead=report.lead,
        overview=report.overview,
        played=report.played,
        note=report.note,
        findings=report.linked_findings,
        shared=shared.sheet() if shared else "",
        tabs=[tab for tab in shown if tab.sections],
        charts=charts,
        csv={name: csv_address(table) for name, table in report.saved.items()},
        rendered=lambda block: Markup(page_template(block.template).render(**block.values())),
    )
