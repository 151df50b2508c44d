"""Power cards and energy: purchases at the start of a turn (R108-R112)."""

import numpy as np

from simcore.jit import inline_kernel, kernel
from simcore.mindbug.rules.hands import _refill_freed
from simcore.mindbug.rules.triggers import _run_program
from simcore.mindbug.table.decisions import _ask_for
from simcore.mindbug.table.masks import NONE, ONE, _bit, _lowest, _nth
from simcore.mindbug.table.state import Decision, Named, Phase
from simcore.random_streams import DEAL, _before, _below, _number_at, _skip_numbers

SHOWN = 3  # power cards that can be bought at a time (R10)


@kernel
def _lay_out_power_cards(state, table):
    """Shuffle the power cards and show the top ones (R10).  Modifies state.

    Which card lies at a place of the deck is found when it is asked for: most are never drawn.
    """
    n = table.n_power_cards
    state.power_deck_size = n
    for i in range(n):
        state.power_deck[i] = i
    state.power_deck_address = _skip_numbers(state.streams, DEAL, n)
    _show_cards(state)


@inline_kernel
def _shuffle_power_cards(state):
    """Shuffle what is left of the deck anew, in the same way.  Modifies state."""
    left = state.power_deck_size - state.power_deck_next
    address = _skip_numbers(state.streams, DEAL, left)
    state.power_deck_known = state.power_deck_next
    state.power_deck_address = _before(address, state.power_deck_next)


@kernel
def _look_up_power_cards(state):
    """Shuffle what is left of the deck.  Modifies state."""
    while state.power_deck_known < state.power_deck_size:
        _shuffle_on(state)


@inline_kernel
def _shuffle_on(state):
    """Shuffle the deck at the next place: one step of Fisher and Yates.  Modifies state."""
    here = state.power_deck_known
    number = _number_at(state.power_deck_address, here)
    there = here + _below(number, state.power_deck_size - here)
    card = state.power_deck[here]
    state.power_deck[here] = state.power_deck[there]
    state.power_deck[there] = card
    state.power_deck_known += 1


@inline_kernel
def _show_cards(state):
    """Show the first power cards of the deck (R10).  Modifies state."""
    state.power_deck_next = 0
    state.display = NONE
    for _ in range(min(SHOWN, state.power_deck_size)):
        state.display |= _bit(_top_card(state))


@inline_kernel
def _top_card(state):
    """Take the top card of the power deck; -1 if it is empty (R111).  Modifies state."""
    if state.power_deck_next >= state.power_deck_size:
        return np.int64(-1)
    if state.power_deck_next == state.power_deck_known:
        _shuffle_on(state)
    card = np.int64(state.power_deck[state.power_deck_next])
    state.power_deck_next += 1
    return card


@inline_kernel
def _buy(state, card, player):
    """A power card is bought; a gap in the display is refilled (R110, R112).  Modifies state."""
    state.power_bought[player] |= _bit(card)
    if state.display & _bit(card) != NONE:
        state.display ^= _bit(card)
        top = _top_card(state)
        if top >= 0:
            state.display |= _bit(top)


@kernel
def _offer_power_cards(state, table):
    """Phase BUY: the active player may buy what they can pay for (R109, D15)."""
    affordable, left = NONE, state.display
    while left != NONE:
        card = _lowest(left)
        left &= left - ONE
        if table.power_cards[card].cost <= state.energy[state.active]:
            affordable |= _bit(card)
    if affordable == NONE:
        return Phase.ACTION
    return _ask_for(
        state, Named.POWER_CARD, Decision.BUY, state.active, 1, affordable, Phase.ACTION
    )


@kernel
def _take_purchase(state, table, option):
    """Option 0 stops; the others pay for a card, which is resolved at once (R110)."""
    if option == 0:
        return Phase.ACTION
    card = _nth(state.options, option - 1)
    state.energy[state.active] -= table.power_cards[card].cost
    _buy(state, card, state.active)
    _refill_freed(state, table)
    state.bought = _bit(card)
    state.after_queue = Phase.BUY_DONE
    state.after_effect = Phase.QUEUE
    state.source_object = 0
    program = np.int64(table.power_cards[card].program)
    return _run_program(state, table, program, -1, state.active)


@kernel
def _end_purchase(state):
    """Phase BUY_DONE: the card goes to the power discard (R110).  Modifies state."""
    state.power_discard |= state.bought
    state.bought = NONE
    return Phase.BUY
