"""Spreadsheets of cards: every set there and back, hostile texts, and every fault with its cell."""

import csv
import io
import re
import zipfile
from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openpyxl import Workbook, load_workbook

from card_data.cells import SUFFIXES, TableFault
from card_data.mindbug import CardFileError, available_sets, load_sets, parse_set
from card_data.mindbug.language.formatter import format_cards
from card_data.mindbug.schema import Card, CardSet
from card_data.mindbug.spreadsheet import COLUMNS, encode_table, parse_table, read_table

HEAD = "card_id,name,power,keywords,copies,play,constant\n"
MARKS = "=+-@＝＋－＠"

Put = Callable[[str | bytes | Workbook], Path]
Read = Callable[[str | bytes | Workbook], tuple[CardSet, list[str]]]


@pytest.fixture
def put(tmp_path: Path) -> Put:
    """Writes a table and returns its path."""

    def write(content: str | bytes | Workbook) -> Path:
        path = tmp_path / ("cards.xlsx" if isinstance(content, Workbook) else "cards.csv")
        if isinstance(content, Workbook):
            content.save(path)
        else:
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def book(*rows: list[object], title: str = "Cards") -> Workbook:
    """An xlsx file with one sheet."""
    workbook = Workbook()
    workbook.worksheets[0].title = title
    for row in rows:
        workbook.worksheets[0].append(row)
    return workbook


def faults(path: Path, **options: Any) -> list[str]:
    """What is wrong with a table, without the folder that it is in."""
    with pytest.raises(CardFileError) as caught:
        read_table(path, **options)
    return [str(fault).replace(f"{path.parent}/", "") for fault in caught.value.faults]


def there_and_back(card_set: CardSet, suffix: str, folder: Path) -> CardSet:
    """A set that was written as a table and read again."""
    path = folder / f"{card_set.set_id}{suffix}"
    path.write_bytes(encode_table(card_set, suffix))
    return read_table(path)


# ---------------------------------------------------------------- there and back


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("name", available_sets())
def test_every_set_comes_back_exactly(tmp_path: Path, name: str, suffix: str) -> None:
    """A set that goes through a table is the same set, and its card file the same text."""
    [card_set] = load_sets([name])
    back = there_and_back(card_set, suffix, tmp_path)
    assert back == card_set
    assert format_cards(back) == format_cards(card_set)


def test_row_of_a_card() -> None:
    """A card is a row, its facts and abilities are the columns, the lines of a cell a list."""
    card_set = parse_set(
        'name = "Two"\n[rat]\nname = "Rat"\npower = 1\nkeywords = ["TOUGH", "FRENZY"]\n'
        'play_attack = "gain 1 life"\nconstant = ["this has TOUGH", "this cannot block"]\n'
    )
    text = encode_table(card_set, ".csv").decode("utf-8-sig")
    headings, row = csv.reader(io.StringIO(text, newline=""))
    assert tuple(headings) == COLUMNS
    assert {name: cell for name, cell in zip(headings, row, strict=True) if cell} == {
        "card_id": "rat",
        "name": "Rat",
        "power": "1",
        "keywords": "FRENZY TOUGH",
        "copies": "1",
        "play_attack": "gain 1 life",
        "constant": "this has TOUGH\nthis cannot block",
        "set": "Two",
    }


NAMES = st.text(
    st.sampled_from([*MARKS, *"'\";,|\t ab", "é", "漢", "\N{COMBINING ACUTE ACCENT}"]),
    min_size=1,
    max_size=12,
).filter(lambda name: name.isprintable() and name == name.strip())


@pytest.mark.parametrize("suffix", SUFFIXES)
@given(NAMES, NAMES)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_name_comes_back_exactly(tmp_path: Path, suffix: str, name: str, other: str) -> None:
    """Names of quotes, separators, formula marks and apostrophes are kept to the letter."""
    card_set = CardSet("two", other, (Card("a", name, 1),))
    assert there_and_back(card_set, suffix, tmp_path) == card_set


# ---------------------------------------------------------------- hostile texts

