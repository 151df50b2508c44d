"""The players ``heuristic`` and ``learned``: one decision ahead, in points of named weights.

Every option is given points for what it does at once: an attack what it gains against the
opponent's best answer, a card what it is worth and does on this table, against the risk that it is
taken with a Mindbug.  What counts how much are the weights of ``weights.py``, read from a file; the
two players differ in nothing else.  Nothing hidden is looked at: own hand, both play areas, both
discard piles, counts (R4).

``seat`` is the player whose weights are asked: in a player's thoughts his own speak for both.
"""

import numpy as np

from card_data.vocabulary import Choice, Effect, Keyword, Rule, Trigger
from simcore.kernel_cache import _general, apart_kernel, inline_kernel, kernel
from simcore.mindbug.constant_abilities import (
    _able_to_attack,
    _able_to_block,
    _condition,
    _controller,
    _group,
    _huntable,
    _known,
    _refresh,
    _refresh_powers,
    _sources,
    _total,
    _unbeatable,
    _value,
)
from simcore.mindbug.life import _keeps_life
from simcore.mindbug.masks import NONE, ONE, _bit, _lowest, _popcount
from simcore.mindbug.state import (
    ADDS_LOSS,
    CANNOT_BE_DEFEATED,
    FRENZY,
    HAS_ATTACK,
    HAS_DEFEATED,
    HAS_PLAY,
    HUNTER,
    KEEPS_LIFE,
    N_KEYWORDS,
    POISONOUS,
    SNEAKY,
    STOPS_BLOCKS,
    STOPS_BLOCKS_OF_THIS,
    STOPS_PLAY_EFFECTS,
    TOUGH,
    Decision,
    Named,
)
from simcore.mindbug.systems import _any_has, _this_turn
from simcore.mindbug.weights import place_of

WIN = 100_000.0  # points of what ends the game

_PLAY, _ATTACK = int(Trigger.PLAY), int(Trigger.ATTACK)
_DEFEATED, _ACTION = int(Trigger.DEFEATED), int(Trigger.ACTION)
_ALL = int(Choice.ALL)
_DEFEAT, _TAKE_CONTROL = int(Effect.DEFEAT), int(Effect.TAKE_CONTROL)
_PLAY_CARD, _DRAW_ALL = int(Effect.PLAY_CARD), int(Effect.DRAW_ALL)
_LOSE_LIFE, _SET_LIFE = int(Effect.LOSE_LIFE), int(Effect.SET_LIFE)
_DISCARD, _STEAL_RANDOM = int(Effect.DISCARD), int(Effect.STEAL_RANDOM)
_DISCARD_RANDOM, _DISCARD_WHOLE = int(Effect.DISCARD_RANDOM), int(Effect.DISCARD_WHOLE)
_GIVE_CONTROL, _RETURN_TO_HAND = int(Effect.GIVE_CONTROL), int(Effect.RETURN_TO_HAND)
_SET_ASIDE, _CHOOSE_ONE = int(Effect.SET_ASIDE), int(Effect.CHOOSE_ONE)
_COPY_PLAY_EFFECT, _BOOST = int(Effect.COPY_PLAY_EFFECT), int(Effect.BOOST)
_THIS_TURN, _CANNOT_BLOCK = int(Effect.THIS_TURN), int(Rule.CANNOT_BLOCK)
_CANNOT_BLOCK_THIS = int(Rule.CANNOT_BLOCK_THIS)
_MORE_LIFE_LOSS = int(Rule.MORE_LIFE_LOSS)
_SNEAKY_BIT = 1 << SNEAKY
_WIN, _LOSE, _EVOLVE = int(Effect.WIN), int(Effect.LOSE), int(Effect.EVOLVE)
_D_ACTION, _D_MINDBUG = int(Decision.ACTION), int(Decision.MINDBUG)
_D_HUNT, _D_BLOCK = int(Decision.HUNT), int(Decision.BLOCK)
_D_SECOND_ATTACK, _D_REROLL = int(Decision.SECOND_ATTACK), int(Decision.REROLL)
_D_DISCARD, _D_MAY = int(Decision.DISCARD), int(Decision.MAY)
_SLOT, _MODE = int(Named.SLOT), int(Named.MODE)
_POWER_CARD, _KEYWORD = int(Named.POWER_CARD), int(Named.KEYWORD)

