"""Abilities with several targets, one after the other: daggers, lightning, cures (D11)."""

from simcore.jit import inline_kernel, kernel
from simcore.mice_and_mystics.rules.fights.mouse_attack import (
    _begin_magic_attack,
    _begin_weapon_attack,
)
from simcore.mice_and_mystics.rules.fights.weapons import _figures_in, _melee_targets, _shot_targets
from simcore.mice_and_mystics.rules.options import (
    _ask,
    _fourth,
    _kind,
    _offer,
    _offer_four,
    _offer_three,
    _offer_two,
    _second,
    _third,
)
from simcore.mice_and_mystics.rules.stack import W1, W2, W3, W4, W5, _go, _pop, _push, _top
from simcore.mice_and_mystics.rules.wheel import _pay_for_ability
from simcore.mice_and_mystics.table.limits import SLOTS
from simcore.mice_and_mystics.table.masks import _bit, _has, _lowest, numbers
from simcore.mice_and_mystics.table.steps import (
    CHAIN,
    CURE,
    KNIVES,
    TAKE_CHAIN,
    TAKE_CURE,
    TAKE_KNIFE,
)
from simcore.mice_and_mystics.table.unknown_words import A_STEP, _unknown
from simcore.mice_and_mystics.table.words import (
    ABILITY,
    AT_FIGURE,
    AT_THING,
    D11,
    PAW,
    POISON,
    STOP,
    STUNNED,
    TARGET,
    WEBBED,
)

_NONE, _ZERO, _ONE = numbers(-1, 2)
_FAR = numbers(1 << 30, (1 << 30) + 1)[0]

# Words of the frames.
_MOUSE = W1
_SLOTS = W2  # of knives: mask of slots with knives that have not attacked
_KNIFE = W3  # the one that attacks now
_CHOSEN = W2  # of lightning: mask of figures
_TARGET = W3  # the one that is struck now
_LEFT = W4  # of lightning: targets that are left
_DICE = W5
_CURE = W2  # of cures: the ability
_CREDIT = W3  # things that are paid
_PRICE_LEFT = W4  # cheese that may still be spent
_PER_CHEESE = W5


@kernel
def _knives(state, table, mouse):
    """Mask of the slots with knives."""
    slots = _ZERO
    for slot in range(PAW, SLOTS):
        card = state.slots[mouse, slot]
        if card >= 0 and table.cards[card].knife != 0:
            slots |= _bit(slot)
    return slots


@kernel
def _begin_knives(state, table, mouse):
    """Start one attack with each equipped knife, by card index.  Modifies state."""
    slots = _knives(state, table, mouse)
    frame = _push(state, KNIVES)
    frame[_MOUSE] = mouse
    frame[_SLOTS] = slots


@kernel
def _offer_figures(state, figures):
    """Offer a set of figures as targets."""
    while figures != 0:
        _offer_two(state, TARGET, AT_FIGURE, _lowest(figures))
        figures &= figures - 1


@kernel
def _next_knife(state):
    """The slot of the knife that attacks next: the lowest card."""
    frame = _top(state)
    best, least = _ZERO, _FAR
    slots = frame[_SLOTS]
    while slots != 0:
        slot = _lowest(slots)
        slots &= slots - 1
        card = state.slots[frame[_MOUSE], slot]
        if card < least:
            best, least = slot, card
    return best


@kernel
def _knives_step(state, table, step):
    """Go on with the attacks with knives.  Modifies state."""
    frame = _top(state)
    mouse = frame[_MOUSE]
    if step == TAKE_KNIFE:
        _go(state, KNIVES)
        _begin_weapon_attack(state, table, mouse, frame[_KNIFE], _second(state.picked), _ZERO)
        return
    if frame[_SLOTS] != 0 and _has(state.active, mouse) != 0:
        targets = _melee_targets(state, table, mouse)
        if targets != 0:
            slot = _next_knife(state)
            frame[_SLOTS] &= ~_bit(slot)
            frame[_KNIFE] = state.slots[mouse, slot]
            _offer_figures(state, targets)
            _ask(state, D11, mouse, TAKE_KNIFE)
            return
    _pop(state)


@kernel
def _begin_chain(state, mouse, targets, dice):
    """Start one attack on each of up to so many figures.  Modifies state."""
    frame = _push(state, CHAIN)
    frame[_MOUSE] = mouse
    frame[_TARGET] = _NONE
    frame[_LEFT] = targets
    frame[_DICE] = dice


