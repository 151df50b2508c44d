"""Features absent from the base game: everything asked here is answered "no" for a plain pool.

The engine is compiled twice from one text.  In the plain one, for pools without any of this
(``plain`` of the card table), everything asked here is answered "no" by the compiler, and what
would follow is not there at all.
"""

import numpy as np

from simcore.jit import _general, inline_kernel
from simcore.mindbug.table.masks import NONE
from simcore.mindbug.table.records import DEALT
from simcore.mindbug.table.state import FIRST_LATER_TRAIT


@inline_kernel
def _is_dealt(slot):
    """Whether a slot is that of a card dealt, and not one of the unused pile."""
    return not _general() or slot < DEALT


@inline_kernel
def _with_trait(state, trait):
    """Cards with a trait."""
    if trait < FIRST_LATER_TRAIT or _general():
        return state.trait[trait]
    return NONE


@inline_kernel
def _any_has(table, traits):
    """Whether any card of the pool has one of some later traits, given as bits."""
    return _general() and table.all_traits & np.uint64(traits) != NONE


@inline_kernel
def _this_turn(state):
    """Whether anything given lasts this turn (R25)."""
    return _general() and state.this_turn != 0


@inline_kernel
def _to_forget(state):
    """Whether anything lasts, or is remembered, this turn: over when the turn is (R22)."""
    return _general() and state.this_turn | state.fought != 0


@inline_kernel
def _at_work_in_piles(state):
    """Cards in discard piles whose constant abilities work there (R106)."""
    return state.at_work_in_piles if _general() else NONE


@inline_kernel
def _boosts(state):
    """Boost cards under creatures (R103)."""
    return state.boosts if _general() else NONE


@inline_kernel
def _evolved(state):
    """Creatures whose face is not the one in the deck (R102)."""
    return state.evolved if _general() else NONE


@inline_kernel
def _turned(state):
    """Creatures just exhausted that do something about it (C45)."""
    return state.turned if _general() else NONE


@inline_kernel
def _forced(state):
    """How many creatures have to attack (R76)."""
    return state.n_forced if _general() else 0


@inline_kernel
def _attacks_open(state):
    """How many attacks wait for a forced one (R76)."""
    return state.attacks_open if _general() else 0
