"""Measures of entries that were dealt: against all seats of a game, or against seats alike."""

from itertools import product
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.confidence import normal_z
from analysis.own_games.contract import entries_table
from analysis.own_games.counts import OwnCounts, rows_of
from analysis.simultaneous import apart_z
from simcore.own_games.setup import record_of
from simcore.work.parts import COUNTED

#: A strong and a weak faction, with cards of their own and one that both have.
HELD = {"strong": ("weak_card", "good_card", "both"), "frail": ("plain_card", "other", "both")}
CARDS = ("weak_card", "good_card", "both", "plain_card", "other")
WORTH = {"weak_card": -0.1, "good_card": 0.1, "both": 0.0, "plain_card": 0.0, "other": 0.0}


def manifest(measure: str) -> dict[str, Any]:
    """What a run says of its kinds."""
    return {
        "events": ["dealt", "chosen"],
        "seats": 2,
        "unit": 5040,
        "kinds": [
            {"word": "card", "ids": [*CARDS], "names": [*CARDS], "within": "faction"},
            {"word": "faction", "ids": [*HELD], "names": [*HELD], "within": ""},
        ],
        COUNTED: {
            "card": {"event": "dealt", "measure": measure},
            "faction": {"event": "dealt", "measure": "share"},
        },
    }


def planted(n_games: int, seed: int = 1, *, more: int = 0, begins: float = 0.0) -> np.ndarray:
    """Games of both factions, with one card of three in each hand; who wins depends on both.

    Seat 2 may have ``more`` cards, of which only the first counts, and seat 1 may be ahead.
    """
    rng = np.random.default_rng(seed)
    rows = rows_of(manifest("share"))
    place = {(row.event, row.id): at for at, row in enumerate(rows)}
    games = np.zeros(n_games, record_of(2, len(rows)))
    entries = games["entries"].reshape(n_games, 2, -1)
    for game, record in zip(entries, games, strict=True):
        # Both may have the same faction.
        factions = [[*HELD][n] for n in rng.integers(0, 2, 2)]
        decks = [rng.permutation(HELD[faction]) for faction in factions]
        hands = [deck[0] for deck in decks]
        for seat in range(2):
            game[seat, place["dealt", factions[seat]]] = 1
            for card in decks[seat][: 1 + more * seat]:
                game[seat, place["dealt", card]] = 1
        ahead = 0.3 * ((factions[0] == "strong") - (factions[1] == "strong")) / 2
        ahead += WORTH[hands[0]] - WORTH[hands[1]] + begins
        record["outcome"][int(rng.random() > 0.5 + ahead)] = 5040
    return games


def table(games: np.ndarray, measure: str) -> Any:
    """The rows of what was dealt, by id."""
    counts = OwnCounts.nothing(manifest(measure))
    for part in np.array_split(games, 3):
        counts = counts + OwnCounts.nothing(manifest(measure)).count(part)
    found = alone(entries_table(counts))
    return found[found["event"] == "dealt"].set_index("id")


def alone(found: pd.DataFrame) -> pd.DataFrame:
    """The rows with the interval of each by itself; those of a table hold together."""
    wider = apart_z((found["verdict"] != "").sum()) / normal_z()
    ends = {f"share_ci_{end}": found[f"share_ci_{end}"] - found["share"] for end in ("low", "high")}
    return found.assign(**{name: found["share"] + reach / wider for name, reach in ends.items()})


def test_a_card_is_set_beside_seats_of_its_faction() -> None:
    """A plain card of a strong faction seems strong among all seats, and is not within its own."""
    games = planted(6_000)
    share, within = table(games, "share"), table(games, "share within")
    assert share.loc["weak_card", "share"] > -0.05
    assert within.loc["weak_card", "share"] == pytest.approx(-0.1, abs=0.03)
    assert within.loc["weak_card", "share_ci_high"] < 0
    assert within.loc["weak_card", "verdict"] == "too weak"
    assert within.loc["plain_card", "share_ci_low"] < 0 < within.loc["plain_card", "share_ci_high"]
    assert share.loc["plain_card", "share_ci_high"] < 0
    assert [*within["measure"]] == ["share within"] * 5 + ["share"] * 2
    for name in ("strong", "frail"):
        assert within.loc[name, "share"] == share.loc[name, "share"]


@pytest.mark.parametrize("measure", ["share", "share within"])
def test_the_size_of_a_hand_is_no_merit(measure: str) -> None:
    """Seat 2 has more cards and loses more games: no card is to blame for that."""
    row = table(planted(4_000, 2, more=1, begins=0.2), measure).loc["both"]
    assert row["share_ci_low"] < 0 < row["share_ci_high"]
    assert row["share"] == pytest.approx(0, abs=0.03)


