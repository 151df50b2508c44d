"""Findings say what the numbers say, and nothing about what is not there."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest

from analysis.mindbug.registry import TABLES
from analysis.mindbug.selections import OPEN_POINTS
from analysis.registry import Q_VALUE
from reports.kit.verdicts import Q_TEXT
from reports.kit.words import chance, decimals, times
from reports.mindbug.balance import rows
from reports.mindbug.balance.text import _games_text, _open_points_text, _stages_text


@pytest.mark.parametrize("n_stages", [2, 3])
def test_stages_that_no_card_has_are_not_told(n_stages: int) -> None:
    """In a pool whose lines have two stages the third is not named, and the rates are told."""
    rows = [
        {
            "card_id": card_id,
            "stage": stage,
            "share": 1 / (n_stages + 1),
            "entered_win_rate": 0.5 if stage else np.nan,
        }
        for card_id, stage in product(("moth", "bee", ""), range(n_stages + 1))
    ]
    text = _stages_text(pd.DataFrame(rows))
    assert ("stage III" in text) == (n_stages == 3)
    assert text.count("got to stage") == n_stages
    assert text.count("at stage") == n_stages


@pytest.mark.parametrize(
    ("p_value", "text"),
    [(0.0312, "0.031"), (1.0, "1"), (2.4e-197, "<0.0001"), (0.0, "<0.0001"), (np.nan, "")],
)
def test_p_values_are_told_as_far_as_they_mean_something(p_value: float, text: str) -> None:
    """Nobody needs a hundred places, and no p-value is nought."""
    assert chance(p_value) == text


@pytest.mark.parametrize(
    ("factor", "text"), [(1.04, "1.0"), (3.42, "3.4"), (14.4, "about 14"), (2867.3, "about 2,900")]
)
def test_factors_are_told_as_far_as_they_mean_something(factor: float, text: str) -> None:
    """A factor has two digits, however large it is."""
    assert times(factor) == text


@pytest.mark.parametrize(
    ("low", "high", "digits"),
    [
        (47.1, 53.2, 1),
        (1.42, 2.13, 1),
        (1.75, 1.81, 2),
        (1.774, 1.776, 3),
        (2, 2, 1),
        (2, np.nan, 1),
    ],
)
def test_numbers_have_the_decimals_that_their_intervals_support(
    low: float, high: float, digits: int
) -> None:
    """One decimal at least, three at most, and no more than the half-width shows."""
    assert decimals(low, high) == digits


def test_a_share_of_stopped_games_has_one_decimal() -> None:
    """1.775% is 1.8% in the headline and, with its interval, in the table of numbers."""
    numbers = {"mean_turns": 20.0, "life_rate": 0.9, "no_action_rate": 0.08225}
    numbers |= {"effect_rate": 0, "capped_rate": 0.01775, "looped_rate": 0, "draw_rate": 0.01775}
    summary = pd.DataFrame({"statistic": numbers.keys(), "estimate": numbers.values()})
    assert " 1.8% hit the turn limit and count as draws." in _games_text(summary)
    summary.loc[summary["statistic"] == "draw_rate", "estimate"] = 0.001  # R20: at_turn_cap
    assert "turn limit; the player with more life wins these." in _games_text(summary)
    row = {"statistic": "capped_rate", "policy": "random", "estimate": 0.01775, "n_games": 4000}
    line = pd.Series(row | {"ci_low": 0.0141, "ci_high": 0.0223})
    cells = [column.cell(line) for column in rows.SUMMARY]
    assert [cell.text for cell in cells[2:4]] == ["1.8%", "1.4% to 2.2%"]


def test_open_points_are_told_in_words() -> None:
    """The headline names the situation and no number of the rules text."""
    rows = [
        {"open_point": f"O{number}", "meaning": meaning, "came_up": 5, "share": number / 100}
        for number, meaning in OPEN_POINTS.items()
    ]
    text = _open_points_text(pd.DataFrame(rows))
    assert "a hunter with an Attack effect chose whom to hunt (10.0%" in text
    assert not any(str(row["open_point"]) in text for row in rows)


def test_a_q_value_means_the_same_everywhere() -> None:
    """The dictionary, the console and the pages have one sentence about it."""
    columns = {
        (table, column): meaning
        for table, columns in ((name, one.columns) for name, one in TABLES.items())
        for column, meaning in columns.items()
        if column.endswith("q_value")
    }
    assert len(columns) >= 8
    assert [name for name, meaning in columns.items() if not meaning.startswith(Q_VALUE)] == []
    assert Q_VALUE in Q_TEXT
