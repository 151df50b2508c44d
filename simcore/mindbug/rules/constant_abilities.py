"""Constant abilities: who fits a description, current power and keywords, and restrictions.

The layers of R85 are layers of functions.  L1: ``_described`` and ``_base_condition`` look at
zones, life and turns alone.  L2: ``_recalculate_powers`` adds the modifiers up.  L3 and L4:
``_recalculate`` finds the current keywords.  L5: ``_restricted``.  Powers and keywords are
recalculated when they are about to be read after a change, which equals recalculating after every
change (R84): nothing is locked in.
"""

import numpy as np

from card_data.mindbug.vocabulary import Comparison, Extreme, Quantity, Rule, Ruling, Side
from simcore.jit import _general, apart_kernel, inline_kernel, kernel
from simcore.mindbug.table.expansion_features import (
    _any_has,
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
    _between,
    _bit,
    _copy_words,
    _holds,
    _lowest,
    _popcount,
)
from simcore.mindbug.table.state import (
    CANNOT_BE_DEFEATED,
    CHANGES_POWER,
    CHOOSES_BLOCKERS,
    COPIES_KEYWORDS,
    GIVES,
    GRANTS_KEYWORDS,
    LIMITS_HUNTS,
    MUST_BE_HUNTED,
    N_KEYWORDS,
    SNEAKY,
    STALE_KEYWORDS,
    STALE_POWERS,
    STOPS_ATTACKS,
    STOPS_BLOCKS,
    STOPS_BLOCKS_OF_THIS,
    STOPS_HANDS,
    STOPS_MINDBUGS,
    STOPS_PLAY_EFFECTS,
    STOPS_PLAYS,
    TRIGGER_TRAIT,
    VOLATILE,
)
from simcore.mindbug.table.unknown_words import COMPARISON, EXTREME, QUANTITY, SIDE, _unknown

_NO_EXTREME = int(Extreme.NONE)
_HIGHEST, _LOWEST = int(Extreme.HIGHEST), int(Extreme.LOWEST)
_ANY, _ALLIED, _ENEMY = int(Side.ANY), int(Side.ALLIED), int(Side.ENEMY)
_NUMBER, _LIFE, _MINDBUGS = int(Quantity.NUMBER), int(Quantity.LIFE), int(Quantity.MINDBUGS)
_HAND, _DRAW_PILE = int(Quantity.HAND), int(Quantity.DRAW_PILE)
_DISCARD_PILE, _ENERGY = int(Quantity.DISCARD_PILE), int(Quantity.ENERGY)
_CREATURES, _DISCARDED = int(Quantity.CREATURES), int(Quantity.DISCARDED)
_MY_TURN, _DEFEATED_BY_THIS = int(Quantity.MY_TURN), int(Quantity.DEFEATED_BY_THIS)
_LESS, _AT_MOST = int(Comparison.LESS), int(Comparison.AT_MOST)
_EQUAL, _AT_LEAST = int(Comparison.EQUAL), int(Comparison.AT_LEAST)
_MORE = int(Comparison.MORE)
_POWER, _NO_PLAY_EFFECTS = int(Rule.POWER), int(Rule.NO_PLAY_EFFECTS)
_KEYWORDS = int(Rule.KEYWORDS)
_COPY_KEYWORDS, _CANNOT_ATTACK = int(Rule.COPY_KEYWORDS), int(Rule.CANNOT_ATTACK)
_CANNOT_BLOCK, _CANNOT_BLOCK_THIS = int(Rule.CANNOT_BLOCK), int(Rule.CANNOT_BLOCK_THIS)
_ONLY_BLOCK_THIS, _CANNOT_HUNT = int(Rule.ONLY_BLOCK_THIS), int(Rule.CANNOT_HUNT)
_MUST_HUNT_THIS, _NO_CARDS_TO_HAND = int(Rule.MUST_HUNT_THIS), int(Rule.NO_CARDS_TO_HAND)
_CANNOT_PLAY, _NO_MINDBUGS = int(Rule.CANNOT_PLAY), int(Rule.NO_MINDBUGS)
_CANNOT_BE_DEFEATED = int(Rule.CANNOT_BE_DEFEATED)
_PRINTED_POWER_COUNTS = 1 << Ruling.PRINTED_POWER_COUNTS


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
    if quantity == _NUMBER:
        return np.int64(0)
    if quantity == _LIFE:
        return state.life[whose]
    if quantity == _MINDBUGS:
        return state.mindbugs[whose]
    if quantity == _HAND:
        return _popcount(state.hand[whose])
    if quantity == _DRAW_PILE:
        return _popcount(state.draw_pile[whose])
    if quantity == _DISCARD_PILE:
        return _popcount(state.discard_pile[whose])
    if quantity == _ENERGY:
        return state.energy[whose]
    if quantity == _DISCARDED:
        return state.discarded
    if quantity == _MY_TURN:
        return np.int64(state.active == player)
    if quantity != _DEFEATED_BY_THIS:
        _unknown(state, QUANTITY, quantity)
    return np.int64(source >= 0 and state.victors & _bit(source) != NONE)