_POWER, _ACE = place_of("creature.power"), place_of("creature.ace")
_POWER_SQUARED = place_of("creature.power_squared")
_FIRST_KEYWORD = place_of(f"creature.{Keyword.FRENZY.name.lower()}")
_OF_TOUGH = place_of("creature.tough")
_UNBLOCKED, _WORST = place_of("threat.unblocked_1"), place_of("threat.worst")
_SECOND_LIFE, _THIRD_LIFE = place_of("life.second"), place_of("life.third")
_MORE_LIFE, _LIFE_GAINED = place_of("life.more"), place_of("life.gained")
_ATTACKING, _AHEAD = place_of("attack.any"), place_of("attack.ahead")
_SECOND, _ATTACK_EFFECT = place_of("attack.second"), place_of("attack.effect")
_TOUGHNESS, _TRADE = place_of("attack.tough"), place_of("attack.trade")
_LAST_DEFENDER, _SPENT = place_of("attack.last_defender"), place_of("attack.spent")
_BLOCKING, _BLOCK_FRENZY = place_of("block.any"), place_of("block.frenzy")
_DEFEATED_EFFECT = place_of("defeated.effect")
_PLAYING, _PLAY_WORTH = place_of("play.any"), place_of("play.worth")
_BY_ALLIES = place_of("play.worth_by_allies")
_BY_ENEMIES = place_of("play.worth_by_enemies")
_PLAY_EFFECT, _BEHIND = place_of("play.effect"), place_of("play.behind")
_DEFENCE, _TAKEN = place_of("play.defence"), place_of("play.taken")
_TAKEN_ANY, _BAIT = place_of("play.taken_any"), place_of("play.bait")
_ACTING, _ACTION_EFFECT = place_of("action.any"), place_of("action.effect")
_RESERVE, _LAST_MINDBUG = place_of("mindbug.reserve"), place_of("mindbug.last")
_TO_COME, _RESERVE_BEHIND = place_of("mindbug.to_come"), place_of("mindbug.behind")
_RESERVE_LIFE_1 = place_of("mindbug.life_1")
_RESERVE_LIFE_2 = place_of("mindbug.life_2")
_RESERVE_THEIR_LIFE = place_of("mindbug.their_life")
_SWING_WORTH, _SWING_THEIRS = place_of("mindbug.worth"), place_of("mindbug.theirs")
_SWING_MINE, _SWING_THREAT = place_of("mindbug.mine"), place_of("mindbug.threat")
_THEIRS_LEFT = place_of("mindbug.theirs_left")
_SAVES = place_of("play.saves")
_FATAL_TAKEN, _FATAL_LEFT = place_of("play.fatal"), place_of("mindbug.fatal")
_CARD, _GIVEN = place_of("card.in_hand"), place_of("card.given")
_ENERGY, _BUYING = place_of("card.energy"), place_of("card.buying")
_CREATURES, _MINDBUGS = place_of("position.creatures"), place_of("position.mindbugs")
_HAND, _DRAW_PILE = place_of("position.hand"), place_of("position.draw_pile")
_ENERGY_LEFT, _TURN = place_of("position.energy"), place_of("position.turn")
_FACE, _EFFECT = place_of("die.face_0"), place_of("effect.defeat")


@inline_kernel
def _weight(table, seat, place):
    """One weight of a player."""
    return np.float64(table.weight[seat, place])


@inline_kernel
def _worth(state, table, seat, slot):
    """Points of the face that a slot shows, as printed."""
    return np.float64(table.worth[seat, state.card[slot]])


@inline_kernel
def _life(state, table, seat, player):
    """Points of an attack that a player does not block (R69, R91, C52)."""
    life = state.life[player & 1]
    lost = state.lost[player & 1]
    if lost == 0:
        return 0.0
    if life <= lost:
        return WIN
    more = (lost - 1) * _weight(table, seat, _SECOND_LIFE)
    if life == 2:
        return more + _weight(table, seat, _SECOND_LIFE)
    return more + _weight(table, seat, _THIRD_LIFE if life == 3 else _MORE_LIFE)


# What is in play ----------------------------------------------------------------------------------


@inline_kernel
def _look(state, table):
    """Make the table readable: powers, keywords, who has keywords that are not printed.

    Modifies state: refreshes it, and sets the notes that are read here.
    """
    _refresh(state, table)
    _refresh_powers(state, table)
    state.worst = -1
    state.gifted = NONE
    state.lost[0] = 1
    state.lost[1] = 1
    if _any_has(table, 1 << ADDS_LOSS | 1 << KEEPS_LIFE):
        _look_at_losses(state, table)
    for k in range(N_KEYWORDS):
        state.has[k] = _known(state, k)
        state.gifted |= state.has[k] & ~state.trait[k]


@kernel
def _look_at_losses(state, table):
    """How much life an unblocked attack takes (R91, C52).  Modifies state."""
    sources = _sources(state, ADDS_LOSS)
    for player in range(2):
        if sources != NONE:
            state.lost[player] += _total(state, table, _MORE_LIFE_LOSS, sources, 1 - player, -1)
        if _keeps_life(state, table, player):
            state.lost[player] = 0


@inline_kernel
def _find_ace(state, table, player):
    """Find a creature of a player that wins with its next attack, as none can block it.

    Modifies the note ``ace`` of state.
    """
    state.ace = -1
    if state.lost[1 - player] > 0 and state.life[1 - player] <= state.lost[1 - player]:
        left = _able_to_attack(state, table, player)
        while left != NONE:
            slot = _lowest(left)
            left &= left - ONE
            if _able_to_block(state, table, slot) == NONE:
                state.ace = slot


