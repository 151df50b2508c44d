"""Attacks: declaration, hunt, block, combat and FRENZY (sections 8 and 9 of the rules text)."""

from simcore.kernel_cache import inline_kernel
from simcore.mindbug.constant_abilities import (
    _able_to_attack,
    _able_to_block,
    _having,
    _refresh_powers,
)
from simcore.mindbug.decisions import _ask
from simcore.mindbug.masks import NONE, _bit, _nth
from simcore.mindbug.state import FRENZY, HUNTER, POISONOUS, Decision, Phase
from simcore.mindbug.triggers import ATTACK, _settle, _trigger
from simcore.mindbug.zones import _defeat, _set_life

_D_HUNT, _D_BLOCK = int(Decision.HUNT), int(Decision.BLOCK)
_D_SECOND_ATTACK = int(Decision.SECOND_ATTACK)
_DECLARE, _HUNT, _BLOCK = int(Phase.DECLARE), int(Phase.HUNT), int(Phase.BLOCK)
_COMBAT, _FRENZY, _ACTION_DONE = int(Phase.COMBAT), int(Phase.FRENZY), int(Phase.ACTION_DONE)


@inline_kernel
def _declare(state, table):
    """Phase DECLARE: the attack begins and its Attack trigger goes first (R60, R63)."""
    attacker = _bit(state.attacker)
    state.attacks += 1
    state.may_repeat = state.attacked & attacker == NONE
    state.attacked |= attacker
    state.blocker = -1
    _trigger(state, table, attacker, ATTACK, state.active)
    return _settle(state, _HUNT)


@inline_kernel
def _hunt(state, table):
    """Phase HUNT: the attack ends if the attacker is gone (R64); else D3 with HUNTER (R65)."""
    if state.attacker < 0 or state.play_area[state.active & 1] & _bit(state.attacker) == NONE:
        return _ACTION_DONE
    enemies = state.play_area[~state.active & 1]
    if enemies == NONE:
        return _COMBAT
    if _having(state, table, HUNTER) & _bit(state.attacker) == NONE:
        return _BLOCK
    return _ask(state, _D_HUNT, state.active, 1, enemies, _BLOCK)


@inline_kernel
def _take_hunt(state, option):
    """Option 0 hunts nothing; the others name the creature that must block (R66, R67)."""
    if option == 0:
        return _BLOCK
    state.blocker = _nth(state.options, option - 1)
    state.hunts += 1
    return _COMBAT


@inline_kernel
def _block(state, table):
    """Phase BLOCK: the defending player may block with a legal blocker (R68, D4)."""
    blockers = _able_to_block(state, table, state.attacker)
    if blockers == NONE:
        return _COMBAT
    return _ask(state, _D_BLOCK, 1 - state.active, 1, blockers, _COMBAT)


@inline_kernel
def _take_block(state, option):
    """Option 0 does not block; the others name the blocker.  Modifies state."""
    if option > 0:
        state.blocker = _nth(state.options, option - 1)
        state.blocks += 1
    return _COMBAT


@inline_kernel
def _combat(state, table):
    """Phase COMBAT: life loss of an unblocked attack, or a fight (R69-R73).  Modifies state."""
    if state.blocker < 0:
        _set_life(state, 1 - state.active, state.life[1 - state.active] - 1)
        return _settle(state, _FRENZY)
    _refresh_powers(state, table)
    poisonous = _having(state, table, POISONOUS)
    attacker, blocker = _bit(state.attacker), _bit(state.blocker)
    difference = state.power[state.attacker] - state.power[state.blocker]
    losers = NONE
    if difference <= 0 or poisonous & blocker != NONE:
        losers |= attacker
    if difference >= 0 or poisonous & attacker != NONE:
        losers |= blocker
    _defeat(state, table, losers)
    return _settle(state, _FRENZY)


@inline_kernel
def _frenzy(state, table):
    """Phase FRENZY: a second attack if the conditions of R74 and R75 hold (D5)."""
    if state.attacker < 0 or not state.may_repeat:
        return _ACTION_DONE
    attacker = _having(state, table, FRENZY) & _bit(state.attacker)
    if attacker == NONE or attacker & _able_to_attack(state, table, state.active) == NONE:
        return _ACTION_DONE
    return _ask(state, _D_SECOND_ATTACK, state.active, 2, NONE, _ACTION_DONE)


@inline_kernel
def _take_second_attack(state, option):
    """Option 0 stops, option 1 attacks again with the same creature.  Modifies state."""
    if option == 0:
        return _ACTION_DONE
    state.second_attacks += 1
    return _DECLARE