def _make_condition(count):
    """Kernels for values and conditions; ``count`` gives the creatures to be counted."""

    @kernel
    def _value(state, table, row, player, source):
        value = table.values[row]
        if value.quantity == _CREATURES:
            return value.number + _popcount(count(state, table, value.group, player, source))
        whose = (player ^ value.player) & 1
        return value.number + _quantity(state, value.quantity, whose, player, source)

    @kernel
    def _holds_alone(state, table, condition, player, source):
        left = _value(state, table, condition.left, player, source)
        right = np.int64(condition.number)
        if condition.right >= 0:
            right = _value(state, table, condition.right, player, source)
        if condition.comparison == _LESS:
            return left < right
        if condition.comparison == _AT_MOST:
            return left <= right
        if condition.comparison == _EQUAL:
            return left == right
        if condition.comparison == _AT_LEAST:
            return left >= right
        if condition.comparison != _MORE:
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
        if rule.rule == _POWER:
            lowered |= rule.power < 0
            player, source = state.turn_rule_player[i], _turn_source(state, i)
            group = _base_group(state, rule.group, player, source)
            _add_to(state.power, group, rule.power)
    return lowered


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
    if group.extreme != _NO_EXTREME:
        if group.extreme != _HIGHEST and group.extreme != _LOWEST:
            _unknown(state, EXTREME, group.extreme)
        mask = _extreme_group(state, mask, group.extreme == _HIGHEST)
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
def _boosted(state):
    """Creatures with at least one boost card (R105)."""
    mask, left = NONE, state.boosts
    while left != NONE:
        mask |= _bit(state.host[_lowest(left)])
        left &= left - ONE
    return mask


@inline_kernel
def _twins(state, side, player, mask):
    """The creatures of ``mask`` with the same power as another creature of a side (C25)."""
    others = NONE
    if side == _ANY or side == _ALLIED:
        others |= state.play_area[player & 1]
    if side == _ANY or side == _ENEMY:
        others |= state.play_area[~player & 1]
    elif side != _ALLIED:
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
def _works(state, table, rule, player, source, place):
    """Whether a constant ability works, by the keywords at hand; ``source`` is -1 outside play."""
    return _in_time(state, rule, player, place) and (
        rule.condition < 0 or _condition(state, table, rule.condition, player, source)
    )


@inline_kernel
def _known(state, k):
    """Creatures that have keyword ``k``, among others out of play, once ``_refresh`` has run."""
    return state.keyword[k]


@inline_kernel
def _having(state, table, k):
    """Creatures that have keyword ``k`` now (R84), among others out of play.  Modifies state.

    While nothing gives the keyword, it is the printed one and needs no recalculation.
    """
    giving = _sources(state, GIVES + k)
    if _general():
        giving |= state.turn_gives[k]
    if giving == NONE:
        return state.trait[k]
    _refresh(state, table)
    return state.keyword[k]


@inline_kernel
def _refresh(state, table):
    """Make keywords current if anything changed that they may depend on (R84).  Modifies state."""
    if state.stale & STALE_KEYWORDS:
        _recalculate(state, table)