HOSTILE = ["=cmd|' /C calc'!A0", "+1+1", "-2", "@SUM(A1)", "＝1", "x;=1+1", "x, @y", "'=1", "#REF!"]


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("separator", ",;|")
def test_no_cell_of_a_csv_file_becomes_a_formula(name: str, separator: str) -> None:
    """No cell begins with a formula mark, whatever the program takes for the end of a cell."""
    text = encode_table(CardSet("x", name, (Card("a", name, 1),)), ".csv").decode("utf-8-sig")
    for quotes in (csv.QUOTE_MINIMAL, csv.QUOTE_NONE):
        for row in csv.reader(io.StringIO(text), delimiter=separator, quoting=quotes):
            assert not [cell for cell in row if cell.strip(' "').startswith(tuple(MARKS))]


@pytest.mark.parametrize("name", HOSTILE)
def test_no_cell_of_an_xlsx_file_is_a_formula(tmp_path: Path, name: str) -> None:
    """Every text is stored as a text, and stays one when its cell is edited."""
    path = tmp_path / "x.xlsx"
    path.write_bytes(encode_table(CardSet("x", name, (Card("a", name, 1),)), ".xlsx"))
    cell = load_workbook(path).worksheets[0]["B2"]
    assert (cell.value, cell.data_type, cell.quotePrefix) == (name, "s", True)


def test_names_of_sheets_are_possible(tmp_path: Path) -> None:
    """A set whose id no sheet can have is written all the same."""
    card_set = CardSet("a[b]*c?" * 8, "Set", (Card("a", "A", 1),))
    path = tmp_path / "x.xlsx"
    path.write_bytes(encode_table(card_set, ".xlsx"))
    assert read_table(path, set_id=card_set.set_id) == card_set


# ---------------------------------------------------------------- tables as people make them


@pytest.mark.parametrize(
    "change",
    [
        lambda text: text.replace(",", ";"),
        lambda text: text.replace(",", "\t").encode("utf-16"),
        lambda text: text.replace("\n", "\r\n").encode("utf-8-sig"),
        lambda text: "\n,,,,,,\n" + text + ",,,,,,\n\n",
        lambda text: text.replace("card_id", "Card ID").replace("power", " POWER "),
    ],
)
def test_tables_of_other_programs_are_read(put: Put, change: Callable[[str], str]) -> None:
    """Separators, encodings, line ends, empty rows and the spelling of headings do not matter."""
    text = HEAD + "rat,Rat, 1,tough FRENZY,,gain 1 life,\n"
    card_set = parse_set(
        'name = "Cards"\n[rat]\nname = "Rat"\npower = 1\nkeywords = ["FRENZY", "TOUGH"]\n'
        'play = "gain 1 life"',
    )
    assert read_table(put(change(text))) == card_set


def test_numbers_and_notes(put: Put) -> None:
    """Numbers may be stored as decimals or texts; columns and rows that begin with # are notes."""
    workbook = book(
        ["#idea", "name", "card_id", "power", "copies", "set"],
        ["good", 1984, "year", 3.0, "2", None],
        [None, "left for later", "#later", "?", None, None],
        ["bad", "Rat", "rat", 1, None, "Rats"],
    )
    year, rat = Card("year", "1984", 3, copies=2), Card("rat", "Rat", 1)
    assert read_table(put(workbook)) == CardSet("cards", "Rats", (rat, year))


def test_sheet_can_be_chosen(put: Put) -> None:
    """The first sheet is read, or the one that is named."""
    workbook = book(["card_id", "name", "power"], ["a", "A", 1])
    second = workbook.create_sheet("Second")
    second.append(["card_id", "name", "power"])
    second.append(["b", "B", 2])
    path = put(workbook)
    assert read_table(path).cards == (Card("a", "A", 1),)
    assert read_table(path, sheet="Second").cards == (Card("b", "B", 2),)
    assert faults(path, sheet="Secnd") == [
        "cards.xlsx: there is no sheet 'Secnd'; did you mean 'Second'? Allowed here: Cards, Second."
    ]


# ---------------------------------------------------------------- slips of spreadsheets


def stored(rows: list[list[object]], results: Mapping[str, object]) -> bytes:
    """An xlsx file whose formulas have results, as spreadsheet programs store them."""
    out = io.BytesIO()
    book(*rows).save(out)
    sheet = "xl/worksheets/sheet1.xml"
    with zipfile.ZipFile(out) as parts:
        contents = {name: parts.read(name) for name in parts.namelist()}
    text = contents[sheet].decode()
    for place, value in results.items():
        kind = ' t="str"' if isinstance(value, str) else ""
        kind = ' t="e"' if str(value).startswith("#") else kind
        formula = rf'<c r="{place}"([^>]*)>(<f>.*?</f>)<v ?/?>(</v>)?'
        with_result = rf'<c r="{place}"\1{kind}>\2<v>{value}</v>'
        text, n_found = re.subn(formula, with_result, text)
        assert n_found == 1
    contents[sheet] = text.encode()
    again = io.BytesIO()
    with zipfile.ZipFile(again, "w") as parts:
        for name, content in contents.items():
            parts.writestr(name, content)
    return again.getvalue()


