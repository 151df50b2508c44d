"""Attack of a minion on a mouse (P7)."""

from simcore.jit import kernel
from simcore.mice_and_mystics.rules.dice import _bows, _cheeses, _roll, _shields, _swords
from simcore.mice_and_mystics.rules.fights.reactions import (
    _next_on_track,
    _offer_reactions,
    _use_reaction,
)
from simcore.mice_and_mystics.rules.figures import _in_reach
from simcore.mice_and_mystics.rules.mice import _wound
from simcore.mice_and_mystics.rules.minions import _hurt_figure
from simcore.mice_and_mystics.rules.options import _ask, _first, _kind, _offer, _offer_one
from simcore.mice_and_mystics.rules.stack import (
    W1,
    W2,
    W3,
    W4,
    W5,
    W6,
    W7,
    W8,
    W9,
    _go,
    _pop,
    _push,
    _top,
)
from simcore.mice_and_mystics.rules.track import _fury
from simcore.mice_and_mystics.rules.wheel import _give_cheese, _settle, _settle_at_once
from simcore.mice_and_mystics.table.limits import MICE, SLOTS
from simcore.mice_and_mystics.table.masks import _bit, _has, numbers
from simcore.mice_and_mystics.table.records import ROLLED
from simcore.mice_and_mystics.table.steps import (
    MINION_ATTACK,
    MINION_END,
    MINION_HITS,
    MINION_RESOLVE,
    MINION_SETTLE,
    MINION_THEFT,
    TAKE_DEFENSE,
    TAKE_MINION_REACTION,
    TAKE_RESOLVE,
    TAKE_TOOTHPICK,
    WAITS,
)
from simcore.mice_and_mystics.table.unknown_words import A_OPERATION, A_STEP, _unknown
from simcore.mice_and_mystics.table.words import (
    BY_TOOTHPICK,
    D9,
    IN_BATTLE,
    OP_CANCEL,
    OP_DEFENSE,
    OP_PREVENT,
    OP_PROTECT,
    PASS,
    RUNNING,
    T_ATTACKED,
    T_DEFENDING,
    T_SAME_SPACE,
    T_WOUNDED,
    TRICK,
)

# Words of the frame.
_FIGURE = W1  # the attacker
_VICTIM = W2
_CHEESE = W3  # faces of the attack roll
_HITS = W4  # later: unblocked, not yet dealt with
_MORE = W5  # defense dice by reactions
_GAINED = W6  # cheese of the defense roll
_PRICKS = W7  # wounds for the attacker (Toothpick)
_VISITED = W8  # mice that have been asked in the first window
_GIVEN = W9  # hits that have been rolled for several victims, 0 = it rolls itself

_NONE, _ZERO, _ONE = numbers(-1, 2)
# Dice; hits, or shields, are the place behind.
_MELEE_ROLLED = ROLLED.index("minion_melee_dice")
_RANGED_ROLLED = ROLLED.index("minion_ranged_dice")
_DEFENSE_ROLLED = ROLLED.index("mouse_defense_dice")


@kernel
def _begin_minion_attack(state, figure, mouse, given):
    """Start an attack; ``state.result`` is then the number of cheese faces of its attack roll.

    ``given`` are hits of a roll against several, 0 for an attack with a roll of its own.
    """
    frame = _push(state, MINION_ATTACK)
    frame[_GIVEN] = given
    frame[_FIGURE] = figure
    frame[_VICTIM] = mouse


@kernel
def _ask_before_minion(state, table):
    """Ask the next mouse in the window before the roll (P7 step 1); whether there is one."""
    frame = _top(state)
    visited = frame[_VISITED]
    while True:
        mouse = _next_on_track(state, visited)
        if mouse < 0:
            return False
        visited |= _bit(mouse)
        victim = frame[_VICTIM]
        timing = T_ATTACKED if mouse == victim else T_SAME_SPACE
        if state.space[mouse] == state.space[victim] and _offer_reactions(
            state, table, mouse, _bit(timing)
        ):
            frame[_VISITED] = visited
            _ask(state, D9, mouse, TAKE_MINION_REACTION)
            return True


@kernel
def _take_before_minion(state, table, record):
    """Perform what was chosen before the roll; whether the attack is cancelled.

    Modifies state and record.
    """
    if _kind(state.picked) == PASS:
        return False
    mouse = state.decider
    first, end = _use_reaction(state, table, record, mouse, state.picked)
    cancelled = False
    for i in range(first, end):
        op = table.effects[i].op
        if op == OP_PROTECT:
            _top(state)[_VICTIM] = mouse
            state.attacked |= _bit(mouse)
        elif op == OP_CANCEL:
            cancelled = True
            record.minion_attacks_cancelled += 1
            if _top(state)[_GIVEN] == 0:
                record.attacks_by[state.type[_top(state)[_FIGURE]]] += 1
        else:
            _unknown(state, A_OPERATION, op)
    return cancelled