@inline_kernel
def _works_now(state, table, rule, player, source, place):
    """Whether a constant ability works now (R84); ``source`` is -1 outside play.

    Keywords are made current where its condition may ask for them.  Modifies state.
    """
    if rule.condition >= 0:
        _refresh(state, table)
    return _works(state, table, rule, player, source, place)


@kernel
def _recalculate(state, table):
    """Current keywords: those printed, if nothing in play gives others.  Modifies state."""
    for k in range(N_KEYWORDS):
        state.keyword[k] = state.trait[k]
    givers = state.trait[GRANTS_KEYWORDS] | state.trait[COPIES_KEYWORDS]
    if givers & _in_force(state) != NONE or _this_turn(state):
        _add_given(state, table)
        if _sources(state, VOLATILE) != NONE:
            return  # stale again the next time
    state.stale &= ~STALE_KEYWORDS


@apart_kernel
def _add_given(state, table):
    """Keywords given this turn, granted (L3) and copied (L4).  Modifies state."""
    if _this_turn(state):
        for k in range(N_KEYWORDS):
            state.keyword[k] |= state.turn_keyword[k]
        for i in range(state.n_turn_rules):
            rule = table.rules[state.turn_rule[i]]
            if rule.keywords:
                _grant(state, rule.keywords, _turn_group(state, table, rule, i))
    granting = _sources(state, GRANTS_KEYWORDS)
    if granting != NONE:
        _add_keywords(state, table, granting)
    copying = state.trait[COPIES_KEYWORDS] & _in_play(state)
    if copying != NONE:
        _copy_keywords(state, table, copying)


@inline_kernel
def _turn_group(state, table, rule, i):
    """Creatures that something holds for this turn: whoever fits at this moment (R26)."""
    player, source = state.turn_rule_player[i], _turn_source(state, i)
    return _group(state, table, rule.group, player, source)


@kernel
def _add_keywords(state, table, sources):
    """Layer L3: granted keywords; their conditions use the powers of L2.  Modifies state."""
    while sources != NONE:
        source = _lowest(sources)
        sources &= sources - ONE
        player, place = _controller(state, source), _place(state, source)
        this = source if place == 0 else -1
        card = table.cards[state.card[source]]
        for row in range(card.first_rule, card.end_rule):
            rule = table.rules[row]
            if (
                (rule.rule == _POWER or rule.rule == _KEYWORDS)
                and rule.keywords
                and _works(state, table, rule, player, this, place)
            ):
                group = _group(state, table, rule.group, player, this)
                _grant(state, rule.keywords, group)


@inline_kernel
def _grant(state, keywords, group):
    """Give a set of keywords (bits) to a group of creatures.  Modifies state."""
    for k in range(N_KEYWORDS):  # no branch
        state.keyword[k] |= group * np.uint64((keywords >> k) & 1)


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
                if rule.rule == _COPY_KEYWORDS and _works(state, table, rule, player, source, 0):
                    group = _group(state, table, rule.group, player, source)
                    enemies = state.play_area[1 - player]
                    gained = NONE
                    for k in range(N_KEYWORDS):  # no branch
                        copied = (rule.keywords >> k) & (state.keyword[k] & enemies != NONE)
                        gained |= group & ~state.keyword[k] * np.uint64(copied)
                        state.keyword[k] |= group * np.uint64(copied)
                    changed |= gained != NONE


@kernel
def _restricted(state, table, wanted, sources, among):
    """Those of some creatures that rules of kind ``wanted`` of the given cards name (L5)."""
    named = NONE
    while sources != NONE:
        source = _lowest(sources)
        sources &= sources - ONE
        player, place = _controller(state, source), _place(state, source)
        this = source if place == 0 else -1
        card = table.cards[state.card[source]]
        for row in range(card.first_rule, card.end_rule):
            rule = table.rules[row]
            if rule.rule != wanted:
                continue
            described = _described(state, rule.group, player, this)
            if described & among != NONE and _works_now(state, table, rule, player, this, place):
                if rule.group.keywords | rule.group.special:
                    _refresh(state, table)
                named |= _filtered(state, table, rule.group, described, player, this)
    return named & among


