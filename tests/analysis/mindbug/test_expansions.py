"""Sets, evolution, dice, power cards and open points: slow twins, planted truths, real games."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy.stats import chisquare

import analysis.mindbug
from analysis.mindbug import selections
from analysis.mindbug.expansion_tables import dice_table, sets_table
from analysis.mindbug.expansion_tallies import ExpansionFeatures, ExpansionTally, tally_expansions
from analysis.mindbug.registry import TABLES
from analysis.mindbug.summary import expansion_summary
from card_data.mindbug import load_pool, parse_set
from card_data.mindbug.modes import Modes
from card_data.mindbug.schema import Pool
from simcore.mindbug.play.run import new_run
from simcore.mindbug.rules.dice import FACES
from simcore.mindbug.table.compile_cards import compile_cards
from simcore.work.runs import run_games
from support import counted
from support.slow_tables import clustered
from support.synthetic import expansions_games, expansions_pool, run_of_pool, synthetic_games

SAME, DIFFERENT = ("random", "random"), ("greedy", "random")
SLOTS = np.arange(20)


@pytest.fixture(scope="module")
def pool() -> Pool:
    """Two sets with every expansion feature."""
    return expansions_pool()


@pytest.fixture(scope="module")
def games(pool: Pool) -> np.ndarray:
    """A few games with draws."""
    return expansions_games(
        pool, 500, seed=3, alpha_worth=0.03, first_player_advantage=0.1, draw_rate=0.1
    )


def tally(games: np.ndarray, pool: Pool, policies: tuple[str, str] = SAME) -> ExpansionTally:
    """The tally of some games."""
    return tally_expansions(games, ExpansionFeatures(pool), same_policy=policies[0] == policies[1])


#: The tables about what only some pools have.
SYSTEM_TABLES = ("sets", "stages", "dice", "power_cards", "per_game", "open_points")


def tables_of(
    games: np.ndarray,
    pool: Pool,
    policies: tuple[str, str] = SAME,
    names: Sequence[str] = SYSTEM_TABLES,
) -> dict[str, pd.DataFrame]:
    """The tables of some games about what the pool has."""
    return counted.tables_of(games, pool, policies, names)


def cards_selected(games: np.ndarray, pool: Pool) -> pd.DataFrame:
    """One row per game, slot and player: card, set, best stage, score, and its selections."""
    features = ExpansionFeatures(pool)
    rows = []
    for game in games:
        for slot in range(20):
            set_id, card = features.cards[game["cards"][slot]]
            for player in (0, 1):
                dealt = slot // 10 == player
                drawn = bool(int(game["drawn"]) >> slot & 1)
                played = bool(int(game["played"][player]) >> slot & 1)
                taken = bool(int(game["taken"][player]) >> slot & 1)
                rows.append(
                    {
                        "game": game["game"],
                        "player": player,
                        "set_id": set_id,
                        "card_id": card.card_id,
                        "stage": int(game["best_stage"][slot]),
                        "score": 0.5 if game["winner"] < 0 else float(game["winner"] == player),
                        "dealt": dealt,
                        "drawn": dealt and drawn,
                        "not_drawn": dealt and not drawn,
                        "played": played,
                        "taken": taken,
                        "lost_to_mindbug": bool(int(game["taken"][1 - player]) >> slot & 1),
                        "entered": played or taken,
                    }
                )
    return pd.DataFrame(rows)


def wilson_width(rate: float, std_err: float) -> float:
    """Width of the Wilson interval of a rate with that standard error."""
    z, n = 1.959964, rate * (1 - rate) / std_err**2
    return 2 * z * np.sqrt(rate * (1 - rate) / n + z**2 / (4 * n**2)) / (1 + z**2 / n)


def test_features_of_a_pool(pool: Pool) -> None:
    """What a pool has is told from its cards and modes."""
    features = ExpansionFeatures(pool)
    assert features.quantities == ("actions", "boosted", "dice", "energy", "power_bought")
    assert [features.cards[row][1].card_id for row in features.lines] == ["seed"]
    assert features.stages(features.lines[0]) == ["Seed", "Sprout", "Tree"]
    names = [card.name for _, card in features.power_cards]
    bought = [names[row] for row in features.power_card_copies]
    assert sorted(bought) == ["Bolt", "Gift", "Gift"]
    assert features.set_of_card.tolist() == [0] * 19 + [1] * 18


@pytest.mark.parametrize(
    ("sets", "quantities", "n_lines"),
    [
        (["first_contact"], (), 0),
        (["beyond_evolution"], ("actions",), 4),
        (["beyond_eternity"], ("boosted",), 0),
        (["king_of_tokyo"], ("dice", "energy", "power_bought"), 0),
        (["beyond_eternity", "beyond_evolution"], ("actions", "boosted"), 4),
    ],
)
def test_features_of_shipped_sets(
    sets: list[str], quantities: tuple[str, ...], n_lines: int
) -> None:
    """Each shipped set has the features of its chapter in the rules."""
    features = ExpansionFeatures(load_pool(sets))
    assert features.quantities == quantities
    assert len(features.lines) == n_lines
    assert bool(features.power_cards) == ("power_bought" in quantities)


@pytest.mark.parametrize("policies", [SAME, DIFFERENT])
def test_sets_equal_slow_twin(games: np.ndarray, pool: Pool, policies: tuple[str, str]) -> None:
    """Rates by set are plain means over cards, with the clustered error of statsmodels."""
    table = tables_of(games, pool, policies)["sets"].set_index(["set_id", "policy"])
    rows = cards_selected(games, pool)
    players = {"random": [0, 1]} if policies == SAME else {"greedy": [0], "random": [1]}
    assert len(table) == 2 * len(players)
    for (set_id, policy), got in table.iterrows():
        mine = rows[(rows["set_id"] == set_id) & rows["player"].isin(players[policy])]
        for selection in selections.SELECTION_NAMES:
            members = mine[mine[selection]]
            assert got[f"{selection}_n"] == len(members)
            mean, std_err = clustered(members["score"], members["game"])
            assert got[f"{selection}_win_rate"] == pytest.approx(mean)
            width = got[f"{selection}_ci_high"] - got[f"{selection}_ci_low"]
            assert width == pytest.approx(wilson_width(mean, std_err), rel=0.01)


@pytest.mark.parametrize("policies", [SAME, DIFFERENT])
def test_set_effect_is_a_robust_regression(
    games: np.ndarray, pool: Pool, policies: tuple[str, str]
) -> None:
    """The effect of a set is the slope of statsmodels' OLS with HC1."""
    table = tables_of(games, pool, policies)["sets"].set_index(["set_id", "policy"])
    in_alpha = ExpansionFeatures(pool).set_of_card[games["cards"]] == 0
    n0, n1 = in_alpha[:, :10].sum(axis=1), in_alpha[:, 10:].sum(axis=1)
    score = np.where(games["winner"] < 0, 0.5, games["winner"] == 0)
    columns = [n0 - n1] if policies == SAME else [n0, n1]
    design = sm.add_constant(np.column_stack(columns).astype(float))
    fit = sm.OLS(score, design).fit(cov_type="HC1")
    for number, policy in enumerate(dict.fromkeys(policies)):
        got, sign = table.loc[("alpha", policy)], 1 - 2 * number
        assert got["effect"] == pytest.approx(sign * fit.params[1 + number])
        width = got["effect_ci_high"] - got["effect_ci_low"]
        assert width == pytest.approx(2 * 1.959964 * fit.bse[1 + number])


