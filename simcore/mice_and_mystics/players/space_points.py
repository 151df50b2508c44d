"""What it is worth to ``learned`` that a mouse stands on a space."""

from simcore.jit import kernel
from simcore.mice_and_mystics.players.choosing import NEVER
from simcore.mice_and_mystics.players.sight import (
    _BOWS,
    _MOST_DEFENSE,
    _MOST_DICE,
    _MOST_LIFE,
    _SWORDS,
    _all_minions_shoot,
    _best_attack_from,
    _distance_to_minions,
    _flows_off,
    _life_left,
)
from simcore.mice_and_mystics.table.limits import MICE
from simcore.mice_and_mystics.table.masks import ONE, _bit, _count, _has, _lowest, numbers
from simcore.mice_and_mystics.table.weight_names import place_of

_ATTACK, _TARGET = place_of("place.attack"), place_of("place.target")
_THREAT, _SHARED = place_of("place.threat"), place_of("place.shared")
_THREAT_WEAK = place_of("place.threat_weak")
_MINIONS, _NEXT = place_of("place.minions"), place_of("place.next")
_MATES, _MATES_NEXT = place_of("place.mates"), place_of("place.mates_next")
_FAR_ACTING, _FAR_SPENT = place_of("place.far"), place_of("place.far_spent")
_FAR_SHOOTERS, _EXIT = place_of("place.far_shooters"), place_of("place.exit")
_WATER, _DRIFT = place_of("place.water"), place_of("place.drift")
_WALK_EXIT, _TAKEN = place_of("walk.exit"), place_of("walk.exit_taken")
_LAST, _AT_EXIT = place_of("walk.exit_last"), place_of("walk.at_exit")
_READY, _WALK_MATES = place_of("walk.ready"), place_of("walk.mates")
_EXPLORE, _CAPTURED = place_of("explore.any"), place_of("explore.captured")
_CAPTURED_LATE, _WOUNDS = place_of("explore.captured_late"), place_of("explore.wounds")
_UNSEARCHED, _WAITING = place_of("explore.unsearched"), place_of("explore.waiting")
_WHEEL = place_of("explore.wheel")

_ZERO, _ONE = numbers(2)
_FARTHEST = numbers(12, 13)[0]  # steps that count
# Chance that a melee minion attacks a mouse by the steps between them: it moves 1, 2 or 3.
_REACH_3, _REACH_4 = 2 / 3, 1 / 3


@kernel
def _place_worth(state, table, mouse, space, acts):
    """Points of a mouse's standing on a space; ``acts`` is 1 while it has an action left."""
    w = table.players[mouse].weights
    tile = table.tiles[state.tile]
    points = 0.0
    if _has(tile.water, space) != 0:
        points += w[_WATER]
        if _flows_off(tile, space):
            points += w[_DRIFT]
    if state.figures == 0:
        return points + _quiet_worth(state, table, mouse, space, acts)
    if acts != 0:
        attack = _best_attack_from(state, table, mouse, space)
        if attack > NEVER:
            points += w[_TARGET] + w[_ATTACK] * attack
    threat, shared = _threats(state, table, mouse, space)
    weak = (table.heroes[state.hero[mouse]].life - _life_left(state, table, mouse)) * w[
        _THREAT_WEAK
    ]
    points += (w[_THREAT] + weak) * threat + (w[_SHARED] + weak) * shared
    points += w[_MINIONS] * _count(state.minions_at[space])
    near = tile.near[space]
    left = near & state.with_minions
    while left != 0:
        points += w[_NEXT] * _count(state.minions_at[_lowest(left)])
        left &= left - ONE
    others = ~_bit(mouse)
    points += w[_MATES] * _count(state.mice_at[space] & others)
    left = near & state.with_mice
    while left != 0:
        points += w[_MATES_NEXT] * _count(state.mice_at[_lowest(left)] & others)
        left &= left - ONE
    distance = min(_FARTHEST, _distance_to_minions(state, tile, space))
    per_step = w[_FAR_ACTING] if acts != 0 else w[_FAR_SPENT]
    if _all_minions_shoot(state, table):
        per_step += w[_FAR_SHOOTERS]
    return points + per_step * distance + w[_EXIT] * min(_FARTHEST, tile.exit_distance[space])


@kernel
def _threats(state, table, mouse, space):
    """Attacks to be feared on a space, as scores: of minions that no other mouse is nearer to.

    The second number are those of the other minions.
    """
    tile = table.tiles[state.tile]
    alone, shared = 0.0, 0.0
    hero = table.heroes[state.hero[mouse]]
    defense = hero.defense + state.gear_defense[mouse] + state.round_defense[mouse]
    for other in range(MICE):
        defense += state.fortifies[other]
    defense = min(_MOST_DEFENSE, max(_ZERO, defense))
    life = min(_MOST_LIFE, max(_ONE, _life_left(state, table, mouse)))
    left = state.figures
    while left != 0:
        figure = _lowest(left)
        left &= left - ONE
        there = state.figure_space[figure]
        minion = table.minions[state.type[figure]]
        distance = tile.d0[there, space]
        nearest = _FARTHEST
        for other in range(MICE):
            if other != mouse and _has(state.active, other) != 0:
                nearest = min(nearest, tile.d0[there, state.space[other]])
        symbol = _SWORDS
        if minion.ranged != 0:
            symbol = _BOWS
            chance = 1.0 if _has(tile.seen[there], space) != 0 else 0.0
        elif distance <= 1:
            chance = 1.0
        elif nearest == 0 or _has(state.knocked, figure) != 0:
            chance = 0.0
        elif distance == 2:
            chance = 1.0
        elif distance == 3:
            chance = _REACH_3
        else:
            chance = _REACH_4 if distance == 4 else 0.0
        if chance > 0.0:
            odds = table.attack_points[symbol, min(minion.battle, _MOST_DICE), defense, life]
            if nearest < distance:
                shared += chance * odds
            else:
                alone += chance * odds
    return alone, shared


@kernel
def _quiet_worth(state, table, mouse, space, acts):
    """Points of a mouse's standing on a space while no minions are on the tile."""
    w = table.players[mouse].weights
    tile = table.tiles[state.tile]
    distance = min(tile.exit_distance[space], _FARTHEST)
    per_step = w[_WALK_EXIT]
    if tile.way_on < 0:
        per_step += w[_LAST]
    else:
        left = state.active & ~_bit(mouse)
        while left != 0:
            if tile.exit_distance[state.space[_lowest(left)]] == 0:
                per_step += w[_TAKEN]
                break
            left &= left - ONE
    points = per_step * distance + w[_WALK_MATES] * _count(state.mice_at[space] & ~_bit(mouse))
    if distance == 0 and tile.way_on >= 0:
        points += w[_AT_EXIT]
        if acts != 0:
            points += w[_READY] * max(0.0, _explore_worth(state, table, mouse))
    return points


@kernel
def _explore_worth(state, table, mouse):
    """Points of exploring along the route."""
    w = table.players[mouse].weights
    captured = _count(state.captured)
    per_captured = w[_CAPTURED] + w[_CAPTURED_LATE] * state.wheel
    points = w[_EXPLORE] + per_captured * captured + w[_WHEEL] * state.wheel
    bit = table.tiles[state.tile].searched_bit
    left = state.active
    while left != 0:
        other = _lowest(left)
        left &= left - ONE
        points += w[_WOUNDS] * (state.wounds[other] + state.poison[other])
        if state.searched[other] & bit == 0:
            points += w[_UNSEARCHED]
    return points + w[_WAITING] * _count(state.active & ~state.acted)
