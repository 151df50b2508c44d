"""``fairdeal cards versions``: versions of a card side by side, from the runs of a project."""

from __future__ import annotations

import json
import re
import shutil
from pathlib import Path
from typing import Any

import pytest

from reports.cli.app import run
from reports.kit.words import percent
from reports.mindbug.cards.versions import letter
from support.browser import NEEDS_BROWSER, Open, check_frame

BEE = """name = "Mine"

[giant]
name = "Gi<b>ant"
power = {power}
copies = 2
"""


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project in which a card was measured with three powers, and with other players."""
    folder = tmp_path_factory.mktemp("versions")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        few = ("--policy", "random", "--games", "400")
        for power in (3, 6):
            Path("mine.toml").write_text(BEE.format(power=power))
            assert run(["balance", "first_contact", "--cards", "mine.toml", *few]) == 0
        assert run(["simulate", "first_contact", "--cards", "mine.toml", *few, "--seed", "1"]) == 0
        pair = ("--policy", "greedy:random", *few[2:])
        assert run(["simulate", "first_contact", "--cards", "mine.toml", *pair]) == 0
        Path("mine9.toml").write_text(BEE.format(power=9))
        diary = ("--record", "diary.md", "--why", "Bigger is better")
        sides = ("first_contact+mine.toml", "mine9.toml")
        assert run(["compare", *sides, *few, *diary]) == 0
    return folder


def told(project: Path, capsys: pytest.CaptureFixture[str], *words: str) -> Any:
    """What the command answers to a program."""
    capsys.readouterr()
    assert run(["cards", "versions", *words, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_versions_stand_side_by_side(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each version with its lines, win rate, verdict, day and note; by name or id."""
    monkeypatch.chdir(project)
    answer = told(project, capsys, "giant")
    rows = answer["versions"]
    assert [row["version"] for row in rows] == sorted(row["version"] for row in rows)
    assert [row["text"].removeprefix("power ")[0] for row in rows] == list("366669")
    assert {row["note"] for row in rows} == {"", "Bigger is better"}
    assert [row["note"] for row in rows if row["text"].startswith("power 9")] == [
        "Bigger is better"
    ]
    for row in rows:
        assert row["ci_low"] < row["win_rate"] < row["ci_high"]
    assert told(project, capsys, "gi<b>ANT") == answer | {"page": answer["page"]}


def test_what_may_be_compared_is_said(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Rows with the same players and the same other cards share a letter, and no others."""
    monkeypatch.chdir(project)
    rows = told(project, capsys, "giant")["versions"]
    by_player = {(row["policies"], row["policy"]): row["measured"] for row in rows}
    assert len(by_player) == len(set(by_player.values())) == 3
    assert {row["measured"] for row in rows if row["policies"] == "random"} == {1}
    assert run(["cards", "versions", "giant"]) == 0
    out = capsys.readouterr().out
    assert "3 versions in 5 runs" in out
    assert "Compare rows with the same letter" in out
    assert re.search(r"^A: random, First Contact and Mine$", out, re.MULTILINE)
    assert re.search(r"^B: greedy against random, dealt to greedy, ", out, re.MULTILINE)


def test_other_rules_are_told(
    project: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A version that is measured by another ruling has a letter, which says by which."""
    shutil.copytree(project, tmp_path / "ruled")
    monkeypatch.chdir(tmp_path / "ruled")
    ruled = ("--cards", "mine.toml", "--ruling", "newest_triggers_first", "--life", "4")
    few = ("--policy", "random", "--games", "400")
    assert run(["simulate", "first_contact", *ruled, *few]) == 0
    capsys.readouterr()
    assert run(["cards", "versions", "giant"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert re.search(r"\w: random, First Contact and Mine, .*newest_triggers_first", out)
    assert "the same players, other cards and rules" in out


def test_the_page_shows_the_same(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The page has a row for each, hostile names inert, and the list of runs links it."""
    monkeypatch.chdir(project)
    page = Path(told(project, capsys, "giant")["page"])
    assert page == Path("runs/card-giant.html")
    text = page.read_text()
    assert text.count("<tr><th scope") == 2 * (1 + 6) and "<b>" not in text
    assert run(["runs"]) == 0
    assert 'href="card-giant.html"' in Path("runs/index.html").read_text()


def test_a_diary_tells_of_runs_that_are_gone(
    project: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
) -> None:
    """What `compare` noted of the card is shown, with its numbers, though the runs are removed."""
    shutil.copytree(project, tmp_path / "there")
    monkeypatch.chdir(tmp_path / "there")
    row = next(row for row in told(project, capsys, "giant")["versions"] if row["note"])
    [gone] = Path("runs").glob("compare-*")
    shutil.rmtree(gone)
    answer = told(project, capsys, "giant", "--diary", "diary.md")
    assert "Bigger is better" not in {one["note"] for one in answer["versions"]}
    [entry] = answer["diary"]
    assert (entry["day"], entry["change"]) == (row["day"], "power: 6 → 9")
    assert entry["why"] == "Bigger is better"
    assert entry["after"] == percent(row["win_rate"])
    assert "Bigger is better" in Path(answer["page"]).read_text()
    assert run(["cards", "versions", "giant", "--diary", "no.md"]) == 2
    assert "--diary: cannot read no.md: No such file" in capsys.readouterr().err


def test_an_unknown_card_is_told_with_the_nearest(
    project: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """One message, exit status 2."""
    monkeypatch.chdir(project)
    assert run(["cards", "versions", "gaint"]) == 2
    assert "no finished run in runs has a card 'gaint'; did you mean 'giant'?" in (
        capsys.readouterr().err
    )


def test_letters_go_on() -> None:
    """More circumstances than letters are numbered."""
    assert [letter(1), letter(26), letter(27)] == ["A", "Z", "27"]


def test_runs_of_a_verdict_are_read_too(
    project: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The games of a verdict lie a folder deeper, one for each player."""
    shutil.copytree(project, tmp_path / "other")
    monkeypatch.chdir(tmp_path / "other")
    before = told(tmp_path, capsys, "giant")["versions"]
    for number, name in enumerate(("run", "stronger")):
        Path("runs/verdict-giant").mkdir(exist_ok=True)
        alone = sorted(path for path in Path("runs").glob("*random*") if (path / "games").is_dir())
        alone[number].rename(f"runs/verdict-giant/{name}")
    after = told(tmp_path, capsys, "giant")["versions"]
    assert [row["win_rate"] for row in after] == [row["win_rate"] for row in before]
    assert sum("verdict-giant" in row["folder"] for row in after) >= 2


@NEEDS_BROWSER
def test_page_of_versions_in_a_browser(
    project: Path, monkeypatch: pytest.MonkeyPatch, open_file: Open
) -> None:
    """What became of the card comes first, with a chart; its name is text."""
    monkeypatch.chdir(project)
    assert run(["cards", "versions", "giant"]) == 0
    page = open_file(project / "runs" / "card-giant.html")
    check_frame(page)
    title = page.locator("h1").inner_text()
    assert title.startswith("Gi<b>ant: players dealt it win ") and title.endswith("1 to 3")
    assert page.locator("#overview figure tbody tr").count() == 6
