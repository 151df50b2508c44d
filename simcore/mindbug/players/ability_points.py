"""The effect of abilities on the present table, in points: for players who think by weights.

An instruction is worth what it moves, measured on this table (`_measure`), times its own weight.
The table must have been looked at (``evaluation.py``).
"""

import numpy as np

from card_data.mindbug.vocabulary import Choice, Effect, Trigger
from simcore.jit import inline_kernel, kernel
from simcore.mindbug.players.evaluation import WIN, _best_value, _best_worth, _removal, _weight
from simcore.mindbug.rules.groups import _condition, _group
from simcore.mindbug.rules.life import _life_to_set
from simcore.mindbug.rules.powers import _in_play
from simcore.mindbug.table.masks import NONE, ONE, _bit, _lowest, _popcount
from simcore.mindbug.table.state import HAS_PLAY, STOPS_PLAY_EFFECTS
from simcore.mindbug.table.weight_names import place_of

_LIFE_GAINED, _EFFECT = place_of("life.gained"), place_of("effect.defeat")


@kernel
def _score_program(state, table, seat, pc, player):
    """Points that an ability gains for "you" = ``player``, from instruction ``pc`` on."""
    points = 0.0
    while pc >= 0:
        instruction = table.instructions[pc]
        if instruction.condition < 0 or _condition(state, table, instruction.condition, player, -1):
            if instruction.effect == Effect.CHOOSE_ONE:
                points += _best_mode(state, table, seat, instruction, player)
            else:
                points += _score_instruction(state, table, seat, instruction, player)
        pc = np.int64(instruction.next)
    return points


@kernel
def _best_mode(state, table, seat, instruction, player):
    """Points of the best of several modes."""
    best = 0.0
    for i in range(instruction.count):
        mode = table.instructions[instruction.first_mode + i]
        best = max(best, _score_instruction(state, table, seat, mode, player))
    return best


@kernel
def _score_instruction(state, table, seat, instruction, player):
    """Points that one instruction gains for "you" = ``player``."""
    amount = _measure(state, table, seat, instruction, player)
    return amount * _weight(table, seat, _EFFECT + instruction.effect)


@inline_kernel
def _measure(state, table, seat, instruction, player):
    """How much an instruction moves, before its weight: points of creatures, cards, or one.

    Above 0 if "you" = ``player`` gain.
    """
    effect = instruction.effect
    whose = (player ^ instruction.player) & 1
    sign = 1.0 if whose == player else -1.0
    count = np.float64(instruction.count)
    if effect in (Effect.DEFEAT, Effect.TAKE_CONTROL, Effect.RETURN_TO_HAND, Effect.SET_ASIDE):
        return _measure_creatures(state, table, seat, instruction, player)
    if effect == Effect.PLAY_CARD:
        return _best_worth(state, table, seat, state.discard_pile[whose])
    if effect == Effect.DRAW_ALL:
        return np.float64(_popcount(state.discard_pile[whose]))
    if effect == Effect.LOSE_LIFE:
        left = state.life[whose] - instruction.count
        return -sign * (WIN if left <= 0 else count * state.life_points[whose])
    if effect == Effect.SET_LIFE:
        life = _life_to_set(state, table, instruction, player, -1)
        return sign * np.float64(life - state.life[whose]) * _weight(table, seat, _LIFE_GAINED)
    if effect == Effect.DISCARD or effect == Effect.DISCARD_RANDOM:
        return -sign * min(count, np.float64(_popcount(state.hand[whose])))
    if effect == Effect.DISCARD_WHOLE:
        return -sign * np.float64(_popcount(state.hand[whose] | state.draw_pile[whose]))
    if effect == Effect.STEAL_RANDOM:
        return min(count, np.float64(_popcount(state.hand[1 - player])))
    if effect == Effect.WIN:
        return WIN
    if effect == Effect.LOSE:
        return -WIN
    if effect == Effect.GIVE_CONTROL:
        return -1.0
    return sign * min(max(count, 1.0), 3.0)


@kernel
def _measure_creatures(state, table, seat, instruction, player):
    """Points of the creatures that an instruction defeats, takes, returns or sets aside."""
    fitting = _group(state, table, instruction.group, player, -1)
    enemies = fitting & state.play_area[1 - player]
    allies = fitting & state.play_area[player]
    if instruction.effect == Effect.TAKE_CONTROL:
        return 2.0 * _best_value(state, enemies) * min(instruction.count, 1)
    if instruction.choice == Choice.ALL:
        points = 0.0
        while fitting != NONE:
            slot = _lowest(fitting)
            fitting &= fitting - ONE
            loss = _removal(state, table, seat, slot)
            points += loss if _bit(slot) & enemies != NONE else -loss
        return points
    best = 0.0 if enemies != NONE or allies == NONE else -WIN
    left = enemies
    while left != NONE:
        best = max(best, _removal(state, table, seat, _lowest(left)))
        left &= left - ONE
    if best > -WIN:
        return best
    while allies != NONE:  # one of the own has to go
        best = max(best, -_removal(state, table, seat, _lowest(allies)))
        allies &= allies - ONE
    return best


@inline_kernel
def _score_play_ability(state, table, seat, slot, player):
    """Points that a card's Play ability gains for a player as the table is now."""
    pc = np.int64(table.cards[state.card[slot]].program[Trigger.PLAY])
    if pc < 0 or state.play_area[1 - player] & state.trait[STOPS_PLAY_EFFECTS] != NONE:
        return 0.0
    return _score_program(state, table, seat, pc, player)


@kernel
def _worth_copying(state, table):
    """Creatures with a Play effect that does not copy again, which would go on for ever (C23)."""
    mask = NONE
    left = state.trait[HAS_PLAY] & _in_play(state)
    while left != NONE:
        slot = _lowest(left)
        left &= left - ONE
        program = table.cards[state.card[slot]].program[Trigger.PLAY]
        if table.instructions[program].effect != Effect.COPY_PLAY_EFFECT:
            mask |= _bit(slot)
    return mask


@kernel
def _best_copy(state, table, seat):
    """Points of the best Play ability that can be copied, 0 for none."""
    best = 0.0
    left = _worth_copying(state, table)
    while left != NONE:
        points = _score_play_ability(state, table, seat, _lowest(left), state.decider)
        best = max(best, points)
        left &= left - ONE
    return best
