"""The command `ladder` of games that people bring: seats are exchanged, and who plays is rated."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analysis.experiments.pair_games import read_ladder
from analysis.own_games.ladder import KIND, OwnLadder, rebuild, seatings
from simcore.contract.finding import load_file
from simcore.contract.play import Play, Table
from support.own_games import example

# Everybody says a number at once, and who says more has more.
GAME = """
from fairdeal import Game, Number, Rules, Score

class Say(Rules):
    said = Number(per_seat=True)

    def start(self):
        self.acting = range(self.seats)

    def options(self, seat):
        return [("tell", n) for n in range(1, 7)]

    def tell(self, seat, n):
        self.said[seat] = n

    def all_chosen(self):
        self.acting = None

    def scores(self):
        return list(self.said)

    def standing(self, seat):
        return self.said[seat]

GAME = Game(name="say", title="Say", version=1, rules=Say, seats=[3, 2, 4, 1], OUTCOME,
            players={"six": lambda game, seat, options, rng: options[-1],
                     "one": lambda game, seat, options, rng: options[0]})
"""


def table(folder: Path, outcome: str = "outcome='highest'", seats: int = 3) -> Table:
    """The game, with an outcome and perhaps teams."""
    path = folder / "say.py"
    path.write_text(GAME.replace("OUTCOME", outcome))
    game = load_file(path)
    return Table(game, game.load(), {}, seats)


@pytest.mark.parametrize(
    ("outcome", "seats", "expected"),
    [
        ("outcome='rank'", 2, [{0}, {1}]),
        ("outcome='rank'", 3, [{0}, {1}, {2}, {1, 2}, {0, 2}, {0, 1}]),
        ("teams=lambda n: [[*range(0, n, 2)], [*range(1, n, 2)]]", 4, [{0, 2}, {1, 3}]),
        ("teams='together', outcome=Score(0, 6)", 3, [{0, 1, 2}]),
        ("outcome=Score(0, 6)", 1, [{0}]),
    ],
)
def test_each_player_has_each_seat(tmp_path: Path, outcome: str, seats: int, expected) -> None:
    """Either player has each team once, or each seat alone, and the other all others."""
    assert [set(mine) for mine in seatings(table(tmp_path, outcome, seats))] == expected


@pytest.mark.parametrize(
    ("outcome", "seats"),
    [
        ("outcome='highest'", 3),
        ("teams='together', outcome=Score(0, 6)", 3),
        ("outcome=Score(0, 6)", 1),
    ],
)
def test_who_always_has_more_wins_every_game(tmp_path: Path, outcome: str, seats: int) -> None:
    """Whatever the seats; `greedy` finds it by itself."""
    asked = OwnLadder(table(tmp_path, outcome, seats), ("one", "six", "greedy"), 60, seed=3)
    for pair, result in ((("six", "one"), 1), (("one", "greedy"), -1), (("six", "greedy"), 0)):
        deals = np.zeros(5, asked.deal)
        asked.task(*pair).player(asked.deal).play(7, deals)
        assert (deals["result"] == result).all()
        assert [*deals["deal"]] == [*range(7, 12)]


def test_a_deal_is_played_with_the_same_luck(tmp_path: Path) -> None:
    """Each result is that of the game with these players in these seats, in any process."""
    path = example("auction", tmp_path)
    game = load_file(path)
    asked = OwnLadder(Table(game, game.load(), game.set([]), 3), ("random", "fair_price"), 6)
    task = asked.task("random", "fair_price")
    deals = np.zeros(4, asked.deal)
    rebuild(task.settings, task.files).play(20, deals)
    for row, (place, mine) in product(deals, enumerate(seatings(asked.table))):
        play = Play(asked.table, 0, int(row["deal"]))
        play.play(["random" if seat in mine else "fair_price" for seat in range(3)])
        ours = np.mean([play.outcomes[seat] for seat in mine])
        theirs = np.mean([play.outcomes[seat] for seat in {0, 1, 2} - {*mine}])
        assert row["result"][place] == np.sign(round(ours - theirs, 6))


def test_the_command_rates_all_players(ask, tmp_path: Path) -> None:
    """Words, JSON and tables say the same; it says how seats are exchanged, and goes on."""
    example("auction", tmp_path)
    words = "ladder", "auction.py", "--games", 30, "--out", "climbed", "--set", "coins=12"
    answer = ask(*words)
    assert (answer.status, answer.err) == (0, "")
    told = " ".join(answer.out.split())
    assert told.startswith("Best: fair_price is the best of these 2 players.")
    assert "Auction, coins 12, most 9 · random and fair_price · 30 games a pair" in told
    assert "played 6 times, with seats exchanged: either of them sits in each seat once" in told
    found = ask(*words, "--json").json
    pairs = pd.read_parquet("climbed/tables/pairs.parquet")
    assert found["pairs"] == pairs.to_dict("records")
    assert [row["player"] for row in found["ratings"]] == ["fair_price", "random"]
    _, [games] = read_ladder(KIND, "climbed")
    assert games.results.shape == (5, 6)
    assert pairs["wins"][0] == (games.results == -1).sum()
    page = Path("climbed/ladder.html").read_text()
    assert "either of them sits in each seat once" in page
    assert "fairdeal ladder auction.py --set coins=12 --games 30 --seed 0" in page
    other = ask(*words[:-1], "coins=9")
    assert (other.status, "holds a ladder with coins 12, not 9" in other.err) == (2, True)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--games", "8"], "--games: 8 games a pair cannot be played: each deal is played 6 times"),
        (["--games", "8"], "it must be a multiple of 6, for instance 12"),
        (["--players", "random"], "'random' alone is not a ladder; name two players or more"),
        (["--players", "random,fairprice"], "did you mean 'fair_price'?"),
        (["--players", "random,random"], "'random' is named twice"),
        (["--seats", "5"], "Auction is played by 3, 2, 4, not by 5"),
        (["--players", "random,greedy"], "there is no player 'greedy'"),
    ],
)
def test_wrong_input_gets_one_message(ask, tmp_path: Path, words: list[str], message: str) -> None:
    """The exit status is 2, and nothing is left behind."""
    example("auction", tmp_path)
    ask("ladder", "auction.py", *words).refused_at_once(message, lines=1)


def test_a_game_without_players_is_told_what_is_missing(ask, tmp_path: Path) -> None:
    """A ladder needs two players; a rule that fails is told before anything is written."""
    example("auction", tmp_path)
    source = Path("auction.py").read_text()
    Path("alone.py").write_text(source.replace('players={"fair_price": fair_price},', ""))
    answer = ask("ladder", "alone.py")
    assert (answer.status, "has no player but 'random'" in answer.err) == (2, True)
    Path("clock.py").write_text(
        source.replace("best = max(", "import time; time.time(); best = max(")
    )
    answer = ask("ladder", "clock.py", "--games", 6, "--out", "new")
    assert (answer.status, "luck is self.rng" in answer.err) == (2, True)
    assert not Path("new/ladder.json").exists()
