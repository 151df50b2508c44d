"""Shares of a variance add up, whatever chance makes of small parts."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from analysis.questions.skill import adding_up


@given(st.lists(st.floats(-0.5, 1.5), min_size=1, max_size=6))
def test_shares_add_up(parts: list[float]) -> None:
    """None is below 0, all together are the whole, and their order is kept."""
    parts = [*parts, 1 - sum(parts)]
    found = adding_up(parts)
    assert found.sum() == pytest.approx(1)
    assert (found >= 0).all()
    order = np.argsort(parts, kind="stable")
    assert (np.diff(found[order]) >= -1e-9).all()


def test_shares_that_add_up_stay() -> None:
    """Parts none of which is below 0 are as they were; a part below 0 is taken off the others."""
    np.testing.assert_allclose(adding_up([0.5, 0.3, 0.2]), [0.5, 0.3, 0.2])
    np.testing.assert_allclose(adding_up([0.63, 0.5, -0.13]), [0.565, 0.435, 0.0])
    assert np.isnan(adding_up([np.nan, np.nan])).all()
