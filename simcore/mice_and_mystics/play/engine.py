"""The compiled engine: one entry for whole games and for single steps.

It is one kernel called from Python, so that the rules are compiled once whatever is asked for.
"""

from simcore.jit import cached_kernel, inline_kernel
from simcore.mice_and_mystics.players.position_points import _describe_position
from simcore.mice_and_mystics.players.search import _decide, _judge_entries
from simcore.mice_and_mystics.rules.machine import _advance, _finish, _take
from simcore.mice_and_mystics.rules.new_game import _new_game
from simcore.mice_and_mystics.table.masks import numbers
from simcore.mice_and_mystics.table.words import RUNNING
from simcore.random_streams import DEAL, _random_below

#: What is asked for.
PLAY, BEGIN, STEP, GO_ON, CHOOSE, SAMPLE, JUDGE = numbers(7)
_NONE = numbers(-1, 0)[0]


@inline_kernel
def _play_each(states, tables, records, works, seed, first):
    """Play games ``first`` … into ``records``, one after another.

    Modifies states, records and works.
    """
    state, table = states[0], tables[0]
    for i in range(len(records)):
        record = records[i]
        _new_game(state, table, record, seed, first + i)
        _advance(state, table, record)
        while state.outcome == RUNNING:
            _take(state, _decide(states, table, works))
            _advance(state, table, record)
        if state.unknown != 0:
            return
        _finish(state, table, record)


@inline_kernel
def _sample_each(states, tables, records, works, seed, first):
    """Play as `_play_each`, and describe the starts of some rounds of each game, drawn at random.

    Modifies all but the tables: works has as many rows for each game, one game after another.
    """
    state, table = states[0], tables[0]
    each = len(works) // len(records)
    for i in range(len(records)):
        record = records[i]
        _new_game(state, table, record, seed, first + i)
        _advance(state, table, record)
        rounds = seen = state.round
        while state.outcome == RUNNING:
            if state.round > rounds:
                rounds = state.round
                seen += 1
                for j in range(i * each, i * each + each):
                    if _random_below(state.streams, DEAL, seen) == 0:
                        _describe_position(state, table, works[j].features)
            _take(state, _decide(states, table, works))
            _advance(state, table, record)
        if state.unknown != 0:
            return
        _finish(state, table, record)


@cached_kernel
def _run(task, states, tables, records, works, seed, number):
    """Do one of the tasks above; what CHOOSE answers is the option chosen.

    PLAY plays games ``number`` … of a seed into ``records``; BEGIN sets up game ``number`` and goes
    on to its first decision; STEP takes option ``number`` and goes on to the next; GO_ON does
    without taking one.  Games that have ended have their record filled.  Records must be empty when
    a game begins.  SAMPLE plays as PLAY does and leaves positions in ``works`` (`_sample_each`).
    JUDGE gives the entries of a decision their chances by ``number`` continuations of each.

    ``states`` are N_STATES rows of which the first is the game; ``works`` are rows of SEARCH: one,
    or for SAMPLE some for each game.  Modifies states, records and works.
    """
    if task == PLAY:
        _play_each(states, tables, records, works, seed, number)
        return _NONE
    if task == SAMPLE:
        _sample_each(states, tables, records, works, seed, number)
        return _NONE
    state, table, record = states[0], tables[0], records[0]
    if task == CHOOSE:
        return _decide(states, table, works)
    if task == JUDGE:
        _judge_entries(states, tables[0], works[0], number)
        return _NONE
    if task == BEGIN:
        _new_game(state, table, record, seed, number)
    elif task == STEP:
        _take(state, number)
    _advance(state, table, record)
    if state.outcome != RUNNING:
        _finish(state, table, record)
    return _NONE
