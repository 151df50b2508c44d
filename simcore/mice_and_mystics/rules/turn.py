"""Rounds, and the turns of mice (M19-M27, P3, D1)."""

from simcore.jit import apart_kernel, inline_kernel, kernel
from simcore.mice_and_mystics.rules.dice import _die, _number
from simcore.mice_and_mystics.rules.ending import _check_win, _end
from simcore.mice_and_mystics.rules.explore import _begin_explore, _offer_explores
from simcore.mice_and_mystics.rules.fights.actions import _may_search, _offer_battles
from simcore.mice_and_mystics.rules.fights.entries import (
    _offer_abilities,
    _offer_cards,
    _offer_free_actions,
    _take_entry,
)
from simcore.mice_and_mystics.rules.figures import _move_mouse
from simcore.mice_and_mystics.rules.mice import _capture
from simcore.mice_and_mystics.rules.minion_turn import _begin_minion_turn
from simcore.mice_and_mystics.rules.movement import (
    _allowance,
    _begin_extra_move,
    _offer_moves,
    _take_move,
)
from simcore.mice_and_mystics.rules.options import _ask, _first, _kind, _offer
from simcore.mice_and_mystics.rules.returning import _rescue
from simcore.mice_and_mystics.rules.stack import _go
from simcore.mice_and_mystics.rules.track import _lowest_mouse
from simcore.mice_and_mystics.rules.wheel import _settle
from simcore.mice_and_mystics.table.limits import FIGURES, MICE, SPACES
from simcore.mice_and_mystics.table.masks import _bit, _has, numbers
from simcore.mice_and_mystics.table.steps import (
    END_MOUSE_TURN,
    END_TURN,
    MENU,
    NEW_ROUND,
    NEXT_CARD,
    TAKE_MENU,
)
from simcore.mice_and_mystics.table.words import (
    D1,
    END,
    EXPLORE,
    IN_DRIFT,
    LEAVE_WATER,
    MOVE,
    RECOVER,
    RUNNING,
    SCURRY,
    SEARCH,
    STAND,
    SWIM,
    TIMEOUT,
)

_NONE = numbers(-1, 0)[0]


@kernel
def _new_round(state, table, record):
    """A round begins; what lasts until the end of one is over (M19, M132).

    Modifies state and record.
    """
    if state.round >= table.last_round:  # M116
        _end(state, TIMEOUT)
        return
    state.round += 1
    record.rounds += 1
    record.rounds_in[state.tile] += 1
    if state.figures != 0:
        record.rounds_fought[state.tile] += 1
    state.acted = 0
    state.pay_cost = _NONE
    for mouse in range(MICE):
        state.round_battle[mouse] = 0
        state.round_defense[mouse] = 0
        state.leads[mouse] = 0
        state.paid[mouse] = 0
    for figure in range(FIGURES):
        state.weakened[figure] = 0
    _go(state, NEXT_CARD)


@kernel
def _next_card(state, table, record):
    """The topmost card that has not acted begins its turn (M17-M19).  Modifies state and record."""
    for place in range(state.n_track):
        card = state.track[place]
        if _has(state.acted, card) == 0:
            state.acting = card
            state.acted |= _bit(card)
            state.used_ability = 0  # M26
            if card < MICE:
                _begin_mouse_turn(state, table, record, card)
            else:
                _begin_minion_turn(state, table, record, card)
            return
    _go(state, NEW_ROUND)


@inline_kernel
def _begin_mouse_turn(state, table, record, mouse):
    """The turn of a mouse begins (P3).  Modifies state and record."""
    record.mouse_turns += 1
    state.fortifies[mouse] = 0
    state.invisible &= ~_bit(mouse)
    _go(state, END_MOUSE_TURN)
    if _has(state.captured, mouse) != 0:
        if state.figures != 0:
            record.turns_skipped_captured += 1
        else:
            _rescue(state, table, record, mouse)
    elif _has(state.missing, mouse) == 0:
        state.moved = 0
        state.actions = 1
        state.entries = 0
        state.free_used = 0
        state.turn_over = 0
        state.rolled = _number(_die(state, table))
        state.allowance = _allowance(state, table, mouse, state.rolled)
        _go(state, MENU)


@kernel
def _menu(state, table):
    """Ask the acting mouse what it does, until its turn is over (D1).  Modifies state."""
    mouse = state.acting
    if state.turn_over != 0 or _has(state.active, mouse) == 0:
        _go(state, END_MOUSE_TURN)
        return
    _offer(state, END)
    down, webbed = _has(state.down, mouse) != 0, _has(state.webbed, mouse) != 0
    if state.moved == 0 and not webbed:  # M109
        if down:
            _offer(state, STAND)
        else:
            if table.gear_moves_at_once != 0:  # S15
                state.allowance = _allowance(state, table, mouse, state.rolled)
            _offer_moves(state, table, mouse, state.allowance)
    if state.actions > 0:
        if _has(state.stunned, mouse) != 0:
            _offer(state, RECOVER)
        else:
            _offer_battles(state, table, mouse)
            if _may_search(state, table, mouse):
                _offer(state, SEARCH)
            if state.moved != 0 and not down and not webbed:
                _offer(state, SCURRY)
            if webbed:
                _offer(state, RECOVER)
            _offer_explores(state, table, mouse)
    _offer_abilities(state, table, mouse)
    _offer_cards(state, table, mouse)
    _offer_free_actions(state, table, mouse)
    _ask(state, D1, mouse, TAKE_MENU)


@kernel
def _take_menu(state, table, record):
    """Carry out the entry that the acting mouse has taken.  Modifies state and record."""
    mouse, option = state.acting, state.picked
    kind = _kind(option)
    _go(state, MENU)
    if kind == END:
        _go(state, END_MOUSE_TURN)
        return
    state.entries += 1
    if kind == MOVE or kind == LEAVE_WATER or kind == SWIM:
        state.moved = 1
        _take_move(state, table, record, mouse, option)
    elif kind == STAND:  # M36, M112
        state.moved = 1
        state.down &= ~_bit(mouse)
        record.stands += 1
    elif kind == SCURRY:
        state.actions -= 1
        record.scurries += 1
        _begin_extra_move(state, mouse)
    elif kind == EXPLORE:
        state.actions -= 1
        _begin_explore(state, table, record, mouse, _first(option))
    else:
        _take_entry(state, table, record, option)


@apart_kernel
def _drift(state, table, record, mouse):
    """A mouse in water drifts if there is a current (M40).  Modifies state and record."""
    there = table.tiles[state.tile].current[state.space[mouse]]
    if there == SPACES:
        record.drifts += 1
        _capture(state, table, record, mouse, IN_DRIFT)
    elif there >= 0 and _has(state.full, there) == 0:
        record.drifts += 1
        _move_mouse(state, table, mouse, there)


@kernel
def _end_mouse_turn(state, table, record):
    """What follows the entries of a turn: drift, idle cheese, surge (P3).

    Modifies state and record.
    """
    mouse = state.acting
    if _has(state.active, mouse) != 0 and _has(table.tiles[state.tile].water, state.space[mouse]):
        _drift(state, table, record, mouse)
        if state.outcome != RUNNING:
            return
    state.crossing = 0
    if state.figures == 0 and _lowest_mouse(state) == mouse:  # M20
        state.wheel += 1
        record.wheel_in_idle += 1
    _go(state, END_TURN)
    _settle(state, table)


@kernel
def _end_turn(state, table):
    """A turn has ended; wins are checked (M114).  Modifies state."""
    _check_win(state, table)
    state.acting = _NONE
    _go(state, NEXT_CARD)
