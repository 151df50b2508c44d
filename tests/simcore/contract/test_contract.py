"""The contract of a game: declared state, zones, luck by purpose, joint choices, and faults."""

from __future__ import annotations

import gc
import re
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numba
import numpy as np
import pytest

from simcore.contract import loops, luck
from simcore.contract.faults import GameError, LuckWatch, RuleError
from simcore.contract.finding import load_file, load_text
from simcore.contract.game import RANDOM, Game, Score
from simcore.contract.loops import LoopWatch
from simcore.contract.luck import Luck, address_of, number_of
from simcore.contract.play import Play, Table
from simcore.contract.rules import shown
from simcore.contract.state import ZoneOfEach
from simcore.own_games.run import facts_of
from simcore.own_games.setup import OwnGames, record_at
from support.own_games import example
from support.random_twin import RandomStream

#: A game of two: cards are played from hidden hands, the higher one scores its rank.
DUEL = """
from fairdeal import Cards, Choice, Flag, Game, Kind, Number, Rules, Score, Setting, Whole

class Duel(Rules):
    deck = Cards(12, seen_by="nobody")
    hand = Cards(6, per_seat=True, seen_by="owner")
    table = Cards(2, marks=("turns",))
    gone = Cards(12)
    won = Number(per_seat=True)
    phase = Choice(["first", "second"])
    dice = Number()

    def start(self):
        self.deck.fill(self.setup.deck("card"))
        self.deck.shuffle()
        for seat in range(self.seats):
            self.deck.deal(self.setup.cards, self.hand[seat])
        self.acting = 0

    def options(self, seat):
        for card in self.hand[seat]:
            yield "play", card

    def play(self, seat, card):
        self.hand[seat].move(card, self.table)
        if self.phase == "first":
            self.phase = "second"
            self.acting = 1 - seat
            return
        self.dice += self.rng.roll(6, "dice")
        winner = seat if card.rank > self.table[0].rank else 1 - seat
        self.won[winner] += card.rank
        self.note("won", winner, card)
        self.table.move_all(self.gone)
        self.phase = "first"
        self.acting = winner if self.hand[winner] else None

    def scores(self):
        return list(self.won)

def high(game, seat, options, rng):
    return max(options, key=lambda option: option[1].rank)

GAME = Game(
    name="duel", title="Duel", version=1, rules=Duel,
    kinds=[Kind("card", "cards", {"rank": Whole(1, 9)}, copies=2)],
    settings=[Setting("cards", Whole(1, 6), 3)],
    players={"high": high},
)
"""
#: The line of its player.
MAX = "return max(options, key=lambda option: option[1].rank)"
CARDS = "".join(f"[card.c{rank}]\nrank = {rank}\n" for rank in range(1, 7))


def table(tmp_path: Path, source: str = DUEL, **settings: int) -> Table:
    """A game that somebody wrote, with the six cards."""
    (tmp_path / "cards.toml").write_text(CARDS)
    path = tmp_path / "my_game.py"
    path.write_text(source)
    game = load_text(str(path), source.encode())
    chosen = [f"{name}={value}" for name, value in settings.items()]
    return Table(game, game.load(), game.set(chosen), game.seats[0])


def duel(tmp_path: Path, old: str = "", new: str = "", **settings: int) -> Table:
    """The duel, of which one thing is written otherwise."""
    assert old in DUEL
    return table(tmp_path, DUEL.replace(old, new, 1) if old else DUEL, **settings)


def line_of(text: str, source: str = DUEL) -> int:
    """The number of the line in which a text stands."""
    return next(n for n, line in enumerate(source.splitlines(), 1) if text in line)


# ------------------------------------------------------------ luck


def test_luck_is_that_of_the_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    """The numbers of a purpose are those of `simcore.random_streams` at its address."""
    assert number_of(("dice", 1)) != number_of(("dice", 0))
    monkeypatch.setattr(luck, "number_of", lambda purpose: purpose[0])
    ours, theirs = Luck(address_of(7, 12)), RandomStream(7, 12, 2)
    assert [ours.below(10, 2) for _ in range(50)] == [theirs.below(10) for _ in range(50)]


def test_each_purpose_is_a_stream_of_its_own() -> None:
    """What is drawn for one purpose, or seat, moves no other."""
    plain, busy = Luck(5), Luck(5)
    for _ in range(9):
        busy.roll(6, "weather")
        busy.roll(6, "dice", 1)
    assert [plain.roll(6, "dice", 0) for _ in range(20)] == [
        busy.roll(6, "dice", 0) for _ in range(20)
    ]


def test_a_rule_that_draws_more_changes_no_deal(tmp_path: Path) -> None:
    """Another die in the rules leaves the cards, and the choices of players, where they were."""
    one = duel(tmp_path)
    other = duel(
        tmp_path, 'self.phase = "second"\n', 'self.phase = "second"; self.rng.roll(6, "more")\n'
    )
    for number in range(20):
        plays = [Play(each, 3, number) for each in (one, other)]
        for play in plays:
            play.play([RANDOM] * 2)
        assert plays[0].points == plays[1].points
        assert plays[0].deal == plays[1].deal


