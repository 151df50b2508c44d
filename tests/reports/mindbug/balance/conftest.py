"""Runs of made-up games that several modules look at, each analysed and reported once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

import analysis.mindbug
import reports.mindbug
from support.reported import HOSTILE, charts_as, make_run, with_axes, without_axes
from support.synthetic import expansions_games, expansions_pool, run_of_pool

#: Plays and reports a run between two policies, once.
Expansions = Callable[[str, str], Path]


@pytest.fixture(scope="session")
def hostile_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run whose cards have hostile names, some not fair; its charts are as users get them."""
    folder = make_run(tmp_path_factory.mktemp("hostile") / "run", HOSTILE, 20_000)
    with charts_as("svg"), with_axes():
        assert reports.mindbug.write_report(folder) == folder / "report.html"
    return folder


@pytest.fixture(scope="session")
def plain_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of plain cards between equals, without any experiment."""
    return _reported(make_run(tmp_path_factory.mktemp("plain") / "run", [], 3000))


@pytest.fixture(scope="session")
def uneven_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same between two policies."""
    folder = tmp_path_factory.mktemp("uneven") / "run"
    return _reported(make_run(folder, [], 2000, ("greedy", "random")))


@pytest.fixture(scope="session")
def short_run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of a single game."""
    return _reported(make_run(tmp_path_factory.mktemp("short") / "run", [], 1))


@pytest.fixture(scope="session")
def expansions_run(tmp_path_factory: pytest.TempPathFactory) -> Expansions:
    """A run of a pool with every expansion feature, between these policies."""

    @cache
    def reported(first: str, second: str) -> Path:
        pool, folder = expansions_pool(), tmp_path_factory.mktemp("expansions") / "run"
        games = expansions_games(pool, 2000, alpha_worth=0.03)
        run_of_pool(folder, pool, games, policies=(first, second))
        analysis.mindbug.analyze(folder)
        return _reported(folder)

    return reported


def _reported(folder: Path) -> Path:
    with charts_as("svg"), without_axes():
        reports.mindbug.write_reports(folder, ("html", "md", "xlsx"))
    return folder
