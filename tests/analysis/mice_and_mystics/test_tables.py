"""The tables of a run: what is counted is right, and intervals hold around planted truths."""

from itertools import combinations
from math import factorial

import numpy as np
import pandas as pd
import pytest
from scipy.stats import binom

from analysis.confidence import normal_z
from analysis.mice_and_mystics.counts import RunCounts
from analysis.mice_and_mystics.game_records import CARD_GAMES, card_games
from analysis.mice_and_mystics.heroes import together
from analysis.mice_and_mystics.run_facts import shapley, with_without
from analysis.mice_and_mystics.tables import RUN_TABLES
from analysis.registry import Table
from analysis.simultaneous import apart_z
from simcore.mice_and_mystics.table.records import Outcome, counter_names
from support.mice_and_mystics.fast_table import counter_values
from support.planted_mice import Planted, count, play, run_facts

ONE = run_facts("collin", "nez", "tilda", "filch")
ALL = run_facts()
#: Truths for most tests: strong enough to be seen in a few thousand games.
TRUTH = Planted(
    heroes={"tilda": 0.08, "nez": -0.06},
    pairs={("collin", "lily"): 0.1},
    dealt={"fortify": 0.12, "feint": -0.1},
    top8={"grape": 0.1},
    first={"si_enc_03": -0.2},
    on_top={"nez": 0.06, "rat_warrior": -0.1},
    rounds={"si_enc_01": 1.5},
)


def made(name: str, counts: RunCounts) -> pd.DataFrame:
    """A table of some games."""
    make = RUN_TABLES[name].make
    assert make is not None
    return make(counts)


@pytest.mark.parametrize("facts", [ONE, ALL], ids=["one party", "all parties"])
@pytest.mark.parametrize("table", RUN_TABLES.values(), ids=list(RUN_TABLES))
def test_tables_have_their_columns(facts, table: Table) -> None:
    """A table has the columns of its entry, of games and of none."""
    for n_games in (0, 1, 50):
        found = made(table.name, count(facts, play(facts, Planted(), n_games, 0)))
        assert list(found.columns) == list(table.columns)


@pytest.mark.parametrize("name", ["encounters", "heroes", "hero_pairs", "dice"])
def test_win_rates_stay_shares(name: str) -> None:
    """Few games, nearly all won or all lost: no win rate lies between -3% and 102%."""
    for base in (0.04, 0.96):
        found = made(name, count(ALL, play(ALL, Planted(base), 600, 0)))
        rates = found.filter(regex="win_rate.*(_ci_low|_ci_high)").to_numpy()
        assert np.isfinite(rates).any()
        assert np.nanmin(rates) >= 0 and np.nanmax(rates) <= 1


def test_counts_of_parts_add_up() -> None:
    """Counts do not depend on how games are cut into parts, nor on their order."""
    games = play(ALL, TRUTH, 3_000, 1)
    whole = count(ALL, games)
    parts = count(ALL, games[2_000:]) + count(ALL, games[:700]).count(games[700:2_000])
    for name, sums in whole.sums.items():
        np.testing.assert_array_equal(sums, parts.sums[name])


def test_foreign_party_is_an_error() -> None:
    """Games of a party that the run does not have are not counted for another."""
    with pytest.raises(ValueError, match="not among those of the run"):
        count(ONE, play(ALL, TRUTH, 50, 1))


def test_counters_are_plain_means() -> None:
    """Every counter of section 29 has the mean and standard deviation of its values."""
    games = play(ALL, TRUTH, 500, 2)
    found = made("counters", count(ALL, games)).set_index("counter")
    for name, field, place in counter_names(ALL.ids):
        values = counter_values(games, field, place).astype(float)
        if field.startswith(("page_at", "round_at", "first_level")):
            values = values[values >= 0]
        line = found.loc[name]
        assert line["n"] == len(values)
        if len(values) > 1:
            assert line["mean"] == pytest.approx(values.mean())
            assert line["std_dev"] == pytest.approx(values.std(ddof=1))
            assert line["ci_low"] <= line["mean"] <= line["ci_high"]
    assert found.loc["win", "mean"] == (games["outcome"] == Outcome.WIN).mean()
    assert found.loc["first_si_enc_01", "mean"] == (games["first_e"] == 0).mean()


