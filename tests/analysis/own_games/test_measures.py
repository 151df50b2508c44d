"""Measures of entries that were dealt: against all seats of a game, or against seats alike."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from analysis.own_games.contract import entries_table
from analysis.own_games.counts import OwnCounts, rows_of
from simcore.own_games.run import record_of

#: A strong and a weak faction, with cards of their own and one that both have.
HELD = {"strong": ("weak_card", "good_card", "both"), "frail": ("plain_card", "other", "both")}
CARDS = ("weak_card", "good_card", "both", "plain_card", "other")
WORTH = {"weak_card": -0.1, "good_card": 0.1, "both": 0.0, "plain_card": 0.0, "other": 0.0}


def manifest(measure: str) -> dict[str, Any]:
    """What a run says of its kinds."""
    common = {"event": "dealt"}
    return {
        "events": ["dealt", "chosen"],
        "seats": 2,
        "unit": 5040,
        "kinds": [
            {"word": "card", "ids": [*CARDS], "names": [*CARDS], "within": "faction"}
            | {**common, "measure": measure},
            {"word": "faction", "ids": [*HELD], "names": [*HELD], "within": ""}
            | {**common, "measure": "share"},
        ],
    }


def planted(n_games: int, seed: int = 1) -> np.ndarray:
    """Games of both factions, with one card of three in each hand; who wins depends on both."""
    rng = np.random.default_rng(seed)
    rows = rows_of(manifest("share"))
    place = {(row.event, row.id): at for at, row in enumerate(rows)}
    games = np.zeros(n_games, record_of(2, len(rows)))
    entries = games["entries"].reshape(n_games, 2, -1)
    for game, record in zip(entries, games, strict=True):
        # Both may have the same faction.
        factions = [[*HELD][n] for n in rng.integers(0, 2, 2)]
        hands = [HELD[faction][rng.integers(0, 3)] for faction in factions]
        for seat in range(2):
            game[seat, place["dealt", factions[seat]]] = 1
            game[seat, place["dealt", hands[seat]]] = 1
        ahead = 0.3 * ((factions[0] == "strong") - (factions[1] == "strong")) / 2
        ahead += WORTH[hands[0]] - WORTH[hands[1]]
        record["outcome"][int(rng.random() > 0.5 + ahead)] = 5040
    return games


def table(games: np.ndarray, measure: str) -> Any:
    """The rows of what was dealt, by id."""
    counts = OwnCounts.nothing(manifest(measure))
    for part in np.array_split(games, 3):
        counts = counts + OwnCounts.nothing(manifest(measure)).count(part)
    found = entries_table(counts)
    return found[found["event"] == "dealt"].set_index("id")


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


def test_a_slow_count_agrees() -> None:
    """Difference and error are those of single seats, and of games left out one by one."""
    games = planted(400, seed=5)
    rows = rows_of(manifest("share"))
    held = games["entries"].reshape(len(games), 2, -1) > 0
    place = {(row.event, row.id): at for at, row in enumerate(rows)}
    outcome = games["outcome"] / 5040

    def difference(card: str, chosen: np.ndarray) -> float:
        total = number = 0.0
        for faction in HELD:
            alike = held[chosen][:, :, place["dealt", faction]]
            both = alike & held[chosen][:, :, place["dealt", card]]
            if both.any():
                total += both.sum() * (outcome[chosen][both].mean() - outcome[chosen][alike].mean())
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
        assert reach == pytest.approx(np.hypot(jackknife, 1 / row["n"]), rel=0.03)


def test_intervals_hold_where_two_factions_have_a_card() -> None:
    """About 95 of 100 contain the truth of a card that changes nothing."""
    hits = []
    for seed in range(60):
        row = table(planted(300, seed), "share within").loc["both"]
        hits.append(row["share_ci_low"] <= 0 <= row["share_ci_high"])
    assert np.mean(hits) > 0.88
