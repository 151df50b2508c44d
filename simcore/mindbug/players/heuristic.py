"""The players ``heuristic`` and ``learned``: one decision ahead, in points of named weights.

Every option is given points for what it does at once: an attack what it gains against the
opponent's best answer, a card what it is worth and does on this table, against the risk that it is
taken with a Mindbug.  The best one is chosen (``best_option.py``).  What counts how much are the
weights of ``weights.py``, read from a file; the two players differ in nothing else.

First the table is looked at and evaluated (``evaluation.py``), then each option by what it leads
to: fights (``fights.py``) and abilities (``ability_points.py``).
"""

import numpy as np

from card_data.mindbug.vocabulary import Effect, Trigger
from simcore.jit import apart_kernel, inline_kernel, kernel
from simcore.mindbug.players.ability_points import (
    _best_copy,
    _score_instruction,
    _score_play_ability,
    _score_program,
    _worth_copying,
)
from simcore.mindbug.players.best_option import _score_alike, _score_fixed, _score_yes
from simcore.mindbug.players.evaluation import (
    FIRST_KEYWORD,
    WIN,
    _blockers_of,
    _evaluate,
    _find_ace,
    _is_in_danger,
    _look,
    _removal,
    _weight,
    _worth,
)
from simcore.mindbug.players.fights import (
    _answered,
    _find_worst_attack,
    _prepare_fights,
    _score_answer,
    _score_attack,
    _score_blocks,
    _score_duel,
    _stopped_by,
    _weigh_losses,
)
from simcore.mindbug.players.mindbug_points import _reserve, _swing, _would_pass
from simcore.mindbug.rules.powers import _in_play
from simcore.mindbug.table.masks import NONE, ONE, _bit, _lowest, _popcount
from simcore.mindbug.table.state import FRENZY, HAS_DEFEATED, HAS_PLAY, Decision, Named
from simcore.mindbug.table.weight_names import place_of

_ATTACKING, _AHEAD = place_of("attack.any"), place_of("attack.ahead")
_LAST_DEFENDER, _SPENT = place_of("attack.last_defender"), place_of("attack.spent")
_BLOCKING, _BLOCK_FRENZY = place_of("block.any"), place_of("block.frenzy")
_PLAYING, _PLAY_WORTH = place_of("play.any"), place_of("play.worth")
_BY_ALLIES = place_of("play.worth_by_allies")
_BY_ENEMIES = place_of("play.worth_by_enemies")
_PLAY_EFFECT, _BEHIND = place_of("play.effect"), place_of("play.behind")
_DEFENCE, _TAKEN = place_of("play.defence"), place_of("play.taken")
_TAKEN_ANY, _BAIT = place_of("play.taken_any"), place_of("play.bait")
_ACTING, _ACTION_EFFECT = place_of("action.any"), place_of("action.effect")
_SAVES = place_of("play.saves")
_FATAL_TAKEN, _FATAL_LEFT = place_of("play.fatal"), place_of("mindbug.fatal")
_ENERGY, _BUYING = place_of("card.energy"), place_of("card.buying")
_FACE = place_of("die.face_0")


@kernel
def _score_mindbug(state, table, seat):
    """D2: take the card if that swings more points than the reserve asks for."""
    player = state.decider
    slot = _lowest(state.limbo)
    theirs = _score_play_ability(state, table, seat, slot, 1 - player)
    mine = _score_play_ability(state, table, seat, slot, player)
    swing = _swing(state, table, seat, slot, player, theirs, mine)
    if (
        _is_in_danger(state, player)
        and _would_pass(state, table, slot, player)
        and _stopped_by(state, table, slot, state.hand[player], state.printed) == NONE
    ):
        swing += _weight(table, seat, _FATAL_LEFT)
    _score_yes(state, swing - _reserve(state, table, seat, player))


@kernel
def _score_actions(state, table, seat):
    """D1: cards, attacks and Action abilities."""
    player = state.active
    _prepare_fights(state, table, seat)
    _find_worst_attack(state, table, seat, player)
    option = np.int64(0)
    if state.options != NONE:
        option = _score_cards(state, table, seat, player)
    left = state.attack_options
    bias = _attack_bias(state, table, seat, player)
    while left != NONE:
        state.points[option] = _score_attack(state, table, seat, _lowest(left)) + bias
        left &= left - ONE
        option += 1
    left = state.action_options
    while left != NONE:
        program = np.int64(table.cards[state.card[_lowest(left)]].program[Trigger.ACTION])
        left &= left - ONE
        effect = _score_program(state, table, seat, program, player)
        points = effect * _weight(table, seat, _ACTION_EFFECT) + _weight(table, seat, _ACTING)
        state.points[option] = points
        option += 1


