"""The tables of a run: equal to slow twins, whatever the parts, and whole on the disk."""

import json
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import statsmodels.api as sm
from scipy.stats import t as student

import analysis.mindbug
from analysis.mindbug import selections
from analysis.mindbug.card_strength import cards_table
from analysis.mindbug.game_tables import (
    card_seats_table,
    first_player_table,
    outcomes_table,
    turns_table,
)
from analysis.mindbug.keywords import keywords_table
from analysis.mindbug.registry import TABLES
from analysis.mindbug.summary import summary_table
from analysis.mindbug.tables import RUN_TABLES
from analysis.mindbug.tallies import CardTraits, Tally, groups, tally_games
from analysis.tables import csv_text
from analysis.verdicts import MIN_GAMES, MORE, NOT_SETTLED, VERDICTS
from card_data.checksums import CHECKSUMS
from card_data.mindbug.schema import CardSet
from card_data.mindbug.vocabulary import Keyword
from simcore.mindbug.table.card_table import CardTable
from simcore.mindbug.table.compile_cards import compile_cards
from simcore.mindbug.table.records import Ending
from simcore.sealed import RunError
from support import counted
from support.slow_tables import clustered, slow_keyword_counts, slow_player_selections, slow_plays
from support.synthetic import hostile_cards, synthetic_cards, synthetic_games, synthetic_run

ROOT = Path(__file__).parents[3]
SAME, DIFFERENT = ("random", "random"), ("greedy", "random")


@pytest.fixture(scope="module")
def card_table() -> CardTable:
    """The cards of the games."""
    return synthetic_cards()


@pytest.fixture(scope="module")
def games(card_table: CardTable) -> np.ndarray:
    """A few games with every kind of ending."""
    worth = np.linspace(-0.03, 0.03, 16)
    return synthetic_games(
        card_table, 400, seed=5, worth=worth, first_player_advantage=0.1, draw_rate=0.1
    )


def tally(games: np.ndarray, card_table: CardTable, policies: tuple[str, str]) -> Tally:
    """The tally of some games."""
    same = policies[0] == policies[1]
    return tally_games(games, CardTraits.of(card_table.cards), same_policy=same, mindbugs_each=2)


@pytest.mark.parametrize("policies", [SAME, DIFFERENT])
def test_cards_equal_slow_twin(
    games: np.ndarray, card_table: CardTable, policies: tuple[str, str]
) -> None:
    """Every number of the table ``cards`` is that of plain loops over games and cards."""
    table = cards_table(
        tally(games, card_table, policies), [("set", card) for card in card_table.cards], policies
    ).set_index(["card_id", "policy"])
    rows, plays = (
        slow_player_selections(games, card_table.cards),
        slow_plays(games, card_table.cards),
    )
    assert len(table) == 16 * len(set(policies))
    for policy, players in groups(policies):
        for card in card_table.cards:
            got = table.loc[(card.card_id, policy)]
            mine = rows[(rows["card_id"] == card.card_id) & rows["player"].isin(players)]
            for selection in selections.SELECTION_NAMES:
                members = mine[mine[selection]]
                assert got[f"{selection}_n"] == len(members)
                assert got[f"{selection}_win_rate"] == pytest.approx(members["score"].mean())
            drawn, dealt = mine[mine["drawn"]], mine[mine["dealt"]]
            assert got["dead_rate"] == pytest.approx(1 - drawn["used"].mean())
            difference = drawn["score"].mean() - mine[mine["not_drawn"]]["score"].mean()
            assert got["drawn_minus_not_drawn"] == pytest.approx(difference)
            everyone = rows[rows["player"].isin(players)].drop_duplicates(["game", "player"])
            advantage = dealt["score"].mean() - everyone["score"].mean()
            assert got["advantage"] == pytest.approx(advantage)
            for result, points in (("won", 1), ("draw", 0.5), ("lost", 0)):
                share = (dealt["score"] == points).mean()
                assert got[f"dealt_{result}_rate"] == pytest.approx(share)
            mine = plays[(plays["card_id"] == card.card_id) & plays["player"].isin(players)]
            assert got["mindbug_n"] == mine["offers"].sum()
            assert got["mindbug_rate"] == pytest.approx(mine["thefts"].sum() / mine["offers"].sum())
            turns = mine[mine["turn"] > 0]
            mean, std_err = clustered(turns["turn"], turns["game"])
            assert got["mean_turn_played"] == pytest.approx(mean)
            low, high = got[["mean_turn_played_ci_low", "mean_turn_played_ci_high"]]
            freedom = min(turns["game"].nunique() - 1, 2 * (mean / std_err) ** 2 + 3)
            reach = student.ppf(0.975, freedom) * std_err  # at the ends: t times its own error
            assert mean - low == pytest.approx(reach * np.sqrt(low / mean))
            assert high - mean == pytest.approx(reach * np.sqrt(high / mean))


