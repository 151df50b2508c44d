"""Attacks: declaration, triggers, hunt, block, combat and FRENZY (sections 8 and 9).

The dice of an attack are in ``dice.py``, attacks that effects force in ``forced_attack.py``.
"""

import numpy as np

from card_data.mindbug.vocabulary import Rule, Ruling
from simcore.jit import _general, inline_kernel, kernel
from simcore.mindbug.rules.call_stack import _turn_creature
from simcore.mindbug.rules.constant_abilities import (
    _able_to_attack,
    _blockers,
    _huntable,
    _must_be_hunted,
    _ruled,
)
from simcore.mindbug.rules.dice import _may_roll
from simcore.mindbug.rules.forced_attack import _attack_over
from simcore.mindbug.rules.groups import _group
from simcore.mindbug.rules.keywords import _having, _refresh, _works
from simcore.mindbug.rules.life import _lose_life
from simcore.mindbug.rules.powers import _controller, _place, _refresh_powers, _sources
from simcore.mindbug.rules.triggers import ATTACK, _add_triggers, _new_event, _settle, _wait
from simcore.mindbug.rules.zones import _defeat
from simcore.mindbug.table.decisions import _ask
from simcore.mindbug.table.expansion_features import _any_has, _attacks_open, _turned, _with_trait
from simcore.mindbug.table.masks import NONE, ONE, _bit, _lowest, _nth
from simcore.mindbug.table.state import (
    FRENZY,
    GRANTS_ATTACK,
    HAS_ATTACK,
    HAS_DICE,
    HUNTER,
    MUST_BE_HUNTED,
    POISONOUS,
    REVERSES_FIGHTS,
    STALE,
    Decision,
    Phase,
)

_FORCED_FRENZY = 1 << Ruling.FRENZY_IN_FORCED_ATTACKS
_HUNTED_LATE, _SINGLE_ATTACK = 1 << 10, 1 << 11  # open points O10, O11


@inline_kernel
def _declare(state, table):
    """Phase DECLARE: the attack begins (R60); dice and Attack triggers come first (R61)."""
    phase = _begin_attack(state, table)
    return _trigger_attack(state, table) if phase == Phase.ATTACK_TRIGGERS else phase


@inline_kernel
def _begin_attack(state, table):
    """Note down that a creature attacks; whether dice come before Attack triggers (R61).

    Modifies state.
    """
    attacker = _bit(state.attacker)
    state.attacks += 1
    state.may_repeat = state.attacked & attacker == NONE
    state.attacked |= attacker
    state.blocker = -1
    if _general() and table.kot_parts and _may_roll(state, attacker):
        return Phase.ROLL
    return Phase.ATTACK_TRIGGERS


@inline_kernel
def _attack_triggers(state, table):
    """Phase ATTACK_TRIGGERS, after dice: without the attacker the hunt ends the attack (R64)."""
    if _attack_goes_on(state):
        return _trigger_attack(state, table)
    return _settle(state, table, Phase.HUNT)


@inline_kernel
def _trigger_attack(state, table):
    """The attacker's Attack effects wait as one batch (R63, C60).  Modifies state."""
    attacker = _bit(state.attacker)
    _new_event(state)
    if state.trait[HAS_ATTACK] & attacker != NONE:
        _add_triggers(state, table, attacker, ATTACK, state.attacking)
    if _any_has(table, 1 << GRANTS_ATTACK):
        _add_granted(state, table)
    return _settle(state, table, Phase.HUNT)


@kernel
def _add_granted(state, table):
    """Attack effects that other cards give the attacker join the batch (C60).  Modifies state."""
    sources = _sources(state, GRANTS_ATTACK)
    if sources == NONE:
        return
    _refresh(state, table)
    while sources != NONE:
        source = _lowest(sources)
        sources &= sources - ONE
        player, place = _controller(state, source), _place(state, source)
        this = source if place == 0 else -1
        card = table.cards[state.card[source]]
        for row in range(card.first_rule, card.end_rule):
            rule = table.rules[row]
            if (
                rule.rule == Rule.HAVE_ATTACK
                and _works(state, table, rule, player, this, place)
                and _group(state, table, rule.group, player, this) & _bit(state.attacker) != NONE
            ):
                program = np.int64(rule.program)
                _wait(state, program, state.attacker, state.attacking, ATTACK, source)


@inline_kernel
def _attack_goes_on(state):
    """Whether the attacker is still in play under the player who declared the attack (R64)."""
    return (
        state.attacker >= 0 and state.play_area[state.attacking & 1] & _bit(state.attacker) != NONE
    )


@inline_kernel
def _hunt(state, table):
    """Phase HUNT: the attack ends if the attacker is gone (R64)."""
    if not _attack_goes_on(state):
        return _attack_over(state)
    return _offer_hunt(state, table)


