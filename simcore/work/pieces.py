"""Work in pieces: plays what is missing, and writes each piece whole or not at all.

A `Piece` is a file of rows, which depend on the task and on their numbers alone.  `Workers` finish
pieces: they read those that exist, and play and write the others.  A piece is played in slices, by
threads of this process or by any executor of the standard library's kind
(`concurrent.futures.Executor`): worker processes, or a cluster.  Only this process, which holds the
folder, lets files appear in it: workers that see the folder write them aside.
"""

import atexit
import os
import threading
import time
import uuid
from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import suppress
from functools import cache, partial
from math import inf
from pathlib import Path
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Any, NamedTuple, Self, TypeVar

import numpy as np
from attrs import Factory, define, frozen

from simcore.places import StoreError, StorePath
from simcore.records import encode_part, to_records
from simcore.sealed import RunError, open_table, read_file, take_place, write_file, writing
from simcore.work.folder import WorkFolder
from simcore.work.jobs import Beside, Played, Slice, WorkersLostError, code_here, play_job
from simcore.work.processes import LocalWorkers
from simcore.work.progress import Meter
from simcore.work.tasks import RowPlayer, Task

_T = TypeVar("_T")

# Threads play batches of about this many seconds; between batches they tell progress and may stop.
_BATCH_SECONDS = 0.05
# Seconds for which rules in Python are played in this process alone, before others are begun.
_ALONE_SECONDS = 2.0
# Pieces for each thread that may be under way before the first of them is taken.
_PIECES_AHEAD = 2

# A job for an executor is work of about this many seconds, as long as there is enough for all: of
# what is left, each worker is sent a share at a time.
_LEAST_SECONDS, _MOST_SECONDS, _SHARES = 0.25, 15.0, 3
# Its rows are not more than this many bytes, so that a worker and this process have room for them.
_JOB_BYTES = 256_000_000
# Jobs that each worker has, one of which waits; pieces that may be under way for each of them.
_JOBS_AHEAD, _PIECES_PER_JOB = 2, 16
# A job is sent once more when it takes this many seconds longer than so many times what it should:
# its worker may hang.  Of a job of unknown length, compiling included, the first is expected.
_PATIENCE_SECONDS, _PATIENCE_TIMES, _UNKNOWN_SECONDS = 120.0, 10, 60.0
# Seconds between two looks at what is late, and at how many workers there are.
_LOOK_SECONDS = 1.0


