"""What entries are worth, against truths that are known: by experiment, and by lot for all."""

from __future__ import annotations

import pickle
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from attrs import evolve

from analysis.own_games.contract import entries_table
from analysis.own_games.counts import OwnCounts
from analysis.own_games.sensitivity import Trial, try_changes, worth_trials
from analysis.runs import open_run
from simcore.contract.faults import GameError
from simcore.contract.finding import load_text
from simcore.contract.luck import Luck
from simcore.contract.play import Play, Table
from simcore.contract.rules import options_of
from simcore.own_games.run import new_run
from simcore.own_games.setup import COMPILED_FROM, OwnGames, OwnSetup, record_at
from simcore.work.runs import run_games
from support.own_games import HIGHER, example

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


def test_what_entries_are_stays_as_it_is(ask, tmp_path: Path) -> None:
    """A square in the place of another would lie on it: going without either one is compared.

    Nothing of a square is stepped; where entries are dealt, nothing can take the place of one.
    """
    example("lines", tmp_path)
    how = "--policy", "random", "--stronger", "none", "--games", 4_000, "--json"
    done = ask("verdict", "centre", "lines.py", *how)
    told = done.json
    [row] = told["verdict"]
    truth = 0.0830 - (4 * 0.0188 + 4 * -0.0396) / 8
    assert row["worth_ci_low"] < truth < row["worth_ci_high"]
    assert row["worth_ci_high"] - row["worth_ci_low"] < 0.03
    said = {one["topic"]: one["text"] for one in told["findings"]}
    assert said["Smallest change"].startswith("There is none: it has no numbers")
    done = ask("sensitivity", "lines.py", "--games", 20, "--policy", "random", "--json")
    assert {row["number"] for row in done.json["sensitivity"]} == {"length"}
    rules = TOY.replace("Whole(0, 9)})", "Whole(0, 9)}, measure='swap', fixed='worth')")
    assert rules != TOY
    table_of(tmp_path, rules, METALS)
    done = ask("verdict", "gold", "my_game.py", "--policy", "random", "--stronger", "none")
    done.refused("all its fields are fixed=")


def test_a_toy_by_hand(ask, tmp_path: Path) -> None:
    """Without gold seat 1 always loses instead of half the time, and seat 2 never chooses: 0.25."""
    table_of(tmp_path, TOY, METALS)
    how = ("--policy", "random")
    asked = ("sensitivity", "my_game.py", "--worth", *how, "--games", 400, "--out", "of")
    answer = ask(*asked, "--json").json
    rows = {row["entry"]: row for row in answer["sensitivity"]}
    assert {row["kind"] for row in rows.values()} == {"access"}
    for name, truth in (("gold", 0.25), ("lead", -0.25)):
        assert rows[name]["difference_ci_low"] < truth < rows[name]["difference_ci_high"]
        assert rows[name]["difference_ci_low"] > truth - 0.06
    dust = rows["dust"]
    assert dust["difference"] == 0 and dust["label"].endswith("(never chosen by these players)")
    assert dust["difference_ci_low"] < 0 < dust["difference_ci_high"] < 0.02
    assert len([*Path("of/changes/games").iterdir()]) == 2  # seat 2 chooses neither, dust nobody
    assert ask(*asked, "--dry-run", "--json").json["games"] == 400 + 3 * 2 * 400  # at most
    page = Path(answer["page"]).read_text()
    assert "being able to choose Gold" in page and "among these players" in page
    told = ask(*asked).out
    assert "being able to choose Gold" in told.partition("\n\n")[2]
    entries = ask("balance", "my_game.py", *how, "--games", 100, "--json").json["entries"]
    assert {one["measure"] for one in entries} == {"access"}
    assert {one["verdict"] for one in entries} == {""}


