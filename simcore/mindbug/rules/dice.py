"""Dice of King of Tokyo: roll, reroll, order and results (R62, R113-R116)."""

import numpy as np

from card_data.mindbug.vocabulary import Rule
from simcore.jit import inline_kernel, kernel
from simcore.mindbug.rules.constant_abilities import _total, _turn_total
from simcore.mindbug.rules.hands import _refill_freed
from simcore.mindbug.rules.keywords import _refresh
from simcore.mindbug.rules.powers import _sources
from simcore.mindbug.rules.triggers import _new_event, _settle
from simcore.mindbug.rules.turn_rules import _grow
from simcore.mindbug.rules.zones import _discard
from simcore.mindbug.table.decisions import _ask, _ask_for
from simcore.mindbug.table.masks import NONE, _bit
from simcore.mindbug.table.state import ADDS_DICE, ADDS_REROLLS, HAS_DICE, Decision, Named, Phase
from simcore.random_streams import CHANCE, _random_below

#: Faces of a die (R113), in the order of their numbers: growth 1 to 3, energy 1 and 2, strike.
FACES = ("growth 1", "growth 2", "growth 3", "energy 1", "energy 2", "strike")
MAX_ROLLED = 2

_N_FACES, _LAST_GROWTH, _LAST_ENERGY = len(FACES), 2, 4
_BOTH = 3  # option of D16


@inline_kernel
def _may_roll(state, attacker):
    """Whether an attacker, given as a mask, may have dice (R113, C39); few attackers have."""
    return (
        state.trait[HAS_DICE] & attacker != NONE
        or _sources(state, ADDS_DICE) != NONE
        or (state.this_turn and (state.n_turn_rules > 0 or state.more_dice[0] & attacker != NONE))
    )


@kernel
def _roll(state, table):
    """Phase ROLL: an attacker with dice symbols rolls (R62, R113, C39); rerolls are fixed (R114).

    Modifies state.
    """
    attacker = _bit(state.attacker)
    dice = np.int64(0)
    if state.trait[HAS_DICE] & attacker != NONE:
        dice = np.int64(table.cards[state.card[state.attacker]].dice)
    sources = _sources(state, ADDS_DICE)
    if sources != NONE or state.this_turn:
        _refresh(state, table)
        dice += _total(state, table, Rule.MORE_DICE, sources, -1, state.attacker)
        dice += _turn_total(state, table, Rule.MORE_DICE, attacker)
        for more in range(MAX_ROLLED):
            dice += np.int64(state.more_dice[more] & attacker != NONE)
    if dice == 0:
        return Phase.ATTACK_TRIGGERS
    state.n_dice = min(dice, MAX_ROLLED)
    state.rerolls = 1
    sources = _sources(state, ADDS_REROLLS)
    if sources != NONE:
        _refresh(state, table)
        state.rerolls += _total(state, table, Rule.MORE_REROLLS, sources, state.attacking, -1)
    for die in range(state.n_dice):
        _roll_die(state, die)
    return Phase.REROLL


@inline_kernel
def _roll_die(state, die):
    """Roll one die: six faces, equally likely (R113).  Modifies state."""
    state.dice[die] = _random_below(state.streams, CHANCE, _N_FACES)


@kernel
def _reroll(state):
    """Phase REROLL: keep or roll again while a reroll is left (R114, D16); then the order (D17)."""
    if state.rerolls > 0:
        n = 2 if state.n_dice == 1 else 4
        return _ask_for(state, Named.DIE, Decision.REROLL, state.attacking, n, NONE, Phase.REROLL)
    for die in range(state.n_dice):
        state.rolled[state.dice[die]] += 1
    state.next_die = 0
    if state.n_dice == MAX_ROLLED and state.dice[0] != state.dice[1]:
        return _ask_for(state, Named.DIE, Decision.DICE_ORDER, state.attacking, 2, NONE, Phase.DIE)
    return Phase.DIE


@kernel
def _take_reroll(state, option):
    """Option 0 keeps; the others roll one die, or both, again.  Modifies state."""
    if option == 0:
        state.rerolls = 0
        return Phase.REROLL
    state.rerolls -= 1
    for die in range(state.n_dice):
        if option == die + 1 or option == _BOTH:
            _roll_die(state, die)
    return Phase.REROLL


@kernel
def _take_dice_order(state, option):
    """The chosen die is applied first (R115).  Modifies state."""
    if option == 1:
        state.dice[0], state.dice[1] = state.dice[1], state.dice[0]
    return Phase.DIE


@kernel
def _apply_die(state, table):
    """Phase DIE: apply the next result (R115); after the last one the queue (R58, R62).

    Modifies state.
    """
    if state.next_die == state.n_dice:
        return _settle(state, table, Phase.ATTACK_TRIGGERS)
    face = state.dice[state.next_die]
    state.next_die += 1
    _new_event(state)
    if face <= _LAST_GROWTH:
        _grow(state, _bit(state.attacker), face + 1)
    elif face <= _LAST_ENERGY:
        energy = face - _LAST_GROWTH
        state.energy[state.attacking] += energy
        state.energy_gained[state.attacking] += energy
        _refill_freed(state, table)
    else:
        hand = state.hand[1 - state.attacking]
        if hand != NONE:
            state.chosen = NONE
            return _ask(state, Decision.DISCARD, 1 - state.attacking, 0, hand, Phase.STRIKE)
    return Phase.DIE


@kernel
def _strike(state, table):
    """Phase STRIKE: the chosen card of the opponent is discarded (R115).  Modifies state."""
    _discard(state, table, state.chosen, 1 - state.attacking)
    _refill_freed(state, table)
    return Phase.DIE
