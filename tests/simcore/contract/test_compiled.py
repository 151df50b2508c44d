"""The compiled form of a game: equal records for equal seeds, and told where there is none."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import pytest
from attrs import evolve

from simcore.contract import loops
from simcore.contract.compiled import form
from simcore.contract.compiled.form import Form, NotCompiled, Stopped, differences, program_of
from simcore.contract.compiled.program import Program
from simcore.contract.faults import GameError
from simcore.contract.features import seen_by
from simcore.contract.finding import load_file, load_text
from simcore.contract.game import GREEDY, LEARNED, RANDOM
from simcore.contract.learning import _Games
from simcore.contract.network import Network
from simcore.contract.play import Play, Table
from simcore.own_games import setup
from simcore.own_games.check import check
from simcore.own_games.run import new_run
from simcore.own_games.setup import COMPILED_FROM, OwnGames, record_at
from simcore.work.runs import RunSpec, run_games
from support import harvest
from support.own_games import EXAMPLES

#: All that has a compiled form, in one game that nobody would play.
WORDS = """
from fairdeal import Cards, Choice, Flag, Game, Kind, Number, Real, Rules, Setting, Whole, Words

SUITS = ["red", "green", "blue"]
PAIRS = [("red", 2), ("green", 3), ("blue", 1)]
LINES = [[0, 1, 2], [3, 4, 5], [0, 4, 2]]

def bonus(game, seat, most=3):
    total = 0
    for suit, worth in PAIRS:
        if game.void[seat][suit]:
            total += worth
    return min(total, most)

def passed(game):
    return sum(1 for seat in range(game.seats) if game.passed[seat])

