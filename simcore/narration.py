"""One game told, in words or from decision to decision."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from attrs import frozen


@frozen
class Replay:
    """One game: its text, line by line, with what is to be drawn in it, and its record."""

    lines: tuple[Any, ...]
    record: np.void


class Step(NamedTuple):
    """What happened since the decision before, the position then, and the decision that follows.

    The last step of a game has no decision.
    """

    lines: tuple[str, ...]
    layout: Any
    move: Any


@frozen
class Stepped:
    """One game: its steps, and its record."""

    steps: tuple[Step, ...]
    record: np.void


class Narrator(ABC):
    """Plays a game on, which stops after every step of the machine, and tells what each changed.

    ``choose`` gives the number of the option to take at each decision.  A ``brief`` one leaves out
    how everything stands, for those who see it.
    """

    def __init__(self, game: Any, choose: Callable[[Any], int], *, brief: bool = False) -> None:
        self.game, self._choose, self._brief = game, choose, brief

    @abstractmethod
    def tell(self) -> Iterator[Any]:
        """The text, line by line."""


class StepNarrator(Narrator):
    """Notes at each decision where the game stands; it is mixed into the narrator of a game."""

    def __init__(self, game: Any, choose: Callable[[Any], int]) -> None:
        super().__init__(game, choose, brief=True)
        self._lines: list[str] = []
        self._steps: list[Step] = []

    @abstractmethod
    def _layout(self) -> Any:
        """How everything lies now."""

    def steps(self) -> tuple[Step, ...]:
        """All steps of the game, which is played to its end."""
        for line in self.tell():
            self._lines.append(str(line).strip())
        self._close(None)
        return tuple(self._steps)

    def _close(self, move: Any) -> None:
        """Another step is complete, with the decision that follows."""
        self._steps.append(Step(tuple(filter(None, self._lines)), self._layout(), move))
        self._lines = []
