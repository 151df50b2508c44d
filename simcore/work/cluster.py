"""The workers of a Dask scheduler as an executor.

Needs the extra ``cluster``.  Whoever can reach a scheduler can run code on its workers and on this
machine.  Certificates for ``tls://`` and all else of Dask's own are read from its configuration.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future
from contextlib import ExitStack, contextmanager
from typing import TYPE_CHECKING, Any, TypeVar
from weakref import WeakKeyDictionary

from simcore.sealed import RunError
from simcore.work.jobs import OtherCodeError, WorkersLostError, check_code, code_here

if TYPE_CHECKING:
    from distributed import Client

_T = TypeVar("_T")

# Seconds for which the number of workers is believed, and that a scheduler has to say it.
_BELIEVED_SECONDS, _ANSWER_SECONDS = 1.0, 5.0
# And that it has to answer at first, and that workers have to find out what they are.
_CONNECT_SECONDS, _CHECK_SECONDS = 20, 60.0
_RESUME = "What is finished is kept: run the same command again to resume"


class ClusterError(RunError):
    """A cluster cannot be used; the message says why, and what to do."""


class Cluster(Executor):
    """The workers of a scheduler, as many as there are at the moment.

    One that has another fairdeal than this process, or none, is refused: it gets no work, and
    ``tell`` is told once what is wrong there.
    """

    def __init__(self, client: "Client", tell: Callable[[str], None] = lambda _: None) -> None:
        self._client, self._tell = client, tell
        # Each job is one of its own, even where the same is sent twice.
        self._executor = client.get_executor(pure=False)
        self._threads: dict[str, int] = {}  # of each worker, by its address
        self._checked: set[str] = set()
        self._refused: dict[str, str] = {}  # what is wrong with a worker
        self._sent_to: WeakKeyDictionary[Future[Any], frozenset[str] | None] = WeakKeyDictionary()
        self._looked_at = float("-inf")
        self._looking = threading.RLock()

    @property
    def n_workers(self) -> int:
        """How many jobs can be played at a time: the threads of all workers."""
        with self._looking:
            if time.monotonic() > self._looked_at + _BELIEVED_SECONDS:
                self._look()
            return sum(n for one, n in self._threads.items() if one not in self._refused)

    def _look(self) -> None:
        """See which workers there are now, and refuse those that cannot play."""
        self._looked_at = time.monotonic()
        client = self._client
        scheduler: Any = client.scheduler
        found: dict[str, Exception | None] = {}
        try:
            self._threads = dict(client.sync(scheduler.ncores, callback_timeout=_ANSWER_SECONDS))
            if new := [one for one in self._threads if one not in self._checked]:
                self._checked |= {*new}
                # Not client.run(), which waits for ever for a worker that hangs.
                asked = client._run, check_code, code_here()
                how = {"workers": new, "on_error": "return", "callback_timeout": _CHECK_SECONDS}
                found = client.sync(*asked, **how)
        except (OSError, TimeoutError):  # it is busy, or will be found to be lost
            return
        for address, error in found.items():
            if error is None or _is_unanswered(error):
                continue  # with another fairdeal, it refuses its first job
            text = str(error)
            if not isinstance(error, OtherCodeError):
                text = f"the worker at {address} cannot play: {type(error).__name__}: {error}"
            if text not in self._refused.values():
                self._tell(f"{text}. It gets no work")
            self._refused[address] = text

    def submit(self, fn: Callable[..., _T], /, *args: Any, **kwargs: Any) -> Future[_T]:
        """Let a worker call a function.

        Raises WorkersLostError if there is no scheduler, OtherCodeError if it has workers, and all
        of them are refused.
        """
        if self._client.status != "running":
            raise WorkersLostError("the scheduler is lost")
        good = None
        with self._looking:
            refused = [text for one, text in self._refused.items() if one in self._threads]
            if refused:
                good = frozenset(self._threads) - {*self._refused}
                if not good:
                    raise OtherCodeError(f"{refused[0]}. No other worker is there. {_RESUME}")
                kwargs["workers"] = sorted(good)
        sent: Future[_T] = self._executor.submit(fn, *args, **kwargs)
        self._sent_to[sent] = good
        return sent

    def was_refused(self, sent: Future[Any]) -> bool:
        """Whether what was sent failed, or waits, for it was sent to workers that cannot play it.

        Those are one that is refused, or all that it was meant for if they are gone.
        """
        good = self._sent_to.get(sent)
        with self._looking:
            if good is not None:
                return not good & self._threads.keys()
            if sent.done() and not sent.cancelled():
                self._checked.clear()  # another process may have an address by now
                self._look()
                return bool(self._refused)
        return False

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the use of the workers; what they were sent is given up if it is not waited for."""
        self._executor.shutdown(wait=wait and not cancel_futures)


@contextmanager
def cluster_at(scheduler: str, tell: Callable[[str], None] = lambda _: None) -> Iterator[Cluster]:
    """The workers of a scheduler, by its address, as they come and go.

    ``tell`` is told of workers that are refused.  Raises ClusterError if no scheduler is there, or
    if it is lost.
    """
    with _with_dask(scheduler) as ending:
        from distributed import Client
        from distributed.comm.addressing import get_address_host_port

        try:
            get_address_host_port(scheduler)  # refuses what is no address
            _check_certificates(scheduler)
            client = Client(scheduler, set_as_default=False, timeout=_CONNECT_SECONDS)
        except (OSError, ValueError, ImportError, TypeError) as error:
            raise ClusterError(
                f"no scheduler answers at {scheduler} ({error}); start one with 'dask scheduler',"
                " and give the address that it prints, such as tcp://127.0.0.1:8786"
            ) from error
        yield Cluster(ending.enter_context(client), tell)


def _is_unanswered(error: Exception) -> bool:
    """Whether a worker said nothing, for it ended or was busy, rather than that something failed.

    What Dask says of connections has no number, other than what a worker's system says.
    """
    return isinstance(error, OSError) and error.errno is None


def _check_certificates(scheduler: str) -> None:
    """Raise ValueError for an address with ``tls://`` where Dask knows of no certificates."""
    from distributed import Security

    known = Security().get_connection_args("client")
    if scheduler.startswith("tls://") and known["ssl_context"] is None:
        raise ValueError(
            "tls:// needs certificates; name them in Dask's configuration: distributed.comm.tls"
        )


@contextmanager
def _with_dask(scheduler: str) -> Iterator[ExitStack]:
    """Let a block use Dask, silently; what goes wrong there ends in one message."""
    try:
        from distributed import KilledWorker
        from distributed.utils import silence_logging_cmgr
    except ImportError as error:
        raise ClusterError(
            f"--scheduler needs Dask, and {error.name} is not installed: pip install"
            " 'fairdeal[cluster]'"
        ) from error
    try:
        with silence_logging_cmgr(logging.CRITICAL + 1), ExitStack() as ending:
            yield ending
    except WorkersLostError as error:
        raise ClusterError(
            f"the scheduler at {scheduler} cannot be reached any more. {_RESUME}"
        ) from error
    except KilledWorker as error:
        raise ClusterError(
            f"{error.allowed_failures + 1} workers ended while they played the same games; the last"
            f" was {error.last_worker.address}. They may have had too little memory. {_RESUME}"
        ) from error
