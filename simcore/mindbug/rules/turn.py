"""The turn machine: the only way a game moves forward (R20-R25, R37, R38).

The machine stands in a phase.  Each phase is a kernel that does its part and returns the phase to
go to; a phase that needs a decision offers it and returns PAUSE.  There is no recursion: what has
to happen later is the phase to go to, or a trigger in the queue.
"""

import numpy as np

from simcore.jit import _general, inline_kernel, kernel
from simcore.mindbug.rules.attack import (
    _attack_triggers,
    _block,
    _combat,
    _declare,
    _frenzy,
    _hunt,
    _take_block,
    _take_hunt,
    _take_second_attack,
)
from simcore.mindbug.rules.constant_abilities import _able_to_attack, _must_be_hunted, _unbound
from simcore.mindbug.rules.dice import (
    _apply_die,
    _reroll,
    _roll,
    _strike,
    _take_dice_order,
    _take_reroll,
)
from simcore.mindbug.rules.fast_effects import _run_effect, _take_pick
from simcore.mindbug.rules.forced_attack import _end_forced_attack
from simcore.mindbug.rules.general_effects import _take_may
from simcore.mindbug.rules.hands import _refill_freed
from simcore.mindbug.rules.keywords import _having
from simcore.mindbug.rules.legality import _can_do
from simcore.mindbug.rules.life import _end_game
from simcore.mindbug.rules.mindbug_window import _enter, _play, _react, _take_mindbug
from simcore.mindbug.rules.power_cards import _end_purchase, _offer_power_cards, _take_purchase
from simcore.mindbug.rules.powers import _in_play, _sources
from simcore.mindbug.rules.triggers import (
    ACTION,
    END_OF_TURN,
    _add_triggers,
    _new_event,
    _next_trigger,
    _run_program,
    _settle,
    _take_order,
)
from simcore.mindbug.rules.turn_rules import _end_this_turn
from simcore.mindbug.table.decisions import _ask
from simcore.mindbug.table.expansion_features import _any_has, _with_trait
from simcore.mindbug.table.masks import NONE, ONE, _bit, _lowest, _nth, _popcount
from simcore.mindbug.table.records import Ending
from simcore.mindbug.table.state import (
    ENDS_OWN_TURN,
    HAS_ACTION,
    HAS_END_OF_TURN,
    HUNTER,
    MUST_BE_HUNTED,
    STALE,
    TIMED,
    Decision,
    Phase,
)

_OBLIGED = 1 << 18  # open point O18
_ENDS_TURN = 1 << HAS_END_OF_TURN | 1 << ENDS_OWN_TURN


@inline_kernel
def _perform(state, table, phase):
    """Perform one phase; the phase that follows, or PAUSE for a decision.  Modifies state."""
    if phase == Phase.QUEUE:
        return _next_trigger(state, table)
    if phase == Phase.EFFECT:
        return _run_effect(state, table)
    if phase == Phase.PLAY:
        return _play(state, table)
    if phase == Phase.ENTER:
        return _enter(state, table)
    if phase == Phase.DECLARE:
        return _declare(state, table)
    if phase == Phase.HUNT:
        return _hunt(state, table)
    if phase == Phase.BLOCK:
        return _block(state, table)
    if phase == Phase.COMBAT:
        return _combat(state, table)
    if phase == Phase.FRENZY:
        return _frenzy(state, table)
    if phase == Phase.ACTION_DONE:
        return _action_done(state, table)
    if phase == Phase.START_TURN:
        return _start_turn(state, table)
    if phase == Phase.ACTION:
        return _action(state, table)
    return _perform_rarer(state, table, phase)


