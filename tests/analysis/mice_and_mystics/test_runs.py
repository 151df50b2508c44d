"""Runs that the engine played: their tables, a comparison, and a rule that ends one."""

from pathlib import Path

import numpy as np
import pytest
from attrs import evolve

from analysis import kept_tallies
from analysis.experiments.comparison import compare_runs
from analysis.mice_and_mystics.contract import ANALYSIS, facts_of
from analysis.mice_and_mystics.run_facts import RunFacts
from analysis.mice_and_mystics.stopping import PlayUntil
from analysis.runs import Run, open_run
from analysis.stopping import Goal
from analysis.tables import analyze, read_tables
from card_data.mice_and_mystics import load_facts
from card_data.mice_and_mystics.settings import read_settings
from simcore.mice_and_mystics.play.run import new_run
from simcore.mice_and_mystics.table.limits import MICE
from simcore.work.runs import RunSpec, run_games


def _spec(*words: str, n_games: int = 300, player: str = "uniform") -> RunSpec:
    facts = load_facts()
    settings = read_settings(facts, "ch1_flight_to_barksburg", (), words)
    return new_run(facts, settings, n_games=n_games, seed=3, players=(player,))


def test_tables_and_pairs_of_played_games(tmp_path: Path) -> None:
    """Ledgers of played games balance, and with a later end page no game ends less deep (M115)."""
    base, later = tmp_path / "base", tmp_path / "later"
    run_games(_spec(), base, threads=1)
    run_games(_spec("page_end=8"), later, threads=1)
    tables = analyze(base, threads=1)
    assert list(tables) == list(ANALYSIS.tables)
    for name, table in read_tables(base).items():
        assert list(table.columns) == list(ANALYSIS.tables[name].columns)
        assert table.equals(tables[name]), name
    assert not tables["cheese"]["games_unbalanced"].any()
    games, longer = (np.concatenate(list(open_run(folder).parts())) for folder in (base, later))
    _check_what_tables_rest_on(facts_of(open_run(base)), games)
    assert (longer["route_depth"] >= games["route_depth"]).all()
    found = compare_runs(base, later, threads=1)
    depth = found.table.set_index("measure").loc["mean_route_depth"]
    gain = longer["route_depth"].mean() - games["route_depth"].mean()
    assert depth["difference"] == pytest.approx(gain)
    assert list(found.table.columns) == list(ANALYSIS.all_tables["comparison"].columns)


def test_games_are_counted_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was counted is kept beside the games, and a second analysis reads none of them."""
    monkeypatch.setattr(kept_tallies, "LEAST_GAMES", 1)
    run_games(_spec(), tmp_path, threads=1)
    tables = analyze(tmp_path, threads=1)
    monkeypatch.delattr(Run, "part")
    for name, table in analyze(tmp_path, threads=1).items():
        assert table.equals(tables[name]), name


def test_a_run_that_a_rule_ended_has_its_intervals(tmp_path: Path) -> None:
    """A run ends when the win rate is known to 4 points, and its tables promise that."""
    spec = _spec(n_games=5_000, player="heuristic")
    facts = load_facts()
    rule = PlayUntil(
        Goal(4), RunFacts(facts, read_settings(facts, spec.settings["chapter"]), "heuristic")
    )
    run_games(evolve(spec, until=rule), tmp_path, threads=1)
    run = open_run(tmp_path)
    assert run.manifest["stopped"]["reached"] and run.n_games < 5_000
    lines = analyze(tmp_path, threads=1)["outcomes"].set_index(["party", "statistic"])
    line = lines.loc[("all", "win")]
    known = rule.known(rule.count(np.concatenate(list(run.parts()))))
    assert 0 < known.half_width[0] <= 0.04
    assert line["ci_high"] == pytest.approx(line["estimate"] + known.half_width[0])


def test_each_mouse_may_have_a_player_of_its_own(tmp_path: Path) -> None:
    """A run of four players, one for each mouse, is read and analysed like one of a single one."""
    players = ("heuristic", "uniform", "uniform", "category")
    facts = load_facts()
    settings = read_settings(facts, "ch1_flight_to_barksburg")
    run_games(new_run(facts, settings, n_games=20, players=players), tmp_path, threads=1)
    assert dict(open_run(tmp_path).facts())["players"] == ":".join(players)
    assert (analyze(tmp_path, threads=1)["parties"]["player"] == ":".join(players)).all()


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
