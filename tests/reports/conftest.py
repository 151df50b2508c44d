"""Fixtures for tests of pages, charts and commands."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from reports import theme


@pytest.fixture(scope="module")
def only_svg() -> Iterator[None]:
    """Charts are written as SVG only, which is what pages show: a third of the time.

    For modules whose tests do not ask for the other kinds; what is written as which kind is tested
    in test_charts.py, test_compare.py, test_ladder.py and others.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(theme, "KINDS", ("svg",))
        yield
