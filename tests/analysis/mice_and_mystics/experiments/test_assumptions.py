"""What changes of a chapter do: planted truths, the same games where nothing differs, resuming."""

from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attrs import evolve

from analysis.mice_and_mystics.contract import facts_of
from analysis.mice_and_mystics.experiments.assumptions import (
    ASSUMPTIONS,
    assumed_changes,
    play_assumptions,
    read_assumptions,
    usual_games,
)
from analysis.mice_and_mystics.experiments.effects import MEASURES, effects_table
from analysis.mice_and_mystics.experiments.variant_games import (
    OUTCOME,
    Experiments,
    Laboratory,
    Tried,
)
from analysis.mice_and_mystics.run_facts import RunFacts
from analysis.runs import open_run
from card_data.mice_and_mystics import load_facts
from card_data.mice_and_mystics.changes import Change, changed, steps, variables
from card_data.mice_and_mystics.settings import read_settings
from simcore.mice_and_mystics.play.affected import affected_games
from simcore.mice_and_mystics.play.run import new_run
from simcore.mice_and_mystics.play.simulate import play_games
from simcore.mice_and_mystics.table.compile_facts import compile_facts
from simcore.work.runs import run_games
from simcore.work.tasks import play_rows

CHAPTER = "ch1_flight_to_barksburg"
PARTY = ("collin", "nez", "tilda", "filch")
FACTS = load_facts()
SETTINGS = read_settings(FACTS, CHAPTER, PARTY)
GAMES = 600


def change(number: str, to: int | str, entry: str = "") -> Change:
    """The change of one variable of the chapter."""
    [one] = [v for v in variables(FACTS, SETTINGS) if (v.entry, v.number) == (entry, number)]
    return Change(one, to)


#: One of each kind, and one that nothing reads: the party is chosen already.
CHANGES = [
    change("battle", 3, "rat_warrior"),
    change("life", 5, "nez"),
    change("bands.1-2.roach", 5, "si_enc_01"),
    change("effect.battle.delta", 2, "nez_hammer"),
    change("count", 3, "dagger"),
    change("page_end", 7, CHAPTER),
    change("minion_order", "index"),
    change("parties", "any"),
]


def laboratory(folder: Path, **more) -> Laboratory:
    """A laboratory for the chapter."""
    return Laboratory(Experiments(FACTS, SETTINGS, games=GAMES, seed=5), folder, **more)


@pytest.fixture(scope="module")
def folder(tmp_path_factory) -> Path:
    return tmp_path_factory.mktemp("laboratory")


@pytest.fixture(scope="module")
def base(folder) -> np.ndarray:
    return laboratory(folder, threads=2).play_base()


@pytest.fixture(scope="module")
def tried(folder, base) -> list[Tried]:
    del base
    return laboratory(folder, threads=2).play(CHANGES)


@pytest.mark.parametrize(
    ("chapter", "party", "player"),
    [
        (CHAPTER, (), "heuristic"),
        (CHAPTER, PARTY, "category"),
        ("standin_four_rooms", (), "learned"),
    ],
)
def test_games_that_a_change_does_not_touch_are_the_same(chapter, party, player):
    """What `affected_games` spares is the same record, bit by bit."""
    settings = read_settings(FACTS, chapter, party)
    table = compile_facts(FACTS, settings)
    played = play_games(table, n_games=120, players=(player,))
    spared = 0
    for one in steps(FACTS, settings)[::20]:
        touched = affected_games(table, one.variable, played, (player,))
        new = compile_facts(*changed(FACTS, settings, one))
        games = play_games(new, n_games=120, players=(player,))
        assert (games == played)[~touched].all(), one.label
        spared += int((~touched).sum())
    assert spared > 500


def test_games_with_a_change_are_those_of_the_changed_chapter(base, tried):
    """They are what is played with a changed chapter, whatever was spared."""
    for one in tried:
        table = compile_facts(*changed(FACTS, SETTINGS, one.change))
        games = play_games(table, n_games=GAMES, seed=5, players=("heuristic",))
        for name in OUTCOME.names or ():
            assert (one.games[name] == games[name]).all(), one.change.label
    assert [one.unread for one in tried] == [
        one.change.variable.number == "parties" for one in tried
    ]


