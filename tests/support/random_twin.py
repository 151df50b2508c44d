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
) -> tuple[list[int], int, int]:
    """The 20 cards dealt, the starting player and how many cards were revealed to find him.

    ``pool`` has one entry for each copy; ``powers`` are those of the same copies (R8, R11, R13).
    """
    stream = RandomStream(seed, game, DEAL)
    places = list(range(len(pool)))

    def next_card(place: int) -> int:
        other = place + stream.below(len(places) - place)
        places[place], places[other] = places[other], places[place]
        return places[place]

    cards = [pool[next_card(place)] for place in range(20)]
    for place in range(20, len(places) - 1, 2):
        first, second = powers[next_card(place)], powers[next_card(place + 1)]
        if first != second:
            return cards, int(first < second), place + 2 - 20
    return cards, stream.below(2), (len(places) - 20) // 2 * 2
