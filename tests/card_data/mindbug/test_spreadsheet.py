"""Spreadsheets of cards: every set there and back, hostile texts, and every fault with its cell."""

import csv
import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from openpyxl import Workbook, load_workbook

from card_data.mindbug import CardFileError, available_sets, load_sets, parse_set
from card_data.mindbug.language.formatter import format_cards
from card_data.mindbug.schema import Card, CardSet
from card_data.mindbug.spreadsheet import COLUMNS, SUFFIXES, TableFault, encode_table, read_table

HEAD = "card_id,name,power,keywords,copies,play,constant\n"
MARKS = "=+-@＝＋－＠"

Put = Callable[[str | bytes | Workbook], Path]


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


def faults(path: Path, **options: str) -> list[str]:
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
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None
)
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


def test_formulas_are_texts(put: Put) -> None:
    """A formula is never computed: it is a text like any other, and no number."""
    path = put(book(["card_id", "name", "power"], ["a", '=HYPERLINK("x")', "=1+1"]))
    assert faults(path) == [
        "cards.xlsx: sheet 'Cards', row 2, column C (power): a: "
        "'=1+1' is not a whole number from 1 to 99."
    ]
    path = put(book(["card_id", "name", "power"], ["a", '=HYPERLINK("x")', 2]))
    assert read_table(path).cards == (Card("a", '=HYPERLINK("x")', 2),)


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
    "missing id": (",Rat,1,,,,", "row 2, column A (card_id): the field 'card_id' is missing."),
    "wrong id": ("Rat!,Rat,1,,,,", "row 2, column A (card_id): 'Rat!': 'Rat!' is not a card id"),
    "id twice": (
        "rat,Rat,1,,,,\nrat,Mouse,1,,,,",
        "row 3, column A (card_id): 'rat' stands in row 2 already.",
    ),
    "id of the set": ("name,Rat,1,,,,", "row 2, column A (card_id): 'name' cannot be a card id."),
    "name twice": (
        "rat,Rat,1,,,,\nmouse,Rat,1,,,,",
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


def test_false_size_does_not_matter(put: Put) -> None:
    """A sheet with a cell in its last row and column is read up to the limits only."""
    workbook = book(["card_id", "name", "power"], ["a", "A", 1])
    workbook.worksheets[0]["XFD1048576"] = "far"
    assert faults(put(workbook)) == ["cards.xlsx: there are more than 5,000 rows."]


@given(st.lists(st.tuples(st.integers(0, 4000), st.integers(0, 255)), max_size=5))
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None
)
def test_damaged_xlsx_never_raises_anything_else(put: Put, damage: list[tuple[int, int]]) -> None:
    """Whatever the bytes of an xlsx file, the answer is a set or a CardFileError."""
    path = put(book(["card_id", "name", "power"], ["a", "A", 1]))
    content = bytearray(path.read_bytes())
    for place, byte in damage:
        content[place % len(content)] = byte
    path.write_bytes(content)
    survives(path)


@given(st.binary(max_size=80) | st.text(max_size=80).map(str.encode))
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None
)
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
@settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=60, deadline=None
)
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
