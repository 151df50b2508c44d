"""All files of a report at once, among them the report as Markdown, ``report.md``."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from analysis.confidence import at_confidence
from reports.balance.report import ChartFiles, Report, chart_files, draw_charts
from reports.balance.sections import (
    Block,
    Figures,
    Grid,
    Heading,
    Section,
    Terms,
    Text,
    has_content,
)
from reports.kit.figure_files import second_process
from reports.kit.formats import CHARTED, reports_in
from reports.kit.inline_svg import described
from reports.kit.markdown import pipe_table, plain
from simcore.sealed import remove_file, write_file, writing

MARKDOWN = "report.md"


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


def write_markdown(report: Report, files: ChartFiles) -> Path:
    """Write ``report.md`` with links to the charts in ``files``; its path.  Raises RunError."""
    path = report.run.folder / MARKDOWN
    write_file(path, ("\n".join(_lines(report, files)).rstrip() + "\n").encode())
    return path


def _lines(report: Report, files: ChartFiles) -> Iterator[str]:
    """The lines of the page."""
    yield from (f"# {plain(report.title)}", "", plain(report.played), "")
    if report.note is not None:
        yield from (f"**{report.note[0]}** {report.note[1]}", "")
    yield from ("## In short", "")
    yield from _block(Terms(report.findings, "findings"), files)
    for tab in report.tabs():
        for section in tab.sections:
            yield from _section(section, files)
    yield from ("## The run", "")
    for name, value in report.facts:
        yield f"- {name}: {plain(value)}"
    yield "- Beside this page: tables as CSV and Parquet in `tables/`, charts in `figures/`"
    yield from ("", report.method)
    for remark in report.remarks:
        yield from ("", plain(remark))


def _section(section: Section, files: ChartFiles) -> Iterator[str]:
    """The lines of a section; none where there is nothing to show."""
    drawn = [name for name, paths in files.items() if paths]
    if has_content(section.in_markdown, drawn):
        yield from (f"## {plain(section.heading)}", "")
        for block in section.in_markdown:
            yield from _block(block, files)


def _block(block: Block, files: ChartFiles) -> Iterator[str]:
    """The lines of a block; none of what only a page has."""
    if isinstance(block, Text) and not block.hint:
        yield from (plain(_unmarked(block.text)), "")
    elif isinstance(block, Heading):
        yield from (f"### {plain(block.text)}", "")
    elif isinstance(block, Figures):
        for chart in block.charts:
            for path in files.get(chart, {}).values():
                yield from (_figure(path), "")
    elif isinstance(block, Grid) and block.rows:
        yield from _table(block)
    elif isinstance(block, Terms) and not block.summary:
        yield from (f"- **{plain(term)}.** {plain(_unmarked(text))}" for term, text in block.terms)
        yield ""


def _unmarked(text: str) -> str:
    """A text without its markup, if it has any."""
    return str(text.striptags()) if hasattr(text, "striptags") else text


def _table(grid: Grid) -> Iterator[str]:
    """The lines of a table: intervals stand in brackets behind their numbers, none is drawn."""
    places = [place for place, column in enumerate(grid.columns) if not column.axis]
    columns = [grid.columns[place] for place in places]
    words = [place for place, column in enumerate(columns) if place == 0 or "word" in column.kind]
    rows = [
        [f"{cell.text} ({cell.interval})" if cell.interval else cell.text for cell in cells]
        for cells in ([row[place] for place in places] for row in grid.rows)
    ]
    yield from pipe_table([column.heading for column in columns], rows, words=words)
    yield ""


def _figure(path: Path) -> str:
    """A chart as a picture that leads to its SVG, with words for those who do not see it."""
    told = ". ".join(described(path.with_name(f"{path.name}.svg").read_text()))
    place = f"{path.parent.name}/{path.name}"
    return f"[![{plain(told)}]({place}.png)]({place}.svg)"
