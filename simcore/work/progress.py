"""How far the work is: counted over all workers, told from one thread at a time."""

import threading
from collections.abc import Callable

#: Called with (units done, units in all), from one thread at a time; a unit is mostly a game.
Progress = Callable[[int, int], None]


class Meter:
    """Counts units of work as done, whoever does them, and tells how far the work is."""

    def __init__(self, in_all: int, on_progress: Progress | None = None) -> None:
        self._in_all = in_all
        self._done = 0
        self._on_progress = on_progress
        self._lock = threading.Lock()

    @property
    def left(self) -> int:
        """Units that are still to be done."""
        with self._lock:
            return max(self._in_all - self._done, 0)

    def advance(self, units: int) -> None:
        """Count ``units`` more as done."""
        with self._lock:
            self._done += units
            if self._on_progress:
                self._on_progress(min(self._done, self._in_all), self._in_all)

    def expect(self, in_all: int) -> None:
        """Expect so many units in all from now on."""
        with self._lock:
            self._in_all = in_all
