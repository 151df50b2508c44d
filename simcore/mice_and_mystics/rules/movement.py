"""Movement of mice: where they can go, water, traps on the way, extra moves (M28-M46, P2, D3)."""

from simcore.jit import inline_kernel, kernel
from simcore.mice_and_mystics.rules.dice import _die, _number, _roll, _stars
from simcore.mice_and_mystics.rules.figures import _move_mouse, _with_figures
from simcore.mice_and_mystics.rules.gear import _lore
from simcore.mice_and_mystics.rules.mice import _wound
from simcore.mice_and_mystics.rules.options import _ask, _first, _kind, _offer, _offer_one
from simcore.mice_and_mystics.rules.stack import W1, _pop, _push, _top
from simcore.mice_and_mystics.rules.wheel import _give_cheese
from simcore.mice_and_mystics.table.masks import _bit, _count, _has, _lowest, numbers
from simcore.mice_and_mystics.table.steps import EXTRA_MOVE, TAKE_EXTRA_MOVE
from simcore.mice_and_mystics.table.words import (
    D3,
    FISH_HOOK,
    IN_TRAP,
    LEAVE_WATER,
    MOVE,
    STAY,
    SWIM,
)

_ZERO, _ONE = numbers(2)
_NONE = numbers(-1, 0)[0]
_DEAR = numbers(3, 4)[0]


@inline_kernel
def _may_leave(state, mouse):
    """Whether minions in its space let a mouse go (M34)."""
    space = state.space[mouse]
    return _count(state.mice_at[space]) >= _count(state.minions_at[space] & ~state.tokens_there)


@inline_kernel
def _crosses(state, mouse):
    """Whether a mouse may cross red lines."""
    return _has(state.crossing, mouse) != 0 or state.tokens[FISH_HOOK] > 0


@inline_kernel
def _allowance(state, table, mouse, number):
    """How far a mouse moves with a number rolled (M23)."""
    return max(_ZERO, table.heroes[state.hero[mouse]].move + state.gear_move[mouse] + number)


@kernel
def _reach(state, table, mouse, allowance):
    """Mask of the spaces in which a mouse on land can end a movement (P2)."""
    tile = table.tiles[state.tile]
    space = state.space[mouse]
    crosses = _crosses(state, mouse)
    open_spaces = tile.spaces & ~state.full
    passable = ~(_with_figures(state) | tile.water)
    reached = _bit(space)
    in_one = tile.cheap[space]
    if crosses:
        in_one |= tile.red[space]
    in_two, in_three = _ZERO, tile.dear[space]
    for _ in range(allowance):
        new = in_one & open_spaces & ~reached
        reached |= new
        in_one, in_two, in_three = in_two, in_three, _ZERO
        left = new & passable
        while left != 0:
            other = _lowest(left)
            left &= left - _ONE
            in_one |= tile.cheap[other]
            in_three |= tile.dear[other]
            if crosses:
                in_one |= tile.red[other]
        if (in_one | in_two | in_three) & open_spaces & ~reached == 0:
            break
    return reached & ~_bit(space)


@kernel
def _offer_spaces(state, kind, spaces):
    """Offer an entry for each space of a mask.  Modifies state."""
    while spaces != 0:
        space = _lowest(spaces)
        spaces &= spaces - _ONE
        _offer_one(state, kind, space)


@kernel
def _offer_moves(state, table, mouse, allowance):
    """Offer MOVE s, or in water LEAVE_WATER s and SWIM s (D1, 2).  Modifies state."""
    if not _may_leave(state, mouse):
        return
    tile = table.tiles[state.tile]
    space = state.space[mouse]
    if _has(tile.water, space) == 0:
        _offer_spaces(state, MOVE, _reach(state, table, mouse, allowance))
    else:
        near = tile.near[space] & ~state.full
        _offer_spaces(state, LEAVE_WATER, near & ~tile.water)
        _offer_spaces(state, SWIM, near & tile.water & ~tile.flows_from[space])


@kernel
def _trap_dice(state, table, mouse):
    """How many dice a mouse rolls against a mousetrap (M43, S9)."""
    hero = table.heroes[state.hero[mouse]]
    dice = hero.move + state.gear_move[mouse]
    if hero.tinkers != 0:
        lore = _lore(state, table, mouse)
        dice = lore if table.trap_dice_lore != 0 else max(dice, lore)
    return max(_ZERO, dice)


