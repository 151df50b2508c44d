"""A rule that does not end is told with its line, in place of a program that hangs."""

import ctypes
import signal
import sys
import threading
from pathlib import Path
from types import FrameType
from typing import Any, Self

from simcore.contract.faults import RuleError, is_authors

_SECONDS = 5.0
_SIMCORE = f"{Path(__file__).parents[1]}/"
_ENDLESS = f"this has run for over {_SECONDS:.0f} seconds: does a loop of it never end?"


class _EndlessError(RuleError):
    """What another thread raises in one whose rule does not end: Python makes it of its class."""

    def __init__(self) -> None:
        super().__init__(_ENDLESS)


class LoopWatch:
    """Raises RuleError in a call of the rules that lasts 5 to 10 seconds, while its block runs.

    What a player thinks about may last: it is many calls.  The main thread is woken by an alarm of
    the system, also where a rule sleeps; any other one, and all on Windows, is watched by a thread,
    which finds loops of Python.
    """

    _before: Any = None
    _timer = 0.0, 0.0
    _call: FrameType | None = None
    _thread = 0

    def __enter__(self) -> Self:
        try:
            self._before = signal.signal(signal.SIGALRM, self._ring)
        except (AttributeError, ValueError):
            self._thread, self._lock = threading.get_ident(), threading.Lock()
            self._over = threading.Event()
            threading.Thread(target=self._watch, name="watch of rules", daemon=True).start()
            return self
        self._timer = signal.setitimer(signal.ITIMER_REAL, _SECONDS, _SECONDS)
        return self

    def __exit__(self, *_: object) -> None:
        if self._thread:
            with self._lock:
                self._over.set()
        if self._before is not None:
            signal.setitimer(signal.ITIMER_REAL, *self._timer)
            signal.signal(signal.SIGALRM, self._before)
        self._call = None

    def _ring(self, _number: int, frame: FrameType | None) -> None:
        if self._lasts(frame):
            raise RuleError(_ENDLESS)

    def _watch(self) -> None:
        """Look every few seconds what the thread of the block does, until that is over."""
        while not self._over.wait(_SECONDS):
            with self._lock:
                lasts = self._lasts(sys._current_frames().get(self._thread))
                if lasts and not self._over.is_set():
                    thread = ctypes.c_ulong(self._thread)
                    ctypes.pythonapi.PyThreadState_SetAsyncExc(
                        thread, ctypes.py_object(_EndlessError)
                    )
                    return

    def _lasts(self, frame: FrameType | None) -> bool:
        """Whether the call of the rules is that of the last look."""
        call = _call_of(frame)
        if call is not None and call is self._call:
            return True
        self._call = call
        return False


def _call_of(frame: FrameType | None) -> FrameType | None:
    """The outermost call of the rules that is running: of an author's code, by `simcore`.

    Below it may lie other people's code that has called this program, such as a notebook.
    """
    found = call = None
    while frame is not None:
        file = frame.f_code.co_filename
        if is_authors(file):
            call = frame
        else:
            found = call if call is not None and file.startswith(_SIMCORE) else found
            call = None
        frame = frame.f_back
    return found
