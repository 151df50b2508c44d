"""The player ``learned``: the rules of H as points, added up by weights that play has taught.

An entry is worth what it does (``weight_names.py`` says what counts), a move what the new space is
worth more than the old one.
"""

from simcore.jit import kernel
from simcore.mice_and_mystics.players.card_points import (
    _best_change,
    _change_worth,
    _find_worth,
    _level_worth,
    _price,
)
from simcore.mice_and_mystics.players.choosing import NEVER
from simcore.mice_and_mystics.players.entry_points import (
    _battle_worth,
    _has_target,
    _heal_worth,
    _reaction_worth,
    _search_worth,
    _target_worth,
    _use_worth,
)
from simcore.mice_and_mystics.players.sight import _completes_price, _spell_value
from simcore.mice_and_mystics.players.space_points import _explore_worth, _place_worth
from simcore.mice_and_mystics.rules.fights.asked import (
    _found,
    _lightning_dice,
    _partner,
    _striking_knife,
)
from simcore.mice_and_mystics.rules.options import _first, _kind, _second
from simcore.mice_and_mystics.table.masks import _count, _has, numbers
from simcore.mice_and_mystics.table.weight_names import place_of
from simcore.mice_and_mystics.table.words import (
    ABILITY,
    AT_FIGURE,
    BATTLE,
    D1,
    D3,
    D4,
    D5,
    D6,
    D9,
    D11,
    DROP,
    END,
    EQUIP,
    EXPLORE,
    GIVE_CHEESE,
    GRAPE,
    HEAL,
    KEEP,
    LEAVE_WATER,
    LEVEL_UP,
    MOVE,
    NO_CARD,
    PAY_ACTION,
    PICK,
    PUT,
    RECOVER,
    SCURRY,
    SEARCH,
    SHARE,
    STAND,
    STOP,
    SWIM,
    TARGET,
    USE,
)

_BACK = place_of("explore.back")
_SCURRY_FIGHT, _SCURRY_PEACE = place_of("scurry.fight"), place_of("scurry.peace")
_RECOVER, _GRAPE = place_of("recover.any"), place_of("grape.each")
_LEAVE, _SWIM, _LEAVE_MATES = (
    place_of("water.leave"),
    place_of("water.swim"),
    place_of("water.mates"),
)
_WALK = place_of("walk.any")
_HEAL_FIGHT, _HEAL_PEACE = place_of("heal.fight"), place_of("heal.peace")
_PAY_FIGHT, _PAY_PEACE = place_of("pay.fight"), place_of("pay.peace")
_SHARE, _GEAR = place_of("share.level"), place_of("gear.any")

_ZERO, _ONE = numbers(2)
_STAND, _YES = 5.0, 1.0
_LEAST_GAIN = 1e-3


@kernel
def _score_as_learned(state, table):
    """Give the entries of the present decision points.  Modifies ``points`` of state."""
    mouse, point = state.decider, state.point
    acts = _ZERO + (state.actions > 0 and _has(state.stunned, mouse) == 0)
    here = 0.0
    if (point == D1 and state.moved == 0) or point == D3:
        here = _place_worth(state, table, mouse, state.space[mouse], acts)
    for i in range(state.n_options):
        option = state.options[i]
        kind = _kind(option)
        if kind == MOVE or kind == LEAVE_WATER or kind == SWIM:
            points = _move_worth(state, table, mouse, option, acts) - here
        elif point == D1:
            points = _entry_worth(state, table, mouse, option)
        elif point == D9:
            points = _reaction_worth(state, table, mouse, option)
        elif point == D6:
            points = _place_worth(state, table, mouse, _first(option), _ZERO)
        elif point == D4:
            points = _card_worth(state, table, mouse, option)
        elif point == D5:
            points = _exchange_worth(state, table, mouse, option)
        elif point == D11:
            points = _aim_worth(state, table, mouse, option)
        else:
            points = 0.0
        state.points[i] = points


@kernel
def _move_worth(state, table, mouse, option, acts):
    """Points of the space to which a mouse moves."""
    w = table.players[mouse].weights
    kind, space = _kind(option), _first(option)
    points = _place_worth(state, table, mouse, space, acts)
    if kind == MOVE:
        return points + w[_WALK]
    if kind == SWIM:
        return points + w[_SWIM]
    return points + w[_LEAVE] + w[_LEAVE_MATES] * _count(state.mice_at[space])


