"""Waiting triggers: a queue of batches, oldest first, ordered by the active player (R57).

A waiting trigger is one word: program, slot of the source, its object number, its controller, its
kind of trigger and its batch.  The queue is a ring; a batch is a run of entries with one number.
"""

import numpy as np

from card_data.vocabulary import Trigger
from simcore.kernel_cache import inline_kernel, kernel
from simcore.mindbug.constant_abilities import _play_effects_stopped
from simcore.mindbug.decisions import _ask
from simcore.mindbug.masks import NONE, ONE, _bit, _lowest
from simcore.mindbug.records import Ending
from simcore.mindbug.state import (
    HAS_TRIGGER,
    MAX_WAITING,
    STOPS_PLAY_EFFECTS,
    Decision,
    Phase,
)

PLAY, ATTACK, DEFEATED = int(Trigger.PLAY), int(Trigger.ATTACK), int(Trigger.DEFEATED)

_LOOPED = int(Ending.LOOPED)
_ORDER = int(Decision.ORDER)
_OVER, _EFFECT, _QUEUE = int(Phase.OVER), int(Phase.EFFECT), int(Phase.QUEUE)
_RING = MAX_WAITING - 1
_SOURCE, _OBJECT, _PLAYER = np.uint64(16), np.uint64(24), np.uint64(32)
_KIND, _BATCH = np.uint64(40), np.uint64(48)
_BYTE, _TWO_BYTES = np.uint64(0xFF), np.uint64(0xFFFF)


@inline_kernel
def _entry(state, place):
    """The waiting trigger at a place of the queue (0 = front)."""
    return state.queue[(state.queue_head + place) & _RING]


@inline_kernel
def _entry_source(entry):
    """Slot of the source of a waiting trigger."""
    return np.int64((entry >> _SOURCE) & _BYTE)


@inline_kernel
def _entry_player(entry):
    """Player who controls a waiting trigger (R53)."""
    return np.int64((entry >> _PLAYER) & _BYTE)


@inline_kernel
def _entry_kind(entry):
    """Kind of a waiting trigger, a ``Trigger``."""
    return np.int64((entry >> _KIND) & _BYTE)


@kernel
def _add_triggers(state, table, mask, kind, player):
    """Add the abilities of cards to the newest batch (R57).  Modifies state.

    A Play effect that the opponent stops does not trigger (R90).  More waiting triggers than the
    ring holds end the game as looped; no chain of the covered cards comes near it.
    """
    mask &= state.trait[HAS_TRIGGER + kind]
    if mask == NONE:
        return
    if (
        kind == PLAY
        and state.play_area[1 - player] & state.trait[STOPS_PLAY_EFFECTS] != NONE
        and _play_effects_stopped(state, table, player)
    ):
        return
    while mask != NONE:
        slot = _lowest(mask)
        mask &= mask - ONE
        if state.waiting == MAX_WAITING:
            state.ending = _LOOPED
            return
        state.queue[(state.queue_head + state.waiting) & _RING] = (
            np.uint64(table.cards[state.card[slot]].program[kind])
            | (np.uint64(slot) << _SOURCE)
            | (np.uint64(state.object[slot]) << _OBJECT)
            | (np.uint64(player) << _PLAYER)
            | (np.uint64(kind) << _KIND)
            | (np.uint64(state.batch) << _BATCH)
        )
        state.waiting += 1


@inline_kernel
def _trigger(state, table, mask, kind, player):
    """Let one event trigger the abilities of ``mask``, as a batch of its own (R57, R59)."""
    if mask & state.trait[HAS_TRIGGER + kind] != NONE:
        state.batch += 1
        _add_triggers(state, table, mask, kind, player)


@inline_kernel
def _settle(state, after):
    """Next phase: work the queue off, then ``after`` (R58); the end, if the game has ended."""
    if state.ending >= 0:
        return _OVER
    if state.waiting == 0:
        return after
    state.after_queue = after
    return _QUEUE


@inline_kernel
def _next_trigger(state, table):
    """Phase QUEUE: start the next trigger of the oldest batch, or ask for their order (D11)."""
    if state.waiting == 0:
        return state.after_queue
    n = 1
    oldest = _entry(state, 0) >> _BATCH
    while n < state.waiting and _entry(state, n) >> _BATCH == oldest:
        n += 1
    if n == 1:
        return _start_effect(state, table, 0)
    return _ask(state, _ORDER, state.active, 0, (ONE << np.uint64(n)) - ONE, _QUEUE)


@inline_kernel
def _start_effect(state, table, place):
    """Take a trigger out of the queue and make it the running effect; it counts for R20."""
    entry = _entry(state, place)
    while place > 0:
        state.queue[(state.queue_head + place) & _RING] = _entry(state, place - 1)
        place -= 1
    state.queue_head = (state.queue_head + 1) & _RING
    state.waiting -= 1
    state.effects += 1
    if state.effects > table.effect_cap:
        state.ending = _LOOPED
        return _OVER
    state.pc = np.int64(entry & _TWO_BYTES)
    state.source = _entry_source(entry)
    state.source_object = np.int64((entry >> _OBJECT) & _BYTE)
    state.effect_player = _entry_player(entry)
    state.picks_left = -1
    return _EFFECT


@inline_kernel
def _live_source(state):
    """Slot of the running effect's source if it is still the same object in play, else -1 (R55)."""
    in_play = (state.play_area[0] | state.play_area[1]) & _bit(state.source)
    if in_play != NONE and state.object[state.source] == state.source_object:
        return state.source
    return np.int64(-1)
