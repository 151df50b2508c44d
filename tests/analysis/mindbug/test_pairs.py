"""Pairs of cards: equal to slow counts, and right about planted truths."""

from collections.abc import Sequence
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import analysis.mindbug
from analysis.confidence import normal_z
from analysis.mindbug.pair_tallies import tally_pairs
from analysis.mindbug.pairs import POWER, SHOWN, detectable, pairs_of, pairs_table
from analysis.mindbug.selections import BEATEN, BEATS, IN_THE_WAY, TOGETHER
from analysis.mindbug.tallies import groups
from analysis.verdicts import NEEDS_GAMES
from simcore.mindbug.table.card_table import CardTable
from simcore.mindbug.table.records import DEALT_EACH
from support.synthetic import synthetic_cards, synthetic_games, synthetic_run

SAME, DIFFERENT = ("random", "random"), ("greedy", "random")
HELPS, HINDERS, COUNTERS = (2, 5), (7, 11), (9, 4)  # cards with a planted effect


@pytest.fixture(scope="module")
def card_table() -> CardTable:
    """A pool of 16 cards, two copies of each."""
    return synthetic_cards()


def tables_of(
    games: np.ndarray, card_table: CardTable, policies: tuple[str, str] = SAME
) -> dict[str, pd.DataFrame]:
    """The tables of some games."""
    cards = [("synthetic", card) for card in card_table.cards]
    tally = tally_pairs(games, len(cards))
    return {
        name: pairs_table(tally, cards, policies, opposed=opposed)
        for name, opposed in (("card_pairs", False), ("card_matchups", True))
    }


@pytest.fixture(scope="module")
def single_cards() -> CardTable:
    """A pool of 32 cards, one copy of each."""
    return synthetic_cards(32, 1)


def planted(size: float, n_cards: int = 32) -> tuple[np.ndarray, np.ndarray]:
    """Synergy and counter of that size for the cards named above, and nothing for all others."""
    synergy, counter = np.zeros((2, n_cards, n_cards))
    for (a, b), sign in ((HELPS, 1), (HINDERS, -1)):
        synergy[a, b] = synergy[b, a] = sign * size
    a, b = COUNTERS
    counter[a, b], counter[b, a] = size, -size
    return synergy, counter


def truth_of(effect: np.ndarray, *, opposed: bool) -> np.ndarray:
    """The interactions of single cards that follow from planted effects, shape (n_cards, n_cards).

    In a pool of N copies, with both cards there are k - 2 places left for the first card's other
    partners, and with the first alone k - 1: each of them is there by 1 / (N - 2) less.
    """
    n_pool = len(effect)
    rows, columns = effect.sum(axis=1)[:, None], effect.sum(axis=0)[None]
    partners = (rows - effect) + (columns - effect)
    others = effect.sum() - 2 * (rows + columns - effect)
    far = 0 if opposed else others / ((n_pool - 2) * (n_pool - 3))
    return effect - partners / (n_pool - 2) + far


def with_truth(
    tables: dict[str, pd.DataFrame], size: float
) -> dict[str, tuple[pd.DataFrame, np.ndarray, np.ndarray]]:
    """Each table with the truth of each row, and whether something was planted there."""
    found = {}
    for name, opposed, effect in zip(tables, (False, True), planted(size), strict=True):
        table = tables[name]
        one, other = (table[f"card_{end}"].str[-2:].astype(int) for end in "ab")
        truth = truth_of(effect, opposed=opposed)[one, other]
        found[name] = table, truth, effect[one, other] != 0
    return found