def test_what_is_by_lot_is_drawn_by_the_runner(tmp_path: Path) -> None:
    """So many entries are in each game, each as often as others; factions are one for each seat."""
    source = DUEL.replace(
        "copies=2)", "copies=4, by_lot=3), Kind('side', 'sides', {}, each_seat=True)"
    )
    (tmp_path / "cards.toml").write_text("")
    path = tmp_path / "lot.py"
    path.write_text(source)
    game = load_text(str(path), source.encode())
    entries = CARDS + "".join(f"[side.{name}]\n" for name in "abc")
    (tmp_path / "cards.toml").write_text(entries)
    lots = Table(game, game.load(), game.set([]), 2)
    seen = np.zeros(6, int)
    for number in range(300):
        play = Play(lots, 1, number)
        there = play.rules.setup.entries("card")
        assert len(there) == 3
        assert len(play.rules.setup.deck("card")) == 12
        sides = [play.rules.setup.of(seat, "side") for seat in range(2)]
        assert sides[0] != sides[1]
        assert play.dealt[0, sides[0]] == 1
        for card in there:
            seen[int(card.id[1:]) - 1] += 1
    assert seen.min() > 110


# ------------------------------------------------------------ zones and what is seen


def test_cards_move_and_are_counted(tmp_path: Path) -> None:
    """A move takes one copy; marks begin with 0 and stay beside their card; a deal is the end."""
    rules: Any = Play(duel(tmp_path), 0, 0).rules
    hand, board = rules.hand[0], rules.table
    first, second, last = hand[0], hand[1], hand[-1]
    assert hand.move(first, board) == first
    hand.move(second, board)
    board.turns[1] += 3
    assert [*board.turns] == [0, 3]
    assert board.move_at(0, rules.gone) == first
    assert [*board.turns] == [3]
    assert hand.deal(5, rules.gone) == 1
    assert (rules.gone[-1], len(hand), bool(hand)) == (last, 0, False)
    rules.gone.fill({first: 2, second: 1})
    assert (rules.gone.count(first), first in rules.gone, len(rules.gone)) == (2, True, 3)
    rules.gone.swap(board)
    assert [*board] == [first, first, second]


