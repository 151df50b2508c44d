"""What a player sees in a position: odds of attacks, danger, ways to minions and exits."""

from simcore.jit import inline_kernel, kernel
from simcore.mice_and_mystics.players.choosing import NEVER
from simcore.mice_and_mystics.rules.fights.weapons import (
    _by_swords,
    _lower_defense,
    _weapon_dice,
    _weapon_targets,
)
from simcore.mice_and_mystics.rules.gear import _in_pack, _meets, _slot_for
from simcore.mice_and_mystics.rules.track import _guard, _wounds_left
from simcore.mice_and_mystics.table.limits import (
    ATTACK_DICE,
    DEFENSE_DICE,
    LIFE,
    MICE,
    SLOTS,
    SPACES,
)
from simcore.mice_and_mystics.table.masks import ONE, _bit, _count, _has, _lowest, numbers
from simcore.mice_and_mystics.table.words import A_TRICK, ITEM, PAW, SCROLL

_ZERO, _ONE = numbers(2)
_SWORDS, _BOWS = numbers(2)  # in attack_points
_FAR = numbers(SPACES, SPACES + 1)[0]
_MOST_DICE, _MOST_DEFENSE, _MOST_LIFE = ATTACK_DICE - ONE, DEFENSE_DICE - ONE, LIFE - ONE


@inline_kernel
def _life_left(state, table, mouse):
    """Wounds that a mouse takes until it is captured (M60)."""
    return table.heroes[state.hero[mouse]].life - state.wounds[mouse] - state.poison[mouse]


@inline_kernel
def _in_danger(state, table, mouse):
    """Whether a mouse is one wound short of capture."""
    return _life_left(state, table, mouse) <= 1


# Attacks.


@inline_kernel
def _attack_value(state, table, symbol, dice, change, figure):
    """The score of an attack with some dice on a figure (section 24).

    ``symbol`` is _SWORDS or _BOWS, whichever hit; ``change`` is added to the figure's defense dice.
    """
    minion = table.minions[_guard(state, table, figure)]
    defense = max(_ZERO, minion.defense + state.weakened[figure] + change)
    life = max(_ONE, _wounds_left(state, table, figure))
    return table.attack_points[
        symbol, min(dice, _MOST_DICE), min(defense, _MOST_DEFENSE), min(life, _MOST_LIFE)
    ]


@kernel
def _spell_value(state, table, dice, figure):
    """The score of a spell, which hits with bows and which no gear changes."""
    return _attack_value(state, table, _BOWS, dice, _ZERO, figure)


@kernel
def _hits_value(state, table, hits, figure):
    """The score of a number of hits without a roll (section 24, 8b)."""
    minion = table.minions[_guard(state, table, figure)]
    defense = min(_MOST_DEFENSE, max(_ZERO, minion.defense + state.weakened[figure]))
    life = max(_ONE, _wounds_left(state, table, figure))
    if life <= hits:
        return table.blocks_at_most[defense, min(hits - life, _MOST_LIFE)]
    return 0.2 * table.blocks_at_most[defense, min(hits - ONE, _MOST_LIFE)]


@kernel
def _weapon_value(state, table, mouse, card, figure):
    """The score of an attack of a mouse with a weapon."""
    dice = _weapon_dice(state, table, mouse, card, figure)
    change = _lower_defense(state, table, mouse, card, figure)
    symbol = _SWORDS if _by_swords(state, table, mouse, card, figure) != 0 else _BOWS
    return _attack_value(state, table, symbol, dice, change, figure)


@kernel
def _best_with(state, table, mouse, card):
    """The best score of an attack of a mouse with a weapon, NEVER if it has no target."""
    best = NEVER
    left = _weapon_targets(state, table, mouse, card)
    while left != 0:
        best = max(best, _weapon_value(state, table, mouse, card, _lowest(left)))
        left &= left - ONE
    return best


@kernel
def _best_attack_from(state, table, mouse, space):
    """The best score of an attack of a mouse if it stood on a space, NEVER if there is none.

    Modifies the state, and leaves it as it was.
    """
    here = state.space[mouse]
    state.space[mouse] = space
    best = NEVER
    for slot in range(PAW, SLOTS):
        card = state.slots[mouse, slot]
        if card >= 0 and table.cards[card].attack != 0:
            best = max(best, _best_with(state, table, mouse, card))
    state.space[mouse] = here
    return best


