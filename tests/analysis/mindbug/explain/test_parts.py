"""What goes with an advantage: equal to slow loops, adding up, and true where it was planted."""

from typing import Any

import numpy as np
import pandas as pd
import pytest
from attrs import evolve

from analysis.mindbug.card_strength import cards_table
from analysis.mindbug.explain.parts import CARD_PARTS, CHANGE_PARTS, card_parts_table
from analysis.mindbug.explain.surprises import printed_side
from analysis.mindbug.explain.tally import GROUPS, VIEWS, PartTally, tally_parts
from analysis.mindbug.paired_sums import PairCounter
from analysis.mindbug.tallies import CardTraits, groups, tally_games
from card_data.mindbug import load_pool, parse_set
from card_data.mindbug.schema import Card, Pool
from card_data.mindbug.vocabulary import Keyword
from simcore.mindbug import compile_cards, play_games
from simcore.mindbug.table.records import Ending
from support.slow_tables import slots_of
from support.synthetic import expansions_games, expansions_pool, synthetic_cards, synthetic_games

SAME, DIFFERENT = ("random", "random"), ("greedy", "random")
CARDS = synthetic_cards()
NAMED = [("synthetic", card) for card in CARDS.cards]
UNITS = np.arange(len(NAMED))
FATES = [part.name for part in VIEWS[0].parts]
COURSE = ["kills", "losses", "mindbugs", "plays", "starts", "by_life", "by_no_action"]


def made(n_games: int, seed: int, **options: Any) -> np.ndarray:
    """Games of the synthetic cards."""
    return synthetic_games(CARDS, n_games, seed=seed, **options)


def parts_of(games: np.ndarray, policies: tuple[str, str] = SAME) -> pd.DataFrame:
    """The table ``card_parts`` of some games."""
    tally = tally_parts(games, UNITS, same_policy=policies[0] == policies[1])
    return card_parts_table(tally, NAMED, policies)


def slow_player_games(games: np.ndarray) -> pd.DataFrame:
    """A row for each slot: card, player, fate of the copy, score, and the course of the game."""
    rows = []
    for game in games:
        drawn, defeated = slots_of(game["drawn"]), slots_of(game["defeated"])
        played, taken = ([slots_of(mask) for mask in game[name]] for name in ("played", "taken"))
        hands = [set(range(10)), set(range(10, 20))]
        for player, other in ((0, 1), (1, 0)):
            score = 0.5 if game["winner"] < 0 else float(game["winner"] == player)
            course = {
                "kills": len(defeated & hands[other]),
                "losses": len(defeated & hands[player]),
                "mindbugs": len(taken[player]) - len(taken[other]),
                "plays": len(played[player]) - len(played[other]),
                "starts": 1 if game["first_player"] == player else -1,
                "by_life": (2 * score - 1) * (game["ending"] == Ending.LIFE),
                "by_no_action": (2 * score - 1) * (game["ending"] == Ending.NO_ACTION),
            }
            for slot in hands[player]:
                fate = 0
                if slot in drawn:
                    fate = 1
                if slot in played[player]:
                    early = game["turns"] - game["turn_played"][slot] >= 2
                    fate = 3 if slot in defeated else 4 if early else 2
                if slot in taken[other]:
                    fate = 5
                rows.append(
                    {"game": game["game"], "player": player, "card": game["cards"][slot],
                     "fate": fate, "score": score, **course}
                )  # fmt: skip
    return pd.DataFrame(rows)


@pytest.mark.parametrize("policies", [SAME, DIFFERENT])
def test_parts_equal_slow_loops(policies: tuple[str, str]) -> None:
    """Amounts, win rates and least squares are those of plain loops over games and copies."""
    games = made(300, seed=7, worth=np.linspace(-0.03, 0.03, 16), draw_rate=0.1)
    table = parts_of(games, policies).set_index(["card_id", "policy", "part"])
    table = table.sort_index()
    slots = slow_player_games(games)
    one_each = slots.drop_duplicates(["game", "player"])
    numbers = pd.DataFrame(
        {"net": one_each["kills"] - one_each["losses"], **one_each[COURSE[2:5]]}
    ).astype(float)
    outcome, first = one_each["score"].to_numpy(), (one_each["player"] == 0).to_numpy()
    design = numbers.to_numpy()
    if policies[0] != policies[1]:
        design, outcome = np.column_stack([np.ones(first.sum()), design[first]]), outcome[first]
    else:
        outcome = outcome - 0.5
    slopes = np.linalg.lstsq(design, outcome, rcond=None)[0][-4:]
    for policy, players in groups(policies):
        mine = slots[slots["player"].isin(players)]
        mean = mine["score"].mean()
        for row, (_, card) in enumerate(NAMED):
            copies = mine[mine["card"] == row].sort_values("fate")
            dealt = copies.drop_duplicates(["game", "player"], keep="last")
            got = table.loc[card.card_id, policy]
            assert (got["n"] == len(dealt)).all()
            assert (got["base_n"] == len(mine)).all()
            for fate, name in enumerate(FATES):
                for rows, prefix in ((mine, "base_"), (dealt, "")):
                    there = rows[rows["fate"] == fate]
                    assert got.loc[name, f"{prefix}amount"] == pytest.approx(len(there) / len(rows))
                    excess = there["score"].mean() - mean
                    assert got.loc[name, f"{prefix}excess"] == pytest.approx(excess, nan_ok=True)
            for name in COURSE:
                assert got.loc[name, "amount"] == pytest.approx(dealt[name].mean())
                assert got.loc[name, "base_amount"] == pytest.approx(mine[name].mean())
            wanted = [slopes[0], -slopes[0], *slopes[1:]]
            np.testing.assert_allclose(got.loc[COURSE[:5], "excess"], wanted)
            gap = got["amount"] - got["base_amount"]
            np.testing.assert_allclose(
                got.loc[COURSE, "contribution"], (gap * got["excess"])[COURSE], atol=1e-12
            )


