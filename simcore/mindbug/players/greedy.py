"""The ``greedy`` policy: look one step ahead with a hand-made count of points.

Every option is scored by what it does at once.  An attack is worth what it gains against the
opponent's best answer; a card is worth its ``worth`` plus its Play effect on the present table; a
Mindbug is used on what would hurt most.  One point is about a tenth of a point of power.  Nothing
hidden is looked at: own hand, both play areas, both discard piles, counts (R4).
"""

import numpy as np

from card_data.mindbug.schema import Card
from card_data.mindbug.vocabulary import Choice, Effect, Keyword, Trigger
from simcore.jit import inline_kernel, kernel
from simcore.mindbug.players.ability_points import _worth_copying
from simcore.mindbug.players.best_option import NO_RANK, _option_of, _rank
from simcore.mindbug.rules.constant_abilities import _able_to_block
from simcore.mindbug.rules.groups import _condition, _group, _known
from simcore.mindbug.rules.keywords import _refresh
from simcore.mindbug.rules.life import _life_to_set
from simcore.mindbug.rules.powers import _controller, _refresh_powers
from simcore.mindbug.table.masks import NONE, ONE, _bit, _holds, _lowest, _popcount
from simcore.mindbug.table.state import (
    FRENZY,
    HAS_ATTACK,
    HUNTER,
    POISONOUS,
    SNEAKY,
    STOPS_PLAY_EFFECTS,
    TOUGH,
    Decision,
    Named,
)

_WIN_POINTS = 100_000
_EXHAUSTION = 20  # points that a lost TOUGH protection costs
_SECOND_ATTACK = 10  # points that a second attack adds to a first one that gains something
_CARD_IN_HAND = 20  # points of a card drawn, discarded or stolen
_LIFE_GAINED = 15  # points of a life gained
_MINDBUG_RESERVE = 184  # points that a card must threaten more than, to spend a Mindbug on it

_GIVEN_AWAY = 60  # points that a creature given to the opponent costs
_SOMETHING = 15  # points of any other instruction

_AHEAD = 45  # points that an attack gains from having more creatures than the opponent
_LETHAL = 120  # points of what can hardly be blocked when life is short
_BAIT = 75  # points of a card that is worth playing while the opponent has a Mindbug left


#: Points of each face of a die, in the order of dice.FACES, and their mean.
_DIE_WORTH = np.array([10, 20, 30, 15, 30, 20], np.int64)
_DIE_AVERAGE = 20

_KEYWORD_WORTH = {
    Keyword.FRENZY: 15,
    Keyword.HUNTER: 12,
    Keyword.POISONOUS: 35,
    Keyword.SNEAKY: 65,
    Keyword.TOUGH: 15,
}
_EFFECT_WORTH = {
    Effect.DEFEAT: 30,
    Effect.TAKE_CONTROL: 40,
    Effect.LOSE_LIFE: 45,
    Effect.SET_LIFE: 90,
}
_OTHER_WORTH = 15  # any other instruction, and any constant ability
_TRIGGER_SHARE = {Trigger.PLAY: 0.0, Trigger.ATTACK: 1.0, Trigger.DEFEATED: 0.5}


def card_worth(card: Card) -> int:
    """Points of a creature in play by its printed face.

    A Play effect counts nothing here: it is judged on the table when the card is played.
    """
    triggered = sum(
        _TRIGGER_SHARE.get(ability.trigger, 0.5)
        * _EFFECT_WORTH.get(instruction.effect, _OTHER_WORTH)
        for ability in card.triggered
        for instruction in ability.instructions
    )
    keywords = sum(_KEYWORD_WORTH[keyword] for keyword in card.keywords)
    return 10 * card.power + keywords + round(triggered) + _OTHER_WORTH * len(card.constant)


@inline_kernel
def _worth(state, table, slot):
    """Points of the card in a slot."""
    return np.int64(table.cards[state.card[slot]].worth)


@inline_kernel
def _life_worth(life):
    """Points of taking one life from a player who has ``life``."""
    return _WIN_POINTS if life <= 1 else (110 if life == 2 else 80)