@pytest.mark.parametrize(
    ("doing", "message"),
    [
        ("rules.table.move(rules.hand[0][0], rules.gone)", "is not in table, which has no card"),
        ("[rules.hand[0].move(card, rules.table) for card in rules.hand[0]]", "was changed while"),
        ("[rules.hand[0].deal(1, rules.table) for _ in range(3)]", "table is full: it has room"),
        ("rules.hand[0][0:2]", "zone[…] takes one place"),
        ("rules.hand[0].remove(1)", "hand[0] is a zone and has no remove: use move, move_at"),
        (
            "rules.hand[0].move('c1', rules.table)",
            "'c1' is no card: give the card itself",
        ),
        ("rules.hand.move('c1', rules.table)", "each seat has its own hand: write self.hand[seat]"),
        ("rules.gone.add(5)", "5 cannot lie in gone: zones hold cards"),
        ("rules.rng.roll(0, 'die')", "luck is asked for one of 0 numbers or things"),
        ("rules.hand = []", "self.hand has several places"),
        ("setattr(rules, 'deck', [])", "self.deck is a zone"),
        ("setattr(rules, 'dice', 1 / 2)", "self.dice became 0.5: whole numbers only; write //"),
        ("rules.won.__setitem__(0, 'a')", "self.won became 'a': whole numbers only"),
        ("setattr(rules, 'phase', 'secnd')", "no word of it; did you mean 'second'?"),
        ("setattr(rules, 'acting', False)", "self.acting is False: a seat from 0 to 1, a list"),
        ("setattr(rules, 'acting', [])", "self.acting is []"),
        ("setattr(rules, 'acting', 2)", "self.acting is 2"),
        ("setattr(rules, 'seats', 3)", "self.seats is given and cannot be changed"),
        ("rules.setup.card", "there is no setting 'card'; there are: cards"),
        ("rules.note('dealt', 0, rules.hand[0][0])", "the program counts that already"),
        ("rules.note('won', -2, rules.hand[0][0])", "seat is -2: it must be 0 to 1"),
        ("rules.note('won', 2, rules.hand[0][0])", "seat is 2: it must be 0 to 1"),
        ("rules.note('won', 0, rules.hand[0][0], 0.5)", "n is 0.5: a whole number from 0 on"),
        ("rules.note('won', 0, rules.hand[0][0], -1)", "n is -1: a whole number from 0 on"),
        ("rules.setup.deck('cards')", "there is no kind 'cards' here; there are: card"),
    ],
)
def test_what_a_rule_cannot_do_is_told(tmp_path: Path, doing: str, message: str) -> None:
    """Each slip has a sentence that says what is right."""
    rules: Any = Play(duel(tmp_path), 0, 0).rules
    with pytest.raises(RuleError) as told:
        exec(doing, {"rules": rules})
    assert message in str(told.value)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "Cards(2, marks",
            "Cards(2, of='coin', marks",
            "table, which holds coin (of=…), and it is",
        ),
        ("won = Number(", "won = Number(high=3, ", "it may be 3 or less"),
        ("won = Number(", "won = Number(low=9, default=9, ", "it may be 9 or more"),
        ("won = Number(", "won = Number(low=0, high=3, ", "it may be 0 to 3"),
    ],
)
def test_what_a_declaration_does_not_hold_is_told(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    """A card of another kind would be exchanged with what it can never be."""
    coins = DUEL.replace("kinds=[", 'kinds=[Kind("coin", "coins", {}), ')
    if "low=9" in new:
        coins = coins.replace("self.won[winner] +=", "self.won[winner] = -")
    play = Play(table(tmp_path, coins.replace(old, new)), 0, 0)
    with pytest.raises(GameError, match=re.escape(message)):
        play.play(["high", "high"])


def test_an_imagined_game_is_the_same_in_all_that_a_seat_sees(tmp_path: Path) -> None:
    """The own hand, counts and options stay; the other hand and the deck change places."""
    play = Play(duel(tmp_path), 4, 2)
    rules: Any = play.rules
    other = Luck(1)
    others, tops = set(), set()
    for _ in range(40):
        found = rules.imagined(0, other)
        assert [*found.hand[0]] == [*rules.hand[0]]
        assert [*dict.fromkeys(found.options(0))] == play.options
        assert len(found.hand[1]) == 3
        every = [*found.hand[1], *found.deck]
        assert sorted(card.id for card in every) == sorted(
            card.id for card in [*rules.hand[1], *rules.deck]
        )
        others.add(tuple(card.id for card in found.hand[1]))
        tops.add(found.deck[-1].id)
    assert len(others) > 5
    assert len(tops) > 2
    rules.hand[1].reveal(0)
    shown = [*rules.hand[1]]
    assert all([*rules.imagined(0, other).hand[1]] == shown for _ in range(20))
    assert any([*rules.imagined(0, other).deck] != [*rules.deck] for _ in range(20))


@pytest.mark.parametrize("looked_at", ["hand deck gone", "gone deck hand", "deck gone hand"])
def test_a_player_is_shown_what_is_imagined(tmp_path: Path, looked_at: str) -> None:
    """A game that is imagined as a player looks at it is the one that is imagined at once."""
    rules: Any = Play(duel(tmp_path), 4, 2).rules
    at_once: Any = rules.imagined(0, Luck(9))
    found: Any
    with shown(rules, 0, Luck(9)) as found:
        for name in looked_at.split():
            assert cards_of(getattr(found, name)) == cards_of(getattr(at_once, name))
        assert [*found.options(0)] == [*at_once.options(0)]
        found.deck.deal(1, found.hand[0])
        assert len(found.deck) == len(rules.deck) - 1
    assert [*map(cards_of, rules.zones())] != [*map(cards_of, found.zones())]


def cards_of(zones: Any) -> list[list[str]]:
    """The ids in a zone, or in those of each seat."""
    return [
        [card.id for card in zone] for zone in (zones if type(zones) is ZoneOfEach else [zones])
    ]


def test_a_player_cannot_look_later_at_a_game_that_was_shown(tmp_path: Path) -> None:
    """A player that keeps a game does not learn from it what has happened since."""
    kept: list[Any] = []
    with shown(Play(duel(tmp_path), 4, 2).rules, 0, Luck(9)) as found:
        kept.append(found)
    with pytest.raises(RuleError, match="hand was not looked at when the player was asked"):
        kept[0].hand[0].count(None)


def test_what_a_seat_cannot_have_is_not_imagined(tmp_path: Path) -> None:
    """`could_hold` and `possible` keep out of imagined games what is known."""
    more = (
        "    def could_hold(self, seat, card, zone, place):\n        return card.rank > 2\n\n"
        "    def possible(self, seat):\n"
        "        return all(card.rank < 6 for card in self.hand[1])\n\n    def scores"
    )
    play = Play(duel(tmp_path, "    def scores", more), 1, 0)
    rules: Any = play.rules
    hand = rules.hand[0]
    hidden = [*rules.hand[1], *rules.deck]
    assert any(card.rank == 6 for card in hidden)
    for _ in range(30):
        found = rules.imagined(0, Luck(9))
        assert all(2 < card.rank < 6 for card in found.hand[1])
        assert [*found.hand[0]] == [*hand]


def test_a_player_has_a_copy(tmp_path: Path) -> None:
    """A player that changes its game, or looks at the other hand, changes and learns nothing."""
    cheat = "    game.won[seat] += 99; game.hand[1 - seat].move_all(game.gone)\n    return max("
    honest, other = duel(tmp_path), duel(tmp_path, "    return max(", cheat)
    for number in range(10):
        plays = [Play(each, 0, number) for each in (honest, other)]
        for play in plays:
            play.play(["high", RANDOM])
        assert plays[0].points == plays[1].points


# ------------------------------------------------------------ free state

FREE = """
from fairdeal import Game, Rules

class Cups(Rules):
    def start(self):
        self.cups = [3, 4, 5]
        self.cards = {"a": [1, 2], "b": [3, 4]}
        self.acting = 0

    def options(self, seat):
        for cup, n in enumerate(self.cups):
            for taken in range(1, n + 1):
                yield "take", cup, taken

    def take(self, seat, cup, taken):
        self.cups[cup] -= taken
        self.last = seat
        self.acting = 1 - seat if any(self.cups) else None

    def unseen(self, seat):
        return [[self.cards["b"], self.cards["a"]]] if seat == 0 else []

    def scores(self):
        return [int(self.last == seat) for seat in range(2)]

GAME = Game(name="cups", title="Cups", version=1, rules=Cups)
"""


def test_state_need_not_be_declared(tmp_path: Path) -> None:
    """Plain lists and dicts are copied with the game, and `unseen` says what could be exchanged."""
    play = Play(table(tmp_path, FREE), 0, 0)
    rules: Any = play.rules
    copies: list[Any] = [rules.imagined(0, Luck(n)) for n in range(20)]
    copies[0].cups[0] = 0
    assert rules.cups == [3, 4, 5]
    assert {tuple(one.cards["a"]) for one in copies} > {(1, 2)}
    assert all(sorted(one.cards["a"] + one.cards["b"]) == [1, 2, 3, 4] for one in copies)
    assert rules.imagined(1, Luck(3)).cards == {"a": [1, 2], "b": [3, 4]}
    play.play([RANDOM] * 2)
    assert sorted(play.outcomes) == [0, 5040]


# ------------------------------------------------------------ seats at once

BIDS = """
from fairdeal import Game, Number, Rules

class Bids(Rules):
    bids = Number(per_seat=True)
    asked, ended = Number(), Number()

    def start(self):
        self.acting = range(self.seats)

    def options(self, seat):
        for n in range(1 + sum(self.bids)):
            yield "bid", n
        yield "bid", 1

    def bid(self, seat, n):
        self.bids[seat] = n + 10 * (1 + sum(1 for other in self.bids if other))
        self.asked += 1

    def all_chosen(self):
        self.ended += 1
        self.acting = [2] if self.ended == 1 else None

    def scores(self):
        return list(self.bids)

GAME = Game(name="bids", title="Bids", version=1, rules=Bids, seats=[3])
"""


def test_seats_that_choose_at_once_know_nothing_of_each_other(tmp_path: Path) -> None:
    """All choose before any is carried out, in the order of seats; then `all_chosen`, once."""
    play = Play(table(tmp_path, BIDS), 0, 0)
    rules: Any = play.rules
    assert play.first == -1
    for seat in range(3):
        assert (play.seat, play.options) == (seat, [("bid", 0), ("bid", 1)])
        assert rules.asked == 0
        play.choose(1)
    assert [*rules.bids] == [11, 21, 31]
    assert (rules.ended, play.seat) == (1, 2)  # one seat in a list chooses at once as well
    play.choose(0)
    assert (rules.ended, play.over, play.decisions) == (2, True, 4)


# ------------------------------------------------------------ outcomes


@pytest.mark.parametrize(
    ("outcome", "teams", "scores", "expected"),
    [
        ("highest", None, [3, 1, 3], [0.5, 0, 0.5]),
        ("rank", None, [3, 1, 3], [0.75, 0, 0.75]),
        ("rank", None, [1, 2, 3], [0, 0.5, 1]),
        (Score(0, 10), None, [0, 5, 10], [0, 0.5, 1]),
        (Score(10, 0), "together", [4, 4, 4], [0.6, 0.6, 0.6]),
        ("highest", lambda _: [[0, 2], [1]], [3, 4, 9], [1, 0, 1]),
    ],
)
def test_outcomes_follow_from_scores(outcome, teams, scores, expected) -> None:
    """First places are shared, ranks are from 0 to 1, a team's result is each seat's."""
    game = Game(
        name="x", title="X", version=1, rules=_Nothing, seats=[3], outcome=outcome, teams=teams
    )
    assert [one / game.unit for one in game.outcomes(scores, 3)] == pytest.approx(expected)


def _nothing() -> type:
    from simcore.contract.rules import Rules

    class Nothing(Rules):
        pass

    return Nothing


_Nothing = _nothing()

# ------------------------------------------------------------ faults


@pytest.mark.parametrize(
    ("old", "new", "at", "message"),
    [
        ('yield "play", card', 'yield "ply", card', 'yield "ply"', "'ply C5' is no option"),
        ('yield "play", card', 'yield "play"', 'yield "play"', "gives 0 after the word, def play"),
        ('yield "play", card', 'yield "play", 0.5', "0.5", "gives 0.5: an entry, a word"),
        ('yield "play", card', "pass", "def options", "options gave nothing for seat 1"),
        ("return list(self.won)", "return [1]", "return [1]", "it needs 2 numbers, one a seat"),
        ("return list(self.won)", "return [1, float('nan')]", "float", "must be a finite"),
        ("return list(self.won)", "return sum(self.won) / 0", "/ 0", "ZeroDivisionError"),
        ("self.table[0].rank", "self.table[0].rang", "rang else", "; did you mean 'rank'?"),
        ("self.table.move_all(self.gone)", "gone(seat)", "gone(seat)", "defined: write self.gone"),
        ("self.table.move_all(self.gone)", "crad.rank", "crad.rank", "did you mean 'card'?"),
        ("self.won[winner] +=", "self.won -=", "self.won -=", "it has several numbers: say which"),
        (
            "return list(self.won)",
            "return [self.won[1 + seat] for seat in range(2)]",
            "1 + seat",
            "out of range in self.won[1 + seat], where seat is 1",
        ),
        (
            'note("won", winner, card',
            "note(setattr(card, 'rank', 9)",
            "note(",
            "setattr(card, 'rank', 9) cannot be changed: what changes in a game is declared",
        ),
        ("if self.hand[winner] else None", "if True else None", "def options", "gave nothing"),
        (MAX, "return ('play', 7)", "('play', 7)", "which is no option; there are: play"),
        (MAX, "return options[1 // 0]", "1 // 0", "ZeroDivisionError"),
        ('yield "play", card', "yield card", "yield card", "is no option: it is a word for which"),
        (
            'yield "play", card',
            'yield from self.cheats()\n\n    def cheats(self):\n        yield "cheat"',
            'yield "cheat"',
            "'cheat' is no option",
        ),
        (
            'yield "play", card',
            'pass\n        return ["cheat"]',
            '["cheat"]',
            "'cheat' is no option",
        ),
        ('note("won", winner, card', 'note("won", card, winner', "note(", "1 is no entry, such as"),
        (
            "self.table.move_all(self.gone)",
            "self.table.move_all(self.hand[seat])",
            "def start",
            "has not ended after 5,000 decisions",
        ),
    ],
)
def test_a_fault_is_told_with_game_turn_and_line(
    tmp_path: Path, old: str, new: str, at: str, message: str
) -> None:
    """What breaks the contract while playing ends in one message about the author's own line."""
    broken = duel(tmp_path, old, new)
    with pytest.raises(GameError) as told:
        Play(broken, 5, 8).play(["high", "high"])
    text = str(told.value)
    assert message in text
    line = line_of(at, DUEL.replace(old, new, 1))
    assert f"my_game.py:{line}: " in text
    assert "game 8 of seed 5, decision" in text


def test_a_fault_names_the_decision_that_leads_to_it(tmp_path: Path) -> None:
    """What is carried out belongs to its decision, and the next options to the next one."""
    for old, new, at in (
        ("self.hand[seat].move", "1 // 0; self.hand[seat].move", "decision 1, seat 1"),
        ('yield "play", card', '1 // (1 - seat); yield "play", card', "decision 2, seat 2"),
    ):
        with pytest.raises(GameError, match=at):
            Play(duel(tmp_path, old, new), 0, 0).play([RANDOM] * 2)


def test_a_game_begins_with_somebody_who_chooses(tmp_path: Path) -> None:
    """A start that says nobody would make every game a draw, without a word."""
    broken = duel(tmp_path, "        self.acting = 0\n", "")
    where = f"py:{line_of('def start')}: start says nobody who chooses first: set self.acting"
    with pytest.raises(GameError, match=where):
        Play(broken, 0, 0)


def test_a_file_of_entries_that_is_missing_is_asked_for(tmp_path: Path) -> None:
    """The message says what belongs there, and how to name another file."""
    path = tmp_path / "my_game.py"
    path.write_text(DUEL)
    with pytest.raises(
        GameError, match=r"cards\.toml: there is no such file, and the cards of Duel"
    ):
        load_file(path).load()


@pytest.mark.parametrize(
    ("call", "name"),
    [
        ("random.random()", "random.random"),
        ("random.shuffle([1, 2])", "random.shuffle"),
        ("time.time()", "time"),
        ("datetime.datetime.now()", "now"),
        ("numpy.random.rand()", "rand"),
        ("secrets.randbelow(3)", "randbelow"),
    ],
)
def test_the_clock_and_other_luck_are_found(tmp_path: Path, call: str, name: str) -> None:
    """One play of a game finds a call of the clock or of luck that is not the game's."""
    source = "import random, time, datetime, secrets, numpy\n" + DUEL
    source = source.replace("self.dice += self.rng.roll", f"{call}; self.dice += self.rng.roll")
    played = table(tmp_path, source)
    with pytest.raises(GameError) as told, LuckWatch():
        Play(played, 0, 0).play([RANDOM] * 2)
    assert "luck is self.rng" in str(told.value)
    assert name in str(told.value)
    line = line_of(call, source)
    assert f"my_game.py:{line}: " in str(told.value) or call.startswith("numpy")


def directly(work: Callable[[], None]) -> None:
    """Do something in this thread."""
    work()


def in_a_thread(work: Callable[[], None]) -> None:
    """Do something in another thread, as the studio and runs do."""
    with ThreadPoolExecutor(1) as threads:
        threads.submit(work).result()


@pytest.mark.parametrize("do", [directly, in_a_thread])
def test_a_rule_that_never_ends_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, do: Callable[[Callable[[], None]], None]
) -> None:
    """In a run, in place of a program that hangs: with the line, whichever thread plays it."""
    monkeypatch.setattr(loops, "_SECONDS", 0.2)
    loop = "while seat == 1: pass"
    source = DUEL.replace(
        "        self.dice += self.rng.roll", f"        {loop}\n        self.dice += self.rng.roll"
    )
    games = OwnGames(table(tmp_path, source), 0, [RANDOM] * 2)
    with pytest.raises(GameError) as told:
        do(lambda: games.play(0, np.zeros(1, record_at(games.table))))
    assert f"my_game.py:{line_of(loop, source)}: this has run for over" in str(told.value)


