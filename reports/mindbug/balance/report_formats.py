"""All files of a report at once."""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from reports.kit.formats import CHARTED, check_formats, reports_in

if TYPE_CHECKING:
    from analysis.experiments.comparison import Comparison
    from reports.mindbug.balance.run_report import RunReport


def write_reports(
    folder: str | os.PathLike[str],
    formats: Sequence[str] = ("html",),
    *,
    before: "Comparison | None" = None,
    on_telling: Callable[[], object] | None = None,
) -> dict[str, Path]:
    """Write the report of an analysed run in each of ``formats``, with its charts; their paths.

    What is left in the folder tells of the present tables: a report, chart or comparison that was
    written earlier and tells of others is removed.

    Parameters
    ----------
    folder
        A run with its tables.
    formats
        Of 'html' (``report.html``), 'md' (``report.md``) and 'xlsx' (``report.xlsx``).  The charts
        in ``figures/`` are drawn for the first two.
    before
        What `analysis.mindbug.compare_runs` found of an earlier run and this one, for a section on
        it; its table is written beside the others.
    on_telling
        Called before the first game is told in words, if any is, which may take long: the engine
        that tells single games is compiled where that has not been done.

    Raises
    ------
    ValueError
        For an unknown format, one that is named twice, or the comparison of another run.
    RunError
        As `write_report`.
    """
    from simcore.work.lock import holding
    from simcore.work.parts import read_manifest

    check_formats(formats)
    read_manifest(Path(folder))  # nothing is locked but a run
    with holding(Path(folder)):
        return _write(folder, formats, before, on_telling)


def _write(
    folder: str | os.PathLike[str],
    formats: Sequence[str],
    before: "Comparison | None",
    on_telling: Callable[[], object] | None,
) -> dict[str, Path]:
    """Write the report in a folder that nobody else works in."""
    from reports.kit.figure_files import second_process
    from reports.mindbug.balance.page import write_page
    from reports.mindbug.balance.run_report import draw_charts, keep_comparison, read_report
    from simcore.sealed import writing

    report = read_report(folder, before)
    keep_comparison(report)
    written = {}
    with second_process():
        charts = draw_charts(report) if CHARTED & set(formats) else {}
        for name in formats:
            if name == "html":
                written[name] = write_page(report, charts, on_telling)
            elif name == "md":
                from reports.mindbug.balance.markdown_page import write_markdown

                written[name] = write_markdown(report, charts)
            else:
                from reports.mindbug.balance.workbook import write_workbook

                written[name] = write_workbook(report)
    with writing(report.run.folder):
        for path in _outdated(report):
            path.unlink()
    return written


def _outdated(report: "RunReport") -> Iterator[Path]:
    """The reports and charts in the folder of a run that were written before its tables were.

    A table that is no more has changed them, too.
    """
    from reports.mindbug.balance.run_report import chart_files

    folder = report.run.folder
    tables = [
        path for path in (folder / "tables", folder / "sensitivity" / "tables") if path.exists()
    ]
    changed = max(path.stat().st_mtime_ns for path in tables)
    for path in (*reports_in(folder).values(), *chart_files(report)):
        if path.stat().st_mtime_ns < changed:
            yield path
