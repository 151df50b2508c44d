"""The command `fairdeal rebalance` of Mice & Mystics: its answer, page and refusals."""

from __future__ import annotations

import json
import shlex
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from analysis.experiments.goals import MET, MISSED
from analysis.mice_and_mystics.experiments.rebalance_goals import PARTIES
from reports.cli.app import run
from reports.kit.words import points
from reports.mice_and_mystics.rebalance import ChapterRebalancing
from support.browser import NEEDS_BROWSER, Open, check_frame

pytestmark = pytest.mark.usefixtures("rendered")

CHAPTER = "ch1_flight_to_barksburg"
ASKED = (
    *("rebalance", CHAPTER, "--party", "collin,nez,tilda,filch", "--set", "page_end=5"),
    *("--policy", "heuristic"),
    *(
        *("--changes", "rules", "--keep", "minion_dice,life,wheel_size,cheese_at_start"),
        *("--band", "36,50"),
    ),
    *("--games", "800", "--confirm", "2000", "--budget", "16000"),
)


@pytest.fixture(scope="module")
def answer(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a program is told of a chapter that is a page too short."""
    said = StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(said):
        patch.chdir(tmp_path_factory.mktemp("rebalance"))
        assert run([*ASKED, "--json"]) == 0
        told: dict[str, Any] = json.loads(said.getvalue())
        return told | {"here": str(Path.cwd())}


def test_the_answer_has_proposal_page_and_findings(answer: dict[str, Any]) -> None:
    """A program is told the proposal, the tables, the findings and where the page is."""
    topics = [finding["topic"] for finding in answer["findings"]]
    assert topics[:5] == ["Goal", "As it is", "Proposal", "Gain", "With it"]
    assert answer["set"] == ["page_end=6"]
    assert answer["front"][-1]["proposed"]
    page = Path(answer["here"], answer["page"]).read_text()
    assert "page end 5 → 6" in page
    assert page.count("<svg") == 2
    assert "36 to 50" in page
    assert "Collin + Nez + Tilda + Filch" in page


def test_parties_are_told_by_the_names_of_their_heroes() -> None:
    """A sentence that lists parties has names, joined so that commas part the parties."""
    goals = pd.DataFrame(
        {
            "judged": PARTIES,
            "entry": ["collin,nez", "maginos,tilda"],
            "least": 0.45,
            "most": 0.55,
            "before": [0.3, 0.5],
            "before_ci_low": [0.2, 0.4],
        }
        | {"before_ci_high": [0.4, 0.6], "before_verdict": [MISSED, MET]}
    )
    told = ChapterRebalancing({"goals": goals}, {})
    assert told.verdict("before")[0].startswith(
        "1 of 2 parties is within the band; 1 outside it: Collin + Nez 30.0"
    )


def test_some_numbers_alone_are_changed(ask, tmp_path: Path) -> None:
    """--only names what may change; one message has its unknown words and those of --keep."""
    only = ("--only", "page_end", "--out", str(tmp_path / "one"))
    asked = [*ASKED[: ASKED.index("--keep")], "--band", "36,50"]
    few = ("--games", "200", "--confirm", "400", "--budget", "2000")
    assert ask(*asked, *few, *only).status == 0
    told = json.loads((tmp_path / "one" / "rebalance.json").read_text())
    assert {name.partition("=")[0] for name in told["changes"]} == {"rules:page_end"}
    ask(*asked, "--only", "nobody", "--keep", "nothing").refused("--only: ", "--keep: ")


def test_entries_that_are_named_are_judged_and_told_alone(ask) -> None:
    """By their effects and in points, on the page too; parties only where --band is one of them."""
    few = ("--policy", "heuristic", "--games", "300", "--confirm", "400", "--budget", "3000")
    asked = ("rebalance", CHAPTER, *few, "--only", "nez bellows")
    answer = ask(*asked, "--json").json
    [goal] = answer["goals"]
    assert (goal["judged"], goal["entry"], goal["name"]) == ("entries", "nez", "Nez Bellows")
    allowed = json.loads(Path(answer["folder"], "rebalance.json").read_text())["changes"]
    assert {name.split(":")[1] for name in allowed} == {"nez"}
    said = {one["topic"]: one["text"] for one in answer["findings"]}
    assert said["Goal"].startswith("Of Nez Bellows its effect is up to 2 points either way")
    assert said["As it is"].startswith(f"Nez Bellows is at {points(goal['before'])} points (")
    page = Path(answer["page"]).read_text()
    assert page.count("<svg") == 2 and "Part" not in page.partition('id="method"')[0]
    nothing = ask(*asked, "--changes", "minions", "--out", "none")
    assert "No change of Nez Bellows is allowed" in " ".join(nothing.out.split())
    of_parties = ask(*asked, "--band", "45,55", "--out", "parties", "--json").json["goals"]
    assert {one["judged"] for one in of_parties} == {"parties"}
    ask("rebalance", CHAPTER, "--band", "2").refused("--band: 2 is a band of entries")


@NEEDS_BROWSER
def test_the_page_in_a_browser(answer: dict[str, Any], open_file: Open) -> None:
    """The finding and its chart come first in every window, and the page fits twelve sheets."""
    check_frame(open_file(Path(answer["here"], answer["page"])))


@NEEDS_BROWSER
def test_the_proposal_can_be_compared(
    answer: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
    ask,
    open_file: Open,
) -> None:
    """The commands that are told play the proposal, and the page of compare shows what it gains."""
    monkeypatch.chdir(answer["here"])
    balance, compare = map(shlex.split, answer["to_play"])
    assert balance[:2] == ["fairdeal", "balance"]
    told = ask(*compare[1:], "--games", 1500, "--json")
    rows = told.json["comparison"]
    [row] = [one for one in rows if one["measure"] == "win_rate" and one["kind"] == "game"]
    assert row["difference"] > 0
    page = open_file(Path(answer["here"], json.loads(told.out)["page"]))
    check_frame(page)
    assert page.locator("#overview figure svg").count() == 1


def test_everything_that_is_wrong_is_told_at_once(ask) -> None:
    """Band, player, kind of change, hero and switch, each with what is allowed; nothing runs."""
    right = "heuristic", "heroes", "filch", "page_end", "maginos"
    ask(
        *("rebalance", CHAPTER, "--band", "55,45", "--policy", "heuristc"),
        *("--changes", "hero", "--party", "collin,nez,tilda,flich", "--set", "page_ends=3"),
        *("--keep", "maginoss"),
    ).refused("--band: 55,45", *(f"did you mean {word!r}?" for word in right))
    ask("rebalance", "--band", "45,55").refused_at_once(
        f"Mice & Mystics: A chapter, such as '{CHAPTER}'"
    )
