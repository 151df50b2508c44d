"""Moving cards between zones, life, and what follows from either at once.

Refilling hands (R27), the end of the game at 0 life (R14) and TOUGH (R81) never wait: they happen
here, inside the move that causes them.
"""

from simcore.kernel_cache import inline_kernel, kernel
from simcore.mindbug.constant_abilities import _having
from simcore.mindbug.masks import NONE, ONE, _bit, _popcount
from simcore.mindbug.records import Ending
from simcore.mindbug.state import HAS_TRIGGER, STALE, TOUGH
from simcore.mindbug.triggers import DEFEATED, PLAY, _add_triggers, _trigger

HAND_SIZE = 5
MAX_LIFE = 2_000_000_000  # life has no maximum (R16) but that of its column in the record

_LIFE = int(Ending.LIFE)


@inline_kernel
def _refill(state, player):
    """Draw to five cards while the draw pile lasts (R27).  Modifies state."""
    while _popcount(state.hand[player]) < HAND_SIZE and state.draw_pile[player] != NONE:
        card = state.draw_pile[player] & ~(state.draw_pile[player] - ONE)
        state.draw_pile[player] ^= card
        state.hand[player] |= card
        state.drawn |= card


@inline_kernel
def _come_into_play(state, table, slot, player):
    """Put a card into a play area as a new object (R5); its Play effect triggers (R41, R57)."""
    state.play_area[player] |= _bit(slot)
    state.object[slot] += 1
    state.stale = STALE
    _trigger(state, table, _bit(slot), PLAY, player)


@inline_kernel
def _leave_play(state, mask):
    """Forget what clings to creatures that leave play (R5, R82); their attack ends (R64)."""
    state.exhausted &= ~mask
    state.attacked &= ~mask
    if state.attacker >= 0 and _bit(state.attacker) & mask != NONE:
        state.attacker = -1
    state.stale = STALE


@kernel
def _defeat(state, table, mask):
    """Defeat creatures at the same moment, as one event (R50, R81, R92, R96).  Modifies state."""
    saved = mask & _having(state, table, TOUGH) & ~state.exhausted
    state.exhausted |= saved
    dead = mask & ~saved
    state.tough_saves += _popcount(saved)
    if dead == NONE:
        return
    state.defeats += _popcount(dead)
    state.defeated |= dead
    first = dead & state.play_area[0]
    second = dead & state.play_area[1]
    state.play_area[0] ^= first
    state.play_area[1] ^= second
    state.discard_pile[0] |= first
    state.discard_pile[1] |= second
    _leave_play(state, dead)
    if dead & state.trait[HAS_TRIGGER + DEFEATED] != NONE:
        state.batch += 1
        _add_triggers(state, table, first, DEFEATED, 0)
        _add_triggers(state, table, second, DEFEATED, 1)


@kernel
def _take_control(state, mask, player):
    """Move creatures to a player's side in their current state (R95, R82).  Modifies state."""
    if mask != NONE:
        state.play_area[1 - player] &= ~mask
        state.play_area[player] |= mask
        state.stale = STALE
        if state.attacker >= 0 and _bit(state.attacker) & mask != NONE:
            state.may_repeat = 0  # R75, even if it comes back


@kernel
def _discard(state, mask, player):
    """Put cards from a hand into the same player's discard pile, then refill (R29, R30)."""
    state.hand[player] &= ~mask
    state.discard_pile[player] |= mask
    _refill(state, player)


@kernel
def _steal(state, mask, player):
    """Move cards from the opponent's hand into a player's own; the robbed one refills (R31)."""
    state.hand[1 - player] &= ~mask
    state.hand[player] |= mask  # R28: a hand may grow above five
    _refill(state, 1 - player)


@kernel
def _play_from_pile(state, table, slot, player):
    """Bring a card from a discard pile into play for a player, Play effect included (R41)."""
    state.discard_pile[0] &= ~_bit(slot)
    state.discard_pile[1] &= ~_bit(slot)
    _come_into_play(state, table, slot, player)


@kernel
def _draw_all(state, whose, player):
    """Move a whole discard pile into a player's hand (R32, R28).  Modifies state."""
    state.hand[player] |= state.discard_pile[whose]
    state.discard_pile[whose] = NONE


@inline_kernel
def _end_game(state, winner, ending):
    """The game is over at once, in the middle of whatever happens (R14, R18).  Modifies state."""
    state.winner = winner
    state.ending = ending


@inline_kernel
def _set_life(state, player, life):
    """Change a life total; at 0 the other player wins at once (R14, R16).  Modifies state."""
    state.life[player] = min(max(life, 0), MAX_LIFE)
    if life <= 0:
        _end_game(state, 1 - player, _LIFE)
