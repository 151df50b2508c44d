"""Surges (M83-M85, P5)."""

from simcore.jit import kernel
from simcore.mice_and_mystics.rules.ending import _turn_page
from simcore.mice_and_mystics.rules.fights.preemptive import _begin_preemptive
from simcore.mice_and_mystics.rules.placement import _place_minions
from simcore.mice_and_mystics.rules.stack import _go, _pop
from simcore.mice_and_mystics.rules.track import _append_new_cards
from simcore.mice_and_mystics.table.masks import numbers
from simcore.mice_and_mystics.table.steps import AFTER_SURGE, SURGE
from simcore.mice_and_mystics.table.words import RUNNING

_ONE = numbers(1, 2)[0]
_NONE = numbers(-1, 0)[0]


@kernel
def _discard_face_up(state):
    """Put the face-up encounter card on the discards.  Modifies state."""
    if state.face_up >= 0:
        state.events_discarded[state.n_events_discarded] = state.face_up
        state.n_events_discarded += 1
        state.face_up = _NONE


@kernel
def _surge(state, table, record):
    """The wheel is full: a page, the room's surge or the face-up card's, the wheel is emptied.

    Modifies state and record.
    """
    record.surges += 1
    record.surges_in[state.tile] += 1
    _turn_page(state, table)
    if state.outcome != RUNNING:
        return
    _go(state, AFTER_SURGE)
    state.just_placed = 0
    tile = table.tiles[state.tile]
    if tile.own_surge != 0 or state.face_up >= 0:
        for kind in range(table.n_minions):
            if tile.own_surge != 0:
                state.to_place[kind] = tile.surge[kind]
            else:
                state.to_place[kind] = table.encounters[state.face_up].surge[kind]
        if _place_minions(state, table, record, _ONE) > 0:
            record.surges_with_minions += 1
        _append_new_cards(state, table)
        if tile.own_surge == 0:
            _discard_face_up(state)
    record.wheel_out_surge += state.wheel
    state.wheel = 0
    if state.just_placed != 0:
        _begin_preemptive(state)


@kernel
def _after_surge(state, table):
    """Another surge if shots filled the wheel.  Modifies state."""
    state.just_placed = 0
    if state.wheel >= table.wheel_size:
        _go(state, SURGE)
    else:
        _pop(state)
