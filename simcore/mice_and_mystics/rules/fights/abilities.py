"""What abilities, scrolls, items and tricks do at D1 (section 28).

An ability or card is *offered* as its first effect says, an entry for each target; all its effects
are performed on the target of the entry that is taken.
"""

from simcore.jit import apart_kernel, inline_kernel, kernel
from simcore.mice_and_mystics.rules.fights.actions import _act, _offer_acts
from simcore.mice_and_mystics.rules.fights.mouse_attack import (
    _begin_blast,
    _begin_hits,
    _begin_magic_attack,
)
from simcore.mice_and_mystics.rules.fights.search import _begin_draw
from simcore.mice_and_mystics.rules.fights.spells import (
    _begin_chain,
    _begin_cures,
    _begin_knives,
    _knives,
    _offer_cures,
)
from simcore.mice_and_mystics.rules.fights.weapons import _figures_in, _melee_targets, _shot_targets
from simcore.mice_and_mystics.rules.figures import _move_mouse, _spaces_of
from simcore.mice_and_mystics.rules.gear import _lore
from simcore.mice_and_mystics.rules.movement import _begin_extra_move
from simcore.mice_and_mystics.rules.options import (
    _offer_one,
    _offer_order,
    _offer_three,
    _order_of,
    _third,
)
from simcore.mice_and_mystics.table.limits import MICE
from simcore.mice_and_mystics.table.masks import _bit, _has, _lowest, numbers
from simcore.mice_and_mystics.table.unknown_words import A_OPERATION, _unknown
from simcore.mice_and_mystics.table.words import (
    ALL,
    ALL_MICE,
    AT_CARD,
    AT_FIGURE,
    AT_MOUSE,
    AT_ORDER,
    AT_SPACE,
    BY_SPARK,
    END_OF_ROUND,
    OP_BATTLE,
    OP_BLAST,
    OP_BOLT,
    OP_CHAIN,
    OP_CROSS,
    OP_CURE,
    OP_DEFENSE,
    OP_DRAW,
    OP_EXTRA_ACTION,
    OP_EXTRA_MOVE,
    OP_HEAL,
    OP_INSPIRE,
    OP_INVISIBLE,
    OP_KNIVES,
    OP_KNOCK_DOWN,
    OP_ORDER,
    OP_SET_TRAP,
    OP_SLOW,
    OP_SPARK,
    OP_TELEPORT,
    OTHER_MICE,
)

_NONE, _ZERO, _ONE = numbers(-1, 2)


@kernel
def _offer_each(state, kind, source, at, targets):
    """Offer an ability or card for each target of a mask."""
    while targets != 0:
        _offer_three(state, kind, source, at, _lowest(targets))
        targets &= targets - 1


@kernel
def _wounded_beside(state, mouse):
    """Mask of the mice in the space of a mouse, itself included, with a normal wound."""
    wounded = _ZERO
    mice = state.mice_at[state.space[mouse]]
    while mice != 0:
        other = _lowest(mice)
        mice &= mice - 1
        if state.wounds[other] > 0:
            wounded |= _bit(other)
    return wounded


@kernel
def _small_beside(state, table, mouse):
    """Mask of the small figures in the space of a mouse."""
    small = _ZERO
    figures = state.minions_at[state.space[mouse]]
    while figures != 0:
        figure = _lowest(figures)
        figures &= figures - 1
        minion = table.minions[state.type[figure]]
        if minion.large == 0 and minion.token == 0:
            small |= _bit(figure)
    return small


@kernel
def _minion_cards(state):
    """Mask of the cards of minions on the track that have not lost their next turn."""
    cards = _ZERO
    for place in range(state.n_track):
        if state.track[place] >= MICE:
            cards |= _bit(state.track[place])
    return cards & ~state.slowed


