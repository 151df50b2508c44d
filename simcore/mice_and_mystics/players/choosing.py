"""Drawing one of the entries that are offered: the players U and C, and the best by points.

All chance comes from the stream CHOICES, so that players never change dice and decks.
"""

import numpy as np

from simcore.jit import inline_kernel, kernel
from simcore.mice_and_mystics.rules.options import _kind
from simcore.mice_and_mystics.table.masks import _bit, _count, _nth, numbers
from simcore.mice_and_mystics.table.state import CHOICES
from simcore.mice_and_mystics.table.words import CATEGORY_WORDS, D1, OPTION_WORDS
from simcore.random_streams import _random_below

#: Points of an entry that is never chosen while there is another one.
NEVER = -1e9
#: Points that differ by less are equal.
_EQUAL = 1e-9
_ZERO, _ONE = numbers(2)

_IN_CATEGORY = {
    **{word: word for word in CATEGORY_WORDS},
    **dict.fromkeys(("STAND", "LEAVE_WATER", "SWIM"), "MOVE"),
    **dict.fromkeys(("HEAL", "PAY_ACTION"), "ABILITY"),
    "GRAPE": "USE",
}
#: Category of each kind of entry of D1; other kinds, which C draws uniformly, have 0.
_CATEGORY = np.array(
    [CATEGORY_WORDS.index(_IN_CATEGORY.get(word, "END")) for word in OPTION_WORDS], np.int64
)


@inline_kernel
def _draw(state, n):
    """A number 0 … n - 1 for a player; one of one is no chance.  Modifies state."""
    if n == _ONE:
        return n - _ONE
    return _random_below(state.streams, CHOICES, n)


@inline_kernel
def _choose_uniformly(state):
    """The player U: every entry is equally likely.  Modifies state."""
    return _draw(state, state.n_options)


@kernel
def _choose_by_category(state):
    """The player C: at D1 first a category, then an entry in it; else as U.  Modifies state."""
    if state.point != D1:
        return _choose_uniformly(state)
    categories = _ZERO
    for i in range(state.n_options):
        categories |= _bit(_CATEGORY[_kind(state.options[i])])
    category = _nth(categories, _draw(state, _count(categories)))
    n = _ZERO
    for i in range(state.n_options):
        n += _CATEGORY[_kind(state.options[i])] == category
    place = _draw(state, n)
    for i in range(state.n_options):
        if _CATEGORY[_kind(state.options[i])] == category:
            if place == 0:
                return _ZERO + i
            place -= 1
    return _ZERO


@kernel
def _choose_best(state):
    """One of the entries with the most ``points``, each equally likely.  Modifies state."""
    most = state.points[0]
    for i in range(1, state.n_options):
        most = max(most, state.points[i])
    n = _ZERO
    for i in range(state.n_options):
        n += state.points[i] > most - _EQUAL
    place = _draw(state, n)
    for i in range(state.n_options):
        if state.points[i] > most - _EQUAL:
            if place == 0:
                return _ZERO + i
            place -= 1
    return _ZERO
