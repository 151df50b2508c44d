"""The command sensitivity, its page and charts."""

from __future__ import annotations

import re
import tomllib
from datetime import date
from functools import partial
from pathlib import Path

import pandas as pd
import pytest
from matplotlib.figure import Figure

from analysis.mindbug.registry import TABLES
from reports.kit.words import points
from reports.mindbug.sensitivity import NOUNS, plot_heat_map
from reports.sensitivity.charts import plot_parts, plot_values, plot_variants
from reports.sensitivity.text import Shown, findings, headline

FEW = "--games", 60, "--threads", 1, "--policy", "random"
HOSTILE = """name = "Mine"

[killer_bee]
name = "<script>alert(1)</script>"
power = 5
keywords = ["HUNTER"]
copies = 2
play = "the opponent loses 1 life"
"""
LONG = """name = "Long"

[long_card]
name = "Long Card"
power = 5
copies = 2
play = "the opponent loses 1 life, then the opponent discards 2 cards, then gain 1 life"
"""
#: Eight plain creatures, so that all of them are soon tried.
SMALL = 'name = "Small"\n' + "".join(
    f'\n[card_{power}]\nname = "Card {power}"\npower = {power}\ncopies = 4\n'
    for power in range(2, 10)
)


@pytest.fixture
def ask(ask):
    """Run `fairdeal sensitivity` in an empty folder."""
    return partial(ask, "sensitivity")


def tables_in(folder: Path) -> dict[str, pd.DataFrame]:
    """The tables of an analysis."""
    names = ("sensitivity", "values", "parts")
    return {name: pd.read_parquet(folder / f"tables/{name}.parquet") for name in names}


@pytest.mark.parametrize("card", ["killer_bee", "Killer Bee"])
def test_one_card(ask, tmp_path: Path, card: str) -> None:
    """Everything is played, told, drawn and written, with the numbers of the table."""
    status, out, complaints = ask(card, "first_contact", *FEW)
    assert (status, complaints) == (0, "")
    folder = tmp_path / "runs" / f"sensitivity-killer_bee-first_contact-random-{date.today()}"
    tables = tables_in(folder)
    for name, table in tables.items():
        assert list(table.columns) == list(TABLES[name].columns)
        assert (folder / f"tables/{name}.csv").exists()
    for words in ("with SNEAKY", "without HUNTER", "power +1 (6)", "Parts:", "is worth"):
        assert words in out
    assert "q is the share of false finds to expect" in out
    page = (folder / "sensitivity.html").read_text()
    assert not re.search(r"(src|href)=\"http", page) and "built-in" not in page
    assert page.count("<figure>") == 2
    dealt = tables["sensitivity"].query("measure == 'dealt' and kind != 'parts'")
    for difference in dealt["difference"]:
        text = points(difference, 2)
        assert f">{text} <small>" in page and text in out
    assert {path.stem for path in (folder / "figures").glob("*.svg")} == {"variants", "parts"}
    assert re.search(r"<code>fairdeal sensitivity .* --games 60 --policy random --seed 0<", page)


@pytest.mark.usefixtures("redrawn")
def test_all_cards(ask, tmp_path: Path) -> None:
    """A ranking, a heat map; games that were played stay when more changes are asked for."""
    (tmp_path / "small.toml").write_text(SMALL)
    asked = "all", "small.toml", *FEW, "--out", "here"
    told = ask(*asked).done().out
    assert "the reference" in told and "rank correlation" in told
    assert {path.stem for path in Path("here/figures").glob("*.svg")} == {"worth"}
    values = tables_in(Path("here"))["values"]
    assert len(values) == 8 and values["value"].notna().all()
    before = {path: path.stat().st_mtime_ns for path in Path("here/games").iterdir()}
    assert len(before) == 8  # the base, and a variant of all but the reference
    answer = ask(*asked, "--changes", "value, power", "--json").json
    assert len(answer["values"]) == 8
    assert {row["kind"] for row in answer["sensitivity"]} == {"value", "power"}
    after = {path: path.stat().st_mtime_ns for path in Path("here/games").iterdir()}
    assert before.items() <= after.items() and len(after) > 30
    assert {path.stem for path in Path("here/figures").glob("*.svg")} == {"worth", "heat_map"}
    page = Path("here/sensitivity.html").read_bytes()
    ask(*asked, "--changes", "value, power")
    assert Path("here/sensitivity.html").read_bytes() == page


