"""The command verdict of Mice & Mystics and its page."""

from __future__ import annotations

import re
import shlex
from functools import partial
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from attrs import evolve
from playwright.sync_api import expect

from analysis.mice_and_mystics.registry import TABLES
from analysis.runs import open_run
from card_data.mice_and_mystics import load_facts
from card_data.mice_and_mystics.formatter import changes_text
from reports.cli.app import run
from reports.kit.words import points
from reports.mice_and_mystics.cli.verdict import _read_entries
from reports.mice_and_mystics.studio.bench import BENCH
from reports.mice_and_mystics.verdict.page import plot_effect
from reports.mice_and_mystics.verdict.text import EntryWords, game_text
from reports.verdict.words import unsigned
from simcore.work.about import read_about
from support.browser import NEEDS_BROWSER, Open, check_frame, check_table

FEW = "--games", 1000, "--threads", 1, "--stronger", "none"
ENOUGH = "--games", 3000, "--threads", 1, "--stronger", "none"


@pytest.fixture
def ask(ask):
    """Run `fairdeal verdict` in an empty folder."""
    return partial(ask, "verdict")


@pytest.mark.parametrize(
    ("average", "instead"),
    [("average numbers", "average numbers for Nez"), ("Roach", "Roach in the place of Nez")],
)
def test_a_game_that_came_out_otherwise_is_a_sentence(average: str, instead: str) -> None:
    """Its party is a list in a sentence, and so is what would have been otherwise."""
    game = {"game": 7, "won": True, "rounds": 1, "party": "Nez, Tilda, Filch", "name": "Nez"}
    assert game_text(pd.Series({**game, "average": average})) == (
        f"Game 7: Nez, Tilda and Filch won in 1 round; with {instead} and the same luck they lost."
    )


def test_a_hero_by_name(ask) -> None:
    """The chapter is found, the answer comes first, and the proposal can be named behind it."""
    out = ask("nez bellows", *FEW, "--band", 5).done().out
    assert out.startswith("Nez Bellows needs more games: parties with Nez Bellows win")
    [folder] = Path("runs").iterdir()
    assert folder.name.startswith("verdict-nez-learned-2")
    about = read_about(folder)
    assert about is not None and about.what.startswith("Nez Bellows, Chapter 1")
    told = out.replace("\N{NO-BREAK SPACE}", " ")
    surer = r"  fairdeal verdict nez ch1_\w+ --stronger none --band 5 --games 4000\n"
    assert re.search(surer, told)
    page = (folder / "verdict.html").read_text().partition('<script type="module">')[0]
    assert "<h1>Nez Bellows needs more games</h1>" in page
    assert "http:" not in page and "https:" not in page and "built-in" not in page
    assert page.index("<figure") < page.index('class="answer"')
    assert page.count('<p class="game">Game ') == 3
    turned = (
        r"its [\d,]+ games turn from won to lost and [\d.]+% from lost to won, net \S+ points; for"
    )
    assert re.search(turned, page.replace("\N{NO-BREAK SPACE}", " "))
    tell_one(folder)
    answer = ask("nez", *FEW, "--band", 5, "--json").json
    assert answer["entry"] == "nez"
    row = answer["verdict"][0]
    assert row["swap_won"] - row["swap_lost"] == pytest.approx(row["swap"])
    assert any(f"net {points(-row['swap'])} points" in one["text"] for one in answer["findings"])
    assert " ".join(out.split()).startswith(answer["sentence"])
    changes = answer["verdict_changes"]
    assert len(changes) > 10
    # the first chart has what the finding says: the entry as it is, and with what mends it
    place = pd.read_parquet(folder / "tables/verdict_place.parquet")
    proposed = {one["change"] for one in changes if one["proposed"]}
    assert {*place["change"]} == {"", *proposed}
    shown = np.concatenate(
        [np.asarray(line.get_xdata(), float) for line in plot_effect(place).lines]
    )
    assert np.isin(place["effect"], shown).all()
    if answer["proposal"]:
        named = f"ch1_flight_to_barksburg+{answer['proposal']}"
        assert ask("nez", named, *FEW, "--out", "again").status == 0


def tell_one(folder: Path) -> None:
    """The studio tells a game of a verdict move by move, to the end that its row says."""
    game = BENCH.decided(folder)[0]
    run = open_run(folder / game.run)
    last = BENCH.moments(run, game.number)[-1]
    end = "won" if any("The chapter is won" in line for line in last.lines) else "lost"
    assert f"{end} in {last.turn} rounds" in game.words
    with pytest.raises(ValueError, match="there is no game"):
        BENCH.moments(run, run.n_games)


@NEEDS_BROWSER
@pytest.mark.usefixtures("drawn_anew")
def test_the_page_in_a_browser(ask, open_file: Open) -> None:
    """The finding first in every window, tables by the keyboard alone, a hostile name inert."""
    nez = next(hero for hero in load_facts().heroes if hero.id == "nez")
    facts = load_facts()
    heroes = tuple(evolve(one, name="<b>Nez") if one == nez else one for one in facts.heroes)
    Path("mine.toml").write_text(changes_text(evolve(facts, heroes=heroes), facts))
    # Enough games for verdicts of two kinds: the filter offers nothing where all are alike.
    played = ("ch1_flight_to_barksburg+mine.toml", *ENOUGH, "--policy", "heuristic")
    assert ask("nez", *played, "--out", "here").status == 0
    page = open_file(Path("here/verdict.html").resolve())
    check_frame(page)
    expect(page.get_by_role("heading", level=1)).to_contain_text("<b>Nez is too strong")
    assert page.locator("b").count() == 0
    check_table(page, "Changes", "Table of changes", "Size")


