"""Whole games, played straight through: the same phases as ``turn``, in their fixed order.

``turn`` can stop at every decision and go on later.  A game that is played from start to end by
policies need not stop: here each phase is followed by the code of the phases that may come next,
which saves the processor a dispatch that it cannot predict.
"""

from simcore.kernel_cache import inline_kernel, kernel
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
from simcore.mindbug.effects import _run_effect, _take_pick
from simcore.mindbug.mindbug_window import _enter, _play, _take_mindbug
from simcore.mindbug.policies import _choose
from simcore.mindbug.state import Phase
from simcore.mindbug.triggers import _next_trigger, _start_effect
from simcore.mindbug.turn import _action, _action_done, _start_turn, _take_action

_PAUSE, _OVER = int(Phase.PAUSE), int(Phase.OVER)
_START_TURN, _PLAY, _DECLARE = int(Phase.START_TURN), int(Phase.PLAY), int(Phase.DECLARE)
_BLOCK, _QUEUE, _EFFECT = int(Phase.BLOCK), int(Phase.QUEUE), int(Phase.EFFECT)
_ACTION_DONE = int(Phase.ACTION_DONE)


@inline_kernel
def _answer(state, table, policies):
    """The option that the decider's policy takes; a single option is no decision (R120)."""
    if state.n_options == 1:
        return 0
    state.decisions += 1
    return _choose(state, table, policies[state.decider])


@kernel
def _play_out(state, table, policies):
    """Play a game from the start of its first turn to its end.  Modifies state."""
    phase = _START_TURN
    while phase != _OVER:
        if phase == _START_TURN:
            _start_turn(state)
        if _action(state, table) == _OVER:
            return
        phase = _take_action(state, _answer(state, table, policies))
        if phase == _PLAY:
            phase = _play_card(state, table, policies)
        else:
            phase = _attack(state, table, policies)
        if phase == _ACTION_DONE:
            phase = _action_done(state, table)


@inline_kernel
def _play_card(state, table, policies):
    """A card is played from hand; ACTION_DONE or OVER.  Modifies state."""
    if _play(state) == _PAUSE:
        _take_mindbug(state, _answer(state, table, policies))
    phase = _enter(state, table)
    if phase == _QUEUE:
        phase = _work_off(state, table, policies)
    return phase


@inline_kernel
def _attack(state, table, policies):
    """A creature attacks, perhaps twice; ACTION_DONE or OVER.  Modifies state."""
    phase = _DECLARE
    while phase == _DECLARE:
        phase = _declare(state, table)
        if phase == _QUEUE:
            phase = _work_off(state, table, policies)
        if phase == _OVER:
            return _OVER
        phase = _hunt(state, table)
        if phase == _ACTION_DONE:
            return phase
        if phase == _PAUSE:
            phase = _take_hunt(state, _answer(state, table, policies))
        if phase == _BLOCK and _block(state, table) == _PAUSE:
            _take_block(state, _answer(state, table, policies))
        phase = _combat(state, table)
        if phase == _QUEUE:
            phase = _work_off(state, table, policies)
        if phase == _OVER:
            return _OVER
        phase = _frenzy(state, table)
        if phase == _PAUSE:
            phase = _take_second_attack(state, _answer(state, table, policies))
    return phase


@kernel
def _work_off(state, table, policies):
    """Work the queue of triggers off (R58); the phase that follows.  Modifies state."""
    phase = _QUEUE
    while phase == _QUEUE:
        phase = _next_trigger(state, table)
        if phase == _PAUSE:
            phase = _start_effect(state, table, _answer(state, table, policies))
        while phase == _EFFECT:
            phase = _run_effect(state, table)
            if phase == _PAUSE:
                phase = _take_pick(state, _answer(state, table, policies))
    return phase