@inline_kernel
def _value_of(state, table, seat, slot):
    """Points of a creature in play as it stands: its power, what it has, what it threatens."""
    points = _worth(state, table, seat, slot)
    power, printed = np.float64(state.power[slot]), np.float64(state.printed[slot])
    if power != printed:
        points += (power - printed) * _weight(table, seat, _POWER)
        points += (power * power - printed * printed) * _weight(table, seat, _POWER_SQUARED) / 10.0
    if state.has[TOUGH] & state.exhausted & _bit(slot) != NONE:
        points -= _weight(table, seat, _OF_TOUGH)
    if state.gifted & _bit(slot) != NONE:
        points += _value_of_gifts(state, table, seat, slot)
    if slot == state.ace:
        points += _weight(table, seat, _ACE)
    if slot == state.worst:
        points += _weight(table, seat, _WORST) * min(state.worst_points - state.next_worst, 300.0)
    return points


@kernel
def _value_of_gifts(state, table, seat, slot):
    """Points of the keywords that a creature has now and does not print."""
    points = 0.0
    for k in range(N_KEYWORDS):
        if state.has[k] & ~state.trait[k] & _bit(slot) != NONE:
            points += _weight(table, seat, _FIRST_KEYWORD + k)
    return points


@inline_kernel
def _loss(state, table, seat, slot):
    """Points that the controller of a creature loses when it loses a fight (R81, R97)."""
    if state.has[TOUGH] & ~state.exhausted & _bit(slot) != NONE:
        return _weight(table, seat, _TOUGHNESS)
    if (_this_turn(state) or _any_has(table, 1 << CANNOT_BE_DEFEATED)) and (
        _unbeatable(state, table) & _bit(slot) != NONE
    ):
        return 0.0
    points = _value_of(state, table, seat, slot)
    if state.trait[HAS_DEFEATED] & _bit(slot) != NONE:
        program = np.int64(table.cards[state.card[slot]].program[_DEFEATED])
        effect = _score_program(state, table, seat, program, _controller(state, slot))
        points -= effect * _weight(table, seat, _DEFEATED_EFFECT)
    return points


@kernel
def _score_duel(state, table, seat, attacker, blocker):
    """Points that the attacker's side gains if these two fight now (R70-R72)."""
    difference = state.power[attacker] - state.power[blocker]
    deadly = state.has[POISONOUS]
    wins = difference >= 0 or deadly & _bit(attacker) != NONE
    loses = difference <= 0 or deadly & _bit(blocker) != NONE
    points = 0.0
    if wins:
        points += _loss(state, table, seat, blocker)
    if loses:
        points -= _loss(state, table, seat, attacker)
    if wins and loses:
        points += _weight(table, seat, _TRADE)
    return points


@inline_kernel
def _score_answer(state, table, seat, attacker):
    """Points of an attack that hunts nothing, against the best answer (R68, R69)."""
    return _score_blocks(state, table, seat, attacker, _able_to_block(state, table, attacker))


@kernel
def _score_blocks(state, table, seat, attacker, blockers):
    """Points of an attack against the best answer with some blockers."""
    defender = 1 - _controller(state, attacker)
    points = _life(state, table, seat, defender)
    if blockers == NONE and state.life[defender] == 2 and _repeats(state, attacker):
        return WIN
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
    """Points of an attack, before what speaks for or against attacking at all (R60-R76)."""
    blockers = _able_to_block(state, table, attacker)
    points = _score_blocks(state, table, seat, attacker, blockers)
    if state.has[HUNTER] & _bit(attacker) != NONE:
        points = max(points, _best_hunt(state, table, seat, attacker))
    if points > 0.0 and _repeats(state, attacker):
        points += _weight(table, seat, _SECOND)
    if state.trait[HAS_ATTACK] & _bit(attacker) != NONE:
        program = np.int64(table.cards[state.card[attacker]].program[_ATTACK])
        points = _score_after_effect(state, table, seat, attacker, program, blockers, points)
        effect = _score_program(state, table, seat, program, _controller(state, attacker))
        points += effect * _weight(table, seat, _ATTACK_EFFECT)
    if _general() and table.kot_parts:
        dice = np.float64(table.cards[state.card[attacker]].dice)
        points += dice * _weight(table, seat, _FACE)
    return points


@kernel
def _score_after_effect(state, table, seat, attacker, pc, blockers, points):
    """Points of an attack of which the Attack effect may take a blocker out of the way first."""
    player = _controller(state, attacker)
    while pc >= 0:
        instruction = table.instructions[pc]
        pc = np.int64(instruction.next)
        if instruction.condition >= 0 and not _condition(
            state, table, instruction.condition, player, attacker
        ):
            continue
        effect = instruction.effect
        if effect in (_DEFEAT, _TAKE_CONTROL, _RETURN_TO_HAND, _SET_ASIDE):
            fitting = _group(state, table, instruction.group, player, attacker) & blockers
            if effect == _DEFEAT:
                fitting &= ~(state.has[TOUGH] & ~state.exhausted)
            if instruction.choice == _ALL:
                rest = blockers & ~fitting
                points = max(points, _score_blocks(state, table, seat, attacker, rest))
                continue
            while fitting != NONE:
                rest = blockers & ~(fitting & ~(fitting - ONE))
                points = max(points, _score_blocks(state, table, seat, attacker, rest))
                fitting &= fitting - ONE
        elif effect == _THIS_TURN:
            rest = _blockers_this_turn(state, table, instruction, player, attacker, blockers)
            if rest != blockers:
                points = max(points, _score_blocks(state, table, seat, attacker, rest))
    return points


