"""The turn of a card of minions (M86-M95, P4, P4a)."""

from simcore.jit import apart_kernel, inline_kernel, kernel
from simcore.mice_and_mystics.rules.dice import _below, _cheeses, _die, _number, _roll, _shuffle
from simcore.mice_and_mystics.rules.fights.boss import _begin_sweep
from simcore.mice_and_mystics.rules.fights.minion_attack import _begin_minion_attack
from simcore.mice_and_mystics.rules.fights.mouse_attack import _begin_hits
from simcore.mice_and_mystics.rules.figures import (
    _has_room,
    _put_figure,
    _take_figure,
    _with_figures,
)
from simcore.mice_and_mystics.rules.placement import _nearest_mouse, _place_minions
from simcore.mice_and_mystics.rules.stack import ACTING_FIGURE, W2, W3, _go, _top
from simcore.mice_and_mystics.rules.track import (
    _acts_on,
    _append_new_cards,
    _cards_of,
    _fury,
    _place_of,
)
from simcore.mice_and_mystics.rules.wheel import _settle
from simcore.mice_and_mystics.table.limits import MICE
from simcore.mice_and_mystics.table.masks import _bit, _count, _has, _lowest, _nth, numbers
from simcore.mice_and_mystics.table.steps import (
    END_TURN,
    FIGURE_ATTACKED,
    FIGURE_ATTACKS,
    NEXT_FIGURE,
)
from simcore.mice_and_mystics.table.words import BY_SET_TRAP

_ZERO, _ONE = numbers(2)
_NONE = numbers(-1, 0)[0]
_FAR = numbers(1000, 1001)[0]
# The lowest frame, during a turn of minions: the figure that acts, and attacks that it has left.
_FIGURE, _ATTACKS = ACTING_FIGURE, W2
_TOUCHED = W3  # spaces in which a boss attacks everybody


@inline_kernel
def _visible(state):
    """Mask of the mice that minions do not ignore (M95, `untargetable`)."""
    return state.active & ~state.invisible


@kernel
def _begin_minion_turn(state, table, record, card):
    """The turn of a card of minions begins: its figures are put in order (P4).

    Modifies state and record.
    """
    record.minion_card_turns += 1
    state.attacked = 0
    if _has(state.slowed, card) != 0:
        state.slowed &= ~_bit(card)
        _go(state, END_TURN)
        return
    mice = _visible(state)
    state.n_order = 0
    state.next_in_order = 0
    state.to_act = 0
    left = state.figures
    while left != 0:
        figure = _lowest(left)
        left &= left - _ONE
        if _acts_on(table, state.type[figure], card):
            state.to_act |= _bit(figure)
            # Work space holds how far each is; they are sorted in, the first first.
            far = _nearest_mouse(state, table, state.figure_space[figure], mice)
            place = state.n_order
            while place > 0 and state.cost[place - 1] > far:
                state.order[place] = state.order[place - 1]
                state.cost[place] = state.cost[place - 1]
                place -= 1
            state.order[place] = figure
            state.cost[place] = far
            state.n_order += 1
    if table.order_by_index == 0:
        first = _ZERO
        for place in range(1, state.n_order + 1):
            if place == state.n_order or state.cost[place] != state.cost[first]:
                _shuffle(state, state.order, first, place)
                first = _ZERO + place
    _summon(state, table, record, card)
    _go(state, NEXT_FIGURE)


@kernel
def _summon(state, table, record, card):
    """Each type of the card places whom it summons (section 28).  Modifies state and record."""
    kinds = _ZERO  # rows; a boss with several cards summons by the one that acts
    for kind in range(table.n_minions):
        if state.of_type[kind] > 0 and _acts_on(table, kind, card):
            kinds |= _bit(kind if table.minions[kind].n_cards == 0 else card - MICE)
    while kinds != 0:
        one = table.minions[_lowest(kinds)]
        kinds &= kinds - _ONE
        if one.summons == 0:
            continue
        for kind in range(table.n_minions):
            state.to_place[kind] = one.summons if kind == one.summoned else 0
        _place_minions(state, table, record, _ZERO)
        _append_new_cards(state, table)
        state.just_placed = 0


