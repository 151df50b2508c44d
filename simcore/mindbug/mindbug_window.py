"""Playing a card from hand and the opponent's answer to it (R34-R39)."""

from simcore.kernel_cache import inline_kernel
from simcore.mindbug.decisions import _ask
from simcore.mindbug.masks import NONE, _bit, _lowest
from simcore.mindbug.records import DEALT
from simcore.mindbug.state import Decision, Phase
from simcore.mindbug.triggers import _settle
from simcore.mindbug.zones import _come_into_play, _refill

_MINDBUG = int(Decision.MINDBUG)
_ENTER, _ACTION_DONE = int(Phase.ENTER), int(Phase.ACTION_DONE)
_MOST = 255


@inline_kernel
def _play(state):
    """Phase PLAY: the hand is refilled before anything else (R34, R27); then the Mindbug window.

    The opponent may use a Mindbug if he has one (R35, D2).
    """
    _refill(state, state.active)
    state.mindbugged = 0
    opponent = 1 - state.active
    if state.mindbugs[opponent] == 0:
        return _ENTER
    slot = _lowest(state.limbo)
    if slot < DEALT and state.offers[slot] < _MOST:
        state.offers[slot] += 1
    return _ask(state, _MINDBUG, opponent, 2, NONE, _ENTER)


@inline_kernel
def _take_mindbug(state, option):
    """Option 0 refuses, option 1 uses a Mindbug: it is spent for good (R36).  Modifies state."""
    if option == 1:
        state.mindbugs[state.decider] -= 1
        state.mindbugged = 1
        state.extra += 1
    return _ENTER


@inline_kernel
def _enter(state, table):
    """Phase ENTER: the card comes into play for its player-to-be (R34, R36).  Modifies state."""
    slot = _lowest(state.limbo)
    state.limbo = NONE
    player = state.active
    if state.mindbugged:
        player = 1 - player
        state.taken[player] |= _bit(slot)
        if slot < DEALT and state.thefts[slot] < _MOST:
            state.thefts[slot] += 1
    else:
        state.played[player] |= _bit(slot)
        if slot < DEALT and state.turn_played[slot] == 0:
            state.turn_played[slot] = state.turn
    _come_into_play(state, table, slot, player)
    return _settle(state, _ACTION_DONE)