class Odd(Rules):
    deck = Cards(40, seen_by="nobody", of="card")
    hand = Cards(20, per_seat=True, seen_by="owner", of="card")
    field = Cards(40, per_seat=True, marks=("hurt", "tired"), of="card")
    gone = Cards(40, of="card")
    pile = Number(2, per="card")
    void = Number(per_seat=True, per=SUITS)
    grid = Number(shape=(2, 3), low=-50, high=500)
    phase = Choice(["draw", "act", "late"])
    mood = Choice(["calm", "angry"], per_seat=True)
    passed = Flag(per_seat=True)
    loud = Flag(default=True)
    turn, asked = Number(), Number(1)
    won = Number(per_seat=True)

    def start(self):
        self.deck.fill(self.setup.deck("card"))
        self.deck.shuffle()
        for seat, hand in enumerate(self.hand):
            self.deck.deal(3, hand)
            self.mood[seat] = "calm"
        if self.setup.style == "wild":
            self.phase = "act"
        self.acting = self.rng.below(self.seats, "first")

    def moves(self, seat):
        for card in self.hand[seat]:
            if card.cost <= self.turn + 2 and "slow" not in card.words:
                yield "play", card, card.suit

    def options(self, seat):
        yield "wait"
        yield from self.moves(seat)
        if self.field[seat] and not self.passed[seat]:
            yield from [("hit", place, other) for place in range(len(self.field[seat]))
                        for other in range(self.seats) if other != seat]
        best = None
        for card in self.setup.entries("card"):
            if self.pile[card] and (best is None or card.cost > best.cost):
                best = card
        if best is not None and self.turn % 3 == 0:
            yield "buy", best

    def wait(self, seat):
        self.passed[seat] = not self.passed[seat]
        self.next(seat)

    def play(self, seat, card, suit):
        self.hand[seat].move(card, self.field[seat])
        self.void[seat][suit] += 1
        self.grid[seat % 2][self.turn % 3] += card.cost
        match suit:
            case "red" | "green":
                self.field[seat].hurt[-1] = self.rng.roll(6, "harm", seat)
            case _:
                self.mood[seat] = "angry" if self.loud else "calm"
        self.note("seen", seat, card, n=2)
        self.next(seat)

    def hit(self, seat, place, other):
        if place >= len(self.field[seat]):
            return  # another that chose at the same time has taken it
        card = self.field[seat].move_at(place, self.gone)
        self.won[seat] += max([card.cost, 1]) + bonus(self, other)
        if card.suit in ("red", "blue") and self.field[other].count(card):
            self.field[other].move(card, self.gone)
        self.next(seat)

    def buy(self, seat, card):
        self.pile[card] -= 1
        self.hand[seat].add(card)
        self.next(seat)

    def next(self, seat):
        self.turn += 1
        self.loud = any(self.mood[one] == "angry" for one in range(self.seats))
        if not self.deck:
            self.gone.move_all(self.deck)
            self.deck.shuffle()
        self.deck.deal(1, self.hand[seat])
        if self.turn % 7 == 3:
            self.hand[seat].reveal((seat + 1) % self.seats)
        self.asked = max((card.cost for card in self.hand[seat]), default=0)
        lowest = min(self.grid[0]) - abs(sum(self.grid[1])) // 2
        even = [one for one in self.won if one % 2 == 0]
        if lowest < -90 or self.turn >= 18 or len(even) > 9:
            self.acting = None
        elif self.turn % 5 == 4:
            self.phase = "late"
            self.acting = [one for one in range(self.seats) if one != seat]
        else:
            self.acting = (seat + 1) % self.seats

    def standing(self, seat):
        return self.won[seat] + len(self.hand[seat]) / 2

    def could_hold(self, seat, card, zone, place):
        return card.cost != 3 or place == len(zone) - 1

    def possible(self, seat):
        return any(len(self.hand[other]) < 2 or self.hand[other][0] != self.hand[other][1]
                   for other in range(self.seats))

    def all_chosen(self):
        self.phase = "draw"
        while self.acting is not None and self.turn < 3:
            break
        if all(self.passed):
            self.won[0], self.won[1] = self.won[1], self.won[0]

    def scores(self):
        points = [0] * self.seats
        for seat in range(self.seats):
            points[seat] = self.won[seat] + self.setup.share * sum(
                1 for line in LINES if any(self.grid[one // 3][one % 3] for one in line)
            ) / 2
            points[seat] += sum(card.worth for card in self.hand[seat]) << 1
            points[seat] += (self.turn + 0.5) // 2 + self.won[seat] / 4 % 0.75
        return points

GAME = Game(
    name="odd", title="Odd", version=1, rules=Odd, seats=[3, 2, 4], outcome="rank",
    kinds=[Kind("card", "cards", {
        "cost": Whole(0, 9), "worth": Whole(-9, 9, default=0), "suit": Choice(SUITS),
        "words": Words(["slow", "sharp"], default=[]),
    }, copies=2, by_lot=6)],
    settings=[
        Setting("share", Real(0.0, 2.0), 0.5), Setting("style", Choice(["tame", "wild"]), "wild"),
    ],
    observe={
        "turns": lambda game: game.turn, "loud": lambda game: game.loud, "passed": passed,
    },
)
"""
CARDS = "".join(
    f'[card.c{n}]\ncost = {n % 6}\nworth = {n - 4}\nsuit = "{suit}"\nwords = {words}\n'
    for n, suit, words in zip(
        range(9),
        ["red", "green", "blue"] * 3,
        ["[]", '["slow"]', '["sharp"]', "[]"] * 3,
        strict=False,
    )
)


#: Secret numbers, words and truths, which are imagined by luck of the same words as the true ones.
LIARS = """
from fairdeal import Cards, Choice, Flag, Game, Kind, Number, Rules, Whole

DRINKS = ["tea", "ale", "rum"]

class Liars(Rules):
    deck = Cards(20, seen_by="nobody")
    hand = Cards(3, per_seat=True, seen_by="owner")
    dice = Number(per_seat=True, shape=2, low=0, high=6, seen_by="owner")
    spy = Number(per_seat=True, seen_by="owner")
    place = Number(per_seat=True, seen_by="nobody")
    drink = Choice(DRINKS)
    brave = Flag(per_seat=True)
    claim = Number()
    lost = Number(-1)

    def start(self):
        self.deck.fill(self.setup.deck("card"))
        self.deck.shuffle()
        for seat in range(self.seats):
            self.throw(self.rng, seat)
            self.deck.deal(1, self.hand[seat])
        self.spy[self.rng.below(self.seats, "spy")] = 1
        self.drink = self.rng.choice(DRINKS, "drink")
        self.take_places(self.rng)
        self.acting = 0

    def throw(self, rng, seat):
        for place in range(2):
            self.dice[seat][place] = rng.roll(6, "dice", seat)
        self.brave[seat] = rng.below(2, "brave") == 1

    def take_places(self, rng):
        for seat, place in enumerate(rng.shuffled([one for one in range(self.seats)], "places")):
            self.place[seat] = place

    def hidden(self, seat, rng):
        others = [one for one in range(self.seats) if one != seat]
        for one in others:
            self.throw(rng, one)
        if not self.spy[seat]:
            for one in others:
                self.spy[one] = 0
            self.spy[rng.choice(others, "spy")] = 1
        self.drink = rng.choice(DRINKS, "drink")
        self.take_places(rng)
        if self.hand[others[0]]:
            drawn = rng.choice(self.hand[others[0]], "drawn")
            order = rng.shuffled(self.deck, "order")
            self.place[others[0]] = drawn.cost + order[0].cost * sum(
                rng.below(2, "odd", one) for one in others
            )
        self.place[seat] = self.rng.below(9, "to come")

    def possible(self, seat):
        return sum(sum(self.dice[one]) for one in range(self.seats)) > 4 * self.seats

    def standing(self, seat):
        return sum(self.dice[seat]) + 3 * self.spy[seat] + self.place[seat] / 4

    def options(self, seat):
        for n in range(self.claim + 1, self.claim + 4):
            yield "bid", n
        if self.claim:
            yield "doubt"
        for card in self.hand[seat]:
            yield "show", card

    def bid(self, seat, n):
        self.claim = n + (self.drink == "rum")
        if self.claim > 8 * self.seats:
            self.throw(self.rng, seat)
        self.acting = (seat + 1) % self.seats

    def show(self, seat, card):
        self.hand[seat].move(card, self.deck)
        self.acting = (seat + self.place[seat] + 1) % self.seats

    def doubt(self, seat):
        total = sum(sum(self.dice[one]) for one in range(self.seats)) + self.brave[seat]
        self.lost = seat if total >= self.claim else (seat - 1) % self.seats
        self.acting = None

    def scores(self):
        return [3 * (seat != self.lost) + self.spy[seat] for seat in range(self.seats)]

GAME = Game(name="liars", title="Liars", version=1, rules=Liars, seats=[3, 2, 4],
            kinds=[Kind("card", "cards", {"cost": Whole(0, 9)})])
"""
_LIARS_CARDS = "".join(f"[card.c{n}]\ncost = {n}\n" for n in range(9))


def _liars(tmp_path: Path, source: str = LIARS) -> Table:
    return table_of(tmp_path, source, _LIARS_CARDS)


def table_of(tmp_path: Path, source: str = WORDS, cards: str = CARDS, **settings: object) -> Table:
    """A game that somebody wrote, with its cards."""
    (tmp_path / "cards.toml").write_text(cards)
    path = tmp_path / "odd.py"
    path.write_text(source)
    game = load_text(str(path), source.encode())
    return Table(
        game, game.load(), game.set([f"{k}={v}" for k, v in settings.items()]), game.seats[0]
    )


def _harvest(_: Path) -> Table:
    game = harvest.GAME
    return Table(game, game.load(), game.set([]), 3)


def _example(name: str) -> Callable[[Path], Table]:
    def made(_: Path) -> Table:
        game = load_file(EXAMPLES / f"{name}.py")
        return Table(game, game.load(), game.set([]), game.seats[0])

    return made


NAMES = sorted(path.stem for path in EXAMPLES.glob("*.py"))
GAMES: dict[str, Callable[..., Table]] = {"odd": table_of, "liars": _liars, "harvest": _harvest}
GAMES |= {name: _example(name) for name in NAMES}


def assert_same(table: Table, players: Sequence[str], n_compared: int, n_games: int) -> None:
    """Both forms play the same: state, who acts, options in order; then all that a run keeps."""
    assert [*differences(Form(table, players), 11, range(n_compared))] == []
    records = [np.zeros(n_games, record_at(table)) for _ in range(2)]
    plain, compiled = (OwnGames(table, 12, players, n) for n in (0, COMPILED_FROM))
    plain.play(0, records[0])
    compiled.play(0, records[1])
    assert compiled._form is not None
    assert records[0].tobytes() == records[1].tobytes()


@pytest.mark.parametrize("name", ["odd", "harvest"])
def test_random_players_choose_the_same(tmp_path: Path, name: str) -> None:
    """By a kernel that has no others, with every number of seats.

    And where a seat goes without an entry, and an entry has the values of another in each game.
    """
    base = GAMES[name](tmp_path)
    for seats in base.game.seats:
        assert_same(evolve(base, seats=seats), [RANDOM] * seats, 10, 100)
    last, card = base.seats - 1, base.cards[2]
    for other in (  # played by the same kernel
        evolve(base, without=(last, card)),
        evolve(base, swapped=card),
        evolve(base, swapped=card, without=(last, card)),
    ):
        assert_same(other, [RANDOM] * base.seats, 10, 100)


@pytest.mark.parametrize("name", GAMES)
def test_players_who_imagine_games_choose_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """And imagine the same games, by what the rules say of these; beside random players.

    Each number of seats has kernels of its own, all of them once in the game that says everything.
    """
    monkeypatch.setattr(form, "_COMPARED", 1)
    base = GAMES[name](tmp_path)
    greedy = GREEDY if GREEDY in base.game.player_names else "search:3"
    for seats in base.game.seats if name == "odd" else [base.seats]:
        table, players = evolve(base, seats=seats), ["search:12", LEARNED, greedy, RANDOM]
        n_features = len(seen_by(Play(table, 0, 0).rules, 0, table))
        spread = np.full(n_features, 0.1)
        knows = evolve(Network.ignorant(n_features), spread=spread, mistakes=100, imagined=1)
        known = evolve(table, network=knows)
        assert_same(known, players[:seats], 1, 3)
        games = Form(known, players[:seats]), None
        seen = [_Games(known, players[:seats], one, 5)._samples(0, 3).seen for one in games]
        assert np.array_equal(seen[0], seen[1]) and seen[0].any()


#: The smallest game.
NIM = """
from fairdeal import Game, Number, Rules, Setting, Whole

class Nim(Rules):
    sticks, last = Number(), Number(low=0, high=1)
    odd = Number()

    def start(self):
        self.sticks = self.setup.sticks
        self.acting = 0

    def options(self, seat):
        for n in range(1, min(3, self.sticks) + 1):
            yield "take", n

    def take(self, seat, n):
        self.sticks -= n
        self.last = seat
        self.acting = 1 - seat if self.sticks else None

    def scores(self):
        return [1 if seat == self.last else 0 for seat in range(self.seats)]

GAME = Game(name="nim", title="Nim", version=1, rules=Nim,
            settings=[Setting("sticks", Whole(1, 50), 15)])
"""


def nim(tmp_path: Path, old: str = "", new: str = "") -> Table:
    """Nim, of which one thing is written otherwise."""
    assert old in NIM
    return table_of(tmp_path, NIM.replace(old, new, 1) if old else NIM)


def test_a_game_without_cards_writes_nothing_behind_its_records(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Greedy players judge games that are over, in which no zone has room for anything."""
    table = nim(
        tmp_path,
        "    def scores",
        "    def standing(self, seat):\n        return 0\n\n    def scores",
    )
    made, whole = Form(table, [GREEDY] * 2), Form._arguments
    behind = list[np.ndarray]()

    def with_room(self: Form, *asked: int) -> tuple[object, ...]:
        given = [*whole(self, *asked)]
        behind.append(np.full(len(given[2]) + 1, -1, given[2].dtype))
        given[2] = behind[-1][:-1]
        return tuple(given)

    monkeypatch.setattr(Form, "_arguments", with_room)
    made.play(3, 0, 20)
    assert behind[0][0]["n"] > 0
    assert behind[0][-1] == np.full(1, -1, behind[0].dtype)[0]


def test_another_table_with_the_same_kernel_is_compared_in_fewer_games(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A changed setting compiles nothing; other rules are compared as at first."""
    compared, whole = list[int](), form.differences

    def counted(made: Form, seed: int, numbers: Sequence[int]) -> Iterator[str]:
        compared.append(len(numbers))
        return whole(made, seed, numbers)

    monkeypatch.setattr(form, "differences", counted)
    monkeypatch.setattr(form, "_alike", set())
    (tmp_path / "other").mkdir()
    table, others = nim(tmp_path), nim(tmp_path / "other", "min(3,", "min(2,")
    for one in (table, evolve(table, settings={"sticks": 9}), others):
        assert form.form_of(one, [RANDOM] * 2, 5) is not None
    assert compared == [30, 3, 30]


def test_a_run_has_the_same_files_in_both_forms(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run begun by the rules goes on compiled, and is to the byte what either would have made."""
    table = nim(tmp_path)

    def spec(n_games: int) -> RunSpec:
        return new_run(table, n_games=n_games, seed=3, players=[RANDOM] * 2)

    def files(folder: Path) -> dict[str, bytes]:
        found = {path.name: path for path in sorted(folder.rglob("*")) if path.is_file()}
        return {name: path.read_bytes() for name, path in found.items()}

    def stop(played: int, total: int) -> None:
        if played > 1000:
            raise KeyboardInterrupt

    run_games(spec(9000), tmp_path / "plain", threads=1)
    with pytest.raises(KeyboardInterrupt):
        run_games(spec(9000), tmp_path / "both", threads=1, on_progress=stop)
    monkeypatch.setattr(setup, "COMPILED_FROM", 100)
    run_games(spec(9000), tmp_path / "both", threads=2)
    run_games(spec(9000), tmp_path / "compiled", threads=1)
    assert files(tmp_path / "plain") == files(tmp_path / "both") == files(tmp_path / "compiled")


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("self.last = seat", "self.last = seat + n // 3 * (self.sticks == 2)", "it may be 0 to 1"),
        ("self.last = seat", "self.last = seat // (self.sticks - 2)", "ZeroDivisionError"),
        # 64 bits hold no such number; a product of two that may be stored fits.
        (
            "self.last = seat",
            "self.last = seat\n        self.odd = (self.sticks + 20) ** 40",
            "it may be 1000000000 or less",
        ),
        ("if self.sticks else None", "if self.sticks else 9", "self.acting is 9"),
        ("min(3, self.sticks)", "min(3, self.sticks - 1)", "options gave nothing"),
        (
            "self.last = seat",
            "\n        while self.sticks == 1:\n            self.last = 0",
            "does a loop of it never end?",
        ),
    ],
)
def test_a_fault_is_told_as_by_the_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, old: str, new: str, told: str
) -> None:
    """A game that stops when compiled is played by its rules, which say what is wrong and where."""
    monkeypatch.setattr(loops, "_SECONDS", 0.3)
    table = nim(tmp_path, old, new)
    out = np.zeros(500, record_at(table))
    messages = []
    for n_games in (0, COMPILED_FROM):
        with pytest.raises(GameError) as found:
            OwnGames(table, 1, [RANDOM] * 2, n_games).play(0, out)
        messages.append(re.sub(r":\d+: this", ": this", str(found.value)))  # a line of the loop
    assert told in messages[0]
    assert messages[0] == messages[1]


