"""By how much a stronger player moves a comparison, where the truth is planted."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analysis.estimates import corrected_z, two_sided_p
from analysis.experiments.comparison import Comparison, compare_runs
from analysis.experiments.stronger import COMPARISON_STRONGER, moves_table, with_moves
from card_data.mindbug.schema import CardSet, Pool
from simcore.mindbug.table.records import DEALT_EACH
from support.synthetic import run_of_pool, synthetic_cards, synthetic_games

CARDS = synthetic_cards()
POOL = Pool((CardSet("synthetic", "Synthetic", CARDS.cards),), CARDS.modes)
N_CARDS = len(CARDS.cards)
MOVED = 3


def compared(folder: Path, player: str, seed: int, worth: float) -> Comparison:
    """Two made-up runs of one player; in the second the first card is worth more."""
    runs = []
    for name, size in (("base", 0.0), ("variant", worth)):
        worths = np.where(np.arange(N_CARDS) == MOVED, size, 0.0)
        games = synthetic_games(CARDS, 6000, seed=seed, worth=worths)
        where = folder / f"{player}-{seed}-{name}"
        runs.append(run_of_pool(where, POOL, games, policies=(player, player), seed=seed))
    return compare_runs(*runs, threads=1)


def planted(worth: float) -> float:
    """What a copy worth so much does to the win rate of those dealt the card."""
    held = synthetic_games(CARDS, 20_000)["cards"] == MOVED
    own = np.concatenate([held[:, :DEALT_EACH].sum(axis=1), held[:, DEALT_EACH:].sum(axis=1)])
    more = own - np.roll(own, len(held))
    return float(worth * more[own > 0].mean())


@pytest.fixture(scope="module")
def both(tmp_path_factory: pytest.TempPathFactory) -> tuple[Comparison, Comparison]:
    """The change is worth 2 points to some players and 12 to others."""
    folder = tmp_path_factory.mktemp("runs")
    return compared(folder, "greedy", 0, 0.02), compared(folder, "learned", 1, 0.12)


def test_what_a_stronger_player_moves_is_found(both: tuple[Comparison, Comparison]) -> None:
    """The card whose change is larger among them is moved most; others at most the other way."""
    usual, stronger = both
    moves = moves_table(usual, stronger)
    cards = moves[moves["kind"] == "card"].reset_index(drop=True)
    assert len(cards) == N_CARDS
    shown = cards[cards["q_value"] < 0.05]
    assert shown["q_value"].idxmin() == MOVED
    assert (shown["move"].drop(MOVED) < 0).all()  # who is dealt another meets it more often
    line = cards.loc[MOVED]
    assert line["move_ci_low"] < planted(0.10) < line["move_ci_high"]
    assert (line["policy"], line["stronger"], line["stronger_games"]) == ("greedy", "learned", 6000)


def test_the_interval_joins_both(both: tuple[Comparison, Comparison]) -> None:
    """A move is the difference of both, its interval that of both errors, corrected for all."""
    usual, stronger = both
    moves = moves_table(usual, stronger).set_index(["kind", "id", "measure"])
    one, other = (each.table.set_index(["kind", "id", "measure"]) for each in both)
    known = moves[moves["q_value"].notna()]
    assert len(known) >= N_CARDS
    expected = known["stronger_difference"] - known["difference"]
    pd.testing.assert_series_equal(known["move"], expected, check_names=False)
    error = np.hypot(*(each["std_err"].loc[known.index] for each in (one, other)))
    width = known["move_ci_high"] - known["move_ci_low"]
    z = corrected_z(two_sided_p(known["move"], error))
    assert 1.959964 < z < 3.5
    assert np.allclose(width, 2 * z * error)
    settled = (known["move_ci_low"] > 0) | (known["move_ci_high"] < 0)
    assert (settled == (known["q_value"] < 0.05)).all()


def test_intervals_hold_what_is_not_moved(tmp_path: Path) -> None:
    """Where both play alike, nineteen intervals of twenty hold zero."""
    held = []
    for seed in range(0, 8, 2):
        usual = compared(tmp_path, "greedy", seed, 0.05)
        stronger = compared(tmp_path, "learned", seed + 1, 0.05)
        moves = moves_table(usual, stronger)
        cards = moves[moves["kind"] == "card"]
        held.append((cards["move_ci_low"] < 0) & (cards["move_ci_high"] > 0))
    # 64 intervals, of which those of one comparison depend on each other.
    assert np.mean(held) >= 0.85


def test_the_table_joins_the_comparison(both: tuple[Comparison, Comparison]) -> None:
    """The tables of a comparison have it, with the columns of the dictionary."""
    found = with_moves(*both).tables
    assert {*both[0].tables, COMPARISON_STRONGER.name} == {*found}
    assert list(found[COMPARISON_STRONGER.name].columns) == list(COMPARISON_STRONGER.columns)
