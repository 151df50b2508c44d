"""What attacks, abilities, cards and reactions are worth to ``learned``."""

import numpy as np

from simcore.jit import inline_kernel, kernel
from simcore.mice_and_mystics.players.card_points import _by_operation, _price
from simcore.mice_and_mystics.players.choosing import NEVER
from simcore.mice_and_mystics.players.sight import (
    _BOWS,
    _SWORDS,
    _attack_value,
    _best_attack_from,
    _best_with_knives,
    _blast_value,
    _chain_value,
    _hits_value,
    _in_danger,
    _life_left,
    _spell_value,
    _weapon_value,
)
from simcore.mice_and_mystics.players.space_points import _explore_worth, _place_worth
from simcore.mice_and_mystics.rules.fights.asked import (
    _attack,
    _hits_coming,
    _hits_rolled,
    _victim,
)
from simcore.mice_and_mystics.rules.gear import _lore
from simcore.mice_and_mystics.rules.options import (
    _first,
    _fourth,
    _kind,
    _order_of,
    _second,
    _third,
)
from simcore.mice_and_mystics.table.masks import ONE, _bit, _count, _lowest, numbers
from simcore.mice_and_mystics.table.weight_names import WEIGHTS, place_of, places_by_operation
from simcore.mice_and_mystics.table.words import (
    A_TRICK,
    ABILITY,
    ALL,
    ALL_MICE,
    AT_FIGURE,
    BATTLE,
    EXPLORE,
    NO_CARD,
    OP_BATTLE,
    OP_BLAST,
    OP_BOLT,
    OP_CANCEL,
    OP_CHAIN,
    OP_CROSS,
    OP_CURE,
    OP_DEFENSE,
    OP_DRAW,
    OP_EXTRA_ACTION,
    OP_EXTRA_MOVE,
    OP_HEAL,
    OP_INSPIRE,
    OP_INVISIBLE,
    OP_KNIVES,
    OP_KNOCK_DOWN,
    OP_MULTIPLY,
    OP_ORDER,
    OP_PREVENT,
    OP_PROTECT,
    OP_REROLL,
    OP_SET_TRAP,
    OP_SLOW,
    OP_SPARK,
    OP_TARGET_DEFENSE,
    OP_TELEPORT,
    OP_WORDS,
    OTHER_MICE,
    PASS,
    RECOVER,
    SEARCH,
    T_ACTION,
    T_REPLACE_BATTLE,
    TRICK,
)

_ATTACK, _SCORE = place_of("attack.any"), place_of("attack.score")
_RANGED, _THIEF = place_of("attack.ranged"), place_of("attack.thief")
_DICE, _HURT = place_of("attack.dice"), place_of("attack.hurt")
_NEAR, _WHEEL = place_of("attack.near"), place_of("attack.wheel")
_SEARCH, _SEARCH_FIGHT = place_of("search.peace"), place_of("search.fight")
_SEARCH_WHEEL, _SEARCH_ROOM = place_of("search.wheel"), place_of("search.room")
_SEARCH_AT_EXIT, _SEARCH_MISSING = place_of("search.at_exit"), place_of("search.missing")
_RECOVER = place_of("recover.any")
_HEAL_FIGHT, _HEAL_PEACE = place_of("heal.fight"), place_of("heal.peace")
_HEAL_FREE, _HEAL_WOUND = place_of("heal.free"), place_of("heal.wound")
_HEAL_DANGER = place_of("heal.danger")
_USE_MINIONS, _USE_DANGER = place_of("use.minions"), place_of("use.danger")
_ORDER_SEARCH = place_of("order.search")
_LEAD, _FORTIFY, _SCROLL = place_of("use.lead"), place_of("use.fortify"), place_of("use.scroll")
_SPELL, _SPARK = place_of("use.spell"), place_of("use.spark")
_TELEPORT = place_of("use.teleport")
_HELPED, _ENDANGERED = place_of("react.score"), place_of("react.danger")
_HITS, _STRONGER = place_of("react.hits"), place_of("react.stronger")
_BY_TRICK = place_of("react.trick")
_REACT_BY = np.array(places_by_operation("react"))

_WORDS_OF = {
    OP_DRAW: "draw_keep",
    OP_EXTRA_MOVE: "extra_move",
    OP_EXTRA_ACTION: "extra_action",
    OP_INSPIRE: "inspire",
    OP_ORDER: "order",
    OP_KNOCK_DOWN: "knock_down",
    OP_SET_TRAP: "trap",
    OP_INVISIBLE: "invisible",
    OP_CROSS: "cross",
    OP_SLOW: "slow",
}


def _used(section: str) -> np.ndarray:
    """The place of ``section.word`` by operation, -1 where there is none."""
    places = np.full(len(OP_WORDS), -1)
    for op, word in _WORDS_OF.items():
        if f"{section}.{word}" in WEIGHTS:
            places[op] = place_of(f"{section}.{word}")
    return places


