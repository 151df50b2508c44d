"""The best of several options: the one with the most points, the first of those.

A player fills ``state.points``, which can be shown to people, and `_best_option` picks from them.
``greedy``, who counts in whole points, keeps the highest rank while counting instead: looking at
all options a second time would cost it a twentieth of its speed.
"""

import numpy as np

from simcore.jit import inline_kernel

_STEP = 256  # between the ranks of one point and the next: a power of 2, more than options
#: Lower than the rank of any option.
NO_RANK = np.int64(np.iinfo(np.int64).min)


@inline_kernel
def _rank(points, option):
    """One number for an option with whole points: the best option has the highest."""
    return points * _STEP - option


@inline_kernel
def _option_of(rank):
    """The option that has a rank."""
    return -rank & (_STEP - 1)


@inline_kernel
def _best_option(state):
    """The option with the most points, the first of several; 0 where they are not compared."""
    best, most = np.int64(0), state.points[0]
    for option in range(1, state.n_options):
        if state.points[option] > most:
            best, most = np.int64(option), state.points[option]
    return best


@inline_kernel
def _score_alike(state):
    """The options are not compared: no number is more than NaN.  Modifies ``points`` of state."""
    state.points[0] = np.nan


@inline_kernel
def _score_yes(state, points):
    """No (0) gains nothing, yes (1) some points.  Modifies ``points`` of state."""
    state.points[0] = 0.0
    state.points[1] = points


@inline_kernel
def _score_fixed(state):
    """Options that name no card, as to stop, gain nothing; how many there are.

    Modifies ``points`` of state.
    """
    for option in range(state.fixed_options):
        state.points[option] = 0.0
    return np.int64(state.fixed_options)