@pytest.mark.parametrize(
    ("old", "new", "player", "told"),
    [
        (
            "self.last = seat",
            "grown = 3 + n\n        for _ in range(70):\n            grown += grown\n"
            "        self.odd = grown % 7\n        self.last = seat",
            RANDOM,
            "odd are others when compiled",
        ),
        (
            "    def scores",
            "    def standing(self, seat):\n        grown = 3 + seat + self.sticks\n"
            "        for _ in range(70):\n            grown += grown\n        return grown % 7\n\n"
            "    def scores",
            "search:30",
            "are others when compiled",
        ),
    ],
)
def test_a_game_that_goes_otherwise_is_played_by_its_rules(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, old: str, new: str, player: str, told: str
) -> None:
    """Numbers beyond 64 bits are not the same: the games of the rules are kept, and it is told."""
    table = evolve(nim(tmp_path, old, new), settings={"sticks": 40})
    played = [np.zeros(10, record_at(table)) for _ in range(2)]
    for out, n_games in zip(played, (0, COMPILED_FROM), strict=True):
        OwnGames(table, 1, [player] * 2, n_games).play(0, out)
    assert played[0].tobytes() == played[1].tobytes()
    assert "Nim is played by its rules as they are, which is slower: compiled" in caplog.text
    assert told in caplog.text


