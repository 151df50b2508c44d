"""From one instruction to the next, and effects inside effects.

An effect that is performed in the middle of another one (a copied Play effect, a power card bought
free, what a creature does as it becomes exhausted) runs on top of it: the other one waits in a
frame.
"""

import numpy as np

from simcore.jit import _general, inline_kernel, kernel
from simcore.mindbug.rules.powers import _controller
from simcore.mindbug.rules.triggers import EXHAUSTED, _run_program
from simcore.mindbug.table.expansion_features import _turned
from simcore.mindbug.table.masks import NONE, ONE, _bit, _lowest
from simcore.mindbug.table.records import Ending
from simcore.mindbug.table.state import MAX_NESTED, Phase

#: How far an instruction with several decisions has come; further stages are its own.
FRESH, AGREED, DECLINED = 0, 1, 2

# Fields of a frame.
(_PC, _SOURCE, _OBJECT, _PLAYER, _AFTER, _DONE, _DISCARDED, _REPEATS, _STAGE, _NAMED, BOUGHT) = (
    range(11)
)


@inline_kernel
def _next_instruction(state, table, instruction):
    """Go to the next instruction of the running effect, or finish the effect.  Modifies state."""
    state.picks_left = -1
    state.pc = instruction.next
    if _turned(state) != NONE:
        return _turn_creature(state, table)
    if state.pc >= 0:
        return Phase.EFFECT
    if _general() and state.depth > 0:
        return _finish(state)
    return state.after_effect


@kernel
def _finish(state):
    """The running effect is over; the phase or the effect that goes on.  Modifies state."""
    while state.depth > 0:
        state.depth -= 1
        frame = state.frame[state.depth]
        state.source = frame[_SOURCE]
        state.source_object = frame[_OBJECT]
        state.effect_player = frame[_PLAYER]
        state.after_effect = frame[_AFTER]
        state.done = frame[_DONE]
        state.discarded = frame[_DISCARDED]
        state.repeats = frame[_REPEATS]
        state.stage = frame[_STAGE]
        state.keyword_named = frame[_NAMED]
        if frame[BOUGHT] >= 0:
            state.power_discard |= _bit(frame[BOUGHT])  # R112
        if frame[_PC] >= 0:
            state.pc = frame[_PC]
            state.picks_left = -1
            return Phase.EFFECT
    return state.after_effect


@kernel
def _push(state, pc, bought):
    """Let the running effect wait at instruction ``pc`` (-1 = it was over) for another one.

    ``bought`` is the power card whose effect that other one is, -1 = none.  Without room the game
    ends as looped.  Modifies state.
    """
    if state.depth == MAX_NESTED:
        state.ending = Ending.LOOPED
        return
    frame = state.frame[state.depth]
    frame[_PC] = pc
    frame[_SOURCE] = state.source
    frame[_OBJECT] = state.source_object
    frame[_PLAYER] = state.effect_player
    frame[_AFTER] = state.after_effect
    frame[_DONE] = state.done
    frame[_DISCARDED] = state.discarded
    frame[_REPEATS] = state.repeats
    frame[_STAGE] = state.stage
    frame[_NAMED] = state.keyword_named
    frame[BOUGHT] = bought
    state.depth += 1
    state.stage = FRESH
    state.repeats = -1


@kernel
def _turn_creature(state, table):
    """A creature that was just exhausted does something at once (C45).  Modifies state.

    ``pc`` and ``after_effect`` say what goes on afterwards.
    """
    slot = _lowest(state.turned)
    state.turned &= state.turned - ONE
    _push(state, state.pc, -1)
    if state.ending >= 0:
        return Phase.OVER
    program = table.cards[state.card[slot]].program[EXHAUSTED]
    state.effects -= 1  # it is no trigger and does not count (R20)
    state.source_object = np.int64(state.object[slot])
    return _run_program(state, table, program, slot, _controller(state, slot))