@inline_kernel
def _blockers_this_turn(state, table, instruction, player, attacker, blockers):
    """The blockers that are left when an Attack effect gives something this turn (R25)."""
    rule = table.rules[instruction.rule]
    if rule.rule == _CANNOT_BLOCK:
        if instruction.choice == _ALL:
            return blockers & ~_group(state, table, rule.group, player, attacker)
        fitting = _group(state, table, instruction.group, player, attacker) & blockers
        return blockers & ~(fitting & ~(fitting - ONE))
    if rule.keywords & _SNEAKY_BIT != 0:
        return blockers & state.has[SNEAKY]
    return blockers


# What abilities do --------------------------------------------------------------------------------


@kernel
def _score_program(state, table, seat, pc, player):
    """Points that an ability gains for "you" = ``player``, from instruction ``pc`` on."""
    points = 0.0
    while pc >= 0:
        instruction = table.instructions[pc]
        if instruction.condition < 0 or _condition(state, table, instruction.condition, player, -1):
            if instruction.effect == _CHOOSE_ONE:
                points += _best_mode(state, table, seat, instruction, player)
            else:
                points += _score_instruction(state, table, seat, instruction, player)
        pc = np.int64(instruction.next)
    return points


@kernel
def _best_mode(state, table, seat, instruction, player):
    """Points of the best of several modes."""
    best = 0.0
    for i in range(instruction.count):
        mode = table.instructions[instruction.first_mode + i]
        best = max(best, _score_instruction(state, table, seat, mode, player))
    return best


@kernel
def _score_instruction(state, table, seat, instruction, player):
    """Points that one instruction gains for "you" = ``player``."""
    amount = _measure(state, table, seat, instruction, player)
    return amount * _weight(table, seat, _EFFECT + instruction.effect)


@inline_kernel
def _measure(state, table, seat, instruction, player):
    """How much an instruction moves, before its weight: points of creatures, cards, or one.

    Above 0 if "you" = ``player`` gain.
    """
    effect = instruction.effect
    whose = (player ^ instruction.player) & 1
    sign = 1.0 if whose == player else -1.0
    count = np.float64(instruction.count)
    if effect in (_DEFEAT, _TAKE_CONTROL, _RETURN_TO_HAND, _SET_ASIDE):
        return _measure_creatures(state, table, seat, instruction, player)
    if effect == _PLAY_CARD:
        return _best_worth(state, table, seat, state.discard_pile[whose])
    if effect == _DRAW_ALL:
        return np.float64(_popcount(state.discard_pile[whose]))
    if effect == _LOSE_LIFE:
        left = state.life[whose] - instruction.count
        return -sign * (WIN if left <= 0 else count * _life(state, table, seat, whose))
    if effect == _SET_LIFE:
        life = _value(state, table, instruction.value, player, -1)
        return sign * np.float64(life - state.life[whose]) * _weight(table, seat, _LIFE_GAINED)
    if effect == _DISCARD or effect == _DISCARD_RANDOM:
        return -sign * min(count, np.float64(_popcount(state.hand[whose])))
    if effect == _DISCARD_WHOLE:
        return -sign * np.float64(_popcount(state.hand[whose] | state.draw_pile[whose]))
    if effect == _STEAL_RANDOM:
        return min(count, np.float64(_popcount(state.hand[1 - player])))
    if effect == _WIN:
        return WIN
    if effect == _LOSE:
        return -WIN
    if effect == _GIVE_CONTROL:
        return -1.0
    return sign * min(max(count, 1.0), 3.0)


@kernel
def _measure_creatures(state, table, seat, instruction, player):
    """Points of the creatures that an instruction defeats, takes, returns or sets aside."""
    fitting = _group(state, table, instruction.group, player, -1)
    enemies = fitting & state.play_area[1 - player]
    allies = fitting & state.play_area[player]
    if instruction.effect == _TAKE_CONTROL:
        return 2.0 * _best_value(state, table, seat, enemies) * min(instruction.count, 1)
    if instruction.choice == _ALL:
        points = 0.0
        while fitting != NONE:
            slot = _lowest(fitting)
            fitting &= fitting - ONE
            loss = _removal(state, table, seat, slot)
            points += loss if _bit(slot) & enemies != NONE else -loss
        return points
    best = 0.0 if enemies != NONE or allies == NONE else -WIN
    left = enemies
    while left != NONE:
        best = max(best, _removal(state, table, seat, _lowest(left)))
        left &= left - ONE
    if best > -WIN:
        return best
    while allies != NONE:  # one of the own has to go
        best = max(best, -_removal(state, table, seat, _lowest(allies)))
        allies &= allies - ONE
    return best


