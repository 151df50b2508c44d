"""Mean and spread of a change over cards, against slow counts and planted truths."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from attrs import evolve

import analysis.mindbug
from analysis.mindbug.experiments.keyword_experiment import (
    cost_of,
    is_cheap,
    keyword_effects,
    read_keyword_effects,
)
from analysis.mindbug.experiments.sensitivity import effects_by_change, sensitivity_tables
from analysis.mindbug.experiments.sensitivity_games import (
    BASE_GAME,
    OUTCOME,
    Experiments,
    Laboratory,
)
from analysis.mindbug.experiments.trials import Scores, Trials
from analysis.mindbug.registry import TABLES
from analysis.questions.worth import spread_of
from card_data.mindbug import load_pool
from card_data.mindbug.schema import Card, CardSet, Pool
from card_data.mindbug.variants import KEYWORDS, POWER, Variant, dealt_cards, variants_of
from card_data.mindbug.vocabulary import Keyword
from simcore.mindbug import compile_cards, play_games
from simcore.sealed import RunError
from support.synthetic import kept, synthetic_cards, synthetic_games

TABLE = synthetic_cards()
POOL = Pool((CardSet("synthetic", "Synthetic", TABLE.cards),), TABLE.modes)
#: Games of experiments that are played here.
GAMES = 300


def small_pool() -> Pool:
    """Ten plain creatures, two of which have a keyword."""
    cards = [Card(f"card_{power}", f"Card {power}", power, copies=3) for power in range(1, 10)]
    cards[3] = evolve(cards[3], keywords=frozenset([Keyword.TOUGH]))
    cards[5] = evolve(cards[5], keywords=frozenset([Keyword.TOUGH, Keyword.SNEAKY]))
    return Pool((CardSet("small", "Small", tuple(cards)),))


def played(pool: Pool, folder: Path, policy: str = "random") -> analysis.mindbug.Run:
    """A run of a few games."""
    return analysis.mindbug.play_run(pool, folder, games=400, policy=policy, seed=5)


# ------------------------------------------------------------------------- planted truths


@pytest.mark.parametrize(("k", "truth"), [(5, 0.004), (29, 0.004), (29, 0.02)])
def test_spread_is_free_of_noise_and_its_interval_covers(k: int, truth: float) -> None:
    """With errors that depend on each other its square is unbiased; 95% of intervals cover."""
    rng = np.random.default_rng(k)
    true = rng.standard_normal(k)
    true = truth * (true - true.mean()) / true.std(ddof=1)
    common = 0.005**2 * np.ones((k, k))
    covariance = common + np.diag(rng.uniform(0.006, 0.012, k) ** 2)
    root = np.linalg.cholesky(covariance)
    runs = 250
    found = [spread_of(true + root @ rng.standard_normal(k), covariance) for _ in range(runs)]
    estimate, low, high = np.array(found).T
    covered = ((low <= truth) & (truth <= high)).mean()
    assert 0.92 <= covered <= 0.99
    if truth > 0.01:  # else many are cut off at zero
        assert np.mean(estimate**2) == pytest.approx(truth**2, rel=0.06)


def test_spread_of_cards_that_are_all_alike_is_usually_nothing() -> None:
    """Estimates that differ by luck alone have no spread: 0 lies in 95% of the intervals."""
    rng = np.random.default_rng(3)
    covariance = 1e-4 * np.eye(20)
    found = [spread_of(0.01 * rng.standard_normal(20), covariance) for _ in range(200)]
    lows = np.array([spread.low for spread in found])
    assert (lows == 0).mean() >= 0.94
    assert np.median([spread.estimate for spread in found]) < 0.004


def test_mean_and_spread_in_made_up_games_cover_the_truth() -> None:
    """A change worth 3 points more or less: 40 small experiments find mean and spread."""
    cards = range(16)
    change = np.where(np.arange(16) % 2 == 0, 0.03, 0.01)

    def row(n_games: int, seed: int) -> pd.Series:
        base = kept(synthetic_games(TABLE, n_games, seed=seed, worth=np.zeros(16)), BASE_GAME)
        tested = []
        for card in cards:
            worth = np.where(np.arange(16) == card, change, 0.0)
            games = kept(synthetic_games(TABLE, n_games, seed=seed, worth=worth), OUTCOME)
            face = TABLE.cards[card]
            variant = Variant("power+1", "power", "", face)
            tested.append(Trials(face, face, (variant,), (games,)))
        return effects_by_change({"random": Scores(POOL, base)}, tested).iloc[0]

    truth = row(30_000, 999)
    assert 0.01 < truth["effect"] < 0.03 and 0.004 < truth["spread"] < 0.015
    found = pd.DataFrame([row(400, seed) for seed in range(40)])
    for column in ("effect", "spread"):
        low, high = found[f"{column}_ci_low"], found[f"{column}_ci_high"]
        covered = (low <= truth[column]) & (truth[column] <= high)
        assert covered.mean() >= 0.85, column
    assert found["effect"].std() == pytest.approx(found["std_err"].mean(), rel=0.35)


# ------------------------------------------------------------------------- slow counts


def test_effects_against_slow_counts(tmp_path: Path) -> None:
    """The mean is that of the single differences, its error that of plain loops over games."""
    pool = small_pool()
    laboratory = Laboratory(Experiments(pool, "random", GAMES, 2), tmp_path)
    base, tested = laboratory.play_base(), []
    for card in dealt_cards(pool):
        variants = tuple(variants_of(card, card, (KEYWORDS, POWER)))
        outcomes = tuple(laboratory.play([variant.card for variant in variants]))
        tested.append(Trials(card, card, variants, outcomes))
    tables = sensitivity_tables(pool, "random", base, tested)
    singles = tables["sensitivity"].query("measure == 'dealt'")
    rows = tables["by_change"].set_index("change")
    assert list(rows.index[:4]) == ["power-2", "power-1", "power+1", "power+2"]
    assert {"+TOUGH", "-TOUGH", "+SNEAKY", "-SNEAKY"} <= set(rows.index)
    scores = Scores(pool, base)
    for change, row in rows.iterrows():
        mine = singles[singles["change"] == change]
        assert row["n_cards"] == len(mine) and row["n"] == mine["n"].sum()
        assert row["effect"] == pytest.approx(mine["difference"].mean())
        influence = np.zeros(GAMES)
        for one in tested:
            for variant, outcome in zip(one.variants, one.outcomes, strict=True):
                if variant.change == change:
                    dealt = scores.dealt(one.card)
                    n = dealt.sum(axis=1)
                    moved = scores.of(outcome, dealt) - scores.of(base, dealt)
                    influence += (moved - moved.sum() / n.sum() * n) / n.sum() / len(mine)
        assert row["std_err"] == pytest.approx(np.sqrt((influence**2).sum() * GAMES / (GAMES - 1)))
        assert np.isnan(row["spread"]) == (len(mine) == 1)


def test_different_policies_are_never_mixed(tmp_path: Path) -> None:
    """Each policy has rows about its own player, from games in which both play."""
    pool = small_pool()
    run = played(pool, tmp_path / "run", "random:greedy")
    table = keyword_effects(run, games=GAMES)
    assert list(table.columns) == list(TABLES["keyword_effects"].columns)
    assert set(table["policy"]) == {"random", "greedy"}
    card = dealt_cards(pool)[3]
    changed = evolve(card, keywords=frozenset())
    other = evolve(
        pool,
        sets=(
            evolve(pool.sets[0], cards=(*pool.sets[0].cards[:3], changed, *pool.sets[0].cards[4:])),
        ),
    )
    games = [
        play_games(compile_cards(one.sets), n_games=GAMES, seed=5, policies=("random", "greedy"))
        for one in (pool, other)
    ]
    held = (games[0]["cards"].reshape(-1, 2, 10) == 3).any(axis=2)
    rates = [[(one["winner"] == p)[held[:, p]].mean() for p in (0, 1)] for one in games]
    scores = {p: Scores(pool, kept(games[0], BASE_GAME), (p,)) for p in (0, 1)}
    variant = Variant("-TOUGH", "remove_keyword", "", changed)
    trial = Trials(card, card, (variant,), (kept(games[1], OUTCOME),))
    found = effects_by_change({"random": scores[0], "greedy": scores[1]}, [trial])
    assert list(found["effect"]) == pytest.approx([rates[1][p] - rates[0][p] for p in (0, 1)])


# ------------------------------------------------------------------------- the experiment of a run


def test_an_interrupted_experiment_goes_on_to_the_same_bytes(tmp_path: Path) -> None:
    """What is finished stays; threads and interruptions leave no trace in the table."""
    whole, broken = (played(small_pool(), tmp_path / name) for name in ("whole", "broken"))
    keyword_effects(whole, games=GAMES, threads=2)

    def stop(done: int, total: int) -> None:
        if done > total / 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        keyword_effects(broken, games=GAMES, threads=1, on_progress=stop)
    assert read_keyword_effects(broken.folder) == {}
    games = broken.folder / "keywords" / str(GAMES) / "games"
    left = {path.name: path.stat().st_mtime_ns for path in games.iterdir()}
    assert len(left) > 5
    keyword_effects(broken, games=GAMES, threads=1)
    assert left.items() <= {path.name: path.stat().st_mtime_ns for path in games.iterdir()}.items()
    for kind in ("parquet", "csv"):
        files = [one.folder / "tables" / f"keyword_effects.{kind}" for one in (whole, broken)]
        assert files[0].read_bytes() == files[1].read_bytes()
    (table,) = read_keyword_effects(whole.folder).values()
    assert len(table) == 7  # five added, two taken off


def test_damaged_tables_are_refused(tmp_path: Path) -> None:
    """A table with a flipped byte, or of another run, is one message."""
    runs = [
        analysis.mindbug.play_run(
            small_pool(), tmp_path / str(seed), games=400, policy="random", seed=seed
        )
        for seed in (5, 6)
    ]
    for run in runs:
        keyword_effects(run, games=100)
    paths = [run.folder / "tables" / "keyword_effects.parquet" for run in runs]
    whole = paths[0].read_bytes()
    paths[0].write_bytes(paths[1].read_bytes())
    with pytest.raises(RunError, match=r"belongs to another run.*repeat 'fairdeal balance'"):
        read_keyword_effects(runs[0].folder)
    paths[0].write_bytes(whole[:400] + bytes([whole[400] ^ 0x80]) + whole[401:])
    with pytest.raises(RunError, match="is damaged"):
        read_keyword_effects(runs[0].folder)


def test_it_is_played_unasked_where_it_is_cheap() -> None:
    """Between random players in long runs; not in short ones, nor with all games to be replayed."""
    pool = load_pool(["first_contact"])
    random = "random", "random"
    assert is_cheap(pool, random, 1_000_000) and not is_cheap(pool, random, 100_000)
    assert not is_cheap(pool, ("learned", "learned"), 1_000_000)
    assert cost_of(pool, ("random", "search:4")) > cost_of(pool, random)
    assert not is_cheap(load_pool(["king_of_tokyo"]), random, 1_000_000)
