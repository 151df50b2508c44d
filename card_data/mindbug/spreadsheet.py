"""Spreadsheets of cards: a set as a table with one card a row, and such a table as a set.

A table is a CSV file or a sheet of an xlsx file.  Its columns are the fields of a card file; the
cells of abilities hold lines of the card language.  What looks like a formula is written so that it
stays text.
"""

import csv
import io
import os
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

from attrs import define, field

from card_data.cells import (
    MAX_BYTES,
    MAX_COLUMNS,
    MOST_ABOVE,
    SLIPS,
    SUFFIXES,
    Cells,
    Place,
    TableFault,
    UnreadableTable,
    exposed,
    heading_named,
    listed,
    places,
    read_cells,
    table_content,
    whole_number,
)
from card_data.faults import CardFileError, Fault, shown
from card_data.mindbug.card_fields import CARD_FIELDS, MAX_CONSTANTS, CardLines
from card_data.mindbug.card_reader import CardReader
from card_data.mindbug.language.foreign_wordings import nearest_field
from card_data.mindbug.language.rules_box import keyword_named
from card_data.mindbug.schema import MAX_CARDS, CardSet
from card_data.mindbug.vocabulary import Keyword
from card_data.names import MAX_NAME
from card_data.schema.fields import Whole
from card_data.toml_files import MAX_LINE
from card_data.toml_places import KeyPath, TomlPlaces
from card_data.workbook import letters, put, sheet_title, workbook_bytes

#: The columns that hold no lines of the card language, beside the name of the set.
FACTS = ("card_id", "name", "power", "keywords", "copies", "dice", "evolves_to", "cost")
_NUMBERS = tuple(name for name, field in CARD_FIELDS.items() if isinstance(field, Whole))
#: Abilities of which there can be several, one on each line of the cell.
_LISTS = tuple(name for name, field in CARD_FIELDS.items() if isinstance(field, CardLines))

#: The columns of a table in the order in which they are written; abilities are written one by one.
COLUMNS = (*FACTS, *(name for name in CARD_FIELDS if name not in (*FACTS, "text")), "set")
_HEADINGS = (*COLUMNS, "text")
#: Columns whose texts may look like anything.
_FREE = ("name", "set")
#: What the column of whole rules boxes is called, and what a column of a keyword may hold.
_BOX = ("text", "ability", "abilities", "rules", "rules_text", "card_text", "rules_box")
_YES = ("true", "yes", "x", "1", "1.0", "y", "\u2713", "\u2714")
_NO = ("false", "no", "0", "0.0", "n", "-", "")

#: Characters in a cell.
MAX_CELL = MAX_CONSTANTS * MAX_LINE

_Cell = str | int


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
    """Rows as CSV as spreadsheet programs like it."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows(map(exposed, rows))
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
    path: str | os.PathLike[str],
    *,
    set_id: str | None = None,
    sheet: str | None = None,
    tell: Callable[[str], object] | None = None,
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
    tell
        Called with each note on how a sound table was read.

    Raises
    ------
    CardFileError
        With everything that is wrong with the table, each fault with its row and column.
    """
    path = Path(path)
    file = str(path).encode(errors="replace").decode()
    try:
        content = table_content(path, sheet)
    except UnreadableTable as error:
        raise CardFileError([error.fault(file)]) from None
    return parse_table(content, file, set_id=set_id, sheet=sheet, tell=tell)


def parse_table(
    content: bytes,
    file: str,
    *,
    set_id: str | None = None,
    sheet: str | None = None,
    tell: Callable[[str], object] | None = None,
) -> CardSet:
    """The checked cards in the contents of a table that is called ``file``; see `read_table`.

    Raises CardFileError.
    """
    stem, suffix = Path(file).stem, Path(file).suffix
    try:
        cells = read_cells(content, suffix, sheet, _HEADINGS)
    except UnreadableTable as error:
        raise CardFileError([error.fault(file)]) from None
    table = _Table(file, cells)
    data = table.data(stem)
    if len(data) < 2:  # no card beside the name of the set
        raise CardFileError(table.faults)
    reader = _RowReader(table)
    card_set = reader.card_set(stem if set_id is None else set_id, data)
    reader.check_repeated()
    if faults := table.faults + reader.faults:
        raise CardFileError(sorted(faults, key=lambda fault: (fault.line, fault.column)))
    if tell:
        for note in table.notes:
            tell(f"{file}: {note}")
    return card_set


