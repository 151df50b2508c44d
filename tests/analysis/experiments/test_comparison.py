"""Comparisons against planted truths, against slow counts, and of run folders."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from attrs import evolve
from scipy.special import ndtri

from analysis.confidence import normal_z
from analysis.estimates import adjust_p
from analysis.experiments.comparison import (
    MIN_DIFFERING,
    _judge,
    compare_runs,
    comparison_table,
    estimate_lines,
    lines_z,
    most_differing,
    write_comparison,
)
from analysis.experiments.paired_sums import Lines, PairSums
from analysis.mindbug.card_strength import cards_table
from analysis.mindbug.game_records import expand_cards
from analysis.mindbug.paired_sums import CARD_MEASURES, PairCounter
from analysis.mindbug.registry import TABLES
from analysis.mindbug.selections import GAME_MEASURES, SELECTION_NAMES
from analysis.mindbug.tallies import CardTraits, tally_games
from analysis.verdicts import CHANGES, LESS, MORE, NOT_SETTLED, SAME, SETTLED, changes
from card_data.mindbug.schema import CardSet, Pool
from card_data.mindbug.vocabulary import Keyword
from simcore.mindbug.table.card_table import CardTable
from simcore.sealed import RunError
from support.synthetic import (
    expansions_games,
    expansions_pool,
    run_of_pool,
    synthetic_cards,
    synthetic_games,
    true_dealt_win_rate,
)

RANDOM = ("random", "random")


def pool_of(card_table: CardTable) -> Pool:
    """The pool of a card table."""
    return Pool((CardSet("synthetic", "Synthetic", card_table.cards),), card_table.modes)


CARDS = synthetic_cards()
POOL = pool_of(CARDS)


def strong(card: int, worth: float = 0.06) -> np.ndarray:
    """One card that is worth something."""
    return np.where(np.arange(16) == card, worth, 0.0)


def table_of(
    base: np.ndarray, variant: np.ndarray, *, policies: tuple[str, str] = RANDOM, **options
) -> pd.DataFrame:
    """The comparison of games of the synthetic cards, paired."""
    counter = PairCounter(POOL, POOL, policies)
    sums = counter.count(base, variant)
    lines = counter.lines
    return comparison_table(sums, lines, True, **options)


def unpaired(base: np.ndarray, variant: np.ndarray) -> tuple[Lines, PairSums, np.ndarray]:
    """The sums of independent runs of the synthetic cards, and those of their blocks."""
    counter = PairCounter(POOL, POOL, RANDOM)
    one, of_base = counter.count_blocks(base, base[:0], 60)
    other, of_variant = counter.count_blocks(base[:0], variant, 60)
    lines = counter.lines
    return lines, one.plus(other), np.concatenate([of_base, of_variant])


def line(table: pd.DataFrame, key: str, measure: str = "dealt") -> pd.Series:
    """One row."""
    (found,) = (row for _, row in table[table["measure"] == measure].iterrows() if row["id"] == key)
    return found


# ------------------------------------------------------------------------- planted truths


def test_paired_intervals_cover_planted_differences() -> None:
    """In 150 small paired runs 95% of the intervals contain the known difference."""
    before, after = np.linspace(-0.02, 0.02, 16), np.linspace(-0.02, 0.02, 16) + strong(3)
    truth = np.array(
        [true_dealt_win_rate(c, after) - true_dealt_win_rate(c, before) for c in range(16)]
    )
    counter = PairCounter(POOL, POOL, RANDOM)
    lines = counter.lines
    found = []
    for seed in range(150):
        games = [synthetic_games(CARDS, 300, seed=seed, worth=w) for w in (before, after)]
        facts, numbers = lines.facts, lines.numbers(counter.count(*games).lines)
        estimates = estimate_lines(numbers, paired=True)
        found.append(estimates[(facts["measure"] == "dealt") & (facts["kind"] == "card")])
    difference, std_err, alone = (
        np.array([table[column] for table in found])
        for column in ("difference", "std_err", "std_err_independent")
    )
    low, high = difference - normal_z() * std_err, difference + normal_z() * std_err
    covered = (low <= truth) & (truth <= high)
    assert 0.93 < covered.mean() < 0.97
    assert 0.90 < covered[:, 3].mean() < 0.99
    assert difference.mean(axis=0) == pytest.approx(truth, abs=0.004)
    spread = difference.std(axis=0)
    assert std_err.mean(axis=0) == pytest.approx(spread, rel=0.15)
    assert (alone.mean(axis=0) > 2 * spread).all()  # pairing is what makes them so narrow


def test_the_independent_error_is_that_of_independent_runs() -> None:
    """What the table says of two separate runs is what two separate runs give."""
    spread, told = [], []
    for seed in range(40):
        one, other = (synthetic_games(CARDS, 1000, seed=seed + add) for add in (0, 1000))
        table = table_of(one, other)
        dealt = table[(table["measure"] == "dealt") & (table["kind"] == "card")]
        spread.append(dealt["difference"])
        told.append(dealt["std_err_independent"])
        assert dealt["variance_reduction"].median() == pytest.approx(1, abs=0.15)
    assert np.std(spread) == pytest.approx(np.mean(told), rel=0.1)


def test_where_nothing_changed_the_table_rarely_says_so() -> None:
    """Of 20 pairs of runs that play alike few tables have any change; by families half of them."""
    said, joint, by_family = [], [], []
    for seed in range(20):
        games = [synthetic_games(CARDS, 800, seed=seed + add) for add in (0, 1000)]
        lines, sums, blocks = unpaired(*games)
        table = comparison_table(sums, lines, False)
        said.append(table["verdict"].isin(SETTLED).any())
        family = [table["kind"], table["measure"].where(table["kind"] != "game", "")]
        q_values = table["p_value"].groupby(family).transform(lambda p: adjust_p(p.to_numpy()))
        by_family.append((q_values < 0.05).any())
        table = comparison_table(
            sums, lines, False, joint_z=lines_z(lines, sums, blocks, paired=False)
        )
        tested = table[table["p_value"].notna()]
        outside = (tested["difference_ci_low"] > 0) | (tested["difference_ci_high"] < 0)
        joint.append(outside.any())
        assert (tested["verdict"].isin(SETTLED) == outside).all()
    assert sum(said) <= 3
    assert sum(joint) <= 3
    assert sum(by_family) > 5


def test_verdicts_follow_intervals_that_hold_together() -> None:
    """All intervals are equally many standard errors wide, and every word is what one says."""
    base, variant = (synthetic_games(CARDS, 20_000, seed=1, worth=w) for w in (None, strong(3)))
    counter = PairCounter(POOL, POOL, RANDOM)
    lines = counter.lines
    sums, blocks = counter.count_blocks(base, variant, 300)
    np.testing.assert_array_equal(sums.lines, counter.count(base, variant).lines)
    np.testing.assert_array_equal(blocks.sum(axis=0), sums.lines[:, [1, 2, 7, 8]])
    z = lines_z(lines, sums, blocks, paired=True)
    each = comparison_table(sums, lines, True)
    table = comparison_table(sums, lines, True, joint_z=z)
    tested = table["p_value"].notna()
    family = tested | (table["differing"] == 0)
    assert normal_z() < z < -ndtri(0.025 / family.sum()) - 0.02
    reach = (table["difference_ci_high"] - table["difference"])[tested]
    np.testing.assert_allclose(reach, z * table.loc[tested, "std_err"])
    for one in (each, table):
        ends = one["difference_ci_low"], one["difference_ci_high"]
        assert (one["verdict"] == changes(*ends, band=one["band"])).all()
    assert line(table, "card_03")["verdict"] == MORE
    unclear = table["more_games"].notna() & each["more_games"].notna()
    assert (table["more_games"] >= each["more_games"])[unclear].mean() > 0.9


def test_joint_intervals_of_runs_are_those_of_their_games(folders: dict[str, Path]) -> None:
    """However many threads count the parts, the width is the same; it is written down."""
    pairs = ("base", "variant"), ("long", "other")
    for one, other in pairs:
        found = [
            compare_runs(folders[one], folders[other], simultaneous=True, threads=n) for n in (1, 3)
        ]
        assert found[0].joint_z == found[1].joint_z
        assert found[0].joint_z is not None
        assert normal_z() < found[0].joint_z < 4
        pd.testing.assert_frame_equal(found[0].table, found[1].table)


def test_a_stronger_card_is_changed_and_comes_first() -> None:
    """The card that was made stronger is told by name; the others are the same, or less."""
    games = [synthetic_games(CARDS, 20_000, seed=1, worth=w) for w in (None, strong(3))]
    table = table_of(*games)
    dealt = table[(table["measure"] == "dealt") & (table["kind"] == "card")]
    assert dealt.loc[dealt["difference"].abs().idxmax(), "id"] == "card_03"
    assert list(dealt.loc[dealt["verdict"] == MORE, "id"]) == ["card_03"]
    assert set(dealt.loc[dealt["id"] != "card_03", "verdict"]) == {SAME, LESS}  # they meet it
    assert line(table, "card_03")["variance_reduction"] > 3
    assert set(table["verdict"]) <= set(CHANGES)


def test_the_same_games_do_not_differ() -> None:
    """A pool compared with itself: every difference is zero, exactly, and shown to be."""
    games = synthetic_games(CARDS, 400, seed=5, draw_rate=0.1)
    table = table_of(games, games, same_pool=True)
    for column in ("difference", "difference_ci_low", "difference_ci_high", "std_err"):
        assert (table[column] == 0).all(), column
    assert (table["verdict"] == SAME).all()
    assert (table["differing"] == 0).all()


def test_games_alike_by_chance_are_not_taken_for_proof() -> None:
    """Where no game happens to differ the interval keeps what may be hidden."""
    games = synthetic_games(CARDS, 200, seed=5)
    few = line(table_of(games, games), "", "first_player_win_rate")
    assert few["difference_ci_high"] == pytest.approx(-np.log(0.025) / 200, rel=0.9)
    assert few["verdict"] == NOT_SETTLED
    games = synthetic_games(CARDS, 1000, seed=5)
    assert line(table_of(games, games), "", "first_player_win_rate")["verdict"] == SAME


def test_a_handful_of_games_changes_nothing() -> None:
    """Fewer than the least number of differing games are no proof of a change."""
    base = synthetic_games(CARDS, 200, seed=5)
    base["winner"] = 1 - base["first_player"]
    for n, known in ((MIN_DIFFERING - 1, False), (MIN_DIFFERING + 10, True)):
        variant = base.copy()
        variant["winner"][:n] = base["first_player"][:n]
        first = line(table_of(base, variant), "", "first_player_win_rate")
        assert (first["differing"], first["difference"]) == (n, n / 200)
        assert (first["verdict"] == MORE) == known == (not np.isnan(first["p_value"]))
        assert (first["difference_ci_low"] > 0) == known


# ------------------------------------------------------------------------- slow counts


def slow_difference(games: list[np.ndarray], card: str, selection: str) -> tuple[float, float]:
    """Difference and standard error from the influence of each game, one by one."""
    influences, rates = [], []
    for side in games:
        rows = expand_cards(side, [c.card_id for c in CARDS.cards])
        rows = rows[(rows["card_id"] == card) & rows[selection]]
        n = np.bincount(rows["game"], minlength=len(side))
        s = np.bincount(rows["game"], rows["score"], minlength=len(side))
        rates.append(s.sum() / n.sum())
        influences.append((n, (s - rates[-1] * n) / n.sum()))
    (n0, u0), (n1, u1) = influences
    met = np.count_nonzero(n0 + n1)
    return rates[1] - rates[0], np.sqrt(((u1 - u0) ** 2).sum() * met / (met - 1))


@pytest.mark.parametrize("selection", SELECTION_NAMES)
def test_variance_is_that_of_the_influences(selection: str) -> None:
    """The accumulated sums give what a list of all influences gives."""
    games = [
        synthetic_games(CARDS, 800, seed=2, worth=strong(3, worth), draw_rate=0.1)
        for worth in (0, 0.05)
    ]
    games[1]["drawn"][::3] = synthetic_games(CARDS, 800, seed=9)["drawn"][::3]
    games[1]["played"] &= games[1]["drawn"][:, None]
    table = table_of(*games)
    for card in ("card_03", "card_10"):
        difference, std_err = slow_difference(games, card, selection)
        row = line(table, card, selection)
        assert row["difference"] == pytest.approx(difference, abs=1e-12)
        assert row["std_err"] == pytest.approx(std_err, rel=1e-9)


@pytest.mark.parametrize("policies", [RANDOM, ("greedy", "random")])
def test_estimates_are_those_of_the_table_of_cards(policies: tuple[str, str]) -> None:
    """Both runs have the rates and numbers that `analyze` gives them."""
    games = synthetic_games(CARDS, 3000, seed=4, worth=strong(2), draw_rate=0.05)
    other = synthetic_games(CARDS, 3000, seed=6)
    table = table_of(other, games, policies=policies)
    tally = tally_games(
        games, CardTraits.of(CARDS.cards), same_policy=policies == RANDOM, mindbugs_each=2
    )
    cards = cards_table(tally, [("synthetic", card) for card in CARDS.cards], policies)
    for measure in CARD_MEASURES:
        mine = table[(table["kind"] == "card") & (table["measure"] == measure)]
        column = f"{measure}_win_rate" if measure in SELECTION_NAMES else measure
        assert list(mine["policy"]) == list(cards["policy"])
        np.testing.assert_allclose(mine["variant"], cards[column], rtol=1e-12)
        if measure in SELECTION_NAMES:
            assert list(mine["variant_n"]) == list(cards[f"{measure}_n"])


def test_keywords_and_sets_count_cards() -> None:
    """A keyword's or set's rate is over its cards, copies counted, in each pool by itself."""
    pool = expansions_pool()
    counter = PairCounter(pool, pool, RANDOM)
    games = expansions_games(pool, 600, seed=3, alpha_worth=0.02)
    sums = counter.count(games, games)
    table = comparison_table(sums, counter.lines, True)
    cards = [(s.set_id, card) for s in pool.sets for card in s.cards]
    sneaky = np.array([Keyword.SNEAKY in card.keywords for _, card in cards])
    alpha = np.array([set_id == "alpha" for set_id, _ in cards])
    won = np.repeat(games["winner"][:, None] == np.arange(2), 10, axis=1)
    for key, mine in (("SNEAKY", sneaky), ("alpha", alpha)):
        dealt = mine[games["cards"]]
        row = line(table, key)
        assert row["base_n"] == dealt.sum()
        assert row["base"] == pytest.approx(won[dealt].mean())


def test_parts_can_be_counted_in_any_order() -> None:
    """Sums of parts added up are the sums of all games."""
    base = synthetic_games(CARDS, 900, seed=1)
    variant = synthetic_games(CARDS, 900, seed=1, worth=strong(1))
    counter = PairCounter(POOL, POOL, RANDOM)
    whole = counter.count(base, variant)
    pieces = counter.count(base[:0], variant[:0])
    for part in (slice(500, None), slice(0, 1), slice(1, 500)):
        pieces = pieces.plus(counter.count(base[part], variant[part]))
    np.testing.assert_array_equal(whole.lines, pieces.lines)
    np.testing.assert_array_equal(whole.games, pieces.games)
    assert whole.same_deals == pieces.same_deals == 900


def test_cards_of_one_pool_only_are_left_out() -> None:
    """A card is compared by its id, wherever it stands; what one pool lacks has no row."""
    fewer = pool_of(synthetic_cards(18))
    fewer = evolve(fewer, sets=(evolve(fewer.sets[0], cards=fewer.sets[0].cards[2:]),))
    counter = PairCounter(POOL, fewer, RANDOM)
    games = synthetic_games(CARDS, 500, seed=1)
    sums = counter.count(games, games)  # row 0 is Card 0 before and Card 2 after
    table = comparison_table(sums, counter.lines, True)
    dealt = table[(table["kind"] == "card") & (table["measure"] == "dealt")].set_index("id")
    assert list(dealt.index) == [f"card_{n:02}" for n in range(2, 16)]
    assert dealt.loc["card_02", "variant_n"] == line(table_of(games, games), "card_00")["base_n"]
    assert sums.same_deals == 0


# ------------------------------------------------------------------------- verdicts


def judged(difference: float, std_err: float, *, band: float = 0.01, **more) -> pd.Series:
    """The verdict on one line that is tested alone, of 1000 games."""
    row: dict[str, object] = {
        "kind": "card",
        "id": "a",
        "name": "A",
        "policy": "random",
        "measure": "dealt",
        "base_n": 900,
        "base": 0.5,
        "variant_n": 900,
        "variant": 0.5 + difference,
        "difference": difference,
        "std_err": std_err,
        "differing": 500.0,
        "games": 800.0,
    }
    return _judge(pd.DataFrame([row | more]), 1000, band, same_pool=False).iloc[0]


def test_verdicts_and_needed_games() -> None:
    """Inside the band, different from zero, or the games that the easier of both would take."""
    assert judged(0.003, 0.002)["verdict"] == SAME
    assert judged(0.03, 0.002)["verdict"] == MORE
    assert judged(-0.009, 0.002)["verdict"] == LESS
    assert judged(0.005, 0.002)["verdict"] == MORE  # small, but not zero
    assert judged(0.03, 0.002)["more_games"] is pd.NA
    # (0.01 / (1.960 + 1.282)) = 0.00308; 1000 (0.01 / 0.00308)^2 = 10511 games in all.
    open_line = judged(0.0, 0.01)
    assert (open_line["verdict"], open_line["more_games"]) == (NOT_SETTLED, 9600)
    # 0.02 / (1.960 + 0.842) = 0.00714; 1000 (0.012 / 0.00714)^2 = 2826 games in all.
    assert judged(0.02, 0.012)["more_games"] == 1900
    assert judged(0.02, 0.012, games=90.0)["verdict"] == NOT_SETTLED
    assert judged(3.0, 1.0, measure="mean_turns", base=25.0)["band"] == 0.25


def test_the_games_asked_for_decide() -> None:
    """With as many games more as were asked for, four of five lines that are the same show it."""

    def first_player(n: int, seed: int) -> pd.Series:
        games = [synthetic_games(CARDS, n, seed=seed + add) for add in (0, 1000)]
        return line(table_of(*games), "", "first_player_win_rate")

    few = first_player(1000, 0)
    asked = judged(0.0, few["std_err"], band=0.03)
    assert asked["verdict"] == NOT_SETTLED
    n = 1000 + int(asked["more_games"])
    found = [first_player(n, seed) for seed in range(1, 41)]
    verdicts = [judged(one["difference"], one["std_err"], band=0.03)["verdict"] for one in found]
    assert 0.65 < np.mean([verdict == SAME for verdict in verdicts]) < 0.95


# ------------------------------------------------------------------------- run folders


@pytest.fixture(scope="module")
def folders(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Runs of 3,000 games, of three parts."""
    root = tmp_path_factory.mktemp("runs")

    def made(name: str, *, n: int = 3000, seed: int = 1, worth=None, players=RANDOM) -> Path:
        games = synthetic_games(CARDS, n, seed=seed, worth=worth)
        return run_of_pool(root / name, POOL, games, policies=players, seed=seed)

    return {
        "base": made("base"),
        "variant": made("variant", worth=strong(3)),
        "other": made("other", seed=2, worth=strong(3)),
        "long": made("long", n=5000),
        "greedy": made("greedy", players=("greedy", "random")),
    }


