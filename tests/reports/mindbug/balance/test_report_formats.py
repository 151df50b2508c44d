"""The report as Markdown and as a workbook: numbers of the tables, and texts that stay texts."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path

import pandas as pd
import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token
from openpyxl import Workbook, load_workbook

import analysis.mindbug
import reports.mindbug
from analysis.mindbug.registry import TABLES
from analysis.mindbug.tables import RUN_TABLES
from reports.balance.workbook import FORMATS
from reports.cli.app import run
from reports.kit.cells import NumberKinds
from reports.kit.markdown import code, plain
from reports.mindbug.balance import text as wording
from support.reported import charts_as, every_kind, make_run
from support.synthetic import hostile_cards, synthetic_games, synthetic_run

from .conftest import Expansions

HOSTILE = [
    "=cmd|' /C calc'!A0",
    "<script>alert(1)</script>",
    "[x](javascript:alert(1))",
    "![x](http://x/y.png)",
    "`a` | **b** \\| ~~c~~",
    "&lt;b&gt; $x$ #1",
    "@SUM(1)",
    "+1",
]


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run whose report is there in every format."""
    folder = make_run(tmp_path_factory.mktemp("hostile") / "run", HOSTILE, 4000)
    with charts_as("svg", "png"):
        written = reports.mindbug.write_reports(folder, ("html", "md", "xlsx"))
    assert written == {name: folder / f"report.{name}" for name in ("html", "md", "xlsx")}
    return folder


def parsed(text: str) -> list[Token]:
    """Everything that a Markdown page is made of, inner tokens too."""
    tokens = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(text)
    return [one for token in tokens for one in (token, *(token.children or ()))]


def rows_of(text: str, heading: str) -> list[list[str]]:
    """The cells of the rows of the table below a heading, as a reader sees them."""
    section = text[text.index(f"## {heading}\n") :]
    tokens = MarkdownIt("commonmark").enable("table").parse(section)
    end = next(place for place, token in enumerate(tokens) if token.type == "table_close")
    rows: list[list[str]] = []
    for token in tokens[:end]:
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline" and rows:
            rows[-1].append("".join(child.content for child in token.children or ()))
    return rows


# ---------------------------------------------------------------------------------- Markdown


def test_markdown_shows_names_letter_for_letter(hostile: Path) -> None:
    """No name of a card opens a tag, link, picture, code or cell."""
    text = (hostile / "report.md").read_text()
    tokens = parsed(text)
    assert not [one for one in tokens if one.type in ("html_inline", "html_block", "s_open")]
    links = {str(one.attrs["href"]) for one in tokens if one.type == "link_open"}
    pictures = {str(one.attrs["src"]) for one in tokens if one.type == "image"}
    assert {place.partition("/")[0] for place in links | pictures} == {"figures"}
    rows = rows_of(text, "Cards")
    assert {len(row) for row in rows} == {10}
    assert set(HOSTILE) < {row[0] for row in rows}


def test_markdown_has_the_numbers_of_the_table(hostile: Path) -> None:
    """Each card's row has its rate, interval and n, and the findings are in the page."""
    text = (hostile / "report.md").read_text()
    tables = analysis.mindbug.read_tables(hostile)
    cards = tables["cards"].set_index("name")
    headings, *rows = rows_of(text, "Cards")
    assert [row[0] for row in rows] == list(
        cards["dealt_win_rate"].sort_values(ascending=False, kind="stable").index
    )
    for row in rows:
        told = dict(zip(headings, row, strict=True))
        card = cards.loc[told["Card"]]
        numbers = re.findall(r"[\d.]+", told["Won when dealt (interval)"])
        average = card["dealt_win_rate"] - card["advantage"]
        ends = average + card[["advantage_ci_low", "advantage_ci_high"]]
        assert [float(number) for number in numbers] == pytest.approx(
            [100 * number for number in (card["dealt_win_rate"], *ends)], abs=0.051
        )
        assert told["n dealt"] == f"{card['dealt_n']:,}"
        assert told["Verdict"] == card["verdict"]
    for finding in wording.findings(tables):
        assert plain(finding.text) in text
    for words in ("4,000 games", "random against random", "seed 42", "A baseline, not a verdict."):
        assert words in text


def test_figures_of_the_markdown_are_there(hostile: Path) -> None:
    """Every picture and every link is a file beside the page, with words for what it shows."""
    tokens = parsed((hostile / "report.md").read_text())
    for one in tokens:
        if one.type in ("image", "link_open"):
            assert (hostile / str(one.attrs.get("src") or one.attrs["href"])).exists()
        if one.type == "image":
            assert len(one.content) > 20


