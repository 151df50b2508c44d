"""Cards that change sides between weak and strong players are found, and no others."""

import shutil
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.typing import ArrayLike

import analysis.mindbug
from analysis.confidence import normal_z
from analysis.estimates import two_sided_p
from analysis.mindbug import selections
from analysis.mindbug.experiments.skill import (
    compare_skill,
    read_skill_tables,
    rungs_of,
    skill_tables,
)
from analysis.mindbug.registry import TABLES
from analysis.mindbug.selections import SKILL_VERDICTS
from analysis.verdicts import LESS, MORE, NOT_SETTLED, changes
from simcore.sealed import RunError
from support.synthetic import synthetic_cards, synthetic_games, synthetic_run

ROOT = Path(__file__).parents[4]
RUNGS = ("random", "greedy", "learned")


def run_of(
    folder: Path, policy: str, n_games: int, worth: dict[int, float] | None = None, seed: int = 0
) -> Path:
    """A finished run of a policy against itself in which some cards are worth something."""
    worths = np.zeros(16)
    for card, value in (worth or {}).items():
        worths[card] = value
    games = synthetic_games(
        synthetic_cards(), n_games, seed=seed, worth=worths, first_player_advantage=0.04
    )
    return synthetic_run(folder, synthetic_cards(), games, policies=(policy, policy))


