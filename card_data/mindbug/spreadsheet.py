"""Spreadsheets of cards: a set as a table with one card a row, and such a table as a set.

A table is a CSV file or a sheet of an xlsx file.  Its columns are the fields of a card file; the
cells of abilities hold lines of the card language.  What looks like a formula is written so that it
stays text.
"""

import os
import re
from collections.abc import Callable, Collection, Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any

from card_data.cells import Cells, heading_named, read_cells, table_content, whole_number
from card_data.faults import CardFileError, shown
from card_data.mindbug.card_fields import CARD_FIELDS, MAX_CONSTANTS, CardLines
from card_data.mindbug.card_reader import CardReader
from card_data.mindbug.language.foreign_wordings import nearest_field
from card_data.mindbug.language.rules_box import keyword_named
from card_data.mindbug.schema import MAX_CARDS, CardSet
from card_data.mindbug.vocabulary import Keyword
from card_data.schema.fields import Whole
from card_data.schema.sheet import Cell, CellText, Columns, Sheet, Texts, table_bytes
from card_data.toml_files import MAX_LINE, printable

#: The columns that hold no lines of the card language, beside the name of the set.
FACTS = ("card_id", "name", "power", "keywords", "copies", "dice", "evolves_to", "cost")
_NUMBERS = tuple(name for name, field in CARD_FIELDS.items() if isinstance(field, Whole))
#: Abilities of which there can be several, one on each line of the cell.
_LISTS = tuple(name for name, field in CARD_FIELDS.items() if isinstance(field, CardLines))

#: The columns of a table in the order in which they are written; abilities are written one by one.
COLUMNS = (*FACTS, *(name for name in CARD_FIELDS if name not in (*FACTS, "text")), "set")
_HEADINGS = (*COLUMNS, "text")
_KINDS = Columns(
    *("card", "cards", "card_id"),
    needed=("name",),
    names=COLUMNS,
    numbers=_NUMBERS,
    free=("name", "set"),
    headings=_HEADINGS,
)
#: What the column of whole rules boxes is called, and what a column of a keyword may hold.
_BOX = ("text", "ability", "abilities", "rules", "rules_text", "card_text", "rules_box")
_YES = ("true", "yes", "x", "1", "1.0", "y", "\u2713", "\u2714")
_NO = ("false", "no", "0", "0.0", "n", "-", "")

#: Characters in a cell.
MAX_CELL = MAX_CONSTANTS * MAX_LINE


# ---------------------------------------------------------------- writing


def encode_table(card_set: CardSet, suffix: str) -> bytes:
    """The contents of a CSV or xlsx file, by ``suffix``, with the cards of a set."""
    rows = [COLUMNS, *_rows(card_set)]
    widths = (12 if one in _NUMBERS else 24 if one in (*FACTS, "set") else 44 for one in COLUMNS)
    return table_bytes(rows, suffix, card_set.set_id, widths)


def _rows(card_set: CardSet) -> Iterator[list[Cell]]:
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
    content = table_content(path, sheet)
    return parse_table(content, printable(path), set_id=set_id, sheet=sheet, tell=tell)


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
    stem = Path(file).stem
    table = _Table(file, read_cells(content, file, sheet, _HEADINGS))
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


_Fields = dict[str, Any]


