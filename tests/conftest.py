"""Fixtures that every test may use."""

import gc
import os
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from hypothesis import settings

from support.positions import Table
from support.printed_commands import read_as_written
from support.reference_examples import ENGINES, examples_on

# A shell starts background jobs with SIGINT ignored, which they hand on: Ctrl-C would not reach the
# commands that tests interrupt, nor the tests themselves.
signal.signal(signal.SIGINT, signal.default_int_handler)

# How many random examples a test tries; `make examples` has --hypothesis-profile=check.
settings.register_profile("test", max_examples=20, deadline=None)
settings.register_profile("check", max_examples=150, deadline=None)
settings.load_profile("test")

# What is imported and collected stays.
gc.disable()


def pytest_collection_finish() -> None:
    """Leave what is imported by now out of every search for garbage, and search less often."""
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)
    gc.enable()


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config: pytest.Config) -> None:
    """Say in the last line of all what was not tried: a green run must not hide it."""
    terminal = config.pluginmanager.get_plugin("terminalreporter")
    if terminal is not None and (skipped := terminal.stats.get("skipped", [])):
        reasons = Counter(report.longrepr[2].removeprefix("Skipped: ") for report in skipped)
        told = "; ".join(f"{reason}: {n} tests" for reason, n in reasons.items())
        terminal.write_line(f"NOT TRIED: {told}", yellow=True)


@pytest.fixture(scope="session", autouse=True)
def files_are_left_to_the_system() -> Iterator[None]:
    """Nothing waits until the disk has a file: a report has dozens, and no test pulls the plug."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", lambda _file: None)
        yield


@pytest.fixture(scope="session", autouse=True)
def printed_commands() -> Iterator[list[str]]:
    """Whatever command is written for a person, in any test, the program's own parser reads it."""
    with read_as_written() as written:
        yield written


@pytest.fixture(autouse=True)
def closed_charts() -> Iterator[None]:
    """A test leaves no chart open: Matplotlib warns at the twentieth, whichever test draws it."""
    yield
    if "matplotlib.pyplot" in sys.modules:
        sys.modules["matplotlib.pyplot"].close("all")


@pytest.fixture(autouse=True)
def short_lessons(monkeypatch: pytest.MonkeyPatch) -> None:
    """Players learn new cards from a few games only, whatever a test plays."""
    from simcore.mindbug.play import network_training

    whole = network_training.NetworkTraining.teaching

    def teaching(network: Any, pools: Any, **asked: Any) -> network_training.NetworkTraining:
        return whole(network, pools, **{"generations": 1, "games": 10} | _said(asked))

    monkeypatch.setattr(network_training.NetworkTraining, "teaching", teaching)


def _said(asked: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in asked.items() if value is not None}


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run every test that asks for ``new_table`` on both engines."""
    if "new_table" in metafunc.fixturenames:
        metafunc.parametrize("new_table", ENGINES, indirect=True)


@pytest.fixture
def new_table(request: pytest.FixtureRequest) -> Callable[..., Table]:
    """Set up a position on an engine, by the words of ``examples_on``."""
    return examples_on(request.param)
