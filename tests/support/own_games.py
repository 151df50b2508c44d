"""Games that somebody brings, for tests: an installed one, and files of examples."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

import pytest

from simcore.contract import finding, packages

EXAMPLES = Path(__file__).parents[2] / "reports" / "own_games" / "examples"


def install(name: str, value: str, folder: Path, patch: pytest.MonkeyPatch) -> None:
    """Let a package be installed whose entry points say what it brings, while a test runs."""
    about = folder / f"{name}_game-1.dist-info"
    about.mkdir(parents=True)
    (about / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}-game\nVersion: 1\n")
    (about / "entry_points.txt").write_text(f"[{packages.GROUP}]\n{name} = {value}\n")
    patch.setattr(sys, "path", [str(folder), *sys.path])
    finding.load_installed.cache_clear()


def example(name: str, folder: Path) -> Path:
    """A copy of an example, with its entries, in a folder."""
    for suffix in ("py", "toml"):
        shutil.copy(EXAMPLES / f"{name}.{suffix}", folder)
    return folder / f"{name}.py"
