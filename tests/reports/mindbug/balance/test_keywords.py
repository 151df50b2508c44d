"""The experiment on keywords: played when asked for, told in every format, kept if interrupted."""

from __future__ import annotations

import shutil
from contextlib import chdir
from pathlib import Path

import openpyxl
import pandas as pd
import pytest

import reports.mindbug
from analysis.mindbug.experiments import keyword_experiment
from analysis.mindbug.registry import TABLES
from analysis.mindbug.selections import KEYWORDS_OBSERVED
from reports.cli.app import run
from reports.kit.words import points
from reports.mindbug.balance import text as wording
from reports.mindbug.balance.text import keywords_text
from support.reported import made_keyword_effects

SHORT = "balance", "first_contact", "--policy", "random", "--games", "300", "--out", "run"
ASKED = (*SHORT, "--keyword-games", "60")


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a short run, which has no experiment by itself, and then was given one."""
    folder = tmp_path_factory.mktemp("keywords")
    with chdir(folder):
        assert run([*SHORT]) == 0
        assert not Path("run/keywords").exists()
        assert run([*ASKED, "--format", "html,md,xlsx"]) == 0
    return folder


def test_the_headline_quotes_the_experiment_where_there_is_one() -> None:
    """Added and removed apart, the spread where it is clear, and what is not clear."""
    effects = made_keyword_effects(["random"])
    effects.loc[1, "spread_ci_low"] = 0.0
    told = keywords_text({"keyword_effects": effects}, "random")
    minus = "\N{MINUS SIGN}"
    assert told.startswith("By experiment, adding a keyword to a card that lacks it")
    assert f"by +3.0 for SNEAKY (1.4) and {minus}1.0 for TOUGH." in told
    assert f"Removing it from a card that has it changes it by {minus}2.0 for SNEAKY (0.3)." in told
    assert "Not settled: TOUGH removed." in told
    assert KEYWORDS_OBSERVED not in told


def test_without_an_experiment_it_is_told_as_observed(plain_run: Path) -> None:
    """The regression claims nothing of the keyword itself, and says what would."""
    page = (plain_run / "report.html").read_text()
    tables = reports.mindbug.balance.run_report.read_report(plain_run).tables
    (told,) = [one.text for one in wording.findings(tables) if one.topic == "Keywords"]
    assert told.startswith(("Observed:", "No clear difference", "What can be observed"))
    assert KEYWORDS_OBSERVED in told and "Run with --keywords" in told
    assert "No experiment on keywords was played" in page and KEYWORDS_OBSERVED in page
    assert {path.stem for path in (plain_run / "figures").glob("keyword*")} == {"keywords_observed"}


def test_everything_tells_of_the_experiment(
    ask, played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Console, JSON, page, Markdown, workbook and files have the numbers of one table.

    A sensitivity analysis of all keywords comes from the same games, without playing any.
    """
    monkeypatch.chdir(played)
    table = pd.read_parquet("run/tables/keyword_effects.parquet")
    assert list(table.columns) == list(TABLES["keyword_effects"].columns)
    assert (table["n_games"] == 60).all() and set(table["policy"]) == {"random"}
    assert len(pd.read_csv("run/tables/keyword_effects.csv")) == len(table) == 10
    page, markdown = (Path(f"run/report.{kind}").read_text() for kind in ("html", "md"))
    for effect in table["effect"]:
        assert points(effect, 2) in page and points(effect, 2) in markdown
    assert "Table of keywords by experiment" in page and "as observed" in markdown
    sheet = openpyxl.load_workbook("run/report.xlsx")["keyword_effects"]
    assert sheet.max_row == len(table) + 1
    assert Path("run/figures/keyword_effects.svg").exists()
    answer = ask(*ASKED, "--json").json
    assert any(one["text"].startswith("By experiment") for one in answer["findings"])
    assert [row["effect"] for row in answer["keyword_effects"]] == list(table["effect"])
    assert answer["tables"]["keyword_effects"] == "run/tables/keyword_effects.parquet"
    games = Path("run/keywords/60/games")
    before = {path: path.stat().st_mtime_ns for path in games.iterdir()}
    asked = "sensitivity", "all", "first_contact", "--changes", "keywords", "--policy", "random"
    out = ask(*asked, "--games", 60, "--out", "run/keywords/60").done().out
    assert {path: path.stat().st_mtime_ns for path in games.iterdir()} == before
    assert "unknown" not in out and "0 of 0" not in out and "worth most" not in out


def test_it_is_played_when_asked_for(ask, played: Path) -> None:
    """One that is there stays; other games are other folders."""
    shutil.copytree(played / "run", "run")
    before = Path("run/tables/keyword_effects.parquet").read_bytes()
    assert "keyword_effects" in ask(*SHORT, "--json").json
    assert Path("run/tables/keyword_effects.parquet").read_bytes() == before
    assert ask(*SHORT, "--keyword-games", 70)[0] == 0
    assert {path.name for path in Path("run/keywords").iterdir()} == {"60", "70"}
    status, _, complaints = ask(*ASKED, "--no-keywords")
    assert status == 2 and "leave one of them out" in complaints


def test_ctrl_c_says_what_stays(ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """An interruption of the experiment ends with 130, and with how to go on."""

    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(keyword_experiment, "keyword_effects", interrupted)
    status, _, complaints = ask(*ASKED)
    assert status == 130
    assert "finished changes stay in run/keywords; run the same command again" in complaints
