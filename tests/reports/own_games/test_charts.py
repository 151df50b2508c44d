"""Charts of games that people bring, read back from their axes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.own_games.contract import ANALYSIS
from reports.kit.theme import figure_of, words_of
from reports.own_games.page import findings, plot_entries
from reports.sensitivity.charts import charts_of

ENTRIES = pd.DataFrame(
    {
        "name": ["Low", "High", "Middle"],
        "kind": "card",
        "event": "dealt",
        "is_main": True,
        "outcome": [0.2, 0.8, 0.5],
        "outcome_ci_low": [0.1, 0.7, 0.4],
        "outcome_ci_high": [0.3, 0.9, 0.6],
        "share": [-0.3, 0.3, 0.0],
        "verdict": ["too weak", "too strong", "needs more games"],
    }
)
#: Games of eight decisions each, of which none is drawn or can be.
GAMES = pd.DataFrame(
    {"decisions": [8.0], "decisions_ci_low": 8.0, "decisions_ci_high": 8.0, "draws": np.nan}
)


def test_every_entry_stands_beside_its_own_point() -> None:
    """Whatever the order of the table; the best is on top."""
    ax = plot_entries(ENTRIES)
    names = [label.get_text() for label in ax.get_yticklabels()]
    points: Any = ax.containers[0]
    line = points.lines[0]
    drawn = {names[int(y)]: x for x, y in zip(line.get_xdata(), line.get_ydata(), strict=True)}
    assert drawn == dict(zip(ENTRIES["name"], ENTRIES["outcome"], strict=True))
    assert names == ["Low", "Middle", "High"]


def test_the_first_finding_is_a_sentence_to_repeat() -> None:
    """It becomes the headline."""
    seats = pd.DataFrame(
        {"seat": ["seat 1"], "player": ["high"], "outcome": [0.5], "outcome_ci_low": [0.4]}
    )
    tables = {
        "entries": ENTRIES,
        "seats": seats.assign(outcome_ci_high=0.6),
        "games": GAMES,
    }
    told = [finding.text for finding in findings(tables)]
    assert told[0] == "1 of 3 entries is too strong: High (+30.0)."
    assert told[2] == "1 of 3 entries needs more games: Middle (0.0)."
    assert told[-1] == "Every game has 8 decisions."


@pytest.mark.parametrize(
    ("outcome", "players", "told"),
    [
        (
            0.6,
            "high",
            "Whoever chooses first does better than the 50.0% of all seats: seat 1 60.0",
        ),
        (0.4, "high", "Whoever chooses first does worse than the 50.0% of all seats: seat 1 40.0"),
        (0.52, "high", "Whoever chooses first is not shown to do better or worse than the 50.0%"),
        (0.6, "low", "Seat 1 60.0% (55.0 to 65.0%) and seat 2 40.0%"),
    ],
)
def test_whether_it_helps_to_choose_first(outcome: float, players: str, told: str) -> None:
    """It is told where one player sits in all seats; otherwise the players may be why."""
    seats = pd.DataFrame(
        {
            "seat": ["seat 1", "seat 2", "first to choose"],
            "player": ["high", players, ""],
            "outcome": [outcome, 1 - outcome, outcome],
        }
    )
    ends = {"outcome_ci_low": seats["outcome"] - 0.05, "outcome_ci_high": seats["outcome"] + 0.05}
    tables = {"entries": ENTRIES, "seats": seats.assign(**ends), "games": GAMES}
    [found] = [finding.text for finding in findings(tables) if finding.topic == "Seats"]
    assert found.replace("\N{NO-BREAK SPACE}", " ").startswith(told)
    assert "first to choose" not in found


def test_worth_has_a_point_for_each_entry_with_its_colour() -> None:
    """The first on top, stronger and weaker apart; an entry that nobody had is left out."""
    rows = pd.DataFrame(
        {
            "kind": "swap",
            "name": ["Wolf", "Bear", "Fox", "Owl"],
            "number": "",
            "measure": "outcome",
            "policy": "random",
            "difference": [0.2, -0.1, 0.01, np.nan],
        }
    )
    for end, side in (("low", -1), ("high", 1)):
        rows[f"difference_ci_{end}"] = rows["difference"] + side * 0.05
    chart = charts_of(ANALYSIS.all_tables)["steps"]
    ax = chart.plot(rows)
    containers: Any = ax.containers
    names = [label.get_text() for label in ax.get_yticklabels()]
    drawn = {
        names[int(y)]: (x, container.get_label())
        for container in containers
        for x, y in zip(*container.lines[0].get_data(), strict=True)
    }
    assert names == ["Fox", "Bear", "Wolf"]
    assert drawn == {
        "Wolf": (0.2, "stronger (1)"),
        "Bear": (-0.1, "weaker (1)"),
        "Fox": (0.01, "not settled (1)"),
    }
    told = words_of(figure_of(ax)).drawn
    assert told.startswith("Outcome with it minus without, percentage points")
