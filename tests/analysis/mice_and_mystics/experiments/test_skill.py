"""Luck and skill: the parts of the variance, on planted truths and on games that were played."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analysis.mice_and_mystics.experiments.skill import (
    SKILL,
    SKILL_PLAYERS,
    Comparison,
    play_players,
    skill_tables,
)
from analysis.mice_and_mystics.experiments.trials import RESULT
from analysis.questions.skill import ALL_PLAYERS, FRESH_FROM, REPLAYS
from card_data.mice_and_mystics import load_facts
from card_data.mice_and_mystics.settings import Settings, read_settings
from simcore.mice_and_mystics.play.simulate import play_games, play_rows, with_replays
from simcore.mice_and_mystics.players.seats import seat
from simcore.mice_and_mystics.table.compile_facts import compile_facts
from simcore.mice_and_mystics.table.records import GAME_RECORD
from simcore.sealed import RunError

#: By how much each source moves the chance of winning, up or down with equal odds.
PARTY, DEAL, DICE = 0.1, 0.15, 0.2
STRONG, WEAK = 0.5, 0.4


def planted(rng: np.random.Generator, n_deals: int, rate: float) -> np.ndarray:
    """Games whose chance of winning is a sum of planted effects."""

    def either(*shape: int) -> np.ndarray:
        return rng.integers(0, 2, shape) * 2 - 1

    games = np.zeros((n_deals, REPLAYS), RESULT)
    games["party"] = (np.arange(n_deals) % 2)[:, None]
    chance = rate + PARTY * (2 * games["party"] - 1) + DEAL * either(n_deals, 1)
    dice = either(n_deals, REPLAYS)
    dice[:, :FRESH_FROM] = dice[:, :1]
    games["won"] = rng.random((n_deals, REPLAYS)) < chance + DICE * dice
    games["score"] = 7 * games["won"]
    return games


def shares(table: pd.DataFrame, player: str) -> pd.DataFrame:
    """The shares of the variance of winning of one player."""
    rows = table[(table["player"] == player) & (table["measure"] == "win_rate")]
    return rows.set_index("source")


def test_planted_parts_are_found() -> None:
    """Each planted part of the variance lies within four standard errors of its estimate."""
    rng = np.random.default_rng(1)
    games = {"weak": planted(rng, 4000, WEAK), "strong": planted(rng, 4000, STRONG)}
    found = skill_tables(games, page_end=7)[SKILL.name]
    whole = STRONG * (1 - STRONG)
    for source, effect in (("party", PARTY), ("deal", DEAL), ("dice", DICE)):
        row = shares(found, "strong").loc[source]
        error = (row["share_ci_high"] - row["share_ci_low"]) / 3.92
        assert abs(row["share"] - effect**2 / whole) < 4 * error < 0.1, source
        assert row["spread_ci_low"] < effect < row["spread_ci_high"]
    for _, of_player in found.groupby(["player", "measure"]):
        assert of_player["share"].sum() == pytest.approx(1)
    between = ((STRONG - WEAK) / 2) ** 2
    middle = (STRONG + WEAK) / 2
    row = shares(found, ALL_PLAYERS).loc["player"]
    assert row["share_ci_low"] < between / (middle * (1 - middle)) < row["share_ci_high"]


def test_intervals_hold_as_often_as_they_say() -> None:
    """Over 120 samples the intervals of each part hold between 108 and 119 times."""
    rng = np.random.default_rng(2)
    truth = {"party": PARTY**2, "deal": DEAL**2, "dice": DICE**2}
    held = dict.fromkeys(truth, 0)
    for _ in range(120):
        table = skill_tables({"one": planted(rng, 500, STRONG)}, page_end=7)[SKILL.name]
        of_one = shares(table, "one")
        for source, part in truth.items():
            low, high = of_one.loc[source, ["share_ci_low", "share_ci_high"]]
            held[source] += low <= part / (STRONG * (1 - STRONG)) <= high
    assert all(108 <= times <= 119 for times in held.values()), held


def test_gains_are_paired_by_deal() -> None:
    """What a player gains is the difference of the win rates, with a narrower interval."""
    rng = np.random.default_rng(3)
    weak = planted(rng, 1000, WEAK)
    strong = weak.copy()
    lost = strong["won"] == 0
    strong["won"] |= lost & (rng.random(lost.shape) < 0.1)
    table = skill_tables({"weak": weak, "strong": strong}, 7)[SKILL_PLAYERS.name]
    first, second = (row for _, row in table.iterrows())
    assert np.isnan(first["win_rate_gain"])
    assert second["win_rate_gain"] == pytest.approx(second["win_rate"] - first["win_rate"])
    width = second["win_rate_gain_ci_high"] - second["win_rate_gain_ci_low"]
    assert 0 < width < 0.5 * (second["win_rate_ci_high"] - second["win_rate_ci_low"])


def test_a_player_who_never_wins_has_no_shares_of_winning() -> None:
    """Where nothing varies there are no shares, and the score says what can be said."""
    games = planted(np.random.default_rng(4), 200, STRONG)
    games["won"] = 0
    table = skill_tables({"one": games}, 7)[SKILL.name]
    assert table.loc[table["measure"] == "win_rate", "share"].isna().all()
    assert table.loc[table["measure"] == "score", "share"].notna().all()


def settings(*words: str) -> Settings:
    """Chapter 1 with every legal party."""
    return read_settings(load_facts(), "ch1_flight_to_barksburg", (), words)


def test_replays_share_what_they_should() -> None:
    """The first replay is the game of that number; party, decks and starting abilities are one's.

    The first track (M13) is shared by replays of the same chance alone.
    """
    table = compile_facts(load_facts(), settings())
    deals = 40
    usual = play_games(table, n_games=deals, seed=5, players=("heuristic",))
    rows = with_replays(seat(table, ("heuristic",)), REPLAYS, FRESH_FROM)
    games = np.zeros(deals * REPLAYS, GAME_RECORD)
    play_rows(rows, seed=5, first_game=0, out=games)
    first = games[::REPLAYS].copy()
    first["game"] = usual["game"]
    assert (first == usual).all()
    by_deal = games.reshape(deals, REPLAYS)
    for field in ("party", "dealt", "top8", "first_e"):
        assert (by_deal[field] == by_deal[field][:, :1]).all(), field
    alike = (by_deal["first_track"] == by_deal["first_track"][:, :1]).all(axis=2)
    assert alike[:, :FRESH_FROM].all()
    assert alike[:, FRESH_FROM:].mean() < 0.1
    assert (by_deal["decisions"][:, 1:] != by_deal["decisions"][:, :1]).mean() > 0.5


def test_players_are_compared_in_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same tables with one thread and two; a finished folder is read; another is refused."""
    asked = Comparison(load_facts(), settings(), ("heuristic@0.5", "heuristic"), 640, 3)
    one = play_players(asked, tmp_path / "one", threads=1)
    two = play_players(asked, tmp_path / "two", threads=2)
    gain = one[SKILL_PLAYERS.name].loc[1, "win_rate_gain_ci_low"]
    assert gain > 0, "noise costs H nothing"
    for name in (SKILL.name, SKILL_PLAYERS.name):
        pd.testing.assert_frame_equal(one[name], two[name])
        files = [(tmp_path / x / "tables" / f"{name}.csv").read_bytes() for x in ("one", "two")]
        assert files[0] == files[1]
    monkeypatch.setattr("simcore.mice_and_mystics.play.setup.play_rows", None)
    again = play_players(asked, tmp_path / "one", threads=1)
    pd.testing.assert_frame_equal(again[SKILL.name], one[SKILL.name])
    other = Comparison(load_facts(), settings("page_end=5"), asked.players, 640, 3)
    with pytest.raises(RunError, match="page end"):
        play_players(other, tmp_path / "one")


def test_the_number_of_games_is_whole_deals() -> None:
    """Games are rounded up to whole deals."""
    asked = Comparison(load_facts(), settings(), ("uniform",), 81)
    assert asked.deals == 11
    assert REPLAYS * asked.deals == 88
