"""Learning from play how good a position is: logistic regression of who won on what it had."""

from collections.abc import Sequence

import numpy as np

from simcore.mice_and_mystics.play.engine import SAMPLE, _run
from simcore.mice_and_mystics.players.search import N_STATES, SEARCH
from simcore.mice_and_mystics.players.seats import seat
from simcore.mice_and_mystics.players.weights import Weights
from simcore.mice_and_mystics.table.records import GAME_RECORD, Outcome
from simcore.mice_and_mystics.table.state import GAME_STATE
from simcore.mice_and_mystics.table.table import Table
from simcore.mice_and_mystics.table.unknown_words import check_words
from simcore.mice_and_mystics.table.weight_names import POSITION
from simcore.training import FIRST_GAME, with_positions


def fit_positions(tables: Sequence[Table], weights: Weights, *, n_games: int, seed: int) -> Weights:
    """The same weights, with those of positions fitted to games of the player ``learned``.

    ``n_games`` are played with each table, and one position of each counts.
    """
    described, won = [], []
    for table in tables:
        rows = seat(table, ("learned",))
        rows[0]["players"]["weights"] = weights
        states, games = np.zeros(N_STATES, GAME_STATE), np.zeros(n_games, GAME_RECORD)
        works = np.zeros(n_games, SEARCH)
        _run(SAMPLE, states, rows, games, works, np.int64(seed), np.int64(FIRST_GAME))
        check_words(states)
        described.append(works["features"])
        won.append(games["outcome"] == Outcome.WIN)
    seen, wins = np.concatenate(described), np.concatenate(won).astype(float)
    spread = np.sqrt((seen**2).mean(axis=0))
    return with_positions(weights, POSITION, seen, wins, spread=spread, ridge=1e-5)