_USE_BY, _QUIET_BY = _used("use"), _used("quiet")
_ZERO, _TWO = numbers(0, 4, 2)
_YES = 1.0


@kernel
def _target_worth(state, table, mouse, figure):
    """Points of attacking just this figure."""
    w = table.players[mouse].weights
    minion = table.minions[state.type[figure]]
    points = w[_DICE] * minion.battle + w[_HURT] * state.damage[figure]
    points += w[_WHEEL] * minion.defense * state.wheel
    if minion.ranged != 0:
        points += w[_RANGED]
    if minion.steals != 0:
        points += w[_THIEF]
    space = state.figure_space[figure]
    left = (table.tiles[state.tile].near[space] | _bit(space)) & state.with_mice
    while left != 0:
        points += w[_NEAR] * _count(state.mice_at[_lowest(left)])
        left &= left - ONE
    return points


@kernel
def _battle_worth(state, table, mouse, attacker, card, figure):
    """Points that ``mouse`` gives to an attack with a weapon, its own or another's."""
    w = table.players[mouse].weights
    score = _weapon_value(state, table, attacker, card, figure)
    return w[_ATTACK] + w[_SCORE] * score + _target_worth(state, table, mouse, figure)


@kernel
def _search_worth(state, table, mouse):
    """Points of searching."""
    w = table.players[mouse].weights
    if state.figures != 0:
        return w[_SEARCH_FIGHT]
    tile = table.tiles[state.tile]
    points = w[_SEARCH] + w[_SEARCH_WHEEL] * state.wheel
    points += w[_SEARCH_ROOM] * max(_ZERO, tile.route_place)
    if tile.way_on >= 0 and tile.exit_distance[state.space[mouse]] == 0 and state.captured == 0:
        points += w[_SEARCH_AT_EXIT]
    if state.missing != 0:
        points += w[_SEARCH_MISSING]
    return points


@kernel
def _heal_worth(state, table, mouse, patient, amount):
    """Points of healing some wounds of a mouse."""
    w = table.players[mouse].weights
    wounds = state.wounds[patient]
    if amount != ALL:
        wounds = min(amount, wounds)
    saves = w[_HEAL_DANGER] if _in_danger(state, table, patient) else 0.0
    return w[_HEAL_WOUND] * wounds + saves


@kernel
def _cure_or_heal_worth(state, table, mouse, option, effect, acts):
    """Points of an ability or card that heals or cures."""
    w = table.players[mouse].weights
    points = w[_HEAL_FREE]
    if acts:
        points = w[_HEAL_FIGHT] if state.figures != 0 else w[_HEAL_PEACE]
    if effect.op == OP_CURE:
        return points + _heal_worth(state, table, mouse, _third(option), ONE)
    if effect.more == 0:
        return points + _heal_worth(state, table, mouse, _third(option), effect.amount)
    left = state.mice_at[state.space[mouse]]
    while left != 0:
        points += _heal_worth(state, table, mouse, _lowest(left), effect.amount)
        left &= left - ONE
    return points


@kernel
def _use_worth(state, table, mouse, option):
    """Points of an ability, scroll, item or trick at D1."""
    w = table.players[mouse].weights
    number = _first(option)
    price, acts = 0.0, False
    if _kind(option) == ABILITY:
        ability = table.abilities[number]
        price = _price(state, table, mouse, ability.cost[state.hero[mouse]])
        acts = ability.timing == T_ACTION or ability.timing == T_REPLACE_BATTLE
        effect = table.effects[ability.first_effect]
    else:
        effect = table.effects[table.cards[number].first_effect]
    op = effect.op
    if op == OP_HEAL or op == OP_CURE:
        return price + _cure_or_heal_worth(state, table, mouse, option, effect, acts)
    if op == OP_TELEPORT:
        able = _ZERO + (state.actions > 0)
        here = _place_worth(state, table, mouse, state.space[mouse], able)
        return w[_TELEPORT] + _place_worth(state, table, mouse, _third(option), able) - here
    if op == OP_ORDER:
        return price + _order_worth(state, table, mouse, option)
    if state.figures == 0:
        return price + w[_QUIET_BY[op]] if _QUIET_BY[op] >= 0 else NEVER
    minions = w[_USE_MINIONS] * _count(state.figures)
    if op == OP_BATTLE or op == OP_DEFENSE:
        if effect.reach == OTHER_MICE:
            return price + w[_LEAD] + minions
        if effect.reach == ALL_MICE:
            return price + w[_FORTIFY] + minions + _danger_worth(state, table, mouse)
        return price + w[_SCROLL] + minions
    if _USE_BY[op] >= 0:
        if op == OP_INVISIBLE:
            minions += _danger_worth(state, table, mouse)
        elif op == OP_KNOCK_DOWN:
            minions = w[_USE_MINIONS] * _count(state.minions_at[state.space[mouse]])
        elif op == OP_EXTRA_ACTION and not _has_target(state, table, mouse):
            return NEVER
        return price + w[_USE_BY[op]] + minions
    return price + _magic_worth(state, table, mouse, option, effect)


