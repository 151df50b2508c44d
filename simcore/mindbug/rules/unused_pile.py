"""The unused pile: cards that were not dealt, from the slot after those dealt on (R8, R12).

Most games never touch it, so its cards wait face down: which card a slot holds is found when it is
asked for, from the same random numbers at any time.  Cards beyond the last slot stay out of reach.

So does the pile that a player imagines.  States that are copied from one where it was imagined ask
that one, since the pool is not copied.
"""

import numpy as np

from simcore.jit import inline_kernel, kernel, record_at
from simcore.mindbug.rules.evolution import _show
from simcore.mindbug.table.masks import NONE, ONE, _bit, _first, _lowest, _popcount
from simcore.mindbug.table.records import DEALT
from simcore.mindbug.table.state import GAME_STATE, MAX_SLOTS
from simcore.random_streams import DEAL, _below, _number_at, _skip_numbers

_FIRST_SLOT = np.uint64(DEALT)
_state_at = record_at(GAME_STATE)


@inline_kernel
def _take_card(state, n, left):
    """The card at place ``left`` of the pool left after ``n`` have been taken.  Modifies state.

    One step of the shuffle of Fisher and Yates (Durstenfeld 1964).
    """
    place = np.uint64(n + left)
    card = state.pool[place]
    state.pool[place] = state.pool[np.uint64(n)]
    return card


@inline_kernel
def _swap_card(state, n, left):
    """`_take_card`, with the card then at place ``n`` of the pool.  Modifies state."""
    card = _take_card(state, n, left)
    state.pool[np.uint64(n)] = card
    return card


@kernel
def _lay_unused_pile(state, table, taken):
    """Lay the pile face down after ``taken`` cards have left the pool (R8).  Modifies state."""
    n = min(MAX_SLOTS - DEALT, table.pool_size - taken)
    state.unused = (_bit(n) - ONE) << _FIRST_SLOT
    state.pool_size = table.pool_size
    _lay_down(state, state.unused, taken)


@inline_kernel
def _lay_down(state, slots, taken):
    """Lay some slots of the pile face down after ``taken`` cards have left the pool.

    Modifies state.
    """
    state.pile = slots
    state.face_down = slots
    state.pile_known = 0
    state.taken_before = taken
    state.unused_address = _skip_numbers(state.streams, DEAL, _popcount(slots))


@inline_kernel
def _shuffle_on(state):
    """Shuffle the pile at the next place, a step of Fisher and Yates.  Modifies state."""
    place = state.pile_known
    taken = state.taken_before + place
    number = _number_at(state.unused_address, place)
    _swap_card(state, taken, _below(number, state.pool_size - taken))
    state.pile_known += 1


@inline_kernel
def _shuffle_pile(state):
    """Shuffle all of the pile.  Modifies state."""
    while state.pile_known < _popcount(state.pile):
        _shuffle_on(state)


@kernel
def _top_unused(state, table, n):
    """The top ``n`` cards of the pile, as many as there are, looked up (R117).  Modifies state."""
    cards = _first(state.unused, n)
    hidden = cards & state.face_down
    state.face_down ^= hidden
    if hidden != NONE:
        if state.dealt_at == NONE:
            _look_up(state, table, hidden, state)
        else:  # an imagined card has been what it is since it was imagined: nothing is stale now
            modified, stale = state.modified, state.stale
            _look_up(state, table, hidden, _state_at(state.dealt_at))
            state.modified, state.stale = modified, stale
    return cards


@kernel
def _look_up(state, table, slots, dealt):
    """Show cards of the pile, which ``dealt`` knows.  Modifies both states."""
    while slots != NONE:
        slot = _lowest(slots)
        slots &= slots - ONE
        place = _popcount(dealt.pile & (_bit(slot) - ONE))
        while dealt.pile_known <= place:
            _shuffle_on(dealt)
        _show(state, table, slot, dealt.pool[np.uint64(dealt.taken_before + place)])


@inline_kernel
def _look_up_unused(state, table):
    """Look every card of the pile up, for who wants to see or to imagine it.  Modifies state."""
    if state.face_down != NONE:
        _top_unused(state, table, MAX_SLOTS - 1)
