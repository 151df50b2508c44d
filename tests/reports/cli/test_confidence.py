"""The option ``--confidence``: read, kept apart from other levels, and said on every page."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

import analysis.mindbug
import reports.mindbug
from analysis.confidence import USUAL, at_confidence, confidence
from analysis.mindbug.experiments.luck import _BESIDE, LUCK, read_luck
from analysis.mindbug.stopping import PlayUntil
from analysis.runs import open_run
from analysis.stopping import Goal
from analysis.tables import confidence_of, write_tables
from analysis.upkeep import verify
from analysis.verdicts import changes
from card_data.mindbug import load_pool
from reports.cli.app import run
from reports.games import reports_of
from reports.kit.stopping_text import rule_text
from reports.mindbug.cli.questions import pool_question
from reports.studio.changes import interval_heading
from reports.studio.measure import Seen
from reports.studio.views import answer_part
from reports.studio.work import PLAY, Asked, Games, Work
from simcore.sealed import RunError
from support.fitting_words import page_contradictions
from support.studio import CARDS, HERO
from support.synthetic import synthetic_cards, synthetic_games, synthetic_run


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A run of made-up games, two of whose cards are not fair."""
    cards = synthetic_cards()
    worth = np.where(np.arange(16) == 3, 0.04, np.where(np.arange(16) == 5, -0.03, 0.0))
    return synthetic_run(tmp_path / "run", cards, synthetic_games(cards, 3000, worth=worth))


def widths(folder: Path) -> pd.Series:
    """How wide the intervals of dealt win rates are."""
    cards = analysis.mindbug.read_tables(folder)["cards"]
    return cards["dealt_ci_high"] - cards["dealt_ci_low"]


