"""What the tables of each game say of their columns is complete and on the game's page."""

from pathlib import Path

import pytest

from analysis.games import analysis_of, columns_page

DOCS = Path(__file__).parents[2] / "docs"
PAGES = {
    "mindbug": "columns.md",
    "mice_and_mystics": "mice_and_mystics_columns.md",
    "own_games": "own_games_columns.md",
}


@pytest.mark.parametrize("game", PAGES)
def test_page_of_columns_is_current(game: str) -> None:
    """``python -m analysis.games GAME`` writes the page."""
    assert (DOCS / PAGES[game]).read_text() == columns_page(game)


@pytest.mark.parametrize("game", PAGES)
def test_columns_are_told_in_words(game: str) -> None:
    """Every column and word has a meaning, and columns with a sign or number are there."""
    for table in analysis_of(game).all_tables.values():
        for name, meaning in {**table.columns, **table.words}.items():
            assert meaning.strip() and meaning != name, table
        assert {*table.differences, *table.numbers} <= set(table.columns), table


def test_games_of_ones_own_have_all_tables() -> None:
    """Those of a run, and those of a log of playtests."""
    of_run = {"entries", "seats", "matchups", "metagame", "games", "observed"}
    assert of_run | {"playtest_log"} <= {*analysis_of("own_games").all_tables}
