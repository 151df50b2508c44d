"""The command verdict of Mice & Mystics and its page."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from analysis.mice_and_mystics.registry import TABLES
from reports.mice_and_mystics.verdict import text

FEW = "--games", 1000, "--threads", 1, "--stronger", "none"


@pytest.fixture
def ask(ask):
    """Run `balancelab verdict` in an empty folder."""
    return partial(ask, "verdict")


def test_a_hero_by_name(ask) -> None:
    """The chapter is found, the answer comes first, and the proposal can be named behind it."""
    status, out, _ = ask("nez bellows", *FEW, "--band", 5)
    assert status == 0
    assert out.startswith("Nez Bellows is too strong: parties with Nez Bellows win")
    [folder] = Path("runs").iterdir()
    assert folder.name.startswith("verdict-nez-ch1_flight_to_barksburg-all-heuristic")
    page = (folder / "verdict.html").read_text()
    assert "<h1>Nez Bellows is too strong</h1>" in page
    assert "http:" not in page and "https:" not in page and "built-in" not in page
    assert page.index("<figure") < page.index('class="answer"')
    assert page.count('<p class="game">Game ') == 3
    status, again, _ = ask("nez", *FEW, "--band", 5, "--json")
    answer = json.loads(again)
    assert status == 0 and answer["entry"] == "nez"
    assert " ".join(out.split()).startswith(answer["sentence"])
    changes = answer["verdict_changes"]
    assert len(changes) > 10
    if answer["proposal"]:
        named = f"ch1_flight_to_barksburg+{answer['proposal']}"
        assert ask("nez", named, *FEW, "--out", "again").status == 0


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["nezz"], "did you mean 'nez'?"),
        (["nez", "ch1_flight"], "ch1_flight"),
        (["nez", "--policy", "heuristik"], "did you mean 'heuristic'?"),
        (["nez", "--stronger", "heuristic"], "who plays first already"),
        (["nez", "--party", "collin,nezz"], "nezz"),
        (["nez", "--band", "-1"], "--band is -1"),
        (["qwertz"], "'qwertz' is no file, and no game offers it"),
    ],
)
def test_what_cannot_be_asked(ask, words: list[str], complaint: str) -> None:
    """One message says what is wrong; nothing is written."""
    status, out, err = ask(*words)
    assert (status, out) == (2, "")
    assert complaint in err and "Traceback" not in err
    assert not Path("runs").exists()


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
        (a_row("heroes", 0.1, "strong"), "X is too strong: parties with X win 10.0 points (9.0"),
        (a_row("encounters", -0.1, "weak"), "X is too hard: games in which it is the first"),
        (a_row("minions", 0.1, "strong", "swapped"), "X is too easy: the party wins 10.0 points"),
        (a_row("abilities", -0.05, "weak"), "a mouse begins with it are won 5.0 points (4.0 to"),
        (a_row("search_cards", 0.0, "balanced"), "X is balanced: games in which it is among"),
        (a_row("minions", -0.025, "not enough games", "swapped"), "X may be too hard"),
    ],
)
def test_the_sentence(row: dict[str, object], said: str) -> None:
    """Minions and encounters are too hard or too easy, what helps the mice too strong or weak."""
    found = text.sentence({"verdict": TABLES["verdict"].frame([row])})
    assert said in found and found.endswith(".")
