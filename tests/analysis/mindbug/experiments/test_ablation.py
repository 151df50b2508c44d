"""Costs of restrictions: right on average, with intervals and verdicts that hold."""

from pathlib import Path

import numpy as np
import pytest

from analysis.experiments.pair_games import play_pairs
from analysis.mindbug.experiments.ablation import (
    COSTS,
    GAINS,
    NEVER,
    NOTHING,
    RESTRICTED_DEAL,
    RestrictedGames,
    RestrictedPlay,
    analyze_restricted,
    restrict,
    restrictions_table,
)
from analysis.mindbug.registry import TABLES
from analysis.verdicts import NEEDS_GAMES
from card_data.mindbug import load_pool
from simcore.mindbug import compile_cards, play_games
from simcore.sealed import RunError

WORDS = ("blocks", "attacks", "hunts", "repeats", "sneaks", "tough")


def planted(
    rng: np.random.Generator, word: str, cost: float, n_deals: int, *, often: float = 1.0
) -> RestrictedGames:
    """Games of a restriction with this cost, which comes up in so many games.

    Without it a deal goes once to either; where it comes up the restricted player loses a game
    that was won otherwise, with the probability that gives the cost, or wins one that was lost.
    """
    deals = np.zeros(n_deals, RESTRICTED_DEAL)
    winner = rng.integers(2, size=n_deals)
    deals["result"] = np.where(winner[:, None] == np.arange(2), 1, -1)
    came_up = rng.random((n_deals, 2)) < often
    turned = came_up & (rng.random((n_deals, 2)) < 2 * abs(cost) / max(often, 1e-9))
    turned &= deals["result"] == np.sign(cost)
    deals["result"][turned] *= -1
    deals["decisions"] = rng.integers(10, 40, (n_deals, 2))
    deals["barred"] = came_up * rng.integers(1, 9, (n_deals, 2))
    return RestrictedGames(word, deals, 2.0)


def test_intervals_hold_what_they_promise() -> None:
    """About 95% of the intervals of planted costs and of how often they came up hold the truth."""
    rng = np.random.default_rng(5)
    costs, often = np.array([0.2, 0.03, 0.0, -0.05]), (0.9, 0.3, 0.6, 0.2)
    held, errors = [], []
    for _ in range(150):
        games = [
            planted(rng, word, cost, 400, often=share)
            for word, cost, share in zip(WORDS, costs, often, strict=False)
        ]
        table = restrictions_table("heuristic", games).set_index("restriction")
        table = table.loc[list(WORDS[:4])]
        errors.append(table["cost"] - costs)
        for name, truth in (("cost", costs), ("games_barred", np.array(often))):
            low, high = table[f"{name}_ci_low"], table[f"{name}_ci_high"]
            held.append(((low <= truth) & (truth <= high)).to_numpy())
    assert 0.93 < np.mean(held) < 0.985
    assert np.abs(np.mean(errors, axis=0)).max() < 0.004


def test_verdicts_tell_planted_costs() -> None:
    """What costs, what gains, what is nothing, what is not known, and what never came up."""
    rng = np.random.default_rng(6)
    games = [
        planted(rng, "blocks", 0.2, 2000),
        planted(rng, "attacks", -0.1, 2000),
        planted(rng, "hunts", 0.002, 20_000, often=0.3),
        planted(rng, "repeats", 0.015, 300),
        planted(rng, "sneaks", 0.0, 300, often=0.0),
        planted(rng, "tough", 0.0, 40),
    ]
    table = restrictions_table("heuristic", games)
    assert table["cost"].is_monotonic_decreasing
    found = table.set_index("restriction")["verdict"].to_dict()
    assert found == {
        "blocks": COSTS,
        "attacks": GAINS,
        "hunts": NOTHING,
        "repeats": NEEDS_GAMES,
        "sneaks": NEVER,
        "tough": NEEDS_GAMES,
    }
    never = table.set_index("restriction").loc["sneaks"]
    assert (never["cost"], never["games_barred"], never["barred_rate"]) == (0, 0, 0)
    assert np.isnan(never["q_value"])


def test_on_the_edge_of_the_band_few_are_judged() -> None:
    """There every verdict is wrong; any at all is given in 5% of the tables on either side."""
    rng = np.random.default_rng(8)
    wrong = [
        restrictions_table("x", [planted(rng, word, 0.01, 1000) for word in WORDS])["verdict"]
        .isin([COSTS, NOTHING, GAINS])
        .any()
        for _ in range(300)
    ]
    assert 0.04 < np.mean(wrong) < 0.15


