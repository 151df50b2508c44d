"""The steps of fights and cards, from steps.FIRST_OF_FIGHT on."""

from simcore.jit import kernel
from simcore.mice_and_mystics.rules.fights.boss import _boss_step
from simcore.mice_and_mystics.rules.fights.cards import _card_step
from simcore.mice_and_mystics.rules.fights.minion_attack import _minion_attack_step
from simcore.mice_and_mystics.rules.fights.mouse_attack import _mouse_attack_step
from simcore.mice_and_mystics.rules.fights.preemptive import _preemptive_step
from simcore.mice_and_mystics.rules.fights.search import _search_step
from simcore.mice_and_mystics.rules.fights.spells import _spell_step
from simcore.mice_and_mystics.table.steps import (
    BOSS_WOUND,
    EQUIP_MENU,
    KNIVES,
    MINION_ATTACK,
    MOUSE_ATTACK,
    SEARCH_WINDOW,
)


@kernel
def _fight_step(state, table, record, step):
    """Perform a step of the top frame.  Modifies state and record."""
    if step < MOUSE_ATTACK:
        _preemptive_step(state, table, record, step)
    elif step < MINION_ATTACK:
        _mouse_attack_step(state, table, record, step)
    elif step < BOSS_WOUND:
        _minion_attack_step(state, table, record, step)
    elif step < KNIVES:
        _boss_step(state, table, record, step)
    elif step < SEARCH_WINDOW:
        _spell_step(state, table, record, step)
    elif step < EQUIP_MENU:
        _search_step(state, table, record, step)
    else:
        _card_step(state, table, record, step)