@inline_kernel
def _removal(state, table, seat, slot):
    """Points that removing a creature takes from its controller; TOUGH may save it (R81)."""
    if state.has[TOUGH] & ~state.exhausted & _bit(slot) != NONE:
        return _weight(table, seat, _TOUGHNESS)
    return _value_of(state, table, seat, slot)


@inline_kernel
def _best_value(state, table, seat, mask):
    """Points of the best creature in play of a mask, 0 for none."""
    best = 0.0
    while mask != NONE:
        best = max(best, _value_of(state, table, seat, _lowest(mask)))
        mask &= mask - ONE
    return best


@inline_kernel
def _best_worth(state, table, seat, mask):
    """Points of the best card of a mask, as printed, 0 for none."""
    best = 0.0
    while mask != NONE:
        best = max(best, _worth(state, table, seat, _lowest(mask)))
        mask &= mask - ONE
    return best


@inline_kernel
def _score_play_ability(state, table, seat, slot, player):
    """Points that a card's Play ability gains for a player as the table is now."""
    pc = np.int64(table.cards[state.card[slot]].program[_PLAY])
    if pc < 0 or state.play_area[1 - player] & state.trait[STOPS_PLAY_EFFECTS] != NONE:
        return 0.0
    return _score_program(state, table, seat, pc, player)


# Decisions ----------------------------------------------------------------------------------------


@kernel
def _reserve(state, table, seat, player):
    """Points that a card must swing before a player spends a Mindbug on it."""
    opponent = 1 - player
    points = _weight(table, seat, _RESERVE)
    if state.mindbugs[player] == 1:
        points += _weight(table, seat, _LAST_MINDBUG)
    to_come = _popcount(state.hand[opponent] | state.draw_pile[opponent])
    points += to_come * _weight(table, seat, _TO_COME)
    behind = _popcount(state.play_area[opponent]) - _popcount(state.play_area[player])
    points += behind * _weight(table, seat, _RESERVE_BEHIND)
    if state.life[player] == 1:
        points += _weight(table, seat, _RESERVE_LIFE_1)
    elif state.life[player] == 2:
        points += _weight(table, seat, _RESERVE_LIFE_2)
    points += min(state.life[opponent], 9) * _weight(table, seat, _RESERVE_THEIR_LIFE)
    return points + state.mindbugs[opponent] * _weight(table, seat, _THEIRS_LEFT)


@kernel
def _swing(state, table, seat, slot, player, theirs, mine):
    """Points that change sides if ``player`` takes the card that is played.

    ``theirs`` are the points of its Play ability for the opponent, who plays it, ``mine`` those for
    the player who may take it.
    """
    points = 2.0 * _worth(state, table, seat, slot) * _weight(table, seat, _SWING_WORTH)
    points += theirs * _weight(table, seat, _SWING_THEIRS)
    points += mine * _weight(table, seat, _SWING_MINE)
    if not _would_be_stopped(state, table, slot, state.play_area[player]):
        place = _UNBLOCKED + min(max(state.life[player], 1), 3) - 1
        points += _weight(table, seat, place) * _weight(table, seat, _SWING_THREAT)
    return points


@kernel
def _bars(state, table, slot, power):
    """Whether a card says that it cannot be blocked by a creature of some power (L5)."""
    card = table.cards[state.card[slot]]
    for row in range(card.first_rule, card.end_rule):
        rule = table.rules[row]
        low, high = rule.group.power_min, rule.group.power_max
        if rule.rule == _CANNOT_BLOCK_THIS and low <= power and power <= high:
            return True
    return False


@kernel
def _would_be_stopped(state, table, slot, blockers):
    """Whether any of some creatures or cards could block a card in play, and defeat it."""
    if state.trait[SNEAKY] & _bit(slot) != NONE:
        blockers &= state.has[SNEAKY]
    barring = state.trait[STOPS_BLOCKS_OF_THIS] & _bit(slot) != NONE
    in_play = state.play_area[0] | state.play_area[1]
    while blockers != NONE:
        blocker = _lowest(blockers)
        blockers &= blockers - ONE
        shown = in_play & _bit(blocker) != NONE
        power = state.power[blocker] if shown else state.printed[blocker]
        if barring and _bars(state, table, slot, power):
            continue
        if power >= state.printed[slot] or state.has[POISONOUS] & _bit(blocker) != NONE:
            return True
    return False


@inline_kernel
def _is_fatal(state, table, slot, player):
    """Whether the next attack of a card would beat a player, as none of his could stop it."""
    return (
        state.lost[player] > 0
        and state.life[player] <= state.lost[player]
        and (not _would_be_stopped(state, table, slot, state.play_area[player]))
    )


@inline_kernel
def _yes_or_no(state, points):
    """The option that says yes (1) if that gains points, else the one that says no (0)."""
    state.points[0] = 0.0
    state.points[1] = points
    return 1 if points > 0.0 else 0