def test_effects_are_those_that_were_planted(base, tried):
    """A rat with one die more lowers the win rate, a page or a life more raises it, nothing is 0.

    Estimates are the plain mean differences of games, with their standard errors.
    """
    facts = RunFacts(FACTS, SETTINGS, "heuristic")
    tables = {measure: effects_table(facts, base, tried, measure) for measure in MEASURES}
    wins = tables["win_rate"]
    won = (base["outcome"] == 1).astype(float)
    for place, one in enumerate(tried):
        apart = (one.games["outcome"] == 1) - won
        assert wins["difference"][place] == pytest.approx(apart.mean())
        assert wins["std_err"][place] == pytest.approx(apart.std(ddof=1) / np.sqrt(GAMES))
    rat, nez, page, parties = (wins.loc[place] for place in (0, 1, 5, 7))
    assert rat["difference_ci_high"] < 0 < nez["difference_ci_low"]
    assert page["difference_ci_low"] > 0
    ends = ["difference", "difference_ci_low", "difference_ci_high"]
    assert (parties[ends] == 0).all() and parties["differing"] == 0
    later = tried[5].games
    score = later["route_depth"] + (later["outcome"] == 1) * (1 + later["pages_left"] / 7)
    assert tables["mean_score"]["variant"][5] == pytest.approx(score.mean())


def test_what_was_interrupted_goes_on_with_the_same_bytes(folder, base, tried, tmp_path):
    """One thread and several, lost and damaged files, another process: the same games."""
    del tried
    files = {path.name: path.read_bytes() for path in folder.glob("games/*.parquet")}
    assert len(files) == len(CHANGES) + 1
    there = laboratory(tmp_path, threads=1)
    there.play(CHANGES)
    lost, damaged = tmp_path / "games/base.parquet", tmp_path / "games/heroes.nez.life=5.parquet"
    lost.unlink()
    damaged.write_bytes(damaged.read_bytes()[:-9])
    laboratory(tmp_path, threads=3).play(CHANGES)
    assert {path.name: path.read_bytes() for path in tmp_path.glob("games/*.parquet")} == files
    for one in (CHANGES[0], CHANGES[4]):
        sent = pickle.loads(pickle.dumps(there._task(one)))
        games, _ = play_rows(sent, OUTCOME, range(100, 160))
        found = there.play([one])[0].games
        assert (games == found[100:160]).all()


def test_the_table_of_a_run(tmp_path):
    """It is about the first games of the run, and read back as it was written."""
    data = FACTS
    for kind in ("heroes", "abilities", "search_cards", "encounters"):
        known = [
            evolve(one, confidence="verified", field_confidence=()) if one.id != "tilda" else one
            for one in getattr(data, kind)
        ]
        more: Any = {kind: tuple(known)}
        data = evolve(data, **more)
    run_games(new_run(data, SETTINGS, n_games=300, players=("heuristic",)), tmp_path)
    run = open_run(tmp_path)
    assert read_assumptions(tmp_path) == {}
    table = play_assumptions(run, facts_of(run), games=150, threads=2)
    assert list(table.columns) == list(ASSUMPTIONS.columns)
    assert len(table) == len(assumed_changes(data, SETTINGS))
    assert set(table["confidence"][table["kind"] == "number"]) == {"assumed"}
    assert table["win_effect_shrunk"].abs().is_monotonic_decreasing
    assert (table["games"] == 150).all()
    row = table[(table["entry"] == "tilda") & (table["number"] == "life")].iloc[0]
    one = change("life", int(row["changed_to"]), "tilda")
    new = compile_facts(*changed(data, SETTINGS, one))
    games = play_games(new, n_games=150, players=("heuristic",))
    assert row["win_rate"] == pytest.approx((games["outcome"] == 1).mean())
    first = np.concatenate(list(run.parts()))[:150]
    won = (first["outcome"] == 1).mean()
    assert row["win_effect"] == pytest.approx(row["win_rate"] - won)
    read = read_assumptions(tmp_path)["assumptions"]
    assert read.equals(table.astype(read.dtypes))
    written = (tmp_path / "tables/assumptions.parquet").read_bytes()
    assert play_assumptions(run, facts_of(run), games=150, threads=1).equals(table)
    assert (tmp_path / "tables/assumptions.parquet").read_bytes() == written


@pytest.mark.parametrize(
    ("n_games", "games"), [(9_999, 0), (10_000, 100), (50_000, 500), (1_000_000, 1_500)]
)
def test_the_tornado_takes_a_part_of_the_time_of_its_run(n_games, games):
    """Small runs have none, large ones no more games than they need."""
    assert usual_games(n_games) == games
