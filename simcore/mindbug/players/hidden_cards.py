"""What a player does not see, dealt anew: at random, and in accordance with what is seen.

Ginsberg 2001, "GIB: imperfect information in a computationally challenging game".
"""

import numpy as np

from simcore.jit import inline_kernel, kernel
from simcore.mindbug.rules.powers import _in_play
from simcore.mindbug.table.card_table import MAX_CARDS
from simcore.mindbug.table.masks import NONE, ONE, _bit, _columns, _lowest
from simcore.mindbug.table.state import MAX_POOL, MAX_SLOTS, N_TRAITS, STALE
from simcore.random_streams import _random_below

_BYTE = np.uint64(255)
_N_BYTES, _N_SLOTS = N_TRAITS // 8, np.int64(MAX_SLOTS)

#: Work space for it.
HIDDEN_CARDS = [
    ("hidden_cards", np.uint16, (MAX_POOL,)),  # card rows that may be hidden
    ("seen", np.uint8, (MAX_CARDS,)),  # (card row) copies that lie where the player sees them
    ("n_hidden", np.int64),
    ("traits", np.uint8, (N_TRAITS // 8, MAX_SLOTS)),  # of the cards just dealt, eight by eight
    ("trait", np.uint64, (N_TRAITS,)),  # (trait) the same as masks over slots
]


@inline_kernel
def _hidden_slots(state, player):
    """Slots of cards that a player does not see (R4)."""
    piles = state.draw_pile[0] | state.draw_pile[1] | state.unused
    return piles | state.hand[1 - player]


@kernel
def _list_hidden_cards(state, table, player, work):
    """The cards of the pool that the player does not see anywhere.  Modifies work."""
    for row in range(MAX_CARDS):
        work.seen[row] = 0
    visible = state.hand[player] | state.discard_pile[0] | state.discard_pile[1] | _in_play(state)
    visible |= state.limbo | state.boosts | state.set_aside
    while visible != NONE:
        slot = _lowest(visible)
        visible &= visible - ONE
        work.seen[table.cards[state.card[slot]].first_face] += 1
    n = 0
    for place in range(table.pool_size):
        row = table.pool[place]
        if work.seen[row] > 0:
            work.seen[row] -= 1
        else:
            work.hidden_cards[n] = row
            n += 1
    work.n_hidden = n


@kernel
def _deal_hidden_cards(state, table, player, work):
    """Put random cards where the player does not see them (R8, R122).  Modifies state and work."""
    hidden = _hidden_slots(state, player)
    changed = NONE
    n = 0
    while hidden != NONE and n < work.n_hidden:
        slot = _lowest(hidden)
        hidden &= hidden - ONE
        place = n + _random_below(state.streams, 0, work.n_hidden - n)
        row = work.hidden_cards[place]
        work.hidden_cards[place] = work.hidden_cards[n]
        work.hidden_cards[n] = row
        n += 1
        if state.card[slot] != row:
            state.card[slot] = row
            changed |= _bit(slot)
    if changed != NONE:
        _print_cards(state, table, changed, work)
    if hidden != NONE:
        return  # a position that was set up by hand may hold more cards than the pool
    left = state.power_deck_size - state.power_deck_next
    for i in range(left):
        here = state.power_deck_next + i
        there = here + _random_below(state.streams, 0, left - i)
        card = state.power_deck[here]
        state.power_deck[here] = state.power_deck[there]
        state.power_deck[there] = card


@inline_kernel
def _print_cards(state, table, slots, work):
    """What `_show` does for a first face, for many slots of which ``card`` is new.

    Modifies state and work.
    """
    left = slots
    while left != NONE:
        slot = _lowest(left)
        left &= left - ONE
        card = table.cards[state.card[slot]]
        state.printed[slot] = card.power
        state.power[slot] = card.power
        for byte in range(_N_BYTES):
            work.traits[byte, slot] = card.traits >> np.uint64(8 * byte)
    for byte in range(_N_BYTES):
        if (table.all_traits >> np.uint64(8 * byte)) & _BYTE == NONE:
            continue  # these masks are empty for every card of the pool
        _columns(work.trait, byte, work.traits, _N_SLOTS)
        for trait in range(8 * byte, 8 * byte + 8):
            state.trait[trait] = state.trait[trait] & ~slots | work.trait[trait] & slots
    state.evolved &= ~slots
    state.modified = 1
    state.stale = STALE
