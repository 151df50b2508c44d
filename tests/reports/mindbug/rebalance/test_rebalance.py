"""The command rebalance, its page and charts."""

from __future__ import annotations

import json
import re
import shlex
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure

from analysis.experiments.goals import MET, MISSED, NO_GAIN_SHOWN, NOT_SHOWN, PROPOSED
from analysis.mindbug.experiments.rebalance_goals import REBALANCE_TABLES
from analysis.mindbug.registry import TABLES
from card_data.mindbug import load_pool
from card_data.mindbug.adjustments import LEVERS, WEIGHTS
from reports.cli.app import run
from reports.kit.words import points
from reports.mindbug.cli.rebalance import PoolGoals
from reports.mindbug.rebalance import PoolRebalancing, goal_text, plot_before_after, plot_front
from reports.mindbug.studio.bench import BENCH
from reports.rebalance.text import changes_text, headline, why_none_brief
from reports.studio.words import in_studio
from simcore.mindbug.play.simulate import play_rows

#: Plain creatures of power 6, one of which is hostile, and one that is far too strong.
PLANTED = 'name = "Planted"\n' + "".join(
    f'\n[{name}]\nname = "{title}"\npower = {power}\ncopies = 4\n'
    for name, title, power in (
        *((f"card_{n}", f"Card {n}", 6) for n in range(1, 7)),
        ("hostile", "<script>alert(1)</script>", 6),
        ("strong", "Strong", 10),
    )
)
OWN = """name = "Own"

[giant]
name = "Giant"
power = 10
keywords = ["SNEAKY"]
copies = 2

[killer_bee]
name = "Killer Bee"
power = 6
keywords = ["HUNTER"]
copies = 2
play = "the opponent loses 1 life"
"""
FEW = ("--games", 4000, "--confirm", 20_000, "--budget", 200_000, "--policy", "random",
       "--threads", 1)  # fmt: skip
ASKED = "planted.toml", "--changes", "power", "--power-step", 4, "--band", 4, *FEW


@pytest.fixture
def ask(ask):
    """Run `fairdeal rebalance` in a folder with a pool of faults."""
    Path("planted.toml").write_text(PLANTED)
    return partial(ask, "rebalance")


def test_only_what_may_change_is_judged(ask) -> None:
    """With --only nothing is said of other cards; 'mine' are all of one's own (issue 35)."""
    Path("own.toml").write_text(OWN)
    said = ("first_contact", "--cards", "own.toml", "--changes", "power", "--power-step", 1, *FEW)
    out = ask(*said, "--only", "mine", "--out", "o").done().out
    goals = pd.read_parquet("o/tables/goals.parquet")
    assert sorted(goals["card_id"]) == ["giant", "killer_bee"]
    told = " ".join(out.split())
    others = [card.name for card in load_pool(["first_contact"]).sets[0].cards]
    others.remove("Killer Bee")
    assert not [name for name in others if name in told]
    assert "layers dealt Killer Bee or Giant win at most 2 points" in told
    assert "No allowed change of Giant brings it into the band" in told


def test_a_fault_is_mended(ask, capsys: pytest.CaptureFixture[str]) -> None:
    """Everything is played, told, drawn and written, and what is proposed can be played at once."""
    status, out, complaints = ask(*ASKED, "--out", "here")
    assert (status, complaints) == (0, "")
    for words in ("Strong: power 10", "The goal is met", "fresh games of seed 1", "to play it:"):
        assert words in " ".join(out.split())
    folder = Path("here")
    tables = {name: pd.read_parquet(folder / f"tables/{name}.parquet") for name in REBALANCE_TABLES}
    for name, table in tables.items():
        assert list(table.columns) == list(TABLES[name].columns)
        assert (folder / f"tables/{name}.csv").exists()
    page = (folder / "rebalance.html").read_text()
    assert "http:" not in page and "https:" not in page and "built-in" not in page
    assert "<script>alert" not in page and "&lt;script&gt;" in page
    assert page.count("<svg") == 2
    for value in tables["goals"]["after"]:
        text = points(value, 2)
        assert f">{text} <small>" in page
    proposal = (folder / "proposal.toml").read_text()
    assert "[strong]" in proposal and "[strong]" in page and "[card_1]" not in proposal
    again = re.search(r"<code>(fairdeal rebalance [^<]*)</code>", page)
    assert again is not None
    commands = [line.strip() for line in out.splitlines() if line.startswith("  fairdeal ")]
    assert len(commands) == 2
    for command in commands:
        line = shlex.split(command)[1:]
        assert run([*line, "--games", "200", "--threads", "1"]) == 0
    capsys.readouterr()
    assert run([*shlex.split(again[1].replace("&#39;", "'"))[1:], "--out", "again"]) == 0
    assert Path("again/proposal.toml").read_text() == proposal


