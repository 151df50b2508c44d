"""Whom mice can attack, with what and with how many dice (M47, M48, M53-M56)."""

from simcore.jit import inline_kernel, kernel
from simcore.mice_and_mystics.rules.figures import _in_reach
from simcore.mice_and_mystics.rules.track import _above, _top_card
from simcore.mice_and_mystics.table.limits import MICE, SLOTS
from simcore.mice_and_mystics.table.masks import _bit, _count, _has, _lowest, numbers
from simcore.mice_and_mystics.table.words import MELEE, PAW, RANGED

_NONE, _ZERO, _ONE = numbers(-1, 2)


@kernel
def _figures_in(state, spaces):
    """Mask of the figures in a set of spaces."""
    figures = _ZERO
    spaces &= state.with_minions
    while spaces != 0:
        figures |= state.minions_at[_lowest(spaces)]
        spaces &= spaces - 1
    return figures


@inline_kernel
def _melee_targets(state, table, mouse):
    """Mask of the figures in the own or an adjacent space (M47, M131)."""
    return _figures_in(state, _in_reach(table.tiles[state.tile], state.space[mouse]))


@kernel
def _shot_targets(state, table, mouse, through_walls):
    """Mask of the figures that a ranged attack may be aimed at (M53, M54).

    ``through_walls`` is 1 for one that needs no line of sight.
    """
    near = _melee_targets(state, table, mouse)
    if through_walls != 0:
        return near if near != 0 else state.figures
    seen = _figures_in(state, table.tiles[state.tile].seen[state.space[mouse]])
    if table.ignores_unseen != 0:  # S16
        near &= seen
    return near & seen if near != 0 else seen


@inline_kernel
def _weapon_targets(state, table, mouse, card):
    """Mask of the figures that a mouse may attack with a weapon."""
    if table.cards[card].attack == MELEE:
        return _melee_targets(state, table, mouse)
    return _shot_targets(state, table, mouse, _ZERO)


@inline_kernel
def _by_swords(state, table, mouse, card, figure):
    """1 if an attack is a melee attack, 0 if it is a ranged one (M56, S3)."""
    weapon = table.cards[card]
    if weapon.attack == MELEE:
        return _ONE
    if weapon.melee_in_space == 0:
        return _ZERO
    here, there = state.space[mouse], state.figure_space[figure]
    if table.staff_is_melee != 0:
        return _has(_in_reach(table.tiles[state.tile], here), there)
    return _ONE if here == there else _ZERO


@kernel
def _weapon_dice(state, table, mouse, card, figure):
    """Dice of an attack with a weapon, before reactions (P6 step 2)."""
    weapon = table.cards[card]
    here = state.space[mouse]
    dice = table.heroes[state.hero[mouse]].battle + weapon.battle
    dice += state.gear_battle[mouse] + state.round_battle[mouse]
    for other in range(MICE):
        if other != mouse:
            dice += state.leads[other]
    if weapon.battle_elsewhere != 0 and state.figure_space[figure] != here:
        dice += weapon.battle_elsewhere
    if weapon.battle_vs_large != 0 and table.minions[state.type[figure]].large != 0:
        dice += weapon.battle_vs_large
    if weapon.battle_per_wounded != 0:
        others = state.mice_at[here] & ~_bit(mouse)
        wounded = _ZERO
        while others != 0:
            other = _lowest(others)
            others &= others - 1
            if state.wounds[other] + state.poison[other] > 0:
                wounded |= _bit(other)
        dice += weapon.battle_per_wounded * _count(wounded)
    return dice


@inline_kernel
def _lower_defense(state, table, mouse, card, figure):
    """What a weapon adds to the defense dice of a target, 0 or less (Filch's dagger)."""
    change = table.cards[card].lower_defense
    if change != 0 and _above(state, mouse, _top_card(state, table, state.type[figure])):
        return change
    return _ZERO


@kernel
def _next_equipped(state, mouse, card):
    """The equipped card of the next higher index, -1 = there is none."""
    following = _NONE
    for slot in range(SLOTS):
        other = state.slots[mouse, slot]
        if other > card and (following < 0 or other < following):
            following = other
    return following


@kernel
def _next_weapon(state, table, mouse, card):
    """The equipped weapon of the next higher card index, -1 = there is none."""
    following = _NONE
    for slot in range(PAW, SLOTS):
        other = state.slots[mouse, slot]
        if other > card and (following < 0 or other < following):
            kind = table.cards[other].attack
            if kind == MELEE or kind == RANGED:
                following = other
    return following