@kernel
def _best_with_knives(state, table, mouse):
    """The best score of an attack with a knife, times the knives equipped (Knife Strike)."""
    best, knives = 0.0, _ZERO
    for slot in range(PAW, SLOTS):
        card = state.slots[mouse, slot]
        if card >= 0 and table.cards[card].knife != 0:
            knives += 1
            best = max(best, _best_with(state, table, mouse, card))
    return best * knives


@kernel
def _blast_value(state, table, dice, space):
    """Sum of the scores of a spell against everything in a space (Mystic Blast)."""
    value = 0.0
    left = state.minions_at[space]
    while left != 0:
        value += _spell_value(state, table, dice, _lowest(left))
        left &= left - ONE
    return value


@kernel
def _chain_value(state, table, mouse, targets, dice):
    """Sum of the best scores of a spell among the minions that a mouse sees (Chain Lightning)."""
    seen = table.tiles[state.tile].seen[state.space[mouse]]
    left = _ZERO
    figures = state.figures
    while figures != 0:
        figure = _lowest(figures)
        figures &= figures - ONE
        if _has(seen, state.figure_space[figure]) != 0:
            left |= _bit(figure)
    value = 0.0
    for _ in range(targets):
        best, bolt = _ZERO, 0.0
        figures = left
        while figures != 0:
            figure = _lowest(figures)
            figures &= figures - ONE
            points = _spell_value(state, table, dice, figure)
            if points > bolt:
                best, bolt = _bit(figure), points
        left &= ~best
        value += bolt
    return value


# The room.

_LATE = numbers(5, 6)[0]  # cheese on the wheel with which H explores in any case


@inline_kernel
def _distance_to_minions(state, tile, space):
    """Steps in the minion graph to the nearest minion (P1), SPACES if there is none."""
    nearest = _FAR
    left = state.with_minions
    while left != 0:
        nearest = min(nearest, tile.d0[space, _lowest(left)])
        left &= left - ONE
    return nearest


@inline_kernel
def _minions_about(state, tile, space):
    """Figures of minions in a space or next to it."""
    n = _count(state.minions_at[space])
    left = tile.near[space] & state.with_minions
    while left != 0:
        n += _count(state.minions_at[_lowest(left)])
        left &= left - ONE
    return n


@kernel
def _all_minions_shoot(state, table):
    """Whether there are minions and all of them are ranged, so that they will not come."""
    left = state.figures
    while left != 0:
        if table.minions[state.type[_lowest(left)]].ranged == 0:
            return False
        left &= left - ONE
    return state.figures != 0


@inline_kernel
def _flows_off(tile, space):
    """Whether the current of a space leads off the tile."""
    return tile.current[space] == _FAR


@kernel
def _is_ready(state, table):
    """Whether H would explore (9a)."""
    if state.wheel >= _LATE:
        return True
    if state.captured != 0:
        return False
    if state.wheel >= table.players[state.decider].number:
        return True
    left = state.active
    while left != 0:
        if state.searched[_lowest(left)] & table.tiles[state.tile].searched_bit == 0:
            return False
        left &= left - ONE
    return True


# Cards and abilities.


@kernel
def _may_learn(state, table, mouse):
    """Whether some ability that nobody owns fits a mouse (M102)."""
    owned = _ZERO
    for other in range(MICE):
        owned |= state.abilities[other]
    words = table.heroes[state.hero[mouse]].words
    for ability in range(table.n_abilities):
        if _has(owned, ability) == 0 and table.abilities[ability].words & words != 0:
            return True
    return False


@inline_kernel
def _completes_price(state, table, giver, taker):
    """Whether one mouse's cheese makes up what another lacks for an ability (section 24, 5)."""
    cheese, more = state.cheese[taker], state.cheese[giver]
    price = table.level_cost
    return (
        cheese < price
        and cheese >= more
        and cheese + more >= price
        and _may_learn(state, table, taker)
    )


@kernel
def _some_gear_fits(state, table, mouse):
    """Whether a mouse can put on something from its pack that displaces nothing."""
    for place in range(state.n_pack[mouse]):
        if _goes_on(state, table, mouse, _in_pack(state, mouse, place)):
            return True
    return False


@inline_kernel
def _goes_on(state, table, mouse, card):
    """Whether a mouse could put on a card without displacing anything."""
    return _slot_for(state, table, mouse, card) >= 0 and _meets(state, table, mouse, card)


@kernel
def _is_useful(state, table, mouse, card):
    """Whether H keeps a card that a mouse has found."""
    kind = table.cards[card].type
    if kind == A_TRICK:
        return True
    if kind == SCROLL or kind == ITEM:
        return _meets(state, table, mouse, card)
    return _goes_on(state, table, mouse, card)
