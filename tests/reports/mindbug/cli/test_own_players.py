"""Players and statistics of a person's own on the command line, and that nothing else runs them."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from analysis import open_run, read_tables
from reports.kit import figure_files
from simcore import own_code
from simcore.mindbug.players.seats import OWN_SEATS

CODE = """
with open("ran.txt", "a") as file:
    file.write("x")

def last(seen):
    return len(seen.options) - 1

def late_fault(seen):
    return 0 if seen.turn < 5 else "no"

def lengths(run):
    return run.games(["turns"]).groupby("turns").size().rename("n_games").to_frame()

def cards(run):
    return run.games(["turns"])

def number(run):
    return 7

def broken(run):
    return run.games(["trns"])
"""
ME = "mine.py:last"
PLAYED = ("simulate", "first_contact", "--games", "30", "--out", "run")


@pytest.fixture
def ask(ask, monkeypatch: pytest.MonkeyPatch):
    """Run a command in a folder with somebody's file, as in a process of its own."""
    monkeypatch.setattr(figure_files, "KINDS", ("svg",))
    Path("mine.py").write_text(CODE)

    def asked(*words: str):
        monkeypatch.setattr(own_code, "_used", {})
        monkeypatch.setattr(OWN_SEATS, "seated", {})
        answer = ask(*words)
        return answer._replace(err=" ".join(answer.err.split()))

    return asked


def times_run() -> int:
    """How often the file has been run."""
    return len(Path("ran.txt").read_text()) if Path("ran.txt").exists() else 0


@pytest.mark.parametrize("command", [("balance", "--luck"), ("restrict",)])
def test_what_needs_a_player_of_fairdeal_says_so(ask, command: tuple[str, ...]) -> None:
    """A function does not slip, and nothing can be forbidden to it: one sentence says that."""
    asked = ask(*command, "first_contact", "--policy", ME, "--games", "20", "--out", "run")
    asked.refused(f"{ME} is a function of your own")
    assert not Path("run").exists()


def test_whoever_opens_a_run_runs_nothing_of_it(ask) -> None:
    """Opening, analysing, reporting, comparing and replaying a run never imports its players."""
    assert ask(*PLAYED, "--policy", f"{ME}:random").status == 0
    assert times_run() == 1
    assert ask("analyze", "run", "--card-games").status == 0
    assert ask("report", "run").status == 0
    assert open_run("run").manifest["policies"] == [ME, "random"]
    assert read_tables("run")["summary"]["policy"].isin([ME, "random", ""]).any()
    refused = ask("replay", "run", "3")
    refused.refused(f"only where you name it: read the file, then add --policy {ME}")
    assert ask("compare", "run", "first_contact", "--out", "other").status == 2
    assert times_run() == 1
    for other in ("mine.py:lats", "randm", "heuristic"):
        refused = ask("replay", "run", "3", "--policy", other)
        refused.refused(f"there is no player of the run '{other}'")
    assert times_run() == 1
    told = ask("replay", "run", "3", "--policy", ME)
    assert (told.status, times_run()) == (0, 2)
    assert "The random player: life 3" in told.out
    Path("mine.py").unlink()
    assert ask("analyze", "run").status == 0


def test_an_edited_player_is_another_one(ask) -> None:
    """A run that was played with another version of the file is neither resumed nor replayed."""
    assert ask(*PLAYED, "--policy", ME).status == 0
    Path("mine.py").write_text(CODE + "# edited")
    ask(*PLAYED, "--policy", ME).refused("run holds a run with other weights of mine.py:last")
    ask("replay", "run", "3", "--policy", ME).refused(
        "run was played with another version of mine.py:last"
    )


def test_faults_of_a_player_are_one_message(ask) -> None:
    """A player who fails in the middle of a run ends it with one message and status 2."""
    answer = ask(*PLAYED, "--policy", "mine.py:late_fault")
    answer.refused(
        "mine.py:late_fault in game ", "chose 'no'; return the number of an option, 0 to"
    )
    answer = ask(*PLAYED, "--policy", "mine.py:lats:random")
    assert "mine.py has no function 'lats'; did you mean 'last'?" in answer.err
    assert ask(*PLAYED, "--policy", "yours.py:me").err.startswith("fairdeal: cannot read yours.")


def test_players_of_ones_own_climb_ladders(ask) -> None:
    """`ladder` sets a function against a policy, each deal from both sides."""
    words = ("ladder", "first_contact", "--players", f"random,{ME}", "--games", "20", "--out", "l")
    ask(*words, "--json").done()
    ratings = pd.read_csv("l/tables/ratings.csv")
    assert {*ratings["player"]} == {"random", ME}


def test_statistics_lie_beside_the_tables(ask) -> None:
    """`balance` and `analyze` write the table of a function, with its index as a column."""
    assert ask(
        "balance",
        *PLAYED[1:],
        *("--policy", "random", "--statistic", "mine.py:lengths", "--no-luck", "--json"),
    ).json["statistics"] == {"lengths": "run/tables/lengths.csv"}
    table = pd.read_csv("run/tables/lengths.csv")
    assert list(table) == ["turns", "n_games"]
    assert table["n_games"].sum() == 30
    assert pd.read_parquet("run/tables/lengths.parquet").astype(int).equals(table)


@pytest.mark.parametrize(
    ("function", "message"),
    [
        ("cards", "mine.py:cards: there is a table 'cards' already; rename the function"),
        ("number", "mine.py:number returned int; return a table, a pandas DataFrame"),
        ("broken", "mine.py:broken of run: ValueError: no column 'trns' in a run"),
        ("lenghts", "mine.py has no function 'lenghts'; did you mean 'lengths'?"),
    ],
)
def test_faults_of_a_statistic_are_told(ask, function: str, message: str) -> None:
    """What is wrong with a statistic is one message, and no table of it is left."""
    assert ask(*PLAYED, "--policy", "random").status == 0
    ask("analyze", "run", "--statistic", f"mine.py:{function}").refused(message)
    assert not Path(f"run/tables/{function}.csv").exists() or function == "cards"