#: What is written once must happen once: lists that are made with luck, rows that are looked up.
ONCE = """
from fairdeal import Game, Number, Rules

class Once(Rules):
    x, turn = Number(low=0, high=2), Number()
    grid = Number(shape=(3, 3))
    y = Number(per_seat=True)

    def start(self):
        self.acting = 0

    def rolled(self, n):
        return [self.rng.roll(6, "dice") for _ in range(n)]

    def options(self, seat):
        yield "go"

    def go(self, seat):
        self.turn += 1
        self.y[seat] += max([self.rng.roll(6, "dice"), self.rng.roll(6, "dice")])
        self.y[seat] += sum(self.rolled(2)) + self.rolled(3)[-1] + (3 in self.rolled(2))
        self.y[seat] += self.rolled(2).count(6) + sum(list(self.rolled(2)))
        self.x = self.rng.below(3, "x")
        for v in self.grid[self.x]:
            self.x = (self.x + 1) % 3
            self.y[seat] += v + self.x
            self.grid[self.x][self.turn % 3] += 1
        for v in self.grid[self.rng.below(3, "x")]:
            self.y[seat] += v
        for w in (1, 0.5):
            self.y[seat] += int(w * 10)
        self.acting = 1 - seat if self.turn < 12 else None

    def scores(self):
        return [self.y[seat] for seat in range(2)]

GAME = Game(name="once", title="Once", version=1, rules=Once)
"""


