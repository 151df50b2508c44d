"""Positions for a network to learn from: what they had, and what they turned out to be worth."""

import numpy as np

from simcore.jit import inline_kernel
from simcore.logistic import _logistic
from simcore.mindbug.players.hidden_cards import _hidden_slots
from simcore.mindbug.players.position_features import _list_rows
from simcore.mindbug.players.search import _consider
from simcore.mindbug.rules.new_game import _look_up, _new_game
from simcore.mindbug.rules.turn import _perform, _take
from simcore.mindbug.table.state import Decision, Phase
from simcore.random_streams import DEAL, _random_below

#: Rows that are kept of a position; one that has more is not learned from.
MOST_ROWS = 80
#: Positions that are kept of a game.
MOST_SAMPLES = 48
# Turns whose thoughts are kept; what comes later counts as one turn.
_MOST_TURNS = 256
# How far outcomes count: of what a player thinks after looking ahead, this share is what they think
# a turn later, and so on to the end of the game (the lambda of temporal differences).
_LAMBDA = 0.85

#: Samples of a game, an axis of MOST_SAMPLES.
SAMPLES = np.dtype(
    [
        ("active", np.uint16, (MOST_SAMPLES, MOST_ROWS)),  # see position_features.py
        ("n", np.int16, (MOST_SAMPLES,)),  # rows, 0 = no sample
        ("worth", np.float32, (MOST_SAMPLES,)),  # share of the game that is won from there
    ]
)


@inline_kernel
def _sample_each(states, tables, work, samples, dealing, seed, games, whose):
    """Play games; keep positions at the start of turns as each player sees them.

    ``whose`` is the player who sees them, -1 for both.  The other's last draw is hidden from a
    player who judges how a turn has ended, so it is here.  Of a long game positions are drawn at
    random.  Modifies all but tables and games.
    """
    state, table = states[0], tables[0]
    hidden = np.zeros(2, np.uint64)
    seats, turns = np.zeros(MOST_SAMPLES, np.int64), np.zeros(MOST_SAMPLES, np.int64)
    thoughts = np.zeros(_MOST_TURNS)
    for i in range(len(games)):
        sample = samples[i]
        _new_game(state, table, seed, games[i], dealing)
        _look_up(state, table)
        seen, turn, last, begins = np.int64(0), np.int64(-1), np.int64(-1), False
        for empty in range(MOST_SAMPLES):
            sample.n[empty] = 0
        for player in range(2):
            hidden[player] = _hidden_slots(state, player)
        phase = Phase.START_TURN
        while phase != Phase.OVER:
            if phase == Phase.ACTION and state.turn != turn:
                turn, begins = state.turn, True
                last = min(last + 1, np.int64(_MOST_TURNS - 1))
                thoughts[last] = np.nan
                for me in range(2):
                    if whose != 1 - me:
                        unseen = _hidden_slots(state, me) if me == state.active else hidden[me]
                        place = _keep(state, table, work, sample, me, unseen, seen)
                        seen += 1
                        if place < MOST_SAMPLES:
                            seats[place], turns[place] = me, last
                for player in range(2):
                    hidden[player] = _hidden_slots(state, player)
            phase = _perform(state, table, phase)
            if phase == Phase.PAUSE:
                option = np.int64(0)
                if state.n_options > 1:
                    option = _consider(states, tables, work)
                    if begins:
                        thoughts[last] = _thought(state, table, option)
                begins = False
                phase = _take(state, table, option)
        _say_worth(
            sample, thoughts[: last + 1], seats, turns, min(seen, MOST_SAMPLES), state.winner
        )


@inline_kernel
def _keep(state, table, work, sample, me, hidden, seen):
    """Keep the position as ``me`` sees it; its place, MOST_SAMPLES if it is not kept.

    Of those ``seen`` before and this one each is as likely to be kept (Vitter 1985, "Random
    sampling with a reservoir").  Modifies sample, work and the random numbers and notes of state.
    """
    place = seen if seen < MOST_SAMPLES else np.int64(_random_below(state.streams, DEAL, seen + 1))
    if place < MOST_SAMPLES:
        n = _list_rows(state, table, me, hidden, work.active)
        sample.n[place] = n if n <= MOST_ROWS else 0
        for row in range(sample.n[place]):
            sample.active[place, row] = work.active[row]
    return min(place, MOST_SAMPLES)


@inline_kernel
def _thought(state, table, option):
    """The share that player 0 wins, as who has just chosen an option judges it; NaN for none."""
    # After a mistake all points but the first are those of an earlier decision.
    if table.levels[state.decider] == 0 or state.decision != Decision.ACTION:
        return np.nan
    share = _logistic(state.points[option]) if not np.isnan(state.points[0]) else np.nan
    return share if state.decider == 0 else 1.0 - share


@inline_kernel
def _say_worth(sample, thoughts, seats, turns, n, winner):
    """Fill the worth of ``n`` positions, from the end of the game on [1]_.  Modifies sample.

    ``thoughts`` has the share that player 0 wins as it was judged in each turn, NaN for no thought;
    ``seats`` and ``turns`` say who saw each position, and when.

    References
    ----------
    .. [1] R. S. Sutton, "Learning to predict by the methods of temporal differences", Machine
       Learning 3, 1988.
    """
    worth = 0.5 if winner < 0 else np.float64(winner == 0)
    for turn in range(len(thoughts) - 1, -1, -1):
        if not np.isnan(thoughts[turn]):
            worth = _LAMBDA * worth + (1.0 - _LAMBDA) * thoughts[turn]
        for place in range(n):
            if turns[place] == turn:
                sample.worth[place] = worth if seats[place] == 0 else 1.0 - worth
