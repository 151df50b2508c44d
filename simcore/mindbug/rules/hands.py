"""Hands: drawing up to the hand size (R27, R28)."""

from simcore.jit import _general, inline_kernel, kernel
from simcore.mindbug.rules.constant_abilities import _may_receive
from simcore.mindbug.rules.powers import _sources
from simcore.mindbug.table.expansion_features import _any_has
from simcore.mindbug.table.masks import NONE, _first, _popcount
from simcore.mindbug.table.state import STOPS_HANDS


@inline_kernel
def _refill(state, table, player):
    """Draw up to the hand size while the draw pile lasts (R27).  Modifies state."""
    side = player & 1
    cards = _to_draw(state, table, side)
    if _any_has(table, 1 << STOPS_HANDS) and _sources(state, STOPS_HANDS) != NONE:
        _draw_as_allowed(state, table, side)
        return
    state.draw_pile[side] ^= cards
    state.hand[side] |= cards
    state.drawn |= cards


@inline_kernel
def _to_draw(state, table, side):
    """Cards of a draw pile that the hand has room for."""
    missing = max(table.hand_size - _popcount(state.hand[side]), 0)
    return _first(state.draw_pile[side], missing)


@kernel
def _draw_as_allowed(state, table, side):
    """Draw card by card: whether one is allowed to is asked for each anew (C44, R84).

    Modifies state.
    """
    while True:
        card = _first(_to_draw(state, table, side), 1)
        if card == NONE:
            return
        if not _may_receive(state, table, side):
            state.owed |= 1 << side
            return
        state.draw_pile[side] ^= card
        state.hand[side] |= card
        state.drawn |= card


@inline_kernel
def _refill_freed(state, table):
    """Both players draw what a card has kept from them until now (R27, C44).  Modifies state.

    That a card leaves play is not all that frees a hand: a condition may hang on hands, Mindbugs or
    energy as well.
    """
    if _general() and state.owed:
        _refill_owed(state, table)


@kernel
def _refill_owed(state, table):
    """Players who have been kept from drawing, and are not any more, do (R27).  Modifies state."""
    for side in range(2):
        if state.owed >> side & 1 and _may_receive(state, table, side):
            state.owed &= ~(1 << side)
            _refill(state, table, side)
