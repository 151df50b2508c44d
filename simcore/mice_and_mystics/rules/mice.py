"""Wounds and capture of mice (M60, M104, M105)."""

from simcore.jit import kernel
from simcore.mice_and_mystics.rules.ending import _check_win, _end, _turn_page
from simcore.mice_and_mystics.rules.figures import _take_mouse
from simcore.mice_and_mystics.rules.gear import _discard, _sum_gear
from simcore.mice_and_mystics.rules.stack import ACTING_FIGURE
from simcore.mice_and_mystics.table.limits import CAUSES, SLOTS
from simcore.mice_and_mystics.table.masks import _bit, numbers
from simcore.mice_and_mystics.table.words import (
    EMPTY,
    IN_BATTLE,
    IN_DRIFT,
    IN_EVENT,
    IN_TRAP,
    LOSS_CAPTURED,
    RUNNING,
    TAKEN,
)

_NONE = numbers(-1, 0)[0]
_NO, _YES = numbers(2)


@kernel
def _is_starting_gear(state, table, mouse, card):
    """1 if heroes of the party start with a card of this kind, or the mouse does (S21), else 0."""
    for other in range(table.n_mice):
        if other != mouse and table.keeps_own_gear != 0:
            continue
        hero = table.heroes[state.hero[other]]
        for i in range(hero.n_gear):
            if hero.gear[i] == card:
                return _YES
    return _NO


@kernel
def _lose_gear(state, table, mouse):
    """A mouse loses the equipped cards that were found, by card index (M104).  Modifies state."""
    while True:
        found, found_slot = _NONE, _NONE
        for slot in range(SLOTS):
            card = state.slots[mouse, slot]
            if (
                card >= 0
                and (found < 0 or card < found)
                and not _is_starting_gear(state, table, mouse, card)
            ):
                found, found_slot = card, _NO + slot
        if found < 0:
            break
        state.slots[mouse, found_slot] = EMPTY
        if table.cards[found].paws == 2:
            for slot in range(SLOTS):
                if state.slots[mouse, slot] == TAKEN:
                    state.slots[mouse, slot] = EMPTY
        _discard(state, found)
    _sum_gear(state, table, mouse)


@kernel
def _capture(state, table, record, mouse, cause):
    """A mouse is captured (M104, M105); wins are checked as well (M114).

    Modifies state and record.
    """
    record.captures += 1
    record.captures_of[state.hero[mouse]] += 1
    record.captures_how[state.hero[mouse] * CAUSES + cause] += 1
    record.captures_in[state.tile] += 1
    if cause == IN_BATTLE:
        record.captures_battle += 1
        record.captures_by[state.type[state.frame[0, ACTING_FIGURE]]] += 1
    elif cause == IN_TRAP:
        record.captures_trap += 1
    elif cause == IN_DRIFT:
        record.captures_drift += 1
    elif cause == IN_EVENT:
        record.captures_event += 1
    record.cheese_out_capture += state.cheese[mouse]
    state.cheese[mouse] = 0
    state.wounds[mouse] = 0
    state.poison[mouse] = 0
    _take_mouse(state, table, mouse)
    state.captured |= _bit(mouse)
    state.stunned &= ~_bit(mouse)
    state.webbed &= ~_bit(mouse)
    state.down &= ~_bit(mouse)
    _lose_gear(state, table, mouse)
    _turn_page(state, table)
    if state.outcome == RUNNING:
        if state.active == 0 and table.goes_on_captured == 0:
            _end(state, LOSS_CAPTURED)
        else:
            _check_win(state, table)


@kernel
def _wound(state, table, record, mouse, amount, poison, cause):
    """A mouse takes wounds, or poison wounds, and is captured by enough of them (M60).

    Wounds beyond its life count too; the caller counts by whom.  Modifies state and record.
    """
    record.wounds_total += amount
    if poison != 0:
        record.wounds_poison += amount
        state.poison[mouse] += amount
    else:
        state.wounds[mouse] += amount
    life = table.heroes[state.hero[mouse]].life
    if amount > 0 and state.wounds[mouse] + state.poison[mouse] >= life:
        _capture(state, table, record, mouse, cause)
