"""The option ``--format``, and what is said of the files of a report."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from reports.cli.console import as_input_error

Format = Annotated[
    str,
    Parameter(
        name="--format",
        help="Formats of the report: html, md or xlsx, separated by commas. 'html' is"
        " report.html, one page that works offline, 'md' is report.md, Markdown for a wiki or"
        " GitHub, with links to the charts, 'xlsx' is report.xlsx, a workbook with a sheet for each"
        " table.",
    ),
]


def parse_formats(text: str) -> tuple[str, ...]:
    """The formats that are asked for, in their order.  Raises InputError."""
    from reports.kit.formats import check_formats

    with as_input_error("--format"):
        return check_formats([word.strip() for word in text.split(",")])


def paths_of(written: Mapping[str, Path]) -> dict[str, Any]:
    """What a program is told of the files: the page, if there is one, and all of them."""
    page = str(written["html"]) if "html" in written else None
    return {"page": page, "reports": {name: str(path) for name, path in written.items()}}


def print_report(folder: Path, written: Mapping[str, object], *, tables: bool = False) -> None:
    """Say where everything is."""
    from reports.kit.formats import CHARTED

    for path in written.values():
        print(f"report: {path}")
    if tables:
        print(f"tables: {folder / 'tables'}")
    if CHARTED & set(written):
        print(f"charts: {folder / 'figures'}")
