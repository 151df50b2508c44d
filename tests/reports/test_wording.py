"""Findings say what the numbers say, and nothing about what is not there."""

from __future__ import annotations

from itertools import product

import numpy as np
import pandas as pd
import pytest

from reports.theme import chance
from reports.wording import _stages_in_words


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
    text = _stages_in_words(pd.DataFrame(rows))
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
