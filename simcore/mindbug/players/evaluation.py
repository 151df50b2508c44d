"""Evaluation of the table by weights, in points: creatures, lives, blockers.

A decision begins with a look at the table (``_look``), after which nothing changes until it is
made.  So what every option is measured by is found once and noted in the state: current keywords,
what each creature is worth, what a life is worth, who can block.  How much counts what are the
weights of ``weights.py``.  Nothing hidden is looked at: own hand, both play areas, both discard
piles, counts (R4).

``seat`` is the player whose weights are asked: in a player's thoughts both players have that
player's own.
"""

import numpy as np

from card_data.mindbug.vocabulary import Keyword, Rule
from simcore.jit import inline_kernel, kernel
from simcore.mindbug.rules.constant_abilities import (
    _able_to_attack,
    _chosen_blockers,
    _restricted,
    _restricted_this_turn,
    _total,
)
from simcore.mindbug.rules.groups import _known
from simcore.mindbug.rules.keywords import _refresh
from simcore.mindbug.rules.life import _keeps_life
from simcore.mindbug.rules.powers import _controller, _in_force, _in_play, _refresh_powers, _sources
from simcore.mindbug.table.expansion_features import _any_has, _this_turn, _with_trait
from simcore.mindbug.table.masks import NONE, ONE, _bit, _holds, _lowest
from simcore.mindbug.table.state import (
    ADDS_LOSS,
    CHOOSES_BLOCKERS,
    COPIES_KEYWORDS,
    GRANTS_KEYWORDS,
    KEEPS_LIFE,
    N_KEYWORDS,
    POISONOUS,
    SNEAKY,
    STOPS_BLOCKS,
    STOPS_BLOCKS_OF_THIS,
    TOUGH,
)
from simcore.mindbug.table.weight_names import place_of

WIN = 100_000.0  # points of what ends the game
_DEADLY = 1 << 30  # added to the power of a creature that defeats any other (R72)


FIRST_KEYWORD = place_of(f"creature.{Keyword.FRENZY.name.lower()}")
_TOUGHNESS = place_of("attack.tough")
_POWER, _ACE = place_of("creature.power"), place_of("creature.ace")
_POWER_SQUARED = place_of("creature.power_squared")
_OF_TOUGH, _WORST = place_of("creature.tough"), place_of("threat.worst")
_SECOND_LIFE = place_of("life.second")  # followed by those of the third and of more


@inline_kernel
def _weight(table, seat, place):
    """One weight of a player."""
    return np.float64(table.weight[seat, place])


@inline_kernel
def _worth(state, table, seat, slot):
    """Points of the face that a slot shows, as printed."""
    return np.float64(table.worth[seat, state.card[slot]])


@inline_kernel
def _best_worth(state, table, seat, mask):
    """Points of the best card of a mask, as printed, 0 for none."""
    best = 0.0
    while mask != NONE:
        best = max(best, _worth(state, table, seat, _lowest(mask)))
        mask &= mask - ONE
    return best


# Looking at the table -----------------------------------------------------------------------------


@inline_kernel
def _look(state, table, seat):
    """Make the table readable: powers, keywords, life at stake, what creatures are worth.

    Modifies state: refreshes it, and sets the notes that are read here.
    """
    _look_at_creatures(state, table)
    state.worst = -1
    state.ace = -1
    state.lost[0] = 1
    state.lost[1] = 1
    if _any_has(table, 1 << ADDS_LOSS | 1 << KEEPS_LIFE):
        _look_at_losses(state, table)
    for player in range(2):
        state.life_points[player] = _life(state, table, seat, player)


@inline_kernel
def _look_at_creatures(state, table):
    """Make powers and keywords readable.  Modifies state: refreshes it, sets the notes of them."""
    _refresh(state, table)
    _refresh_powers(state, table)
    state.gifted = NONE
    givers = (state.trait[GRANTS_KEYWORDS] | state.trait[COPIES_KEYWORDS]) & _in_force(state)
    if givers != NONE or _this_turn(state):
        for k in range(N_KEYWORDS):
            state.has[k] = _known(state, k)
            state.gifted |= state.has[k] & ~state.trait[k]
    else:
        for k in range(N_KEYWORDS):
            state.has[k] = state.trait[k]


@kernel
def _look_at_losses(state, table):
    """How much life an unblocked attack takes (R91, C52).  Modifies state."""
    sources = _sources(state, ADDS_LOSS)
    for player in range(2):
        if sources != NONE:
            state.lost[player] += _total(state, table, Rule.MORE_LIFE_LOSS, sources, 1 - player, -1)
        if _keeps_life(state, table, player):
            state.lost[player] = 0


@inline_kernel
def _life(state, table, seat, player):
    """Points of an attack that a player does not block (R69, R91, C52)."""
    life = state.life[player]
    lost = state.lost[player]
    if lost == 0:
        return 0.0
    if life <= lost:
        return WIN
    more = (lost - 1) * _weight(table, seat, _SECOND_LIFE)
    return more + _weight(table, seat, _SECOND_LIFE + min(life, 4) - 2)


