"""A table is registered once, and its entry says all that is to be known of it."""

import pandas as pd
import pytest

from analysis.registry import Registry, Table, columns_page, with_ends, with_interval

LOTS = Table(
    "lots",
    "One row per lot",
    {"lot": "the lot", **with_interval("price", "its mean price")},
    words={"corn": "a lot of corn"},
)


def test_frame_has_all_columns_without_rows() -> None:
    """An empty table has the columns of its entry, in their order."""
    assert list(LOTS.frame([]).columns) == ["lot", *with_ends("price")]
    assert LOTS.frame([{"price": 2.0, "lot": "corn"}])["lot"].tolist() == ["corn"]


def test_names_are_registered_once() -> None:
    """A second table of the same name is an error that names it."""
    assert list(Registry(LOTS)) == ["lots"] and Registry(LOTS)["lots"] is LOTS
    with pytest.raises(ValueError, match="the table 'lots' is registered twice"):
        Registry(LOTS, LOTS)


def test_column_dictionary_has_every_table() -> None:
    """The page names file, folder, columns and words of a table."""
    page = columns_page(Registry(LOTS), title="Lots", module="harvest", letters="L")
    assert page.startswith("# Lots\n\nWritten by `python -m harvest`")
    assert "One row per lot, in the folder of a run: `tables/lots.csv` and `tables/lots" in page
    for row in ("| `price_ci_low` | `price`: lower end of its interval |", "| `corn` | a lot"):
        assert row in page


def test_entries_are_told_apart() -> None:
    """Entries show their name and rows, and no more."""
    assert repr(LOTS) == "Table(name='lots', rows='One row per lot')"
    assert isinstance(LOTS.frame([]), pd.DataFrame)
