"""Waiting triggers: a queue of batches, oldest first, ordered by the active player (R57).

A waiting trigger is one word: program, slot of the source, its object number, its controller, its
kind of trigger, the card that granted it and its batch.  The queue is a ring; a batch is a run of
entries with one number.
"""

import numpy as np

from card_data.mindbug.vocabulary import Ruling, Trigger
from simcore.jit import inline_kernel, kernel
from simcore.mindbug.rules.constant_abilities import _play_effects_stopped
from simcore.mindbug.rules.forced_attack import _start_forced_attack
from simcore.mindbug.rules.hands import _refill_freed
from simcore.mindbug.table.decisions import _ask_for
from simcore.mindbug.table.expansion_features import _forced
from simcore.mindbug.table.masks import NONE, ONE, _bit, _lowest
from simcore.mindbug.table.records import Ending
from simcore.mindbug.table.state import MAX_WAITING, TRIGGER_TRAIT, Decision, Named, Phase

PLAY, ATTACK, DEFEATED = int(Trigger.PLAY), int(Trigger.ATTACK), int(Trigger.DEFEATED)
ACTION, DISCARDED = int(Trigger.ACTION), int(Trigger.DISCARDED)
END_OF_TURN, MINDBUG_USED = int(Trigger.END_OF_TURN), int(Trigger.MINDBUG_USED)
LIFE_LOST, EXHAUSTED = int(Trigger.LIFE_LOST), int(Trigger.EXHAUSTED)

_RING = MAX_WAITING - 1
_SOURCE, _OBJECT, _PLAYER = np.uint64(16), np.uint64(24), np.uint64(32)
_KIND, _GRANTER, _BATCH = np.uint64(36), np.uint64(40), np.uint64(48)
_HALF_BYTE = np.uint64(0xF)
_BITS_BELOW = np.array([(1 << n) - 1 for n in range(MAX_WAITING + 1)], np.uint64)
_NEWEST_FIRST = 1 << Ruling.NEWEST_TRIGGERS_FIRST
_NEED_SOURCE = 1 << Ruling.TRIGGERS_NEED_THEIR_SOURCE
_SOURCE_GONE, _OLDEST_FIRST = 1 << 8, 1 << 9  # open points O8, O9
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
    return np.int64((entry >> _PLAYER) & _HALF_BYTE)


@inline_kernel
def _entry_kind(entry):
    """Kind of a waiting trigger, a ``Trigger``."""
    return np.int64((entry >> _KIND) & _HALF_BYTE)


@inline_kernel
def _entry_program(entry):
    """First instruction of a waiting trigger: that of the stage which triggered (R54)."""
    return np.int64(entry & _TWO_BYTES)


@inline_kernel
def _entry_granter(entry):
    """Slot of the card that granted the ability of a waiting trigger (C60), -1 = its own."""
    return np.int64((entry >> _GRANTER) & _BYTE) - 1


@inline_kernel
def _new_event(state):
    """Begin an event: what it triggers will form one batch (R57, R59).  Modifies state."""
    state.batch += 1


@inline_kernel
def _wait(state, program, slot, player, kind, granter):
    """Put one trigger into the newest batch.  Modifies state.

    More waiting triggers than the ring holds end the game as looped; no chain of the covered cards
    comes near it.
    """
    if state.waiting == MAX_WAITING:
        state.ending = Ending.LOOPED
        return
    state.queue[(state.queue_head + state.waiting) & _RING] = (
        np.uint64(program)
        | (np.uint64(slot) << _SOURCE)
        | (np.uint64(state.object[slot]) << _OBJECT)
        | (np.uint64(player) << _PLAYER)
        | (np.uint64(kind) << _KIND)
        | (np.uint64(granter + 1) << _GRANTER)
        | (np.uint64(state.batch) << _BATCH)
    )
    state.waiting += 1


@kernel
def _add_triggers(state, table, mask, kind, player):
    """Add the abilities of cards that have one of this kind to the newest batch (R57).

    A Play effect that the opponent stops does not trigger (R90).  Modifies state.
    """
    if kind == PLAY and _play_effects_stopped(state, table, player):
        return
    while mask != NONE:
        slot = _lowest(mask)
        mask &= mask - ONE
        _wait(state, table.cards[state.card[slot]].program[kind], slot, player, kind, -1)


