"""The price list of a game that somebody brings."""

import json
import re
import shutil
from pathlib import Path

import openpyxl
import pytest

from analysis.own_games.prices import OwnPriceBatches
from analysis.questions.price_batches import Played, pricer_in
from card_data.schema.changes import changed_entry
from reports.games import reports_of
from reports.own_games.options import load_table
from support.office import computed
from support.own_games import example

DECK = "factions", "--batches", "4", "--games", "200"


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    """A folder in which each list is played once."""
    return tmp_path_factory.mktemp("prices")


@pytest.fixture
def said(ask, place, monkeypatch):
    """Runs the command on an example game."""
    monkeypatch.chdir(place)

    def prices(name, *words):
        player = () if "--policy" in words else ("--policy", "random")
        return ask("prices", example(name, place), *player, *words)

    return prices


def test_a_larger_die_is_worth_more(said):
    """In the race a die with more sides moves farther, and the list says so with an interval."""
    out = said("race", "--batches", "10", "--games", "100", "--json").done().out
    rows = {row["thing"]: row for row in json.loads(out)["prices"]}
    sides = rows["one more sides"]
    assert 0 < sides["price_ci_low"] < sides["price"] < sides["price_ci_high"]
    # Its dice move far: no list knows one to 6 points, so none has a price.
    told = json.loads(out)
    assert [row["n"] for row in told["price_quality"]] == [0, 0, 0]
    assert "and so have no price" in told["findings"][0]["text"]
    page = Path(told["page"]).read_text(encoding="utf-8")
    assert "The list knows no die with other values to within 6 points." in page
    assert "nan" not in re.findall(r"<td[^>]*>([^<]*)", page)


def test_the_cards_of_a_deck_have_prices_and_their_copies_stay(said):
    """Drawn anew, a deck would have some hundred cards instead of twenty."""
    rows = {row["thing"]: row for row in said(*DECK, "--json").json["prices"]}
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


def test_no_rule_runs_where_there_is_no_list(tmp_path, monkeypatch):
    """While somebody types, rules that do not end keep nobody waiting."""
    monkeypatch.chdir(tmp_path)
    path = example("duel", tmp_path)
    begins, endless = "        self.deck.fill(", "        while True: pass\n"
    path.write_text(path.read_text().replace(begins, endless + begins, 1))
    bench = reports_of("own_games").studio_of(path.name)
    assert bench is not None
    chosen = {one.name: one.usual for one in bench.choices()}
    text = path.with_suffix(".toml").read_text()
    assert bench.price(text, "duel.toml", "sling", chosen) is None


def test_an_entry_is_brought_to_a_target(said):
    """Its price line by line, and the values that bring it nearest to so many points."""
    [price] = said(*DECK, "--entry", "Wolf", "--json").json["cards"]
    assert (price["card_id"], price["name"]) == ("wolf", "Wolf")
    lines = {line["line"]: line["points"] for line in price["lines"]}
    assert sum(lines.values()) == pytest.approx(price["price"], abs=0.05)
    target = price["price"] + 0.5
    asked = "--entry", "wolf", "--target", f"{target}", "--keep", "cost", "--json"
    made = said(*DECK, *asked).json["designs"]
    assert 0 < len(made) <= 15
    off = [abs(one["price"] - target) for one in made]
    assert off[0] < 0.1
    assert [round(one, 1) for one in off] == pytest.approx(sorted(round(one, 1) for one in off))
    for one in made:
        assert 1 <= len(one["changes"]) <= 2
        for change in one["changes"]:
            assert change["what"] != "cost" and change["before"] != change["after"]
    # What is kept may have a comma in its name.
    words = "words, guard, cost, words, burn"
    kept = said(*DECK, "--entry", "wolf", "--target", "0", "--keep", words, "--json").json
    changed = {one["what"] for made in kept["designs"] for one in made["changes"]}
    assert changed == {"strength", "words, draw", "words, quick"}
    # Two changes of an entry come once, in the order of its fields.
    every = [tuple(change["what"] for change in one["changes"]) for one in made]
    assert all(one == tuple(sorted(one)) for one in every)
    out = said(*DECK, "--entry", "wolf", "--target", "0").done().out
    assert "Nearest to the average, by the price list, not played yet:" in out
    assert "\N{RIGHTWARDS ARROW}" in out and "\nprice list: " in out


