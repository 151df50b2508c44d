"""The commands that write spreadsheets and card files, and cards of every kind on the screen."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from card_data.mindbug.loader import set_path


@pytest.fixture
def ask(ask):
    """Run a command about cards in an empty folder."""
    return partial(ask, "cards")


@pytest.mark.parametrize("table", ["table.csv", "table.xlsx"])
def test_set_goes_through_a_table(ask, table: str) -> None:
    """What export writes, import makes the same card file of."""
    answer = ask("export", "king_of_tokyo", table)
    assert (answer.status, answer.out) == (0, f"{table}: Mindbug x King of Tokyo, 48 cards\n")
    assert ask("import", table, "king_of_tokyo.toml").status == 0
    assert Path("king_of_tokyo.toml").read_text() == set_path("king_of_tokyo").read_text()


def test_own_cards_go_through_a_table(ask) -> None:
    """A file of one's own can be exported; the name of the new file is the id of the set."""
    Path("mine.toml").write_text('name = "Mine"\n[rat]\nname = "Rat"\npower = 1\n')
    assert ask("export", "mine.toml", "mine.csv").out == "mine.csv: Mine, 1 card\n"
    assert ask("import", "mine.csv", "new.toml").out == "new.toml: Mine, 1 card\n"
    assert ask("list", "new.toml", "--json").json[0]["set"] == "new"


def test_files_are_not_lost(ask) -> None:
    """A file with other contents is replaced only if that is asked for."""
    Path("a.csv").write_text("mine")
    ask("export", "first_contact", "a.csv").refused("--force replaces it")
    assert Path("a.csv").read_text() == "mine"
    assert ask("export", "first_contact", "a.csv", "--force").status == 0
    assert ask("export", "first_contact", "a.csv").status == 0  # it is what would be written


def test_faults_of_a_table_stop_the_import(ask) -> None:
    """Every fault is printed with its cell, and no file is written."""
    Path("a.csv").write_text("card_id,name,power,play\nrat,Rat,100,gian 1 life\n")
    ask("import", "a.csv", "a.toml").refused(
        "a.csv: row 2, column C (power): rat: 100 is not a whole number",
        "row 2, column D (play), character 1: rat: 'gian' is not a word",
        lines=2,
    )
    assert not Path("a.toml").exists()


def test_how_a_table_was_read_is_said(ask) -> None:
    """Notes go to stderr: what was left out above the headings and below, and what was made up."""
    Path("a.csv").write_text("sep=;\nMy cards;;\nname;power;ability\nRat;5.0;\n;5;\n")
    answer = ask("import", "a.csv", "a.toml")
    assert (answer.status, answer.out) == (0, "a.toml: A, 1 card\n")
    assert answer.err.splitlines() == [
        "a.csv: row 2 names the columns; row 1 above it is left out",
        "a.csv: row 4, below the last card, is left out: it holds formulas or numbers, and no card",
        "a.csv: there are no card ids; they are made of the names: rat",
    ]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["export", "first_contact", "a.ods"], "end it in .csv or .xlsx"),
        (["export", "first_contct", "a.csv"], "did you mean 'first_contact'?"),
        (["export", "first_contact", "none/a.csv"], "none/a.csv: No such file or directory"),
        (["import", "none.csv", "a.toml"], "none.csv: there is no such file"),
        (["import", "none.csv", "a.csv"], "a.csv is not a card file; end it in .toml"),
    ],
)
def test_bad_input_gets_one_clear_message(ask, arguments: list[str], message: str) -> None:
    """The exit status is 2 and the message says what is wrong."""
    ask(*arguments).refused(message, lines=1)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("mimic", "'big_box_mimic' or 'deckbox_mimic' or 'tuckbox_mimic'"),
        ("tadpol", "'curious_tadpole'"),
        ("kller bee", "'killer_bee'"),
    ],
)
def test_cards_that_may_be_meant_are_named(ask, said: str, meant: str) -> None:
    """Those with the word in their name, else the nearest name, else those with a word like it."""
    ask("show", said).refused(f"there is no card '{said}'; did you mean {meant}?")


def test_headings_tell_cards_from_their_copies(ask) -> None:
    """Copies, later stages and power cards are counted apart."""
    told = ask("list", "promos", "king_of_tokyo").out.splitlines()
    assert "promos: Promo cards 2022-2024, 28 creatures (28 copies), 4 later stages" in told
    assert (
        "king_of_tokyo: Mindbug x King of Tokyo, 32 creatures (32 copies),"
        " 16 power cards (16 copies)"
    ) in told


def test_cards_of_every_kind_are_shown(ask) -> None:
    """Power cards, dice, stages and abilities in the discard pile are listed and shown."""
    assert "Ambush (ambush)" in ask("show", "ambush").out
    assert "power card, costs 2 energy" in ask("show", "ambush").out
    assert "    in_discard = when you lose life, you may play this" in ask("show", "hyenix").out
    assert "1 die" in ask("show", "cybertooth").out
    facts = ask("list", "king_of_tokyo", "beyond_evolution", "--json").json
    assert sum("cost" in card for card in facts) == 16
    later = [card for card in facts if card.get("stage", 1) > 1]
    assert all(card["copies"] == 0 for card in later)
    assert "reached by evolving" in ask("show", later[0]["card_id"]).out
