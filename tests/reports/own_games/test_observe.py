"""What a game observes when it is over: numbers of its own in records, tables, JSON and page."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.runs import open_run
from reports.kit.words import percent

#: Two throw a coin in turn until one has heads, at most five times.
COIN = """
from fairdeal import Game, Number, Rules

class Coin(Rules):
    throws = Number()
    heads = Number()

    def start(self):
        self.acting = 0

    def options(self, seat):
        yield "throw"

    def throw(self, seat):
        self.throws += 1
        self.heads = self.rng.roll(2, "coin") - 1
        self.acting = None if self.heads or self.throws == 5 else 1 - seat

    def scores(self):
        return [1 if self.throws % 2 != seat else 0 for seat in range(2)]

GAME = Game(
    name="coin", title="Coin", version=1, rules=Coin,
    observe={"throws": lambda game: game.throws, "no_heads": lambda game: not game.heads},
)
"""


def test_a_geometric_length(ask, tmp_path: Path) -> None:
    """Of five throws 1.9375 are needed on average, and one game of 32 has no heads."""
    (tmp_path / "coin.py").write_text(COIN)
    told = ask("balance", "coin.py", "--games", 2_000, "--out", "of", "--json").json
    rows = {row["name"]: row for row in told["observed"]}
    for name, truth in (("throws", 1.9375), ("no_heads", 1 / 32)):
        assert rows[name]["mean_ci_low"] < truth < rows[name]["mean_ci_high"]
        assert rows[name]["mean_ci_high"] - rows[name]["mean_ci_low"] < 0.15
    games = open_run("of").games(["decisions", "observed_throws", "observed_no_heads"])
    throws, no_heads = games["observed_throws"], games["observed_no_heads"]
    assert (throws == games["decisions"]).all() and {*no_heads} == {0, 1}
    assert rows["throws"]["mean"] == throws.mean() and rows["no_heads"]["mean"] == no_heads.mean()
    page = Path("of/report.html").read_text()
    assert (
        f"Throws {throws.mean():.2f} (" in page and f"no heads {percent(no_heads.mean())} (" in page
    )
    assert ask("replay", "of", "3", "--rules", "coin.py").status == 0


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("game.throws,", "game.throws / 2,", "throws in observe gave 0.5: it may give a whole"),
        ("game.throws,", "-1,", "throws in observe gave -1"),
        ("game.throws,", "game.nothing,", "coin.py:24: AttributeError"),
        ('"throws": lambda', '"a b": lambda', "observe gives functions of a finished game"),
    ],
)
def test_what_cannot_be_observed_is_told(
    ask, tmp_path: Path, old: str, new: str, message: str
) -> None:
    """One message with the author's line, status 2."""
    assert old in COIN
    (tmp_path / "coin.py").write_text(COIN.replace(old, new))
    ask("balance", "coin.py", "--games", 20).refused(message)


#: Each says one or two, all at once, and whoever says more wins.
SAY = """
from fairdeal import Game, Number, Rules, Score

class Say(Rules):
    said = Number(per_seat=True)

    def start(self):
        self.acting = range(self.seats)

    def options(self, seat):
        yield "say", 1
        yield "say", 2

    def say(self, seat, n):
        self.said[seat] = n

    def all_chosen(self):
        self.acting = None

    def scores(self):
        return list(self.said)

GAME = Game(name="say", title="Say", version=1, rules=Say, OUTCOME)
"""


@pytest.mark.parametrize(
    ("outcome", "truth", "words"),
    [
        ("seats=[2]", 1 / 2, "of the games end in a draw"),
        ("seats=[2], outcome=Score(0, 3)", 1 / 2, "of the games end in a draw"),
        ("seats=[4], outcome='rank'", 3 / 4, "of the games have no single winner"),
        (
            "seats=[4], teams=lambda n: [[0, 2], [1, 3]]",
            3 / 8,
            "of the games have no single winner",
        ),
        ("seats=[4], teams='together', outcome=Score(0, 3)", None, ""),
    ],
)
def test_games_without_a_single_winner(
    ask, tmp_path: Path, outcome: str, truth: float | None, words: str
) -> None:
    """Two teams, or more seats, may have the best outcome; who play together have no rival."""
    (tmp_path / "say.py").write_text(SAY.replace("OUTCOME", outcome))
    done = ask("balance", "say.py", "--games", 2_000, "--policy", "random", "--json", "--out", "of")
    told = done.json
    [row], counted = told["games"], open_run("of").manifest["counts"]
    if truth is None:
        assert row["draws"] is None and counted["shared"] == 0 and "Draws" not in done.out
        return
    assert row["draws_ci_low"] < truth < row["draws_ci_high"]
    assert counted["shared"] == round(row["draws"] * 2_000)
    assert any(one["topic"] == "Draws" and words in one["text"] for one in told["findings"])