def test_every_expansion_feature_has_its_section(expansions_run: Expansions) -> None:
    """Each expansion feature has its charts and tables in both formats; nothing is 'nan'."""
    folder = expansions_run("greedy", "random")
    text = (folder / "report.md").read_text()
    for heading in ("Sets", "Evolution", "In a game", "Dice", "Power cards", "All numbers"):
        assert f"\n## {heading}\n" in text
    assert not re.search(r"\bnan\b", text)
    tables = analysis.mindbug.read_tables(folder)
    assert set(load_workbook(folder / "report.xlsx").sheetnames) == {"report", *tables}
    drawn = {path.stem for path in (folder / "figures").glob("*.svg")}
    assert drawn == set(re.findall(r"\(figures/([^)]*)\.png\)", text))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a_b*c", "a\\_b\\*c"),
        (" two\n lines\t", "two lines"),
        ("53.1%", "53.1%"),
        ("R&D <b>", "R&amp;D \\<b\\>"),
    ],
)
def test_plain_texts(text: str, expected: str) -> None:
    """A text stands in one line and opens nothing."""
    assert plain(text) == expected


def test_code_cannot_be_left() -> None:
    """A backquote in a text does not end the code."""
    assert code("a `b`\n c_d") == "`a b c_d`"


# ---------------------------------------------------------------------------------- workbook


@pytest.fixture(scope="module")
def book(hostile: Path) -> Workbook:
    """The workbook of the hostile run."""
    return load_workbook(hostile / "report.xlsx")


def test_no_cell_is_a_formula(book: Workbook) -> None:
    """Every text of every sheet is stored as a text, and stays one when its cell is edited."""
    texts = [
        cell
        for sheet in book.worksheets
        for row in sheet.iter_rows()
        for cell in row
        if isinstance(cell.value, str)
    ]
    assert {(cell.data_type, cell.quotePrefix) for cell in texts} == {("s", True)}
    assert set(HOSTILE) < {cell.value for cell in texts}


def test_sheets_hold_the_tables(hostile: Path, book: Workbook) -> None:
    """A sheet for each table with rows, cell by cell, unknown numbers empty."""
    tables = {
        name: table for name, table in analysis.mindbug.read_tables(hostile).items() if len(table)
    }
    assert book.sheetnames == ["report", *tables]
    for name, table in tables.items():
        headings, *rows = book[name].iter_rows(values_only=True)
        assert list(headings) == list(table.columns)
        back = pd.DataFrame(rows, columns=headings)
        for column in table:
            known = table[column].notna() & (table[column] != "")
            found, expected = list(back.loc[known, column]), list(table.loc[known, column])
            is_text = any(isinstance(value, str) for value in expected)
            assert found == (expected if is_text else pytest.approx(expected, rel=1e-14))
            assert back.loc[table[column].isna(), column].isna().all()


def test_sheets_are_made_for_reading(book: Workbook) -> None:
    """Headers stay in sight, rows can be filtered, columns are wide enough and not too wide."""
    for sheet in book.worksheets[1:]:
        assert sheet.freeze_panes.endswith("2")
        assert sheet.auto_filter.ref == sheet.dimensions
        for cell in sheet[1]:
            width = sheet.column_dimensions[cell.column_letter].width
            assert min(len(cell.value), 50) < width <= 60
    assert book["cards"].freeze_panes == "C2"


def test_numbers_have_formats(book: Workbook) -> None:
    """Shares and their intervals are in per cent, differences have their sign, counts none."""
    sheet = book["cards"]
    formats = {
        head.value: cell.number_format for head, cell in zip(sheet[1], sheet[2], strict=True)
    }
    for column in (
        "dealt_win_rate",
        "dealt_ci_low",
        "mindbug_rate",
        "mindbug_rate_ci_high",
        "band",
    ):
        assert formats[column] == FORMATS["share"]
    for column in ("advantage", "advantage_ci_low", "drawn_minus_not_drawn_ci_high"):
        assert formats[column] == FORMATS["difference"]
    assert formats["dealt_n"] == formats["power"] == FORMATS["count"]
    assert formats["mean_turn_played_ci_low"] == FORMATS["number"]
    assert (formats["p_value"], formats["q_value"]) == (FORMATS["p_value"], FORMATS["p_value"])
    by_statistic = {row[0].value: row[3].number_format for row in book["summary"].iter_rows()}
    assert by_statistic["draw_rate"] == FORMATS["share"]
    assert by_statistic["mean_turns"] == by_statistic["variance_turns"] == FORMATS["number"]
    assert by_statistic["power_effect"] == FORMATS["difference"]


def test_every_number_is_known_to_be_a_share_or_not() -> None:
    """Of all columns of a report with broken numbers, these few are not shown in per cent."""
    kinds: dict[str, set[str]] = {}
    for name in (*RUN_TABLES, "skill_cards", "skill_summary", "comparison"):
        for column in TABLES[name].columns:
            if not column.endswith(("ci_low", "ci_high", "_n", "policy", "_id", "name")):
                kinds.setdefault(NumberKinds(TABLES[name]).of(column), set()).add(column)
    assert kinds["number"] == {
        *("mean_turn_played", "mean_mindbugs_used", "mean_turns"),
        *("chi_square", "variance_reduction"),
    }
    assert kinds["difference"] >= {"effect", "change", "difference", "interaction", "shrunk"}


def test_a_column_is_read_by_its_own_table() -> None:
    """Other tables have columns of that name: worth in points here, a number there."""
    kinds = NumberKinds.like(TABLES, ["name", "dealt_win_rate", "advantage", "value"])
    assert kinds.of("value") == "difference"
    assert NumberKinds(TABLES["price_fit"]).of("value") == "number"


