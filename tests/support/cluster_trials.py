"""Kill workers, commands and schedulers of a Dask cluster at random moments, and compare the files.

A command plays a run on a scheduler with two workers, which are processes of Dask's own commands.
Something is killed with SIGKILL again and again, at moments chosen by lot, until the command is
done; where it ended early it is repeated.  The files, tables included, must be those of threads,
byte by byte.  As a program it prints a table, whose sums are in ``docs/reliability.md``::

    python -m support.cluster_trials WORKERS COMMANDS SCHEDULERS ALL [--store]

with how often each is to be killed, and all of them at once; runs lie in a folder here, or in a
store on loopback.
"""

import contextlib
import os
import random
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import psutil

from support.store_server import BUCKET, Store, store_server

#: What is played: some seconds for two workers, in parts of about a second each.
COMMAND = "simulate", "first_contact", "--games", "3000", "--policy", "search:25", "--seed", "3"
#: From one kill to the next, in times that threads take for the whole command, so that kills meet
#: work on a busy machine, too; and how many there are in one run.
PAUSES, KILLS_A_RUN = (0.05, 0.5), 5
_BIN = Path(sys.executable).parent
# Seconds that a command may take, however often its workers are killed.
_MOST_SECONDS = 900

#: What a folder holds: the contents of its files by their names.
Contents = Callable[[str], dict[str, bytes]]


class Killed(NamedTuple):
    """What came of killing one kind of process."""

    what: str
    kills: int
    runs: int  # runs that were played to the end meanwhile
    repeated: int  # times that the command had to be repeated
    statuses: set[int]  # exit statuses of commands that ended early
    differing: int  # runs whose files were not those of threads


class Undisturbed(NamedTuple):
    """What threads leave of the command, and the seconds that they take."""

    files: dict[str, bytes]
    seconds: float


