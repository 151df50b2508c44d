"""Instructions with "may", "if you do", "for each" or modes, and all words that are not fast.

``_run_general`` is called again after each decision, see ``general_choices``.
"""

import numpy as np

from card_data.mindbug.vocabulary import Effect
from simcore.jit import inline_kernel, kernel
from simcore.mindbug.rules.call_stack import (
    AGREED,
    DECLINED,
    FRESH,
    _next_instruction,
    _push,
    _turn_creature,
)
from simcore.mindbug.rules.constant_abilities import _may_receive
from simcore.mindbug.rules.evolution import _evolve, _show
from simcore.mindbug.rules.forced_attack import _force_attack
from simcore.mindbug.rules.general_choices import (
    _amount,
    _begin_general,
    _decide,
    _legal_modes,
    _per,
)
from simcore.mindbug.rules.groups import _condition
from simcore.mindbug.rules.hands import _refill
from simcore.mindbug.rules.keywords import _refresh
from simcore.mindbug.rules.legality import (
    _can_do,
    _lies_still,
    _may_exchange,
    _moves_cards,
    _picks_creatures,
    _whole,
)
from simcore.mindbug.rules.life import _end_game, _gain_life, _life_to_set, _lose_life, _set_life
from simcore.mindbug.rules.power_cards import _buy, _top_card
from simcore.mindbug.rules.triggers import (
    PLAY,
    _add_triggers,
    _live_source,
    _new_event,
    _run_program,
)
from simcore.mindbug.rules.turn_rules import _last_this_turn
from simcore.mindbug.rules.unused_pile import _top_unused
from simcore.mindbug.rules.zones import (
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
from simcore.mindbug.table.decisions import _ask
from simcore.mindbug.table.masks import NONE, ONE, _bit, _lowest, _nth, _popcount
from simcore.mindbug.table.records import Ending
from simcore.mindbug.table.state import STALE, Decision, Named, Phase
from simcore.mindbug.table.unknown_words import EFFECT, _unknown
from simcore.random_streams import CHANCE, _random_below


@kernel
def _run_general(state, table):
    """Perform one instruction, or ask for a decision that it needs.  Modifies state."""
    instruction = table.instructions[state.pc]
    if state.picks_left < 0:
        if state.stage == FRESH:
            if (instruction.if_done and not state.done) or not _holds(state, table, instruction):
                return _leave(state, table, instruction, 0)
            state.done = 0
            if instruction.may:
                if not _can_do(state, table, instruction, state.effect_player, _live_source(state)):
                    return _leave(state, table, instruction, 0)
                return _ask(state, Decision.MAY, state.effect_player, 2, NONE, Phase.EFFECT)
            state.stage = AGREED
        if state.stage == DECLINED:
            return _leave(state, table, instruction, 0)
        if state.repeats < 0:
            _start_round(state, table, instruction)
        if state.repeats == 0:
            return _leave(state, table, instruction, state.done)
        state.chosen = NONE
        state.picks_left = 0
        state.picker = state.effect_player
        state.pick_named = Named.SLOT
        if instruction.effect == Effect.CHOOSE_ONE:
            state.fitting = _legal_modes(state, table, instruction)
        else:
            _begin_general(state, table, instruction)
    phase = _decide(state, table, instruction)
    if phase <= 0:
        return phase
    return _perform_general(state, table, instruction)


@inline_kernel
def _take_may(state, option):
    """Option 0 declines, option 1 agrees (D9).  Modifies state."""
    state.stage = AGREED if option == 1 else DECLINED
    return Phase.EFFECT


@inline_kernel
def _leave(state, table, instruction, done):
    """The instruction is over; ``done`` is 0 if it was not carried out (R48).

    Of one that discards it is the number of cards (C30).
    """
    state.done = done
    state.stage = FRESH
    state.repeats = -1
    effect = instruction.effect
    discards = (
        (effect == Effect.DISCARD)
        | (effect == Effect.DISCARD_RANDOM)
        | (effect == Effect.DISCARD_WHOLE)
    )
    state.discarded = done * discards  # C30
    return _next_instruction(state, table, instruction)


@inline_kernel
def _holds(state, table, instruction):
    """Whether the condition of an instruction, if any, holds now (R59)."""
    if instruction.condition < 0:
        return True
    _refresh(state, table)
    return _condition(state, table, instruction.condition, state.effect_player, _live_source(state))


@inline_kernel
def _start_round(state, table, instruction):
    """Find how often an instruction is performed now; after the roll of its die, if it has one.

    0 once the die shows too little (C55).  Modifies state.
    """
    while state.repeats < 0:
        if not _die_allows(state, instruction):
            state.repeats = 0
        else:
            state.repeats = _repeats(state, table, instruction)
            if state.repeats <= 0 and instruction.die_from > 0:
                state.repeats = -1  # nothing to do this time: the next roll


@inline_kernel
def _repeats(state, table, instruction):
    """How often an instruction is performed: once, but for creatures picked "for each" (R51)."""
    if instruction.per < 0 or not _picks_creatures(instruction.effect):
        return np.int64(1)
    return max(_per(state, table, instruction), 0)


@inline_kernel
def _die_allows(state, instruction):
    """Roll the die of "as often as a die shows ..."; whether it does (C55).  Modifies state."""
    if instruction.die_from == 0:
        return True
    face = 1 + _random_below(state.streams, CHANCE, 6)
    state.plain_dice = state.plain_dice << np.uint64(3) | np.uint64(face)
    return face >= instruction.die_from


@kernel
def _perform_general(state, table, instruction):
    """Carry an instruction out: one event (R59); the phase that follows.  Modifies state."""
    effect = instruction.effect
    player = state.effect_player
    if effect == Effect.CHOOSE_ONE:
        return _start_mode(state, table, instruction)
    if effect == Effect.COPY_PLAY_EFFECT:
        return _copy(state, table, instruction)
    if effect == Effect.BUY_FREE or effect == Effect.BUY_TOP:
        return _buy_free(state, table, instruction)
    _new_event(state)
    if _picks_creatures(effect):
        done = _apply_to_creatures(state, table, instruction, effect)
    elif effect == Effect.WIN or effect == Effect.LOSE:
        _end_game(state, player if effect == Effect.WIN else 1 - player, Ending.EFFECT)
        return Phase.OVER
    elif _moves_cards(effect):
        done = _apply_to_cards(state, table, instruction, effect)
    else:
        done = _apply_to_totals(state, table, instruction, effect)
    if state.ending >= 0:
        return Phase.OVER
    _refill(state, table, 0)  # R27, also for what a card has allowed again (C44)
    _refill(state, table, 1)
    state.done += done
    return _go_on(state, table, instruction)


@inline_kernel
def _go_on(state, table, instruction):
    """Perform the instruction once more, or leave it.  Modifies state."""
    if _count_down(state, instruction):
        return _again(state, table)
    return _leave(state, table, instruction, state.done)


@inline_kernel
def _count_down(state, instruction):
    """One repetition is over; whether there may be another one (R51, C55).  Modifies state."""
    state.repeats -= 1
    if state.repeats <= 0 and instruction.die_from > 0:
        state.repeats = -1
        return True
    return state.repeats > 0


@inline_kernel
def _again(state, table):
    """Perform the same instruction once more (R51).  Modifies state."""
    state.picks_left = -1
    state.stage = AGREED
    if state.turned != NONE:
        return _turn_creature(state, table)
    return Phase.EFFECT


@inline_kernel
def _start_mode(state, table, instruction):
    """Go on with the chosen mode (D12).  Modifies state."""
    if state.chosen == NONE:
        return _leave(state, table, instruction, 0)
    state.pc = np.int64(instruction.first_mode) + _lowest(state.chosen)
    state.picks_left = -1
    state.stage = FRESH
    state.repeats = -1
    return Phase.EFFECT


@inline_kernel
def _call(state, table, instruction, program, source, source_object, bought):
    """Perform another ability now, then go on with this one.  Modifies state."""
    state.done = 1
    if _count_down(state, instruction):
        state.stage = AGREED
        _push(state, state.pc, bought)
    else:
        state.stage = FRESH
        state.repeats = -1
        if instruction.next >= 0 or bought >= 0:
            _push(state, np.int64(instruction.next), bought)
    if state.ending >= 0:
        return Phase.OVER
    state.stage = FRESH
    state.repeats = -1
    state.source_object = source_object
    return _run_program(state, table, program, source, state.effect_player)


@kernel
def _copy(state, table, instruction):
    """The Play effect of a creature is performed as this one's own, at once (C23)."""
    if state.chosen == NONE:
        return _go_on(state, table, instruction)
    program = table.cards[state.card[_lowest(state.chosen)]].program[PLAY]
    return _call(state, table, instruction, program, state.source, state.source_object, -1)


@kernel
def _buy_free(state, table, instruction):
    """A power card is bought without paying and resolved at once (R112).  Modifies state."""
    if instruction.effect == Effect.BUY_TOP:
        card = _top_card(state) if table.kot_parts else -1
    else:
        card = _lowest(state.chosen) if state.chosen != NONE else -1
    if card < 0:
        return _go_on(state, table, instruction)
    _buy(state, card, state.effect_player)
    program = np.int64(table.power_cards[card].program)
    return _call(state, table, instruction, program, -1, 0, card)


@kernel
def _apply_to_creatures(state, table, instruction, effect):
    """Carry out what is done to creatures; whether anything was done (R48).  Modifies state."""
    chosen, player = state.chosen, state.effect_player
    if effect == Effect.DEFEAT:
        return np.int64(_defeat(state, table, chosen) != NONE)
    if effect == Effect.THIS_TURN:
        return _last_this_turn(state, table, instruction, chosen)
    if chosen == NONE:
        return 0
    if effect == Effect.TAKE_CONTROL:
        _take_control(state, chosen, player)
    elif effect == Effect.GIVE_CONTROL:
        _take_control(state, chosen, 1 - player)
    elif effect == Effect.RETURN_TO_HAND:
        return np.int64(_return_to_hand(state, table, chosen) != NONE)
    elif effect == Effect.SET_ASIDE:
        _set_aside_all(state, table, chosen, state.source, state.source_object)
    elif effect == Effect.TRIGGER_PLAY_EFFECT:
        _add_triggers(state, table, chosen, PLAY, player)  # C40
    elif effect == Effect.FORCE_ATTACK:
        return _force_attack(state, table, _lowest(chosen))
    else:
        while chosen != NONE:
            slot = _lowest(chosen)
            chosen &= chosen - ONE
            if effect == Effect.EVOLVE:
                _evolve(state, table, slot)
            elif effect == Effect.BECOME:
                _show(state, table, slot, instruction.face)
            else:
                _unknown(state, EFFECT, effect)
    return 1


@kernel
def _apply_to_totals(state, table, instruction, effect):
    """Carry out what changes life or energy, or names a keyword; whether it did (R48)."""
    player = state.effect_player
    whose = (player ^ instruction.player) & 1
    if effect == Effect.NAME_KEYWORD:
        state.keyword_named = _lowest(state.chosen)
        return 1
    if effect == Effect.GAIN_ENERGY:
        gained = _amount(state, table, instruction) * table.kot_parts
        state.energy[whose] += gained
        state.energy_gained[whose] += gained
        return np.int64(gained > 0)
    before = state.life[whose]
    if effect == Effect.GAIN_LIFE:
        _gain_life(state, whose, _amount(state, table, instruction))
    elif effect == Effect.LOSE_LIFE:
        _lose_life(state, table, whose, _amount(state, table, instruction))
    elif effect != Effect.SET_LIFE:
        _unknown(state, EFFECT, effect)
    else:
        _refresh(state, table)
        life = _life_to_set(state, table, instruction, player, _live_source(state))
        _set_life(state, table, whose, life, instruction.as_loss)
    return np.int64(state.life[whose] != before)


@kernel
def _apply_to_cards(state, table, instruction, effect):
    """Carry out what moves cards that are not creatures; whether any (R48).  Modifies state."""
    player, chosen = state.effect_player, state.chosen
    whose = (player ^ instruction.player) & 1
    if effect == Effect.PLAY_CARD:
        return _play_cards(state, table, instruction, chosen, player)
    if effect == Effect.DRAW_CARDS or effect == Effect.TAKE_BOOST:
        return _put_into_hand(state, chosen, player)
    if effect == Effect.DRAW_ALL:
        return _draw_all(state, table, whose, player)
    if effect == Effect.DISCARD:
        return _discard_cards(state, table, chosen, whose)
    if effect == Effect.DISCARD_RANDOM:
        n = _amount(state, table, instruction)
        return _discard_cards(state, table, _random_cards(state, state.hand[whose], n), whose)
    if effect == Effect.DISCARD_WHOLE:
        return _discard_whole(state, table, instruction, whose)
    if effect == Effect.BOOST:
        return _put_boosts(state)
    return _apply_to_more_cards(state, table, instruction, effect)


@kernel
def _apply_to_more_cards(state, table, instruction, effect):
    """The rarer half of ``_apply_to_cards``.  Modifies state."""
    player = state.effect_player
    if effect == Effect.STEAL_RANDOM:
        if not _may_receive(state, table, player):
            return 0
        n = _amount(state, table, instruction)
        stolen = _random_cards(state, state.hand[1 - player], n)
        _steal(state, table, stolen, player)
        return np.int64(stolen != NONE)
    if effect == Effect.PLAY_THIS:
        if not _lies_still(state, player):
            return 0
        _play_from_pile(state, table, _bit(state.source), player, True)
        return 1
    if effect == Effect.TAKE_GIVEN_CARD:
        return _take_given(state, table, player)
    if effect == Effect.PUT_RANDOM_CARD:
        if state.gathered != NONE:
            state.hand[1 - player] &= ~state.gathered
            _to_pile(state, table, state.gathered, state.answer)
        return np.int64(state.gathered != NONE)
    if effect == Effect.PUT_UNDER_DRAW_PILE:
        cards = _top_unused(state, table, instruction.count)
        state.unused &= ~cards
        state.draw_pile[player] |= cards  # higher slots than all that were dealt: underneath
        return np.int64(cards != NONE)
    if effect == Effect.EXCHANGE_HANDS:
        if not _may_exchange(state, table):
            return 0
        state.hand[0], state.hand[1] = state.hand[1], state.hand[0]
        return 1
    if effect != Effect.RETURN_SET_ASIDE:
        _unknown(state, EFFECT, effect)
        return 0
    back = _hosted(state, state.set_aside, state.source, state.source_object)
    _return_set_aside(state, table, back)
    return np.int64(back != NONE)


@inline_kernel
def _discard_cards(state, table, cards, whose):
    """Cards of a hand are discarded together (R30); how many (R51).  Modifies state."""
    _discard(state, table, cards, whose)
    return _popcount(cards)


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
    left = state.gathered
    while left != NONE:
        card = _lowest(left)
        left &= left - ONE
        state.host_object[card] = state.object[state.host[card]]
    state.boosted += _popcount(state.gathered)
    state.modified = 1
    state.stale = STALE
    return np.int64(state.gathered != NONE)


@inline_kernel
def _discard_whole(state, table, instruction, whose):
    """A hand, a draw pile or both go to the discard pile together (R33); how many cards."""
    cards = _whole(state, instruction, whose)
    state.hand[whose] &= ~cards
    state.draw_pile[whose] &= ~cards
    _to_pile(state, table, cards, whose)
    return _popcount(cards)


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
