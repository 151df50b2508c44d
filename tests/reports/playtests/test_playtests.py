"""`fairdeal playtests`: people's games beside the program's, in words, on a page, as JSON."""

from __future__ import annotations

import json
import random
import re
from errno import ENOSPC
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pandas as pd
import pyarrow.parquet as pq
import pytest

from analysis.playtests import ALL
from card_data.playtest_log import LogTerms, read_playtests
from reports.playtests.text import Answer
from simcore import sealed
from support.own_games import EXAMPLES
from support.reported import charts_as

_FIRST = "date,version,player 1,player 2,side 1,side 2,began,winner,turns,minutes,fun\n"


@pytest.fixture
def ask(ask):
    """Runs a command in a folder with a game and a log of 60 games."""
    for name in ("factions.py", "factions.toml", "dike.py", "dike.toml"):
        Path(name).write_text((EXAMPLES / name).read_text())
    rng, lines = random.Random(1), []
    for number in range(60):
        one, two = rng.sample(["Anna", "Jörg", "Zoë"], 2)
        winner, turns = rng.choice([one, two]), rng.randint(14, 30)
        version = "1.0" if number < 30 else "1.1"
        sides = rng.sample(["Pack", "mages"], 2)
        lines.append(
            f"2026-08-{number % 28 + 1:02},{version},{one},{two},{sides[0]},{sides[1]},{one},"
            f"{winner},{turns},{turns * 1.5:g},{rng.randint(1, 5)}"
        )
    Path("games.csv").write_text(_FIRST + "\n".join(lines) + "\n", "utf-8")

    def asked(*words: str):
        with charts_as("svg"):
            return ask(*words)

    return asked


def test_a_log_alone(ask) -> None:
    """Without a game everything is told that needs no simulation, and names are left out."""
    out = ask("playtests", "games.csv", "--out", "p").done().out
    assert out.startswith("Whoever begins won ")
    assert "minutes a turn" in out
    assert "fun" in out
    page = Path("p/playtests.html").read_text()
    written = page + "".join(path.read_text() for path in Path("p/tables").glob("*.csv"))
    log = pq.read_table("p/tables/playtest_log.parquet").to_pandas()
    assert (len(log), set(log["player"])) == (120, {"Player A", "Player B", "Player C"})
    assert not re.search("anna|jörg|zoë", out + written, re.IGNORECASE)
    assert "Player A" in written
    assert ask("playtests", "games.csv", "--with-names", "--out", "q")[0] == 0
    assert "Jörg" in Path("q/playtests.html").read_text()


def test_beside_the_simulation_of_a_game_of_ones_own(ask) -> None:
    """Each figure stands beside the simulated one; what is told is in JSON, too."""
    words = "playtests", "games.csv", "factions.py", "--policy", "random", "--games", "400"
    out = ask(*words, "--version", "1.1=factions.py", "--out", "p").done().out
    assert "beside 400 simulated of each version, played by random" in out
    assert len(re.findall(r"[^\W\d_]{2,}", out.partition("report:")[0])) <= 150
    answer = ask(*words, "--json", "--out", "p").json
    begins = answer["playtests"][0]
    assert (begins["kind"], begins["n_games"], begins["n_simulated"]) == ("begins", 60, 800)
    assert begins["finding"] in ("more", "less", "the same", "not settled")
    assert 0 < begins["from_people"] < 1
    assert {row["version"] for row in answer["playtests"]} == {"all versions", "1.0", "1.1"}
    assert answer["disagree"] in (True, False)


def test_few_figures_are_told_in_the_singular() -> None:
    """One of them *is* not settled, and of those that are left out nothing is claimed."""
    log: Any = SimpleNamespace(games=[SimpleNamespace(scores=(1, 0))] * 30, names={}, versions=())
    row = {"version": ALL, "kind": "other", "p_value": 0.001, "finding": "more"}
    of = ["rounds", "turns", "coins", "cards", "tiles", "wounds", "begun"]
    table = pd.DataFrame([row | {"of": one} for one in of])
    table.loc[6, "finding"] = "not settled"
    found = Answer(log, table, table, ["random"], 400)
    [unsettled] = found._unsettled()
    assert unsettled.text.startswith("1 of 7 figures is not settled: 30 games fix a rate")
    named = "rounds, turns, coins and 3 more"
    assert found.headline == f"Your games and the simulation disagree on {named}."


def test_who_played_may_be_the_difference(ask) -> None:
    """Anna wins four of five games with whatever she has, and never takes the Mages, who lose."""
    rng, lines = random.Random(2), []
    for _ in range(160):
        others = rng.sample(["Jörg", "Zoë", "Ben"], 2)
        one, two = ("Anna", others[0]) if rng.random() < 0.5 else (others[0], others[1])
        winner = one if rng.random() < (0.85 if one == "Anna" else 0.5) else two
        side = "Pack" if one == "Anna" else rng.choice(["Pack", "mages"])
        began = rng.choice([one, two])
        lines.append(f"2026-08-01,,{one},{two},{side},mages,{began},{winner},20,30,3")
    Path("anna.csv").write_text(_FIRST + "\n".join(lines) + "\n", "utf-8")
    words = "playtests", "anna.csv", "factions.py", "--policy", "random", "--games", "400"
    out = ask(*words, "--with-names").done().out
    said = " ".join(out.split())
    [of_mages] = re.findall(r"Games with Mages: 3\d% among people.*?difference", said)
    assert "Among equally strong players it would be 50%" in of_mages
    assert "who played may be most of the difference" in said


