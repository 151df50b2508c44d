"""A report with an earlier run beside it: what changed, what did not, what is not known."""

from __future__ import annotations

import json
import re
import shutil
from html import unescape
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from attrs import evolve
from openpyxl import load_workbook

import analysis.mindbug
import reports.mindbug
from analysis.verdicts import MORE, NOT_SETTLED, SAME
from card_data.mindbug.schema import CardSet, Pool
from reports.balance.sections import Heading
from reports.cli.app import run
from reports.cli.run_options import games_beside
from reports.mindbug.balance.run_report import read_report
from reports.mindbug.compare.page import draw_changes
from reports.mindbug.compare.text import before_findings, findings
from support.reported import every_kind
from support.synthetic import hostile_cards, run_of_pool, synthetic_games

HOSTILE = ["<script>alert(1)</script>", "=HYPERLINK(1)", "a|b"]
GAMES = 4000


def make_run(
    folder: Path, *, changed: bool, seed: int = 3, policies: tuple[str, str] = ("random", "random")
) -> Path:
    """An analysed run of one pool; in the changed one the first card has power 8 and wins more."""
    table = hostile_cards(HOSTILE)
    first = evolve(table.cards[0], power=8) if changed else table.cards[0]
    pool = Pool((CardSet("synthetic", "Synthetic", (first, *table.cards[1:])),), table.modes)
    worth = np.where(np.arange(16) == 0, 0.08 * changed, 0.0)
    games = synthetic_games(table, GAMES, seed=seed, worth=worth, draw_rate=0.02)
    run_of_pool(folder, pool, games, policies=policies, seed=seed)
    analysis.mindbug.analyze(folder)
    return folder


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The pool as it was, changed with the same seed, and changed with another one."""
    root = tmp_path_factory.mktemp("before")
    return {
        "old": make_run(root / "old", changed=False),
        "new": make_run(root / "new", changed=True),
        "other": make_run(root / "other", changed=True, seed=4),
    }


@pytest.fixture(scope="module")
def written(runs: dict[str, Path]) -> dict[str, Path]:
    """The report of the changed run in all formats, with the earlier run beside it."""
    comparison = analysis.mindbug.compare_runs(runs["old"], runs["new"], threads=1)
    with every_kind():
        return reports.mindbug.write_reports(runs["new"], ("html", "md", "xlsx"), before=comparison)


def shown(html: str) -> str:
    """The text of a page in one line."""
    text = re.sub(r"<(script|style)[^>]*>.*?</\1>|<[^>]*>", " ", html, flags=re.DOTALL)
    return " ".join(unescape(text).split())


def test_page_has_a_section(runs: dict[str, Path], written: dict[str, Path]) -> None:
    """The planted change is told as changed, its neighbours are not, with n, chart and table."""
    html = written["html"].read_text()
    section = html[html.index('<section id="before">') :]
    section = section[: section.index("</section>")]
    text = shown(section)
    assert f"Compared with {runs['old'].name}" in text
    assert "4,000 games each, paired" in text and "power: 1 → 8" in text
    comparison = analysis.mindbug.compare_runs(runs["old"], runs["new"], threads=1)
    for finding in findings(comparison):
        assert " ".join(finding.text.split()) in text
    dealt = comparison.table.query("kind == 'card' and measure == 'dealt'")
    up = dealt[dealt["verdict"] == MORE]
    assert list(up["name"]) == [HOSTILE[0]]
    for verdict in (MORE, NOT_SETTLED):
        assert verdict in text
    rows = re.findall(r'<th scope="row">', section)
    assert len(rows) == len(dealt) == 16
    assert section.count("<svg viewBox") == 1 and "<script>alert" not in html
    assert html.count('id="before"') == 1


def test_table_and_chart_lie_in_the_run(runs: dict[str, Path], written: dict[str, Path]) -> None:
    """The comparison is a table of the run and its chart a figure like the others."""
    assert written
    table = pd.read_parquet(runs["new"] / "tables" / "comparison.parquet")
    assert set(table["kind"]) == {"card", "keyword", "game"}
    for kind in ("svg", "png", "pdf"):
        assert (runs["new"] / "figures" / f"changes.{kind}").exists()


def test_markdown_and_workbook_tell_it(written: dict[str, Path]) -> None:
    """The other formats have the same: words, differences, intervals."""
    text = written["md"].read_text()
    section = text[text.index("## Compared with old") : text.index("\n## Cards")]
    assert "power: 1 → 8" in section and "(figures/changes.png)" in section
    rows = [line for line in section.splitlines() if line.startswith("|")]
    assert len(rows) == 2 + 16
    assert re.search(r"\| \+\d\.\d\d \(\+\d.\d\d to \+\d\d?\.\d\d\) \| more \|", rows[2])
    book = load_workbook(written["xlsx"])
    table = pd.read_parquet(written["xlsx"].parent / "tables" / "comparison.parquet")
    assert book["comparison"].max_row == len(table) + 1
    told = {row[0] for row in book.worksheets[0].iter_rows(values_only=True)}
    assert {"Compared with old", "Pairing", "Changed"} < told


def test_runs_of_other_seeds_are_compared_unpaired(
    runs: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """With another seed the console says that the games are not paired; JSON has the table."""
    old, other = runs["old"], runs["other"]
    assert run(["report", str(other), "--before", str(old), "--format", "xlsx"]) == 0
    words = capsys.readouterr().out
    assert words.startswith(f"Compared with {old} (4,000 and 4,000 games, not paired")
    assert f"report: {other / 'report.xlsx'}" in words
    question = ["report", str(other), "--before", str(old), "--format", "xlsx", "--json"]
    assert run(question) == 0
    answer = json.loads(capsys.readouterr().out)
    assert (answer["before"]["run"], answer["before"]["paired"]) == (str(old), False)
    assert [change["what"] for change in answer["before"]["changes"]] == ["power"]
    first = next(line for line in answer["comparison"] if line["measure"] == "dealt")
    assert first["verdict"] == MORE and first["difference"] > 0


def test_the_same_pool_again_is_shown_the_same(runs: dict[str, Path], tmp_path: Path) -> None:
    """A run set against its own repetition: nothing changed, and that is shown."""
    again = make_run(tmp_path / "again", changed=False)
    comparison = analysis.mindbug.compare_runs(runs["old"], again, threads=1)
    assert set(comparison.table["verdict"]) == {SAME}
    assert [finding.topic for finding in before_findings(comparison)].count("Deals") == 0


def test_other_deals_are_pointed_out(runs: dict[str, Path], tmp_path: Path) -> None:
    """Where the games were not dealt the same cards it is said why."""
    table = hostile_cards(HOSTILE)
    pool = Pool((CardSet("synthetic", "Synthetic", table.cards),), table.modes)
    games = synthetic_games(table, GAMES, seed=9)
    folder = run_of_pool(tmp_path / "shifted", pool, games, seed=3)
    comparison = analysis.mindbug.compare_runs(runs["old"], folder, threads=1)
    assert comparison.paired and comparison.same_deals < 0.01
    assert "more or fewer copies" in before_findings(comparison)[-1].text


@every_kind()
def test_nothing_is_left_of_an_earlier_comparison(written: dict[str, Path], tmp_path: Path) -> None:
    """A report without an earlier run has no table, chart or report of another format of one."""
    new = shutil.copytree(written["html"].parent, tmp_path / "new")
    told = [*new.rglob("comparison.*"), *new.rglob("changes.*")]
    assert len(told) == 2 + 3
    assert run(["report", str(new)]) == 0
    assert not any(path.exists() for path in told)
    assert sorted(path.name for path in new.glob("report.*")) == ["report.html"]
    assert "Compared with" not in (new / "report.html").read_text()


def test_two_policies_are_compared_apart(tmp_path: Path) -> None:
    """Between different players there is a table and a chart for each of them."""
    both = ("greedy", "random")
    old = make_run(tmp_path / "old", changed=False, policies=both)
    new = make_run(tmp_path / "new", changed=True, policies=both)
    comparison = analysis.mindbug.compare_runs(old, new, threads=1)
    report = read_report(new, comparison)
    blocks = report.tabs()[0].sections[0].blocks
    headings = [block.text for block in blocks if isinstance(block, Heading)]
    assert headings == [f"All cards of both runs ({policy})" for policy in ("greedy", "random")]
    assert list(draw_changes(comparison, tmp_path / "figures")) == list(both)
    with pytest.raises(ValueError, match="the comparison is of"):
        reports.mindbug.write_reports(old, ["xlsx"], before=comparison)


@pytest.mark.parametrize(
    ("said", "message"),
    [
        (
            ["--policy", "random", "--games", "100"],
            "has the same seed, 3, and is compared game by game; say --games 4000",
        ),
        ([], "was played by random against random, not by expert against expert; only runs of"),
        (["--policy", "greedy"], "can be compared: say --policy random"),
        (
            ["--policy", "random", "--until", "1"],
            "how many games --until takes is not known beforehand",
        ),
        (["--policy", "random", "--out", "{old}"], "is the run itself; name an earlier one"),
    ],
)
def test_what_cannot_be_compared_is_not_played(
    said: list[str],
    message: str,
    runs: dict[str, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """One message, before anything is played or written."""
    monkeypatch.chdir(tmp_path)
    words = [word.format(old=runs["old"]) for word in said]
    question = ["balance", "first_contact", "--seed", "3", "--before", str(runs["old"]), *words]
    assert run(question) == 2
    out, err = capsys.readouterr()
    assert (out, err.count("\n")) == ("", 1)
    assert message in err
    assert list(tmp_path.iterdir()) == []


def test_an_earlier_run_has_to_be_there(
    runs: dict[str, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    """A folder without a run, and the run itself, are told."""
    for before, message in (("nowhere", "nowhere does not exist"), (runs["new"], "the run itself")):
        assert run(["report", str(runs["new"]), "--before", str(before)]) == 2
        assert message in capsys.readouterr().err


def test_balance_tells_what_differs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The main job with an earlier run: findings of the run, then of the comparison."""
    monkeypatch.chdir(tmp_path)
    played = ["balance", "first_contact", "--policy", "random", "--games", "60", "--format", "xlsx"]
    assert run([*played, "--out", "old"]) == 0
    assert run([*played, "--life", "4", "--out", "new", "--before", "old"]) == 0
    out = capsys.readouterr().out
    assert "Compared with old (60 games each, paired" in out
    assert "Changed: life: 3 → 4." in out
    assert (
        out.index("60 games · random") < out.index("Compared with old") < out.index("tables: new")
    )


