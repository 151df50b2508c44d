"""Moving cards between zones, and what follows from it at once.

Refilling hands (R27), TOUGH and the other replacements (R97) never wait: they happen here, inside
the move that causes them.  What triggers joins the batch of the event (R57, R59) that the caller
has begun with ``triggers._new_event``.
"""

import numpy as np

from card_data.mindbug.vocabulary import Rule
from simcore.jit import inline_kernel, kernel
from simcore.mindbug.rules.constant_abilities import _may_receive, _restricted, _unbeatable
from simcore.mindbug.rules.evolution import _evolve, _fold_back
from simcore.mindbug.rules.forced_attack import _no_second_attack
from simcore.mindbug.rules.hands import _refill
from simcore.mindbug.rules.keywords import _having
from simcore.mindbug.rules.triggers import DEFEATED, DISCARDED, PLAY, _add_triggers
from simcore.mindbug.table.expansion_features import (
    _any_has,
    _at_work_in_piles,
    _attacks_open,
    _boosts,
    _evolved,
    _is_dealt,
    _this_turn,
    _to_forget,
    _with_trait,
)
from simcore.mindbug.table.masks import NONE, ONE, _bit, _lowest, _popcount
from simcore.mindbug.table.state import (
    CANNOT_BE_DEFEATED,
    EVOLVES_INSTEAD,
    HAS_DEFEATED,
    HAS_DISCARDED,
    HAS_EXHAUSTED,
    HAS_LIFE_LOST,
    HAS_PLAY,
    IN_DISCARD,
    N_KEYWORDS,
    STALE,
    TOUGH,
)


@inline_kernel
def _come_into_play(state, table, mask, player, with_effects):
    """Put cards into a play area as new objects (R5); their Play effects trigger (R41, R57)."""
    state.play_area[player & 1] |= mask
    triggering = mask & state.trait[HAS_PLAY]
    while mask != NONE:
        _become_object(state, _lowest(mask))
        mask &= mask - ONE
    if with_effects and triggering != NONE:
        _add_triggers(state, table, triggering, PLAY, player)


@inline_kernel
def _become_object(state, slot):
    """A card that has come into play is a new object (R5).  Modifies state."""
    state.stale = STALE
    state.object[slot] += 1
    if _is_dealt(slot):
        state.best_stage[slot] = max(state.best_stage[slot], 1)


@inline_kernel
def _leave_play(state, mask):
    """Forget what clings to creatures that leave play (R5, R82); their attack ends (R64)."""
    state.exhausted &= ~mask
    state.attacked &= ~mask
    state.stale = STALE
    leaves = (mask >> np.uint64(state.attacker & 63)) & ONE != NONE
    state.attacker = -1 if leaves else state.attacker  # no branch
    if _to_forget(state):
        _forget(state, mask)


@kernel
def _forget(state, mask):
    """Forget what creatures did and were given this turn (R5).  Modifies state."""
    state.blocked &= ~mask
    state.victors &= ~mask
    state.undefeatable &= ~mask
    state.no_block &= ~mask
    state.no_attack &= ~mask
    state.grown &= ~mask
    state.more_dice[0] &= ~mask
    state.more_dice[1] &= ~mask
    for k in range(N_KEYWORDS):
        state.turn_keyword[k] &= ~mask


@inline_kernel
def _to_pile(state, table, mask, player):
    """Put cards into a discard pile; some abilities trigger there (R107).  Modifies state."""
    state.discard_pile[player & 1] |= mask
    triggering = mask & _with_trait(state, HAS_DISCARDED)
    if triggering != NONE:
        _add_triggers(state, table, triggering, DISCARDED, player)
    working = mask & _with_trait(state, IN_DISCARD)
    if working != NONE:
        state.at_work_in_piles |= working
        state.stale = STALE


@inline_kernel
def _from_piles(state, mask):
    """Take cards out of the discard piles.  Modifies state."""
    state.discard_pile[0] &= ~mask
    state.discard_pile[1] &= ~mask
    state.fallen &= ~mask
    if mask & _at_work_in_piles(state) != NONE:
        state.at_work_in_piles &= ~mask
        state.stale = STALE
    waiting = mask & _with_trait(state, HAS_LIFE_LOST)
    while waiting != NONE:  # its triggers are void, even if it comes back (C16)
        state.object[_lowest(waiting)] += 1
        waiting &= waiting - ONE


@inline_kernel
def _replaced(state, table, mask):
    """The creatures of ``mask`` that are not saved from defeat (R97, C43, R81).  Modifies state."""
    if _this_turn(state) or _any_has(table, 1 << CANNOT_BE_DEFEATED):
        mask &= ~_unbeatable(state, table)
    tough = _having(state, table, TOUGH, mask)  # all is decided before anything changes (R96)
    evolving = mask & _with_trait(state, EVOLVES_INSTEAD)
    if evolving != NONE:
        evolving &= _restricted(state, table, Rule.EVOLVE_INSTEAD, evolving, evolving)
        mask ^= evolving
        while evolving != NONE:
            _evolve(state, table, _lowest(evolving))
            evolving &= evolving - ONE
    saved = mask & tough & ~state.exhausted
    state.exhausted |= saved
    state.turned |= saved & _with_trait(state, HAS_EXHAUSTED)
    state.tough_saves += _popcount(saved)
    return mask & ~saved