@inline_kernel
def _score_duel(state, table, attacker, blocker):
    """Points that the attacker's side gains if these two fight now (R70-R72, R81)."""
    difference = np.int64(state.power[attacker]) - state.power[blocker]
    poisonous = _known(state, POISONOUS)
    wins = np.int64(difference >= 0) | _holds(poisonous, attacker)
    loses = np.int64(difference <= 0) | _holds(poisonous, blocker)
    return wins * _stake(state, table, blocker) - loses * _stake(state, table, attacker)


@inline_kernel
def _stake(state, table, slot):
    """Points that a creature loses in a lost fight; TOUGH may save it (R81)."""
    worth = _worth(state, table, slot)
    fresh = _known(state, TOUGH) & ~state.exhausted
    return worth + _holds(fresh, slot) * (_EXHAUSTION - worth)


@kernel
def _score_attack(state, table, attacker):
    """Points of an attack against the best answer; hunting if that is better (R61)."""
    defender = ~_controller(state, attacker) & 1
    score = _life_worth(state.life[defender])
    left = _able_to_block(state, table, attacker)
    while left != NONE:
        score = min(score, _score_duel(state, table, attacker, _lowest(left)))
        left &= left - ONE
    if _known(state, HUNTER) & _bit(attacker) != NONE:
        left = state.play_area[defender]
        while left != NONE:
            score = max(score, _score_duel(state, table, attacker, _lowest(left)))
            left &= left - ONE
    if score > 0 and _known(state, FRENZY) & _bit(attacker) != NONE:
        score += _SECOND_ATTACK
    return score


@kernel
def _score_play_effect(state, table, card, player):
    """Points that a Play effect gains for the player it would resolve for, as the table is now."""
    pc = np.int64(table.cards[card].program[Trigger.PLAY])
    if pc < 0 or state.play_area[~player & 1] & state.trait[STOPS_PLAY_EFFECTS] != NONE:
        return 0
    return _score_program(state, table, pc, player)


@kernel
def _score_program(state, table, pc, player):
    """Points that an ability gains for "you" = ``player``, from instruction ``pc`` on."""
    score = 0
    while pc >= 0:
        instruction = table.instructions[pc]
        if instruction.condition < 0 or _condition(state, table, instruction.condition, player, -1):
            if instruction.effect == Effect.CHOOSE_ONE:
                score += _best_mode(state, table, instruction, player)
            else:
                score += _score_instruction(state, table, instruction, player)
        pc = np.int64(instruction.next)
    return score


@kernel
def _best_mode(state, table, instruction, player):
    """Points of the best of several modes."""
    best = 0
    for i in range(instruction.count):
        mode = table.instructions[instruction.first_mode + i]
        best = max(best, _score_instruction(state, table, mode, player))
    return best


@inline_kernel
def _score_instruction(state, table, instruction, player):
    """Points that one instruction gains for "you" = ``player``."""
    effect = instruction.effect
    whose = (player ^ instruction.player) & 1
    sign = 1 if whose == player else -1
    count = np.int64(instruction.count)
    if effect == Effect.DEFEAT or effect == Effect.TAKE_CONTROL:
        return _score_creatures(state, table, instruction, player)
    if effect == Effect.PLAY_CARD:
        return _best_worth(state, table, state.discard_pile[whose])
    if effect == Effect.DRAW_ALL:
        return _CARD_IN_HAND * _popcount(state.discard_pile[whose])
    if effect == Effect.GAIN_LIFE:
        return sign * _LIFE_GAINED * count
    if effect == Effect.LOSE_LIFE:
        return -sign * _life_worth(state.life[whose] - count + 1)
    if effect == Effect.SET_LIFE:
        life = _life_to_set(state, table, instruction, player, -1)
        return sign * 2 * _LIFE_GAINED * (life - state.life[whose])
    if effect == Effect.DISCARD or effect == Effect.DISCARD_RANDOM:
        return -sign * _CARD_IN_HAND * min(count, _popcount(state.hand[whose]))
    if effect == Effect.STEAL_RANDOM:
        return 2 * _CARD_IN_HAND * min(count, _popcount(state.hand[~player & 1]))
    if effect == Effect.DISCARD_WHOLE:
        return -sign * _CARD_IN_HAND * _popcount(state.hand[whose] | state.draw_pile[whose])
    if effect == Effect.WIN:
        return _WIN_POINTS
    if effect == Effect.LOSE:
        return -_WIN_POINTS
    if effect == Effect.GIVE_CONTROL:
        return -_GIVEN_AWAY
    if effect == Effect.RETURN_TO_HAND or effect == Effect.SET_ASIDE:
        return _score_creatures(state, table, instruction, player) // 2
    return _SOMETHING


