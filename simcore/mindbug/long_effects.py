"""Instructions that take the long way: "may", "if you do", "for each", modes, and all the words
that need more than a pick of targets.

``_run_long`` is called again after each decision.  ``stage`` tells how far the instruction has come:
FRESH, AGREED (conditions hold, "may" was answered with yes), DECLINED, or a stage of its own.
"""

import numpy as np

from card_data.vocabulary import Choice, Effect, Rule, Ruling, Zone
from simcore.kernel_cache import inline_kernel, kernel
from simcore.mindbug.constant_abilities import (
    _able_to_attack,
    _condition,
    _controller,
    _group,
    _in_play,
    _may_receive,
    _refresh,
    _refresh_powers,
    _unbound,
    _value,
)
from simcore.mindbug.decisions import _ask, _ask_for
from simcore.mindbug.evolution import _evolve, _show
from simcore.mindbug.forced_attack import _force_attack
from simcore.mindbug.frames import AGREED, DECLINED, FRESH, _next_instruction, _push, _turn_creature
from simcore.mindbug.hands import _refill
from simcore.mindbug.life import _end_game, _gain_life, _keeps_life, _lose_life, _set_life
from simcore.mindbug.masks import NONE, ONE, _between, _bit, _lowest, _nth, _popcount
from simcore.mindbug.power_cards import _buy, _top_card
from simcore.mindbug.records import Ending
from simcore.mindbug.state import (
    HAS_PLAY,
    MAX_TURN_RULES,
    N_KEYWORDS,
    STALE,
    TRIGGER_TRAIT,
    Decision,
    Named,
    Phase,
)
from simcore.mindbug.triggers import PLAY, _add_triggers, _live_source, _new_event, _run_program
from simcore.mindbug.turn_rules import _last_this_turn, _names_creatures
from simcore.mindbug.zones import (
    _come_into_play,
    _defeat,
    _discard,
    _draw_all,
    _from_piles,
    _hosted,
    _play_from_pile,
    _return_set_aside,
    _return_to_hand,
    _set_aside_all,
    _steal,
    _take_control,
    _to_pile,
)
from simcore.random_streams import CHANCE, _random_below

_ALL, _UP_TO = int(Choice.ALL), int(Choice.UP_TO)
_EXACTLY = int(Choice.EXACTLY)
_DEFEAT, _TAKE_CONTROL = int(Effect.DEFEAT), int(Effect.TAKE_CONTROL)
_PLAY_CARD, _DRAW_ALL = int(Effect.PLAY_CARD), int(Effect.DRAW_ALL)
_GAIN_LIFE, _LOSE_LIFE = int(Effect.GAIN_LIFE), int(Effect.LOSE_LIFE)
_SET_LIFE, _DISCARD = int(Effect.SET_LIFE), int(Effect.DISCARD)
_STEAL_RANDOM, _GIVE_CONTROL = int(Effect.STEAL_RANDOM), int(Effect.GIVE_CONTROL)
_RETURN_TO_HAND, _THIS_TURN = int(Effect.RETURN_TO_HAND), int(Effect.THIS_TURN)
_EVOLVE, _BECOME, _BOOST = int(Effect.EVOLVE), int(Effect.BECOME), int(Effect.BOOST)
_TAKE_BOOST, _DRAW_CARDS = int(Effect.TAKE_BOOST), int(Effect.DRAW_CARDS)
_DISCARD_RANDOM, _DISCARD_WHOLE = int(Effect.DISCARD_RANDOM), int(Effect.DISCARD_WHOLE)
_PLAY_THIS, _TAKE_GIVEN_CARD = int(Effect.PLAY_THIS), int(Effect.TAKE_GIVEN_CARD)
_PUT_RANDOM_CARD = int(Effect.PUT_RANDOM_CARD)
_PUT_UNDER_DRAW_PILE = int(Effect.PUT_UNDER_DRAW_PILE)
_COPY_PLAY_EFFECT = int(Effect.COPY_PLAY_EFFECT)
_TRIGGER_PLAY_EFFECT = int(Effect.TRIGGER_PLAY_EFFECT)
_FORCE_ATTACK, _NAME_KEYWORD = int(Effect.FORCE_ATTACK), int(Effect.NAME_KEYWORD)
_EXCHANGE_HANDS, _SET_ASIDE = int(Effect.EXCHANGE_HANDS), int(Effect.SET_ASIDE)
_RETURN_SET_ASIDE = int(Effect.RETURN_SET_ASIDE)
_WIN, _LOSE, _GAIN_ENERGY = int(Effect.WIN), int(Effect.LOSE), int(Effect.GAIN_ENERGY)
_BUY_FREE, _BUY_TOP = int(Effect.BUY_FREE), int(Effect.BUY_TOP)
_CHOOSE_ONE = int(Effect.CHOOSE_ONE)
_HAND, _DRAW_PILE, _UNUSED = int(Zone.HAND), int(Zone.DRAW_PILE), int(Zone.UNUSED_PILE)
_EITHER, _BOOSTS = int(Zone.EITHER_DISCARD_PILE), int(Zone.BOOSTS_OF_THIS)
_POWER, _CANNOT_ATTACK = int(Rule.POWER), int(Rule.CANNOT_ATTACK)
_CANNOT_BLOCK, _CANNOT_BE_DEFEATED = int(Rule.CANNOT_BLOCK), int(Rule.CANNOT_BE_DEFEATED)
_D_TARGET, _D_TARGETS = int(Decision.TARGET), int(Decision.TARGETS)
_D_UP_TO, _D_DISCARD, _D_MAY = int(Decision.UP_TO), int(Decision.DISCARD), int(Decision.MAY)
_D_MODE, _D_KEYWORD, _D_BOOST = int(Decision.MODE), int(Decision.KEYWORD), int(Decision.BOOST)
_SLOT, _POWER_CARD, _PLAYER = int(Named.SLOT), int(Named.POWER_CARD), int(Named.PLAYER)
_MODE, _KEYWORD, _PAIR = int(Named.MODE), int(Named.KEYWORD), int(Named.PAIR)
_PLAY_OR_KEEP = int(Named.PLAY_OR_KEEP)
_OVER, _EFFECT = int(Phase.OVER), int(Phase.EFFECT)
_ENDED = int(Ending.EFFECT)
_OWN_CAN_BE_TAKEN = 1 << Ruling.OWN_CREATURES_CAN_BE_TAKEN
_BOTH = np.uint64(3)
_ALL_KEYWORDS = np.uint64((1 << N_KEYWORDS) - 1)
_MANY = 1000  # picks left while an instruction counts them itself

