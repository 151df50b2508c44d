"""Chance: uniform numbers, dice and shuffling, all from the stream LUCK of the game.

Each draws in the order of the rules text, so that two versions of a hero meet the same dice and
decks as long as their games stay alike.  The first dice may be fixed in advance, for examples.
"""

import numpy as np

from simcore.jit import apart_kernel, inline_kernel, kernel
from simcore.mice_and_mystics.table.masks import numbers
from simcore.mice_and_mystics.table.state import LUCK
from simcore.mice_and_mystics.table.table import SHOWN
from simcore.random_streams import _mix, _random_below

_SIX, _COUNT = numbers(6, 7)[0], numbers((1 << SHOWN) - 1, 1 << SHOWN)[0]
_RANGED, _SHIELD, _CHEESE, _STARS, _NUMBER = numbers(SHOWN, 6 * SHOWN, SHOWN)
_NONE, _ONE = numbers(2)


@apart_kernel
def _part_stream(state, purpose, branch):
    """Let a stream go on from another address, one of its own for each ``branch``.

    Modifies state.
    """
    streams = state.streams
    streams[purpose, 0] = _mix(_mix(streams[purpose, 0]) + np.uint64(branch))
    streams[purpose, 1] = _mix(streams[purpose, 0])


@inline_kernel
def _below(state, n):
    """A number 0 … n - 1; one of one is no chance.  Modifies state."""
    if n == _ONE:
        return n - _ONE
    return _random_below(state.streams, LUCK, n)


@apart_kernel
def _scripted_face(state):
    """The next face that was fixed in advance.  Modifies state."""
    face = state.scripted[state.next_scripted]
    state.next_scripted += 1
    state.n_scripted -= 1
    return face


@inline_kernel
def _die(state, table):
    """Roll a die: what its face shows, packed; see `_melee` … `_number`.  Modifies state."""
    if state.n_scripted > 0:
        return table.faces[_scripted_face(state)]
    return table.faces[_random_below(state.streams, LUCK, _SIX)]


@kernel
def _roll(state, table, n):
    """Roll dice: what all their faces show, added up.  Modifies state."""
    shown = _NONE
    for _ in range(n):
        shown += _die(state, table)
    return shown


@inline_kernel
def _swords(shown):
    """Melee hits among what dice show."""
    return shown & _COUNT


@inline_kernel
def _bows(shown):
    """Ranged hits."""
    return shown >> _RANGED & _COUNT


@inline_kernel
def _shields(shown):
    """Hits blocked."""
    return shown >> _SHIELD & _COUNT


@inline_kernel
def _cheeses(shown):
    """Cheese."""
    return shown >> _CHEESE & _COUNT


@inline_kernel
def _stars(shown):
    """Stars."""
    return shown >> _STARS & _COUNT


@inline_kernel
def _number(shown):
    """The numbers, added up."""
    return shown >> _NUMBER & _COUNT


@kernel
def _shuffle(state, cards, first, end):
    """Shuffle the cards first … end - 1.  Modifies state and cards."""
    for i in range(end - first - 1, 0, -1):
        j = _below(state, i + 1)
        cards[first + i], cards[first + j] = cards[first + j], cards[first + i]