def test_the_same_command_goes_on(ask, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was played stays when it is interrupted, and the answer is the same."""
    play, calls = play_rows, list[int]()

    def stopping(*args, **more):
        if not calls and len(list(Path("cut/search/games").glob("*.parquet"))) > 1:
            calls.append(1)
            raise KeyboardInterrupt
        return play(*args, **more)

    monkeypatch.setattr("simcore.mindbug.play.setup.play_rows", stopping)
    status, _, complaints = ask(*ASKED, "--out", "cut")
    assert status == 130 and "run the same command again to resume" in complaints
    assert len(list(Path("cut/search/games").iterdir())) > 1
    told = ask(*ASKED, "--out", "cut", "--json").done().out
    whole = json.loads(ask(*ASKED, "--out", "whole", "--json")[1])
    answer = json.loads(told)
    assert {key for key in whole if whole[key] != answer[key]} == {
        "folder",
        "page",
        "tables",
        "to_play",
    }
    assert answer["verdict"] == MET and answer["goals"][0]["goal"] == "card"


def test_rules_and_goals_of_the_game(ask) -> None:
    """A goal that the pool meets is told as met; of rules there is no card file."""
    more = "--changes", "life", "--first-player", 60, "--turns", "1:400", "--band", 30, "--out", "h"
    out = ask("planted.toml", *more, *FEW).done().out
    assert "No proposal: Nothing needs to change" in out and "which meets the goal" in out
    assert not Path("h/proposal.toml").exists() and "to play it" not in out
    page = Path("h/rebalance.html").read_text()
    assert "Turns in a game" in page and "Games won by the player who starts" in page


def test_what_cannot_be_reached_is_said(ask) -> None:
    """Among creatures of power 6 a 9 wins as often as a 10: nothing that is allowed helps."""
    asked = "planted.toml", "--power-step", 3, "--only", "Strong", *FEW, "--out", "h"
    out = ask(*asked, "--changes", "power").done().out
    told = " ".join(out.split())
    assert "No proposal: None of the allowed changes that were tried brings Strong nearer" in told
    assert "Out of reach: No allowed change of Strong brings it into the band" in told
    assert "The goal is missed with nothing changed" in told
    page = Path("h/rebalance.html").read_text()
    assert "<h2>No proposal</h2>" in page and "To play it" not in page


def test_what_few_games_show_is_no_proposal(ask) -> None:
    """Where all cards are the same nothing is headed as a proposal, and what was tried is told."""
    Path("same.toml").write_text(PLANTED.replace("power = 10", "power = 6"))
    few = "--games", 300, "--confirm", 1000, "--budget", 6000, "--policy", "random", "--threads", 1
    out = ask("same.toml", "--changes", "power", "--band", 0.4, *few, "--out", "h").done().out
    told = " ".join(out.split())
    assert "Proposal:" not in told and "to play it" not in told
    assert "No proposal: " in told and "a longer search (--budget) tries more" in told
    assert re.search(r"\d+ of the 32 allowed changes \(\d+%\) were in one of them", told)
    assert not Path("h/proposal.toml").exists()
    page = Path("h/rebalance.html").read_text()
    assert "<h2>No proposal</h2>" in page and "What it gains" not in page


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--changes", "pwer"], "there is no change 'pwer'; did you mean 'power'"),
        (["--changes", "power,starter"], "no change 'starter'; did you mean 'who_starts'"),
        (["--weights", "first_player=2"], "--weights: there is no .* mean 'who_starts'"),
        (["--who-starts", "hand"], "--who-starts"),
        (["--weights", "power=0"], "whole number from 1 to 100 after '='"),
        (["--weights", "lif=2"], "no change 'lif'; did you mean 'life'"),
        (["--only", "strog"], "--only: there is no card 'strog'.*did you mean 'strong'"),
        (["--only", "strong", "--keep", "Strong"], "named by --only and by --keep"),
        (["--only", "strong", "--changes", "life", "--mindbugs", "x"], "mindbugs"),
        (["--changes", "power", "--only", "strong", "--keep", "card_99"], "--keep: there is no"),
        (["--band", "0"], "--band is 0; it must be above 0"),
        (["--first-player", "48"], "--first-player is 48; it must be above 50"),
        (["--turns", "30:15"], "least and the most with a colon"),
        (["--turns", "many"], "--turns is 'many'"),
        (["--budget", "5000"], "not even two candidates"),
        (["--policy", "greedy:random"], "name one player"),
        (["--policy", "nobody"], "--policy: .*nobody"),
        (["--power-step", "0"], "not between 1 and 10"),
        (["--confirm", "7"], "not between 100"),
    ],
)
def test_what_cannot_be_done(ask, arguments: list[str], words: str) -> None:
    """One message, status 2, no traceback, nothing written."""
    status, out, complaints = ask("planted.toml", *arguments)
    assert (status, out) == (2, "")
    assert re.search(words, complaints, re.IGNORECASE)
    assert "Traceback" not in complaints
    assert not Path("runs").exists()


def test_nothing_to_change(ask) -> None:
    """Everything kept leaves nothing to do; 'all' is the word for it."""
    ask("planted.toml", "--keep", "all").refused("nothing may be changed")


def test_a_folder_of_something_else_is_refused(ask) -> None:
    """Nothing that lies there is touched."""
    Path("here").mkdir()
    Path("here/letter.txt").write_text("Dear Ann")
    ask(*ASKED, "--out", "here").refused("not the folder of a rebalancing")
    assert [one.name for one in Path("here").iterdir()] == ["letter.txt"]


def test_defaults_are_those_of_the_library() -> None:
    """And the help names the weights that count."""
    usual = PoolGoals()
    assert usual.band == 100 * usual.goals().band == 2
    weights = ",".join(f"{lever}={WEIGHTS[lever]}" for lever in LEVERS)
    hint = PoolGoals.__annotations__["weights"].__metadata__[0].help
    assert f"'{weights}'" in hint


# ------------------------------------------------------------------------- words and charts


def made_tables() -> dict[str, pd.DataFrame]:
    """Tables of a proposal that mends one of two cards."""
    front = pd.DataFrame({
        "plan": [0, 1, 2], "amount": [0, 1, 3], "changes": ["", "a.power=4", "a.power=3 life=4"],
        "in_words": ["", "A: power 5 → 4", "A: power 5 → 3; life: 3 → 4"],
        "proposed": [False, False, True], "policy": "greedy", "n_games": 1000,
        "excess": [0.05, 0.03, 0.01], "excess_ci_low": [0.04, 0.02, 0.0],
        "excess_ci_high": [0.06, 0.04, 0.02], "gain": [0.0, 0.02, 0.04],
        "gain_ci_low": [0.0, 0.01, 0.03], "gain_ci_high": [0.0, 0.03, 0.05],
        "cards_outside": [2, 1, 1], "worst_card": ["A", "A", "B"],
        "worst_advantage": [0.05, 0.04, -0.03],
        "first_player_win_rate": [0.55, 0.54, 0.52], "mean_turns": float("nan"),
    })  # fmt: skip
    goals = pd.DataFrame({
        "goal": ["card", "card", "card", "first_player_win_rate"],
        "card_id": ["a", "b", "c", ""], "name": ["A", "B", "C", ""],
        "least": [-0.02] * 3 + [0.48], "most": [0.02] * 3 + [0.52], "policy": "greedy",
        "before": [0.05, -0.03, 0.0, 0.55], "before_ci_low": [0.04, -0.04, -0.01, 0.54],
        "before_ci_high": [0.06, -0.02, 0.01, 0.56], "before_n": 500,
        "before_verdict": [MISSED, MISSED, MET, MISSED],
        "after": [0.01, -0.03, 0.0, 0.515], "after_ci_low": [0.0, -0.04, -0.01, 0.51],
        "after_ci_high": [0.02, -0.02, 0.01, 0.53], "after_n": 500,
        "after_verdict": [MET, MISSED, MET, NOT_SHOWN],
    })  # fmt: skip
    changes = pd.DataFrame({
        "card_id": ["a", ""], "name": ["A", ""], "what": ["power", "life"],
        "before": ["5", "3"], "after": ["3", "4"], "amount": [2, 1],
    })  # fmt: skip
    gains = pd.DataFrame({
        "goal": ["card", "first_player_win_rate", "mean_turns"], "plan": 2,
        "before": [0.05, 0.03, 4.0], "after": [0.01, 0.0, 4.0], "gain": [0.04, 0.03, 0.0],
        "gain_ci_low": [0.03, 0.02, -0.1], "gain_ci_high": [0.05, 0.04, 0.1],
    })  # fmt: skip
    nearest = pd.DataFrame({
        "goal": ["mean_turns", "card"], "card_id": ["", "b"], "name": ["", "B"],
        "least": [15, -0.02], "most": [30.5, 0.02], "nearest": [34.5, -0.03],
        "nearest_ci_low": [34.4, -0.04], "nearest_ci_high": [34.6, -0.025],
        "changes": ["a.power=4 b.power=4 c.power=4 life=4", "b.power=4"],
        "in_words": ["much", "B: power 3 → 4"], "out_of_reach": [True, False],
    })  # fmt: skip
    return {
        "front": front, "goals": goals, "changes": changes, "gains": gains, "nearest": nearest
    }  # fmt: skip


def test_words_quote_the_tables() -> None:
    """What is told of each goal, and what was asked for."""
    manifest = {
        "goals": {"band": 0.02, "first_player": 0.52, "turns": [15, 30.5]}, "verdict": MISSED,
        "amount": 3, "reached_in_search": False, "levers": ["power", "life"], "most_changes": 2,
        "budget_spent": True, "confirm": 1000, "fresh_seed": 8, "tried": 5, "played": 9,
        "allowed": 8, "games_of_search": 900, "games": 100, "seed": 7,
        "outcome": PROPOSED, "set_aside": ["mean_turns"], "adjustments": ["b.power=4"],
    }  # fmt: skip
    told = {one.topic: one.text for one in PoolRebalancing(made_tables(), manifest).findings}
    assert told["Goal"].endswith("48 to 52% and a game takes 15 to 30.5 turns on average.")
    assert "1 of 3 cards is within the band; 2 outside it: A +5.0" in told["As it is"]
    assert told["Gain"] == (
        "All cards together are 5.0 → 1.0 points outside the band, a gain of 4.0 (3.0 to 5.0). The"
        " win rate of the player who starts is 3.0 → 0.0 points off its goal, a gain of 3.0 (2.0 to"
        " 4.0)."
    )
    assert told["Out of reach"] == (
        "No allowed change makes a game take 15 to 30.5 turns; the nearest is 34.5 turns (34.4 to"
        " 34.6), with 4 changes at once. The search set this goal aside."
    )
    assert told["Not reached"] == (
        "No allowed change of B that was tried brings it into the band; the nearest is −3.0 points"
        " (−4.0 to −2.5), with B: power 3 → 4."
    )
    assert "A: power 5 → 3; life: 3 → 4" in told["Proposal"]
    for verdict, what in ((MISSED, "Nearest to the goal: "), (MET, "Proposed: ")):
        said = headline(manifest | {"verdict": verdict}, made_tables()["changes"])
        assert said == f"{what}A: power 5 → 3 and life: 3 → 4"
    many = pd.concat([made_tables()["changes"]] * 2, ignore_index=True)
    many.loc[2, "name"] = "B"
    assert headline(manifest | {"verdict": MET}, many) == "Proposed: 4 changes of A, life and B"
    assert "which needs more games for a verdict" in told["With it"]
    assert "Changing power and life in at most 2 places" in told["Short of the goal"]
    met = PoolRebalancing(made_tables(), manifest | {"verdict": MET}).findings
    assert "Short of the goal" not in {one.topic for one in met}
    assert "A longer search (--budget) goes on" in told["Short of the goal"]
    assert "--" not in in_studio(told["Short of the goal"], BENCH)
    assert "1,000 fresh games of seed 8" in told["Confirmed"]
    assert "5 of the 8 allowed changes (62%) were in one of them" in told["Search"]
    assert "8 sets of changes were played" in told["Search"]
    unshown = manifest | {"outcome": NO_GAIN_SHOWN, "games_to_show": 4200}
    told = {one.topic: one.text for one in PoolRebalancing(made_tables(), unshown).findings}
    assert {"Proposal", "Gain", "With it", "Short of the goal"}.isdisjoint(told)
    assert "is not shown to help: A: power 5 → 3; life: 3 → 4. All cards" in told["No proposal"]
    more = "In 4,200 fresh games (--confirm) a gain of this size shows nine times in ten. 3 allowed"
    assert more in told["No proposal"]
    assert "--" not in in_studio(told["No proposal"], BENCH)
    assert "The goal is missed with nothing changed." in told["Confirmed"]
    unshown |= {"verdict": NOT_SHOWN}
    told = {one.topic: one.text for one in PoolRebalancing(made_tables(), unshown).findings}
    open_still = "Whether the goal is met with nothing changed needs more games (--confirm)."
    assert told["Not confirmed"].startswith(open_still) and "Confirmed" not in told
    assert changes_text(made_tables()["changes"])[1] == "life: 3 → 4"
    assert goal_text({"band": 0.015, "first_player": None, "turns": None}).endswith(
        "at most 1.5 points more or less than average"
    )


def _points_of(handle: Any) -> Any:
    """Where the marks of an entry of a legend stand."""
    return (handle if hasattr(handle, "get_xdata") else handle[0]).get_xdata()


def test_front_shows_the_table() -> None:
    """A point for each plan where it belongs, the proposal by itself."""
    front = made_tables()["front"]
    ax = plot_front(front, ax=Figure().add_subplot())
    assert np.array_equal(ax.lines[0].get_xydata(), front[["amount", "excess"]])
    handles, labels = ax.get_legend_handles_labels()
    assert labels == ["other plans", "the proposal"]
    assert list(_points_of(handles[1])) == [3]
    assert [text.get_text() for text in ax.texts[:3]] == ["2", "1", "1"]
    only = front.iloc[:1].assign(proposed=True)
    assert plot_front(only, ax=Figure().add_subplot()).get_legend_handles_labels()[1] == [
        "the proposal"
    ]


def test_before_and_after_show_the_table() -> None:
    """Cards alone, sorted by what they were, with what they are."""
    ax = plot_before_after(made_tables()["goals"], ax=Figure().add_subplot())
    assert [label.get_text() for label in ax.get_yticklabels()] == ["B", "C", "A"]
    handles, labels = ax.get_legend_handles_labels()
    assert labels == ["as it is", "proposal: within (2)", "proposal: outside (1)"]
    assert list(_points_of(handles[0])) == [-0.03, 0.0, 0.05]
    assert list(_points_of(handles[1])) == [0.0, 0.01]
    goals = made_tables()["goals"]
    after = [name for name in goals if name.startswith("after") and name != "after_verdict"]
    ax = plot_before_after(goals.assign(**dict.fromkeys(after, np.nan)), ax=Figure().add_subplot())
    assert ax.get_legend_handles_labels()[1] == ["within (1)", "outside (2)"]


@pytest.mark.parametrize(
    ("tried", "words"),
    [
        (0, "None of the 234 allowed changes seems to help."),
        (1, "The one change that was tried is not shown to help."),
        (12, "None of 12 changes, nor any set of them that was played, is shown to help."),
    ],
)
def test_why_nothing_is_proposed(tried: int, words: str) -> None:
    """A search that tried no change, or one, says so."""
    manifest = {"outcome": NO_GAIN_SHOWN, "tried": tried, "allowed": 234}
    assert why_none_brief(manifest) == words
