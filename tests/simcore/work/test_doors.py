"""Nobody but who plays gets into what plays: what listens where, and what another user gets."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from support.cluster_trials import clustered
from support.doors import family, got_by_another_user, listening

NOT_ROOT = "only root can try this as another user"


@contextmanager
def playing(folder: Path, *where: str) -> Iterator[subprocess.Popen[bytes]]:
    """A command that has written its first part, and is far from its end."""
    words = "simulate first_contact --policy heuristic --games 10000000".split()
    fairdeal = Path(sys.executable).with_name("fairdeal")
    command = subprocess.Popen([fairdeal, *words, *where, "--out", folder])
    try:
        while not (folder / "games/part-00000.parquet").exists():
            assert command.poll() is None
            time.sleep(0.1)
        yield command
    finally:
        command.kill()
        command.wait()


def test_workers_on_this_machine_have_no_door(tmp_path: Path) -> None:
    """`--workers` opens no port and no named socket, and another user gets nothing of it."""
    with playing(tmp_path / "run", "--workers", "2") as command:
        pids = family(command.pid)
        assert len(pids) >= 3
        doors = listening(pids)
        got = got_by_another_user({one for one in doors if ":" in one}, pids)
    if got is None:
        pytest.skip(NOT_ROOT)
    assert (doors, got) == (set(), [])


def test_another_user_gets_into_a_plain_scheduler() -> None:
    """The trial itself finds a door where there is one: Dask's own scheduler without TLS."""
    with clustered() as cluster:
        address = cluster.address.removeprefix("tcp://")
        while address not in listening(family(cluster.scheduler.pid)):
            assert cluster.scheduler.poll() is None
            time.sleep(0.1)
        got = got_by_another_user([address], [])
    if got is None:
        pytest.skip(NOT_ROOT)
    assert f"tcp://{address} ran code as 0" in got
