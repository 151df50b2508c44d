"""The compiled engine: entries that play whole games, and one that goes through a single one.

The rules are compiled into each entry called from Python, so these are few: one for random and
thinking players, compiled for plain pools and for any, and one for everything else.
"""

from collections.abc import Callable
from functools import cache

import numpy as np
import numpy.typing as npt

from simcore.jit import (
    _lent,
    apart_kernel,
    cached_kernel,
    for_types_of,
    inline_kernel,
    plain_kernel,
)
from simcore.mindbug.play.network_samples import SAMPLES, _sample_each
from simcore.mindbug.play.own_view import _ask_compiled
from simcore.mindbug.players.play_out import _play_out
from simcore.mindbug.players.restrictions import _leave_out
from simcore.mindbug.players.search import SEARCH, _consider
from simcore.mindbug.rules.new_game import _look_up, _new_game
from simcore.mindbug.rules.power_cards import _look_up_power_cards
from simcore.mindbug.rules.turn import _perform, _take
from simcore.mindbug.table.card_table import CARD_TABLE
from simcore.mindbug.table.masks import NONE, ONE, _copy_words, _lowest
from simcore.mindbug.table.records import DEALT, GAME_RECORD
from simcore.mindbug.table.state import DEALING, GAME_STATE, Phase
from simcore.own_seats import BY_PYTHON

_DEALT_CARDS = np.uint64((1 << DEALT) - 1)
_BY_PYTHON = np.uint64(BY_PYTHON)
_BY_KERNELS = np.uint64(0)
_NO_GAMES = np.zeros(0, np.int64)
_NO_DEALINGS = np.zeros(0, DEALING)
_NO_WORKS = np.zeros(0, SEARCH)
_NO_LIMITS = np.zeros((0, 2, 3), np.int32)
_NO_RECORDS = np.zeros(0, GAME_RECORD)
_NO_SAMPLES = np.zeros(0, SAMPLES)


@apart_kernel
def _write_record(record, state, table):
    """Fill one GAME_RECORD from a finished game.  Modifies record."""
    record.game = state.game
    record.first_player = state.first_player
    record.winner = state.winner
    record.ending = state.ending
    record.turns = state.turn
    record.decisions = state.decisions
    for player in range(2):
        record.life[player] = state.life[player]
        record.mindbugs[player] = state.mindbugs[player]
        record.played[player] = state.played[player]
        record.taken[player] = state.taken[player]
        record.energy[player] = state.energy_gained[player]
        record.power_bought[player] = state.power_bought[player]
    record.attacks = state.attacks
    record.second_attacks = state.second_attacks
    record.hunts = state.hunts
    record.blocks = state.blocks
    record.defeats = state.defeats
    record.tough_saves = state.tough_saves
    record.drawn = state.drawn
    record.defeated = state.defeated
    record.actions = state.actions
    record.boosted = state.boosted
    record.open_points = state.open_points
    for face in range(len(record.dice)):
        record.dice[face] = state.rolled[face]
    for slot in range(DEALT):
        record.cards[slot] = state.card[slot]
    left = state.evolved & _DEALT_CARDS
    while left != NONE:
        slot = _lowest(left)
        left &= left - ONE
        record.cards[slot] = table.cards[state.card[slot]].first_face
    record.unused_cards[:] = -1
    left = (state.played[0] | state.played[1] | state.taken[0] | state.taken[1]) & ~_DEALT_CARDS
    while left != NONE:
        slot = _lowest(left)
        left &= left - ONE
        record.unused_cards[slot - DEALT] = table.cards[state.card[slot]].first_face
    _copy_words(record.best_stage, state.best_stage)
    _copy_words(record.turn_played, state.turn_played)
    _copy_words(record.offers, state.offers)
    _copy_words(record.thefts, state.thefts)


@inline_kernel
def _play_each(tables, seed, games, states, dealings, records):
    """Play the games with these numbers into ``records`` (modified in place), one after another."""
    state, table = states[0], tables[0]
    for i in range(len(records)):
        _new_game(state, table, seed, games[i], dealings[0])
        _play_out(state, table, Phase.START_TURN)
        if state.unknown:
            return
        _write_record(records[i], state, table)


@cached_kernel
def _play_games(tables, seed, games, states, dealings, records):
    """Play games of any pool.  Modifies states[0], dealings[0] and records."""
    _play_each(tables, seed, games, states, dealings, records)


@plain_kernel
def _play_plain_games(tables, seed, games, states, dealings, records):
    """Play games of a pool that has no expansion features.  Modifies the same."""
    _play_each(tables, seed, games, states, dealings, records)


#: What `_run` is asked for.
PLAY, BEGIN, STEP, CHOOSE, FINISH, SAMPLE = (np.int64(task) for task in range(6))
_NO_OPTION = np.int64(-1)


@inline_kernel
def _play_considered(states, tables, dealing, work, limits, records, seed, games):
    """`_play_each` with players who search or are restricted.

    Modifies all but tables and games.
    """
    state, table = states[0], tables[0]
    for i in range(len(records)):
        _new_game(state, table, seed, games[i], dealing)
        _look_up_power_cards(state)  # whose order is where the order that players imagine begins
        phase = Phase.START_TURN
        while phase != Phase.OVER:
            phase = _perform(state, table, phase)
            if phase == Phase.PAUSE:
                option = 0
                if state.n_options > 1:
                    state.decisions += 1
                    limits[i, state.decider, _leave_out(state, table)] += 1
                    option = _consider(_lent(states), _lent(tables), work)
                phase = _take(state, table, option)
        if state.unknown:
            return
        _write_record(records[i], state, table)