@frozen
class Piece:
    """Rows of a task that are kept together in a file.

    ``task`` gives the task; it is called only if the rows must be played.  ``rows`` are their
    numbers, ``record`` is the dtype of one, and ``seats`` the number of players.  ``folder``,
    ``file`` (its path in the folder) and ``name`` (the name in its identity) say where they are
    kept; without a folder they are not.  A thread plays slices of ``at_once`` rows, 0 for all, and
    begins with batches of ``first_batch``.  A row counts as ``units`` of progress.  ``count`` says
    what is wanted of all rows, None for themselves; it is called where they are played.
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
    count: Callable[[np.ndarray], Any] | None = None

    @property
    def path(self) -> Path | None:
        """The file, if there is to be one."""
        return None if self.folder is None else self.folder.path / self.file

    def found(self, records: np.ndarray) -> Any:
        """What is wanted of all rows."""
        return records if self.count is None else self.count(records)

    def kept(self) -> np.ndarray | None:
        """The rows in the file; None if it is missing, damaged or of other work."""
        if self.folder is None or not (self.folder.path / self.file).exists():
            return None
        try:
            table = self.folder.read(self.file, self.name, most_rows=len(self.rows))
        except StoreError:  # which says nothing of the rows
            raise
        except RunError:
            return None
        if table.num_rows != len(self.rows):
            return None
        return to_records(table, self.record, seats=self.seats)

    def keep(self, records: np.ndarray) -> None:
        """Write the rows to the file.  Raises RunError."""
        if self.folder is not None:
            identity = self.folder.identity(self.name)
            self.keep_file(encode_part(records, identity, seats=self.seats))

    def keep_file(self, data: bytes) -> None:
        """Write the file.  Raises RunError."""
        if self.folder is not None:
            write_file(self.folder.path / self.file, data)

    def keep_left(self, aside: Path) -> None:
        """Let a file that a worker left take its place.  Raises RunError."""
        if (path := self.path) is not None:
            with writing(path):
                take_place(aside, path)


class Finished(NamedTuple):
    """What is wanted of a piece, and the processor time that it took; None if it was read.

    ``records`` are its rows if they were played and are in the memory of this process.
    """

    piece: Piece
    found: Any
    seconds: float | None
    records: np.ndarray | None = None


class Workers:
    """Plays pieces with threads of this process, or with an executor.

    ``threads`` is the number of threads, or of workers that an executor is expected to have; by
    default the number of processors, or the ``n_workers`` of an executor that says it.  Threads
    advance ``meter`` batch by batch and stop within a fraction of a second.  An executor is sent
    jobs of some seconds, a few more than it has workers, and advances ``meter`` job by job; one
    that takes far too long is sent once more, and counts once.  Leaving the block ends all work;
    the caller shuts an executor down.  Raises ValueError for fewer than one thread.

    Rules in Python let one thread play at a time: once they have been at it for some seconds,
    threads hand their batches to processes.
    """

    # Seconds that such rules have been at it in this process.
    _interpreted = 0.0

    def __init__(
        self, meter: Meter, *, threads: int | None = None, executor: Executor | None = None
    ) -> None:
        own = (os.cpu_count() or 1) if threads is None else threads
        if not isinstance(own, int):
            raise TypeError(f"the number of threads is {own!r} and must be a whole number")
        if own < 1:
            raise ValueError(f"the number of threads is {own} and must be at least 1")
        self._meter = meter
        self._stopped = threading.Event()
        self._pool = ThreadPoolExecutor(own)
        self._threads, self._ahead = own, own * _PIECES_AHEAD
        self._elsewhere = None
        if executor is not None:
            self._elsewhere = _Elsewhere(executor, own, meter, self._pool)

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
        if self._elsewhere is not None:
            yield from self._elsewhere.finish(iter(pieces), take)
            return
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
        """Let threads read a piece, or play it in slices."""
        path = piece.path
        if path is not None and path.exists():
            return [self._pool.submit(self._read, piece, take)]
        work = _Slices(piece)
        return [self._pool.submit(self._finish, work, rows, take) for rows in work.slices]

    def _read(self, piece: Piece, take: Callable[[Finished], _T]) -> list[_T]:
        """Take a piece that exists; a damaged one is played again."""
        taken = _taken_if_kept(piece, take, self._meter)
        if taken:
            return taken
        work = _Slices(piece)
        return [one for rows in work.slices for one in self._finish(work, rows, take)]

    def _finish(self, work: "_Slices", rows: range, take: Callable[[Finished], _T]) -> list[_T]:
        """Play a slice; the thread that plays the last one takes and writes the piece."""
        seconds = self._play(work, rows)
        if not work.done(len(rows), seconds):
            return []
        return _take_and_keep(work, take)

    def _play(self, work: "_Slices", rows: range) -> float:
        """Play the rows of a slice into their place, in batches; return the processor time."""
        if self._stopped.is_set():
            raise CancelledError
        out, units = work.place(rows), work.piece.units
        player = work.task.player(out.dtype)
        seconds, low = 0.0, 0
        while low < len(out):
            if self._stopped.is_set():
                raise CancelledError
            started = time.perf_counter()
            batch = out[low : low + work.batch]
            seconds += self._play_batch(work, player, rows.start + low, batch)
            self._meter.advance(len(batch) * units)
            low += len(batch)
            if time.perf_counter() - started < _BATCH_SECONDS / 2 and len(batch) == work.batch:
                work.batch *= 2
        return seconds

    def _play_batch(
        self, work: "_Slices", player: RowPlayer, first: int, batch: np.ndarray
    ) -> float:
        """Play a batch, here or in a process; the processor time."""
        is_interpreted = self._threads > 1 and getattr(player, "is_interpreted", False)
        if is_interpreted and Workers._interpreted > _ALONE_SECONDS:
            piece, rows = work.piece, range(first, first + len(batch))
            asked = Slice(work.task, piece.record, piece.seats, rows)
            job = _processes().submit(_play_in, Path.cwd(), code_here(), [asked])
            [played] = job.result()
            batch[:] = played.rows
            return played.seconds
        began = time.thread_time()
        player.play(first, batch)
        seconds = time.thread_time() - began
        if is_interpreted:
            Workers._interpreted += seconds
        return seconds


def _play_in(folder: Path, asked: Mapping[str, str], slices: Sequence[Slice]) -> list[Played]:
    """In a process: play where this one is, since rules may read a file."""
    os.chdir(folder)
    return play_job(asked, slices)


def _processes() -> Executor:
    """Processes for rules in Python, which end with this one."""
    with _beginning:
        return _begun()


@cache
def _begun() -> Executor:
    found = LocalWorkers(os.cpu_count() or 1)
    atexit.register(found.shutdown, cancel_futures=True)
    return found


# Several threads may want them at once.
_beginning = threading.Lock()


def _taken_if_kept(piece: Piece, take: Callable[[Finished], _T], meter: Meter) -> list[_T]:
    """What is taken of a piece that is in its file; nothing if that is damaged."""
    records = piece.kept()
    if records is None:
        return []
    meter.advance(len(records) * piece.units)
    return [take(Finished(piece, piece.found(records), None))]


def _take_and_keep(work: "_Slices", take: Callable[[Finished], _T]) -> list[_T]:
    """Take a piece of which all rows were played, and write it."""
    piece, records = work.piece, work.records
    result = take(Finished(piece, piece.found(records), work.seconds, records))
    piece.keep(records)
    return [result]


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
        """The rows that one thread plays in one go, for each; one without rows for no rows."""
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


@define
class _Pace:
    """How long rows took, on average."""

    rows: int = 0
    seconds: float = 0.0

    def add(self, rows: int, seconds: float) -> None:
        """Count ``rows`` that took ``seconds``."""
        self.rows += rows
        self.seconds += seconds

    @property
    def each(self) -> float:
        """Seconds of a row; 0 before any was played."""
        return max(self.seconds, 1e-9) / self.rows if self.rows else 0.0


@define(eq=False)
class _Coming:
    """A piece that an executor plays: the rows that nobody was asked for yet, and what is done.

    ``taken`` holds what was taken of the piece in the end.
    """

    piece: Piece
    unsent: deque[range]
    work: _Slices | None = None
    pace: _Pace = Factory(_Pace)
    taken: list[Any] = Factory(list)

    @property
    def left(self) -> int:
        """How many rows can be sent next."""
        return len(self.unsent[0])

    def slice(
        self, n_rows: int, proofs: "_Proofs", first_batch: int, seconds: float
    ) -> tuple[range, Slice]:
        """The next rows that nobody was asked for, and how a worker is asked for them."""
        piece = self.piece
        if self.work is None:
            self.work = _Slices(piece)
        left = self.unsent.popleft()
        rows = left[:n_rows]
        if len(rows) < len(left):
            self.unsent.appendleft(left[n_rows:])
        identity = beside = None
        if piece.folder is not None and piece.count is not None and rows == piece.rows:
            identity, beside = piece.folder.identity(piece.name), proofs.beside(piece)
        task, record, seats = self.work.task, piece.record, piece.seats
        how = identity, beside, first_batch, seconds
        return rows, Slice(task, record, seats, rows, piece.count, *how)

    def again(self) -> None:
        """Let all rows be played again."""
        self.unsent, self.work = deque([self.piece.rows]), None


class _Proofs:
    """Files by which workers know that they see the folders of pieces, one in each folder."""

    def __init__(self) -> None:
        self._token = uuid.uuid4().hex
        self._found: dict[Path, Beside | None] = {}

    def beside(self, piece: Piece) -> Beside | None:
        """Where the file of a piece belongs; None where workers cannot leave it."""
        path = piece.path
        if path is None or isinstance(path, StorePath):
            return None
        path = path.absolute()
        if path.parent not in self._found:
            self._found[path.parent] = beside = Beside(path, self._token)
            try:
                beside.proof.touch()
            except OSError:  # what is wrong there is told when the first file is written
                self._found[path.parent] = None
        found = self._found[path.parent]
        return None if found is None else found._replace(path=path)

    def remove(self) -> None:
        """Remove them, and what workers left and nobody took."""
        with suppress(OSError):
            for folder, beside in self._found.items():
                if beside is not None:
                    beside.proof.unlink(missing_ok=True)
                    for aside in folder.glob(beside.asides):
                        aside.unlink(missing_ok=True)


@define(eq=False)
class _Job:
    """Slices that were sent together: when they are late, and what may bring their results."""

    slices: list[tuple[_Coming, range, Slice]]
    patience: float = 0.0
    late_at: float = 0.0
    futures: list[Future[list[Played]]] = Factory(list)


class _Elsewhere:
    """Lets an executor play pieces: one thread sends jobs and takes what comes back.

    Files are read and written in a ``pool`` of threads.  Whatever happens meanwhile is put into a
    queue, as what is to be done about it in that one thread.
    """

    def __init__(
        self, executor: Executor, threads: int, meter: Meter, pool: ThreadPoolExecutor
    ) -> None:
        self._executor, self._threads, self._meter, self._pool = executor, threads, meter, pool
        self._paces: defaultdict[Any, _Pace] = defaultdict(_Pace)
        self._events: SimpleQueue[Callable[[], None]] = SimpleQueue()
        self._jobs: set[_Job] = set()
        self._n_workers, self._looked_at = threads, 0.0

    def finish(self, pieces: Iterator[Piece], take: Callable[[Finished], _T]) -> Iterator[_T]:
        """What ``take`` makes of each piece, in their order."""
        self._pieces, self._take = pieces, take
        self._coming: deque[_Coming] = deque()  # in their order
        self._unsent: deque[_Coming] = deque()  # those of which rows are to be sent
        self._proofs = _Proofs()
        try:
            self._send_jobs()
            while self._coming:
                if self._coming[0].taken:
                    yield self._coming.popleft().taken[0]
                else:
                    with suppress(Empty):
                        self._events.get(timeout=_LOOK_SECONDS)()
                self._send_jobs()
        finally:
            for job in self._jobs:
                for future in job.futures:
                    future.cancel()
            self._jobs.clear()
            self._proofs.remove()

    def _look(self) -> None:
        """See how many workers there are, and send once more what is late."""
        now = time.monotonic()
        if now < self._looked_at + _LOOK_SECONDS:
            return
        self._looked_at = now
        self._n_workers = max(getattr(self._executor, "n_workers", self._threads), 1)
        for job in self._jobs:
            if now > job.late_at:
                job.patience *= 2
                self._submit(job)
            elif self._was_refused(job.futures[-1]):
                self._submit(job)

    def _send_jobs(self) -> None:
        """Send jobs for as long as workers can soon begin them."""
        self._look()
        while len(self._jobs) < self._n_workers * _JOBS_AHEAD:
            slices, seconds = self._next_slices()
            if not slices:
                break
            patience = _PATIENCE_SECONDS + _PATIENCE_TIMES * (seconds or _UNKNOWN_SECONDS)
            self._jobs.add(job := _Job(slices, patience))
            self._submit(job)

    def _submit(self, job: _Job) -> None:
        """Send a job, for the first time or once more."""
        job.late_at = time.monotonic() + job.patience
        sent = self._executor.submit(play_job, code_here(), [one for *_, one in job.slices])
        job.futures.append(sent)
        sent.add_done_callback(lambda done: self._events.put(partial(self._receive, job, done)))

    def _was_refused(self, sent: Future[Any]) -> bool:
        """Whether an executor says that those who got a job cannot play it, but others may."""
        refused: Callable[[Future[Any]], bool] | None
        refused = getattr(self._executor, "was_refused", None)
        return refused is not None and refused(sent)

    def _receive(self, job: _Job, done: Future[list[Played]]) -> None:
        """Take what came back of a job; of one that was sent twice, what came first."""
        if job not in self._jobs:
            return
        if not done.cancelled() and done.exception() and self._was_refused(done):
            self._submit(job)
            return
        if done.cancelled():
            raise WorkersLostError("what workers were sent was given up: they cannot be reached")
        results = done.result()
        self._jobs.remove(job)
        for future in job.futures:
            future.cancel()
        for (coming, rows, _), played in zip(job.slices, results, strict=True):
            self._place(coming, rows, played)

    def _place(self, coming: _Coming, rows: range, played: Played) -> None:
        """Put the rows of a slice where they belong; finish the piece if they are the last."""
        piece, work = coming.piece, coming.work
        assert work is not None
        if played.rows is not None:
            rows, rest = rows[: len(played.rows)], rows[len(played.rows) :]
            work.place(rows)[...] = played.rows
            if rest:
                coming.unsent.append(rest)
                if coming not in self._unsent:
                    self._unsent.appendleft(coming)
        for pace in (coming.pace, self._paces[piece.record, piece.at_once]):
            pace.add(len(rows), played.took)
        self._meter.advance(len(rows) * piece.units)
        if not work.done(len(rows), played.seconds):
            return
        if played.file is None:
            self._in_pool(coming, partial(_take_and_keep, work, self._take))
        else:
            self._in_pool(
                coming, partial(_take_and_keep_file, work, played, self._take, self._meter)
            )

    def _in_pool(self, coming: _Coming, job: Callable[[], list[Any]]) -> None:
        """Let a thread of the pool read or write a piece."""

        def finished(done: Future[list[Any]]) -> None:
            if not done.cancelled():
                self._events.put(partial(self._taken, coming, done))

        self._pool.submit(job).add_done_callback(finished)

    def _taken(self, coming: _Coming, done: Future[list[Any]]) -> None:
        """Note what was taken of a piece; one whose file is damaged is played."""
        coming.taken = done.result()
        if not coming.taken:
            coming.again()
            self._unsent.append(coming)

    def _next_unsent(self) -> _Coming | None:
        """The first piece with rows that nobody was asked for; None if none may be begun."""
        while not self._unsent:
            if len(self._coming) >= self._n_workers * _JOBS_AHEAD * _PIECES_PER_JOB:
                return None
            if (piece := next(self._pieces, None)) is None:
                return None
            self._coming.append(coming := _Coming(piece, deque([piece.rows])))
            if piece.path is not None and piece.path.exists():
                self._in_pool(coming, partial(_taken_if_kept, piece, self._take, self._meter))
            else:
                self._unsent.append(coming)
        return self._unsent[0]

    def _next_slices(self) -> tuple[list[tuple[_Coming, range, Slice]], float]:
        """What is sent next, and the seconds that it takes; 0 if nobody knows."""
        slices: list[tuple[_Coming, range, Slice]] = []
        seconds, room, budget = 0.0, _JOB_BYTES, 0.0
        while (coming := self._next_unsent()) is not None:
            piece, left = coming.piece, coming.left
            each = coming.pace.each or self._paces[piece.record, piece.at_once].each
            if not slices:
                budget = self._budget(piece, left, each)
            n_rows, how = left, (0, inf)
            if not each:
                n_rows = piece.at_once or left
                how = piece.first_batch, _LEAST_SECONDS
            elif (n_rows := int((budget - seconds) / each)) > left / 2:
                n_rows = left
            elif slices and left * each < _LEAST_SECONDS:
                break  # it is not cut, so that its worker can make the file
            n_rows = min(max(n_rows, 1), left, max(room // piece.record.itemsize, 1))
            rows, asked = coming.slice(n_rows, self._proofs, *how)
            slices.append((coming, rows, asked))
            if not coming.unsent:
                self._unsent.popleft()
            seconds += len(rows) * each
            room -= len(rows) * piece.record.itemsize
            if seconds >= budget or room <= 0 or not each:
                break
        return slices, seconds

    def _budget(self, piece: Piece, left: int, each: float) -> float:
        """Seconds that the next job should take: a share of what is left, within limits."""
        sent = sum(len(rows) * one.piece.units for job in self._jobs for one, rows, _ in job.slices)
        units = max(self._meter.left - sent, 0)
        rows = max(units / piece.units if piece.units else 0, left)
        share = rows * each / (self._n_workers * _SHARES)
        return min(max(share, _LEAST_SECONDS), _MOST_SECONDS)


def _take_and_keep_file(
    work: _Slices, played: Played, take: Callable[[Finished], _T], meter: Meter
) -> list[_T]:
    """Take a piece of which a worker made the file, and keep it; nothing if it is damaged."""
    piece, file = work.piece, played.file
    assert file is not None
    if isinstance(file, Path) and not _is_whole(file):
        meter.advance(-len(piece.rows) * piece.units)
        return []
    result = take(Finished(piece, played.counted, work.seconds))
    if isinstance(file, Path):
        piece.keep_left(file)
    else:
        piece.keep_file(file)
    return [result]


def _is_whole(file: Path) -> bool:
    """Whether a file that a worker left is there as it was written."""
    try:
        open_table(read_file(file), [])
    except (OSError, RunError, ValueError):
        return False
    return True