def test_as_many_games_as_the_earlier_run(tmp_path: Path, ask) -> None:
    """Where nothing else is said; with another seed, whose games differ, as many as usual."""
    played = ["--policy", "random", "--format", "xlsx"]
    assert ask("balance", "promos", *played, "--games", "70", "--out", "old").status == 0
    assert ask("balance", "promos", *played, "--before", "old", "--out", "new").status == 0
    assert analysis.mindbug.open_run("new").manifest["games"] == 70
    assert games_beside(Path("old"), 1) is None


def test_a_changed_card_is_compared_on_the_same_deals(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """--cards with a card of a set leaves every deal as it was, so the runs are paired."""
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text(
        'name = "Mine"\n[turbo_bug]\nname = "Turbo Bug"\npower = 9\n'
        'attack = "the opponent loses all but 1 life"\n'
    )
    played = ["balance", "first_contact", "--policy", "random", "--games", "60", "--format", "xlsx"]
    assert run([*played, "--out", "old"]) == 0
    assert run([*played, "--cards", "mine.toml", "--out", "new", "--before", "old"]) == 0
    old, new = (analysis.mindbug.open_run(folder) for folder in ("old", "new"))
    dealt = [np.stack(one.games(["cards"])["cards"]) for one in (old, new)]
    np.testing.assert_array_equal(dealt[0], dealt[1])
    assert old.card_ids == new.card_ids
    out = capsys.readouterr().out
    assert "First Contact with changed cards · 60 games" in out
    assert "Changed: Turbo Bug, power: 4 → 9." in out
    assert analysis.mindbug.compare_runs("old", "new").same_deals == 1