def test_runs_of_one_seed_are_paired(folders: dict[str, Path], tmp_path: Path) -> None:
    """Parts are read side by side; the table is that of the games, in any number of threads."""
    steps: list[tuple[int, int]] = []
    found = compare_runs(
        folders["base"], folders["variant"], threads=2, on_progress=lambda *at: steps.append(at)
    )
    assert (found.paired, found.same_deals, steps[-1]) == (True, 1.0, (3, 3))
    games = [synthetic_games(CARDS, 3000, seed=1, worth=w) for w in (None, strong(3))]
    expected = table_of(*games, same_pool=True)
    pd.testing.assert_frame_equal(found.table, expected)
    write_comparison(found, tmp_path)
    pd.testing.assert_frame_equal(
        pd.read_parquet(tmp_path / "tables" / "comparison.parquet"), expected
    )
    assert list(expected.columns) == list(TABLES["comparison"].columns)
    assert set(expected.loc[expected["kind"] == "game", "measure"]) <= set(GAME_MEASURES)


def test_runs_of_different_seeds_are_independent(folders: dict[str, Path]) -> None:
    """Their errors are those of two separate runs, whatever their numbers of games."""
    found = compare_runs(folders["long"], folders["other"], threads=1)
    dealt = found.table[found.table["measure"] == "dealt"]
    assert not found.paired
    assert (dealt["std_err"] == dealt["std_err_independent"]).all()
    assert found.table["differing"].isna().all()
    assert line(found.table, "card_03")["verdict"] == MORE
    paired = compare_runs(folders["base"], folders["variant"], threads=1)
    assert (
        (line(paired.table, "card_03")["std_err"]) < line(found.table, "card_03")["std_err"] / 1.5
    )


