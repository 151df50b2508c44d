"""Constant abilities that change power: layers L1 and L2 of R85.

L1: ``_described`` and ``_base_condition`` look at zones, life and turns alone.  L2:
``_recalculate_powers`` adds the modifiers up.  Powers are recalculated when they are about to be
read after a change, which equals recalculating after every change (R84): nothing is locked in.
"""

import numpy as np

from card_data.mindbug.vocabulary import Comparison, Quantity, Rule
from simcore.jit import _general, apart_kernel, inline_kernel, kernel
from simcore.mindbug.table.expansion_features import (
    _at_work_in_piles,
    _boosts,
    _this_turn,
    _with_trait,
)
from simcore.mindbug.table.masks import (
    NONE,
    ONE,
    _add_to,
    _at_least,
    _bit,
    _copy_words,
    _holds,
    _lowest,
    _popcount,
)
from simcore.mindbug.table.state import CHANGES_POWER, STALE_POWERS, VOLATILE
from simcore.mindbug.table.unknown_words import COMPARISON, QUANTITY, _unknown


@inline_kernel
def _in_play(state):
    """All creatures in play."""
    return state.play_area[0] | state.play_area[1]


@inline_kernel
def _in_force(state):
    """Cards whose constant abilities may work: those in play, some in discard piles (R84, R106)."""
    return _in_play(state) | _at_work_in_piles(state)


@inline_kernel
def _sources(state, trait):
    """Cards with a trait whose constant abilities may work."""
    return _with_trait(state, trait) & _in_force(state)


@inline_kernel
def _controller(state, slot):
    """Player whose play area or discard pile holds the slot (R53)."""
    side = state.play_area[1] | state.discard_pile[1]
    return _holds(side, slot)


@inline_kernel
def _place(state, slot):
    """Where a card lies, as ``place`` of its rules: 1 in a discard pile, 0 in play."""
    if not _general():
        return np.int64(0)
    piles = state.discard_pile[0] | state.discard_pile[1]
    return _holds(piles, slot)


@inline_kernel
def _described(state, group, player, source):
    """Creatures of the sides that a description names, before its filters.

    ``player`` is "you"; ``source`` is the slot of the source, or -1 if it is no longer the same
    object in play and so can be neither "this" nor the one that "other" leaves out (R55).
    """
    this = np.uint64(source >= 0) << np.uint64(source & 63)  # no branch from here on
    mask = state.play_area[player & 1] * group.allied | state.play_area[~player & 1] * group.enemy
    return mask & ~(this * np.uint64(group.other)) | this * np.uint64(group.this)


@inline_kernel
def _quantity(state, quantity, whose, player, source):
    """A number read off the table; ``quantity`` is a Quantity that counts no creatures."""
    if quantity == Quantity.NUMBER:
        return np.int64(0)
    if quantity == Quantity.LIFE:
        return state.life[whose]
    if quantity == Quantity.MINDBUGS:
        return state.mindbugs[whose]
    if quantity == Quantity.HAND:
        return _popcount(state.hand[whose])
    if quantity == Quantity.DRAW_PILE:
        return _popcount(state.draw_pile[whose])
    if quantity == Quantity.DISCARD_PILE:
        return _popcount(state.discard_pile[whose])
    if quantity == Quantity.ENERGY:
        return state.energy[whose]
    if quantity == Quantity.DISCARDED:
        return state.discarded
    if quantity == Quantity.MY_TURN:
        return np.int64(state.active == player)
    if quantity != Quantity.DEFEATED_BY_THIS:
        _unknown(state, QUANTITY, quantity)
    return np.int64(source >= 0 and state.victors & _bit(source) != NONE)


def _make_condition(count):
    """Kernels for values and conditions; ``count`` gives the creatures to be counted."""

    @kernel
    def _value(state, table, row, player, source):
        value = table.values[row]
        if value.quantity == Quantity.CREATURES:
            return value.number + _popcount(count(state, table, value.group, player, source))
        whose = (player ^ value.player) & 1
        return value.number + _quantity(state, value.quantity, whose, player, source)

    @kernel
    def _holds_alone(state, table, condition, player, source):
        left = _value(state, table, condition.left, player, source)
        right = np.int64(condition.number)
        if condition.right >= 0:
            right = _value(state, table, condition.right, player, source)
        if condition.comparison == Comparison.LESS:
            return left < right
        if condition.comparison == Comparison.AT_MOST:
            return left <= right
        if condition.comparison == Comparison.EQUAL:
            return left == right
        if condition.comparison == Comparison.AT_LEAST:
            return left >= right
        if condition.comparison != Comparison.MORE:
            _unknown(state, COMPARISON, condition.comparison)
        return left > right

    @kernel
    def _condition(state, table, row, player, source):
        condition = table.conditions[row]
        holds = _holds_alone(state, table, condition, player, source)
        while condition.next >= 0 and holds != (condition.any_of != 0):
            condition = table.conditions[condition.next]
            holds = _holds_alone(state, table, condition, player, source)
        return holds

    return _value, _condition


