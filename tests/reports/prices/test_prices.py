"""The command `fairdeal prices`: what it prints, what it prices, and what it says of faults."""

import json
import re
import shutil
from pathlib import Path

import openpyxl
import pandas as pd
import pytest

from analysis.mindbug.experiments import prices as experiment
from analysis.mindbug.experiments.price_designs import card_of
from analysis.mindbug.experiments.price_features import CardDescriber
from analysis.mindbug.experiments.prices import PriceGames
from analysis.mindbug.experiments.strong import STRONG_TABLES, keep_strong
from analysis.mindbug.runs import open_run
from analysis.questions.price_list import PRICE_TABLES, PRICES, Pricer, compare_players
from card_data.mindbug import load_pool
from card_data.mindbug.vocabulary import Keyword
from reports.cli.app import run
from reports.mindbug.studio.bench import BENCH
from reports.prices.text import player_findings
from support.fast_game import DATA
from support.office import computed

_SMALL = ("--policy", "greedy", "--batches", "3", "--batch-cards", "60", "--games", "4000")
_MINE = """\
name = "Mine"
[hush_moth]
name = "Hush Moth"
power = 2
keywords = ["POISONOUS"]
[last_word]
name = "Last Word"
power = 5
play = "win the game"
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder with cards of one's own, in which a small list is made once."""
    place = tmp_path_factory.mktemp("prices")
    (place / "mine.toml").write_text(_MINE, encoding="utf-8")
    (place / "me.py").write_text("def choose(seen):\n    return 0\n", encoding="utf-8")
    return place


@pytest.fixture
def said(ask, folder, monkeypatch):
    """Runs the command in the folder."""

    def prices(*words):
        monkeypatch.chdir(folder)
        return ask("prices", *words)

    return prices


def test_the_quality_comes_before_the_prices(said):
    """A list says first how good it is, and then what things are worth."""
    out = said("first_contact", *_SMALL).done().out
    assert out.startswith("The list prices a new card to within ")
    assert "one more power" in out
    assert "SNEAKY" in out
    assert out.index("left out") < out.index("SNEAKY")


def test_cards_are_priced_at_once(said):
    """With --json each card has its price and interval in points, or none and the reason."""
    said("first_contact", *_SMALL)
    moth, last = said("mine.toml", "first_contact", *_SMALL, "--json").json["cards"]
    assert moth["card_id"] == "hush_moth"
    assert moth["ci_low"] < moth["price"] < moth["ci_high"]
    assert sum(one["points"] for one in moth["lines"]) == pytest.approx(moth["price"], abs=0.05)
    assert [last[name] for name in ("price", "ci_low", "ci_high")] == [None, None, None]
    assert last["reason"] == "no price for “win the game”: never played"


def test_a_price_is_told_apart_from_what_was_played(said):
    """Beside a price stands that it was not played, and how to play it; the page is the list."""
    _, out, _ = said("first_contact", "mine.toml", *_SMALL)
    assert "by the price list, not played yet" in out
    assert "\n  fairdeal verdict mine.toml first_contact --policy greedy\n" in out
    assert "\nprice list: " in out and "report: " not in out


def test_the_page_says_first_how_good_the_list_is(said):
    """The page has the sentence, the cost curve, and one row for each card of the pool."""
    _, out, _ = said("first_contact", *_SMALL)
    page = Path(out.split("report: ")[1].split()[0]).read_text(encoding="utf-8")
    assert "The list prices a new card to within" in page
    assert page.index('id="quality"') < page.index('id="prices"') < page.index('id="curve"')
    assert all(card.name in page for card in load_pool(["first_contact"]).sets[0].cards[:5])


def test_the_cost_counts_the_lessons(said):
    """Games and lessons are told apart, with the time that learning takes."""
    told = said("first_contact", "--seed", "1", "--dry-run", "--json", "--threads", "1").json
    games, _, tests = told["plays"]
    assert (games["games"], tests["games"]) == (240_000, 6 * 2_000)
    played = [one["games"] / one["games_per_second"] for one in told["plays"]]
    lesson = PriceGames(pool=load_pool(["first_contact"])).lesson
    assert lesson is not None
    assert lesson.learning > 0
    learning = lesson.learning * played[1]
    for processors, seconds in told["seconds"].items():
        assert seconds == pytest.approx((sum(played) + learning) / int(processors))


