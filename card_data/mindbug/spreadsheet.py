"""Spreadsheets of cards: a set as a table with one card a row, and such a table as a set.

A table is a CSV file or a sheet of an xlsx file.  Its columns are the fields of a card file; the
cells of abilities hold lines of the card language.  Nothing in a table is ever computed: what looks
like a formula is text when it is read, and is written so that it stays text.
"""

import csv
import io
import os
import re
from collections.abc import Iterable, Iterator
from itertools import accumulate
from pathlib import Path
from typing import TYPE_CHECKING, Any

from attrs import define, field, frozen

from card_data.faults import CardFileError, Fault, nearest, shown
from card_data.mindbug.card_reader import CARD_FIELDS, MAX_CONSTANTS, CardReader
from card_data.mindbug.language.foreign_wordings import nearest_field
from card_data.mindbug.language.rules_box import keyword_named
from card_data.mindbug.schema import MAX_CARDS, CardSet
from card_data.mindbug.vocabulary import Keyword
from card_data.toml_files import MAX_LINE, Unreadable, read_bytes
from card_data.toml_places import KeyPath, TomlPlaces
from card_data.workbook import letters, put, sheet_title, workbook_bytes

if TYPE_CHECKING:
    from zipfile import ZipInfo

SUFFIXES = (".csv", ".xlsx")

#: The columns that hold no lines of the card language, beside the name of the set.
FACTS = ("card_id", "name", "power", "keywords", "copies", "dice", "evolves_to", "cost")
_NUMBERS = ("power", "copies", "dice", "cost")
#: Abilities of which there can be several, one on each line of the cell.
_LISTS = ("constant", "in_discard")

#: The columns of a table in the order in which they are written; abilities are written one by one.
COLUMNS = (*FACTS, *(name for name in CARD_FIELDS if name not in (*FACTS, "text")), "set")
#: What the column of whole rules boxes is called, and what a column of a keyword may hold.
_BOX = ("text", "ability", "abilities", "rules", "rules_text", "card_text", "rules_box")
_YES = ("true", "yes", "x", "1", "1.0", "y", "\u2713", "\u2714")
_NO = ("false", "no", "0", "0.0", "n", "-", "")

MAX_BYTES = 5_000_000
MAX_UNPACKED = 5_000_000  # of what a workbook says; pictures do not count
MAX_PACKED = 100  # times that a picture may be larger than it is packed
MAX_ROWS = 5_000
MAX_COLUMNS = 100
MAX_CELLS = 100_000
#: Characters in a cell.
MAX_CELL = MAX_CONSTANTS * MAX_LINE

# A spreadsheet program that opens a CSV file runs a text as a formula if it begins with one of
# these marks, or with their wide forms.  A cell may begin behind a comma, semicolon or bar as well,
# as the program may take that for the end of a cell.  An apostrophe before the mark makes it a
# plain text: one is added on the way out and taken away on the way in.
_START, _MARK = r"(^\s*|[,;|]\s*)", "(?=[-=+@\uff0d\uff1d\uff0b\uff20])"
_EXPOSED = re.compile(_START + "('*)" + _MARK)
_SHIELDED = re.compile(_START + "'('*)" + _MARK)

_Cell = str | int


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


# ---------------------------------------------------------------- writing


def encode_table(card_set: CardSet, suffix: str) -> bytes:
    """The contents of a CSV or xlsx file, by ``suffix``, with the cards of a set."""
    rows = [COLUMNS, *_rows(card_set)]
    if suffix.lower() not in SUFFIXES:
        raise ValueError(f"'{suffix}' is not one of {', '.join(SUFFIXES)}")
    return _csv(rows) if suffix.lower() == ".csv" else _xlsx(rows, card_set.set_id)


def _rows(card_set: CardSet) -> Iterator[list[_Cell]]:
    """A row for each card, with what a card file says of it; missing fields are empty."""
    import tomllib

    from card_data.mindbug.language.formatter import format_cards

    tables = tomllib.loads(format_cards(card_set))
    name = tables.pop("name")
    for card_id, table in tables.items():
        cells = {**table, "card_id": card_id, "set": name}
        cells["keywords"] = " ".join(table.get("keywords", []))
        for key in _LISTS:
            if isinstance(table.get(key), list):
                cells[key] = "\n".join(table[key])
        assert cells.keys() <= set(COLUMNS)
        yield [cells.get(column, "") for column in COLUMNS]


