"""Figures of people beside those of the program, on logs drawn from known truths."""

from collections.abc import Sequence
from math import nan

import numpy as np
import pandas as pd
import pytest

from analysis.playtest_players import among_equals, main_holder, strengths
from analysis.playtests import (
    ALL,
    BEGINS,
    LENGTH,
    LOG,
    POINTS,
    SEAT,
    WITH,
    Facts,
    Figure,
    changes_table,
    count,
    facts_of_log,
    figures_table,
    games_for,
    log_frame,
    minutes_of,
    wins,
)
from card_data.playtest_log import PlayedGame, PlaytestLog


def _game(
    players: Sequence[str] = ("", ""),
    scores: Sequence[float] = (1, 0),
    first: int = 0,
    held: Sequence[Sequence[str]] = ((), ()),
    **numbers: float,
) -> PlayedGame:
    pair = tuple(map(tuple, held))
    return PlayedGame(
        *(2, None, "", tuple(players), ((),) * len(scores), pair, first, tuple(scores)),
        *((nan,) * len(scores), numbers, {}),
    )


def _log(games: Sequence[PlayedGame], *players: str) -> PlaytestLog:
    return PlaytestLog("games.csv", games, {"bee": "Bee"}, {one: one for one in players}, ())


def _drawn(
    rng: np.random.Generator, n: int, begins: float, cards: Sequence[float] | np.ndarray
) -> Facts:
    """Games in which whoever begins, and holders of each card, win as often as is said."""
    first = rng.integers(0, 2, n)
    won = rng.random(n) < begins
    winner = np.where(won, first, 1 - first)
    scores = (winner[:, None] == np.arange(2)).astype(float)
    held = {}
    for place, chance in enumerate(cards):  # by one seat in half of the games
        there, right = rng.random(n) < 0.5, rng.random(n) < chance
        seat = np.where(right, winner, 1 - winner)
        held[f"c{place}"] = there[:, None] & (seat[:, None] == np.arange(2))
    turns = rng.poisson(20, n).astype(float) + 1
    return Facts(scores, np.full((n, 2), nan), first, {"turns": turns}, held)


def test_figures_are_counted_as_by_hand() -> None:
    """Ties, a game without a winner, a card on both sides, minutes a turn."""
    log = _log(
        [
            _game(scores=(1, 0), held=(["bee"], []), turns=10, minutes=20),
            _game(scores=(0.5, 0.5), first=1, held=(["bee"], ["bee"]), turns=20),
            _game(scores=(nan, nan), turns=30, minutes=40),
        ]
    )
    sums = count(facts_of_log(log.games))
    at = {figure: (float(one.n), float(one.s)) for figure, one in sums.items()}
    assert at[Figure(BEGINS)] == (2, 1.5)
    assert at[Figure(WITH, "bee")] == (3, 2)
    assert at[Figure(SEAT, "0")] == (2, 1.5)
    assert at[Figure(LENGTH, "turns")] == (3, 60)
    assert at[Figure(LENGTH, "minutes a turn")] == (40, 60)
    assert Figure(POINTS, "points") not in at


def test_a_seat_that_always_begins_is_told_once() -> None:
    """Where the first seat begins in every game, it is whoever begins."""
    sums = count(facts_of_log([_game(), _game()]))
    assert {figure.kind for figure in sums} == {BEGINS}


def test_the_best_outcome_wins() -> None:
    """Ties are shared."""
    assert wins(np.array([[3.0, 1], [2, 2]])).tolist() == [[1, 0], [0.5, 0.5]]


