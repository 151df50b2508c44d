"""The cells of spreadsheets, CSV or xlsx: their texts, and what is no text that somebody typed.

Nothing is ever computed.  A formula of an xlsx file is read by the result that the file has for it.
"""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from contextlib import contextmanager
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import field, frozen

from card_data.faults import CardFileError, Fault, nearest, shown
from card_data.toml_files import Unreadable, printable, read_bytes
from card_data.workbook import letters

if TYPE_CHECKING:
    from zipfile import ZipInfo

    from openpyxl.cell import Cell

SUFFIXES = (".csv", ".xlsx")

MAX_BYTES = 5_000_000
MAX_UNPACKED = 5_000_000  # of what a workbook says; pictures do not count
MAX_PACKED = 100  # times that a picture may be larger than it is packed
MAX_ROWS = 5_000
MAX_COLUMNS = 100
MAX_CELLS = 100_000
MAX_FORMULAS = 1_000_000  # characters; one formula that many cells share is one for each of them
MAX_LISTED = 5  # places in a message
_TOO_WIDE = f"there are more than {MAX_COLUMNS} columns"

# A spreadsheet program that opens a CSV file runs a text as a formula if it begins with one of
# these marks, or with their wide forms.  A cell may begin behind a comma, semicolon or bar as well,
# as the program may take that for the end of a cell.  An apostrophe before the mark makes it a
# plain text: one is added on the way out and taken away on the way in.
_START, _MARK = r"(^\s*|[,;|]\s*)", "(?=[-=+@\uff0d\uff1d\uff0b\uff20])"
_EXPOSED = re.compile(_START + "('*)" + _MARK)
_SHIELDED = re.compile(_START + "'('*)" + _MARK)

#: The first line that tells a spreadsheet program what separates cells.
_SEPARATOR = re.compile(r'"?sep=([^\w\s"\']|\t)"?[,;\t]*(?:\r?\n|\r|$)', re.IGNORECASE)
#: Rows in which the one that names the columns is looked for.
MOST_ABOVE = 20

_MONTH = (
    r"(?:jan|feb|f[ée]v|m[aä]r|a[pvb]r|ma[yijg]|jun|jui|giu|jul|lug|aug|ao[uû]|ago|sep|set|o[kc]t|"
    r"ott|out|nov|de[cz]|d[ée]c|dic|ene|gen|янв|фев|мар|апр|ма[йя]|ию[нл]|авг|сен|окт|ноя|дек)"
    r"[^\W\d_]*\.?"
)
_DATE = re.compile(
    rf"\d{{1,2}}[-./ ]+{_MONTH}(?:[-./ ]+\d{{2,4}})?|{_MONTH}[-./ ]+\d{{1,4}}"
    r"|\d{1,4}([-./])\d{1,2}\1\d{1,4}|\d{1,2}\.\d{1,2}\."
    r"|(?:\d{4}-\d\d-\d\d[ T])?\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?",
    re.IGNORECASE,
)
_LOOKS = {
    "date": _DATE,
    "error": re.compile(r"#(?:REF!|N/A|NAME\?|VALUE!|DIV/0!|NULL!|NUM!|SPILL!|CALC!)"),
    "formula": re.compile("=.*", re.DOTALL),
    "decimal comma": re.compile(r"[-+]?\d{1,9},(?!00?$)\d{1,2}"),
}
#: What is wrong with a cell that is not what was typed.
SLIPS = {
    "date": "{} is a date or a time that a spreadsheet program made of what was typed, such as 3/4;"
    " mark the column as text and type it again",
    "error": "the cell has the error {}; correct its formula, or write the value it should hold",
    "decimal comma": "{} is a number with a decimal comma; whole numbers stand here",
}
_WHOLE = re.compile(r"(-?\d{1,9})(?:[.,]0{1,2})?")
_NUMBER = re.compile(r"[-+]?\d+(?:[.,]\d+)*\s*%?")
#: A range of cells: two places with a colon between them, or two columns.
_RANGE = re.compile(r"\$?([A-Z]{1,3})\$?\d*:\$?([A-Z]{1,3})\$?\d*")

