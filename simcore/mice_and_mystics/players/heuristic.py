"""The player H of section 24: the first rule that applies.

Each rule is a tier of points; an entry gets the points of the first rule that names it, and inside
the tier those of what the rule goes by.  Cards are known by what they do, so that new ones are
played as well.
"""

import numpy as np

from simcore.jit import inline_kernel, kernel
from simcore.mice_and_mystics.players.choosing import NEVER
from simcore.mice_and_mystics.players.sight import (
    _all_minions_shoot,
    _best_attack_from,
    _best_with_knives,
    _blast_value,
    _chain_value,
    _completes_price,
    _distance_to_minions,
    _flows_off,
    _goes_on,
    _hits_value,
    _in_danger,
    _is_ready,
    _is_useful,
    _life_left,
    _minions_about,
    _some_gear_fits,
    _spell_value,
    _weapon_value,
)
from simcore.mice_and_mystics.rules.fights.asked import (
    _found,
    _hits_rolled,
    _lightning_dice,
    _partner,
    _striking_knife,
    _victim,
)
from simcore.mice_and_mystics.rules.gear import _lore
from simcore.mice_and_mystics.rules.options import _first, _kind, _order_of, _second, _third
from simcore.mice_and_mystics.table.masks import _count, _has, numbers
from simcore.mice_and_mystics.table.words import (
    A_TRICK,
    ABILITY,
    ALL_MICE,
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
    END_OF_ROUND,
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
    OP_BATTLE,
    OP_BLAST,
    OP_BOLT,
    OP_CANCEL,
    OP_CHAIN,
    OP_CURE,
    OP_DEFENSE,
    OP_DRAW,
    OP_EXTRA_ACTION,
    OP_HEAL,
    OP_INSPIRE,
    OP_INVISIBLE,
    OP_KNIVES,
    OP_ORDER,
    OP_PROTECT,
    OP_REROLL,
    OP_SLOW,
    OP_SPARK,
    OPTION_WORDS,
    OTHER_MICE,
    PARTY,
    PASS,
    PAY_ACTION,
    PICK,
    PUT,
    REACT,
    RECOVER,
    SCURRY,
    SEARCH,
    SHARE,
    STAND,
    STAY,
    STOP,
    SWIM,
    T_ACTION,
    T_REPLACE_BATTLE,
    TARGET,
    TRICK,
    USE,
)

# The rules of D1, the first on top.
_TIER = 1000.0
(_STAND, _RECOVER, _LEARN, _EQUIP, _SHARE, _FIRST_AID, _LEAVE_WATER) = (
    _TIER * rule for rule in range(30, 23, -1)
)
_GRAPE, _SPARK, _PREPARE, _SCROLL, _ATTACK, _MORE, _FIGHT, _NEARER, _NEARER_BY_WATER = (
    _TIER * rule for rule in range(23, 14, -1)
)
_EXPLORE, _SEARCH, _HEAL, _WALK, _HEAL_LATER, _SEARCH_LATER, _SCURRY = (
    _TIER * rule for rule in range(14, 7, -1)
)
_END = 0.0

# Points of kinds of entries by which nothing else counts, in peace and in fights.
_PLAIN = np.full((2, len(OPTION_WORDS)), NEVER)
for _word, _tiers in (
    (END, (_END, _END)),
    (STAND, (_STAND, _STAND)),
    (RECOVER, (_RECOVER, _RECOVER)),
    (LEVEL_UP, (_LEARN, _LEARN)),
    (GRAPE, (NEVER, _GRAPE)),
    (SEARCH, (_SEARCH, _SEARCH_LATER)),
    (HEAL, (_HEAL, _HEAL_LATER)),
):
    _PLAIN[:, _word] = _tiers

_NONE = numbers(1)[0]
_YES = 1.0
_PER_CHEESE = 0.1  # of an attack that costs cheese
_PER_MINION = 0.05  # near the space to which a mouse moves


@kernel
def _score_as_heuristic(state, table):
    """Give the entries of the present decision the points of H.  Modifies ``points`` of state."""
    mouse = state.decider
    most = NEVER
    for i in range(state.n_options):
        points = _points(state, table, mouse, state.options[i])
        state.points[i] = points
        most = max(most, points)
    fighting = state.figures != 0
    idle = fighting and (state.actions == 0 or _has(state.stunned, mouse) != 0)
    moving = state.point == D3 or (state.point == D1 and not idle)
    if moving and most < (_FIGHT if fighting else _WALK):
        _score_moves(state, table, mouse)


