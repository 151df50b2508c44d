"""Minions are placed on entry spaces (M74-M79, M82)."""

from simcore.jit import inline_kernel, kernel
from simcore.mice_and_mystics.rules.dice import _below
from simcore.mice_and_mystics.rules.figures import _has_room, _put_figure, _spaces_of
from simcore.mice_and_mystics.table.limits import FIGURES, MICE
from simcore.mice_and_mystics.table.masks import _bit, _count, _has, _lowest, _nth, numbers

_ZERO, _ONE = numbers(2)
_NONE = numbers(-1, 0)[0]
_ALL_FIGURES = numbers((1 << FIGURES) - 1, 1 << FIGURES)[0]
_FAR = numbers(1000, 1001)[0]
# Steps of M75, M76 and M77.
_SMALL_RANGED, _LARGE, _SMALL_MELEE = numbers(3)


@inline_kernel
def _step_of(table, kind):
    """In which step minions of a type are placed."""
    if table.minions[kind].large != 0:
        return _LARGE
    if table.minions[kind].token != 0:
        return _SMALL_MELEE
    return _SMALL_RANGED if table.minions[kind].ranged != 0 else _SMALL_MELEE


@kernel
def _nearest_mouse(state, table, space, mice):
    """Steps from a space to the nearest mouse of a mask (M79)."""
    nearest = _FAR
    while mice != 0:
        mouse = _lowest(mice)
        mice &= mice - _ONE
        nearest = min(nearest, table.tiles[state.tile].d0[space, state.space[mouse]])
    return nearest


@kernel
def _badness(state, table, step, space):
    """How far a space is from being the best for a figure of a step: the lowest is taken."""
    if step == _SMALL_MELEE:
        return _count(state.minions_at[space])
    if step == _LARGE:
        return _nearest_mouse(state, table, space, state.active)
    if _has(table.tiles[state.tile].bordered, space) != 0:
        return -_FAR - _ONE
    return -_nearest_mouse(state, table, space, state.active)


@kernel
def _best_space(state, table, kind, spaces):
    """The space of a mask that is best for a figure of a type, -1 if none has room (M75-M77).

    Ties are decided at random.  Modifies state.
    """
    tile = table.tiles[state.tile]
    step = _step_of(table, kind)
    best, least = _ZERO, _FAR + _FAR
    left = spaces & ~tile.barred
    while left != 0:
        space = _lowest(left)
        left &= left - _ONE
        if _has_room(state, table, tile, kind, space):
            badness = _badness(state, table, step, space)
            if badness < least:
                best, least = _ZERO, badness
            if badness == least:
                best |= _bit(space)
    if best == 0:
        return _NONE
    if step == _SMALL_RANGED and table.places_together != 0:  # S17
        begun = best & _spaces_of(state, state.just_placed)
        if begun != 0:
            best = begun
    return _nth(best, _below(state, _count(best)))


@kernel
def _supply(state, table, kind):
    """How many more figures of a type there are (M6)."""
    one = table.minions[kind]
    in_pool = _ZERO
    for other in range(table.n_minions):
        if _has(one.pool, other) != 0:
            in_pool += state.of_type[other]
    here = _count(_ALL_FIGURES & ~state.figures)
    return min(one.pool_limit - in_pool, one.limit - state.of_type[kind], here)


@kernel
def _turn_greedy(state, table, kind):
    """The type as which a minion is placed; a greedy one makes its like greedy (M82, M127).

    Modifies state.
    """
    card = table.minions[kind].card
    if card == kind:
        greedy = state.greedy >= 0 and table.minions[state.greedy].card == kind
        return state.greedy if greedy else kind
    state.greedy = kind
    for figure in range(FIGURES):
        if _has(state.figures, figure) != 0 and state.type[figure] == card:
            state.type[figure] = kind
    state.of_type[kind] += state.of_type[card]
    state.of_type[card] = 0
    return kind


@kernel
def _draw_cards(state, table, kind):
    """Two cards of a boss come into play (M16).  Modifies state."""
    one = table.minions[kind]
    rows = (_bit(one.n_cards) - _ONE) << one.first_card
    left = _ZERO + one.n_cards
    while left > 2:
        rows &= ~_bit(_nth(rows, _below(state, left)))
        left -= 1
    while rows != 0:
        row = _lowest(rows)
        rows &= rows - _ONE
        state.card_damage[row] = 0
        state.boss_cards |= _bit(MICE + row)


@kernel
def _place_one(state, table, kind):
    """Place a figure of a type; the type as which it stands there, -1 = nowhere.

    Modifies state.
    """
    if _supply(state, table, kind) <= 0:
        return _NONE
    tile = table.tiles[state.tile]
    space = _best_space(state, table, kind, tile.entries)
    if space < 0:
        space = _best_space(state, table, kind, tile.near_entries)
        if space < 0:
            return _NONE
    kind = _turn_greedy(state, table, kind)
    figure = _lowest(~state.figures)
    state.figures |= _bit(figure)
    state.type[figure] = kind
    state.damage[figure] = 0
    state.weakened[figure] = 0
    state.of_type[kind] += 1
    state.just_placed |= _bit(figure)
    _put_figure(state, table, figure, kind, space)
    if table.minions[kind].n_cards > 0:
        _draw_cards(state, table, kind)
    return kind


@kernel
def _place_minions(state, table, record, by_surge):
    """Place the minions in ``state.to_place``; how many were placed.

    They are then in ``state.just_placed``.  Modifies state and record.
    """
    placed = _ZERO
    state.just_placed = 0
    for step in range(3):
        for kind in range(table.n_minions):
            if state.to_place[kind] == 0 or _step_of(table, kind) != step:
                continue
            for _ in range(state.to_place[kind]):
                stands = _place_one(state, table, kind)
                if stands < 0:
                    record.minions_not_placed += 1
                else:
                    placed += 1
                    record.placed[stands] += 1
                    if by_surge != 0:
                        record.placed_by_surge[stands] += 1
    return placed
