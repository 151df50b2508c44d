"""Minions that leave the tile (M17, M57, M82, M134)."""

from simcore.jit import kernel
from simcore.mice_and_mystics.rules.ending import _check_win
from simcore.mice_and_mystics.rules.figures import _take_figure
from simcore.mice_and_mystics.rules.stack import W1, W2, W3, W4, _push
from simcore.mice_and_mystics.rules.track import _cards_of, _remove_card
from simcore.mice_and_mystics.rules.wheel import _give_cheese
from simcore.mice_and_mystics.table.limits import MINIONS
from simcore.mice_and_mystics.table.masks import _bit, _lowest, numbers
from simcore.mice_and_mystics.table.steps import BOSS_WOUND
from simcore.mice_and_mystics.table.words import (
    BY_ATTACK,
    BY_GRAPE,
    BY_SET_TRAP,
    BY_SPARK,
    BY_TOOTHPICK,
)

_NONE = numbers(-1, 0)[0]


@kernel
def _remove_figure(state, table, figure):
    """Take a figure off the tile, and its card if it was the last one (M17).  Modifies state."""
    kind = state.type[figure]
    _take_figure(state, table, figure, kind)
    state.figures &= ~_bit(figure)
    state.knocked &= ~_bit(figure)
    state.just_placed &= ~_bit(figure)
    state.to_act &= ~_bit(figure)
    state.tokens_there &= ~_bit(figure)
    state.of_type[kind] -= 1
    if state.of_type[kind] == 0:
        if state.greedy == kind:
            state.greedy = _NONE
        cards = _cards_of(state, table, kind)
        for other in range(table.n_minions):
            if state.of_type[other] > 0:
                cards &= ~_cards_of(state, table, other)
        state.boss_cards &= ~cards
        while cards != 0:
            _remove_card(state, _lowest(cards))
            cards &= cards - 1


@kernel
def _defeat(state, table, record, figure, mouse, means):
    """A figure is defeated, to the credit of a mouse: counted, removed, pilfered, win checked.

    ``means`` is words.BY_ATTACK ….  Modifies state and record.
    """
    kind = state.type[figure]
    hero = table.heroes[state.hero[mouse]]
    record.kills[state.hero[mouse] * MINIONS + kind] += 1
    if means == BY_ATTACK:
        record.kills_attack += 1
    elif means == BY_SET_TRAP:
        record.kills_set_trap += 1
    elif means == BY_GRAPE:
        record.kills_grape += 1
    elif means == BY_SPARK:
        record.kills_spark += 1
    elif means == BY_TOOTHPICK:
        record.kills_toothpick += 1
    rat = table.minions[kind].rat
    _remove_figure(state, table, figure)
    if hero.pilfers > 0 and (means == BY_ATTACK or means == BY_SPARK):
        _give_cheese(state, record, mouse, hero.pilfers)
        record.cheese_in_pilfer += hero.pilfers
        wheel_too = hero.pilfers_rat_from_wheel if rat != 0 else hero.pilfers_other_from_wheel
        if wheel_too != 0 and state.wheel > 0:
            state.wheel -= 1
            record.wheel_out_pilfer += 1
    _check_win(state, table)


@kernel
def _hurt_figure(state, table, record, figure, wounds, mouse, means):
    """A figure takes wounds and is defeated by enough of them (M57); whether it is.

    Of a boss with several cards a frame is pushed, which asks which of them takes each (M58) and
    leaves the same answer in ``state.result``.  Modifies state and record.
    """
    if wounds > 0 and table.minions[state.type[figure]].n_cards > 0:
        frame = _push(state, BOSS_WOUND)
        frame[W1] = figure
        frame[W2] = wounds
        frame[W3] = mouse
        frame[W4] = means
        return False
    state.damage[figure] += wounds
    if wounds > 0 and state.damage[figure] >= table.minions[state.type[figure]].life:
        _defeat(state, table, record, figure, mouse, means)
        return True
    return False
