"""Learning from play how good a position is: logistic regression of who won on what it had."""

from collections.abc import Sequence

import numpy as np

from simcore.jit import cached_kernel
from simcore.mindbug.players.play_out import _answer
from simcore.mindbug.players.position_points import _describe_position
from simcore.mindbug.players.seats import seat, seat_weights
from simcore.mindbug.players.weights import Weights
from simcore.mindbug.rules.new_game import _new_game
from simcore.mindbug.rules.turn import _perform, _take
from simcore.mindbug.table.card_table import CardTable
from simcore.mindbug.table.state import DEALING, GAME_STATE, Phase
from simcore.mindbug.table.unknown_words import check_words
from simcore.mindbug.table.weight_names import POSITION
from simcore.random_streams import DEAL, _random_below
from simcore.training import FIRST_GAME, with_positions


@cached_kernel
def _sample_positions(tables, seed, first_game, states, dealings, features, score):
    """Play games; of each, one turn action taken at random: what the position had, and who won.

    Modifies states, dealings, features (one row a game) and score, of the player whose turn it is
    in even games, of the other one in odd games.
    """
    state, table = states[0], tables[0]
    for i in range(len(features)):
        _new_game(state, table, seed, first_game + i, dealings[0])
        phase = Phase.START_TURN
        seen = player = np.int64(0)
        while phase != Phase.OVER:
            if phase == Phase.ACTION:
                seen += 1
                if _random_below(state.streams, DEAL, seen) == 0:
                    player = (state.active + i) & 1
                    _describe_position(state, table, player, features[i])
            phase = _perform(state, table, phase)
            if phase == Phase.PAUSE:
                phase = _take(state, table, _answer(state, table))
        score[i] = 0.5 if state.winner < 0 else np.float64(state.winner == player)


def fit_positions(
    tables: Sequence[CardTable], weights: Weights, *, n_games: int, seed: int
) -> Weights:
    """The same weights, with those of positions fitted to games in which they play both sides.

    ``n_games`` are played with each table, and one position of each counts.
    """
    described, scores = [], []
    for table in tables:
        rows = seat(table, ("heuristic", "heuristic"))
        for place in range(2):
            seat_weights(table, rows, place, weights)
        features, score = np.zeros((n_games, len(POSITION))), np.zeros(n_games)
        states, dealings = np.zeros(1, GAME_STATE), np.zeros(1, DEALING)
        games = np.int64(seed), np.int64(FIRST_GAME)
        _sample_positions(rows, *games, states, dealings, features, score)
        check_words(states)
        described.append(features)
        scores.append(score)
    seen, won = np.concatenate(described), np.concatenate(scores)
    return with_positions(weights, POSITION, seen, won, spread=seen.std(axis=0), ridge=1e-4)
