"""Dask plays: the files are those of threads."""

import multiprocessing
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from analysis.mindbug import play_run
from reports.cli.app import run as run_command
from simcore.work import cluster as dask_cluster
from simcore.work.cluster import Cluster, ClusterError, cluster_at
from simcore.work.jobs import OtherCodeError
from simcore.work.runs import run_games
from support.cluster_trials import clustered, files_of
from support.fake_game import fake_spec

TLS = "DASK_DISTRIBUTED__COMM__TLS__"
#: Games of a run whose first part is soon there, and that is far from its end then.
MANY = "16384"


@pytest.fixture(scope="module")
def workers() -> Iterator[Cluster]:
    """Two workers of Dask's own commands."""
    with clustered() as processes, cluster_at(processes.address) as cluster:
        while cluster.n_workers < 2:
            time.sleep(0.2)
        yield cluster


def test_a_run_played_by_dask(workers: Cluster, tmp_path: Path) -> None:
    """Every byte is that of threads, and progress ends where they end."""
    done: list[tuple[int, int]] = []
    run_games(
        fake_spec(50_000, seed=2),
        tmp_path / "dask",
        executor=workers,
        on_progress=lambda *now: done.append(now),
    )
    run_games(fake_spec(50_000, seed=2), tmp_path / "threads")
    assert files_of(str(tmp_path / "dask")) == files_of(str(tmp_path / "threads"))
    assert done[-1] == (50_000, 50_000)
    assert workers.n_workers == 2


def test_any_executor_plays(workers: Cluster, tmp_path: Path) -> None:
    """Functions that play take a process pool, and Dask's own executor, as it is."""
    executor = workers._client.get_executor()
    play_run("first_contact", tmp_path / "threads", games=300, policy="learned")
    play_run("first_contact", tmp_path / "dask", games=300, policy="learned", executor=executor)
    with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        play_run("first_contact", tmp_path / "pool", games=300, policy="learned", executor=pool)
    threads = files_of(str(tmp_path / "threads"))
    assert files_of(str(tmp_path / "dask")) == files_of(str(tmp_path / "pool")) == threads


def _get_another_version() -> None:
    """In a worker: play as one with another fairdeal would."""
    from simcore.work import jobs

    of_test: Any = jobs
    of_test.code_before = jobs.code_here
    of_test.code_here = lambda: {**of_test.code_before(), "fairdeal": "9.9"}


def _get_the_same_version() -> None:
    from simcore.work import jobs

    of_test: Any = jobs
    of_test.code_here = of_test.code_before


def test_a_worker_of_another_version_gets_no_work(workers: Cluster, tmp_path: Path) -> None:
    """One that comes in the middle of a run is named once; the run ends if there is no other."""
    told: list[str] = []
    client = workers._client
    cluster = Cluster(client, told.append)
    first, second = sorted(client.ncores())

    def comes(done: int, _: int) -> None:
        if done < 10_000 and not cluster._refused:
            client.run(_get_another_version, workers=[first])

    try:
        games = fake_spec(50_000, seed=2)
        run_games(games, tmp_path / "dask", executor=cluster, on_progress=comes)
        assert cluster.n_workers == 1
        client.run(_get_another_version, workers=[second])
        with pytest.raises(OtherCodeError, match=r"9\.9.*No other worker is there\. What is fin"):
            run_games(games, tmp_path / "none", executor=Cluster(client))
    finally:
        client.run(_get_the_same_version)
    assert len(told) == 1 and "not 9.9" not in told[0] and told[0].endswith("It gets no work")
    run_games(games, tmp_path / "threads")
    assert files_of(str(tmp_path / "dask")) == files_of(str(tmp_path / "threads"))


def test_a_worker_that_does_not_answer_is_not_refused(
    workers: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that ends or is busy while it is asked what it is: nothing is told of it."""

    async def ask(*_: object, workers: list[str], **__: object) -> dict[str, Exception]:
        return {one: OSError(f"Timed out trying to connect to {one}") for one in workers}

    told: list[str] = []
    monkeypatch.setattr(workers._client, "_run", ask)
    cluster = Cluster(workers._client, told.append)
    run_games(fake_spec(5000, seed=2), tmp_path / "run", executor=cluster)
    assert (told, cluster.n_workers) == ([], 2)


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    """One message says how to install it; nothing of Dask is imported unless asked for."""
    monkeypatch.setitem(sys.modules, "distributed", None)
    words = "simulate first_contact --games 10 --scheduler tcp://127.0.0.1:1".split()
    assert run_command(words) == 2
    assert capsys.readouterr().err == (
        "fairdeal: --scheduler needs Dask, and distributed is not installed: pip install"
        " 'fairdeal[cluster]'\n"
    )


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--workers", "2", "--threads", "2"], "--threads and --workers contradict each other"),
        (["--workers", "0"], "0 is not between 1 and 1,024"),
        (["--scheduler", "here"], "no scheduler answers at here (missing port number"),
        (["--scheduler", "tls://127.0.0.1:1"], "tls:// needs certificates"),
    ],
)
def test_options_that_cannot_be(words: list[str], told: str, capsys: pytest.CaptureFixture) -> None:
    """Each gets one message, before anything is played."""
    assert run_command(["simulate", "first_contact", "--games", "10", *words]) == 2
    assert told in capsys.readouterr().err


def test_nobody_at_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says where, and how to start a scheduler."""
    monkeypatch.setattr(dask_cluster, "_CONNECT_SECONDS", 0.2)
    with (
        pytest.raises(ClusterError, match=r"127\.0\.0\.1:1 .*'dask scheduler'"),
        cluster_at("tcp://127.0.0.1:1"),
    ):
        pass


def test_dasks_own_commands_with_certificates(tmp_path: Path) -> None:
    """A scheduler and workers of two shells play; when the scheduler is killed, one message."""
    from distributed import Security

    made = Security.temporary()
    (tmp_path / "ca.pem").write_text(made.tls_ca_file)
    (tmp_path / "key.pem").write_text(made.tls_client_key)
    environment = {f"{TLS}CA_FILE": str(tmp_path / "ca.pem")}
    for who in ("SCHEDULER", "WORKER", "CLIENT"):
        environment |= {f"{TLS}{who}__CERT": str(tmp_path / "ca.pem")}
        environment |= {f"{TLS}{who}__KEY": str(tmp_path / "key.pem")}
    fairdeal = Path(sys.executable).with_name("fairdeal")
    words = [str(fairdeal), *"simulate first_contact --policy search:5 --games".split()]
    with pytest.MonkeyPatch.context() as patch:
        for name, value in environment.items():
            patch.setenv(name, value)
        with clustered("--protocol", "tls") as cluster:
            where = ["--scheduler", cluster.address]
            few = [*words, "200", *where, "--out", str(tmp_path / "few")]
            subprocess.run(few, check=True, stdout=subprocess.DEVNULL)
            command = subprocess.Popen(
                [*words, MANY, *where, "--out", str(tmp_path / "many")], stderr=subprocess.PIPE
            )
            while not (tmp_path / "many/games/part-00000.parquet").exists():
                assert command.poll() is None
                time.sleep(0.1)
            cluster.scheduler.kill()
            _, told = command.communicate()
    assert command.returncode == 2
    assert told.decode() == (
        f"fairdeal: the scheduler at {cluster.address} cannot be reached any more. What is"
        " finished is kept: run the same command again to resume\n"
    )
    play_run("first_contact", tmp_path / "threads", games=200, policy="search:5")
    assert files_of(str(tmp_path / "few")) == files_of(str(tmp_path / "threads"))
