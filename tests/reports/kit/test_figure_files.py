"""Charts as files, by one process or two."""

from __future__ import annotations

import gc
import os
import pickle
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.transforms import Bbox, TransformedBbox

from reports.kit import figure_files, theme
from reports.kit.figure_files import second_process, write_figure
from simcore.sealed import RunError
from support.reported import every_kind

pytestmark = pytest.mark.usefixtures("rendered")

PLACES, FINENESS = range(3), theme.DPI


@pytest.fixture(autouse=True)
def two_processors(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Two processors, every kind of file, and the fineness that the second process has."""
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(theme, "DPI", FINENESS)
    with every_kind():
        yield


def chart(number: int) -> Figure:
    """A chart with text and with an axis that a function labels."""
    figure = theme.new_figure(3)
    axes: Axes = figure.add_axes((0.2, 0.2, 0.7, 0.7))
    axes.barh([f"card {place}" for place in PLACES], [number * place for place in PLACES])
    axes.xaxis.set_major_formatter("{x:.0f}%")
    return figure


def write_charts(folder: Path) -> dict[str, bytes]:
    """Write three charts, each of which is changed at once; the files."""
    folder.mkdir()
    for place in PLACES:
        write_chart(folder / f"{place}", place).clear()
    return files(folder)


def write_chart(path: Path, number: int = 1) -> Figure:
    """Write a chart in the style of fairdeal, which ends here as it does in `write_figures`."""
    with theme.off_screen(), theme.style():
        figure = chart(number)
        write_figure(figure, path)
    return figure


def files(folder: Path) -> dict[str, bytes]:
    """All files of a folder by name."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def test_two_processes_write_the_bytes_of_one(tmp_path: Path) -> None:
    """Every chart has every kind when the block ends, as it was when it was handed over."""
    alone = write_charts(tmp_path / "alone")
    assert len(alone) == len(PLACES) * len(figure_files.KINDS)
    with second_process():
        write_charts(tmp_path / "two")
    assert files(tmp_path / "two") == alone
    assert all(data.startswith(b"%PDF") for name, data in alone.items() if name.endswith("pdf"))


def test_the_second_process_is_another_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Here it draws SVG alone; a block in a block, and a single processor, change nothing."""
    drawn = []
    save = Figure.savefig

    def watch(figure: Figure, *args: object, **kwargs: object) -> None:
        drawn.append(kwargs["format"])
        save(figure, *args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(Figure, "savefig", watch)
    with second_process(), second_process():
        write_chart(tmp_path / "two")
        assert drawn == ["svg"]
    drawn.clear()
    monkeypatch.setattr(os, "cpu_count", lambda: 1)
    with second_process():
        write_chart(tmp_path / "one")
    assert drawn == ["svg", "png", "pdf"]


def test_what_the_second_process_has_not_come_to_is_shared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """While it writes the first charts, the last ones are written here, each of them once."""
    here = []
    write = figure_files._write_asked

    def watch(asked: tuple[Figure, Path, list[str]]) -> None:
        here.append(asked[1].name)
        write(asked)

    alone = write_charts(tmp_path / "alone")
    monkeypatch.setattr(figure_files, "_write_asked", watch)
    # Stops before it reads, with pipes that hold less than a chart.
    monkeypatch.setattr(
        figure_files, "_SERVE", "import time; time.sleep(3); " + figure_files._SERVE
    )
    with second_process():
        write_charts(tmp_path / "two")
    assert files(tmp_path / "two") == alone
    assert here == ["2", "1"] or here == ["2"]


def test_a_figure_of_another_process_follows_its_resolution(tmp_path: Path) -> None:
    """Also where a new part has the `id` that an old one had there: what is drawn was cut off."""
    figure = Figure(dpi=100)
    parts = boxes(figure)
    figure.legends = parts  # type: ignore[assignment]
    there: Figure = pickle.loads(figure_files._pickled((figure, tmp_path, [])))[0]
    assert {box.width for box in there.legends} == {100}  # type: ignore[attr-defined]
    del figure, parts
    gc.collect()
    new = boxes(there)
    there.set_dpi(50)
    assert {box.width for box in [*there.legends, *new]} == {50}  # type: ignore[attr-defined]


def boxes(figure: Figure) -> list[TransformedBbox]:
    """Many squares of an inch in a figure, each of which knows its width in dots."""
    return [TransformedBbox(Bbox.unit(), figure.dpi_scale_trans) for _ in range(5000)]


@pytest.mark.parametrize("killed", ["never there", "at once", "later"])
def test_what_the_second_process_leaves_is_done_here(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, killed: str
) -> None:
    """A process that cannot start, or is killed, costs time but no chart, and nothing stays."""
    alone = write_charts(tmp_path / "alone")
    if killed == "never there":
        monkeypatch.setattr(sys, "executable", str(tmp_path / "no such program"))
    if killed == "at once":
        monkeypatch.setattr(figure_files, "_SERVE", "raise SystemExit(1)")
    with second_process():
        write_charts(tmp_path / "two")
        if killed == "later":
            second = figure_files._second.get()
            assert second is not None
            assert second._process is not None
            (tmp_path / f"two/.0.pdf.{second._process.pid}.7.tmp").write_bytes(b"%PDF")
            second._process.kill()
    assert files(tmp_path / "two") == alone


def test_a_file_that_cannot_be_written_is_told(tmp_path: Path) -> None:
    """The error of the second process is raised where the block ends."""
    (tmp_path / "chart.pdf").mkdir()
    with pytest.raises(RunError, match=r"chart\.pdf"), second_process():
        write_chart(tmp_path / "chart")


def test_an_interrupt_ends_the_second_process(tmp_path: Path) -> None:
    """Nothing goes on behind the back of whoever stopped the command."""
    with pytest.raises(KeyboardInterrupt), second_process():  # noqa: PT012
        write_chart(tmp_path / "chart")
        second = figure_files._second.get()
        assert second is not None
        process = second._process
        raise KeyboardInterrupt
    assert process is not None
    assert process.poll() is not None
    time.sleep(0.1)
    assert not (tmp_path / "chart.pdf").exists()