@inline_kernel
def _base_group(state, group, player, source):
    """Creatures that fit a description which asks for neither power nor keywords (L1)."""
    mask = _described(state, group, player, source)
    if group.special:
        if group.boosted:
            mask &= _boosted(state)
        if group.has_blocked:
            mask &= state.blocked
    return mask


@inline_kernel
def _count_described(state, table, group, player, source):  # noqa: ARG001 - as _group
    return _base_group(state, group, player, source)


#: Conditions of power modifiers (L1): descriptions without power and keywords, which the loader
#: ensures.
_base_value, _base_condition = _make_condition(_count_described)


@inline_kernel
def _in_time(state, rule, player, place):
    """Whether the card lies where a constant ability works, in the turn it works in (C7, R106)."""
    in_turn = (rule.turns >> (state.active != player)) & 1 != 0
    return in_turn & (rule.place == place) if _general() else in_turn


@inline_kernel
def _refresh_powers(state, table):
    """Make ``state.power`` current if anything changed that it may depend on (R84).

    Modifies state.
    """
    sources = _sources(state, CHANGES_POWER)
    stale = state.stale & STALE_POWERS != 0
    if stale & (sources | np.uint64(state.modified) != NONE):  # one branch
        _recalculate_powers(state, table, sources)
        if _sources(state, VOLATILE) == NONE:  # else stale again the next time
            state.stale &= ~STALE_POWERS


@apart_kernel
def _recalculate_powers(state, table, sources):
    """Layer L2: printed power plus every modifier, at least 1 in total (R86).  Modifies state."""
    state.modified = sources != NONE
    _copy_words(state.power, state.printed)
    lowered = False
    if _boosts(state) != NONE or _this_turn(state):
        lowered = _add_passing_power(state, table)
    while sources != NONE:
        source = _lowest(sources)
        sources &= sources - ONE
        player, place = _controller(state, source), _place(state, source)
        this = source if place == 0 else -1
        card = table.cards[state.card[source]]
        for row in range(card.first_rule, card.end_power_rule):
            rule = table.rules[row]
            if _in_time(state, rule, player, place) and (
                rule.condition < 0 or _base_condition(state, table, rule.condition, player, this)
            ):
                power = rule.power
                if rule.per >= 0:
                    times = _base_value(state, table, rule.per, player, this)
                    power = np.int16(rule.power * times)
                lowered |= power < 0
                _add_to(state.power, _base_group(state, rule.group, player, this), power)
    if lowered:
        _at_least(state.power, 1)


@inline_kernel
def _turn_source(state, i):
    """Slot of the creature that has given something for this turn, -1 if it has left (R55)."""
    source = state.turn_rule_source[i]
    if source < 0 or _in_play(state) & _bit(source) == NONE:
        return np.int64(-1)
    same = np.int64(state.object[source]) == state.turn_rule_object[i]
    return source if same else np.int64(-1)


@kernel
def _add_passing_power(state, table):
    """Boost cards (R103) and what lasts this turn (R25); whether any power was lowered."""
    state.modified = 1
    left = state.boosts
    while left != NONE:
        state.power[state.host[_lowest(left)]] += 1
        left &= left - ONE
    left = state.grown
    while left != NONE:
        state.power[_lowest(left)] += state.growth[_lowest(left)]
        left &= left - ONE
    lowered = state.grown != NONE
    for i in range(state.n_turn_rules):
        rule = table.rules[state.turn_rule[i]]
        if rule.rule == Rule.POWER:
            lowered |= rule.power < 0
            player, source = state.turn_rule_player[i], _turn_source(state, i)
            group = _base_group(state, rule.group, player, source)
            _add_to(state.power, group, rule.power)
    return lowered


@inline_kernel
def _boosted(state):
    """Creatures with at least one boost card (R105)."""
    mask, left = NONE, state.boosts
    while left != NONE:
        mask |= _bit(state.host[_lowest(left)])
        left &= left - ONE
    return mask
