"""Attacks, blocks and hunts in points: for players who think by weights.

An attack is worth what it gains against the best answer or by the best hunt.  The table must have
been looked at and evaluated (``evaluation.py``) and then prepared for fights (`_prepare_fights`).
"""

import numpy as np

from card_data.mindbug.vocabulary import Choice, Effect, Rule, Trigger
from simcore.jit import _general, inline_kernel, kernel
from simcore.mindbug.players.ability_points import _score_program
from simcore.mindbug.players.evaluation import (
    WIN,
    _blockers_of,
    _evaluate_threat,
    _find_blockers,
    _fresh,
    _might,
    _weight,
    _worth,
)
from simcore.mindbug.rules.constant_abilities import _able_to_attack, _huntable, _unbeatable
from simcore.mindbug.rules.groups import _condition, _group
from simcore.mindbug.rules.powers import _controller, _in_play
from simcore.mindbug.table.expansion_features import _any_has, _this_turn
from simcore.mindbug.table.masks import NONE, ONE, _between, _bit, _holds, _lowest
from simcore.mindbug.table.state import (
    CANNOT_BE_DEFEATED,
    FRENZY,
    HAS_ATTACK,
    HAS_DEFEATED,
    HUNTER,
    POISONOUS,
    SNEAKY,
    STOPS_BLOCKS,
    STOPS_BLOCKS_OF_THIS,
)
from simcore.mindbug.table.weight_names import place_of

_SNEAKY_BIT = 1 << SNEAKY
_MOST = np.int16(np.iinfo(np.int16).max)

_SECOND, _ATTACK_EFFECT = place_of("attack.second"), place_of("attack.effect")
_TRADE, _DEFEATED_EFFECT = place_of("attack.trade"), place_of("defeated.effect")
_FACE = place_of("die.face_0")


@inline_kernel
def _prepare_fights(state, table, seat):
    """Note who can block, and what is lost in fights.  Modifies state."""
    _find_blockers(state, table)
    _weigh_losses(state, table, seat, _in_play(state))


@inline_kernel
def _weigh_losses(state, table, seat, creatures):
    """Note for some creatures where a lost fight costs something else than them (R81, R97).

    Modifies the note ``loss`` of state.
    """
    falling = creatures & ~_fresh(state)
    if _this_turn(state) or _any_has(table, 1 << CANNOT_BE_DEFEATED):
        falling = _spare_unbeatable(state, table, falling)
    left = state.trait[HAS_DEFEATED] & falling
    while left != NONE:
        slot = _lowest(left)
        left &= left - ONE
        program = np.int64(table.cards[state.card[slot]].program[Trigger.DEFEATED])
        effect = _score_program(state, table, seat, program, _controller(state, slot))
        state.loss[slot] = state.value[slot] - effect * _weight(table, seat, _DEFEATED_EFFECT)


@kernel
def _spare_unbeatable(state, table, falling):
    """Those of some creatures that can be defeated; what cannot be is no loss (R97).

    Modifies the note ``loss`` of state.
    """
    unbeatable = _unbeatable(state, table) & falling
    left = unbeatable
    while left != NONE:
        state.loss[_lowest(left)] = 0.0
        left &= left - ONE
    return falling & ~unbeatable


@inline_kernel
def _score_duel(state, table, seat, attacker, blocker):
    """Points that the attacker's side gains if these two fight now (R70-R72).

    Who wins is asked by floating-point numbers, and what may be lost is read beforehand: the
    processor then chooses without a branch.
    """
    wins = state.might[attacker] - np.float64(state.power[blocker])
    loses = state.might[blocker] - np.float64(state.power[attacker])
    at_stake, at_risk, trade = (
        state.loss[blocker],
        state.loss[attacker],
        _weight(table, seat, _TRADE),
    )
    gain = at_stake if wins >= 0.0 else 0.0
    price = at_risk if loses >= 0.0 else 0.0
    return gain - price + (trade if min(wins, loses) >= 0.0 else 0.0)


@inline_kernel
def _score_answer(state, table, seat, attacker):
    """Points of an attack that hunts nothing, against the best answer (R68, R69)."""
    return _score_blocks(state, table, seat, attacker, _blockers_of(state, table, attacker))


@kernel
def _score_blocks(state, table, seat, attacker, blockers):
    """Points of an attack against the best answer with some blockers."""
    defender = 1 - _controller(state, attacker)
    if (blockers == NONE) & (state.life[defender] == 2) & _repeats(state, attacker):
        return WIN
    points = state.life_points[defender]
    while blockers != NONE:
        points = min(points, _score_duel(state, table, seat, attacker, _lowest(blockers)))
        blockers &= blockers - ONE
    return points


@inline_kernel
def _repeats(state, attacker):
    """Whether a creature may attack twice this turn: FRENZY, and it has not attacked (R74)."""
    return state.has[FRENZY] & ~state.attacked & _bit(attacker) != NONE


@kernel
def _best_hunt(state, table, seat, attacker):
    """Points of the best creature that an attacker can hunt, far below 0 if there is none."""
    best = -WIN
    left = _huntable(state, table, attacker)
    while left != NONE:
        best = max(best, _score_duel(state, table, seat, attacker, _lowest(left)))
        left &= left - ONE
    return best