@kernel
def _defeat(state, table, mask):
    """Defeat creatures at the same moment (R50, R92, R96); those really defeated.

    Modifies state.
    """
    dead = _replaced(state, table, mask)
    if dead == NONE:
        return dead
    state.defeats += _popcount(dead)
    state.defeated |= dead
    triggering = dead & state.trait[HAS_DEFEATED]
    if triggering != NONE:
        for player in range(2):
            triggered = triggering & state.play_area[player]
            if triggered != NONE:
                _add_triggers(state, table, triggered, DEFEATED, player)
    _leave_to_piles(state, table, dead)
    return dead


@inline_kernel
def _leave_to_piles(state, table, mask):
    """Creatures leave play for the discard piles of their controllers (R92).  Modifies state."""
    first, second = mask & state.play_area[0], mask & state.play_area[1]
    if _evolved(state) & mask != NONE:
        _fold_back(state, table, state.evolved & mask)
    if _boosts(state) != NONE:
        _drop_boosts(state, table, mask)
    state.play_area[0] ^= first
    state.play_area[1] ^= second
    _leave_play(state, mask)
    _to_pile(state, table, first, 0)
    _to_pile(state, table, second, 1)


@kernel
def _drop_boosts(state, table, mask):
    """Boost cards of creatures that leave play fall into their controllers' piles (R104)."""
    for player in range(2):
        fallen, left = NONE, state.boosts
        while left != NONE:
            card = _lowest(left)
            left &= left - ONE
            if _bit(state.host[card]) & mask & state.play_area[player] != NONE:
                fallen |= _bit(card)
                state.host_object[card] = state.object[state.host[card]]
        state.boosts &= ~fallen
        state.fallen |= fallen
        _to_pile(state, table, fallen, player)


@kernel
def _return_to_hand(state, table, mask):
    """Return creatures to the hands of their controllers (R94); those that could be returned."""
    returned = NONE
    for player in range(2):  # whether they may be is decided before anything moves (R106)
        returning = mask & state.play_area[player]
        if returning != NONE and _may_receive(state, table, player):
            returned |= returning
    if returned == NONE:
        return returned
    if _evolved(state) & returned != NONE:
        _fold_back(state, table, state.evolved & returned)
    if _boosts(state) != NONE:
        _drop_boosts(state, table, returned)
    for player in range(2):
        leaving = returned & state.play_area[player]
        state.play_area[player] ^= leaving
        state.hand[player] |= leaving
    _leave_play(state, returned)
    return returned


@kernel
def _take_control(state, mask, player):
    """Move creatures to a player's side in their current state (R95, R82).  Modifies state."""
    mask &= state.play_area[~player & 1]  # nothing happens to those already there
    if mask != NONE:
        state.play_area[~player & 1] ^= mask
        state.play_area[player & 1] |= mask
        state.stale = STALE
        if state.attacker >= 0 and _bit(state.attacker) & mask != NONE:
            state.may_repeat = 0  # R75, even if it comes back
        if _attacks_open(state) > 0:
            _no_second_attack(state, mask)


@kernel
def _discard(state, table, mask, player):
    """Put cards from a hand into the same player's discard pile, then refill (R29, R30)."""
    state.hand[player & 1] &= ~mask
    _to_pile(state, table, mask, player)
    _refill(state, table, player)


@kernel
def _steal(state, table, mask, player):
    """Move cards from the opponent's hand into a player's own; the robbed one refills (R31)."""
    state.hand[1 - player] &= ~mask
    state.hand[player] |= mask  # R28: a hand may grow above five
    _refill(state, table, 1 - player)


@kernel
def _play_from_pile(state, table, mask, player, with_effects):
    """Bring cards from discard piles into play for a player (R41)."""
    _from_piles(state, mask)
    _come_into_play(state, table, mask, player, with_effects)


@kernel
def _draw_all(state, table, whose, player):
    """Move a whole discard pile into a player's hand (R32, R28); 1 if it had any card."""
    cards = state.discard_pile[whose]
    if cards == NONE or not _may_receive(state, table, player):
        return 0
    _from_piles(state, cards)
    state.hand[player] |= cards
    return 1


@kernel
def _set_aside_all(state, table, mask, source, source_object):
    """Creatures leave play for a zone of their own (C53).  Modifies state."""
    if _evolved(state) & mask != NONE:
        _fold_back(state, table, state.evolved & mask)
    if _boosts(state) != NONE:
        _drop_boosts(state, table, mask)
    state.set_aside |= mask
    for player in range(2):
        state.set_aside_from[player] |= mask & state.play_area[player]
        state.play_area[player] &= ~mask
    _leave_play(state, mask)
    while mask != NONE:
        slot = _lowest(mask)
        mask &= mask - ONE
        state.host[slot] = source
        state.host_object[slot] = source_object


@kernel
def _hosted(state, mask, source, source_object):
    """The cards of ``mask`` that lie, or lay when it left play, with one object."""
    found, left = NONE, mask
    while left != NONE:
        slot = _lowest(left)
        left &= left - ONE
        if state.host[slot] == source and state.host_object[slot] == source_object:
            found |= _bit(slot)
    return found


@kernel
def _return_set_aside(state, table, mask):
    """Creatures set aside come back under their former controllers (C53).  Modifies state."""
    state.set_aside &= ~mask
    for player in range(2):
        back = mask & state.set_aside_from[player]
        state.set_aside_from[player] &= ~back
        _come_into_play(state, table, back, player, False)