def _column_named(text: str) -> str:
    """The column that a heading names, as far as it can be one."""
    name = heading_named(text)
    return "text" if name in _BOX else name


def _rows_said(rows: list[int]) -> str:
    """Rows as a message names them: "row 4", "rows 1 and 3"."""
    if len(rows) == 2:
        return f"rows {rows[0]} and {rows[1]}"
    return f"row{'s' * (len(rows) > 1)} {listed([*map(str, rows)])}"


def _id_of(name: str, taken: Iterable[str]) -> str:
    """An id made of a name, and of none that is taken."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    words = re.sub(r"[^a-z0-9]+", "_", plain).strip("_")
    first = words if words[:1].isalpha() and words != "name" else f"card_{words}".strip("_")
    endings = ("", *(f"_{number}" for number in range(2, MAX_CARDS + 3)))
    ids = (first[: MAX_NAME - len(ending)].strip("_") + ending for ending in endings)
    return next(one for one in ids if one not in taken)


@define
class _Text:
    """What a cell says, and where each string that was made of it begins in the cell."""

    row: int
    column: int
    starts: list[int] = field(factory=list)


_Fields = dict[str, Any]
_Texts = dict[KeyPath, _Text]


class _Table(TomlPlaces):
    """The rows of a table as the data of a card file, and the place of each of its fields.

    It stands in for the places in a TOML text: an "offset" is a row, column and character in one
    number.  ``notes`` say how a sound table was read; ``repeated`` are rows whose card another row
    has already, with their places.
    """

    def __init__(self, file: str, cells: Cells) -> None:
        super().__init__("")
        self.file = file
        self.cells = cells
        self.faults: list[Fault] = []
        self.notes: list[str] = []
        self.repeated: list[tuple[str, _Fields, _Texts]] = []
        self._columns: dict[str, int] = {}
        self._keywords: dict[int, Keyword] = {}
        self._texts: _Texts = {}
        self._ids: dict[int, str] | None = None
        self._copies: dict[str, list[tuple[int, int]]] = {}
        self._without_result: list[Place] = []

    def data(self, stem: str) -> dict[str, Any]:
        """The table as the data of a card file, without what is faulty about the table itself."""
        filled = [number for number, row in enumerate(self.cells.rows, 1) if any(row)]
        if not filled:
            self.note(0, 0, "", "the table is empty; its first row has to name the columns")
            return {}
        headings = self._heading_row(filled)
        if not headings:
            return {}
        self._read_headings(headings)
        rows = self._rows_of_cards([row for row in filled if row > headings])
        cards: dict[str, _Fields] = {}
        for number in rows:
            self._read_row(number, cards)
            if len(cards) > MAX_CARDS:
                problem = f"there are more than {MAX_CARDS:,} cards; that is the most of a file"
                self.note(number, 0, "", problem)
                return {}
        name = self._set_name(rows, stem)
        self._note_copies()
        self._note_formulas(rows)
        if not cards and not self.faults:
            self.note(headings, 0, "", "there are no cards below the row that names the columns")
        return {"name": name, **cards}

    def note(self, row: int, column: int, card_id: str, problem: str, **more: Any) -> None:
        """Notes a fault of the table itself."""
        more |= {"sheet": self.cells.title, "heading": self.heading(column)}
        self.faults.append(TableFault(self.file, row, column, card_id, "", problem, **more))

    def heading(self, column: int) -> str:
        """The field in a column; empty where it is none."""
        return next((name for name, number in self._columns.items() if number == column), "")

    def turn_to(self, texts: _Texts) -> None:
        """From now on the places of a card are those of another row that has it."""
        self._texts = self._texts | texts

    def _cell(self, row: int, name: str) -> str:
        column = self._columns.get(name, 0)
        text = self.cells.text((row, column)).strip() if column else ""
        is_blank = text == "0" and name not in (*_NUMBERS, "name", "card_id")
        return "" if is_blank and (row, column) in self.cells.formulas else text

    def _first_filled(self, column: int, above: int) -> int:
        """The first row below a row with a text in a column; 0 where there is none."""
        below = enumerate(self.cells.rows[above:], above + 1)
        return next((row for row, cells in below if cells[column - 1].strip()), 0)

    def _heading_row(self, filled: list[int]) -> int:
        """The row that names the columns; 0 where none does for certain, which is noted."""
        named = {
            row: {name for text in self.cells.rows[row - 1] if (name := _column_named(text))}
            & {*_HEADINGS}
            for row in filled[:MOST_ABOVE]
        }
        first, best = filled[0], max(named, key=lambda row: len(named[row]))
        if len(named[first]) > 1 or len(named[best]) < 2:
            return first
        if "name" not in named[best]:
            problem = f"this row names no columns, but row {best} looks as if it did"
            self.note(first, 0, "", f"{problem}; delete what is above it")
            return 0
        above = [row for row in filled if row < best]
        left_out = f"{_rows_said(above)} above it {'are' if above[1:] else 'is'} left out"
        self.notes.append(f"row {best} names the columns; {left_out}")
        return best

    def _read_headings(self, row: int) -> None:
        for column, text in enumerate(self.cells.rows[row - 1], 1):
            name = _column_named(text)
            if (keyword := keyword_named(text)) is not None:
                self._keywords[column] = keyword
                continue
            if name in self._columns:
                self.note(row, column, "", f"there are two columns '{name}'", found=text)
            elif name in _HEADINGS:
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
        if "name" not in self._columns:
            self.note(row, 0, "", "there is no column 'name'")

    def _rows_of_cards(self, rows: list[int]) -> list[int]:
        """The rows below the headings that are cards, and not notes or sums of the others."""
        if not any(self._cell(row, "card_id") for row in rows):
            self._ids = {}
        cards = [row for row in rows if not self._is_note(row)]
        left_out: list[int] = []
        while cards[1:] and self._is_left_over(cards[-1]):
            left_out.insert(0, cards.pop())
        if left_out:
            are, they = ("are", "they hold") if left_out[1:] else ("is", "it holds")
            said = f"{_rows_said(left_out)}, below the last card, {are} left out"
            self.notes.append(f"{said}: {they} formulas or numbers, and no card")
        if self._ids is not None and "name" in self._columns:
            self._make_ids(cards)
        return cards

    @property
    def _key(self) -> str:
        """The column that tells one card from another."""
        return "card_id" if self._ids is None else "name"

    def _is_note(self, row: int) -> bool:
        """Whether a row is none of a card; an error of a formula begins with # as well."""
        key = self._cell(row, self._key)
        at = row, self._columns.get(self._key, 0)
        return key.startswith("#") and self._slip(self._key, at) != "error"

    def _is_left_over(self, row: int) -> bool:
        """Whether a row below the last card holds what was worked out, and no card."""
        columns = [*self._columns.values(), *self._keywords]
        filled = [(row, at) for at in columns if self.cells.text((row, at)).strip()]
        named = {self._columns.get(name, 0) for name in ("card_id", "name", "set")}
        rest = [at for at in filled if at[1] not in named]
        if not all(map(self.cells.is_number_or_formula, rest)):
            return False
        if any(map(self.cells.sums_up, rest)):
            return True
        is_empty = all(at in self.cells.formulas and self.cells.text(at) == "0" for at in filled)
        in_id = row, self._columns.get("card_id", 0)
        has_id = self._cell(row, "card_id") and in_id not in self.cells.formulas
        return is_empty or not (has_id or self._cell(row, "name"))

    def _make_ids(self, rows: list[int]) -> None:
        """Ids for the cards of a table that has none; one name gives one id."""
        ids: dict[str, str] = {}
        self._ids = {}
        for row in rows:
            if name := self._cell(row, "name"):
                if name.casefold() not in ids:
                    ids[name.casefold()] = _id_of(name, ids.values())
                self._ids[row] = ids[name.casefold()]
        made = listed([*ids.values()])
        self.notes.append(f"there are no card ids; they are made of the names: {made}")

    def _slip(self, name: str, at: Place) -> str:
        """What a cell of a column holds that is not what was typed; a name may look like it."""
        looks = () if name in _FREE else ("date", "error", "formula")
        return self.cells.slip(at, (*looks, "decimal comma") if name in _NUMBERS else looks)

    def _read_row(self, row: int, cards: dict[str, _Fields]) -> None:
        """Adds the card of a row to ``cards``, or to the rows that are checked beside them."""
        column = self._columns.get(self._key, 0)
        if not column or not any(self._cell(row, name) for name in self._columns):
            return
        key = self._cell(row, self._key)
        card_id = key if self._ids is None else self._ids.get(row, "")
        nobody = f"row_{row}"  # so that the rest of the row is checked as well
        if not key:
            self.note(row, column, "", f"the field '{self._key}' is missing")
            if not self._cell(row, "name"):
                return
            card_id = nobody
        elif self._key == "card_id" and self._slipped("", self._key, (row, column), key):
            card_id = nobody
        elif card_id == "name":  # in a card file, this is the name of the set
            self.note(row, column, "", "'name' cannot be a card id", found=card_id)
            card_id = nobody
        texts: _Texts = {(card_id,): _Text(row, column)}
        fields = self._fields(card_id, row, texts)
        if card_id not in cards:
            cards[card_id] = fields
            self._texts |= texts
            return
        first, above = cards[card_id], self._texts[card_id,].row
        if _says_nothing_new(fields, first):
            self._copies.setdefault(card_id, [(above, _n_copies(first))])
            self._copies[card_id].append((row, _n_copies(fields)))
            return
        problem = f"{shown(key)} stands in row {above} already"
        if first.get("name") == fields.get("name"):
            problem += "; more copies of a card are a number in its column 'copies'"
        self.note(row, column, "", problem)
        self.repeated.append((card_id, fields, texts))

    def _fields(self, card_id: str, row: int, texts: _Texts) -> _Fields:
        """What a card file would say for a row; the places of its strings go into ``texts``."""
        cells = {name: self._cell(row, name) for name in self._columns}
        if given := self._given(card_id, row):
            cells["keywords"] = " ".join(filter(None, [cells.get("keywords", ""), *given]))
        values = {
            name: self._value(card_id, name, row, text, texts)
            for name, text in cells.items()
            if text and name not in ("card_id", "set")
        }
        return {name: value for name, value in values.items() if value is not None}

    def _given(self, card_id: str, row: int) -> list[str]:
        """The keywords that a card has by a column for each of them."""
        given = []
        for column, keyword in self._keywords.items():
            cell = self.cells.text((row, column)).strip().casefold()
            if cell in _YES:
                given.append(keyword.name)
            elif cell not in _NO and not self._slipped(card_id, "", (row, column), cell):
                problem = f"the column of {keyword.name} holds TRUE or FALSE"
                self.note(row, column, card_id, problem, found=cell)
        said = set(map(keyword_named, re.findall(r"[^\s,;]+", self._cell(row, "keywords"))))
        return [name for name in dict.fromkeys(given) if Keyword[name] not in said]

    def _slipped(self, card_id: str, name: str, at: Place, text: str) -> bool:
        """Whether a cell holds something that is not what was typed; it is noted."""
        kind = self._slip(name, at)
        if kind == "formula":
            self._without_result.append(at)
        elif kind:
            self.note(*at, card_id, SLIPS[kind].format(shown(text)))
        return bool(kind)

    def _value(self, card_id: str, name: str, row: int, text: str, texts: _Texts) -> object:
        """What a card file would say for a cell; the places of its strings go into ``texts``.

        None for what is left out: a text that is too long or not what was typed, which is noted.
        """
        column = self._columns.get(name, next(iter(self._keywords), 0))
        if len(text) > MAX_CELL:
            problem = f"the cell has {len(text):,} characters; {MAX_CELL:,} are the most"
            self.note(row, column, card_id, problem)
            return None
        lead = max(self.cells.text((row, column)).find(text), 0)
        found = texts[card_id, name] = _Text(row, column, [lead])
        if name in self._columns and self._slipped(card_id, name, (row, column), text):
            return 1 if name in _NUMBERS else text if name == "name" else None
        if name in _NUMBERS:
            number = whole_number(text)
            return text if number is None else number
        if name == "keywords":
            words = list(re.finditer(r"[^\s,;]+", text))
            found.starts = [lead + word.start() for word in words]
            return [word[0] for word in words]
        if name in _LISTS:
            lines = text.split("\n")
            starts = accumulate((len(line) + 1 for line in lines[:-1]), initial=lead)
            kept = [
                (line, start) for line, start in zip(lines, starts, strict=True) if line.strip()
            ]
            found.starts = [start for _, start in kept]
            return text if len(kept) == 1 else [line for line, _ in kept]
        return text

    def _note_copies(self) -> None:
        """Notes every row that is a second copy of the card of another."""
        for card_id, rows in self._copies.items():
            total, (above, _) = sum(number for _, number in rows), rows[0]
            for row, _ in rows[1:]:
                said = self._cell(row, self._key) or card_id
                self.note(
                    row,
                    self._columns[self._key],
                    "",
                    f"{shown(said)} stands in row {above} already; for {total} copies of one card "
                    f"keep row {above} alone, with {total} in the column 'copies'",
                )

    def _note_formulas(self, rows: list[int]) -> None:
        """Notes which formulas were read by their results, and those that have none."""
        if without := sorted(self._without_result):
            count, s = (len(without), "s") if without[1:] else ("", "")
            lacks = f"the file has no result{s} for its {count} formula{s}".replace("  ", " ")
            its = "their places" if s else "its place"
            advice = f"save it again in a spreadsheet program, or write the value{s} in {its}"
            self.note(*without[0], "", f"{lacks} ({places(without)}); {advice}")
        columns = {*self._columns.values(), *self._keywords}
        read = [at for at in self.cells.formulas if at[0] in rows and at[1] in columns]
        if read:
            many, s = (f"{len(read)} formulas are", "s") if read[1:] else ("a formula is", "")
            said = f"{many} read by the result{s} that the file has: {places(sorted(read))}"
            self.notes.append(said)

    def _set_name(self, rows: list[int], stem: str) -> str:
        """The name of the set, which every row repeats or leaves out."""
        column, name = self._columns.get("set", 0), ""
        for row in rows:
            text = self._cell(row, "set")
            if not name and text:
                name = text
                self._texts["name",] = _Text(row, column)
                self._slipped("", "set", (row, column), text)
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


def _says_nothing_new(fields: _Fields, first: _Fields) -> bool:
    """Whether a row says of a card what the first one says, or less."""
    same = {name: first.get(name) == value for name, value in fields.items() if name != "copies"}
    if "name" in fields:
        same["name"] = str(fields["name"]).casefold() == str(first.get("name")).casefold()
    return all(same.values())


def _n_copies(fields: _Fields) -> int:
    copies = fields.get("copies", 1)
    return copies if isinstance(copies, int) else 1


class _RowReader(CardReader):
    """Reads the cards of a table; its faults know the cell."""

    def __init__(self, table: _Table) -> None:
        super().__init__(table.file, table, {})
        self.table = table

    def check_repeated(self) -> None:
        """Notes what else is wrong with rows whose card another row has."""
        for card_id, fields, texts in self.table.repeated:
            self.table.turn_to(texts)
            self.entry(card_id, fields)

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
                sheet=self.table.cells.title,
                heading=self.table.heading(column),
                character=character,
            )
        )