def slow_scores(
    games: np.ndarray, players: Sequence[int], one: int, other: int, *, opposed: bool
) -> dict[tuple[int, int], list[float]]:
    """Scores by (first with the player, second beside it or opposed), each otherwise undealt.

    One entry for each pair of copies; the copies not dealt have no number, so the second of two
    in the pool is the one that is missing.
    """
    scores: dict[tuple[int, int], list[float]] = {place: [] for place in product((0, 1), (0, 1))}
    for game, player in product(games, players):
        score = 0.5 if game["winner"] < 0 else float(game["winner"] == player)
        hand = game["cards"].reshape(2, DEALT_EACH)
        sides = hand[player], hand[1 - player]
        undealt = {card: 2 - (game["cards"] == card).sum() for card in (one, other)}
        first = (sides[0] == one).sum()
        second = (sides[opposed] == other).sum()
        for place, number in (
            ((1, 1), first * (second - (one == other))),
            ((1, 0), first * undealt[other]),
            ((0, 1), second * undealt[one]),
            ((0, 0), undealt[one] * (undealt[other] - (one == other))),
        ):
            scores[place] += [score] * number
    return scores


@pytest.mark.parametrize("policies", [SAME, DIFFERENT])
def test_tables_equal_slow_counts(card_table: CardTable, policies: tuple[str, str]) -> None:
    """Win rates, interactions and n are those of plain loops over games, players and copies."""
    games = synthetic_games(
        card_table, 250, seed=3, worth=np.linspace(-0.02, 0.02, 16), draw_rate=0.15
    )
    tables = tables_of(games, card_table, policies)
    same = policies == SAME
    assert len(tables["card_pairs"]) == 136 * len(set(policies))
    assert len(tables["card_matchups"]) == (120 if same else 480)
    for name, opposed in (("card_pairs", False), ("card_matchups", True)):
        for policy, players in groups(policies):
            table = tables[name][tables[name]["policy"] == policy]
            for row in table.iloc[::13].itertuples():
                one, other = (int(card_id[-2:]) for card_id in (row.card_a, row.card_b))
                scores = slow_scores(games, players, one, other, opposed=opposed)
                both, first, second, neither = (
                    np.mean(scores[place]) for place in ((1, 1), (1, 0), (0, 1), (0, 0))
                )
                assert row.n * (1 + (one == other)) == len(scores[1, 1])
                assert row.win_rate == pytest.approx(both)
                assert row.interaction == pytest.approx(both - first - second + neither)
                assert row.expected == pytest.approx(first + second - neither)
                if same:
                    assert neither == 0.5
    assert (tables["card_matchups"]["interaction"] >= 0).all() or not same


def test_tallies_add_up(card_table: CardTable) -> None:
    """Counts of parts add up to those of all games, which are 190 pairs of slots each."""
    games = synthetic_games(card_table, 500, seed=1, draw_rate=0.1)
    whole = tally_pairs(games, 16)
    parts = tally_pairs(games[:123], 16).plus(tally_pairs(games[123:], 16))
    np.testing.assert_array_equal(whole.counts, parts.counts)
    assert whole.counts.sum(axis=(1, 2)).tolist() == [
        190 * int((games["winner"] == winner).sum()) for winner in (0, -1, 1)
    ]


def test_planted_pairs_are_found_and_hardly_any_others(single_cards: CardTable) -> None:
    """Over many seeds the planted pairs are shown, and of all shown at most 5% are others."""
    size, right = 0.13, {True: {BEATS}, False: {TOGETHER, IN_THE_WAY}}
    false_shares, found, errors = [], [], []
    covered: list[list[float]] = []
    shrunk_covered: list[list[float]] = []
    for seed in range(30):
        synergy, counter = planted(size)
        worth = np.linspace(-0.005, 0.005, 32)
        games = synthetic_games(
            single_cards, 8_000, seed=seed, worth=worth, synergy=synergy, counter=counter
        )
        for name, (table, truth, there) in with_truth(tables_of(games, single_cards), size).items():
            shown = table["verdict"].isin(SHOWN)
            assert set(table.loc[shown & there, "verdict"]) <= right[name == "card_matchups"]
            assert (np.sign(table["interaction"]) == np.sign(truth))[shown & there].all()
            false_shares.append((shown & ~there).sum() / max(shown.sum(), 1))
            found.append(shown[there].mean())
            for what, inside in (("interaction", covered), ("shrunk", shrunk_covered)):
                low, high = table[f"{what}_ci_low"], table[f"{what}_ci_high"]
                if what == "interaction":  # by itself; the table's are corrected for all pairs
                    left_out = (low > 0) | (high < 0)
                    assert (left_out == shown).all()
                    reach = normal_z() * table["std_err"]
                    low, high = table[what] - reach, table[what] + reach
                inside.append([((low <= truth) & (truth <= high)).mean()])
                inside[-1].append(((low <= truth) & (truth <= high))[there].mean())
            errors.append(
                [np.square(table[what] - truth).mean() for what in ("interaction", "shrunk")]
            )
    assert np.mean(found) > 0.97
    assert np.mean(false_shares) < 0.07  # 5%, and what is luck of 60 tables
    of_all, of_planted = np.mean(covered, axis=0)
    assert of_all == pytest.approx(0.95, abs=0.01)
    assert of_planted == pytest.approx(0.95, abs=0.05)
    raw, shrunk = np.mean(errors, axis=0)
    assert shrunk < 0.3 * raw
    assert np.mean(shrunk_covered, axis=0)[1] > 0.88


