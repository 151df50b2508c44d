"""Policies: each picks one of the entries that are offered at a decision.

A policy is a kernel that fills ``state.points`` or draws an entry; it reads the game and draws from
the stream CHOICES, and changes nothing else.  To add one: write the kernel, give it a branch in
``_choose`` and a line in ``registry.POLICIES``.  Who plays which mouse stands in the table
(``seats.py``).
"""

import numpy as np

from simcore.jit import inline_kernel, kernel
from simcore.mice_and_mystics.players.choosing import (
    _choose_best,
    _choose_by_category,
    _choose_uniformly,
)
from simcore.mice_and_mystics.players.heuristic import _score_as_heuristic
from simcore.mice_and_mystics.players.learned import _score_as_learned
from simcore.mice_and_mystics.players.registry import POLICIES
from simcore.mice_and_mystics.table.masks import numbers
from simcore.mice_and_mystics.table.state import CHOICES
from simcore.mice_and_mystics.table.unknown_words import A_POLICY, _unknown
from simcore.random_streams import _random_below

#: What a share of decisions is counted in.
CERTAIN = np.int64(1 << 32)
_UNIFORM, _CATEGORY, _HEURISTIC, _LEARNED, _SEARCH = numbers(len(POLICIES))


@inline_kernel
def _is_careless(state, player):
    """Whether noise decides now; draws a number for it if there is any.  Modifies state."""
    return player.noise != 0 and _random_below(state.streams, CHOICES, CERTAIN) < player.noise


@kernel
def _choose(state, table):
    """Number of the entry that the decider's player picks of two or more.

    One who searches picks as ``learned`` does here; ``search.py`` has the rest.  Modifies the
    stream CHOICES and the points of the state.
    """
    player = table.players[state.decider]
    if player.policy == _CATEGORY or _is_careless(state, player):
        return _choose_by_category(state)
    if player.policy == _UNIFORM:
        return _choose_uniformly(state)
    if player.policy == _HEURISTIC:
        _score_as_heuristic(state, table)
    elif player.policy == _LEARNED or player.policy == _SEARCH:
        _score_as_learned(state, table)
    else:
        _unknown(state, A_POLICY, player.policy)
        return _choose_uniformly(state)
    return _choose_best(state)
