"""Checks of the numbers by which an engine is asked for games, and one game for a choice."""

import operator
from typing import SupportsIndex

import numpy as np

from simcore.arrays import Records
from simcore.random_streams import check_seed


def check_game(seed: int, game: int) -> None:
    """Refuse a seed, or a number of a game, that there cannot be.  Raises ValueError."""
    check_seed(seed)
    if not 0 <= game < 2**63:
        raise ValueError(f"game is {game}; it must be 0 to 2**63 - 1")


def checked_seed(seed: SupportsIndex) -> int:
    """The seed of a run as an int.  Raises ValueError for what is no whole number, or too large."""
    if isinstance(seed, bool) or not hasattr(seed, "__index__"):
        raise ValueError(f"seed is {seed!r}; it must be a whole number from 0 to 2**63 - 1")
    check_seed(operator.index(seed))
    return operator.index(seed)


def checked_option(option: int, n_options: int, *, over: bool) -> int:
    """The number of an option, if it is one of ``n_options``; a game that is ``over`` has none.

    Raises ValueError for one that is not offered, TypeError for what is not a whole number.
    """
    if over:
        raise ValueError("the game is over: there is nothing to choose")
    option = operator.index(option)
    if not 0 <= option < n_options:
        raise ValueError(f"option {option} is not offered; options are 0 to {n_options - 1}")
    return option


def room_for(
    n_games: int, first_game: int, seed: int, record: np.dtype, out: Records | None
) -> Records:
    """Room for the records of games, (n_games,): ``out``, or new.

    Raises ValueError for a number that cannot be, and for an ``out`` of another shape.
    """
    if n_games < 0 or first_game < 0:
        raise ValueError(f"n_games is {n_games}, first_game {first_game}; neither may be negative")
    check_seed(seed)
    if out is None:
        out = np.zeros(n_games, record)
    if out.shape != (n_games,) or out.dtype != record:
        raise ValueError(f"out must be {n_games} rows of GAME_RECORD, not {out.shape} {out.dtype}")
    return out
