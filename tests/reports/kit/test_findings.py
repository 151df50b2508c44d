"""Titles of charts say what was found, and only that."""

from __future__ import annotations

import pandas as pd
import pytest

from reports.kit.findings import effects, ends, is_finding, leader

NAMES = ["Moth", "Toad", "Yeti"]


def rows_of(*estimates: float, reach: float) -> pd.DataFrame:
    """Rows with an interval that reaches so far to either side."""
    rows = pd.DataFrame({"size": estimates})
    return rows.assign(size_ci_low=rows["size"] - reach, size_ci_high=rows["size"] + reach)


@pytest.mark.parametrize(
    ("title", "found"),
    [
        ("How games end", False),
        ("Which cards work together", False),
        ("Normal games", False),
        ("Moth wins 60% of its games", True),
        ("No card is shown to be too strong", True),
    ],
)
def test_topics_are_no_findings(title: str, found: bool) -> None:
    """A finding has a number, or says that there is none."""
    assert is_finding(title) is found


@pytest.mark.parametrize(
    ("estimates", "reach", "said"),
    [
        ((0.03, -0.02, 0.01), 0.05, "No effect"),
        ((0.03, -0.02, 0.01), 0.015, "Moth adds 3 points and Toad takes away 2 points"),
        ((0.03, -0.02, 0.01), 0.025, "Moth adds 3 points"),
        ((0.01, -0.0104, 0.0), 0.0102, "Toad takes away 1 point"),
        ((0.0, 0.0, float("nan")), 0.0, "No effect"),
    ],
)
def test_effects_are_told_where_their_intervals_leave_out_zero(
    estimates: tuple[float, ...], reach: float, said: str
) -> None:
    """The largest of each sign that is shown."""
    assert effects(NAMES, rows_of(*estimates, reach=reach), "size", none="No effect") == said


def test_of_two_long_effects_the_larger_is_told() -> None:
    """A title has no more than two lines."""
    rows, names = rows_of(0.01, -0.02, reach=0), ["x" * 45, "y" * 45]
    assert effects(names, rows, "size", none="") == f"{'y' * 39}… takes away 2 points"


@pytest.mark.parametrize(("reach", "said"), [(0.02, "Moth 60.0%, Yeti 50.0%"), (0.05, "None")])
def test_ends_are_told_where_their_intervals_lie_apart(reach: float, said: str) -> None:
    """The highest and the lowest, whatever lies between."""
    rows = rows_of(0.6, 0.55, 0.5, reach=reach)
    assert ends(NAMES, rows, "size", "{0} {1}, {2} {3}", none="None", interval="size") == said


@pytest.mark.parametrize(
    ("estimates", "reach", "said"),
    [
        ((0.2, 0.6, 0.3), 0.1, "Toad 60.0%"),
        ((0.2, 0.6, 0.3), 0.2, "None"),
        ((float("nan"),) * 3, 0.1, "None"),
    ],
)
def test_a_leader_is_told_where_it_is_ahead_of_all_others(
    estimates: tuple[float, ...], reach: float, said: str
) -> None:
    """A share is not called the largest that might be the second."""
    rows = rows_of(*estimates, reach=reach)
    assert leader(NAMES, rows, "size", "{0} {1}", none="None") == said