def _csv(rows: Iterable[Iterable[_Cell]]) -> bytes:
    """Rows as CSV as spreadsheet programs like it; see ``_EXPOSED``."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    for row in rows:
        writer.writerow(
            [_EXPOSED.sub(r"\1\2'", cell) if isinstance(cell, str) else cell for cell in row]
        )
    return out.getvalue().encode("utf-8-sig")


def _xlsx(rows: Iterable[Iterable[_Cell]], set_id: str) -> bytes:
    """Rows as the sheet of an xlsx file, every text marked as such."""
    from openpyxl import Workbook
    from openpyxl.styles import Alignment, Font

    book = Workbook()
    sheet = book.worksheets[0]
    sheet.title = sheet_title(set_id)
    for row_number, row in enumerate(rows, 1):
        for column, value in enumerate(row, 1):
            if value == "":
                continue
            cell = put(sheet, row_number, column, value)
            cell.alignment = Alignment(vertical="top", wrap_text=isinstance(value, str))
            if row_number == 1:
                cell.font = Font(bold=True)
    for column, heading in enumerate(COLUMNS, 1):
        width = 12 if heading in _NUMBERS else 24 if heading in (*FACTS, "set") else 44
        sheet.column_dimensions[letters(column)].width = width
    sheet.freeze_panes = "C2"
    return workbook_bytes(book)


# ---------------------------------------------------------------- reading


def read_table(
    path: str | os.PathLike[str], *, set_id: str | None = None, sheet: str | None = None
) -> CardSet:
    """The checked cards of a table.

    Parameters
    ----------
    path
        A CSV or xlsx file.
    set_id
        The id of the set; default: the name of the file.
    sheet
        The sheet of an xlsx file; default: the first.

    Raises
    ------
    CardFileError
        With everything that is wrong with the table, each fault with its row and column.
    """
    path = Path(path)
    file = str(path).encode(errors="replace").decode()
    try:
        content = _content(path, sheet)
    except _UnreadableTable as error:
        raise CardFileError([error.fault(file)]) from None
    return parse_table(content, file, set_id=set_id, sheet=sheet)


def parse_table(
    content: bytes, file: str, *, set_id: str | None = None, sheet: str | None = None
) -> CardSet:
    """The checked cards in the contents of a table that is called ``file``; see `read_table`.

    Raises CardFileError.
    """
    stem, suffix = Path(file).stem, Path(file).suffix
    try:
        title, rows = _cells(content, suffix, sheet)
    except _UnreadableTable as error:
        raise CardFileError([error.fault(file)]) from None
    table = _Table(file, title, rows)
    data = table.data(stem)
    if len(data) < 2:  # no card beside the name of the set
        raise CardFileError(table.faults)
    reader = _RowReader(table)
    card_set = reader.card_set(stem if set_id is None else set_id, data)
    if faults := table.faults + reader.faults:
        raise CardFileError(sorted(faults, key=lambda fault: (fault.line, fault.column)))
    return card_set


@define
class _Text:
    """What a cell says, and where each string that was made of it begins in the cell."""

    row: int
    column: int
    starts: list[int] = field(factory=list)


class _Table(TomlPlaces):
    """The rows of a table as the data of a card file, and the place of each of its fields.

    It stands in for the places in a TOML text: an "offset" is a row, column and character in one
    number.
    """

    def __init__(self, file: str, sheet: str, rows: list[list[str]]) -> None:
        super().__init__("")
        self.file = file
        self.sheet = sheet
        self.faults: list[Fault] = []
        width = max(map(len, rows), default=0)
        self._rows = [row + [""] * (width - len(row)) for row in rows]
        self._columns: dict[str, int] = {}
        self._keywords: dict[int, Keyword] = {}
        self._texts: dict[KeyPath, _Text] = {}

    def data(self, stem: str) -> dict[str, Any]:
        """The table as the data of a card file, without what is faulty about the table itself."""
        filled = [number for number, row in enumerate(self._rows, 1) if any(row)]
        if not filled:
            self.note(0, 0, "", "the table is empty; its first row has to name the columns")
            return {}
        self._read_headings(filled[0])
        cards: dict[str, Any] = {}
        for number in filled[1:]:
            self._read_row(number, cards)
            if len(cards) > MAX_CARDS:
                problem = f"there are more than {MAX_CARDS:,} cards; that is the most of a file"
                self.note(number, 0, "", problem)
                return {}
        if not cards and not self.faults:
            self.note(filled[0], 0, "", "there are no cards below the row that names the columns")
        return {"name": self._set_name(filled[1:], stem), **cards}

    def note(self, row: int, column: int, card_id: str, problem: str, **more: Any) -> None:
        """Notes a fault of the table itself."""
        more |= {"sheet": self.sheet, "heading": self.heading(column)}
        self.faults.append(TableFault(self.file, row, column, card_id, "", problem, **more))

    def heading(self, column: int) -> str:
        """The field in a column; empty where it is none."""
        return next((name for name, number in self._columns.items() if number == column), "")

    def _cell(self, row: int, name: str) -> str:
        column = self._columns.get(name, 0)
        return self._rows[row - 1][column - 1].strip() if column else ""

    def _first_filled(self, column: int, above: int) -> int:
        """The first row below a row with a text in a column; 0 where there is none."""
        below = enumerate(self._rows[above:], above + 1)
        return next((row for row, cells in below if cells[column - 1].strip()), 0)

    def _read_headings(self, row: int) -> None:
        for column, text in enumerate(self._rows[row - 1], 1):
            name = re.sub(r"[\s-]+", "_", text.strip().casefold())
            name = "text" if name in _BOX else name
            if (keyword := keyword_named(text)) is not None:
                self._keywords[column] = keyword
                continue
            if name in self._columns:
                self.note(row, column, "", f"there are two columns '{name}'", found=text)
            elif name in (*COLUMNS, "text"):
                self._columns[name] = column
            elif name and not name.startswith("#"):
                allowed = tuple(name for name in COLUMNS if name not in self._columns)
                more = {"found": text, "allowed": allowed, "nearest": nearest_field(name, allowed)}
                problem = f"{shown(text)} is not a column of cards; a column of notes begins with #"
                self.note(row, column, "", problem, **more)
            elif not name and (filled := self._first_filled(column, row)):
                self.note(
                    row, column, "", f"the column has no heading, but row {filled} has a text there"
                )
        self.faults += [
            TableFault(self.file, row, 0, "", "", f"there is no column '{name}'", sheet=self.sheet)
            for name in ("card_id", "name")
            if name not in self._columns
        ]

    def _read_row(self, row: int, cards: dict[str, Any]) -> None:
        """Adds the card of a row to ``cards``."""
        card_id, column = self._cell(row, "card_id"), self._columns.get("card_id", 0)
        if not column or card_id.startswith("#"):
            return
        cells = {name: self._cell(row, name) for name in self._columns if name != "card_id"}
        if not card_id:
            if any(cells.values()):
                self.note(row, column, "", "the field 'card_id' is missing")
            return
        if card_id in cards:
            above = self._texts[card_id,].row
            self.note(row, column, "", f"{shown(card_id)} stands in row {above} already")
            return
        if card_id == "name":  # in a card file, this is the name of the set
            self.note(row, column, "", "'name' cannot be a card id", found=card_id)
            return
        self._texts[card_id,] = _Text(row, column)
        if given := self._given(card_id, row):
            cells["keywords"] = " ".join(filter(None, [cells.get("keywords", ""), *given]))
        values = {
            name: self._value(card_id, name, row, text)
            for name, text in cells.items()
            if text and name != "set"
        }
        cards[card_id] = {name: value for name, value in values.items() if value is not None}

    def _given(self, card_id: str, row: int) -> list[str]:
        """The keywords that a card has by a column for each of them."""
        given = []
        for column, keyword in self._keywords.items():
            cell = self._rows[row - 1][column - 1].strip().casefold()
            if cell in _YES:
                given.append(keyword.name)
            elif cell not in _NO:
                problem = f"the column of {keyword.name} holds TRUE or FALSE"
                self.note(row, column, card_id, problem, found=cell)
        said = set(map(keyword_named, re.findall(r"[^\s,;]+", self._cell(row, "keywords"))))
        return [name for name in dict.fromkeys(given) if Keyword[name] not in said]

    def _value(self, card_id: str, name: str, row: int, text: str) -> object:
        """What a card file would say for a cell; the places of its strings are remembered.

        None for a text that is too long, which is noted.
        """
        column = self._columns.get(name, next(iter(self._keywords), 0))
        if len(text) > MAX_CELL:
            problem = f"the cell has {len(text):,} characters; {MAX_CELL:,} are the most"
            self.note(row, column, card_id, problem)
            return None
        lead = max(self._rows[row - 1][column - 1].find(text), 0)
        places = self._texts[card_id, name] = _Text(row, column, [lead])
        if name in _NUMBERS:
            return int(text) if re.fullmatch(r"-?\d{1,9}", text) else text
        if name == "keywords":
            words = list(re.finditer(r"[^\s,;]+", text))
            places.starts = [lead + word.start() for word in words]
            return [word[0] for word in words]
        if name in _LISTS:
            lines = text.split("\n")
            starts = accumulate((len(line) + 1 for line in lines[:-1]), initial=lead)
            kept = [
                (line, start) for line, start in zip(lines, starts, strict=True) if line.strip()
            ]
            places.starts = [start for _, start in kept]
            return text if len(kept) == 1 else [line for line, _ in kept]
        return text

    def _set_name(self, rows: list[int], stem: str) -> str:
        """The name of the set, which every row repeats or leaves out."""
        column, name = self._columns.get("set", 0), ""
        for row in rows:
            text = self._cell(row, "set")
            if not name and text:
                name = text
                self._texts["name",] = _Text(row, column)
            elif text and text != name:
                problem = f"a table holds one set; {shown(name)} stands above"
                self.note(row, column, "", problem, found=text)
        return name or stem.replace("_", " ").strip().title()

    # The places, as CardReader asks for them.

    def line_column(self, offset: int) -> tuple[int, int]:
        """Row and column."""
        row, column, _ = self.place(offset)
        return row, column

    def place(self, offset: int) -> tuple[int, int, int]:
        """Row, column and character."""
        rest, character = divmod(offset, MAX_BYTES)
        return *divmod(rest, MAX_COLUMNS + 1), character

    def key(self, path: KeyPath) -> int:
        """The cell of a field; where there is none, the place for it, or the cell of the card."""
        text = self._texts.get(path)
        if text is None and path[:1] in self._texts:
            card = self._texts[path[:1]]
            text = _Text(card.row, self._columns.get(path[-1], card.column))
        return self._offset(text) if text else 0

    def value(self, path: KeyPath) -> int:
        """The cell of a field."""
        return self.key(path)

    def in_string(
        self,
        path: KeyPath,
        index: int,
        content: str,  # noqa: ARG002
        offset: int,
    ) -> int:
        """A character of the ``index``-th string of a cell."""
        text = self._texts.get(path)
        if text is None or index >= len(text.starts):
            return self.key(path)
        return self._offset(text) + text.starts[index] + offset + 1

    def _offset(self, text: _Text) -> int:
        return (text.row * (MAX_COLUMNS + 1) + text.column) * MAX_BYTES


class _RowReader(CardReader):
    """Reads the cards of a table; its faults know the cell."""

    def __init__(self, table: _Table) -> None:
        super().__init__(table.file, table, {})
        self.table = table

    def note(self, path: KeyPath, at: int, problem: str, **more: Any) -> None:
        """Notes a fault of a cell."""
        super().note(path, at, problem, **more)
        fault = self.faults.pop()
        row, column, character = self.table.place(at)
        self.faults.append(
            TableFault(
                fault.file,
                row,
                column,
                fault.card_id,
                fault.field,
                fault.problem,
                fault.found,
                fault.allowed,
                fault.nearest,
                sheet=self.table.sheet,
                heading=self.table.heading(column),
                character=character,
            )
        )


class _UnreadableTable(Exception):
    """A file of which nothing can be read."""

    def __init__(self, problem: str, row: int = 0, **more: Any) -> None:
        super().__init__(problem)
        self.row, self.more = row, more

    def fault(self, file: str) -> Fault:
        return TableFault(file, self.row, 0, "", "", str(self), **self.more)


def _content(path: Path, sheet: str | None) -> bytes:
    """The contents of a file that can be a table."""
    _check_kind(path.suffix, sheet)
    try:
        return read_bytes(path, MAX_BYTES)
    except Unreadable as error:
        raise _UnreadableTable(str(error)) from None


def _check_kind(suffix: str, sheet: str | None) -> None:
    if suffix.lower() not in SUFFIXES:
        raise _UnreadableTable("a table of cards is a file that ends in .csv or .xlsx; save it so")
    if suffix.lower() == ".csv" and sheet is not None:
        raise _UnreadableTable("a CSV file has no sheets")


def _cells(content: bytes, suffix: str, sheet: str | None) -> tuple[str, list[list[str]]]:
    """The name of the sheet, empty for a CSV file, and the texts in its cells, row by row."""
    _check_kind(suffix, sheet)
    if len(content) > MAX_BYTES:
        raise _UnreadableTable(f"the file is larger than {MAX_BYTES:,} bytes")
    is_csv = suffix.lower() == ".csv"
    return ("", _read_csv(content)) if is_csv else _read_xlsx(content, sheet)


def _read_csv(content: bytes) -> list[list[str]]:
    """The cells of a CSV file, separated by commas, semicolons or tabs."""
    try:
        text = content.decode(
            "utf-16" if content[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
        )
    except UnicodeDecodeError:
        raise _UnreadableTable("the file is not UTF-8 text; save it as 'CSV UTF-8'") from None
    first = text.lstrip().partition("\n")[0]
    separator = max(",;\t", key=first.count)
    rows: list[list[str]] = []
    n_filled = 0
    try:
        for row in csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True):
            if len(row) > MAX_COLUMNS:
                problem = f"there are more than {MAX_COLUMNS} columns"
                raise _UnreadableTable(problem, len(rows) + 1)
            rows.append([_SHIELDED.sub(r"\1\2", _plain_breaks(cell)) for cell in row])
            n_filled += sum(map(bool, row))
            _check_size(rows, n_filled)
    except csv.Error as error:
        raise _UnreadableTable(f"this is not valid CSV: {error}", len(rows) + 1) from None
    return rows


def _read_xlsx(content: bytes, wanted: str | None) -> tuple[str, list[list[str]]]:
    """The name of a sheet and its cells; formulas are texts."""
    import warnings
    from zipfile import ZipFile

    from openpyxl import load_workbook

    try:
        with ZipFile(io.BytesIO(content)) as parts:
            texts = [part for part in parts.infolist() if not _is_picture(part)]
        if sum(part.file_size for part in texts) > MAX_UNPACKED:
            raise _UnreadableTable(
                f"the file holds more than {MAX_UNPACKED:,} bytes when unpacked; save the sheet of"
                " cards in a file of its own"
            )
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # it warns of decoration that it does not know
            book = load_workbook(io.BytesIO(content), read_only=True, keep_links=False)
            sheets = {sheet.title: sheet for sheet in book.worksheets}
            if wanted is not None and wanted not in sheets:
                allowed = tuple(sheets)
                guess = nearest(wanted, allowed)
                raise _UnreadableTable(
                    f"there is no sheet {shown(wanted)}",
                    found=wanted,
                    allowed=allowed,
                    nearest=guess,
                )
            sheet = sheets[wanted] if wanted is not None else book.worksheets[0]
            sheet.reset_dimensions()  # what a file says of its size need not be true
            rows: list[list[str]] = []
            n_filled = 0
            for row in sheet.iter_rows(max_col=MAX_COLUMNS, values_only=True):
                rows.append([_plain_text(value) for value in row])
                n_filled += sum(map(bool, rows[-1]))
                _check_size(rows, n_filled)
    except _UnreadableTable:
        raise
    except Exception as error:  # noqa: BLE001  (a damaged file makes openpyxl raise anything)
        raise _UnreadableTable(f"this is not a sound xlsx file ({type(error).__name__})") from None
    return sheet.title, rows


def _is_picture(part: "ZipInfo") -> bool:
    """Whether a part of a workbook is a picture, which takes about as much room packed."""
    packed_well = part.file_size > MAX_PACKED * part.compress_size
    return part.filename.startswith("xl/media/") and not packed_well


def _check_size(rows: list[list[str]], n_filled: int) -> None:
    if len(rows) > MAX_ROWS:
        raise _UnreadableTable(f"there are more than {MAX_ROWS:,} rows")
    if n_filled > MAX_CELLS:
        raise _UnreadableTable(f"more than {MAX_CELLS:,} cells are filled")


def _plain_text(value: object) -> str:
    """A value of an xlsx cell as it would be typed; a text that is too long as it is."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = str(value)
    return text if len(text) > MAX_CELL else _plain_breaks(text)


def _plain_breaks(text: str) -> str:
    """A text with line breaks of one kind."""
    return text.replace("_x000D_", "").replace("\r\n", "\n").replace("\r", "\n")