# Further stages.
_ASKED, _HOST_ASKED, _GIVEN = 3, 4, 5


@kernel
def _run_long(state, table):
    """Perform one instruction, or ask for a decision that it needs.  Modifies state."""
    instruction = table.instructions[state.pc]
    if state.picks_left < 0:
        if state.stage == FRESH:
            if (instruction.if_done and not state.done) or not _holds(state, table, instruction):
                return _leave(state, table, instruction, 0)
            if instruction.may:
                if not _can_do(state, table, instruction, state.effect_player, _live_source(state)):
                    return _leave(state, table, instruction, 0)
                return _ask(state, _D_MAY, state.effect_player, 2, NONE, _EFFECT)
            state.stage = AGREED
        if state.stage == DECLINED:
            return _leave(state, table, instruction, 0)
        if state.repeats < 0:
            state.repeats = _repeats(state, table, instruction)
        if state.repeats == 0 or not _die_allows(state, instruction):
            return _leave(state, table, instruction, 0)
        state.chosen = NONE
        state.picks_left = 0
        state.picker = state.effect_player
        state.pick_named = _SLOT
        if instruction.effect == _CHOOSE_ONE:
            state.fitting = _possible_modes(state, table, instruction)
        else:
            _begin_long(state, table, instruction)
    phase = _decide(state, table, instruction)
    if phase <= 0:
        return phase
    return _perform_long(state, table, instruction)


@inline_kernel
def _take_may(state, option):
    """Option 0 declines, option 1 agrees (D9).  Modifies state."""
    state.stage = AGREED if option == 1 else DECLINED
    return _EFFECT


@inline_kernel
def _leave(state, table, instruction, done):
    """The instruction is over; ``done`` tells whether it was carried out (R48)."""
    state.done = done
    state.stage = FRESH
    state.repeats = -1
    return _next_instruction(state, table, instruction)


@inline_kernel
def _holds(state, table, instruction):
    """Whether the condition of an instruction, if any, holds now (R59)."""
    if instruction.condition < 0:
        return True
    _refresh(state, table)
    return _condition(state, table, instruction.condition, state.effect_player, _live_source(state))


