"""Playing a card from hand and the opponent's answer to it (R34-R39)."""

import numpy as np

from simcore.jit import inline_kernel, kernel
from simcore.mindbug.rules.constant_abilities import _mindbugs_stopped
from simcore.mindbug.rules.hands import _refill, _refill_freed
from simcore.mindbug.rules.triggers import (
    MINDBUG_USED,
    PLAY,
    _add_triggers,
    _batch_of,
    _new_event,
    _next_of_batch,
    _settle,
)
from simcore.mindbug.rules.zones import _become_object
from simcore.mindbug.table.decisions import _ask
from simcore.mindbug.table.expansion_features import _any_has, _is_dealt, _with_trait
from simcore.mindbug.table.masks import NONE, _bit, _lowest
from simcore.mindbug.table.state import HAS_MINDBUG_USED, HAS_PLAY, STOPS_MINDBUGS, Decision, Phase

_MOST = 255


@inline_kernel
def _play(state, table):
    """Phase PLAY: the hand is refilled before anything else (R34, R27); then the Mindbug window.

    The opponent may use a Mindbug if they have one (R35, D2) and no card forbids it (C46).
    """
    _refill(state, table, state.active)
    _refill_freed(state, table)
    state.mindbugged = 0
    opponent = ~state.active & 1
    if state.mindbugs[opponent] == 0:
        return Phase.ENTER
    if _any_has(table, 1 << STOPS_MINDBUGS) and _mindbugs_stopped(state, table):
        return Phase.ENTER
    slot = _lowest(state.limbo)
    if _is_dealt(slot):
        state.offers[slot] += state.offers[slot] < _MOST
    return _ask(state, Decision.MINDBUG, opponent, 2, NONE, Phase.ENTER)


@inline_kernel
def _take_mindbug(state, table, option):
    """Option 0 refuses, option 1 uses a Mindbug: it is spent for good (R36).  Modifies state."""
    state.mindbugs[state.decider & 1] -= option  # no branch
    state.mindbugged = option
    state.extra += option
    _refill_freed(state, table)
    reacting = _with_trait(state, HAS_MINDBUG_USED) & state.play_area[state.active & 1]
    if option == 0 or reacting == NONE:
        return Phase.ENTER
    return _start_reactions(state, table, reacting)


@kernel
def _start_reactions(state, table, reacting):
    """Abilities that react to a Mindbug form one batch, resolved at once (R36, C62).

    Modifies state.
    """
    _new_event(state)
    state.reactions = state.batch
    _add_triggers(state, table, reacting, MINDBUG_USED, state.active)
    return Phase.REACT


@kernel
def _react(state, table):
    """Phase REACT: the reactions one after another; what they cause waits (R36)."""
    n = 0
    while n < state.waiting and _batch_of(state, n) == np.uint64(state.reactions & 0xFFFF):
        n += 1
    if n == 0:
        return Phase.ENTER
    state.after_effect = Phase.REACT
    return _next_of_batch(state, table, 0, n, Phase.REACT)


@inline_kernel
def _enter(state, table):
    """Phase ENTER: the card comes into play, and its Play ability waits.  Modifies state."""
    slot, player = _put_into_play(state)
    _new_event(state)
    if state.trait[HAS_PLAY] & _bit(slot) != NONE:
        _add_triggers(state, table, _bit(slot), PLAY, player)
    return _settle(state, table, Phase.ACTION_DONE)


@inline_kernel
def _put_into_play(state):
    """The card played comes into play for its player-to-be (R34, R36).  Modifies state.

    Its slot and that player.
    """
    slot = _lowest(state.limbo)
    state.limbo = NONE
    taken = state.mindbugged  # no branch
    player = (state.active ^ taken) & 1
    state.taken[player] |= _bit(slot) * np.uint64(taken)
    state.played[player] |= _bit(slot) * np.uint64(1 - taken)
    if _is_dealt(slot):
        state.thefts[slot] += taken & (state.thefts[slot] < _MOST)
        first = (1 - taken) & (state.turn_played[slot] == 0)
        state.turn_played[slot] += first * state.turn
    state.play_area[player] |= _bit(slot)
    _become_object(state, slot)
    return slot, player