@pytest.mark.parametrize("policies", [SAME, DIFFERENT])
def test_card_seats_equal_slow_twin(
    games: np.ndarray, card_table: CardTable, policies: tuple[str, str]
) -> None:
    """Every number of ``card_seats`` is that of plain loops; errors are clustered by game."""
    table = seats_of(games, card_table, policies).set_index(["card_id", "policy"])
    rows = slow_player_selections(games, card_table.cards)
    starter = dict(zip(games["game"], games["first_player"], strict=True))
    rows["starts"] = rows["player"] == rows["game"].map(starter)
    for policy, players in groups(policies):
        of_policy = rows[rows["player"].isin(players)]
        everyone = of_policy.drop_duplicates(["game", "player"]).set_index(["game", "player"])
        for card in card_table.cards:
            got = table.loc[(card.card_id, policy)]
            mine = of_policy[(of_policy["card_id"] == card.card_id) & of_policy["dealt"]]
            means = {}
            for seat, starts in (("first", True), ("second", False)):
                dealt = mine.loc[mine["starts"] == starts, "score"]
                average = everyone.loc[everyone["starts"] == starts, "score"].mean()
                assert got[f"{seat}_n"] == len(dealt)
                assert got[f"{seat}_win_rate"] == pytest.approx(dealt.mean())
                assert got[f"average_{seat}_win_rate"] == pytest.approx(average)
                means[seat] = dealt.mean() - average
            assert got["gain"] == pytest.approx(means["first"] - means["second"])
            # The same by a regression: of players dealt the card and of all, stacked.
            both = pd.concat([mine.set_index(["game", "player"]), everyone])
            has = np.repeat([1.0, 0.0], [len(mine), len(everyone)])
            starts = both["starts"].to_numpy(float)
            design = np.column_stack([np.ones(len(both)), has, starts, has * starts])
            fit = sm.OLS(both["score"].to_numpy(float), design).fit(
                cov_type="cluster",
                cov_kwds={
                    "groups": both.index.get_level_values("game"),
                    "use_correction": False,
                },
            )
            assert got["gain"] == pytest.approx(fit.params[3])
            few = min(got["first_n"], got["second_n"]) < MIN_GAMES
            assert np.isnan(got["std_err"]) if few else got["std_err"] == pytest.approx(fit.bse[3])


def seats_of(
    games: np.ndarray, card_table: CardTable, policies: tuple[str, str] = SAME
) -> pd.DataFrame:
    """The table ``card_seats`` of some games."""
    pool = [("set", card) for card in card_table.cards]
    return card_seats_table(tally(games, card_table, policies), pool, policies)


