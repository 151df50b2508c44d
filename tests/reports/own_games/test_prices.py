"""The price list of a game that somebody brings."""

import json
import re
from pathlib import Path

import pytest

from reports.cli.app import run
from reports.games import reports_of
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
    rows = {row["thing"]: row for row in json.loads(out)["prices"]}
    assert {"one more strength", "one more cost"} <= {*rows}
    assert not [thing for thing in rows if "pup" in thing]
    # In the studio it prices a card while its values are typed.
    bench = reports_of("own_games").studio_of("factions.py")
    assert bench is not None
    chosen = {one.name: one.usual for one in bench.choices()}
    text = Path("factions.toml").read_text()
    stronger = text.replace("cost = 3\nstrength = 3", "cost = 3\nstrength = 9")
    was, now = (bench.price(one, "f.toml", "wolf", chosen) for one in (text, stronger))
    assert was is not None and now is not None
    assert was.value.startswith("about ") and was.unit == "points of win rate"
    assert was.by == "By the price list of Factions, played by random" and not was.why
    low, high = (dict(one.lines)["strength"].replace("\N{MINUS SIGN}", "-") for one in (was, now))
    assert float(low) < 0 < float(high)
    faction = "[faction.pack]\ncards = { pup = 40 }\n"
    assert bench.price(faction, "f.toml", "pack", chosen) is None  # decks are not priced here


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
