"""A rule that does not end is told with its line, in place of a program that hangs."""

import signal
from pathlib import Path
from types import FrameType
from typing import Any, Self

from simcore.contract.faults import RuleError, is_authors

_SECONDS = 5.0
_SIMCORE = f"{Path(__file__).parents[1]}/"


class LoopWatch:
    """Raises RuleError in a call of the rules that lasts 5 to 10 seconds, while its block runs.

    What a player thinks about may last: it is many calls.  Nothing is found on Windows, nor outside
    the main thread, where Python has no alarm.
    """

    _before: Any = None
    _timer = 0.0, 0.0
    _call: FrameType | None = None

    def __enter__(self) -> Self:
        try:
            self._before = signal.signal(signal.SIGALRM, self._ring)
        except (AttributeError, ValueError):
            return self
        self._timer = signal.setitimer(signal.ITIMER_REAL, _SECONDS, _SECONDS)
        return self

    def __exit__(self, *_: object) -> None:
        if self._before is not None:
            signal.setitimer(signal.ITIMER_REAL, *self._timer)
            signal.signal(signal.SIGALRM, self._before)
        self._call = None

    def _ring(self, _number: int, frame: FrameType | None) -> None:
        call = _call_of(frame)
        if call is not None and call is self._call:
            raise RuleError(
                f"this has run for over {_SECONDS:.0f} seconds: does a loop of it never end?"
            )
        self._call = call


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