@apart_kernel
def _offer_orders(state, table, mouse, kind, source):
    """Offer an order for each other mouse on the tile and each action open to it."""
    others = state.active & ~_bit(mouse)
    while others != 0:
        other = _lowest(others)
        others &= others - 1
        first = state.n_options
        _offer_acts(state, table, other)
        end = state.n_options
        state.n_options = first
        for i in range(first, end):
            _offer_order(state, kind, source, AT_ORDER, other, state.options[i])


@kernel
def _is_active(state, mouse, effect):
    """Whether an effect that lasts, and is not offered twice, is active already."""
    if effect.op == OP_BATTLE:
        if effect.reach == OTHER_MICE:
            return state.leads[mouse] != 0
        return state.round_battle[mouse] != 0
    if effect.op == OP_DEFENSE:
        if effect.reach == ALL_MICE:
            return state.fortifies[mouse] != 0
        return state.round_defense[mouse] != 0
    if effect.op == OP_INSPIRE:
        return state.pay_cost >= 0
    if effect.op == OP_INVISIBLE:
        return _has(state.invisible, mouse) != 0
    if effect.op == OP_CROSS:
        return _has(state.crossing, mouse) != 0
    _unknown(state, A_OPERATION, effect.op)
    return True


@kernel
def _needs_no_target(state, table, mouse, effect):
    """Whether an effect without a target can be used now."""
    op = effect.op
    if op == OP_CROSS and table.tiles[state.tile].has_red_lines == 0:
        return False
    if op == OP_KNIVES:
        return _knives(state, table, mouse) != 0 and _melee_targets(state, table, mouse) != 0
    if op == OP_CHAIN:
        return _shot_targets(state, table, mouse, _ZERO) != 0
    if op == OP_EXTRA_MOVE:
        water = table.tiles[state.tile].water
        held = state.down | state.webbed
        return _has(held, mouse) == 0 and _has(water, state.space[mouse]) == 0
    if op == OP_KNOCK_DOWN:
        return _small_beside(state, table, mouse) & ~state.knocked != 0
    if op == OP_SET_TRAP:
        return _has(state.set_traps, state.space[mouse]) == 0
    if op == OP_DRAW or op == OP_EXTRA_ACTION:
        return True
    return not _is_active(state, mouse, effect)


@kernel
def _offer_effect(state, table, mouse, kind, source, number):
    """Offer an ability or card whose first effect has a number, if it can be used (section 28).

    ``kind`` and ``source`` are those of the entry.
    """
    effect = table.effects[number]
    op = effect.op
    tile = table.tiles[state.tile]
    here = state.space[mouse]
    if op == OP_HEAL and effect.more == 0:
        _offer_each(state, kind, source, AT_MOUSE, _wounded_beside(state, mouse))
    elif op == OP_HEAL:
        if _wounded_beside(state, mouse) != 0:
            _offer_one(state, kind, source)
    elif op == OP_CURE:
        _offer_cures(state, mouse, source)
    elif op == OP_BOLT:
        targets = _shot_targets(state, table, mouse, effect.more)
        _offer_each(state, kind, source, AT_FIGURE, targets)
    elif op == OP_BLAST:
        spaces = _spaces_of(state, _shot_targets(state, table, mouse, _ZERO))
        _offer_each(state, kind, source, AT_SPACE, spaces)
    elif op == OP_SPARK:
        _offer_each(state, kind, source, AT_FIGURE, _figures_in(state, tile.seen[here]))
    elif op == OP_ORDER:
        _offer_orders(state, table, mouse, kind, source)
    elif op == OP_TELEPORT:
        _offer_each(state, kind, source, AT_SPACE, tile.spaces & ~state.full & ~_bit(here))
    elif op == OP_SLOW:
        _offer_each(state, kind, source, AT_CARD, _minion_cards(state))
    elif _needs_no_target(state, table, mouse, effect):
        _offer_one(state, kind, source)


@kernel
def _heal(state, record, mouse, amount):
    """Remove normal wounds of a mouse, at most so many, or ALL.  Modifies state and record."""
    healed = state.wounds[mouse] if amount == ALL else min(amount, state.wounds[mouse])
    state.wounds[mouse] -= healed
    record.wounds_healed += healed


