"""Ratings and scores of a ladder: right on average, with intervals that hold."""

from itertools import combinations
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from scipy.special import expit

from analysis.estimates import estimate_share
from analysis.experiments.ladder import ELO, LADDER_TABLES, ladder_tables
from analysis.experiments.pair_games import PairGames, play_pairs, read_ladder
from analysis.mindbug.experiments.ladder import Ladder, analyze_ladder
from analysis.mindbug.registry import TABLES
from card_data.mindbug import load_pool
from simcore.mindbug import compile_cards, play_games
from simcore.sealed import RunError

PLAYERS = ("a", "b", "c", "d")
STRENGTHS = np.array([150.0, 40.0, 0.0, -190.0])


def planted(
    rng: np.random.Generator, n_deals: int, *, luck: str = "none", strengths=STRENGTHS
) -> list[PairGames]:
    """Games of players with these strengths, in Elo.

    ``luck`` makes the games of a deal alike: mirrored, good cards help whoever holds them; shared,
    a deal suits one of the players from either side.
    """
    games = []
    for (i, player), (j, opponent) in combinations(enumerate(PLAYERS), 2):
        chance = expit((strengths[i] - strengths[j]) / ELO)
        draws = rng.random((n_deals, 2))
        draws[:, 1] = {"mirrored": 1 - draws[:, 0], "shared": draws[:, 0]}.get(luck, draws[:, 1])
        results = np.where(draws < chance, 1, -1).astype(np.int8)
        games.append(PairGames(player, opponent, results, 2.0))
    return games


def in_order(tables: dict[str, pd.DataFrame]) -> pd.DataFrame:
    """Ratings in the order of PLAYERS."""
    return tables["ratings"].set_index("player").loc[list(PLAYERS)]


@pytest.mark.parametrize("luck", ["none", "mirrored", "shared"])
def test_intervals_hold_what_they_promise(luck: str) -> None:
    """About 95% of the intervals of planted ratings and differences contain the truth."""
    rng = np.random.default_rng(7)
    truth = STRENGTHS - STRENGTHS.mean()
    ratings, differences, errors = [], [], []
    for _ in range(80):
        tables = ladder_tables(PLAYERS, planted(rng, 300, luck=luck))
        table = in_order(tables)
        errors.append(table["elo"].to_numpy() - truth)
        ratings.append((table["elo_ci_low"] < truth) & (truth < table["elo_ci_high"]))
        pairs = tables["pairs"]
        wanted = [STRENGTHS[PLAYERS.index(name)] for name in pairs["player"]]
        wanted = np.array(wanted) - [STRENGTHS[PLAYERS.index(name)] for name in pairs["opponent"]]
        low, high = pairs["elo_difference_ci_low"], pairs["elo_difference_ci_high"]
        differences.append((low < wanted) & (wanted < high))
    assert 0.91 < np.mean(ratings) < 0.98
    assert 0.91 < np.mean(differences) < 0.98
    assert np.abs(np.mean(errors, axis=0)).max() < 4


def test_ratings_are_the_maximum_of_the_likelihood() -> None:
    """Hunter's MM algorithm, with a drawn game more for each pair, ends with the same ratings."""
    games = planted(np.random.default_rng(1), 40)
    points, met = np.zeros((4, 4)), np.zeros((4, 4))
    for pair, (i, j) in zip(games, combinations(range(4), 2), strict=True):
        won = (pair.results + 1).sum() / 2
        points[i, j], points[j, i] = won + 0.5, pair.results.size - won + 0.5
        met[i, j] = met[j, i] = pair.results.size + 1
    worth = np.ones(4)
    for _ in range(2000):
        worth = points.sum(axis=1) / (met / (worth[:, None] + worth)).sum(axis=1)
    expected = ELO * (np.log(worth) - np.log(worth).mean())
    np.testing.assert_allclose(in_order(ladder_tables(PLAYERS, games))["elo"], expected, atol=1e-4)


