"""Fixtures that every test may use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from support.positions import Position, Table

ENGINES = ("reference", "fast")


def pytest_configure(config: pytest.Config) -> None:
    """Name the markers of this project."""
    config.addinivalue_line(
        "markers", "reference_only: needs words that the card language does not have yet"
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run every test that asks for ``new_table`` on both engines."""
    if "new_table" in metafunc.fixturenames:
        reference_only = metafunc.definition.get_closest_marker("reference_only")
        metafunc.parametrize("new_table", ENGINES[:1] if reference_only else ENGINES, indirect=True)


@pytest.fixture
def new_table(request: pytest.FixtureRequest) -> Callable[..., Table]:
    """Set up a position on an engine; keyword arguments go to the engine's ``from_position``."""
    from support.fast_game import FastGame, card_table
    from support.lockstep import reference_cards
    from support.reference_cards import CARDS
    from support.reference_game import ReferenceGame

    def set_up(position: Position, **settings: Any) -> Table:
        if request.param == "fast":
            return Table(FastGame.from_position(position, **settings), position)
        cards = CARDS | reference_cards(card_table())
        return Table(ReferenceGame.from_position(position, cards=cards, **settings), position)

    return set_up