@inline_kernel
def _picks_creatures(effect):
    """Whether an effect is one about creatures that are chosen or described."""
    return (
        effect == _DEFEAT
        or effect == _TAKE_CONTROL
        or (effect >= _GIVE_CONTROL and effect <= _BECOME)
        or effect == _COPY_PLAY_EFFECT
        or effect == _TRIGGER_PLAY_EFFECT
        or effect == _FORCE_ATTACK
        or effect == _SET_ASIDE
    )


@inline_kernel
def _per(state, table, instruction):
    """The value that "for each" counts, 1 without it (R51)."""
    if instruction.per < 0:
        return np.int64(1)
    _refresh(state, table)
    return _value(state, table, instruction.per, state.effect_player, _live_source(state))


@inline_kernel
def _repeats(state, table, instruction):
    """How often an instruction is performed: once, but for creatures picked "for each" (R51)."""
    if instruction.per < 0 or not _picks_creatures(instruction.effect):
        return np.int64(1)
    return _per(state, table, instruction)


@inline_kernel
def _amount(state, table, instruction):
    """Number of life, cards or energy: one instruction with that amount (R51, C49)."""
    return instruction.count * _per(state, table, instruction)


@inline_kernel
def _die_allows(state, instruction):
    """Roll the die of "as often as a die shows ..."; whether it does (C55)."""
    if instruction.die_from == 0:
        return True
    return 1 + _random_below(state.streams, CHANCE, 6) >= instruction.die_from


# ---------------------------------------------------------------- what may be chosen


@kernel
def _targets(state, table, instruction, player, source):
    """Creatures that an instruction may affect now (R45)."""
    effect = instruction.effect
    group = instruction.group
    if group.filtered:
        _refresh(state, table)
    fitting = _group(state, table, group, player, source)
    if effect == _TAKE_CONTROL and not table.rulings & _OWN_CAN_BE_TAKEN:
        fitting &= ~state.play_area[player & 1]
    elif effect == _GIVE_CONTROL:
        fitting &= state.play_area[player & 1]
    elif effect == _RETURN_TO_HAND:
        for side in range(2):
            if not _may_receive(state, table, side):
                fitting &= ~state.play_area[side]
    elif effect == _COPY_PLAY_EFFECT or effect == _TRIGGER_PLAY_EFFECT:
        fitting &= state.trait[HAS_PLAY]
    elif effect == _EVOLVE:
        fitting &= _evolvable(state, table, fitting)
    return fitting


@inline_kernel
def _evolvable(state, table, mask):
    """The creatures of ``mask`` that have a next stage (R101)."""
    able = NONE
    while mask != NONE:
        slot = _lowest(mask)
        mask &= mask - ONE
        if table.cards[state.card[slot]].next_face >= 0:
            able |= _bit(slot)
    return able


@kernel
def _fitting_cards(state, table, instruction, player):
    """Cards outside play that an instruction may affect, by printed values (R6, C42)."""
    whose = (player ^ instruction.player) & 1
    zone = instruction.zone
    if zone == _HAND:
        cards = (
            _unbound(state, table, whose)
            if instruction.effect == _PLAY_CARD
            else (state.hand[whose])
        )
    elif zone == _DRAW_PILE:
        cards = state.draw_pile[whose]
    elif zone == _UNUSED:
        cards = state.unused
    elif zone == _EITHER:
        cards = state.discard_pile[0] | state.discard_pile[1]
    elif zone == _BOOSTS:
        lying = state.boosts | state.fallen
        cards = _hosted(state, lying, state.source, state.source_object)
    else:
        cards = state.discard_pile[whose]
    if instruction.ability >= 0:
        cards &= state.trait[_trait_of(instruction.ability)]
    return cards & _between(state.printed, instruction.power_min, instruction.power_max)


@inline_kernel
def _trait_of(trigger):
    """Trait "has an ability with this trigger"."""
    return TRIGGER_TRAIT[trigger]