def test_a_card_that_profits_from_going_first_is_found(card_table: CardTable) -> None:
    """What only the starting player has of a card is its gain; no other card has one."""
    games = synthetic_games(card_table, 60_000, seed=8, first_player_advantage=0.05)
    turned = games["first_player"] * 10
    hands = np.take_along_axis(games["cards"], turned[:, None] + np.arange(10), axis=1)
    lost = games["winner"] == 1 - games["first_player"]
    wins = (hands == 4).any(axis=1) & lost & (np.random.default_rng(1).random(len(games)) < 0.1)
    games["winner"][wins] = games["first_player"][wins]
    table = seats_of(games, card_table).set_index("card_id")
    gain = table.loc["card_04"]
    assert gain["verdict"] == MORE and gain["gain_ci_low"] > 0
    # One in ten of the 45% that a starter loses; other starters have the card as well, and those
    # who go second with a copy meet the other one less often.
    both = 2 * 10 * 10 / (32 * 31)
    has = 1 - (22 * 21) / (32 * 31)
    truth = 0.045 * (1 - 2 * has + both / has)
    assert gain["gain"] == pytest.approx(truth, abs=3 * gain["std_err"])
    assert (table["verdict"].drop("card_04") == NOT_SETTLED).all()


def test_gains_of_no_card_are_not_shown(card_table: CardTable) -> None:
    """Of many runs where no card profits from its seat, one in twenty shows one, by each rate."""
    wide, shown, runs = 0, 0, 150
    for seed in range(runs):
        table = seats_of(
            synthetic_games(card_table, 1500, seed=seed, first_player_advantage=0.05), card_table
        )
        wide += (table["gain"].abs() > 1.96 * table["std_err"]).sum()
        shown += (table["verdict"] != NOT_SETTLED).any()
        settled = (table["gain_ci_low"] > 0) | (table["gain_ci_high"] < 0)
        assert list(settled) == list(table["q_value"] < 0.05)
    assert wide / (16 * runs) == pytest.approx(0.05, abs=0.02)
    assert shown / runs <= 0.12


@pytest.mark.parametrize("policies", [SAME, DIFFERENT])
def test_keywords_equal_slow_twin(
    games: np.ndarray, card_table: CardTable, policies: tuple[str, str]
) -> None:
    """Every rate of the table ``keywords`` is that of plain loops over games and cards."""
    table = keywords_table(tally(games, card_table, policies), card_table.cards, policies)
    rows = slow_keyword_counts(games, card_table.cards)
    for policy, players in groups(policies):
        for keyword in Keyword:
            mine = rows[(rows["keyword"] == keyword.name) & rows["player"].isin(players)]
            got = table[(table["keyword"] == keyword.name) & (table["policy"] == policy)]
            got = got.set_index("n_cards")
            for selection in selections.SELECTION_NAMES:
                expected = mine.groupby(selection)["score"].agg(["size", "mean"])
                found = got[got[f"{selection}_n"] > 0]
                np.testing.assert_array_equal(found.index, expected.index)
                np.testing.assert_array_equal(found[f"{selection}_n"], expected["size"])
                np.testing.assert_allclose(found[f"{selection}_win_rate"], expected["mean"])


def test_keyword_effects_are_a_robust_regression(games: np.ndarray, card_table: CardTable) -> None:
    """The effects are those of statsmodels' OLS on differences between the players, with HC1."""
    table = keywords_table(tally(games, card_table, SAME), card_table.cards, SAME)
    rows = slow_keyword_counts(games, card_table.cards)
    wide = rows.pivot(index=["game", "player"], columns="keyword", values="dealt")
    wide = wide[[keyword.name for keyword in Keyword]]
    first = rows.drop_duplicates(["game", "player"]).set_index(["game", "player"])
    wide["power"] = first["power"]
    difference = wide.xs(0, level="player") - wide.xs(1, level="player")
    score = first["score"].xs(0, level="player") - 0.5
    fit = sm.OLS(score, sm.add_constant(difference.astype(float))).fit(cov_type="HC1")
    effects = table.drop_duplicates("keyword").set_index("keyword")
    for keyword in Keyword:
        got = effects.loc[keyword.name]
        assert got["effect"] == pytest.approx(fit.params[keyword.name])
        interval = got["effect_ci_low"], got["effect_ci_high"]
        assert interval == pytest.approx(tuple(fit.conf_int().loc[keyword.name]))
    summary = summary_table(tally(games, card_table, SAME), SAME).set_index("statistic")
    assert summary.loc["power_effect", "estimate"] == pytest.approx(fit.params["power"])