@kernel
def _next_figure(state, table, record):
    """The next figure of the card moves (P4).  Modifies state and record."""
    while state.next_in_order < state.n_order:
        figure = state.order[state.next_in_order]
        state.next_in_order += 1
        if _has(state.to_act, figure) == 0:
            continue
        frame = _top(state)
        frame[_FIGURE] = figure
        frame[_ATTACKS] = 1
        _go(state, FIGURE_ATTACKS)
        if _eats(state, table, record, figure):
            frame[_ATTACKS] = 0
            _settle(state, table)
            return
        minion = table.minions[_fury(state, table, figure)]
        if minion.pounces != 0:
            frame[_TOUCHED] = _pounce(state, table, figure)
            return
        if minion.chases != 0:
            if _chase(state, table, figure):
                _spring(state, figure)
            return
        number = _number(_roll(state, table, minion.move_dice))
        if _has(state.knocked, figure) != 0:
            state.knocked &= ~_bit(figure)
        elif _move_figure(state, table, figure, number):
            _spring(state, figure)
        return
    _end_minion_turn(state, table)


@inline_kernel
def _eats(state, table, record, figure):
    """Whether a roach stays at the cheese of the kitchen; it may bring some (M128).

    Modifies state and record.
    """
    if state.counter[state.tile] == 0 or table.minions[state.type[figure]].roach == 0:
        return False
    space = table.tiles[state.tile].counter_space
    if state.figure_space[figure] != space or state.mice_at[space] != 0:
        return False
    if _cheeses(_die(state, table)) > 0:
        state.counter[state.tile] -= 1
        state.wheel += 1
        record.wheel_in_counter += 1
    return True


@kernel
def _nearest_victim(state, table, space, mice):
    """The mouse of a mask that is nearest to a space, the one higher on the track of several."""
    best, least = _NONE, _FAR
    for place in range(state.n_track):
        mouse = state.track[place]
        if mouse < MICE and _has(mice, mouse) != 0:
            far = table.tiles[state.tile].d0[space, state.space[mouse]]
            if far < least:
                best, least = mouse, far
    return best


@kernel
def _enterable(state, table, kind):
    """Mask of the spaces that a minion of a type can enter."""
    tile = table.tiles[state.tile]
    if table.minions[kind].token != 0:
        return tile.spaces & ~tile.barred
    if table.minions[kind].large == 0:
        return tile.spaces & ~state.full & ~tile.barred
    spaces = tile.spaces & ~state.with_mice & ~_with_figures(state) & ~tile.barred
    left = tile.special & ~spaces & ~tile.barred
    while left != 0:
        space = _lowest(left)
        left &= left - _ONE
        if _has_room(state, table, tile, kind, space):
            spaces |= _bit(space)
    return spaces


@kernel
def _ring_steps(state, table, space, goal, enterable):
    """Steps from a space to a goal through enterable spaces, -1 = there is no way (P4a).

    ``state.ring`` has the spaces by their steps, as far as that.  Modifies it.
    """
    tile = table.tiles[state.tile]
    if table.closes_goal != 0 and _has(tile.barred, goal) != 0:  # S18
        return _NONE
    ring = _bit(goal)
    reached = ring
    steps = _ZERO
    state.ring[0] = ring
    while ring != 0:
        near = _ZERO
        while ring != 0:
            near |= tile.around[_lowest(ring)]
            ring &= ring - _ONE
        steps += 1
        if _has(near, space) != 0:
            return steps
        ring = near & enterable & ~reached
        reached |= ring
        state.ring[steps] = ring
    return _NONE