def test_planted_worth_of_a_set_is_found(pool: Pool) -> None:
    """A set whose cards are worth 2 points more is found, in 95% of the intervals of small runs.

    The other set is worth as much less, and the two win rates by card lie on both sides of half.
    """
    covered, features = [], ExpansionFeatures(pool)
    for games in np.split(expansions_games(pool, 12_000, alpha_worth=0.02), 40):
        sets = sets_table(tally_expansions(games, features, same_policy=True), features, SAME)
        alpha, beta = sets.iloc[0], sets.iloc[1]
        assert alpha["effect"] == pytest.approx(-beta["effect"])
        covered.append(alpha["effect_ci_low"] <= 0.02 <= alpha["effect_ci_high"])
    assert np.mean(covered) == pytest.approx(0.95, abs=0.05)
    games = expansions_games(pool, 40_000, seed=7, alpha_worth=0.02)
    large = tables_of(games, pool, names=["sets"])["sets"]
    assert large["effect"].to_numpy() == pytest.approx([0.02, -0.02], abs=0.004)
    assert large["dealt_ci_low"][0] > 0.5 > large["dealt_ci_high"][1]


@pytest.mark.parametrize("policies", [SAME, DIFFERENT])
def test_stages_equal_slow_twin(games: np.ndarray, pool: Pool, policies: tuple[str, str]) -> None:
    """Shares and rates by stage are plain means over the cards of the line."""
    table = tables_of(games, pool, policies)["stages"].set_index(["card_id", "policy", "stage"])
    rows = cards_selected(games, pool)
    rows = rows[rows["card_id"] == "seed"]
    players = {"random": [0, 1]} if policies == SAME else {"greedy": [0], "random": [1]}
    assert len(table) == 4 * len(players)  # all lines would be the only line again
    for policy, who in players.items():
        mine = rows[rows["player"].isin(who)]
        dealt = mine[mine["dealt"]]
        for stage in range(4):
            got = table.loc[("seed", policy, stage)]
            mean, std_err = clustered(dealt["stage"] == stage, dealt["game"])
            assert got["share"] == pytest.approx(mean)
            width = got["share_ci_high"] - got["share_ci_low"]
            assert width == pytest.approx(wilson_width(mean, std_err), rel=0.01)
            for selection in ("dealt", "entered"):
                members = mine[mine[selection] & (mine["stage"] == stage)]
                assert got[f"{selection}_n"] == len(members)
                if len(members):
                    mean, std_err = clustered(members["score"], members["game"])
                    assert got[f"{selection}_win_rate"] == pytest.approx(mean)


