"""Spreadsheets of entries: a table with one entry a row as the data of a file, and the way back.

A table is a CSV file or a sheet of an xlsx file.  Its columns are the fields of a kind.  What looks
like a formula is written so that it stays text.
"""

import csv
import io
import re
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

from attrs import define, frozen
from attrs import field as attribute

from card_data.cells import (
    MAX_BYTES,
    MAX_COLUMNS,
    MOST_ABOVE,
    SLIPS,
    SUFFIXES,
    Cells,
    Place,
    TableFault,
    exposed,
    heading_named,
    listed,
    places,
    read_cells,
    table_content,
    whole_number,
)
from card_data.faults import CardFileError, Fault, nearest, shown
from card_data.names import free_id
from card_data.schema.entry_reader import EntryReader
from card_data.schema.fields import Choice, Field, Real, Text, Whole, Words
from card_data.schema.kinds import Kind, Schema
from card_data.toml_files import printable
from card_data.toml_places import KeyPath, TomlPlaces
from card_data.workbook import letters, put, sheet_title, workbook_bytes

Cell = str | float


# ---------------------------------------------------------------- writing


def table_bytes(
    rows: Iterable[Iterable[Cell]], suffix: str, title: str, widths: Iterable[int]
) -> bytes:
    """The contents of a CSV or xlsx file, by ``suffix``; the first row has the headings."""
    if suffix.lower() not in SUFFIXES:
        raise ValueError(f"'{suffix}' is not one of {', '.join(SUFFIXES)}")
    return _csv(rows) if suffix.lower() == ".csv" else _xlsx(rows, title, widths)


def encode_entries(kind: Kind, entries: Iterable[Any], suffix: str) -> bytes:
    """The contents of a CSV or xlsx file with entries of a kind."""
    rows: list[list[Cell]] = [["id", *kind.all_fields], *(_row(kind, one) for one in entries)]
    widths = (12 if isinstance(one, Whole) else 24 for one in kind.all_fields.values())
    return table_bytes(rows, suffix, kind.plural, (24, *widths))


def _row(kind: Kind, entry: Any) -> list[Cell]:
    held = kind.held(entry)
    return [
        entry.id,
        *(
            "" if not one.required and held[name] == one.default else _cell(one, held[name])
            for name, one in kind.all_fields.items()
        ),
    ]


def _cell(field: Field, value: Any) -> Cell:
    """What a field holds, as a cell says it: in TOML where it is more than a word or number."""
    if isinstance(field, Words):
        return " ".join(value)
    if isinstance(field, Whole | Real | Text | Choice):
        found: Cell = value
        return found
    return field.write(value)


