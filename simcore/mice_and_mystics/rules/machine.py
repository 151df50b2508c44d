"""The machine: from one decision to the next, step by step (rules/stack.py)."""

from simcore.jit import apart_kernel, inline_kernel, kernel
from simcore.mice_and_mystics.rules.explore import (
    _after_encounter,
    _place_encounter,
    _place_mice,
    _take_disguises,
    _take_place,
)
from simcore.mice_and_mystics.rules.fights.steps import _fight_step
from simcore.mice_and_mystics.rules.minion_turn import (
    _figure_attacked,
    _figure_attacks,
    _next_figure,
)
from simcore.mice_and_mystics.rules.movement import _extra_move, _take_extra_move
from simcore.mice_and_mystics.rules.new_game import (
    _choose_ability,
    _place_at_start,
    _take_ability,
    _take_start,
)
from simcore.mice_and_mystics.rules.returning import _return_mouse, _take_rescue, _take_return
from simcore.mice_and_mystics.rules.stack import STEP
from simcore.mice_and_mystics.rules.surge import _after_surge, _surge
from simcore.mice_and_mystics.rules.turn import (
    _end_mouse_turn,
    _end_turn,
    _menu,
    _new_round,
    _next_card,
    _take_menu,
)
from simcore.mice_and_mystics.table.limits import MICE
from simcore.mice_and_mystics.table.masks import _count
from simcore.mice_and_mystics.table.steps import (
    AFTER_ENCOUNTER,
    AFTER_SURGE,
    CHOOSE_ABILITY,
    END_MOUSE_TURN,
    END_TURN,
    EXTRA_MOVE,
    FIGURE_ATTACKED,
    FIGURE_ATTACKS,
    FIRST_OF_FIGHT,
    MENU,
    NEW_ROUND,
    NEXT_CARD,
    NEXT_FIGURE,
    PLACE_AT_START,
    PLACE_ENCOUNTER,
    PLACE_MICE,
    RETURN_MOUSE,
    SURGE,
    TAKE_ABILITY,
    TAKE_DISGUISES,
    TAKE_EXTRA_MOVE,
    TAKE_MENU,
    TAKE_PLACE,
    TAKE_RESCUE,
    TAKE_RETURN,
    TAKE_START,
)
from simcore.mice_and_mystics.table.unknown_words import A_STEP, _unknown
from simcore.mice_and_mystics.table.words import RUNNING


@inline_kernel
def _turn_step(state, table, record, step):
    """Perform a step of rounds and turns.  Modifies state and record."""
    if step == MENU:
        _menu(state, table)
    elif step == TAKE_MENU:
        _take_menu(state, table, record)
    elif step == NEXT_FIGURE:
        _next_figure(state, table, record)
    elif step == FIGURE_ATTACKS:
        _figure_attacks(state, table, record)
    elif step == FIGURE_ATTACKED:
        _figure_attacked(state, table)
    elif step == END_MOUSE_TURN:
        _end_mouse_turn(state, table, record)
    elif step == END_TURN:
        _end_turn(state, table)
    elif step == NEXT_CARD:
        _next_card(state, table, record)
    elif step == NEW_ROUND:
        _new_round(state, table, record)
    elif step == EXTRA_MOVE:
        _extra_move(state, table)
    elif step == TAKE_EXTRA_MOVE:
        _take_extra_move(state, table, record)
    else:
        _rare_step(state, table, record, step)


@apart_kernel
def _rare_step(state, table, record, step):
    """Perform one of the steps that a game has a few of.  Modifies state and record."""
    if step == PLACE_MICE:
        _place_mice(state, table, record)
    elif step == TAKE_PLACE:
        _take_place(state, table)
    elif step == TAKE_DISGUISES:
        _take_disguises(state, table, record)
    elif step == PLACE_ENCOUNTER:
        _place_encounter(state, table, record)
    elif step == AFTER_ENCOUNTER:
        _after_encounter(state, table)
    elif step == SURGE:
        _surge(state, table, record)
    elif step == AFTER_SURGE:
        _after_surge(state, table)
    elif step == TAKE_RESCUE:
        _take_rescue(state, table)
    elif step == RETURN_MOUSE:
        _return_mouse(state, table)
    elif step == TAKE_RETURN:
        _take_return(state, table)
    else:
        _first_step(state, table, record, step)


@apart_kernel
def _first_step(state, table, record, step):
    """Perform one of the steps before the first round.  Modifies state and record."""
    if step == CHOOSE_ABILITY:
        _choose_ability(state, table, record)
    elif step == TAKE_ABILITY:
        _take_ability(state, record)
    elif step == PLACE_AT_START:
        _place_at_start(state, table, record)
    elif step == TAKE_START:
        _take_start(state, table)
    else:
        _unknown(state, A_STEP, step)


@kernel
def _advance(state, table, record):
    """Go on to the next decision or the end of the game.

    At a decision ``state.n_options`` is 2 or more.  Where ``state.pauses`` is 1, every step ends
    this.  Modifies state and record.
    """
    stops = state.outcome
    while stops == RUNNING:
        step = state.frame[state.depth, STEP]
        if step < FIRST_OF_FIGHT:
            _turn_step(state, table, record, step)
        else:
            _fight_step(state, table, record, step)
        if state.n_options > 1 and state.outcome == RUNNING:
            record.decisions += 1
            return
        if state.n_options == 1:
            state.picked = state.options[0]
            state.n_options = 0
        stops = state.outcome | state.pauses
    state.n_options = 0


@inline_kernel
def _take(state, option):
    """Take an entry of the present decision, by its number.  Modifies state."""
    state.picked = state.options[option]
    state.n_options = 0


@apart_kernel
def _finish(state, table, record):
    """Fill in what a record says of the end of a game.  Modifies record."""
    record.outcome = state.outcome
    record.route_depth = state.route_depth
    record.page_final = state.page
    record.tile_final = state.tile
    record.pages_left = max(0, table.page_end - state.page)
    record.wheel_left = state.wheel
    record.fights_left = _count(state.figures)
    for mouse in range(MICE):
        record.cheese_left += state.cheese[mouse]
        record.owned |= state.abilities[mouse]
