"""Which creatures fit a description, and which conditions hold, by current powers (R87, R88).

Keywords are read as they are at hand: ``keywords.py`` makes them current.
"""

import numpy as np

from card_data.mindbug.vocabulary import Extreme, Ruling, Side
from simcore.jit import inline_kernel, kernel
from simcore.mindbug.rules.powers import _boosted, _described, _make_condition, _refresh_powers
from simcore.mindbug.table.masks import NONE, ONE, _between, _bit, _lowest
from simcore.mindbug.table.state import N_KEYWORDS
from simcore.mindbug.table.unknown_words import EXTREME, SIDE, _unknown

_PRINTED_POWER_COUNTS = 1 << Ruling.PRINTED_POWER_COUNTS


@inline_kernel
def _group(state, table, group, player, source):
    """Creatures that fit a description, with the keywords at hand and current powers (R87)."""
    return _filtered(state, table, group, _described(state, group, player, source), player, source)


@inline_kernel
def _filtered(state, table, group, mask, player, source):
    """The creatures of ``mask`` that pass the filters of a description, if it has any (R87)."""
    if group.filtered and mask != NONE:
        mask = _filter(state, table, group, mask, player, source)
    return mask


@kernel
def _filter(state, table, group, mask, player, source):
    """The creatures of ``mask`` that pass the filters of a description (R87)."""
    _refresh_powers(state, table)
    if table.rulings & _PRINTED_POWER_COUNTS:
        mask &= _between(state.printed, group.power_min, group.power_max)
    else:
        mask &= _between(state.power, group.power_min, group.power_max)
    if group.keywords:
        having = NONE
        for k in range(N_KEYWORDS):
            if (group.keywords >> k) & 1:
                having |= _known(state, k)
        mask &= having
    if group.special:
        mask = _filter_more(state, group, mask, player, source)
    if group.extreme != Extreme.NONE:
        if group.extreme != Extreme.HIGHEST and group.extreme != Extreme.LOWEST:
            _unknown(state, EXTREME, group.extreme)
        mask = _extreme_group(state, mask, group.extreme == Extreme.HIGHEST)
    return mask


@kernel
def _filter_more(state, group, mask, player, source):
    """The creatures of ``mask`` that pass the rarer filters of a description (R87)."""
    if group.no_keyword:
        for k in range(N_KEYWORDS):
            mask &= ~_known(state, k)
    if group.named_keyword:
        mask &= _having_named(state)
    if group.boosted:
        mask &= _boosted(state)
    if group.has_blocked:
        mask &= state.blocked
    if group.weaker or group.within >= 0:
        if source < 0:  # R55: a number of "this" is not known any more
            return NONE
        power = state.power[source]
        if group.weaker:
            mask &= _between(state.power, np.int16(0), np.int16(power - 1))
        if group.within >= 0:
            within = group.within
            mask &= _between(state.power, np.int16(power - within), np.int16(power + within))
    if group.twin_side >= 0:
        mask &= _twins(state, group.twin_side, player, mask)
    return mask


@inline_kernel
def _having_named(state):
    """Creatures with the keyword named last (C35); with any, while none has been named."""
    having = NONE
    for k in range(N_KEYWORDS):
        if state.keyword_named < 0 or state.keyword_named == k:
            having |= _known(state, k)
    return having


@inline_kernel
def _twins(state, side, player, mask):
    """The creatures of ``mask`` with the same power as another creature of a side (C25)."""
    others = NONE
    if side == Side.ANY or side == Side.ALLIED:
        others |= state.play_area[player & 1]
    if side == Side.ANY or side == Side.ENEMY:
        others |= state.play_area[~player & 1]
    elif side != Side.ALLIED:
        _unknown(state, SIDE, side)
    twins, left = NONE, mask
    while left != NONE:
        slot = _lowest(left)
        left &= left - ONE
        power = state.power[slot]
        if _between(state.power, power, power) & others & ~_bit(slot) != NONE:
            twins |= _bit(slot)
    return twins


@kernel
def _extreme_group(state, mask, highest):
    """The creatures of ``mask`` tied for its highest (or lowest) current power (R88)."""
    best = np.int16(0)
    tied = NONE
    while mask != NONE:
        slot = _lowest(mask)
        mask &= mask - ONE
        power = state.power[slot]
        if tied == NONE or (power > best if highest else power < best):
            best = power
            tied = _bit(slot)
        elif power == best:
            tied |= _bit(slot)
    return tied


_value, _condition = _make_condition(_group)


@inline_kernel
def _known(state, k):
    """Creatures that have keyword ``k``, among others out of play, once ``_refresh`` has run."""
    return state.keyword[k]
