"""Sensitivity analyses against planted truths, and games that are kept."""

from contextlib import closing
from itertools import permutations
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from attrs import evolve

from analysis.mindbug.experiments.pool_experiments import try_changes
from analysis.mindbug.experiments.sensitivity import (
    SENSITIVITY_TABLES,
    choose_reference,
    sensitivity_tables,
)
from analysis.mindbug.experiments.sensitivity_games import (
    BASE_GAME,
    OUTCOME,
    Experiments,
    Laboratory,
)
from analysis.mindbug.experiments.trials import Trials
from analysis.mindbug.registry import TABLES
from analysis.questions.worth import ONE_AT_A_TIME, SHAPLEY
from card_data.mindbug import load_pool, parse_set
from card_data.mindbug.schema import Card, CardSet, Pool
from card_data.mindbug.variants import (
    COPIES,
    PARTS,
    POWER,
    VALUE,
    dealt_cards,
    parts_of,
    subsets,
    variants_of,
    with_card,
    with_parts,
)
from card_data.mindbug.vocabulary import Keyword
from simcore.mindbug import compile_cards, play_games
from simcore.mindbug.play.simulate import play_rows
from simcore.sealed import RunError
from support.synthetic import kept, synthetic_cards, synthetic_games

TABLE = synthetic_cards()
POOL = Pool((CardSet("synthetic", "Synthetic", TABLE.cards),), TABLE.modes)
#: A card with four parts.
RICH = """name = "Rich"

[rich]
name = "Rich"
power = 6
keywords = ["POISONOUS", "SNEAKY"]
play = "gain 1 life"
defeated = "gain 1 life"
attack = "the opponent loses 1 life"
constant = "other allied creatures have +1 power"
"""


def plain(card_id: str, power: int, copies: int = 2) -> Card:
    """A creature without keywords and text."""
    return Card(card_id, card_id.title(), power, copies=copies)


def plain_pool() -> Pool:
    """Plain creatures: twins of power 5, a card that is one stronger, and others."""
    cards = [plain("five", 5), plain("twin", 5), plain("six", 6)]
    cards += [plain(f"other_{power}", power) for power in range(2, 10)]
    return Pool((CardSet("plain", "Plain", tuple(sorted(cards, key=lambda c: c.card_id))),))


def card_of(pool: Pool, card_id: str) -> Card:
    """A card by its id."""
    (card,) = (card for card in dealt_cards(pool) if card.card_id == card_id)
    return card


def made_games(worth: np.ndarray, n_games: int = 4000, seed: int = 1) -> np.ndarray:
    """Made-up games of one deal, whose winners depend on what the cards are worth."""
    return synthetic_games(TABLE, n_games, seed=seed, worth=worth)


def tables_of(
    base: np.ndarray, card: Card, reference: Card, outcomes: list[np.ndarray], wanted: tuple
) -> dict[str, pd.DataFrame]:
    """The tables of one card of the made-up pool."""
    variants = variants_of(card, reference, wanted)
    games = tuple(kept(games, OUTCOME) for games in outcomes)
    tested = [Trials(card, reference, tuple(variants), games)]
    return sensitivity_tables(POOL, "heuristic", kept(base, BASE_GAME), tested)


# ------------------------------------------------------------------------- planted truths


def test_values_in_made_up_games_cover_the_truth() -> None:
    """In 100 small analyses about 95% of the intervals contain the planted difference.

    In 600 games enough of them differ.  In 300 some analyses have fewer than a normal interval asks
    for, those with small differences among them; theirs are wider, so that more intervals hold.
    """
    card, reference = TABLE.cards[3], TABLE.cards[5]
    strong, none = np.where(np.arange(16) == 3, 0.05, 0.0), np.zeros(16)

    def value(n_games: int, seed: int) -> pd.Series:
        base, variant = (made_games(worth, n_games, seed) for worth in (strong, none))
        return tables_of(base, card, reference, [variant], (VALUE,))["values"].iloc[0]

    truth = value(60_000, 777)["value"]
    assert 0.02 < truth < 0.06
    few, found = (
        pd.DataFrame([value(n_games, seed) for seed in range(100)]) for n_games in (300, 600)
    )
    assert found["value"].astype(float).mean() == pytest.approx(truth, abs=0.006)
    held, of_few = (
        (one["value_ci_low"] <= truth) & (truth <= one["value_ci_high"]) for one in (found, few)
    )
    assert found["p_value"].notna().all() and 0.9 < held.mean() < 0.99
    known = few["p_value"].notna()
    assert 0 < (~known).sum() < 50
    assert of_few[known].mean() > 0.95 and of_few[~known].mean() > 0.95
    spread = found["value"].astype(float).std()
    assert found["std_err"].astype(float).mean() == pytest.approx(spread, rel=0.2)


