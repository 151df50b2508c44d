"""The recipes of docs/cluster.md, run as they stand: what they play, and what listens where."""

import contextlib
import os
import platform
import re
import shlex
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from card_data.cache import cache_folder
from support.cluster_trials import files_of
from support.doors import family, got_by_another_user, listening

PAGE = (Path(__file__).parents[3] / "docs/cluster.md").read_text()
#: What `sbatch` and `scancel` do in place of Slurm: the job is a process here.
SBATCH = """#!/bin/sh
cp "$1" job.sh
setsid sh job.sh > job.log 2>&1 &
echo $! > job.pid
echo Submitted batch job $!
"""
SCANCEL = "#!/bin/sh\nkill -- -$1\n"


def recipe(heading: str, number: int = 0) -> str:
    """A block of code of the page, by the heading above it."""
    section = re.split(rf"^## {heading}$", PAGE, flags=re.MULTILINE)[1].split("\n## ")[0]
    return re.findall(r"^```(?:python)?\n(.*?)^```$", section, re.MULTILINE | re.DOTALL)[number]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home with the certificate and settings of the page, and commands that find it."""
    compiled = cache_folder().parent
    monkeypatch.setenv("HOME", str(tmp_path))
    # The caches of this home are those that tests have filled.
    (tmp_path / ".cache").mkdir()
    (tmp_path / f".cache/fairdeal-{platform.machine()}").symlink_to(compiled)
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(compiled))
    monkeypatch.setenv(
        "PATH", f"{tmp_path / 'bin'}:{Path(sys.executable).parent}:{os.environ['PATH']}"
    )
    monkeypatch.chdir(tmp_path)
    subprocess.run([sys.executable, "-c", recipe("A certificate first")], check=True)
    [[name, value]] = [one.split("=") for one in recipe("A certificate first", 1).split()[1:]]
    monkeypatch.setenv(name, os.path.expandvars(value))
    return tmp_path


@pytest.fixture
def free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


@contextlib.contextmanager
def started(*commands: list[str], **how: object) -> Iterator[list[subprocess.Popen[str]]]:
    """Processes that end with the block, and all that they started."""
    with contextlib.ExitStack() as ending:
        processes = []
        for command in commands:
            process = subprocess.Popen(command, text=True, **how)  # type: ignore[call-overload]
            processes.append(process)
            ending.callback(process.wait)
            ending.callback(process.terminate)
        yield processes


def until(true: Callable[[], object]) -> None:
    """Wait for something to be the case."""
    ends = time.monotonic() + 300
    while not true():
        assert time.monotonic() < ends
        time.sleep(0.2)


def kill_group(leader: int) -> None:
    """End processes that may have ended by themselves."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(leader, signal.SIGKILL)


def check_doors(pids: list[int], expected: int) -> None:
    """So many ports are open, none beyond this machine, and another user gets nothing of them."""
    doors = listening(pids)
    assert {one.rpartition(":")[0] for one in doors} == {"127.0.0.1"}
    assert len(doors) == expected
    assert got_by_another_user(doors, pids) in ([], None)


def test_only_their_owner_can_read_the_certificate(home: Path) -> None:
    """The folder and the file with the key."""
    folder = home / ".config/fairdeal/dask"
    modes = {one: (folder / one).stat().st_mode & 0o777 for one in (".", "fairdeal.pem")}
    assert modes == {".": 0o700, "fairdeal.pem": 0o600}


def test_two_shells(home: Path, free_port: int) -> None:
    """Scheduler and workers listen on loopback, and play what threads play."""
    first, second = recipe("Two shells"), recipe("Two shells", 1)
    # The same without pages.
    second = second.replace("balance", "simulate").replace("1000000", "300")
    first = first.replace("dask scheduler", f"dask scheduler --port {free_port}")
    first, second = (text.replace("8786", str(free_port)) for text in (first, second))
    with started(*map(shlex.split, first.splitlines())) as (scheduler, workers):
        words = [*shlex.split(second), "--out", "run"]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
        # A port and one for pages each: a scheduler, two nannies, which have no pages, two workers.
        check_doors(family(scheduler.pid) + family(workers.pid), 2 + 2 + 2 * 2)
    where = words.index("--scheduler")
    words[where:] = ["--out", "threads"]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    assert files_of("run") == files_of("threads") != {}


def test_slurm(home: Path, request: pytest.FixtureRequest) -> None:
    """The job that Slurm gets starts a worker that plays; what is meant for it is in its script."""
    (home / "bin").mkdir()
    for name, text in (("sbatch", SBATCH), ("scancel", SCANCEL)):
        (home / "bin" / name).write_text(text)
        (home / "bin" / name).chmod(0o755)
    text = recipe("Slurm")
    for asked, here in (('"ib0"', '"lo"'), ("cores=32", "cores=2"), ("jobs=10", "jobs=1")):
        assert asked in text
        text = text.replace(asked, here)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with started([sys.executable, "-c", text], **pipes) as [login]:
        assert login.stdout is not None
        address = login.stdout.readline().split()[0]
        assert address.startswith("tls://127.0.0.1:")
        words = f"fairdeal simulate first_contact --games 300 --scheduler {address} --out run"
        until(lambda: (home / "job.pid").exists())
        subprocess.run(words.split(), check=True, stdout=subprocess.DEVNULL)
        job = int((home / "job.pid").read_text())
        request.addfinalizer(lambda: kill_group(job))  # as Slurm would at last
        check_doors(family(login.pid) + family(job), 2 + 1 + 2)
        login.communicate("\n", timeout=60)
        assert login.returncode == 0
    script = (home / "job.sh").read_text().splitlines()
    assert {"#SBATCH -p normal", "#SBATCH --cpus-per-task=2", "#SBATCH -t 04:00:00"} < {*script}
    assert "export NUMBA_CACHE_DIR=$HOME/.cache/fairdeal-$(uname -m)" in script
    assert "--nthreads 2" in script[-1] or "--nthreads 2" in script[-2]
    assert (home / "run/games/part-00000.parquet").exists()


def test_from_python(home: Path) -> None:
    """Processes that listen nowhere play."""
    text = recipe("From Python").replace("games=100_000", "games=300")
    text += "    import os\n    from support.doors import family, listening\n"
    text += "    print(len(family(os.getpid())), listening(family(os.getpid())), run.n_games)\n"
    said = subprocess.run(
        [sys.executable, "-c", text],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        check=True,
        capture_output=True,
        text=True,
    )
    assert said.stdout == "5 set() 300\n"
