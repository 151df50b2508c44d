"""Attack of a mouse on one figure, or with one roll on all figures of a space (P6).

The frame of an attack is also what players look at to score a reaction.
"""

from simcore.jit import inline_kernel, kernel
from simcore.mice_and_mystics.rules.dice import _bows, _cheeses, _roll, _swords
from simcore.mice_and_mystics.rules.fights.reactions import (
    _is_choice,
    _next_on_track,
    _of_timings,
    _offer_reactions,
    _usable,
    _use_ability,
    _use_reaction,
)
from simcore.mice_and_mystics.rules.fights.weapons import (
    _by_swords,
    _lower_defense,
    _next_weapon,
    _weapon_dice,
    _weapon_targets,
)
from simcore.mice_and_mystics.rules.hits import _defend
from simcore.mice_and_mystics.rules.minions import _hurt_figure
from simcore.mice_and_mystics.rules.options import (
    _ask,
    _first,
    _fourth,
    _kind,
    _offer,
    _offer_four,
    _third,
)
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
    W10,
    W11,
    W12,
    W13,
    W14,
    W15,
    _go,
    _pop,
    _push,
    _top,
)
from simcore.mice_and_mystics.rules.wheel import _give_cheese, _settle, _settle_at_once
from simcore.mice_and_mystics.table.masks import _bit, _has, _lowest, numbers
from simcore.mice_and_mystics.table.records import ROLLED
from simcore.mice_and_mystics.table.steps import (
    ATTACK_DEFENSE,
    ATTACK_END,
    ATTACK_HURT,
    ATTACK_ROLL,
    ATTACK_WOUNDS,
    MOUSE_ATTACK,
    TAKE_ATTACK_REACTION,
    TAKE_BACKSLASH,
    TAKE_REROLL,
    WAITS,
)
from simcore.mice_and_mystics.table.unknown_words import A_OPERATION, A_STEP, _unknown
from simcore.mice_and_mystics.table.words import (
    AT_FIGURE,
    BY_ATTACK,
    BY_SET_TRAP,
    D9,
    NO_CARD,
    ONE_MINION,
    OP_BATTLE,
    OP_MELEE,
    OP_MULTIPLY,
    OP_REROLL,
    OP_TARGET_DEFENSE,
    PASS,
    REACT,
    RUNNING,
    T_AFTER_KILL,
    T_AFTER_ROLL,
    T_BEFORE_ANY,
    T_BEFORE_MELEE,
    T_BEFORE_RANGED,
)

# Words of the frame.
_ATTACKER = W1
_WEAPON = W2  # card, NO_CARD for magic
_FIGURE = W3  # the target
_LATER = W4  # mask of further targets of the same roll
_SWORDS = W5  # 1 = a melee attack
_OPENS = W6  # 1 = opens the window after a melee kill
_DICE = W7
_TIMES = W8  # all dice times this
_CHANGE = W9  # of defense dice, for this attack
_SHOWN = W10  # what the dice show; for magic without a roll 0
_HITS = W11
_LEFT = W12  # hits on the target that were not blocked
_KILLED = W13  # figures defeated
_VISITED = W14  # mice that have been asked in a window
_MEANS = W15

_NONE, _ZERO, _ONE = numbers(-1, 2)
# Dice; hits are the place behind.
_MELEE_ROLLED = ROLLED.index("mouse_melee_dice")
_RANGED_ROLLED = ROLLED.index("mouse_ranged_dice")


@kernel
def _begin_weapon_attack(state, table, mouse, card, figure, opens):
    """Start an attack with a weapon; ``state.result`` is then the number of figures defeated.

    ``opens`` is 1 for one that opens the window after a melee kill.  Modifies state.
    """
    swords = _by_swords(state, table, mouse, card, figure)
    dice = _weapon_dice(state, table, mouse, card, figure)
    frame = _begin_magic_attack(state, mouse, figure, dice)
    frame[_WEAPON] = card
    frame[_SWORDS] = swords
    frame[_OPENS] = opens


@kernel
def _begin_magic_attack(state, mouse, figure, dice):
    """Start a ranged attack without a weapon; its frame.  Modifies state."""
    frame = _push(state, MOUSE_ATTACK)
    frame[_ATTACKER] = mouse
    frame[_WEAPON] = NO_CARD
    frame[_FIGURE] = figure
    frame[_DICE] = dice
    frame[_TIMES] = _ONE
    frame[_MEANS] = BY_ATTACK
    return frame


@kernel
def _begin_blast(state, mouse, figures, dice):
    """Start a ranged attack with one roll on several figures, by index.  Modifies state."""
    figure = _lowest(figures)
    frame = _begin_magic_attack(state, mouse, figure, dice)
    frame[_LATER] = figures & ~_bit(figure)
    _go(state, ATTACK_ROLL)


@kernel
def _begin_hits(state, mouse, figure, hits, means):
    """A figure defends against hits that need no roll.  Modifies state."""
    frame = _begin_magic_attack(state, mouse, figure, _ZERO)
    frame[_HITS] = hits
    frame[_MEANS] = means
    _go(state, ATTACK_DEFENSE)