def test_the_same_games_give_exactly_zero() -> None:
    """A variant in which nothing differs is worth nothing, to the last bit, within a known band."""
    card, reference = TABLE.cards[3], TABLE.cards[5]
    base = made_games(np.zeros(16))
    tables = tables_of(base, card, reference, [base], (VALUE,))
    lines = tables["sensitivity"].set_index("measure")
    assert (lines["difference"] == 0).all()
    assert (lines["differing"] == 0).all()
    value = tables["values"].iloc[0]
    assert value["value"] == 0
    assert 0 < value["value_ci_high"] == -value["value_ci_low"] < 0.01
    assert lines.loc[["dealt"], "q_value"].isna().all()


def test_the_reference_is_worth_nothing_by_definition() -> None:
    """It needs no variant and has no error."""
    card = TABLE.cards[3]
    tables = tables_of(made_games(np.zeros(16)), card, card, [], (VALUE,))
    value = tables["values"].iloc[0]
    assert value[["value", "value_ci_low", "value_ci_high"]].eq(0).all()
    assert tables["sensitivity"].empty and tables["parts"].empty


def test_the_reference_is_the_card_in_the_middle() -> None:
    """The card with the median win rate dealt, among planted ones."""
    worth = np.linspace(-0.045, 0.045, 16)[np.random.default_rng(5).permutation(16)]
    base = kept(made_games(worth, 60_000), BASE_GAME)
    assert worth[TABLE.cards.index(choose_reference(POOL, base))] == pytest.approx(0, abs=0.013)


@pytest.mark.parametrize(("n_parts", "method"), [(3, SHAPLEY), (5, ONE_AT_A_TIME)])
def test_parts_against_slow_counts(n_parts: int, method: str) -> None:
    """Shapley values are means over all orders and add up; of many parts each is taken away."""
    card = evolve(TABLE.cards[3], power=9, keywords=frozenset(list(Keyword)[: n_parts - 1]))
    cards = (*TABLE.cards[:3], card, *TABLE.cards[4:])
    reference = TABLE.cards[5]
    parts = parts_of(card, reference.power)
    assert len(parts) == n_parts
    rng = np.random.default_rng(4)
    worth = {places: 0.02 * len(places) + rng.uniform(0, 0.01) for places in subsets(parts)}
    games = {
        places: made_games(np.where(np.arange(16) == 3, much, 0.0), 3000)
        for places, much in worth.items()
    }
    whole = tuple(range(n_parts))
    games[whole] = made_games(np.where(np.arange(16) == 3, 0.02 * n_parts + 0.005, 0.0), 3000)
    variants = tuple(variants_of(card, reference, (PARTS,)))
    outcomes = tuple(kept(games[places], OUTCOME) for places in subsets(parts))
    pool = Pool((CardSet("synthetic", "Synthetic", cards),), TABLE.modes)
    base = kept(games[whole], BASE_GAME)
    found = sensitivity_tables(pool, "x", base, [Trials(card, reference, variants, outcomes)])
    rows = found["parts"]
    assert set(rows["method"]) == {method}

    held = (base["cards"].reshape(-1, 2, 10) == 3).any(axis=2)

    def rate(places: tuple[int, ...]) -> float:
        points = np.stack([games[places]["winner"] == player for player in (0, 1)], axis=1)
        return float(points[held].mean())

    last = [rate(whole) - rate(tuple(o for o in whole if o != place)) for place in whole]
    total, mine = rows.iloc[-1], rows.iloc[:-1]
    assert total["worth"] == pytest.approx(rate(whole) - rate(()))
    if method == SHAPLEY:
        orders = list(permutations(whole))
        expected = np.zeros(n_parts)
        for order in orders:
            for at, place in enumerate(order):
                before = tuple(sorted(order[:at]))
                after = tuple(sorted(order[: at + 1]))
                expected[place] += (rate(after) - rate(before)) / len(orders)
        assert mine["worth"].sum() == pytest.approx(total["worth"])
        assert mine["share"].sum() == pytest.approx(1)
        assert list(mine["alone"]) == pytest.approx([rate((p,)) - rate(()) for p in whole])
    else:
        expected = np.array(last)
        assert mine[["alone", "share"]].isna().all(axis=None)
    assert list(mine["last"]) == pytest.approx(last)
    assert list(mine["worth"]) == pytest.approx(list(expected))
    assert (mine["worth_ci_low"] < mine["worth"]).all()


