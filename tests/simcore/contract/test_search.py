"""The player search:N against games whose best play is known."""

from functools import reduce
from operator import xor

import pytest

from card_data.schema import load_entries
from simcore.contract.game import Game
from simcore.contract.play import Play, Table
from simcore.contract.rules import Rules
from simcore.contract.state import Number
from simcore.own_games.run import split_players

_LINES = ("012", "345", "678", "036", "147", "258", "048", "246")


class Nim(Rules):
    heap = Number(shape=3)
    won = Number()

    def start(self):
        for place in range(3):
            self.heap[place] = place + 3
        self.acting = 0

    def options(self, _seat):
        for place in range(3):
            for n in range(1, self.heap[place] + 1):
                yield "take", n, place

    def take(self, seat, n, place):
        self.heap[place] -= n
        self.won = seat
        self.acting = 1 - seat if any(self.heap) else None

    def scores(self):
        return [int(self.won == seat) for seat in range(2)]


class Tic(Rules):
    square = Number(shape=9)
    won = Number(default=-1)

    def start(self):
        self.acting = 0

    def options(self, _seat):
        for place in range(9):
            if not self.square[place]:
                yield "put", place

    def put(self, seat, place):
        self.square[place] = seat + 1
        if any(all(self.square[int(one)] == seat + 1 for one in line) for line in _LINES):
            self.won = seat
        self.acting = 1 - seat if self.won < 0 and not all(self.square) else None

    def scores(self):
        return [int(self.won == seat) for seat in range(2)]


def _table(rules: type[Rules]) -> Table:
    game = Game(name="toy", title="Toy", version=1, rules=rules)
    return Table(game, load_entries([], game.schema), {}, 2)


def test_nim_is_played_perfectly():
    wrong = seen = 0
    for number in range(12):
        play = Play(_table(Nim), 0, number)
        while not play.over:
            heaps = [*play.rules.heap]
            if reduce(xor, heaps):
                _, n, place = play.options[play.think("search:1000", play.decisions)]
                seen += 1
                heaps[place] -= n
                wrong += reduce(xor, heaps) != 0
            play.choose(play.think("random"))
    assert seen > 12
    assert not wrong


def test_no_game_of_tic_tac_toe_is_lost():
    for number in range(6):
        seat = number % 2
        play = Play(_table(Tic), 1, number)
        play.play(["search:2000" if one == seat else "random" for one in range(2)])
        assert play.outcomes[seat] >= play.outcomes[1 - seat]


def test_the_number_of_simulations_is_read_and_refused():
    game = _table(Tic).game
    assert split_players(game, 2, "search:16:random") == ("search:16", "random")
    for wrong in ("search", "search:0", "search:many"):
        with pytest.raises(ValueError, match="as in search:100"):
            split_players(game, 2, wrong)