@kernel
def _begin_long(state, table, instruction):
    """Find what may be picked, how many, by whom, at which decision point.  Modifies state."""
    effect = instruction.effect
    player = state.effect_player
    whose = (player ^ instruction.player) & 1
    if _picks_creatures(effect):
        state.fitting = _targets(state, table, instruction, player, _live_source(state))
        _begin_picks(state, instruction, _popcount(state.fitting) >= instruction.count)
    elif effect == _PLAY_CARD or effect == _DRAW_CARDS:
        state.fitting = _fitting_cards(state, table, instruction, player)
        if effect == _DRAW_CARDS and not _may_receive(state, table, player):
            state.fitting = NONE
        if instruction.zone == _UNUSED:
            state.chosen = _lowest_of(state.fitting, instruction.count)
        else:
            _begin_picks(state, instruction, True)
    elif effect == _DISCARD:
        state.fitting = state.hand[whose]
        state.picks_left = _amount(state, table, instruction)
        state.picker = whose  # R29
        state.pick_point = _D_UP_TO if instruction.choice == _UP_TO else _D_DISCARD
    elif effect == _TAKE_BOOST:
        state.fitting = state.boosts if _may_receive(state, table, player) else NONE
        state.picks_left = 1
        state.pick_point = _D_TARGET
    elif effect == _NAME_KEYWORD:
        state.fitting = _ALL_KEYWORDS
        state.picks_left = 1
        state.pick_point = _D_KEYWORD
        state.pick_named = _KEYWORD
    elif effect == _BUY_FREE:
        state.fitting = state.display if table.kot_parts else NONE
        state.picks_left = 1
        state.pick_point = _D_TARGET
        state.pick_named = _POWER_CARD
    elif effect == _BOOST or effect == _TAKE_GIVEN_CARD or effect == _PUT_RANDOM_CARD:
        state.gathered = NONE
        state.to_boost = instruction.count
        state.boost_host = _live_source(state) if instruction.group.this else -1


@inline_kernel
def _begin_picks(state, instruction, enough):
    """Picks of an instruction with a choice among ``fitting``.  Modifies state."""
    if instruction.choice == _ALL:
        state.chosen = state.fitting
    elif instruction.choice == _UP_TO:
        state.picks_left = instruction.count
        state.pick_point = _D_UP_TO
    elif enough:  # R49: exactly N, or nothing
        state.picks_left = instruction.count
        state.pick_point = _D_TARGET if instruction.count == 1 else _D_TARGETS


@inline_kernel
def _lowest_of(mask, n):
    """The lowest ``n`` slots of a mask, or all of them."""
    taken = NONE
    for _ in range(min(n, _popcount(mask))):
        taken |= mask & ~(mask - ONE)
        mask &= mask - ONE
    return taken


@kernel
def _possible_modes(state, table, instruction):
    """Modes that can do something (D12, C34), as bits.  Modifies state."""
    modes = NONE
    for i in range(instruction.count):
        mode = table.instructions[instruction.first_mode + i]
        if _can_do_plain(state, table, mode, state.effect_player, _live_source(state)):
            modes |= _bit(i)
    state.picks_left = 1
    state.pick_point = _D_MODE
    state.pick_named = _MODE
    return modes


@kernel
def _can_do(state, table, instruction, player, source):
    """Whether an instruction could do something now (R47, R99, C34)."""
    effect = instruction.effect
    if instruction.condition >= 0:
        _refresh(state, table)
        if not _condition(state, table, instruction.condition, player, source):
            return False
    if instruction.per >= 0:
        _refresh(state, table)
        if _value(state, table, instruction.per, player, source) <= 0:
            return False
    if effect == _CHOOSE_ONE:
        for i in range(instruction.count):
            mode = table.instructions[instruction.first_mode + i]
            if _can_do_plain(state, table, mode, player, source):
                return True
        return False
    return _can_do_plain(state, table, instruction, player, source)