@inline_kernel
def _attack_bias(state, table, seat, player):
    """Attack bias: points of attacking at all, with any creature."""
    allies, enemies = _popcount(state.play_area[player]), _popcount(state.play_area[1 - player])
    points = _weight(table, seat, _ATTACKING)
    points += np.float64(allies > enemies) * _weight(table, seat, _AHEAD)
    points += np.float64(allies == 1) * _weight(table, seat, _LAST_DEFENDER)
    if state.hand[player] | state.draw_pile[player] == NONE:
        points += _weight(table, seat, _SPENT)
    return points


@kernel
def _score_cards(state, table, seat, player):
    """Cards to play from the hand; how many there are."""
    option = np.int64(0)
    opponent = 1 - player
    allies, enemies = _popcount(state.play_area[player]), _popcount(state.play_area[opponent])
    share = _weight(table, seat, _PLAY_WORTH) + 0.01 * (
        allies * _weight(table, seat, _BY_ALLIES) + enemies * _weight(table, seat, _BY_ENEMIES)
    )
    base = _weight(table, seat, _PLAYING)
    base += np.float64(allies < enemies) * _weight(table, seat, _BEHIND)
    threat = state.worst_points
    watched, in_danger = state.mindbugs[opponent] > 0, _is_in_danger(state, player)
    reserve = _reserve(state, table, seat, opponent) if watched else 0.0
    of_taken, of_bait = _weight(table, seat, _TAKEN), _weight(table, seat, _BAIT)
    taken_any = _weight(table, seat, _TAKEN_ANY)
    left = state.options
    while left != NONE:
        slot = _lowest(left)
        left &= left - ONE
        points = base + share * _worth(state, table, seat, slot)
        effect = _score_play_ability(state, table, seat, slot, player)
        points += effect * _weight(table, seat, _PLAY_EFFECT)
        if state.worst >= 0:
            rest = _answered(state, table, seat, state.worst, slot, threat)
            rest = max(rest, state.next_worst)
            relief = min(threat, 300.0) - min(rest, 300.0)
            points += max(relief, 0.0) * _weight(table, seat, _DEFENCE)
            if threat >= WIN and rest < WIN:
                points += _weight(table, seat, _SAVES)
        if watched:
            if in_danger and _would_pass(state, table, slot, player):
                points -= _weight(table, seat, _FATAL_TAKEN)
            # That the ability would do as much for the opponent is near enough, and half the work.
            excess = _swing(state, table, seat, slot, opponent, effect, effect) - reserve
            points -= max(excess, 0.0) * of_taken + min(excess, 0.0) * of_bait
            points += taken_any if excess >= 0.0 else 0.0
        state.points[option] = points
        option += 1
    return option


@kernel
def _score_hunts(state, table, seat):
    """D3: fights, and the best answer to not hunting."""
    option = np.int64(state.fixed_options)  # C20: 0 if it has to hunt
    _prepare_fights(state, table, seat)
    if option > 0:
        state.points[0] = _score_answer(state, table, seat, state.attacker)
    left = state.options
    while left != NONE:
        state.points[option] = _score_duel(state, table, seat, state.attacker, _lowest(left))
        left &= left - ONE
        option += 1


@kernel
def _score_blocking(state, table, seat):
    """D4: losing a life, and fights."""
    option = np.int64(1)
    state.points[0] = -state.life_points[state.decider]
    _weigh_losses(state, table, seat, state.options | _bit(state.attacker))
    bias = _weight(table, seat, _BLOCKING)
    if state.may_repeat and state.has[FRENZY] & _bit(state.attacker) != NONE:
        bias += _weight(table, seat, _BLOCK_FRENZY)
    left = state.options
    while left != NONE:
        duel = _score_duel(state, table, seat, state.attacker, _lowest(left))
        left &= left - ONE
        state.points[option] = bias - duel
        option += 1


@kernel
def _score_targets(state, table, seat):
    """D6-D8, D10, D14: take the best, remove the best enemy, discard the worst, stop at a loss."""
    player, in_play = state.decider, _in_play(state)
    if state.options & (in_play | state.trait[HAS_PLAY]) != NONE:
        _prepare_fights(state, table, seat)
        _find_worst_attack(state, table, seat, player)
    discards = state.decision == Decision.DISCARD
    effect = np.int64(-1)
    if not discards:
        effect = np.int64(table.instructions[state.pc].effect)
    removes = (
        effect == Effect.DEFEAT or effect == Effect.RETURN_TO_HAND or effect == Effect.SET_ASIDE
    )
    helps = effect == Effect.BOOST or effect == Effect.EVOLVE
    copies = effect == Effect.COPY_PLAY_EFFECT
    copying = _worth_copying(state, table) if copies else ~NONE
    # An Attack effect that removes a creature may clear the way for the attack (R63).
    attacking = removes and state.attacker >= 0 and state.attacking == player
    blockers, answer = NONE, 0.0
    if attacking:
        blockers = _blockers_of(state, table, state.attacker)
        answer = _score_blocks(state, table, seat, state.attacker, blockers)
    option = _score_fixed(state)
    left = state.options
    while left != NONE:
        slot = _lowest(left)
        left &= left - ONE
        if in_play & _bit(slot) != NONE:
            points = state.value[slot]
        else:
            state.value[slot] = _worth(state, table, seat, slot)
            points = state.value[slot] + _score_play_ability(state, table, seat, slot, player)
        allied = _bit(slot) & state.play_area[player] != NONE
        enemy = _bit(slot) & state.play_area[1 - player] != NONE
        if removes:
            points = _removal(state, table, seat, slot) + 0.05 * points
            if attacking and enemy:
                rest = blockers & ~_bit(slot)
                points += _score_blocks(state, table, seat, state.attacker, rest) - answer
        if copies:
            points = _score_play_ability(state, table, seat, slot, player) + 1.0
        if discards or (removes and allied) or (helps and enemy) or copying & _bit(slot) == NONE:
            points = -points
        if effect == Effect.TAKE_CONTROL and allied:  # as a ruling allows, without effect (O6)
            points = 0.0
        state.points[option] = points
        option += 1