def test_parts_that_work_against_each_other_have_no_shares() -> None:
    """A share of 300% beside one of minus 200% says nothing, so neither is given."""
    card = evolve(TABLE.cards[3], power=9, keywords=frozenset([Keyword.TOUGH]))
    parts = parts_of(card, TABLE.cards[5].power)
    worth = {(): 0.0, (0,): 0.09, (1,): -0.06}
    games = {
        places: made_games(np.where(np.arange(16) == 3, w, 0.0)) for places, w in worth.items()
    }
    base = kept(made_games(np.where(np.arange(16) == 3, 0.03, 0.0)), BASE_GAME)
    outcomes = tuple(kept(games[places], OUTCOME) for places in subsets(parts))
    tried = Trials(
        card, TABLE.cards[5], tuple(variants_of(card, TABLE.cards[5], (PARTS,))), outcomes
    )
    cards = (*TABLE.cards[:3], card, *TABLE.cards[4:])
    pool = Pool((CardSet("synthetic", "Synthetic", cards),), TABLE.modes)
    rows = sensitivity_tables(pool, "x", base, [tried])["parts"]
    assert rows["worth"].iloc[0] > 0 > rows["worth"].iloc[1]
    assert rows["share"].isna().all()


# ------------------------------------------------------------------------- variants


def test_parts_make_the_card_again() -> None:
    """All parts together are the card, none a plain creature; like triggers are one line."""
    card = parse_set(RICH).cards[0]
    parts = parts_of(card, 7)
    assert [part.kind for part in parts] == ["power", "keyword", "keyword", "line", "line", "line"]
    assert with_parts(card, 7, parts) == card
    nothing = with_parts(card, 7, ())
    assert (nothing.power, nothing.keywords, nothing.triggered, nothing.constant) == (
        7, frozenset(), (), (),
    )  # fmt: skip
    changes = [variant.change for variant in variants_of(card, plain("seven", 7))]
    assert len(changes) == len(set(changes))
    assert {"value", "power-2", "-POISONOUS", "+TOUGH", "-line3", "-all", "parts:none"} <= set(
        changes
    )
    assert all(variant.card != card for variant in variants_of(card, plain("seven", 7)))


def test_powers_stay_within_what_a_card_may_have() -> None:
    """No card of power 0."""
    changes = [variant.change for variant in variants_of(plain("one", 1), plain("two", 2))]
    assert "power-1" not in changes and "power+1" in changes


def test_copies_change_by_one_and_stay_in_the_pool() -> None:
    """A card with a single copy cannot lose it."""
    for copies, expected in ((1, ["copies+1"]), (2, ["copies-1", "copies+1"])):
        found = variants_of(plain("one", 4, copies), plain("two", 2), (COPIES,))
        assert [variant.change for variant in found] == expected
        assert [variant.card.copies - copies for variant in found] == [int(c[6:]) for c in expected]


