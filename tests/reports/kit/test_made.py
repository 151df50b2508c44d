"""Charts that are there, and whole, are not drawn again."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pandas as pd
import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from reports.kit import figures, made
from reports.kit.drawing import Chart
from reports.kit.figure_files import second_process

pytestmark = pytest.mark.usefixtures("rendered")

DRAWN: list[int] = []
TABLE = pd.DataFrame({"name": ["a", "b"], "value": [0.1, 0.2]})


def plot_it(table: pd.DataFrame, scale: float = 1.0) -> Axes:
    """A chart that counts how often it is drawn."""
    DRAWN.append(len(table))
    axes = Figure().add_subplot()
    axes.plot(table["value"] * scale)
    return axes


def draw(folder: Path, table: pd.DataFrame = TABLE, caption: str = "said", scale: float = 1) -> int:
    """Draw the charts into a folder; how many were drawn."""
    DRAWN.clear()
    charts = {
        "one": Chart(plot_it, "table"),
        "scaled": Chart(partial(plot_it, scale=scale), "table"),
    }
    with second_process():
        figures.write_figures({"table": table}, folder, caption=caption, charts=charts)
    return len(DRAWN)


@pytest.fixture
def folder(
    tmp_path: Path,
    drawn_anew: None,
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> Path:
    """A folder with both charts, as SVG alone unless a test wants more."""
    kinds = getattr(request, "param", ("svg",))
    monkeypatch.setattr("reports.kit.figure_files.KINDS", kinds)
    assert draw(tmp_path / "figures") == 2
    return tmp_path / "figures"


@pytest.mark.parametrize("folder", [("svg", "png", "pdf")], indirect=True)
def test_what_is_there_is_not_drawn_again(folder: Path) -> None:
    """The same table and caption draw nothing; the files stay as they are (issue 35)."""
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert len(before) == 7
    assert draw(folder) == 0
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_what_decides_a_chart_draws_it_anew(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another table, caption, argument or version of the code."""
    assert draw(folder, TABLE.assign(value=0.3)) == 2
    assert draw(folder, TABLE.assign(value=0.3), "other") == 2
    assert draw(folder, TABLE.assign(value=0.3), "other", 2) == 1
    monkeypatch.setattr(made, "code_of_reports", lambda: "another version")
    assert draw(folder, TABLE.assign(value=0.3), "other", 2) == 2


def test_a_missing_or_damaged_chart_is_drawn_anew(folder: Path) -> None:
    """So is every chart where nothing says any more what they were made of."""
    path = folder / "one.svg"
    whole = path.read_bytes()
    path.unlink()
    assert draw(folder) == 1
    assert path.read_bytes() == whole
    path.write_bytes(whole[:-1] + b"?")
    assert draw(folder) == 1
    assert path.read_bytes() == whole
    (folder / made.MADE).write_text("{}")
    assert draw(folder) == 2
    assert draw(folder) == 0


def test_a_function_inside_another_is_always_drawn(folder: Path) -> None:
    """What it depends on cannot be told."""

    def inner(table: pd.DataFrame) -> Axes:
        return plot_it(table)

    for _ in range(2):
        DRAWN.clear()
        figures.draw_chart(inner, TABLE, "said", folder / "inner")
        assert DRAWN == [2]