def test_score_is_that_of_the_rules() -> None:
    """The score is the depth, and for a win 1 and the share of pages left (section 29)."""
    games = play(ONE, TRUTH, 400, 3)
    won = games["outcome"] == Outcome.WIN
    scores = games["route_depth"] + won * (1 + games["pages_left"] / ONE.page_end)
    lines = made("outcomes", count(ONE, games)).set_index("statistic")
    assert lines.loc["mean_score", "estimate"] == pytest.approx(scores.mean())
    left = games["pages_left"][won].mean()
    assert lines.loc["mean_pages_left_of_wins", "estimate"] == pytest.approx(left)
    assert lines.loc["reached_room_3", "estimate"] == (games["route_depth"] >= 3).mean()


def test_outcomes_are_shares_of_all_games() -> None:
    """The four outcomes of each party, and of all games, add up to one."""
    table = made("outcomes", count(ALL, play(ALL, TRUTH, 2_000, 4)))
    words = [outcome.name.lower() for outcome in Outcome]
    shares = table[table["statistic"].isin(words)].groupby("party")["estimate"].sum()
    assert len(shares) == 16
    np.testing.assert_allclose(shares, 1)


def test_clock_and_rooms_have_every_game() -> None:
    """All games are on page 1, each on all pages up to its last, and each ends once."""
    games = play(ALL, TRUTH, 2_000, 5)
    counts = count(ALL, games)
    clock, rooms = (made(name, counts) for name in ("clock", "rooms"))
    assert clock[clock["page"] == 1]["n_games"].sum() == len(games)
    assert clock["n_games"].sum() == games["page_final"].sum()
    assert rooms["ended"].sum() == len(games)
    ends = clock[["win", "loss_page", "loss_captured", "timeout"]].sum()
    assert ends.sum() == len(games) and ends["win"] == (games["outcome"] == Outcome.WIN).sum()


def test_cheese_balances_or_says_so() -> None:
    """In = out + left for wheel and mice; a miscounted game is found."""
    games = play(ONE, TRUTH, 300, 6)
    cheese = made("cheese", count(ONE, games))
    assert not cheese[["in_minus_out", "games_unbalanced"]].to_numpy().any()
    games["cheese_left"][7] += 2
    cheese = made("cheese", count(ONE, games)).groupby("where")
    assert cheese["games_unbalanced"].first().to_dict() == {"mice": 1, "wheel": 0}
    assert cheese["in_minus_out"].first().to_dict() == {"mice": -2, "wheel": 0}


def test_worth_of_heroes_is_that_of_the_parties() -> None:
    """Worth, Shapley value and synergy are what the parties' true win rates make of them."""
    rates = np.array([TRUTH.of_party(party) for party in ALL.parties])
    worth = with_without(ALL.members) @ rates
    values = shapley(ALL.members) @ rates
    heroes = list(ALL.ids["heroes"])
    tilda, nez, lily, filch = (heroes.index(one) for one in ("tilda", "nez", "lily", "filch"))
    # Others are in 6 of 10 parties with a hero and in 4 of 5 without: 1.2 times as much in all.
    assert worth[tilda] - worth[filch] == pytest.approx(1.2 * 0.08)
    assert worth[nez] - worth[filch] == pytest.approx(1.2 * -0.06)
    assert values[tilda] > values[filch] > values[nez] and values[lily] > values[filch]
    both = together(ALL.members) @ rates
    assert both[heroes.index("collin"), lily] == pytest.approx(0.1)
    none = Planted(heroes=TRUTH.heroes)
    sums = np.array([none.of_party(party) for party in ALL.parties])
    np.testing.assert_allclose((together(ALL.members) @ sums)[tilda, [nez, filch]], 0, atol=1e-12)


def _filled_up(members: np.ndarray, results: np.ndarray) -> np.ndarray:
    """What each hero adds to parties that are filled up in any order, averaged over the parties.

    Some heroes are worth the mean of the parties that have them all.
    """
    values = np.zeros(len(members))
    for hero, there in enumerate(members):
        added = []
        for party in np.flatnonzero(there):
            others = [one for one in np.flatnonzero(members[:, party]) if one != hero]
            for size in range(len(others) + 1):
                orders = factorial(size) * factorial(len(others) - size)
                for some in combinations(others, size):
                    before = members[list(some)].all(axis=0)
                    gain = results[before & there].mean() - results[before].mean()
                    added.append(gain * orders / factorial(len(others) + 1))
        values[hero] = sum(added) / max(there.sum(), 1)
    return values