@kernel
def _restricted_this_turn(state, table, wanted):
    """Creatures of groups for which a rule of kind ``wanted`` holds this turn (R26)."""
    _refresh(state, table)
    named = NONE
    for i in range(state.n_turn_rules):
        rule = table.rules[state.turn_rule[i]]
        if rule.rule == wanted:
            named |= _turn_group(state, table, rule, i)
    return named


@kernel
def _total(state, table, wanted, sources, player, slot):
    """Sum of the amounts of rules of kind ``wanted`` that work now.

    ``player`` is the one whose rules count, -1 for those of both; ``slot`` is the creature that
    must be among those named, -1 for rules that name none.
    """
    total = 0
    while sources != NONE:
        source = _lowest(sources)
        sources &= sources - ONE
        you, place = _controller(state, source), _place(state, source)
        if player >= 0 and you != player:
            continue
        this = source if place == 0 else -1
        card = table.cards[state.card[source]]
        for row in range(card.first_rule, card.end_rule):
            rule = table.rules[row]
            if (
                rule.rule == wanted
                and _works(state, table, rule, you, this, place)
                and (slot < 0 or _group(state, table, rule.group, you, this) & _bit(slot) != NONE)
            ):
                total += rule.amount
    return total


@kernel
def _turn_total(state, table, wanted, mask):
    """Sum of the amounts that rules of kind ``wanted`` give a creature this turn (R26)."""
    total = 0
    for i in range(state.n_turn_rules):
        rule = table.rules[state.turn_rule[i]]
        if rule.rule == wanted and _turn_group(state, table, rule, i) & mask != NONE:
            total += rule.amount
    return total


@kernel
def _ruled(state, table, wanted, sources, player):
    """Whether a rule of kind ``wanted`` of a player's cards (-1 = of anybody's) works now."""
    while sources != NONE:
        source = _lowest(sources)
        sources &= sources - ONE
        you, place = _controller(state, source), _place(state, source)
        if player >= 0 and you != player:
            continue
        this = source if place == 0 else -1
        card = table.cards[state.card[source]]
        for row in range(card.first_rule, card.end_rule):
            rule = table.rules[row]
            if rule.rule == wanted and _works_now(state, table, rule, you, this, place):
                return True
    return False


@inline_kernel
def _able_to_attack(state, table, player):
    """Creatures of a player that nothing prevents from attacking (R60)."""
    able = state.play_area[player & 1]
    sources = _sources(state, STOPS_ATTACKS)
    if sources != NONE:
        able &= ~_restricted(state, table, _CANNOT_ATTACK, sources, able)
    if _this_turn(state):
        able &= ~state.no_attack & ~_restricted_this_turn(state, table, _CANNOT_ATTACK)
    return able


@inline_kernel
def _able_to_block(state, table, attacker):
    """Creatures that may block an attacker that hunts nothing (R68)."""
    return _blockers(state, table, attacker, 1 - _controller(state, attacker))


@inline_kernel
def _blockers(state, table, attacker, player):
    """The creatures of a player that may block an attacker (R68)."""
    mask = state.play_area[player & 1]
    sneaky = _having(state, table, SNEAKY)
    if sneaky & _bit(attacker) != NONE:
        mask &= sneaky
    sources = _sources(state, STOPS_BLOCKS)
    if sources != NONE:
        mask &= ~_restricted(state, table, _CANNOT_BLOCK, sources, mask)
    if state.trait[STOPS_BLOCKS_OF_THIS] & _bit(attacker) != NONE:
        mask &= ~_restricted(state, table, _CANNOT_BLOCK_THIS, _bit(attacker), mask)
    if _with_trait(state, CHOOSES_BLOCKERS) & _bit(attacker) != NONE:
        mask = _chosen_blockers(state, table, attacker, mask)
    if _this_turn(state):
        mask &= ~state.no_block & ~_restricted_this_turn(state, table, _CANNOT_BLOCK)
    return mask


