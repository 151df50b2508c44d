"""What an instruction may affect now, and whether it can do anything (R45-R49, R99)."""

import numpy as np

from card_data.mindbug.vocabulary import Choice, Effect, Ruling, Zone
from simcore.jit import inline_kernel, kernel
from simcore.mindbug.rules.constant_abilities import _able_to_attack, _may_receive, _unbound
from simcore.mindbug.rules.groups import _condition, _group, _value
from simcore.mindbug.rules.keywords import _refresh
from simcore.mindbug.rules.life import _keeps_life, _life_to_set
from simcore.mindbug.rules.powers import _refresh_powers
from simcore.mindbug.rules.turn_rules import _names_creatures
from simcore.mindbug.rules.zones import _hosted
from simcore.mindbug.table.masks import (
    NONE,
    ONE,
    _between,
    _bit,
    _holds,
    _lowest,
    _popcount,
    bits_of,
)
from simcore.mindbug.table.state import HAS_PLAY, TRIGGER_TRAIT
from simcore.mindbug.table.unknown_words import EFFECT, ZONE, _unknown

_OWN_CAN_BE_TAKEN = 1 << Ruling.OWN_CREATURES_CAN_BE_TAKEN


_ABOUT_CREATURES = bits_of(
    Effect.DEFEAT,
    Effect.TAKE_CONTROL,
    Effect.GIVE_CONTROL,
    Effect.RETURN_TO_HAND,
    Effect.THIS_TURN,
    Effect.EVOLVE,
    Effect.BECOME,
    Effect.COPY_PLAY_EFFECT,
    Effect.TRIGGER_PLAY_EFFECT,
    Effect.FORCE_ATTACK,
    Effect.SET_ASIDE,
)
_ABOUT_CARDS = bits_of(
    Effect.PLAY_CARD,
    Effect.DRAW_ALL,
    Effect.DISCARD,
    Effect.STEAL_RANDOM,
    Effect.BOOST,
    Effect.TAKE_BOOST,
    Effect.DRAW_CARDS,
    Effect.DISCARD_RANDOM,
    Effect.DISCARD_WHOLE,
    Effect.PLAY_THIS,
    Effect.TAKE_GIVEN_CARD,
    Effect.PUT_RANDOM_CARD,
    Effect.PUT_UNDER_DRAW_PILE,
    Effect.EXCHANGE_HANDS,
    Effect.RETURN_SET_ASIDE,
)


@inline_kernel
def _picks_creatures(effect):
    """Whether an effect is one about creatures that are chosen or described."""
    return _holds(_ABOUT_CREATURES, effect) != 0


@kernel
def _targets(state, table, instruction, player, source):
    """Creatures that an instruction may affect now (R45)."""
    effect = instruction.effect
    group = instruction.group
    if group.keywords | group.special:  # powers need no keywords
        _refresh(state, table)
    fitting = _group(state, table, group, player, source)
    if effect == Effect.TAKE_CONTROL and not table.rulings & _OWN_CAN_BE_TAKEN:
        fitting &= ~state.play_area[player & 1]
    elif effect == Effect.GIVE_CONTROL:
        fitting &= state.play_area[player & 1]
    elif effect == Effect.RETURN_TO_HAND:
        for side in range(2):
            if not _may_receive(state, table, side):
                fitting &= ~state.play_area[side]
    elif effect == Effect.COPY_PLAY_EFFECT or effect == Effect.TRIGGER_PLAY_EFFECT:
        fitting &= state.trait[HAS_PLAY]
    elif effect == Effect.EVOLVE:
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
    if zone == Zone.HAND:
        cards = (
            _unbound(state, table, whose)
            if instruction.effect == Effect.PLAY_CARD
            else (state.hand[whose])
        )
    elif zone == Zone.DRAW_PILE:
        cards = state.draw_pile[whose]
    elif zone == Zone.UNUSED_PILE:
        return state.unused
    elif zone == Zone.EITHER_DISCARD_PILE:
        cards = state.discard_pile[0] | state.discard_pile[1]
    elif zone == Zone.BOOSTS_OF_THIS:
        lying = state.boosts | state.fallen
        cards = _hosted(state, lying, state.source, state.source_object)
    else:
        cards = state.discard_pile[whose]
        if zone != Zone.DISCARD_PILE:
            _unknown(state, ZONE, zone)
    if instruction.ability >= 0:
        cards &= state.trait[_trait_of(instruction.ability)]
    return cards & _between(state.printed, instruction.power_min, instruction.power_max)


@inline_kernel
def _trait_of(trigger):
    """Trait "has an ability with this trigger"."""
    return TRIGGER_TRAIT[trigger]


@kernel
def _can_do(state, table, instruction, player, source):
    """Whether an instruction could do something now (R47, R99, C34)."""
    if instruction.effect != Effect.CHOOSE_ONE:
        return _can_do_one(state, table, instruction, player, source)
    if not _is_asked_for(state, table, instruction, player, source):
        return False
    for i in range(instruction.count):
        mode = table.instructions[instruction.first_mode + i]
        if _can_do_one(state, table, mode, player, source):
            return True
    return False


@inline_kernel
def _is_asked_for(state, table, instruction, player, source):
    """Whether the condition of an instruction holds and "for each" counts something."""
    if instruction.condition >= 0:
        _refresh(state, table)
        if not _condition(state, table, instruction.condition, player, source):
            return False
    if instruction.per >= 0:
        _refresh(state, table)
        return _value(state, table, instruction.per, player, source) > 0
    return True