@pytest.mark.parametrize("policies", [SAME, DIFFERENT])
def test_parts_of_each_view_add_up_to_the_advantage(policies: tuple[str, str]) -> None:
    """In every view the parts add up to the advantage of the table ``cards``, and have halves."""
    games = made(500, seed=8, worth=np.linspace(-0.03, 0.03, 16), draw_rate=0.2)
    same = policies[0] == policies[1]
    tally = tally_games(games, CardTraits.of(CARDS.cards), same_policy=same, mindbugs_each=2)
    cards = cards_table(tally, NAMED, policies).set_index(["card_id", "policy"])
    table = parts_of(games, policies)
    for (card_id, policy, _), view in table.groupby(["card_id", "policy", "view"]):
        advantage = cards.loc[(card_id, policy), "advantage"]
        assert view["contribution"].sum() == pytest.approx(advantage, abs=1e-12)
        assert view["total"].iloc[0] == pytest.approx(advantage, abs=1e-12)
    halves = table["by_amount"] + table["by_excess"]
    np.testing.assert_allclose(halves, table["contribution"], atol=1e-12)
    assert list(table.columns) == list(CARD_PARTS.columns)


def test_games_can_be_counted_in_any_pieces() -> None:
    """A run cut in two has the same counts, and every game its group by its number."""
    games = made(200, seed=9)
    whole = tally_parts(games, UNITS, same_policy=True)
    pieces = [tally_parts(part, UNITS, same_policy=True) for part in (games[:77], games[77:])]
    for one, other in zip(whole, pieces[0].plus(pieces[1]), strict=True):
        np.testing.assert_array_equal(one, other)
    np.testing.assert_array_equal(
        whole.moments[:, 0, 0], np.bincount(games["game"] % GROUPS, minlength=GROUPS)
    )


def stolen_card_wins(games: np.ndarray, rng: np.random.Generator, chance: float) -> np.ndarray:
    """The games, won with this chance by whoever took the card in row 0 with a Mindbug."""
    bits = np.uint64(1) << np.arange(20, dtype=np.uint64)
    there = games["cards"] == 0
    took = np.stack(
        [((games["taken"][:, [player]] & bits > 0) & there).any(axis=1) for player in (0, 1)]
    )
    decided = (took[0] != took[1]) & (rng.random(len(games)) < chance)
    games["winner"] = np.where(decided, took[1], games["winner"])
    return games


def test_a_card_that_is_strong_only_when_stolen_shows_there() -> None:
    """Where only the thief of a card wins by it, its weakness stands in the part ``taken``."""
    rng = np.random.default_rng(4)
    games = stolen_card_wins(made(20_000, seed=10), rng, 0.8)
    table = parts_of(games)
    planted = table[(table["card_id"] == "card_00") & (table["view"] == "fate")].set_index("part")
    taken = planted.loc["taken"]
    assert taken["contribution_ci_high"] < 0
    assert taken["contribution"] == pytest.approx(planted["total"].iloc[0], abs=0.015)
    assert taken["excess"] == pytest.approx(-0.4, abs=0.05)  # 0.8 of the way from 50% to 0
    assert taken["by_excess"] < 0.8 * taken["contribution"] < 0
    others = planted.drop("taken")
    assert (others["contribution"].abs() < 0.01).all()
    rest = table[(table["card_id"] == "card_09") & (table["part"] == "taken")].iloc[0]
    assert rest["contribution_ci_low"] < 0.01


