"""Processes on this machine as an executor, which speak to this one through pipes alone.

They open no port and no named socket: whoever could reach one could let it run code.
"""

import logging
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import CancelledError, Executor, Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import partial
from queue import SimpleQueue
from typing import Any, TypeVar

from simcore.sealed import RunError

_T = TypeVar("_T")

# Workers that may end while they play the same job, which may be the cause.
_MOST_LOST = 4
# What is raised where a worker's process ends, or its pipes are closed.
_ENDED = EOFError, OSError, ValueError, pickle.UnpicklingError
# What a worker does: modules come from where this process has them, and not from its folder.
_BEGIN = "import sys; sys.path[:] = sys.argv[1:]; from simcore.work.processes import serve; serve()"
# Each worker plays in one thread, and its libraries compute in none besides.
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


class LocalWorkers(Executor):
    """So many processes, each of which does one job at a time; one that ends is replaced.

    Leaving the block ends them, and what they were doing.
    """

    def __init__(self, n_workers: int) -> None:
        self.n_workers = n_workers
        self._threads = ThreadPoolExecutor(n_workers)
        self._idle: SimpleQueue[_Worker] = SimpleQueue()
        self._workers = [_Worker() for _ in range(n_workers)]
        for worker in self._workers:
            self._idle.put(worker)

    def submit(self, fn: Callable[..., _T], /, *args: Any, **kwargs: Any) -> Future[_T]:
        """Let a worker call a function.

        Its result raises RunError where several workers ended while they did this.
        """
        return self._threads.submit(self._call, pickle.dumps(partial(fn, *args, **kwargs)))

    def _call(self, job: bytes) -> Any:
        worker = self._idle.get()
        try:
            for _ in range(_MOST_LOST):
                try:
                    answer = worker.do(job)
                except _ENDED:
                    worker.begin()
                else:
                    result, failure = pickle.loads(answer)
                    if failure is not None:
                        raise failure
                    return result
        finally:
            self._idle.put(worker)
        raise RunError(
            f"{_MOST_LOST} workers ended while they played the same games. They may have had too"
            " little memory. What is finished is kept: run the same command again to resume"
        )

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the workers, at once if what they were sent is not waited for."""
        if wait and not cancel_futures:
            self._threads.shutdown()
        for worker in self._workers:
            worker.end()
        self._threads.shutdown(wait=wait, cancel_futures=cancel_futures)


@contextmanager
def local_workers(n_workers: int) -> Iterator[LocalWorkers]:
    """Workers that end with the block, whatever they are doing then."""
    workers = LocalWorkers(n_workers)
    try:
        yield workers
    finally:
        workers.shutdown(cancel_futures=True)


class _Worker:
    """A process that does jobs; what is sent and what comes back are bytes."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._ended = False
        self._changing = threading.Lock()
        self.begin()

    def begin(self) -> None:
        """Begin the process, in place of one that has ended.  Raises CancelledError after the end.

        In a session of its own, it does not hear the terminal's Ctrl-C.
        """
        with self._changing:
            if self._ended:
                raise CancelledError
            self._close()
            self._process = subprocess.Popen(
                [sys.executable, "-c", _BEGIN, *sys.path],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                env={**os.environ, **_ONE_THREAD},
                start_new_session=True,
            )

    def do(self, job: bytes) -> bytes:
        """Send a job and wait for its answer.  Raises EOFError and others if the process ends."""
        assert self._process is not None
        sent, answers = self._process.stdin, self._process.stdout
        assert sent is not None
        assert answers is not None
        pickle.dump(job, sent)
        sent.flush()
        answer: bytes = pickle.load(answers)
        return answer

    def end(self) -> None:
        """End the process, whatever it is doing."""
        with self._changing:
            self._ended = True
            self._close()

    def _close(self) -> None:
        if self._process is not None:
            self._process.kill()
            with suppress(OSError):  # what was meant for it cannot be sent
                self._process.communicate()


def serve() -> None:
    """In a worker: do what comes through stdin, until the process at its other end is gone."""
    jobs: SimpleQueue[bytes] = SimpleQueue()
    # What is printed here must not get between the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    # How kernels are compiled has been said by the process that sends the jobs.
    logging.getLogger("simcore.jit").setLevel(logging.ERROR)
    threading.Thread(target=_receive, args=(jobs,), daemon=True).start()
    while True:
        answer = _answer(jobs.get())
        try:
            pickle.dump(answer, answers)
            answers.flush()
        except BrokenPipeError:  # nobody hears it; an end in order would wait for the thread
            os._exit(1)


def _receive(jobs: "SimpleQueue[bytes]") -> None:
    """Take in jobs; end the process when nobody can send one any more."""
    try:
        while True:
            jobs.put(pickle.load(sys.stdin.buffer))
    finally:
        os._exit(1)


def _answer(job: bytes) -> bytes:
    """A pair of what the job returned and what it raised, one of which is None."""
    try:
        return pickle.dumps((pickle.loads(job)(), None))
    except Exception as error:  # noqa: BLE001
        try:
            answer = pickle.dumps((None, error))
            pickle.loads(answer)
        except Exception:  # noqa: BLE001 - of one that cannot be sent, what it says
            answer = pickle.dumps((None, RunError(f"{type(error).__name__}: {error}")))
        return answer