@kernel
def _can_do_plain(state, table, instruction, player, source):
    """Whether an instruction without modes could do something now, its condition aside."""
    effect = instruction.effect
    whose = (player ^ instruction.player) & 1
    if effect == _THIS_TURN and not _names_creatures(instruction.group):
        return True
    if effect == _FORCE_ATTACK:
        return _targets(state, table, instruction, player, source) & _able(state, table) != NONE
    if _picks_creatures(effect):
        fitting = _targets(state, table, instruction, player, source)
        if instruction.group.equal_power:
            _refresh_powers(state, table)
            return _n_pairs(state, fitting) > 0
        needed = instruction.count if instruction.choice == _EXACTLY else 1
        return _popcount(fitting) >= needed
    if effect == _PLAY_CARD:
        return _fitting_cards(state, table, instruction, player) != NONE
    if effect == _DRAW_CARDS:
        cards = _fitting_cards(state, table, instruction, player)
        return cards != NONE and _may_receive(state, table, player)
    if effect == _DRAW_ALL:
        return state.discard_pile[whose] != NONE and _may_receive(state, table, player)
    if effect == _LOSE_LIFE:
        return not _keeps_life(state, table, whose)
    if effect == _SET_LIFE:
        _refresh(state, table)
        life = _value(state, table, instruction.value, player, source)
        lower = life < state.life[whose]
        return life > state.life[whose] or (lower and not _keeps_life(state, table, whose))
    if effect == _DISCARD or effect == _DISCARD_RANDOM:
        return state.hand[whose] != NONE
    if effect == _STEAL_RANDOM:
        return state.hand[1 - player] != NONE and _may_receive(state, table, player)
    if effect == _BOOST:
        piles = state.discard_pile[0] | state.discard_pile[1]
        hosts = _bit(source) if source >= 0 else NONE
        return piles != NONE and (hosts if instruction.group.this else _in_play(state)) != NONE
    if effect == _TAKE_BOOST:
        return state.boosts != NONE and _may_receive(state, table, player)
    if effect == _DISCARD_WHOLE:
        return _whole(state, instruction, whose) != NONE
    if effect == _PLAY_THIS:
        return _lies_still(state, player)
    if effect == _TAKE_GIVEN_CARD or effect == _PUT_RANDOM_CARD:
        return state.hand[1 - player] != NONE
    if effect == _PUT_UNDER_DRAW_PILE:
        return state.unused != NONE
    if effect == _EXCHANGE_HANDS:
        return _may_exchange(state, table)
    if effect == _RETURN_SET_ASIDE:
        return _hosted(state, state.set_aside, state.source, state.source_object) != NONE
    if effect == _GAIN_ENERGY:
        return table.kot_parts > 0
    if effect == _BUY_FREE:
        return table.kot_parts > 0 and state.display != NONE
    if effect == _BUY_TOP:
        return table.kot_parts > 0 and state.power_deck_next < state.power_deck_size
    return effect != _NAME_KEYWORD


@inline_kernel
def _able(state, table):
    """Creatures of either side that are able to attack."""
    return _able_to_attack(state, table, 0) | _able_to_attack(state, table, 1)


@inline_kernel
def _whole(state, instruction, whose):
    """Cards of a hand, a draw pile or both (R33)."""
    if instruction.zone == _HAND:
        return state.hand[whose]
    if instruction.zone == _DRAW_PILE:
        return state.draw_pile[whose]
    return state.hand[whose] | state.draw_pile[whose]


@inline_kernel
def _lies_still(state, player):
    """Whether the source still lies in a player's discard pile as it did when it triggered (C16)."""
    lies = state.discard_pile[player & 1] & _bit(state.source) != NONE
    return lies and np.int64(state.object[state.source]) == state.source_object


@inline_kernel
def _may_exchange(state, table):
    """Whether hands can be exchanged: both may receive what they would get (C54)."""
    first = state.hand[1] == NONE or _may_receive(state, table, 0)
    second = state.hand[0] == NONE or _may_receive(state, table, 1)
    return first and second and state.hand[0] | state.hand[1] != NONE


# ---------------------------------------------------------------- decisions


@kernel
def _decide(state, table, instruction):
    """Ask for what is still to be decided (PAUSE), or EFFECT if all is.  Modifies state."""
    effect = instruction.effect
    if effect == _BOOST:
        return _decide_boost(state, instruction)
    if effect == _TAKE_GIVEN_CARD:
        return _decide_given(state, table, instruction)
    if effect == _PUT_RANDOM_CARD:
        return _decide_pile(state)
    if instruction.group.equal_power:
        return _decide_pair(state, table)
    left = state.fitting & ~state.chosen
    if state.picks_left > 0 and left != NONE:
        may_stop = 1 if state.pick_point == _D_UP_TO else 0
        return _ask_for(
            state, state.pick_named, state.pick_point, state.picker, may_stop, left, _EFFECT
        )
    return _EFFECT