@kernel
def _chosen_blockers(state, table, attacker, blockers):
    """The blockers that every "only ... can block this" that works now leaves (R68)."""
    player = _controller(state, attacker)
    card = table.cards[state.card[attacker]]
    for row in range(card.first_rule, card.end_rule):
        rule = table.rules[row]
        if rule.rule == _ONLY_BLOCK_THIS and _works_now(state, table, rule, player, attacker, 0):
            if rule.group.keywords | rule.group.special:
                _refresh(state, table)
            described = _described(state, rule.group, player, attacker)
            blockers &= _filtered(state, table, rule.group, described, player, attacker)
    return blockers


@inline_kernel
def _huntable(state, table, attacker):
    """Enemy creatures that an attacker may hunt (R65, R67)."""
    enemies = state.play_area[1 - _controller(state, attacker)]
    if _with_trait(state, LIMITS_HUNTS) & _bit(attacker) != NONE:
        enemies &= ~_restricted(state, table, _CANNOT_HUNT, _bit(attacker), enemies)
    return enemies


@kernel
def _must_be_hunted(state, table, attacker):
    """Enemy creatures that an attacker is obliged to hunt, were it to attack now (C20)."""
    player = _controller(state, attacker)
    sources = _with_trait(state, MUST_BE_HUNTED) & state.play_area[1 - player]
    hunted = NONE
    while sources != NONE:
        source = _bit(_lowest(sources))
        sources ^= source
        if _restricted(state, table, _MUST_HUNT_THIS, source, _bit(attacker)) != NONE:
            hunted |= source
    return hunted & _huntable(state, table, attacker)


@inline_kernel
def _play_effects_stopped(state, table, player):
    """Whether a player's Play effects do not trigger now (R90, C1)."""
    sources = _sources(state, STOPS_PLAY_EFFECTS)
    return sources != NONE and _ruled(state, table, _NO_PLAY_EFFECTS, sources, 1 - player)


@inline_kernel
def _may_receive(state, table, player):
    """Whether a player may put cards into his hand (C44)."""
    if not _any_has(table, 1 << STOPS_HANDS):
        return True
    sources = _sources(state, STOPS_HANDS)
    return sources == NONE or not _ruled(state, table, _NO_CARDS_TO_HAND, sources, 1 - player)


@inline_kernel
def _unbound(state, table, player):
    """Cards that a player may play from his hand (C48)."""
    sources = _sources(state, STOPS_PLAYS)
    if sources == NONE:
        return state.hand[player & 1]
    return _playable(state, table, sources, player)


@kernel
def _playable(state, table, sources, player):
    """Cards of a hand that no rule of the given cards of the opponent keeps there (C48)."""
    cards = state.hand[player & 1]
    while sources != NONE:
        source = _lowest(sources)
        sources &= sources - ONE
        you, place = _controller(state, source), _place(state, source)
        this = source if place == 0 else -1
        card = table.cards[state.card[source]]
        for row in range(card.first_rule, card.end_rule):
            rule = table.rules[row]
            if (
                rule.rule == _CANNOT_PLAY
                and you != player
                and _works_now(state, table, rule, you, this, place)
            ):
                bound = _between(state.printed, rule.power_min, rule.power_max)
                if rule.ability >= 0:
                    bound &= state.trait[TRIGGER_TRAIT[rule.ability]]
                cards &= ~bound
    return cards


@inline_kernel
def _mindbugs_stopped(state, table):
    """Whether no Mindbugs can be used now (C46)."""
    sources = _sources(state, STOPS_MINDBUGS)
    return sources != NONE and _ruled(state, table, _NO_MINDBUGS, sources, -1)


@inline_kernel
def _unbeatable(state, table):
    """Creatures that cannot be defeated now (R97)."""
    mask = NONE
    sources = _sources(state, CANNOT_BE_DEFEATED)
    if sources != NONE:
        mask |= _restricted(state, table, _CANNOT_BE_DEFEATED, sources, ~NONE)
    if _this_turn(state):
        mask |= state.undefeatable | _restricted_this_turn(state, table, _CANNOT_BE_DEFEATED)
    return mask