@pytest.fixture
def read(tmp_path: Path) -> Callable[[str | bytes | Workbook], tuple[CardSet, list[str]]]:
    """Reads a table and gives what is noted about it, too."""

    def reading(content: str | bytes | Workbook) -> tuple[CardSet, list[str]]:
        if isinstance(content, Workbook):
            out = io.BytesIO()
            content.save(out)
            content = out.getvalue()
        data = content.encode() if isinstance(content, str) else content
        notes: list[str] = []
        name = "cards.xlsx" if data.startswith(b"PK") else "cards.csv"
        return parse_table(data, name, tell=notes.append), notes

    return reading


def test_a_formula_is_read_by_its_stored_result(read: Read) -> None:
    """Numbers, texts, empty texts and whole ids that a spreadsheet worked out; a note says so."""
    rows: list[list[object]] = [
        ["card_id", "name", "power", "play", "TOUGH"],
        ["=LOWER(B2)", "Rat", "=1+1", '=IF(C2>1,"gain 1 life","")', "=TRUE()"],
        ["bat", "Bat", 4, '=IF(C3>9,"gain 1 life","")', None],
    ]
    results = {"A2": "rat", "C2": 2, "D2": "gain 1 life", "E2": "TRUE", "D3": ""}
    cards, notes = read(stored(rows, results))
    assert cards == parse_table(
        b"card_id,name,power,play,TOUGH\nrat,Rat,2,gain 1 life,yes\nbat,Bat,4,,\n", "cards.csv"
    )
    assert notes == [
        "cards.xlsx: 5 formulas are read by the results that the file has: A2, C2, D2, E2, D3"
    ]


def test_formulas_without_a_result_are_one_fault(put: Put) -> None:
    """Nothing is computed; one message names the cells, and the rest is checked as well."""
    path = put(
        book(
            ["card_id", "name", "power", "copies", "play"],
            ["a", '=HYPERLINK("x")', "=1+1", "=1", None],
            ["b", "B", "=C2", "=D2", "gian 1 life"],
        )
    )
    first, second = faults(path)
    assert first == (
        "cards.xlsx: sheet 'Cards', row 2, column B (name): the file has no results for its 5 "
        "formulas (B2, C2, D2, C3, D3); save it again in a spreadsheet program, or write the "
        "values in their places."
    )
    assert "row 3, column E (play), character 1: b: 'gian' is not a word" in second


def test_a_text_that_looks_like_a_formula_is_a_text(put: Put, read: Read) -> None:
    """In an xlsx file what is marked as a text is one; in a CSV file a number is none."""
    workbook = book(["card_id", "name", "power"], ["a", "x", 2])
    cell = workbook.worksheets[0]["B2"]
    cell.value, cell.data_type, cell.quotePrefix = "=1+1", "s", True
    assert read(workbook) == (CardSet("cards", "Cards", (Card("a", "=1+1", 2),)), [])
    [said] = faults(put("card_id,name,power\na,A,=1+1\n"))
    assert "row 2, column C (power): the file has no result for its formula (C2)" in said


@pytest.mark.parametrize("error", ["#DIV/0!", "#REF!", "#N/A"])
def test_a_formula_that_failed_is_told(put: Put, error: str) -> None:
    """An error is no text and no note, in either kind of file."""
    rows: list[list[object]] = [["card_id", "name", "power"], ["=X1", "Rat", 1]]
    for content in (stored(rows, {"A2": error}), f"card_id,name,power\n{error},Rat,1\n"):
        path = put(content)
        if isinstance(content, bytes):
            path = path.rename(path.with_suffix(".xlsx"))
        [said] = faults(path)
        assert said.endswith(
            f"row 2, column A (card_id): the cell has the error '{error}'; correct its formula, "
            "or write the value it should hold."
        )


