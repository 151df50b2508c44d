"""Constant abilities: who fits a description, current power and keywords, and restrictions.

The layers of R85 are layers of functions.  L1: ``_described`` and ``_base_condition`` look at
zones, life and turns alone.  L2: ``_recalculate_powers`` adds the modifiers up.  L3 and L4:
``_recalculate`` finds the current keywords.  L5: ``_restricted``.  Powers and keywords are
recalculated when they are about to be read after a change, which equals recalculating after every
change (R84): nothing is locked in.
"""

import numpy as np

from card_data.vocabulary import Comparison, Extreme, Quantity, Rule, Timing
from simcore.kernel_cache import inline_kernel, kernel
from simcore.mindbug.masks import (
    NONE,
    ONE,
    _add_to,
    _at_least,
    _between,
    _bit,
    _copy_words,
    _lowest,
    _popcount,
)
from simcore.mindbug.state import (
    CHANGES_POWER,
    COPIES_KEYWORDS,
    GIVES,
    GRANTS_KEYWORDS,
    N_KEYWORDS,
    SNEAKY,
    STALE_KEYWORDS,
    STALE_POWERS,
    STOPS_ATTACKS,
    STOPS_BLOCKS,
    STOPS_BLOCKS_OF_THIS,
    STOPS_PLAY_EFFECTS,
    VOLATILE,
)

_NO_EXTREME, _HIGHEST = int(Extreme.NONE), int(Extreme.HIGHEST)
_NUMBER, _LIFE, _MINDBUGS = int(Quantity.NUMBER), int(Quantity.LIFE), int(Quantity.MINDBUGS)
_HAND, _DRAW_PILE = int(Quantity.HAND), int(Quantity.DRAW_PILE)
_CREATURES = int(Quantity.CREATURES)
_LESS, _AT_MOST = int(Comparison.LESS), int(Comparison.AT_MOST)
_EQUAL, _AT_LEAST = int(Comparison.EQUAL), int(Comparison.AT_LEAST)
_ALWAYS, _YOUR_TURN = int(Timing.ALWAYS), int(Timing.YOUR_TURN)
_NO_PLAY_EFFECTS = int(Rule.NO_PLAY_EFFECTS)
_COPY_KEYWORDS, _CANNOT_ATTACK = int(Rule.COPY_KEYWORDS), int(Rule.CANNOT_ATTACK)
_CANNOT_BLOCK, _CANNOT_BLOCK_THIS = int(Rule.CANNOT_BLOCK), int(Rule.CANNOT_BLOCK_THIS)


@inline_kernel
def _in_play(state):
    """All creatures in play."""
    return state.play_area[0] | state.play_area[1]


@inline_kernel
def _controller(state, slot):
    """Player whose play area holds the slot."""
    return np.int64((state.play_area[1] >> np.uint64(slot)) & ONE)


@inline_kernel
def _described(state, group, player, source):
    """Creatures of the sides that a description names, before its filters.

    ``player`` is "you"; ``source`` is the slot of the source, or -1 if it is no longer the same
    object in play and so can be neither "this" nor the one that "other" leaves out (R55).
    """
    if group.this:
        return _bit(source) if source >= 0 else NONE
    mask = state.play_area[player & 1] * group.allied | state.play_area[~player & 1] * group.enemy
    if group.other and source >= 0:
        mask &= ~_bit(source)
    return mask


def _make_condition(count):
    """Kernels for values and conditions; ``count`` gives the creatures to be counted."""

    @kernel
    def _value(state, table, row, player, source):
        value = table.values[row]
        quantity = value.quantity
        if quantity == _NUMBER:
            return np.int64(value.number)
        if quantity == _CREATURES:
            return _popcount(count(state, table, value.group, player, source))
        whose = (player ^ value.player) & 1
        if quantity == _LIFE:
            return state.life[whose]
        if quantity == _MINDBUGS:
            return state.mindbugs[whose]
        if quantity == _HAND:
            return _popcount(state.hand[whose])
        if quantity == _DRAW_PILE:
            return _popcount(state.draw_pile[whose])
        return _popcount(state.discard_pile[whose])

    @kernel
    def _condition(state, table, row, player, source):
        condition = table.conditions[row]
        left = _value(state, table, condition.left, player, source)
        right = _value(state, table, condition.right, player, source)
        if condition.comparison == _LESS:
            return left < right
        if condition.comparison == _AT_MOST:
            return left <= right
        if condition.comparison == _EQUAL:
            return left == right
        if condition.comparison == _AT_LEAST:
            return left >= right
        return left > right

    return _value, _condition