def test_keyword_effects_of_two_policies(games: np.ndarray, card_table: CardTable) -> None:
    """With two policies each player's cards have coefficients of their own."""
    table = keywords_table(tally(games, card_table, DIFFERENT), card_table.cards, DIFFERENT)
    rows = slow_keyword_counts(games, card_table.cards)
    wide = rows.pivot(index="game", columns=["keyword", "player"], values="dealt")
    first = rows.drop_duplicates(["game", "player"])
    power = first.pivot(index="game", columns="player", values="power")
    design = np.column_stack([np.ones(len(wide)), wide, power]).astype(float)
    score = first[first["player"] == 0]["score"].to_numpy()
    fit = sm.OLS(score, design).fit(cov_type="HC1")
    effects = table.drop_duplicates(["keyword", "policy"]).set_index(["keyword", "policy"])
    for column, (keyword, player) in enumerate(wide.columns, start=1):
        got = effects.loc[(keyword, DIFFERENT[player])]
        sign = 1 - 2 * player
        assert got["effect"] == pytest.approx(sign * fit.params[column])
        width = got["effect_ci_high"] - got["effect_ci_low"]
        assert width == pytest.approx(2 * 1.959964 * fit.bse[column])


def test_planted_keyword_effect_is_found(card_table: CardTable) -> None:
    """A keyword worth 2 points a card is found; those worth nothing are near zero."""
    worth = np.array([0.02 * (Keyword.SNEAKY in card.keywords) for card in card_table.cards])
    games = synthetic_games(card_table, 40_000, seed=8, worth=worth)
    table = keywords_table(tally(games, card_table, SAME), card_table.cards, SAME)
    effects = table.drop_duplicates("keyword").set_index("keyword")
    for keyword in Keyword:
        truth = 0.02 if keyword is Keyword.SNEAKY else 0.0
        got = effects.loc[keyword.name]
        half_width = (got["effect_ci_high"] - got["effect_ci_low"]) / 2
        assert got["effect"] == pytest.approx(truth, abs=2 * half_width)
        assert half_width < 0.01


def test_keyword_missing_from_the_pool_has_no_rows() -> None:
    """A pool without SNEAKY and TOUGH has the other keywords only, with their effects."""
    missing = {Keyword.SNEAKY, Keyword.TOUGH}
    cards = [card for card in synthetic_cards(30).cards if not card.keywords & missing]
    card_table = compile_cards([CardSet("synthetic", "Synthetic", tuple(cards))])
    games = synthetic_games(card_table, 500, seed=1)
    table = keywords_table(tally(games, card_table, SAME), card_table.cards, SAME)
    assert set(table["keyword"]) == {"FRENZY", "HUNTER", "POISONOUS"}
    assert table["effect"].notna().all()