@pytest.mark.parametrize(
    "last",
    [
        [None, None, "=SUM(C2:C3)", None],
        [None, "Sum", "=SUM(C2:C3)", None],
        ["total", "Total", "=AVERAGE(C$2:C$3)", None],
        [None, None, "=1+1", "=COUNTA(D2:D3)"],
    ],
)
def test_a_row_of_formulas_below_the_cards_is_no_card(read: Read, last: list[object]) -> None:
    """Sums and averages below the last card, with results or without, are left out and told."""
    rows: list[list[object]] = [
        ["card_id", "name", "power", "copies"],
        ["rat", "Rat", 1, 1],
        ["bat", "Bat", 4, 1],
        last,
        ["#later", "Cat", None, None],
    ]
    results = {f"{'ABCD'[at]}4": 5 for at, one in enumerate(last) if str(one)[0] == "="}
    for content in (stored(rows, results), stored(rows, {})):
        cards, notes = read(content)
        assert [card.card_id for card in cards.cards] == ["bat", "rat"]
        assert notes == [
            "cards.xlsx: row 4, below the last card, is left out: it holds formulas or numbers, "
            "and no card"
        ]


def test_the_only_row_is_no_sum_of_others(read: Read) -> None:
    """What stands below no card is not left out as a sum of cards."""
    rows: list[list[object]] = [["card_id", "name", "power"], ["rat", "Rat", "=MAX(C3:C9,2)"]]
    assert read(stored(rows, {"C2": 2}))[0].cards == (Card("rat", "Rat", 2),)


def test_numbers_alone_below_the_cards_are_no_card(put: Put, read: Read) -> None:
    """What is left of sums in a CSV file; between cards, or with a text, it is a fault as ever."""
    head = "card_id,name,power,play\nrat,Rat,1,\n"
    cards, notes = read(f"{head},,17,\n,,4.25,\n")
    assert len(cards.cards) == 1
    assert notes == [
        "cards.csv: rows 3 and 4, below the last card, are left out: they hold formulas or "
        "numbers, and no card"
    ]
    for more in (",,17,\nbat,Bat,4,\n", ",,17,gain 1 life\n"):
        [said] = faults(put(head + more))
        assert "row 3, column A (card_id): the field 'card_id' is missing" in said


def test_a_title_above_the_headings_is_passed_over(put: Put, read: Read) -> None:
    """Where the row of headings is certain it is read; where it only looks so, that is told."""
    above = "My cards; version 3\n\nby me, not 'by us'\n"
    cards, notes = read(
        f"{above}card_id;name;power;play\nrat;Rat;1;gain 1 life, then gain 1 life\n"
    )
    assert [card.name for card in cards.cards] == ["Rat"]
    assert notes == ["cards.csv: row 4 names the columns; rows 1 and 3 above it are left out"]
    cards, notes = read(book(["Cards", None], ["", "Abilities"], ["name", "power"], ["Rat", 1]))
    assert notes[0] == "cards.xlsx: row 3 names the columns; rows 1 and 2 above it are left out"
    assert faults(put(f"{above}card_id,nmae,power\nrat,Rat,1\n")) == [
        "cards.csv: row 1: this row names no columns, but row 4 looks as if it did; delete what "
        "is above it."
    ]


@pytest.mark.parametrize("separator", ";|\t,")
@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("quote", ["", '"'])
def test_the_line_that_names_the_separator_is_read(
    put: Put, read: Read, separator: str, end: str, quote: str
) -> None:
    """``sep=;`` is not a row: rows are counted as a spreadsheet program counts them."""
    lines = ["card_id,name,power", "rat,Rat,x"]
    text = end.join(line.replace(",", separator) for line in lines)
    text = f"{quote}sep={separator}{quote}{end}{text}{end}"
    assert faults(put(text)) == [
        "cards.csv: row 2, column C (power): rat: 'x' is not a whole number from 1 to 99."
    ]
    for encoding in ("utf-8-sig", "utf-16"):
        assert read(text.replace("x", "7").encode(encoding))[0].cards == (Card("rat", "Rat", 7),)