@pytest.mark.parametrize(("n_games", "most"), [(40, 9), (300, 9)])
def test_logs_of_the_same_player_rarely_disagree(n_games: int, most: float) -> None:
    """Of logs without any difference about 5 in 100 are told to disagree, and intervals hold."""
    rng, cards, n_logs = np.random.default_rng(1), [0.5, 0.55, 0.4, 0.6], 100
    simulated = {"": count(_drawn(rng, 20_000, 0.55, cards))}
    disagree, inside = 0, []
    for _ in range(n_logs):
        table = figures_table({"": count(_drawn(rng, n_games, 0.55, cards))}, simulated)
        disagree += table["finding"].isin(["more", "less"]).any()
        first = table.iloc[0]
        inside.append(first["people_ci_low"] <= 0.55 <= first["people_ci_high"])
    assert disagree / n_logs <= most / 100
    assert 0.91 <= np.mean(inside) <= 0.985


def test_a_large_difference_is_found_and_told_with_its_size() -> None:
    """600 games show 15 points."""
    rng = np.random.default_rng(2)
    simulated = {"": count(_drawn(rng, 20_000, 0.5, [0.5]))}
    table = figures_table({"": count(_drawn(rng, 600, 0.65, [0.5]))}, simulated)
    row = table.iloc[0]
    assert (row["kind"], row["finding"]) == (BEGINS, "more")
    assert row["difference_ci_low"] < 0.15 < row["difference_ci_high"]
    assert 0 < row["from_people"] < 1
    assert row["simulated"] < row["together"] < row["people"]


@pytest.mark.parametrize("n_games", [50, 200, 1_000])
def test_joined_is_nearer_than_either_part(n_games: int) -> None:
    """People who differ by some points: log and simulation together err less than each of them."""
    rng, errors = np.random.default_rng(3), []
    program = np.full(12, 0.5) + rng.normal(0, 0.05, 12)
    for _ in range(15):
        people = program + rng.normal(0, 0.05, 12)
        simulated = {"": count(_drawn(rng, 20_000, 0.5, program))}
        table = figures_table({"": count(_drawn(rng, n_games, 0.5, people))}, simulated)
        of_cards = table[table["kind"] == WITH].set_index("of")
        for place, truth in enumerate(people):
            row = of_cards.loc[f"c{place}"]
            errors.append([row[who] - truth for who in ("people", "simulated", "together")])
    log, simulation, joined = np.square(errors).mean(axis=0)
    assert joined < min(log, simulation)


@pytest.mark.parametrize("n_games", [200, 1_000])
def test_intervals_of_both_together_hold(n_games: int) -> None:
    """People who differ by three points, and make a little less of the same differences."""
    rng, held = np.random.default_rng(3), []
    for _ in range(25):
        program = np.full(12, 0.5) + rng.normal(0, 0.05, 12)
        people = 0.5 + 0.9 * (program - 0.5) + rng.normal(0, 0.03, 12)
        simulated = {"": count(_drawn(rng, 20_000, 0.5, program))}
        table = figures_table({"": count(_drawn(rng, n_games, 0.5, people))}, simulated)
        of_cards = table[table["kind"] == WITH].set_index("of")
        for place, truth in enumerate(people):
            row = of_cards.loc[f"c{place}"]
            held.append(row["together_ci_low"] <= truth <= row["together_ci_high"])
    assert 0.92 <= np.mean(held) <= 0.985


def test_the_simulation_is_weighed_as_versions_were_played() -> None:
    """Three games of one version and one of another: 3 to 1."""
    rng = np.random.default_rng(4)
    simulated = {"1": count(_drawn(rng, 40_000, 0.4, [])), "2": count(_drawn(rng, 40_000, 0.8, []))}
    people = {"1": count(_drawn(rng, 300, 0.4, [])), "2": count(_drawn(rng, 100, 0.8, []))}
    table = figures_table(people, simulated)
    assert table.iloc[0]["simulated"] == pytest.approx(0.5, abs=0.01)
    changes = changes_table(table, "1", "2")
    assert changes.loc[0, "simulated"] == pytest.approx(0.4, abs=0.02)
    assert changes.loc[0, "people_ci_low"] < 0.4 < changes.loc[0, "people_ci_high"]