def test_games_without_the_entry_say_nothing_of_it(tmp_path: Path) -> None:
    """One of two metals by lot, or wait: gold wins half the time that it is there, lead never."""
    source = TOY.replace("0, 9)})", "0, 9)}, by_lot=1)").replace("if seat == 1:", "if True:")
    source = source.replace("def wait(self, seat):\n        self.acting = None", WAIT)
    table = table_of(tmp_path, source, METALS.partition("\n\n[metal.dust]")[0])
    lines = tried(tmp_path, table, worth_trials(table, "all"), 300)
    games = open_run(tmp_path / "run").games(["game"])["game"]
    there = sum(table.includes(table.cards[0], 0, number) for number in games)
    assert 100 < there < 200
    assert [lines.loc[name, "n"] for name in ("gold", "lead")] == [2 * there, 2 * (300 - there)]
    gold = lines.loc["gold"]
    assert gold["difference_ci_low"] < 0.25 < gold["difference_ci_high"]
    assert gold["difference_ci_low"] > 0.15
    assert lines.loc["lead", "difference"] == 0


#: Who waits first lets the other choose, who can only wait.
WAIT = """def wait(self, seat):
        self.acting = None if seat else 1"""


#: Each takes a cake, a tart or a bun; who has the better one wins.
DRAFT = """
from fairdeal import Cards, Game, Kind, Rules, Whole

class Draft(Rules):
    table = Cards(3)
    plate = Cards(1, per_seat=True)

    def start(self):
        self.table.fill(self.setup.deck("treat"))
        self.acting = 0

    def options(self, seat):
        for treat in self.table:
            yield "take", treat

    def take(self, seat, treat):
        self.table.move(treat, self.plate[seat])
        self.acting = None if seat else 1

    def scores(self):
        return [plate[0].taste for plate in self.plate]

GAME = Game(
    name="draft", title="Draft", version=1, rules=Draft, entries="my_game.toml",
    kinds=[Kind("treat", "treats", {"taste": Whole(0, 9)})],
)
"""
TREATS = "[treat.cake]\ntaste = 3\n\n[treat.tart]\ntaste = 2\n\n[treat.bun]\ntaste = 1\n"


def test_a_draft_by_hand(tmp_path: Path) -> None:
    """What a treat is worth to whoever may take it, first and second.

    Both win half of all games.  Without the cake seat 1 wins where it takes the tart and seat 2 the
    bun, 1 of 4; seat 2 where seat 1 takes the bun, 1 of 3.  Without the tart nothing changes: who
    has the cake wins.  Without the bun seat 1 wins 3 of 4, and seat 2 wherever seat 1 leaves the
    cake, 2 of 3.
    """
    table = table_of(tmp_path, DRAFT, TREATS)
    lines = tried(tmp_path, table, worth_trials(table, "all"), 1_200)
    for name, without in (
        ("cake", (1 / 4, 1 / 3)),
        ("tart", (1 / 2, 1 / 2)),
        ("bun", (3 / 4, 2 / 3)),
    ):
        row, truth = lines.loc[name], 0.5 - sum(without) / 2
        assert row["difference_ci_low"] < truth < row["difference_ci_high"], name
        assert row["difference_ci_high"] - row["difference_ci_low"] < 0.1


def test_a_player_who_cannot_do_without_is_told(ask, tmp_path: Path) -> None:
    """In one message that says what the seat may not choose."""
    source = TOY.replace("return options[0]", 'return "take", game.setup.entries("metal")[0]')
    table_of(tmp_path, source.replace("if seat == 1:", "if seat:"), METALS)
    asked = ("sensitivity", "my_game.py", "gold", "--worth", "--games", 100, "--policy")
    ask(*asked, "first:random").refused("seat 1; seat 1 may not choose Gold)")


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
    """What is taken away goes along, and the records are the same."""
    plain = squares(tmp_path)
    setup = OwnSetup(Table(plain.game, plain.entries, {}, 2, (1, plain.cards[4])))
    here, there = (np.zeros(20, setup.record) for _ in range(2))
    for played, out in ((setup, here), (pickle.loads(pickle.dumps(setup)), there)):
        played.play(("random",) * 2, 3, np.arange(20), out)
    assert (here == there).all()
    entries = here["entries"].reshape(20, 2, 2, 9)
    assert entries[:, 0, 1, 4].sum() > entries[:, 1, 1, 4].sum()


@pytest.mark.parametrize(
    ("word", "message"),
    [("gould", "did you mean 'gold'?"), ("worth", "the id or name of an entry.")],
)
def test_what_has_no_worth_is_told(ask, tmp_path: Path, word: str, message: str) -> None:
    """One message, status 2, nothing written."""
    table_of(tmp_path, TOY, METALS)
    ask("sensitivity", "my_game.py", word, "--worth").refused_at_once(message)


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