@inline_kernel
def _decide_boost(state, instruction):
    """D14: a card or stop, then the creature unless it is fixed, again and again (R103)."""
    if state.stage == _ASKED:
        if state.picks_left == 0:  # stopped
            return _EFFECT
        state.gathered |= _bit(state.answer)
        state.to_boost -= 1
        state.boost_card = state.answer
        if state.boost_host < 0:
            state.stage = _HOST_ASKED
            state.picks_left = _MANY
            return _ask(state, _D_BOOST, state.picker, 0, _in_play(state), _EFFECT)
        state.host[state.boost_card] = state.boost_host
    elif state.stage == _HOST_ASKED:
        state.host[state.boost_card] = state.answer
        if instruction.choice != _ALL:  # "to a creature": one for all cards
            state.boost_host = state.answer
    left = (state.discard_pile[0] | state.discard_pile[1]) & ~state.gathered
    hosts = (
        _in_play(state)
        if not instruction.group.this
        else (_bit(state.boost_host) if state.boost_host >= 0 else NONE)
    )
    if state.to_boost <= 0 or left == NONE or hosts == NONE:
        return _EFFECT
    state.stage = _ASKED
    state.picks_left = _MANY
    return _ask(state, _D_BOOST, state.picker, 1, left, _EFFECT)


@inline_kernel
def _decide_given(state, table, instruction):
    """The opponent gives a card (D10) and refills; it is played, or kept (D12, C15)."""
    player = state.effect_player
    if state.stage == AGREED and state.hand[1 - player] != NONE:
        state.stage = _ASKED
        state.picks_left = _MANY
        return _ask(state, _D_DISCARD, 1 - player, 0, state.hand[1 - player], _EFFECT)
    if state.stage == _ASKED:
        state.gathered = _bit(state.answer)
        state.hand[1 - player] ^= state.gathered
        state.limbo |= state.gathered
        _refill(state, table, 1 - player)
        state.stage = _GIVEN
        state.answer = 0
        if instruction.or_keep and _may_receive(state, table, player):
            state.picks_left = _MANY
            return _ask_for(state, _PLAY_OR_KEEP, _D_MODE, player, 0, _BOTH, _EFFECT)
    return _EFFECT


@inline_kernel
def _decide_pile(state):
    """A random card of the opponent's hand is seen; then a pile is chosen (D6, C27)."""
    player = state.effect_player
    if state.stage == AGREED and state.hand[1 - player] != NONE:
        hand = state.hand[1 - player]
        state.gathered = _bit(_nth(hand, _random_below(state.streams, CHANCE, _popcount(hand))))
        state.stage = _ASKED
        state.picks_left = _MANY
        return _ask_for(state, _PLAYER, _D_TARGET, player, 0, _BOTH, _EFFECT)
    return _EFFECT


@inline_kernel
def _decide_pair(state, table):
    """One pick among all pairs of creatures with equal power (C31)."""
    if state.stage == _ASKED:
        state.chosen = _pair(state, state.fitting, state.answer)
        return _EFFECT
    state.chosen = NONE
    _refresh_powers(state, table)
    n = _n_pairs(state, state.fitting)
    if n == 0:
        return _EFFECT
    state.stage = _ASKED
    state.picks_left = _MANY
    return _ask_for(state, _PAIR, _D_TARGETS, state.picker, n, NONE, _EFFECT)


@kernel
def _n_pairs(state, mask):
    """Number of pairs of creatures of a mask that have equal power."""
    n = 0
    while mask != NONE:
        power = state.power[_lowest(mask)]
        mask &= mask - ONE
        n += _popcount(mask & _between(state.power, power, power))
    return n


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


# ---------------------------------------------------------------- carrying out


@kernel
def _perform_long(state, table, instruction):
    """Carry an instruction out: one event (R59); the phase that follows.  Modifies state."""
    effect = instruction.effect
    player = state.effect_player
    if effect == _CHOOSE_ONE:
        return _start_mode(state, table, instruction)
    if effect == _COPY_PLAY_EFFECT:
        return _copy(state, table, instruction)
    if effect == _BUY_FREE or effect == _BUY_TOP:
        return _buy_free(state, table, instruction)
    _new_event(state)
    if _picks_creatures(effect):
        done = _apply_to_creatures(state, table, instruction, effect)
    elif effect >= _WIN and effect <= _LOSE:
        _end_game(state, player if effect == _WIN else 1 - player, _ENDED)
        return _OVER
    else:
        done = _apply_to_cards(state, table, instruction, effect)
    if state.ending >= 0:
        return _OVER
    _refill(state, table, 0)  # R27, also for what a card has allowed again (C44)
    _refill(state, table, 1)
    state.repeats -= 1
    if instruction.die_from > 0:
        state.repeats = 1
    if state.repeats > 0:
        return _again(state, table)
    return _leave(state, table, instruction, done)


@inline_kernel
def _again(state, table):
    """Perform the same instruction once more (R51).  Modifies state."""
    state.picks_left = -1
    state.stage = AGREED
    if state.turned != NONE:
        return _turn_creature(state, table)
    return _EFFECT


