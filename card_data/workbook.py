"""xlsx files, of cards or of tables: texts stay texts, and the same cells give the same bytes."""

import io
import re
from datetime import datetime
from typing import TYPE_CHECKING
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

if TYPE_CHECKING:
    from openpyxl import Workbook
    from openpyxl.cell import Cell
    from openpyxl.worksheet.worksheet import Worksheet

_MAX_SHEET_NAME = 31
_LONG_AGO = datetime(1980, 1, 1)  # the earliest that a zip file can say
_MODIFIED = re.compile(rb"(<dcterms:modified[^>]*>)[^<]*")


def put(sheet: "Worksheet", row: int, column: int, value: str | float) -> "Cell":
    """Put a value into a cell, counted from 1; return the cell.

    A text is marked as such, whatever it looks like: '=cmd|…' is never a formula, '#REF!' never an
    error, also when somebody edits the cell.
    """
    cell = sheet.cell(row, column, value)
    if isinstance(value, str):
        cell.data_type = "s"
        cell.quotePrefix = True
    return cell


def sheet_title(name: str) -> str:
    """A name as it may stand on the tab of a sheet."""
    return re.sub(r"[\\*?:/\[\]']", "_", name)[:_MAX_SHEET_NAME]


def letters(column: int) -> str:
    """The name of a column in a spreadsheet: A, B, …, Z, AA, …."""
    name = ""
    while column:
        column, letter = divmod(column - 1, 26)
        name = chr(ord("A") + letter) + name
    return name


def workbook_bytes(book: "Workbook") -> bytes:
    """The contents of the xlsx file, without the time at which it was written."""
    book.properties.creator = "fairdeal"
    book.properties.created = _LONG_AGO
    dated, undated = io.BytesIO(), io.BytesIO()
    book.save(dated)
    moment = f"{_LONG_AGO:%Y-%m-%dT%H:%M:%SZ}".encode()
    with ZipFile(dated) as parts, ZipFile(undated, "w") as out:
        for name in parts.namelist():
            content = parts.read(name)
            if name == "docProps/core.xml":
                content = _MODIFIED.sub(rb"\g<1>" + moment, content)
            out.writestr(ZipInfo(name, _LONG_AGO.timetuple()[:6]), content, ZIP_DEFLATED)
    return undated.getvalue()