@inline_kernel
def _sees_any(state, table, space, mice):
    """Whether a mouse of a mask is seen from a space."""
    seen = table.tiles[state.tile].seen[space]
    while mice != 0:
        if _has(seen, state.space[_lowest(mice)]) != 0:
            return True
        mice &= mice - _ONE
    return False


@kernel
def _nearer(state, table, space, goal, steps, enterable):
    """Mask of the neighbours of a space that a figure can enter and that are nearer to its goal.

    ``steps`` is what `_ring_steps` gives for the space, or less where it has moved since.
    """
    tile = table.tiles[state.tile]
    if steps > 0:
        return tile.around[space] & state.ring[steps - 1] & enterable
    near = _ZERO
    left = tile.around[space] & enterable
    while left != 0:
        other = _lowest(left)
        left &= left - _ONE
        if tile.d0[other, goal] < tile.d0[space, goal]:
            near |= _bit(other)
    return near


@kernel
def _move_figure(state, table, figure, number):
    """A figure moves towards the nearest mouse; whether it steps on a set trap (P4a).

    Modifies state.
    """
    mice = _visible(state)
    space = state.figure_space[figure]
    kind = state.type[figure]
    ranged = table.minions[_fury(state, table, figure)].ranged != 0
    if mice == 0 or state.mice_at[space] & mice != 0:
        return False
    if ranged and _sees_any(state, table, space, mice):
        return False
    if ranged and table.unlimited_range != 0:
        number = _FAR
    goal = state.space[_nearest_victim(state, table, space, mice)]
    enterable = _enterable(state, table, kind)
    steps = _ring_steps(state, table, space, goal, enterable)
    start = space
    trapped = False
    for _ in range(number):
        near = _nearer(state, table, space, goal, steps, enterable)
        if near == 0:
            break
        space = _nth(near, _below(state, _count(near)))
        steps -= 1
        if _has(state.set_traps, space) != 0:
            trapped = True
            break
        if state.mice_at[space] != 0 or (ranged and _sees_any(state, table, space, mice)):
            break
    if space != start:
        _take_figure(state, table, figure, kind)
        _put_figure(state, table, figure, kind, space)
    return trapped


@apart_kernel
def _pounce(state, table, figure):
    """A boss goes to the space with the most figures (M97); the mask of it, 0 = there are none.

    Modifies state.
    """
    tile = table.tiles[state.tile]
    mice, minions = _visible(state), state.figures & ~state.tokens_there & ~_bit(figure)
    best, most = _ZERO, _ONE
    for space in range(tile.n_spaces):
        n = _count(state.mice_at[space] & mice) + _count(state.minions_at[space] & minions)
        if _has(tile.barred, space) == 0 and n >= most:
            best = _bit(space) if n > most else best | _bit(space)
            most = n
    if best == 0:
        return best
    if _count(best) > 1:
        spaces = _ZERO
        place = _ZERO
        while spaces == 0:
            card = state.track[place]
            place += 1
            if card < MICE:
                if _has(mice, card) != 0:
                    spaces = best & _bit(state.space[card])
            else:
                left = minions
                while left != 0:
                    other = _lowest(left)
                    left &= left - _ONE
                    if _has(_cards_of(state, table, state.type[other]), card) != 0:
                        spaces |= best & _bit(state.figure_space[other])
        best = _bit(_nth(spaces, _below(state, _count(spaces))))
    kind = state.type[figure]
    _take_figure(state, table, figure, kind)
    _put_figure(state, table, figure, kind, _lowest(best))
    return best