def test_other_copies_against_slow_counts(tmp_path: Path) -> None:
    """Both sides count the players who were dealt the card there; the error is that of two runs."""
    pool = plain_pool()
    card, laboratory = card_of(pool, "six"), Laboratory(Experiments(pool, "random", 600), tmp_path)
    variants = tuple(variants_of(card, card, (COPIES,)))
    outcomes = tuple(laboratory.play([variant.card for variant in variants]))
    base = laboratory.play_base()
    tables = sensitivity_tables(pool, "random", base, [Trials(card, card, variants, outcomes)])
    rows = tables["sensitivity"].query("measure == 'dealt'").set_index("change")
    place = [one.card_id for one in pool.sets[0].cards].index("six")
    for variant in variants:
        changed = with_card(pool, variant.card)
        games = play_games(compile_cards(changed.sets), n_games=600)
        rates = []
        for played in (base, games):
            held = (played["cards"].reshape(-1, 2, 10) == place).any(axis=2)
            points = np.stack([played["winner"] == player for player in (0, 1)], axis=1)
            rates.append(points[held].mean())
        row = rows.loc[variant.change]
        assert (row["base"], row["variant"]) == (pytest.approx(rates[0]), pytest.approx(rates[1]))
        assert row["n"] == held.sum()
        assert row["difference"] == pytest.approx(rates[1] - rates[0])
        assert row["std_err"] == pytest.approx(row["std_err_independent"], rel=0.35)


def test_worth_by_copies_adds_up(tmp_path: Path) -> None:
    """Players dealt one copy and players dealt two are all who were dealt the card."""
    pool = plain_pool()
    card, reference = card_of(pool, "six"), card_of(pool, "five")
    laboratory = Laboratory(Experiments(pool, "random", 3000), tmp_path)
    variants = tuple(variants_of(card, reference, (VALUE,)))
    outcomes = tuple(laboratory.play([variant.card for variant in variants]))
    trials = [Trials(card, reference, variants, outcomes)]
    tables = sensitivity_tables(pool, "random", laboratory.play_base(), trials)
    rows, value = tables["by_copies"], tables["values"].iloc[0]
    assert list(rows["copies_dealt"]) == [1, 2]
    assert rows["n"].sum() == value["n"]
    assert (rows["n"] * rows["value"]).sum() == pytest.approx(value["n"] * value["value"])


def test_tables_have_the_columns_that_are_described(tmp_path: Path) -> None:
    """And every card of every set can be changed in every way that is tried."""
    pool = load_pool(["beyond_evolution", "king_of_tokyo"])
    laboratory = Laboratory(Experiments(pool, "random", 40), tmp_path, threads=1)
    base = laboratory.play_base()
    cards = [card for card in dealt_cards(pool) if card.evolves_to or card.dice][:2]
    reference = choose_reference(pool, base)
    tested = []
    for card in cards:
        variants = tuple(variants_of(card, reference))
        outcomes = tuple(laboratory.play([variant.card for variant in variants]))
        tested.append(Trials(card, reference, variants, outcomes))
    tables = sensitivity_tables(pool, "random", base, tested)
    assert list(tables) == list(SENSITIVITY_TABLES)
    for name, table in tables.items():
        assert list(table.columns) == list(TABLES[name].columns)
        assert len(table)


# ------------------------------------------------------------------------- games that are played


def test_planted_truths_of_plain_creatures(tmp_path: Path) -> None:
    """4,000 games: a twin of the reference is worth nothing, one more power something."""
    pool = plain_pool()
    laboratory = Laboratory(Experiments(pool, "heuristic", 4000, 3), tmp_path, threads=2)
    base, reference = laboratory.play_base(), card_of(pool, "five")
    tested = []
    for card_id in ("twin", "six"):
        variants = tuple(variants_of(card_of(pool, card_id), reference, (VALUE,)))
        outcomes = tuple(laboratory.play([variant.card for variant in variants]))
        tested.append(Trials(card_of(pool, card_id), reference, variants, outcomes))
    values = sensitivity_tables(pool, "heuristic", base, tested)["values"].set_index("card_id")
    twin, six = values.loc["twin"], values.loc["six"]
    assert twin["value"] == 0
    assert twin["value_ci_low"] < 0 < twin["value_ci_high"]
    assert six["value_ci_low"] > 0
    assert six["variance_reduction"] > 1


