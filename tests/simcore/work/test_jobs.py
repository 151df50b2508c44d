"""What an executor is sent: grouped by how long it takes, counted once, refused by other code."""

import errno
import random
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future, ThreadPoolExecutor
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from attrs import evolve

from simcore.work import jobs, pieces
from simcore.work.jobs import OtherCodeError, WorkersLostError
from simcore.work.runs import run_games
from support.contents import contents
from support.fake_game import count_games, fake_games, fake_spec


class Noting(ThreadPoolExecutor):
    """Notes the slices of each job, and lets a test decide about it."""

    def __init__(self, decide: Callable[[int], Any] = lambda _: None) -> None:
        super().__init__(3)
        self.jobs: list[list[Any]] = []
        self._decide = decide

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Do what the test says for the job of this number, or play it."""
        self.jobs.append(args[1])
        decided = self._decide(len(self.jobs) - 1)
        return super().submit(fn, *args, **kwargs) if decided is None else decided


def test_jobs_grow_from_a_batch_to_several_parts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The first is a part; when the speed is known, parts are sent several at a time."""
    # However slow this machine is at the moment, a part takes less.
    monkeypatch.setattr(pieces, "_LEAST_SECONDS", 60.0)
    monkeypatch.setattr(pieces, "_MOST_SECONDS", 60.0)
    spec = evolve(fake_spec(60_000, seed=2), count=count_games)
    run_games(spec, tmp_path / "threads", threads=1)
    with Noting() as executor:
        run_games(spec, tmp_path / "run", executor=executor, threads=1)
    assert contents(tmp_path / "run") == contents(tmp_path / "threads")
    assert [(one.first_batch, one.seconds) for one in executor.jobs[0]] == [(64, 60.0)]
    assert max(sum(one.identity is not None for one in job) for job in executor.jobs) > 1
    assert sum(len(one.rows) for job in executor.jobs for one in job) == 60_000


def test_slow_games_travel_in_small_jobs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A part that takes long is cut: what a worker does not play in time it gives back."""
    monkeypatch.setattr(pieces, "_LEAST_SECONDS", 0.01)
    monkeypatch.setattr(pieces, "_MOST_SECONDS", 0.02)

    def play(first: int, out: np.ndarray) -> None:
        time.sleep(len(out) * 1e-4)
        out[...] = fake_games(2, first, len(out))

    spec = fake_spec(2000, seed=2, play=play)
    with Noting() as executor:
        run_games(spec, tmp_path / "run", executor=executor, threads=2)
    run_games(fake_spec(2000, seed=2), tmp_path / "threads")
    assert contents(tmp_path / "run") == contents(tmp_path / "threads")
    slices = [one for job in executor.jobs for one in job]
    assert sum(len(one.rows) for one in slices) > 2000
    assert all(len(one.rows) < 1024 for one in slices if not one.first_batch)


@pytest.mark.parametrize("lost", ["nothing", "proof", "room", "file", "bytes"])
def test_workers_that_see_the_folder_leave_files_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lost: str
) -> None:
    """Only a name travels; a file that is not whole is played again, and nothing stays aside.

    What a worker cannot leave, as it does not see the folder or the disk is full there, it sends.
    """
    # However slow this machine is at the moment, a part goes as a whole.
    monkeypatch.setattr(pieces, "_LEAST_SECONDS", 60.0)
    spec, done = evolve(fake_spec(20_000, seed=2), count=count_games), []
    run_games(spec, tmp_path / "threads")
    left: list[Path | None] = []
    spoilt: list[Path] = []
    leave = jobs.Beside.leave

    def leaving(beside: jobs.Beside, data: bytes) -> Path | None:
        if lost == "proof":  # as on a machine that does not see the folder
            beside = beside._replace(path=tmp_path / "elsewhere" / beside.path.name)
        left.append(aside := leave(beside, data))
        is_to_spoil = lost in ("file", "bytes") and beside.path.stem == "part-00003"
        if aside is not None and is_to_spoil and not spoilt:
            spoilt.append(aside)
            aside.unlink()
            if lost == "bytes":
                aside.write_bytes(data[:-9])
        return aside

    if lost == "room":
        full = Mock(side_effect=OSError(errno.ENOSPC, "No space left on device"))
        monkeypatch.setattr(jobs, "write_aside", full)
    monkeypatch.setattr(jobs.Beside, "leave", leaving)
    with ThreadPoolExecutor(2) as executor:
        progress = lambda *now: done.append(now)  # noqa: E731
        run_games(spec, tmp_path / "run", executor=executor, threads=2, on_progress=progress)
    assert contents(tmp_path / "run") == contents(tmp_path / "threads")
    n_parts = len([*(tmp_path / "run/games").iterdir()])
    again = lost in ("file", "bytes")
    assert (len(left), left.count(None)) == (n_parts + again, n_parts * (lost in ("proof", "room")))
    assert done[-1] == (20_000, 20_000)


def test_a_job_whose_worker_hangs_is_sent_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another worker plays it, and what the first one sends at last is not counted."""
    for name, seconds in (("_PATIENCE_SECONDS", 0.1), ("_UNKNOWN_SECONDS", 0), ("_LOOK", 0.05)):
        monkeypatch.setattr(pieces, name if name != "_LOOK" else "_LOOK_SECONDS", seconds)
    hanging: Future[Any] = Future()
    hanging.set_running_or_notify_cancel()
    done: list[tuple[int, int]] = []
    with Noting(lambda number: hanging if number == 2 else None) as executor:
        run_games(
            fake_spec(5000, seed=2),
            tmp_path / "run",
            executor=executor,
            threads=2,
            on_progress=lambda *now: done.append(now),
        )
    late = executor.jobs[2]
    assert [job for job in executor.jobs[3:] if job == late or job[0].rows == late[0].rows]
    assert done[-1] == (5000, 5000)
    run_games(fake_spec(5000, seed=2), tmp_path / "threads")
    assert contents(tmp_path / "run") == contents(tmp_path / "threads")


