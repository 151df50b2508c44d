"""Reactions: what mice may use in a window of an attack, a search or an encounter (D9).

A window visits the mice in track order; one that can use something is asked, `PASS` first, then
abilities by index, then types of tricks.
"""

from simcore.jit import inline_kernel, kernel
from simcore.mice_and_mystics.rules.gear import _discard, _in_pack, _meets, _take_from_pack
from simcore.mice_and_mystics.rules.options import _first, _kind, _offer, _offer_one
from simcore.mice_and_mystics.rules.wheel import _pay_for_ability
from simcore.mice_and_mystics.table.limits import MICE
from simcore.mice_and_mystics.table.masks import _bit, _has, _lowest, numbers
from simcore.mice_and_mystics.table.words import A_TRICK, PASS, REACT, TRICK

_NONE, _ZERO = numbers(-1, 1)


@inline_kernel
def _next_on_track(state, visited):
    """The highest mouse of the track that is on the tile and not in a mask, -1 = there is none."""
    for place in range(state.n_track):
        card = state.track[place]
        if card < MICE and _has(state.active & ~visited, card) != 0:
            return card
    return _NONE


@kernel
def _of_timings(table, timings):
    """Mask of the abilities with one of several timings, given as bits."""
    abilities = _ZERO
    while timings != 0:
        abilities |= table.by_timing[_lowest(timings)]
        timings &= timings - 1
    return abilities


@kernel
def _usable(state, table, mouse, abilities):
    """Mask of those of some abilities that a mouse owns, can still use and can pay (M26, M103)."""
    mine = state.abilities[mouse] & abilities
    if mine == 0 or _has(state.used_ability, mouse) != 0:
        return _ZERO
    usable = _ZERO
    while mine != 0:
        ability = _lowest(mine)
        mine &= mine - 1
        if state.cheese[mouse] >= table.abilities[ability].cost[state.hero[mouse]]:
            usable |= _bit(ability)
    return usable


@inline_kernel
def _could_react(state, table, mouse, timings):
    """Whether a mouse holds anything with one of several timings, usable or not."""
    if state.trick_timings[mouse] & timings != 0:
        return True
    mine = state.abilities[mouse]
    return mine != 0 and mine & _of_timings(table, timings) != 0


@kernel
def _offer_reactions(state, table, mouse, timings):
    """Offer PASS and what a mouse can use at one of several timings; whether there is anything."""
    if not _could_react(state, table, mouse, timings):
        return False
    usable = _usable(state, table, mouse, _of_timings(table, timings))
    _offer(state, PASS)
    while usable != 0:
        _offer_one(state, REACT, _lowest(usable))
        usable &= usable - 1
    if state.trick_timings[mouse] & timings != 0:
        _offer_tricks(state, table, mouse, timings)
    return _is_choice(state)


@inline_kernel
def _is_choice(state):
    """Whether there is more than PASS; if not, nothing is offered.  Modifies state."""
    if state.n_options > 1:
        return True
    state.n_options = 0
    return False


@kernel
def _offer_tricks(state, table, mouse, timings):
    """Offer the types of tricks in a pack with one of several timings."""
    before = _NONE
    for place in range(state.n_pack[mouse]):
        card = _in_pack(state, mouse, place)
        if card == before:
            continue
        before = card
        one = table.cards[card]
        if (
            one.type == A_TRICK
            and _has(timings, one.timing) != 0
            and _meets(state, table, mouse, card)
        ):
            _offer_one(state, TRICK, card)


@kernel
def _use_ability(state, table, record, mouse, ability):
    """A mouse pays for an ability and has used one this turn (M26).  Modifies state and record."""
    cost = table.abilities[ability].cost[state.hero[mouse]]
    _pay_for_ability(state, record, mouse, ability, cost)
    state.used_ability |= _bit(mouse)
    record.used_ability[ability] += 1


@kernel
def _use_card(state, table, record, mouse, card):
    """A mouse uses a card of its pack, which is discarded (M65).  Modifies state and record."""
    _take_from_pack(state, table, mouse, card)
    _discard(state, card)
    record.used[card] += 1


@kernel
def _use_reaction(state, table, record, mouse, option):
    """A mouse uses what it has chosen; the numbers of the effects, first and behind the last.

    Modifies state and record.
    """
    source = _first(option)
    if _kind(option) == REACT:
        _use_ability(state, table, record, mouse, source)
        ability = table.abilities[source]
        return ability.first_effect, ability.first_effect + ability.n_effects
    _use_card(state, table, record, mouse, source)
    card = table.cards[source]
    return card.first_effect, card.first_effect + card.n_effects