def test_a_run_and_itself(folders: dict[str, Path]) -> None:
    """Nothing differs."""
    table = compare_runs(folders["base"], folders["base"], threads=1).table
    assert (table["difference"] == 0).all()
    assert (table["verdict"] == SAME).all()


@pytest.mark.parametrize(
    ("other", "message"),
    [
        (
            "greedy",
            "was played by random against random, .* by greedy against random; only runs of",
        ),
        ("long", "has 3,000 games of seed 1 and .* 5,000: .* the same --games"),
    ],
)
def test_runs_that_do_not_match(folders: dict[str, Path], other: str, message: str) -> None:
    """Other players, or another length of the same seed, are refused in one sentence."""
    with pytest.raises(RunError, match=message):
        compare_runs(folders["base"], folders[other])


def test_bands_that_make_no_sense(folders: dict[str, Path]) -> None:
    """The band is a share."""
    for band in (0.0, 1.0, -0.1, float("nan")):
        with pytest.raises(ValueError, match="the band is"):
            compare_runs(folders["base"], folders["variant"], band=band)


def test_at_most_all_games_may_differ() -> None:
    """Of three games no more than three may differ, however little is known."""
    assert most_differing([0, 0], [3, 1000])[0] == 1
    assert 0.001 < most_differing([0, 0], [3, 1000])[1] < 0.01
