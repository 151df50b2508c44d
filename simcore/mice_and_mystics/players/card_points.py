"""What cards are worth to ``learned``: gear, finds, abilities to learn, cheese."""

import numpy as np

from simcore.jit import inline_kernel, kernel
from simcore.mice_and_mystics.players.choosing import NEVER
from simcore.mice_and_mystics.rules.fights.cards import _makes_room
from simcore.mice_and_mystics.rules.gear import _in_pack, _meets, _slot_for
from simcore.mice_and_mystics.table.limits import SLOTS
from simcore.mice_and_mystics.table.masks import _bit, _has, numbers
from simcore.mice_and_mystics.table.weight_names import place_of, places_by_operation
from simcore.mice_and_mystics.table.words import (
    A_TRICK,
    ALL_PAWS,
    EVENT,
    ITEM,
    NO_CARD,
    PARTY,
    PAW,
    RANGED,
    SCROLL,
    WEAPON,
)

_BATTLE, _DEFENSE = place_of("gear.battle"), place_of("gear.defense")
_MOVE, _LORE = place_of("gear.move"), place_of("gear.lore")
_WEAPON, _SHOOTS = place_of("gear.weapon"), place_of("gear.ranged")
_SPECIAL = place_of("gear.special")
_KEEP_GEAR, _KEEP_LATER = place_of("keep.gear"), place_of("keep.later")
_KEEP_PARTY, _KEEP_LEVEL = place_of("keep.party"), place_of("keep.level")
_LEVEL, _SPENT = place_of("level.any"), place_of("cheese.spent")
_SHORT = place_of("cheese.short")
_KEEP_BY = np.array(places_by_operation("keep"))
_LEVEL_BY = np.array(places_by_operation("level"))

_ZERO = numbers(1)[0]
_PAWS = numbers(1 << int(PAW), (1 << int(PAW)) + 1)[0] * (1 + 2 + 4)  # paws and tail
_LEAST_GAIN = 1e-3


@inline_kernel
def _by_operation(w, places, op):
    """The weight of an operation, 0 where it has none."""
    return w[places[op]] if places[op] >= 0 else 0.0


@inline_kernel
def _gear_worth(table, w, card):
    """Points of a piece of gear."""
    one = table.cards[card]
    special = one.battle_elsewhere + one.battle_vs_large + one.battle_per_wounded
    special += one.cheese_to_attacker + one.cheese_wounds + one.melee_in_space - one.lower_defense
    points = w[_BATTLE] * one.battle + w[_DEFENSE] * one.defense + w[_MOVE] * one.move
    points += w[_LORE] * one.adds_lore + w[_SPECIAL] * special
    return points + w[_SHOOTS] if one.attack == RANGED else points


@kernel
def _equipped_worth(state, table, mouse, without, card):
    """Points of what a mouse has put on, slots of a mask left out, and a card put on besides.

    The card is -1 for none.  Of weapons the best one counts.
    """
    w = table.players[mouse].weights
    points, weapon = 0.0, NEVER
    for slot in range(-1, SLOTS):
        one = card if slot < 0 else state.slots[mouse, slot]
        if one < 0 or (slot >= 0 and _has(without, _ZERO + slot) != 0):
            continue
        worth = _gear_worth(table, w, one)
        if table.cards[one].type == WEAPON:
            weapon = max(weapon, worth)
        else:
            points += worth
    return points + weapon + w[_WEAPON] if weapon > NEVER else points


@kernel
def _change_worth(state, table, mouse, card, replaced):
    """Points that putting on a card gains; what it takes the place of, as in an entry of PUT."""
    without = _ZERO
    slot = table.cards[card].slot
    if slot != PAW:
        without = _bit(slot)
    elif replaced == ALL_PAWS:
        without = _PAWS
    elif replaced != NO_CARD:
        for paw in range(PAW, SLOTS):
            if state.slots[mouse, paw] == replaced:
                without = _bit(_ZERO + paw)
    before = _equipped_worth(state, table, mouse, _ZERO, _ZERO - 1)
    return _equipped_worth(state, table, mouse, without, card) - before


@kernel
def _gain(state, table, mouse, card):
    """Points that a card gains if it is put on in the best way; NEVER if it cannot be."""
    slot = table.cards[card].slot
    if slot < 0 or not _meets(state, table, mouse, card):
        return NEVER
    if slot != PAW or _slot_for(state, table, mouse, card) >= 0:
        return _change_worth(state, table, mouse, card, NO_CARD)
    best, single = NEVER, False
    for paw in range(PAW, SLOTS):
        other = state.slots[mouse, paw]
        if other >= 0 and _makes_room(state, table, mouse, card, _ZERO + paw):
            single = True
            best = max(best, _change_worth(state, table, mouse, card, other))
    return best if single else _change_worth(state, table, mouse, card, ALL_PAWS)


@kernel
def _best_change(state, table, mouse):
    """The most points that a mouse can gain by putting on a card of its pack."""
    best = 0.0
    for place in range(state.n_pack[mouse]):
        best = max(best, _gain(state, table, mouse, _in_pack(state, mouse, place)))
    return best


@kernel
def _find_worth(state, table, mouse, card):
    """Points of keeping a card, more than those of its cheese."""
    w = table.players[mouse].weights
    one = table.cards[card]
    if one.type == PARTY:
        return w[_KEEP_PARTY]
    if one.type == EVENT:
        return 0.0
    points = w[_KEEP_LATER]
    if one.type == A_TRICK or one.type == SCROLL or one.type == ITEM:
        if one.type == A_TRICK or _meets(state, table, mouse, card):
            points = _by_operation(w, _KEEP_BY, table.effects[one.first_effect].op)
    else:
        gain = _gain(state, table, mouse, card)
        if gain > _LEAST_GAIN:
            points = w[_KEEP_GEAR] * gain
    if state.cheese[mouse] == table.level_cost - 1:
        points -= w[_KEEP_LEVEL]
    return points


@kernel
def _level_worth(table, mouse, ability):
    """Points of learning an ability."""
    w = table.players[mouse].weights
    op = table.effects[table.abilities[ability].first_effect].op
    return w[_LEVEL] + _by_operation(w, _LEVEL_BY, op)


@kernel
def _price(state, table, mouse, cost):
    """Points of cheese that a mouse spends, usually below 0."""
    w = table.players[mouse].weights
    saved = min(1.0, state.cheese[mouse] / table.level_cost)
    return (w[_SPENT] + w[_SHORT] * saved) * cost