@pytest.mark.parametrize("field", ["", "attack: "])
def test_designs_keep_what_is_asked(said, field):
    """Cards with what is kept, the one nearest to the target first, as the list prices them."""
    words = ("--target", "0", "--keep", f"SNEAKY, {field}gain 2 life", "--json")
    _, out, err = said("first_contact", *_SMALL, *words)
    found = json.loads(out)["designs"]
    assert found, err
    assert all("SNEAKY" in one["keywords"] for one in found)
    assert {one["text"] for one in found} <= {f"{field}gain {n} life" for n in range(1, 5)}
    sizes = [abs(one["price"]) for one in found]
    assert sizes == sorted(sizes)


def test_two_players_have_their_lists_side_by_side(said):
    """Of each thing both prices and the difference are told, and the page leads to both lists."""
    _, first, _ = said("first_contact", *_SMALL, "--json")
    players = ("--policy", "greedy,random", *_SMALL[2:])
    told = said("first_contact", *players, "--json").json
    assert told["players"] == ["greedy", "random"]
    assert told["lists"][0] == json.loads(first)["folder"]
    alone = {(row["field"], row["thing"]): row["price"] for row in json.loads(first)["prices"]}
    assert told["price_players"]
    for row in told["price_players"]:
        assert row["first"] == pytest.approx(alone[row["field"], row["thing"]])
        assert row["gap"] == pytest.approx(row["first"] - row["second"])
        assert row["gap_ci_low"] < row["gap"] < row["gap_ci_high"]
    page = Path(told["page"])
    text = page.read_text(encoding="utf-8")
    assert "Worth more to greedy" in text or "Favourites of greedy" in text
    for folder in told["lists"]:
        assert f"../{Path(folder).name}/prices.html" in text
    out = said("first_contact", *players).done().out
    assert "favourite of" in out
    assert "Favourites of random: " in out


def test_favourites_are_told_with_their_difference():
    """What is shown to be worth more to one of two players is named, with interval."""
    lines = {"kind": "line", "field": "play", "thing": ["gain 1 life", "draw a card"]}
    both = [
        PRICES.frame(
            pd.DataFrame(
                {
                    **lines,
                    "price": price,
                    "price_ci_low": [one - 1.0 for one in price],
                    "price_ci_high": [one + 1.0 for one in price],
                    "spread": 0.0,
                    "n_cards": 10,
                }
            ).to_dict("records")
        )
        for price in ([5.0, 1.0], [0.0, 1.5])
    ]
    for lists, of in ((both, 1), (both[::-1], 2)):  # told of either as more, not as less
        table = compare_players(*lists)
        told = [one.text for one in player_findings(table, ("greedy", "expert"))]
        assert told[0].startswith("1 of 2 things")
        more = f"Worth more to {('greedy', 'expert')[of - 1]}, in points: play gain 1 life"
        assert told[of] == f"{more} +5.0 (+3.6 to +6.4)."
        other = ("greedy", "expert")[2 - of]
        assert told[3 - of] == f"Nothing is shown to be worth more to {other}."


@pytest.mark.parametrize(
    ("ends", "told"),
    [
        ((1.1, 1.5), "prices are likely to stretch with them."),
        ((0.6, 0.9), "prices are likely to shrink with them."),
        ((0.9, 1.4), "that prices stretch with them is not shown."),
    ],
)
def test_stronger_play_is_told_where_it_was_asked(said, folder, ends, told):
    """By how much strong play stretches worths, from a run of the same pool and player."""
    run_of = ("first_contact", "--policy", "greedy", "--games", "300", "--seed", "5")
    place = folder / "runs" / "strong"
    if not place.is_dir():
        run(["simulate", *run_of, "--out", str(place)])
    played = open_run(place)
    row = {"policy": "search:400", "n_games": 800, "weaker": "greedy", "weaker_n_games": 300}
    slope = {"slope": 1.2, "slope_ci_low": ends[0], "slope_ci_high": ends[1]}
    tables = {
        "strong_cards": STRONG_TABLES["strong_cards"].frame([]),
        "strong_summary": STRONG_TABLES["strong_summary"].frame([row | slope]),
    }
    keep_strong(tables, played)
    _, out, _ = said("first_contact", *_SMALL)
    flat = " ".join(out.split())
    assert "Stronger play: Where search:400 plays, cards are 1.20 " in flat
    assert told in flat
    for other in (
        ("beyond_eternity", *_SMALL),
        ("first_contact", "--policy", "random", *_SMALL[2:]),
    ):
        assert "Stronger play" not in said(*other)[1]


_CARDS = (
    (5, "", "", None),
    (2, "SNEAKY, TOUGH", "", None),
    (9, "SNEAKY, TOUGH, HUNTER, POISONOUS, FRENZY", "play: gain # life", 2),
    (3, "POISONOUS", "attack: defeat an enemy creature", None),
    (7, "TOUGH", "play: the opponent discards # cards", 3),
    (4, "HUNTER", "play: draw the moon", 1),
)


