"""Runs in an object store: the same bytes as on a disk, whatever happens.

The store is an S3 server on loopback that is started for this file.
"""

import itertools
import json
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from simcore import places
from simcore.places import StoreError, StorePath, located
from simcore.sealed import RunError
from simcore.work import store_lock
from simcore.work.lock import BusyError, check_nobody_works, holding
from simcore.work.runs import run_games
from support.contents import contents
from support.fake_game import fake_spec
from support.store_server import BUCKET, SECRET, Store, store_server

N_GAMES = 4_000  # four parts
SLOW_RUN = """
import sys
from simcore.work import store_lock
from simcore.work.runs import run_games
from support.fake_game import fake_spec
store_lock.BEAT = 0.2
run_games(fake_spec(int(sys.argv[2]), seconds_per_batch=0.2), sys.argv[1], threads=2)
"""


@pytest.fixture(scope="module")
def store() -> Iterator[Store]:
    """The server."""
    with store_server() as server:
        yield server


@pytest.fixture
def folder(store: Store) -> StorePath:
    """An address that no other test has."""
    found = located(f"s3://{BUCKET}/{uuid.uuid4().hex}")
    assert isinstance(found, StorePath)
    return found


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same run on a disk."""
    path = tmp_path_factory.mktemp("runs") / "whole"
    run_games(fake_spec(N_GAMES), path, threads=1)
    return path


def start_slow_run(folder: StorePath) -> subprocess.Popen[bytes]:
    """Another process that plays the run and has finished a part; its heart beats fast."""
    process = subprocess.Popen(
        [sys.executable, "-c", SLOW_RUN, str(folder), str(N_GAMES)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        stderr=subprocess.PIPE,
    )
    while not [*folder.glob("games/part-*")]:
        assert process.poll() is None, process.stderr and process.stderr.read().decode()
        time.sleep(0.05)
    return process


def test_a_run_in_a_store_has_the_bytes_of_one_on_a_disk(folder: StorePath, whole: Path) -> None:
    """Played, recognised as finished, made longer: nothing else lies there, no lock is left."""
    counts = run_games(fake_spec(N_GAMES), folder, threads=2)
    assert contents(folder) == contents(whole)
    assert run_games(fake_spec(N_GAMES), str(folder)) == counts
    with pytest.raises(RunError, match="holds a run with seed 0, not 1"):
        run_games(fake_spec(N_GAMES, seed=1), folder)


def test_kill_9_and_another_command(folder: StorePath, whole: Path) -> None:
    """While one process works another gets one message; once it was killed the run goes on."""
    process = start_slow_run(folder)
    with pytest.raises(BusyError, match="another fairdeal is at work"):
        run_games(fake_spec(N_GAMES), folder)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert (folder / ".lock").exists()
    run_games(fake_spec(N_GAMES), folder, threads=1)  # its holder was here, and is gone
    assert contents(folder) == contents(whole)


def test_a_store_that_answers_503(
    store: Store, folder: StorePath, whole: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some refusals are waited out; a store that only refuses is one message, nothing is lost."""
    refused = store.refusing.refused
    store.refusing.left = 4
    monkeypatch.setattr(places, "PAUSES", (0.05,) * 4)  # all four may meet the same question
    monkeypatch.setattr("s3fs.S3FileSystem.retries", 1)  # of its own, with pauses of its own
    run_games(fake_spec(2_000), folder, threads=1)
    assert store.refusing.refused == refused + 4
    try:
        store.refusing.methods, store.refusing.left = ("PUT",), 10**6
        with pytest.raises(StoreError, match=r"cannot be written to: .*what is finished is kept"):
            run_games(fake_spec(N_GAMES), folder, threads=1)
    finally:
        store.refusing.methods, store.refusing.left = ("GET", "PUT", "HEAD", "DELETE"), 0
    run_games(fake_spec(N_GAMES), folder, threads=1)
    assert contents(folder) == contents(whole)