def test_intervals_agree_with_a_regression_clustered_by_deal() -> None:
    """A logistic regression on single games with cluster-robust errors gives the same width."""
    import statsmodels.api as sm

    games = planted(np.random.default_rng(2), 500, luck="mirrored")
    x, won, deal = [], [], []
    for number, (pair, (i, j)) in enumerate(zip(games, combinations(range(4), 2), strict=True)):
        row = np.zeros(4)
        row[i], row[j] = 1, -1
        for results in pair.results.T:
            x += [row[1:]] * len(results)
            won += list(results == 1)
            deal += list(number * 1000 + np.arange(len(results)))
    fit = sm.GLM(np.array(won, float), np.array(x), family=sm.families.Binomial()).fit(
        cov_type="cluster", cov_kwds={"groups": np.array(deal)}
    )
    centre = np.eye(4)[:, 1:] - 1 / 4
    std_err = ELO * np.sqrt(np.diag(centre @ fit.cov_params() @ centre.T))
    table = in_order(ladder_tables(PLAYERS, games))
    ours = (table["elo_ci_high"] - table["elo_ci_low"]) / (2 * 1.959964)
    np.testing.assert_allclose(ours, std_err, rtol=0.02)


def test_a_player_who_never_loses_has_a_rating() -> None:
    """With every game won the rating is finite, the best, and its interval wide."""
    strengths = np.array([0.0, 0.0, 0.0, 99_999.0])
    tables = ladder_tables(PLAYERS, planted(np.random.default_rng(3), 200, strengths=strengths))
    best = tables["ratings"].iloc[0]
    assert best["player"] == "d"
    assert (best["score"], best["losses"]) == (1.0, 0)
    assert 500 < best["elo"] < 3000
    assert best["elo_ci_high"] - best["elo_ci_low"] > 200
    assert np.isfinite(tables["pairs"].select_dtypes("number")).all().all()


def test_equals_are_not_told_apart() -> None:
    """Players who win each deal once, or all alike, are not said to differ."""
    even = np.tile(np.array([1, -1], np.int8), (50, 1))
    for results in (even, np.zeros((1, 2), np.int8)):
        row = ladder_tables(("a", "b"), [PairGames("a", "b", results, 1.0)])["pairs"].iloc[0]
        assert row["score"] == 0.5
        assert row["elo_difference"] == pytest.approx(0, abs=1e-6)
        assert row["elo_difference_ci_low"] < -1 < 1 < row["elo_difference_ci_high"]


def test_tables_are_described_and_add_up() -> None:
    """Columns are those of the dictionary; the better player comes first; games are all there."""
    games = planted(np.random.default_rng(4), 100)
    games[0] = games[0]._replace(player="b", opponent="a", results=-games[0].results)
    tables = ladder_tables(PLAYERS, games)
    assert list(tables) == list(LADDER_TABLES)
    for name, table in tables.items():
        assert list(table.columns) == list(TABLES[name].columns)
    for table in (tables["ratings"], tables["pairs"]):
        assert (table["wins"] + table["draws"] + table["losses"] == table["games"]).all()
    ratings, pairs = tables["ratings"], tables["pairs"]
    assert ratings["elo"].is_monotonic_decreasing
    assert ratings["elo"].sum() == pytest.approx(0, abs=1e-6)
    assert (pairs["elo_difference"] >= 0).all()
    assert list(ratings["player"]) == ["a", "b", "c", "d"]
    assert (ratings["games"] == 600).all()
    assert (tables["speed"]["games_per_second"] == 100).all()
    ab = pairs[(pairs["player"] == "a") & (pairs["opponent"] == "b")].iloc[0]
    assert ab["wins"] == (games[0].results == -1).sum()


