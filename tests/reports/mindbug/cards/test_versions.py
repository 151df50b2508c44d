"""``fairdeal cards versions``: versions of a card side by side, from the runs of a project."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

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


@pytest.fixture
def ask(ask, project: Path, monkeypatch: pytest.MonkeyPatch):
    """Run a command in the project."""
    monkeypatch.chdir(project)
    return ask


@pytest.fixture
def told(ask):
    """What the command answers to a program."""
    return lambda *words: ask("cards", "versions", *words, "--json").json


@pytest.fixture
def copied(ask, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A copy of the project, in which commands run."""
    shutil.copytree(project, tmp_path / "copied")
    monkeypatch.chdir(tmp_path / "copied")


def test_versions_stand_side_by_side(ask, told) -> None:
    """Each version with its lines, win rate, verdict, day and note; by name or id."""
    answer = told("giant")
    rows = answer["versions"]
    assert [row["version"] for row in rows] == sorted(row["version"] for row in rows)
    assert [row["text"].removeprefix("power ")[0] for row in rows] == list("366669")
    assert {row["note"] for row in rows} == {"", "Bigger is better"}
    assert [row["note"] for row in rows if row["text"].startswith("power 9")] == [
        "Bigger is better"
    ]
    for row in rows:
        assert row["ci_low"] < row["win_rate"] < row["ci_high"]
    assert told("gi<b>ANT") == answer | {"page": answer["page"]}


def test_what_may_be_compared_is_said(ask, told) -> None:
    """Rows with the same players and the same other cards share a letter, and no others."""
    rows = told("giant")["versions"]
    by_player = {(row["policies"], row["policy"]): row["measured"] for row in rows}
    assert len(by_player) == len(set(by_player.values())) == 3
    assert {row["measured"] for row in rows if row["policies"] == "random"} == {1}
    out = ask("cards", "versions", "giant").done().out
    assert "3 versions in 5 runs" in out
    assert "Compare rows with the same letter" in out
    assert re.search(r"^A: random, First Contact and Mine$", out, re.MULTILINE)
    assert re.search(r"^B: greedy against random, dealt to greedy, ", out, re.MULTILINE)


def test_other_rules_are_told(ask, told, copied) -> None:
    """A version that is measured by another ruling has a letter, which says by which."""
    ruled = ("--cards", "mine.toml", "--ruling", "newest_triggers_first", "--life", "4")
    few = ("--policy", "random", "--games", "400")
    ask("simulate", "first_contact", *ruled, *few).done()
    out = " ".join(ask("cards", "versions", "giant").done().out.split())
    assert re.search(r"\w: random, First Contact and Mine, .*newest_triggers_first", out)
    assert "the same players, other cards and rules" in out


def test_the_page_shows_the_same(ask, told) -> None:
    """The page has a row for each, hostile names inert, and the list of runs links it."""
    page = Path(told("giant")["page"])
    assert page == Path("runs/card-giant.html")
    text = page.read_text()
    assert text.count("<tr><th scope") == 2 * (1 + 6) and "<b>" not in text
    ask("runs").done()
    assert 'href="card-giant.html"' in Path("runs/index.html").read_text()


def test_a_diary_tells_of_runs_that_are_gone(ask, told, copied) -> None:
    """What `compare` noted of the card is shown, with its numbers, though the runs are removed."""
    row = next(row for row in told("giant")["versions"] if row["note"])
    [gone] = Path("runs").glob("compare-*")
    shutil.rmtree(gone)
    answer = told("giant", "--diary", "diary.md")
    assert "Bigger is better" not in {one["note"] for one in answer["versions"]}
    [entry] = answer["diary"]
    assert (entry["day"], entry["change"]) == (row["day"], "power: 6 → 9")
    assert entry["why"] == "Bigger is better"
    assert entry["after"] == percent(row["win_rate"])
    assert "Bigger is better" in Path(answer["page"]).read_text()
    ask("cards", "versions", "giant", "--diary", "no.md").refused(
        "--diary: cannot read no.md: No such file"
    )


def test_an_unknown_card_is_told_with_the_nearest(ask, told) -> None:
    """One message, exit status 2."""
    ask("cards", "versions", "gaint").refused(
        "no finished run in runs has a card 'gaint'; did you mean 'giant'?"
    )


def test_letters_go_on() -> None:
    """More circumstances than letters are numbered."""
    assert [letter(1), letter(26), letter(27)] == ["A", "Z", "27"]


def test_runs_of_a_verdict_are_read_too(ask, told, copied) -> None:
    """The games of a verdict lie a folder deeper, one for each player."""
    before = told("giant")["versions"]
    for number, name in enumerate(("run", "stronger")):
        Path("runs/verdict-giant").mkdir(exist_ok=True)
        alone = sorted(path for path in Path("runs").glob("*random*") if (path / "games").is_dir())
        alone[number].rename(f"runs/verdict-giant/{name}")
    after = told("giant")["versions"]
    assert [row["win_rate"] for row in after] == [row["win_rate"] for row in before]
    assert sum("verdict-giant" in row["folder"] for row in after) >= 2


@NEEDS_BROWSER
def test_page_of_versions_in_a_browser(ask, project: Path, open_file: Open) -> None:
    """What became of the card comes first, with a chart; its name is text."""
    ask("cards", "versions", "giant").done()
    page = open_file(project / "runs" / "card-giant.html")
    check_frame(page)
    title = page.locator("h1").inner_text()
    assert title.startswith("Gi<b>ant: players dealt it win ") and title.endswith("1 to 3")
    assert page.locator("#overview figure tbody tr").count() == 6
