"""What a form shows and changes, and what can be written at a place, without a browser."""

from __future__ import annotations

import base64
import tomllib
from pathlib import Path

import pytest
from starlette.requests import Request

from card_data.cells import MAX_BYTES
from card_data.faults import CardFileError
from card_data.mindbug import load_sets, parse_set
from card_data.mindbug.card_fields import CARD_FIELDS
from card_data.mindbug.language.formatter import format_cards
from reports.cli.console import InputError
from reports.mindbug.studio.bench import BENCH
from reports.studio.complete import options_in_field, options_in_text
from reports.studio.editing import Sheet
from reports.studio.form_views import form_part
from reports.studio.guard import Secrets
from reports.studio.project import Project
from reports.studio.server import Studio
from reports.studio.tables import ThereError, opened, received, saved
from reports.studio.work import Desk

from .conftest import CARDS

FORMS, TABLES = BENCH.forms, BENCH.tables


def test_the_form_has_every_field_that_the_reader_knows() -> None:
    """Its fields are those of the registry, in that order, each once in its kind."""
    names = {one.name for kind in FORMS.kinds.values() for one in kind.fields}
    assert names == set(CARD_FIELDS)
    order = [*CARD_FIELDS]
    for kind in FORMS.kinds.values():
        places = [order.index(one.name) for one in kind.fields]
        assert places == sorted(places) or kind.title == "power card"
    assert not [one for kind in FORMS.kinds.values() for one in kind.fields if one.shape == "other"]


@pytest.mark.parametrize("kind", ["creature", "power card"])
def test_a_new_entry_has_no_fault(kind: str) -> None:
    """What the form adds can be played as it is, whatever its name."""
    text = 'name = "S"\n'
    for name in ("Ogre", "Ogre!", '"; [x]\n', "", "name"):
        try:
            text = Sheet(FORMS, text).with_new(kind, name).text
        except InputError:
            continue
    found = parse_set(text.replace('name = ""', 'name = "Nobody"'), "s.toml")
    assert len(found.cards) + len(found.power_cards) >= 3


def test_a_change_of_a_shipped_card_is_that_card() -> None:
    """Every card that comes with fairdeal can be taken over by its name, as it is."""
    for card_set in load_sets(["first_contact"]):
        for card in card_set.cards[:5]:
            text = Sheet(FORMS, 'name = "S"\n').with_new("creature", card.name).text
            assert parse_set(text, "s.toml").cards == (card,)


def test_what_is_not_there_is_refused() -> None:
    """Entries, kinds, fields and ids that do not exist end in a message."""
    sheet = Sheet(FORMS, CARDS)
    for refused in (
        lambda: sheet.with_value("nobody", "power", "3"),
        lambda: sheet.with_value("marsh_lantern", "pwer", "3"),
        lambda: sheet.with_value("marsh_lantern", "power", 3),
        lambda: sheet.with_value("marsh_lantern", "power", ["3"]),
        lambda: sheet.with_value("marsh_lantern", "play", "\x7f"),
        lambda: sheet.with_new("hero", "X"),
        lambda: sheet.without("nobody"),
        lambda: sheet.with_copy(""),
        lambda: sheet.renamed("marsh_lantern", "a]\n[b"),
        lambda: sheet.with_value("name", "power", "3"),
        lambda: Sheet(FORMS, "[" * 9),
    ):
        with pytest.raises(InputError):
            refused()


def test_a_new_id_is_followed_where_the_card_is_named() -> None:
    """A card that evolves goes on evolving into the same one; comments keep the old word."""
    text = (
        '[moth]\nname = "Moth"\nevolves_to = "queen"  # my queen\n\n'
        '[queen]\nname = "queen"\ncopies = 0\n'
    )
    edited = Sheet(FORMS, text).renamed("queen", "moth_queen")
    wanted = text.replace('= "queen"  #', '= "moth_queen"  #').replace("[queen]", "[moth_queen]")
    assert edited == (wanted, "moth_queen")


