"""Words that every page shares."""

from __future__ import annotations

from math import nan

import pandas as pd
import pytest

from reports.kit.words import between, decimal, display_name, interval, points
from reports.rebalance import text as rebalance
from reports.studio import measure


@pytest.mark.parametrize(
    ("text", "length", "shown"),
    [
        ("Bee Bear", 8, "Bee Bear"),
        ("Killer Bee and Bee Bear", 22, "Killer Bee and Bee…"),
        ("Killer Bee and Bee Bear", 19, "Killer Bee and Bee…"),
        ("Sharky Crab-Dog-Mummypus", 20, "Sharky Crab-Dog-Mum…"),
        ("Donaudampfschiffahrtsgesellschaft", 20, "Donaudampfschiffahr…"),
        ("two\nlines\u202e", 20, "two lines"),
    ],
)
def test_a_long_text_ends_between_words(text: str, length: int, shown: str) -> None:
    """It is cut inside a word only where a whole one would be too much to leave out."""
    assert display_name(text, length) == shown


def test_an_interval_that_nobody_knows_is_told_as_that() -> None:
    """Of too few games there is an estimate and no interval."""
    assert interval(nan, nan, points) == between(nan, nan) == "too few games for an interval"
    assert interval(-0.01, 0.02, points, " points") == "−1.0 to +2.0 points"


@pytest.mark.parametrize("unit", [rebalance.PERCENT, rebalance.POINTS])
def test_no_unit_stands_behind_an_interval_that_nobody_knows(unit: rebalance.Unit) -> None:
    """Of few games "(too few games for an interval%)" was told of parties."""
    row = pd.Series({"before": 0.5, "before_ci_low": nan, "before_ci_high": nan})
    assert unit.told(row, "before").endswith("(too few games for an interval)")


def test_nor_behind_one_that_is_watched() -> None:
    """In the studio, where the first games may be too few."""
    for unit in (measure.SHARE, measure.POINTS):
        assert unit.between(nan, nan) == "too few games for an interval"


def test_a_correlation_below_zero_has_a_minus_sign() -> None:
    """As every other number has."""
    assert (decimal(-0.441), decimal(0.5)) == ("−0.44", "0.50")
