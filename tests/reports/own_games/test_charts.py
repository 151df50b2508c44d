"""Charts of games that people bring, read back from their axes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.axes import Axes

from analysis.own_games.contract import ANALYSIS
from reports.kit.theme import figure_of, words_of
from reports.own_games.page import findings, plot_entries, plot_seats
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
        "share_ci_low": [-0.4, 0.2, -0.1],
        "share_ci_high": [-0.2, 0.4, 0.1],
        "verdict": ["too weak", "too strong", "needs more games"],
    }
)
#: Games of eight decisions each, of which none is drawn or can be.
GAMES = pd.DataFrame(
    {"decisions": [8.0], "decisions_ci_low": 8.0, "decisions_ci_high": 8.0, "draws": np.nan}
)


def test_every_entry_stands_beside_its_own_point() -> None:
    """Whatever the order of the table; the best is on top, each in the look of its verdict."""
    ax = plot_entries(ENTRIES)
    assert _points_of(ax) == {
        "Low": (-0.3, "too weak (1)"),
        "Middle": (0.0, "needs more games (1)"),
        "High": (0.3, "too strong (1)"),
    }
    assert words_of(figure_of(ax)).finding == (
        "Seats with High get 30 points more than others, those with Low 30 points less"
    )


def test_entries_without_a_verdict_stand_at_what_their_seats_got() -> None:
    """Chosen entries, which nothing is said of but how seats came off."""
    ax = plot_entries(ENTRIES.assign(verdict=""))
    drawn = {name: x for name, (x, _) in _points_of(ax).items()}
    assert drawn == {"Low": 0.2, "Middle": 0.5, "High": 0.8}
    assert words_of(figure_of(ax)).finding == "A seat with High gets 80.0%, one with Low 20.0%"


@pytest.mark.parametrize(
    ("players", "named"),
    [
        (["high", "high"], ["First to choose", "Seat 2", "Seat 1"]),
        (["high", "low"], ["First to choose", "Seat 2 (low)", "Seat 1 (high)"]),
    ],
)
def test_the_first_seat_is_on_top(players: list[str], named: list[str]) -> None:
    """Its player is named where another plays beside it."""
    rows = {"seat": ["seat 1", "seat 2", "first to choose"], "player": [*players, ""]}
    seats = pd.DataFrame({**rows, "outcome": [0.6, 0.4, 0.6]})
    ax = plot_seats(
        seats.assign(
            outcome_ci_low=seats["outcome"] - 0.05, outcome_ci_high=seats["outcome"] + 0.05
        )
    )
    assert [*_points_of(ax)] == named
    *_, second, first = named
    assert words_of(figure_of(ax)).finding == f"{first} gets 60.0%, {second} 40.0%"


def test_seats_that_win_together_are_not_compared() -> None:
    """All are at the same point."""
    seats = pd.DataFrame({"seat": ["seat 1", "seat 2"], "player": "high", "outcome": 0.4})
    ax = plot_seats(seats.assign(outcome_ci_low=0.3, outcome_ci_high=0.5))
    assert words_of(figure_of(ax)).finding == "Every seat gets 40.0%"


def _points_of(ax: Axes) -> dict[str, tuple[float, str]]:
    """Where the point of each name is, and what the legend says of it; the lowest first."""
    containers: Any = ax.containers
    names = [label.get_text() for label in ax.get_yticklabels()]
    drawn = {
        int(y): (x, container.get_label())
        for container in containers
        for x, y in zip(*container.lines[0].get_data(), strict=True)
    }
    return {names[row]: drawn[row] for row in sorted(drawn)}


SEATS = pd.DataFrame(
    {
        "seat": ["seat 1"],
        "player": "high",
        "outcome": 0.5,
        "outcome_ci_low": 0.4,
        "outcome_ci_high": 0.6,
    }
)


def test_best_and_worst_are_those_of_the_chart() -> None:
    """By what the verdicts are about, whatever the seats got; by that where nothing is judged."""
    entries = ENTRIES.assign(outcome=[0.6, 0.4, 0.5], measure="share")
    for verdict, told in (
        (
            entries["verdict"],
            "High +30.0 (+20.0 to +40.0), worst with Low −30.0 (−40.0 to −20.0):"
            " percentage points more than others.",
        ),
        ("", "Low 60.0% (10.0 to 30.0%), worst with High 40.0% (70.0 to 90.0%)."),
    ):
        tables = {"entries": entries.assign(verdict=verdict), "seats": SEATS, "games": GAMES}
        said = {finding.topic: finding.text for finding in findings(tables)}
        assert said["Card"] == f"Seats dealt a card did best with {told}"


def test_the_first_finding_is_a_sentence_to_repeat() -> None:
    """It becomes the headline."""
    tables = {"entries": ENTRIES, "seats": SEATS, "games": GAMES}
    told = [finding.text for finding in findings(tables)]
    assert told[0] == "1 of 3 entries is too strong: High (+30.0); 1 is too weak: Low (−30.0)."
    assert told[1] == "1 of 3 entries needs more games: Middle (0.0)."
    assert told[-1] == "Every game has 8 decisions."


@pytest.mark.parametrize(
    ("outcome", "players", "told"),
    [
        (
            0.6,
            "high",
            "Whoever chooses first does better than the average seat (50.0%): seat 1 60.0",
        ),
        (
            0.4,
            "high",
            "Whoever chooses first does worse than the average seat (50.0%): seat 1 40.0",
        ),
        (
            0.52,
            "high",
            "Whoever chooses first is not shown to do better or worse than the average seat",
        ),
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
    drawn = _points_of(ax)
    assert [*drawn] == ["Fox", "Bear", "Wolf"]
    assert drawn == {
        "Wolf": (0.2, "stronger (1)"),
        "Bear": (-0.1, "weaker (1)"),
        "Fox": (0.01, "not settled (1)"),
    }
    told = words_of(figure_of(ax)).drawn
    assert told.startswith("Outcome with it minus without, percentage points")
