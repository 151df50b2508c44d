"""Running the instructions of abilities: the way from one instruction to the next.

An instruction is performed in two steps.  First its targets are chosen, pick by pick where there is
a choice (R44, R50); then it is applied to all of them at the same moment.  Plain instructions are
performed here, copied into the loop of the game; ``general_effects`` adds "may", "if you do", "for
each", modes, and everything that needs more than one kind of decision.
"""

import numpy as np

from card_data.mindbug.vocabulary import Choice, Effect, Ruling
from simcore.jit import _general, inline_kernel, kernel
from simcore.mindbug.rules.call_stack import _next_instruction
from simcore.mindbug.rules.constant_abilities import _may_receive
from simcore.mindbug.rules.general_effects import _random_cards, _run_general
from simcore.mindbug.rules.groups import _condition, _group
from simcore.mindbug.rules.hands import _refill_freed
from simcore.mindbug.rules.keywords import _refresh
from simcore.mindbug.rules.life import _gain_life, _life_to_set, _lose_life, _set_life
from simcore.mindbug.rules.triggers import _live_source, _new_event
from simcore.mindbug.rules.zones import (
    _defeat,
    _discard,
    _draw_all,
    _play_from_pile,
    _steal,
    _take_control,
)
from simcore.mindbug.table.decisions import _ask
from simcore.mindbug.table.masks import NONE, _bit, _nth, _popcount
from simcore.mindbug.table.state import Decision, Phase
from simcore.mindbug.table.unknown_words import CHOICE, EFFECT, _unknown

_OWN_CAN_BE_TAKEN = 1 << Ruling.OWN_CREATURES_CAN_BE_TAKEN


@inline_kernel
def _run_effect(state, table):
    """Phase EFFECT: perform one instruction, or ask for one of its targets (R43, R56)."""
    instruction = table.instructions[np.uint64(state.pc)]
    if _general() and instruction.special:
        return _run_general(state, table)
    if state.picks_left < 0:
        if instruction.condition >= 0 and not _instruction_holds(state, table, instruction):
            return _next_instruction(state, table, instruction)
        _begin(state, table, instruction)
    left = state.fitting & ~state.chosen
    if state.picks_left > 0 and left != NONE:
        may_stop = 1 if state.pick_point == Decision.UP_TO else 0
        return _ask(state, state.pick_point, state.picker, may_stop, left, Phase.EFFECT)
    _apply(state, table, instruction)
    if state.ending >= 0:
        return Phase.OVER
    _refill_freed(state, table)
    return _next_instruction(state, table, instruction)


@kernel
def _instruction_holds(state, table, instruction):
    """Whether the condition of an instruction holds when it is performed (R59)."""
    _refresh(state, table)
    return _condition(state, table, instruction.condition, state.effect_player, _live_source(state))


@inline_kernel
def _begin(state, table, instruction):
    """Find what an instruction may affect, how many may be picked, and by whom (R44)."""
    effect = instruction.effect
    player = state.effect_player
    state.chosen = NONE
    if (effect == Effect.DEFEAT) | (effect == Effect.TAKE_CONTROL):
        state.picks_left = 0
        state.picker = player
        _begin_creatures(state, table, instruction)
        return
    whose = (player ^ instruction.player) & 1
    plays, discards = effect == Effect.PLAY_CARD, effect == Effect.DISCARD  # no branch from here on
    pile = state.discard_pile[whose] * np.uint64(plays)
    state.fitting = pile | state.hand[whose] * np.uint64(discards)
    state.picks_left = np.int64(plays) | instruction.count * np.int64(discards)
    state.picker = whose if discards else player  # R29
    state.pick_point = Decision.DISCARD if discards else Decision.TARGET


@kernel
def _begin_creatures(state, table, instruction):
    """Creatures that an instruction may affect, with current powers and keywords (R45, R49)."""
    player = state.effect_player
    group = instruction.group
    if group.keywords | group.special:  # powers need no keywords
        _refresh(state, table)
    fitting = _group(state, table, group, player, _live_source(state))
    if instruction.effect == Effect.TAKE_CONTROL and not table.rulings & _OWN_CAN_BE_TAKEN:
        fitting &= ~state.play_area[player & 1]  # R45
    state.fitting = fitting
    if instruction.choice == Choice.ALL:
        state.chosen = fitting
    elif instruction.choice == Choice.UP_TO:
        state.picks_left = instruction.count
        state.pick_point = Decision.UP_TO
    elif instruction.choice != Choice.EXACTLY:
        _unknown(state, CHOICE, instruction.choice)
    elif _popcount(fitting) >= instruction.count:  # R49: exactly N, or nothing
        state.picks_left = instruction.count
        state.pick_point = Decision.TARGET if instruction.count == 1 else Decision.TARGETS


@inline_kernel
def _take_pick(state, option):
    """An option that stops, or something that is picked; the phase that follows."""
    if option < state.fixed_options:
        state.picks_left = 0
        state.answer = option
    else:
        state.answer = _nth(state.options, option - state.fixed_options)
        state.chosen |= _bit(state.answer)
        state.picks_left -= 1
    return np.int64(state.phase)


@inline_kernel
def _apply(state, table, instruction):
    """Carry an instruction out on what was chosen: one event (R59).  Modifies state."""
    effect = instruction.effect
    player = state.effect_player
    whose = (player ^ instruction.player) & 1
    _new_event(state)
    if effect == Effect.DEFEAT:
        _defeat(state, table, state.chosen)
    elif effect == Effect.TAKE_CONTROL:
        _take_control(state, state.chosen, player)
    elif effect == Effect.PLAY_CARD:
        if state.chosen != NONE:
            _play_from_pile(state, table, state.chosen, player, True)
    elif effect == Effect.DRAW_ALL:
        _draw_all(state, table, whose, player)
    elif effect == Effect.GAIN_LIFE:
        _gain_life(state, whose, instruction.count)
    elif effect == Effect.LOSE_LIFE:
        _lose_life(state, table, whose, np.int64(instruction.count))
    elif effect == Effect.SET_LIFE:
        _refresh(state, table)
        life = _life_to_set(state, table, instruction, player, _live_source(state))
        _set_life(state, table, whose, life, instruction.as_loss)
    elif effect == Effect.DISCARD:
        _discard(state, table, state.chosen, whose)
    elif effect == Effect.STEAL_RANDOM:
        _steal_random(state, table, np.int64(instruction.count), player)
    else:
        _unknown(state, EFFECT, effect)


@kernel
def _steal_random(state, table, n, player):
    """Steal ``n`` random cards at once, as many as there are (R30, R31, C14).  Modifies state."""
    if _may_receive(state, table, player):
        _steal(state, table, _random_cards(state, state.hand[1 - player], n), player)