@inline_kernel
def _score_creatures(state, table, instruction, player):
    """Points of defeating or taking the creatures that an instruction affects."""
    fitting = _group(state, table, instruction.group, player, -1)
    enemies = fitting & state.play_area[~player & 1]
    allies = fitting & state.play_area[player & 1]
    if instruction.effect == Effect.TAKE_CONTROL:
        return 2 * _best_worth(state, table, enemies) * min(instruction.count, 1)
    if instruction.choice == Choice.ALL:
        score = 0
        while fitting != NONE:
            slot = _lowest(fitting)
            fitting &= fitting - ONE
            worth = _worth(state, table, slot)
            score += worth if _bit(slot) & enemies != NONE else -worth
        return score
    if enemies == NONE and allies != NONE:
        return -_CARD_IN_HAND
    return _best_worth(state, table, enemies)


@inline_kernel
def _best_worth(state, table, mask):
    """Points of the best card of a mask, 0 for none."""
    best = 0
    while mask != NONE:
        best = max(best, _worth(state, table, _lowest(mask)))
        mask &= mask - ONE
    return best


# The highest rank among the options, by what is decided -------------------------------------------


@inline_kernel
def _rank_yes(points):
    """No (0) gains nothing, yes (1) some points."""
    return max(_rank(0, 0), _rank(points, 1))


@inline_kernel
def _rank_fixed(state):
    """Options that name no card, as to stop, gain nothing."""
    return np.int64(_rank(0, 0)) if state.fixed_options > 0 else NO_RANK


