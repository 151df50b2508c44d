"""The decisions inside general instructions: what is picked, by whom, at which decision point.

``stage`` tells how far the instruction has come: FRESH, AGREED (conditions hold, "may" was answered
with yes), DECLINED, or one of the stages here.
"""

import numpy as np

from card_data.mindbug.vocabulary import Choice, Effect, Zone
from simcore.jit import inline_kernel, kernel
from simcore.mindbug.rules.call_stack import AGREED
from simcore.mindbug.rules.constant_abilities import _may_receive
from simcore.mindbug.rules.groups import _value
from simcore.mindbug.rules.hands import _refill, _refill_freed
from simcore.mindbug.rules.keywords import _refresh
from simcore.mindbug.rules.legality import (
    _can_do_one,
    _fitting_cards,
    _n_pairs,
    _picks_creatures,
    _targets,
)
from simcore.mindbug.rules.powers import _refresh_powers
from simcore.mindbug.rules.triggers import _live_source
from simcore.mindbug.rules.unused_pile import _top_unused
from simcore.mindbug.table.decisions import _ask, _ask_for
from simcore.mindbug.table.masks import (
    NONE,
    ONE,
    _between,
    _bit,
    _lowest,
    _nth,
    _popcount,
)
from simcore.mindbug.table.state import N_KEYWORDS, Decision, Named, Phase
from simcore.mindbug.table.unknown_words import CHOICE, EFFECT, _unknown
from simcore.random_streams import CHANCE, _random_below

_N_EFFECTS = len(Effect)
_BOTH = np.uint64(3)
_ALL_KEYWORDS = np.uint64((1 << N_KEYWORDS) - 1)
_MANY = 1000  # picks left while an instruction counts them itself

# Further stages.
_ASKED, _HOST_ASKED, _GIVEN = 3, 4, 5


@inline_kernel
def _per(state, table, instruction):
    """The value that "for each" counts, 1 without it (R51)."""
    if instruction.per < 0:
        return np.int64(1)
    _refresh(state, table)
    return _value(state, table, instruction.per, state.effect_player, _live_source(state))


@inline_kernel
def _amount(state, table, instruction):
    """Number of life, cards or energy: one instruction with that amount (R51, C49)."""
    return instruction.count * _per(state, table, instruction)


@kernel
def _begin_general(state, table, instruction):
    """Find what may be picked, how many, by whom, at which decision point.  Modifies state."""
    effect = instruction.effect
    player = state.effect_player
    whose = (player ^ instruction.player) & 1
    if _picks_creatures(effect):
        state.fitting = _targets(state, table, instruction, player, _live_source(state))
        _begin_picks(state, instruction, _popcount(state.fitting) >= instruction.count)
    elif effect == Effect.PLAY_CARD or effect == Effect.DRAW_CARDS:
        state.fitting = _fitting_cards(state, table, instruction, player)
        if effect == Effect.DRAW_CARDS and not _may_receive(state, table, player):
            state.fitting = NONE
        if instruction.zone == Zone.UNUSED_PILE:
            state.chosen = _top_unused(state, table, instruction.count) & state.fitting
        else:
            _begin_picks(state, instruction, True)
    elif effect == Effect.DISCARD:
        state.fitting = state.hand[whose]
        state.picks_left = _amount(state, table, instruction)
        state.picker = whose  # R29
        state.pick_point = (
            Decision.UP_TO if instruction.choice == Choice.UP_TO else Decision.DISCARD
        )
    elif effect == Effect.TAKE_BOOST:
        state.fitting = state.boosts if _may_receive(state, table, player) else NONE
        state.picks_left = 1
        state.pick_point = Decision.TARGET
    elif effect == Effect.NAME_KEYWORD:
        state.fitting = _ALL_KEYWORDS
        state.picks_left = 1
        state.pick_point = Decision.KEYWORD
        state.pick_named = Named.KEYWORD
    elif effect == Effect.BUY_FREE:
        state.fitting = state.display if table.kot_parts else NONE
        state.picks_left = 1
        state.pick_point = Decision.TARGET
        state.pick_named = Named.POWER_CARD
    elif (
        effect == Effect.BOOST
        or effect == Effect.TAKE_GIVEN_CARD
        or effect == Effect.PUT_RANDOM_CARD
    ):
        state.gathered = NONE
        state.to_boost = instruction.count
        state.boost_host = _live_source(state) if instruction.group.this else -1
    elif effect >= _N_EFFECTS:  # for all others nothing is picked
        _unknown(state, EFFECT, effect)


@inline_kernel
def _begin_picks(state, instruction, enough):
    """Picks of an instruction with a choice among ``fitting``.  Modifies state."""
    if instruction.choice == Choice.ALL:
        state.chosen = state.fitting
    elif instruction.choice == Choice.UP_TO:
        state.picks_left = instruction.count
        state.pick_point = Decision.UP_TO
    elif instruction.choice != Choice.EXACTLY:
        _unknown(state, CHOICE, instruction.choice)
    elif enough:  # R49: exactly N, or nothing
        state.picks_left = instruction.count
        state.pick_point = Decision.TARGET if instruction.count == 1 else Decision.TARGETS