@kernel
def _score_modes(state, table, seat):
    """D12: modes."""
    option = np.int64(0)
    instruction = table.instructions[state.pc]
    left = state.options
    while left != NONE:
        mode = table.instructions[instruction.first_mode + _lowest(left)]
        left &= left - ONE
        points = _score_instruction(state, table, seat, mode, state.decider)
        state.points[option] = points
        option += 1


@kernel
def _score_power_cards(state, table, seat):
    """D15, D6: what power cards gain above their price; to buy none gains nothing."""
    option = _score_fixed(state)
    left = state.options
    while left != NONE:
        card = table.power_cards[_lowest(left)]
        left &= left - ONE
        points = _score_program(state, table, seat, np.int64(card.program), state.decider)
        points += _weight(table, seat, _BUYING) - card.cost * _weight(table, seat, _ENERGY)
        state.points[option] = points
        option += 1


@inline_kernel
def _score_rerolls(state, table, seat):
    """D16: what a die shows on average more than now, for one, the other and both."""
    mean = 0.0
    for face in range(6):
        mean += _weight(table, seat, _FACE + face) / 6.0
    first = mean - _weight(table, seat, _FACE + state.dice[0])
    second = mean - _weight(table, seat, _FACE + state.dice[1])
    state.points[0] = 0.0
    state.points[1] = first
    state.points[2] = second
    state.points[3] = first + second


@inline_kernel
def _score_keywords(state, table, seat):
    """D13: what keywords are worth."""
    option = np.int64(0)
    left = state.options
    while left != NONE:
        points = _weight(table, seat, FIRST_KEYWORD + _lowest(left))
        left &= left - ONE
        state.points[option] = points
        option += 1


@apart_kernel
def _score_by_weights(state, table, seat):
    """Give each option of the present decision points, by the weights of player ``seat``.

    Modifies the notes of state.
    """
    if state.decision == Decision.REROLL:
        _score_rerolls(state, table, seat)
        return
    _look(state, table, seat)
    # Nothing changes from here on: what may change at any time need not be worked out again.
    stale = state.stale
    state.stale = 0
    _find_ace(state, table, state.decider)
    _evaluate(state, table, seat, _of_interest(state))
    _score_options(state, table, seat)
    state.stale = stale


@inline_kernel
def _of_interest(state):
    """Creatures whose value the present decision may need."""
    if state.decision == Decision.MINDBUG and state.trait[HAS_PLAY] & state.limbo == NONE:
        return NONE
    if state.decision == Decision.BLOCK:
        fighting = state.options | _bit(state.attacker)
        if state.trait[HAS_DEFEATED] & fighting == NONE:
            return fighting
    return _in_play(state)


@inline_kernel
def _score_options(state, table, seat):
    """`_score_by_weights` at a table that has been looked at and evaluated."""
    decision = state.decision
    if decision == Decision.ACTION:
        _score_actions(state, table, seat)
    elif decision == Decision.MINDBUG:
        _score_mindbug(state, table, seat)
    elif decision == Decision.BLOCK:
        _score_blocking(state, table, seat)
    elif decision == Decision.HUNT:
        _score_hunts(state, table, seat)
    elif decision == Decision.SECOND_ATTACK:
        _prepare_fights(state, table, seat)
        _score_yes(state, _score_attack(state, table, seat, state.attacker))
    elif decision == Decision.MAY:
        if table.instructions[state.pc].effect == Effect.COPY_PLAY_EFFECT:
            _score_yes(state, _best_copy(state, table, seat))
        else:
            _score_yes(state, _score_program(state, table, seat, state.pc, state.decider))
    elif state.named == Named.SLOT:
        _score_targets(state, table, seat)
    elif state.named == Named.MODE:
        _score_modes(state, table, seat)
    elif state.named == Named.POWER_CARD:
        _score_power_cards(state, table, seat)
    elif state.named == Named.KEYWORD:
        _score_keywords(state, table, seat)
    else:
        _score_alike(state)  # the order of triggers and dice, a pile, a pair, to play a given card
