"""What `--dry-run` tells is what the command then plays, and nothing is played or written."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from matplotlib.figure import Figure

import reports.mindbug.training.fit
import simcore.mindbug.play.training
import simcore.work.cost
from reports.cli.app import command_line_of, run
from reports.cli.dry_run import duration, in_bytes
from simcore.work.pieces import Finished, Piece, Workers

CHAPTER = "ch1_flight_to_barksburg"
#: Commands that play as many games as they say, whatever these show.
EXACT = (
    "simulate first_contact --games 70",
    f"simulate {CHAPTER} --games 30",
    "balance first_contact --games 400 --policy greedy --skill random,greedy --skill-games 100"
    " --keyword-games 3 --luck",
    "compare first_contact new_servants --games 60 --policy random --stronger greedy",
    f"balance {CHAPTER} --games 30 --policy uniform --stronger category --assumptions 0",
    "ladder first_contact --players random,greedy --games 20",
    "restrict first_contact --restrictions blocks,hunts --games 20 --policy greedy",
    "sensitivity killer_bee first_contact --changes value,power,copies --games 50 --policy random"
    " --reference axolotl_healer",
    f"skill {CHAPTER} --players uniform,heuristic --games 80",
)
#: Commands of which what they find decides how many games they play, and which way they may err.
BOUNDED = {
    "sensitivity killer_bee first_contact --changes value --games 50 --policy random": "at most",
    f"sensitivity {CHAPTER} --of life --games 100": "at most",
    "verdict killer_bee first_contact --policy random --stronger none --games 1000": "at least",
    f"verdict collin {CHAPTER} --stronger none --games 1000": "at least",
}


class Drawn(BaseException):
    """Everything has been played, and the page is being made."""


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(simcore.work.cost, "TRIAL_SECONDS", 0.01)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def told(capsys: pytest.CaptureFixture[str]) -> Callable[[str], dict[str, Any]]:
    """What a command tells that it would cost, having written nothing."""

    def ask(command: str) -> dict[str, Any]:
        capsys.readouterr()
        assert run([*shlex.split(command), "--dry-run", "--json"]) == 0
        assert [*Path().iterdir()] == []
        answer: dict[str, Any] = json.loads(capsys.readouterr().out)
        return answer

    return ask


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], int]:
    """How many games a command plays, which is ended when it draws the first chart."""
    counted: list[int] = []
    finish = Workers.finish

    def count(
        self: Workers, pieces: Iterable[Piece], take: Callable[[Finished], Any]
    ) -> Iterator[Any]:
        def each() -> Iterator[Piece]:
            for piece in pieces:
                counted.append(len(piece.rows) * piece.units)
                yield piece

        return finish(self, each(), take)

    def draw(*_: object, **__: object) -> None:
        raise Drawn

    monkeypatch.setattr(Workers, "finish", count)
    monkeypatch.setattr(Figure, "savefig", draw)

    def play(command: str) -> int:
        with suppress(Drawn):
            assert run(shlex.split(command)) == 0
        return sum(counted)

    return play


@pytest.mark.parametrize("command", EXACT)
def test_games_told_are_games_played(
    command: str, told: Callable[[str], dict[str, Any]], played: Callable[[str], int]
) -> None:
    """The number is exact where the question alone decides it."""
    answer = told(command)
    assert answer["bound"] == ""
    assert answer["games"] == sum(one["games"] for one in answer["plays"]) == played(command)
    assert answer["processor_seconds"] > 0
    assert answer["bytes"] > 0


@pytest.mark.parametrize("command", BOUNDED)
def test_what_is_found_on_the_way_moves_the_number_one_way(
    command: str, told: Callable[[str], dict[str, Any]], played: Callable[[str], int]
) -> None:
    """Where it cannot be exact, it says whether it is the most or the least."""
    answer = told(command)
    assert answer["bound"] == BOUNDED[command]
    found = played(command)
    assert found <= answer["games"] if answer["bound"] == "at most" else found >= answer["games"]


def test_a_precision_foresees_its_games(
    told: Callable[[str], dict[str, Any]], played: Callable[[str], int]
) -> None:
    """With --until the rule says from the games of the trial when it will be content, about."""
    command = "simulate first_contact --policy random --games 900000 --until"
    answer = told(f"{command} 0.01")
    assert (answer["bound"], answer["games"]) == ("at most", 900_000)
    answer = told(f"{command} 1:first_player")
    assert answer["bound"] == "about"
    n_games = played(f"{command} 1:first_player")
    assert n_games / 3 < answer["games"] < 3 * n_games


def test_games_of_a_training_are_told(
    told: Callable[[str], dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Candidates, what has been learned so far, the fit of positions and the test at the end."""
    command = "train first_contact --generations 2 --population 4 --games 6 --against random*2"
    for name in ("_TEST_GAMES", "_POSITIONS"):
        monkeypatch.setattr(reports.mindbug.training.fit, name, 500)
    counted: list[int] = []
    play = vars(simcore.mindbug.play.training)["play_rows"]

    def count(rows: Any, *, games: Any, **asked: Any) -> Any:
        counted.append(len(games))
        return play(rows, games=games, **asked)

    monkeypatch.setattr(simcore.mindbug.play.training, "play_rows", count)
    answer = told(command)
    assert run(shlex.split(command)) == 0
    assert answer["games"] == sum(counted) + 500


def test_games_of_the_training_of_a_network_are_told(
    told: Callable[[str], dict[str, Any]],
) -> None:
    """Those to learn from, those that measure it on the way, and the test at the end."""
    answer = told("train first_contact --start expert --generations 6 --games 30")
    games = {":".join(one["players"]): 0 for one in answer["plays"]}
    for one in answer["plays"]:
        games[":".join(one["players"])] += one["games"]
    tests = 2 * 2_000 + 4_000  # after five generations, after six, and at the end
    assert games == {"expert:expert": 180, "expert:learned": tests, "expert:random": 4_000}
    seconds = sum(one["games"] / one["games_per_second"] for one in answer["plays"])
    assert answer["processor_seconds"] > seconds  # to learn takes time, too


def test_every_command_that_plays_tells_its_cost() -> None:
    """Whatever takes --threads and begins a folder has the option."""
    line = command_line_of("")
    options = {
        name: {one for arg in line[name].assemble_argument_collection() for one in arg.names}
        for name in line
        if not name.startswith("-") and line[name].default_command is not None
    }
    plays = {name for name, found in options.items() if {"--threads", "--out"} <= found}
    assert plays == {name for name, found in options.items() if "--dry-run" in found}
    assert {"simulate", "balance", "verdict", "train"} <= plays


def test_the_answer_in_words(capsys: pytest.CaptureFixture[str]) -> None:
    """Games, time here and elsewhere, and disk; nothing is written."""
    assert run(["simulate", "first_contact", "--games", "900000000", "--dry-run"]) == 0
    out = capsys.readouterr().out
    assert "games: 900,000,000\n" in out
    assert "on 64 processors" in out
    assert "disk for games: " in out
    assert " GB" in out
    assert [*Path().iterdir()] == []


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.2, "less than 1 s"), (89, "89 s"), (90, "1.5 min"), (5000, "83 min"), (90_000, "25 h")],
)
def test_durations(seconds: float, text: str) -> None:
    """About two digits, in the unit that fits."""
    assert duration(seconds) == text


@pytest.mark.parametrize(
    ("size", "text"), [(0, "0 bytes"), (1500, "1.5 kB"), (41e6, "41 MB"), (5e15, "5,000 TB")]
)
def test_sizes(size: float, text: str) -> None:
    """The same for disk."""
    assert in_bytes(size) == text