def test_minutes_of_a_version_follow_from_turns_and_pace() -> None:
    """Two minutes a turn, and 21 turns."""
    rng = np.random.default_rng(8)
    people = _drawn(rng, 200, 0.5, [])
    people.numbers["minutes"] = 2 * people.numbers["turns"]  # type: ignore[index]
    simulated = {"": count(_drawn(rng, 20_000, 0.5, []))}
    found = minutes_of(figures_table({"": count(people)}, simulated), ALL)
    assert found is not None
    _, low, high = found
    assert low < 42 < high
    assert high - low < 4
    assert minutes_of(figures_table({"": count(people)}, {}), ALL) is None


def test_without_a_simulation_only_people_are_told() -> None:
    """Nothing is tested or joined."""
    table = figures_table({"": count(_drawn(np.random.default_rng(5), 30, 0.5, [0.5]))}, {})
    assert table["people"].notna().all()
    assert table[["simulated", "difference", "p_value", "together"]].isna().all(axis=None)
    assert set(table["finding"]) == {""}


def test_players_of_known_strength_are_ranked_and_shrunk() -> None:
    """Four players: the order is right, strengths lie nearer to one half than rates, and hold."""
    rng, names = np.random.default_rng(6), ["a", "b", "c", "d"]
    odds, games = {"a": 0.9, "b": 0.3, "c": -0.3, "d": -0.9}, []
    for _ in range(160):
        one, two = rng.choice(names, 2, replace=False)
        chance = 1 / (1 + np.exp(-(odds[one] - odds[two] + 0.2)))
        won = float(rng.random() < chance)
        games.append(_game([one, two], [won, 1 - won]))
    table = strengths(_log(games, *names)).set_index("player")
    assert [*table.index[:1], *table.index[-1:]] == ["a", "d"]
    for name, log_odds in odds.items():
        truth, row = 1 / (1 + np.exp(-log_odds)), table.loc[name]
        assert row["strength_ci_low"] < truth < row["strength_ci_high"]
    row = _equals(_log(games, *names)).loc[BEGINS, ""]
    assert row["equals_ci_low"] < 1 / (1 + np.exp(-0.2)) < row["equals_ci_high"]
    assert row["equals_ci_low"] < row["equals"] < row["equals_ci_high"]


def _equals(log: PlaytestLog) -> pd.DataFrame:
    """The figures of a log without a simulation, by kind and what they are about."""
    figures = figures_table({"": count(facts_of_log(log.games))}, {})
    return among_equals(log, figures).set_index(["kind", "of"])


def _won_by(rng: np.random.Generator, odds: np.ndarray) -> list[float]:
    """Who wins, in proportion to the odds of all seats."""
    winner = rng.choice(len(odds), p=np.exp(odds) / np.exp(odds).sum())
    return [float(seat == winner) for seat in range(len(odds))]


def test_rates_are_corrected_for_who_played() -> None:
    """One of two cards is worth nothing, but the best player likes it; its interval holds."""
    rng, names, truth = np.random.default_rng(9), ["a", "b", "c", "d"], [0.0, 0.5]
    strength, held = {"a": 1.0, "b": 0.0, "c": 0.0, "d": -1.0}, np.zeros((2, 25))
    raw = []
    for place in range(held.shape[1]):
        games = []
        for _ in range(200):
            who = [*map(str, rng.choice(names, 2, replace=False))]
            cards = [["bee"] if one == "a" and rng.random() < 0.8 else [] for one in who]
            lucky = int(rng.integers(2))
            cards[lucky] = [*cards[lucky], "elk"]
            odds = [
                strength[one] + truth[1] * ("elk" in of) for one, of in zip(who, cards, strict=True)
            ]
            games.append(_game(who, _won_by(rng, np.array(odds)), -1, cards))
        rows = _equals(_log(games, *names)).loc[WITH]
        raw.append(rows.loc["bee", "people"])
        for card, worth in zip(("bee", "elk"), truth, strict=True):
            ends = (rows.loc[card, f"equals_ci_{end}"] for end in ("low", "high"))
            low, high = ends
            held[("bee", "elk").index(card), place] = low < 1 / (1 + np.exp(-worth)) < high
    assert np.mean(raw) > 0.65
    assert (held.mean(axis=1) >= 0.88).all()


