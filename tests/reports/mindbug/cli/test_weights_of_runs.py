"""A run says with which weights its players thought, so that others are noticed."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

import reports.mindbug
import simcore.jit
from simcore.mindbug.players.seats import fingerprints

WEIGHTS = Path(reports.__file__).parents[1] / "simcore" / "mindbug" / "players"
PLAYER = "learned=own.toml"
QUESTION = ["simulate", "first_contact", "--policy", PLAYER, "--games", "30"]


@pytest.fixture
def played(ask, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """The run `old`, after which the file of its weights was written anew; both fingerprints."""
    shutil.copy(WEIGHTS / "learned.toml", "own.toml")
    assert ask(*QUESTION, "--out", "old").status == 0
    # What is refused must be refused before anything else is compiled.
    monkeypatch.setattr(simcore.jit, "is_compiled", lambda _: False)
    before = fingerprints([PLAYER])[PLAYER]
    shutil.copy(WEIGHTS / "heuristic.toml", "own.toml")
    return before, fingerprints([PLAYER])[PLAYER]


def refused(answer) -> str:
    assert (answer.status, answer.out, answer.err.count("\n")) == (2, "", 1)
    return answer.err


def test_a_run_does_not_go_on_with_other_weights(ask, played: tuple[str, str]) -> None:
    """The file is called the same; the message says what differs, and the old file goes on."""
    before, after = played
    assert json.loads(Path("old/manifest.json").read_text())["weights"] == {PLAYER: before}
    Path("old/games/part-00000.parquet").unlink()
    assert f"old holds a run with other weights of {PLAYER}: {before}, not {after};" in refused(
        ask(*QUESTION, "--out", "old")
    )
    shutil.copy(WEIGHTS / "learned.toml", "own.toml")
    assert ask(*QUESTION, "--out", "old").status == 0


def test_games_are_not_told_with_other_weights(ask, played: tuple[str, str]) -> None:
    """Nor with none: it is not the engine that has changed."""
    message = f"old was played with other weights of {PLAYER} than there are now; put back"
    assert message in refused(ask("replay", "old", "3"))
    Path("own.toml").unlink()
    assert "there is no file own.toml" in refused(ask("replay", "old", "3"))


def test_runs_of_other_weights_are_not_compared(ask, played: tuple[str, str]) -> None:
    """They were not played by the same players; what would have to be played is not begun."""
    assert ask(*QUESTION, "--out", "new").status == 0
    assert f"old and new were played with different weights of {PLAYER}; only runs" in refused(
        ask("compare", "old", "new")
    )
    other = "old was played with other weights"
    assert other in refused(ask("compare", "old", "promos", "--out", "c"))
    question = ["first_contact", "--policy", PLAYER, "--games", "30", "--before", "old"]
    assert other in refused(ask("balance", *question, "--out", "b"))
    assert not Path("c").exists() and not Path("b").exists()


def test_the_report_tells_the_weights(ask, played: tuple[str, str]) -> None:
    """Beside the players; of players without weights there is nothing to tell."""
    shutil.copy(WEIGHTS / "learned.toml", "own.toml")
    assert ask("analyze", "old").status == ask("report", "old", "--format", "html,md").status == 0
    for report in ("report.html", "report.md"):
        assert f"{PLAYER} {played[0]}" in Path("old", report).read_text().replace("\\", "")
