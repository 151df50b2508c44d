"""Attacks that an effect forces, and the attacks that wait meanwhile (R76).

A forced attack starts when the effect that ordered it is finished and the queue has been worked
off, perhaps in the middle of another attack, which then waits in a frame.
"""

import numpy as np

from simcore.jit import inline_kernel, kernel
from simcore.mindbug.rules.constant_abilities import _able_to_attack
from simcore.mindbug.rules.powers import _controller, _in_play
from simcore.mindbug.table.expansion_features import _attacks_open
from simcore.mindbug.table.masks import NONE, _bit
from simcore.mindbug.table.records import Ending
from simcore.mindbug.table.state import MAX_NESTED, Phase

# Fields of an attack frame.
_ATTACKER, _OBJECT, _BLOCKER, _MAY_REPEAT, _ATTACKING, _AFTER_QUEUE = range(6)


@kernel
def _force_attack(state, table, slot):
    """A creature has to attack when the queue is empty, if it is able to now (R76, C21).

    Whether it has to (R48).  Without room for one more the game ends as looped.  Modifies state.
    """
    if _able_to_attack(state, table, _controller(state, slot)) & _bit(slot) == NONE:
        return 0
    if state.n_forced == MAX_NESTED:
        state.ending = Ending.LOOPED
        return 0
    state.forced[state.n_forced] = slot
    state.forced_object[state.n_forced] = np.int64(state.object[slot])
    state.n_forced += 1
    return 1


@inline_kernel
def _same_object(state, slot, number):
    """Whether a slot holds a creature in play that is still a certain object (R5)."""
    return _in_play(state) & _bit(slot) != NONE and np.int64(state.object[slot]) == number


@kernel
def _start_forced_attack(state):
    """The next creature that has to attack declares its attack, if it is still there (R76).

    Modifies state.
    """
    slot, number = state.forced[0], state.forced_object[0]
    state.n_forced -= 1
    for i in range(state.n_forced):
        state.forced[i] = state.forced[i + 1]
        state.forced_object[i] = state.forced_object[i + 1]
    if not _same_object(state, slot, number):
        return Phase.QUEUE
    if state.attacks_open == MAX_NESTED:
        state.ending = Ending.LOOPED
        return Phase.OVER
    frame = state.attack_frame[state.attacks_open]
    frame[_ATTACKER] = state.attacker
    frame[_OBJECT] = np.int64(state.object[state.attacker]) if state.attacker >= 0 else 0
    frame[_BLOCKER] = state.blocker
    frame[_MAY_REPEAT] = state.may_repeat
    frame[_ATTACKING] = state.attacking
    frame[_AFTER_QUEUE] = state.after_queue
    state.attacks_open += 1
    _no_second_attack(state, _bit(slot))
    state.attacker = slot
    state.attacking = _controller(state, slot)
    return Phase.DECLARE


@kernel
def _end_forced_attack(state):
    """Phase FORCED_DONE: the attack that waited, if any, goes on.  Modifies state."""
    state.attacks_open -= 1
    frame = state.attack_frame[state.attacks_open]
    state.attacker = frame[_ATTACKER]
    if state.attacker >= 0 and not _same_object(state, state.attacker, frame[_OBJECT]):
        state.attacker = -1
    state.blocker = frame[_BLOCKER]
    state.may_repeat = frame[_MAY_REPEAT]
    state.attacking = frame[_ATTACKING]
    state.after_queue = frame[_AFTER_QUEUE]
    return Phase.QUEUE


@kernel
def _no_second_attack(state, mask):
    """Creatures of a mask whose attacks wait have used up what FRENZY allows (R74, R75)."""
    for i in range(state.attacks_open):
        frame = state.attack_frame[i]
        if frame[_ATTACKER] >= 0 and _bit(frame[_ATTACKER]) & mask != NONE:
            frame[_MAY_REPEAT] = 0


@inline_kernel
def _attack_over(state):
    """Phase that follows an attack that is over."""
    return Phase.FORCED_DONE if _attacks_open(state) > 0 else Phase.ACTION_DONE
