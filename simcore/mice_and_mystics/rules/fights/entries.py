"""Entries of D1 that belong to fights and cards: what is offered, and what a taken one begins."""

from simcore.jit import inline_kernel, kernel
from simcore.mice_and_mystics.rules.fights.abilities import (
    _heal,
    _offer_effect,
    _perform,
    _wounded_beside,
)
from simcore.mice_and_mystics.rules.fights.actions import _act
from simcore.mice_and_mystics.rules.fights.cards import (
    _begin_equip,
    _begin_share,
    _can_equip,
    _can_share,
    _level_up,
    _offer_levels,
)
from simcore.mice_and_mystics.rules.fights.reactions import (
    _of_timings,
    _usable,
    _use_ability,
    _use_card,
)
from simcore.mice_and_mystics.rules.figures import _in_reach
from simcore.mice_and_mystics.rules.gear import _in_pack, _meets, _spend_token
from simcore.mice_and_mystics.rules.minions import _defeat
from simcore.mice_and_mystics.rules.options import _first, _kind, _offer, _offer_one
from simcore.mice_and_mystics.table.limits import MICE
from simcore.mice_and_mystics.table.masks import _bit, _has, _lowest, numbers
from simcore.mice_and_mystics.table.unknown_words import AN_OPTION, _unknown
from simcore.mice_and_mystics.table.words import (
    A_GRAPE,
    ABILITY,
    BATTLE,
    BY_GRAPE,
    EQUIP,
    GRAPE,
    HEAL,
    LEVEL_UP,
    PAY_ACTION,
    RECOVER,
    RUNNING,
    SEARCH,
    SHARE,
    T_ACTION,
    T_FREE_ACTION,
    T_NO_ACTION,
    T_OWN_TURN,
    T_REPLACE_BATTLE,
    T_START_OF_OWN_TURN,
    USE,
)

_NONE, _ZERO = numbers(-1, 1)
#: Bits of ``free_used``.
_SHARED, _EQUIPPED, _LEVELLED = numbers(1, 3)[0], numbers(2, 3)[0], numbers(4, 5)[0]


@inline_kernel
def _on_land(state, table, mouse):
    """Whether a mouse is out of the water (M41)."""
    return _has(table.tiles[state.tile].water, state.space[mouse]) == 0


@inline_kernel
def _has_action(state, mouse):
    """Whether a mouse may take an action other than to recover (M108)."""
    return state.actions > 0 and _has(state.stunned, mouse) == 0


@kernel
def _timings(state, table, mouse):
    """Timings at which the acting mouse may use something now, as bits (section 25, M41)."""
    timings = _ZERO
    if _has_action(state, mouse):
        timings |= _bit(T_ACTION) | _bit(T_REPLACE_BATTLE)
    if _on_land(state, table, mouse):
        timings |= _bit(T_FREE_ACTION) | _bit(T_OWN_TURN)
        if state.entries == 0:
            timings |= _bit(T_START_OF_OWN_TURN)
        if state.actions == 0:
            timings |= _bit(T_NO_ACTION)
    return timings


@kernel
def _offer_abilities(state, table, mouse):
    """Offer ABILITY …, HEAL and PAY_ACTION (D1, 4)."""
    if state.abilities[mouse] != 0:
        abilities = _of_timings(table, _timings(state, table, mouse))
        usable = _usable(state, table, mouse, abilities)
        while usable != 0:
            ability = _lowest(usable)
            usable &= usable - 1
            number = table.abilities[ability].first_effect
            _offer_effect(state, table, mouse, ABILITY, ability, number)
    if table.heroes[state.hero[mouse]].heals > 0 and _has_action(state, mouse):
        wounded = _wounded_beside(state, mouse)
        while wounded != 0:
            _offer_one(state, HEAL, _lowest(wounded))
            wounded &= wounded - 1
    if (
        state.pay_cost >= 0
        and state.actions == 0
        and state.paid[mouse] < state.pay_times
        and state.cheese[mouse] >= state.pay_cost
        and _on_land(state, table, mouse)
    ):
        _offer(state, PAY_ACTION)


@kernel
def _offer_cards(state, table, mouse):
    """Offer USE … and GRAPE (D1, 5)."""
    before = _NONE
    timings = _timings(state, table, mouse) if state.n_pack[mouse] > 0 else _ZERO
    for place in range(state.n_pack[mouse]):
        card = _in_pack(state, mouse, place)
        if card == before:
            continue
        before = card
        one = table.cards[card]
        if one.timing >= 0 and _has(timings, one.timing) != 0 and _meets(state, table, mouse, card):
            _offer_effect(state, table, mouse, USE, card, one.first_effect)
    if state.tokens[A_GRAPE] > 0 and state.figures != 0 and _on_land(state, table, mouse):
        _offer_grapes(state, table)