@kernel
def _entry_worth(state, table, mouse, option):
    """Points of an entry of D1 other than a move."""
    w = table.players[mouse].weights
    kind = _kind(option)
    fighting = state.figures != 0
    if kind == BATTLE:
        return _battle_worth(state, table, mouse, mouse, _first(option), _second(option))
    if kind == ABILITY or kind == USE:
        return _use_worth(state, table, mouse, option)
    if kind == SEARCH:
        return _search_worth(state, table, mouse)
    if kind == EXPLORE:
        on = _first(option) == table.tiles[state.tile].way_on
        return _explore_worth(state, table, mouse) if on else w[_BACK]
    if kind == SCURRY:
        return _scurry_worth(state, table, mouse)
    if kind == HEAL:
        points = w[_HEAL_FIGHT] if fighting else w[_HEAL_PEACE]
        amount = table.heroes[state.hero[mouse]].heals
        return points + _heal_worth(state, table, mouse, _first(option), amount)
    return _rare_worth(state, table, mouse, option)


@kernel
def _scurry_worth(state, table, mouse):
    """Points of moving once more instead of acting."""
    w = table.players[mouse].weights
    if state.figures != 0:
        return w[_SCURRY_FIGHT]
    far = table.tiles[state.tile].exit_distance[state.space[mouse]] > 0
    return w[_SCURRY_PEACE] if far else NEVER


@kernel
def _rare_worth(state, table, mouse, option):
    """Points of the entries of D1 that come up now and then."""
    w = table.players[mouse].weights
    kind = _kind(option)
    if kind == LEVEL_UP:
        return _level_worth(table, mouse, _first(option))
    if kind == EQUIP:
        gain = _best_change(state, table, mouse)
        return w[_GEAR] + gain if gain > _LEAST_GAIN else NEVER
    if kind == SHARE:
        return w[_SHARE] if _completes_price(state, table, mouse, _first(option)) else NEVER
    if kind == RECOVER:
        return w[_RECOVER]
    if kind == STAND:
        return _STAND
    if kind == GRAPE:
        return w[_GRAPE] * _count(state.minions_at[_first(option)])
    if kind == PAY_ACTION:
        price = _price(state, table, mouse, state.pay_cost)
        if state.figures == 0:
            return price + w[_PAY_PEACE]
        return price + w[_PAY_FIGHT] if _has_target(state, table, mouse) else NEVER
    return 0.0 if kind == END else NEVER


@kernel
def _card_worth(state, table, mouse, option):
    """Points at D4; DISCARD has 0."""
    kind = _kind(option)
    if kind == KEEP:
        return _find_worth(state, table, mouse, _found(state))
    if kind == PICK:
        return max(0.0, _find_worth(state, table, mouse, _first(option)))
    if kind == DROP:
        return -_find_worth(state, table, mouse, _first(option))
    return 0.0


@kernel
def _exchange_worth(state, table, mouse, option):
    """Points at D5; STOP has 0."""
    kind = _kind(option)
    if kind == STOP:
        return 0.0
    if kind == DROP:
        return -_find_worth(state, table, mouse, _first(option))
    if kind == PUT:
        gain = _change_worth(state, table, mouse, _first(option), _second(option))
        return gain if gain > _LEAST_GAIN else NEVER
    if kind == GIVE_CHEESE and state.cheese[_partner(state)] < table.level_cost:
        return _YES
    return NEVER


@kernel
def _aim_worth(state, table, mouse, option):
    """Points of a target at D11; STOP is never chosen."""
    kind = _kind(option)
    if kind == STOP:
        return NEVER
    if kind == TARGET and _first(option) == AT_FIGURE:
        figure, card = _second(option), _striking_knife(state)
        if card == NO_CARD:
            score = _spell_value(state, table, _lightning_dice(state), figure)
            return score + _target_worth(state, table, mouse, figure)
        return _battle_worth(state, table, mouse, mouse, card, figure)
    return _YES
