"""A few of the flipped bits of ``make damage``: what is read of damaged files is never wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from reports.kit import figure_files
from support.damage_trials import OUTCOMES, REFUSED, SAME, as_table, cache_trials, trials


def test_flipped_bits_are_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is read ends as undisturbed or with one message; both of them happen."""
    monkeypatch.setattr(figure_files, "KINDS", ("svg",))
    found = trials(60, ("ladder", "restrict", "sensitivity"), tmp_path)
    assert sum(found.values()) == 60
    assert {outcome for _, _, outcome in found} == {SAME, REFUSED}
    assert as_table(found, "file", 1).count("\n") == 1 + len({kind for _, kind, _ in found})
    assert set(OUTCOMES) >= {SAME, REFUSED}


def test_flipped_bits_of_caches_are_noticed(tmp_path: Path) -> None:
    """Compiled kernels and tables of the grammar."""
    tmp_path.chmod(0o700)
    assert {outcome for _, _, outcome in cache_trials(20, tmp_path)} == {SAME}
