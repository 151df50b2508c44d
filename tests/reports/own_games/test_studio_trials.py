"""Experiments of the studio that only games of one's own have, done as a press of a button does."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from analysis.own_games.contract import ALONE, UntilKnown
from analysis.runs import open_run
from analysis.stopping import Goal
from reports.own_games.studio.bench import bench_of
from reports.studio import history
from reports.studio.bench import Cell, Tried
from reports.studio.live import rows_of
from reports.studio.results import said_by
from reports.studio.work import Asked
from support.own_games import example


def tried(named: str, trial: str, entry: str = "", **more: str) -> Tried:
    """What an experiment on the game, or on an entry of it, shows in the end."""
    bench = bench_of(named)
    chosen = {one.name: one.usual for one in bench.choices()} | {"player": "random"}
    shown: list[Tried] = []
    asked = Asked("own_games", Path(bench.file).name, entry, chosen, more=more)
    bench.trials[trial].do(asked, shown.append)
    return shown[-1]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_fault_of_the_rules_is_told_first(tmp_path: Path) -> None:
    """A check says what the command says, the answer before all."""
    file = example("duel", tmp_path)
    text = file.read_text("utf-8")
    assert "self.acting = 0" in text
    file.write_text(text.replace("self.acting = 0", "self.acting = 5"))
    shown = tried(file.name, "order")
    assert shown.sentence.startswith("Duel has a fault: trust no result until it is fixed.")
    assert shown.lines[0].startswith("fault: ") and "seat" in shown.lines[0]


def test_which_faction_beats_which(tmp_path: Path) -> None:
    """Each number and its opposite add up to a hundred; the page has the same games."""
    file = example("factions", tmp_path)
    shown = tried(file.name, "matchups", games="5000")
    assert shown.map is not None and shown.page is not None
    assert shown.map.columns == ["against Pack", "against Mages", "against Keep"]
    cells = [row[2] for row in shown.map.rows]
    for place, row in enumerate(cells):
        assert row[place] == ""
        for other in range(place):
            one, its = row[other], cells[other][place]
            assert isinstance(one, Cell) and isinstance(its, Cell)
            assert abs(float(one.value) + float(its.value) - 100) < 0.11
            assert one.is_sure == its.is_sure and {one.kind, its.kind} == {"strong", "weak"}
    assert "Pack beats Keep" in shown.sentence and "settle on" in shown.sentence
    run, page = shown.page
    assert "5,000 games" in Path("runs", run, page).read_text("utf-8")


def test_versions_side_by_side(tmp_path: Path) -> None:
    """Of an entry its outcome in each version, and of the whole that of a seat."""
    file = example("duel", tmp_path).with_suffix(".toml")
    now = file.read_text("utf-8")
    before = "[card.sling]\nstrength = "
    assert f"{before}1\n" in now
    texts = [now.replace(f"{before}1", f"{before}{strength}") for strength in (9, 5)]
    for text in (*texts, now):
        history.keep(history.place(file.name), file.name, text)
    shown = tried("duel.py", "side_by_side", "sling", versions="2 1", games="500")
    assert shown.chart is not None
    strong, less, of_now = shown.chart.rows
    assert (strong.word, of_now.value) == ("better", "0")
    assert strong.at is not None and less.at is not None and strong.at > less.at > 0
    assert shown.sentence.startswith("With Sling seats get ")
    assert "now, better with version 1" in shown.sentence
    assert "strength = 9" in strong.text and "[card.sword]" not in strong.text
    assert strong.page and strong.page[1] == "compare.html" and "outcomes" in shown.lines[0]
    whole = tried("duel.py", "side_by_side", versions="1", games="500")
    assert whole.sentence.startswith("Seat 1 gets ")
    assert whole.chart is not None and "[card.sword]" in whole.chart.rows[0].text


@pytest.mark.parametrize(
    ("name", "observed", "fact"),
    [
        ("duel", False, "Going first: "),
        ("dike", False, "Outcome: "),  # of storms, which nobody has to do with, nothing is told
        ("market", True, "Going first: "),
    ],
)
def test_what_is_watched_of_the_whole(
    ask, tmp_path: Path, name: str, observed: bool, fact: str
) -> None:
    """Seats are listed that have rivals; what was not by lot, or never came up, is not judged."""
    bench = bench_of(example(name, tmp_path).name)
    words = "simulate", f"{name}.py", "--games", 400, "--policy", "random", "--out", "run"
    assert ask(*words).status == 0
    chosen = {one.name: one.usual for one in bench.choices()} | {"player": "random"}
    [stage] = bench.stages(Path(bench.file), "", chosen)
    measure, run = stage.measure, open_run(Path("run"))
    assert measure.known and measure.facts
    rule = UntilKnown(Goal(1), run.manifest, anytime=True)
    sums = np.sum([*map(rule.count, run.parts())], axis=0)
    watched, known = measure.known(rule, sums)
    rows = rows_of(watched, measure, known, 400)
    assert rows["entry_id"].str.startswith("seat ").any() == (name != "dike")
    assert measure.words(rows).endswith("more were observed, not dealt by lot.") == observed
    unknown = rows.loc[rows["share"].isna(), "verdict"]
    assert len(unknown) == (6 if name == "dike" else 0) and (unknown == ALONE).all()
    first, length, *draws = measure.facts(rule, sums)
    assert first.startswith(fact) and "decisions on average" in length
    assert len(draws) == (name != "dike") and all(" to " in one for one in (first, *draws))


def test_by_other_rules_an_entry_is_another(tmp_path: Path) -> None:
    """What was found by rules that have changed since is not taken for what is true now."""
    path = example("duel", tmp_path)
    bench, text = bench_of(str(path)), (tmp_path / "duel.toml").read_text()
    before = [*map(said_by, bench.check(text, "duel.toml").faces)]
    assert before == [*map(said_by, bench.check(text, "duel.toml").faces)]
    path.write_text(path.read_text().replace("Whole(1, 99), 12", "Whole(1, 99), 13"))
    after = [*map(said_by, bench.check(text, "duel.toml").faces)]
    assert len(before) == len(after) and not {*before} & {*after}
