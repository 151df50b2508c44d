"""What an entry is worth, game by game, is what `balance` and `sensitivity --worth` say of it."""

from __future__ import annotations

import pickle
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import evolve

from analysis.confidence import normal_z
from analysis.influence import Influence
from analysis.own_games.contract import entries_table
from analysis.own_games.counts import OwnCounts
from analysis.own_games.effects import EntryEffect, EntryEffects, estimate_of
from analysis.own_games.sensitivity import Step, Swap, try_changes, worth_trials
from analysis.own_games.trials import OwnTrials
from analysis.runs import Run, open_run
from analysis.simultaneous import apart_z
from analysis.verdicts import BAND, verdicts
from card_data.schema.changes import Change
from card_data.schema.kinds import MEASURES
from simcore.contract.finding import load_file
from simcore.contract.play import Table
from simcore.own_games.run import new_run
from simcore.own_games.setup import OwnSetup
from simcore.work import pieces
from simcore.work.hands import Hands
from simcore.work.runs import run_games
from support.own_games import example

N_GAMES = 300
#: Two play together; a game has one of two skies by lot, and each has a card of four.
SKY = """
from fairdeal import Cards, Game, Kind, Rules, Score, Whole

class Picnic(Rules):
    deck = Cards(9, seen_by="nobody")
    hand = Cards(1, per_seat=True, seen_by="owner")

    def start(self):
        self.deck.fill(self.setup.deck("dish"))
        self.deck.shuffle()
        for seat in range(2):
            self.deck.deal(1, self.hand[seat])
        self.acting = 0

    def options(self, seat):
        yield "eat"

    def eat(self, seat):
        self.acting = None

    def scores(self):
        light = [sky.light for sky in self.setup.entries("sky")]
        return [light[0] + self.hand[0][0].taste + self.hand[1][0].taste] * 2

GAME = Game(
    name="picnic", title="Picnic", version=1, rules=Picnic, entries="picnic.toml",
    outcome=Score(0, 20), teams="together",
    kinds=[
        Kind("sky", "skies", {"light": Whole(0, 9)}, by_lot=1),
        Kind("dish", "dishes", {"taste": Whole(0, 5)}, measure="DISHES"),
    ],
)
"""
ENTRIES = "[sky.sunny]\nlight = 5\n\n[sky.grey]\nlight = 1\n\n" + "\n".join(
    f"[dish.d{taste}]\ntaste = {taste}\n" for taste in range(5)
)


def table_of(path: Path) -> Table:
    """What is played with the usual settings."""
    game = load_file(path)
    return Table(game, game.load(), game.set([]), game.seats[0])


def picnic(folder: Path, measure: str) -> Path:
    """The file of the picnic, with its entries."""
    (folder / "picnic.toml").write_text(ENTRIES)
    path = folder / "picnic.py"
    path.write_text(SKY.replace("DISHES", measure))
    return path


def played(table: Table, folder: Path, player: str) -> Run:
    """A run of random players, or others."""
    players = [player] * table.seats
    run_games(new_run(table, n_games=N_GAMES, seed=4, players=players), folder, threads=1)
    return open_run(folder)


def rows(effect: EntryEffect, table: Table, run: Run) -> np.ndarray:
    """What is kept of the games of a run."""
    return np.concatenate([effect.keep(table, run.manifest["seed"], one) for one in run.parts()])


@pytest.mark.parametrize(
    ("game", "measure"),
    [("duel", "share"), ("factions", "share within"), ("picnic", "contrast")],
)
def test_what_one_run_tells_is_as_balance_says(tmp_path: Path, game: str, measure: str) -> None:
    """The same difference, and an error that a whole win that is added there makes no smaller."""
    path = picnic(tmp_path, "") if game == "picnic" else example(game, tmp_path)
    table = table_of(path)
    run, counts = played(table, tmp_path / "run", "random"), OwnCounts.nothing
    found = counts(new_run(table, n_games=1, seed=4, players=["random"] * 2).settings)
    for part in run.parts():
        found = found.count(part)
    lines = entries_table(found)
    joint = 1.96 * apart_z((lines["verdict"] != "").sum()) / normal_z()
    lines = lines[lines["measure"] == measure]
    assert len(lines) > 1
    ends = lines["share_ci_low"], lines["share_ci_high"]
    assert [*lines["verdict"]] == [*verdicts(*ends, band=BAND)], "the interval that is printed"
    for _, row in lines.iterrows():
        entry = next(one for one in table.cards if (one.kind, one.id) == (row["kind"], row["id"]))
        effect = EntryEffect.of(table, entry)
        worth = effect.worth(table, rows(effect, table, run), [], [])
        assert worth.estimate == pytest.approx(row["share"])
        reach = (row["share_ci_high"] - row["share_ci_low"]) / 2
        assert reach * 0.8 < joint * worth.std_err < reach * 1.02