@cached_kernel
def _run(task, tables, states, dealings, works, limits, records, samples, seed, games, number):
    """Do one of the tasks above; CHOOSE answers with the option chosen, the others with −1.

    PLAY plays ``games`` of a seed into ``records``, with players who search or are restricted.
    BEGIN deals games[0], which then stands before its first turn.  STEP carries out option
    ``number`` of the present decision or, for −1, the next phase.  CHOOSE asks the decider, who is
    seated: the option is one of those that their restrictions left.  FINISH fills records[0] from a
    finished game.  SAMPLE plays ``games`` and keeps positions in ``samples``, as player ``number``
    sees them or, for −1, either.

    For ``states`` and ``tables`` see search.py; a game that nobody is asked in needs one of each,
    and no ``works`` of SEARCH.  ``limits`` are those of `play_games`.  Modifies all but tables and
    games.
    """
    state, table = states[0], tables[0]
    if task == PLAY:
        _play_considered(states, tables, dealings[0], works[0], limits, records, seed, games)
    elif task == CHOOSE:
        _leave_out(state, table)
        return _consider(_lent(states), _lent(tables), works[0])
    elif task == BEGIN:
        _new_game(state, table, seed, games[0], dealings[0])
        _look_up(state, table)
        state.phase = Phase.START_TURN
    elif task == FINISH:
        _write_record(records[0], state, table)
    elif task == SAMPLE:
        _sample_each(states, tables, works[0], samples, dealings[0], seed, games, number)
    else:
        phase = Phase.PAUSE
        if number >= 0:
            state.decisions += 1
        else:
            phase = _perform(state, table, state.phase)
            if phase == Phase.PAUSE and state.n_options == 1:
                number = 0
        if number >= 0:
            phase = _take(state, table, number)
        if phase != Phase.PAUSE:
            state.phase = phase
    return _NO_OPTION


def run_task(
    task: np.int64,
    tables: npt.NDArray[np.void],
    states: npt.NDArray[np.void],
    *,
    dealings: npt.NDArray[np.void] = _NO_DEALINGS,
    works: npt.NDArray[np.void] = _NO_WORKS,
    limits: npt.NDArray[np.int32] = _NO_LIMITS,
    records: npt.NDArray[np.void] = _NO_RECORDS,
    samples: npt.NDArray[np.void] = _NO_SAMPLES,
    seed: int = 0,
    games: npt.NDArray[np.int64] = _NO_GAMES,
    number: int = -1,
) -> int:
    """Do one of the tasks of `_run`, with what it needs; what CHOOSE answers, or −1."""
    arrays = tables, states, dealings, works, limits, records, samples
    return int(_compiled_run()(task, *arrays, np.int64(seed), games, np.int64(number)))


@cache
def _compiled_run() -> Callable[..., int]:
    """`_run` without a look at the types of its many arguments: half the time of a short task."""
    arrays = np.zeros(0, CARD_TABLE), np.zeros(0, GAME_STATE), _NO_DEALINGS, _NO_WORKS
    more = _NO_LIMITS, _NO_RECORDS, _NO_SAMPLES, np.int64(0), _NO_GAMES, np.int64(0)
    return for_types_of(_run, PLAY, *arrays, *more)


@cached_kernel
def _play_to_function(
    tables, seed, games, states, dealings, works, limits, records, functions, names, sights, option
):
    """Play games[0] on to the next decision that Python is asked for; whether there is one.

    ``option`` is what it chose at the last one, -1 to deal the game.  ``functions`` are
    `OwnRows.addresses`, ``names`` those of `names_of`, ``sights`` is work space, (1,) of SIGHT.
    Where compiled code answers what is no option, Python asks again, to say what is wrong.  The
    other arguments are those of `_run`, for one game.  Modifies all but tables,
    games, functions and names.
    """
    if len(games) == 0:
        return False
    state, table = states[0], tables[0]
    if option < 0:
        _new_game(state, table, seed, games[0], dealings[0])
        _look_up(state, table)
        phase = Phase.START_TURN
    else:
        phase = _take(state, table, option)
    while phase != Phase.OVER:
        state.phase = phase
        phase = _perform(state, table, phase)
        if phase == Phase.PAUSE:
            choice = 0
            if state.n_options > 1:
                state.decisions += 1
                limits[0, state.decider, _leave_out(state, table)] += 1
                function = functions[state.decider]
                if function == _BY_PYTHON:
                    return True
                if function == _BY_KERNELS:
                    choice = _consider(states, tables, works[0])
                else:
                    choice = _ask_compiled(state, table, names, sights[0], function)
                    if choice < 0 or choice >= state.n_options:
                        return True
            phase = _take(state, table, choice)
    state.phase = phase
    _write_record(records[0], state, table)
    return False


@cached_kernel
def _deal_games(tables, seed, games, states, dealings, records):
    """Deal the games with these numbers.  Modifies states[0], dealings[0] and records."""
    for i in range(len(records)):
        _new_game(states[0], tables[0], seed, games[i], dealings[0])
        records[i].first_player = states[0].first_player
        for slot in range(DEALT):
            records[i].cards[slot] = states[0].card[slot]