@apart_kernel
def _chase(state, table, figure):
    """A boss runs to one mouse after the other (M98); whether it steps on a set trap.

    The spaces that it touches are in the frame of the turn then.  Modifies state.
    """
    left = _number(_roll(state, table, _ONE + _ONE))
    kind, space = state.type[figure], _ZERO + state.figure_space[figure]
    enterable = _enterable(state, table, kind)
    touched, goal, steps = _bit(space), space, _ZERO
    trapped = False
    while left > 0 and not trapped:
        if _has(touched, goal) != 0:
            mice = _visible(state)
            for mouse in range(MICE):
                if _has(mice, mouse) != 0 and _has(touched, state.space[mouse]) != 0:
                    mice &= ~_bit(mouse)
            if mice == 0:
                break
            goal = _ZERO + state.space[_nearest_victim(state, table, space, mice)]
            steps = _ring_steps(state, table, space, goal, enterable)
        near = _nearer(state, table, space, goal, steps, enterable)
        if near == 0:
            break
        space = _nth(near, _below(state, _count(near)))
        touched |= _bit(space)
        steps -= 1
        left -= 1
        trapped = _has(state.set_traps, space) != 0
    if space != state.figure_space[figure]:
        _take_figure(state, table, figure, kind)
        _put_figure(state, table, figure, kind, space)
    _top(state)[_TOUCHED] = touched
    return trapped


@apart_kernel
def _spring(state, figure):
    """A figure has stepped on a set trap and defends against its hits.  Modifies state."""
    space = state.figure_space[figure]
    state.set_traps &= ~_bit(space)
    owner, hits = state.set_trap_owner[space], state.set_trap_hits[space]
    _begin_hits(state, owner, figure, hits, BY_SET_TRAP)


@kernel
def _victim(state, table, figure):
    """The mouse that a figure attacks, -1 = none (M54, M92, M93)."""
    tile = table.tiles[state.tile]
    space = state.figure_space[figure]
    close = _bit(space) | tile.near[space]
    adjacent, seen = _ZERO, _ZERO
    left = _visible(state)
    while left != 0:
        mouse = _lowest(left)
        left &= left - _ONE
        adjacent |= _has(close, state.space[mouse]) << mouse
        seen |= _has(tile.seen[space], state.space[mouse]) << mouse
    mice = adjacent
    if table.minions[_fury(state, table, figure)].ranged != 0:
        if table.ignores_unseen != 0:  # S16
            adjacent &= seen
        mice = seen if adjacent == 0 else adjacent & seen
    if mice == 0:
        return _NONE
    fresh = mice & ~state.attacked
    if fresh != 0:
        return _nearest_victim(state, table, space, fresh)
    for place in range(state.n_track):
        if state.track[place] < MICE and _has(mice, state.track[place]) != 0:
            return state.track[place]
    return _NONE


@kernel
def _figure_attacks(state, table, record):
    """The figure whose turn it is attacks, if it can and has attacks left.

    Modifies state and record.
    """
    frame = _top(state)
    figure = frame[_FIGURE]
    _go(state, NEXT_FIGURE)
    if frame[_ATTACKS] <= 0 or _has(state.to_act, figure) == 0:
        return
    minion = table.minions[_fury(state, table, figure)]
    if minion.pounces != 0 or minion.chases != 0:
        if frame[_TOUCHED] != 0:
            _begin_sweep(state, table, record, figure, frame[_TOUCHED])
        return
    mouse = _victim(state, table, figure)
    if mouse >= 0:
        frame[_ATTACKS] -= 1
        state.attacked |= _bit(mouse)
        _go(state, FIGURE_ATTACKED)
        _begin_minion_attack(state, figure, mouse, _ZERO)


@kernel
def _figure_attacked(state, table):
    """An attack of a figure is settled; some attack again for cheese.  Modifies state."""
    frame = _top(state)
    if table.minions[_fury(state, table, frame[_FIGURE])].attacks_by_cheese != 0:
        frame[_ATTACKS] += state.result
    _go(state, FIGURE_ATTACKS)


@inline_kernel
def _end_minion_turn(state, table):
    """Some cards change places with the one above (M18).  Modifies state."""
    if table.minions[state.acting - MICE].aggressive != 0:
        place = _place_of(state, state.acting)
        if place > 0:
            state.track[place] = state.track[place - 1]
            state.track[place - 1] = state.acting
    _go(state, END_TURN)
