"""Positions for a network to learn from: what they had, who won, and what the player thought."""

import numpy as np

from simcore.jit import inline_kernel
from simcore.mindbug.players.hidden_cards import _hidden_slots
from simcore.mindbug.players.position_features import MAX_ACTIVE, _list_features
from simcore.mindbug.players.search import _consider
from simcore.mindbug.rules.new_game import _look_up, _new_game
from simcore.mindbug.rules.turn import _perform, _take
from simcore.mindbug.table.state import Decision, Phase
from simcore.random_streams import DEAL, _random_below

#: Features that are kept of a position; one that has more is not learned from.
MOST_FEATURES = 120
#: Positions that are kept of a game.
MOST_SAMPLES = 12

#: Samples of a game, an axis of MOST_SAMPLES.
SAMPLES = np.dtype(
    [
        ("active", np.uint16, (MOST_SAMPLES, MOST_FEATURES)),  # see position_features.py
        ("n", np.int16, (MOST_SAMPLES,)),  # features, 0 = no sample
        ("won", np.float32, (MOST_SAMPLES,)),  # by the player who sees it; half for a draw
        ("thought", np.float32, (MOST_SAMPLES,)),  # their log odds after thinking, NaN for none
    ]
)


@inline_kernel
def _sample_each(states, tables, work, samples, dealing, seed, games, whose):
    """Play games; keep positions at the start of turns as one player sees them.

    ``whose`` is that player, -1 for either.  The other's last draw is hidden from a player who
    judges how a turn has ended, so it is here.  Of a long game positions are drawn at random.
    Modifies all but tables and games.
    """
    state, table = states[0], tables[0]
    hidden, seats = np.zeros(2, np.uint64), np.zeros(MOST_SAMPLES, np.int64)
    features = np.zeros(MAX_ACTIVE, np.int32)
    for i in range(len(games)):
        sample = samples[i]
        _new_game(state, table, seed, games[i], dealing)
        _look_up(state, table)
        seen, turn, waiting = np.int64(0), np.int64(-1), np.int64(-1)
        for empty in range(MOST_SAMPLES):
            sample.n[empty] = 0
        for player in range(2):
            hidden[player] = _hidden_slots(state, player)
        phase = Phase.START_TURN
        while phase != Phase.OVER:
            if phase == Phase.ACTION and state.turn != turn:
                turn, waiting = state.turn, np.int64(-1)
                me = whose if whose >= 0 else np.int64(_random_below(state.streams, DEAL, 2))
                place = (
                    seen if seen < MOST_SAMPLES else _random_below(state.streams, DEAL, seen + 1)
                )
                seen += 1
                if place < MOST_SAMPLES:
                    unseen = _hidden_slots(state, me) if me == state.active else hidden[me]
                    n = _list_features(state, table, me, unseen, work.active, features)
                    sample.n[place] = n if n <= MOST_FEATURES else 0
                    for feature in range(sample.n[place]):
                        sample.active[place, feature] = features[feature]
                    sample.thought[place] = np.nan
                    seats[place] = me
                    waiting = place if me == state.active else waiting
                for player in range(2):
                    hidden[player] = _hidden_slots(state, player)
            phase = _perform(state, table, phase)
            if phase == Phase.PAUSE:
                option = np.int64(0)
                if state.n_options > 1:
                    option = _consider(states, tables, work)
                    thinks = table.levels[state.decider] > 0
                    # After a mistake all points but the first are those of an earlier decision.
                    thought = thinks and not np.isnan(state.points[0])
                    if waiting >= 0 and thought and state.decision == Decision.ACTION:
                        sample.thought[waiting] = state.points[option]
                waiting = np.int64(-1)
                phase = _take(state, table, option)
        for kept in range(MOST_SAMPLES):
            sample.won[kept] = 0.5 if state.winner < 0 else state.winner == seats[kept]