#: Row and column, counted from 1.
Place = tuple[int, int]


@frozen
class TableFault(Fault):
    """A fault in a table: ``line`` is its row and ``column`` its column, counted from 1.

    ``sheet`` is empty for a CSV file; ``character`` says where in the cell, 0 for all of it.
    """

    sheet: str = ""
    heading: str = ""
    character: int = 0

    def __str__(self) -> str:
        """``file: sheet '…', row 5, column F (play), character 6: card: problem …``."""
        column = f"column {letters(self.column)}" + (f" ({self.heading})" if self.heading else "")
        parts = [f"sheet '{self.sheet}'"] if self.sheet else []
        parts += [f"row {self.line}"] if self.line else []
        parts += [column] if self.column else []
        parts += [f"character {self.character}"] if self.character else []
        place = ": ".join(filter(None, [self.file, ", ".join(parts)]))
        said = self.problem, self.found, self.allowed, self.nearest
        return str(Fault(place, 0, 0, self.card_id, "", *said))


class UnreadableTable(Exception):
    """A file of which nothing can be read."""

    def __init__(self, problem: str, row: int = 0, **more: Any) -> None:
        super().__init__(problem)
        self.row, self.more = row, more

    def fault(self, file: str) -> Fault:
        """The reason as a fault of the file."""
        return TableFault(file, self.row, 0, "", "", str(self), **self.more)


def _filled_up(rows: list[list[str]]) -> list[list[str]]:
    """Rows of the same length."""
    width = max(map(len, rows), default=0)
    return [row + [""] * (width - len(row)) for row in rows]


@frozen
class Cells:
    """The texts of a table, row by row, all of the same length, and its formulas.

    ``title`` is the name of the sheet, empty for a CSV file.  ``slips`` are the cells that a
    workbook marks as no text and no number: a "date", an "error", a "formula" without a result.
    ``numbers`` are the cells that a workbook holds as numbers, whatever a text would look like.
    """

    title: str
    rows: list[list[str]] = field(converter=_filled_up)
    formulas: Mapping[Place, str]
    slips: Mapping[Place, str]
    numbers: AbstractSet[Place] = frozenset()

    def text(self, at: Place) -> str:
        """The text of a cell."""
        return self.rows[at[0] - 1][at[1] - 1]

    def slip(self, at: Place, looks: Iterable[str]) -> str:
        """What a cell holds that is not what was typed, or ""; see `SLIPS`.

        It is what the workbook says, or one of those that ``looks`` names and the text looks like.
        """
        text = self.text(at).strip()
        like = (one for one in looks if _LOOKS[one].fullmatch(text))
        return self.slips.get(at) or next(like, "")

    def is_number_or_formula(self, at: Place) -> bool:
        """Whether a cell may be what is left of a sum."""
        return at in self.formulas or bool(_NUMBER.fullmatch(self.text(at).strip()))

    def sums_up(self, at: Place) -> bool:
        """Whether a cell has a formula over its own column, such as ``=SUM(C2:C33)``."""
        both = {letters(at[1])}
        return any({*found} == both for found in _RANGE.findall(self.formulas.get(at, "").upper()))


def places(several: Iterable[Place]) -> str:
    """Places as a spreadsheet calls them: "A2, C7 and others"."""
    return listed([f"{letters(column)}{row}" for row, column in several])


def listed(words: list[str]) -> str:
    """The first few words, and whether there are others."""
    shown_ones = words[:MAX_LISTED]
    return ", ".join(shown_ones) + (" and others" if len(words) > MAX_LISTED else "")


def whole_number(text: str) -> int | None:
    """The whole number of a cell: 5, 5.0 and 5,0 are the same."""
    found = _WHOLE.fullmatch(text)
    return int(found[1]) if found else None


def exposed(row: Iterable[str | float]) -> list[str | float]:
    """The cells of a row for a CSV file, so that no program takes one for a formula."""
    return [_EXPOSED.sub(r"\1\2'", cell) if isinstance(cell, str) else cell for cell in row]


# ---------------------------------------------------------------- reading