@kernel
def _choose_mindbug(state, table, seat):
    """D2: take the card if that swings more points than the reserve asks for."""
    player = state.decider
    slot = _lowest(state.limbo)
    theirs = _score_play_ability(state, table, seat, slot, 1 - player)
    mine = _score_play_ability(state, table, seat, slot, player)
    swing = _swing(state, table, seat, slot, player, theirs, mine)
    if _is_fatal(state, table, slot, player) and not _would_be_stopped(
        state, table, slot, state.hand[player]
    ):
        swing += _weight(table, seat, _FATAL_LEFT)
    return _yes_or_no(state, swing - _reserve(state, table, seat, player))


@kernel
def _find_worst_attack(state, table, seat, player):
    """Find the worst attack that threatens a player, as his creatures can answer it now.

    Modifies the notes ``worst`` (slot, -1 = none), ``worst_points`` and ``next_worst`` of state.
    """
    worst, points, following = np.int64(-1), 0.0, 0.0
    left = _able_to_attack(state, table, 1 - player)
    while left != NONE:
        slot = _lowest(left)
        left &= left - ONE
        threat = _score_answer(state, table, seat, slot)
        if threat > points:
            worst, points, following = slot, threat, points
        elif threat > following:
            following = threat
    state.worst, state.worst_points, state.next_worst = worst, points, following


@inline_kernel
def _answered(state, table, seat, attacker, slot, points):
    """Points that are left of a threat once a card of the hand could block it."""
    if state.has[SNEAKY] & _bit(attacker) != NONE and state.trait[SNEAKY] & _bit(slot) == NONE:
        return points
    if state.trait[STOPS_BLOCKS] & _bit(slot) != NONE:
        return points
    if state.trait[STOPS_BLOCKS_OF_THIS] & _bit(attacker) != NONE and (
        _bars(state, table, attacker, state.printed[slot])
    ):
        return points
    deadly = state.has[POISONOUS]
    difference = state.power[attacker] - state.printed[slot]
    wins = difference >= 0 or deadly & _bit(attacker) != NONE
    loses = difference <= 0 or state.trait[POISONOUS] & _bit(slot) != NONE
    gain = 0.0
    if wins:
        gain += _worth(state, table, seat, slot)
    if loses:
        gain -= _loss(state, table, seat, attacker)
    return min(points, gain)


@kernel
def _choose_action(state, table, seat):
    """D1: a card, an attack or an Action ability, whichever has the most points."""
    player = state.active
    _find_worst_attack(state, table, seat, player)
    best, best_points, option = 0, -10.0 * WIN, 0
    if state.options != NONE:
        best, best_points, option = _best_card(state, table, seat, player)
    left = state.attack_options
    bias = _attack_bias(state, table, seat, player)
    while left != NONE:
        points = _score_attack(state, table, seat, _lowest(left)) + bias
        left &= left - ONE
        state.points[option] = points
        if points > best_points:
            best, best_points = option, points
        option += 1
    left = state.action_options
    while left != NONE:
        program = np.int64(table.cards[state.card[_lowest(left)]].program[_ACTION])
        left &= left - ONE
        effect = _score_program(state, table, seat, program, player)
        points = effect * _weight(table, seat, _ACTION_EFFECT) + _weight(table, seat, _ACTING)
        state.points[option] = points
        if points > best_points:
            best, best_points = option, points
        option += 1
    return best


@inline_kernel
def _attack_bias(state, table, seat, player):
    """What speaks for or against attacking, whoever attacks."""
    allies, enemies = _popcount(state.play_area[player]), _popcount(state.play_area[1 - player])
    points = _weight(table, seat, _ATTACKING)
    if allies > enemies:
        points += _weight(table, seat, _AHEAD)
    if allies == 1:
        points += _weight(table, seat, _LAST_DEFENDER)
    if state.hand[player] | state.draw_pile[player] == NONE:
        points += _weight(table, seat, _SPENT)
    return points


@kernel
def _best_card(state, table, seat, player):
    """The best card to play from the hand: its option, its points, the number of cards."""
    best, best_points, option = 0, -10.0 * WIN, 0
    opponent = 1 - player
    allies, enemies = _popcount(state.play_area[player]), _popcount(state.play_area[opponent])
    share = _weight(table, seat, _PLAY_WORTH) + 0.01 * (
        allies * _weight(table, seat, _BY_ALLIES) + enemies * _weight(table, seat, _BY_ENEMIES)
    )
    base = _weight(table, seat, _PLAYING)
    if allies < enemies:
        base += _weight(table, seat, _BEHIND)
    threat = state.worst_points
    watched = state.mindbugs[opponent] > 0
    reserve = _reserve(state, table, seat, opponent) if watched else 0.0
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
            if _is_fatal(state, table, slot, player):
                points -= _weight(table, seat, _FATAL_TAKEN)
            # That the ability would do as much for the opponent is near enough, and half the work.
            excess = _swing(state, table, seat, slot, opponent, effect, effect) - reserve
            if excess >= 0.0:
                points -= excess * _weight(table, seat, _TAKEN)
                points += _weight(table, seat, _TAKEN_ANY)
            else:
                points -= excess * _weight(table, seat, _BAIT)
        state.points[option] = points
        if points > best_points:
            best, best_points = option, points
        option += 1
    return best, best_points, option


