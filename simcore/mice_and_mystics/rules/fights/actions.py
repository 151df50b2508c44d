"""Actions of any mouse, the acting one or one that is given an order: D1, 3 without scurrying."""

from simcore.jit import inline_kernel, kernel
from simcore.mice_and_mystics.rules.dice import _die, _stars
from simcore.mice_and_mystics.rules.explore import _begin_explore, _offer_explores
from simcore.mice_and_mystics.rules.fights.mouse_attack import _begin_weapon_attack
from simcore.mice_and_mystics.rules.fights.search import _begin_search
from simcore.mice_and_mystics.rules.fights.weapons import _next_weapon, _weapon_targets
from simcore.mice_and_mystics.rules.options import (
    _first,
    _kind,
    _offer,
    _offer_two,
    _second,
)
from simcore.mice_and_mystics.rules.returning import _friend_is_near
from simcore.mice_and_mystics.table.masks import _bit, _has, _lowest, numbers
from simcore.mice_and_mystics.table.unknown_words import AN_OPTION, _unknown
from simcore.mice_and_mystics.table.words import BATTLE, EXPLORE, RECOVER, SEARCH

_NONE, _ZERO, _ONE = numbers(-1, 2)


@kernel
def _offer_battles(state, table, mouse):
    """Offer BATTLE for each equipped type of weapon and each legal target (D1, 3)."""
    if state.figures == 0:
        return
    card = _next_weapon(state, table, mouse, _NONE)
    while card >= 0:
        targets = _weapon_targets(state, table, mouse, card)
        while targets != 0:
            _offer_two(state, BATTLE, card, _lowest(targets))
            targets &= targets - 1
        card = _next_weapon(state, table, mouse, card)


@inline_kernel
def _may_search(state, table, mouse):
    """Whether a mouse has not yet succeeded in searching on this tile (M61, S11).

    After a success it may still look for a friend (M126).
    """
    if table.finds_friend_as_well == 0 and _friend_is_near(state):
        return True
    return state.searched[mouse] & table.tiles[state.tile].searched_bit == 0


@kernel
def _offer_acts(state, table, mouse):
    """Offer what another mouse can be ordered to do (`other_mouse_acts`)."""
    if _has(state.stunned, mouse) != 0:
        _offer(state, RECOVER)
        return
    _offer_battles(state, table, mouse)
    if _may_search(state, table, mouse):
        _offer(state, SEARCH)
    if _has(state.webbed, mouse) != 0:
        _offer(state, RECOVER)
    _offer_explores(state, table, mouse)


@kernel
def _act(state, table, record, mouse, option):
    """Begin an action of a mouse; its cost is paid.  Modifies state and record."""
    kind = _kind(option)
    if kind == BATTLE:
        record.battles += 1
        _begin_weapon_attack(state, table, mouse, _first(option), _second(option), _ONE)
    elif kind == SEARCH:
        _begin_search(state, record, mouse)
    elif kind == RECOVER:
        record.recovers += 1
        if _has(state.stunned, mouse) != 0:
            state.stunned &= ~_bit(mouse)
        elif _stars(_die(state, table)) > 0:  # M46
            state.webbed &= ~_bit(mouse)
    elif kind == EXPLORE:
        _begin_explore(state, table, record, mouse, _first(option))
    else:
        _unknown(state, AN_OPTION, kind)
