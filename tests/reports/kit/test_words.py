"""Words that every page shares."""

from __future__ import annotations

from math import nan

import pytest

from reports.kit.words import between, decimal, display_name, interval, points


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
    assert interval(-0.01, 0.02, points) == "−1.0 to +2.0"


def test_a_correlation_below_zero_has_a_minus_sign() -> None:
    """As every other number has."""
    assert (decimal(-0.441), decimal(0.5)) == ("−0.44", "0.50")