def test_where_cards_just_add_up_nothing_is_shown(card_table: CardTable) -> None:
    """Strong and weak cards, draws and a player who starts make no pair; intervals cover zero."""
    shown, covered = [], []
    for seed in range(50):
        games = synthetic_games(
            card_table,
            2_000,
            seed=seed,
            worth=np.linspace(-0.04, 0.04, 16),
            first_player_advantage=0.05,
            draw_rate=0.2,
        )
        for table in tables_of(games, card_table).values():
            shown.append(table["verdict"].isin(SHOWN).any())
            covered.append((table["interaction"].abs() <= normal_z() * table["std_err"]).mean())
    assert np.mean(shown) < 0.12
    assert np.mean(covered) == pytest.approx(0.95, abs=0.01)


def test_unequal_players(single_cards: CardTable) -> None:
    """In a one-sided match of two policies each side has its own rows, and errors are right."""
    size = 0.06
    errors, covered = [], []
    for seed in range(30):
        synergy, counter = planted(size)
        games = synthetic_games(
            single_cards, 4_000, seed=seed, synergy=synergy, counter=counter, edge=0.25
        )
        tables = tables_of(games, single_cards, DIFFERENT)
        assert (tables["card_pairs"].groupby("policy")["policy"].count() == 496).all()
        for table, truth, _ in with_truth(tables, size).values():
            errors.append(((table["interaction"] - truth) / table["std_err"]).to_numpy())
            covered.append((np.abs(errors[-1]) < 1.96).mean())
        matchups = tables["card_matchups"].set_index(["policy", "card_a", "card_b"])
        mine, theirs = matchups.loc["greedy"], matchups.loc["random"]
        theirs = theirs.swaplevel().loc[mine.index]
        np.testing.assert_allclose(theirs["interaction"], -mine["interaction"], atol=1e-12)
        np.testing.assert_allclose(theirs["std_err"], mine["std_err"])
    assert np.std(np.concatenate(errors)) == pytest.approx(1, abs=0.03)
    assert np.mean(covered) == pytest.approx(0.95, abs=0.01)


@pytest.mark.parametrize(("n_cards", "copies"), [(32, 1), (8, 4)])
def test_errors_are_right_for_any_number_of_copies(n_cards: int, copies: int) -> None:
    """Over many runs estimates scatter by their standard errors, twin copies included."""
    table = synthetic_cards(n_cards, copies)
    scaled: dict[str, list[np.ndarray]] = {"pairs": [], "matchups": [], "twins": []}
    for seed in range(80 if copies > 1 else 40):
        found = tables_of(synthetic_games(table, 2_000, seed=seed), table)
        pairs, matchups = found.values()
        twins = pairs["card_a"] == pairs["card_b"]
        assert twins.any() == (copies > 1)
        for name, rows in (
            ("pairs", pairs[~twins]),
            ("twins", pairs[twins]),
            ("matchups", matchups),
        ):
            scaled[name].append((rows["interaction"] / rows["std_err"]).to_numpy())
    for name, values in scaled.items():
        if copies > 1 or name != "twins":
            scatter = np.sqrt(np.square(np.concatenate(values)).mean())
            assert scatter == pytest.approx(1, abs=0.04), name


