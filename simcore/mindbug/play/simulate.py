"""The public door of the Mindbug engine: many games at once."""

import threading
from contextlib import nullcontext

import numpy as np
import numpy.typing as npt

from simcore.jit import _lent, apart_kernel, cached_kernel, inline_kernel, kernel, plain_kernel
from simcore.mindbug.play.own_view import SIGHT, _ask_compiled, names_of
from simcore.mindbug.players.look_ahead import N_STATES, _look_ahead
from simcore.mindbug.players.play_out import _play_out
from simcore.mindbug.players.policies import _choose, _choose_carelessly, _errs
from simcore.mindbug.players.restrictions import _leave_out
from simcore.mindbug.players.search import SEARCH, _search
from simcore.mindbug.players.seats import seat
from simcore.mindbug.rules.new_game import _look_up, _new_game
from simcore.mindbug.rules.power_cards import _look_up_power_cards
from simcore.mindbug.rules.turn import _perform, _take
from simcore.mindbug.table.card_table import CARD_TABLE, CardTable
from simcore.mindbug.table.masks import NONE, ONE, _copy_words, _lowest
from simcore.mindbug.table.records import DEAL_RECORD, DEALT, GAME_RECORD
from simcore.mindbug.table.state import DEALING, GAME_STATE, Phase
from simcore.mindbug.table.unknown_words import check_words
from simcore.own_seats import BY_PYTHON, OwnRows
from simcore.random_streams import check_seed

_DEALT_CARDS = np.uint64((1 << DEALT) - 1)
_NO_GAMES = np.zeros(0, np.int64)
_BY_PYTHON = np.uint64(BY_PYTHON)
_BY_KERNELS = np.uint64(0)
_one_at_a_time = threading.Lock()


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


@cached_kernel
def _play_considered_games(tables, seed, games, states, dealings, works, limits, records):
    """`_play_games` with a player who searches or is restricted.

    For ``states`` and ``tables`` see search.py; ``limits`` are those of `play_games`.  Modifies all
    but tables and games.
    """
    state, table = states[0], tables[0]
    for i in range(len(records)):
        _new_game(state, table, seed, games[i], dealings[0])
        _look_up_power_cards(state)  # whose order is where the order that players imagine begins
        phase = Phase.START_TURN
        while phase != Phase.OVER:
            phase = _perform(state, table, phase)
            if phase == Phase.PAUSE:
                option = 0
                if state.n_options > 1:
                    state.decisions += 1
                    limits[i, state.decider, _leave_out(state, table)] += 1
                    option = _consider(_lent(states), _lent(tables), works[0])
                phase = _take(state, table, option)
        if state.unknown:
            return
        _write_record(records[i], state, table)


@kernel
def _consider(states, tables, work):
    """Option that the decider, who may search, chooses among those that are left.

    Modifies states and work.
    """
    state, table = states[0], tables[0]
    if state.n_options == 1:
        return 0
    simulations, levels = table.simulations[state.decider], table.levels[state.decider]
    if simulations == 0 and levels == 0:
        return _choose(state, table)
    if _errs(state, table):
        return _choose_carelessly(state)
    if levels > 0:
        return _look_ahead(states, tables, work)
    return _search(states, tables, work)