@pytest.mark.parametrize("policies", [SAME, DIFFERENT])
def test_match_tables_equal_slow_twin(
    games: np.ndarray, card_table: CardTable, policies: tuple[str, str]
) -> None:
    """First player, turns and outcomes are plain counts of games by who started."""
    counts = tally(games, card_table, policies)
    frame = pd.DataFrame({name: games[name] for name in ("first_player", "winner", "turns")})
    frame["ending"] = [Ending(e).name.lower() for e in games["ending"]]
    frame["policy_first"] = [policies[player] for player in games["first_player"]]
    frame["score"] = np.where(
        games["winner"] < 0, 0.5, games["winner"] == games["first_player"]
    ).astype(float)
    first_player = first_player_table(counts, policies).set_index("policy_first")
    turns = turns_table(counts, policies).set_index(["policy_first", "turns"])
    outcomes = outcomes_table(counts, policies).set_index(["policy_first", "ending", "seat"])
    assert len(outcomes) == 2 * len(Ending) * len(set(policies))
    for policy, mine in frame.groupby("policy_first"):
        assert first_player.loc[policy, "n_games"] == len(mine)
        got = first_player.loc[policy, "first_player_win_rate"]
        assert got == pytest.approx(mine["score"].mean())
        assert first_player.loc[policy, "drawn"] == (mine["winner"] < 0).sum()
        for length, same_length in mine.groupby("turns"):
            got = turns.loc[(policy, length)]
            assert got["n_games"] == len(same_length)
            assert got["share"] == pytest.approx(len(same_length) / len(mine))
            assert got["first_player_win_rate"] == pytest.approx(same_length["score"].mean())
            assert got["won"] == (same_length["score"] == 1).sum()
        for ending, ended in mine.groupby("ending"):
            for seat, worth in (("first", 1.0), ("second", 0.0)):
                got = outcomes.loc[(policy, ending, seat)]
                assert got["ended"] == len(ended)
                assert got["won"] == (ended["score"] == worth).sum()
                assert got["lost"] == (ended["score"] == 1 - worth).sum()
                assert got["won_rate"] == pytest.approx(got["won"] / len(mine))
    assert turns.groupby("policy_first")["cumulative_share"].max().to_numpy() == pytest.approx(1)


def test_summary_equals_slow_twin(games: np.ndarray, card_table: CardTable) -> None:
    """The statistics of R125 are means over the records, those of single games over ended ones."""
    summary = summary_table(tally(games, card_table, SAME), SAME).set_index("statistic")
    decided = games[games["winner"] >= 0]
    ended = games[(games["ending"] != Ending.CAPPED) & (games["ending"] != Ending.LOOPED)]
    assert len(ended) < len(games)
    expected = {
        "draw_rate": (games["winner"] < 0).mean(),
        "no_action_rate": (games["ending"] == 1).mean(),
        "capped_rate": (games["ending"] == 2).mean(),
        "looped_rate": (games["ending"] == 3).mean(),
        "effect_rate": (games["ending"] == 4).mean(),
        "mean_turns": ended["turns"].mean(),
        "variance_turns": ended["turns"].var(ddof=1),
        "mean_mindbugs_used": (4 - ended["mindbugs"].sum(axis=1)).mean(),
        "mean_winner_life": np.mean([game["life"][game["winner"]] for game in decided]),
        **{
            f"mean_{name}": ended[name].mean()
            for name in ("decisions", "attacks", "second_attacks", "blocks", "hunts")
            + ("defeats", "tough_saves")
        },
    }
    for statistic, value in expected.items():
        assert summary.loc[statistic, "estimate"] == pytest.approx(value), statistic
    std_err = ended["attacks"].std(ddof=1) / np.sqrt(len(ended))
    width = summary.loc["mean_attacks", "ci_high"] - summary.loc["mean_attacks", "ci_low"]
    assert width == pytest.approx(2 * 1.959964 * std_err, rel=0.02)
    assert summary.loc["mean_attacks", "n_games"] == len(ended)
    assert set(summary.index) == set(selections.STATISTICS) - {"win_rate"}


def test_summary_of_two_policies_names_them(games: np.ndarray, card_table: CardTable) -> None:
    """With two policies the win rate and the Mindbugs used are given for each of them."""
    summary = summary_table(tally(games, card_table, DIFFERENT), DIFFERENT)
    assert set(summary["statistic"]) == set(selections.STATISTICS)
    rates = summary[summary["statistic"] == "win_rate"].set_index("policy")["estimate"]
    assert rates["greedy"] + rates["random"] == pytest.approx(1)
    used = summary[summary["statistic"] == "mean_mindbugs_used"].set_index("policy")["estimate"]
    assert used["greedy"] + used["random"] == pytest.approx(used["greedy:random"])