@kernel
def _perform_rarer(state, table, phase):
    """Perform one of the phases that most turns do not have.  Modifies state."""
    if phase == Phase.BUY:
        return _offer_power_cards(state, table)
    if phase == Phase.BUY_DONE:
        return _end_purchase(state)
    if phase == Phase.ROLL:
        return _roll(state, table)
    if phase == Phase.REROLL:
        return _reroll(state)
    if phase == Phase.DIE:
        return _apply_die(state, table)
    if phase == Phase.STRIKE:
        return _strike(state, table)
    if phase == Phase.ATTACK_TRIGGERS:
        return _attack_triggers(state, table)
    if phase == Phase.REACT:
        return _react(state, table)
    if phase == Phase.FORCED_DONE:
        return _end_forced_attack(state)
    if phase == Phase.END_TURN:
        return _end_turn(state, table)
    return _next_turn(state, table)


@inline_kernel
def _take(state, table, option):
    """Carry out an option of the present decision; the phase to go on with.  Modifies state."""
    decision = state.decision
    state.decision = 0
    if decision == Decision.ACTION:
        return _take_action(state, table, option)
    if decision == Decision.MINDBUG:
        return _take_mindbug(state, table, option)
    if decision == Decision.BLOCK:
        return _take_block(state, option)
    if decision == Decision.HUNT:
        return _take_hunt(state, option)
    if decision == Decision.SECOND_ATTACK:
        return _take_second_attack(state, option)
    return _take_other(state, table, decision, option)


@inline_kernel
def _take_other(state, table, decision, option):
    """Carry out an option of a decision inside effects, purchases or dice.  Modifies state."""
    if decision == Decision.ORDER:
        return _take_order(state, table, option)
    if decision == Decision.MAY:
        return _take_may(state, option)
    if decision == Decision.BUY:
        return _take_purchase(state, table, option)
    if decision == Decision.REROLL:
        return _take_reroll(state, option)
    if decision == Decision.DICE_ORDER:
        return _take_dice_order(state, option)
    return _take_pick(state, option)


@inline_kernel
def _start_turn(state, table):
    """Phase START_TURN: a new turn begins (R22), with purchases if there is what to buy (R109)."""
    state.turn += 1
    state.effects = 0
    _refill_freed(state, table)
    if _general() and table.n_power_cards > 0 and state.energy[state.active] >= table.least_cost:
        return Phase.BUY
    return Phase.ACTION


@inline_kernel
def _action(state, table):
    """Phase ACTION: the no-action check (R18) and the choice of a turn action (R23, D1)."""
    player = state.active
    attackers = _able_to_attack(state, table, player)
    cards = _unbound(state, table, player)
    actions = NONE
    if _any_has(table, 1 << HAS_ACTION):
        actions = _legal_actions(state, table, player)
    if _with_trait(state, MUST_BE_HUNTED) & state.play_area[~player & 1] != NONE:
        obliged = _obliged(state, table, attackers)
        if obliged != NONE:
            attackers, cards, actions = obliged, NONE, NONE  # R24
    if cards | attackers | actions == NONE:
        _end_game(state, 1 - player, Ending.NO_ACTION)
        return Phase.OVER
    state.attack_options = attackers
    state.action_options = actions
    _ask(state, Decision.ACTION, player, 0, cards, Phase.ACTION)
    state.n_options = _popcount(cards) + _popcount(attackers) + _popcount(actions)
    return Phase.PAUSE


@kernel
def _legal_actions(state, table, player):
    """Creatures whose Action ability has an instruction that can do something (R99)."""
    legal, left = NONE, state.trait[HAS_ACTION] & state.play_area[player & 1]
    while left != NONE:
        slot = _lowest(left)
        left &= left - ONE
        state.source = slot
        state.discarded = 0
        state.keyword_named = -1
        state.source_object = np.int64(state.object[slot])
        pc = np.int64(table.cards[state.card[slot]].program[ACTION])
        while pc >= 0:
            instruction = table.instructions[pc]
            if not instruction.if_done and _can_do(state, table, instruction, player, slot):
                legal |= _bit(slot)
                break
            pc = np.int64(instruction.next)
    return legal