@inline_kernel
def _offer_hunt(state, table):
    """Offer to hunt if the attacker, who is still there, has HUNTER (R65, D3)."""
    if _having(state, table, HUNTER, _bit(state.attacker)) == NONE:
        return Phase.BLOCK
    enemies = state.play_area[~state.attacking & 1]
    if _with_trait(state, MUST_BE_HUNTED) & enemies != NONE:
        hunted = _must_be_hunted(state, table, state.attacker)
        if hunted != NONE:  # C20
            return _ask(state, Decision.HUNT, state.attacking, 0, hunted, Phase.BLOCK)
    huntable = _huntable(state, table, state.attacker)
    if huntable == NONE:
        return Phase.BLOCK
    late = state.trait[HAS_ATTACK] | _with_trait(state, HAS_DICE)
    state.open_points |= _HUNTED_LATE * (late & _bit(state.attacker) != NONE)
    return _ask(state, Decision.HUNT, state.attacking, 1, huntable, Phase.BLOCK)


@inline_kernel
def _take_hunt(state, option):
    """Not to hunt comes first; the others name the creature that must block (R66, R67)."""
    if option < state.fixed_options:
        return Phase.BLOCK
    state.blocker = _nth(state.options, option - state.fixed_options)
    state.hunts += 1
    return Phase.COMBAT


@inline_kernel
def _block(state, table):
    """Phase BLOCK: the defending player may block with a legal blocker (R68, D4)."""
    player = 1 - state.attacking
    blockers = _blockers(state, table, state.attacker, player)
    if blockers == NONE:
        return Phase.COMBAT
    return _ask(state, Decision.BLOCK, player, 1, blockers, Phase.COMBAT)


@inline_kernel
def _take_block(state, option):
    """Option 0 does not block; the others name the blocker.  Modifies state."""
    if option > 0:
        state.blocker = _nth(state.options, option - 1)
        state.blocks += 1
    return Phase.COMBAT


@inline_kernel
def _combat(state, table):
    """Phase COMBAT: life loss of an unblocked attack, or a fight (R69-R73).  Modifies state."""
    _new_event(state)
    if state.blocker < 0:
        _lose_life(state, table, 1 - state.attacking, 1)
        return _settle(state, table, Phase.FRENZY)
    attacker, blocker = _bit(state.attacker), _bit(state.blocker)
    if _general() and table.remembers_fights:
        state.fought = 1
        state.stale = STALE
        state.blocked |= blocker  # C47
    _refresh_powers(state, table)
    poisonous = _having(state, table, POISONOUS, attacker | blocker)
    difference = state.power[np.uint64(state.attacker)] - state.power[np.uint64(state.blocker)]
    reversing = _with_trait(state, REVERSES_FIGHTS) & (attacker | blocker)
    if reversing != NONE and _ruled(state, table, Rule.REVERSE_FIGHT, reversing, -1):
        difference = -difference  # C19
    attacker_falls = (difference <= 0) | (poisonous & blocker != NONE)  # no branch
    blocker_falls = (difference >= 0) | (poisonous & attacker != NONE)
    losers = attacker * np.uint64(attacker_falls) | blocker * np.uint64(blocker_falls)
    dead = _defeat(state, table, losers)
    if _general() and table.remembers_fights and dead != NONE and dead != attacker | blocker:
        state.victors |= (attacker | blocker) ^ dead  # C56
    if _turned(state) != NONE:
        return _turn_fighters(state, table)
    return _settle(state, table, Phase.FRENZY)


@kernel
def _turn_fighters(state, table):
    """Creatures exhausted in combat do something at once (C45), then the queue.  Modifies state."""
    _settle(state, table, Phase.FRENZY)
    state.after_queue = Phase.FRENZY
    state.after_effect = Phase.QUEUE
    state.pc = -1
    return _turn_creature(state, table)


@inline_kernel
def _frenzy(state, table):
    """Phase FRENZY: a second attack if the conditions of R74 and R75 hold (D5)."""
    there = np.uint64((state.attacker >= 0) & (state.may_repeat != 0))  # no branch
    attacker = _having(state, table, FRENZY, there << np.uint64(state.attacker & 63))
    if attacker == NONE or attacker & _able_to_attack(state, table, state.attacking) == NONE:
        return _attack_over(state)
    if _attacks_open(state) > 0:
        state.open_points |= _SINGLE_ATTACK
        if not table.rulings & _FORCED_FRENZY:
            return _attack_over(state)  # R76
    return _ask(state, Decision.SECOND_ATTACK, state.attacking, 2, NONE, _attack_over(state))


@inline_kernel
def _take_second_attack(state, option):
    """Option 0 stops, option 1 attacks again with the same creature.  Modifies state."""
    if option == 0:
        return _attack_over(state)
    state.second_attacks += 1
    return Phase.DECLARE
