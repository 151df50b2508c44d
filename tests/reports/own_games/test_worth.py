"""What entries are worth, against truths that are known: by experiment, and by lot for all."""

from __future__ import annotations

import json
import pickle
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.own_games.sensitivity import Trial, try_changes, worth_trials
from analysis.runs import open_run
from reports.own_games.page import describe
from simcore.contract.faults import GameError
from simcore.contract.finding import load_text
from simcore.contract.luck import Luck
from simcore.contract.play import Play, Table
from simcore.contract.rules import options_of
from simcore.own_games.run import new_run, record_at
from simcore.work.runs import run_games
from simcore.work.tasks import Task

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]
#: Tic-tac-toe on squares that options name.
SQUARES = f"""
from fairdeal import Game, Kind, Number, Rules, Whole

class TicTacToe(Rules):
    owner = Number(shape=9)
    best = Number()

    def start(self):
        self.acting = 0

    def options(self, seat):
        for square in self.setup.entries("square"):
            if not self.owner[square.place]:
                yield "mark", square

    def mark(self, seat, square):
        self.owner[square.place] = seat + 1
        if any(all(self.owner[one] == seat + 1 for one in line) for line in {LINES}):
            self.best = seat + 1
        self.acting = None if self.best or 0 not in list(self.owner) else 1 - seat

    def scores(self):
        return [1 if self.best == seat + 1 else 0 for seat in range(2)]

GAME = Game(
    name="squares", title="Squares", version=1, rules=TicTacToe,
    kinds=[Kind("square", "squares", {{"place": Whole(0, 8)}})], entries="my_game.toml",
)
"""
PLACES = {"corner": 0, "side": 1, "centre": 4}
#: Seat 1 takes gold and wins, or lead and loses; nobody is ever offered dust.
TOY = """
from fairdeal import Choice, Game, Kind, Rules, Whole

class Toy(Rules):
    taken = Choice(["none", "gold", "lead", "dust"])

    def start(self):
        self.acting = 0

    def options(self, seat):
        if seat == 1:
            yield "wait"
        for metal in self.setup.entries("metal")[: 0 if seat else 2]:
            yield "take", metal

    def take(self, seat, metal):
        self.taken = metal.id
        self.acting = 1

    def wait(self, seat):
        self.acting = None

    def scores(self):
        return [1, 0] if self.taken == "gold" else [0, 1]

def greedy_one(game, seat, options, rng):
    return options[0]

GAME = Game(
    name="toy", title="Toy", version=1, rules=Toy, players={"first": greedy_one},
    kinds=[Kind("metal", "metals", {"worth": Whole(0, 9)})], entries="my_game.toml",
)
"""
METALS = "[metal.gold]\nworth = 2\n\n[metal.lead]\nworth = 1\n\n[metal.dust]\nworth = 0\n"


def table_of(folder: Path, source: str, entries: str) -> Table:
    """The table of a game that somebody wrote."""
    (folder / "my_game.toml").write_text(entries)
    path = folder / "my_game.py"
    path.write_text(source)
    game = load_text(str(path), source.encode())
    return Table(game, game.load(), game.set([]), game.seats[0])


def squares(folder: Path) -> Table:
    """Tic-tac-toe."""
    names = {place: name for name, place in PLACES.items()}
    entries = "\n".join(f"[square.{names.get(at, f'other_{at}')}]\nplace = {at}" for at in range(9))
    return table_of(folder, SQUARES, entries)


def tried(
    folder: Path, table: Table, trials: list[Trial], n_games: int, player: str = "random"
) -> pd.DataFrame:
    """The lines about outcomes, by the ids of entries."""
    spec = new_run(table, n_games=n_games, seed=0, players=[player] * table.seats)
    run_games(spec, folder / "run", threads=1)
    *_, found = try_changes(open_run(folder / "run"), trials, threads=1)
    lines = found.lines()
    return lines[lines["measure"] == "outcome"].set_index("entry")


