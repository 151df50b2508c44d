"""A game of one's own is played: the person is told what became of every number that they see."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

from support.own_games import example

#: Each holds a secret number, and bids; the first bid is also the last.
SECRETS = """
from fairdeal import Game, Number, Rules

class Secrets(Rules):
    secret = Number(per_seat=True, seen_by="owner")
    bids = Number(per_seat=True, shape=2)
    total = Number()

    def start(self):
        for seat in range(2):
            self.secret[seat] = 7 + seat
        self.acting = 0

    def options(self, seat):
        for n in range(1, 3):
            yield "bid", n, n + 3

    def bid(self, seat, n, more):
        self.secret[seat] += n
        self.bids[seat][0] = n
        self.total += more
        self.acting = None if seat else 1

    def scores(self):
        return [0, 1]

GAME = Game(name="secrets", title="Secrets", version=1, rules=Secrets)
"""


def test_numbers_are_told_to_who_sees_them(piped, tmp_path: Path) -> None:
    """At the beginning and when they change; a list as it is, and no number of another's."""
    rules = tmp_path / "secrets.py"
    rules.write_text(SECRETS)
    done = piped("play", rules, "--player", "random", lines=["2"]).done()
    told = done.out.splitlines()
    for line in ("total: 0", "secret of seat 1: 7", "secret of seat 1: 7 to 9"):
        assert f"  {line}" in told
    assert "  bids of seat 1: 2 0" in told and "  total: 0 to 5" in told
    assert "secret of seat 2" not in done.out
    assert "bid: 1 (1 4), 2 (2 5)" in done.out  # the number of an option is not one of its own


def test_commands_behind_an_answer_play_the_same_game(ask) -> None:
    """With the seats and settings that were asked for, in a folder of any name, and its rules."""
    folder = Path("a+b c")
    folder.mkdir()
    rules = example("race", folder)
    asked = ("--policy", "random", "--seats", 4, "--set", "goal=20", "--games", 60)
    done = ask("balance", rules, *asked).done()
    again = "--policy random --seats 4 --set goal=20"
    assert f"fairdeal story '{rules}' {again}" in done.out
    told = ask("story", rules, *asked[:-1], 30).done()
    [line] = re.findall(r"fairdeal (replay .*\d)$", told.out, re.MULTILINE)[:1]
    assert ask(*shlex.split(line)).status == 0