def test_what_is_written_once_happens_once(tmp_path: Path) -> None:
    """The compiled form draws no luck twice, and looks up no row again in a loop over it."""
    made = Form(table_of(tmp_path, ONCE), [RANDOM] * 2)
    assert [*differences(made, 11, range(20))] == []


@pytest.mark.parametrize(
    "grows", ["grown *= self.sticks + 20", "grown = grown << 3", "grown = (grown + 2) ** 3"]
)
def test_a_number_that_64_bits_do_not_hold_stops_a_compiled_game(
    tmp_path: Path, grows: str
) -> None:
    """The rules go on with it, so the games are those of the rules."""
    new = (
        f"grown = 1\n        for _ in range(30):\n            {grows}\n        self.odd = grown % 7"
    )
    if "**" in grows:  # whose digits double
        new = new.replace("range(30)", "range(6)")
    table = nim(tmp_path, "self.last = seat\n", f"self.last = seat\n        {new}\n")
    played = [np.zeros(20, record_at(table)) for _ in range(2)]
    for out, n_games in zip(played, (0, COMPILED_FROM), strict=True):
        OwnGames(table, 5, [RANDOM] * 2, n_games).play(0, out)
    assert played[0].tobytes() == played[1].tobytes()
    with pytest.raises(Stopped):
        Form(table, [RANDOM] * 2).play(5, 0, 1)