@inline_kernel
def _start_mode(state, table, instruction):
    """Go on with the chosen mode (D12).  Modifies state."""
    if state.chosen == NONE:
        return _leave(state, table, instruction, 0)
    state.pc = np.int64(instruction.first_mode) + _lowest(state.chosen)
    state.picks_left = -1
    state.stage = FRESH
    state.repeats = -1
    return _EFFECT


@inline_kernel
def _call(state, table, instruction, program, source, source_object):
    """Perform another ability now, then the rest of this one.  Modifies state."""
    if instruction.next >= 0:
        _push(state, instruction.next)
        if state.ending >= 0:
            return _OVER
    state.stage = FRESH
    state.repeats = -1
    state.source_object = source_object
    return _run_program(state, table, program, source, state.effect_player)


@kernel
def _copy(state, table, instruction):
    """The Play effect of a creature is performed as this one's own, at once (C23)."""
    if state.chosen == NONE:
        return _leave(state, table, instruction, 0)
    program = table.cards[state.card[_lowest(state.chosen)]].program[PLAY]
    return _call(state, table, instruction, program, state.source, state.source_object)


@kernel
def _buy_free(state, table, instruction):
    """A power card is bought without paying and resolved at once (R112).  Modifies state."""
    if instruction.effect == _BUY_TOP:
        card = _top_card(state) if table.kot_parts else -1
    else:
        card = _lowest(state.chosen) if state.chosen != NONE else -1
    if card < 0:
        return _leave(state, table, instruction, 0)
    _buy(state, card, state.effect_player)
    state.bought_free |= _bit(card)
    return _call(state, table, instruction, np.int64(table.power_cards[card].program), -1, 0)


@kernel
def _apply_to_creatures(state, table, instruction, effect):
    """Carry out what is done to creatures; whether anything was done (R48).  Modifies state."""
    chosen, player = state.chosen, state.effect_player
    if effect == _DEFEAT:
        return np.int64(_defeat(state, table, chosen) != NONE)
    if effect == _THIS_TURN:
        return _last_this_turn(state, table, instruction, chosen)
    if chosen == NONE:
        return 0
    if effect == _TAKE_CONTROL:
        _take_control(state, chosen, player)
    elif effect == _GIVE_CONTROL:
        _take_control(state, chosen, 1 - player)
    elif effect == _RETURN_TO_HAND:
        return np.int64(_return_to_hand(state, table, chosen) != NONE)
    elif effect == _SET_ASIDE:
        _set_aside_all(state, table, chosen, state.source, state.source_object)
    elif effect == _TRIGGER_PLAY_EFFECT:
        _add_triggers(state, table, chosen, PLAY, player)  # C40
    elif effect == _FORCE_ATTACK:
        _force_attack(state, table, _lowest(chosen))
    else:
        while chosen != NONE:
            slot = _lowest(chosen)
            chosen &= chosen - ONE
            if effect == _EVOLVE:
                _evolve(state, table, slot)
            else:
                _show(state, table, slot, instruction.face)
    return 1