@cache
def outcome(seat: int, without: int, board: tuple[int, ...] = (0,) * 9, turn: int = 0) -> float:
    """What a seat gets on average where both choose at random, and it may not take a square."""
    free = [place for place in range(9) if not board[place]]
    if turn == seat:
        free = [place for place in free if place != without] or free
    total = 0.0
    for place in free:
        after = (*board[:place], turn + 1, *board[place + 1 :])
        if any(all(after[one] == turn + 1 for one in line) for line in LINES):
            total += turn == seat
        elif 0 not in after:
            total += 0.5
        else:
            total += outcome(seat, without, after, 1 - turn)
    return total / len(free)


def test_access_to_squares_is_that_of_all_games(tmp_path: Path) -> None:
    """Centre, corner and side, between random players, as counting all games has them."""
    truth = {
        name: sum(outcome(seat, -1) - outcome(seat, place) for seat in range(2)) / 2
        for name, place in PLACES.items()
    }
    assert {name: round(one, 4) for name, one in truth.items()} == {
        "corner": 0.0188,
        "side": -0.0396,
        "centre": 0.0830,
    }
    table = squares(tmp_path)
    trials = [one for name in PLACES for one in worth_trials(table, name)]
    lines = tried(tmp_path, table, trials, 1_500)
    for name, one in truth.items():
        row = lines.loc[name]
        assert row["difference_ci_low"] < one < row["difference_ci_high"], name
        assert row["difference_ci_high"] - row["difference_ci_low"] < 0.04
    assert lines.loc["centre", "difference_ci_low"] > 0 > lines.loc["side", "difference_ci_high"]


def test_a_toy_by_hand(ask: Callable[..., Any], tmp_path: Path) -> None:
    """Without gold seat 1 always loses instead of half the time, and seat 2 never chooses: 0.25."""
    table_of(tmp_path, TOY, METALS)
    how = ("--policy", "random")
    asked = ("sensitivity", "my_game.py", "--worth", *how, "--games", 400, "--out", "of")
    done = ask(*asked, "--json")
    assert done.status == 0, done.err
    answer = json.loads(done.out)
    rows = {row["entry"]: row for row in answer["sensitivity"]}
    assert {row["kind"] for row in rows.values()} == {"access"}
    for name, truth in (("gold", 0.25), ("lead", -0.25)):
        assert rows[name]["difference_ci_low"] < truth < rows[name]["difference_ci_high"]
        assert rows[name]["difference_ci_low"] > truth - 0.06
    dust = rows["dust"]
    assert dust["difference"] == 0 and dust["label"].endswith("(never chosen by these players)")
    assert dust["difference_ci_low"] < 0 < dust["difference_ci_high"] < 0.02
    assert len([*Path("of/changes").iterdir()]) == 2  # seat 2 chooses neither, dust nobody
    page = Path(answer["page"]).read_text()
    assert "being able to choose Gold" in page and "among these players" in page
    told = ask(*asked).out
    assert "being able to choose Gold" in told.partition("\n\n")[2]
    balance = ask("balance", "my_game.py", *how, "--games", 100, "--json")
    entries = json.loads(balance.out)["entries"]
    assert {one["measure"] for one in entries} == {"access"}
    assert {one["verdict"] for one in entries} == {""}


def test_who_always_takes_one_never_misses_the_other(tmp_path: Path) -> None:
    """Of players who never choose lead nothing is played for it."""
    table = table_of(tmp_path, TOY, METALS)
    lines = tried(tmp_path, table, worth_trials(table, "all"), 200, "first")
    assert lines.loc["gold", "difference"] == 0.5
    assert lines.loc["lead", "difference"] == 0
    assert [*lines["label"].str.endswith("(never chosen by these players)")] == [
        name != "gold" for name in lines.index
    ]


def test_what_is_taken_away_is_not_offered_in_imagined_games(tmp_path: Path) -> None:
    """Neither to the seat nor in its thoughts; others have it, and so has who has nothing else."""
    plain = squares(tmp_path)
    centre = plain.cards[4]
    play = Play(Table(plain.game, plain.entries, {}, 2, (0, centre)), 0, 0)
    imagined: Any = play.rules.imagined(0, Luck(1))
    assert ("mark", centre) not in play.options
    assert ("mark", centre) not in options_of(imagined, 0)
    assert ("mark", centre) in options_of(imagined, 1)
    for place in (*range(4), *range(5, 9)):
        imagined.owner[place] = 1
    assert options_of(imagined, 0) == [("mark", centre)]
    play.play(["search:40", "random"])
    assert play.chosen.get((0, centre), 0) <= play.decisions // 9  # as the last square