@kernel
def _offer_grapes(state, table):
    """Offer GRAPE for each space with roaches."""
    spaces = state.with_minions
    while spaces != 0:
        space = _lowest(spaces)
        spaces &= spaces - 1
        if _roaches_in(state, table, space) != 0:
            _offer_one(state, GRAPE, space)


@kernel
def _roaches_in(state, table, space):
    """Mask of the figures in a space that leave for a grape."""
    roaches = _ZERO
    figures = state.minions_at[space]
    while figures != 0:
        figure = _lowest(figures)
        figures &= figures - 1
        if table.minions[state.type[figure]].roach != 0:
            roaches |= _bit(figure)
    return roaches


@kernel
def _offer_free_actions(state, table, mouse):
    """Offer SHARE, EQUIP and LEVEL_UP (D1, 6)."""
    if not _on_land(state, table, mouse):
        return
    if state.free_used & _SHARED == 0:
        reach = _in_reach(table.tiles[state.tile], state.space[mouse])
        for other in range(MICE):
            if (
                other != mouse
                and _has(state.active, other) != 0
                and _has(reach, state.space[other]) != 0
                and _can_share(state, table, mouse, _ZERO + other)
            ):
                _offer_one(state, SHARE, _ZERO + other)
    if state.free_used & _EQUIPPED == 0 and _can_equip(state, table, mouse):
        _offer(state, EQUIP)
    if state.free_used & _LEVELLED == 0 and state.cheese[mouse] >= table.level_cost:
        _offer_levels(state, table, mouse)


@kernel
def _take_ability(state, table, record, mouse, option):
    """Use an ability card in the own turn.  Modifies state and record."""
    number = _first(option)
    ability = table.abilities[number]
    _use_ability(state, table, record, mouse, number)
    if ability.timing == T_ACTION or ability.timing == T_REPLACE_BATTLE:
        state.actions -= 1
    for i in range(ability.first_effect, ability.first_effect + ability.n_effects):
        _perform(state, table, record, mouse, option, _ZERO + i, number)


@kernel
def _take_card(state, table, record, mouse, option):
    """Use a scroll, item or trick in the own turn.  Modifies state and record."""
    card = table.cards[_first(option)]
    _use_card(state, table, record, mouse, _first(option))
    for i in range(card.first_effect, card.first_effect + card.n_effects):
        _perform(state, table, record, mouse, option, _ZERO + i, _NONE)


@kernel
def _take_grape(state, table, record, mouse, space):
    """All roaches of a space leave for a grape (M117).  Modifies state and record."""
    _spend_token(state, table, record, A_GRAPE)
    roaches = _roaches_in(state, table, space)
    while roaches != 0 and state.outcome == RUNNING:
        record.wounds_dealt[state.hero[mouse]] += 1
        _defeat(state, table, record, _lowest(roaches), mouse, BY_GRAPE)
        roaches &= roaches - 1


@kernel
def _take_entry(state, table, record, option):
    """Begin what an entry of the acting mouse says: BATTLE, SEARCH, RECOVER, ABILITY and all below.

    The step that follows, MENU, is set already.  Modifies state and record.
    """
    mouse, kind = state.acting, _kind(option)
    if kind == BATTLE or kind == SEARCH or kind == RECOVER:
        state.actions -= 1
        _act(state, table, record, mouse, option)
    elif kind == ABILITY:
        _take_ability(state, table, record, mouse, option)
    elif kind == HEAL:
        state.actions -= 1
        _heal(state, record, _first(option), table.heroes[state.hero[mouse]].heals)
    elif kind == PAY_ACTION:
        state.cheese[mouse] -= state.pay_cost
        record.cheese_out_pay += state.pay_cost
        state.paid[mouse] += 1
        state.actions += 1
    elif kind == USE:
        _take_card(state, table, record, mouse, option)
    elif kind == GRAPE:
        _take_grape(state, table, record, mouse, _first(option))
    elif kind == SHARE:
        state.free_used |= _SHARED
        _begin_share(state, record, mouse, _first(option))
    elif kind == EQUIP:
        state.free_used |= _EQUIPPED
        _begin_equip(state, record, mouse)
    elif kind == LEVEL_UP:
        state.free_used |= _LEVELLED
        _level_up(state, table, record, mouse, _first(option))
    else:
        _unknown(state, AN_OPTION, kind)