@inline_kernel
def _hits_shown(frame):
    """Hits that an attack has rolled."""
    shown = frame[_SHOWN]
    return _swords(shown) if frame[_SWORDS] != 0 else _bows(shown)


@kernel
def _ask_before_attack(state, table):
    """Ask the next mouse in the window before the roll (P6 step 1); whether there is one."""
    frame = _top(state)
    own = _bit(T_BEFORE_ANY)
    if frame[_WEAPON] != NO_CARD:
        own |= _bit(T_BEFORE_MELEE) if frame[_SWORDS] != 0 else _bit(T_BEFORE_RANGED)
    visited = frame[_VISITED]
    while True:
        mouse = _next_on_track(state, visited)
        if mouse < 0:
            return False
        visited |= _bit(mouse)
        timings = own if mouse == frame[_ATTACKER] else _bit(T_BEFORE_ANY)
        if _offer_reactions(state, table, mouse, timings):
            frame[_VISITED] = visited
            _ask(state, D9, mouse, TAKE_ATTACK_REACTION)
            return True


@kernel
def _take_before_attack(state, table, record):
    """Perform what was chosen before the roll.  Modifies state and record."""
    if _kind(state.picked) == PASS:
        return
    frame = _top(state)
    first, end = _use_reaction(state, table, record, state.decider, state.picked)
    for i in range(first, end):
        effect = table.effects[i]
        if effect.op == OP_BATTLE:
            frame[_DICE] += effect.amount
        elif effect.op == OP_MULTIPLY:
            frame[_TIMES] *= effect.amount
        elif effect.op == OP_TARGET_DEFENSE and effect.reach == ONE_MINION:
            state.weakened[frame[_FIGURE]] += effect.amount
        elif effect.op == OP_TARGET_DEFENSE:
            frame[_CHANGE] += effect.amount
        else:
            _unknown(state, A_OPERATION, effect.op)


@kernel
def _roll_attack(state, table, record):
    """Roll the attack (P6 steps 2 and 3).  Modifies state and record."""
    frame = _top(state)
    record.attack_dice[state.hero[frame[_ATTACKER]]] += frame[_DICE]
    frame[_SHOWN] = _roll(state, table, frame[_DICE])
    rolled = _MELEE_ROLLED if frame[_SWORDS] != 0 else _RANGED_ROLLED
    record.rolled[rolled] += frame[_DICE]
    record.rolled[rolled + 1] += _hits_shown(frame)


@kernel
def _count_attack(state, record):
    """Count an attack, and settle how many dice it has.  Modifies state and record."""
    frame = _top(state)
    frame[_DICE] = max(_ZERO, frame[_DICE] * frame[_TIMES])
    record.attacks[state.hero[frame[_ATTACKER]]] += 1
    if frame[_SWORDS] != 0:
        record.mouse_attacks_melee += 1
    else:
        record.mouse_attacks_ranged += 1


@kernel
def _ask_for_reroll(state, table):
    """Ask the attacker whether to roll again (P6 step 3); whether it can."""
    attacker = _top(state)[_ATTACKER]
    if _offer_reactions(state, table, attacker, _bit(T_AFTER_ROLL)):
        _ask(state, D9, attacker, TAKE_REROLL)
        return True
    return False


@kernel
def _take_reroll(state, table, record):
    """Perform what was chosen after the roll.  Modifies state and record."""
    first, end = _use_reaction(state, table, record, state.decider, state.picked)
    for i in range(first, end):
        if table.effects[i].op == OP_REROLL:
            _roll_attack(state, table, record)
        else:
            _unknown(state, A_OPERATION, table.effects[i].op)


@kernel
def _gain_cheese(state, record):
    """The attacker gains the cheese it rolled (P6 step 4); hits are counted."""
    frame = _top(state)
    cheese = _cheeses(frame[_SHOWN])
    if cheese > 0:
        _give_cheese(state, record, frame[_ATTACKER], cheese)
        record.cheese_in_attack += cheese
    frame[_HITS] = _hits_shown(frame)


@kernel
def _defend_target(state, table, record):
    """The target rolls its defense (P6 steps 5 and 6); cheese is on the wheel then.

    Modifies state and record.
    """
    frame = _top(state)
    figure, attacker, weapon = frame[_FIGURE], frame[_ATTACKER], frame[_WEAPON]
    change, keeper = frame[_CHANGE], _NONE
    if weapon != NO_CARD:
        change += _lower_defense(state, table, attacker, weapon, figure)
        if table.cards[weapon].cheese_to_attacker != 0:
            keeper = attacker
    frame[_LEFT] = _defend(state, table, record, figure, frame[_HITS], change, keeper)
    record.mouse_hits += frame[_HITS]
    record.mouse_hits_blocked += frame[_HITS] - frame[_LEFT]


