"""What a player does not see, dealt anew: at random, and in accordance with what is seen.

Ginsberg 2001, "GIB: imperfect information in a computationally challenging game".
"""

import numpy as np

from simcore.jit import _address, inline_kernel, kernel
from simcore.mindbug.rules.power_cards import _shuffle_power_cards
from simcore.mindbug.rules.powers import _in_play
from simcore.mindbug.rules.unused_pile import _lay_down, _swap_card
from simcore.mindbug.table.card_table import MAX_CARDS
from simcore.mindbug.table.masks import NONE, ONE, _bit, _columns, _first, _lowest, _popcount
from simcore.mindbug.table.state import MAX_SLOTS, N_TRAITS, STALE
from simcore.random_streams import DEAL, _random_below

_BYTE = np.uint64(255)
_N_BYTES, _N_SLOTS, _HALF = N_TRAITS // 8, np.int64(MAX_SLOTS), np.uint64(MAX_SLOTS // 2)

#: Work space for it.
HIDDEN_CARDS = [
    ("seen", np.uint8, (MAX_CARDS,)),  # (card row) copies that lie where the player sees them
    ("traits", np.uint8, (N_TRAITS // 8, MAX_SLOTS)),  # of the cards just dealt, eight by eight
    ("trait", np.uint64, (N_TRAITS,)),  # (trait) the same as masks over slots
]


@inline_kernel
def _hidden_slots(state, player):
    """Slots of cards that a player does not see (R4)."""
    piles = state.draw_pile[0] | state.draw_pile[1] | state.unused
    return piles | state.hand[1 - player]


@kernel
def _list_hidden_cards(state, table, player, work, deal):
    """List the cards of the pool that the player does not see anywhere, as the pool of ``deal``.

    Modifies work and deal.
    """
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
            deal.pool[n] = row
            n += 1
    deal.pool_size = n


@kernel
def _deal_hidden_cards(state, table, player, work):
    """Put random cards where the player does not see them (R8, R122).  Modifies state and work.

    Few imagined games touch the unused pile or the power deck: their cards are found when they are
    asked for, as in a game.  ``state.pool`` has the cards that may be hidden.
    """
    hidden = _hidden_slots(state, player)
    changed = NONE
    n = 0
    while hidden & ~state.unused != NONE and n < state.pool_size:
        slot = _lowest(hidden)
        hidden &= hidden - ONE
        card = _swap_card(state, n, _random_below(state.streams, DEAL, state.pool_size - n))
        n += 1
        if state.card[slot] != card:
            state.card[slot] = card
            changed |= _bit(slot)
    if changed != NONE:
        _print_cards(state, table, changed, work)
    state.dealt_at = _address(state)
    pile = _first(hidden, min(_popcount(hidden), state.pool_size - n))
    _lay_down(state, pile, n)
    if hidden == pile:  # a position that was set up by hand may hold more cards than the pool
        _shuffle_power_cards(state)


@inline_kernel
def _print_cards(state, table, slots, work):
    """What `_show` does for a first face, for many slots of which ``card`` is new.

    Modifies state and work.
    """
    n_slots = _N_SLOTS if slots >> _HALF != NONE else _N_SLOTS // 2
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
        _columns(work.trait, byte, work.traits, n_slots)
        for trait in range(8 * byte, 8 * byte + 8):
            state.trait[trait] = state.trait[trait] & ~slots | work.trait[trait] & slots
    state.evolved &= ~slots
    state.modified = 1
    state.stale = STALE
