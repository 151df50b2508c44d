"""Captured mice are rescued, and missing ones found: both come back beside others (M107, M126)."""

from simcore.jit import inline_kernel, kernel
from simcore.mice_and_mystics.rules.figures import _put_mouse
from simcore.mice_and_mystics.rules.movement import _offer_spaces
from simcore.mice_and_mystics.rules.options import _ask, _first
from simcore.mice_and_mystics.rules.stack import W1, W2, _go, _pop, _push, _top
from simcore.mice_and_mystics.table.masks import _bit, _lowest, numbers
from simcore.mice_and_mystics.table.steps import (
    END_MOUSE_TURN,
    RETURN_MOUSE,
    TAKE_RESCUE,
    TAKE_RETURN,
)
from simcore.mice_and_mystics.table.words import D6, PLACE

_ONE = numbers(1, 2)[0]


@kernel
def _offer_beside(state, table, mouse, others, step):
    """Ask where a mouse comes back: in or next to the space of one of ``others``, else anywhere.

    Modifies state.
    """
    tile = table.tiles[state.tile]
    near = others & ~others  # no spaces yet
    while others != 0:
        space = state.space[_lowest(others)]
        others &= others - _ONE
        near |= _bit(space) | tile.near[space]
    spaces = near & ~state.full
    if spaces == 0:
        spaces = tile.spaces & ~state.full
    _offer_spaces(state, PLACE, spaces)
    _ask(state, D6, mouse, step)


@kernel
def _rescue(state, table, record, mouse):
    """A captured mouse comes back as its turn (M107).  Modifies state and record."""
    record.rescues += 1
    state.captured &= ~_bit(mouse)
    _offer_beside(state, table, mouse, state.active, TAKE_RESCUE)


@kernel
def _take_rescue(state, table):
    """Put a rescued mouse back.  Modifies state."""
    mouse = state.acting
    _put_mouse(state, table, mouse, _first(state.picked))
    _go(state, END_MOUSE_TURN)


@inline_kernel
def _friend_is_near(state):
    """Whether a search can bring a missing mouse back (M126)."""
    return state.missing != 0 and state.figures == 0


@kernel
def _begin_return(state, mouse, searcher):
    """Start the return of a missing mouse beside the one that searched (M126).  Modifies state."""
    frame = _push(state, RETURN_MOUSE)
    frame[W1] = mouse
    frame[W2] = searcher


@kernel
def _return_mouse(state, table):
    """Ask where a missing mouse comes back.  Modifies state."""
    frame = _top(state)
    state.missing &= ~_bit(frame[W1])
    _offer_beside(state, table, frame[W1], _bit(frame[W2]), TAKE_RETURN)


@kernel
def _take_return(state, table):
    """Put a missing mouse back.  Modifies state."""
    mouse = _top(state)[W1]
    _put_mouse(state, table, mouse, _first(state.picked))
    _pop(state)