@pytest.mark.parametrize("chapter", ["standin_four_rooms", "ch1_flight_to_barksburg"])
def test_shapley_values_add_up_to_the_parties(chapter: str) -> None:
    """Where parties are sums of their heroes, so are their leads of the heroes' Shapley values."""
    members = run_facts(chapter=chapter).members
    parts = np.random.default_rng(0).random(len(members))
    results = parts @ members
    values = shapley(members) @ results
    np.testing.assert_allclose(values @ members, results - results.mean(), atol=1e-12)
    varied = members.any(axis=1) & ~members.all(axis=1)
    mean = parts[varied].mean()
    np.testing.assert_allclose(values, np.where(varied, parts - mean, 0), atol=1e-12)


@pytest.mark.parametrize("chapter", ["standin_four_rooms", "ch1_flight_to_barksburg"])
def test_shapley_values_are_those_of_every_definition(chapter: str) -> None:
    """For any results: the least-squares fit, and what heroes add to sets filled up, but for scale.

    Which is what the axioms say of results that are known of parties of one size alone.
    """
    members = run_facts(chapter=chapter).members
    results = np.random.default_rng(1).random(len(members.T))
    values = shapley(members) @ results
    centred = members - members.mean(axis=1, keepdims=True)
    fitted = np.linalg.pinv(centred.T.astype(float)) @ results
    np.testing.assert_allclose(values, fitted, atol=1e-12)
    filled_up = _filled_up(members, results)
    scale = filled_up @ values / (values @ values)
    np.testing.assert_allclose(filled_up, scale * values, atol=1e-12)


def test_parties_are_heroes_and_what_goes_beyond() -> None:
    """A party's lead is the sum of its heroes' values and the rest; the rest of a sum is 0."""
    table = made("parties", count(ALL, play(ALL, TRUTH, 20_000, 10)))
    np.testing.assert_allclose(table["over_average"], table["additive"] + table["beyond"])
    rates = np.array([TRUTH.of_party(party) for party in ALL.parties])
    truth = rates - rates.mean() - ALL.members.T @ shapley(ALL.members) @ rates
    assert np.abs(truth).max() > 0.01  # Collin and Lily together
    held = (table["beyond_ci_low"] <= truth) & (truth <= table["beyond_ci_high"])
    assert held.sum() >= 12
    chapter = run_facts(chapter="ch1_flight_to_barksburg")
    four = made("parties", count(chapter, play(chapter, Planted(), 500, 1)))
    assert four["beyond"].isna().all() and four["additive"].notna().all()


def test_hero_in_every_party_has_no_worth() -> None:
    """Every legal party of chapter 1 has Collin, so what he is worth is not known."""
    chapter = run_facts(chapter="ch1_flight_to_barksburg")
    heroes = made("heroes", count(chapter, play(chapter, Planted(), 2_000, 1)))
    collin, *others = heroes.to_dict("records")
    assert collin["hero"] == "collin" and collin["parties_without"] == 0
    assert np.isnan(collin["worth"]) and np.isnan(collin["shapley"])
    assert len(others) == 4 and all(np.isfinite(one["worth"]) for one in others)


def _covered(table: pd.DataFrame, key: str, column: str, truth: dict[str, float]) -> list[bool]:
    """Whether the interval of each line holds the truth, each by itself.

    Those that are judged hold together, and are as much wider.
    """
    wider = (
        apart_z(table[column].notna().sum()) / normal_z()
        if column in {"worth", "win_effect"}
        else 1.0
    )
    return [
        (line[f"{column}_ci_low"] - line[column]) / wider
        <= truth[line[key]] - line[column]
        <= (line[f"{column}_ci_high"] - line[column]) / wider
        for line in table.to_dict("records")
    ]