@kernel
def _enter(state, table, record, mouse, space):
    """A mouse enters a space on foot; whether it goes on (M43).  Modifies state and record."""
    _move_mouse(state, table, mouse, space)
    if _has(state.mousetraps, space) == 0:
        return True
    if table.heroes[state.hero[mouse]].ignores_traps != 0:
        return True
    record.traps_entered += 1
    if _stars(_roll(state, table, _trap_dice(state, table, mouse))) > 0:
        return True
    record.traps_sprung += 1
    state.mousetraps &= ~_bit(space)
    state.down |= _bit(mouse)
    state.turn_over = 1
    _give_cheese(state, record, mouse, _ONE)
    record.cheese_in_trap += 1
    record.wounds_trap += 1
    _wound(state, table, record, mouse, _ONE, _ZERO, IN_TRAP)
    return False


@kernel
def _find_way(state, table, mouse, goal):
    """Find the way of a mouse to a space that it can reach (D2), as ``way`` from its end back.

    The cheapest; among these with fewest traps; among these, from the end back, by the space that
    is expanded first.  Modifies the work space of state.
    """
    tile = table.tiles[state.tile]
    start = state.space[mouse]
    crosses = _crosses(state, mouse)
    open_spaces = tile.spaces & ~state.full
    passable = ~(_with_figures(state) | tile.water)
    for space in range(tile.n_spaces):
        state.cost[space] = _NONE
    state.cost[start] = 0
    state.trapped[start] = 0
    cost = _ZERO
    while state.cost[goal] != cost:
        # Expand the spaces of this cost, by index; those before them in a way are complete.
        for space in range(tile.n_spaces):
            if state.cost[space] != cost:
                continue
            if space != start and _has(passable, space) == 0:
                continue
            cheap = tile.cheap[space]
            if crosses:
                cheap |= tile.red[space]
            left = (cheap | tile.dear[space]) & open_spaces
            while left != 0:
                other = _lowest(left)
                left &= left - _ONE
                there = cost + (_ONE if _has(cheap, other) != 0 else _DEAR)
                traps = state.trapped[space] + _has(state.mousetraps, other)
                known = state.cost[other]
                if known < 0 or there < known or (there == known and traps < state.trapped[other]):
                    state.cost[other] = there
                    state.trapped[other] = traps
                    state.way[other] = space
        cost += 1


@kernel
def _walk(state, table, record, mouse, goal):
    """A mouse on land moves to a space that it can reach.  Modifies state and record."""
    if state.mousetraps == 0:
        _move_mouse(state, table, mouse, goal)
        return
    start = state.space[mouse]
    _find_way(state, table, mouse, goal)
    # Turn the way round.
    space, after = goal, _NONE
    while space != start:
        before = state.way[space]
        state.way[space] = after
        space, after = before, space
    space = after
    while space >= 0:
        if not _enter(state, table, record, mouse, space):
            return
        space = state.way[space]


@kernel
def _take_move(state, table, record, mouse, option):
    """Carry out MOVE, LEAVE_WATER or SWIM.  Modifies state and record."""
    kind, space = _kind(option), _first(option)
    if kind == MOVE:
        _walk(state, table, record, mouse, space)
    elif kind == SWIM:
        record.swims += 1
        _enter(state, table, record, mouse, space)
    else:
        record.leave_tries += 1
        dice = _ONE + _count(state.mice_at[space])
        if _stars(_roll(state, table, dice)) > 0:  # M38
            record.leave_success += 1
            _enter(state, table, record, mouse, space)


@kernel
def _begin_extra_move(state, mouse):
    """Start a scurry or extra move: roll, then D3.  Modifies state."""
    _push(state, EXTRA_MOVE)[W1] = mouse


@kernel
def _extra_move(state, table):
    """Roll for an extra move and ask where to (M45).  Modifies state."""
    mouse = _top(state)[W1]
    allowance = _allowance(state, table, mouse, _number(_die(state, table)))
    _offer(state, STAY)
    _offer_moves(state, table, mouse, allowance)
    _ask(state, D3, mouse, TAKE_EXTRA_MOVE)


@kernel
def _take_extra_move(state, table, record):
    """Carry an extra move out.  Modifies state and record."""
    mouse = _top(state)[W1]
    _pop(state)
    if _kind(state.picked) != STAY:
        _take_move(state, table, record, mouse, state.picked)
