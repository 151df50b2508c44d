"""Random numbers as addresses: the n-th number of (seed, game, purpose).

Each game owns one counter per purpose (dealing, chance, the choices of each player); the n-th
number of a stream is the SplitMix64 finaliser of its counter (Steele, Lea and Flood 2014, "Fast
splittable pseudorandom number generators").  Nothing is shared between games, so game i of a seed
is the same game in any batch, thread, process or machine; and because dealing, chance and choices
have counters of their own, two versions of a card are played with the same deals and the same luck.
"""

import numpy as np

from simcore.jit import inline_kernel

#: Purposes: indices into the counters of a game, which has ``CHOICE`` + the number of its players.
DEAL, CHANCE, CHOICE = 0, 1, 2  # CHOICE + player

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_STREAM_STEP = np.uint64(0xD1342543DE82EF95)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_S27, _S30, _S31, _S32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)


@inline_kernel
def _mix(x):
    """SplitMix64 finaliser: a bijection of 64-bit words with good avalanche."""
    x = (x ^ (x >> _S30)) * _MIX_1
    x = (x ^ (x >> _S27)) * _MIX_2
    return x ^ (x >> _S31)


@inline_kernel
def _seed_streams(streams, seed, game):
    """Set up ``streams`` ((purposes, 2) uint64: counter, next number) for one game of a seed.

    Modified in place.  The next number is made ready in advance, so that no decision waits for it.
    """
    address = _mix(_mix(np.uint64(seed) + _GOLDEN) + np.uint64(game) * _GOLDEN)
    for purpose in range(streams.shape[0]):
        counter = _mix(address + np.uint64(purpose + 1) * _STREAM_STEP)
        streams[purpose, 0] = counter
        streams[purpose, 1] = _mix(counter)


@inline_kernel
def _random_below(streams, purpose, n):
    """Next number of a stream, uniform on 0 … n-1; advances the stream.

    Multiply-and-shift of the upper 32 bits (Lemire 2019): the bias is below n / 2**32.
    """
    row = np.uint64(purpose)  # a signed index would be tested for being negative
    number = streams[row, 1]
    streams[row, 0] += _GOLDEN
    streams[row, 1] = _mix(streams[row, 0])
    return _below(number, n)


@inline_kernel
def _below(number, n):
    """What ``_random_below`` makes of a number of 64 random bits."""
    return np.int64(((number >> _S32) * np.uint64(n)) >> _S32)


@inline_kernel
def _skip_numbers(streams, purpose, n):
    """Pass over the next ``n`` of a stream; the address from which `_number_at` still gives them.

    Modifies streams.
    """
    row = np.uint64(purpose)
    address = streams[row, 0]
    streams[row, 0] = address + np.uint64(n) * _GOLDEN
    streams[row, 1] = _mix(streams[row, 0])
    return address


@inline_kernel
def _number_at(address, i):
    """The i-th number passed over; `_below` makes of it what ``_random_below`` would have given."""
    return _mix(address + np.uint64(i) * _GOLDEN)


@inline_kernel
def _before(address, n):
    """The address at which the n-th number is that at ``address``."""
    return address - np.uint64(n) * _GOLDEN


@inline_kernel
def _next_numbers(streams, purpose, numbers, n):
    """Put the next ``n`` of a stream into ``numbers``, several at once by vector instructions.

    `_below` makes of each what ``_random_below`` would have given.  Modifies both.
    """
    address = _skip_numbers(streams, purpose, n)
    for i in range(n):
        numbers[i] = _number_at(address, i)


def check_seed(seed: int) -> None:
    """Refuse a seed that the random streams cannot take."""
    if not 0 <= seed < 2**63:
        raise ValueError(f"seed is {seed}; it must be 0 to 2**63 - 1")