def table_content(path: Path, sheet: str | None) -> bytes:
    """The contents of a file that can be a table.  Raises CardFileError."""
    with _told_of(printable(path)):
        _check_kind(path.suffix, sheet)
        try:
            return read_bytes(path, MAX_BYTES)
        except Unreadable as error:
            raise UnreadableTable(str(error)) from None


def read_cells(content: bytes, file: str, sheet: str | None, headings: Iterable[str]) -> Cells:
    """The cells of a table with such headings; ``file`` is its name.  Raises CardFileError."""
    suffix = Path(file).suffix
    with _told_of(file):
        _check_kind(suffix, sheet)
        if len(content) > MAX_BYTES:
            raise UnreadableTable(f"the file is larger than {MAX_BYTES:,} bytes")
        if suffix.lower() == ".csv":
            return _read_csv(content, frozenset(headings))
        return _read_xlsx(content, sheet)


@contextmanager
def _told_of(file: str) -> Iterator[None]:
    """Tell of a table that cannot be read as a fault of its file."""
    try:
        yield
    except UnreadableTable as error:
        raise CardFileError([error.fault(file)]) from None


def heading_named(text: str) -> str:
    """A heading as fields are spelled."""
    return re.sub(r"[\s-]+", "_", text.strip().casefold())


def _check_kind(suffix: str, sheet: str | None) -> None:
    if suffix.lower() not in SUFFIXES:
        raise UnreadableTable("a table of cards is a file that ends in .csv or .xlsx; save it so")
    if suffix.lower() == ".csv" and sheet is not None:
        raise UnreadableTable("a CSV file has no sheets")


def _read_csv(content: bytes, headings: frozenset[str]) -> Cells:
    """The cells of a CSV file, separated as its first line says, or as its headings are."""
    try:
        text = content.decode(
            "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
        )
    except UnicodeDecodeError:
        raise UnreadableTable("the file is not UTF-8 text; save it as 'CSV UTF-8'") from None
    if told := _SEPARATOR.match(text):
        separator, text = told[1], text[told.end() :]
    else:
        separator = _separator(text.lstrip().splitlines()[:MOST_ABOVE], headings)
    rows: list[list[str]] = []
    formulas: dict[Place, str] = {}
    n_filled = 0
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True):
            if len(row) > MAX_COLUMNS:
                raise UnreadableTable(_TOO_WIDE, len(rows) + 1)
            rows.append([_SHIELDED.sub(r"\1\2", _plain_breaks(cell)) for cell in row])
            for column, cell in enumerate(row, 1):
                if cell.startswith("="):
                    formulas[len(rows), column] = cell
            n_filled += sum(map(bool, row))
            _check_size(rows, n_filled)
    except csv.Error as error:
        raise UnreadableTable(f"this is not valid CSV: {error}", len(rows) + 1) from None
    return Cells("", rows, formulas, {})


def _separator(lines: list[str], headings: frozenset[str]) -> str:
    """What separates cells in the line with the most headings; of several, in the first."""

    def n_headings(line: str) -> int:
        cells = re.split('"?[,;\t]"?', line.strip('"'))
        return sum(heading_named(cell) in headings for cell in cells)

    return max(",;\t", key=max(lines, key=n_headings, default="").count)


def _read_xlsx(content: bytes, wanted: str | None) -> Cells:
    """The cells of a sheet, the first one or that which is named."""
    import warnings
    from zipfile import ZipFile

    try:
        with ZipFile(io.BytesIO(content)) as parts:
            said = [part for part in parts.infolist() if not _is_picture(part)]
        if sum(part.file_size for part in said) > MAX_UNPACKED:
            raise UnreadableTable(
                f"the file holds more than {MAX_UNPACKED:,} bytes when unpacked; save the sheet of"
                " cards in a file of its own"
            )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns of decoration that it does not know
            title, rows = _sheet(content, wanted, results=False)
            formulas = {
                at: str(getattr(cell.value, "text", cell.value))
                for at, cell in _placed(rows)
                if cell.data_type == "f"
            }
            if formulas:
                title, rows = _sheet(content, wanted, results=True)
    except UnreadableTable:
        raise
    except Exception as error:  # noqa: BLE001  (a damaged file makes openpyxl raise anything)
        raise UnreadableTable(f"this is not a sound xlsx file ({type(error).__name__})") from None
    texts = [[_plain_text(cell.value) for cell in row] for row in rows]
    slips = {at: kind for at, cell in _placed(rows) if (kind := _slip(cell, at in formulas))}
    for (row, column), kind in slips.items():
        if kind == "formula":
            texts[row - 1][column - 1] = formulas[row, column]
    numbers = {at for at, cell in _placed(rows) if isinstance(cell.value, int | float)}
    return Cells(title, texts, formulas, slips, numbers)


