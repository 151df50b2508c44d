"""Minions defend against hits (P6 steps 5 and 6, and what follows the same rule)."""

from simcore.jit import kernel
from simcore.mice_and_mystics.rules.dice import _cheeses, _die, _roll, _shields, _stars
from simcore.mice_and_mystics.rules.track import _guard
from simcore.mice_and_mystics.rules.wheel import _give_cheese
from simcore.mice_and_mystics.table.masks import numbers
from simcore.mice_and_mystics.table.records import ROLLED

_ZERO = numbers(1)[0]
_DICE, _SHIELDS = ROLLED.index("minion_defense_dice"), ROLLED.index("minion_shields")


@kernel
def _roll_stars(state, table, n):
    """Roll dice: what their faces show, and the shields of those with a star.  Modifies state."""
    shown, with_star = _ZERO, _ZERO
    for _ in range(n):
        face = _die(state, table)
        shown += face
        if _stars(face) > 0:
            with_star += _shields(face)
    return shown, with_star


@kernel
def _defend(state, table, record, figure, hits, change, keeper):
    """A minion rolls its defense against hits; how many of them are left.

    ``change`` is added to its defense dice besides what lasts until end of round.  Cheese goes to
    the wheel, or to the mouse ``keeper`` if that is not -1 (Lily's Bow).  The caller settles a full
    wheel.  Modifies state and record.
    """
    minion = table.minions[_guard(state, table, figure)]
    dice = max(_ZERO, minion.defense + state.weakened[figure] + change)
    more = _ZERO  # what shields with a star block besides
    if minion.doubles_shields == 0:
        shown = _roll(state, table, dice)
    else:
        shown, more = _roll_stars(state, table, dice)
    record.rolled[_DICE] += dice
    record.rolled[_SHIELDS] += _shields(shown)
    blocked = min(hits, _shields(shown) + more)
    cheese = _cheeses(shown)
    if keeper >= 0:
        _give_cheese(state, record, keeper, cheese)
        record.cheese_in_bow += cheese
    else:
        state.wheel += cheese
        record.wheel_in_defense += cheese
    return hits - blocked
