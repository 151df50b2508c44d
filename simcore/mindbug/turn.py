"""The turn machine: the only way a game moves forward (R20-R25, R37, R38).

The machine stands in a phase.  Each phase is a kernel that does its part and returns the phase to
go to; a phase that needs a decision offers it and returns PAUSE.  There is no recursion: what has
to happen later is the phase to go to, or a trigger in the queue.
"""

from simcore.kernel_cache import inline_kernel
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
from simcore.mindbug.constant_abilities import _able_to_attack, _in_play
from simcore.mindbug.decisions import _ask
from simcore.mindbug.effects import _run_effect, _take_pick
from simcore.mindbug.masks import NONE, _bit, _nth, _popcount
from simcore.mindbug.mindbug_window import _enter, _play, _take_mindbug
from simcore.mindbug.records import Ending
from simcore.mindbug.state import STALE, TIMED, Decision, Phase
from simcore.mindbug.triggers import _next_trigger, _start_effect
from simcore.mindbug.zones import _end_game

_PAUSE, _OVER = int(Phase.PAUSE), int(Phase.OVER)
_START_TURN, _ACTION = int(Phase.START_TURN), int(Phase.ACTION)
_PLAY, _ENTER, _DECLARE = int(Phase.PLAY), int(Phase.ENTER), int(Phase.DECLARE)
_HUNT, _BLOCK, _COMBAT = int(Phase.HUNT), int(Phase.BLOCK), int(Phase.COMBAT)
_FRENZY, _QUEUE, _EFFECT = int(Phase.FRENZY), int(Phase.QUEUE), int(Phase.EFFECT)
_ACTION_DONE = int(Phase.ACTION_DONE)
_D_ACTION, _D_MINDBUG = int(Decision.ACTION), int(Decision.MINDBUG)
_D_HUNT, _D_BLOCK = int(Decision.HUNT), int(Decision.BLOCK)
_D_SECOND_ATTACK, _D_ORDER = int(Decision.SECOND_ATTACK), int(Decision.ORDER)
_NO_ACTION, _CAPPED = int(Ending.NO_ACTION), int(Ending.CAPPED)


@inline_kernel
def _perform(state, table, phase):
    """Perform one phase; the phase that follows, or PAUSE for a decision.  Modifies state."""
    if phase == _QUEUE:
        return _next_trigger(state, table)
    if phase == _EFFECT:
        return _run_effect(state, table)
    if phase == _PLAY:
        return _play(state)
    if phase == _ENTER:
        return _enter(state, table)
    if phase == _DECLARE:
        return _declare(state, table)
    if phase == _HUNT:
        return _hunt(state, table)
    if phase == _BLOCK:
        return _block(state, table)
    if phase == _COMBAT:
        return _combat(state, table)
    if phase == _FRENZY:
        return _frenzy(state, table)
    if phase == _ACTION_DONE:
        return _action_done(state, table)
    if phase == _START_TURN:
        return _start_turn(state)
    return _action(state, table)


@inline_kernel
def _run(state, table, phase):
    """Perform phases until the next decision or the end; PAUSE or OVER.  Modifies state."""
    while phase > _OVER:
        phase = _perform(state, table, phase)
    return phase


@inline_kernel
def _take(state, table, option):
    """Carry out an option of the present decision; the phase to go on with.  Modifies state."""
    decision = state.decision
    state.decision = 0
    if decision == _D_ACTION:
        return _take_action(state, option)
    if decision == _D_MINDBUG:
        return _take_mindbug(state, option)
    if decision == _D_BLOCK:
        return _take_block(state, option)
    if decision == _D_HUNT:
        return _take_hunt(state, option)
    if decision == _D_SECOND_ATTACK:
        return _take_second_attack(state, option)
    if decision == _D_ORDER:
        return _start_effect(state, table, option)
    return _take_pick(state, option)


@inline_kernel
def _start_turn(state):
    """Phase START_TURN: what holds for one turn begins anew (R22, R25).  Modifies state."""
    state.turn += 1
    state.effects = 0
    state.attacked = NONE
    if state.trait[TIMED] & _in_play(state) != NONE:
        state.stale = STALE
    return _ACTION


@inline_kernel
def _action(state, table):
    """Phase ACTION: the no-action check (R18) and the choice of a turn action (R23, D1)."""
    player = state.active
    attackers = _able_to_attack(state, table, player)
    if state.hand[player & 1] | attackers == NONE:
        _end_game(state, 1 - player, _NO_ACTION)
        return _OVER
    state.attack_options = attackers
    _ask(state, _D_ACTION, player, 0, state.hand[player & 1], _ACTION)
    state.n_options += _popcount(attackers)
    return _PAUSE


@inline_kernel
def _take_action(state, option):
    """Options are the cards in hand, then the creatures able to attack.  Modifies state."""
    in_hand = _popcount(state.options)
    if option >= in_hand:
        state.attacker = _nth(state.attack_options, option - in_hand)
        return _DECLARE
    state.limbo = _bit(_nth(state.options, option))
    state.hand[state.active & 1] ^= state.limbo
    return _PLAY


@inline_kernel
def _action_done(state, table):
    """Phase ACTION_DONE: an extra turn action (R38), an extra turn (R37), or the other's turn.

    ``turn_cap`` is tested when a turn has ended (R20).
    """
    state.attacker = -1
    if table.extra_action and state.extra > 0:
        state.extra -= 1
        return _ACTION
    if state.turn >= table.turn_cap:
        _end_game(state, -1, _CAPPED)
        return _OVER
    if state.extra > 0:
        state.extra -= 1
    else:
        state.active = 1 - state.active
    return _START_TURN