def test_intervals_cover_what_they_say() -> None:
    """Where every card is average, about 95 in 100 intervals of each part hold zero."""
    held = []
    for seed in range(25):
        table = parts_of(made(640, seed=100 + seed))
        known = table[table["contribution_ci_low"] < table["contribution_ci_high"]]
        inside = (known["contribution_ci_low"] <= 0) & (known["contribution_ci_high"] >= 0)
        held.append(inside.groupby(known["view"]).mean())
    shares = pd.concat(held, axis="columns").mean(axis="columns")
    assert (shares > 0.92).all(), shares
    assert shares.drop("course").max() < 0.975, shares  # slopes of zero leave room in the course


TYRANT = """
name = "Own"

[tyrant]
name = "Tyrant"
power = 6
copies = 2
constant = "the opponent cannot play cards with power <= 4 from their hand"
"""


def tyrants(power: int) -> Pool:
    """First Contact with a card that players steal from power 7 on."""
    pool = load_pool(["first_contact"])
    own = parse_set(TYRANT.replace("power = 6\n", f"power = {power}\n"), "own.toml")
    return evolve(pool, sets=(*pool.sets, own))


def test_a_stronger_card_that_gets_weaker_explains_itself() -> None:
    """Power 6 → 7 makes a card weaker among heuristic players: they begin to take it."""
    pools = tyrants(6), tyrants(7)
    policies = "heuristic", "heuristic"
    games = [
        play_games(compile_cards(pool.sets, pool.modes), n_games=2000, seed=1, policies=policies)
        for pool in pools
    ]
    counter = PairCounter(*pools, policies)
    sums = counter.count(games[0][:900], games[1][:900]).plus(
        counter.count(games[0][900:], games[1][900:])
    )
    table = counter.tables(sums)["change_parts"]
    assert set(table["card_id"]) == {"tyrant"}
    assert list(table.columns) == list(CHANGE_PARTS.columns)
    taken = table.set_index("part").loc["taken"]
    assert taken["base_amount"] < 0.03
    assert taken["amount"] > 0.2
    assert taken["contribution_ci_high"] < 0
    assert taken["total"] < -0.03
    [row] = [
        row
        for row, card in enumerate(card for one in pools[0].sets for card in one.cards)
        if card.card_id == "tyrant"
    ]
    rates = []
    for played in games:
        hands = (played["cards"].reshape(-1, 2, 10) == row).any(axis=2)
        won = played["winner"][:, None] == [0, 1]
        rates.append(won[hands].mean())
    for _, view in table.groupby("view"):
        assert view["contribution"].sum() == pytest.approx(rates[1] - rates[0], abs=2e-3)
        assert view["contribution"].sum() == pytest.approx(taken["total"], abs=1e-12)


def test_nothing_is_explained_where_no_card_changed() -> None:
    """The same pool twice, or a mode that changed, has no changed card and no table."""
    pool = tyrants(6)
    other = evolve(pool, modes=evolve(pool.modes, life=5))
    games = np.zeros(0, synthetic_games(CARDS, 1).dtype)
    for variant in (pool, other):
        counter = PairCounter(pool, variant, SAME)
        assert counter.tables(counter.count(games, games)) == {}


def test_a_changed_later_stage_changes_the_card_that_is_dealt() -> None:
    """A line that evolves into another face is explained under the card that players are dealt."""
    pool = expansions_pool()
    sets = tuple(
        evolve(one, cards=tuple(
            evolve(card, power=card.power + 1) if card.card_id == "tree" else card
            for card in one.cards
        ))
        for one in pool.sets
    )  # fmt: skip
    games = expansions_games(pool, 200, seed=6)
    counter = PairCounter(pool, evolve(pool, sets=sets), SAME)
    table = counter.tables(counter.count(games, games))["change_parts"]
    assert set(table["card_id"]) == {"seed"}
    assert (table["contribution"] == 0).all()


def test_a_card_is_better_as_printed_with_more_power_or_keywords_alone() -> None:
    """More power or keywords and no other difference make a card better; less make it worse."""
    card = Card("one", "One", 6, keywords=frozenset({Keyword.TOUGH}))
    more = evolve(card, power=7), evolve(card, keywords=card.keywords | {Keyword.SNEAKY})
    for better in more:
        assert (printed_side(card, better), printed_side(better, card)) == (1, -1)
    mixed = evolve(card, power=7, keywords=frozenset())
    for neither in (card, mixed, evolve(card, power=7, copies=3)):
        assert printed_side(card, neither) == 0


def test_few_games_have_no_interval() -> None:
    """One game has no error to estimate, and no warning."""
    table = parts_of(made(1, seed=3))
    assert table["contribution_ci_low"].isna().all()
    assert isinstance(tally_parts(made(1, seed=3), UNITS, same_policy=True), PartTally)
