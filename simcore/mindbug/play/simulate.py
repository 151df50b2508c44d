"""The public door of the Mindbug engine: many games at once."""

import threading
from contextlib import nullcontext

import numpy as np
import numpy.typing as npt

from simcore.arrays import Integers, Records
from simcore.checks import room_for
from simcore.mindbug.play.engine import (
    PLAY,
    SAMPLE,
    _deal_games,
    _play_games,
    _play_plain_games,
    _play_to_function,
    run_task,
)
from simcore.mindbug.play.own_view import SIGHT, names_of
from simcore.mindbug.players.look_ahead import N_STATES
from simcore.mindbug.players.search import SEARCH
from simcore.mindbug.players.seats import seat
from simcore.mindbug.table.card_table import CARD_TABLE, CardTable
from simcore.mindbug.table.records import DEAL_RECORD, GAME_RECORD
from simcore.mindbug.table.state import DEALING, GAME_STATE
from simcore.mindbug.table.unknown_words import check_words
from simcore.own_seats import BY_PYTHON, OwnRows

_NO_GAMES = np.zeros(0, np.int64)
_one_at_a_time = threading.Lock()
# Games that are dealt at once to find those with a card.
_DEALT_AT_ONCE = 16_384


def play_games(
    table: CardTable,
    *,
    n_games: int,
    seed: int = 0,
    first_game: int = 0,
    policies: tuple[str, str] = ("random", "random"),
    out: Records | None = None,
    limits: npt.NDArray[np.int32] | None = None,
) -> Records:
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
    out = room_for(n_games, first_game, seed, GAME_RECORD, out)
    if limits is not None and (limits.shape != (n_games, 2, 3) or limits.dtype != np.int32):
        raise ValueError(f"limits must be int32 {(n_games, 2, 3)}, not {limits.shape}")
    numbers = np.arange(first_game, first_game + n_games)
    return play_rows(seat(table, policies), seed=seed, games=numbers, out=out, limits=limits)


def play_rows(
    rows: Records,
    *,
    seed: int,
    games: Integers,
    out: Records | None = None,
    limits: npt.NDArray[np.int32] | None = None,
) -> Records:
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
        run_task(
            PLAY,
            rows,
            states,
            dealings=dealings,
            works=works,
            limits=limits,
            records=out,
            seed=seed,
            games=games,
        )
    else:
        play = _play_plain_games if rows[0]["plain"] else _play_games
        play(rows, np.int64(seed), games, states, dealings, out)
    check_words(states)
    return out


def _play_with_functions(
    rows: OwnRows, seed: int, games: Integers, out: Records, limits: npt.NDArray[np.int32] | None
) -> Records:
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


def deal_games(table: CardTable, *, seed: int, games: Integers) -> Records:
    """Deal the games with these numbers, without playing them: an array (n,) of DEAL_RECORD."""
    deals = np.zeros(len(games), DEAL_RECORD)
    states, dealings = np.zeros(1, GAME_STATE), np.zeros(1, DEALING)
    _deal_games(table.rows, np.int64(seed), games, states, dealings, deals)
    check_words(states)
    return deals


def games_dealt(table: CardTable, card_id: str, *, seed: int, n_games: int) -> Integers:
    """The numbers of the first games of a seed in which somebody is dealt a card, (n_games,)."""
    row = [card.card_id for card in table.cards].index(card_id)
    found: list[Integers] = []
    first = 0
    while sum(map(len, found)) < n_games:
        games = np.arange(first, first + _DEALT_AT_ONCE)
        deals = deal_games(table, seed=seed, games=games)
        found.append(games[(deals["cards"] == row).any(axis=1)])
        first += _DEALT_AT_ONCE
    return np.concatenate(found)[:n_games]


def sample_games(
    rows: Records, *, seed: int, games: Integers, out: Records, whose: int = -1
) -> None:
    """Play games between players who are seated (`players.seat`) and fill ``out``: (n,) of SAMPLES.

    ``games`` are their numbers, shape (n,); ``whose`` positions are kept, those of either player
    for -1.
    """
    states, dealings = np.zeros(N_STATES, GAME_STATE), np.zeros(1, DEALING)
    run_task(
        SAMPLE,
        rows,
        states,
        dealings=dealings,
        works=np.zeros(1, SEARCH),
        samples=out,
        seed=seed,
        games=games,
        number=whose,
    )
    check_words(states)


def compile_engine(*, plain: bool) -> None:
    """Compile what `play_games` calls for players who do not think, for plain pools or for any."""
    states, dealings = np.zeros(1, GAME_STATE), np.zeros(1, DEALING)
    play = _play_plain_games if plain else _play_games
    play(np.zeros(1, CARD_TABLE), 0, _NO_GAMES, states, dealings, np.zeros(0, GAME_RECORD))


def compile_considered() -> None:
    """Compile what plays single games, and what `play_games` calls for players who search."""
    run_task(PLAY, np.zeros(1, CARD_TABLE), np.zeros(1, GAME_STATE))


def compile_with_functions() -> None:
    """Compile what `play_games` calls for players who are functions."""
    states, dealings = np.zeros(N_STATES, GAME_STATE), np.zeros(1, DEALING)
    tables, works = np.zeros(3, CARD_TABLE), np.zeros(1, SEARCH)
    limits, records = np.zeros((0, 2, 3), np.int32), np.zeros(0, GAME_RECORD)
    arrays = states, dealings, works, limits, records
    asked = np.zeros(2, np.uint64), np.zeros(0, np.int64), np.zeros(1, SIGHT)
    _play_to_function(tables, np.int64(0), _NO_GAMES, *arrays, *asked, np.int64(-1))
