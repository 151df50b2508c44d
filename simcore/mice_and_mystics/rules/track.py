"""The initiative track (M13-M18, M81)."""

from simcore.jit import inline_kernel, kernel
from simcore.mice_and_mystics.rules.dice import _die, _number, _shuffle
from simcore.mice_and_mystics.table.limits import MICE
from simcore.mice_and_mystics.table.masks import _bit, _count, _has, _lowest, numbers

_MICE, _NONE = numbers(MICE, MICE + 1)[0], numbers(-1, 0)[0]
_FIRST = numbers(1)[0]


@inline_kernel
def _card_of(table, kind):
    """The card of the track by which minions of a type act (M15)."""
    return _MICE + table.minions[kind].card


@inline_kernel
def _acts_on(table, kind, card):
    """Whether minions of a type act by a card of the track."""
    return table.minions[kind].card == table.minions[card - _MICE].card


@inline_kernel
def _cards_of(state, table, kind):
    """Mask of the cards of the track by which minions of a type act (M15, M16)."""
    one = table.minions[kind]
    if one.n_cards == 0:
        return _bit(_MICE + one.card)
    return state.boss_cards & ((_bit(one.n_cards) - 1) << (_MICE + one.first_card))


@kernel
def _top_card(state, table, kind):
    """The highest of them."""
    cards = _cards_of(state, table, kind)
    for place in range(state.n_track):
        if _has(cards, state.track[place]) != 0:
            return _FIRST + state.track[place]
    return _card_of(table, kind)


@inline_kernel
def _guard(state, table, figure):
    """The row by which a figure defends: of a boss that of its highest card."""
    kind = state.type[figure]
    if table.minions[kind].n_cards == 0:
        return kind
    return _top_card(state, table, kind) - _MICE


@inline_kernel
def _fury(state, table, figure):
    """The row by which a figure acts in its turn: of a boss that of the card that acts."""
    kind = state.type[figure]
    return kind if table.minions[kind].n_cards == 0 else state.acting - _MICE


@kernel
def _wounds_left(state, table, figure):
    """Wounds that defeat a figure, all cards of a boss together."""
    kind = state.type[figure]
    if table.minions[kind].n_cards == 0:
        return table.minions[kind].life - state.damage[figure]
    left, cards = _FIRST, _cards_of(state, table, kind)
    while cards != 0:
        row = _lowest(cards) - _MICE
        cards &= cards - 1
        left += table.minions[row].life - state.card_damage[row]
    return left


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
            cards |= _cards_of(state, table, kind)
    return cards


@kernel
def _move_up(state, card, places):
    """Move a card up the track, not above slot 1 (M81).  Modifies state."""
    place = _place_of(state, card)
    goal = max(_FIRST, place - places)
    while place > goal:
        state.track[place] = state.track[place - 1]
        place -= 1
    state.track[goal] = card


@kernel
def _append_new_cards(state, table):
    """Append the cards of types that are not yet on the track, shuffled (M14).

    Where other minions were on it, the first of a boss's two moves up (M16).  Modifies state.
    """
    cards = _cards_present(state, table)
    alone = True
    for place in range(state.n_track):
        cards &= ~_bit(state.track[place])
        alone = alone and state.track[place] < _MICE
    first = state.n_track
    for kind in range(table.n_rows):
        card = _MICE + kind
        if _has(cards, card) != 0:
            state.track[state.n_track] = card
            state.n_track += 1
    _shuffle(state, state.track, first, state.n_track)
    left = state.figures if not alone and cards & state.boss_cards != 0 else _FIRST
    while left != 0:
        kind = state.type[_lowest(left)]
        left &= left - 1
        own = _cards_of(state, table, kind)
        if table.minions[kind].n_cards > 0 and own & ~cards == 0 and _count(own) > 1:
            top = _top_card(state, table, kind)
            _move_up(state, top, _number(_die(state, table)))


@kernel
def _new_track(state, table):
    """Shuffle the cards of all mice and of the minions that are there (M13).  Modifies state."""
    cards = _cards_present(state, table)
    for mouse in range(table.n_mice):
        state.track[mouse] = mouse
    state.n_track = table.n_mice
    for kind in range(table.n_rows):
        card = _MICE + kind
        if _has(cards, card) != 0:
            state.track[state.n_track] = card
            state.n_track += 1
    _shuffle(state, state.track, _FIRST, state.n_track)


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