def _placed(rows: Iterable[Iterable["Cell"]]) -> Iterator[tuple[Place, "Cell"]]:
    """Cells with their places; one that is not in the file knows none."""
    for number, row in enumerate(rows, 1):
        for column, cell in enumerate(row, 1):
            yield (number, column), cell


def _sheet(
    content: bytes, wanted: str | None, *, results: bool
) -> tuple[str, list[tuple["Cell", ...]]]:
    """The name and the cells of a sheet; those of formulas have their results, or themselves."""
    from openpyxl import load_workbook
    from openpyxl.cell.read_only import EMPTY_CELL

    book = load_workbook(io.BytesIO(content), read_only=True, keep_links=False, data_only=results)
    sheets = {sheet.title: sheet for sheet in book.worksheets}
    if wanted is not None and wanted not in sheets:
        allowed = tuple(sheets)
        raise UnreadableTable(
            f"there is no sheet {shown(wanted)}",
            found=wanted,
            allowed=allowed,
            nearest=nearest(wanted, allowed),
        )
    sheet = sheets[wanted] if wanted is not None else book.worksheets[0]
    sheet.reset_dimensions()  # what a file says of its size need not be true
    rows: list[tuple[Cell, ...]] = []
    n_filled = n_characters = 0
    for whole in sheet.iter_rows():
        beyond = (cell for cell in whole[MAX_COLUMNS:] if cell is not EMPTY_CELL)
        if any(cell.value not in (None, "") for cell in beyond):
            raise UnreadableTable(_TOO_WIDE, len(rows) + 1)
        row = whole[:MAX_COLUMNS]
        rows.append(row)
        n_characters += sum(len(str(cell.value)) for cell in row if cell.data_type == "f")
        if n_characters > MAX_FORMULAS:
            raise UnreadableTable(
                f"the formulas of the sheet have more than {MAX_FORMULAS:,} characters; write their"
                " values in their places"
            )
        n_filled += sum(cell.value not in (None, "") for cell in row)
        _check_size(rows, n_filled)
    return sheet.title, rows


def _slip(cell: "Cell", is_formula: bool) -> str:
    """What a cell holds that nobody typed; an empty text is a result of a formula as well."""
    if cell.data_type == "e":
        return "error"
    if isinstance(cell.value, date | time | timedelta):
        return "date"
    return "formula" if is_formula and cell.value is None and cell.data_type == "n" else ""


def _is_picture(part: "ZipInfo") -> bool:
    """Whether a part of a workbook is a picture, which takes about as much room packed."""
    packed_well = part.file_size > MAX_PACKED * part.compress_size
    return part.filename.startswith("xl/media/") and not packed_well


def _check_size(rows: list[Any], n_filled: int) -> None:
    if len(rows) > MAX_ROWS:
        raise UnreadableTable(f"there are more than {MAX_ROWS:,} rows")
    if n_filled > MAX_CELLS:
        raise UnreadableTable(f"more than {MAX_CELLS:,} cells are filled")


def _plain_text(value: object) -> str:
    """A value of an xlsx cell as it would be typed."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, datetime):
        return str(value).removesuffix(" 00:00:00")
    return _plain_breaks(str(value))


def _plain_breaks(text: str) -> str:
    """A text with line breaks of one kind."""
    return text.replace("_x000D_", "").replace("\r\n", "\n").replace("\r", "\n")