def _csv(rows: Iterable[Iterable[Cell]]) -> bytes:
    """Rows as CSV as spreadsheet programs like it."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows(map(exposed, rows))
    return out.getvalue().encode("utf-8-sig")


def _xlsx(rows: Iterable[Iterable[Cell]], title: str, widths: Iterable[int]) -> bytes:
    """Rows as the sheet of an xlsx file, every text marked as such."""
    from openpyxl import Workbook
    from openpyxl.styles import Alignment, Font

    book = Workbook()
    sheet = book.worksheets[0]
    sheet.title = sheet_title(title)
    for row_number, row in enumerate(rows, 1):
        for column, value in enumerate(row, 1):
            if value == "":
                continue
            cell = put(sheet, row_number, column, value)
            cell.alignment = Alignment(vertical="top", wrap_text=isinstance(value, str))
            if row_number == 1:
                cell.font = Font(bold=True)
    for column, width in enumerate(widths, 1):
        sheet.column_dimensions[letters(column)].width = width
    sheet.freeze_panes = "C2"
    return workbook_bytes(book)


# ---------------------------------------------------------------- reading


def read_entry_table(
    path: Path, word: str, schema: Schema, sheet: str | None = None
) -> tuple[list[Any], list[str]]:
    """The entries of a kind in a table, and notes on its reading; what they hold is told by ids.

    Raises CardFileError with everything that is wrong with the table, each fault with its cell.
    """
    return parse_entry_table(table_content(path, sheet), printable(path), word, schema, sheet)


def parse_entry_table(
    content: bytes, file: str, word: str, schema: Schema, sheet: str | None = None
) -> tuple[list[Any], list[str]]:
    """The same of the contents of a table that is called ``file``.  Raises CardFileError."""
    kind = schema.kinds[word]
    cells = read_cells(content, file, sheet, ["id", *kind.all_fields])
    table = _KindSheet(file, cells, kind)
    data = table.data()
    reader = EntryReader(file, table, schema)
    if data:
        reader.read({word: data})
    told = {(fault.line, fault.column) for fault in table.faults}
    further = [fault for fault in reader.faults if (fault.line, fault.column) not in told]
    if faults := table.faults + further:
        raise CardFileError(sorted(faults, key=lambda fault: (fault.line, fault.column)))
    return [*reader.entries.values()], table.notes


@frozen
class Columns:
    """The columns that a table can have, in the order in which they are written.

    ``thing`` is what a row is, ``things`` are several of them.  ``key`` is the column of ids, and
    one of ``needed`` has to be there.  ``numbers`` hold whole numbers, the texts of ``free`` ones
    may look like anything.  ``headings`` are all that are read.
    """

    thing: str
    things: str
    key: str
    needed: tuple[str, ...]
    names: tuple[str, ...]
    numbers: tuple[str, ...]
    free: tuple[str, ...]
    headings: tuple[str, ...]


def _rows_said(rows: list[int]) -> str:
    """Rows as a message names them: "row 4", "rows 1 and 3"."""
    if len(rows) == 2:
        return f"rows {rows[0]} and {rows[1]}"
    return f"row{'s' * (len(rows) > 1)} {listed([*map(str, rows)])}"


@define
class CellText:
    """What a cell says, and where each string that was made of it begins in the cell."""

    row: int
    column: int
    starts: list[int] = attribute(factory=list)


Texts = dict[KeyPath, CellText]


class Sheet(TomlPlaces):
    """The rows of a table as the data of a file, and the place of each of its fields.

    It stands in for the places in a TOML text: an "offset" is a row, column and character in one
    number.  ``notes`` say how a sound table was read, ``columns`` where each field stands.
    """

    def __init__(self, file: str, cells: Cells, kinds: Columns) -> None:
        super().__init__("")
        self.file = file
        self.cells = cells
        self.kinds = kinds
        self.faults: list[Fault] = []
        self.notes: list[str] = []
        self.columns: dict[str, int] = {}
        self.texts: Texts = {}
        #: Ids that are made of names, by rows; None where the table has its own.
        self.ids: dict[int, str] | None = None
        self._without_result: list[Place] = []

    def column_named(self, text: str) -> str:
        """The column that a heading names, as far as it can be one."""
        return heading_named(text)

    def nearest_column(self, name: str, allowed: tuple[str, ...]) -> str:
        """The column that was probably meant, or an empty string."""
        return nearest(name, allowed)

    def takes(self, column: int, heading: str) -> bool:  # noqa: ARG002
        """Whether a column is of another kind than fields are."""
        return False

    @property
    def further(self) -> Collection[int]:
        """Columns of another kind."""
        return ()

    def rows(self) -> tuple[int, list[int]]:
        """The row that names the columns, and those of entries; 0 where a fault was noted."""
        filled = [number for number, row in enumerate(self.cells.rows, 1) if any(row)]
        if not filled:
            self.note(0, 0, "", "the table is empty; its first row has to name the columns")
            return 0, []
        headings = self._heading_row(filled)
        if not headings:
            return 0, []
        self._read_headings(headings)
        return headings, self._rows_of_entries([row for row in filled if row > headings])

    def note(self, row: int, column: int, card_id: str, problem: str, **more: Any) -> None:
        """Notes a fault of the table itself."""
        more |= {"sheet": self.cells.title, "heading": self.heading(column)}
        self.faults.append(TableFault(self.file, row, column, card_id, "", problem, **more))

    def heading(self, column: int) -> str:
        """The field in a column; empty where it is none."""
        return next((name for name, number in self.columns.items() if number == column), "")

    def cell(self, row: int, name: str) -> str:
        """The text of a field in a row; "" where a formula gives 0 for nothing."""
        column = self.columns.get(name, 0)
        text = self.cells.text((row, column)).strip() if column else ""
        is_blank = text == "0" and name not in (*self.kinds.numbers, "name", self.kinds.key)
        return "" if is_blank and (row, column) in self.cells.formulas else text

    def _first_filled(self, column: int, above: int) -> int:
        """The first row below a row with a text in a column; 0 where there is none."""
        below = enumerate(self.cells.rows[above:], above + 1)
        return next((row for row, cells in below if cells[column - 1].strip()), 0)

    def _heading_row(self, filled: list[int]) -> int:
        """The row that names the columns; 0 where none does for certain, which is noted."""
        named = {
            row: {name for text in self.cells.rows[row - 1] if (name := self.column_named(text))}
            & {*self.kinds.headings}
            for row in filled[:MOST_ABOVE]
        }
        first, best = filled[0], max(named, key=lambda row: len(named[row]))
        if len(named[first]) > 1 or len(named[best]) < 2:
            return first
        if named[best].isdisjoint(self.kinds.needed):
            problem = f"this row names no columns, but row {best} looks as if it did"
            self.note(first, 0, "", f"{problem}; delete what is above it")
            return 0
        above = [row for row in filled if row < best]
        left_out = f"{_rows_said(above)} above it {'are' if above[1:] else 'is'} left out"
        self.notes.append(f"row {best} names the columns; {left_out}")
        return best

    def _read_headings(self, row: int) -> None:
        for column, text in enumerate(self.cells.rows[row - 1], 1):
            name = self.column_named(text)
            if self.takes(column, text):
                continue
            if name in self.columns:
                self.note(row, column, "", f"there are two columns '{name}'", found=text)
            elif name in self.kinds.headings:
                self.columns[name] = column
            elif name and not name.startswith("#"):
                allowed = tuple(name for name in self.kinds.names if name not in self.columns)
                guess = self.nearest_column(name, allowed)
                more = {"found": text, "allowed": allowed, "nearest": guess}
                problem = f"{shown(text)} is not a column of {self.kinds.things}"
                self.note(row, column, "", f"{problem}; a column of notes begins with #", **more)
            elif not name and (filled := self._first_filled(column, row)):
                self.note(
                    row, column, "", f"the column has no heading, but row {filled} has a text there"
                )
        if self.columns.keys().isdisjoint(self.kinds.needed):
            needed = " or ".join(f"'{name}'" for name in self.kinds.needed)
            self.note(row, 0, "", f"there is no column {needed}")

    def _rows_of_entries(self, rows: list[int]) -> list[int]:
        """The rows below the headings that are cards, and not notes or sums of the others."""
        if not any(self.cell(row, self.kinds.key) for row in rows):
            self.ids = {}
        cards = [row for row in rows if not self._is_note(row)]
        left_out: list[int] = []
        while cards[1:] and self._is_left_over(cards[-1]):
            left_out.insert(0, cards.pop())
        if left_out:
            are, they = ("are", "they hold") if left_out[1:] else ("is", "it holds")
            said = f"{_rows_said(left_out)}, below the last {self.kinds.thing}, {are} left out"
            self.notes.append(f"{said}: {they} formulas or numbers, and no {self.kinds.thing}")
        if self.ids is not None and "name" in self.columns:
            self._make_ids(cards)
        return cards

    @property
    def key_column(self) -> str:
        """The column that tells one card from another."""
        return self.kinds.key if self.ids is None else "name"

    def _is_note(self, row: int) -> bool:
        """Whether a row is none of a card; an error of a formula begins with # as well."""
        key = self.cell(row, self.key_column)
        at = row, self.columns.get(self.key_column, 0)
        return key.startswith("#") and self._slip(self.key_column, at) != "error"

    def _is_left_over(self, row: int) -> bool:
        """Whether a row below the last card holds what was worked out, and no card."""
        columns = [*self.columns.values(), *self.further]
        filled = [(row, at) for at in columns if self.cells.text((row, at)).strip()]
        named = {self.columns.get(name, 0) for name in (self.kinds.key, *self.kinds.free)}
        rest = [at for at in filled if at[1] not in named]
        if not all(map(self.cells.is_number_or_formula, rest)):
            return False
        if any(map(self.cells.sums_up, rest)):
            return True
        is_empty = all(at in self.cells.formulas and self.cells.text(at) == "0" for at in filled)
        in_id = row, self.columns.get(self.kinds.key, 0)
        has_id = self.cell(row, self.kinds.key) and in_id not in self.cells.formulas
        return is_empty or not (has_id or self.cell(row, "name"))

    def _make_ids(self, rows: list[int]) -> None:
        """Ids for the cards of a table that has none; one name gives one id."""
        ids: dict[str, str] = {}
        self.ids = {}
        for row in rows:
            if name := self.cell(row, "name"):
                if name.casefold() not in ids:
                    ids[name.casefold()] = free_id(name, ids.values(), self.kinds.thing)
                self.ids[row] = ids[name.casefold()]
        made = listed([*ids.values()])
        thing = self.kinds.thing
        self.notes.append(f"there are no {thing} ids; they are made of the names: {made}")

    def _slip(self, name: str, at: Place) -> str:
        """What a cell of a column holds that is not what was typed; a name may look like it."""
        looks: tuple[str, ...] = ("date", "error", "formula")
        if name in self.kinds.free:
            looks = ()
        if name in self.kinds.numbers:
            looks = (*looks, "decimal comma")
        return self.cells.slip(at, looks)

    def slipped(self, card_id: str, name: str, at: Place, text: str) -> bool:
        """Whether a cell holds something that is not what was typed; it is noted."""
        kind = self._slip(name, at)
        if kind == "formula":
            self._without_result.append(at)
        elif kind:
            self.note(*at, card_id, SLIPS[kind].format(shown(text)))
        return bool(kind)

    def note_formulas(self, rows: list[int]) -> None:
        """Notes which formulas were read by their results, and those that have none."""
        if without := sorted(self._without_result):
            count, s = (len(without), "s") if without[1:] else ("", "")
            lacks = f"the file has no result{s} for its {count} formula{s}".replace("  ", " ")
            its = "their places" if s else "its place"
            advice = f"save it again in a spreadsheet program, or write the value{s} in {its}"
            self.note(*without[0], "", f"{lacks} ({places(without)}); {advice}")
        columns = {*self.columns.values(), *self.further}
        read = [at for at in self.cells.formulas if at[0] in rows and at[1] in columns]
        if read:
            many, s = (f"{len(read)} formulas are", "s") if read[1:] else ("a formula is", "")
            said = f"{many} read by the result{s} that the file has: {places(sorted(read))}"
            self.notes.append(said)

    # The places, as readers ask for them.

    def place(self, offset: int) -> tuple[int, int, int]:
        """Row, column and character."""
        rest, character = divmod(offset, MAX_BYTES)
        return *divmod(rest, MAX_COLUMNS + 1), character

    def key(self, path: KeyPath) -> int:
        """The cell of a field; where there is none, the place for it, or the cell of the card."""
        text = self.texts.get(path)
        if text is None and path[:-1] in self.texts:
            card = self.texts[path[:-1]]
            text = CellText(card.row, self.columns.get(path[-1], card.column))
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
        text = self.texts.get(path)
        if text is None or index >= len(text.starts):
            return self.key(path)
        return self._offset(text) + text.starts[index] + offset + 1

    def word(self, path: KeyPath, word: str, item: int = -1) -> int:
        """The cell of a field, or an item of a list in it."""
        return self.key(path) if item < 0 else self.in_string(path, item, word, 0)

    def _offset(self, text: CellText) -> int:
        return (text.row * (MAX_COLUMNS + 1) + text.column) * MAX_BYTES

    def fault(self, at: int, file: str, header: str, key: str, problem: str, **more: Any) -> Fault:
        """A fault at a character of a cell."""
        row, column, character = self.place(at)
        more |= {"sheet": self.cells.title, "heading": self.heading(column), "character": character}
        return TableFault(file, row, column, header, key, problem, **more)


