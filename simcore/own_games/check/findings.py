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

    @property
    def left(self) -> float:
        """The seconds that are left."""
        return self.seconds - (time.monotonic() - self._began)

    def numbers(self, n: int, seconds: float | None = None) -> Iterator[int]:
        """The numbers from 0 to n - 1, as long as there is time, of which they may take a part."""
        end = -1.0 if seconds is None else self.left - seconds
        for number in range(n):
            left = self.left
            if self.advance:
                self.advance(round(min(self.seconds - left, self.seconds)), round(self.seconds))
            if left < 0:
                self.is_spent = True
            if left < max(end, 0):
                return
            yield number