def test_an_imagined_game_that_is_another_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Here the true game is set beside one in which hidden cards lie otherwise."""
    table = table_of(tmp_path)
    made = Form(table, ["search:12", GREEDY, RANDOM]).playing([RANDOM] * 3)
    assert [*differences(made, 11, range(1))] == []
    monkeypatch.setattr(Play, "imagined", lambda self: self.rules)
    assert "(as imagined) are others when compiled" in next(differences(made, 11, range(1)))


def test_a_game_that_stops_without_reason_goes_on_by_its_rules(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """More options than the compiled form has room for, in few games, cost no game."""
    rare = "self.odd = 2500 * (self.rng.below(60, 'many') == 0)\n        self.acting = 0"
    more = "n in range(1, max(self.odd, min(3, self.sticks)) + 1):\n            if n >= 0"
    source = NIM.replace("self.acting = 0", rare, 1)
    source = source.replace("n in range(1, min(3, self.sticks) + 1)", more, 1)
    source = source.replace('yield "take", n', '    yield "take", n')
    source = source.replace("self.sticks -= n", "self.sticks -= min(n, self.sticks)")
    table = table_of(tmp_path, source)
    played = [np.zeros(300, record_at(table)) for _ in range(2)]
    for out, n_games in zip(played, (0, COMPILED_FROM), strict=True):
        OwnGames(table, 5, [RANDOM] * 2, n_games).play(0, out)
    assert played[0].tobytes() == played[1].tobytes()
    assert "Nim is played by its rules as they are" in caplog.text


def test_a_game_that_the_compiler_refuses_is_told(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is played by its rules, and whoever waits knows why."""

    def refuse(_kernel: object, *_arguments: object) -> None:
        raise TypeError("no such type\nin line 3")

    monkeypatch.setattr(form, "for_types_of", refuse)
    out = np.zeros(20, record_at(nim(tmp_path)))
    OwnGames(nim(tmp_path), 1, [RANDOM] * 2, COMPILED_FROM).play(0, out)
    assert out["decisions"].all()
    assert "slower: its rules cannot be compiled (TypeError: no such type)" in caplog.text


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("self.more = 3", "self.more is not declared in the body of the class"),
        ("cards = {1: 2}", "'{1: 2}' has no compiled form"),
        ("print(seat)", "print(…) has no compiled form"),
        ("names = sorted([2, 1])", "sorted(…) has no compiled form"),
        ("self.odd = 1 / 2", "whole numbers only; write // instead of /"),
        ("self.odd = 'red'", "self.odd becomes a word: whole numbers only"),
        ("x = f'{seat}'", "has no compiled form"),
        ("x = [1, 2, 3][0:2]", "[…] takes one place"),
        ("x = lambda: 3", "has no compiled form"),
        ("self.take(seat, n)", "take calls itself"),
    ],
)
def test_what_has_no_compiled_form_is_told_with_its_line(
    tmp_path: Path, line: str, told: str
) -> None:
    """Such a game is played by its rules, and the author's line is known."""
    source = NIM.replace("self.last = seat\n", f"self.last = seat\n        {line}\n", 1)
    with pytest.raises(NotCompiled) as found:
        program_of(table_of(tmp_path, source))
    [problem] = found.value.problems
    assert told in str(problem)
    where = next(n for n, text in enumerate(source.splitlines(), 1) if text.strip() == line)
    assert str(problem).startswith(f"{tmp_path}/odd.py:{where}: ")


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("self.spy[seat] = rng.bits('spy') % 2", "rng.bits(…) has no compiled form"),
        ("self.spy[seat] = rng.below(2, 'search', seat)", "luck in 'search' is the program's own"),
        ("other = rng", "other cannot stand for rng: write it out where it is needed"),
        ("others = sorted(others)", "sorted(…) has no compiled form"),
        ("others = rng.shuffled(self.dice, 'dice')", "a list of rows"),
    ],
)
def test_what_imagines_has_a_compiled_form_or_its_line_is_told(
    tmp_path: Path, line: str, told: str
) -> None:
    """Where somebody plays who imagines games."""
    before = "        for one in others:\n            self.throw"
    table = _liars(tmp_path, LIARS.replace(before, f"        {line}\n{before}", 1))
    program_of(table, [RANDOM])
    with pytest.raises(NotCompiled) as found:
        program_of(table, ["search:9"])
    [problem] = found.value.problems
    where = next(n for n, text in enumerate(table.game.text.splitlines(), 1) if line in text)
    assert str(problem).startswith(f"{tmp_path}/odd.py:{where}: ") and told in str(problem)


