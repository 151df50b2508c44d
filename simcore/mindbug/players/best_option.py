"""Options in points: a player fills ``state.points``, and the best option is chosen."""

import numpy as np

from simcore.jit import inline_kernel


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
