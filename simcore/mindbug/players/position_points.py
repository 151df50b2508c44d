"""Positions as a whole: what a player has more than the other, and who will win.

Search judges the ends of its simulations by this; training fits the weights.
"""

import numpy as np

from simcore.jit import kernel
from simcore.mindbug.players.evaluation import (
    _blockers_of,
    _evaluate,
    _find_blockers,
    _look,
    _weight,
)
from simcore.mindbug.rules.powers import _in_play
from simcore.mindbug.table.masks import NONE, ONE, _between, _lowest, _popcount
from simcore.mindbug.table.state import POISONOUS
from simcore.mindbug.table.weight_names import place_of

_MOST = np.int16(np.iinfo(np.int16).max)
_CREATURES, _MINDBUGS = place_of("position.creatures"), place_of("position.mindbugs")
_HAND, _DRAW_PILE = place_of("position.hand"), place_of("position.draw_pile")
_ENERGY_LEFT, _TURN = place_of("position.energy"), place_of("position.turn")


@kernel
def _describe_position(state, table, seat, features):
    """The features of a position for player ``seat``, less those for the opponent.

    Fills ``features`` in the order of the weights ``position.…`` and makes the table readable.
    """
    _look(state, table, seat)
    _evaluate(state, table, seat, _in_play(state))
    _find_blockers(state, table)
    for i in range(len(features)):
        features[i] = 0.0
    for player in range(2):
        sign = 1.0 if player == seat else -1.0
        left = state.play_area[player]
        while left != NONE:
            slot = _lowest(left)
            left &= left - ONE
            features[0] += sign * state.value[slot]
            stopping = _between(state.power, state.power[slot], _MOST) | state.has[POISONOUS]
            if stopping & _blockers_of(state, table, slot) == NONE:  # were it not TOUGH
                features[1] += sign
        features[1 + min(max(state.life[player], 1), 4)] += sign
        features[_MINDBUGS - _CREATURES] += sign * state.mindbugs[player]
        features[_HAND - _CREATURES] += sign * _popcount(state.hand[player])
        features[_DRAW_PILE - _CREATURES] += sign * _popcount(state.draw_pile[player])
        features[_ENERGY_LEFT - _CREATURES] += sign * state.energy[player]
    features[_TURN - _CREATURES] = 1.0 if state.active == seat else -1.0


@kernel
def _judge_position(state, table, seat, features):
    """Log odds that player ``seat`` wins from here.  Modifies ``features``, which is work space."""
    _describe_position(state, table, seat, features)
    points = 0.0
    for i in range(len(features)):
        points += features[i] * _weight(table, seat, _CREATURES + i)
    return points / 1000.0