def test_table_is_described_and_adds_up() -> None:
    """Columns are those of the dictionary; the counts are those of the deals."""
    rng = np.random.default_rng(9)
    games = [planted(rng, "blocks", 0.1, 50), planted(rng, "hunts", 0.3, 50)]
    games[0].deals["result"][:5] = 0
    table = restrictions_table("heuristic", games)
    assert list(table.columns) == list(TABLES["restrictions"].columns)
    assert (table["wins"] + table["draws"] + table["losses"] == table["games"]).all()
    assert (table["games"] == 100).all()
    row = table.set_index("restriction").loc["blocks"]
    deals = games[0].deals
    assert row["draws"] == 10
    assert row["cost"] == pytest.approx(-deals["result"].mean() / 2)
    assert row["barred_rate"] == pytest.approx(deals["barred"].sum() / deals["decisions"].sum())
    assert row["games_barred"] == (deals["barred"] > 0).mean()


def test_a_restriction_is_added_to_any_player() -> None:
    """It stands before the share of mistakes."""
    assert restrict("heuristic", "blocks") == "heuristic-blocks"
    assert restrict("search=a.toml:9-hunts@0.1", "blocks") == "search=a.toml:9-hunts-blocks@0.1"


# --------------------------------------------------------------------------------- real games


@pytest.fixture(scope="module")
def asked() -> RestrictedPlay:
    """A little restricted play."""
    pool = load_pool(["first_contact"])
    return RestrictedPlay(pool, "heuristic", ("mindbugs", "repeats"), 400, seed=5)


@pytest.fixture(scope="module")
def played(asked: RestrictedPlay, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Its folder."""
    folder = tmp_path_factory.mktemp("restricted") / "play"
    play_pairs(asked, folder, threads=2)
    return folder


def test_all_restrictions_meet_the_same_deals_from_both_sides(played: Path) -> None:
    """The results are those of the same games; so are the counts of what was forbidden."""
    table = analyze_restricted(played)["restrictions"].set_index("restriction")
    pool = load_pool(["first_contact"])
    cards = compile_cards(pool.sets, pool.modes)
    for word in ("mindbugs", "repeats"):
        wins = barred = decisions = 0
        for place in range(2):
            players = ["heuristic", "heuristic"]
            players[place] += f"-{word}"
            limits = np.zeros((200, 2, 3), np.int32)
            games = play_games(
                cards, n_games=200, seed=5, policies=(players[0], players[1]), limits=limits
            )
            wins += (games["winner"] == place).sum()
            decisions += limits[:, place].sum()
            barred += limits[:, place, 1].sum()
        row = table.loc[word]
        assert (row["wins"], row["decisions"], row["barred"]) == (wins, decisions, barred)
    assert table.loc["mindbugs", "cost"] > table.loc["repeats", "cost"] > 0


def test_what_is_missing_or_damaged_is_played_again(
    asked: RestrictedPlay, played: Path, tmp_path: Path
) -> None:
    """The same bytes but for the time it took; another list of restrictions is another test."""
    one = RestrictedPlay(asked.pool, "heuristic", ("repeats",), 400, seed=5)
    play_pairs(one, tmp_path, threads=1)
    rows = analyze_restricted(tmp_path)["restrictions"]
    both = analyze_restricted(played)["restrictions"].set_index("restriction")
    for column in ("wins", "losses", "cost", "barred", "waived"):
        assert rows[column].iloc[0] == both.loc["repeats", column]
    path = tmp_path / "pairs/pair-00.parquet"
    path.write_bytes(path.read_bytes()[:-9])
    with pytest.raises(RunError, match="is damaged"):
        analyze_restricted(tmp_path)
    play_pairs(one, tmp_path, threads=1)
    again = analyze_restricted(tmp_path)["restrictions"]
    assert again.equals(rows)
    with pytest.raises(RunError, match="holds a test of restrictions with restrictions "):
        play_pairs(asked, tmp_path)
    with pytest.raises(RunError, match="is not the folder of a test of restrictions"):
        analyze_restricted(tmp_path / "pairs")


@pytest.mark.parametrize(
    ("policy", "restrictions", "games", "message"),
    [
        ("heuristic", ("bloks",), 4, "did you mean 'blocks'"),
        ("heuristic-blocks", ("blocks",), 4, "may never block already"),
        ("heuristic", ("blocks",), 3, "must be an even number from 2 on"),
        ("heurist", ("blocks",), 4, "did you mean 'heuristic'"),
        ("my.py:first", ("blocks",), 4, "my.py:first is a function of your own"),
    ],
)
def test_what_cannot_be_played_is_refused(
    policy: str, restrictions: tuple[str, ...], games: int, message: str
) -> None:
    """The message says what is wrong."""
    with pytest.raises(ValueError, match=message):
        RestrictedPlay(load_pool(["first_contact"]), policy, restrictions, games)
