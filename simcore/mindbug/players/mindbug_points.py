"""When to use a Mindbug, in points: for players who think by weights.

A Mindbug is used on what swings more points than a reserve; so a player who plays a card asks the
same about the opponent.  The table must have been looked at (``evaluation.py``).
"""

import numpy as np

from simcore.jit import inline_kernel, kernel
from simcore.mindbug.players.evaluation import _weight, _worth
from simcore.mindbug.players.fights import _stopped_by
from simcore.mindbug.table.masks import NONE, _popcount
from simcore.mindbug.table.weight_names import place_of

_UNBLOCKED = place_of("threat.unblocked_1")
_RESERVE, _LAST_MINDBUG = place_of("mindbug.reserve"), place_of("mindbug.last")
_TO_COME, _RESERVE_BEHIND = place_of("mindbug.to_come"), place_of("mindbug.behind")
_RESERVE_LIFE_1 = place_of("mindbug.life_1")
_RESERVE_LIFE_2 = place_of("mindbug.life_2")
_RESERVE_THEIR_LIFE = place_of("mindbug.their_life")
_SWING_WORTH, _SWING_THEIRS = place_of("mindbug.worth"), place_of("mindbug.theirs")
_SWING_MINE, _SWING_THREAT = place_of("mindbug.mine"), place_of("mindbug.threat")
_THEIRS_LEFT = place_of("mindbug.theirs_left")


@kernel
def _reserve(state, table, seat, player):
    """Points that a card must swing before a player spends a Mindbug on it."""
    opponent = 1 - player
    points = _weight(table, seat, _RESERVE)
    if state.mindbugs[player] == 1:
        points += _weight(table, seat, _LAST_MINDBUG)
    to_come = _popcount(state.hand[opponent] | state.draw_pile[opponent])
    points += to_come * _weight(table, seat, _TO_COME)
    behind = _popcount(state.play_area[opponent]) - _popcount(state.play_area[player])
    points += behind * _weight(table, seat, _RESERVE_BEHIND)
    if state.life[player] == 1:
        points += _weight(table, seat, _RESERVE_LIFE_1)
    elif state.life[player] == 2:
        points += _weight(table, seat, _RESERVE_LIFE_2)
    points += min(state.life[opponent], 9) * _weight(table, seat, _RESERVE_THEIR_LIFE)
    return points + state.mindbugs[opponent] * _weight(table, seat, _THEIRS_LEFT)


@inline_kernel
def _swing(state, table, seat, slot, player, theirs, mine):
    """Points that change sides if ``player`` takes the card that is played.

    ``theirs`` are the points of its Play ability for the opponent, who plays it, ``mine`` those for
    the player who may take it.
    """
    points = 2.0 * _worth(state, table, seat, slot) * _weight(table, seat, _SWING_WORTH)
    points += theirs * _weight(table, seat, _SWING_THEIRS)
    points += mine * _weight(table, seat, _SWING_MINE)
    passes = np.float64(_would_pass(state, table, slot, player))
    threat = _weight(table, seat, _UNBLOCKED + min(max(state.life[player], 1), 3) - 1)
    return points + passes * threat * _weight(table, seat, _SWING_THREAT)


@inline_kernel
def _would_pass(state, table, slot, player):
    """Whether no creature of a player could stop a card, were it in play against them."""
    return _stopped_by(state, table, slot, state.play_area[player], state.power) == NONE
