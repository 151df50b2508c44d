"""How the command line fits what it prints to where it is read."""

from __future__ import annotations

import sys
from os import terminal_size

import pytest

from reports.cli.console import print_findings, print_wrapped
from reports.kit.words import Finding

WORDS = "Cards: " + "many words " * 30


@pytest.mark.parametrize(
    ("terminal", "columns", "longest"),
    [(True, 40, 40), (True, 200, 100), (True, 3, 20), (True, 0, 100), (False, 40, 100)],
)
def test_lines_fit_the_terminal(
    terminal: bool,
    columns: int,
    longest: int,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Lines are as wide as a narrow terminal, at most 100 wide; a file gets lines of 100."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: terminal)
    monkeypatch.setattr(
        "shutil.get_terminal_size", lambda fallback: terminal_size((columns or fallback[0], 24))
    )
    print_wrapped([WORDS])
    lines = capsys.readouterr().out.splitlines()
    assert longest - 12 < max(map(len, lines)) <= longest
    assert " ".join(" ".join(lines).split()) == WORDS.strip()


def test_a_command_stays_in_one_piece(capsys: pytest.CaptureFixture[str]) -> None:
    """However long a command in a finding is, it can be copied from one line."""
    command = "fairdeal sensitivity killer_bee --pool " + "runs/far/" * 20 + "pool.toml"
    print_findings([Finding("Check", f"{WORDS}\nWithout it:\n{command}")])
    lines = capsys.readouterr().out.splitlines()
    assert lines[-2:] == ["      Without it:", f"        {command}"]
    assert all(len(line) <= 100 for line in lines[:-1])
