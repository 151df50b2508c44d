"""What changes of a chapter do: planted truths, the same games where nothing differs, resuming."""

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from attrs import evolve

from analysis.estimates import corrected_z
from analysis.experiments.trials import new_trial_task
from analysis.mice_and_mystics.contract import facts_of
from analysis.mice_and_mystics.experiments.assumptions import (
    ASSUMPTIONS,
    assumed_changes,
    play_assumptions,
    read_assumptions,
    usual_games,
)
from analysis.mice_and_mystics.experiments.sensitivity import TriedFacts, try_changes
from analysis.mice_and_mystics.experiments.trials import RESULT, keep, new_trial
from analysis.runs import Run, open_run
from card_data.mice_and_mystics import load_facts
from card_data.mice_and_mystics.changes import changed, steps, variables
from card_data.mice_and_mystics.settings import read_settings
from card_data.schema.changes import Change
from simcore.mice_and_mystics.play.affected import affected_games
from simcore.mice_and_mystics.play.run import new_run
from simcore.mice_and_mystics.play.setup import SEATS
from simcore.mice_and_mystics.play.simulate import play_games
from simcore.mice_and_mystics.table.compile_facts import compile_facts
from simcore.work.jobs import Slice, code_here, play_job
from simcore.work.runs import run_games

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


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Run:
    """Games of the chapter as it is."""
    folder = tmp_path_factory.mktemp("run")
    run_games(new_run(FACTS, SETTINGS, n_games=2 * GAMES, seed=5, players=("heuristic",)), folder)
    return open_run(folder)


def try_them(run: Run, folder: Path, **more) -> list[TriedFacts]:
    """What is known of changes in the first games of the run, after each."""
    return [*try_changes(run, facts_of(run), CHANGES, folder, games=GAMES, **more)]


def by_measure(lines: pd.DataFrame) -> dict[str, pd.DataFrame]:
    """The lines of each measure in the order of the changes."""
    place = {(one.variable.number, str(one.changed_to)): i for i, one in enumerate(CHANGES)}
    keys = zip(lines["number"], lines["changed_to"], strict=True)
    rows = lines.set_index(pd.Index([place[key] for key in keys])).sort_index()
    return {measure: rows[rows["measure"] == measure] for measure in ("win_rate", "mean_score")}


@pytest.fixture(scope="module")
def effects(run) -> dict[str, pd.DataFrame]:
    return by_measure(try_them(run, run.folder / "changes", threads=2)[-1].lines())


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


def test_changes_are_shown_one_after_the_other(run, effects):
    """Each look has one change more; what is shown of the last ones is what is known in the end.

    Only the intervals are wider then or not, since they are corrected for the changes shown with
    them.
    """
    looks = try_them(run, run.folder / "changes")
    assert [len(look.games) for look in looks] == [*range(len(CHANGES) + 1)]
    some = by_measure(looks[-2].lines(5))
    assert [*looks[-2].main_lines(5)] == [5, 6]
    numbers = ["base", "variant", "difference", "std_err", "differing", "p_value"]
    for measure, table in some.items():
        assert table[numbers].equals(effects[measure][numbers].iloc[5:7])
        for shown in (table, effects[measure]):
            tested = shown[shown["p_value"].notna()]
            reach = corrected_z(shown["p_value"]) * tested["std_err"]
            assert len(tested) >= 2
            for end, side in (("low", -1), ("high", 1)):
                at = tested["difference"] + side * reach
                np.testing.assert_allclose(tested[f"difference_ci_{end}"], at)


def _with(one: Change) -> np.ndarray:
    """Games of the changed chapter, all of them played."""
    table = compile_facts(*changed(FACTS, SETTINGS, one))
    return play_games(table, n_games=GAMES, seed=5, players=("heuristic",))


def test_effects_are_those_that_were_planted(run, effects):
    """A rat with one die more lowers the win rate, a page or a life more raises it, nothing is 0.

    Estimates are the plain mean differences of all games of either chapter, whatever was spared.
    """
    wins, points = effects.values()
    base = np.concatenate(list(run.parts()))[:GAMES]
    won = (base["outcome"] == 1).astype(float)
    for place, one in enumerate(CHANGES):
        games, page_end = _with(one), 7 if one.variable.number == "page_end" else 6
        won_then = games["outcome"] == 1
        apart = won_then - won
        assert wins["difference"][place] == pytest.approx(apart.mean())
        assert wins["std_err"][place] == pytest.approx(apart.std(ddof=1) / np.sqrt(GAMES))
        score = games["route_depth"] + won_then * (1 + games["pages_left"] / page_end)
        assert points["variant"][place] == pytest.approx(score.mean())
    rat, nez, page, parties = (wins.loc[place] for place in (0, 1, 5, 7))
    assert rat["difference_ci_high"] < 0 < nez["difference_ci_low"]
    assert page["difference_ci_low"] > 0
    ends = ["difference", "difference_ci_low", "difference_ci_high", "difference_shrunk"]
    assert (parties[ends] == 0).all() and parties["differing"] == 0
    assert (
        try_them(run, run.folder / "changes")[-1]
        .lines()["difference_shrunk"][::2]
        .abs()
        .is_monotonic_decreasing
    )


def test_what_was_interrupted_goes_on_with_the_same_bytes(run, effects, tmp_path):
    """One thread and several, lost and damaged files, another process: the same games."""
    del effects
    files = {path.name: path.read_bytes() for path in run.folder.glob("changes/games/*.parquet")}
    assert len(files) == len(CHANGES)
    try_them(run, tmp_path, threads=1)
    lost, damaged, *_ = sorted(tmp_path.glob("games/*.parquet"))
    lost.unlink()
    damaged.write_bytes(damaged.read_bytes()[:-9])
    try_them(run, tmp_path, threads=3)
    assert {path.name: path.read_bytes() for path in tmp_path.glob("games/*.parquet")} == files
    for one in (CHANGES[0], CHANGES[4]):
        trial = new_trial(*changed(FACTS, SETTINGS, one), "heuristic")
        sent = pickle.loads(pickle.dumps(new_trial_task(trial, 5, keep)))
        [played] = play_job(code_here(), [Slice(sent, RESULT, SEATS, range(100, 160))])
        games = played.rows
        assert games is not None and (games["won"] == (_with(one)["outcome"] == 1)[100:160]).all()


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
    ("n_games", "games"), [(9_999, 0), (10_000, 100), (30_000, 300), (1_000_000, 400)]
)
def test_the_tornado_takes_a_part_of_the_time_of_its_run(n_games, games):
    """Small runs have none, large ones no more games than they need."""
    assert usual_games(n_games) == games
