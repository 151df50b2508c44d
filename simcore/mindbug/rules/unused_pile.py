"""The unused pile: cards that were not dealt, from the slot after those dealt on (R8, R12).

Most games never touch it, so its cards wait face down: which card a slot holds is found when it is
asked for, from the same random numbers at any time.  Cards beyond the last slot stay out of reach.
"""

import numpy as np

from simcore.jit import inline_kernel, kernel
from simcore.mindbug.rules.evolution import _show
from simcore.mindbug.table.masks import NONE, ONE, _bit, _first, _lowest
from simcore.mindbug.table.records import DEALT
from simcore.mindbug.table.state import MAX_SLOTS
from simcore.random_streams import DEAL, _below, _number_at, _skip_numbers

_FIRST_SLOT = np.uint64(DEALT)


@inline_kernel
def _take_card(state, n, left):
    """The card at place ``left`` of the pool left after ``n`` have been taken.  Modifies state.

    One step of the shuffle of Fisher and Yates (Durstenfeld 1964).
    """
    place = np.uint64(n + left)
    card = state.pool[place]
    state.pool[place] = state.pool[np.uint64(n)]
    return card


@kernel
def _lay_unused_pile(state, table, taken):
    """Lay the pile face down after ``taken`` cards have left the pool (R8).  Modifies state."""
    n = min(MAX_SLOTS - DEALT, table.pool_size - taken)
    state.unused = (_bit(n) - ONE) << _FIRST_SLOT
    state.face_down = state.unused
    state.taken_before = taken
    state.unused_address = _skip_numbers(state.streams, DEAL, n)


@kernel
def _top_unused(state, table, n):
    """The top ``n`` cards of the pile, as many as there are, looked up (R117).  Modifies state."""
    cards = _first(state.unused, n)
    hidden = cards & state.face_down
    state.face_down ^= hidden
    while hidden != NONE:
        slot = _lowest(hidden)
        hidden &= hidden - ONE
        place = slot - DEALT
        taken = state.taken_before + place
        number = _number_at(state.unused_address, place)
        card = _take_card(state, taken, _below(number, table.pool_size - taken))
        _show(state, table, slot, card)
    return cards


@inline_kernel
def _look_up_unused(state, table):
    """Look every card of the pile up, for who wants to see or to imagine it.  Modifies state."""
    if state.face_down != NONE:
        _top_unused(state, table, MAX_SLOTS - 1)