@pytest.mark.parametrize(
    ("typed", "level"),
    [("90", 0.9), ("90%", 0.9), ("0.9", 0.9), ("0,9", 0.9), ("99.9", 0.999), ("50%", 0.5)],
)
def test_a_level_is_read_as_people_type_it(
    folder: Path, typed: str, level: float, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["analyze", str(folder), "--confidence", typed, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["confidence"] == level
    assert confidence_of(folder, "mindbug") == level and confidence() == USUAL


@pytest.mark.parametrize("typed", ["40", "100%", "0.4", "1", "99.95%", "-90", "nan", "sure"])
@pytest.mark.parametrize(
    "command", ["analyze", "balance", "compare", "sensitivity", "studio", "verdict"]
)
def test_any_other_level_is_refused(
    command: str, typed: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """With what is allowed, before anything is played, in one line."""
    assert run([command, "first_contact", f"--confidence={typed}"]) == 2
    told = capsys.readouterr().err.strip()
    assert told.startswith("fairdeal: Invalid value for --confidence: ") and "\n" not in told
    allowed = "not a number" if typed in ("nan", "sure") else "not between 50% and 99.9%"
    assert allowed in told


def test_a_finished_run_is_analysed_at_each_level(folder: Path) -> None:
    """Tables, page and Markdown are those of the level, and the usual ones again afterwards."""
    assert run(["analyze", str(folder)]) == 0
    usual = {path: path.read_bytes() for path in sorted((folder / "tables").iterdir())}
    wide = widths(folder)
    for typed, ratio in (("80%", 1.2816 / 1.96), ("99%", 2.5758 / 1.96)):
        assert run(["analyze", str(folder), "--confidence", typed]) == 0
        np.testing.assert_allclose(widths(folder) / wide, ratio, rtol=0.01)
        assert run(["report", str(folder), "--format", "html,md"]) == 0
        page = (folder / "report.html").read_text().replace("&nbsp;", "\N{NO-BREAK SPACE}")
        markdown = (folder / "report.md").read_text()
        for text in (page, markdown):
            told = text.replace("\N{NO-BREAK SPACE}", " ")
            assert f"{typed[:2]}%" in told
            assert "95% interval" not in told and "for 95%" not in told
        assert page_contradictions(page) == []
        assert verify(folder) == []
    assert run(["analyze", str(folder)]) == 0
    assert {path: path.read_bytes() for path in sorted((folder / "tables").iterdir())} == usual


def test_tables_of_several_levels_are_no_report(folder: Path) -> None:
    """What a killed command leaves behind is told, and so not mixed on a page."""
    tables = analysis.mindbug.analyze(folder)
    with at_confidence(0.8):
        write_tables({"cards": tables["cards"]}, folder, open_run(folder).identity)
    with pytest.raises(RunError, match="several confidence levels; run 'fairdeal analyze"):
        reports.mindbug.write_report(folder)


def test_what_experiments_found_at_another_level_is_left_out(folder: Path) -> None:
    """It is there again when the run has the level that it was found at."""
    analysis.mindbug.analyze(folder)
    rows = pd.DataFrame([dict.fromkeys(LUCK.columns, 0.5)]).astype({"source": "str"})
    _BESIDE.write(rows, open_run(folder))
    assert list(read_luck(folder)) == [LUCK.name]
    with at_confidence(0.9):
        analysis.mindbug.analyze(folder)
    assert read_luck(folder) == {}
    analysis.mindbug.analyze(folder)
    assert list(read_luck(folder)) == [LUCK.name]


def test_questions_at_two_levels_are_two_questions() -> None:
    """And a question at the usual one is the question that it always was."""
    pool = load_pool(["first_contact"])

    def asked() -> dict:
        return dict(pool_question("verdict", pool, ["random"], of="brain_fly", seed=0).asked)

    usual = asked()
    assert "confidence" not in usual
    with at_confidence(0.9):
        assert asked() == {**usual, "confidence": 0.9}


def test_a_rule_ends_a_run_at_the_level() -> None:
    """It takes fewer games when it need not be so sure; the manifest says how sure it was."""
    table, spans = synthetic_cards(), {}
    games = synthetic_games(table, 500)
    for level in (USUAL, 0.8):
        with at_confidence(level):
            rule = PlayUntil(Goal(1.0, ""), table.cards, ("random", "random"))
            assert rule.asked["confidence"] == level
            spans[level] = rule.promise.span
            found = rule.look(rule.count(games), len(games)).details
            manifest = {"game": "mindbug", "until": rule.asked, "stopped": found}
            manifest["policies"] = ["random", "random"]
            assert f"with {100 * level:g}%" in rule_text(manifest)
    assert spans[0.8] < spans[USUAL]


def test_a_comparison_of_mice_and_mystics_follows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Its words are what its intervals say, which are narrower at a lower level."""
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text(HERO)
    chapter = "ch1_flight_to_barksburg"
    asked = ["compare", chapter, f"{chapter}+mine.toml", "--policy", "heuristic", "--games", "400"]
    tables, levels = {}, {"95%": USUAL, "80%": 0.8}
    for typed, level in levels.items():
        assert run([*asked, "--confidence", typed, "--out", typed, "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["confidence"] == level
        table = tables[typed] = pd.read_parquet(Path(typed, "tables", "comparison.parquet"))
        ends = table["difference_ci_low"], table["difference_ci_high"]
        assert list(table["verdict"]) == list(changes(*ends, band=table["band"]))
        page = Path(typed, "compare.html").read_text()
        assert page_contradictions(page) == []
        told = page.replace("&nbsp;", " ").replace("\N{NO-BREAK SPACE}", " ")
        assert f"{typed[:2]}%" in told
    assert "95%" not in told
    usual, narrow = (
        one["difference_ci_high"] - one["difference_ci_low"] for one in tables.values()
    )
    assert (narrow[usual > 0] < usual[usual > 0]).all() and (usual > 0).any()


def test_the_studio_follows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The interval that narrows is of the level, and so is what is said of it."""
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text(CARDS)
    bench = reports_of("mindbug").studio
    assert bench is not None
    chosen = {one.name: one.usual for one in bench.choices()} | {"player": "random"}
    widths = []
    for level in (USUAL, 0.8):
        with at_confidence(level):
            [stage] = bench.stages(Path("mine.toml"), "marsh_lantern", chosen)
            looks: list[Seen] = []
            eye = SimpleNamespace(begin=lambda _: None, see=looks.append, headline="")
            stage.play("mindbug", 8192, eye)
            asked = Asked("mindbug", "mine.toml", "marsh_lantern", chosen)
            work = Work(asked, PLAY, played=[Games(stage, looks=looks)])
            told = answer_part(work, bench)
            assert f"holds with {100 * level:g}%" in told
            assert interval_heading() == f"{100 * level:g}% interval"
            [row] = looks[-1].rows.itertuples()
            widths.append(row.win_rate_ci_high - row.win_rate_ci_low)
    assert widths[1] < widths[0]