@kernel
def _obliged(state, table, attackers):
    """Creatures that must hunt another: one of them has to attack (R24, C20)."""
    obliged, left = NONE, _having(state, table, HUNTER, attackers)
    while left != NONE:
        slot = _lowest(left)
        left &= left - ONE
        if _must_be_hunted(state, table, slot) != NONE:
            obliged |= _bit(slot)
    if obliged != NONE:
        state.open_points |= _OBLIGED
    return obliged


@inline_kernel
def _take_action(state, table, option):
    """Options are the cards in hand, then creatures able to attack, then Action abilities.

    Modifies state.
    """
    in_hand = _popcount(state.options)
    if option >= in_hand:
        attack = option - in_hand
        attackers = _popcount(state.attack_options)
        if _any_has(table, 1 << HAS_ACTION) and attack >= attackers:
            return _activate(state, table, _nth(state.action_options, attack - attackers))
        state.attacker = _nth(state.attack_options, attack)
        state.attacking = state.active
        return Phase.DECLARE
    state.limbo = _bit(_nth(state.options, option))
    state.hand[state.active & 1] ^= state.limbo
    return Phase.PLAY


@kernel
def _activate(state, table, slot):
    """The Action ability of a creature is the turn action (R98); then the queue (R58).

    Modifies state.
    """
    state.actions += 1
    state.after_queue = Phase.ACTION_DONE
    state.after_effect = Phase.QUEUE
    state.source_object = np.int64(state.object[slot])
    program = np.int64(table.cards[state.card[slot]].program[ACTION])
    return _run_program(state, table, program, slot, state.active)


@inline_kernel
def _action_done(state, table):
    """Phase ACTION_DONE: an extra turn action (R38), or the end of the turn (R22)."""
    state.attacker = -1
    if table.extra_action and state.extra > 0:
        state.extra -= 1
        return Phase.ACTION
    if _any_has(table, _ENDS_TURN):
        ending = state.trait[HAS_END_OF_TURN] | state.trait[ENDS_OWN_TURN]
        if ending & _in_play(state) != NONE:
            return Phase.END_TURN
    return _next_turn(state, table)


@kernel
def _end_turn(state, table):
    """Phase END_TURN: abilities that trigger at the end of a turn form one batch (R22, C57)."""
    _new_event(state)
    for player in range(2):
        ending = state.trait[HAS_END_OF_TURN]
        if player == state.active:
            ending |= state.trait[ENDS_OWN_TURN]
        ending &= state.play_area[player]
        _add_triggers(state, table, ending & _in_play(state), END_OF_TURN, player)
    return _settle(state, table, Phase.NEXT_TURN)


@inline_kernel
def _winner_at_cap(state, table):
    """The winner of a game that is stopped: none, or the player with more life (R20).

    None in a search that looks no further.
    """
    if table.life_decides and state.turn == table.turn_cap and state.life[0] != state.life[1]:
        return np.int64(state.life[1] > state.life[0])
    return np.int64(-1)


@inline_kernel
def _next_turn(state, table):
    """Phase NEXT_TURN: what lasts this turn is over; the extra turn (R37) or the other's turn.

    ``last_turn`` is tested when a turn has ended (R20).
    """
    _end_this_turn(state)
    if state.turn >= state.last_turn:
        _end_game(state, _winner_at_cap(state, table), Ending.CAPPED)
        return Phase.OVER
    _pass_turn(state)
    return Phase.START_TURN


@inline_kernel
def _pass_turn(state):
    """The next turn is an extra one (R37) or the opponent's.  Modifies state.

    What holds in a player's own turns alone (C7) is worked out anew when it is next read.
    """
    extra = np.int64(state.extra > 0)  # no branch from here on
    state.extra -= extra
    state.active ^= 1 - extra
    state.stale |= STALE * (_sources(state, TIMED) != NONE)