def test_going_first_is_that_of_the_variant(tmp_path: Path) -> None:
    """Another power may let another player start (R11); the points of that player are counted."""
    pool = load_pool(["first_contact"])
    card = dealt_cards(pool)[0]
    laboratory = Laboratory(Experiments(pool, "random", 4000, 3), tmp_path)
    variants = tuple(variants_of(card, card, (POWER,)))
    outcomes = tuple(laboratory.play([variant.card for variant in variants]))
    trials = Trials(card, card, variants, outcomes)
    tables = sensitivity_tables(pool, "random", laboratory.play_base(), [trials])
    found = tables["sensitivity"].query("measure == 'first_player_win_rate'")
    others = 0
    for variant, rate in zip(variants, found["variant"], strict=True):
        changed = with_card(pool, variant.card)
        games = play_games(compile_cards(changed.sets), n_games=4000, seed=3)
        assert rate == pytest.approx((games["winner"] == games["first_player"]).mean())
        others += (games["first_player"] != laboratory.play_base()["first_player"]).sum()
    assert others > 0


def test_games_are_kept_and_played_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What was interrupted goes on with the variant that is missing; damage is mended."""
    pool = plain_pool()
    experiments = Experiments(pool, "random", 60, 3)
    cards = [evolve(card_of(pool, "five"), power=power) for power in (5, 6, 7)]
    whole = Laboratory(experiments, tmp_path / "whole", threads=1).play(cards)

    calls: list[int] = []

    def stopping(*args: Any, **more: Any) -> np.ndarray:
        calls.append(more["games"][0])
        if len(calls) == 3:
            raise KeyboardInterrupt
        return play_rows(*args, **more)

    monkeypatch.setattr("simcore.mindbug.play.setup.play_rows", stopping)
    with pytest.raises(KeyboardInterrupt):
        Laboratory(experiments, tmp_path / "cut", threads=1).play(cards)
    again = Laboratory(experiments, tmp_path / "cut", threads=1).play(cards)
    assert len(calls) == 4  # base, one variant, the one that was cut, and that again
    assert all(np.array_equal(one, other) for one, other in zip(whole, again, strict=True))

    files = sorted((tmp_path / "cut" / "games").iterdir())
    assert len(files) == 3  # the card as it is needs no games
    for file in files:
        file.write_bytes(file.read_bytes()[:-9] + b"123456789")
    once_more = Laboratory(experiments, tmp_path / "cut", threads=1).play(cards)
    assert all(np.array_equal(one, other) for one, other in zip(whole, once_more, strict=True))


def test_changes_are_shown_one_after_the_other(tmp_path: Path) -> None:
    """What is known is shown after each variant; who stops there keeps what was shown."""
    experiments, looks = Experiments(load_pool("first_contact"), "random", 200), []
    [card] = [one for one in dealt_cards(experiments.pool) if one.card_id == "killer_bee"]

    with closing(try_changes(experiments, [card], tmp_path, changes=[POWER])) as coming:
        for tried in coming:
            looks.append(len(tried.games))
            if looks == [0, 1, 2]:
                break
    kept = {file: file.stat().st_mtime_ns for file in tmp_path.glob("games/*.parquet")}
    assert looks == [0, 1, 2] and len(kept) >= 3
    again = [*try_changes(experiments, [card], tmp_path, changes=[POWER])]
    assert [len(look.games) for look in again] == [0, 1, 2, 3, 4]
    assert len(again[-1].trials[0].outcomes) == 4
    assert all(file.stat().st_mtime_ns == when for file, when in kept.items())


def test_other_games_are_refused(tmp_path: Path) -> None:
    """A folder belongs to one pool, player, seed and number of games."""
    pool = plain_pool()
    Laboratory(Experiments(pool, "random", 60, 3), tmp_path / "one")
    for other, told in (
        (Experiments(pool, "random", 61, 3), "games 60, not 61"),
        (Experiments(pool, "greedy", 60, 3), "policy random, not greedy"),
    ):
        with pytest.raises(RunError, match=f"holds an analysis with {told}; choose another folder"):
            Laboratory(other, tmp_path / "one")
    (tmp_path / "two").mkdir()
    (tmp_path / "two" / "letter.txt").write_text("Dear Ann")
    with pytest.raises(RunError, match=r"not empty .* letter\.txt"):
        Laboratory(Experiments(pool, "random", 60, 3), tmp_path / "two")