@kernel
def _legal_modes(state, table, instruction):
    """Modes that can do something (D12, C34), as bits.  Modifies state."""
    modes = NONE
    for i in range(instruction.count):
        mode = table.instructions[instruction.first_mode + i]
        if _can_do_one(state, table, mode, state.effect_player, _live_source(state)):
            modes |= _bit(i)
    state.picks_left = 1
    state.pick_point = Decision.MODE
    state.pick_named = Named.MODE
    return modes


@kernel
def _decide(state, table, instruction):
    """Ask for what is still to be decided (PAUSE), or EFFECT if all is.  Modifies state."""
    effect = instruction.effect
    if effect == Effect.BOOST:
        return _decide_boost(state, table, instruction)
    if effect == Effect.TAKE_GIVEN_CARD:
        return _decide_given(state, table, instruction)
    if effect == Effect.PUT_RANDOM_CARD:
        return _decide_pile(state)
    if instruction.group.equal_power:
        return _decide_pair(state, table)
    left = state.fitting & ~state.chosen
    if state.picks_left > 0 and left != NONE:
        may_stop = 1 if state.pick_point == Decision.UP_TO else 0
        return _ask_for(
            state, state.pick_named, state.pick_point, state.picker, may_stop, left, Phase.EFFECT
        )
    return Phase.EFFECT


@inline_kernel
def _hosts(state, table, instruction):
    """Creatures under which a card may be put now (R103, R123)."""
    return _targets(state, table, instruction, state.effect_player, _live_source(state))


@inline_kernel
def _decide_boost(state, table, instruction):
    """D14: a card or stop, then the creature unless it is fixed, again and again (R103)."""
    if state.stage == _ASKED:
        if state.picks_left == 0:  # stopped
            return Phase.EFFECT
        state.gathered |= _bit(state.answer)
        state.to_boost -= 1
        state.boost_card = state.answer
        if state.boost_host < 0:
            state.stage = _HOST_ASKED
            state.picks_left = _MANY
            return _ask(
                state,
                Decision.BOOST,
                state.picker,
                0,
                _hosts(state, table, instruction),
                Phase.EFFECT,
            )
        state.host[state.boost_card] = state.boost_host
    elif state.stage == _HOST_ASKED:
        state.host[state.boost_card] = state.answer
        if instruction.choice != Choice.ALL:  # "to a creature": one for all cards
            state.boost_host = state.answer
    left = (state.discard_pile[0] | state.discard_pile[1]) & ~state.gathered
    hosts = _bit(state.boost_host) if state.boost_host >= 0 else _hosts(state, table, instruction)
    if state.to_boost <= 0 or left == NONE or hosts == NONE:
        return Phase.EFFECT
    state.stage = _ASKED
    state.picks_left = _MANY
    return _ask(state, Decision.BOOST, state.picker, 1, left, Phase.EFFECT)


@inline_kernel
def _decide_given(state, table, instruction):
    """The opponent gives a card (D10) and refills; it is played, or kept (D12, C15)."""
    player = state.effect_player
    if state.stage == AGREED and state.hand[1 - player] != NONE:
        state.stage = _ASKED
        state.picks_left = _MANY
        return _ask(state, Decision.DISCARD, 1 - player, 0, state.hand[1 - player], Phase.EFFECT)
    if state.stage == _ASKED:
        state.gathered = _bit(state.answer)
        state.hand[1 - player] ^= state.gathered
        state.limbo |= state.gathered
        _refill(state, table, 1 - player)
        _refill_freed(state, table)
        state.stage = _GIVEN
        state.answer = 0
        if instruction.or_keep and _may_receive(state, table, player):
            state.picks_left = _MANY
            return _ask_for(
                state, Named.PLAY_OR_KEEP, Decision.MODE, player, 0, _BOTH, Phase.EFFECT
            )
    return Phase.EFFECT


@inline_kernel
def _decide_pile(state):
    """A random card of the opponent's hand is seen; then a pile is chosen (D6, C27)."""
    player = state.effect_player
    if state.stage == AGREED and state.hand[1 - player] != NONE:
        hand = state.hand[1 - player]
        state.gathered = _bit(_nth(hand, _random_below(state.streams, CHANCE, _popcount(hand))))
        state.stage = _ASKED
        state.picks_left = _MANY
        return _ask_for(state, Named.PLAYER, Decision.TARGET, player, 0, _BOTH, Phase.EFFECT)
    return Phase.EFFECT


@inline_kernel
def _decide_pair(state, table):
    """One pick among all pairs of creatures with equal power (C31)."""
    if state.stage == _ASKED:
        state.chosen = _pair(state, state.fitting, state.answer)
        return Phase.EFFECT
    state.chosen = NONE
    _refresh_powers(state, table)
    n = _n_pairs(state, state.fitting)
    if n == 0:
        return Phase.EFFECT
    state.stage = _ASKED
    state.picks_left = _MANY
    return _ask_for(state, Named.PAIR, Decision.TARGETS, state.picker, n, NONE, Phase.EFFECT)


@kernel
def _pair(state, mask, number):
    """The creatures of a pair by its number, in ascending order of their slots."""
    while mask != NONE:
        slot = _lowest(mask)
        power = state.power[slot]
        mask &= mask - ONE
        partners = mask & _between(state.power, power, power)
        if number < _popcount(partners):
            return _bit(slot) | _bit(_nth(partners, number))
        number -= _popcount(partners)
    return NONE
