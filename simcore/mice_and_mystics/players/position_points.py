"""The chance that the party wins from a position, as ``search`` judges it.

It is a network of what ``weight_names.py`` lists as positions, which play fits
(``play/training.py``).
"""

import numpy as np

from simcore.contract.network import HIDDEN, _value
from simcore.jit import kernel
from simcore.mice_and_mystics.players.sight import _in_danger
from simcore.mice_and_mystics.table.limits import SLOTS
from simcore.mice_and_mystics.table.masks import ONE, _count, _has, _lowest, numbers
from simcore.mice_and_mystics.table.weight_names import N_FEATURES, N_LEARNED
from simcore.mice_and_mystics.table.words import PAW

_OUT = N_LEARNED + N_FEATURES * HIDDEN
# Features are measured from 0 in their own unit; that of any position takes the place of a bias.
_MEAN, _SPREAD, _BIAS = np.zeros(N_FEATURES), np.ones(N_FEATURES), np.zeros(HIDDEN)
_HOW = np.zeros(2, np.int64)  # mistakes and imagined games, of which a value knows nothing
(_ANY, _ROOMS, _ROOMS_SQUARED, _TIME, _TIME_SQUARED, _TIME_BY_ROOMS, _TIME_EACH) = range(7)
(_CAPTURED, _CAPTURED_LAST, _MISSING, _WOUNDS, _DANGER, _STUNNED, _CHEESE) = range(7, 14)
(_ABILITIES, _ATTACK, _DEFENSE, _MOVE, _LORE, _PACK, _TOKENS) = range(14, 21)
(_EXIT, _EXIT_NEAREST, _UNSEARCHED, _FIGHT, _MINIONS, _MINION_ATTACK) = range(21, 27)
(_MINION_LIFE, _MINION_LAST, _SHOOTERS, _BOSS_LIFE) = range(27, 31)
_ZERO, _ONE = numbers(2)
_FARTHEST = numbers(12, 13)[0]  # steps that count


@kernel
def _judge_position(state, table, weights, features):
    """The chance that the party wins.  Modifies features."""
    _describe_position(state, table, features)
    across = weights[N_LEARNED:_OUT].reshape(N_FEATURES, HIDDEN)
    out, intercept = weights[_OUT : _OUT + HIDDEN], weights[_OUT + HIDDEN :]
    return _value((_MEAN, _SPREAD, across, _BIAS, out, intercept, _HOW), features)


@kernel
def _describe_position(state, table, features):
    """Put down what a position has, shape (N_FEATURES,).  Modifies features."""
    for i in range(N_FEATURES):
        features[i] = 0.0
    tile = table.tiles[state.tile]
    place = tile.route_place if tile.route_place >= 0 else state.route_depth
    rooms = 1.0 * (table.n_route - _ONE - place)
    time = table.page_end - state.page - state.wheel / table.wheel_size
    features[_ANY] = 1.0
    features[_ROOMS] = rooms
    features[_ROOMS_SQUARED] = rooms * rooms
    features[_TIME] = time
    features[_TIME_SQUARED] = time * time
    features[_TIME_BY_ROOMS] = time * rooms
    features[_TIME_EACH] = time / (rooms + 1.0)
    features[_CAPTURED] = _count(state.captured)
    features[_MISSING] = _count(state.missing)
    features[_STUNNED] = _count(state.stunned)
    for token in range(len(state.tokens)):
        features[_TOKENS] += state.tokens[token]
    nearest = _FARTHEST
    for mouse in range(table.n_mice):
        _describe_mouse(state, table, mouse, features)
        if _has(state.active, mouse) != 0:
            steps = min(_FARTHEST, tile.exit_distance[state.space[mouse]])
            nearest = min(nearest, steps)
            features[_EXIT] += steps
            features[_UNSEARCHED] += state.searched[mouse] & tile.searched_bit == 0
    if state.figures == 0:
        features[_EXIT_NEAREST] = nearest
    else:
        _describe_minions(state, table, features)
    if tile.way_on < 0:
        features[_CAPTURED_LAST] = features[_CAPTURED]
        features[_MINION_LAST] = features[_MINIONS]


@kernel
def _describe_mouse(state, table, mouse, features):
    """Put down what a mouse has.  Modifies features."""
    hero = table.heroes[state.hero[mouse]]
    if _has(state.active, mouse) != 0:
        features[_WOUNDS] += (state.wounds[mouse] + state.poison[mouse]) / hero.life
        features[_DANGER] += _in_danger(state, table, mouse)
    features[_CHEESE] += state.cheese[mouse]
    features[_ABILITIES] += _count(state.abilities[mouse])
    best = _ZERO
    for slot in range(PAW, SLOTS):
        card = state.slots[mouse, slot]
        if card >= 0 and table.cards[card].attack != 0:
            best = max(best, hero.battle + table.cards[card].battle)
    features[_ATTACK] += best + state.gear_battle[mouse]
    features[_DEFENSE] += hero.defense + state.gear_defense[mouse]
    features[_MOVE] += state.gear_move[mouse]
    features[_LORE] += state.gear_lore[mouse]
    features[_PACK] += state.n_pack[mouse]


@kernel
def _describe_minions(state, table, features):
    """Put down what stands against the mice.  Modifies features."""
    features[_FIGHT] = 1.0
    left = state.figures
    while left != 0:
        figure = _lowest(left)
        left &= left - ONE
        minion = table.minions[state.type[figure]]
        life = max(_ONE, minion.life - state.damage[figure])
        features[_MINIONS] += 1.0
        features[_MINION_ATTACK] += minion.battle
        features[_MINION_LIFE] += life
        features[_SHOOTERS] += minion.ranged != 0
        if minion.boss != 0:
            features[_BOSS_LIFE] += life