@kernel
def _score_attack(state, table, seat, attacker):
    """Points of an attack, before the attack bias (R60-R76)."""
    blockers = _blockers_of(state, table, attacker)
    points = _score_blocks(state, table, seat, attacker, blockers)
    if state.has[HUNTER] & _bit(attacker) != NONE:
        points = max(points, _best_hunt(state, table, seat, attacker))
    second = np.float64(_repeats(state, attacker)) * _weight(table, seat, _SECOND)
    points += second if points > 0.0 else 0.0
    if state.trait[HAS_ATTACK] & _bit(attacker) != NONE:
        program = np.int64(table.cards[state.card[attacker]].program[Trigger.ATTACK])
        points = _score_after_effect(state, table, seat, attacker, program, blockers, points)
        effect = _score_program(state, table, seat, program, _controller(state, attacker))
        points += effect * _weight(table, seat, _ATTACK_EFFECT)
    if _general() and table.kot_parts:
        dice = np.float64(table.cards[state.card[attacker]].dice)
        points += dice * _weight(table, seat, _FACE)
    return points


@kernel
def _score_after_effect(state, table, seat, attacker, pc, blockers, points):
    """Points of an attack whose Attack effect may first take a blocker out of the way."""
    player = _controller(state, attacker)
    while pc >= 0:
        instruction = table.instructions[pc]
        pc = np.int64(instruction.next)
        if instruction.condition >= 0 and not _condition(
            state, table, instruction.condition, player, attacker
        ):
            continue
        effect = instruction.effect
        if effect in (Effect.DEFEAT, Effect.TAKE_CONTROL, Effect.RETURN_TO_HAND, Effect.SET_ASIDE):
            fitting = _group(state, table, instruction.group, player, attacker) & blockers
            if effect == Effect.DEFEAT:
                fitting &= ~_fresh(state)
            if instruction.choice == Choice.ALL:
                rest = blockers & ~fitting
                points = max(points, _score_blocks(state, table, seat, attacker, rest))
                continue
            while fitting != NONE:
                rest = blockers & ~(fitting & ~(fitting - ONE))
                points = max(points, _score_blocks(state, table, seat, attacker, rest))
                fitting &= fitting - ONE
        elif effect == Effect.THIS_TURN:
            rest = _blockers_this_turn(state, table, instruction, player, attacker, blockers)
            if rest != blockers:
                points = max(points, _score_blocks(state, table, seat, attacker, rest))
    return points


@inline_kernel
def _blockers_this_turn(state, table, instruction, player, attacker, blockers):
    """The blockers that are left when an Attack effect gives something this turn (R25)."""
    rule = table.rules[instruction.rule]
    if rule.rule == Rule.CANNOT_BLOCK:
        if instruction.choice == Choice.ALL:
            return blockers & ~_group(state, table, rule.group, player, attacker)
        fitting = _group(state, table, instruction.group, player, attacker) & blockers
        return blockers & ~(fitting & ~(fitting - ONE))
    if rule.keywords & _SNEAKY_BIT != 0:
        return blockers & state.has[SNEAKY]
    return blockers


@kernel
def _find_worst_attack(state, table, seat, player):
    """Find the worst attack that threatens a player, as their creatures can answer it now.

    Creatures are evaluated and losses weighed anew with it.  Modifies the notes ``worst`` (slot,
    -1 = none), ``worst_points``, ``next_worst``, ``value`` and ``loss`` of state.
    """
    worst, points, following = np.int64(-1), 0.0, 0.0
    left = _able_to_attack(state, table, 1 - player)
    while left != NONE:
        slot = _lowest(left)
        left &= left - ONE
        threat = _score_answer(state, table, seat, slot)
        beats = threat > points
        worst = slot if beats else worst
        following = points if beats else max(following, threat)
        points = threat if beats else points
    state.worst, state.worst_points, state.next_worst = worst, points, following
    if worst >= 0:
        _evaluate_threat(state, table, seat)
        _weigh_losses(state, table, seat, _in_play(state))


@inline_kernel
def _answered(state, table, seat, attacker, slot, points):
    """Points that are left of a threat once a card of the hand could block it."""
    sneaks = _holds(state.has[SNEAKY], attacker) > _holds(state.trait[SNEAKY], slot)
    if sneaks | _holds(state.trait[STOPS_BLOCKS], slot):
        return points
    if state.trait[STOPS_BLOCKS_OF_THIS] & _bit(attacker) != NONE and (
        _bars(state, table, attacker, state.printed[slot])
    ):
        return points
    printed = np.float64(state.printed[slot])
    might = _might(state.printed[slot], state.trait[POISONOUS], slot)
    at_stake, at_risk = _worth(state, table, seat, slot), state.loss[attacker]
    gain = at_stake if state.might[attacker] >= printed else 0.0
    price = at_risk if might >= np.float64(state.power[attacker]) else 0.0
    return min(points, gain - price)


@kernel
def _bars(state, table, slot, power):
    """Whether a card says that it cannot be blocked by a creature of some power (L5)."""
    card = table.cards[state.card[slot]]
    for row in range(card.first_rule, card.end_rule):
        rule = table.rules[row]
        low, high = rule.group.power_min, rule.group.power_max
        if rule.rule == Rule.CANNOT_BLOCK_THIS and low <= power and power <= high:
            return True
    return False


@inline_kernel
def _stopped_by(state, table, slot, blockers, powers):
    """Those of some cards that could block a card, were it in play, and defeat it.

    ``powers`` are those of the cards: the current ones in play, else the printed ones.
    """
    blockers &= _between(powers, state.printed[slot], _MOST) | state.has[POISONOUS]
    blockers &= state.has[SNEAKY] if state.trait[SNEAKY] & _bit(slot) != NONE else ~NONE
    if state.trait[STOPS_BLOCKS_OF_THIS] & _bit(slot) != NONE:
        blockers = _unbarred(state, table, slot, blockers, powers)
    return blockers


@kernel
def _unbarred(state, table, slot, blockers, powers):
    """Those of some cards that a card does not keep from blocking it."""
    unbarred = NONE
    while blockers != NONE:
        blocker = _lowest(blockers)
        blockers &= blockers - ONE
        if not _bars(state, table, slot, powers[blocker]):
            unbarred |= _bit(blocker)
    return unbarred
