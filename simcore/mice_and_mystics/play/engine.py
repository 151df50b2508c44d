"""The compiled engine: one entry for whole games and for single steps.

It is one kernel called from Python, so that the rules are compiled once whatever is asked for.
"""

from simcore.jit import cached_kernel, inline_kernel
from simcore.mice_and_mystics.players.policies import _choose
from simcore.mice_and_mystics.rules.machine import _advance, _finish, _take
from simcore.mice_and_mystics.rules.new_game import _new_game
from simcore.mice_and_mystics.table.masks import numbers
from simcore.mice_and_mystics.table.words import RUNNING

#: What is asked for.
PLAY, BEGIN, STEP, GO_ON, CHOOSE = numbers(5)
_NONE = numbers(-1, 0)[0]


@inline_kernel
def _play_each(states, tables, records, seed, first):
    """Play games ``first`` … into ``records``, one after another.  Modifies states and records."""
    state, table = states[0], tables[0]
    for i in range(len(records)):
        record = records[i]
        _new_game(state, table, record, seed, first + i)
        _advance(state, table, record)
        while state.outcome == RUNNING:
            _take(state, _choose(state, table))
            _advance(state, table, record)
        if state.unknown != 0:
            return
        _finish(state, table, record)


@cached_kernel
def _run(task, states, tables, records, seed, number):
    """Do one of the tasks above; what CHOOSE answers is the option chosen.

    PLAY plays games ``number`` … of a seed into ``records``; BEGIN sets up game ``number`` and goes
    on to its first decision; STEP takes option ``number`` and goes on to the next; GO_ON does
    without taking one.  Games that have ended have their record filled.  Records must be empty when
    a game begins.  Modifies states and records.
    """
    if task == PLAY:
        _play_each(states, tables, records, seed, number)
        return _NONE
    state, table, record = states[0], tables[0], records[0]
    if task == CHOOSE:
        return _choose(state, table)
    if task == BEGIN:
        _new_game(state, table, record, seed, number)
    elif task == STEP:
        _take(state, number)
    _advance(state, table, record)
    if state.outcome != RUNNING:
        _finish(state, table, record)
    return _NONE