@kernel
def _choose_hunt(state, table, seat):
    """D3: the best fight, unless the best answer to not hunting leaves more."""
    option = state.fixed_options
    best = 0
    best_points = -10.0 * WIN  # C20: it has to hunt
    if option > 0:
        best_points = _score_answer(state, table, seat, state.attacker)
        state.points[0] = best_points
    left = state.options
    while left != NONE:
        points = _score_duel(state, table, seat, state.attacker, _lowest(left))
        left &= left - ONE
        state.points[option] = points
        if points > best_points:
            best, best_points = option, points
        option += 1
    return best


@kernel
def _choose_block(state, table, seat):
    """D4: the cheapest of losing a life and each fight."""
    best, option = 0, 1
    best_points = -_life(state, table, seat, state.decider)
    state.points[0] = best_points
    bias = _weight(table, seat, _BLOCKING)
    if state.may_repeat and state.has[FRENZY] & _bit(state.attacker) != NONE:
        bias += _weight(table, seat, _BLOCK_FRENZY)
    left = state.options
    while left != NONE:
        points = bias - _score_duel(state, table, seat, state.attacker, _lowest(left))
        left &= left - ONE
        state.points[option] = points
        if points > best_points:
            best, best_points = option, points
        option += 1
    return best


@kernel
def _worth_copying(state, table):
    """Creatures with a Play effect that does not copy again, which would go on for ever (C23)."""
    mask = NONE
    left = state.trait[HAS_PLAY] & (state.play_area[0] | state.play_area[1])
    while left != NONE:
        slot = _lowest(left)
        left &= left - ONE
        program = table.cards[state.card[slot]].program[_PLAY]
        if table.instructions[program].effect != _COPY_PLAY_EFFECT:
            mask |= _bit(slot)
    return mask


@kernel
def _best_copy(state, table, seat):
    """Points of the best Play ability that can be copied, 0 for none."""
    best = 0.0
    left = _worth_copying(state, table)
    while left != NONE:
        points = _score_play_ability(state, table, seat, _lowest(left), state.decider)
        best = max(best, points)
        left &= left - ONE
    return best


@kernel
def _choose_target(state, table, seat):
    """D6-D8, D10, D14: take the best, remove the best enemy, discard the worst, stop at a loss."""
    player = state.decider
    discards = state.decision == _D_DISCARD
    effect = np.int64(-1)
    if not discards:
        effect = np.int64(table.instructions[state.pc].effect)
    removes = effect == _DEFEAT or effect == _RETURN_TO_HAND or effect == _SET_ASIDE
    helps = effect == _BOOST or effect == _EVOLVE
    copies = effect == _COPY_PLAY_EFFECT
    in_play = state.play_area[0] | state.play_area[1]
    copying = _worth_copying(state, table) if copies else ~NONE
    # An Attack effect that removes a creature may clear the way for the attack (R63).
    attacking = removes and state.attacker >= 0 and state.attacking == player
    blockers, answer = NONE, 0.0
    if attacking:
        blockers = _able_to_block(state, table, state.attacker)
        answer = _score_blocks(state, table, seat, state.attacker, blockers)
    best, option = 0, state.fixed_options
    best_points = 0.0 if option > 0 else -10.0 * WIN
    state.points[0] = 0.0
    left = state.options
    while left != NONE:
        slot = _lowest(left)
        left &= left - ONE
        if in_play & _bit(slot) != NONE:
            points = _value_of(state, table, seat, slot)
        else:
            points = _worth(state, table, seat, slot)
            points += _score_play_ability(state, table, seat, slot, player)
        mine = _bit(slot) & state.play_area[player] != NONE
        theirs = _bit(slot) & state.play_area[1 - player] != NONE
        if removes:
            points = _removal(state, table, seat, slot) + 0.05 * points
            if attacking and theirs:
                rest = blockers & ~_bit(slot)
                points += _score_blocks(state, table, seat, state.attacker, rest) - answer
        if copies:
            points = _score_play_ability(state, table, seat, slot, player) + 1.0
        if discards or (removes and mine) or (helps and theirs) or copying & _bit(slot) == NONE:
            points = -points
        state.points[option] = points
        if points > best_points:
            best, best_points = option, points
        option += 1
    return best


@kernel
def _choose_mode(state, table, seat):
    """D12: the mode with the most points."""
    best, best_points, option = 0, -10.0 * WIN, 0
    instruction = table.instructions[state.pc]
    left = state.options
    while left != NONE:
        mode = table.instructions[instruction.first_mode + _lowest(left)]
        left &= left - ONE
        points = _score_instruction(state, table, seat, mode, state.decider)
        state.points[option] = points
        if points > best_points:
            best, best_points = option, points
        option += 1
    return best


