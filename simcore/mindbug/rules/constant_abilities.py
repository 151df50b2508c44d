"""Constant abilities that forbid, oblige or count: layer L5 of R85.

What can attack, block, be hunted, be played or be defeated now.  Powers (L2) and keywords (L3, L4)
are those of ``powers.py`` and ``keywords.py``.
"""

from card_data.mindbug.vocabulary import Rule
from simcore.jit import inline_kernel, kernel
from simcore.mindbug.rules.groups import _filtered, _group
from simcore.mindbug.rules.keywords import _having, _refresh, _turn_group, _works, _works_now
from simcore.mindbug.rules.powers import _controller, _described, _place, _sources
from simcore.mindbug.table.expansion_features import _any_has, _this_turn, _with_trait
from simcore.mindbug.table.masks import NONE, ONE, _between, _bit, _lowest
from simcore.mindbug.table.state import (
    CANNOT_BE_DEFEATED,
    CHOOSES_BLOCKERS,
    LIMITS_HUNTS,
    MUST_BE_HUNTED,
    SNEAKY,
    STOPS_ATTACKS,
    STOPS_BLOCKS,
    STOPS_BLOCKS_OF_THIS,
    STOPS_HANDS,
    STOPS_MINDBUGS,
    STOPS_PLAY_EFFECTS,
    STOPS_PLAYS,
    TRIGGER_TRAIT,
)


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
        able &= ~_restricted(state, table, Rule.CANNOT_ATTACK, sources, able)
    if _this_turn(state):
        able &= ~state.no_attack & ~_restricted_this_turn(state, table, Rule.CANNOT_ATTACK)
    return able


@inline_kernel
def _able_to_block(state, table, attacker):
    """Creatures that may block an attacker that hunts nothing (R68)."""
    return _blockers(state, table, attacker, 1 - _controller(state, attacker))


@inline_kernel
def _blockers(state, table, attacker, player):
    """The creatures of a player that may block an attacker (R68)."""
    mask = state.play_area[player & 1]
    sneaky = _having(state, table, SNEAKY, mask | _bit(attacker))
    if sneaky & _bit(attacker) != NONE:
        mask &= sneaky
    sources = _sources(state, STOPS_BLOCKS)
    if sources != NONE:
        mask &= ~_restricted(state, table, Rule.CANNOT_BLOCK, sources, mask)
    if state.trait[STOPS_BLOCKS_OF_THIS] & _bit(attacker) != NONE:
        mask &= ~_restricted(state, table, Rule.CANNOT_BLOCK_THIS, _bit(attacker), mask)
    if _with_trait(state, CHOOSES_BLOCKERS) & _bit(attacker) != NONE:
        mask = _chosen_blockers(state, table, attacker, mask)
    if _this_turn(state):
        mask &= ~state.no_block & ~_restricted_this_turn(state, table, Rule.CANNOT_BLOCK)
    return mask


@kernel
def _chosen_blockers(state, table, attacker, blockers):
    """The blockers that every "only ... can block this" that works now leaves (R68)."""
    player = _controller(state, attacker)
    card = table.cards[state.card[attacker]]
    for row in range(card.first_rule, card.end_rule):
        rule = table.rules[row]
        if rule.rule == Rule.ONLY_BLOCK_THIS and _works_now(
            state, table, rule, player, attacker, 0
        ):
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
        enemies &= ~_restricted(state, table, Rule.CANNOT_HUNT, _bit(attacker), enemies)
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
        if _restricted(state, table, Rule.MUST_HUNT_THIS, source, _bit(attacker)) != NONE:
            hunted |= source
    return hunted & _huntable(state, table, attacker)


@inline_kernel
def _play_effects_stopped(state, table, player):
    """Whether a player's Play effects do not trigger now (R90, C1)."""
    sources = _sources(state, STOPS_PLAY_EFFECTS)
    return sources != NONE and _ruled(state, table, Rule.NO_PLAY_EFFECTS, sources, 1 - player)


@inline_kernel
def _may_receive(state, table, player):
    """Whether a player may put cards into their hand (C44)."""
    if not _any_has(table, 1 << STOPS_HANDS):
        return True
    sources = _sources(state, STOPS_HANDS)
    return sources == NONE or not _ruled(state, table, Rule.NO_CARDS_TO_HAND, sources, 1 - player)


@inline_kernel
def _unbound(state, table, player):
    """Cards that a player may play from their hand (C48)."""
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
                rule.rule == Rule.CANNOT_PLAY
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
    return sources != NONE and _ruled(state, table, Rule.NO_MINDBUGS, sources, -1)


@inline_kernel
def _unbeatable(state, table):
    """Creatures that cannot be defeated now (R97)."""
    mask = NONE
    sources = _sources(state, CANNOT_BE_DEFEATED)
    if sources != NONE:
        mask |= _restricted(state, table, Rule.CANNOT_BE_DEFEATED, sources, ~NONE)
    if _this_turn(state):
        mask |= state.undefeatable | _restricted_this_turn(state, table, Rule.CANNOT_BE_DEFEATED)
    return mask