def analysed(folders: list[Path]) -> dict[str, dict[str, pd.DataFrame]]:
    """The tables of runs by their policy."""
    rungs = rungs_of([analysis.mindbug.open_run(folder) for folder in folders])
    return {
        rung: analysis.mindbug.analyze(folder) for rung, folder in zip(rungs, folders, strict=True)
    }


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Three runs: card 0 rises, 1 falls, 2 is strong and 3 weak for everyone."""
    place = tmp_path_factory.mktemp("skill")
    worths = [
        {0: -0.04, 1: 0.04, 2: 0.04, 3: -0.04, 4: 0.04},
        {2: 0.04, 3: -0.04, 5: -0.04},
        {0: 0.04, 1: -0.04, 2: 0.04, 3: -0.04},
    ]
    return [
        run_of(place / policy, policy, 20_000, worth, seed)
        for seed, (policy, worth) in enumerate(zip(RUNGS, worths, strict=True))
    ]


@pytest.fixture(scope="module")
def runs(folders: list[Path]) -> dict[str, dict[str, pd.DataFrame]]:
    """Their tables."""
    return analysed(folders)


def made_up(advantage: np.ndarray, std_err: np.ndarray, n: int = 10_000) -> pd.DataFrame:
    """A table of cards with these estimates."""
    return pd.DataFrame(
        {
            "card_id": [f"card_{i}" for i in range(len(advantage))],
            "name": "Card",
            "set_id": "synthetic",
            "policy": "random",
            "dealt_n": n,
            "advantage": advantage,
            "advantage_ci_low": advantage - normal_z() * std_err,
            "advantage_ci_high": advantage + normal_z() * std_err,
            "std_err": std_err,
            "p_value": two_sided_p(advantage, std_err),
            "band": 0.02,
            "verdict": "fair",
            "mindbug_n": 10,
            "mindbug_rate": 0.5,
            "mindbug_rate_ci_low": 0.4,
            "mindbug_rate_ci_high": 0.6,
        }
    )


def verdicts_of(weak: ArrayLike, strong: ArrayLike, std_err: float = 0.01) -> pd.DataFrame:
    """One row per card of made-up tables of two rungs."""
    first = pd.DataFrame({"n_games": [9], "first_player_win_rate": 0.5, "ci_low": 0, "ci_high": 1})
    summary = pd.DataFrame(
        {
            "statistic": ["mean_mindbugs_used", "mean_turns", "draw_rate"],
            "estimate": 1.0,
            "ci_low": 0.0,
            "ci_high": 2.0,
        }
    )
    runs = {
        policy: {
            "cards": made_up(np.array(values, float), np.full(np.size(values), std_err)),
            "first_player": first,
            "summary": summary,
        }
        for policy, values in (("random", weak), ("learned", strong))
    }
    cards = skill_tables(runs)["skill_cards"]
    return cards[cards["rung"] == 1].reset_index(drop=True)


# ------------------------------------------------------------------------- planted truths


def test_planted_cards_get_the_right_word(runs: dict[str, dict[str, pd.DataFrame]]) -> None:
    """The cards whose worth changes with who plays are named, whatever is between."""
    cards = skill_tables(runs)["skill_cards"].drop_duplicates("card_id").set_index("card_id")
    verdict = cards["skill_verdict"]
    assert (verdict["card_00"], verdict["card_01"]) == (MORE, LESS)
    ends = cards["change_ci_low"], cards["change_ci_high"]
    assert list(verdict) == list(changes(*ends))
    assert set(verdict) <= set(SKILL_VERDICTS)


def test_every_estimate_is_of_one_run(runs: dict[str, dict[str, pd.DataFrame]]) -> None:
    """Each row repeats the numbers of its run; only the change is about two of them."""
    cards = skill_tables(runs)["skill_cards"]
    assert list(cards["policy"].unique()) == list(RUNGS)
    for rung, (policy, tables) in enumerate(runs.items()):
        mine = cards[cards["policy"] == policy].reset_index(drop=True)
        assert set(mine["rung"]) == {rung}
        assert list(mine["n"]) == list(tables["cards"]["dealt_n"])
        for column in ("card_id", "advantage", "advantage_ci_low", "verdict", "mindbug_rate"):
            assert list(mine[column]) == list(tables["cards"][column])
    first, last = (runs[policy]["cards"] for policy in (RUNGS[0], RUNGS[-1]))
    for _, mine in cards.groupby("rung"):
        np.testing.assert_allclose(mine["change"], last["advantage"] - first["advantage"])
        assert (mine["change_ci_low"] < mine["change"]).all()
        assert (mine["change"] < mine["change_ci_high"]).all()


def test_games_of_each_rung(runs: dict[str, dict[str, pd.DataFrame]]) -> None:
    """Going first, Mindbugs, turns and draws are those of each run."""
    summary = skill_tables(runs)["skill_summary"].set_index("policy")
    assert list(summary["rung"]) == [0, 1, 2]
    for policy, tables in runs.items():
        row, first = summary.loc[policy], tables["first_player"].iloc[0]
        known = tables["summary"].set_index("statistic")["estimate"]
        assert row["first_player_advantage"] == first["first_player_win_rate"] - 0.5
        assert row["first_player_advantage_ci_low"] < 0.04 < row["first_player_advantage_ci_high"]
        for statistic in ("mean_mindbugs_used", "mean_turns", "draw_rate"):
            assert row[statistic] == known[statistic]


# ------------------------------------------------------------------------------- verdicts


@pytest.mark.parametrize(
    ("weak", "strong", "verdict"),
    [
        (-5, 5, MORE),
        (5, -5, LESS),
        (1, 5, MORE),
        (5, 5, NOT_SETTLED),
        (1, -1, NOT_SETTLED),
        (np.nan, 5, NOT_SETTLED),
        (-5, np.nan, NOT_SETTLED),
    ],
)
def test_a_change_must_be_shown(weak: float, strong: float, verdict: str) -> None:
    """A card is worth more or less when the interval of the change leaves zero out."""
    card = verdicts_of([weak / 100], [strong / 100]).iloc[0]
    assert card["skill_verdict"] == verdict
    assert set(SKILL_VERDICTS) == {MORE, LESS, NOT_SETTLED}


def test_few_cards_change_by_luck() -> None:
    """Where nothing changes few sets of cards have a false finding."""
    rng = np.random.default_rng(1)
    wrong = [
        verdicts_of(rng.normal(0, 0.01, 30), rng.normal(0, 0.01, 30))["skill_verdict"]
        .isin([MORE, LESS])
        .any()
        for _ in range(300)
    ]
    assert np.mean(wrong) < 0.08


def test_what_deals_have_in_common_cancels_in_the_change(tmp_path: Path) -> None:
    """Runs of one seed err alike, so a change between them is known better than one of two seeds.

    Players who play the same games have no change, and no interval around it.
    """
    table, worth = synthetic_cards(), {2: 0.04}

    def change(name: str, seeds: tuple[int, int], more: float = 0.0) -> pd.DataFrame:
        folders = []
        for rung, seed in zip(RUNGS, seeds, strict=False):
            worths = np.zeros(16)
            worths[2] = worth[2] + more * (rung != RUNGS[0])
            games = synthetic_games(table, 20_000, seed=seed, worth=worths)
            folder = tmp_path / name / rung
            synthetic_run(folder, table, games, policies=(rung, rung), seed=seed)
            folders.append(folder)
        runs = [analysis.mindbug.open_run(folder) for folder in folders]
        tables = [analysis.mindbug.analyze(folder) for folder in folders]
        found = compare_skill(runs, tables, [])["skill_cards"]
        return found[found["rung"] == 0].set_index("card_id")

    alone, alike, same = (
        change("alone", (1, 2)),
        change("alike", (1, 1), 0.02),
        change("same", (1, 1)),
    )
    widths = [(one["change_ci_high"] - one["change_ci_low"]).mean() for one in (alone, alike, same)]
    assert widths[1] < widths[0] / 3 and widths[2] == pytest.approx(0, abs=1e-6)
    assert alike["skill_verdict"].iloc[2] == MORE
    assert (same["change"] == 0).all() and (same["skill_verdict"] == NOT_SETTLED).all()


def test_interval_of_the_change() -> None:
    """The interval of the change contains the truth in 95% of cases, and is no wider."""
    rng = np.random.default_rng(2)
    cards = verdicts_of(-0.02 + rng.normal(0, 0.01, 4000), 0.03 + rng.normal(0, 0.01, 4000))
    inside = (cards["change_ci_low"] < 0.05) & (cards["change_ci_high"] > 0.05)
    assert inside.mean() == pytest.approx(0.95, abs=0.012)
    width = cards["change_ci_high"] - cards["change_ci_low"]
    np.testing.assert_allclose(width, 2 * normal_z() * np.sqrt(2) * 0.01, rtol=0.02)
    alone = verdicts_of([-0.02], [0.03])
    p_value = two_sided_p(0.05, np.sqrt(2) * 0.01)
    assert alone["change_q_value"][0] == pytest.approx(p_value)


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("n_games", [1, 30])
def test_few_games_give_tables(n_games: int, tmp_path: Path) -> None:
    """A game or two show nothing, and nothing warns."""
    folders = [run_of(tmp_path / policy, policy, n_games) for policy in RUNGS[:2]]
    tables = skill_tables(analysed(folders))
    assert set(tables["skill_cards"]["skill_verdict"]) == {NOT_SETTLED}
    assert tables["skill_cards"]["change_q_value"].isna().all()
    assert list(tables["skill_summary"]["n_games"]) == [n_games] * 2


# ---------------------------------------------------------------------------------- files


def test_tables_come_back(
    runs: dict[str, dict[str, pd.DataFrame]], folders: list[Path], tmp_path: Path
) -> None:
    """Written and read tables are the same, with the columns that are described."""
    assert read_skill_tables(folders[1]) == {}
    tables = skill_tables(runs)
    run = analysis.mindbug.open_run(shutil.copytree(folders[1], tmp_path / "run"))
    analysis.mindbug.write_tables(tables, run.folder, run.identity)
    for name, table in read_skill_tables(run.folder).items():
        pd.testing.assert_frame_equal(table, tables[name])
        assert list(table.columns) == list(TABLES[name].columns)
        assert (run.folder / "tables" / f"{name}.csv").exists()
    path = run.folder / "tables" / "skill_summary.parquet"
    short = {"skill_summary": tables["skill_summary"].drop(columns="rung")}
    analysis.mindbug.write_tables(short, run.folder, run.identity)
    with pytest.raises(RunError, match="no column rung; compare the players again"):
        read_skill_tables(run.folder)
    path.write_bytes(b"PAR1")
    with pytest.raises(RunError, match="is damaged"):
        read_skill_tables(run.folder)


def test_runs_that_cannot_be_compared(folders: list[Path], tmp_path: Path) -> None:
    """One run, a match of two policies, the same policy twice and another pool are refused."""
    opened = [analysis.mindbug.open_run(folder) for folder in folders]
    with pytest.raises(RunError, match="two or more"):
        rungs_of(opened[:1])
    with pytest.raises(RunError, match="were both played by random"):
        rungs_of([opened[0], opened[1], opened[0]])
    cards, games = synthetic_cards(), synthetic_games(synthetic_cards(), 10)
    match = synthetic_run(tmp_path / "match", cards, games, policies=("greedy", "random"))
    with pytest.raises(RunError, match="greedy against random; skill compares"):
        rungs_of([opened[0], analysis.mindbug.open_run(match)])
    cards = synthetic_cards(15)
    other = synthetic_run(tmp_path / "other", cards, synthetic_games(cards, 10))
    with pytest.raises(
        RunError,
        match=r"are runs of different pools.*simulate --pool .*pool\.toml --policy random' plays",
    ):
        rungs_of([opened[1], analysis.mindbug.open_run(other)])


def test_methods_page_defines_every_word() -> None:
    """docs/methods.md quotes what is said of cards by skill."""
    page = " ".join((ROOT / "docs" / "methods.md").read_text().split())
    for word, meaning in SKILL_VERDICTS.items():
        assert f"| {word} | {meaning} |" in page
    assert selections.SKILL_CHANGE in page