@kernel
def _can_do_one(state, table, instruction, player, source):
    """Whether an instruction without modes could do something now."""
    if not _is_asked_for(state, table, instruction, player, source):
        return False
    effect = instruction.effect
    if effect == Effect.THIS_TURN and not _names_creatures(instruction.group):
        return True
    if _picks_creatures(effect):
        return _can_choose(state, table, instruction, player, source)
    if _moves_cards(effect):
        return _can_move(state, table, instruction, player, source)
    whose = (player ^ instruction.player) & 1
    if effect == Effect.LOSE_LIFE:
        return not _keeps_life(state, table, whose)
    if effect == Effect.SET_LIFE:
        _refresh(state, table)
        life = _life_to_set(state, table, instruction, player, source)
        lower = life < state.life[whose]
        return life > state.life[whose] or (lower and not _keeps_life(state, table, whose))
    if effect == Effect.GAIN_ENERGY:
        return table.kot_parts > 0
    if effect == Effect.BUY_FREE:
        return table.kot_parts > 0 and state.display != NONE
    if effect == Effect.BUY_TOP:
        return table.kot_parts > 0 and state.power_deck_next < state.power_deck_size
    if effect == Effect.NAME_KEYWORD:
        return False
    if effect != Effect.GAIN_LIFE and effect != Effect.WIN and effect != Effect.LOSE:
        _unknown(state, EFFECT, effect)
    return True


@inline_kernel
def _can_choose(state, table, instruction, player, source):
    """Whether there are the creatures that an instruction needs (R46, R49)."""
    fitting = _targets(state, table, instruction, player, source)
    if instruction.effect == Effect.FORCE_ATTACK:
        fitting &= _able(state, table)  # C21
    if instruction.group.equal_power:
        _refresh_powers(state, table)
        return _n_pairs(state, fitting) > 0
    needed = instruction.count if instruction.choice == Choice.EXACTLY else 1
    return _popcount(fitting) >= needed


@inline_kernel
def _moves_cards(effect):
    """Whether an effect moves cards that are not creatures."""
    return _holds(_ABOUT_CARDS, effect) != 0


@kernel
def _can_move(state, table, instruction, player, source):
    """Whether there are cards for an instruction to move, and they may go where it says."""
    effect = instruction.effect
    whose = (player ^ instruction.player) & 1
    if effect == Effect.PLAY_CARD:
        return _fitting_cards(state, table, instruction, player) != NONE
    if effect == Effect.DISCARD or effect == Effect.DISCARD_RANDOM:
        return state.hand[whose] != NONE
    if effect == Effect.TAKE_GIVEN_CARD or effect == Effect.PUT_RANDOM_CARD:
        return state.hand[1 - player] != NONE
    if effect == Effect.BOOST:
        piles = state.discard_pile[0] | state.discard_pile[1]
        return piles != NONE and _targets(state, table, instruction, player, source) != NONE
    if effect == Effect.DISCARD_WHOLE:
        return _whole(state, instruction, whose) != NONE
    if effect == Effect.PLAY_THIS:
        return _lies_still(state, player)
    if effect == Effect.PUT_UNDER_DRAW_PILE:
        return state.unused != NONE
    if effect == Effect.EXCHANGE_HANDS:
        return _may_exchange(state, table)
    if effect == Effect.RETURN_SET_ASIDE:
        return _hosted(state, state.set_aside, state.source, state.source_object) != NONE
    return _may_receive(state, table, player) and _can_take(  # C44
        state, table, instruction, player
    )


@kernel
def _can_take(state, table, instruction, player):
    """Whether there are cards for an instruction to put into a player's hand."""
    effect = instruction.effect
    whose = (player ^ instruction.player) & 1
    if effect == Effect.DRAW_CARDS:
        return _fitting_cards(state, table, instruction, player) != NONE
    if effect == Effect.DRAW_ALL:
        return state.discard_pile[whose] != NONE
    if effect == Effect.STEAL_RANDOM:
        return state.hand[1 - player] != NONE
    if effect != Effect.TAKE_BOOST:
        _unknown(state, EFFECT, effect)
    return state.boosts != NONE


@inline_kernel
def _able(state, table):
    """Creatures of either side that are able to attack."""
    return _able_to_attack(state, table, 0) | _able_to_attack(state, table, 1)


@inline_kernel
def _whole(state, instruction, whose):
    """Cards of a hand, a draw pile or both (R33)."""
    if instruction.zone == Zone.HAND:
        return state.hand[whose]
    if instruction.zone == Zone.DRAW_PILE:
        return state.draw_pile[whose]
    return state.hand[whose] | state.draw_pile[whose]


@inline_kernel
def _lies_still(state, player):
    """Whether the source lies in a player's discard pile as it did when it triggered (C16)."""
    lies = state.discard_pile[player & 1] & _bit(state.source) != NONE
    return lies and np.int64(state.object[state.source]) == state.source_object


@inline_kernel
def _may_exchange(state, table):
    """Whether hands can be exchanged: both may receive what they would get (C54)."""
    first = state.hand[1] == NONE or _may_receive(state, table, 0)
    second = state.hand[0] == NONE or _may_receive(state, table, 1)
    return first and second and state.hand[0] | state.hand[1] != NONE


@kernel
def _n_pairs(state, mask):
    """Number of pairs of creatures of a mask that have equal power."""
    n = 0
    while mask != NONE:
        power = state.power[_lowest(mask)]
        mask &= mask - ONE
        n += _popcount(mask & _between(state.power, power, power))
    return n