def test_each_entry_of_a_file_is_judged(ask) -> None:
    """A file is named before its chapter, as cards are before their set; all of it is answered."""
    facts = load_facts()
    heroes = tuple(
        evolve(one, life=one.life + 1) if one.id in ("nez", "tilda") else one
        for one in facts.heroes
    )
    Path("mine.toml").write_text(changes_text(evolve(facts, heroes=heroes), facts))
    said = ("mine.toml", "Flight to Barksburg", *FEW, "--policy", "heuristic", "--json")
    told = ask(*said).json["verdicts"]
    assert [one["entry"] for one in told] == ["nez", "tilda"]
    assert all("heuristic" in one["folder"] for one in told)
    findings = {finding["topic"]: finding["text"] for finding in told[0]["findings"]}
    for command in findings["To read a game that ended differently without it"].splitlines():
        assert run(shlex.split(command)[1:]) == 0
    [surer] = [
        text for topic, text in findings.items() if topic.startswith("For intervals half as wide")
    ]
    for command in filter(None, (surer, findings.get("To play the proposal"))):
        assert "--policy heuristic --stronger none" in command
        assert run([*shlex.split(command)[1:], "--dry-run"]) == 0
    found = {
        (kind, entry.id)
        for words in (["mine.toml", "ch1_flight_to_barksburg"], ["mine.toml"])
        for _, kind, entry in _read_entries("nez", words, None, ())
    }
    assert found == {("heroes", "nez")}


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        ([], "Mice & Mystics: The id or name of a hero, a minion, a card or"),
        (["--band", "3"], "name what it is about"),
        (["nezz"], "did you mean 'nez'?"),
        (["crossbow", "ch1_flight_to_barksburg"], "name one, such as '"),
        (["nez", "ch1_flight"], "ch1_flight"),
        (["nez", "--policy", "heuristik"], "did you mean 'heuristic'?"),
        (["nez", "--stronger", "learned"], "who plays the main games already"),
        (["nez", "--party", "collin,nezz"], "nezz"),
        (["nez", "--band", "-1"], "--band is -1"),
        (["qwertz"], "'qwertz' is not a file, and no game offers it"),
    ],
)
def test_what_cannot_be_asked(ask, words: list[str], complaint: str) -> None:
    """One message says what is wrong; nothing is written."""
    ask(*words).refused_at_once(complaint)


def a_row(kind: str, effect: float, verdict: str, method: str = "drawn") -> dict[str, object]:
    """A row of the table of verdicts."""
    ends = {f"effect{end}": effect + by for end, by in (("", 0), ("_ci_low", -0.01),
                                                        ("_ci_high", 0.01))}  # fmt: skip
    return {
        "kind": kind, "entry": "x", "name": "X", "policy": "heuristic", "method": method,
        "average": "Y", "n_games": 1000, "n": 500, "band": 0.02, "verdict": verdict, **ends,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("row", "said"),
    [
        (a_row("heroes", 0.1, "too strong"), "X is too strong: parties with X win 10.0 points"),
        (a_row("encounters", -0.1, "too strong"), "X is too strong: games in which it is the"),
        (a_row("minions", 0.1, "too weak", "swapped"), "X is too weak: the party wins 10.0 points"),
        (a_row("abilities", -0.05, "too weak"), "a mouse begins with it are won 5.0 points"),
        (a_row("search_cards", 0.0, "fair"), "X is fair: games in which it is among"),
        (a_row("minions", -0.025, "needs more games", "swapped"), "X needs more games: the party"),
    ],
)
def test_the_sentence(row: dict[str, object], said: str) -> None:
    """It says the verdict of the table, and what its interval is about."""
    found = EntryWords({"verdict": TABLES["verdict"].frame([row])}).sentence
    assert said in found and found.endswith(".")


@pytest.mark.parametrize(
    ("fresh", "said"),
    [
        (0.03, "None was found: defense 1 \u2192 0 comes nearest"),
        (0.06, "None was found: none of the 2 changes of up to 2 steps is shown to come nearer."),
    ],
)
def test_what_lies_farther_off_does_not_come_nearest(fresh: float, said: str) -> None:
    """A change whose fresh games leave the entry as far off as it was, or farther, is not named."""
    row = a_row("heroes", 0.042, "too strong")
    tried = [a_row("heroes", effect, "too strong") | {"change": change, "amount": amount}
             | {"fresh": played_again, "proposed": False, "chapter": 0.01}
             for change, amount, effect, played_again in (
                 ("defense 1 \u2192 0", 1, 0.025, False), ("life 4 \u2192 2", 2, 0.05, False),
                 ("defense 1 \u2192 0", 1, fresh, True))]  # fmt: skip
    tables = {"verdict": TABLES["verdict"].frame([row]), "verdict_changes": pd.DataFrame(tried)}
    assert EntryWords(tables).change[0].startswith(said)


def test_a_number_of_too_few_games_has_no_ends() -> None:
    """Nobody reads "nan"."""
    row = pd.Series({"effect": -0.02, "effect_ci_low": np.nan, "effect_ci_high": np.nan})
    assert unsigned(row, "effect") == "2.0 points (too few games for an interval)"
