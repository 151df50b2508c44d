"""Fixtures that every test may use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from support.positions import Position, Table
from support.reference_game import ReferenceGame

ENGINES: dict[str, Callable[..., Any]] = {"reference": ReferenceGame.from_position}


@pytest.fixture(params=["reference"])
def new_table(request: pytest.FixtureRequest) -> Callable[..., Table]:
    """Set up a position on an engine; keyword arguments go to the engine's ``from_position``."""
    from_position = ENGINES[request.param]

    def set_up(position: Position, **settings: Any) -> Table:
        return Table(from_position(position, **settings), position)

    return set_up
