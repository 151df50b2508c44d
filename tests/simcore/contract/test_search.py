"""The player search:N against games whose best play is known."""

from functools import reduce
from operator import xor
from typing import Any

import pytest

from card_data.schema import load_entries
from simcore.contract.faults import GameError
from simcore.contract.finding import load_file
from simcore.contract.game import Game, Score
from simcore.contract.play import Play, Table
from simcore.contract.rules import Rules
from simcore.contract.search import may_be_open
from simcore.contract.state import Number
from simcore.own_games.run import split_players
from support.own_games import EXAMPLES

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


class Pacing(Rules):
    """To and fro on a line, the same positions again and again, until one stops."""

    at = Number(7)

    def start(self):
        self.acting = 0

    def options(self, _seat):
        return ["up", "down", "stop"]

    def up(self, _seat):
        self.at = min(self.at + 1, 7)

    def down(self, _seat):
        self.at = max(self.at - 1, 0)

    def stop(self, _seat):
        self.acting = None

    def scores(self):
        return [self.at]


class Endless(Pacing):
    """The same without an end."""

    def options(self, _seat):
        return ["up", "down"]


class Silent(Pacing):
    """The same, with nothing to choose after the first step."""

    def options(self, _seat):
        return ["up", "down"] if self.at == 7 else []


class Pig(Rules):
    """One roll or none: on a 1 nothing is won, otherwise three points; without a roll one."""

    won = Number()

    def start(self):
        self.acting = 0

    def options(self, _seat):
        return ["hold", "roll"]

    def hold(self, _seat):
        self.won, self.acting = 1, None

    def roll(self, _seat):
        self.won, self.acting = 0 if self.rng.roll(self.SIDES, "die") == 1 else 3, None

    SIDES = 2

    def scores(self):
        return [self.won]


class Reckless(Pig):
    """The same with a die that is always a 1."""

    SIDES = 1


def _table(rules: type[Rules], **more: Any) -> Table:
    game = Game(name="toy", title="Toy", version=1, rules=rules, **more)
    return Table(game, load_entries([], game.schema), {}, game.seats[0])


def test_nim_is_played_perfectly() -> None:
    """In games against random it gives no winning position away [Bouton 1901]."""
    wrong = seen = 0
    for number in range(12):
        play = Play(_table(Nim), 0, number)
        while not play.over:
            rules: Any = play.rules
            heaps = [*rules.heap]
            if reduce(xor, heaps):
                option: Any = play.options[play.think("search:1000", play.decisions)]
                _, n, place = option
                seen += 1
                heaps[place] -= n
                wrong += reduce(xor, heaps) != 0
            play.choose(play.think("random"))
    assert seen > 12
    assert not wrong


def test_no_game_of_tic_tac_toe_is_lost() -> None:
    """Against random, on either side."""
    for number in range(6):
        seat = number % 2
        play = Play(_table(Tic), 1, number)
        play.play(["search:2000" if one == seat else "random" for one in range(2)])
        assert play.outcomes[seat] >= play.outcomes[1 - seat]


def test_the_number_of_simulations_is_read_and_refused() -> None:
    """A search has its number behind a colon, and is told what it may be."""
    game = _table(Tic).game
    assert split_players(game, 2, "search:16:random") == ("search:16", "random")
    for wrong in ("search", "search:0", "search:many"):
        with pytest.raises(ValueError, match="as in search:100"):
            split_players(game, 2, wrong)


def test_positions_that_come_again_end_nothing() -> None:
    """A walk that can go on for ever is searched to its best end."""
    played = _table(Pacing, seats=[1], outcome=Score(0, 7))
    play = Play(played, 0, 0)
    assert play.options[play.think("search:300", 1)] in ("stop", "up")


class Sealed(Pacing):
    """The same with a number that only its seat sees, and no zone."""

    bid = Number(per_seat=True, seen_by="owner")


def test_where_a_number_is_hidden_nothing_is_proven() -> None:
    """A proof holds for the game as it is, of which a seat does not see all."""
    assert may_be_open(Pacing)
    assert not may_be_open(Sealed)


@pytest.mark.parametrize(("rules", "best"), [(Pig, "roll"), (Reckless, "hold")])
def test_luck_to_come_is_not_foreseen(rules: type[Rules], best: str) -> None:
    """A roll is worth its mean: the true one to come is unknown to it, whatever it is."""
    played = _table(rules, seats=[1], outcome=Score(0, 3))
    chosen = []
    for number in range(20):
        play = Play(played, 0, number)
        chosen.append(play.options[play.think("search:100", 1)])
    assert chosen.count(best) >= 15


class Fair(Rules):
    """Points are chosen, up to nine, and then dice make as little of it as of anything."""

    points = Number()

    def start(self):
        self.acting = 0

    def options(self, _seat):
        return [("earn", n) for n in range(10)] if not self.points else ["roll"]

    def earn(self, _seat, n):
        self.points = 100 + n

    def roll(self, _seat):
        self.points += self.rng.roll(90, "die") - 50
        self.acting = None

    def scores(self):
        return [self.points]

    def standing(self, _seat):
        return self.points


def test_few_simulations_choose_no_worse_than_one_look_ahead() -> None:
    """Where rules say how seats stand, search begins as `greedy` does: dice mislead it less."""
    played = _table(Fair, seats=[1], outcome=Score(0, 200))
    chosen = [Play(played, 0, number).think("search:4", 1) for number in range(20)]
    assert sum(chosen) / 20 > 7


def test_seats_that_choose_at_once_are_searched() -> None:
    """Search wins most auctions of sealed bids against two who bid at random."""
    game = load_file(EXAMPLES / "auction.py")
    played = Table(game, game.load(), {one.name: one.default for one in game.settings}, 3)
    won = 0.0
    for number in range(12):
        play = Play(played, 0, number)
        play.play(["search:60", "random", "random"])
        won += play.outcomes[0] / game.unit
    assert won / 12 > 0.65


@pytest.mark.parametrize(
    ("rules", "told"),
    [(Endless, "has not ended after 5,000 decisions"), (Silent, "options gave nothing for seat 1")],
)
def test_faults_in_imagined_games_are_told(rules: type[Rules], told: str) -> None:
    """As in games that are played, not as an outcome."""
    play = Play(_table(rules, seats=[1], outcome=Score(0, 7)), 0, 0)
    with pytest.raises(GameError, match=told):
        play.think("search:4", 1)