def test_entries_written_otherwise_are_refused_not_garbled() -> None:
    """An inline table is shown, and a change of it is either right or refused."""
    text = 'name = "S"\nogre = { name = "Ogre", power = 3 }\n'
    assert 'value="3"' in form_part(BENCH, text, [], "ogre")
    with pytest.raises(InputError, match="change it in the text"):
        Sheet(FORMS, text).with_value("ogre", "power", "4")


@pytest.mark.parametrize(
    ("before", "behind", "wanted"),
    [
        (f"{CARDS}[ki", "", "killer_bee]"),
        (f"{CARDS}[ki", "]\n", "killer_bee"),
        (f"{CARDS}", "", 'defeated = ""'),
        (f"{CARDS}keywords = [", "]\n", '"HUNTER"'),
        (f'{CARDS}keywords = ["TOUGH", "', "", 'HUNTER"'),
        (f'{CARDS}constant = [\n    "this has TOUGH",\n    "this has ', "", "FRENZY"),
        (f'{CARDS}[b]\nevolves_to = "ma', "", "marsh_lantern"),
        (f'{CARDS}[b]\nname = "Killer', "", "Killer Bee"),
        (f"{CARDS}[b]\ncost = 3\nbou", "", 'bought = ""'),
        ("na", "", 'name = ""'),
    ],
)  # fmt: skip
def test_what_can_be_written_at_a_place(before: str, behind: str, wanted: str) -> None:
    """Ids, fields, keywords, names and words, in a text that is not whole yet."""
    options = options_in_text(FORMS, before + behind, len(before))
    assert wanted in [one.text for one in options]


@pytest.mark.parametrize(
    "before", [f"{CARDS}# ga", f'{CARDS}x = "ga', f"{CARDS}power = ", f'{CARDS}"', "[", '"""', "\0"]
)
def test_nothing_is_offered_where_nothing_is_known(before: str) -> None:
    """Comments, unknown fields, numbers and nonsense are left alone."""
    assert options_in_text(FORMS, before, len(before)) == [] or before == "["


def test_words_in_a_field_of_the_form() -> None:
    """A field of the form offers what the text offers at its place."""
    options = options_in_field(FORMS, CARDS, "marsh_lantern", "play", "gain 1 l")
    assert [(one.typed, one.text) for one in options] == [(1, "life")]


@pytest.mark.parametrize(
    ("name", "content", "wanted"),
    [
        ("play", "Your opponent discards a c", "card"),
        ("constant", "While you control no ", "other"),
        ("text", "Play: Gain 1 life. Att", "Attack: "),
        ("text", "Play: Defeat every enemy ", "creature"),
    ],
)
def test_sentences_of_cards_are_completed(name: str, content: str, wanted: str) -> None:
    """What stands on a card is offered as what stands in a file is, and a rules box as a whole."""
    options = options_in_field(FORMS, CARDS, "marsh_lantern", name, content)
    assert wanted in [one.text.strip() for one in options] + [one.text for one in options]


def test_a_card_is_shown_as_it_would_be_printed() -> None:
    """The card beside the text has the words that were typed, if they are those of a card."""
    said = "Attack: Your opponent discards a card."
    text = f'name = "T"\n[rat]\nname = "Rat"\npower = 1\ntext = "{said}"\n'
    [face] = BENCH.check(text, "t.toml").faces
    assert list(face.lines) == [said]
    with_line = text.replace(f'text = "{said}"', 'attack = "the opponent discards a card"')
    assert BENCH.check(with_line, "t.toml").faces == [face]


def test_spreadsheets_are_read_and_written_as_by_the_commands(tmp_path: Path) -> None:
    """All cards of a set go into a spreadsheet and back, and a file that differs is not lost."""
    project, [card_set] = Project(tmp_path), load_sets(["first_contact"])
    (tmp_path / "mine.toml").write_text(format_cards(card_set))
    for suffix in TABLES.suffixes:
        name = saved(project, TABLES, "mine.toml", suffix, replace=False)
        assert opened(project, TABLES, name, "", replace=False) == "mine.toml"
    assert parse_set((tmp_path / "mine.toml").read_text(), "x.toml").cards == card_set.cards
    (tmp_path / "mine.toml").write_text(CARDS)
    with pytest.raises(ThereError, match="stays among its versions"):
        opened(project, TABLES, "mine.csv", "", replace=False)
    opened(project, TABLES, "mine.csv", "", replace=True)
    assert "first_contact" not in (tmp_path / "mine.toml").read_text()[:20]
    assert CARDS in [path.read_text() for path in (tmp_path / "history").rglob("*.toml")]