def test_detectable_is_what_is_detected(card_table: CardTable) -> None:
    """An interaction of the size called detectable is shown as often as that says."""
    size, found = None, []
    for seed in range(61):
        effect = np.zeros((16, 16))
        if size is not None:
            effect[3, 8] = effect[8, 3] = size
        table = tables_of(
            synthetic_games(card_table, 4_000, seed=seed, synergy=effect), card_table
        )["card_pairs"]
        if size is None:
            size = detectable(table)
            continue
        row = table[(table["card_a"] == "card_03") & (table["card_b"] == "card_08")].iloc[0]
        found.append(row["verdict"] == TOGETHER)
    assert np.mean(found) == pytest.approx(POWER, abs=0.14)


def test_few_games_decide_nothing(card_table: CardTable) -> None:
    """With a handful of games no pair has a verdict, and with none every number is missing."""
    for table in tables_of(synthetic_games(card_table, 60), card_table).values():
        assert (table["verdict"] == NEEDS_GAMES).all()
        assert table["q_value"].isna().all() and table["shrunk"].isna().all()
        assert np.isnan(detectable(table))
    for table in tables_of(synthetic_games(card_table, 0), card_table).values():
        assert (table["n"] == 0).all() and table["interaction"].isna().all()


@pytest.mark.filterwarnings("error")
def test_pool_dealt_out_whole() -> None:
    """Where every card is dealt in every game a pair cannot be told from its cards."""
    card_table, rng = synthetic_cards(20, 1), np.random.default_rng(0)
    games = synthetic_games(synthetic_cards(24, 1), 3_000)
    games["cards"] = rng.permuted(np.tile(np.arange(20), (3_000, 1)), axis=1)
    for table in tables_of(games, card_table).values():
        assert (table["verdict"] == NEEDS_GAMES).all()
        assert table["interaction"].isna().all()


def test_pairs_of_one_card(single_cards: CardTable, tmp_path: Path) -> None:
    """All pairs of a card, from its side, the strongest first; whatever the order in the tables."""
    synergy, counter = planted(0.13)
    games = synthetic_games(single_cards, 8_000, seed=2, synergy=synergy, counter=counter)
    tables = analysis.mindbug.analyze(synthetic_run(tmp_path / "run", single_cards, games))
    mine = pairs_of("card_04", tables, "random")
    assert len(mine) == 31 + 31 and (mine["card_a"] == "card_04").all()
    first = mine.iloc[0]
    assert (first["card_b"], first["name_b"], first["opposed"]) == ("card_09", "Card 9", True)
    assert first["verdict"] == BEATEN and first["shrunk"] < -0.04
    assert first["shrunk_ci_low"] < first["shrunk"] < first["shrunk_ci_high"] < 0
    assert first["win_rate"] - first["expected"] == pytest.approx(first["interaction"])
    other = pairs_of("card_09", tables, "random").iloc[0]
    assert other["verdict"] == BEATS and other["card_b"] == "card_04"
    assert other["win_rate"] == pytest.approx(1 - first["win_rate"])
    helped = pairs_of("card_05", tables, "random").iloc[0]
    assert (helped["card_b"], helped["verdict"], helped["opposed"]) == ("card_02", TOGETHER, False)
    games = synthetic_games(single_cards, 25_000, seed=3, synergy=synergy, counter=counter)
    two = tables_of(games, single_cards, DIFFERENT)
    assert len(pairs_of("card_04", two, "greedy")) == 31 + 31
    shown = {name: table[table["verdict"].isin(SHOWN)] for name, table in two.items()}
    for policy in DIFFERENT:  # as a player with card 4 sees it, whichever seat
        (row,) = pairs_of("card_04", shown, policy).query("opposed").itertuples()
        assert (row.card_b, row.verdict) == ("card_09", BEATEN) and row.shrunk < -0.04
