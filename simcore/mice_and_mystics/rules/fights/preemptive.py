"""The Preemptive Shot window after figures were placed (P5)."""

from simcore.jit import kernel
from simcore.mice_and_mystics.rules.fights.mouse_attack import _begin_weapon_attack
from simcore.mice_and_mystics.rules.fights.reactions import (
    _is_choice,
    _next_on_track,
    _usable,
    _use_ability,
)
from simcore.mice_and_mystics.rules.fights.weapons import _next_weapon, _shot_targets
from simcore.mice_and_mystics.rules.options import (
    _ask,
    _first,
    _fourth,
    _kind,
    _offer,
    _offer_four,
    _third,
)
from simcore.mice_and_mystics.rules.stack import W1, _go, _pop, _push, _top
from simcore.mice_and_mystics.table.masks import _bit, _lowest, numbers
from simcore.mice_and_mystics.table.steps import PREEMPTIVE, TAKE_PREEMPTIVE
from simcore.mice_and_mystics.table.unknown_words import A_OPERATION, _unknown
from simcore.mice_and_mystics.table.words import (
    AT_FIGURE,
    D9,
    OP_RANGED,
    PASS,
    RANGED,
    REACT,
    T_PLACED,
)

_VISITED = W1  # mice that have been asked

_NONE, _ZERO = numbers(-1, 1)


@kernel
def _begin_preemptive(state):
    """Start the window for the figures in ``state.just_placed``."""
    _push(state, PREEMPTIVE)


@kernel
def _offer_shots(state, table, mouse):
    """Offer PASS and each shot at a figure just placed; whether there is any."""
    usable = _usable(state, table, mouse, table.by_timing[T_PLACED])
    if usable == 0:
        return False
    targets = _shot_targets(state, table, mouse, _ZERO) & state.just_placed
    _offer(state, PASS)
    while usable != 0:
        ability = _lowest(usable)
        usable &= usable - 1
        if table.effects[table.abilities[ability].first_effect].op != OP_RANGED:
            _unknown(state, A_OPERATION, table.effects[table.abilities[ability].first_effect].op)
        card = _next_weapon(state, table, mouse, _NONE)
        while card >= 0:
            left = targets if table.cards[card].attack == RANGED else _ZERO
            while left != 0:
                _offer_four(state, REACT, ability, AT_FIGURE, _lowest(left), card)
                left &= left - 1
            card = _next_weapon(state, table, mouse, card)
    return _is_choice(state)


@kernel
def _preemptive_step(state, table, record, step):
    """Go on with the window.  Modifies state and record."""
    option = state.picked
    _go(state, PREEMPTIVE)
    if step == TAKE_PREEMPTIVE and _kind(option) != PASS:
        _use_ability(state, table, record, state.decider, _first(option))
        _begin_weapon_attack(state, table, state.decider, _fourth(option), _third(option), _ZERO)
        return
    frame = _top(state)
    while True:
        mouse = _next_on_track(state, frame[_VISITED])
        if mouse < 0:
            _pop(state)
            return
        frame[_VISITED] |= _bit(mouse)
        if _offer_shots(state, table, mouse):
            _ask(state, D9, mouse, TAKE_PREEMPTIVE)
            return