@pytest.mark.skipif(not shutil.which("soffice"), reason="LibreOffice is not installed")
def test_the_sheet_gives_the_prices_of_the_command(said, tmp_path):
    """LibreOffice computes for one's own cards what the command says of them."""
    _, out, _ = said("first_contact", *_SMALL, "--sheet", "prices.xlsx")
    book = openpyxl.load_workbook("prices.xlsx")
    for row, (power, keywords, effect, amount) in enumerate(_CARDS, 2):
        for column, value in enumerate((power, keywords, effect, amount), 2):
            book["Your cards"].cell(row, column).value = value or None
    book.save(tmp_path / "mine.xlsx")
    found = _computed(tmp_path / "mine.xlsx", tmp_path)
    pricer = _pricer(Path(out.split("tables: ")[1].split()[0]))
    for value, (power, keywords, effect, amount) in zip(found, _CARDS[:-1], strict=False):
        field, _, text = effect.replace("#", str(amount)).partition(": ")
        words = [Keyword[word] for word in keywords.split(", ") if word]
        price = pricer.price(card_of(power, words, field, text))
        assert value == pytest.approx(sum(points for _, points in price.lines))
    assert found[len(_CARDS) - 1] == "no price"
    assert found[len(_CARDS)] is None


def _pricer(folder):
    """What prices cards by the tables in a folder."""
    tables = {name: pd.read_parquet(folder / f"{name}.parquet") for name in PRICE_TABLES}
    return Pricer.read(CardDescriber.of(load_pool(["first_contact"])), tables)


def _computed(path, folder):
    """The prices on the second sheet, as LibreOffice computes them."""
    sheet = computed(path, folder)["Your cards"]
    return [sheet.cell(row, 6).value for row in range(2, 12)]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "name what it is about"),
        (("first_contactt",), "first_contact"),
        (("first_contact", "--batches", "2"), "2 is not between 3 and 50"),
        (("first_contact", "--policy", "greedy:random"), "name one player"),
        (("first_contact", "--policy", "greedy,greedy"), "two different ones"),
        (("first_contact", "--policy", "greedy,random,expert"), "two different ones"),
        (("mine.toml", "first_contact", "--policy", "greedy,random"), "name one player"),
        (("nowhere.toml", "first_contact"), "nowhere.toml"),
        (("first_contact", "--policy", "me.py:choose"), "cannot learn made-up cards"),
        (("first_contact", "--sheet", "prices.csv"), "end its name in .xlsx"),
        (("first_contact", "--keep", "SNEAKY"), "--keep is for --target"),
        (("first_contact", "--target", "400"), "400 is not between"),
        (("first_contact", "--target", "0", "--keep", "fly away"), "neither a keyword nor a power"),
    ],
)
def test_faults_are_told(said, words, told):
    """Wrong input is one message and exit status 2."""
    code, out, err = said(*words)
    assert code == 2
    assert out == ""
    assert told in err
    assert "Traceback" not in err


def test_cards_are_priced_wherever_they_are_checked(ask, said, folder, monkeypatch):
    """Where a list is at hand, a check says the price, and so does the studio as one types."""
    said("first_contact", *_SMALL)
    _, by_expert, _ = said("mine.toml", "first_contact")
    monkeypatch.chdir(folder)
    told = ask("cards", "check", "mine.toml", "--prices").done().out
    assert "Hush Moth: about " in told
    # A newer list by a weaker player, such as that of this module, does not take its place.
    assert by_expert.splitlines()[0] in told
    assert "Last Word: no price" in told
    printed = ask("cards", "check", "first_contact", "--prices").done().out
    assert "Brain Fly: about " in printed and "not played yet" not in printed
    chosen = {one.name: one.usual for one in BENCH.choices()}
    moth = BENCH.price(_MINE, "mine.toml", "hush_moth", chosen)
    assert moth is not None
    assert moth.value in told
    assert moth.ends in told
    assert [line for line, _ in moth.lines][:1] == ["power"]
    stronger = BENCH.price(
        _MINE.replace("power = 2", "power = 6"), "mine.toml", "hush_moth", chosen
    )
    assert stronger is not None
    assert float(stronger.value.split()[1].replace("\N{MINUS SIGN}", "-")) > float(
        moth.value.split()[1].replace("\N{MINUS SIGN}", "-")
    )
    last = BENCH.price(_MINE, "mine.toml", "last_word", chosen)
    assert last is not None
    assert last.why.startswith("no price")
    # The list of another set says something else, and with other rules nothing is known.
    other = BENCH.price(_MINE, "mine.toml", "hush_moth", chosen | {"set": "king_of_tokyo"})
    assert other is not None
    assert other.value != moth.value
    assert BENCH.price(_MINE, "mine.toml", "hush_moth", chosen | {"life": "4"}) is None