def _truths() -> dict[tuple[str, str, str], dict[str, float]]:
    """What the columns of tables should be for `TRUTH`: (table, key, column) -> line -> truth."""
    nez, rats = TRUTH.on_top["nez"], TRUTH.on_top["rat_warrior"]
    # A card lies on top of every fifth track.
    rates = np.array([TRUTH.of_party(party) + ("nez" in party) * nez / 5 for party in ALL.parties])
    first = dict.fromkeys(ALL.ids["encounters"], 0.0) | dict(TRUTH.first)
    mean_first = sum(first.values()) / len(first)
    longer = dict.fromkeys(ALL.ids["encounters"], 0.0) | dict(TRUTH.rounds)
    mean_rounds = sum(longer.values()) / len(longer)
    chance = 4 / len(ALL.ids["abilities"])
    extra = mean_first + chance * sum(TRUTH.dealt.values()) + rats / 5
    extra += (1 - np.exp(-0.2)) * sum(TRUTH.top8.values())
    # Nez is in 10 of 15 parties, and in 6 of the 10 with another hero.
    mouse_on_top = nez / 4 * 10 / 15
    by_hero = dict.fromkeys(ALL.ids["heroes"], -(rats + 0.6 * nez) / 4) | {"nez": nez - rats / 4}
    return {
        ("heroes", "hero", "worth"): dict(
            zip(ALL.ids["heroes"], with_without(ALL.members) @ rates, strict=True)
        ),
        ("heroes", "hero", "shapley"): dict(
            zip(ALL.ids["heroes"], shapley(ALL.members) @ rates, strict=True)
        ),
        ("parties", "party", "win_rate"): {
            ",".join(party): rate + extra for party, rate in zip(ALL.parties, rates, strict=True)
        },
        ("abilities", "ability", "win_effect"): dict.fromkeys(ALL.ids["abilities"], 0.0)
        | dict(TRUTH.dealt),
        ("search_cards", "card", "win_effect"): dict.fromkeys(ALL.ids["cards"], 0.0)
        | dict(TRUTH.top8),
        ("encounters", "encounter", "win_effect"): {
            one: worth - (mean_first * 18 - worth) / 17 for one, worth in first.items()
        },
        ("encounters", "encounter", "rounds_fought_there_effect"): {
            one: rounds - (mean_rounds * 18 - rounds) / 17 for one, rounds in longer.items()
        },
        ("initiative", "id", "win_effect"): {
            **dict.fromkeys("1234", mouse_on_top / 4 - rats / 4),
            **dict.fromkeys(("0", "rat_warrior"), rats - mouse_on_top),
            **by_hero,
        },
        ("initiative", "id", "share"): dict.fromkeys(["rat_warrior", *"01234", *by_hero], 1 / 5),
    }


def test_intervals_hold_around_planted_truths() -> None:
    """95% intervals of worth, effects and win rates miss in about 5% of cases."""
    truths = _truths()
    covered: dict[tuple[str, str, str], list[bool]] = {where: [] for where in truths}
    for seed in range(16):
        counts = count(ALL, play(ALL, TRUTH, 3_000, seed))
        tables = {name: made(name, counts) for name in {where[0] for where in truths}}
        for where, truth in truths.items():
            covered[where] += _covered(tables[where[0]], *where[1:], truth)
    for where, held in covered.items():
        missed = held.count(False)
        low, high = binom.ppf([1e-4, 1 - 1e-4], len(held), 0.05)
        # Lines of one run that are about the same games depend on each other: misses come together.
        slack = 2 if where[0] in {"heroes", "initiative"} else 1
        assert low / 4 <= missed <= slack * high, (where, missed, len(held))


def test_effects_do_not_mix_up_parties() -> None:
    """An ability that only strong parties can begin with is not credited with their strength."""
    truth = Planted(heroes={"maginos": 0.3})
    games = play(ALL, truth, 20_000, 9)
    has_maginos = (games["party"] == ALL.ids["heroes"].index("maginos")).any(axis=1)
    bit = 1 << ALL.ids["abilities"].index("mystic_bolt")
    games["dealt"] &= np.where(has_maginos, -1, ~bit)
    line = made("abilities", count(ALL, games)).set_index("ability").loc["mystic_bolt"]
    assert line["win_effect_ci_low"] < 0 < line["win_effect_ci_high"]
    assert line["dealt_n"] + line["not_dealt_n"] == has_maginos.sum()


def test_card_games_are_the_records() -> None:
    """A row for each card that came up in a game, with its counts, the party and the outcome."""
    games = play(ALL, TRUTH, 300, 1)
    rows = card_games(games, ALL)
    assert list(rows) == list(CARD_GAMES.columns)
    counts = ("drawn", "equipped", "used", "top8")
    n_cards = len(ALL.ids["cards"])
    came_up = np.sum([games[name][:, :n_cards].astype(int) for name in counts], axis=0) > 0
    assert len(rows) == came_up.sum() > 0
    for row in rows.sample(50, random_state=1).itertuples():
        game, card = games[row.game], ALL.ids["cards"].index(row.card_id)
        assert all(getattr(row, name) == game[name][card] for name in counts)
        assert row.outcome == Outcome(game["outcome"]).name.lower()
        assert row.won == (game["outcome"] == Outcome.WIN)
        assert row.party.split(",") == [
            ALL.ids["heroes"][hero] for hero in sorted(game["party"]) if hero >= 0
        ]