def test_lists_that_are_exchanged_are_told_to_be_declared(tmp_path: Path) -> None:
    """Rules with `unseen` have no compiled form, and check says so with its line."""
    more = "    def unseen(self, seat):\n        return []\n\n    def scores"
    table = nim(tmp_path, "    def scores", more)
    [line] = check(table, seconds=1).plain
    assert ".py:21: unseen exchanges lists that are not declared" in line


def test_a_draw_of_none_stops_a_compiled_game(tmp_path: Path) -> None:
    """Where luck is asked for one of 0 numbers the rules raise, here at the end of each game."""
    drawn = "self.odd = self.rng.below(self.sticks, 'none')"
    made = Form(nim(tmp_path, "self.last = seat", f"self.last = seat; {drawn}"), [RANDOM] * 2)
    with pytest.raises(Stopped):
        made.play(1, 0, 5)


def test_check_names_the_lines(tmp_path: Path) -> None:
    """What keeps a game from being compiled is no fault, and check says it."""
    source = NIM.replace("self.last = seat\n", "self.last = seat\n        self.more = 3\n", 1)
    report = check(table_of(tmp_path, source), seconds=1)
    assert report.is_sound
    [line] = report.plain
    assert line.endswith("odd.py:19: self.more is not declared in the body of the class")
    assert check(nim(tmp_path), seconds=1).plain == []


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("self.asked = card + 1", "an entry, such as a card, is no number"),
        ("self.asked = max(one for one in self.hand[seat])", "is no number"),
        ("self.asked = int(card == 'wolf')", "is no number"),
        ("self.asked = int(card.name == 'wolf')", "rules may not ask for the name"),
        ("self.phase = 'lat'", "no word of it; did you mean 'late'?"),
        ("self.asked = self.pile[3]", "a number where an entry is needed"),
        ("self.hand[seat].remove(card)", "self.hand[seat].remove(…) has no compiled form"),
        ("self.hand.move(card, self.gone)", "has no compiled form"),
    ],
)
def test_slips_are_found_before_a_game_begins(tmp_path: Path, line: str, told: str) -> None:
    """An entry is no number, a word is one of its list, and so on."""
    before = "        self.void[seat][suit] += 1\n"
    source = WORDS.replace(before, before + f"        {line}\n", 1)
    with pytest.raises(NotCompiled) as found:
        program_of(table_of(tmp_path, source))
    assert told in str(found.value)


