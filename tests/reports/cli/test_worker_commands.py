"""Commands leave the same bytes whether threads or Dask's workers play."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from simcore.work.cluster import Cluster, local_cluster
from support.worker_trials import QUICK_WORK, tried


@pytest.fixture(scope="module")
def workers() -> Iterator[Cluster]:
    """A process that Dask started, for all commands."""
    with local_cluster(1) as cluster:
        yield cluster


@pytest.mark.parametrize("name", QUICK_WORK)
def test_workers_leave_what_threads_leave(workers: Cluster, name: str, tmp_path: Path) -> None:
    """Manifests, games and tables; `make workers` tries commands that take longer, too."""
    assert tried(name, tmp_path, workers).files > 2
