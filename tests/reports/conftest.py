"""Fixtures for tests of pages, charts and commands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from reports import theme
from reports.cli import run


class Answer(NamedTuple):
    """What a command gave: its exit status, what it printed, what it complained of."""

    status: int
    out: str
    err: str


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


@pytest.fixture(scope="module")
def only_svg() -> Iterator[None]:
    """Charts are written as SVG only, which is what pages show: a third of the time.

    For modules whose tests do not ask for the other kinds; what is written as which kind is tested
    in test_charts.py, test_compare.py, test_ladder.py and others.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(theme, "KINDS", ("svg",))
        yield