@pytest.mark.parametrize("number", ["5", "5.0", "5,0", "5.00", " 5.0 "])
@pytest.mark.parametrize("separator", ",;")
def test_a_whole_number_may_have_decimals(read: Read, number: str, separator: str) -> None:
    """In a CSV file 5.0 is 5, as it is in an xlsx file, in every column of numbers."""
    out = io.StringIO()
    rows = [["card_id", "name", "power", "copies"], ["a", "A", number, number]]
    csv.writer(out, delimiter=separator).writerows(rows)
    assert read(out.getvalue())[0].cards == (Card("a", "A", 5, copies=5),)


def test_a_decimal_comma_is_told(put: Put) -> None:
    """A number with a decimal comma is no riddle, and no second fault comes of it."""
    for number in ("5,5", "-1,25"):
        assert faults(put(f"card_id;name;power;copies\na;A;{number};2\n")) == [
            f"cards.csv: row 2, column C (power): a: '{number}' is a number with a decimal comma; "
            "whole numbers stand here."
        ]


DATES = [
    "03.Apr", "3-Apr", "Apr-03", "03. Apr", "3 Apr", "Apr 3", "3. Mai", "03-Dez", "4-févr.",
    "3-Apr-26", "03.04.2026", "3/4/2026", "2026-04-03", "2026-04-03 00:00:00", "03:04", "3:04:00",
    "03.04.",
]  # fmt: skip


@pytest.mark.parametrize("typed", DATES)
@pytest.mark.parametrize("column", ["power", "copies", "card_id", "keywords", "play", "constant"])
def test_a_date_that_a_spreadsheet_made_is_told(put: Put, typed: str, column: str) -> None:
    """3/4 and 4-3 become dates as one types them; the message says so, and only once."""
    row = {"card_id": "a", "name": "A", "power": "1", column: typed}
    [said] = faults(put("\n".join([";".join(row), ";".join(row.values())])))
    assert f"({column}): " in said
    assert said.endswith(
        f"'{typed}' is a date or a time that a spreadsheet program made of what was typed, such "
        "as 3/4; mark the column as text and type it again."
    )


@pytest.mark.parametrize(
    "value", [datetime(2026, 4, 3), date(2026, 4, 3), time(3, 4), timedelta(hours=30)]
)
@pytest.mark.parametrize("column", ["name", "power", "play"])
def test_a_cell_with_a_date_is_told(put: Put, value: object, column: str) -> None:
    """In an xlsx file a date is known by its format, also where a name may look like one."""
    row = {"card_id": "a", "name": "A", "power": 1, column: value}
    [said] = faults(put(book([*row], [*row.values()])))
    assert f"({column}): a: '" in said and "is a date or a time that a spreadsheet" in said


@pytest.mark.parametrize("name", ["Apr-03", "3. Mai", "#REF!", "5.0", "5,5", "03:04"])
def test_a_name_may_look_like_anything(read: Read, name: str) -> None:
    """What is typed as the name of a card in a CSV file is its name."""
    assert read(f'card_id,name,power\na,"{name}",1\n')[0].cards == (Card("a", name, 1),)


def test_a_repeated_id_hides_no_other_fault(put: Put) -> None:
    """The rows of a repeated id are checked like others, each fault in its own row."""
    rows = "rat,Rat,1,,,gian 1 life,\nrat,Mouse,0,TOGH,,gain 1 lief,\nrat,Mole,3,,,,this has\n"
    said = faults(put(HEAD + rows))
    assert [one.partition(":")[2].partition(":")[0] for one in said] == [
        " row 2, column F (play), character 1", " row 3, column A (card_id)",
        " row 3, column C (power)", " row 3, column D (keywords), character 1",
        " row 3, column F (play), character 8", " row 4, column A (card_id)",
        " row 4, column G (constant), character 9",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("rows", "place", "what"),
    [
        ("rat,Rat,1,,,,\nrat,Rat,1,,,,\n", "row 3, column A (card_id)", "2"),
        ("rat,Rat,1,,2,,\nrat,Rat,1,,2,,\n", "row 3, column A (card_id)", "4"),
        ("rat,Rat,1,,,gian 1 life,\nrat,Rat,,,,,\n", "row 3, column A (card_id)", "2"),
        ("rat,Rat,1,,,,\nmouse,Mouse,1,,,,\nrat,Rat,1,,,,\nrat,rat,1,,,,\n",
         "row 4, column A (card_id)", "3"),
    ],
)  # fmt: skip
def test_a_second_row_for_a_second_copy_is_told(put: Put, rows: str, place: str, what: str) -> None:
    """Rows that say the same are copies of one card, for which there is a column."""
    [said] = [one for one in faults(put(HEAD + rows)) if place in one]
    assert f"stands in row 2 already; for {what} copies of one card keep row 2 alone" in said
    assert said.endswith(f"with {what} in the column 'copies'.")


