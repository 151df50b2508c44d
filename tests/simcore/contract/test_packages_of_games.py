"""Games of installed packages are found by name."""

import sys
from pathlib import Path

import pytest

from simcore.contract.packages import installed
from support.own_games import install


def test_what_is_installed_meanwhile_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a folder that was searched before; and what is removed from it is gone."""
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    assert "late" not in installed()
    with pytest.MonkeyPatch.context() as patch:
        install("late", "nowhere:GAME", tmp_path, patch)
    assert installed()["late"].value == "nowhere:GAME"
    (tmp_path / "late_game-1.dist-info").rename(tmp_path / "removed")
    assert "late" not in installed()