@pytest.mark.skipif(not shutil.which("soffice"), reason="LibreOffice is not installed")
def test_the_sheet_gives_the_prices_of_the_command(said, tmp_path):
    """LibreOffice computes what the list says of entries as they are, and with other values."""
    folder = said(*DECK, "--sheet", "prices.xlsx", "--json").json["folder"]
    book = openpyxl.load_workbook("prices.xlsx")
    assert book.sheetnames == ["Price list", "Your cards", "Formula of cards"]
    sheet = book["Your cards"]
    heads = [cell.value for cell in sheet[1]]
    rows = {sheet.cell(row, 1).value: row for row in range(2, sheet.max_row + 1)}
    at = {name: heads.index(name) + 1 for name in ("strength", "words, guard", "price in points")}
    sheet.cell(rows["wolf"], at["strength"]).value = 4
    sheet.cell(rows["hound"], at["strength"]).value = 99  # beyond the range of the field
    sheet.cell(rows["scout"], at["words, guard"]).value = "perhaps"
    book.save(tmp_path / "mine.xlsx")
    found = computed(tmp_path / "mine.xlsx", tmp_path)["Your cards"]
    value = {
        name: found.cell(row, at["price in points"]).value for name, row in rows.items() if name
    }
    for name, values in {"pup": {}, "alpha": {}, "wolf": {"strength": 4}}.items():
        assert value[name] == pytest.approx(_priced(folder, name, values)), name
    assert value["hound"] == value["scout"] == "no price"
    last = found.max_row
    assert found.cell(last, 1).value is None
    assert found.cell(last, at["price in points"]).value in (None, "")


def _priced(folder, name, values):
    """What the list in a folder says of an entry of the deck with other values."""
    batches = OwnPriceBatches(load_table(["factions.py"], None, ()), 4, 0, "random")
    pricer = pricer_in(Path(folder), "own_games", batches)
    assert pricer is not None
    kind, entry = next(one for one in batches.entries if one.entry.id == name)
    for number, value in values.items():
        entry = changed_entry(kind, entry, number, value)
    return sum([points for _, points in pricer.price(Played(kind, entry)).lines])


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--entry", "wulf"), "--entry: there is no card 'wulf'; did you mean 'wolf'?"),
        (("--target", "0"), "--target is for one of the cards; name it: --entry pup"),
        (("--entry", "wolf", "--keep", "cost"), "--keep is for --target"),
        (
            ("--entry", "wolf", "--target", "0", "--keep", "costs"),
            "--keep: there is no value 'costs'; did you mean 'cost'?",
        ),
        (("--entry", "wolf", "--target", "31"), "--target: 31 is not between -30 and 30 points"),
        (("--sheet", "prices.csv"), "--sheet is prices.csv; end its name in .xlsx"),
        (
            ("--entry", "wolf", "--policy", "random,greedy"),
            "--policy is random,greedy, whose lists are compared; name one player for --entry",
        ),
    ],
)
def test_what_is_asked_of_the_list_wrongly_is_told(said, words, told):
    """One message, and exit status 2."""
    said(*DECK, *words).refused(told)


@pytest.mark.parametrize(
    ("name", "words", "told"),
    [
        ("lines", (), "no entry of Lines has a value that can be drawn; give its fields ranges"),
        ("race", ("--batches", "3"), "write more entries, or type --batches 10"),
    ],
)
def test_a_game_without_a_list_says_what_is_missing(said, name, words, told):
    """One message, and exit status 2."""
    said(name, *words).refused(told)