@pytest.mark.parametrize("policies", [SAME, DIFFERENT])
def test_tally_does_not_depend_on_the_parts(
    games: np.ndarray, card_table: CardTable, policies: tuple[str, str]
) -> None:
    """Tallies of parts add up to the tally of the whole, wherever it is cut."""
    counted.check_adding_up(lambda part: tally(part, card_table, policies), games)
    assert tally(games, card_table, policies).n_games == len(games)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("n_games", [1, 2, 7])
def test_few_games_give_tables(card_table: CardTable, n_games: int, tmp_path: Path) -> None:
    """A run of a game or two has all its tables; what is not known is nan, and nothing warns."""
    folder = synthetic_run(tmp_path / "run", card_table, synthetic_games(card_table, n_games))
    tables = analysis.mindbug.analyze(folder, threads=1)
    assert list(tables) == list(RUN_TABLES)
    assert set(tables["cards"]["verdict"]) == {"needs more games"}
    assert tables["first_player"]["n_games"].sum() == n_games


def test_written_tables_are_the_same_for_any_threads(
    card_table: CardTable, games: np.ndarray, tmp_path: Path
) -> None:
    """The files are the same bytes for one and two threads and come back as they were."""
    games = np.concatenate([games] * 6)
    folder = synthetic_run(tmp_path / "run", card_table, games, policies=DIFFERENT)
    tables = analysis.mindbug.analyze(folder, threads=1)
    once = {path.name: path.read_bytes() for path in (folder / "tables").iterdir()}
    progress: list[tuple[int, int]] = []
    analysis.mindbug.analyze(folder, threads=2, on_progress=lambda *done: progress.append(done))
    again = {path.name: path.read_bytes() for path in (folder / "tables").iterdir()}
    assert once == again
    assert set(once) == {f"{name}.{kind}" for name in RUN_TABLES for kind in ("csv", "parquet")}
    in_all = 3 + len(RUN_TABLES)  # parts are counted, then tables are written
    assert progress == [(done, in_all) for done in range(1, in_all + 1)]
    for name, table in analysis.mindbug.read_tables(folder).items():
        pd.testing.assert_frame_equal(table, tables[name])
        assert list(table.columns) == list(TABLES[name].columns)
        csv = pd.read_csv(folder / "tables" / f"{name}.csv", keep_default_na=False, na_values=[""])
        for column in table.select_dtypes("number"):
            np.testing.assert_allclose(csv[column], table[column], rtol=1e-8)


def test_names_are_no_formulas(tmp_path: Path, games: np.ndarray) -> None:
    """A name that a spreadsheet would run gets an apostrophe in the CSV file, and only there."""
    name = "=cmd|' /C calc'!A0"
    folder = synthetic_run(tmp_path / "run", hostile_cards([name]), games)
    tables = analysis.mindbug.analyze(folder)
    assert tables["cards"]["name"][0] == name
    csv = pd.read_csv(folder / "tables" / "cards.csv")
    assert csv["name"][0] == f"'{name}"
    assert csv["name"][1] == "Card 1"


def test_a_text_that_is_missing_is_an_empty_cell() -> None:
    """A column of texts may say nothing of a row; the CSV file has nothing there."""
    table = pd.DataFrame({"reference": pd.Series(["=Giant", None], dtype="str"), "n": [1, 2]})
    assert csv_text(table) == "reference,n\n'=Giant,1\n,2\n"


@pytest.mark.parametrize("kind", ["str", "string", "object", "category"])
def test_texts_of_every_kind_are_no_formulas(kind: str) -> None:
    """Names of columns as well; a table of a person's own may hold texts in many ways."""
    table = pd.DataFrame({"=n": [1.5, 2], "of": pd.Series(["=a", None], dtype=kind)})
    assert csv_text(table) == "'=n,of\n1.5,'=a\n2,\n"