@kernel
def _heal_beside(state, record, mouse, amount):
    """Heal each mouse in the space of a mouse.  Modifies state and record."""
    mice = state.mice_at[state.space[mouse]]
    while mice != 0:
        _heal(state, record, _lowest(mice), amount)
        mice &= mice - 1


@kernel
def _last(state, mouse, effect):
    """Begin an effect that lasts for a time.  Modifies state."""
    op, amount = effect.op, effect.amount
    if op == OP_BATTLE and effect.reach == OTHER_MICE:
        state.leads[mouse] += amount
    elif op == OP_BATTLE and effect.reach == END_OF_ROUND:
        state.round_battle[mouse] += amount
    elif op == OP_DEFENSE and effect.reach == ALL_MICE:
        state.fortifies[mouse] += amount
    elif op == OP_DEFENSE and effect.reach == END_OF_ROUND:
        state.round_defense[mouse] += amount
    elif op == OP_INSPIRE:
        state.pay_cost = amount
        state.pay_times = effect.more
    elif op == OP_INVISIBLE:
        state.invisible |= _bit(mouse)
    elif op == OP_CROSS:
        state.crossing |= _bit(mouse)
    else:
        _unknown(state, A_OPERATION, op)


@kernel
def _strike(state, table, mouse, effect, target):
    """Begin an attack by magic or with knives, or hits.  Modifies state."""
    op = effect.op
    if op == OP_KNIVES:
        _begin_knives(state, table, mouse)
    elif op == OP_BOLT:
        _begin_magic_attack(state, mouse, target, _lore(state, table, mouse))
    elif op == OP_BLAST:
        _begin_blast(state, mouse, state.minions_at[target], _lore(state, table, mouse))
    elif op == OP_CHAIN:
        _begin_chain(state, mouse, _lore(state, table, mouse), effect.more)
    elif op == OP_SPARK:
        _begin_hits(state, mouse, target, effect.amount, BY_SPARK)
    else:
        _unknown(state, A_OPERATION, op)


@inline_kernel
def _set_trap(state, mouse, hits):
    """Put a trap on the space of a mouse.  Modifies state."""
    space = state.space[mouse]
    state.set_traps |= _bit(space)
    state.set_trap_owner[space] = mouse
    state.set_trap_hits[space] = hits


@apart_kernel
def _perform(state, table, record, mouse, option, number, ability):
    """Perform an effect on the target of the entry that was taken.

    ``ability`` is that of which it is an effect, -1 for a card.  Modifies state and record.
    """
    effect = table.effects[number]
    op, amount, target = effect.op, effect.amount, _third(option)
    if op == OP_HEAL:
        if effect.more != 0:
            _heal_beside(state, record, mouse, amount)
        else:
            _heal(state, record, target, amount)
    elif op == OP_CURE:
        _begin_cures(state, table, mouse, ability, option, amount)
    elif op == OP_KNIVES or op == OP_BOLT or op == OP_BLAST or op == OP_CHAIN or op == OP_SPARK:
        _strike(state, table, mouse, effect, target)
    elif op == OP_DRAW:
        _begin_draw(state, mouse, amount)
    elif op == OP_EXTRA_MOVE:
        _begin_extra_move(state, mouse)
    elif op == OP_EXTRA_ACTION:
        state.actions += 1
    elif op == OP_ORDER:
        _act(state, table, record, target, _order_of(option))
    elif op == OP_KNOCK_DOWN:
        state.knocked |= _small_beside(state, table, mouse)
    elif op == OP_SET_TRAP:
        _set_trap(state, mouse, amount)
    elif op == OP_TELEPORT:
        _move_mouse(state, table, mouse, target)
    elif op == OP_SLOW:
        state.slowed |= _bit(target)
    else:
        _last(state, mouse, effect)