@inline_kernel
def _count_described(state, table, group, player, source):  # noqa: ARG001 - as _group
    return _described(state, group, player, source)


#: Conditions of power modifiers (L1): descriptions without filters, which the loader ensures.
_, _base_condition = _make_condition(_count_described)


@inline_kernel
def _in_time(state, rule, player):
    """Whether it is the turn during which a constant ability works (C7)."""
    return rule.timing == _ALWAYS or (state.active == player) == (rule.timing == _YOUR_TURN)


@inline_kernel
def _refresh_powers(state, table):
    """Make ``state.power`` current if anything changed that it may depend on (R84).

    Modifies state.
    """
    sources = state.trait[CHANGES_POWER] & _in_play(state)
    if (sources != NONE or state.modified) and (
        state.stale & STALE_POWERS or state.trait[VOLATILE] & _in_play(state) != NONE
    ):
        _recalculate_powers(state, table, sources)


@kernel
def _recalculate_powers(state, table, sources):
    """Layer L2: printed power plus every modifier, at least 1 in total (R86).  Modifies state."""
    state.stale &= ~STALE_POWERS
    state.modified = sources != NONE
    _copy_words(state.power, state.printed)
    lowered = False
    while sources != NONE:
        source = _lowest(sources)
        sources &= sources - ONE
        player = _controller(state, source)
        card = table.cards[state.card[source]]
        for row in range(card.first_rule, card.end_power_rule):
            rule = table.rules[row]
            if _in_time(state, rule, player) and (
                rule.condition < 0 or _base_condition(state, table, rule.condition, player, source)
            ):
                group = _described(state, rule.group, player, source)
                lowered |= rule.power < 0
                _add_to(state.power, group, rule.power)
    if lowered:
        _at_least(state.power, 1)


@inline_kernel
def _group(state, table, group, player, source):
    """Creatures that fit a description, with the keywords at hand and current powers (R87)."""
    mask = _described(state, group, player, source)
    if group.filtered and mask != NONE:
        mask = _filter(state, table, group, mask)
    return mask


@kernel
def _filter(state, table, group, mask):
    """The creatures of ``mask`` that pass the filters of a description (R87)."""
    _refresh_powers(state, table)
    mask &= _between(state.power, group.power_min, group.power_max)
    if group.keywords:
        having = NONE
        for k in range(N_KEYWORDS):
            if (group.keywords >> k) & 1:
                having |= _known(state, k)
        mask &= having
    if group.extreme != _NO_EXTREME:
        mask = _extreme_group(state, mask, group.extreme == _HIGHEST)
    return mask


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
def _works(state, table, rule, player, source):
    """Whether a constant ability of a card in play works now (R84)."""
    return _in_time(state, rule, player) and (
        rule.condition < 0 or _condition(state, table, rule.condition, player, source)
    )


@inline_kernel
def _known(state, k):
    """Creatures that have keyword ``k``, among others out of play, once ``_refresh`` has run.

    While nothing in play gives the keyword, it is the printed one and needs no recalculation.
    """
    if state.trait[GIVES + k] & _in_play(state) != NONE:
        return state.keyword[k]
    return state.trait[k]


@inline_kernel
def _having(state, table, k):
    """Creatures that have keyword ``k`` now (R84), among others out of play.  Modifies state."""
    if state.trait[GIVES + k] & _in_play(state) != NONE:
        _refresh(state, table)
        return state.keyword[k]
    return state.trait[k]


@inline_kernel
def _refresh(state, table):
    """Make keywords current if anything changed that they may depend on (R84).  Modifies state."""
    givers = (state.trait[GRANTS_KEYWORDS] | state.trait[COPIES_KEYWORDS]) & _in_play(state)
    if givers != NONE and (
        state.stale & STALE_KEYWORDS or state.trait[VOLATILE] & _in_play(state) != NONE
    ):
        _recalculate(state, table)


