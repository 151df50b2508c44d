"""Games whose truth is known, through the command line: between their best players."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import njit

from support.own_games import KUHN, KUHN_CARDS

PIG = """
import numpy as np
from fairdeal import Game, Number, Rules

class Pig(Rules):
    points = Number(per_seat=True)
    risked = Number()

    def start(self):
        self.acting = 0

    def options(self, seat):
        yield "roll"
        if self.risked:
            yield "hold"

    def roll(self, seat):
        number = self.rng.roll(6, "die", seat)
        self.risked = 0 if number == 1 else self.risked + number
        if self.points[seat] + self.risked >= 100:
            self.hold(seat)
        elif number == 1:
            self.acting = 1 - seat

    def hold(self, seat):
        self.points[seat] += self.risked
        self.risked = 0
        self.acting = 1 - seat if self.points[seat] < 100 else None

    def scores(self):
        return list(self.points)

ROLLS = np.load("rolls.npy")

def best(game, seat, options, rng):
    state = game.points[seat], game.points[1 - seat], game.risked
    return "roll" if ROLLS[state] else "hold"

GAME = Game(name="pig", title="Pig", version=1, rules=Pig, players={"best": best})
"""


def test_kuhn_poker_between_equilibrium_players(ask: Any) -> None:
    """The first player loses 1/18 of a chip; a jack -1, a queen -1/3, a king +4/3 [Kuhn 1950]."""
    Path("kuhn.py").write_text(KUHN)
    Path("cards.toml").write_text(KUHN_CARDS)
    told = ask("balance", "kuhn.py", "--policy", "poker", "--games", "10000", "--json").json
    rows = {row["id"]: row for row in told["entries"] if row["is_main"]}
    rows |= {row["seat"]: row for row in told["seats"]}
    truth = {"jack": -1, "queen": -1 / 3, "king": 4 / 3, "seat 1": -1 / 18, "seat 2": 1 / 18}
    for name, chips in truth.items():
        low, high = (4 * rows[name][f"outcome_ci_{end}"] - 2 for end in ("low", "high"))
        assert low < chips < high, name
        assert high - low < 0.1


@njit
def pig(win: np.ndarray, rolls: np.ndarray) -> None:
    """Fill in the chance of whoever has a turn, and whether they roll, between best players.

    By own, other's and risked points, from the end of the game backwards; what both have at the
    beginning of a turn hangs on each other, and is found by iteration [Neller and Presser 2004].
    """
    for total in range(198, -1, -1):
        for own in range(max(0, total - 99), total // 2 + 1):
            for _ in range(60):
                for mine, theirs in ((own, total - own), (total - own, own)):
                    for risked in range(99 - mine, -1, -1):
                        roll = 1 - win[theirs, mine, 0]
                        for number in range(2, 7):
                            over = mine + risked + number >= 100
                            roll += 1.0 if over else win[mine, theirs, risked + number]
                        hold = 1 - win[theirs, mine + risked, 0] if risked else 0.0
                        rolls[mine, theirs, risked] = roll / 6 >= hold
                        win[mine, theirs, risked] = max(roll / 6, hold)


def test_pig_between_best_players(ask: Any) -> None:
    """Whoever begins wins 53.06% [Neller and Presser 2004]."""
    win, rolls = np.zeros((100, 100, 100)), np.zeros((100, 100, 100), np.bool_)
    pig(win, rolls)
    truth = win[0, 0, 0]
    assert truth == pytest.approx(0.5306, abs=5e-5)
    np.save("rolls.npy", rolls)
    Path("pig.py").write_text(PIG)
    first = ask("balance", "pig.py", "--policy", "best", "--games", "2000", "--json").json["seats"][
        0
    ]
    assert first["outcome_ci_low"] < truth < first["outcome_ci_high"]
    assert first["outcome_ci_low"] > 0.5