@inline_kernel
def _trigger_alone(state, table, slot, kind, player, after):
    """The only ability that can trigger now, while none waits, need not wait: it is performed.

    Otherwise the phase that follows is ``after``.  Modifies state.
    """
    _refill_freed(state, table)
    if state.trait[TRIGGER_TRAIT[kind]] & _bit(slot) == NONE or (
        kind == PLAY and _play_effects_stopped(state, table, player)
    ):
        return after
    state.after_queue = after
    state.after_effect = Phase.QUEUE
    slot = np.uint64(slot)
    state.source_object = np.int64(state.object[slot])
    program = np.int64(table.cards[state.card[slot]].program[kind])
    return _run_program(state, table, program, np.int64(slot), player)


@inline_kernel
def _live_source(state):
    """Slot of the running effect's source if it is still the same object in play, else -1 (R55)."""
    if state.source < 0:
        return np.int64(-1)
    in_play = (state.play_area[0] | state.play_area[1]) & _bit(state.source)
    if in_play != NONE and state.object[np.uint64(state.source)] == state.source_object:
        return state.source
    return np.int64(-1)


@inline_kernel
def _settle(state, table, after):
    """Next phase: work the queue off, then ``after`` (R58); the end, if the game has ended."""
    if state.ending >= 0:
        return Phase.OVER
    _refill_freed(state, table)
    if state.waiting + _forced(state) == 0:
        return after
    state.after_queue = after
    state.after_effect = Phase.QUEUE
    return Phase.QUEUE


@inline_kernel
def _next_trigger(state, table):
    """Phase QUEUE: start the next trigger of the oldest batch, or ask for their order (D11).

    When none is left, attacks that were ordered meanwhile come next (R76).
    """
    if state.waiting == 0:
        return _start_forced_attack(state) if _forced(state) > 0 else state.after_queue
    if state.waiting == 1:
        return _start_effect(state, table, 0)
    first = 0
    n = 1
    if table.rulings & _NEWEST_FIRST:
        last = state.waiting - 1
        while n < state.waiting and _batch_of(state, last - n) == _batch_of(state, last):
            n += 1
        first = state.waiting - n
    else:
        while n < state.waiting and _batch_of(state, n) == _batch_of(state, 0):
            n += 1
    state.open_points |= _OLDEST_FIRST * (n < state.waiting)
    return _next_of_batch(state, table, first, n, Phase.QUEUE)


@inline_kernel
def _next_of_batch(state, table, first, n, after):
    """Start one of ``n`` triggers from place ``first`` on, in the order of the active player."""
    if n == 1:
        return _start_effect(state, table, first)
    places = _BITS_BELOW[n] << np.uint64(first)
    return _ask_for(state, Named.PLACE, Decision.ORDER, state.active, 0, places, after)


@inline_kernel
def _batch_of(state, place):
    """Batch of the waiting trigger at a place of the queue, its lowest 16 bits."""
    return _entry(state, place) >> _BATCH


@inline_kernel
def _take_order(state, table, option):
    """The chosen trigger of the batch is resolved next (D11).  Modifies state."""
    return _start_effect(state, table, _lowest(state.options) + option)


@inline_kernel
def _start_effect(state, table, place):
    """Take a trigger out of the queue and make it the running effect; it counts for R20."""
    entry = _entry(state, place)
    while place > 0:
        state.queue[(state.queue_head + place) & _RING] = _entry(state, place - 1)
        place -= 1
    state.queue_head = (state.queue_head + 1) & _RING
    state.waiting -= 1
    state.source_object = np.int64((entry >> _OBJECT) & _BYTE)
    phase = _run_program(
        state, table, _entry_program(entry), _entry_source(entry), _entry_player(entry)
    )
    kind = _entry_kind(entry)
    if (kind == PLAY or kind == ATTACK) and _live_source(state) < 0:
        state.open_points |= _SOURCE_GONE
        if phase == Phase.EFFECT and table.rulings & _NEED_SOURCE:
            return state.after_effect
    return phase


@inline_kernel
def _run_program(state, table, program, source, player):
    """Make an ability the running effect (R20, R53); ``source_object`` has been set.

    Modifies state.
    """
    state.effects += 1
    if state.effects > table.effect_cap:
        state.ending = Ending.LOOPED
        return Phase.OVER
    state.pc = program
    state.source = source
    state.effect_player = player
    state.picks_left = -1
    state.discarded = 0
    state.keyword_named = -1
    return Phase.EFFECT
