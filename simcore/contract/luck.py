"""Random numbers of a game as addresses, in plain Python: the n-th number of (seed, game, purpose).

They are the streams of `simcore.random_streams`.  A purpose is a word, with a seat where each has
its own; each has a counter, so luck in one thing never moves luck in another.
"""

from collections.abc import Hashable, Sequence
from functools import cache
from hashlib import blake2b
from typing import Any

from simcore.contract.faults import RuleError

_MASK = 0xFFFFFFFFFFFFFFFF
_GOLDEN, _STREAM_STEP = 0x9E3779B97F4A7C15, 0xD1342543DE82EF95
_MIX_1, _MIX_2 = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def mixed(x: int) -> int:
    """The SplitMix64 finaliser of the low 64 bits of a number."""
    x &= _MASK
    x = (x ^ (x >> 30)) * _MIX_1 & _MASK
    x = (x ^ (x >> 27)) * _MIX_2 & _MASK
    return x ^ (x >> 31)


def address_of(seed: int, game: int) -> int:
    """Where the streams of a game of a seed begin."""
    return mixed(mixed(seed + _GOLDEN) + game * _GOLDEN)


@cache
def number_of(purpose: Hashable) -> int:
    """The number of a purpose, the same in every process."""
    return int.from_bytes(blake2b(repr(purpose).encode(), digest_size=8).digest())


class Luck:
    """The random numbers of one game, each purpose a stream of its own: `Rules.rng`.

    A purpose is a word that stands in the rules, and behind it what else tells streams apart, such
    as a seat.
    """

    __slots__ = ("_address", "_counters")

    def __init__(self, address: int) -> None:
        self._address = address
        self._counters: dict[Hashable, int] = {}

    def bits(self, purpose: Hashable) -> int:
        """The next 64 random bits of a purpose."""
        counter = self._counters.get(purpose)
        if counter is None:
            counter = mixed(self._address + (number_of(purpose) + 1) * _STREAM_STEP)
        self._counters[purpose] = counter + _GOLDEN & _MASK
        return mixed(counter)

    def below(self, n: int, *purpose: Hashable) -> int:
        """A whole number from 0 to n - 1.  Raises RuleError where there is none."""
        if n < 1:
            raise RuleError(f"luck is asked for one of {n} numbers or things: at least one")
        return (self.bits(purpose) >> 32) * n >> 32

    def roll(self, sides: int, *purpose: Hashable) -> int:
        """A die: a whole number from 1 to ``sides``."""
        return 1 + self.below(sides, *purpose)

    def choice(self, things: Any, *purpose: Hashable) -> Any:
        """One of the things in a zone or list."""
        return things[self.below(len(things), *purpose)]

    def shuffled(self, things: Sequence[Any], *purpose: Hashable) -> list[Any]:
        """The things in a random order [Fisher and Yates 1938]."""
        found, bits = list(things), self.bits
        for last in range(len(found) - 1, 0, -1):
            other = (bits(purpose) >> 32) * (last + 1) >> 32
            found[last], found[other] = found[other], found[last]
        return found

    def fork(self, *purpose: Hashable) -> "Luck":
        """Other luck that tells nothing of this one: that of an imagined game."""
        return Luck(self.bits(purpose))

    def redraw(self, number: int) -> None:
        """Go on with other luck in everything, which its number names."""
        self._address = mixed(self._address + number * _GOLDEN)
        self._counters.clear()
