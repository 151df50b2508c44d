"""Jobs: what an executor is sent, slices of pieces that take some seconds together.

How rows are grouped to jobs depends on how fast they were played so far; what is in a row does not.
A job is a small description, and what comes back are rows, or finished files where a job plays a
whole piece that is only counted.  So machines that play also count and compress; those that see the
folder leave the file there, and send its name alone.
"""

import ctypes
import hashlib
import os
import socket
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import cache
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from attrs import frozen

from simcore.records import encode_part
from simcore.sealed import RunError, write_aside
from simcore.work.folder import difference, versions_of
from simcore.work.tasks import Task

_ROOT = Path(__file__).resolve().parents[2]
# What can change a row, or how it is kept.
_ROOMS = "card_data", "simcore", "analysis"
_PACKAGES = "numba", "numpy", "pyarrow"
# M_MMAP_THRESHOLD and M_TRIM_THRESHOLD of malloc.h, at the most that glibc chooses by itself.
_KEPT = (-3, 2**25), (-1, 2**26)


class OtherCodeError(RunError):
    """A worker that has another version of fairdeal, or of what it plays with."""


class WorkersLostError(RunError):
    """Those who play cannot be reached any more."""


class Beside(NamedTuple):
    """Where the file of a piece belongs, for workers that see its folder.

    They know it by a file there whose name no other has, since ``token`` is in it.
    """

    path: Path
    token: str

    @property
    def proof(self) -> Path:
        """The file by which a worker knows the folder; without it, nothing is left there."""
        return self.path.with_name(f".{self.token}.tmp")

    @property
    def asides(self) -> str:
        """The pattern of the names of what workers leave."""
        return f".*.{self.token}.*.tmp"

    def leave(self, data: bytes) -> Path | None:
        """Leave a file beside the place where it belongs; None if this process cannot."""
        aside = self.path.with_name(f".{self.path.name}.{self.token}.{uuid.uuid4().hex}.tmp")
        with suppress(OSError):
            if self.proof.exists():
                write_aside(aside, data)
                if self.proof.exists():
                    return aside
                aside.unlink()  # nobody waits for it any more
        return None


@frozen
class Slice:
    """Rows of a task, of dtype ``record``, as a worker is asked for them.

    With an ``identity`` they are all rows of a piece, of which the worker makes the file, and
    leaves it ``beside`` its place if it can; what is wanted of them besides is what ``count`` says.
    Where nobody knows how long rows take, a worker begins with ``first_batch``, and gives back what
    it has not played after so many ``seconds``.
    """

    task: Task
    record: np.dtype
    seats: int
    rows: range
    count: Callable[[np.ndarray], Any] | None = None
    identity: Mapping[str, str] | None = None
    beside: Beside | None = None
    first_batch: int = 0
    seconds: float = inf


class Played(NamedTuple):
    """A slice that was played: its first ``rows``, or else the ``file`` and what was ``counted``.

    ``file`` is its contents, or where they were left.  ``seconds`` is the processor time of
    playing, ``took`` the time of all.
    """

    rows: np.ndarray | None
    file: bytes | Path | None
    counted: Any
    seconds: float
    took: float


def play_job(asked: Mapping[str, str], slices: Sequence[Slice]) -> list[Played]:
    """Play slices, one after another: this is what an executor is sent.

    ``asked`` is the `code_here` of the process that sends it.  Raises OtherCodeError where that of
    this process differs, and what the task raises.
    """
    check_code(asked)
    _keep_memory()
    return [_play(one) for one in slices]


@cache
def _keep_memory() -> None:
    """Let the C library keep the memory of a part for the next one.

    Dask tells it to give all back, and each part then has it mapped anew, page by page: a sixth of
    the processor time of random games.  What is set here is what the C library would come to.
    """
    if "MALLOC_TRIM_THRESHOLD_" in os.environ:
        with suppress(OSError, AttributeError):  # another C library
            library = ctypes.CDLL(None)
            for option, most in _KEPT:
                library.mallopt(option, most)


def _play(one: Slice) -> Played:
    player = one.task.player(one.record)
    began, rows = time.perf_counter(), np.empty(len(one.rows), one.record)
    started = time.thread_time()
    low, batch = 0, one.first_batch or len(rows)
    while low < len(rows) and time.perf_counter() - began < one.seconds:
        player.play(one.rows.start + low, rows[low : low + batch])
        low, batch = low + batch, 2 * batch
    seconds = time.thread_time() - started
    if one.identity is None or one.count is None or low < len(rows):
        return Played(rows[:low], None, None, seconds, time.perf_counter() - began)
    counted, file = one.count(rows), encode_part(rows, one.identity, seats=one.seats)
    left = None if one.beside is None else one.beside.leave(file)
    return Played(None, left or file, counted, seconds, time.perf_counter() - began)


@cache
def code_here() -> Mapping[str, str]:
    """What decides, besides a task, which rows this process plays and how they are kept.

    That is fairdeal, with a digest of its code and data, and the libraries that it plays with.
    """
    versions = versions_of(*_PACKAGES)
    versions["python"] = ".".join(versions["python"].split(".")[:2])
    return {**versions, "code_hash": digest_of_code(*_ROOMS)}


def digest_of_code(*rooms: str) -> str:
    """A digest of the code and data of some rooms, or single modules."""
    digest = hashlib.sha256()
    for room in rooms:
        for path in sorted([_ROOT / room, *(_ROOT / room).rglob("*")]):
            if path.is_file() and path.suffix != ".pyc":
                digest.update(f"{path.relative_to(_ROOT).as_posix()}\0".encode())
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def check_code(asked: Mapping[str, str]) -> None:
    """Raise OtherCodeError where this process would not play what another one asks for."""
    if told := difference(code_here(), asked):
        raise OtherCodeError(
            f"the worker on {socket.gethostname()} has another fairdeal or another library"
            f" ({told}); install the same versions there, or stop that worker"
        )
