"""Runs that the engine played: tables, and a comparison, through the contract."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from analysis.experiments.comparison import comparison_table
from analysis.mice_and_mystics.contract import ANALYSIS
from analysis.mice_and_mystics.run_facts import RunFacts
from analysis.runs import Run
from card_data.mice_and_mystics import load_facts
from card_data.mice_and_mystics.settings import read_settings
from simcore.mice_and_mystics.play.run import new_run
from simcore.mice_and_mystics.table.limits import MICE
from simcore.work.parts import read_manifest
from simcore.work.runs import run_games


def _played(folder: Path, *words: str) -> Run:
    facts = load_facts()
    settings = read_settings(facts, "ch1_flight_to_barksburg", (), words)
    run_games(new_run(facts, settings, n_games=300, seed=3), folder, threads=1)
    return Run(folder, read_manifest(folder))


def test_tables_and_pairs_of_played_games(tmp_path: Path) -> None:
    """Ledgers of played games balance, and with a later end page no game ends less deep (M115)."""
    base, variant = _played(tmp_path / "base"), _played(tmp_path / "later", "page_end=8")
    counts = ANALYSIS.nothing(base)
    for part in _parts(base):
        counts = counts.count(part)
    for name, table in ANALYSIS.tables.items():
        assert table.make is not None
        assert list(table.make(counts).columns) == list(table.columns), name
    cheese = ANALYSIS.tables["cheese"].make
    assert cheese is not None and not cheese(counts)["games_unbalanced"].any()
    _check_what_tables_rest_on(counts.facts, np.concatenate(_parts(base)))
    counter = ANALYSIS.pair_counter(base, variant)
    games, later = (np.concatenate(_parts(run)) for run in (base, variant))
    assert (later["route_depth"] >= games["route_depth"]).all()
    sums = counter.count(games, later)
    table = comparison_table(sums, counter.lines, True, 0.01, same_pool=False)
    assert sums.same_deals == 300 and not counter.alike
    depth = table.set_index("measure").loc["mean_route_depth"]
    gain = later["route_depth"].mean() - games["route_depth"].mean()
    assert depth["difference"] == pytest.approx(gain)
    assert list(table.columns) == list(ANALYSIS.all_tables["comparison"].columns)


def _check_what_tables_rest_on(facts: RunFacts, games: np.ndarray) -> None:
    """What the engine records in different fields agrees, as tables take for granted."""
    n_tiles = len(facts.ids["tiles"])
    pages = games["page_final"] - facts.chapter.page_start
    in_rooms = games["surges_in"][:, :n_tiles] + games["captures_in"][:, :n_tiles]
    np.testing.assert_array_equal(in_rooms.sum(axis=1), pages)  # I2
    np.testing.assert_array_equal(games["captures_how"].sum(axis=1), games["captures"])
    np.testing.assert_array_equal(games["captures_by"].sum(axis=1), games["captures_battle"])
    np.testing.assert_array_equal(games["rounds_in"][:, :n_tiles].sum(axis=1), games["rounds"])
    start = facts.ids["tiles"].index(facts.chapter.start.tile)
    ahead = np.argmax(games["first_track"] >= MICE, axis=1)
    np.testing.assert_array_equal(ahead, games["mice_ahead"][:, start])
    met = games["route_depth"] > 1  # the second room has an encounter, and nobody returns
    np.testing.assert_array_equal(games["encounter_in"][met, 1], games["first_e"][met])


def _parts(run: Run) -> list[np.ndarray]:
    """The games of a run, before the game is known by its name."""
    from simcore.mice_and_mystics.table.records import GAME_RECORD
    from simcore.records import to_records
    from simcore.work.parts import n_parts, read_part

    return [
        to_records(read_part(run.folder, run.manifest, part), GAME_RECORD, seats=1)
        for part in range(n_parts(run.manifest))
    ]
