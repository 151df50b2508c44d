"""Work in pieces: plays what is missing, and writes each piece whole or not at all.

A `Piece` is a file of rows, which depend on the task and on their numbers alone.  `Workers` finish
pieces: they read those that exist, and play and write the others.  A piece is played in slices, by
threads of this process or by any executor of the standard library's kind
(`concurrent.futures.Executor`): worker processes, or a cluster.  Only this process, which holds the
folder, writes files.
"""

import os
import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor, wait
from pathlib import Path
from types import TracebackType
from typing import NamedTuple, Self, TypeVar

import numpy as np
from attrs import frozen

from simcore.records import encode_part, to_records
from simcore.sealed import RunError, write_file
from simcore.work.folder import WorkFolder
from simcore.work.progress import Meter
from simcore.work.tasks import Task, play_rows

_T = TypeVar("_T")

# Threads play batches of about this many seconds; between batches they tell progress and may stop.
_BATCH_SECONDS = 0.05
# Seconds between two looks at whether to stop, while another process plays.
_LOOK_SECONDS = 0.1
# Pieces for each thread that may be under way before the first of them is taken.
_PIECES_AHEAD = 2


@frozen
class Piece:
    """Rows of a task that are kept together in a file.

    ``task`` gives the task; it is called only if the rows must be played.  ``rows`` are their
    numbers, ``record`` is the dtype of one, and ``seats`` the number of players.  ``folder``,
    ``file`` (its path in the folder) and ``name`` (the name in its identity) say where they are
    kept; without a folder they are not.  A worker plays slices of ``at_once`` rows, 0 for all, and
    begins with batches of ``first_batch``.  A row counts as ``units`` of progress.
    """

    task: Callable[[], Task]
    record: np.dtype
    seats: int
    rows: range
    folder: WorkFolder | None = None
    file: str = ""
    name: str = ""
    at_once: int = 0
    first_batch: int = 64
    units: int = 1

    @property
    def path(self) -> Path | None:
        """The file, if there is to be one."""
        return None if self.folder is None else self.folder.path / self.file

    def kept(self) -> np.ndarray | None:
        """The rows in the file; None if it is missing, damaged or of other work."""
        if self.folder is None or not (self.folder.path / self.file).exists():
            return None
        try:
            table = self.folder.read(self.file, self.name)
        except RunError:
            return None
        if table.num_rows != len(self.rows):
            return None
        return to_records(table, self.record, seats=self.seats)

    def keep(self, records: np.ndarray) -> None:
        """Write the rows to the file.  Raises RunError."""
        if self.folder is not None:
            data = encode_part(records, self.folder.identity(self.name), seats=self.seats)
            write_file(self.folder.path / self.file, data)


class Finished(NamedTuple):
    """The rows of a piece, and the processor time that they took; None if they were read."""

    piece: Piece
    records: np.ndarray
    seconds: float | None


