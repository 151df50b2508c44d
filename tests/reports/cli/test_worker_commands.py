"""Commands leave the same bytes whether threads or worker processes play."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from reports.cli.compute import Crew
from simcore.work.processes import LocalWorkers, local_workers
from support.worker_trials import QUICK_WORK, tried


@pytest.fixture(scope="module")
def workers() -> Iterator[LocalWorkers]:
    """A process for all commands."""
    with local_workers(1) as workers:
        yield workers


@pytest.mark.parametrize("name", QUICK_WORK)
def test_workers_leave_what_threads_leave(workers: LocalWorkers, name: str, tmp_path: Path) -> None:
    """Manifests, games and tables; `make workers` tries commands that take longer, too."""
    assert tried(name, tmp_path, workers).files > 2


def test_progress_shows_workers_speed_and_time_left(
    workers: LocalWorkers, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """In a terminal, while they play."""
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "100")
    with Crew(executor=workers).watch("playing") as advance:
        for done in range(0, 100, 10):
            advance(done, 100)
    told = capsys.readouterr().err
    assert re.search(r"playing on 1 worker.*[\d,]+ games/s.*\d\d:\d\d", told)
