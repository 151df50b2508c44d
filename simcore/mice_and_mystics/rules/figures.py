"""Where figures stand: putting them on spaces and taking them off, with what spaces hold (M31).

A small figure counts as 1 in a space, a large one as the whole of a normal space and as 4 in a
special area.
"""

from simcore.jit import inline_kernel, kernel
from simcore.mice_and_mystics.table.masks import _bit, _lowest, numbers

_LARGE = numbers(4, 5)[0]
_SMALL = numbers(1, 2)[0]
_NOWHERE = numbers(-1, 0)[0]
_NO_SPACES = _WEIGHTLESS = numbers(1)[0]


@inline_kernel
def _in_reach(tile, space):
    """Mask of a space and of those adjacent to it by listed edges (M131)."""
    return tile.near[space] | _bit(space)


@kernel
def _spaces_of(state, figures):
    """Mask of the spaces of some minions' figures."""
    spaces = _NO_SPACES
    while figures != 0:
        spaces |= _bit(state.figure_space[_lowest(figures)])
        figures &= figures - 1
    return spaces


@inline_kernel
def _weigh(state, tile, space, more):
    """Note that ``more`` small figures have come into a space.  Modifies state."""
    state.load[space] += more
    if state.load[space] >= tile.capacity[space]:
        state.full |= _bit(space)
    else:
        state.full &= ~_bit(space)


@inline_kernel
def _weight(table, tile, kind, space):
    """What a minion of a type counts as in a space."""
    if table.minions[kind].token != 0:
        return _WEIGHTLESS
    if table.minions[kind].large == 0:
        return _SMALL
    return _LARGE if tile.special & _bit(space) != 0 else tile.capacity[space]


@inline_kernel
def _has_room(state, table, tile, kind, space):
    """Whether a minion of a type can enter a space (M32, M35)."""
    if table.minions[kind].token != 0:
        return True
    if table.minions[kind].large == 0:
        return state.full & _bit(space) == 0
    if tile.special & _bit(space) != 0:
        return state.load[space] + _LARGE <= tile.capacity[space]
    return state.load[space] == 0


@kernel
def _with_figures(state):
    """Mask of the spaces with minions that count as figures there (M35)."""
    spaces, left = _NO_SPACES + state.with_minions, _NO_SPACES + state.tokens_there
    while left != 0:
        space = state.figure_space[_lowest(left)]
        left &= left - 1
        if state.minions_at[space] & ~state.tokens_there == 0:
            spaces &= ~_bit(space)
    return spaces


@kernel
def _put_mouse(state, table, mouse, space):
    """Put a mouse that has no figure on the tile on a space.  Modifies state."""
    tile = table.tiles[state.tile]
    state.space[mouse] = space
    state.active |= _bit(mouse)
    state.mice_at[space] |= _bit(mouse)
    state.with_mice |= _bit(space)
    _weigh(state, tile, space, _SMALL)


@kernel
def _take_mouse(state, table, mouse):
    """Take the figure of a mouse off the tile.  Modifies state."""
    tile = table.tiles[state.tile]
    space = state.space[mouse]
    state.space[mouse] = _NOWHERE
    state.active &= ~_bit(mouse)
    state.mice_at[space] &= ~_bit(mouse)
    if state.mice_at[space] == 0:
        state.with_mice &= ~_bit(space)
    _weigh(state, tile, space, -_SMALL)


@inline_kernel
def _move_mouse(state, table, mouse, space):
    """Move the figure of a mouse to another space.  Modifies state."""
    _take_mouse(state, table, mouse)
    _put_mouse(state, table, mouse, space)


@kernel
def _put_figure(state, table, figure, kind, space):
    """Put the figure of a minion on a space.  Modifies state."""
    tile = table.tiles[state.tile]
    state.figure_space[figure] = space
    state.minions_at[space] |= _bit(figure)
    state.with_minions |= _bit(space)
    if table.minions[kind].token != 0:
        state.tokens_there |= _bit(figure)
    _weigh(state, tile, space, _weight(table, tile, kind, space))


@kernel
def _take_figure(state, table, figure, kind):
    """Take the figure of a minion off its space.  Modifies state."""
    tile = table.tiles[state.tile]
    space = state.figure_space[figure]
    state.minions_at[space] &= ~_bit(figure)
    if state.minions_at[space] == 0:
        state.with_minions &= ~_bit(space)
    _weigh(state, tile, space, -_weight(table, tile, kind, space))


@kernel
def _clear_tile(state, table):
    """Empty all spaces of the tile before another one is entered.  Modifies state.

    Nobody but mice is on it (M67); they have no figure afterwards.
    """
    for space in range(table.tiles[state.tile].n_spaces):
        state.load[space] = 0
        state.mice_at[space] = 0
        state.minions_at[space] = 0
    state.full = 0
    state.with_mice = 0
    state.with_minions = 0
    state.active = 0
    state.mousetraps = 0  # M43
    state.set_traps = 0
    for mouse in range(len(state.space)):
        state.space[mouse] = _NOWHERE
