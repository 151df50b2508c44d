"""Cheese: on the minions' wheel and with the mice (M83, M84, M134)."""

from simcore.jit import inline_kernel, kernel
from simcore.mice_and_mystics.rules.stack import _push
from simcore.mice_and_mystics.table.steps import SURGE


@kernel
def _settle_at_once(state, table):
    """Begin a surge if the wheel is full and surges come at once (S2); whether one begins.

    To be called right after cheese was put on the wheel, with the STEP that follows already set;
    if the answer is True, return to the machine.  Modifies state.
    """
    if table.surges_late == 0 and state.wheel >= table.wheel_size:
        _push(state, SURGE)
        return True
    return False


@kernel
def _settle(state, table):
    """Begin a surge if the wheel is full (P6 step 8 and the like); whether one begins.

    As `_settle_at_once`, by either timing.
    """
    if state.wheel >= table.wheel_size:
        _push(state, SURGE)
        return True
    return False


@inline_kernel
def _give_cheese(state, record, mouse, amount):
    """A mouse gains cheese; the caller counts for what.  Modifies state and record."""
    state.cheese[mouse] += amount
    record.cheese_income[state.hero[mouse]] += amount


@inline_kernel
def _pay_for_ability(state, record, mouse, ability, amount):
    """A mouse pays for an ability card (M103).  Modifies state and record."""
    state.cheese[mouse] -= amount
    record.cheese_out_ability += amount
    record.cheese_ability[ability] += amount
