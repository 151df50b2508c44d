"""The formats of a report: the option ``--format``, and all files of a report at once."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from reports.cli.console import as_input_error
from reports.mindbug.cli.options import unknown_word

if TYPE_CHECKING:
    from analysis.mindbug.experiments.comparison import Comparison
    from reports.mindbug.balance.run_report import RunReport

#: What a report can be written as; the first is the usual one.
FORMATS = ("html", "md", "xlsx")
#: Those that show the charts.
CHARTED = {"html", "md"}

Format = Annotated[
    str,
    Parameter(
        name="--format",
        help="What the report is written as, with commas between: 'html' (report.html, one page"
        " that works offline), 'md' (report.md, Markdown for a wiki or GitHub, with links to the"
        " charts), 'xlsx' (report.xlsx, a workbook with a sheet for each table).",
    ),
]


def parse_formats(text: str) -> tuple[str, ...]:
    """The formats that are asked for, in their order.  Raises InputError."""
    with as_input_error("--format"):
        return check_formats([word.strip() for word in text.split(",")])


def check_formats(words: Sequence[str]) -> tuple[str, ...]:
    """The words, if each is a format and none is named twice.  Raises ValueError."""
    for place, word in enumerate(words):
        if word not in FORMATS:
            raise ValueError(unknown_word("format", word, FORMATS))
        if word in words[:place]:
            raise ValueError(f"'{word}' is named twice")
    if not words:
        raise ValueError(f"name a format: {', '.join(FORMATS)}")
    return tuple(words)


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


def reports_in(folder: str | os.PathLike[str]) -> dict[str, Path]:
    """The files of the report that are in a run folder, by format."""
    paths = {name: Path(folder, f"report.{name}") for name in FORMATS}
    return {name: path for name, path in paths.items() if path.exists()}


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


def paths_of(written: Mapping[str, Path]) -> dict[str, Any]:
    """What a program is told of the files: the page, if there is one, and all of them."""
    page = str(written["html"]) if "html" in written else None
    return {"page": page, "reports": {name: str(path) for name, path in written.items()}}


def print_report(folder: Path, written: Mapping[str, Path], *, tables: bool = False) -> None:
    """Say where everything is."""
    for path in written.values():
        print(f"report: {path}")
    if tables:
        print(f"tables: {folder / 'tables'}")
    if CHARTED & set(written):
        print(f"charts: {folder / 'figures'}")