@kernel
def _apply_to_cards(state, table, instruction, effect):
    """Carry out everything else; whether anything was done (R48).  Modifies state."""
    player, chosen = state.effect_player, state.chosen
    whose = (player ^ instruction.player) & 1
    if effect == _PLAY_CARD:
        return _play_cards(state, table, instruction, chosen, player)
    if effect == _DRAW_CARDS or effect == _TAKE_BOOST:
        return _put_into_hand(state, chosen, player)
    if effect == _DRAW_ALL:
        _draw_all(state, table, whose, player)
        return 1
    if effect == _GAIN_LIFE:
        _gain_life(state, whose, _amount(state, table, instruction))
        return 1
    if effect == _LOSE_LIFE:
        before = state.life[whose]
        _lose_life(state, table, whose, _amount(state, table, instruction))
        return np.int64(state.life[whose] < before)
    if effect == _SET_LIFE:
        _refresh(state, table)
        value = _value(state, table, instruction.value, player, _live_source(state))
        before = state.life[whose]
        _set_life(state, table, whose, value)
        return np.int64(state.life[whose] != before)
    if effect == _DISCARD or effect == _DISCARD_RANDOM:
        if effect == _DISCARD_RANDOM:
            n = _amount(state, table, instruction)
            chosen = _random_cards(state, state.hand[whose], n)
        state.discarded = _popcount(chosen)
        _discard(state, table, chosen, whose)
        return np.int64(chosen != NONE)
    if effect == _STEAL_RANDOM:
        if _may_receive(state, table, player):
            n = _amount(state, table, instruction)
            chosen = _random_cards(state, state.hand[1 - player], n)
            _steal(state, table, chosen, player)
        return np.int64(chosen != NONE)
    if effect == _BOOST:
        return _put_boosts(state)
    if effect == _DISCARD_WHOLE:
        return _discard_whole(state, table, instruction, whose)
    if effect == _PLAY_THIS:
        if not _lies_still(state, player):
            return 0
        _play_from_pile(state, table, _bit(state.source), player, True)
        return 1
    if effect == _TAKE_GIVEN_CARD:
        return _take_given(state, table, player)
    if effect == _PUT_RANDOM_CARD:
        if state.gathered != NONE:
            state.hand[1 - player] &= ~state.gathered
            _to_pile(state, table, state.gathered, state.answer)
        return np.int64(state.gathered != NONE)
    if effect == _PUT_UNDER_DRAW_PILE:
        cards = _lowest_of(state.unused, instruction.count)
        state.unused &= ~cards
        state.draw_pile[player] |= cards  # higher slots than all that were dealt: underneath
        return np.int64(cards != NONE)
    if effect == _EXCHANGE_HANDS:
        if _may_exchange(state, table):
            state.hand[0], state.hand[1] = state.hand[1], state.hand[0]
        return 1
    if effect == _RETURN_SET_ASIDE:
        back = _hosted(state, state.set_aside, state.source, state.source_object)
        _return_set_aside(state, table, back)
        return np.int64(back != NONE)
    if effect == _GAIN_ENERGY:
        if table.kot_parts:
            gained = _amount(state, table, instruction)
            state.energy[whose] += gained
            state.energy_gained[whose] += gained
        return 1
    if effect == _NAME_KEYWORD:
        state.keyword_named = _lowest(chosen)
    return 1


@inline_kernel
def _play_cards(state, table, instruction, chosen, player):
    """Cards come into play by an effect, together (R40, R41, C58).  Modifies state."""
    if chosen == NONE:
        return 0
    for side in range(2):
        state.hand[side] &= ~chosen
        state.draw_pile[side] &= ~chosen
    state.boosts &= ~chosen
    state.unused &= ~chosen
    _from_piles(state, chosen)
    _come_into_play(state, table, chosen, player, not instruction.without_play)
    return 1


@inline_kernel
def _put_into_hand(state, chosen, player):
    """Cards go to a hand from wherever they lie (R32, R28).  Modifies state."""
    _from_piles(state, chosen)
    if state.boosts & chosen != NONE:
        state.boosts &= ~chosen
        state.stale = STALE
    state.unused &= ~chosen
    for side in range(2):
        state.draw_pile[side] &= ~chosen
    state.hand[player] |= chosen
    return np.int64(chosen != NONE)


@inline_kernel
def _put_boosts(state):
    """The gathered cards go under their creatures, at the same moment (R103).  Modifies state."""
    _from_piles(state, state.gathered)
    state.boosts |= state.gathered
    state.boosted += _popcount(state.gathered)
    state.modified = 1
    state.stale = STALE
    return np.int64(state.gathered != NONE)


@inline_kernel
def _discard_whole(state, table, instruction, whose):
    """A hand, a draw pile or both go to the discard pile together (R33).  Modifies state."""
    cards = _whole(state, instruction, whose)
    state.hand[whose] &= ~cards
    state.draw_pile[whose] &= ~cards
    state.discarded = _popcount(cards)
    _to_pile(state, table, cards, whose)
    return np.int64(cards != NONE)


@inline_kernel
def _take_given(state, table, player):
    """The given card is played or kept (C15).  Modifies state."""
    card = state.gathered
    if card == NONE:
        return 0
    state.limbo &= ~card
    if state.answer == 0:
        _come_into_play(state, table, card, player, True)
    else:
        state.hand[player] |= card
    return 1


@kernel
def _random_cards(state, left, n):
    """``n`` different random cards of a mask, or all of them (R122)."""
    picked = NONE
    for _ in range(min(n, _popcount(left))):
        card = _bit(_nth(left, _random_below(state.streams, CHANCE, _popcount(left))))
        picked |= card
        left ^= card
    return picked
