"""Fixtures that every test may use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import pytest

from support.positions import Position, Table
from support.reference_cards import CARDS

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
    """Set up a position on an engine.

    ``cards`` are cards made for the test: for each id its fields, as in a card file.  Other keyword
    arguments go to the engine's ``from_position``.
    """
    from support.fast_game import FastGame, card_table
    from support.lockstep import reference_cards
    from support.purpose_made import made_table
    from support.reference_game import ReferenceGame

    def set_up(
        position: Position, *, cards: Mapping[str, Mapping[str, Any]] | None = None, **caps: Any
    ) -> Table:
        if cards is None:
            table = card_table(position.after_mindbug, **caps)
        else:
            table = made_table(cards, after_mindbug=position.after_mindbug, **caps)
        if request.param == "fast":
            return Table(FastGame.from_position(position, table=table), position)
        known = CARDS | reference_cards(table)
        return Table(ReferenceGame.from_position(position, cards=known, **caps), position)

    return set_up