def test_a_changed_card_compiles_nothing_anew(tmp_path: Path) -> None:
    """Values of entries and settings, and a few entries more, are no part of what is compiled."""
    table = table_of(tmp_path)
    base = Program(table)
    (tmp_path / "cards.toml").write_text(
        CARDS.replace("cost = 1", "cost = 7").replace("worth = 2", "worth = -1")
        + '[card.new]\ncost = 2\nsuit = "red"\n'
    )
    changed = evolve(table, entries=table.game.load(), settings=table.game.set(["style=tame"]))
    other = Program(changed)
    assert other.text == base.text
    assert other.layout.played().dtype == base.layout.played().dtype
    assert other.layout.state == base.layout.state
    assert other.layout.played().tobytes() != base.layout.played().tobytes()


def test_texts_that_another_process_removes_are_no_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Processes keep and remove rewritten texts in one folder; one may be gone by now."""
    monkeypatch.setattr(form, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(form, "KEPT_OWN_RULES", 2)
    folder = tmp_path / form._TEXTS
    folder.mkdir(parents=True)
    (folder / "gone.py").symlink_to(tmp_path / "nowhere.py")
    assert [form._loaded("kept", f"x = {n}")["x"] for n in range(4)] == [0, 1, 2, 3]
    assert len([*folder.iterdir()]) == 2
