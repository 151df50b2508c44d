"""Constant abilities that give keywords: layers L3 and L4 of R85.

``_recalculate`` finds the current keywords.  They are recalculated when they are about to be read
after a change, which equals recalculating after every change (R84): nothing is locked in.
"""

import numpy as np

from card_data.mindbug.vocabulary import Rule
from simcore.jit import _general, apart_kernel, inline_kernel, kernel
from simcore.mindbug.rules.groups import _condition, _group
from simcore.mindbug.rules.powers import (
    _controller,
    _in_force,
    _in_play,
    _in_time,
    _place,
    _sources,
    _turn_source,
)
from simcore.mindbug.table.expansion_features import _this_turn
from simcore.mindbug.table.masks import NONE, ONE, _lowest
from simcore.mindbug.table.state import (
    COPIES_KEYWORDS,
    GIVES,
    GIVES_TO_OTHERS,
    GRANTS_KEYWORDS,
    N_KEYWORDS,
    STALE_KEYWORDS,
    VOLATILE,
)


@inline_kernel
def _works(state, table, rule, player, source, place):
    """Whether a constant ability works, by the keywords at hand; ``source`` is -1 outside play."""
    return _in_time(state, rule, player, place) and (
        rule.condition < 0 or _condition(state, table, rule.condition, player, source)
    )


@inline_kernel
def _having(state, table, k, among):
    """Those of some creatures that have keyword ``k`` now (R84).  Modifies state.

    While nothing gives it to them, it is the printed one and needs no recalculation.
    """
    giving = _sources(state, GIVES + k) & (state.trait[GIVES_TO_OTHERS] | among)
    if _general():
        giving |= state.turn_gives[k]
    if giving == NONE:
        return state.trait[k] & among
    _refresh(state, table)
    return state.keyword[k] & among


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
    """Creatures for which a rule of this turn holds: those that fit at this moment (R26)."""
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
                (rule.rule == Rule.POWER or rule.rule == Rule.KEYWORDS)
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
                if rule.rule == Rule.COPY_KEYWORDS and _works(
                    state, table, rule, player, source, 0
                ):
                    group = _group(state, table, rule.group, player, source)
                    enemies = state.play_area[1 - player]
                    gained = NONE
                    for k in range(N_KEYWORDS):  # no branch
                        copied = (rule.keywords >> k) & (state.keyword[k] & enemies != NONE)
                        gained |= group & ~state.keyword[k] * np.uint64(copied)
                        state.keyword[k] |= group * np.uint64(copied)
                    changed |= gained != NONE