@kernel
def _points(state, table, mouse, option):
    """Points of an entry; those of moves follow in `_score_moves`."""
    point = state.point
    if point == D1:
        return _menu_points(state, table, mouse, option)
    kind = _kind(option)
    if point == D3:
        return _END if kind == STAY else _water_points(state, table, mouse, option)
    if point == D4:
        return _find_points(state, table, mouse, option)
    if point == D5:
        return _exchange_points(state, table, mouse, option)
    if point == D6:
        return _END if _has(table.tiles[state.tile].water, _first(option)) != 0 else _YES
    if point == D9:
        return _reaction_points(state, table, mouse, option)
    if point == D11:
        return _target_points(state, table, mouse, option)
    return _YES


@kernel
def _menu_points(state, table, mouse, option):
    """Points of an entry of D1, but for moves."""
    kind = _kind(option)
    fighting = state.figures != 0
    if kind == ABILITY or kind == USE:
        return _effect_points(state, table, mouse, option)
    if kind == BATTLE:
        return _if_any(_weapon_value(state, table, mouse, _first(option), _second(option)))
    if kind == EXPLORE:
        on = _first(option) == table.tiles[state.tile].way_on and _is_ready(state, table)
        return _EXPLORE if on else NEVER
    if kind == SCURRY:
        far = table.tiles[state.tile].exit_distance[state.space[mouse]] > 0
        return _SCURRY if fighting or far else NEVER
    if kind == LEAVE_WATER or kind == SWIM:
        return _water_points(state, table, mouse, option)
    if kind == PAY_ACTION:
        return _more_action_points(state, table, mouse)
    if kind == SHARE:
        return _SHARE if _completes_price(state, table, mouse, _first(option)) else NEVER
    if kind == EQUIP:
        return _EQUIP if _some_gear_fits(state, table, mouse) else NEVER
    return _PLAIN[1 if fighting else 0, kind]


@inline_kernel
def _if_any(value):
    """Points of an attack; one that can do nothing is not made (8e)."""
    return _ATTACK + value if value > 0.0 else NEVER


@kernel
def _more_action_points(state, table, mouse):
    """Points of another action (8f)."""
    able = _has(state.stunned, mouse) == 0
    if (
        able
        and state.figures != 0
        and _best_attack_from(state, table, mouse, state.space[mouse]) > NEVER
    ):
        return _MORE
    return NEVER


@kernel
def _effect_points(state, table, mouse, option):
    """Points of using an ability, scroll, item or trick at D1, by what it does first."""
    number, target = _first(option), _third(option)
    cost, acts = _NONE, False
    if _kind(option) == ABILITY:
        ability = table.abilities[number]
        cost = ability.cost[state.hero[mouse]]
        acts = ability.timing == T_ACTION or ability.timing == T_REPLACE_BATTLE
        effect = table.effects[ability.first_effect]
    else:
        effect = table.effects[table.cards[number].first_effect]
    fighting = state.figures != 0
    op = effect.op
    if op == OP_HEAL or op == OP_CURE:
        if acts:
            return _HEAL_LATER if fighting else _HEAL
        each = effect.more != 0
        return _FIRST_AID if each or _in_danger(state, table, target) else NEVER
    if op == OP_DRAW:
        return _FIRST_AID
    if not fighting:
        return NEVER
    if op == OP_SPARK:
        return _SPARK + _hits_value(state, table, effect.amount, target)
    if op == OP_BATTLE or op == OP_DEFENSE:
        if effect.reach == OTHER_MICE or effect.reach == ALL_MICE:
            return _PREPARE
        return _SCROLL if effect.reach == END_OF_ROUND else NEVER
    if op == OP_INSPIRE:
        return _PREPARE
    if op == OP_INVISIBLE:
        return _PREPARE if _in_danger(state, table, mouse) else NEVER
    if op == OP_SLOW:
        return _SCROLL
    if op == OP_EXTRA_ACTION:
        return _more_action_points(state, table, mouse)
    value = _special_attack_value(state, table, mouse, option, effect)
    return _if_any(value - _PER_CHEESE * cost)


@kernel
def _special_attack_value(state, table, mouse, option, effect):
    """The score of an attack that is no plain battle, before its cost; NEVER for what is none."""
    op, target = effect.op, _third(option)
    if op == OP_BOLT:
        return _spell_value(state, table, _lore(state, table, mouse), target)
    if op == OP_BLAST:
        return _blast_value(state, table, _lore(state, table, mouse), target)
    if op == OP_CHAIN:
        return _chain_value(state, table, mouse, _lore(state, table, mouse), effect.more)
    if op == OP_KNIVES:
        return _best_with_knives(state, table, mouse)
    if op == OP_ORDER and _kind(_order_of(option)) == BATTLE:
        order = _order_of(option)
        return _weapon_value(state, table, target, _first(order), _second(order))
    return NEVER