def test_a_second_copy_under_another_id_is_told(put: Put) -> None:
    """Two ids for cards that are the same but for that; in a card file, too."""
    [said] = faults(put(f"{HEAD}rat,Rat,1,,,,\nrat_2,Rat,1,,,,\n"))
    hint = "'Rat' is the name of rat already; for 2 copies of one card, rat alone has copies = 2"
    assert hint in said
    with pytest.raises(CardFileError, match="rat alone has copies = 2"):
        parse_set("name='A'\n[rat]\nname='Rat'\npower=1\n[rat_2]\nname='Rat'\npower=1\n")


@pytest.mark.parametrize(
    "text", ["name,power\n{}", "power,card_id,name\n{}"], ids=["no column", "an empty column"]
)
def test_ids_are_made_of_names(read: Read, put: Put, text: str) -> None:
    """Where there are no ids each is made of its name, and that is said."""
    names = ["Brain Fly", "Élan Vital!", "élan vital?", "漢", "3 Rats", "Name", "x" * 60]
    no_column = text.startswith("name")
    rows = [f"{name},{at}" if no_column else f"{at},,{name}" for at, name in enumerate(names, 1)]
    cards, notes = read(text.format("\n".join(rows)))
    assert {card.name: card.card_id for card in cards.cards} == {
        "Brain Fly": "brain_fly", "Élan Vital!": "elan_vital", "élan vital?": "elan_vital_2",
        "漢": "card", "3 Rats": "card_3_rats", "Name": "card_name", "x" * 60: "x" * 60,
    }  # fmt: skip
    assert notes == [
        "cards.csv: there are no card ids; they are made of the names: brain_fly, elan_vital, "
        "elan_vital_2, card, card_3_rats and others"
    ]
    [said] = faults(put("name,power\nRat,1\nRat,1\n"))
    assert said == (
        "cards.csv: row 3, column A (name): 'Rat' stands in row 2 already; for 2 copies of one "
        "card keep row 2 alone, with 2 in the column 'copies'."
    )
    [said] = faults(put("name,power\nRat,1\n,2\nBat,3\n"))
    assert said == "cards.csv: row 3, column A (name): the field 'name' is missing."


# ---------------------------------------------------------------- faults with their cell

FAULTS = {
    "unknown word": (
        "rat,Rat,1,,,gian 2 life,",
        "row 2, column F (play), character 1: rat: 'gian' is not a word of the card language here;"
        " did you mean 'gain'?",
    ),
    "line of several": (
        'rat,Rat,1,,,,"this has TOUGH\n\nthis has TOGH"',
        "row 2, column G (constant), character 26: rat: 'TOGH' is not a word",
    ),
    "keyword": (
        "rat,Rat,1,TOUGH  tuogh,,,",
        "row 2, column D (keywords), character 8: rat: 'tuogh' is not a keyword; "
        "did you mean 'TOUGH'?",
    ),
    "number": (
        "rat,Rat,one,,,,",
        "row 2, column C (power): rat: 'one' is not a whole number from 1 to 99.",
    ),
    "missing field": (
        "rat,Rat,,,,,",
        "row 2, column C (power): rat: the field 'power' is missing.",
    ),
    "missing id": (
        "bat,Bat,1,,,,\n,Rat,1,,,,",
        "row 3, column A (card_id): the field 'card_id' is missing.",
    ),
    "wrong id": ("Rat!,Rat,1,,,,", "row 2, column A (card_id): 'Rat!': 'Rat!' is not a card id"),
    "id twice": (
        "rat,Rat,1,,,,\nrat,Mouse,1,,,,",
        "row 3, column A (card_id): 'rat' stands in row 2 already.",
    ),
    "id of the set": ("name,Rat,1,,,,", "row 2, column A (card_id): 'name' cannot be a card id."),
    "name twice": (
        "rat,Rat,1,,,,\nmouse,Rat,2,,,,",
        "row 3, column B (name): mouse: 'Rat' is the name of rat already.",
    ),
    "no cards": ("", "row 1: there are no cards below the row that names the columns."),
}


