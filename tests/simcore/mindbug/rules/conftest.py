"""Fixtures of the tests of rules."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from support.positions import Table
from support.reference_examples import ENGINES, examples_on


@pytest.fixture(params=ENGINES)
def example(request: pytest.FixtureRequest) -> Callable[..., Table]:
    """Set up a position on an engine, with chance that is known."""
    return examples_on(request.param)
