"""Effects that last until the end of the turn (R22, R25, R26)."""

import numpy as np

from card_data.mindbug.vocabulary import Rule
from simcore.jit import inline_kernel, kernel
from simcore.mindbug.table.expansion_features import _to_forget
from simcore.mindbug.table.masks import NONE, ONE, _bit, _holds, _lowest, bits_of
from simcore.mindbug.table.records import Ending
from simcore.mindbug.table.state import MAX_TURN_RULES, N_KEYWORDS, STALE
from simcore.mindbug.table.unknown_words import RULE, _unknown

#: Rules that can hold for a turn.
_OF_A_TURN = bits_of(
    Rule.POWER,
    Rule.KEYWORDS,
    Rule.CANNOT_ATTACK,
    Rule.CANNOT_BLOCK,
    Rule.CANNOT_BE_DEFEATED,
    Rule.MORE_DICE,
)
_GROUPS_KEEP_IT = 1 << 3  # open point O3


@inline_kernel
def _names_creatures(group):
    """Whether an instruction of THIS_TURN is about creatures that are chosen, or about "this"."""
    return group.this or group.allied | group.enemy != NONE


@kernel
def _last_this_turn(state, table, instruction, chosen):
    """Let a rule hold for the rest of the turn (R25, R26); whether for anything.

    More groups in one turn than there is room for end the game as looped.  Modifies state.
    """
    rule = table.rules[instruction.rule]
    if not _holds(_OF_A_TURN, rule.rule):
        _unknown(state, RULE, rule.rule)
    state.this_turn = 1
    state.stale = STALE
    if not _names_creatures(instruction.group):
        if state.n_turn_rules == MAX_TURN_RULES:
            state.ending = Ending.LOOPED
            return 0
        state.turn_rule[state.n_turn_rules] = instruction.rule
        state.turn_rule_player[state.n_turn_rules] = state.effect_player
        state.turn_rule_source[state.n_turn_rules] = state.source
        state.turn_rule_object[state.n_turn_rules] = state.source_object
        state.n_turn_rules += 1
        state.open_points |= _GROUPS_KEEP_IT
        chosen = ~NONE
        state.modified = 1
    elif rule.rule == Rule.POWER:
        _grow(state, chosen, rule.power)
    elif rule.rule == Rule.CANNOT_ATTACK:
        state.no_attack |= chosen
    elif rule.rule == Rule.CANNOT_BLOCK:
        state.no_block |= chosen
    elif rule.rule == Rule.CANNOT_BE_DEFEATED:
        state.undefeatable |= chosen
    elif rule.rule == Rule.MORE_DICE:
        for _ in range(rule.amount):
            state.more_dice[1] |= chosen & state.more_dice[0]
            state.more_dice[0] |= chosen
    for k in range(N_KEYWORDS):
        if (rule.keywords >> k) & 1:
            state.turn_gives[k] |= chosen
            if _names_creatures(instruction.group):
                state.turn_keyword[k] |= chosen
    return np.int64(chosen != NONE)


@kernel
def _grow(state, mask, power):
    """Creatures have more power (or less) this turn.  Modifies state."""
    state.this_turn = 1
    state.modified = 1
    state.stale = STALE
    while mask != NONE:
        slot = _lowest(mask)
        mask &= mask - ONE
        if state.grown & _bit(slot) == NONE:
            state.growth[slot] = 0
        state.grown |= _bit(slot)
        state.growth[slot] += power


@inline_kernel
def _end_this_turn(state):
    """End all effects of this turn, and forget its attacks and blocks (R22).  Modifies state."""
    state.attacked = NONE
    if _to_forget(state):
        _clear_turn(state)


@kernel
def _clear_turn(state):
    """Reset everything that lasts, or is remembered, for this turn.  Modifies state."""
    state.blocked = NONE
    state.victors = NONE
    state.undefeatable = NONE
    state.no_block = NONE
    state.no_attack = NONE
    state.grown = NONE
    state.more_dice[0] = NONE
    state.more_dice[1] = NONE
    state.n_turn_rules = 0
    state.this_turn = 0
    state.fought = 0
    for k in range(N_KEYWORDS):
        state.turn_keyword[k] = NONE
        state.turn_gives[k] = NONE
    state.stale = STALE