@pytest.mark.parametrize(
    ("game", "kind", "measure"),
    [("market", "card", "access"), ("auction", "lot", "swap"), ("picnic", "dish", "swap")],
)
def test_what_takes_more_games_is_as_sensitivity_says(
    tmp_path: Path, game: str, kind: str, measure: str
) -> None:
    """The same difference and error, from games that are kept as rows and not as runs."""
    path = picnic(tmp_path, "swap") if game == "picnic" else example(game, tmp_path)
    table = table_of(path)
    run = played(table, tmp_path / "run", "random")
    entry = table.entries[kind][0]
    effect = EntryEffect.of(table, entry)
    assert effect.measure == measure
    own, average = (
        kept(effect, tables(table)) for tables in (effect.own_tables, effect.average_tables)
    )
    mine = rows(effect, table, run)
    worth = effect.worth(table, mine, own, [] if own else average)
    *_, tried = try_changes(run, worth_trials(table, entry.id), threads=1)
    line = tried.lines().iloc[0]
    assert worth.estimate == pytest.approx(line["difference"])
    assert worth.std_err == pytest.approx(line["std_err"], rel=0.02)
    assert effect.observed(table, mine) == line["n"]
    if own:  # an average one in its place may be chosen as well
        beside = effect.worth(table, average[0], average[1:], [])
        both = effect.worth(table, mine, own, average)
        assert both.estimate == pytest.approx(worth.estimate - beside.estimate)
        assert both.std_err < np.hypot(worth.std_err, beside.std_err)


def kept(effect: EntryEffect, tables: list[Table]) -> list[np.ndarray]:
    """What is kept of the same games of some tables."""
    found = []
    for table in tables:
        games: Any = np.zeros(N_GAMES, OwnSetup(table).record)
        OwnSetup(table).play(("random",) * table.seats, 4, np.arange(N_GAMES), games)
        found.append(effect.keep(table, 4, games))
    return found


@pytest.mark.parametrize("game", ["auction", "dike"])
def test_who_gets_an_entry_is_no_merit_of_it(tmp_path: Path, game: str) -> None:
    """Games that end alike are worth nothing, though winners have it before and losers after."""
    table = table_of(example(game, tmp_path))
    kind = {"auction": "lot", "dike": "storm"}[game]
    effect = EntryEffect.of(table, table.entries[kind][0])
    rng = np.random.default_rng(5)
    games = np.zeros(500, effect.kept_of(table))
    games["there"] = 1
    games["outcome"] = rng.integers(0, 2, games["outcome"].shape) * table.game.unit
    games["has"], swapped = games["outcome"] > 0, games.copy()
    swapped["has"] = 1 - games["has"]
    assert effect.measure == "swap" and effect.event != "dealt"
    assert effect.worth(table, games, [], [swapped]).estimate == pytest.approx(0)
    about = next(one for one in table.variables() if one.entry == effect.entry)
    for trial in (Step, Swap):
        counted = trial(table, Change(about, about.value)).counted(games, [swapped])
        np.testing.assert_array_equal(counted["s"], counted["before"])


def test_games_that_all_end_alike_are_not_known_without_doubt() -> None:
    """One whole win more makes an interval of a point."""
    found = estimate_of(Influence(0.0, np.zeros(150), 150), 150)
    assert found.ci_high[0] == pytest.approx(1.96 / 150, rel=0.001)


def test_what_is_kept_for_one_measure_is_not_taken_for_another(tmp_path: Path) -> None:
    """With other measures of one event, other things are kept of the same games."""
    table = table_of(example("factions", tmp_path))
    within = EntryEffect.of(table, table.entries["card"][0])
    assert within.measure == "share within"
    trials = OwnTrials(tmp_path / "of", table, ("random",) * 2, 0, Hands(1))
    effects = within, evolve(within, measure="share")
    alike = [trials.play([table], one, 20, None)[0]["alike"].max() for one in effects]
    assert alike[0] > 0 == alike[1]