def test_strength_where_three_play() -> None:
    """Who wins is drawn in proportion to the odds of all three; a game of two counts as well."""
    rng, names = np.random.default_rng(10), ["a", "b", "c", "d"]
    odds, games = {"a": 0.8, "b": 0.2, "c": -0.2, "d": -0.8}, []
    for number in range(400):
        who = [*map(str, rng.choice(names, 2 if number % 4 == 0 else 3, replace=False))]
        first = int(rng.integers(len(who)))
        lead = 0.4 * (np.arange(len(who)) == first)
        games.append(
            _game(who, _won_by(rng, lead + [odds[one] for one in who]), first, [()] * len(who))
        )
    log = _log(games, *names)
    rows = strengths(log).set_index("player")
    for name, truth in odds.items():
        low, high = (rows.loc[name, f"strength_ci_{end}"] for end in ("low", "high"))
        assert low < 1 / (1 + np.exp(-truth)) < high
    begins = _equals(log).loc[BEGINS, ""]
    among_three = np.exp(0.4) / (np.exp(0.4) + 2)
    assert begins["equals_ci_low"] < among_three < begins["equals_ci_high"]


def test_few_meetings_give_no_strength() -> None:
    """Nine games are not rated."""
    log = _log([_game(["a", "b"])] * 9, "a", "b")
    assert strengths(log)["strength"].isna().all()
    assert _equals(log)["equals"].isna().all()


def test_who_had_a_card_most() -> None:
    """Of its seats, by player."""
    games = [_game(["a", "b"], held=(["bee"], []))] * 3 + [_game(["a", "b"], held=([], ["bee"]))]
    assert main_holder(_log(games, "a", "b"), "bee") == ("a", 0.75)


@pytest.mark.parametrize(
    ("difference", "one", "two"),
    [(0.2, 47, 93), (0.1, 194, 388), (0.05, 783, 1565), (0.02, 4904, 9806)],
)
def test_a_plan_finds_the_difference_as_often_as_it_says(
    difference: float, one: int, two: int
) -> None:
    """The textbook's numbers; and so many games find the difference in 80 of 100 tries."""
    assert (games_for(difference), games_for(difference, two=True)) == (one, two)
    rng = np.random.default_rng(7)
    rate = rng.binomial(one, 0.5 + difference, 4_000) / one
    found = np.abs(rate - 0.5) > 1.96 * 0.5 / np.sqrt(one)
    assert np.mean(found) == pytest.approx(0.8, abs=0.05)


def test_the_log_as_a_frame() -> None:
    """A row for each game and seat."""
    frame = log_frame(_log([_game(["a", "b"], held=(["bee"], []), turns=9)], "a", "b"))
    assert [*frame.columns[: len(LOG.columns)]] == [*LOG.columns]
    assert frame[["player", "seat", "score", "held", "turns"]].to_numpy().tolist() == [
        ["a", 1, 1, "Bee", 9],
        ["b", 2, 0, "", 9],
    ]
    assert isinstance(frame, pd.DataFrame)


def test_a_program_that_never_loses_is_beside_people_by_an_exact_test() -> None:
    """One game of five lost, none of a hundred: Fisher's test says 5 of 105."""
    people, program = (
        [_game(scores=(1, 0), first=0)] * won + [_game(scores=(0, 1), first=0)] * lost
        for won, lost in ((4, 1), (100, 0))
    )
    both = [{"": count(facts_of_log(games))} for games in (people, program)]
    table = figures_table(*both)
    first = table[table["kind"] == BEGINS].iloc[0]
    assert first["p_value"] == pytest.approx(5 / 105)