@inline_kernel
def _is_in_danger(state, player):
    """Whether the next attack that a player does not block would win the game."""
    return state.lost[player] > 0 and state.life[player] <= state.lost[player]


@inline_kernel
def _find_blockers(state, table):
    """Find the creatures that nothing prevents from blocking altogether (R68).

    Modifies the note ``free`` of state.
    """
    free = _in_play(state)
    sources = _sources(state, STOPS_BLOCKS)
    if sources != NONE:
        free &= ~_restricted(state, table, Rule.CANNOT_BLOCK, sources, free)
    if _this_turn(state):
        free &= ~state.no_block & ~_restricted_this_turn(state, table, Rule.CANNOT_BLOCK)
    state.free = free


@inline_kernel
def _blockers_of(state, table, attacker):
    """Creatures that may block an attacker that hunts nothing (R68).

    The same as `_able_to_block`, once `_find_blockers` has run.
    """
    blockers = state.free & state.play_area[1 - _controller(state, attacker)]
    if state.has[SNEAKY] & _bit(attacker) != NONE:
        blockers &= state.has[SNEAKY]
    if state.trait[STOPS_BLOCKS_OF_THIS] & _bit(attacker) != NONE:
        blockers &= ~_restricted(state, table, Rule.CANNOT_BLOCK_THIS, _bit(attacker), blockers)
    if _with_trait(state, CHOOSES_BLOCKERS) & _bit(attacker) != NONE:
        blockers = _chosen_blockers(state, table, attacker, blockers)
    return blockers


@inline_kernel
def _find_ace(state, table, player):
    """Find a creature of a player that wins with its next attack, as none can block it.

    Modifies the note ``ace`` of state.
    """
    if _is_in_danger(state, 1 - player):
        _find_blockers(state, table)
        left = _able_to_attack(state, table, player)
        while left != NONE:
            slot = _lowest(left)
            left &= left - ONE
            if _blockers_of(state, table, slot) == NONE:
                state.ace = slot


# What creatures are worth -------------------------------------------------------------------------


@inline_kernel
def _fresh(state):
    """Creatures that TOUGH still saves (R81)."""
    return state.has[TOUGH] & ~state.exhausted


@inline_kernel
def _might(power, deadly, slot):
    """Up to which power a creature defeats others: its own, or any if it is deadly (R72)."""
    return np.float64(power + _DEADLY * _holds(deadly, slot))


@inline_kernel
def _evaluate(state, table, seat, creatures):
    """Note what some creatures in play are worth as they stand: their power, what they have.

    Modifies the notes ``value``, ``loss`` and ``might`` of state.
    """
    fresh, deadly = _fresh(state), state.has[POISONOUS]
    toughness = _weight(table, seat, _TOUGHNESS)
    of_power, of_square = _weight(table, seat, _POWER), _weight(table, seat, _POWER_SQUARED)
    of_tough, spent = _weight(table, seat, _OF_TOUGH), state.has[TOUGH] & state.exhausted
    left = creatures
    while left != NONE:
        slot = _lowest(left)
        left &= left - ONE
        power, printed = np.float64(state.power[slot]), np.float64(state.printed[slot])
        points = _worth(state, table, seat, slot) + (power - printed) * of_power
        points += (power * power - printed * printed) * of_square / 10.0
        points -= _holds(spent, slot) * of_tough
        if state.gifted & _bit(slot) != NONE:
            points += _value_of_gifts(state, table, seat, slot)
        if slot == state.ace:
            points += _weight(table, seat, _ACE)
        state.value[slot] = points
        saved = np.float64(_holds(fresh, slot))
        state.loss[slot] = saved * toughness + (1.0 - saved) * points
        state.might[slot] = _might(state.power[slot], deadly, slot)


@kernel
def _value_of_gifts(state, table, seat, slot):
    """Points of the keywords that a creature has now and does not print."""
    points = 0.0
    for k in range(N_KEYWORDS):
        if state.has[k] & ~state.trait[k] & _bit(slot) != NONE:
            points += _weight(table, seat, FIRST_KEYWORD + k)
    return points


@inline_kernel
def _evaluate_threat(state, table, seat):
    """Add to the value of the worst attacker what it threatens more than the next one.

    Modifies the notes ``value`` and ``loss`` of state.
    """
    more = min(state.worst_points - state.next_worst, 300.0)
    state.value[state.worst] += _weight(table, seat, _WORST) * more
    if _fresh(state) & _bit(state.worst) == NONE:
        state.loss[state.worst] = state.value[state.worst]


@inline_kernel
def _removal(state, table, seat, slot):
    """Points that removing a creature takes from its controller; TOUGH may save it (R81)."""
    saved = np.float64(_holds(_fresh(state), slot))
    return saved * _weight(table, seat, _TOUGHNESS) + (1.0 - saved) * state.value[slot]


@inline_kernel
def _best_value(state, mask):
    """Points of the best creature in play of a mask, 0 for none."""
    best = 0.0
    while mask != NONE:
        best = max(best, state.value[_lowest(mask)])
        mask &= mask - ONE
    return best