@kernel
def _hurt_target(state, table, record):
    """The target takes the hits that are left (P6 step 7).  Modifies state and record."""
    frame = _top(state)
    figure, attacker = frame[_FIGURE], frame[_ATTACKER]
    gone = _has(state.active, attacker) == 0 and frame[_MEANS] != BY_SET_TRAP
    if gone or _has(state.figures, figure) == 0 or frame[_LEFT] == 0:
        return
    record.wounds_dealt[state.hero[attacker]] += frame[_LEFT]
    if _hurt_figure(state, table, record, figure, frame[_LEFT], attacker, frame[_MEANS]):
        frame[_KILLED] += 1


@kernel
def _ask_for_backslash(state, table):
    """Ask the attacker for one more melee attack (P6 step 9); whether it can make one."""
    frame = _top(state)
    mouse = frame[_ATTACKER]
    if frame[_OPENS] == 0 or frame[_KILLED] == 0 or frame[_SWORDS] == 0:
        return False
    usable = _usable(state, table, mouse, _of_timings(table, _bit(T_AFTER_KILL)))
    if usable == 0 or _has(state.active, mouse) == 0:
        return False
    _offer(state, PASS)
    while usable != 0:
        ability = _lowest(usable)
        usable &= usable - 1
        card = _next_weapon(state, table, mouse, _NONE)
        while card >= 0:
            targets = _weapon_targets(state, table, mouse, card)
            while targets != 0:
                figure = _lowest(targets)
                targets &= targets - 1
                if _by_swords(state, table, mouse, card, figure) != 0:
                    _offer_four(state, REACT, ability, AT_FIGURE, figure, card)
            card = _next_weapon(state, table, mouse, card)
    if not _is_choice(state):
        return False
    _ask(state, D9, mouse, TAKE_BACKSLASH)
    return True


@kernel
def _end_attack(state):
    """The attack is over.  Modifies state."""
    state.result = _top(state)[_KILLED]
    _pop(state)


@kernel
def _take_backslash(state, table, record):
    """The attack is over; perhaps another one follows.  Modifies state and record."""
    _end_attack(state)
    option = state.picked
    if _kind(option) != REACT:
        return
    mouse = state.decider
    ability = table.abilities[_first(option)]
    _use_ability(state, table, record, mouse, _first(option))
    for i in range(ability.first_effect, ability.first_effect + ability.n_effects):
        if table.effects[i].op != OP_MELEE:
            _unknown(state, A_OPERATION, table.effects[i].op)
    _begin_weapon_attack(state, table, mouse, _fourth(option), _third(option), _ZERO)


@kernel
def _rolls(state, table, record, step):
    """The attack is rolled, perhaps again (P6 steps 2 to 4); the step that follows, or WAITS.

    Modifies state and record.
    """
    rolled = step == ATTACK_ROLL
    if rolled:
        _count_attack(state, record)
        _roll_attack(state, table, record)
    elif _kind(state.picked) != PASS:
        _take_reroll(state, table, record)
        rolled = True
    if rolled and _ask_for_reroll(state, table):
        return WAITS
    _gain_cheese(state, record)
    return ATTACK_DEFENSE if _top(state)[_HITS] > 0 else ATTACK_END


@kernel
def _strikes(state, table, record, step):
    """Each target defends and is hurt (P6 steps 5 to 8); the step that follows, or WAITS.

    Modifies state and record.
    """
    while True:
        if step == ATTACK_DEFENSE:
            _defend_target(state, table, record)
            _go(state, ATTACK_WOUNDS)
            if _settle_at_once(state, table):
                return WAITS
        if step == ATTACK_HURT:
            _top(state)[_KILLED] += state.result
        else:
            _go(state, ATTACK_HURT)
            depth = _ZERO + state.depth
            _hurt_target(state, table, record)
            if state.outcome != RUNNING or state.depth != depth:
                return WAITS
        frame = _top(state)
        later = frame[_LATER] & state.figures
        if later == 0:
            _go(state, ATTACK_END)
            return WAITS if _settle(state, table) else ATTACK_END
        frame[_FIGURE] = _lowest(later)
        frame[_LATER] = later & (later - _ONE)
        step = ATTACK_DEFENSE


@kernel
def _mouse_attack_step(state, table, record, step):
    """Go on with an attack until somebody is asked or a surge begins.

    Modifies state and record.
    """
    if step == TAKE_ATTACK_REACTION:
        _take_before_attack(state, table, record)
        step = MOUSE_ATTACK
    if step == MOUSE_ATTACK:
        step = WAITS if _ask_before_attack(state, table) else ATTACK_ROLL
    if step == ATTACK_ROLL or step == TAKE_REROLL:
        step = _rolls(state, table, record, step)
    if step == ATTACK_DEFENSE or step == ATTACK_WOUNDS or step == ATTACK_HURT:
        step = _strikes(state, table, record, step)
    if step == ATTACK_END:
        if not _ask_for_backslash(state, table):
            _end_attack(state)
    elif step == TAKE_BACKSLASH:
        _take_backslash(state, table, record)
    elif step != WAITS:
        _unknown(state, A_STEP, step)