def test_what_a_spreadsheet_left_open_stands_above_its_cards(tmp_path: Path) -> None:
    """The notes that ``cards import`` prints are comments of the file that is opened."""
    (tmp_path / "mine.csv").write_text("My cards\nname,power\nRat,1\n")
    opened(Project(tmp_path), TABLES, "mine.csv", "", replace=False)
    lines = (tmp_path / "mine.toml").read_text().splitlines()
    assert lines[:2] == [
        "# mine.csv: row 2 names the columns; row 1 above it is left out",
        "# mine.csv: there are no card ids; they are made of the names: rat",
    ]
    assert lines[2].startswith("name = ") and "[rat]" in lines


def test_what_is_no_spreadsheet_is_not_taken(tmp_path: Path) -> None:
    """Names that lead elsewhere, broken data, and too much of it leave the folder as it was."""
    project = Project(tmp_path)
    rows = base64.b64encode(b"card_id,name,power\na,A,3\n").decode()
    much = base64.b64encode(b"a" * (MAX_BYTES + 1)).decode()
    for name, data in (
        ("../x.csv", rows), ("/x.csv", rows), ("x.toml", rows), ("x.csv/y.csv", rows),
        (".x.csv", rows), ("x.csv", "no base64"), ("x.csv", much), ("x.xlsx", rows),
    ):  # fmt: skip
        with pytest.raises((InputError, CardFileError)):
            received(project, TABLES, name, "", data, replace=True)
    assert [*tmp_path.iterdir()] == []
    (tmp_path / "out.csv").symlink_to(tmp_path.parent / "secret.csv")
    with pytest.raises(InputError):
        received(project, TABLES, "out.csv", "", rows, replace=True)
    assert not (tmp_path.parent / "secret.csv").exists()


def test_the_form_of_a_power_card_and_of_nothing() -> None:
    """A power card has its own fields, and an empty file asks for its name and a card."""
    text = Sheet(FORMS, 'name = "S"\n').with_new("power card", "Coin").text
    shown = form_part(BENCH, text, [], "coin")
    assert "f:cost:0" in shown and "f:bought:0" in shown and "f:power:0" not in shown
    assert tomllib.loads(text)["coin"]["cost"] == 3
    assert "f:file:name:0" in form_part(BENCH, "", [], "") and "f:new" in form_part(
        BENCH, "", [], ""
    )


class _Plain(type(BENCH)):  # type: ignore[misc]
    """A game whose files are text alone."""

    forms = tables = None


def test_a_game_without_a_form_shows_the_text_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its page has no form, no completion and no spreadsheets, and asking for them is refused."""
    (tmp_path / "mine.toml").write_text(CARDS)
    monkeypatch.chdir(tmp_path)
    studio = Studio(Project(tmp_path), Desk({"mindbug": _Plain()}), Secrets())
    asked = {
        "game": "mindbug",
        "file": "mine.toml",
        "text": CARDS,
        "form": "",
        "entry": "",
        "name": "x",
    }
    page = studio.index(Request({"type": "http", "query_string": b"", "headers": []}))
    html = bytes(page.body).decode()
    assert 'id="text"' in html
    assert not [one for one in ("views", "form", "options", "tables") if f'id="{one}"' in html]
    assert 'data-for="form"' not in studio.check(asked)["html"]
    for refused in (studio.edit, studio.complete, studio.save_table):
        with pytest.raises(InputError, match="game"):
            refused(asked | {"before": "", "as": ".csv", "change": "copy"})