def test_changes_of_all_cards_without_their_worth(ask) -> None:
    """Nothing unknown is printed: changes are told on average over the cards."""
    Path("small.toml").write_text(SMALL)
    told = ask("all", "small.toml", *FEW, "--changes", "keywords", "--out", "here").done().out
    assert "unknown" not in told and "worth" not in told and "0 of 0" not in told
    means = pd.read_parquet("here/tables/by_change.parquet")
    assert list(means["n_cards"]) == [8] * 5
    page = Path("here/sensitivity.html").read_text()
    for row in means.itertuples():
        assert f"{row.change[1:]} added" in told and points(row.effect, 2) in told
        assert points(row.effect, 2) in page
    assert 'id="values"' not in page and 'id="means"' in page


def test_the_text_of_a_long_card_is_not_repeated(ask) -> None:
    """Sentences and the table name a line by its first words; the page has it whole."""
    Path("long.toml").write_text(LONG)
    more = "--changes", "lines,parts", "--out", "here"
    told = ask("long_card", "first_contact", "--cards", "long.toml", *FEW, *more).done().out
    assert "Your opponent loses 1 life" in told and "…" in told
    assert "discards 2 cards" not in " ".join(told.split())
    assert "discards 2 cards" in Path("here/sensitivity.html").read_text()


def test_own_reference_and_hostile_names(ask, tmp_path: Path) -> None:
    """The reference can be named; names of own cards are text."""
    (tmp_path / "mine.toml").write_text(HOSTILE)
    more = "--cards", "mine.toml", "--reference", "gorillion", "--changes", "value", "--out", "here"
    out = ask("killer_bee", "first_contact", *FEW, *more).done().out
    assert "Gorillion in its place" in out
    page = Path("here/sensitivity.html").read_text()
    assert "<script>alert" not in page and "&lt;script&gt;" in page
    assert "--pool here/pool.toml" in page
    out = ask("gorillion", "first_contact", *FEW, *more[2:4], "--changes", "power").done().out
    assert "is the reference, which other cards are set against" in " ".join(out.split())


def test_a_card_alone_is_tried_in_its_set(ask) -> None:
    """As by a verdict: the set that has it, or the file of this folder."""
    Path("mine.toml").write_text(
        'name = "Mine"\n[lantern]\nname = "Lantern"\npower = 5\nplay = "gain 1 life"\n'
    )
    for card, sets in (("killer_bee", ["first_contact"]), ("lantern", ["first_contact", "mine"])):
        more = *FEW, "--changes", "power", "--out", card
        assert ask(card, *more)[0] == 0
        pool = tomllib.loads(Path(card, "pool.toml").read_text())
        assert [Path(name).stem for name in pool["cards"]] == sets


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["kiler_bee", "first_contact"], "there is no card 'kiler_bee' .*'killer_bee'"),
        (["all", "first_contact", "--changes", "pwer"], "no change 'pwer'; did you mean 'power'"),
        (["all", "first_contact", "--policy", "greedy:random"], "name one player"),
        (["all", "first_contact", "--policy", "nobody"], "--policy: .*nobody"),
        (["all", "first_contact", "--reference", "all"], "--reference is one card"),
        (["killer_bee", "first_contact", "--reference", "gorilion"], "did you mean 'gorillion'"),
        (["all", "fist_contact"], "no set 'fist_contact'"),
        (["first_contact"], "is a set; .*: fairdeal sensitivity all first_contact"),
        (["kiler_bee"], "there is no card 'kiler_bee' .*'killer_bee'"),
        (["all", "first_contact", "--games", "0"], "not between 1"),
        (["all"], "first_contact.* \\(Mindbug\\)"),
    ],
)
def test_what_cannot_be_done(ask, arguments: list[str], words: str) -> None:
    """One message, status 2, no traceback, nothing written."""
    status, out, complaints = ask(*arguments)
    assert (status, out) == (2, "")
    assert re.search(words, complaints, re.IGNORECASE)
    assert "Traceback" not in complaints
    assert not Path("runs").exists()