def test_a_set_without_a_list_is_named_as_prices_reads_it(ask):
    """The command that would make the list plays the file as it was named."""
    shutil.copy(DATA / "judge_pool.toml", "whole.toml")
    told = ask("cards", "check", "whole.toml", "--prices")
    assert told.status == 2
    assert "make one with 'fairdeal prices whole.toml'" in " ".join(told.err.split())
    ask("prices", "whole.toml", "--dry-run").done()


def test_a_card_that_is_shown_has_its_price(ask, said, folder, monkeypatch):
    """With --prices: the same as a check says, and its sum; a power card has none."""
    said("first_contact", *_SMALL)
    monkeypatch.chdir(folder)
    priced = ask("cards", "check", "mine.toml", "--prices").done().out.splitlines()
    checked = next(one for one in priced if "Hush Moth" in one)
    told = ask("cards", "show", "hush_moth", "--set", "mine.toml", "--prices").done().out
    assert checked in told
    assert "  POISONOUS" in told
    words = (
        *("cards", "show", "hush_moth", "brain_fly", "--set", "mine.toml"),
        *("--set", "first_contact"),
    )
    moth, fly = ask(*words, "--prices", "--json").json
    assert f"{moth['price']['price']:.1f}".replace("-", "\N{MINUS SIGN}") in checked
    assert fly["price"]["card_id"] == "brain_fly"
    assert "price" not in ask(*words, "--json").json[0]


@pytest.fixture
def shipped(said, tmp_path, monkeypatch):
    """The small list, as if it came with fairdeal, and what is printed of it with --json."""
    told = said("first_contact", *_SMALL, "--json").json
    made, kept = Path(told["folder"]), tmp_path / "lists" / "prices-first_contact"
    (kept / "tables").mkdir(parents=True)
    for file in ("prices.json", *(f"tables/{table}.parquet" for table in PRICE_TABLES)):
        shutil.copy(made / file, kept / file)
    monkeypatch.setattr(experiment, "SHIPPED", tmp_path / "lists")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    return told


def test_a_list_that_comes_with_fairdeal_answers_at_once(ask, shipped, monkeypatch):
    """It is the usual answer, and nobody is seated, which would compile; and cards have prices."""
    monkeypatch.delattr(experiment, "seat")
    words = "prices", "first_contact", "--policy", "greedy", "--json"
    assert ask(*words, "--dry-run").json["games"] == 0
    found = ask(*words).json
    assert found["prices"] == shipped["prices"]
    assert found["price_quality"] == shipped["price_quality"]
    assert not [*Path(found["folder"], "games").glob("*")]
    assert "comes with fairdeal" in Path(found["page"]).read_text(encoding="utf-8")
    shutil.rmtree("runs")
    assert "Brain Fly: about " in ask("cards", "show", "brain_fly", "--prices").done().out


def test_a_list_that_comes_with_fairdeal_has_intervals_of_any_level(ask, shipped):
    """At another confidence level it is fitted to the same worths."""
    words = ("prices", "first_contact", "--policy", "greedy", "--confidence", "0.8", "--json")
    found = ask(*words).json
    assert not [*Path(found["folder"], "games").glob("*")]
    page = Path(found["page"]).read_text(encoding="utf-8")
    assert re.search(r"to within [\d.]+ points, 80% of the time", page)
    usual = {(row["field"], row["thing"]): row for row in shipped["prices"]}
    both = [(row, usual.get((row["field"], row["thing"]))) for row in found["prices"]]
    compared = [(row, other) for row, other in both if other is not None]
    assert len(compared) > 20
    for row, other in compared:
        assert row["price"] == pytest.approx(other["price"], abs=0.02)
        assert row["price_ci_high"] < other["price_ci_high"]


def test_another_list_is_played(ask, shipped):
    """With other numbers of games, another seed or another player."""
    others = (*_SMALL[:-1], "1000"), (*_SMALL, "--seed", "1"), ("--policy", "random", *_SMALL[2:])
    for words in others:
        assert ask("prices", "first_contact", *words, "--dry-run", "--json").json["games"] > 0


def test_without_a_list_a_check_says_how_to_make_one(ask, folder, tmp_path, monkeypatch):
    """The check itself is done; then one message names the command."""
    shutil.copy(folder / "mine.toml", tmp_path)
    monkeypatch.setattr(experiment, "SHIPPED", tmp_path)
    told = ask("cards", "check", "mine.toml", "--prices")
    assert told.status == 2 and "no fault" in told.out
    assert "fairdeal prices first_contact" in told.err
