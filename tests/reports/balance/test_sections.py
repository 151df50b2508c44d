"""Sections of a report: what is shown where, and what is left out."""

import pandas as pd
import pytest
from matplotlib.axes import Axes

from analysis.registry import Registry, Table
from reports.balance.sections import Figures, Grid, Section, Terms, Text, has_content
from reports.kit.cells import Column, word
from reports.kit.drawing import Charts

LOTS = Table("lots", "One row per lot", {"lot": "the lot"})
COLUMNS = (Column("Lot", "", lambda row: word(row["lot"]), "word"),)


def test_section_without_rows_and_charts_is_left_out() -> None:
    """Text alone is shown; next to a chart or table it is shown only where these are."""
    empty, full = (Grid.of(COLUMNS, LOTS.frame(rows)) for rows in ([], [{"lot": "corn"}]))
    assert has_content([Text("a")], ()) and not has_content((), ())
    assert not has_content([Text("a"), empty, Figures.of("lots")], ())
    assert has_content([Text("a"), empty, Figures.of("lots")], ["lots"])
    assert has_content([full], ()) and full.headings == [("Lot", "word")]


def test_markdown_shows_the_same_unless_told() -> None:
    """Without ``brief`` a section is the same in Markdown."""
    blocks = [Terms([("lot", "what is sold")])]
    assert Section("lots", "Lots", blocks).in_markdown is blocks
    assert Section("lots", "Lots", blocks, ()).in_markdown == ()


def test_chart_is_registered_beside_its_function() -> None:
    """A registered chart knows its table, and says so when it is given another."""
    charts = Charts(Registry(LOTS))

    @charts.draws("lots", "lots", optional=True)
    def plot_lots(lots: pd.DataFrame, *, ax: Axes | None = None) -> Axes:
        raise KeyError(lots["lot"].iloc[0])

    assert list(charts) == ["lots"] and charts["lots"].plot is plot_lots
    assert (charts["lots"].table, charts["lots"].optional) == ("lots", True)
    with pytest.raises(ValueError, match="plot_lots draws the table 'lots'"):
        plot_lots(pd.DataFrame({"corn": [1]}))