def test_stages_that_no_line_has_have_no_row() -> None:
    """Two lines of two stages are told together without a third one."""
    lines = "".join(
        f'[{name}_egg]\nname = "{name} egg"\npower = 2\ncopies = 11\nevolves_to = "{name}"\n'
        f'action = "evolve this"\n[{name}]\nname = "{name}"\npower = 7\ncopies = 0\n'
        for name in ("ant", "bee")
    )
    pool = Pool((parse_set(f'name = "Eggs"\n{lines}', "eggs.toml"),), Modes())
    games = synthetic_games(compile_cards(pool.sets, pool.modes), 50)
    table = tables_of(games, pool)["stages"]
    assert table.groupby("card_id", sort=False)["stage"].agg(list).to_dict() == {
        "ant_egg": [0, 1, 2],
        "bee_egg": [0, 1, 2],
        "": [0, 1, 2],
    }


def test_planted_stages_are_found(pool: Pool) -> None:
    """Win rates by stage are those that Bayes' rule gives for the planted chances."""
    won, lost = (0.2, 0.3, 0.5), (0.6, 0.3, 0.1)
    games = expansions_games(pool, 60_000, seed=5, stage_odds=(lost, won))
    table = tables_of(games, pool)["stages"].set_index(["card_id", "stage"]).loc["seed"]
    for stage in (1, 2, 3):
        truth = won[stage - 1] / (won[stage - 1] + lost[stage - 1])
        got = table.loc[stage]
        assert got["dealt_win_rate"] == pytest.approx(truth, abs=0.02)
        assert got["dealt_ci_low"] - 0.01 < truth < got["dealt_ci_high"] + 0.01
    assert table["share"].sum() == pytest.approx(1)


def test_dice_are_pearsons_test(games: np.ndarray, pool: Pool) -> None:
    """Results, shares and chi-square of the faces are those of plain sums and of scipy."""
    dice = tables_of(games, pool)["dice"]
    faces = games["dice"].sum(axis=0)
    assert list(dice["face"]) == list(FACES)
    assert list(dice["results"]) == list(faces)
    assert dice["share"].to_numpy() == pytest.approx(faces / faces.sum())
    expected = chisquare(faces)
    assert dice["chi_square"].unique() == pytest.approx([expected.statistic])
    assert dice["p_value"].unique() == pytest.approx([expected.pvalue])
    greedy = tables_of(games, pool, DIFFERENT)["dice"]
    assert greedy["p_value"].isna().all() and greedy["share"].equals(dice["share"])


