"""Whole games, played straight through: the same phases as ``turn``, in their fixed order.

``turn`` can stop at every decision and go on later.  A game that is played from start to end by
policies need not stop: here each phase is followed by the code of the phases that may come next,
which saves the processor a dispatch that it cannot predict.  A phase that most turns do not have
leaves this way: ``_go_on`` takes the turn action to its end, phase by phase.
"""

from simcore.jit import _general, apart_kernel, inline_kernel, kernel
from simcore.mindbug.players.policies import _choose
from simcore.mindbug.rules.attack import (
    _attack_goes_on,
    _begin_attack,
    _block,
    _combat,
    _frenzy,
    _offer_hunt,
    _take_block,
    _take_hunt,
    _take_second_attack,
    _trigger_attack,
)
from simcore.mindbug.rules.dice import (
    _apply_die,
    _reroll,
    _roll,
    _strike,
    _take_dice_order,
    _take_reroll,
)
from simcore.mindbug.rules.fast_effects import _run_effect, _take_pick
from simcore.mindbug.rules.forced_attack import _attack_over
from simcore.mindbug.rules.mindbug_window import _play, _put_into_play, _take_mindbug
from simcore.mindbug.rules.power_cards import _end_purchase, _offer_power_cards, _take_purchase
from simcore.mindbug.rules.triggers import ATTACK, PLAY, _next_trigger, _take_order, _trigger_alone
from simcore.mindbug.rules.turn import (
    _action,
    _action_done,
    _end_turn,
    _next_turn,
    _perform,
    _start_turn,
    _take,
    _take_action,
    _take_other,
)
from simcore.mindbug.table.expansion_features import _any_has
from simcore.mindbug.table.state import GRANTS_ATTACK, Decision, Phase


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
    while phase != Phase.OVER:
        if phase == Phase.START_TURN:
            phase = _start_turn(state, table)
        if _general() and phase == Phase.BUY:
            phase = _purchase(state, table)
        if phase == Phase.ACTION:
            if _action(state, table) == Phase.OVER:
                return
            phase = _take_action(state, table, _answer(state, table))
            if phase == Phase.PLAY:
                phase = _play_card(state, table)
            elif phase == Phase.DECLARE:
                phase = _attack(state, table)
            elif _general() and phase == Phase.EFFECT:
                phase = _work_off(state, table, phase)
        if phase == Phase.ACTION_DONE:
            phase = _action_done(state, table)
            if _general() and phase == Phase.END_TURN:
                phase = _finish_turn(state, table)
        elif phase != Phase.OVER:
            phase = _go_on(state, table, phase)


@kernel
def _finish_turn(state, table):
    """What happens at the end of a turn (R22, C57); the phase that follows.  Modifies state."""
    phase = _end_turn(state, table)
    if phase == Phase.QUEUE:
        phase = _work_off(state, table, phase)
    return _next_turn(state, table) if phase == Phase.NEXT_TURN else phase


@kernel
def _go_on(state, table, phase):
    """Perform phase after phase until the next turn action, turn or the end.  Modifies state."""
    while phase != Phase.OVER and phase != Phase.START_TURN and phase != Phase.ACTION:
        phase = _perform(state, table, phase)
        if phase == Phase.PAUSE:
            phase = _take(state, table, _answer(state, table))
    return phase


@kernel
def _purchase(state, table):
    """Power cards are bought, one after another (R109); the phase that follows.  Modifies state."""
    phase = Phase.BUY
    while phase == Phase.BUY:
        phase = _offer_power_cards(state, table)
        if phase == Phase.PAUSE:
            phase = _take_purchase(state, table, _answer(state, table))
        if phase == Phase.EFFECT:
            phase = _work_off(state, table, phase)
        if phase == Phase.BUY_DONE:
            phase = _end_purchase(state)
    return phase


@kernel
def _throw_dice(state, table):
    """Dice of an attack are rolled and applied (R113-R115); the phase that follows.

    Modifies state.
    """
    phase = _roll(state, table)
    while phase == Phase.REROLL:
        phase = _reroll(state)
        if phase == Phase.PAUSE and state.decision == Decision.REROLL:
            phase = _take_reroll(state, _answer(state, table))
        elif phase == Phase.PAUSE:
            phase = _take_dice_order(state, _answer(state, table))
    while phase == Phase.DIE:
        phase = _apply_die(state, table)
        if phase == Phase.PAUSE:
            _take_pick(state, _answer(state, table))
            phase = _strike(state, table)
    return phase


@inline_kernel
def _play_card(state, table):
    """A card is played from hand; the phase that follows.  Modifies state."""
    phase = _play(state, table)
    if phase == Phase.PAUSE:
        phase = _take_mindbug(state, table, _answer(state, table))
    if phase != Phase.ENTER:
        return phase
    slot, player = _put_into_play(state)
    phase = _trigger_alone(state, table, slot, PLAY, player, Phase.ACTION_DONE)
    if phase == Phase.EFFECT:
        phase = _work_off(state, table, phase)
    return phase


@inline_kernel
def _attack(state, table):
    """A creature attacks, perhaps twice; the phase that follows.  Modifies state."""
    phase = Phase.DECLARE
    while phase == Phase.DECLARE:
        phase = _begin_attack(state, table)
        if _general() and phase == Phase.ROLL:
            phase = _throw_dice(state, table)
        if phase != Phase.ATTACK_TRIGGERS:
            return phase
        if _any_has(table, 1 << GRANTS_ATTACK):
            phase = _trigger_attack(state, table)
        else:
            phase = _trigger_alone(
                state, table, state.attacker, ATTACK, state.attacking, Phase.HUNT
            )
        if phase == Phase.QUEUE or phase == Phase.EFFECT:
            phase = _work_off(state, table, phase)
            if phase == Phase.HUNT and not _attack_goes_on(state):
                return _attack_over(state)
        if phase != Phase.HUNT:
            return phase
        phase = _offer_hunt(state, table)
        if phase == Phase.PAUSE:
            phase = _take_hunt(state, _answer(state, table))
        if phase == Phase.BLOCK and _block(state, table) == Phase.PAUSE:
            _take_block(state, _answer(state, table))
        phase = _combat(state, table)
        if phase == Phase.QUEUE:
            phase = _work_off(state, table, phase)
        if phase != Phase.FRENZY:
            return phase
        phase = _frenzy(state, table)
        if phase == Phase.PAUSE:
            phase = _take_second_attack(state, _answer(state, table))
    return phase


@kernel
def _work_off(state, table, phase):
    """Perform the running effect, if any, and work the queue of triggers off (R58).

    The phase that follows.  Modifies state.
    """
    while True:
        while phase == Phase.EFFECT:
            phase = _run_effect(state, table)
            if phase == Phase.PAUSE:
                decision = state.decision
                phase = _take_other(state, table, decision, _answer(state, table))
        if phase != Phase.QUEUE:
            return phase
        phase = _next_trigger(state, table)
        if phase == Phase.PAUSE:
            phase = _take_order(state, table, _answer(state, table))
