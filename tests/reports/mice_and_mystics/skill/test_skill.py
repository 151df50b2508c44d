"""The command `fairdeal skill` of Mice & Mystics: its answer, page and refusals."""

from __future__ import annotations

import json
from contextlib import redirect_stdout
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from analysis.mice_and_mystics.experiments.skill import SOURCES
from analysis.questions.skill import ALL_PLAYERS
from reports.cli.app import run
from reports.mice_and_mystics.skill import SKILL_CHARTS, ChapterSkill, plot_luck, plot_players
from support.browser import NEEDS_BROWSER, Open, check_frame

pytestmark = pytest.mark.usefixtures("rendered")

CHAPTER = "ch1_flight_to_barksburg"
ASKED = ["skill", CHAPTER, "--players", "category,heuristic@0.3,heuristic", "--games", "1600"]


@pytest.fixture(scope="module")
def answer(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    """What a program is told of three players."""
    said = StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(said):
        patch.chdir(tmp_path_factory.mktemp("skill"))
        assert run([*ASKED, "--json"]) == 0
        told: dict[str, Any] = json.loads(said.getvalue())
        return told | {"here": str(Path.cwd())}


def test_the_answer_has_tables_page_and_findings(answer: dict[str, Any]) -> None:
    """A program is told both tables and the findings, and where page, tables and charts are."""
    topics = [finding["topic"] for finding in answer["findings"]]
    assert topics == ["Skill", "Luck", "Compared", "All players"]
    assert [row["player"] for row in answer["skill_players"]] == ASKED[3].split(",")
    assert {row["source"] for row in answer["skill"]} == set(SOURCES)
    folder = Path(answer["here"], answer["folder"])
    assert (folder / "skill.html").is_file()
    for name in SKILL_CHARTS:
        assert (folder / "figures" / f"{name}.svg").is_file()
    page = (folder / "skill.html").read_text()
    assert "heuristic@0.3" in page
    assert page.count("<svg") == len(SKILL_CHARTS)


@NEEDS_BROWSER
def test_the_page_in_a_browser(answer: dict[str, Any], open_file: Open) -> None:
    """The finding and its chart come first in every window, and the page fits twelve sheets."""
    check_frame(open_file(Path(answer["here"], answer["folder"], "skill.html")))


def test_the_same_command_reads_what_was_played(
    answer: dict[str, Any], monkeypatch: pytest.MonkeyPatch, ask
) -> None:
    """Repeated, the command plays nothing and says the same."""
    monkeypatch.setattr("simcore.mice_and_mystics.play.setup.play_rows", None)
    again = ask(*ASKED, "--out", Path(answer["here"], answer["folder"]), "--json").json
    assert again["skill"] == answer["skill"]


def test_charts_show_the_tables(answer: dict[str, Any]) -> None:
    """Points stand at the win rates; bars are the shares of those who win, each row 100%."""
    import pandas as pd

    players, skill = (
        pd.DataFrame(answer[name]).replace({None: np.nan}) for name in ("skill_players", "skill")
    )
    axes = plot_players(players)
    shown = np.asarray(axes.lines[0].get_xdata(), float)
    np.testing.assert_allclose(shown, players["win_rate"])
    bars = plot_luck(skill)
    names = [tick.get_text() for tick in bars.get_yticklabels()]
    assert names == ["all players", "heuristic@0.3", "heuristic"], "who never wins has no shares"
    widths = np.array([[bar.get_width() for bar in one] for one in bars.containers])
    np.testing.assert_allclose(widths.sum(axis=0), 1, atol=0.02)
    assert (
        ChapterSkill({"skill_players": players, "skill": skill}, {})
        .findings[0]
        .text.startswith("category wins")
    )
    assert ALL_PLAYERS in set(skill["player"])


def test_shares_that_are_hardly_known_need_more_games(answer: dict[str, Any]) -> None:
    """The text says so where an interval is wider than 20 points, and not where it is narrow."""
    import pandas as pd

    players, skill = (pd.DataFrame(answer[name]) for name in ("skill_players", "skill"))
    for width, said in ((0.3, True), (0.1, False)):
        known = skill.assign(share_ci_low=0.0, share_ci_high=width)
        texts = [
            one.text
            for one in ChapterSkill({"skill_players": players, "skill": known}, {}).findings
        ]
        assert any("need more --games" in text for text in texts) == said


def test_everything_that_is_wrong_is_told_at_once(ask) -> None:
    """Players, heroes and switches that there are not, each with the nearest word; nothing runs."""
    right = "heuristic", "filch", "page_end"
    ask(
        *("skill", CHAPTER, "--players", "heuristc,heuristic,heuristic"),
        *("--party", "collin,nez,tilda,flich", "--set", "page_ends=3"),
    ).refused_at_once("'heuristic' is named twice", *(f"did you mean {word!r}?" for word in right))