# --------------------------------------------------------------------------------- real games


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A small ladder that was played."""
    folder = tmp_path_factory.mktemp("ladder") / "ladder"
    ladder = Ladder(load_pool(["first_contact"]), ("random", "greedy", "heuristic"), 600, 2, seed=5)
    play_pairs(ladder, folder, threads=2)
    return folder


def test_each_deal_is_played_from_both_sides(played: Path) -> None:
    """The results are those of the same game numbers with the players changed about."""
    pool = load_pool(["first_contact"])
    table = compile_cards(pool.sets, pool.modes)
    _, (first, *_) = read_ladder(Ladder.kind, played)
    assert (first.player, first.opponent) == ("random", "greedy")
    for place, players in enumerate((("random", "greedy"), ("greedy", "random"))):
        winner = play_games(table, n_games=300, seed=5, policies=players)["winner"]
        expected = np.where(winner < 0, 0, np.where(winner == place, 1, -1))
        np.testing.assert_array_equal(first.results[:, place], expected)


def test_threads_and_order_change_nothing(played: Path, tmp_path: Path) -> None:
    """One thread plays the same games as two."""
    ladder = Ladder(load_pool(["first_contact"]), ("random", "greedy", "heuristic"), 600, 2, seed=5)
    play_pairs(ladder, tmp_path, threads=1)
    for one, two in zip(
        read_ladder(Ladder.kind, played)[1], read_ladder(Ladder.kind, tmp_path)[1], strict=True
    ):
        assert one[:2] == two[:2]
        np.testing.assert_array_equal(one.results, two.results)


def test_mirrored_deals_make_intervals_narrower(tmp_path: Path) -> None:
    """Between players of like strength, cards and luck cancel out in part."""
    players = ("heuristic", "heuristic@0.02")
    play_pairs(Ladder(load_pool(["first_contact"]), players, 2000, seed=5), tmp_path, threads=2)
    (_, row), *_ = analyze_ladder(tmp_path)["pairs"].iterrows()
    alone = estimate_share(row["wins"], row["games"])
    assert row["ci_high"] - row["ci_low"] < 0.95 * (alone.ci_high - alone.ci_low)


def test_missing_or_damaged_pairs_are_named(played: Path, tmp_path: Path) -> None:
    """An unfinished ladder is not analysed; a pair of another ladder is not read as one of it."""
    pool = load_pool(["first_contact"])
    ladder = Ladder(pool, ("random", "greedy"), games=4)
    play_pairs(ladder, tmp_path, threads=1)
    path = tmp_path / "pairs/pair-00.parquet"
    whole = path.read_bytes()
    for content, message in (
        (None, "pair-00.parquet is missing; repeat the command"),
        (whole[:-9], "pair-00.parquet is damaged"),
        (whole[:200] + b"?" + whole[201:], "pair-00.parquet is damaged"),
        ((played / "pairs/pair-00.parquet").read_bytes(), "belongs to another ladder"),
    ):
        path.unlink()
        if content is not None:
            path.write_bytes(content)
        with pytest.raises(RunError, match=message):
            analyze_ladder(tmp_path)
        play_pairs(ladder, tmp_path, threads=1)
        assert len(read_ladder(Ladder.kind, tmp_path)[1][0].results) == 2
    with pytest.raises(RunError, match="is not the folder of a ladder"):
        analyze_ladder(tmp_path / "pairs")


def test_who_searches_plays_fewer_games() -> None:
    """Pairs with a searching player have a number of games of their own."""
    ladder = Ladder(load_pool(["first_contact"]), ("random", "greedy", "search:50"))
    assert [games for *_, games in ladder.pairs] == [20_000, 2_000, 2_000]
    others = ("learned", "expert", "expert=second", "search:4", "search:8", "search=learned:4")
    assert len(Ladder(ladder.pool, others).players) == 6


@pytest.mark.parametrize(
    ("players", "message"),
    [
        (("greedy",), "'greedy' alone is not a ladder"),
        ((), "nobody alone"),
        (("greedy", "random", "greedy"), "'greedy' is named twice"),
        (("greedy", "greedy@0.0"), "'greedy' and 'greedy@0.0' are the same player"),
        (("expert", "expert=expert"), "'expert' and 'expert=expert' are the same player"),
        (("heuristic", "learned=heuristic"), "are the same player"),
        (("search:4", "search=expert:4"), "are the same player"),
        (("greedy", "gredy"), "did you mean 'greedy'"),
    ],
)
def test_bad_players_are_refused(players: tuple[str, ...], message: str) -> None:
    """The message says what is wrong with the players."""
    with pytest.raises(ValueError, match=message):
        Ladder(load_pool(["first_contact"]), players)


@pytest.mark.parametrize("games", [0, -2, 7])
def test_bad_numbers_of_games_are_refused(games: int) -> None:
    """Deals are played from both sides."""
    with pytest.raises(ValueError, match="must be an even number from 2 on"):
        Ladder(load_pool(["first_contact"]), ("random", "greedy"), games=games)