@cached_kernel
def _play_to_function(
    tables, seed, games, states, dealings, works, limits, records, functions, names, sights, option
):
    """Play games[0] on to the next decision that Python is asked for; whether there is one.

    ``option`` is what it chose at the last one, -1 to deal the game.  ``functions`` are
    `OwnRows.addresses`, ``names`` those of `names_of`, ``sights`` is work space, (1,) of SIGHT.
    Where compiled code answers what is no option, Python asks again, to say what is wrong.  The
    other arguments are those of `_play_considered_games`, for one game.  Modifies all but tables,
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


def play_games(
    table: CardTable,
    *,
    n_games: int,
    seed: int = 0,
    first_game: int = 0,
    policies: tuple[str, str] = ("random", "random"),
    out: npt.NDArray[np.void] | None = None,
    limits: npt.NDArray[np.int32] | None = None,
) -> npt.NDArray[np.void]:
    """Play games ``first_game`` … ``first_game + n_games - 1`` of a seed in one thread.

    Releases the GIL, so that several threads can play different games of a run.

    Parameters
    ----------
    table
        The compiled cards.
    n_games, first_game, seed
        Which games: game i of a seed is the same game in any call.
    policies
        Policy of player 0 and of player 1; who starts is decided game by game (R11).
    out
        Array (n_games,) of GAME_RECORD to fill instead of a new one.
    limits
        Array (n_games, 2, 3) to which is added how many decisions of each player their restrictions
        left as they were (FREE), narrowed (BARRED) or did not apply to (WAIVED).

    Returns
    -------
    Array (n_games,) of GAME_RECORD.

    Raises
    ------
    ValueError
        For a negative number, a seed outside 0 … 2**63 - 1, an unknown policy, or an ``out`` or
        ``limits`` of another shape.
    UnknownWordError
        If a card uses a word that no kernel performs.
    """
    if n_games < 0 or first_game < 0:
        raise ValueError(f"n_games is {n_games}, first_game {first_game}; neither may be negative")
    check_seed(seed)
    if out is None:
        out = np.zeros(n_games, GAME_RECORD)
    if out.shape != (n_games,) or out.dtype != GAME_RECORD:
        raise ValueError(f"out must be {n_games} rows of GAME_RECORD, not {out.shape} {out.dtype}")
    if limits is not None and (limits.shape != (n_games, 2, 3) or limits.dtype != np.int32):
        raise ValueError(f"limits must be int32 {(n_games, 2, 3)}, not {limits.shape}")
    numbers = np.arange(first_game, first_game + n_games)
    return play_rows(seat(table, policies), seed=seed, games=numbers, out=out, limits=limits)


def play_rows(
    rows: npt.NDArray[np.void],
    *,
    seed: int,
    games: npt.NDArray[np.int64],
    out: npt.NDArray[np.void] | None = None,
    limits: npt.NDArray[np.int32] | None = None,
) -> npt.NDArray[np.void]:
    """`play_games` for rows that `players.seat` has made and any games, without its checks.

    ``games`` are the numbers of the games, shape (n,).  Returns an array (n,) of GAME_RECORD.
    """
    if out is None:
        out = np.zeros(len(games), GAME_RECORD)
    if isinstance(rows, OwnRows):
        return _play_with_functions(rows, seed, games, out, limits)
    states, dealings = np.zeros(1, GAME_STATE), np.zeros(1, DEALING)
    considered = any(rows[0][name].any() for name in ("simulations", "levels", "forbidden"))
    if considered or limits is not None:
        states, works = np.zeros(N_STATES, GAME_STATE), np.zeros(1, SEARCH)
        if limits is None:
            limits = np.zeros((len(games), 2, 3), np.int32)
        _play_considered_games(rows, np.int64(seed), games, states, dealings, works, limits, out)
    else:
        play = _play_plain_games if rows[0]["plain"] else _play_games
        play(rows, np.int64(seed), games, states, dealings, out)
    check_words(states)
    return out


def _play_with_functions(
    rows: OwnRows,
    seed: int,
    games: npt.NDArray[np.int64],
    out: npt.NDArray[np.void],
    limits: npt.NDArray[np.int32] | None,
) -> npt.NDArray[np.void]:
    """`play_rows` where functions of a person's own choose; everything else is played by kernels.

    Those that are not compiled are asked one at a time, whatever the thread: they need not be made
    for several.  Raises what they raise.
    """
    tables, functions, names = rows.view(np.ndarray), rows.addresses, names_of(rows.table)
    states, dealings = np.zeros(N_STATES, GAME_STATE), np.zeros(1, DEALING)
    works, sights = np.zeros(1, SEARCH), np.zeros(1, SIGHT)
    if limits is None:
        limits = np.zeros((len(games), 2, 3), np.int32)
    with _one_at_a_time if BY_PYTHON in functions else nullcontext():
        for row in range(len(games)):
            one, option = slice(row, row + 1), -1
            arrays = states, dealings, works, limits[one], out[one], functions, names, sights
            while _play_to_function(tables, np.int64(seed), games[one], *arrays, np.int64(option)):
                option = rows.ask(int(states[0]["decider"]), states)
            check_words(states)
    return out


def deal_games(
    table: CardTable, *, seed: int, games: npt.NDArray[np.int64]
) -> npt.NDArray[np.void]:
    """Deal the games with these numbers, without playing them: an array (n,) of DEAL_RECORD."""
    deals = np.zeros(len(games), DEAL_RECORD)
    states, dealings = np.zeros(1, GAME_STATE), np.zeros(1, DEALING)
    _deal_games(table.rows, np.int64(seed), games, states, dealings, deals)
    check_words(states)
    return deals


def compile_engine() -> None:
    """Compile what `play_games` calls for any pool, where that has not been done.

    Both engines consist of the same inner kernels: the second takes a tenth of the time of the
    first, but only in one go.
    """
    for play in (_play_games, _play_plain_games):
        states, dealings = np.zeros(1, GAME_STATE), np.zeros(1, DEALING)
        play(np.zeros(1, CARD_TABLE), 0, _NO_GAMES, states, dealings, np.zeros(0, GAME_RECORD))


def compile_considered() -> None:
    """Compile what `play_games` calls for players who search or are restricted."""
    states, dealings = np.zeros(N_STATES, GAME_STATE), np.zeros(1, DEALING)
    tables, works = np.zeros(3, CARD_TABLE), np.zeros(1, SEARCH)
    limits, records = np.zeros((0, 2, 3), np.int32), np.zeros(0, GAME_RECORD)
    _play_considered_games(tables, 0, _NO_GAMES, states, dealings, works, limits, records)


def compile_with_functions() -> None:
    """Compile what `play_games` calls for players who are functions."""
    states, dealings = np.zeros(N_STATES, GAME_STATE), np.zeros(1, DEALING)
    tables, works = np.zeros(3, CARD_TABLE), np.zeros(1, SEARCH)
    limits, records = np.zeros((0, 2, 3), np.int32), np.zeros(0, GAME_RECORD)
    arrays = states, dealings, works, limits, records
    asked = np.zeros(2, np.uint64), np.zeros(0, np.int64), np.zeros(1, SIGHT)
    _play_to_function(tables, np.int64(0), _NO_GAMES, *arrays, *asked, np.int64(-1))