@kernel
def _choose_power_card(state, table, seat):
    """D15, D6: the power card with the most points above its price; none if none gains anything."""
    option = state.fixed_options
    best, best_points = 0, 0.0 if option > 0 else -10.0 * WIN
    state.points[0] = 0.0
    left = state.options
    while left != NONE:
        card = table.power_cards[_lowest(left)]
        left &= left - ONE
        points = _score_program(state, table, seat, np.int64(card.program), state.decider)
        points += _weight(table, seat, _BUYING) - card.cost * _weight(table, seat, _ENERGY)
        state.points[option] = points
        if points > best_points:
            best, best_points = option, points
        option += 1
    return best


@inline_kernel
def _choose_reroll(state, table, seat):
    """D16: roll a die again that shows less than a die does on average."""
    mean = 0.0
    for face in range(6):
        mean += _weight(table, seat, _FACE + face) / 6.0
    first = _weight(table, seat, _FACE + state.dice[0]) < mean
    second = state.n_dice > 1 and _weight(table, seat, _FACE + state.dice[1]) < mean
    return np.int64(first) + 2 * np.int64(second)


@inline_kernel
def _choose_keyword(state, table, seat):
    """D13: the keyword that is worth most."""
    best, best_points, option = 0, -10.0 * WIN, 0
    left = state.options
    while left != NONE:
        points = _weight(table, seat, _FIRST_KEYWORD + _lowest(left))
        left &= left - ONE
        state.points[option] = points
        if points > best_points:
            best, best_points = option, points
        option += 1
    return best


@apart_kernel
def _choose_by_weights(state, table, seat):
    """Option with the most points at the present decision, by the weights of player ``seat``.

    Modifies the notes of state; ``points`` are those of each option, NaN where they are not told
    apart.
    """
    decision = state.decision
    if decision == _D_REROLL:
        state.points[0] = np.nan
        return _choose_reroll(state, table, seat)
    _look(state, table)
    _find_ace(state, table, state.decider)
    if decision == _D_ACTION:
        return _choose_action(state, table, seat)
    if decision == _D_MINDBUG:
        return _choose_mindbug(state, table, seat)
    if decision == _D_BLOCK:
        return _choose_block(state, table, seat)
    if decision == _D_HUNT:
        return _choose_hunt(state, table, seat)
    if decision == _D_SECOND_ATTACK:
        return _yes_or_no(state, _score_attack(state, table, seat, state.attacker))
    if decision == _D_MAY:
        if table.instructions[state.pc].effect == _COPY_PLAY_EFFECT:
            return _yes_or_no(state, _best_copy(state, table, seat))
        return _yes_or_no(state, _score_program(state, table, seat, state.pc, state.decider))
    if state.named == _SLOT:
        _find_worst_attack(state, table, seat, state.decider)
        return _choose_target(state, table, seat)
    if state.named == _MODE:
        return _choose_mode(state, table, seat)
    if state.named == _POWER_CARD:
        return _choose_power_card(state, table, seat)
    if state.named == _KEYWORD:
        return _choose_keyword(state, table, seat)
    state.points[0] = np.nan
    return 0  # the order of triggers and dice, a pile, a pair, to play a given card


# Positions ----------------------------------------------------------------------------------------


@kernel
def _describe_position(state, table, seat, features):
    """What a position has for player ``seat``, less what it has for the opponent.

    Fills ``features`` in the order of the weights ``position.…`` and makes the table readable.
    """
    _look(state, table)
    state.ace = -1
    for i in range(len(features)):
        features[i] = 0.0
    for player in range(2):
        sign = 1.0 if player == seat else -1.0
        left = state.play_area[player]
        while left != NONE:
            slot = _lowest(left)
            left &= left - ONE
            features[0] += sign * _value_of(state, table, seat, slot)
            if not _can_be_stopped(state, table, slot):
                features[1] += sign
        features[1 + min(max(state.life[player], 1), 4)] += sign
        features[_MINDBUGS - _CREATURES] += sign * state.mindbugs[player]
        features[_HAND - _CREATURES] += sign * _popcount(state.hand[player])
        features[_DRAW_PILE - _CREATURES] += sign * _popcount(state.draw_pile[player])
        features[_ENERGY_LEFT - _CREATURES] += sign * state.energy[player]
    features[_TURN - _CREATURES] = 1.0 if state.active == seat else -1.0


@inline_kernel
def _can_be_stopped(state, table, attacker):
    """Whether an enemy may block an attacker and would defeat it, were it not TOUGH."""
    left = _able_to_block(state, table, attacker)
    while left != NONE:
        slot = _lowest(left)
        left &= left - ONE
        if state.power[slot] >= state.power[attacker] or state.has[POISONOUS] & _bit(slot) != NONE:
            return True
    return False


@kernel
def _judge_position(state, table, seat, features):
    """Log odds that player ``seat`` wins from here.  Modifies ``features``, which is work space."""
    _describe_position(state, table, seat, features)
    points = 0.0
    for i in range(len(features)):
        points += features[i] * _weight(table, seat, _CREATURES + i)
    return points / 1000.0