def test_a_store_that_is_full(store: Store, folder: StorePath, whole: Path) -> None:
    """One message says so at once; when there is room the run goes on."""
    slow = store.refusing.answer
    try:
        store.refusing.answer = "507 Insufficient Storage", "InsufficientStorage"
        store.refusing.methods, store.refusing.left = ("PUT",), 10**6
        refused = store.refusing.refused
        with pytest.raises(StoreError, match=r"cannot be written to: .*; free some space there"):
            run_games(fake_spec(N_GAMES), folder, threads=1)
        assert store.refusing.refused == refused + 1
    finally:
        store.refusing.methods, store.refusing.left = ("GET", "PUT", "HEAD", "DELETE"), 0
        store.refusing.answer = slow
    run_games(fake_spec(N_GAMES), folder, threads=1)
    assert contents(folder) == contents(whole)


def test_credentials_are_nowhere(store: Store, folder: StorePath) -> None:
    """Neither in an object nor in a message."""
    run_games(fake_spec(N_GAMES), folder, threads=1)
    secrets = SECRET.encode(), store.url.encode()
    for name, data in contents(folder).items():
        assert not any(secret in data for secret in secrets), name
    with pytest.raises(StoreError) as error:
        run_games(fake_spec(N_GAMES), "s3://no-such-bucket/run")
    assert "there is no such bucket" in str(error.value)
    assert SECRET not in str(error.value)


# ------------------------------------------------------------ the lock


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A heart that beats fast."""
    monkeypatch.setattr(store_lock, "BEAT", 0.1)
    monkeypatch.setattr(store_lock, "SILENCE", 1.0)
    monkeypatch.setattr(store_lock, "SETTLE", 1.0)


def said(**changes: object) -> bytes:
    """What a lock of another machine says."""
    who = {"name": "other", "machine": "elsewhere", "process": 1, "beat": 0}
    return json.dumps(who | changes).encode()


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("where", ["another machine", "this machine before it was restarted"])
def test_a_silent_holder_is_gone(folder: StorePath, where: str) -> None:
    """A lock that nobody renews is taken over, though its number is that of a living process."""
    process = os.getpid() if "restarted" in where else 1
    (folder / ".lock").write_bytes(said(process=process))
    with holding(folder):
        assert json.loads((folder / ".lock").read_bytes())["name"] != "other"
        with holding(folder / ""):  # a block that holds a folder may hold it again
            check_nobody_works(folder)
    assert not (folder / ".lock").exists()


@pytest.mark.usefixtures("quick")
def test_a_clock_that_jumps_changes_nothing(
    folder: StorePath, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A holder stays one when the clock is set by a year, forwards and back."""
    lock = store_lock.StoreLock(folder / ".lock")
    assert lock.acquire()
    try:
        for jump in (3e7, -3e7):
            now = time.time()
            monkeypatch.setattr(time, "time", lambda now=now, jump=jump: now + jump)
            other = store_lock.StoreLock(folder / ".lock")
            assert not other.acquire()
    finally:
        monkeypatch.undo()
        lock.release()


@pytest.mark.usefixtures("quick")
def test_a_holder_that_was_asleep_writes_nothing_more(folder: StorePath) -> None:
    """Whoever lost the folder to another command ends with one message."""
    with holding(folder):
        (folder / ".lock").write_bytes(said())
        time.sleep(0.5)
        with pytest.raises(RunError, match="taken over by another fairdeal"):
            (folder / "games" / "part").write_bytes(b"late")
    assert json.loads((folder / ".lock").read_bytes())["name"] == "other"


@pytest.mark.usefixtures("quick")
def test_several_that_take_over_at_once(folder: StorePath, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of commands that find a dead holder one gets the folder, though each writes in its turn."""
    (folder / ".lock").write_bytes(said())
    locks = [store_lock.StoreLock(folder / ".lock") for _ in range(3)]
    turn = itertools.count()

    def in_turn(act: Callable[..., Any]) -> Callable[..., Any]:
        """One does so when another has just done so, and may already think that it has the lock."""

        def late(*args: Any, **kwargs: Any) -> Any:
            time.sleep(0.2 * next(turn))
            return act(*args, **kwargs)

        return late

    for name in ("write_bytes", "unlink"):
        monkeypatch.setattr(StorePath, name, in_turn(getattr(StorePath, name)))
    with ThreadPoolExecutor(3) as pool:
        taken = [*pool.map(lambda lock: lock.acquire(), locks)]
    assert sum(taken) == 1
    for lock, mine in zip(locks, taken, strict=True):
        if mine:
            lock.release()
