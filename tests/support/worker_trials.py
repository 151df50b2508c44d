"""Every command that plays leaves the same bytes whether threads, processes or Dask's workers play.

Each is asked of two threads and of two workers, and ends when it draws its first chart: all games
have been played by then.  Manifests, games and tables must be the same, byte by byte.  As a
program it prints a table::

    python -m support.worker_trials
"""

import contextlib
import io
import shlex
import tempfile
from concurrent.futures import Executor
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from matplotlib.figure import Figure

from card_data.checksums import CHECKSUMS
from reports.cli.app import run
from simcore.work import processes
from simcore.work.cluster import cluster_at
from simcore.work.processes import local_workers
from support.cluster_trials import clustered, files_of
from support.small_folders import CLOCKED, unclocked
from support.store_trials import COMMANDS, QUICK

#: Those of a few seconds, some with what only variants of cards hold.
QUICK_WORK = (*QUICK, "sensitivity")


class Drawn(BaseException):
    """All games have been played, and a page is being made."""


class Tried(NamedTuple):
    """What came of a command: its files, and how many jobs the workers were sent."""

    name: str
    files: int
    jobs: int


def tried(name: str, place: Path, workers: Executor) -> Tried:
    """Ask a command of threads and of workers, in two folders of ``place``.

    Raises AssertionError if they leave different files.
    """
    sent: list[object] = []
    submit = workers.submit

    def send(*job: Any, **how: Any) -> Any:
        sent.append(job)
        return submit(*job, **how)

    with (
        mock.patch.object(processes, "local_workers", return_value=contextlib.nullcontext(workers)),
        mock.patch.object(workers, "submit", send),
        mock.patch.object(Figure, "savefig", _draw),
    ):
        of_threads = _left(f"{COMMANDS[name]} --threads 2", place / "threads")
        assert not sent, name
        of_workers = _left(f"{COMMANDS[name]} --workers 2", place / "workers")
    assert sent, name
    differing = [one for one, data in of_threads.items() if of_workers.get(one) != data]
    assert of_threads.keys() == of_workers.keys() and not differing, (name, differing)
    return Tried(name, len(of_threads), len(sent))


def _draw(*_: object, **__: object) -> None:
    raise Drawn


def _left(command: str, place: Path) -> dict[str, bytes]:
    """What a command leaves in its folder, but for what depends on the clock."""
    place.mkdir(parents=True)
    with contextlib.chdir(place), contextlib.suppress(Drawn):
        assert run([*shlex.split(command), "--out", "folder"]) == 0, command
    left = files_of(str(place / "folder"))
    return {
        name: unclocked(data) if Path(name).name == CHECKSUMS else data
        for name, data in left.items()
        if name not in CLOCKED
    }


def main() -> None:
    """Print the table; the first command that leaves other files ends it."""
    print("| command | files, all the same | jobs, processes | jobs, Dask |\n|---|---|---|---|")
    with (
        local_workers(2) as workers,
        clustered() as cluster,
        cluster_at(cluster.address) as dask,
        tempfile.TemporaryDirectory() as place,
    ):
        for name in COMMANDS:
            with contextlib.redirect_stdout(io.StringIO()):
                one = tried(name, Path(place, name, "processes"), workers)
                other = tried(name, Path(place, name, "dask"), dask)
            print(f"| {one.name} | {one.files} | {one.jobs} | {other.jobs} |", flush=True)


if __name__ == "__main__":
    main()
