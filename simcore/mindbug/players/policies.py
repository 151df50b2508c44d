"""Policies: they pick an option number at a decision.

A policy is a kernel that fills ``state.points`` (``best_option.py``) or draws an option; it reads
the game and may draw private random numbers, but changes nothing else.  To add one: write a kernel
that gives options points, and give it a line in ``_think`` and one in ``POLICIES``
(``registry.py``, CONTRIBUTING.md).  Which player thinks how stands in the table (``seats.py``).
"""

from functools import cache

import numpy as np

from simcore.jit import _call_at, address_of, cached_kernel, inline_kernel, kernel, plain_kernel
from simcore.mindbug.players.best_option import _best_option
from simcore.mindbug.players.greedy import _choose_greedily
from simcore.mindbug.players.heuristic import _score_by_weights
from simcore.mindbug.players.registry import POLICIES
from simcore.mindbug.table.card_table import CARD_TABLE
from simcore.mindbug.table.state import GAME_STATE
from simcore.random_streams import CHOICE, _random_below

_RANDOM, _GREEDY, *_ = range(len(POLICIES))
_CERTAIN = np.int64(1 << 32)


@inline_kernel
def _choose_random(state):
    """The reference policy: every option is equally likely (R120, R121)."""
    return _random_below(state.streams, CHOICE + state.decider, state.n_options)


@inline_kernel
def _choose_carelessly(state):
    """A mistake: every option is equally likely, and nothing was thought of them."""
    state.points[0] = np.nan
    return _choose_random(state)


@inline_kernel
def _errs(state, table):
    """Whether the decider makes a random mistake now; draws a private random number for it."""
    mistakes = table.mistakes[state.decider]
    if mistakes == 0:
        return False
    return _random_below(state.streams, CHOICE + state.decider, _CERTAIN) < mistakes


@kernel
def _think(state, table):
    """Option chosen by a policy that thinks, but for its share of mistakes."""
    if _errs(state, table):
        return _choose_carelessly(state)
    if table.policy[state.decider] == _GREEDY:
        return _choose_greedily(state, table)
    _score_by_weights(state, table, state.decider)
    return _best_option(state)


@cached_kernel
def _think_of_any(state, table):
    """`_think` for any pool, compiled apart from the engines."""
    return _think(state, table)


@plain_kernel
def _think_plainly(state, table):
    """`_think` for a pool that has no expansion features."""
    return _think(state, table)


@cache
def thinking(plain: bool) -> int:
    """Where the code of ``_think`` is for a pool, ``plain`` or any; compiles it where needed."""
    return address_of(_think_plainly if plain else _think_of_any, GAME_STATE, CARD_TABLE)


@inline_kernel
def _choose(state, table):
    """Option that the decider's policy chooses at the present decision."""
    if table.policy[np.uint64(state.decider)] == _RANDOM:  # unsigned, see random_streams
        return _choose_random(state)
    return _call_at(table.thinking, state, table)
