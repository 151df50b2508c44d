"""`fairdeal sensitivity` of a chapter: changes, tables, page, JSON, resuming, refusals."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest

from analysis.mice_and_mystics.experiments.sensitivity import SENSITIVITY, choose
from card_data.mice_and_mystics import load_facts
from card_data.mice_and_mystics.changes import variables
from card_data.mice_and_mystics.settings import read_settings
from reports.mice_and_mystics.cli.sensitivity import nouns
from reports.sensitivity.text import Shown, findings, headline
from support.browser import NEEDS_BROWSER, Open, check_frame

pytestmark = pytest.mark.usefixtures("rendered")

CHAPTER = "ch1_flight_to_barksburg"
ASKED = (
    *("sensitivity", CHAPTER, "--of", "filch,parties"),
    *("--policy", "heuristic", "--games", "250", "--seed", "3"),
)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An analysis of one hero and a switch that nothing reads."""
    from reports.cli.app import run

    folder = tmp_path_factory.mktemp("sensitivity") / "of"
    assert run([*ASKED, "--out", str(folder)]) == 0
    return folder


@pytest.fixture(scope="module")
def table(folder: Path) -> pd.DataFrame:
    return pd.read_parquet(folder / "tables" / "sensitivity.parquet")


def shown(table: pd.DataFrame) -> Shown:
    """An analysis with this table."""
    return Shown(
        tables={"sensitivity": table},
        subject="",
        moved="the win rate",
        played="",
        caption="",
        facts=[],
        nouns=nouns(),
    )


def files_of(folder: Path) -> dict[str, bytes]:
    """Everything that an analysis leaves, besides the time of day."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not path.name.startswith(".") and path.suffix != ".pdf"
    }


def test_words_mean_groups_entries_and_numbers() -> None:
    """Groups, ids and names in any letters, fields and single numbers, each once."""
    facts = load_facts()
    known = variables(facts, read_settings(facts, CHAPTER))
    of = {one.of for one in choose(known, ["cards"])}
    assert of == {"abilities", "search_cards", "encounters"}
    tilda = choose(known, ["tilda", "TILDA", "life"])
    assert {one.entry for one in tilda if one.number != "life"} == {"tilda"}
    assert {"", "collin", "rat_warrior"} <= {one.entry for one in tilda if one.number == "life"}
    assert len({one.key for one in tilda}) == len(tilda)
    [one] = choose(known, ["bands.5-.rat_warrior", "chapter"])[:1]
    assert one.number == "bands.5-.rat_warrior"
    assert choose(known, ["all"]) == known


def test_the_table_says_what_each_step_changes(table: pd.DataFrame) -> None:
    """Each change has its win rate and its score; what nothing reads moves neither, for certain."""
    assert list(table.columns) == list(SENSITIVITY.columns)
    steps = table[table["measure"] == "win_rate"]
    assert len(steps) * 2 == len(table)
    assert set(steps["entry"]) == {"filch", ""}
    assert (steps["difference"] - (steps["variant"] - steps["base"])).abs().max() < 1e-12
    assert steps["difference_shrunk"].abs().is_monotonic_decreasing
    parties = table[table["number"] == "parties"]
    ends = ["difference", "difference_ci_low", "difference_ci_high", "differing"]
    assert (parties[ends] == 0).all(axis=None)
    life = steps[steps["number"] == "life"].set_index("changed_to")["difference"]
    assert life["2"] < 0 < life["4"]


def test_findings_quote_the_table(table: pd.DataFrame) -> None:
    """The win rate as it is stands first, then the change that lowers it most."""
    found = {one.topic: one.text for one in findings(shown(table))}
    assert next(iter(found)) == "As it is"
    steps = table[(table["measure"] == "win_rate") & (table["q_value"] < 0.05)]
    worst = steps[steps["difference"] < 0].iloc[0]
    assert f"Filch: {worst['label']} {worst['changed_to']} instead of" in found["Worse"]
    for n, said in ((4, "1 more lowers the"), (5, "2 more lower the")):
        lowering = {one.topic: one.text for one in findings(shown(pd.DataFrame([worst] * n)))}
        assert said in lowering["Worse"]
    named = headline(shown(table.assign(name="", label="minion dice")))
    assert named.startswith("What moves the win rate most: minion dice ")


def test_an_entry_may_stand_before_the_chapter(ask) -> None:
    """As in the command verdict: the same is asked as with --of, and a slip is told as one."""
    how = "--policy", "heuristic", "--games", 250, "--dry-run", "--json"
    said = ask("sensitivity", "Filch", CHAPTER, *how), ask(*ASKED[:3], "filch", *how)
    first, usual = (json.loads(one.out)["games"] for one in said)
    assert first == usual < ask("sensitivity", CHAPTER, *how).json["games"]
    ask("sensitivity", "flich", CHAPTER, *how).refused("did you mean 'filch'?")


@pytest.mark.usefixtures("drawn_anew")
def test_a_repeated_command_leaves_the_same_bytes(ask, folder: Path, table: pd.DataFrame) -> None:
    """What is there is not played again, what was lost is; another --of adds to the games."""
    before = files_of(folder)
    games = sorted((folder / "changes" / "250" / "games").glob("*.parquet"))
    assert len(games) == len(table) // 2
    games[0].unlink()
    games[1].write_bytes(b"PAR1")
    again = ask(*ASKED, "--out", folder, "--threads", 1, "--json").done()
    assert files_of(folder) == before
    answer = json.loads(again.out)
    assert len(answer["sensitivity"]) == len(table) // 2
    assert answer["page"].endswith("sensitivity.html")


def test_everything_that_is_wrong_is_told_at_once(ask) -> None:
    """Player, switch and each word, with the nearest right one; nothing is written."""
    words = ["--of", "heros,tylda", "--policy", "heurstic", "--set", "page_nd=7"]
    right = "heuristic", "page_end", "heroes", "tilda"
    ask("sensitivity", CHAPTER, *words).refused(*(f"did you mean {word!r}?" for word in right))
    ask("sensitivity", CHAPTER, "--of", "lily").refused_at_once("no number or entry 'lily'")


@NEEDS_BROWSER
def test_page_in_browser(folder: Path, open_file: Open) -> None:
    """The page has the frame of all pages, and one chart that shows the finding."""
    page = open_file(folder / "sensitivity.html")
    check_frame(page)
    assert page.locator("#overview figure").count() == 1
