"""A price list as a sheet: the list, and a formula that prices one's own cards."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd
from openpyxl.worksheet.worksheet import Worksheet

from analysis.mindbug.experiments.price_designs import formula_of, priced_lines
from analysis.questions.price_list import ANY_NUMBER, Pricer
from card_data.mindbug.vocabulary import Keyword
from reports.prices.sheet import Live, fill, list_book, save
from reports.prices.text import CARDS

#: Rows of the second sheet that price a card.
ROWS = 60
_HEADS = "card", "power", "keywords", "effect", "amount", "price in points", "row of the effect"
_EXAMPLES = (
    ("Plain", 5, "", "", None),
    ("Sneak", 3, "SNEAKY, TOUGH", "", None),
    ("Healer", 2, "SNEAKY", f"play: gain {ANY_NUMBER} life", 2),
)
_WORDS = len(Keyword)
_FIRST_LINE = 5 + _WORDS  # the row of the third sheet below which lines stand


def write_sheet(path: Path, pricer: Pricer, tables: Mapping[str, pd.DataFrame]) -> None:
    """Write the sheets: the list, one's own cards, and the numbers of the formula.

    Raises RunError when the file cannot be written.
    """
    book = list_book(tables, CARDS)
    lines = [*priced_lines(pricer, tables["prices"])]
    _own_cards(book.create_sheet("Your cards"), len(lines))
    _numbers(book.create_sheet("Formula"), pricer, lines)
    save(book, path)


def _own_cards(sheet: Worksheet, n_lines: int) -> None:
    """One's own cards, each with the formula of its price."""
    rows: list[Sequence[Any]] = [_HEADS]
    for number in range(ROWS):
        said = _EXAMPLES[number] if number < len(_EXAMPLES) else (None,) * 5
        rows.append([*said, *map(Live, _formulas(number + 2, n_lines))])
    fill(sheet, rows, "CD")
    sheet.column_dimensions["G"].hidden = True


def _formulas(row: int, n_lines: int) -> tuple[str, str]:
    """The price of the card in a row, and the row of its effect among the lines."""
    words, last = f"$A$5:$A${4 + _WORDS}", _FIRST_LINE + n_lines
    across = f"$D$4:${chr(67 + _WORDS)}$4"
    first = _FIRST_LINE + 1
    power = f"((B{row}-5.5)/4.5)"
    has = f"ISNUMBER(SEARCH(Formula!{words},C{row}))"
    has_across = f"ISNUMBER(SEARCH(Formula!{across},C{row}))"
    block = f"$D$5:${chr(67 + _WORDS)}${4 + _WORDS}"
    body = f"Formula!$B$1+Formula!$B$2*{power}+Formula!$B$3*{power}^2"
    keywords = (
        f"SUMPRODUCT({has}*(Formula!$B$5:$B${4 + _WORDS}"
        f"+{power}*Formula!$C$5:$C${4 + _WORDS}))+SUMPRODUCT({has}*{has_across}*Formula!{block})"
    )

    def of_line(column: str) -> str:
        return f"INDEX(Formula!${column}${first}:${column}${last},G{row})"

    more = "+".join(
        f"ISNUMBER(SEARCH(Formula!$A${5 + n},C{row}))*{of_line(chr(68 + n))}" for n in range(_WORDS)
    )
    line = f"{of_line('B')}+{power}*{of_line('C')}+{more}"
    price = f'=IF(B{row}="","",IF(G{row}<0,"no price",{body}+{keywords}+IF(G{row}=0,0,{line})))'
    place = (
        f'=IF(D{row}="",0,IFERROR(MATCH(SUBSTITUTE(D{row},"{ANY_NUMBER}",E{row}),'
        f"Formula!$A${first}:$A${last},0),-1))"
    )
    return price, place


def _numbers(
    sheet: Worksheet, pricer: Pricer, lines: Sequence[tuple[str, Sequence[float]]]
) -> None:
    """The numbers of which prices are sums; pairs of keywords above the diagonal."""
    formula = formula_of(pricer)
    words = [word.name for word in Keyword]
    names = "any card", "power above 5.5, in steps of 4.5", "its square"
    rows: list[Sequence[Any]] = [*map(list, zip(names, formula.power, strict=True))]
    rows.append(["keyword", "by itself", "with power", *words])
    for word in words:
        pairs = [formula.pairs.get((word, other), 0.0) for other in words]
        rows.append([word, *formula.keywords[word], *pairs])
    rows.append(["effect", "by itself", "with power", *words])
    fill(sheet, [*rows, *([text, *counts] for text, counts in lines)], "A", heads=4)
