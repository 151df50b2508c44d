"""Fixtures for tests of pages, charts and commands."""

from __future__ import annotations

import io
import json
import pickle
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import pandas as pd
import pytest
from matplotlib.axes import Axes
from playwright.sync_api import Browser, Page, sync_playwright

from reports.cli.app import run
from reports.cli.console import PlainStream
from reports.kit import figure_files, figures, theme
from simcore.places import located
from simcore.sealed import write_file
from support.browser import CHROMIUM, Open
from support.reported import check_words, with_axes, without_axes

_draw_chart = figures.draw_chart


class Answer(NamedTuple):
    """What a command gave: its exit status, what it printed, what it complained of."""

    status: int
    out: str
    err: str

    def done(self) -> Self:
        """The same, of a command that did what it was asked."""
        assert self.status == 0, self.err
        return self

    @property
    def json(self) -> Any:
        """What it printed, as JSON."""
        return json.loads(self.done().out)

    def refused(self, *messages: str, lines: int | None = None) -> None:
        """Check that it was refused with these messages, in so many ``lines``, and nothing else."""
        assert (self.status, self.out) == (2, ""), self
        told = " ".join(self.err.split())
        for message in messages:
            assert message in self.err or message in told, self.err
        assert "Traceback" not in self.err
        assert lines is None or self.err.count("\n") == lines, self.err

    def refused_at_once(self, *messages: str, lines: int | None = None) -> None:
        """Check the same, and that nothing was played."""
        self.refused(*messages, lines=lines)
        assert not Path("runs").exists()


@pytest.fixture
def ask(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[..., Answer]:
    """Run a command in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def asked(*arguments: object) -> Answer:
        status = run([str(argument) for argument in arguments])
        return Answer(status, *capsys.readouterr())

    return asked


@pytest.fixture
def piped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Callable[..., Answer]:
    """Run a command with lines from a pipe, and 80 columns; it prints as the program does."""
    monkeypatch.setenv("COLUMNS", "80")

    def asked(*arguments: object, lines: Sequence[str] = ()) -> Answer:
        monkeypatch.setattr("sys.stdin", io.StringIO("".join(f"{one}\n" for one in lines)))
        capsys.readouterr()
        with monkeypatch.context() as patch:
            patch.setattr("sys.stdout", PlainStream(sys.stdout))
            patch.setattr("sys.stderr", PlainStream(sys.stderr))
            status = run([str(argument) for argument in arguments])
        return Answer(status, *capsys.readouterr())

    return asked


@pytest.fixture(scope="module", autouse=True)
def only_svg() -> Iterator[None]:
    """Charts are written as SVG only, which is what pages show: a fifth of the time.

    A test of PNG or PDF asks for all kinds: see ``every_kind`` in support/reported.py.  PNG has few
    pixels then, which takes a third of its time.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(figure_files, "KINDS", ("svg",))
        patch.setattr(theme, "DPI", 30)
        yield


@pytest.fixture(scope="module", autouse=True)
def no_axes(only_svg: None) -> Iterator[None]:
    """Charts are drawn without their axes, which takes half the time of a report.

    A module that looks at charts uses ``rendered``, a test alone ``drawn_anew``.
    """
    with without_axes():
        yield


@pytest.fixture(scope="module")
def rendered(no_axes: None) -> Iterator[None]:
    """Charts of a module are rendered as users get them."""
    with with_axes():
        yield


@pytest.fixture(scope="module", autouse=True)
def drawn_once() -> Iterator[None]:
    """Charts of the same table are drawn once in a module: half of those that its commands ask for.

    Each says what was found, what is drawn and where it comes from (`check_words`).

    A test that compares what was drawn with what was drawn before uses ``redrawn``, or
    ``drawn_anew``.
    """
    drawn: dict[tuple[object, ...], bytes] = {}

    def draw(
        plot: Callable[[pd.DataFrame], Axes], table: pd.DataFrame, caption: str, path: Path
    ) -> None:
        replaced = vars(figures)["write_figure"] is not figure_files.write_figure
        if figure_files.KINDS != ("svg",) or replaced:
            _draw_chart(plot, table, caption, path)
            return
        svg, key = located(f"{path}.svg"), (plot, caption, pickle.dumps(table))
        if key in drawn:
            write_file(svg, drawn[key])
        else:
            _draw_chart(plot, table, caption, path)
            drawn[key] = svg.read_bytes()
            check_words(svg.read_text())

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(figures, "draw_chart", draw)
        yield


@pytest.fixture
def redrawn(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every chart is drawn each time that a command asks for it."""
    monkeypatch.setattr(figures, "draw_chart", _draw_chart)


@pytest.fixture
def drawn_anew(redrawn: None) -> Iterator[None]:
    """The same, rendered, axes and all."""
    with with_axes():
        yield


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, started once."""
    if CHROMIUM is None:
        pytest.fail("chromium is required here and is not installed")
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield chromium
        chromium.close()


@pytest.fixture
def open_file(browser: Browser) -> Iterator[Open]:
    """Open a file, at a hash if one is given; fails at the end if anything went wrong."""
    problems: list[str] = []
    contexts = []

    def open_at(file: Path, place: str = "", **settings: object) -> Page:
        context = browser.new_context(offline=True, **settings)  # type: ignore[arg-type]
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: problems.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: problems.append(f"error: {error}"))
        page.on("dialog", lambda dialog: problems.append(f"dialog: {dialog.message}"))
        page.on(
            "request",
            lambda one: (
                None if one.url.startswith(file.as_uri()) else problems.append(f"asked: {one.url}")
            ),
        )
        page.goto(f"{file.as_uri()}{place}")
        return page

    yield open_at
    for context in contexts:
        context.close()
    assert not problems