@kernel
def _roll_hits(state, table, record, figure):
    """The attack roll of a figure: hits, and cheese, which is on the wheel then (P7 step 2).

    Modifies state and record.
    """
    kind = state.type[figure]
    minion = table.minions[_fury(state, table, figure)]
    record.attacks_by[kind] += 1
    record.dice_by[kind] += minion.battle
    shown = _roll(state, table, minion.battle)
    cheese = _cheeses(shown)
    if minion.silent == 0:
        state.wheel += cheese
        record.wheel_in_attack += cheese
    hits = _bows(shown) if minion.ranged != 0 else _swords(shown)
    rolled = _RANGED_ROLLED if minion.ranged != 0 else _MELEE_ROLLED
    record.rolled[rolled] += minion.battle
    record.rolled[rolled + 1] += hits
    return hits, cheese


@kernel
def _ask_for_defense(state, table):
    """Ask the victim for more dice (P7 step 4); whether it has something."""
    victim = _top(state)[_VICTIM]
    if _offer_reactions(state, table, victim, _bit(T_DEFENDING)):
        _ask(state, D9, victim, TAKE_DEFENSE)
        return True
    return False


@kernel
def _take_defense(state, table, record):
    """Perform what was chosen before the defense.  Modifies state and record."""
    first, end = _use_reaction(state, table, record, state.decider, state.picked)
    for i in range(first, end):
        effect = table.effects[i]
        if effect.op == OP_DEFENSE:
            _top(state)[_MORE] += effect.amount
        else:
            _unknown(state, A_OPERATION, effect.op)


@kernel
def _roll_defense(state, table, record):
    """The victim rolls its defense (P7 step 5).  Modifies state and record."""
    frame = _top(state)
    mouse = frame[_VICTIM]
    dice = table.heroes[state.hero[mouse]].defense + state.gear_defense[mouse] + frame[_MORE]
    dice += state.round_defense[mouse]
    for other in range(MICE):
        dice += state.fortifies[other]
    dice = max(_ZERO, dice)
    shown = _roll(state, table, dice)
    record.rolled[_DEFENSE_ROLLED] += dice
    record.rolled[_DEFENSE_ROLLED + 1] += _shields(shown)
    blocked = min(frame[_HITS], _shields(shown))
    record.minion_hits_blocked += blocked
    frame[_HITS] -= blocked
    frame[_GAINED] = _cheeses(shown)


@kernel
def _toothpick(state, table, mouse, figure):
    """The equipped card by which a mouse may hurt its attacker, -1 = none."""
    for slot in range(SLOTS):
        card = state.slots[mouse, slot]
        if card >= 0 and table.cards[card].cheese_wounds != 0:
            reach = _in_reach(table.tiles[state.tile], state.space[mouse])
            if _has(reach, state.figure_space[figure]) != 0:
                return card
    return _NONE


@kernel
def _ask_for_toothpick(state, table):
    """Ask the victim whether to hurt the attacker (P7 step 6); whether it can."""
    frame = _top(state)
    if frame[_GAINED] == 0:
        return False
    card = _toothpick(state, table, frame[_VICTIM], frame[_FIGURE])
    if card < 0:
        return False
    _offer(state, PASS)
    _offer_one(state, TRICK, card)
    _ask(state, D9, frame[_VICTIM], TAKE_TOOTHPICK)
    return True


@kernel
def _gain_defense_cheese(state, record):
    """The victim gains the cheese of its defense (P7 step 6).  Modifies state and record."""
    frame = _top(state)
    if frame[_GAINED] > 0:
        _give_cheese(state, record, frame[_VICTIM], frame[_GAINED])
        record.cheese_in_defense += frame[_GAINED]


@kernel
def _take_toothpick(state, record):
    """The victim's cheese hurts the attacker instead, or not; the step that follows.

    Modifies state and record.
    """
    if _kind(state.picked) == TRICK:
        _top(state)[_PRICKS] = _top(state)[_GAINED]
        record.used[_first(state.picked)] += 1
    else:
        _gain_defense_cheese(state, record)
    return MINION_THEFT


@kernel
def _steal(state, table, record):
    """Hits of thieves take cheese instead of wounding (M82, M94); it is on the wheel then.

    Modifies state and record.
    """
    frame = _top(state)
    mouse, minion = frame[_VICTIM], table.minions[_fury(state, table, frame[_FIGURE])]
    if minion.steals == 0:
        return
    while frame[_HITS] > 0 and state.cheese[mouse] > 0:
        taken = min(minion.steals, state.cheese[mouse])
        frame[_HITS] -= 1
        state.cheese[mouse] -= taken
        record.cheese_out_theft += taken
        if minion.steals_for_wheel != 0:
            state.wheel += taken
            record.wheel_in_theft += taken


@kernel
def _ask_to_resolve(state, table):
    """Ask the victim whether to prevent wounds (P7 step 7); whether it can."""
    frame = _top(state)
    victim = frame[_VICTIM]
    if frame[_HITS] > 0 and _offer_reactions(state, table, victim, _bit(T_WOUNDED)):
        _ask(state, D9, victim, TAKE_RESOLVE)
        return True
    return False