class _KindSheet(Sheet):
    """A table with entries of one kind."""

    def __init__(self, file: str, cells: Cells, kind: Kind) -> None:
        fields = kind.all_fields
        names = ("id", *fields)
        numbers = tuple(name for name, one in fields.items() if isinstance(one, Whole))
        free = tuple(name for name, one in fields.items() if isinstance(one, Text))
        words = (kind.word.replace("_", " "), kind.plural.replace("_", " "))
        super().__init__(file, cells, Columns(*words, "id", names[:2], names, numbers, free, names))
        self._kind = kind

    def data(self) -> dict[str, dict[str, Any]]:
        """The fields of each entry by its id, without what is faulty about the table itself."""
        headings, rows = self.rows()
        found: dict[str, dict[str, Any]] = {}
        for row in rows:
            said = self.cell(row, self.key_column)
            entry_id = said if self.ids is None else self.ids.get(row, "")
            column = self.columns.get(self.key_column, 0)
            if not entry_id:
                self.note(row, column, "", f"the field '{self.key_column}' is missing")
            elif entry_id in found:
                above = self.texts[self._kind.word, entry_id].row
                self.note(row, column, "", f"{shown(said)} stands in row {above} already")
            else:
                self.texts[self._kind.word, entry_id] = CellText(row, column)
                found[entry_id] = self._fields(row, entry_id)
        self.note_formulas(rows)
        if headings and not found and not self.faults:
            problem = f"there are no {self._kind.plural} below the row that names the columns"
            self.note(headings, 0, "", problem)
        return found

    def _fields(self, row: int, entry_id: str) -> dict[str, Any]:
        """What a file would say for a row; what is not what was typed is noted and left out."""
        found: dict[str, Any] = {}
        for name, field in self._kind.all_fields.items():
            text, at = self.cell(row, name), (row, self.columns.get(name, 0))
            if not text or self.slipped(entry_id, name, at, text):
                continue
            cell = self.texts[self._kind.word, entry_id, name] = CellText(*at)
            if isinstance(field, Words):
                words = list(re.finditer(r"[^\s,;]+", text))
                lead = max(self.cells.text(at).find(text), 0)
                cell.starts = [lead + word.start() for word in words]
                found[name] = [word[0] for word in words]
            elif isinstance(field, Whole):
                number = whole_number(text)
                found[name] = text if number is None else number
            else:
                found[name] = field.spelled(text)
        return found