@pytest.mark.parametrize(("rows", "message"), FAULTS.values(), ids=FAULTS)
def test_fault_has_its_cell(put: Put, rows: str, message: str) -> None:
    """A fault names row, column and character, what was found and the nearest word."""
    [said] = faults(put(HEAD + rows))
    assert said.startswith(f"cards.csv: {message}")


def test_a_cost_on_a_creature_is_one_fault(put: Put) -> None:
    """A number in the wrong column names that column, not all the others of the creature."""
    rows = "card_id,name,power,keywords,play,cost\nrat,Rat,1,TOUGH,gain 1 life,2\n"
    assert faults(put(rows)) == [
        "cards.csv: row 2, column F (cost): rat: 'cost' makes this a power card, which has the"
        " fields name, copies, cost, bought, text and no others; leave it out of a creature."
    ]


HEADINGS = {
    "unknown column": (
        "card_id,name,power,plya\na,A,1,gain 1 life",
        "row 1, column D: 'plya' is not a column of cards; a column of notes begins with #; "
        "did you mean 'play'? Allowed here: keywords,",
    ),
    "column twice": (
        "card_id,name,power,Power\na,A,1,1",
        "row 1, column D: there are two columns 'power'.",
    ),
    "no heading": (
        "card_id,name,power,\na,A,1,\nb,B,1,x",
        "row 1, column D: the column has no heading, but row 3 has a text there.",
    ),
    "beyond the headings": (
        "card_id,name,power,play\na,A,1,lose 1 life, then gain 1 life",
        "row 1, column E: the column has no heading, but row 2 has a text there.",
    ),
    "no names": ("card_id,power\na,1", "row 1: there is no column 'name'."),
    "two sets": (
        "card_id,name,power,set\na,A,1,One\nb,B,1,Two",
        "row 3, column D (set): a table holds one set; 'One' stands above.",
    ),
}


@pytest.mark.parametrize(("text", "message"), HEADINGS.values(), ids=HEADINGS)
def test_fault_of_the_table_itself(put: Put, text: str, message: str) -> None:
    """A column that means nothing is told once, with the nearest that does."""
    said = faults(put(text))
    assert said[0].startswith(f"cards.csv: {message}")
    assert len(said) == 1 + ("no column" in message)  # and the card has no name


def test_all_faults_come_together(put: Put) -> None:
    """Everything that is wrong is told at once, in the order of the table."""
    path = put(f"{HEAD}rat,,100,TOUGH TOUGH,0,gain life,\nmole,Mole,1,,,,this has\n")
    with pytest.raises(CardFileError) as caught:
        read_table(path)
    places = [(fault.line, fault.column, fault.card_id) for fault in caught.value.faults]
    assert places == [*((2, column, "rat") for column in (2, 3, 4, 5, 6)), (3, 7, "mole")]
    assert all(isinstance(fault, TableFault) for fault in caught.value.faults)


# ---------------------------------------------------------------- files


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "the table is empty; its first row has to name the columns."),
        (b"card_id,name\na,\xff", "the file is not UTF-8 text; save it as 'CSV UTF-8'."),
        ('card_id,name\na,"b" c"', "row 2: this is not valid CSV: "),
        ("card_id,name\n" * 5001, "there are more than 5,000 rows."),
        ("x," * 100, "row 1: there are more than 100 columns."),
        (b"#" * 5_000_001, "the file is larger than 5,000,000 bytes."),
    ],
)
def test_file_that_is_no_table(put: Put, content: str | bytes, message: str) -> None:
    """A file of which nothing can be read gives one clear fault."""
    [said] = faults(put(content))
    assert said.startswith(f"cards.csv: {message}")


def test_files_that_are_not_there(tmp_path: Path) -> None:
    """A missing file, a folder and a file of another kind are told."""
    (tmp_path / "folder.csv").mkdir()
    assert faults(tmp_path / "none.csv") == ["none.csv: there is no such file."]
    assert faults(tmp_path / "folder.csv") == ["folder.csv: this is a folder, not a file."]
    assert "ends in .csv or .xlsx" in faults(tmp_path / "cards.ods")[0]
    assert faults(tmp_path / "cards.csv", sheet="One") == ["cards.csv: a CSV file has no sheets."]
    with pytest.raises(ValueError, match="not one of"):
        encode_table(CardSet("x", "X", ()), ".ods")


