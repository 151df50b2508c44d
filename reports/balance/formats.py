"""All files of a report at once."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from analysis.confidence import at_confidence
from reports.balance.report import Report, chart_files, draw_charts
from reports.kit.figure_files import second_process
from reports.kit.formats import CHARTED, reports_in
from simcore.sealed import remove_file, writing


def write_formats(
    report: Report, formats: Sequence[str], on_telling: Callable[[], object] | None = None
) -> dict[str, Path]:
    """Write a report in each of ``formats``, with its charts; their paths.

    The table of a comparison with an earlier run is written beside the others.  Reports and charts
    in the folder that show earlier tables are removed.  ``on_telling`` is called before the first
    game is told in words, if any is.  Raises RunError when something cannot be written.
    """
    _keep_comparison(report)
    written = {}
    with at_confidence(report.confidence), second_process():
        charts = draw_charts(report) if CHARTED & set(formats) else {}
        for name in formats:
            if name == "html":
                from reports.balance.page import write_page

                written[name] = write_page(report, charts, on_telling)
            elif name == "md":
                from reports.balance.markdown import write_markdown

                written[name] = write_markdown(report, charts)
            else:
                from reports.balance.workbook import write_workbook

                written[name] = write_workbook(report)
    with writing(report.run.folder):
        outdated = [*_outdated(report)]
    for path in outdated:
        remove_file(path)
    return written


def _keep_comparison(report: Report) -> None:
    """Write the tables of the comparison; remove what is left of another one."""
    from analysis.experiments.comparison import write_comparison
    from analysis.experiments.paired_sums import COMPARED

    written = set() if report.before is None else set(report.before.tables)
    stale = {one.name for one in report.registry.values() if one.where == COMPARED}
    for name in {"comparison", *stale} - written:  # not every game registers the main table
        for kind in ("parquet", "csv"):
            remove_file(report.run.folder / "tables" / f"{name}.{kind}")
    if report.before is not None:
        write_comparison(report.before, report.run.folder)


def _outdated(report: Report) -> Iterator[Path]:
    """The reports and charts in the folder of a run that were written before its tables were.

    A table that is no more has changed them, too.
    """
    folder = report.run.folder
    changed = max(path.stat().st_mtime_ns for path in report.tables_in if path.exists())
    for path in (*reports_in(folder).values(), *chart_files(report)):
        if path.stat().st_mtime_ns < changed:
            yield path
