"""Where chance comes from: a stream of random numbers, or dice that a test has written down."""

from collections.abc import MutableSequence, Sequence
from typing import Any, Protocol

from support.random_twin import RandomStream

LUCK, CHOICES = 1, 2  # purposes of the streams of a game: its chance, and what its players draw


class Chance(Protocol):
    """What an engine asks of chance."""

    def below(self, n: int) -> int:
        """One of 0 … n - 1; nothing is drawn for n = 1."""

    def die(self) -> int:
        """The face of one die, 0 … 5."""

    def shuffle(self, things: MutableSequence[Any]) -> None:
        """Bring things into any order, in place."""


class Numbers:
    """Chance from a stream: the same numbers as the fast engine draws, in the same order."""

    def __init__(self, seed: int, game: int, purpose: int) -> None:
        self._stream = RandomStream(seed, game, purpose)

    def below(self, n: int) -> int:
        return self._stream.below(n) if n > 1 else 0

    def happens(self, chance: float) -> bool:
        """Whether something of this chance happens; one number is drawn."""
        return self._stream.below(2**32) < round(chance * 2**32)

    def die(self) -> int:
        return self.below(6)

    def shuffle(self, things: MutableSequence[Any]) -> None:
        for last in range(len(things) - 1, 0, -1):
            other = self.below(last + 1)
            things[last], things[other] = things[other], things[last]


class Scripted:
    """Faces written down beforehand, then a stream; everything but dice comes from the stream."""

    def __init__(self, faces: Sequence[int], rest: Chance) -> None:
        self.faces = list(faces)
        self._rest = rest

    def below(self, n: int) -> int:
        return self._rest.below(n)

    def die(self) -> int:
        return self.faces.pop(0) if self.faces else self._rest.die()

    def shuffle(self, things: MutableSequence[Any]) -> None:
        self._rest.shuffle(things)