def test_cards_that_nobody_is_dealt(ask) -> None:
    """Later stages and power cards are none of these experiments."""
    from card_data.mindbug import load_pool

    pool = load_pool(["beyond_evolution", "king_of_tokyo"])
    later = next(c.card_id for s in pool.sets for c in s.cards if not c.copies)
    bought = next(c.card_id for s in pool.sets for c in s.power_cards)
    for card, words in ((later, "reached by evolving"), (bought, "is a power card")):
        ask(card, "beyond_evolution", "king_of_tokyo", *FEW).refused(words)


def test_a_folder_of_other_games_is_refused(ask) -> None:
    """The games of a folder are those that it began with."""
    ask("all", "first_contact", *FEW, "--out", "here")
    ask("all", "first_contact", *FEW, "--out", "here", "--seed", 1).refused(
        "holds an analysis with seed 0, not 1; choose"
    )


def of_ann(tables: dict[str, pd.DataFrame]) -> Shown:
    """An analysis of one card."""
    more = dict.fromkeys(("played", "caption"), "")
    names = {"a": "Ann", "b": "Bob"}
    return Shown(
        tables=tables, subject="Ann", moved="Ann", facts=[], names=names, nouns=NOUNS, **more
    )


def test_charts_and_words_show_the_table() -> None:
    """Marks of a chart stand where the table says; doubt is told."""
    about = {"card_id": "a", "name": "Ann", "policy": "random"}
    nothing = dict.fromkeys(["std_err", "std_err_independent", "p_value"], 0.01)
    lines = [
        about | nothing | {
            "change": change, "kind": kind, "label": label, "measure": "dealt", "n": 100,
            "base": 0.5, "variant": 0.5 + d, "difference": d, "difference_ci_low": d - 0.01,
            "difference_ci_high": d + 0.01, "variance_reduction": 2.0, "differing": 50,
            "q_value": q,
        }
        for change, kind, label, d, q in (
            ("value", "value", "Bob in its place", -0.03, 0.001),
            ("power+1", "power", "power +1 (6)", 0.02, 0.01),
            ("+TOUGH", "add_keyword", "with TOUGH", 0.004, 0.6),
            ("-SNEAKY", "remove_keyword", "without SNEAKY", -0.05, 0.001),
        )
    ]  # fmt: skip
    table = pd.DataFrame(lines)
    axes = plot_variants(table, ax=Figure().add_subplot())
    labels = [tick.get_text() for tick in axes.get_yticklabels()]
    assert labels == ["with TOUGH", "without SNEAKY", "power +1 (6)", "Bob in its place"]
    found = {
        (round(float(x), 6), int(y))
        for box in axes.containers
        for x, y in zip(*box[0].get_data(), strict=True)
    }
    assert found == {(0.004, 0), (-0.05, 1), (0.02, 2), (-0.03, 3)}
    assert "not settled (1)" in axes.get_legend_handles_labels()[1]

    heat = plot_heat_map(table, ax=Figure().add_subplot())
    assert [tick.get_text().strip() for tick in heat.get_xticklabels()] == ["+1", "SNEAKY", "TOUGH"]
    texts = {text.get_text() for text in heat.texts}
    assert {"+2.0", "+0.4", "(\N{MINUS SIGN}5.0)"} <= texts

    values = pd.DataFrame(
        [
            about | {
                "copies": 1, "reference": "b", "n": 100, "dealt_win_rate": 0.52, "advantage": 0.02,
                "advantage_ci_low": 0.01, "advantage_ci_high": 0.03, "value": 0.03,
                "value_ci_low": 0.02, "value_ci_high": 0.04, "std_err": 0.005,
                "variance_reduction": 2.0, "p_value": 0.001, "q_value": 0.001,
            }
        ]
    )  # fmt: skip
    ranking = plot_values(values, ax=Figure().add_subplot())
    assert [tick.get_text() for tick in ranking.get_yticklabels()] == ["Ann"]
    parts = pd.DataFrame(
        [
            about | {
                "part": part, "kind": kind, "label": label, "method": "shapley", "n": 100,
                "worth": worth, "worth_ci_low": worth - 0.01, "worth_ci_high": worth + 0.01,
                "std_err": 0.005, "alone": worth, "alone_ci_low": worth - 0.01,
                "alone_ci_high": worth + 0.01, "last": -worth, "last_ci_low": -worth - 0.01,
                "last_ci_high": -worth + 0.01, "share": worth / 0.04, "share_ci_low": 0.1,
                "share_ci_high": 0.9,
                "p_value": 0.001, "q_value": 0.001,
            }
            for part, kind, label, worth in (
                (0, "keyword", "SNEAKY", 0.06),
                (1, "power", "power 2", -0.02),
                (2, "total", "all parts together", 0.04),
            )
        ]
    )  # fmt: skip
    plot_parts(parts, ax=Figure().add_subplot())
    by_copies = pd.DataFrame(
        [
            about | {
                "copies_dealt": number, "n": 50, "dealt_win_rate": 0.5, "value": value,
                "value_ci_low": value - 0.01, "value_ci_high": value + 0.01, "std_err": 0.005,
                "p_value": 0.001, "q_value": 0.001,
            }
            for number, value in ((1, 0.02), (2, 0.05))
        ]
    )  # fmt: skip
    tables = {"sensitivity": table, "values": values, "by_copies": by_copies, "parts": parts}
    told = {finding.topic: finding.text for finding in findings(of_ann(tables))}
    # A card that is the reference itself has no worth of its own; what moves it most is said.
    itself = {"sensitivity": table, "values": values.assign(reference="a")}
    assert (
        headline(of_ann(itself)) == "What moves Ann most: without SNEAKY, \N{MINUS SIGN}5.0 points"
    )
    unclear = {**itself, "sensitivity": table.assign(difference_ci_low=-1.0, difference_ci_high=1)}
    assert headline(of_ann(unclear)) == "What moves Ann is not settled"
    assert "49.0% with Bob in its place on the same deals" in told["Worth"]
    assert "it is worth +3.0 points (+2.0 to +4.0)." in told["Worth"]
    assert "+2.0 points (+1.0 to +3.0) to players dealt 1; +5.0 points" in told["Worth"]
    assert told["Better"] == "In points: power +1 (6) (+2.0, +1.0 to +3.0)."
    assert told["Not settled"].startswith("1 of 3 changes is not settled")
    assert "150% of the whole; it adds +6.0 to the plain creature" in told["Parts"]
    assert "the full card for SNEAKY (+6.0 → \N{MINUS SIGN}6.0)" in told["Parts"]
    assert "2.0 times as many" in told["Pairing"]


def test_what_is_not_shown_to_move_cards_leads_nothing() -> None:
    """No change is said to move cards most whose interval has zero in it."""
    row = {"change": "+HUNTER", "effect": -0.002, "effect_ci_low": -0.01, "effect_ci_high": 0.006}
    nothing = pd.DataFrame(columns=["kind", "measure", "difference"])
    tables = {"sensitivity": nothing, "by_change": pd.DataFrame([row])}
    assert headline(of_ann(tables)) == "What moves cards on average is not settled"