def test_fair_and_loaded_dice_are_told_apart(pool: Pool) -> None:
    """A fair die is suspected in 5% of small runs, a slightly loaded one in a large run."""
    suspected, features = [], ExpansionFeatures(pool)
    for seed in range(300):
        dice = dice_table(tally(expansions_games(pool, 60, seed=seed), pool), features, SAME)
        suspected.append(dice["p_value"][0] < 0.05)
    assert np.mean(suspected) == pytest.approx(0.05, abs=0.03)
    loaded = [1.1 / 6, *[1 / 6] * 4, 0.9 / 6]
    dice = tables_of(expansions_games(pool, 10_000, faces=loaded), pool)["dice"]
    assert dice["p_value"][0] < 1e-6
    assert dice["share_ci_low"][0] < loaded[0] < dice["share_ci_high"][0]
    assert dice["share_ci_low"][0] > dice["expected"][0] > dice["share_ci_high"][5]


@pytest.mark.parametrize("policies", [SAME, DIFFERENT])
def test_planted_power_cards_are_found(pool: Pool, policies: tuple[str, str]) -> None:
    """Who bought a power card, any copy of it, won as often as Bayes' rule gives."""
    games = expansions_games(pool, 20_000, seed=2, bought_odds=((0.1, 0.2), (0.3, 0.2)))
    table = tables_of(games, pool, policies)["power_cards"].set_index(["card_id", "policy"])
    for policy in set(policies):
        for card, share, rate in (("gift", 0.2, 0.75), ("bolt", 0.2, 0.5)):
            got = table.loc[(card, policy)]
            assert got["bought_share"] == pytest.approx(share, abs=0.01)
            assert got["bought_win_rate"] == pytest.approx(rate, abs=0.02)
            assert got["bought_ci_high"] - got["bought_ci_low"] < 0.04
    masks = games["power_bought"]
    copies = [bit for bit, row in enumerate(ExpansionFeatures(pool).power_card_copies) if row == 1]
    chosen = masks if policies == SAME else masks[:, 1:]
    has = np.logical_or.reduce([chosen >> np.uint64(bit) & np.uint64(1) != 0 for bit in copies])
    card_id = ExpansionFeatures(pool).power_cards[1][1].card_id
    assert table.loc[(card_id, "random"), "bought_n"] == has.sum()


def test_numbers_per_game(games: np.ndarray, pool: Pool) -> None:
    """Distributions and means are those of the records of games that ended by the rules."""
    tables, games = tables_of(games, pool), games[np.isin(games["ending"], (2, 3), invert=True)]
    table, features = tables["per_game"], ExpansionFeatures(pool)
    values = {
        "actions": games["actions"],
        "boosted": games["boosted"],
        "dice": games["dice"].sum(axis=1),
        "energy": games["energy"].sum(axis=1),
        "power_bought": np.bitwise_count(games["power_bought"]).sum(axis=1),
    }
    summary = expansion_summary(tally(games, pool), features, SAME).set_index("statistic")
    assert set(summary.index) == set(selections.SYSTEM_STATISTICS)
    for quantity, expected in values.items():
        rows = table[table["quantity"] == quantity]
        numbers, counts = np.unique(expected, return_counts=True)
        assert list(rows["number"]) == list(numbers)
        assert list(rows["n_games"]) == list(counts)
        assert rows["share"].sum() == pytest.approx(1)
        assert (rows["share_ci_low"].isna() == (rows["n_games"] < 1)).all()
        got = summary.loc[f"mean_{quantity}"]
        assert got["estimate"] == pytest.approx(expected.mean())
        width = 2 * 1.959964 * expected.std(ddof=1) / np.sqrt(len(games))
        assert got["ci_high"] - got["ci_low"] == pytest.approx(width, rel=0.02)
    both = expansion_summary(tally(games, pool, DIFFERENT), features, DIFFERENT)
    energy = both[both["statistic"] == "mean_energy"].set_index("policy")["estimate"]
    assert energy["greedy"] == pytest.approx(games["energy"][:, 0].mean())
    assert energy["greedy"] + energy["random"] == pytest.approx(energy["greedy:random"])


def test_open_points_are_counted(games: np.ndarray, pool: Pool) -> None:
    """Each watched open point has its games, those that never came up too."""
    table = tables_of(games, pool)["open_points"].set_index("open_point")
    assert list(table.index) == [f"O{point}" for point in selections.OPEN_POINTS]
    assert table.loc["O3", "came_up"] == (games["open_points"] & 8 > 0).sum()
    assert table.loc["O9", "share"] == 1 and table.loc["O15", "share"] == 0
    assert table.loc["O15", "share_ci_high"] > 0


