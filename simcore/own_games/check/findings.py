"""What checks of a game find, and the time that they have."""

import time
from collections.abc import Iterator

from attrs import define, field, frozen

from simcore.work.progress import Progress

#: A fault makes results wrong, a warning may, a look is a question that only its author can answer.
FAULT, WARNING, LOOK = "fault", "warning", "look"
LEVELS = (FAULT, WARNING, LOOK)


@frozen
class Finding:
    """Something found: a level, and a sentence."""

    level: str
    text: str


@define
class Budget:
    """The seconds that checks have, and whether they ran out."""

    seconds: float
    advance: Progress | None = None
    is_spent: bool = False
    _began: float = field(factory=time.monotonic)

    def numbers(self, n: int) -> Iterator[int]:
        """The numbers from 0 to n - 1, as long as there is time."""
        for number in range(n):
            passed = time.monotonic() - self._began
            if self.advance:
                self.advance(round(min(passed, self.seconds)), round(self.seconds))
            if passed > self.seconds:
                self.is_spent = True
                return
            yield number
