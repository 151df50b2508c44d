"""The public door of the engine: many games at once."""

import threading
from collections.abc import Sequence

import numpy as np

from simcore.arrays import Records
from simcore.checks import room_for
from simcore.mice_and_mystics.play.engine import BEGIN, CHOOSE, PLAY, STEP, _run
from simcore.mice_and_mystics.players.search import N_STATES, SEARCH
from simcore.mice_and_mystics.players.seats import seat
from simcore.mice_and_mystics.table.records import GAME_RECORD
from simcore.mice_and_mystics.table.state import GAME_STATE
from simcore.mice_and_mystics.table.table import TABLE, Table
from simcore.mice_and_mystics.table.unknown_words import check_words
from simcore.mice_and_mystics.table.words import RUNNING
from simcore.own_code import OwnCodeError
from simcore.own_seats import OwnRows

_one_at_a_time = threading.Lock()


def play_games(
    table: Table,
    *,
    n_games: int,
    seed: int = 0,
    first_game: int = 0,
    players: Sequence[str] = ("uniform",),
    out: Records | None = None,
) -> Records:
    """Play games ``first_game`` … ``first_game + n_games - 1`` of a seed in one thread.

    Releases the GIL, so that several threads can play different games of a run.

    Parameters
    ----------
    table
        The compiled facts.
    n_games, first_game, seed
        Which games: game i of a seed is the same game in any call.
    players
        Who decides: one player for all mice.
    out
        Array (n_games,) of GAME_RECORD to fill instead of a new one.

    Returns
    -------
    Array (n_games,) of GAME_RECORD.

    Raises
    ------
    ValueError
        For a negative number, a seed outside 0 … 2**63 - 1, an unknown player, or an ``out`` of
        another shape.
    EngineError
        If something in the facts cannot be performed.
    """
    out = room_for(n_games, first_game, seed, GAME_RECORD, out)
    return play_rows(seat(table, tuple(players)), seed=seed, first_game=first_game, out=out)


def play_rows(rows: Records, *, seed: int, first_game: int, out: Records) -> Records:
    """`play_games` for rows that `players.seats.seat` has made, without its checks."""
    out[...] = np.zeros((), GAME_RECORD)
    if isinstance(rows, OwnRows):
        return _play_with_functions(rows, seed, first_game, out)
    states, works = np.zeros(N_STATES, GAME_STATE), np.zeros(1, SEARCH)
    _run(PLAY, states, rows, out, works, np.int64(seed), np.int64(first_game))
    check_words(states)
    return out


def _play_with_functions(rows: OwnRows, seed: int, first_game: int, out: Records) -> Records:
    """`play_rows` where functions of a person's own choose; all else is done by the engine.

    They are asked one at a time, whatever the thread: they need not be made for several.  Raises
    what they raise.
    """
    tables = rows.view(np.ndarray)
    states, works = np.zeros(N_STATES, GAME_STATE), np.zeros(1, SEARCH)
    state = states[0]
    with _one_at_a_time:
        for place in range(len(out)):
            arrays = states, tables, out[place : place + 1], works, np.int64(seed)
            _run(BEGIN, *arrays, np.int64(first_game + place))
            while int(state["outcome"]) == RUNNING and not int(state["unknown"]):
                mouse = int(state["decider"])
                if rows.asks(mouse):
                    try:
                        option = rows.ask(mouse, states)
                    except OwnCodeError as error:
                        raise OwnCodeError(f"game {first_game + place}: {error}") from error
                else:
                    option = _run(CHOOSE, *arrays, np.int64(0))
                _run(STEP, *arrays, np.int64(option))
            check_words(states)
    return out


def with_replays(rows: Records, replays: int, fresh_from: int) -> Records:
    """Rows by which game i is replay i % ``replays`` of deal i // ``replays``.

    All replays of a deal have the same party, decks and starting abilities, and decisions of their
    own from there on.  Those before ``fresh_from`` share dice and draws too, as long as their games
    stay alike.  Replay 0 is the game that is played where each deal is played once.
    """
    rows = rows.copy()
    rows["replays"], rows["fresh_from"] = replays, fresh_from
    return rows


def compile_engine() -> None:
    """Compile the engine where that has not been done."""
    states, records = np.zeros(N_STATES, GAME_STATE), np.zeros(0, GAME_RECORD)
    tables, works = np.zeros(1, TABLE), np.zeros(1, SEARCH)
    _run(PLAY, states, tables, records, works, np.int64(0), np.int64(0))
