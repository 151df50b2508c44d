"""Whole games, played straight through: the same phases as ``turn``, in their fixed order.

``turn`` can stop at every decision and go on later.  A game that is played from start to end by
policies need not stop: here each phase is followed by the code of the phases that may come next,
which saves the processor a dispatch that it cannot predict.  A phase that most turns do not have
leaves this way: ``_go_on`` takes the turn action to its end, phase by phase.
"""

from simcore.kernel_cache import apart_kernel, inline_kernel, kernel
from simcore.mindbug.attack import (
    _block,
    _combat,
    _declare,
    _frenzy,
    _hunt,
    _take_block,
    _take_hunt,
    _take_second_attack,
)
from simcore.mindbug.effects import _run_effect
from simcore.mindbug.mindbug_window import _enter, _play, _take_mindbug
from simcore.mindbug.policies import _choose
from simcore.mindbug.state import Phase
from simcore.mindbug.triggers import _next_trigger, _take_order
from simcore.mindbug.turn import (
    _action,
    _action_done,
    _perform,
    _start_turn,
    _take,
    _take_action,
    _take_other,
)

_PAUSE, _OVER = int(Phase.PAUSE), int(Phase.OVER)
_START_TURN, _ACTION = int(Phase.START_TURN), int(Phase.ACTION)
_PLAY, _ENTER, _DECLARE = int(Phase.PLAY), int(Phase.ENTER), int(Phase.DECLARE)
_HUNT, _BLOCK = int(Phase.HUNT), int(Phase.BLOCK)
_FRENZY, _QUEUE, _EFFECT = int(Phase.FRENZY), int(Phase.QUEUE), int(Phase.EFFECT)
_ACTION_DONE = int(Phase.ACTION_DONE)


@inline_kernel
def _answer(state, table):
    """The option that the decider's policy takes; a single option is no decision (R120)."""
    if state.n_options == 1:
        return 0
    state.decisions += 1
    return _choose(state, table)


@apart_kernel
def _play_out(state, table, phase):
    """Play a game on from a phase to its end.  Modifies state."""
    while phase != _OVER:
        if phase == _START_TURN:
            phase = _start_turn(state, table)
        if phase == _ACTION:
            if _action(state, table) == _OVER:
                return
            phase = _take_action(state, table, _answer(state, table))
            if phase == _PLAY:
                phase = _play_card(state, table)
            elif phase == _DECLARE:
                phase = _attack(state, table)
        if phase == _ACTION_DONE:
            phase = _action_done(state, table)
        elif phase != _OVER:
            phase = _go_on(state, table, phase)


@kernel
def _go_on(state, table, phase):
    """Perform phase after phase until the next turn action, turn or the end.  Modifies state."""
    while phase != _OVER and phase != _START_TURN and phase != _ACTION:
        phase = _perform(state, table, phase)
        if phase == _PAUSE:
            phase = _take(state, table, _answer(state, table))
    return phase


@inline_kernel
def _play_card(state, table):
    """A card is played from hand; the phase that follows.  Modifies state."""
    phase = _play(state, table)
    if phase == _PAUSE:
        phase = _take_mindbug(state, table, _answer(state, table))
    if phase != _ENTER:
        return phase
    phase = _enter(state, table)
    if phase == _QUEUE:
        phase = _work_off(state, table)
    return phase


@inline_kernel
def _attack(state, table):
    """A creature attacks, perhaps twice; the phase that follows.  Modifies state."""
    phase = _DECLARE
    while phase == _DECLARE:
        phase = _declare(state, table)
        if phase == _QUEUE:
            phase = _work_off(state, table)
        if phase != _HUNT:
            return phase
        phase = _hunt(state, table)
        if phase == _ACTION_DONE:
            return phase
        if phase == _PAUSE:
            phase = _take_hunt(state, _answer(state, table))
        if phase == _BLOCK and _block(state, table) == _PAUSE:
            _take_block(state, _answer(state, table))
        phase = _combat(state, table)
        if phase == _QUEUE:
            phase = _work_off(state, table)
        if phase != _FRENZY:
            return phase
        phase = _frenzy(state, table)
        if phase == _PAUSE:
            phase = _take_second_attack(state, _answer(state, table))
    return phase


@kernel
def _work_off(state, table):
    """Work the queue of triggers off (R58); the phase that follows.  Modifies state."""
    phase = _QUEUE
    while phase == _QUEUE:
        phase = _next_trigger(state, table)
        if phase == _PAUSE:
            phase = _take_order(state, table, _answer(state, table))
        while phase == _EFFECT:
            phase = _run_effect(state, table)
            if phase == _PAUSE:
                decision = state.decision
                phase = _take_other(state, table, decision, _answer(state, table))
    return phase
