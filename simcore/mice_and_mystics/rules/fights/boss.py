"""Bosses with several initiative cards: who takes a wound, and attacks on many (M58, M97)."""

from simcore.jit import inline_kernel, kernel
from simcore.mice_and_mystics.rules.ending import _check_win
from simcore.mice_and_mystics.rules.fights.minion_attack import _begin_minion_attack, _roll_hits
from simcore.mice_and_mystics.rules.hits import _defend
from simcore.mice_and_mystics.rules.minions import _defeat, _remove_figure
from simcore.mice_and_mystics.rules.options import _ask, _first, _offer_one
from simcore.mice_and_mystics.rules.stack import W1, W2, W3, W4, W5, W6, _go, _pop, _push, _top
from simcore.mice_and_mystics.rules.track import _cards_of, _remove_card
from simcore.mice_and_mystics.rules.wheel import _settle, _settle_at_once
from simcore.mice_and_mystics.table.limits import MICE
from simcore.mice_and_mystics.table.masks import _bit, _has, _lowest, numbers
from simcore.mice_and_mystics.table.steps import (
    BOSS_WOUND,
    SWEEP,
    SWEEP_END,
    SWEEP_WOUNDS,
    TAKE_BOSS_WOUND,
)
from simcore.mice_and_mystics.table.unknown_words import A_STEP, _unknown
from simcore.mice_and_mystics.table.words import D8, WOUND

# Words of the frame of wounds, as `rules.minions` fills it.
_FIGURE = W1
_WOUNDS = W2  # left
_MOUSE = W3
_MEANS = W4
# Words of the frame of a sweep: the figure, and
_HITS = W2  # of its attack roll
_MICE = W3  # masks of those that it has still to meet
_MINIONS = W4
_TARGET = W5  # the minion that has defended
_LEFT = W6  # hits that it has not blocked

_NONE, _ZERO, _ONE = numbers(-1, 2)


@kernel
def _wound_card(state, table, record):
    """The next wound goes to a card of the boss, if need be by choice (D8).

    Modifies state and record.
    """
    frame = _top(state)
    figure = frame[_FIGURE]
    cards = _cards_of(state, table, state.type[figure])
    if cards == 0:
        mouse, means = frame[_MOUSE], frame[_MEANS]
        _pop(state)
        state.result = 1
        _defeat(state, table, record, figure, mouse, means)
    elif frame[_WOUNDS] == 0:
        _pop(state)
        state.result = 0
    else:
        while cards != 0:
            _offer_one(state, WOUND, _lowest(cards))
            cards &= cards - _ONE
        _ask(state, D8, frame[_MOUSE], TAKE_BOSS_WOUND)


@kernel
def _take_wound(state, table):
    """A card of a boss takes a wound, which may be its last (M58).  Modifies state."""
    frame = _top(state)
    figure, card = frame[_FIGURE], _first(state.picked)
    row = card - MICE
    frame[_WOUNDS] -= 1
    state.damage[figure] += 1
    state.card_damage[row] += 1
    if state.card_damage[row] >= table.minions[row].life:
        _remove_card(state, card)
        state.boss_cards &= ~_bit(card)
        if card == state.acting:
            state.to_act &= ~_bit(figure)  # its turn is over
    _go(state, BOSS_WOUND)


@kernel
def _begin_sweep(state, table, record, figure, spaces):
    """One attack roll against every figure in some spaces (M97, M98).  Modifies state, record."""
    mice, minions = _ZERO, _ZERO
    left = state.active & ~state.invisible
    while left != 0:
        mouse = _lowest(left)
        left &= left - _ONE
        mice |= _has(spaces, state.space[mouse]) << mouse
    left = state.figures & ~state.tokens_there & ~_bit(figure)
    while left != 0:
        other = _lowest(left)
        left &= left - _ONE
        minions |= _has(spaces, state.figure_space[other]) << other
    frame = _push(state, SWEEP)
    frame[_FIGURE] = figure
    hits, _ = _roll_hits(state, table, record, figure)
    if hits > 0:
        frame[_HITS] = hits
        frame[_MICE] = mice
        frame[_MINIONS] = minions
    _settle_at_once(state, table)


@inline_kernel
def _next_mouse(state, mice):
    """The mouse of a mask that is highest on the track, -1 = none."""
    for place in range(state.n_track):
        if state.track[place] < MICE and _has(mice, state.track[place]) != 0:
            return state.track[place]
    return _NONE


@kernel
def _sweep(state, table, record):
    """The next figure meets the attack roll: mice by the track, then minions.

    Modifies state and record.
    """
    frame = _top(state)
    figure = frame[_FIGURE]
    goes_on = _has(state.to_act, figure) != 0
    mouse = _next_mouse(state, frame[_MICE] & state.active)
    others = frame[_MINIONS] & state.figures
    if goes_on and mouse >= 0:
        frame[_MICE] = frame[_MICE] & state.active & ~_bit(mouse)
        state.attacked |= _bit(mouse)
        _begin_minion_attack(state, figure, mouse, frame[_HITS])
    elif goes_on and others != 0:
        other = _lowest(others)
        frame[_MINIONS] = others & ~_bit(other)
        frame[_TARGET] = other
        frame[_LEFT] = _defend(state, table, record, other, frame[_HITS], _ZERO, _NONE)
        _go(state, SWEEP_WOUNDS)
        _settle_at_once(state, table)
    else:
        _go(state, SWEEP_END)
        _settle(state, table)


@kernel
def _wound_other(state, table):
    """A minion takes the hits of a sweep that it has not blocked.  Modifies state."""
    frame = _top(state)
    other = frame[_TARGET]
    _go(state, SWEEP)
    there = _has(state.figures, other) != 0 and _has(state.to_act, frame[_FIGURE]) != 0
    if there and frame[_LEFT] > 0:
        state.damage[other] += frame[_LEFT]
        if state.damage[other] >= table.minions[state.type[other]].life:
            _remove_figure(state, table, other)
            _check_win(state, table)


@kernel
def _boss_step(state, table, record, step):
    """Perform a step of a boss's wounds or of a sweep.  Modifies state and record."""
    if step == TAKE_BOSS_WOUND:
        _take_wound(state, table)
        step = BOSS_WOUND
    if step == BOSS_WOUND:
        _wound_card(state, table, record)
    elif step == SWEEP:
        _sweep(state, table, record)
    elif step == SWEEP_WOUNDS:
        _wound_other(state, table)
    elif step == SWEEP_END:
        _pop(state)
    else:
        _unknown(state, A_STEP, step)