def test_another_process_plays_without_it_too(tmp_path: Path) -> None:
    """What is taken away stands in the manifest and the task, and the records are the same."""
    plain = squares(tmp_path)
    table = Table(plain.game, plain.entries, {}, 2, (1, plain.cards[4]))
    spec = new_run(table, n_games=20, seed=3, players=["random"] * 2)
    manifest = spec.manifest()
    assert manifest["without"] == {"seat": 1, "kind": "square", "entry": "centre"}
    assert "seat 2 without centre" in describe({**manifest, "games": 20})
    assert "without" not in new_run(plain, n_games=1, seed=3, players=["random"] * 2).manifest()
    task: Task = pickle.loads(pickle.dumps(spec.task))
    here, there = (np.zeros(20, record_at(table)) for _ in range(2))
    spec.task.player(record_at(table)).play(0, here)
    task.player(record_at(table)).play(0, there)
    assert (here == there).all()
    entries = here["entries"].reshape(20, 2, 2, 9)
    assert entries[:, 0, 1, 4].sum() > entries[:, 1, 1, 4].sum()


@pytest.mark.parametrize(
    ("word", "message"),
    [("gould", "did you mean 'gold'?"), ("worth", "the id or name of an entry.")],
)
def test_what_has_no_worth_is_told(
    ask: Callable[..., Any], tmp_path: Path, word: str, message: str
) -> None:
    """One message, status 2, nothing written."""
    table_of(tmp_path, TOY, METALS)
    done = ask("sensitivity", "my_game.py", word, "--worth")
    assert done.status == 2 and message in " ".join(done.err.split())
    assert not Path("runs").exists()


#: Two who play together win under a sunny sky and get half under a grey one.
SKY = """
from fairdeal import Choice, Game, Kind, Rules, Score, Whole

class Picnic(Rules):
    def start(self):
        self.acting = 0

    def options(self, seat):
        yield "eat"

    def eat(self, seat):
        self.acting = None

    def scores(self):
        return [sky.light for sky in self.setup.entries("sky")] * 2

GAME = Game(
    name="picnic", title="Picnic", version=1, rules=Picnic, entries="my_game.toml",
    outcome=Score(0, 2), teams="together",
    kinds=[Kind("sky", "skies", {"light": Whole(0, 2)}, by_lot=1)],
)
"""
SKIES = "[sky.sunny]\nlight = 2\n\n[sky.grey]\nlight = 1\n"


def test_what_is_in_the_game_by_lot_for_all_is_told_by_balance(
    ask: Callable[..., Any], tmp_path: Path
) -> None:
    """One sky of two: 1 under the one, one half under the other, and nothing more is played."""
    table_of(tmp_path, SKY, SKIES)
    done = ask("balance", "my_game.py", "--games", 400, "--out", "of", "--json")
    assert done.status == 0, done.err
    rows = {row["id"]: row for row in json.loads(done.out)["entries"]}
    assert [(row["event"], row["measure"]) for row in rows.values()] == [
        ("included", "contrast"),
        ("included", "contrast"),
    ]
    for name, truth in (("sunny", 0.5), ("grey", -0.5)):
        assert rows[name]["share"] == truth
    assert rows["sunny"]["verdict"] == "too strong" and rows["grey"]["verdict"] == "too weak"
    page = Path("of/report.html").read_text()
    assert "Seats in games with a sky did best with Sunny" in page and "contrast" in page


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (", by_lot=1", ", measure='contrast'", "it needs by_lot="),
        (
            'outcome=Score(0, 2), teams="together",\n    kinds=[Kind("sky", "skies", {',
            'kinds=[Kind("sky", "skies", measure="contrast", fields={',
            "which is always the same with outcome 'highest'",
        ),
    ],
)
def test_a_contrast_of_nothing_is_told(tmp_path: Path, old: str, new: str, message: str) -> None:
    """Where all games have all entries, and where the outcomes of all seats are one number."""
    assert old in SKY
    with pytest.raises(GameError, match=message):
        table_of(tmp_path, SKY.replace(old, new), SKIES)
