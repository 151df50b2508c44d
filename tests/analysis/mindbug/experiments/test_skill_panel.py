"""What a panel of players says of cards: from runs to tables, and what is planted in them."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analysis.mindbug import open_run, read_tables
from analysis.mindbug.experiments.skill import compare_skill, keep_skill, read_skill_tables
from analysis.mindbug.experiments.skill_panel import (
    FOR_STRONG,
    FOR_WEAK,
    PANEL_TABLES,
    WHOSE_CARD,
    luck_of,
    panel_tables,
    shared_luck,
)
from analysis.mindbug.experiments.usual import strong_players
from analysis.panel import DEPENDS, PANEL_VERDICTS
from analysis.verdicts import FAIR, TOO_STRONG, TOO_WEAK
from support.planted_panel import PLAYERS, panel_runs, panels

ROOT = Path(__file__).parents[4]
PANEL = PLAYERS[1:]


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """A weak player's run and those of a panel of three."""
    return panel_runs(tmp_path_factory.mktemp("panel"), 10_000)


@pytest.fixture(scope="module")
def tables(folders: list[Path]) -> dict[str, pd.DataFrame]:
    """All tables about them."""
    return compared(folders, PANEL)


def compared(folders: list[Path], panel: tuple[str, ...]) -> dict[str, pd.DataFrame]:
    """The tables of runs with such a panel."""
    found = [read_tables(folder) for folder in folders]
    return compare_skill([open_run(folder) for folder in folders], found, panel)


def test_planted_cards_are_told(tables: dict[str, pd.DataFrame]) -> None:
    """A card for strong players, one for weak ones, one for all, and one that depends."""
    cards = tables["card_panel"]
    assert cards["panel_verdict"][:4].tolist() == [TOO_STRONG, TOO_WEAK, TOO_STRONG, DEPENDS]
    assert cards["whose_card"][:4].tolist() == [FOR_STRONG, FOR_WEAK, "", ""]
    assert (cards["whose_card"][4:] == "").all() and FAIR in cards["panel_verdict"].tolist()
    assert cards["highest_policy"][3] in PANEL[:2] and cards["lowest_policy"][3] == PANEL[2]
    moved = cards.set_index("card_id")["move"].abs().idxmax()
    assert moved == "card_03" and cards["move_q_value"][3] < 1e-6


def test_a_card_is_for_strong_players_only_where_a_search_agrees(folders: list[Path]) -> None:
    """What players who do not look ahead make of a card may be what they all overlook."""
    cards = compared(folders[:3], PANEL[:2])["card_panel"]
    assert cards["panel_verdict"][:2].tolist() == [TOO_STRONG, TOO_WEAK]
    assert (cards["whose_card"] == "").all()


def test_every_number_is_that_of_the_runs(tables: dict[str, pd.DataFrame]) -> None:
    """The ends and the move of each card follow from the advantages among the players."""
    cards, of_runs = tables["card_panel"], tables["skill_cards"]
    by_player = of_runs.pivot(index="card_id", columns="policy", values="advantage")[list(PANEL)]
    by_player = by_player.loc[cards["card_id"]]
    np.testing.assert_array_equal(cards["lowest"], by_player.min(axis=1))
    np.testing.assert_array_equal(cards["highest"], by_player.max(axis=1))
    others = by_player[list(PANEL[:-1])].mean(axis=1)
    np.testing.assert_allclose(cards["move"], by_player[PANEL[-1]] - others)
    assert cards["advantage"].between(cards["lowest"], cards["highest"]).all()
    assert cards["n_players"].eq(3).all()
    summary = tables["panel_summary"].iloc[0]
    assert (summary["players"], summary["strongest"]) == (", ".join(PANEL), PANEL[-1])
    assert summary["n_opposite"] == 1 and summary["opposite_share"] == 1 / len(cards)
    assert 0.01 < summary["move"] < 0.03  # one card of sixteen by eight points
    assert summary["rank_correlation_ci_low"] < summary["rank_correlation"] < 0.97
    raw = others.reset_index(drop=True).corr(
        by_player[PANEL[-1]].reset_index(drop=True), "spearman"
    )
    assert summary["raw_rank_correlation"] == pytest.approx(raw)


def test_who_plays_well() -> None:
    """Those for whom a network judges form a panel, unless they err or do without something."""
    players = ["greedy", "learned", "expert", "expert@0.1", "expert-blocks", "search:4"]
    assert strong_players(players) == ["expert", "search:4"]
    of_my_own = ["expert=mine.npz", "search=mine.toml:9", "search=learned:400", "search=mine.npz:9"]
    assert strong_players(of_my_own) == ["expert=mine.npz", "search=mine.npz:9"]


