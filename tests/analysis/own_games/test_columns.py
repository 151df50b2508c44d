"""What tables of people's own games say of their columns is complete and on its page."""

from __future__ import annotations

from pathlib import Path

import pytest

from analysis.own_games.contract import ANALYSIS
from analysis.own_games.registry import columns_page

PAGE = Path(__file__).parents[3] / "docs" / "own_games_columns.md"


def test_page_of_columns_is_current() -> None:
    """``python -m analysis.own_games.registry > docs/own_games_columns.md``."""
    assert columns_page() == PAGE.read_text()
    for name in ("entries", "seats", "matchups", "metagame", "games", "observed", "playtest_log"):
        assert f"\n## {name}\n" in PAGE.read_text()


@pytest.mark.parametrize("table", ANALYSIS.all_tables.values(), ids=list(ANALYSIS.all_tables))
def test_columns_are_told_in_words(table) -> None:
    """Every column and word has a meaning, and columns with a sign or number are there."""
    for name, meaning in {**table.columns, **table.words}.items():
        assert meaning.strip() and meaning != name
    assert {*table.differences, *table.numbers} <= set(table.columns)