def test_rules_that_never_end_are_told_before_a_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Already where some games say how entries of each kind are measured."""
    monkeypatch.setattr(loops, "_SECONDS", 0.2)
    source = DUEL.replace("self.dice += self.rng", "while True: self.rng")
    with pytest.raises(GameError, match="does a loop of it never end"):
        facts_of(table(tmp_path, source))


def test_a_rule_that_exits_is_told(tmp_path: Path) -> None:
    """And does not end the program, or the thread that plays."""
    source = DUEL.replace("        self.dice += self.rng.roll", "        exit(); self.rng.roll")
    with pytest.raises(GameError, match="SystemExit"):
        Play(table(tmp_path, source), 0, 0).play([RANDOM] * 2)


@pytest.mark.parametrize("do", [directly, in_a_thread])
def test_long_thoughts_are_no_loop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, do: Callable[[Callable[[], None]], None]
) -> None:
    """A player who thinks for longer than a rule may run is let be."""
    monkeypatch.setattr(loops, "_SECONDS", 0.5)  # a search for garbage may take half of that
    games = OwnGames(duel(tmp_path), 0, ["search:1500"] * 2)
    do(lambda: games.play(0, np.zeros(1, record_at(games.table))))


@pytest.mark.parametrize("do", [directly, in_a_thread])
def test_waiting_is_no_loop(
    monkeypatch: pytest.MonkeyPatch, do: Callable[[Callable[[], None]], None]
) -> None:
    """Where no rule runs nothing is told, whoever has called the program."""
    monkeypatch.setattr(loops, "_SECONDS", 0.02)

    def wait() -> None:
        with LoopWatch():
            time.sleep(0.2)

    do(wait)


def test_what_rules_print_is_no_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It is for their author, and would spoil the JSON that a command answers with."""
    source = DUEL.replace("self.dice += self.rng.roll", "print(seat); self.dice += self.rng.roll")
    Play(table(tmp_path, f"print('read')\n{source}"), 0, 0).play([RANDOM] * 2)
    told = capsys.readouterr()
    assert told.out == ""
    assert {*told.err.split()} == {"read", "1"}


