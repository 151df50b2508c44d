"""What help shows: short for a command by itself, whole with what is played behind it."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from reports.cli.app import SHARED, command_line, examples_of, run
from reports.games import reports_of
from reports.own_games import examples
from simcore.games import names

COMMANDS = sorted({*SHARED, *(one for game in names() for one in reports_of(game).commands)})
#: Lines of the help of a command at most, but for one with many numbers to set.
MOST_LINES, LONG = 60, {"rebalance": 70}


def the_help(capsys: pytest.CaptureFixture[str], *words: str) -> list[str]:
    """The lines of a help text."""
    assert run([*words, "--help"]) == 0
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize("command", COMMANDS)
def test_help_of_a_command_is_short(capsys: pytest.CaptureFixture[str], command: str) -> None:
    """It fits a screen or two, at 80 columns, and begins with what to type."""
    lines = the_help(capsys, command)
    assert lines[0].startswith(f"Usage: fairdeal {command}")
    assert len(lines) <= LONG.get(command, MOST_LINES)
    assert max(map(len, lines)) <= 80


def test_with_a_game_named_help_is_whole(capsys: pytest.CaptureFixture[str]) -> None:
    """Then it has that game's options alone, and all that is said of each."""
    short, whole = (
        "\n".join(the_help(capsys, "balance", *game)) for game in ([], ["first_contact"])
    )
    assert "--skill-games" in whole and "--skill-games" not in short
    assert "--party" not in whole
    assert "fairdeal balance my_game.py --help" in short
    assert len(whole) > 2 * len(short)


@pytest.mark.parametrize("command", COMMANDS)
def test_examples_are_commands(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The parser reads each example, in a folder with a game."""
    monkeypatch.chdir(tmp_path)
    Path("my_game.py").write_bytes((Path(examples.__path__[0]) / "duel.py").read_bytes())
    for example in examples_of(command):
        words = shlex.split(example)
        command_line(words).parse_args(words, exit_on_error=False, print_error=False)


def test_commands_stand_in_the_order_of_use(capsys: pytest.CaptureFixture[str]) -> None:
    """First what a designer types first, each with one sentence."""
    lines = the_help(capsys)
    listed = [line.split()[0] for line in lines if line[:2] == "  " and line[2:3].isalpha()]
    assert listed[:3] == ["studio", "verdict", "balance"]
    assert sorted(listed) == COMMANDS


def test_alone_it_says_what_to_type_first(capsys: pytest.CaptureFixture[str]) -> None:
    """Ten lines, whose commands there are."""
    assert run([]) == 0
    told = capsys.readouterr().out
    assert len(told.splitlines()) <= 10
    typed = [line.split()[1] for line in told.splitlines() if line.startswith("  fairdeal ")]
    assert {*typed} <= {*COMMANDS} and "verdict" in typed