def test_what_is_in_the_game_by_lot_for_all_is_told_by_balance(ask, tmp_path: Path) -> None:
    """One sky of two: 1 under the one, one half under the other, and nothing more is played."""
    table_of(tmp_path, SKY, SKIES)
    told = ask("balance", "my_game.py", "--games", 400, "--out", "of", "--json").json
    rows = {row["id"]: row for row in told["entries"]}
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


#: Each of two seats has a card of a deck of three, two of each: the higher one wins.
RANKED = (
    HIGHER.replace("Cards(12", "Cards(30")
    .replace("higher.toml", "my_game.toml")
    .replace("9)}, measure", '9), "n": Whole(1, 9)}, copies="n", measure')
    .replace("MEASURE", "swap")
)
RANKS = "".join(f"[card.c{rank}]\nrank = {rank}\nn = 2\n\n" for rank in (1, 2, 3))


def test_a_swap_by_hand(ask, tmp_path: Path) -> None:
    """The highest card always wins, and one half of the time with another rank; the lowest loses.

    With rank 2 in place of 3 it is level with the other 2 and beats 1: 0.75; with rank 1 it loses
    to 2 and is level with the other 1: 0.25.  Where both have it nothing can come of it.
    """
    table_of(tmp_path, RANKED, RANKS)
    asked = "sensitivity", "my_game.py", "--worth", "--games", 900, "--out", "of", "--json"
    rows = {row["entry"]: row for row in ask(*asked).json["sensitivity"]}
    for name, before, after in (("c1", 0.5, 0.0), ("c2", 0.5, 0.5), ("c3", 0.5, 1.0)):
        row = rows[name]
        assert row["kind"] == "swap" and row["label"].endswith("instead of an average card")
        assert row["difference_ci_low"] < after - before < row["difference_ci_high"]
        assert row["difference_ci_high"] - row["difference_ci_low"] < 0.16
    assert rows["c1"]["variant"] == 0 and rows["c3"]["variant"] == 1
    games = open_run("of").games(["entries"])
    both = np.stack(games["entries"]).reshape(900, 2, 2, 3)[:, :, 0] > 0
    assert [rows[f"c{rank}"]["n"] for rank in (1, 2, 3)] == [
        int((both[:, :, at].sum(axis=1) == 1).sum()) for at in range(3)
    ]


#: A strong faction has three points more; who has more with the card in hand wins.
BANNERS = """
from fairdeal import Cards, Entries, Game, Kind, Rules, Whole

class Banners(Rules):
    deck = Cards(9, per_seat=True, seen_by="nobody")
    hand = Cards(1, per_seat=True, seen_by="owner")

    def start(self):
        for seat in range(2):
            self.deck[seat].fill(self.setup.of(seat, "banner").cards)
            self.deck[seat].shuffle()
            self.deck[seat].deal(1, self.hand[seat])
        self.acting = 0

    def options(self, seat):
        yield "show"

    def show(self, seat):
        self.acting = None

    def scores(self):
        return [
            self.setup.of(seat, "banner").force + self.hand[seat][0].force for seat in range(2)
        ]

GAME = Game(
    name="banners", title="Banners", version=1, rules=Banners, entries="my_game.toml",
    kinds=[
        Kind("card", "cards", {"force": Whole(0, 9)}, within="banner", measure="MEASURE"),
        Kind("banner", "banners", {"force": Whole(0, 9), "cards": Entries("card")}, each_seat=True),
    ],
)
"""
FORCES = {"weak": 1, "good": 3, "plain": 2, "fine": 4}
HELD_BY = {"strong": ("weak", "good"), "frail": ("plain", "fine")}


def of_banners(forces: dict[str, int], card: str) -> float:
    """What who has a card gets on average, on a hand of each faction, over all hands."""
    won = []
    for mine, theirs in (("strong", "frail"), ("frail", "strong")):
        if card in HELD_BY[mine]:
            for other in HELD_BY[theirs]:
                lead = (3 if mine == "strong" else -3) + forces[card] - forces[other]
                won.append(1.0 if lead > 0 else 0.5 if lead == 0 else 0.0)
    return sum(won) / len(won)