def test_a_game_is_what_was_run(tmp_path: Path) -> None:
    """A file that has changed since is not what is played, nor what other processes are sent."""
    file = tmp_path / "my_game.py"
    file.write_text(DUEL)
    game = load_file(file)
    file.write_text("raise ValueError")
    assert game.text == DUEL
    assert game.digest == load_text("other.py", DUEL.encode()).digest


def test_a_sound_game_passes_the_watch(tmp_path: Path) -> None:
    """Ordinary rules call nothing that is refused."""
    with LuckWatch():
        Play(duel(tmp_path), 0, 0).play(["high", RANDOM])


def test_the_watch_does_not_blame_a_rule_for_a_compiler() -> None:
    """Numba looks at the clock while it compiles what a player thinks with."""
    with LuckWatch():
        assert numba.njit(lambda one: one + 1)(1) == 2


def test_the_watch_does_not_blame_a_rule_for_the_collector(tmp_path: Path) -> None:
    """What a hook of Python's collector calls while a rule runs is not the rule's."""

    def look(phase: str, info: dict[str, int]) -> None:
        time.perf_counter()

    source = "import gc\n" + DUEL.replace(
        "self.dice += self.rng.roll", "gc.collect(); self.dice += self.rng.roll"
    )
    played = table(tmp_path, source)
    gc.callbacks.append(look)
    try:
        with LuckWatch():
            Play(played, 0, 0).play([RANDOM] * 2)
        assert look in gc.callbacks
    finally:
        gc.callbacks.remove(look)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("def scores", "def hand", "hand is declared twice (a zone and a method)"),
        ("    dice = Number()", "    rng = Number()", "rng belongs to every game"),
        ("GAME = Game(", "PLAY = Game(", "has no game: it must end with GAME = Game(…)"),
        ("class Duel(Rules):", "class Duel(Rules)", "SyntaxError"),
        ("version=1", "version=1, outcome='most'", "outcome is 'most': 'highest', 'rank', Score"),
        ("version=1", "version=1, outcome=Score(0, float('inf'))", "it takes two numbers, of"),
        ("version=1", "version=1, outcome=Score('0', '9')", "it takes two numbers, of which one"),
        ("version=1", "version=1, outcome=Score(5, 5)", "it takes two numbers, of which one is"),
        ('Setting("cards"', 'Setting("deck"', "setting 'deck': its name is a word such as rows"),
        ('Setting("cards"', 'Setting("a-b"', "setting 'a-b': its name is a word such as rows"),
        (
            "Whole(1, 6), 3)",
            "Whole(1, 6), 9)",
            "setting cards: 9 is not a whole number from 1",
        ),
        ("def high(game, seat, options, rng)", "def high(game, seat)", "player high takes 2"),
        ('seen_by="nobody"', 'seen_by="none"', "seen_by is 'none'; it must be one of all, owner"),
        ("import Cards,", "import Crads,", "; did you mean 'Cards'?"),
        (
            "import Cards, Choice,",
            "import Choice,",
            "not defined: write from fairdeal import Cards",
        ),
        ("rules=Duel", "rules=Deul", "; did you mean 'Duel'?"),
        (
            "deck = Cards(12",
            'deck = Cards(12, of="cards"',
            "zone deck: of: there is no kind 'cards'; did you mean 'card'? Allowed here: card.",
        ),
        ("def play(self, seat, card)", "def play(seat, card)", "write def play(self, seat, card)"),
        (
            "def options(self, seat)",
            "def options(self)",
            "py:20: options is given (self, seat), and takes (self): write def options(self, seat)",
        ),
        ("dice = Number()", "dice = Number", "dice = Number lacks its brackets: Number(…)"),
        ("dice = Number()", "moved = Number()", "moved belongs to every game"),
        ("version=1", "version='1'", "version is '1': a whole number from 1 on"),
        ("version=1", "version=1, seats=2", "seats is 2: a list of numbers from 1 to 10"),
        ("version=1", "version=1, teams='two'", "teams is 'two': 'together', or a function from"),
        ("version=1", "version=1, teams=lambda n: [[0]]", "teams(2) is [[0]]: it must have each"),
        ("[Setting(", "[('cards', ", "settings is a list, of Setting(…)"),
        ('{"high": high}', "[high]", 'players gives functions by their names: {"wise": wise}'),
        ('{"high": high}', '{"high": "high"}', "players gives functions by their names"),
        ("copies=2", "copies=0", "copies is 0: a whole number from 1 on"),
        ("copies=2", "by_lot=-1", "by_lot is -1: a whole number from 0 on"),
        ("copies=2", "each_seat=2", "each_seat is 2: True or False"),
    ],
)
def test_a_file_that_declares_no_game_is_told(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    """What is wrong with a file is told with its line, before anything is played."""
    with pytest.raises(GameError) as told:
        duel(tmp_path, old, new)
    assert message in str(told.value)
    assert "my_game.py" in str(told.value)


def test_the_same_game_in_the_same_words(tmp_path: Path) -> None:
    """A game is a function of its seed and number, and its choices can be taken one by one."""
    played = duel(tmp_path, cards=2)
    whole = Play(played, 6, 3)
    whole.play(["high", RANDOM])
    step = Play(played, 6, 3, told=True)
    lines = step.log()
    while not step.over:
        step.choose(step.think(["high", RANDOM][step.seat]))
        lines += step.log()
    assert (step.points, step.decisions) == (whole.points, 4)
    assert [one[0] for one in lines].count("choice") == 4


# ------------------------------------------------------------ the greedy player

STAND = "    def standing(self, seat):\n        return self.won[seat]\n\n    def scores"


def test_greedy_needs_to_know_how_a_seat_stands(tmp_path: Path) -> None:
    """Without `standing` there is no such player; with it, nobody else may have its name."""
    assert duel(tmp_path).game.player_names == ("random", "high")
    assert duel(tmp_path, "    def scores", STAND).game.player_names == ("random", "greedy", "high")
    for name, old, new in (("random", "    x", ""), ("greedy", "    def scores", STAND)):
        source = DUEL.replace(old, new, 1).replace('players={"high"', f'players={{"{name}"')
        with pytest.raises(GameError, match=f"the player {name} is there already"):
            table(tmp_path, source)


GUESS = """
from fairdeal import Cards, Game, Kind, Number, Rules, Whole

class Guess(Rules):
    deck = Cards(6, seen_by="nobody")
    lie = Cards(2, seen_by="SEEN")
    got = Number()

    def start(self):
        self.deck.fill(self.setup.deck("card"))
        self.deck.shuffle()
        self.deck.deal(2, self.lie)
        self.acting = 0

    def options(self, seat):
        return [("take", 0), ("take", 1)]

    def take(self, seat, place):
        self.got = self.lie[place].rank - self.lie[1 - place].rank
        self.acting = None

    def scores(self):
        return [self.got, 0]

    def standing(self, seat):
        return None

GAME = Game(name="guess", title="Guess", version=1, rules=Guess,
            kinds=[Kind("card", "cards", {"rank": Whole(1, 9)})])
"""


@pytest.mark.parametrize("player", ["greedy", "search:30"])
@pytest.mark.parametrize(("seen", "low", "high"), [("all", 1, 1), ("nobody", 0.35, 0.65)])
def test_players_of_every_game_take_the_best_that_they_see(
    tmp_path: Path, seen: str, low: float, high: float, player: str
) -> None:
    """They find the higher of two open cards each time, and of two hidden ones half the time."""
    played = table(tmp_path, GUESS.replace("SEEN", seen))
    won = 0
    for number in range(200):
        first, again = (Play(played, 2, number) for _ in range(2))
        first.play([player, RANDOM])
        again.play([player, RANDOM])
        assert first.points == again.points
        won += first.points[0] > 0
    assert low <= won / 200 <= high


def test_a_standing_that_is_no_number_is_told(tmp_path: Path) -> None:
    """With the line of the author's method."""
    broken = duel(tmp_path, "    def scores", STAND.replace("self.won[seat]", "None"))
    with pytest.raises(GameError, match=r"py:39: standing gave None: a finite number, in the"):
        Play(broken, 0, 0).play(["greedy", RANDOM])


def test_greedy_wants_little_where_little_is_best() -> None:
    """How far a seat is ahead: of the mean of the others, in the direction of the outcome."""
    of: Any = {"name": "x", "title": "X", "version": 1, "rules": _Nothing, "seats": [3]}
    assert Game(**of).lead([6, 1, 3], 0) == 4
    assert Game(**of, outcome=Score(9, 0)).lead([6, 1, 3], 0) == -4
    assert Game(**of, outcome=Score(0, 9), teams="together").lead([6, 1, 2], 0) == 3
    assert Game(**of, teams=lambda _: [[0, 2], [1]]).lead([6, 1, 3], 0) == 3.5


# ------------------------------------------------------------ measures


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("copies=2", "copies=2, measure='shares'", "'shares' is none of share, share within, "),
        ("copies=2", "copies=2, measure='swop'", "'swop' is none of share, share within"),
        ("copies=2", "copies=2, measure='share within'", "it needs within= of a kind with each_"),
    ],
)
def test_a_wrong_measure_is_told_with_its_line(
    tmp_path: Path, old: str, new: str, message: str
) -> None:
    """One message for a word that is none, and for a measure that the declaration rules out."""
    with pytest.raises(GameError) as told:
        duel(tmp_path, old, new)
    assert message in str(told.value)
    assert re.search(r"my_game\.py:\d+: ", str(told.value))