class _Table(Sheet):
    """The rows of a table as the data of a card file, and the place of each of its fields.

    It stands in for the places in a TOML text: an "offset" is a row, column and character in one
    number.  ``notes`` say how a sound table was read; ``repeated`` are rows whose card another row
    has already, with their places.
    """

    def __init__(self, file: str, cells: Cells) -> None:
        super().__init__(file, cells, _KINDS)
        self.repeated: list[tuple[str, _Fields, Texts]] = []
        self._keywords: dict[int, Keyword] = {}
        self._copies: dict[str, list[tuple[int, int]]] = {}

    def column_named(self, text: str) -> str:
        """The column that a heading names, as far as it can be one."""
        name = heading_named(text)
        return "text" if name in _BOX else name

    def nearest_column(self, name: str, allowed: tuple[str, ...]) -> str:
        """The column that was probably meant, also where it is called otherwise elsewhere."""
        return nearest_field(name, allowed)

    def takes(self, column: int, heading: str) -> bool:
        """Whether a column is that of a keyword."""
        keyword = keyword_named(heading)
        if keyword is not None:
            self._keywords[column] = keyword
        return keyword is not None

    @property
    def further(self) -> Collection[int]:
        """The columns of keywords."""
        return self._keywords

    def data(self, stem: str) -> dict[str, Any]:
        """The table as the data of a card file, without what is faulty about the table itself."""
        headings, rows = self.rows()
        if not headings:
            return {}
        cards: dict[str, _Fields] = {}
        for number in rows:
            self._read_row(number, cards)
            if len(cards) > MAX_CARDS:
                problem = f"there are more than {MAX_CARDS:,} cards; that is the most of a file"
                self.note(number, 0, "", problem)
                return {}
        name = self._set_name(rows, stem)
        self._note_copies()
        self.note_formulas(rows)
        if not cards and not self.faults:
            self.note(headings, 0, "", "there are no cards below the row that names the columns")
        return {"name": name, **cards}

    def turn_to(self, texts: Texts) -> None:
        """From now on the places of a card are those of another row that has it."""
        self.texts = self.texts | texts

    def _read_row(self, row: int, cards: dict[str, _Fields]) -> None:
        """Adds the card of a row to ``cards``, or to the rows that are checked beside them."""
        column = self.columns.get(self.key_column, 0)
        if not column or not any(self.cell(row, name) for name in self.columns):
            return
        key = self.cell(row, self.key_column)
        card_id = key if self.ids is None else self.ids.get(row, "")
        nobody = f"row_{row}"  # so that the rest of the row is checked as well
        if not key:
            self.note(row, column, "", f"the field '{self.key_column}' is missing")
            if not self.cell(row, "name"):
                return
            card_id = nobody
        elif self.key_column == "card_id" and self.slipped("", self.key_column, (row, column), key):
            card_id = nobody
        elif card_id == "name":  # in a card file, this is the name of the set
            self.note(row, column, "", "'name' cannot be a card id", found=card_id)
            card_id = nobody
        texts: Texts = {(card_id,): CellText(row, column)}
        fields = self._fields(card_id, row, texts)
        if card_id not in cards:
            cards[card_id] = fields
            self.texts |= texts
            return
        first, above = cards[card_id], self.texts[card_id,].row
        if _says_nothing_new(fields, first):
            self._copies.setdefault(card_id, [(above, _n_copies(first))])
            self._copies[card_id].append((row, _n_copies(fields)))
            return
        problem = f"{shown(key)} stands in row {above} already"
        if first.get("name") == fields.get("name"):
            problem += "; more copies of a card are a number in its column 'copies'"
        self.note(row, column, "", problem)
        self.repeated.append((card_id, fields, texts))

    def _fields(self, card_id: str, row: int, texts: Texts) -> _Fields:
        """What a card file would say for a row; the places of its strings go into ``texts``."""
        cells = {name: self.cell(row, name) for name in self.columns}
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
            elif cell not in _NO and not self.slipped(card_id, "", (row, column), cell):
                problem = f"the column of {keyword.name} holds TRUE or FALSE"
                self.note(row, column, card_id, problem, found=cell)
        said = set(map(keyword_named, re.findall(r"[^\s,;]+", self.cell(row, "keywords"))))
        return [name for name in dict.fromkeys(given) if Keyword[name] not in said]

    def _value(self, card_id: str, name: str, row: int, text: str, texts: Texts) -> object:
        """What a card file would say for a cell; the places of its strings go into ``texts``.

        None for what is left out: a text that is too long or not what was typed, which is noted.
        """
        column = self.columns.get(name, next(iter(self._keywords), 0))
        if len(text) > MAX_CELL:
            problem = f"the cell has {len(text):,} characters; {MAX_CELL:,} are the most"
            self.note(row, column, card_id, problem)
            return None
        lead = max(self.cells.text((row, column)).find(text), 0)
        found = texts[card_id, name] = CellText(row, column, [lead])
        if name in self.columns and self.slipped(card_id, name, (row, column), text):
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
                said = self.cell(row, self.key_column) or card_id
                self.note(
                    row,
                    self.columns[self.key_column],
                    "",
                    f"{shown(said)} stands in row {above} already; for {total} copies of one card "
                    f"keep row {above} alone, with {total} in the column 'copies'",
                )

    def _set_name(self, rows: list[int], stem: str) -> str:
        """The name of the set, which every row repeats or leaves out."""
        column, name = self.columns.get("set", 0), ""
        for row in rows:
            text = self.cell(row, "set")
            if not name and text:
                name = text
                self.texts["name",] = CellText(row, column)
                self.slipped("", "set", (row, column), text)
            elif text and text != name:
                problem = f"a table holds one set; {shown(name)} stands above"
                self.note(row, column, "", problem, found=text)
        return name or stem.replace("_", " ").strip().title()


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
    """Reads the cards of a table."""

    def __init__(self, table: _Table) -> None:
        super().__init__(table.file, table, {})
        self.table = table

    def check_repeated(self) -> None:
        """Notes what else is wrong with rows whose card another row has."""
        for card_id, fields, texts in self.table.repeated:
            self.table.turn_to(texts)
            self.entry(card_id, fields)