def _luck(winners: list[np.ndarray], seeds: list[int]) -> np.ndarray:
    """That of runs of games 0, 1, 2 …"""
    return luck_of(winners, seeds, [np.arange(len(one)) for one in winners])


def test_luck_is_shared_on_the_same_deals(folders: list[Path]) -> None:
    """Results of one seed are correlated, by as much as the shorter run shares of the longer."""
    rng = np.random.default_rng(0)
    luck = rng.standard_normal(40_000)
    one, two = ((luck + rng.standard_normal(40_000) > 0).astype(np.int8) for _ in range(2))
    alike = _luck([one, two], [1, 1])[0, 1]
    assert alike == pytest.approx(1 / 3, abs=0.02)  # of a normal correlation of one half
    assert _luck([one, two[:10_000]], [1, 1])[0, 1] == pytest.approx(alike / 2, abs=0.02)
    np.testing.assert_array_equal(_luck([one, two], [1, 2]), np.eye(2))
    np.testing.assert_array_equal(_luck([one, np.zeros(5, np.int8)], [1, 1]), np.eye(2))
    odd = np.arange(40_000)[1::2]  # only some of the games of the other
    of_odd = luck_of([one, two[odd]], [1, 1], [np.arange(40_000), odd])[0, 1]
    assert of_odd == pytest.approx(alike / 2**0.5, abs=0.02)
    runs = [open_run(folder) for folder in folders[:2]]
    np.testing.assert_array_equal(shared_luck(runs), np.eye(2))


def test_luck_that_is_shared_is_no_agreement(tables: dict[str, pd.DataFrame]) -> None:
    """The same estimates on the same deals leave a wider interval, and show more spread."""
    cards = tables["skill_cards"]
    apart, alike = (
        panel_tables(cards, PANEL, np.full((3, 3), luck) + (1 - luck) * np.eye(3))
        for luck in (0.0, 0.7)
    )
    own, same = (
        found["card_panel"].eval("advantage_ci_high - advantage_ci_low") for found in (apart, alike)
    )
    assert (same > 1.15 * own).sum() > 10
    spreads = [found["card_panel"]["spread"].median() for found in (apart, alike)]
    assert spreads[1] > spreads[0]
    moves = [found["card_panel"].eval("move_ci_high - move_ci_low") for found in (apart, alike)]
    assert (moves[1] < moves[0]).all()


@pytest.mark.filterwarnings("error")
def test_few_games_say_nothing(tmp_path: Path) -> None:
    """With thirty games no card has a mean, a verdict or a rank, and nothing warns."""
    tables = compared(panel_runs(tmp_path, 30), PANEL)
    cards, summary = tables["card_panel"], tables["panel_summary"].iloc[0]
    assert set(cards["panel_verdict"]) == {"needs more games"}
    assert cards[["advantage", "spread", "same_side", "move"]].isna().all(axis=None)
    assert np.isnan(summary["rank_correlation"]) and summary["n_opposite"] == 0


def test_tables_come_back_and_go(folders: list[Path], tables: dict[str, pd.DataFrame]) -> None:
    """Written tables are read again; without a panel those of an earlier one are deleted."""
    run = open_run(folders[-1])
    keep_skill(tables, run)
    read = read_skill_tables(run.folder)
    for name, table in PANEL_TABLES.items():
        pd.testing.assert_frame_equal(read[name], tables[name])
        assert list(read[name].columns) == list(table.columns)
    alone = compared(folders, ())
    assert not PANEL_TABLES.keys() & alone.keys()
    keep_skill(alone, run)
    assert not PANEL_TABLES.keys() & read_skill_tables(run.folder).keys()
    assert not list((run.folder / "tables").glob("*panel*"))


@pytest.mark.parametrize("same_luck", [False, True], ids=["own deals", "same deals"])
def test_what_is_planted_is_found_and_nothing_else(*, same_luck: bool) -> None:
    """A few panels of docs/data/planted_truths.csv: no share contradicts what is promised."""
    shares = panels(range(1, 5), (10_000, 5_000, 5_000, 2_000), same_luck=same_luck)
    assert [share.what for share in shares if share.fails] == []


def test_methods_page_defines_every_word() -> None:
    """docs/methods.md quotes what is said of cards by a panel."""
    page = " ".join((ROOT / "docs" / "methods.md").read_text().split())
    for word, meaning in (PANEL_VERDICTS | WHOSE_CARD).items():
        assert f"| {word} | {meaning} |" in page