def test_a_slow_count_agrees() -> None:
    """Difference and error are those of single seats, and of games left out one by one."""
    games = planted(400, seed=5)
    rows = rows_of(manifest("share"))
    held = games["entries"].reshape(len(games), 2, -1) > 0
    place = {(row.event, row.id): at for at, row in enumerate(rows)}
    outcome = games["outcome"] / 5040

    def difference(card: str, chosen: np.ndarray) -> float:
        total = number = 0.0
        for faction, seat in product(HELD, range(2)):
            alike = held[chosen, seat, place["dealt", faction]]
            both = alike & held[chosen, seat, place["dealt", card]]
            if both.any():
                won = outcome[chosen, seat]
                total += both.sum() * (won[both].mean() - won[alike].mean())
            number += both.sum()
        return total / number

    found = table(games, "share within")
    every = np.arange(len(games))
    for card in ("good_card", "other"):
        row = found.loc[card]
        assert row["share"] == pytest.approx(difference(card, every))
        left_out = np.array([difference(card, every[every != game]) for game in every])
        n = len(games)
        jackknife = np.sqrt((n - 1) / n * ((left_out - left_out.mean()) ** 2).sum())
        reach = (row["share_ci_high"] - row["share_ci_low"]) / 2 / 1.959964
        assert 0.97 < reach / np.hypot(jackknife, 1 / row["n"]) < 1.15


def test_a_slow_count_agrees_among_all_seats() -> None:
    """The same of cards that are set beside the same seats of all games, as rivals or together."""
    for together in (False, True):
        games = planted(400, seed=7, more=1, begins=0.1)
        if together:
            games["outcome"][:, 1] = games["outcome"][:, 0]
        rows = rows_of(manifest("share"))
        at = {(row.event, row.id): place for place, row in enumerate(rows)}["dealt", "both"]
        held = games["entries"].reshape(len(games), 2, -1)[:, :, at] > 0
        outcome = games["outcome"] / 5040

        def difference(chosen: np.ndarray, held: Any = held, outcome: Any = outcome) -> float:
            mine, others = held[chosen], outcome[chosen]
            return float((mine * (others - others.mean(axis=0))).sum() / mine.sum())

        row, every, n = table(games, "share").loc["both"], np.arange(len(games)), len(games)
        assert row["share"] == pytest.approx(difference(every))
        left_out = np.array([difference(every[every != game]) for game in every])
        jackknife = np.sqrt((n - 1) / n * ((left_out - left_out.mean()) ** 2).sum())
        reach = (row["share_ci_high"] - row["share_ci_low"]) / 2 / 1.959964
        assert reach == pytest.approx(np.hypot(jackknife, 1 / row["n"]), rel=0.02)


def test_intervals_hold_where_two_factions_have_a_card() -> None:
    """About 95 of 100 contain the truth of a card that changes nothing."""
    hits = []
    for seed in range(60):
        row = table(planted(300, seed), "share within").loc["both"]
        hits.append(row["share_ci_low"] <= 0 <= row["share_ci_high"])
    assert np.mean(hits) > 0.88


#: What two lamps, drawn by lot of four for each game, add to the outcome of all who play together.
LAMPS = {"bright": 0.2, "dim": -0.2, "plain": 0.0, "other": 0.0}


def lit(n_games: int, seed: int) -> tuple[dict[str, Any], np.ndarray]:
    """A manifest and games of three seats together, with two lamps each."""
    rng = np.random.default_rng(seed)
    kind = {"word": "lamp", "ids": [*LAMPS], "names": [*LAMPS], "within": ""}
    about = {"events": ["dealt", "chosen", "included"], "seats": 3, "unit": 100}
    about |= {"kinds": [kind], COUNTED: {"lamp": {"event": "included", "measure": "contrast"}}}
    games = np.zeros(n_games, record_of(3, 12))
    for record in games:
        drawn = rng.permutation(4)[:2]
        record["entries"].reshape(3, 3, 4)[:, 2, drawn] = 1
        mean = 0.5 + sum([*LAMPS.values()][lamp] for lamp in drawn)
        record["outcome"] = round(100 * rng.beta(4 * mean, 4 * (1 - mean)))
    return about, games


def contrasts(about: dict[str, Any], games: np.ndarray) -> Any:
    """The rows of what was included, by id."""
    found = alone(entries_table(OwnCounts.nothing(about).count(games)))
    return found[found["event"] == "included"].set_index("id")


def test_contrast_is_games_with_minus_games_without() -> None:
    """A lamp adds what it does, less what those do that come in its place where it is missing."""
    about, games = lit(3_000, 1)
    rows = contrasts(about, games)
    assert {*rows["measure"]} == {"contrast"}
    assert [*rows["verdict"]] == ["too strong", "too weak", "needs more games", "needs more games"]
    outcome = games["outcome"][:, 0] / 100
    held = games["entries"].reshape(-1, 3, 3, 4)[:, 0, 2] > 0
    for at, (name, own) in enumerate(LAMPS.items()):
        row = rows.loc[name]
        # With it one of the other three, without it two of them.
        truth = own - sum(one for other, one in LAMPS.items() if other != name) / 3
        sides = outcome[held[:, at]], outcome[~held[:, at]]
        assert row["share"] == pytest.approx(sides[0].mean() - sides[1].mean())
        std_err = np.sqrt(sum(side.var(ddof=1) / len(side) for side in sides))
        assert abs(row["share"] - truth) < 3 * std_err < 0.05
        reach = (row["share_ci_high"] - row["share_ci_low"]) / 2
        assert reach == pytest.approx(1.959964 * std_err, rel=0.05)
        assert row["n"] == 3 * held[:, at].sum()


def test_contrasts_hold_as_often_as_they_say() -> None:
    """About 95 of 100 intervals contain the truth, among few games."""
    hits = []
    for seed in range(60):
        row = contrasts(*lit(250, seed)).loc["bright"]
        hits.append(row["share_ci_low"] < 0.2 + 0.2 / 3 < row["share_ci_high"])
    assert np.mean(hits) > 0.88