@kernel
def _chain_step(state, table, step):
    """Go on with the attacks of lightning.  Modifies state."""
    frame = _top(state)
    mouse = frame[_MOUSE]
    if step == TAKE_CHAIN:
        if _kind(state.picked) == STOP:
            _pop(state)
            return
        figure = _second(state.picked)
        frame[_TARGET] = figure
        frame[_CHOSEN] |= _bit(figure)
        frame[_LEFT] -= 1
        _go(state, CHAIN)
        _begin_magic_attack(state, mouse, figure, frame[_DICE])
        return
    targets = _ZERO
    if frame[_LEFT] > 0 and _has(state.active, mouse) != 0:
        if frame[_TARGET] < 0:
            targets = _shot_targets(state, table, mouse, _ZERO)
        else:
            if state.result > 0:  # defeated; its index may belong to a new figure
                frame[_CHOSEN] &= ~_bit(frame[_TARGET])
            seen = table.tiles[state.tile].seen[state.space[mouse]]
            targets = _figures_in(state, seen) & ~frame[_CHOSEN]
    if targets == 0:
        _pop(state)
        return
    if frame[_TARGET] >= 0:
        _offer(state, STOP)
    _offer_figures(state, targets)
    _ask(state, D11, mouse, TAKE_CHAIN)


@kernel
def _things(state, mouse):
    """Mask of what a mouse could cure in its space: 4 x mouse + POISON, STUNNED or WEBBED."""
    things = _ZERO
    mice = state.mice_at[state.space[mouse]]
    while mice != 0:
        other = _lowest(mice)
        mice &= mice - 1
        if state.poison[other] > 0:
            things |= _bit(4 * other + POISON)
        if _has(state.stunned, other) != 0:
            things |= _bit(4 * other + STUNNED)
        if _has(state.webbed, other) != 0:
            things |= _bit(4 * other + WEBBED)
    return things


@kernel
def _offer_cures(state, mouse, ability):
    """Offer ABILITY for each thing that a mouse could cure."""
    things = _things(state, mouse)
    while things != 0:
        thing = _lowest(things)
        things &= things - 1
        _offer_four(state, ABILITY, ability, AT_THING, thing >> 2, thing & 3)


@inline_kernel
def _cure(state, mouse, thing):
    """Cure a mouse of one thing.  Modifies state."""
    if thing == POISON:
        state.poison[mouse] -= 1
    elif thing == WEBBED:
        state.webbed &= ~_bit(mouse)
    else:
        state.stunned &= ~_bit(mouse)


@kernel
def _begin_cures(state, table, mouse, ability, option, per_cheese):
    """Cure what an entry says, and perhaps further things.  Modifies state."""
    one = table.abilities[ability]
    price = one.cost[state.hero[mouse]]
    _cure(state, _third(option), _fourth(option))
    frame = _push(state, CURE)
    frame[_MOUSE] = mouse
    frame[_CURE] = ability
    frame[_CREDIT] = price * per_cheese - 1
    frame[_PRICE_LEFT] = one.cost_most - price
    frame[_PER_CHEESE] = per_cheese


@kernel
def _cures_step(state, record, step):
    """Go on with cures.  Modifies state and record."""
    frame = _top(state)
    mouse, option = frame[_MOUSE], state.picked
    if step == TAKE_CURE:
        if _kind(option) == STOP:
            _pop(state)
            return
        if frame[_CREDIT] == 0:
            _pay_for_ability(state, record, mouse, frame[_CURE], _ONE)
            frame[_PRICE_LEFT] -= 1
            frame[_CREDIT] += frame[_PER_CHEESE]
        frame[_CREDIT] -= 1
        _cure(state, _second(option), _third(option))
    things = _things(state, mouse)
    paid = frame[_CREDIT] > 0 or (frame[_PRICE_LEFT] > 0 and state.cheese[mouse] > 0)
    if things == 0 or not paid:
        _pop(state)
        return
    _offer(state, STOP)
    while things != 0:
        thing = _lowest(things)
        things &= things - 1
        _offer_three(state, TARGET, AT_THING, thing >> 2, thing & 3)
    _ask(state, D11, mouse, TAKE_CURE)


@kernel
def _spell_step(state, table, record, step):
    """Perform a step of knives, lightning or cures.  Modifies state and record."""
    if step == KNIVES or step == TAKE_KNIFE:
        _knives_step(state, table, step)
    elif step == CHAIN or step == TAKE_CHAIN:
        _chain_step(state, table, step)
    elif step == CURE or step == TAKE_CURE:
        _cures_step(state, record, step)
    else:
        _unknown(state, A_STEP, step)
