"""Dealing: shuffle the pool, print the cards, find the starting player (R7-R13)."""

import numpy as np

from card_data.mindbug.vocabulary import WhoStarts
from simcore.jit import _general, inline_kernel
from simcore.mindbug.rules.unused_pile import _take_card
from simcore.mindbug.table.masks import NONE, _columns, _copy_words
from simcore.mindbug.table.records import DEALT, DEALT_EACH
from simcore.mindbug.table.state import FIRST_LATER_TRAIT, N_TRAITS
from simcore.mindbug.table.unknown_words import WHO_STARTS, _unknown
from simcore.random_streams import DEAL, _random_below

_BYTE = np.uint64(0xFF)
_N_BYTES, _N_PLAIN_BYTES = N_TRAITS // 8, FIRST_LATER_TRAIT // 8


@inline_kernel
def _reveal_card(state, table, n):
    """A random card of the pool left after ``n`` have been taken (R8, R11).  Modifies state."""
    return _take_card(state, n, _random_below(state.streams, DEAL, table.pool_size - n))


@inline_kernel
def _set_printed(state, table, dealing, n):
    """Printed powers and traits of the first ``n`` slots: traits become masks over slots.

    Modifies state and dealing.
    """
    for slot in range(n):
        card = table.cards[state.card[slot]]
        state.printed[slot] = card.power
        traits = card.traits
        for byte in range(_N_BYTES):
            if byte < _N_PLAIN_BYTES or _general():
                dealing.traits[byte, slot] = traits >> np.uint64(8 * byte)
    _copy_words(state.power, state.printed)
    for byte in range(_N_BYTES):
        if (table.all_traits >> np.uint64(8 * byte)) & _BYTE == NONE:
            continue  # these masks are empty for every card of the pool
        _columns(state.trait, byte, dealing.traits, n)


@inline_kernel
def _first_player(state, table):
    """The starting player: by revealed cards (R11), by the hands dealt, else by a fair coin (R13).

    The starting player, and how many cards have left the pool.  Modifies state.
    """
    way, taken = table.who_starts, DEALT
    if way in (WhoStarts.WEAKER_HAND, WhoStarts.STRONGER_HAND):
        first, second = _hand_power(state, table, 0), _hand_power(state, table, DEALT_EACH)
        if first != second:
            return (0 if (first > second) == (way == WhoStarts.STRONGER_HAND) else 1), taken
    elif way not in (WhoStarts.HIGHER_CARD, WhoStarts.LOWER_CARD, WhoStarts.RANDOM):
        _unknown(state, WHO_STARTS, way)
    by_cards = way in (WhoStarts.HIGHER_CARD, WhoStarts.LOWER_CARD)
    while by_cards and taken + 2 <= table.pool_size:
        first = table.cards[_reveal_card(state, table, taken)].power
        second = table.cards[_reveal_card(state, table, taken + 1)].power
        taken += 2
        if first != second:
            return (0 if (first > second) == (way == WhoStarts.HIGHER_CARD) else 1), taken
    return _random_below(state.streams, DEAL, 2), taken


@inline_kernel
def _hand_power(state, table, first):
    """The printed powers of a hand as it was dealt, together; ``first`` is its first slot."""
    power = 0
    for slot in range(first, first + table.hand_size):
        power += table.cards[state.card[slot]].power
    return power