class Workers:
    """Plays pieces with threads of this process, or with an executor.

    ``threads`` is the number of threads, or of slices that an executor has at a time; by default
    the number of processors.  Threads advance ``meter`` batch by batch and stop within a fraction
    of a second.  An executor advances it slice by slice, and finishes the slices that it has begun.
    Leaving the block ends all work; the caller shuts an executor down.  Raises ValueError for fewer
    than one thread.
    """

    def __init__(
        self,
        meter: Meter,
        *,
        threads: int | None = None,
        executor: Executor | None = None,
    ) -> None:
        threads = (os.cpu_count() or 1) if threads is None else threads
        if threads < 1:
            raise ValueError(f"the number of threads is {threads} and must be at least 1")
        self._meter = meter
        self._executor = executor
        self._stopped = threading.Event()
        self._pool = ThreadPoolExecutor(threads)
        self._ahead = threads * _PIECES_AHEAD

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        self.stop()

    def stop(self) -> None:
        """End all work, as soon as the batches that are being played have ended."""
        self._stopped.set()
        self._pool.shutdown(cancel_futures=True)

    def finish(self, pieces: Iterable[Piece], take: Callable[[Finished], _T]) -> Iterator[_T]:
        """What ``take`` makes of each piece, in their order; what is missing is played.

        ``take`` is called in a thread of this process, before the rows are written.  The next
        piece is requested when a worker can soon begin it.
        """
        coming: deque[list[Future[list[_T]]]] = deque()
        pieces = iter(pieces)
        more = True
        while more or coming:
            while more and len(coming) < self._ahead:
                piece = next(pieces, None)
                more = piece is not None
                if piece is not None:
                    coming.append(self._begin(piece, take))
            if coming:
                # The job that finished the piece has its result, the others have none.
                [(result,)] = filter(None, [job.result() for job in coming.popleft()])
                yield result

    def _begin(self, piece: Piece, take: Callable[[Finished], _T]) -> list[Future[list[_T]]]:
        """Let workers read a piece, or play it in slices."""
        path = piece.path
        if path is not None and path.exists():
            return [self._pool.submit(self._read, piece, take)]
        work = _Slices(piece)
        return [self._pool.submit(self._finish, work, rows, take) for rows in work.slices]

    def _read(self, piece: Piece, take: Callable[[Finished], _T]) -> list[_T]:
        """Take a piece that exists; a damaged one is played again."""
        records = piece.kept()
        if records is not None:
            self._meter.advance(len(records) * piece.units)
            return [take(Finished(piece, records, None))]
        work = _Slices(piece)
        return [one for rows in work.slices for one in self._finish(work, rows, take)]

    def _finish(self, work: "_Slices", rows: range, take: Callable[[Finished], _T]) -> list[_T]:
        """Play a slice; the worker that plays the last one takes and writes the piece."""
        seconds = self._play(work, rows)
        if not work.done(len(rows), seconds):
            return []
        result = take(Finished(work.piece, work.records, work.seconds))
        work.piece.keep(work.records)
        return [result]

    def _play(self, work: "_Slices", rows: range) -> float:
        """Play the rows of a slice into their place; return the processor time."""
        if self._stopped.is_set():
            raise CancelledError
        out = work.place(rows)
        if self._executor is None:
            return self._play_here(work, rows, out)
        job = self._executor.submit(play_rows, work.task, work.piece.record, rows)
        while not wait([job], _LOOK_SECONDS).done:
            if self._stopped.is_set():
                job.cancel()
                raise CancelledError
        out[...], seconds = job.result()
        self._meter.advance(len(out) * work.piece.units)
        return seconds

    def _play_here(self, work: "_Slices", rows: range, out: np.ndarray) -> float:
        """Play rows in this thread, in batches."""
        player, units = work.task.player(), work.piece.units
        began, low = time.thread_time(), 0
        while low < len(out):
            if self._stopped.is_set():
                raise CancelledError
            started = time.perf_counter()
            batch = out[low : low + work.batch]
            player.play(rows.start + low, batch)
            self._meter.advance(len(batch) * units)
            low += len(batch)
            if time.perf_counter() - started < _BATCH_SECONDS / 2 and len(batch) == work.batch:
                work.batch *= 2
        return time.thread_time() - began


class _Slices:
    """A piece that is being played: its slices, and how much of it is done."""

    def __init__(self, piece: Piece) -> None:
        self.piece = piece
        self.task = piece.task()
        self._records: np.ndarray | None = None
        self.seconds = 0.0
        self.batch = piece.first_batch
        self._left = len(piece.rows)
        self._lock = threading.Lock()

    @property
    def slices(self) -> list[range]:
        """The rows that one worker plays in one go, for each; one without rows for no rows."""
        rows, step = self.piece.rows, self.piece.at_once or max(len(self.piece.rows), 1)
        return [rows[low : low + step] for low in range(0, max(len(rows), 1), step)]

    @property
    def records(self) -> np.ndarray:
        """All rows, in memory that is taken when the first are played."""
        with self._lock:
            if self._records is None:
                self._records = np.empty(len(self.piece.rows), self.piece.record)
            return self._records

    def place(self, rows: range) -> np.ndarray:
        """Where the rows belong."""
        first = rows.start - self.piece.rows.start
        return self.records[first : first + len(rows)]

    def done(self, n_rows: int, seconds: float) -> bool:
        """Count ``n_rows`` as played; return whether they were the last."""
        with self._lock:
            self._left -= n_rows
            self.seconds += seconds
            return self._left == 0