@inline_kernel
def _danger_worth(state, table, mouse):
    """Points of being safe while in danger."""
    return table.players[mouse].weights[_USE_DANGER] if _in_danger(state, table, mouse) else 0.0


@inline_kernel
def _has_target(state, table, mouse):
    """Whether a mouse can attack from where it is."""
    return _best_attack_from(state, table, mouse, state.space[mouse]) > NEVER


@kernel
def _magic_worth(state, table, mouse, option, effect):
    """Points of an attack that is no plain battle; NEVER for what is none."""
    w = table.players[mouse].weights
    op, target = effect.op, _third(option)
    lore = _lore(state, table, mouse)
    if op == OP_SPARK:
        score = _hits_value(state, table, effect.amount, target)
        return w[_SPARK] + w[_SCORE] * score + _target_worth(state, table, mouse, target)
    if op == OP_BOLT:
        score = _spell_value(state, table, lore, target)
    elif op == OP_BLAST:
        score = _blast_value(state, table, lore, target)
    elif op == OP_CHAIN:
        score = _chain_value(state, table, mouse, lore, effect.more)
    elif op == OP_KNIVES:
        score = _best_with_knives(state, table, mouse)
    else:
        return NEVER
    return w[_ATTACK] + w[_SPELL] + w[_SCORE] * score


@kernel
def _order_worth(state, table, mouse, option):
    """Points of letting another mouse act."""
    w = table.players[mouse].weights
    places = _USE_BY if state.figures != 0 else _QUIET_BY
    points = w[places[OP_ORDER]]
    order, other = _order_of(option), _third(option)
    kind = _kind(order)
    if kind == BATTLE:
        return points + _battle_worth(state, table, mouse, other, _first(order), _second(order))
    if kind == SEARCH:
        return points + w[_ORDER_SEARCH] + _search_worth(state, table, mouse)
    if kind == RECOVER:
        return points + w[_RECOVER] / 2
    if kind == EXPLORE and _first(order) == table.tiles[state.tile].way_on:
        return points + _explore_worth(state, table, mouse)
    return NEVER


@kernel
def _reaction_worth(state, table, mouse, option):
    """Points of an entry at D9; PASS has 0."""
    kind, number = _kind(option), _first(option)
    if kind == PASS:
        return 0.0
    w = table.players[mouse].weights
    points = 0.0
    if kind == TRICK and table.cards[number].type == A_TRICK:
        points += w[_BY_TRICK]
        effect = table.effects[table.cards[number].first_effect]
    elif kind != TRICK and number != NO_CARD and kind != PASS:
        ability = table.abilities[number]
        points += _price(state, table, mouse, ability.cost[state.hero[mouse]])
        effect = table.effects[ability.first_effect]
    else:
        return _YES
    op = effect.op
    points += _by_operation(w, _REACT_BY, op)
    if _second(option) == AT_FIGURE:
        score = _weapon_value(state, table, mouse, _fourth(option), _third(option))
        return points + w[_HELPED] * score
    if op == OP_REROLL:
        return points if _hits_rolled(state) == 0 else NEVER
    if op == OP_BATTLE or op == OP_MULTIPLY or op == OP_TARGET_DEFENSE:
        return points + w[_HELPED] * _help(state, table, effect)
    if op == OP_DEFENSE or op == OP_PREVENT:
        hits = _hits_coming(state)
        points += w[_HITS] * hits
        if hits >= _life_left(state, table, mouse):
            points += w[_ENDANGERED]
    elif op == OP_CANCEL:
        points += w[_ENDANGERED] if _in_danger(state, table, mouse) else 0.0
    elif op == OP_PROTECT:
        more = _life_left(state, table, mouse) - _life_left(state, table, _victim(state))
        points += w[_STRONGER] * more
        if _in_danger(state, table, _victim(state)):
            points += w[_ENDANGERED]
    return points


@kernel
def _help(state, table, effect):
    """How much a reaction adds to the score of the attack that is about to be rolled."""
    figure, dice, change, swords = _attack(state)
    symbol = _SWORDS if swords != 0 else _BOWS
    before = _attack_value(state, table, symbol, dice, change, figure)
    if effect.op == OP_BATTLE:
        dice += effect.amount
    elif effect.op == OP_MULTIPLY:
        dice *= effect.amount
    else:
        change += effect.amount
    return _attack_value(state, table, symbol, dice, change, figure) - before