@pytest.mark.parametrize(("game", "kind"), [("market", "card"), ("auction", "lot")])
def test_games_with_one_change_are_not_taken_for_those_with_another(
    tmp_path: Path, game: str, kind: str
) -> None:
    """A seat without an entry, an average one in its place, and both: each has its own games."""
    table = table_of(example(game, tmp_path))
    effect = EntryEffect.of(table, table.entries[kind][0])
    tables = [table, *effect.own_tables(table), *effect.average_tables(table)]
    trials = OwnTrials(tmp_path / "of", table, ("random",) * table.seats, 4, Hands(1))
    wanted = [effect.keep(one, 4, _games_of(one)) for one in tables]
    for _ in ("played", "read"):
        for found, one in zip(trials.play(tables, effect, 60, None), wanted, strict=True):
            assert (found == one).all()
    assert len([*(tmp_path / "of" / "games").iterdir()]) == len(tables)


def test_tables_alike_are_played_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In one call: two threads would write the same file."""
    table = table_of(example("auction", tmp_path))
    other, effect = evolve(table, swapped=table.cards[0]), EntryEffect.of(table, table.cards[0])
    played, play = list[int](), OwnSetup.play

    def counted(setup: OwnSetup, seated: Any, seed: int, games: Any, out: Any) -> None:
        played.extend(games)
        play(setup, seated, seed, games, out)

    monkeypatch.setattr(OwnSetup, "play", counted)
    monkeypatch.setattr(pieces, "_ALONE_SECONDS", np.inf)  # other processes count by themselves
    trials = OwnTrials(tmp_path / "of", table, ("random",) * table.seats, 4, Hands(2))
    one, swapped, again, same = trials.play([table, other, table, other], effect, 60, None)
    assert len(played) == 120
    assert (one == again).all() and (swapped == same).all() and (one != swapped).any()


def _games_of(table: Table) -> np.ndarray:
    games: Any = np.zeros(60, OwnSetup(table).record)
    OwnSetup(table).play(("random",) * table.seats, 4, np.arange(60), games)
    return np.asarray(games)


def test_every_measure_is_tried_here() -> None:
    """Those of the tests above are all that there are."""
    assert {*MEASURES} == {"share", "share within", "contrast", "access", "swap"}


def test_a_setup_plays_the_same_games_in_another_process(tmp_path: Path) -> None:
    """With the numbers of games as they are asked for, in any order."""
    table = table_of(example("auction", tmp_path))
    numbers = np.array([3, 4, 5, 0, 9])
    here = np.zeros(len(numbers), OwnSetup(table).record)
    OwnSetup(table).play(("random",) * 3, 7, numbers, here)
    assert [*here["game"]] == [*numbers]
    whole: Any = np.zeros(10, here.dtype)
    OwnSetup(table).play(("random",) * 3, 7, np.arange(10), whole)
    assert (whole[numbers] == here).all()
    with ProcessPoolExecutor(1, get_context("spawn")) as executor:
        there = executor.submit(_play, pickle.dumps(OwnSetup(table)), numbers).result()
    assert (there == here).all()


def _play(setup: bytes, numbers: np.ndarray) -> Any:
    """The games of a setup that was sent."""
    found: OwnSetup = pickle.loads(setup)
    out: Any = np.zeros(len(numbers), found.record)
    found.play(("random",) * 3, 7, numbers, out)
    return out


@pytest.mark.parametrize("game", ["duel", "factions", "picnic", "market"])
def test_of_several_entries_is_kept_what_is_kept_of_each(tmp_path: Path, game: str) -> None:
    """And of a table that is played beside others for one entry, what is kept of that one."""
    table = table_of(picnic(tmp_path, "swap") if game == "picnic" else example(game, tmp_path))
    run = played(table, tmp_path / "run", "random")
    [games] = run.parts()
    effects = EntryEffects(tuple(EntryEffect.of_each(table, table.cards)))
    kept = effects.keep(table, 4, games)
    for place, effect in enumerate(effects.each):
        assert np.array_equal(effects.of_one(place, kept), effect.keep(table, 4, games))
        for beside in (*effect.own_tables(table)[:1], *effect.average_tables(table)):
            alone = effects.of_one(0, effects.keep(beside, 4, games))
            assert np.array_equal(alone, effect.keep(beside, 4, games))
