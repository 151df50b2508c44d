"""Intervals that tables draw: on one axis, in their places, with the colour of the verdict."""

from __future__ import annotations

from functools import partial
from math import nan

import pandas as pd
import pytest

from reports.kit.cells import Column, Ground, number, scale_of, with_drawn, word
from reports.kit.words import bare_percent


def column(**more: object) -> Column:
    """A column of rates with their intervals."""
    return Column(
        "Won",
        "",
        lambda row: number(row["rate"], row["low"], row["high"], bare_percent),
        ground=Ground(partial(bare_percent, digits=0), 0.5, 0.02),
        **more,  # type: ignore[arg-type]
    )


ROWS = [
    pd.Series({"rate": 0.45, "low": 0.44, "high": 0.46, "verdict": "too weak"}),
    pd.Series({"rate": 0.50, "low": 0.49, "high": 0.51, "verdict": "fair"}),
    pd.Series({"rate": 0.60, "low": 0.58, "high": 0.62, "verdict": "too strong"}),
    pd.Series({"rate": nan, "low": nan, "high": nan, "verdict": "needs more games"}),
]


def test_intervals_lie_where_their_numbers_do() -> None:
    """Ends and estimates are placed in proportion, the band around the middle too."""
    told, drawn = with_drawn([column()], ROWS)
    low, high = (float(end) / 100 for end in drawn.heading.split(" to "))
    assert low <= 0.44 and high >= 0.62
    for row in ROWS[:3]:
        dot = drawn.cell(row).dot
        assert dot is not None
        places = [float(place) / 100 * (high - low) + low for place in dot]
        assert places == pytest.approx([row["low"], row["rate"], row["high"]], abs=0.0005)
        assert float(dot.width) == pytest.approx(float(dot.high) - float(dot.low), abs=0.11)
    band = dict(one.split(":") for one in drawn.axis.split(";"))
    at = {name: float(place) / 100 * (high - low) + low for name, place in band.items()}
    assert at == pytest.approx({"--zero": 0.5, "--from": 0.48, "--to": 0.52}, abs=0.0005)
    assert told.cell(ROWS[0]).text == "45.0"


def test_what_is_not_known_is_not_drawn_and_verdicts_have_their_colour() -> None:
    """A row without a number is empty; strong and weak rows have their class."""
    _, drawn = with_drawn([column()], ROWS)
    assert [drawn.cell(row).kind for row in ROWS] == [
        "dots weak",
        "dots fair",
        "dots strong",
        "dots",
    ]
    assert drawn.cell(ROWS[3]).dot is None
    assert len(with_drawn([column()], ROWS[3:])) == 1
    assert len(with_drawn([Column("Name", "", lambda _: word("a"), "word")], ROWS)) == 1


def test_a_wide_interval_does_not_stretch_the_axis() -> None:
    """It is cut off at the end of the axis; its estimate has a place."""
    wide = pd.Series({"rate": 0.5, "low": 0.1, "high": 0.9, "verdict": ""})
    _, drawn = with_drawn([column()], [*ROWS, wide])
    low, high = (float(end) / 100 for end in drawn.heading.split(" to "))
    assert low > 0.3 and high < 0.8
    dot = drawn.cell(wide).dot
    assert dot is not None and (dot.low, dot.high) == ("0", "100")


def test_an_axis_has_whole_steps() -> None:
    """Its ends are multiples of the step; without any number it is whole."""
    scale = scale_of([0.473, nan, 0.536], 0.05)
    assert scale == pytest.approx((0.45, 0.55))
    assert scale_of([nan], 0.05) == (0, 1)