@pytest.mark.parametrize("policies", [SAME, DIFFERENT])
def test_tally_does_not_depend_on_the_parts(
    games: np.ndarray, pool: Pool, policies: tuple[str, str]
) -> None:
    """Tallies of parts add up to the tally of the whole, wherever it is cut."""
    counted.check_adding_up(lambda part: tally(part, pool, policies), games)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("n_games", [0, 1, 2, 7])
@pytest.mark.parametrize("policies", [SAME, DIFFERENT])
def test_few_games_give_tables(pool: Pool, n_games: int, policies: tuple[str, str]) -> None:
    """A game or two give all tables; what is not known is nan, and nothing warns."""
    for name, table in tables_of(expansions_games(pool, n_games), pool, policies).items():
        assert list(table.columns) == list(TABLES[name].columns)


def test_tables_of_a_run(games: np.ndarray, pool: Pool, tmp_path: Path) -> None:
    """`analyze` writes the tables of the pool it played, and they come back."""
    folder = run_of_pool(tmp_path / "run", pool, games)
    tables = analysis.mindbug.analyze(folder)
    for name, table in tables_of(games, pool).items():
        pd.testing.assert_frame_equal(tables[name], table)
    for name, table in analysis.mindbug.read_tables(folder).items():
        pd.testing.assert_frame_equal(table, tables[name])
    assert "sprout" not in set(tables["cards"]["card_id"])
    assert set(selections.SYSTEM_STATISTICS) < set(tables["summary"]["statistic"])


def real_tables(
    folder: Path, sets: list[str], policies: tuple[str, str]
) -> dict[str, pd.DataFrame]:
    """The tables of a small run of shipped sets."""
    run_games(new_run(load_pool(sets), n_games=3000, seed=5, policies=policies), folder)
    return analysis.mindbug.analyze(folder)


def test_real_king_of_tokyo(tmp_path: Path) -> None:
    """Random rerolls leave the die fair (T134); energy buys power cards; nothing evolves."""
    tables = real_tables(tmp_path / "run", ["king_of_tokyo"], SAME)
    dice = tables["dice"]
    assert dice["p_value"][0] > 1e-4
    assert dice["share"].to_numpy() == pytest.approx(np.full(6, 1 / 6), abs=0.01)
    assert len(tables["power_cards"]) == 16 and (tables["power_cards"]["bought_n"] > 100).all()
    assert tables["stages"].empty and tables["sets"].empty
    mean = tables["summary"].set_index("statistic")["estimate"]
    assert mean["mean_power_bought"] > 1 and "mean_boosted" not in mean


def test_real_beyond_eternity(tmp_path: Path) -> None:
    """Beyond Eternity has boosts and nothing of the other features."""
    tables = real_tables(tmp_path / "run", ["beyond_eternity"], SAME)
    assert set(tables["per_game"]["quantity"]) == {"boosted"}
    assert tables["summary"].set_index("statistic").loc["mean_boosted", "ci_low"] > 1
    assert tables["dice"].empty and tables["power_cards"].empty


def test_real_mixture(tmp_path: Path) -> None:
    """In a mixture every card belongs to a set, and lines keep their order of stages."""
    sets = ["beyond_evolution", "king_of_tokyo", "promos"]
    tables = real_tables(tmp_path / "run", sets, ("greedy", "random"))
    rows = tables["sets"]
    assert set(rows["set_id"]) == set(sets) and len(rows) == 6
    assert rows.groupby("policy")["dealt_n"].sum().tolist() == [30_000, 30_000]
    assert rows["effect"].notna().all()
    stages = tables["stages"]
    everything = stages[stages["card_id"] == ""]
    lines = stages[stages["card_id"] != ""]
    by_policy = lines.groupby(["policy", "stage"])["dealt_n"].sum()
    for row in everything.itertuples():
        assert row.dealt_n == by_policy[row.policy, row.stage]
    assert (everything[everything["stage"] == 0]["entered_n"] == 0).all()
    assert tables["dice"]["p_value"].isna().all()