@kernel
def _recalculate(state, table):
    """Current keywords: printed, granted (L3), copied (L4).  Modifies state."""
    state.stale &= ~STALE_KEYWORDS
    for k in range(N_KEYWORDS):
        state.keyword[k] = state.trait[k]
    granting = state.trait[GRANTS_KEYWORDS] & _in_play(state)
    if granting != NONE:
        _add_keywords(state, table, granting)
    copying = state.trait[COPIES_KEYWORDS] & _in_play(state)
    if copying != NONE:
        _copy_keywords(state, table, copying)


@kernel
def _add_keywords(state, table, sources):
    """Layer L3: granted keywords; their conditions use the powers of L2.  Modifies state."""
    while sources != NONE:
        source = _lowest(sources)
        sources &= sources - ONE
        player = _controller(state, source)
        card = table.cards[state.card[source]]
        for row in range(card.first_rule, card.end_rule):
            rule = table.rules[row]
            if (
                rule.keywords
                and rule.rule != _COPY_KEYWORDS
                and _works(state, table, rule, player, source)
            ):
                group = _group(state, table, rule.group, player, source)
                _grant(state, rule.keywords, group)


@inline_kernel
def _grant(state, keywords, group):
    """Give a set of keywords (bits) to a group of creatures.  Modifies state."""
    for k in range(N_KEYWORDS):
        if (keywords >> k) & 1:
            state.keyword[k] |= group


@kernel
def _copy_keywords(state, table, sources):
    """Layer L4: copied keywords, repeated until nothing changes (R89).  Modifies state."""
    changed = True
    while changed:
        changed = False
        left = sources
        while left != NONE:
            source = _lowest(left)
            left &= left - ONE
            player = _controller(state, source)
            card = table.cards[state.card[source]]
            for row in range(card.first_rule, card.end_rule):
                rule = table.rules[row]
                if rule.rule == _COPY_KEYWORDS and _works(state, table, rule, player, source):
                    group = _group(state, table, rule.group, player, source)
                    enemies = state.play_area[1 - player]
                    for k in range(N_KEYWORDS):
                        if (
                            (rule.keywords >> k) & 1
                            and state.keyword[k] & enemies != NONE
                            and group & ~state.keyword[k] != NONE
                        ):
                            _grant(state, 1 << k, group)
                            changed = True


@kernel
def _restricted(state, table, wanted, sources):
    """Creatures that restrictions of kind ``wanted`` of the given cards hold back (L5)."""
    _refresh(state, table)
    excluded = NONE
    while sources != NONE:
        source = _lowest(sources)
        sources &= sources - ONE
        player = _controller(state, source)
        card = table.cards[state.card[source]]
        for row in range(card.first_rule, card.end_rule):
            rule = table.rules[row]
            if rule.rule == wanted and _works(state, table, rule, player, source):
                excluded |= _group(state, table, rule.group, player, source)
    return excluded


@inline_kernel
def _able_to_attack(state, table, player):
    """Creatures of a player that nothing prevents from attacking (R60)."""
    sources = state.trait[STOPS_ATTACKS] & _in_play(state)
    if sources == NONE:
        return state.play_area[player & 1]
    return state.play_area[player & 1] & ~_restricted(state, table, _CANNOT_ATTACK, sources)


@inline_kernel
def _able_to_block(state, table, attacker):
    """Creatures that may block an attacker that hunts nothing (R68)."""
    mask = state.play_area[1 - _controller(state, attacker)]
    sneaky = _having(state, table, SNEAKY)
    if sneaky & _bit(attacker) != NONE:
        mask &= sneaky
    if mask == NONE:
        return mask
    sources = state.trait[STOPS_BLOCKS] & _in_play(state)
    if sources != NONE:
        mask &= ~_restricted(state, table, _CANNOT_BLOCK, sources)
    if state.trait[STOPS_BLOCKS_OF_THIS] & _bit(attacker) != NONE:
        mask &= ~_restricted(state, table, _CANNOT_BLOCK_THIS, _bit(attacker))
    return mask


@kernel
def _play_effects_stopped(state, table, player):
    """Whether a player's Play effects do not trigger now (R90, C1)."""
    _refresh(state, table)
    sources = state.play_area[1 - player] & state.trait[STOPS_PLAY_EFFECTS]
    while sources != NONE:
        source = _lowest(sources)
        sources &= sources - ONE
        card = table.cards[state.card[source]]
        for row in range(card.first_rule, card.end_rule):
            rule = table.rules[row]
            if rule.rule == _NO_PLAY_EFFECTS and _works(state, table, rule, 1 - player, source):
                return True
    return False