def test_first_sheet_tells_the_run_and_the_columns(hostile: Path, book: Workbook) -> None:
    """Who played, n, seed, versions, findings and the meaning of every column are in front."""
    sheet = book.worksheets[0]
    rows = {(row[0], row[1]) for row in sheet.iter_rows(values_only=True)}
    told = dict(rows)
    assert told["Players"] == "random against random"
    assert (told["Games"], told["Seed"]) == ("4,000", "42")
    assert "numba" in told["Versions"] and "fairdeal" in told["Versions"]
    for finding in wording.findings(analysis.mindbug.read_tables(hostile)):
        assert (finding.topic, finding.text) in rows
    for name in book.sheetnames[1:]:
        for column, meaning in TABLES[name].columns.items():
            assert (column, meaning.replace("`", "")) in rows
    linked = {cell.value: cell.hyperlink.location for cell in sheet["A"] if cell.hyperlink}
    assert linked == {name: f"'{name}'!A1" for name in book.sheetnames[1:]}


def test_workbook_is_the_same_bytes_twice(hostile: Path) -> None:
    """Writing it again changes nothing, whatever the time."""
    before = (hostile / "report.xlsx").read_bytes()
    reports.mindbug.write_reports(hostile, ["xlsx"])
    assert (hostile / "report.xlsx").read_bytes() == before


# -------------------------------------------------------------------------------- the command


def test_command_writes_what_is_asked_for(
    hostile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """`report --format` says which files it wrote; only a workbook draws no charts."""
    left = shutil.ignore_patterns("report.*", "figures")
    folder = shutil.copytree(hostile, tmp_path / "run", ignore=left)
    assert run(["report", str(folder), "--format", "xlsx"]) == 0
    assert capsys.readouterr().out == f"report: {folder / 'report.xlsx'}\n"
    assert not (folder / "figures").exists() and not (folder / "report.html").exists()
    assert run(["report", str(folder), "--format", "md , xlsx", "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["page"] is None
    assert answer["reports"] == {name: str(folder / f"report.{name}") for name in ("md", "xlsx")}
    assert str(folder / "figures" / "card_strength.svg") in answer["figures"]


@charts_as("svg", "png")
def test_reports_of_earlier_tables_are_removed(
    hostile: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """A format that is not written anew stays while it tells of the same tables, and no longer."""
    folder = shutil.copytree(hostile, tmp_path / "run")
    mine = folder / "figures" / "mine.png"
    mine.write_bytes(b"my own chart")
    (folder / "figures" / "card_strength.pdf").write_bytes(b"as it was drawn before")
    analysis.mindbug.analyze(folder)  # the same tables again
    assert run(["report", str(folder)]) == 0
    assert (folder / "report.md").exists() and (folder / "report.xlsx").exists()
    tables = analysis.mindbug.read_tables(folder)
    cards = tables["cards"].assign(band=0.01)
    analysis.mindbug.write_tables(
        {"cards": cards}, folder, analysis.mindbug.open_run(folder).identity
    )
    capsys.readouterr()
    with every_kind():
        assert run(["report", str(folder), "--format", "xlsx"]) == 0
    assert "removed report.html and report.md" in capsys.readouterr().err
    assert sorted(path.name for path in folder.glob("report.*")) == ["report.xlsx"]
    left = [path for path in (folder / "figures").iterdir() if path.name != "made.json"]
    assert left == [mine]


def test_only_what_is_compiled_is_announced(
    hostile: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Compiling what tells single games is told of only where one is told."""
    monkeypatch.setattr("simcore.jit.is_compiled", lambda _: False)
    announced = "compiling the engine for single games"
    assert run(["report", str(hostile)]) == 0
    assert capsys.readouterr().err.count(announced) == 1
    table = hostile_cards(HOSTILE)
    few = synthetic_run(tmp_path / "few", table, synthetic_games(table, 1), seed=1)
    analysis.mindbug.analyze(few)
    assert run(["report", str(few)]) == 0
    assert announced not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("xslx", "--format: there is no format 'xslx'; did you mean 'xlsx'? Allowed here: html, "),
        ("html,pdf", "--format: there is no format 'pdf'. Allowed here: html, md, xlsx."),
        ("md,md", "--format: 'md' is named twice"),
        ("md,", "--format: there is no format ''. Allowed here: html, md, xlsx."),
    ],
)
@pytest.mark.parametrize("command", [["report", "nowhere"], ["balance", "first_contact"]])
def test_wrong_formats_are_told(
    said: str,
    message: str,
    command: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A wrong word, or one said twice, ends in one message before anything is played."""
    monkeypatch.chdir(tmp_path)
    assert run([*command, "--format", said]) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert message in err
    assert list(tmp_path.iterdir()) == []


def test_unknown_format_in_python(tmp_path: Path) -> None:
    """From Python a wrong word is a ValueError, before anything is read."""
    with pytest.raises(ValueError, match="no format 'word'"):
        reports.mindbug.write_reports(tmp_path, ["word"])
