"""What checks of a game find, and the time that they have."""

import signal
import time
from collections.abc import Iterator
from typing import Any, Self

from attrs import define, field, frozen

from simcore.contract.faults import RuleError
from simcore.work.progress import Progress

#: A fault makes results wrong, a warning may, a look is a question that only its author can answer.
FAULT, WARNING, LOOK = "fault", "warning", "look"
LEVELS = (FAULT, WARNING, LOOK)

# One game, with all that is asked of its positions, takes less.
_MOST_SECONDS = 20


@frozen
class Finding:
    """Something found: a level, and a sentence."""

    level: str
    text: str


@define
class Watch:
    """The seconds that checks have, and whether they ran out.

    Inside its block a rule that does not end raises RuleError, where the system can tell: Windows
    cannot, nor any thread but the main one.
    """

    seconds: float
    advance: Progress | None = None
    is_cut: bool = False
    _began: float = field(factory=time.monotonic)
    _before: Any = None

    def numbers(self, n: int) -> Iterator[int]:
        """The numbers from 0 to n - 1, as long as there is time."""
        for number in range(n):
            passed = time.monotonic() - self._began
            if self.advance:
                self.advance(round(min(passed, self.seconds)), round(self.seconds))
            if passed > self.seconds:
                self.is_cut = True
                return
            self._wind(_MOST_SECONDS)
            yield number

    def __enter__(self) -> Self:
        try:
            self._before = signal.signal(signal.SIGALRM, _ring)
        except (AttributeError, ValueError):
            self._before = None
        return self

    def __exit__(self, *_: object) -> None:
        self._wind(0)
        if self._before is not None:
            signal.signal(signal.SIGALRM, self._before)

    def _wind(self, seconds: float) -> None:
        if self._before is not None:
            signal.setitimer(signal.ITIMER_REAL, seconds)


def _ring(_number: int, _frame: Any) -> None:
    raise RuleError(
        f"this has run for {_MOST_SECONDS} seconds: does a loop of the rules never end?"
    )
