"""The recipes of docs/programs.md: each works as it stands, in an empty folder elsewhere."""

import json
import re
import shlex
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
import pytest

from reports.cli.app import run
from simcore import own_code
from simcore.mice_and_mystics.players.seats import OWN_SEATS
from simcore.mindbug.face.replay_text import named
from simcore.own_code import fingerprint

PAGE = (Path(__file__).parents[1] / "docs" / "programs.md").read_text()
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def recipe(heading: str, language: str) -> list[str]:
    """The blocks of a language below a heading of the page, up to the next one."""
    _, found, rest = PAGE.partition(f"# {heading}\n")
    assert found, heading
    return [block for word, block in FENCE.findall(rest.split("\n#")[0]) if word == language]


def commands(heading: str) -> list[list[str]]:
    """The commands below a heading, in words."""
    lines = [line for block in recipe(heading, "console") for line in block.splitlines()]
    return [shlex.split(line.removeprefix("$ fairdeal ")) for line in lines if line[0] == "$"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which the first recipe has been followed, and nothing else is."""
    path = tmp_path_factory.mktemp("programs")
    (code,) = recipe("For people who program", "python")
    subprocess.run([sys.executable, "-c", code], cwd=path, check=True)
    return path


def test_a_run_and_a_game_of_mice_and_mystics(tmp_path: Path) -> None:
    """The recipe plays a run, tells one of its games, and tells a game without a run."""
    (code,) = recipe("Mice & Mystics", "python")
    played = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    assert (tmp_path / "runs/mice/tables/heroes.parquet").is_file()
    ends = re.findall(r"^The chapter is (?:won|lost) on page", played.stdout, re.MULTILINE)
    assert len(ends) == 2


def test_a_card_from_its_text_is_tried_by_one_player(tmp_path: Path) -> None:
    """The recipe plays a card from its file, and what a step would do is of the same player."""
    (tmp_path / "my_cards.toml").write_text(
        'name = "My Cards"\n[marsh_lantern]\nname = "Marsh Lantern"\npower = 5\n'
        'play = "gain 1 life"\n'
    )
    (code,) = recipe("From the text of a card", "python")
    code += 'print(*{*run.manifest["policies"], *tried["sensitivity"]["policy"]})'
    played = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, check=True, capture_output=True, text=True
    )
    assert played.stdout.split() == ["heuristic"]


def test_a_run_of_a_game_of_ones_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The recipe plays a run of a new game, draws what its cards are worth, and tells a game."""
    monkeypatch.chdir(tmp_path)
    assert run(["new", "ember"]) == 0
    (code,) = recipe("A game of your own", "python")
    there = tmp_path / "ember"
    played = subprocess.run(
        [sys.executable, "-c", code], cwd=there, check=True, capture_output=True, text=True
    )
    assert (there / "runs/ember/tables/entries.parquet").is_file()
    assert re.search(r"^Seat [12] ", played.stdout, re.MULTILINE)


def test_card_games_can_be_asked_which_games_a_card_decided(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The query finds the same games in SQL and in pandas, and one of them can be replayed."""
    monkeypatch.chdir(folder)
    (command,) = commands("A row for each game, player and card")
    assert run(command) == 0
    (sql,) = recipe("In which games did this card decide?", "sql")
    (code,) = recipe("In which games did this card decide?", "python")
    names: dict[str, pd.DataFrame] = {}
    exec(code, names)
    with sqlite3.connect(":memory:") as database:
        names["rows"].to_sql("card_games", database)
        text = sql.replace("'runs/bees/tables/card_games.parquet'", "card_games")
        asked = pd.read_sql(text, database)
    assert len(asked) == 3
    assert asked.astype(int).to_numpy().tolist() == names["decided"].to_numpy().tolist()
    first = asked.iloc[0]
    capsys.readouterr()
    assert run(["replay", "runs/bees", str(first["game"])]) == 0
    story = capsys.readouterr().out
    rows = names["rows"].set_index(["game", "player"])
    starts = rows.loc[(first["game"], first["player"]), "went_first"].all()
    who = f"The {'first' if starts else 'second'} player"
    assert f"{who} plays Killer Bee" in story
    assert f"{who} wins" in story


def test_a_statistic_of_ones_own(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The recipe's table lies beside the others, with its numbers and its fingerprint."""
    monkeypatch.chdir(folder)
    (code,) = recipe("A statistic of your own", "python")
    Path("my_statistics.py").write_text(code)
    (command,) = commands("A statistic of your own")
    assert run(command) == 0
    assert "close_calls: runs/bees/tables/close_calls.csv" in capsys.readouterr().out
    table = pd.read_csv("runs/bees/tables/close_calls.csv")
    assert list(table) == ["first_player_won", "n_games", "on_last_life"]
    games = pd.read_parquet("runs/bees/games/part-00000.parquet", columns=["winner"])
    assert len(table) == 2
    assert table["n_games"].sum() <= 4000
    assert (games["winner"] >= 0).sum() <= table["n_games"].sum()
    said = pq.read_schema("runs/bees/tables/close_calls.parquet").metadata
    assert said[b"statistic"] == b"my_statistics.py:close_calls"
    assert said[b"fingerprint"] == fingerprint("my_statistics.py:close_calls").encode()


def test_a_player_of_ones_own(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The recipe's player plays, is in the manifest with a fingerprint, and can be replayed."""
    monkeypatch.chdir(folder)
    player, in_python = recipe("A player of your own", "python")
    Path("my_players.py").write_text(player)
    simulate, replay = commands("A player of your own")
    assert run(simulate) == 0
    manifest = json.loads(Path("runs/cautious/manifest.json").read_text())
    me = "my_players.py:cautious"
    assert manifest["policies"] == [me, "random"]
    assert manifest["weights"] == {me: fingerprint(me)}
    capsys.readouterr()
    assert run(replay) == 0
    told = " ".join(capsys.readouterr().out.split())
    names: dict[str, Any] = {}
    exec(in_python, names)  # the same run again: it is there already
    players = ["the my_players.py:cautious player", "the random player"]
    story = [named(line, players) for line in names["story"]]
    assert " ".join(story).split() == told.split()
    won = names["run"].games(["winner"])["winner"] == 0
    assert won.mean() > 0.6


def test_a_compiled_player_of_ones_own(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The recipe's function plays, is in the manifest with a fingerprint, and can be replayed."""
    monkeypatch.chdir(folder)
    (code,) = recipe("The same, five hundred times as fast", "python")
    Path("my_fast_players.py").write_text(code)
    (simulate,) = commands("The same, five hundred times as fast")
    assert run(simulate) == 0
    me = "my_fast_players.py:cautious"
    manifest = json.loads(Path("runs/fast/manifest.json").read_text())
    assert manifest["policies"] == [me, "random"]
    assert manifest["weights"] == {me: fingerprint(me)}
    won = pd.read_parquet("runs/fast/games/part-00000.parquet", columns=["winner"])["winner"] == 0
    assert won.mean() > 0.65
    capsys.readouterr()
    assert run(["replay", "runs/fast", "7", "--policy", me]) == 0
    assert "wins" in capsys.readouterr().out


def test_a_player_of_mice_and_mystics_of_ones_own(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The recipe's function leads the mice better than chance, and its game can be replayed."""
    monkeypatch.chdir(folder)
    (code,) = recipe("A player of Mice & Mystics", "python")
    Path("my_mice.py").write_text(code)
    simulate, replay = commands("A player of Mice & Mystics")
    assert run(simulate) == 0
    me = "my_mice.py:fighter"
    manifest = json.loads(Path("runs/fighter/manifest.json").read_text())
    assert (manifest["policies"], manifest["weights"]) == ([me], {me: fingerprint(me)})
    chance = ["simulate", *simulate[1:3], "category", *simulate[4:6], "--out", "runs/chance"]
    assert run(chance) == 0
    kills = [
        pd.read_parquet(f"runs/{name}/games/part-00000.parquet", columns=["kills_attack"])
        for name in ("fighter", "chance")
    ]
    assert kills[0]["kills_attack"].mean() > kills[1]["kills_attack"].mean() + 1
    capsys.readouterr()
    assert run(replay) == 0
    assert "Round 1" in capsys.readouterr().out
    monkeypatch.setattr(own_code, "_used", {})
    monkeypatch.setattr(OWN_SEATS, "seated", {})
    assert run(replay[:-2]) == 2  # whoever opens a run executes nothing that it names
    assert "only where you name it" in capsys.readouterr().err
