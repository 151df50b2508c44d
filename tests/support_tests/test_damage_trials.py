"""A few of the damages of ``make damage``: what commands make of them is never wrong."""

from pathlib import Path

import pytest

from reports.kit import figure_files
from support import damage_trials
from support.damage_trials import REFUSED, SAME, WRONG, as_table, cache_trials, trials
from support.small_folders import WORKS, few_games

FEW = [work for work in WORKS if work.name in ("simulate", "train", "skill, M&M")]


def test_damaged_files_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is read ends as undisturbed or with one message; both of them happen."""
    monkeypatch.setattr(figure_files, "KINDS", ("svg",))
    monkeypatch.setattr(damage_trials, "_VERIFIED", 0.5)
    with few_games():
        found = trials(40, FEW, tmp_path)
    assert sum(found.values()) == 40
    assert {outcome for *_, outcome in found} == {SAME, REFUSED}
    assert as_table(found, "file", 2).count("\n") == 1 + len({kind for _, _, kind, _ in found})


def test_damage_that_no_command_finds_is_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A trial can fail: where verify reads no checksums, and where another number is shown."""
    monkeypatch.setattr(figure_files, "KINDS", ("svg",))
    monkeypatch.setattr(damage_trials, "_VERIFIED", 1)
    monkeypatch.setattr("analysis.upkeep._Listed.look", lambda *_: None)
    assert WRONG in {outcome for *_, outcome in trials(12, FEW[:1], tmp_path)}


def test_damaged_caches_are_noticed(tmp_path: Path) -> None:
    """A flipped bit of a compiled kernel is refused, or reads as the kernel."""
    tmp_path.chmod(0o700)
    assert {outcome for *_, outcome in cache_trials(20, tmp_path)} == {SAME}