@kernel
def _take_resolve(state, table, record):
    """Perform what was chosen before wounds are placed.  Modifies state and record."""
    if _kind(state.picked) == PASS:
        return
    frame = _top(state)
    first, end = _use_reaction(state, table, record, state.decider, state.picked)
    for i in range(first, end):
        effect = table.effects[i]
        if effect.op == OP_PREVENT:
            prevented = min(effect.amount, frame[_HITS])
            frame[_HITS] -= prevented
            record.wounds_prevented += prevented
        else:
            _unknown(state, A_OPERATION, effect.op)


@kernel
def _wound_victim(state, table, record):
    """Wounds are placed, on the attacker too (P7 steps 7 and 8).  Modifies state and record."""
    frame = _top(state)
    figure, mouse, wounds = frame[_FIGURE], frame[_VICTIM], frame[_HITS]
    if _has(state.figures, figure) == 0 or _has(state.active, mouse) == 0:
        return
    if wounds > 0:
        kind = state.type[figure]
        minion = table.minions[_fury(state, table, figure)]
        record.wounds_by[kind] += wounds
        if minion.stuns != 0:
            record.stuns += _ONE - _has(state.stunned, mouse)
            state.stunned |= _bit(mouse)
        if minion.webs != 0:
            state.webbed |= _bit(mouse)
        _wound(state, table, record, mouse, wounds, minion.poisons, IN_BATTLE)
    if frame[_PRICKS] > 0 and state.outcome == RUNNING:
        record.wounds_dealt[state.hero[mouse]] += frame[_PRICKS]
        _hurt_figure(state, table, record, figure, frame[_PRICKS], mouse, BY_TOOTHPICK)


@kernel
def _defend_victim(state, table, record, step):
    """The victim of hits defends (P7 steps 4 to 6); the step that follows, WAITS if it is asked.

    Modifies state and record.
    """
    frame = _top(state)
    if step == MINION_HITS:
        gone = _has(state.figures, frame[_FIGURE]) == 0 or _has(state.active, frame[_VICTIM]) == 0
        if frame[_HITS] == 0 or gone:
            return MINION_SETTLE
        record.minion_hits += frame[_HITS]
        if table.minions[_fury(state, table, frame[_FIGURE])].cannot_be_blocked != 0:
            return MINION_THEFT
    passes = step == TAKE_DEFENSE and _kind(state.picked) == PASS
    if step == TAKE_DEFENSE and not passes:
        _take_defense(state, table, record)
    if not passes and _ask_for_defense(state, table):
        return WAITS
    _roll_defense(state, table, record)
    if _ask_for_toothpick(state, table):
        return WAITS
    _gain_defense_cheese(state, record)
    return MINION_THEFT


@kernel
def _end_minion_attack(state):
    """The attack is over.  Modifies state."""
    state.result = _top(state)[_CHEESE]
    _pop(state)


@kernel
def _rolls(state, table, record, step):
    """The window before the roll, and the roll (P7 steps 1 and 2); the step that follows, or WAITS.

    Modifies state and record.
    """
    if step == TAKE_MINION_REACTION and _take_before_minion(state, table, record):
        return MINION_END
    if _ask_before_minion(state, table):
        return WAITS
    frame = _top(state)
    if frame[_GIVEN] > 0:
        frame[_HITS] = frame[_GIVEN]
        return MINION_HITS
    frame[_HITS], frame[_CHEESE] = _roll_hits(state, table, record, frame[_FIGURE])
    _go(state, MINION_HITS)
    return WAITS if _settle_at_once(state, table) else MINION_HITS


@kernel
def _wounds(state, table, record, step):
    """Unblocked hits steal or wound (P7 steps 7 and 8); the step that follows, or WAITS.

    Modifies state and record.
    """
    if step == MINION_THEFT:
        _steal(state, table, record)
        _go(state, MINION_RESOLVE)
        if _settle_at_once(state, table):
            return WAITS
    if step == TAKE_RESOLVE:
        _take_resolve(state, table, record)
    elif _ask_to_resolve(state, table):
        return WAITS
    _go(state, MINION_SETTLE)
    depth = _ZERO + state.depth
    _wound_victim(state, table, record)
    return MINION_SETTLE if state.outcome == RUNNING and state.depth == depth else WAITS


@kernel
def _minion_attack_step(state, table, record, step):
    """Go on with an attack until somebody is asked or a surge begins.

    Modifies state and record.
    """
    if step == MINION_ATTACK or step == TAKE_MINION_REACTION:
        step = _rolls(state, table, record, step)
    if step == MINION_HITS or step == TAKE_DEFENSE:
        step = _defend_victim(state, table, record, step)
    if step == TAKE_TOOTHPICK:
        step = _take_toothpick(state, record)
    if step == MINION_THEFT or step == MINION_RESOLVE or step == TAKE_RESOLVE:
        step = _wounds(state, table, record, step)
    if step == MINION_SETTLE:
        _go(state, MINION_END)
        step = WAITS if _settle(state, table) else MINION_END
    if step == MINION_END:
        _end_minion_attack(state)
    elif step != WAITS:
        _unknown(state, A_STEP, step)