def test_clocks_that_jump_change_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """They are set by a year, forwards and back, whenever they are read: no game counts twice."""
    dice = random.Random(0)

    def jumping() -> float:
        return time.perf_counter() + dice.choice((0.0, 3e7, -3e7))

    clocks = SimpleNamespace(**dict.fromkeys(("monotonic", "perf_counter", "thread_time"), jumping))
    spec = evolve(fake_spec(20_000, seed=2), count=count_games)
    run_games(spec, tmp_path / "steady")
    monkeypatch.setattr(jobs, "time", clocks)
    monkeypatch.setattr(pieces, "time", clocks)
    monkeypatch.setattr(pieces, "_LOOK_SECONDS", 0.0)
    done: list[tuple[int, int]] = []
    with Noting() as executor:
        progress = lambda *now: done.append(now)  # noqa: E731
        run_games(spec, tmp_path / "sent", executor=executor, threads=3, on_progress=progress)
    run_games(spec, tmp_path / "threads", threads=3)
    sent = [one.rows for job in executor.jobs for one in job]
    assert len({*sent}) < len(sent)  # some late jobs went once more
    assert done[-1] == (20_000, 20_000)
    whole = contents(tmp_path / "steady")
    assert contents(tmp_path / "sent") == contents(tmp_path / "threads") == whole


def test_workers_that_are_lost_end_the_run_in_one_message(tmp_path: Path) -> None:
    """What was finished stays, and the run can be resumed."""
    lost: Future[Any] = Future()
    lost.cancel()
    lost.set_running_or_notify_cancel()
    spec = fake_spec(40_000, seed=2)
    with (
        Noting(lambda number: lost if number > 1 else None) as executor,
        pytest.raises(WorkersLostError, match="cannot be reached"),
    ):
        run_games(spec, tmp_path / "run", executor=executor, threads=1)
    run_games(spec, tmp_path / "run")
    run_games(spec, tmp_path / "threads")
    assert contents(tmp_path / "run") == contents(tmp_path / "threads")


def test_a_worker_with_other_code_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The message names the machine and what differs there, and nothing is written."""
    here = jobs.code_here()
    monkeypatch.setattr(pieces, "code_here", lambda: {**here, "fairdeal": "9.9"})
    with (
        ThreadPoolExecutor(1) as executor,
        pytest.raises(OtherCodeError, match=r"fairdeal .*, not 9\.9.*install the same versions"),
    ):
        run_games(fake_spec(5000), tmp_path / "run", executor=executor)
    assert not [*(tmp_path / "run/games").iterdir()]


def test_the_fingerprint_of_code_follows_the_sources() -> None:
    """It holds the versions of what plays, and a digest that a changed file would change."""
    assert {"fairdeal", "python", "numba", "numpy", "pyarrow", "code_hash"} == {*jobs.code_here()}
    with pytest.raises(OtherCodeError, match="another code"):
        jobs.check_code({**jobs.code_here(), "code_hash": "0"})


def test_a_damaged_part_is_played_by_the_executor(tmp_path: Path) -> None:
    """Parts that are there are read, and one with a flipped bit is played again."""
    spec = fake_spec(20_000, seed=3)
    run_games(spec, tmp_path / "run")
    whole = contents(tmp_path / "run")
    part = tmp_path / "run/games/part-00003.parquet"
    part.write_bytes(part.read_bytes()[:-20])
    (tmp_path / "run/games/part-00005.parquet").unlink()
    with Noting() as executor:
        run_games(spec, tmp_path / "run", executor=executor)
    assert contents(tmp_path / "run") == whole
    played = {one.rows.start // 1250 for job in executor.jobs for one in job}
    assert played == {3, 5}


def test_an_executor_that_is_shut_down(tmp_path: Path) -> None:
    """It raises what it raises; nothing hangs."""
    executor: Executor = ThreadPoolExecutor(1)
    executor.shutdown()
    with pytest.raises(RuntimeError, match="shutdown"):
        run_games(fake_spec(5000), tmp_path / "run", executor=executor)
