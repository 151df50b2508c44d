"""The price list of a game that somebody brings."""

import json
import re
from pathlib import Path

import pytest

from reports.cli.app import run
from support.own_games import example


@pytest.fixture
def said(tmp_path, monkeypatch, capsys):
    """Runs the command on an example game: the exit status, and what it prints."""
    monkeypatch.chdir(tmp_path)

    def prices(name, *words):
        code = run(["prices", str(example(name, tmp_path)), "--policy", "random", *words])
        told = capsys.readouterr()
        return code, told.out, told.err

    return prices


def test_a_larger_die_is_worth_more(said):
    """In the race a die with more sides moves farther, and the list says so with an interval."""
    code, out, err = said("race", "--batches", "12", "--games", "300", "--json")
    assert code == 0, err
    rows = {row["thing"]: row for row in json.loads(out)["prices"]}
    sides = rows["one more sides"]
    assert 0 < sides["price_ci_low"] < sides["price"] < sides["price_ci_high"]
    # Its dice move far: no list knows one to 6 points, so none has a price.
    told = json.loads(out)
    assert [row["n"] for row in told["price_quality"]] == [0, 0, 0, 0]
    assert "and so have no price" in told["findings"][0]["text"]
    page = Path(told["page"]).read_text(encoding="utf-8")
    assert "The list knows no die with other values to within 6 points." in page
    assert "nan" not in re.findall(r"<td[^>]*>([^<]*)", page)


def test_the_cards_of_a_deck_have_prices_and_their_copies_stay(said):
    """Drawn anew, a deck would have some hundred cards instead of twenty."""
    code, out, err = said("factions", "--batches", "4", "--games", "200", "--json")
    assert code == 0, err
    things = {row["thing"] for row in json.loads(out)["prices"]}
    assert {"one more strength", "one more cost"} <= things
    assert not [thing for thing in things if "pup" in thing]


@pytest.mark.parametrize(
    ("name", "words", "told"),
    [
        ("lines", (), "no entry of Lines has a value that can be drawn; give its fields ranges"),
        ("race", ("--batches", "3"), "write more entries, or type --batches 10"),
    ],
)
def test_a_game_without_a_list_says_what_is_missing(said, name, words, told):
    """One message, and exit status 2."""
    code, out, err = said(name, *words)
    assert (code, out) == (2, "")
    assert told in err
    assert "Traceback" not in err