def test_the_measure_is_the_authors_or_suits_the_deal(tmp_path: Path) -> None:
    """What seats have before the first decision has one, what they may choose another."""
    for new in ("copies=2", "copies=2, measure='share'"):
        card = facts_of(duel(tmp_path, "copies=2", new))["card"]
        assert card.measure == "share"
    hidden = DUEL.replace('seen_by="owner"', 'seen_by="nobody"')
    assert facts_of(table(tmp_path, hidden))["card"] == ("won", "swap")
    with pytest.raises(GameError, match="measure 'share' is about entries that a seat has before"):
        facts_of(table(tmp_path, hidden.replace("copies=2", "copies=2, measure='share'")))
    chosen = DUEL.replace("copies=2", "copies=2, measure='access'")
    assert facts_of(table(tmp_path, chosen))["card"].measure == "access"
    path = example("auction", tmp_path)
    text = path.read_text().replace("by_lot=6", "by_lot=6, measure='access'")
    game = load_text(str(path), text.encode())
    auction = Table(game, game.load(), game.set([]), 3)
    with pytest.raises(GameError, match="measure 'access' is about entries that options name"):
        facts_of(auction)
    market = load_file(example("market", tmp_path))
    facts = facts_of(Table(market, market.load(), market.set([]), 2))
    assert [one.measure for one in facts.values()] == ["access", "share"]
    path = example("factions", tmp_path)
    facts = facts_of(Table(game := load_file(path), game.load(), game.set([]), 2))
    assert [one.measure for one in facts.values()] == ["share within", "share"]
