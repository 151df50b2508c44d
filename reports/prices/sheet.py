"""A price list as a sheet: the list, and a formula that prices entries with other values."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from openpyxl import Workbook
from openpyxl.styles import Font
from openpyxl.worksheet.worksheet import Worksheet

from analysis.questions.entry_designs import Coded, Formula, formula_of
from analysis.questions.price_batches import EntryDescriber, Played
from analysis.questions.price_list import Pricer
from card_data.schema.changes import said
from card_data.schema.fields import plain_words
from card_data.schema.kinds import Kind
from card_data.workbook import letters, put, sheet_title
from reports.prices.text import Nouns, headline, known_lines
from simcore.sealed import writing

_WIDE, _NARROW = 34, 14
# Empty rows of a sheet below its entries, for others.
_MORE_ROWS = 40


def list_book(tables: Mapping[str, pd.DataFrame], nouns: Nouns) -> Workbook:
    """A workbook whose first sheet is the list."""
    book = Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.title = "Price list"
    columns = ["kind", "field", "thing", "price", "price_ci_low", "price_ci_high", "n_cards"]
    told = known_lines(tables["prices"])[columns].round(2).itertuples(index=False, name=None)
    fill(sheet, [[f"{headline(tables, nouns)}."], columns, *map(list, told)], "CD", heads=2)
    return book


class Live(str):
    """A formula of a cell; every other text stays text, whatever it looks like."""

    __slots__ = ()


def fill(
    sheet: Worksheet, rows: Iterable[Sequence[Any]], wide: Iterable[str], heads: int = 1
) -> None:
    """Fill a sheet with rows; that of number ``heads`` is bold, columns ``wide`` are wider."""
    for number, row in enumerate(rows, 1):
        for column, value in enumerate(row, 1):
            if isinstance(value, Live):
                sheet.cell(number, column, str(value))
            elif value is not None:
                put(sheet, number, column, value)
    for cell in sheet[heads]:
        cell.font = Font(bold=True)
    sheet.freeze_panes = f"A{heads + 1}"
    for number in range(1, sheet.max_column + 1):
        letter = letters(number)
        sheet.column_dimensions[letter].width = _WIDE if letter in wide else _NARROW


def save(book: Workbook, path: Path) -> None:
    """Write a workbook.  Raises RunError."""
    with writing(path):
        book.save(path)


def write_entry_sheet(
    path: Path, pricer: Pricer, tables: Mapping[str, pd.DataFrame], nouns: Nouns
) -> None:
    """Write the list, and for each kind its entries with their prices and the numbers of these.

    Raises RunError when the file cannot be written.
    """
    describer = pricer.describer
    assert isinstance(describer, EntryDescriber)
    book = list_book(tables, nouns)
    kinds = {one.kind.word: one.kind for one in describer.batches.entries}
    for kind in kinds.values():
        formula = formula_of(pricer, kind)
        numbers = sheet_title(f"Formula of {plain_words(kind.plural)}")
        _entries(
            book.create_sheet(sheet_title(f"Your {plain_words(kind.plural)}")),
            describer,
            kind,
            formula,
            numbers,
        )
        _numbers(book.create_sheet(numbers), formula)
    save(book, path)


def _entries(
    sheet: Worksheet, describer: EntryDescriber, kind: Kind, formula: Formula, numbers: str
) -> None:
    """The entries of a kind, each with its values and the formula of its price."""
    fields = {one.path: one.label for one in formula.coded}
    mine = [one for one in describer.batches.entries if one.kind.word == kind.word]
    first = len(fields) + 3  # the column of the first coded value
    rows: list[Sequence[Any]] = [
        [
            plain_words(kind.word),
            *fields.values(),
            "price in points",
            *(_heading(one) for one in formula.coded),
        ]
    ]
    for number in range(len(mine) + _MORE_ROWS):
        row = number + 2
        said = _values(describer, mine[number], fields) if number < len(mine) else [None] * first
        coded = (
            _place_of(f"{letters(2 + [*fields].index(one.path))}{row}", at, one, formula, numbers)
            for at, one in enumerate(formula.coded, 2)
        )
        rows.append(
            [*said[: first - 2], _price_of(row, first, len(formula.coded), numbers), *coded]
        )
    fill(sheet, rows, "A")
    for column in range(first, first + len(formula.coded)):
        sheet.column_dimensions[letters(column)].hidden = True


def _values(describer: EntryDescriber, played: Played, fields: Iterable[str]) -> list[Any]:
    """The id of an entry and its values, in the columns of a sheet."""
    known = {one.path: said(one.value) for one in describer.batches.values(played)}
    return [played.entry.id, *(known.get(path) for path in fields)]


def _heading(one: Coded) -> str:
    return one.label if one.value is None else f"{one.label} = {said(one.value)}"


def _place_of(cell: str, at: int, one: Coded, formula: Formula, numbers: str) -> Live:
    """Where a cell's number lies in its range, or whether it has a value; an error for others."""
    sheet = f"'{numbers}'!"
    if one.value is None:
        low, high = f"{sheet}$C${at}", f"{sheet}$D${at}"
        inside = f"AND(ISNUMBER({cell}),{cell}>={low},{cell}<={high})"
        place = f"(2*{cell}-{low}-{high})/({high}-{low})"
        return Live(f'=IF({cell}="",0,IF({inside},{place},NA()))')
    same = [place for place, other in enumerate(formula.coded, 2) if other.path == one.path]
    known = f"{sheet}$B${same[0]}:$B${same[-1]}"
    has = f"IF({cell}={sheet}$B${at},1,0)"
    return Live(f'=IF({cell}="",0,IF(COUNTIF({known},{cell})=0,NA(),{has}))')


def _price_of(row: int, first: int, n: int, numbers: str) -> Live:
    """The formula of the price in a row."""
    sheet, last = f"'{numbers}'!", n + 1
    x = f"{letters(first)}{row}:{letters(first + n - 1)}{row}"
    own = f"IFERROR(VLOOKUP(A{row},{sheet}$A${last + 4}:$B$1000,2,FALSE),0)"
    linear = f"SUMPRODUCT(MMULT({x},{sheet}$E$2:$E${last}))"
    pairs = f"SUMPRODUCT(MMULT({x},{sheet}$F$2:${letters(5 + n)}${last}),{x})"
    price = f"{sheet}$B${last + 2}+{own}+{linear}+{pairs}"
    empty = f"COUNTA(A{row}:{letters(first - 2)}{row})=0"
    return Live(f'=IF({empty},"",IFERROR({price},"no price"))')


def _numbers(sheet: Worksheet, formula: Formula) -> None:
    """The numbers of which prices are sums, squares on the diagonal of the pairs."""
    rows: list[Sequence[Any]] = [
        ["", "value", "least", "most", "by itself", *map(_heading, formula.coded)]
    ]
    for one, linear, pairs in zip(formula.coded, formula.linear, formula.pairs, strict=True):
        ends = (one.low, one.high) if one.value is None else (None, None)
        value = None if one.value is None else said(one.value)
        rows.append([_heading(one), value, *ends, float(linear), *map(float, pairs)])
    rows += [[], ["any", formula.constant], [], *map(list, formula.own.items())]
    fill(sheet, rows, "A")
