"""The random numbers of ``simcore.random_streams`` and its deals, in plain Python.

They make the fast engine's chance events known to a slow engine: which cards Strange Barrel takes,
which cards are dealt, who starts.
"""

from collections.abc import Sequence
from dataclasses import dataclass

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


@dataclass(frozen=True)
class Deal:
    """What is dealt: entries of the pool, and how it was found who starts (R8, R10, R11)."""

    cards: list[int]
    first_player: int
    revealed: list[int]  # powers
    unused: list[int]  # top first
    power_deck: list[int]  # numbers of power cards, top first


def deal(
    pool: Sequence[int],
    powers: Sequence[int],
    seed: int,
    game: int,
    n_power_cards: int = 0,
    who_starts: str = "higher_card",
    hand_size: int = 5,
) -> Deal:
    """Deal a game of a seed.

    ``pool`` has one entry for each copy, ``powers`` its printed power (R8, R11, R13).  The pool is
    shuffled as far as cards are drawn, by exchanging the next place with one of those not drawn;
    then the power cards are.  ``who_starts`` and ``hand_size`` are modes.
    """
    stream = RandomStream(seed, game, DEAL)
    left = list(range(len(pool)))

    def draw() -> int:
        place = stream.below(len(left))
        card, left[place] = left[place], left[0]
        del left[0]
        return card

    places = [draw() for _ in range(20)]
    cards = [pool[place] for place in places]
    revealed: list[int] = []
    first_player = -1
    if who_starts.endswith("_hand"):
        hands = [sum(powers[place] for place in places[p:][:hand_size]) for p in (0, 10)]
        if hands[0] != hands[1]:
            wanted = min(hands) if who_starts == "weaker_hand" else max(hands)
            first_player = hands.index(wanted)
    while who_starts.endswith("_card") and len(left) >= 2 and first_player < 0:
        revealed += powers[draw()], powers[draw()]
        if revealed[-2] != revealed[-1]:
            pair = revealed[-2:]
            first_player = pair.index(max(pair) if who_starts == "higher_card" else min(pair))
    if first_player < 0:
        first_player = stream.below(2)
    unused = [pool[draw()] for _ in range(min(len(left), 44))]
    power_deck = list(range(n_power_cards))
    for i in range(n_power_cards):
        j = i + stream.below(n_power_cards - i)
        power_deck[i], power_deck[j] = power_deck[j], power_deck[i]
    return Deal(cards, first_player, revealed, unused, power_deck)