def test_changed_cards_are_refused(
    card_table: CardTable, games: np.ndarray, tmp_path: Path
) -> None:
    """A run folder whose card files were edited, broken or removed is an error that says so.

    So they are where no checksums are there to tell, as in runs of earlier versions.
    """
    folder = synthetic_run(tmp_path / "run", card_table, games)
    path = folder / "cards" / "synthetic.toml"
    text = path.read_text()
    path.write_text(text.replace("power = 3", "power = 4"))
    with pytest.raises(RunError, match="this is not what a command wrote here"):
        analysis.mindbug.analyze(folder)
    (folder / CHECKSUMS).unlink()
    with pytest.raises(RunError, match="not those of the run"):
        analysis.mindbug.analyze(folder)
    path.write_text(text.replace("power = 3", "power = three"))
    with pytest.raises(RunError, match="cannot be read"):
        analysis.mindbug.analyze(folder)
    path.unlink()
    with pytest.raises(RunError, match="there is no file"):
        analysis.mindbug.analyze(folder)


def test_damaged_part_is_named(card_table: CardTable, games: np.ndarray, tmp_path: Path) -> None:
    """A flipped bit in a part stops the analysis with the name of the part."""
    folder = synthetic_run(tmp_path / "run", card_table, np.concatenate([games] * 6))
    part = folder / "games" / "part-00001.parquet"
    data = bytearray(part.read_bytes())
    data[len(data) // 2] ^= 4
    part.write_bytes(data)
    with pytest.raises(RunError, match=r"part-00001\.parquet is damaged"):
        analysis.mindbug.analyze(folder, threads=2)
    assert not (folder / "tables").exists()


def test_bad_tables_are_named(card_table: CardTable, games: np.ndarray, tmp_path: Path) -> None:
    """Tables that are missing, damaged or of another version are errors that say what to do."""
    folder = synthetic_run(tmp_path / "run", card_table, games)
    with pytest.raises(RunError, match=r"summary\.parquet is missing; run 'fairdeal analyze"):
        analysis.mindbug.read_tables(folder)
    tables = analysis.mindbug.analyze(folder)
    path = folder / "tables" / "turns.parquet"
    short = {"turns": tables["turns"].drop(columns="share")}
    analysis.mindbug.write_tables(short, folder, analysis.mindbug.open_run(folder).identity)
    with pytest.raises(RunError, match="has no column share"):
        analysis.mindbug.read_tables(folder)
    path.write_bytes(path.read_bytes()[:200])
    with pytest.raises(RunError, match=r"turns\.parquet is damaged"):
        analysis.mindbug.read_tables(folder)


def test_threads_must_be_positive(tmp_path: Path) -> None:
    """Zero threads is an error that says so."""
    with pytest.raises(ValueError, match="at least 1"):
        analysis.mindbug.analyze(tmp_path, threads=0)


def test_methods_page_defines_every_word() -> None:
    """docs/methods.md quotes selections, verdicts and statistics, docs/columns.md measures."""
    page, columns = (
        " ".join((ROOT / "docs" / f"{name}.md").read_text().split())
        for name in ("methods", "columns")
    )
    for selection in selections.SELECTIONS:
        assert selection.definition in page and selection.reading in page
    assert all(meaning in page for meaning in VERDICTS.values())
    assert all(meaning in columns for meaning in selections.MEASURES.values())
    assert (
        selections.SCORE in page
        and selections.OBSERVED in page
        and selections.STOPPED_GAMES in page
    )
    assert selections.UNUSED_COPIES in page


def test_manifest_is_not_touched(card_table: CardTable, games: np.ndarray, tmp_path: Path) -> None:
    """The analysis leaves the run as it is."""
    folder = synthetic_run(tmp_path / "run", card_table, games)
    manifest = (folder / "manifest.json").read_text()
    analysis.mindbug.analyze(folder)
    assert (folder / "manifest.json").read_text() == manifest
    assert json.loads(manifest)["counts"]["games"] == len(games)
