"""Hands: drawing up to the hand size (R27, R28)."""

from simcore.kernel_cache import inline_kernel, kernel
from simcore.mindbug.constant_abilities import _may_receive
from simcore.mindbug.masks import NONE, ONE, _popcount
from simcore.mindbug.state import STOPS_HANDS
from simcore.mindbug.systems import _any_has


@inline_kernel
def _refill(state, table, player):
    """Draw up to the hand size while the draw pile lasts (R27).  Modifies state."""
    while (
        _popcount(state.hand[player]) < table.hand_size
        and state.draw_pile[player] != NONE
        and _may_receive(state, table, player)  # anew for each card (R84)
    ):
        card = state.draw_pile[player] & ~(state.draw_pile[player] - ONE)
        state.draw_pile[player] ^= card
        state.hand[player] |= card
        state.drawn |= card


@inline_kernel
def _refill_freed(state, table):
    """Both players draw what a card has kept from them until now (R27, C44).  Modifies state.

    That a card leaves play is not all that frees a hand: a condition may hang on hands, Mindbugs or
    energy as well.
    """
    if _any_has(table, 1 << STOPS_HANDS):
        _refill_both(state, table)


@kernel
def _refill_both(state, table):
    """Both players draw up to the hand size (R27).  Modifies state."""
    _refill(state, table, 0)
    _refill(state, table, 1)