@kernel
def _rank_actions(state, table):
    """D1: a card counts its effect and a part of its worth.

    The best cards are held back while the opponent could take them with a Mindbug.
    """
    option, best = np.int64(0), NO_RANK
    player = state.active
    allies = _popcount(state.play_area[player & 1])
    lead = _AHEAD if allies > _popcount(state.play_area[~player & 1]) else 0
    development = 3 + allies // 2
    left = state.options
    while left != NONE:
        slot = _lowest(left)
        left &= left - ONE
        worth = _worth(state, table, slot)
        if state.mindbugs[~player & 1] > 0 and worth > _BAIT:
            worth = 2 * _BAIT - worth
        effect = _score_play_effect(state, table, state.card[slot], player)
        best = max(best, _rank(worth // development + effect, option))
        option += 1
    left = state.attack_options
    while left != NONE:
        best = max(best, _rank(_score_attack(state, table, _lowest(left)) + lead, option))
        left &= left - ONE
        option += 1
    left = state.action_options
    while left != NONE:
        program = np.int64(table.cards[state.card[_lowest(left)]].program[Trigger.ACTION])
        left &= left - ONE
        best = max(best, _rank(_score_program(state, table, program, player), option))
        option += 1
    return best


@kernel
def _rank_mindbug(state, table):
    """D2: what losing the card and gaining its effect swings above the reserve."""
    slot = _lowest(state.limbo)
    card = state.card[slot]
    swing = 2 * _worth(state, table, slot)
    if state.life[state.decider & 1] <= 2 and (
        (state.trait[SNEAKY] | state.trait[HAS_ATTACK]) & state.limbo != NONE
    ):
        swing += _LETHAL
    swing += _score_play_effect(state, table, card, state.decider)
    swing += _score_play_effect(state, table, card, 1 - state.decider)
    return _rank_yes(swing - _MINDBUG_RESERVE)


@kernel
def _rank_hunts(state, table):
    """D3: duels, and going for the life total against the best answer."""
    option, best = np.int64(state.fixed_options), NO_RANK  # C20: 0 if it has to hunt
    if option > 0:
        answer = _life_worth(state.life[~state.attacking & 1])
        left = _able_to_block(state, table, state.attacker)
        while left != NONE:
            answer = min(answer, _score_duel(state, table, state.attacker, _lowest(left)))
            left &= left - ONE
        best = _rank(answer, 0)
    left = state.options
    while left != NONE:
        best = max(best, _rank(_score_duel(state, table, state.attacker, _lowest(left)), option))
        left &= left - ONE
        option += 1
    return best


@kernel
def _rank_blocks(state, table):
    """D4: losing a life, and duels."""
    option, best = np.int64(1), _rank(-_life_worth(state.life[state.decider & 1]), 0)
    left = state.options
    while left != NONE:
        best = max(best, _rank(-_score_duel(state, table, state.attacker, _lowest(left)), option))
        left &= left - ONE
        option += 1
    return best


@kernel
def _rank_targets(state, table):
    """D6-D8, D10, D14: take the best, defeat the best enemy, discard the worst, stop at a loss."""
    discards = state.decision == Decision.DISCARD
    effect = table.instructions[state.pc].effect if not discards else -1
    defeats = effect == Effect.DEFEAT or effect == Effect.RETURN_TO_HAND
    boosts = effect == Effect.BOOST
    copying = _worth_copying(state, table) if effect == Effect.COPY_PLAY_EFFECT else ~NONE
    option, best = np.int64(state.fixed_options), _rank_fixed(state)
    left = state.options
    while left != NONE:
        slot = _lowest(left)
        left &= left - ONE
        score = _worth(state, table, slot)
        allied = _bit(slot) & state.play_area[state.decider & 1] != NONE
        enemy = _bit(slot) & state.play_area[~state.decider & 1] != NONE
        if discards or (defeats and allied) or (boosts and enemy) or copying & _bit(slot) == NONE:
            score = -score
        if defeats and _known(state, TOUGH) & ~state.exhausted & _bit(slot) != NONE:
            score //= 4
        if effect == Effect.TAKE_CONTROL and allied:  # as a ruling allows, without effect (O6)
            score = 0
        best = max(best, _rank(score, option))
        option += 1
    return best


@kernel
def _rank_modes(state, table):
    """D12: modes."""
    option, best = np.int64(0), NO_RANK
    instruction = table.instructions[state.pc]
    left = state.options
    while left != NONE:
        mode = table.instructions[instruction.first_mode + _lowest(left)]
        left &= left - ONE
        best = max(best, _rank(_score_instruction(state, table, mode, state.decider), option))
        option += 1
    return best


@kernel
def _rank_power_cards(state, table):
    """D15, D6: power cards, whatever they cost; to buy none gains nothing."""
    option, best = np.int64(state.fixed_options), _rank_fixed(state)
    left = state.options
    while left != NONE:
        program = np.int64(table.power_cards[_lowest(left)].program)
        left &= left - ONE
        best = max(best, _rank(_score_program(state, table, program, state.decider), option))
        option += 1
    return best


@kernel
def _rank_rerolls(state):
    """D16: what a die shows on average more than now, for one, the other and both."""
    first = _DIE_AVERAGE - _DIE_WORTH[state.dice[0]]
    best = _rank_yes(first)
    if state.n_dice > 1:
        second = _DIE_AVERAGE - _DIE_WORTH[state.dice[1]]
        best = max(best, _rank(second, 2), _rank(first + second, 3))
    return best


@kernel
def _best_rank(state, table):
    """The highest rank among the options of the present decision."""
    decision = state.decision
    if decision == Decision.ACTION:
        return _rank_actions(state, table)
    if decision == Decision.MINDBUG:
        return _rank_mindbug(state, table)
    if decision == Decision.BLOCK:
        return _rank_blocks(state, table)
    if decision == Decision.HUNT:
        return _rank_hunts(state, table)
    if decision == Decision.SECOND_ATTACK:
        return _rank_yes(_score_attack(state, table, state.attacker))
    if decision == Decision.MAY:
        if table.instructions[state.pc].effect == Effect.COPY_PLAY_EFFECT:
            return _rank_yes(np.int64(_worth_copying(state, table) != NONE))
        return _rank_yes(_score_program(state, table, state.pc, state.decider))
    if decision == Decision.REROLL:
        return _rank_rerolls(state)
    if state.named == Named.SLOT:
        return _rank_targets(state, table)
    if state.named == Named.MODE:
        return _rank_modes(state, table)
    if state.named == Named.POWER_CARD:
        return _rank_power_cards(state, table)
    # The order of triggers and dice, a pile, a keyword, a pair, to play a given card.
    return _rank(0, 0)


@kernel
def _choose_greedily(state, table):
    """Option with the most points at the present decision.  Modifies the notes of state."""
    _refresh(state, table)
    _refresh_powers(state, table)
    return _option_of(_best_rank(state, table))
