"""The initiative track (M13-M18, M81)."""

from simcore.jit import inline_kernel, kernel
from simcore.mice_and_mystics.rules.dice import _shuffle
from simcore.mice_and_mystics.table.limits import MICE
from simcore.mice_and_mystics.table.masks import _bit, _has, numbers

_MICE, _NONE = numbers(MICE, MICE + 1)[0], numbers(-1, 0)[0]
_FIRST = numbers(1)[0]


@inline_kernel
def _card_of(table, kind):
    """The card of the track by which minions of a type act (M15)."""
    return _MICE + table.minions[kind].card


@inline_kernel
def _place_of(state, card):
    """Where a card lies on the track, 0 = on top; -1 = it is not on it."""
    for place in range(state.n_track):
        if state.track[place] == card:
            return place
    return _NONE


@inline_kernel
def _above(state, card, other):
    """Whether a card lies above another one."""
    return _place_of(state, card) < _place_of(state, other)


@kernel
def _remove_card(state, card):
    """Take a card off the track; the rest close up (M17).  Modifies state."""
    place = _place_of(state, card)
    if place >= 0:
        for i in range(place + 1, state.n_track):
            state.track[i - 1] = state.track[i]
        state.n_track -= 1
        state.acted &= ~_bit(card)
        state.slowed &= ~_bit(card)


@kernel
def _cards_present(state, table):
    """Mask of the cards of minions on the tile."""
    cards = _FIRST
    for kind in range(table.n_minions):
        if state.of_type[kind] > 0:
            cards |= _bit(_card_of(table, kind))
    return cards


@kernel
def _append_new_cards(state, table):
    """Append the cards of types that are not yet on the track, shuffled (M14).  Modifies state."""
    cards = _cards_present(state, table)
    for place in range(state.n_track):
        cards &= ~_bit(state.track[place])
    first = state.n_track
    for kind in range(table.n_minions):
        card = _MICE + kind
        if _has(cards, card) != 0:
            state.track[state.n_track] = card
            state.n_track += 1
    _shuffle(state, state.track, first, state.n_track)


@kernel
def _new_track(state, table):
    """Shuffle the cards of all mice and of the minions that are there (M13).  Modifies state."""
    cards = _cards_present(state, table)
    for mouse in range(_MICE):
        state.track[mouse] = mouse
    state.n_track = _MICE
    for kind in range(table.n_minions):
        card = _MICE + kind
        if _has(cards, card) != 0:
            state.track[state.n_track] = card
            state.n_track += 1
    _shuffle(state, state.track, _FIRST, state.n_track)


@kernel
def _move_up(state, card, places):
    """Move a card up the track, not above slot 1 (M81).  Modifies state."""
    place = _place_of(state, card)
    goal = max(_FIRST, place - places)
    while place > goal:
        state.track[place] = state.track[place - 1]
        place -= 1
    state.track[goal] = card


@inline_kernel
def _lowest_mouse(state):
    """The mouse whose card is lowest among those of mice (M20)."""
    for place in range(state.n_track - 1, -1, -1):
        if state.track[place] < _MICE:
            return state.track[place]
    return _NONE


@kernel
def _mice_ahead(state):
    """How many cards of mice lie above the topmost one of minions."""
    n = _FIRST
    while n < state.n_track and state.track[n] < _MICE:
        n += 1
    return n
