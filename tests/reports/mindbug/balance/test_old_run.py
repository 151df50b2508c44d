"""A run folder of version 0.1 gets one message from every command that is given it."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

import analysis.mindbug
from simcore.sealed import RunError

OLD = Path(__file__).parents[3] / "data" / "run_0_1"
PLAYED = "first_contact --games 200 --seed 5"


@pytest.mark.parametrize(
    "command",
    [
        "analyze old",
        "report old",
        "report old --format md",
        "replay old 3",
        "skill old old",
        "compare old first_contact --out new",
        "compare first_contact old --out new",
        f"simulate {PLAYED} --out old",
        f"balance {PLAYED} --out old",
        "balance first_contact --games 200 --before old --out new",
    ],
)
def test_a_run_of_version_0_1_is_refused_by_one_message(ask, command: str) -> None:
    """It says which format was found, which is read, and what to do; the folder stays as it was."""
    shutil.copytree(OLD, "old")
    answer = ask(*command.split())
    assert (answer.status, answer.out) == (2, "")
    said = [line for line in answer.err.splitlines(keepends=True) if "compiling" not in line]
    assert "".join(said) == (
        "fairdeal: old/manifest.json has run format 1, this fairdeal reads format 2; choose"
        " another folder, or play the run again into a new one\n"
    )
    for path in OLD.rglob("*.*"):
        assert (Path("old") / path.relative_to(OLD)).read_bytes() == path.read_bytes()


def test_nor_is_it_read_from_python() -> None:
    """Opening it and reading its tables say the same."""
    for read in (analysis.mindbug.open_run, analysis.mindbug.read_tables, analysis.mindbug.analyze):
        with pytest.raises(RunError, match="has run format 1, this fairdeal reads format 2"):
            read(OLD)