def test_a_weak_card_of_a_strong_faction_is_weak_by_swap(tmp_path: Path) -> None:
    """Its seats win more than others, and would win still more with another card in its place."""
    entries = "".join(f"[card.{one}]\nforce = {force}\n\n" for one, force in FORCES.items())
    for banner, cards in HELD_BY.items():
        held = ", ".join(f"{one} = 1" for one in cards)
        entries += f"[banner.{banner}]\nforce = {3 * (banner == 'strong')}\ncards = {{{held}}}\n\n"
    found = {}
    for measure in ("share", "swap"):
        folder = tmp_path / measure
        folder.mkdir()
        table = table_of(folder, BANNERS.replace("MEASURE", measure), entries)
        if measure == "swap":
            found["swap"] = tried(folder, table, worth_trials(table, "cards"), 700)
        else:
            spec = new_run(table, n_games=700, seed=0, players=["random"] * 2)
            run_games(spec, folder / "run", threads=1)
            counts = OwnCounts.nothing(open_run(folder / "run").manifest)
            for part in open_run(folder / "run").parts():
                counts = counts.count(part)
            found["share"] = entries_table(counts).set_index("id")
    assert found["share"].loc["weak", "share_ci_low"] > 0
    assert found["swap"].loc["weak", "difference_ci_high"] < 0
    for name in FORCES:
        peers = [force for one, force in FORCES.items() if one != name]
        average = sum(of_banners({**FORCES, name: force}, name) for force in peers) / len(peers)
        row = found["swap"].loc[name]
        truth = of_banners(FORCES, name) - average
        assert row["difference_ci_low"] < truth < row["difference_ci_high"], name
        assert row["difference_ci_high"] - row["difference_ci_low"] < 0.15


def test_a_swap_takes_what_is_alike_and_keeps_name_and_copies(tmp_path: Path) -> None:
    """The same one in a game of any process, another in another game; deals stay as they are."""
    source = RANKED.replace('copies="n"', 'copies="n", alike="colour"').replace(
        '"rank": Whole', '"colour": Whole(0, 1), "rank": Whole'
    )
    cards = "".join(
        f"[card.c{at}]\nrank = {at}\ncolour = {at % 2}\nn = {at}\n\n" for at in range(1, 7)
    )
    plain = table_of(tmp_path, source, cards)
    table = evolve(plain, swapped=plain.cards[2])
    again = pickle.loads(pickle.dumps(OwnSetup(table))).table
    ranks = set()
    for number in range(40):
        plays = [Play(one, 1, number) for one in (plain, table, again)]
        assert len({play.deal for play in plays}) == 1
        made, too = (play.table.entries["card"] for play in plays[1:])
        assert made == too
        assert (made[2].id, made[2].name, made[2].n, made[2].colour) == ("c3", "C3", 3, 1)
        assert [*made[:2], *made[3:]] == [*plain.cards[:2], *plain.cards[3:]]
        ranks.add(made[2].rank)
    assert ranks == {1, 5}


def test_so_many_games_that_rules_are_compiled_are_the_same(tmp_path: Path) -> None:
    """What is swapped or taken away is known to the rules alone, which play all of them."""
    plain = table_of(tmp_path, RANKED, RANKS)
    for table in (
        evolve(plain, swapped=plain.cards[2]),
        evolve(plain, without=(0, plain.cards[2])),
    ):
        few, many = (np.zeros(40, record_at(table)) for _ in range(2))
        OwnGames(table, 0, ["random"] * 2).play(0, few)
        OwnGames(table, 0, ["random"] * 2, COMPILED_FROM).play(0, many)
        assert (few == many).all()


def test_what_balance_tells_is_not_played_again(ask, tmp_path: Path) -> None:
    """One message that says where it is, and how to ask for more."""
    table_of(tmp_path, BANNERS.replace("MEASURE", "share"), BANNER_FILE)
    done = ask("sensitivity", "my_game.py", "--worth")
    assert done.status == 2 and not Path("runs").exists()
    told = " ".join(done.err.split())
    assert "--worth: fairdeal balance tells what entries of" in told
    assert 'are worth; for a closer look write measure="swap"' in told


BANNER_FILE = (
    "[card.one]\nforce = 1\n\n[banner.a]\nforce = 1\ncards = {one = 1}\n\n"
    "[banner.b]\nforce = 1\ncards = {one = 1}\n"
)