def test_a_game_that_is_won_together(ask) -> None:
    """The rate is that of games won."""
    Path("dike.csv").write_text("result,rounds\n" + "won,9\nlost,7\n" * 10)
    out = ask("playtests", "dike.csv", "dike.py", "--policy", "random", "--games", "200").done().out
    assert "games won" in out
    assert "Both together (estimate): People win " in out


def test_a_new_log_is_written_once(ask) -> None:
    """It has the columns of the game; a file that is there is not replaced."""
    out = ask("playtests", "new", "factions.py", "mine.xlsx").done().out
    assert "side_1" in out
    status, _, err = ask("playtests", "new", "factions.py", "mine.xlsx")
    assert (status, "add --force" in err) == (2, True)
    status, _, err = ask("playtests", "mine.xlsx", "factions.py")
    assert (status, "there are no games below the row" in err) == (2, True)


def test_how_many_games(ask) -> None:
    """The plan, with hours by the minutes of a log."""
    out = ask("playtests", "plan", "--difference", "5", "games.csv").done().out
    assert out.startswith("783 games show a difference of 5 points from 50%, in 8 of 10 tries.")
    assert "Two versions need 1,565 games each." in out
    assert "Your 60 games tell 13 points (95%)." in out
    assert json.loads(ask("playtests", "plan", "--json")[1])["plan"][0]["one_rate"] == 47


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "name LOG"),
        (("games.txt",), "ends in .csv or .xlsx"),
        (("factions.py", "games.csv"), "name the log first"),
        (("no.csv",), "no.csv"),
        (("games.csv", "factions.py", "--version", "1.2=factions.py"), "did you mean '1.0'?"),
        (("games.csv", "factions.py", "--version", "1.1"), "write VERSION=SET"),
        (("games.csv", "--version", "1.1=factions.py"), "name the game behind the log"),
        (("plan", "--difference", "0"), "--difference is 0; it must be above 0"),
        (("plan", "--power", "120"), "--power is 120"),
        (("new", "factions.py", "log.txt"), "ends in .csv or .xlsx"),
        (("new", "nothing.py"), "nothing.py"),
    ],
)
def test_what_is_wrong_is_one_message(ask, words: tuple[str, ...], message: str) -> None:
    """Exit status 2, and what to do."""
    ask("playtests", *words).refused(message)


def test_all_faults_of_a_log_come_at_once(ask) -> None:
    """With row and column, and what was meant."""
    Path("games.csv").write_text(f"{_FIRST}x,1,A,B,pakc,keep,A,C,many,3,1\n")
    ask("playtests", "games.csv", "factions.py").refused(
        "column A (date)",
        "did you mean 'Pack'?",
        "column H (winner): 'C' won",
        "'many' is not a number",
    )


def test_games_against_the_program_are_kept_in_the_log(
    ask, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A finished game of `play` is a row more, in a new log and in one that is there."""
    Path("mine.csv").write_text("Datum;Sieger;Beginnt;Spaß\n2026-08-07;1;1;5\n", "utf-8")
    for log, seed in (("new.xlsx", "3"), ("new.xlsx", "4"), ("mine.csv", "3")):
        monkeypatch.setattr("sys.stdin", StringIO("1\n" * 3_000))
        words = (
            *("play", "factions.py", "--player", "random", "--seed", seed, "--out"),
            f"{seed}{log[0]}.json",
        )
        status, out, _ = ask(*words, "--log", log)
        assert (status, out.count("The game is in")) == (0, 1)
    games = read_playtests(Path("new.xlsx"), LogTerms()).games
    assert [game.players for game in games] == [("me", "random")] * 2
    assert sum(map(sum, (game.scores for game in games))) == 2
    assert all(len(held) > 1 for game in games for held in game.held)
    assert [len(game.scores) for game in read_playtests(Path("mine.csv"), LogTerms()).games] == [
        2,
        2,
    ]
    assert "it has no column for player_1, held_1" in out
    status, _, err = ask("play", "factions.py", "--log", "mine.txt")
    assert (status, "ends in .csv or .xlsx" in err) == (2, True)


def test_a_full_disk_takes_no_game_from_the_log(ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """The log is written whole or not at all: what people have entered there stays."""
    whole, there = sealed.write_aside, "Datum;Sieger;Beginnt;Spaß\n2026-08-07;1;1;5\n"
    Path("mine.csv").write_text(there, "utf-8")

    def full(aside: Path, data: bytes) -> None:
        if "mine.csv" in aside.name:
            raise OSError(ENOSPC, "No space left on device")
        whole(aside, data)

    monkeypatch.setattr(sealed, "write_aside", full)
    monkeypatch.setattr("sys.stdin", StringIO("1\n" * 3_000))
    status, _, err = ask("play", "factions.py", "--player", "random", "--log", "mine.csv")
    assert (status, "No space left on device" in err) == (2, True)
    assert Path("mine.csv").read_text("utf-8") == there
