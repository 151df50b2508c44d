"""The report as a workbook, ``report.xlsx``: a sheet about the run, then one for each table."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import pandas as pd

from card_data.workbook import letters, put, workbook_bytes
from reports.balance.report import Report
from reports.kit.cells import NumberKinds
from reports.kit.words import level
from simcore.sealed import write_file

if TYPE_CHECKING:
    from openpyxl.worksheet.worksheet import Worksheet

WORKBOOK = "report.xlsx"

#: How a spreadsheet shows each kind of number.
FORMATS = {
    "count": "#,##0",
    "share": "0.00%",
    "difference": "+0.00%;-0.00%;0.00%",
    "number": "0.00",
    "p_value": "0.0000",
}
_FRONT = "report"
_HOW_TO_READ = (
    "Shares are shown in per cent with {} intervals from ..._ci_low to ..._ci_high; differences"
    " of shares with their sign, where +1.00% is one percentage point. Cells hold more digits"
    " than they show. What is not known is left empty."
)
_NARROW, _WIDE = 9, 60
_ARROW = 4  # what the arrow of a filter covers, in characters


def write_workbook(report: Report) -> Path:
    """Write ``report.xlsx``; its path.  The same tables give the same bytes.  Raises RunError."""
    from openpyxl import Workbook

    book = Workbook()
    tables = {name: table for name, table in report.tables.items() if len(table)}
    _fill_front(book.worksheets[0], report, tables)
    for name, table in tables.items():
        _fill_table(book.create_sheet(name), table, NumberKinds(report.registry[name]))
    path = report.run.folder / WORKBOOK
    write_file(path, workbook_bytes(book))
    return path


def _fill_front(sheet: "Worksheet", report: Report, tables: Mapping[str, pd.DataFrame]) -> None:
    """The first sheet: what was played, what is worth knowing, and what every column means."""
    from openpyxl.styles import Alignment, Font
    from openpyxl.worksheet.hyperlink import Hyperlink

    sheet.title = _FRONT
    sheet.column_dimensions["A"].width, sheet.column_dimensions["B"].width = 44, 110
    for row, (name, text) in enumerate(_front(report, tables), 1):
        if not name:
            continue
        first = put(sheet, row, 1, name)
        first.alignment = Alignment(vertical="top", wrap_text=bool(text))
        if text:
            second = put(sheet, row, 2, text)
            second.alignment = Alignment(vertical="top", wrap_text=True)
        else:
            first.font = Font(bold=True, size=16 if row == 1 else 13)
        if name in tables:
            first.hyperlink = Hyperlink(ref=first.coordinate, location=f"'{name}'!A1")
            first.font = Font(underline="single", color="0B6AA8")


def _front(report: Report, tables: Mapping[str, pd.DataFrame]) -> Iterator[tuple[str, str]]:
    """The rows of the first sheet: a name and a text, a heading without text, or nothing."""
    yield report.title, ""
    yield "Played", report.played
    if report.note is not None:
        yield report.note[0].removesuffix("."), report.note[1]
    yield from (("", ""), ("In short", ""), *report.findings)
    for heading, rows in report.asides:
        yield from (("", ""), (heading, ""), *rows)
    yield from (("", ""), ("The run", ""), *report.facts)
    yield from (("", ""), ("Sheets", ""), ("How to read them", _HOW_TO_READ.format(level())))
    for name, table in tables.items():
        yield name, f"{len(table):,} rows"
    for name, table in tables.items():
        entry = report.registry[name]
        yield from (("", ""), (f"Columns of {name}", ""))
        yield from ((column, text.replace("`", "")) for column, text in entry.columns.items())
        found = dict.fromkeys(table.iloc[:, 0])
        yield from (
            (f"{table.columns[0]} {one}", entry.words[one]) for one in found if one in entry.words
        )


def _fill_table(sheet: "Worksheet", table: pd.DataFrame, kinds: NumberKinds) -> None:
    """A sheet with a table: its header stays in sight, and rows can be filtered."""
    from openpyxl.styles import Font

    widths = [len(heading) + _ARROW for heading in table.columns]
    for column, heading in enumerate(table.columns, 1):
        put(sheet, 1, column, heading).font = Font(bold=True)
    for row, line in enumerate(table.to_dict("records"), 2):
        about = str(line.get("statistic", line.get("measure", "")))
        estimate = ""
        for column, (heading, value) in enumerate(line.items(), 1):
            if not str(heading).endswith(("ci_low", "ci_high")):
                estimate = str(heading)
            if pd.isna(value):
                continue
            cell = put(sheet, row, column, value)
            if isinstance(value, str):
                widths[column - 1] = max(widths[column - 1], len(value) + 1)
            else:
                kind = "count" if isinstance(value, int) else kinds.of(estimate, about)
                cell.number_format = FORMATS[kind]
    for column, width in enumerate(widths, 1):
        sheet.column_dimensions[letters(column)].width = min(max(width, _NARROW), _WIDE)
    named = list(table.columns[:3]).index("name") if "name" in table.columns[:3] else 0
    sheet.freeze_panes = f"{letters(named + 2)}2"
    sheet.auto_filter.ref = f"A1:{letters(len(table.columns))}{len(table) + 1}"
