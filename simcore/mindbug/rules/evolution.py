"""Faces of cards: stages of an evolution line (R101, R102) and other profiles (C45).

A slot shows one row of the card table.  Changing the row changes printed power, keywords and
abilities; the object stays the same.
"""

import numpy as np

from simcore.jit import kernel
from simcore.mindbug.table.masks import NONE, ONE, _bit, _lowest
from simcore.mindbug.table.records import DEALT
from simcore.mindbug.table.state import N_TRAITS, STALE


@kernel
def _show(state, table, slot, face):
    """Turn a card to another face.  Modifies state."""
    state.card[slot] = face
    row = table.cards[face]
    for trait in range(N_TRAITS):
        if (row.traits >> np.uint64(trait)) & ONE != NONE:
            state.trait[trait] |= _bit(slot)
        else:
            state.trait[trait] &= ~_bit(slot)
    state.printed[slot] = row.power
    state.power[slot] = row.power
    state.modified = 1
    state.stale = STALE
    if row.first_face != face:
        state.evolved |= _bit(slot)
    else:
        state.evolved &= ~_bit(slot)


@kernel
def _evolve(state, table, slot):
    """Turn a creature to its next stage; whether there is one (R101).  Modifies state."""
    face = table.cards[state.card[slot]].next_face
    if face < 0:
        return False
    _show(state, table, slot, face)
    if slot < DEALT:
        state.best_stage[slot] = max(state.best_stage[slot], table.cards[face].stage)
    return True


@kernel
def _fold_back(state, table, mask):
    """Cards that leave play become their stage I card first (R102).  Modifies state."""
    while mask != NONE:
        slot = _lowest(mask)
        mask &= mask - ONE
        _show(state, table, slot, table.cards[state.card[slot]].first_face)