@kernel
def _water_points(state, table, mouse, option):
    """Points of leaving water, or of swimming towards minions that will not come (7)."""
    kind, space = _kind(option), _first(option)
    if kind != LEAVE_WATER and kind != SWIM:
        return NEVER
    tile = table.tiles[state.tile]
    mice = _count(state.mice_at[space])
    if _all_minions_shoot(state, table):
        distance = _distance_to_minions(state, tile, space)
        if kind == LEAVE_WATER:
            return _LEAVE_WATER - 10.0 * distance + 5.0 + mice
        nearer = distance < _distance_to_minions(state, tile, state.space[mouse])
        if nearer and not _flows_off(tile, space):
            return _LEAVE_WATER - 10.0 * distance + mice
        return NEVER
    if kind == SWIM:
        return NEVER
    return _LEAVE_WATER + 100.0 * mice - tile.exit_distance[space]


@kernel
def _score_moves(state, table, mouse):
    """Points of MOVE s, and of STAY beside them (8g, 9d).  Modifies ``points`` of state."""
    tile = table.tiles[state.tile]
    here = state.space[mouse]
    if state.figures == 0:
        for i in range(state.n_options):
            space = _first(state.options[i])
            nearer = tile.exit_distance[space] < tile.exit_distance[here]
            if _kind(state.options[i]) == MOVE and nearer and _has(tile.water, space) == 0:
                state.points[i] = _WALK - tile.exit_distance[space]
        return
    found = False
    for i in range(state.n_options):
        kind = _kind(state.options[i])
        if kind == MOVE or kind == STAY:
            space = _first(state.options[i]) if kind == MOVE else here
            value = _best_attack_from(state, table, mouse, space)
            if value > NEVER:
                about = _minions_about(state, tile, space)
                state.points[i] = _FIGHT + value - _PER_MINION * about
                found = True
    if found:
        return
    found = _score_approach(state, table, mouse, _NEARER, _NONE)
    if not found and _all_minions_shoot(state, table):
        _score_approach(state, table, mouse, _NEARER_BY_WATER, tile.water)


@kernel
def _score_approach(state, table, mouse, tier, water):
    """Points of each MOVE that comes nearer to the nearest minion; whether there is any.

    ``water`` are the water spaces of the tile, or 0 for spaces on land.  Modifies ``points``.
    """
    tile = table.tiles[state.tile]
    found = False
    now = _distance_to_minions(state, tile, state.space[mouse])
    for i in range(state.n_options):
        space = _first(state.options[i])
        if _kind(state.options[i]) != MOVE or _has(tile.water, space) != _has(water, space):
            continue
        distance = _distance_to_minions(state, tile, space)
        if distance < now and not _flows_off(tile, space):
            state.points[i] = tier - distance
            found = True
    return found


@kernel
def _find_points(state, table, mouse, option):
    """Points at D4: keep what is useful, pick what is useful or the party's, drop anything."""
    kind = _kind(option)
    if kind == KEEP:
        return _YES if _is_useful(state, table, mouse, _found(state)) else NEVER
    if kind == PICK:
        card = _first(option)
        if table.cards[card].type == PARTY or _is_useful(state, table, mouse, card):
            return _YES
    return _END


@kernel
def _exchange_points(state, table, mouse, option):
    """Points at D5: put on what displaces nothing, give cheese for a level, else stop."""
    kind = _kind(option)
    if kind == STOP or kind == DROP:
        return _END
    if kind == PUT and _goes_on(state, table, mouse, _first(option)):
        return _YES
    if kind == GIVE_CHEESE and state.cheese[_partner(state)] < table.level_cost:
        return _YES
    return NEVER


@kernel
def _reaction_points(state, table, mouse, option):
    """Points at D9: anything rather than PASS, with three exceptions."""
    kind = _kind(option)
    if kind == PASS:
        return _END
    if kind == TRICK and table.cards[_first(option)].type == A_TRICK:
        op = table.effects[table.cards[_first(option)].first_effect].op
        if op == OP_REROLL and _hits_rolled(state) != 0:
            return NEVER
        if op == OP_CANCEL and not _in_danger(state, table, mouse):
            return NEVER
    if kind == REACT and _first(option) != NO_CARD:
        op = table.effects[table.abilities[_first(option)].first_effect].op
        mine = _life_left(state, table, mouse)
        if op == OP_PROTECT and mine <= _life_left(state, table, _victim(state)):
            return NEVER
    return _YES


@kernel
def _target_points(state, table, mouse, option):
    """Points at D11: the target with the best score, never STOP."""
    if _kind(option) == STOP:
        return NEVER
    if _kind(option) == TARGET and _first(option) == AT_FIGURE:
        figure, card = _second(option), _striking_knife(state)
        if card == NO_CARD:
            return _spell_value(state, table, _lightning_dice(state), figure)
        return _weapon_value(state, table, mouse, card, figure)
    return _YES