@pytest.mark.parametrize(
    "part", ["xl/workbook.xml", "xl/_rels/workbook.xml.rels", "xl/sheet", "xl/media/image1.png"]
)
def test_zip_bomb_is_not_unpacked(tmp_path: Path, part: str) -> None:
    """An xlsx file that would unpack to a great size is refused before it is read."""
    path = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as bomb:
        bomb.writestr(part, b" " * 60_000_000)
    assert faults(path) == [
        "bomb.xlsx: the file holds more than 5,000,000 bytes when unpacked; save the sheet of cards"
        " in a file of its own."
    ]


def test_a_formula_that_many_cells_share_is_not_written_out_for_all(put: Put) -> None:
    """A few bytes a cell would become as many long texts; reading ends before that."""
    rows: list[list[object]] = [[None, None, 1]] * 4000
    path = put(book(["card_id", "name", "power"], *rows))
    with zipfile.ZipFile(path) as parts:
        contents = {name: parts.read(name) for name in parts.namelist()}
    sheet = contents["xl/worksheets/sheet1.xml"].decode()
    long = "+".join(["A1"] * 3000)
    sheet = re.sub(
        r'<c r="(C\d+)"[^>]*><v>1</v></c>', r'<c r="\1"><f t="shared" si="0"/></c>', sheet
    )
    first = f'<f t="shared" ref="C2:C4001" si="0">{long}</f>'
    contents["xl/worksheets/sheet1.xml"] = sheet.replace(
        '<f t="shared" si="0"/>', first, 1
    ).encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as parts:
        for name, content in contents.items():
            parts.writestr(name, content)
    assert faults(path) == [
        "cards.xlsx: the formulas of the sheet have more than 1,000,000 characters; write their "
        "values in their places."
    ]


def test_false_size_does_not_matter(put: Put) -> None:
    """A sheet with a cell in its last row and column is read up to the limits only."""
    workbook = book(["card_id", "name", "power"], ["a", "A", 1])
    workbook.worksheets[0]["XFD1048576"] = "far"
    assert faults(put(workbook)) == ["cards.xlsx: there are more than 5,000 rows."]


@pytest.mark.parametrize("column", [101, 700, 16384])
def test_a_workbook_as_wide_as_no_csv_may_be_is_refused(put: Put, column: int) -> None:
    """A text behind the hundredth column is told of, not lost; an empty cell there is none."""
    workbook = book(["card_id", "name", "power"], ["a", "A", 1])
    workbook.worksheets[0].cell(2, column, "").number_format = "@"
    assert isinstance(read_table(put(workbook)), CardSet)
    workbook.worksheets[0].cell(2, column, "lost")
    assert faults(put(workbook)) == ["cards.xlsx: row 2: there are more than 100 columns."]


@given(st.lists(st.tuples(st.integers(0, 4000), st.integers(0, 255)), max_size=5))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_damaged_xlsx_never_raises_anything_else(put: Put, damage: list[tuple[int, int]]) -> None:
    """Whatever the bytes of an xlsx file, the answer is a set or a CardFileError."""
    path = put(book(["card_id", "name", "power"], ["a", "A", 1]))
    content = bytearray(path.read_bytes())
    for place, byte in damage:
        content[place % len(content)] = byte
    path.write_bytes(content)
    survives(path)


@given(st.binary(max_size=80) | st.text(max_size=80).map(str.encode))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_arbitrary_csv_never_raises_anything_else(put: Put, content: bytes) -> None:
    """Whatever the bytes of a CSV file, the answer is a set or a CardFileError."""
    survives(put(content))
    survives(put(b"card_id,name,power,keywords,constant,set\n" + content))


@given(
    st.lists(
        st.lists(st.sampled_from(["", "a", "name", "#", "9", "TOUGH", "\n", "=1", "é;", " "])),
        max_size=4,
    )
)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_arbitrary_cells_never_raise_anything_else(put: Put, rows: list[list[str]]) -> None:
    """Whatever the cells hold, the answer is a set or a CardFileError with printable faults."""
    out = io.StringIO()
    csv.writer(out).writerows([list(COLUMNS), *rows])
    survives(put(out.getvalue()))


def survives(path: Path) -> None:
    try:
        assert isinstance(read_table(path), CardSet)
    except CardFileError as error:
        assert error.faults
        assert all(str(fault).encode() for fault in error.faults)
