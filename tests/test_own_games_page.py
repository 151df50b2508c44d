"""The page about games of one's own: its smallest game is played as it stands there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from analysis.runs import open_run
from reports.cli.app import run

PAGE = Path(__file__).parents[1] / "docs" / "own_games.md"


def test_the_smallest_game_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is played from the page alone, and who plays wisely wins from the better seat."""
    monkeypatch.chdir(tmp_path)
    Path("nim.py").write_text(re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)[0])
    words = ("--policy", "wise:random", "--games", "400", "--seed", "1", "--out", "run")
    assert run(["balance", "nim.py", *words]) == 0
    [games] = open_run("run").parts()
    assert games["outcome"][:, 0].min() == open_run("run").manifest["unit"]
    assert run(["compare", "nim.py", "run", "--set", "sticks=12", "--out", "c"]) == 0
