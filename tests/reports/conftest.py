"""Fixtures for tests of pages, charts and commands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from reports import figure_files
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


@pytest.fixture(scope="module", autouse=True)
def only_svg() -> Iterator[None]:
    """Charts are written as SVG only, which is what pages show: a fifth of the time.

    A test of PNG or PDF asks for all kinds: see ``every_kind`` in support/reported.py.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(figure_files, "KINDS", ("svg",))
        yield
