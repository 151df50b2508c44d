"""The random numbers of ``simcore.random_streams`` and its deals, in plain Python.

They make the fast engine's chance events known to a slow engine: which cards Strange Barrel takes,
which cards are dealt, who starts.
"""

from __future__ import annotations

from collections.abc import Sequence

DEAL, CHANCE, CHOICE = 0, 1, 2  # purposes; CHOICE + player

_WORD = 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C15
_STREAM_STEP = 0xD1342543DE82EF95


def _mix(x: int) -> int:
    """The finaliser of SplitMix64."""
    x &= _WORD
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9 & _WORD
    x = (x ^ x >> 27) * 0x94D049BB133111EB & _WORD
    return x ^ x >> 31


class RandomStream:
    """The numbers of one purpose in one game of a seed, one after another."""

    def __init__(self, seed: int, game: int, purpose: int) -> None:
        address = _mix(_mix(seed + _GOLDEN) + game * _GOLDEN)
        self._counter = _mix(address + (purpose + 1) * _STREAM_STEP)

    def below(self, n: int) -> int:
        """The next number, one of 0 … n - 1."""
        number = _mix(self._counter) >> 32
        self._counter += _GOLDEN
        return number * n >> 32

    def pick(self, candidates: list[int], n: int) -> list[int]:
        """``n`` different candidates, one by one: a ``pick_random`` for ``ReferenceGame``."""
        left = sorted(candidates)
        return [left.pop(self.below(len(left))) for _ in range(n)]


def deal(
    pool: Sequence[int], powers: Sequence[int], seed: int, game: int
) -> tuple[list[int], int, list[int]]:
    """The 20 cards dealt, the starting player, and the powers revealed to find him.

    ``pool`` has one entry for each copy, ``powers`` its printed power (R8, R11, R13).  The pool is
    shuffled as far as cards are drawn, by exchanging the next place with one of those not drawn.
    """
    stream = RandomStream(seed, game, DEAL)
    unused = list(range(len(pool)))

    def draw() -> int:
        place = stream.below(len(unused))
        card, unused[place] = unused[place], unused[0]
        del unused[0]
        return card

    cards = [pool[draw()] for _ in range(20)]
    revealed: list[int] = []
    while len(unused) >= 2:
        revealed += powers[draw()], powers[draw()]
        if revealed[-2] != revealed[-1]:
            return cards, int(revealed[-2] < revealed[-1]), revealed
    return cards, stream.below(2), revealed