class Cluster:
    """A scheduler with two workers, of Dask's own commands; `killed` ones are begun anew."""

    def __init__(self, *options: str) -> None:
        """``options`` are those of `dask scheduler` besides its address."""
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.options = options
        self.address = f"{'tls' if 'tls' in options else 'tcp'}://127.0.0.1:{self.port}"
        self.begin()

    def begin(self) -> None:
        """Begin the processes; workers that lose their scheduler end by themselves.

        They import what this process can, functions of tests included.
        """
        dask = [sys.executable, "-m", "dask"]
        paths = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
        self.scheduler = subprocess.Popen(
            [*dask, *f"scheduler --host 127.0.0.1 --port {self.port} --no-dashboard".split()]
            + [*self.options],
            env=paths,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.nannies = subprocess.Popen(
            [*dask, *f"worker {self.address} --nworkers 2 --nthreads 1 --no-dashboard".split()],
            env=paths,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    def workers(self) -> list[psutil.Process]:
        """The processes that play; each is begun anew by Dask when it ends."""
        with contextlib.suppress(psutil.NoSuchProcess):
            children = psutil.Process(self.nannies.pid).children()
            return [one for one in children if "spawn_main" in " ".join(one.cmdline())]
        return []

    def end(self) -> None:
        """End all of them."""
        for process in (*self.workers(), self.nannies, self.scheduler):
            with contextlib.suppress(psutil.NoSuchProcess, ProcessLookupError):
                process.kill()
        self.nannies.wait()
        self.scheduler.wait()


@contextlib.contextmanager
def clustered(*options: str) -> Iterator[Cluster]:
    """A cluster that ends with the block."""
    cluster = Cluster(*options)
    try:
        yield cluster
    finally:
        cluster.end()


def begin(folder: str, cluster: Cluster) -> subprocess.Popen[bytes]:
    """Begin the command in a folder, on a cluster."""
    where = ["--scheduler", cluster.address, "--out", folder]
    errors = Path(tempfile.gettempdir(), "cluster_trials.err").open("ab")  # noqa: SIM115
    with errors:
        return subprocess.Popen(
            [_BIN / "fairdeal", *COMMAND, *where], stdout=subprocess.DEVNULL, stderr=errors
        )


def kill_worker(_: subprocess.Popen[bytes], cluster: Cluster, dice: random.Random) -> bool:
    """Kill a worker, if there is one."""
    workers = cluster.workers()
    if workers:
        dice.choice(workers).kill()
    return bool(workers)


def kill_command(command: subprocess.Popen[bytes], _: Cluster, __: random.Random) -> bool:
    """Kill the process that holds the folder."""
    command.kill()
    return True


def kill_scheduler(command: subprocess.Popen[bytes], cluster: Cluster, _: random.Random) -> bool:
    """Kill the scheduler, wait for what the command says, and begin another one there."""
    cluster.scheduler.kill()
    command.wait(_MOST_SECONDS)
    cluster.end()
    cluster.begin()
    return True


def kill_all(command: subprocess.Popen[bytes], cluster: Cluster, _: random.Random) -> bool:
    """Kill all processes, as a machine does that loses its power, and begin a cluster anew."""
    command.kill()
    cluster.end()
    cluster.begin()
    return True


def trial(
    what: str,
    kill: Callable[[subprocess.Popen[bytes], Cluster, random.Random], bool],
    kills: int,
    place: str,
    undisturbed: Undisturbed,
    contents: Contents,
) -> Killed:
    """Kill so many of one kind, and play runs meanwhile."""
    dice, done, runs, repeated, differing = random.Random(what), 0, 0, 0, 0
    statuses: set[int] = set()
    with clustered() as cluster:
        while done < kills:
            folder, status, last = f"{place}/{what}-{runs}", -1, min(done + KILLS_A_RUN, kills)
            while status != 0:
                command = begin(folder, cluster)
                ends = time.monotonic() + _MOST_SECONDS
                while command.poll() is None and time.monotonic() < ends:
                    with contextlib.suppress(subprocess.TimeoutExpired):
                        command.wait(dice.uniform(*PAUSES) * undisturbed.seconds)
                    # A command that has not begun is not disturbed by what happens to others.
                    if command.poll() is None and done < last and contents(folder):
                        done += kill(command, cluster, dice)
                command.kill()
                status = command.wait()
                if status:
                    repeated += 1
                    statuses.add(status)
            runs += 1
            analyzed(folder)
            differing += contents(folder) != undisturbed.files
            so_far = Killed(what, done, runs, repeated, statuses, differing)
            print(so_far, file=sys.stderr, flush=True)
    return so_far


def analyzed(folder: str) -> None:
    """Write the tables of a run."""
    subprocess.run([_BIN / "fairdeal", "analyze", folder], check=True, stdout=subprocess.DEVNULL)


def files_of(folder: str) -> dict[str, bytes]:
    """The files in a local folder that the games and their analysis leave."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(Path(folder).rglob("*"))
        if path.is_file() and path.name != "about.json" and not path.name.startswith(".")
    }


def table_of(found: list[Killed]) -> str:
    """The results as Markdown."""
    rows = ["| killed | kills | runs | commands repeated | exit statuses | other files |"]
    rows += ["|---|---|---|---|---|---|"]
    for one in found:
        told = ", ".join(
            signal.Signals(-status).name if status < 0 else str(status)
            for status in sorted(one.statuses)
        )
        rows.append(
            f"| {one.what} | {one.kills} | {one.runs} | {one.repeated} | {told or '–'} |"
            f" {one.differing} |"
        )
    return "\n".join(rows)


def trials(numbers: list[int], place: str, contents: Contents = files_of) -> list[Killed]:
    """Kill so many of each kind; runs are played into folders of ``place``."""
    reference, began = f"{place}/threads", time.monotonic()
    subprocess.run(
        [_BIN / "fairdeal", *COMMAND, "--out", reference], check=True, stdout=subprocess.DEVNULL
    )
    seconds = time.monotonic() - began
    analyzed(reference)
    undisturbed = Undisturbed(contents(reference), seconds)
    kinds = (
        *(("worker", kill_worker), ("command", kill_command), ("scheduler", kill_scheduler)),
        ("all", kill_all),
    )
    return [
        trial(what, kill, number, place, undisturbed, contents)
        for (what, kill), number in zip(kinds, numbers, strict=True)
        if number
    ]


def objects_of(store: Store) -> Contents:
    """The same of the folders of a store."""

    def contents(folder: str) -> dict[str, bytes]:
        prefix = f"{folder.removeprefix(f's3://{BUCKET}/')}/"
        names = [name.removeprefix(prefix) for name in store.names(prefix)]
        return {
            name: store.read(prefix + name)
            for name in sorted(names)
            if name != "about.json" and not name.startswith(".")
        }

    return contents


def main(words: list[str]) -> int:
    """Print the table; the exit status is 1 if files differed."""
    os.environ.setdefault("DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT", "10s")
    numbers = [int(word) for word in words if word.isdigit()]
    if "--store" in words:
        with store_server() as store:
            found = trials(numbers, f"s3://{BUCKET}", objects_of(store))
    else:
        with tempfile.TemporaryDirectory() as place:
            found = trials(numbers, place)
    print(table_of(found))
    return int(any(one.differing for one in found))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
