"""Slots and packs: what a mouse holds, and what its gear adds up to (M63, M64)."""

from simcore.jit import inline_kernel, kernel
from simcore.mice_and_mystics.rules.options import _ask, _first, _offer_one
from simcore.mice_and_mystics.table.limits import COPIES, PACK, SLOTS
from simcore.mice_and_mystics.table.masks import _bit, numbers
from simcore.mice_and_mystics.table.unknown_words import DECKS, PACKS, _unknown
from simcore.mice_and_mystics.table.words import (
    A_TRICK,
    DROP,
    EMPTY,
    OTHER_PAW,
    PAW,
    TAIL,
    TAKEN,
    WEAPON,
)

_ZERO, _ONE = numbers(2)
_NONE = numbers(-1, 0)[0]


@kernel
def _sum_gear(state, table, mouse):
    """Add up what equipped cards give, weapons' dice left out.  Modifies state."""
    battle, defense, move, lore = _ZERO, _ZERO, _ZERO, _ZERO
    for slot in range(SLOTS):
        if state.slots[mouse, slot] >= 0:
            card = table.cards[state.slots[mouse, slot]]
            if card.type != WEAPON:
                battle += card.battle
            defense += card.defense
            move += card.move
            lore += card.adds_lore
    state.gear_battle[mouse] = battle
    state.gear_defense[mouse] = defense
    state.gear_move[mouse] = move
    state.gear_lore[mouse] = lore


@inline_kernel
def _lore(state, table, mouse):
    """The lore of a mouse, gear included."""
    return table.heroes[state.hero[mouse]].lore + state.gear_lore[mouse]


@inline_kernel
def _in_pack(state, mouse, place):
    """The card at a place of a pack."""
    return _ZERO + state.pack[mouse, place]


@kernel
def _place_in_pack(state, mouse, card):
    """Where the first copy of a card is in a pack, -1 = nowhere."""
    for place in range(state.n_pack[mouse]):
        if _in_pack(state, mouse, place) == card:
            return _ZERO + place
    return _NONE


@kernel
def _add_to_pack(state, table, mouse, card):
    """Put a card into a pack, which stays sorted.  Modifies state."""
    n = state.n_pack[mouse]
    if n == PACK:
        _unknown(state, PACKS, card)
        return
    while n > 0 and _in_pack(state, mouse, n - 1) > card:
        state.pack[mouse, n] = state.pack[mouse, n - 1]
        n -= 1
    state.pack[mouse, n] = card
    state.n_pack[mouse] += 1
    if table.cards[card].type != A_TRICK:
        state.n_things[mouse] += 1
    else:
        state.trick_timings[mouse] |= _bit(table.cards[card].timing)


@kernel
def _take_from_pack(state, table, mouse, card):
    """Take one copy of a card that is there out of a pack.  Modifies state."""
    place = _place_in_pack(state, mouse, card)
    state.n_pack[mouse] -= 1
    for i in range(place, state.n_pack[mouse]):
        state.pack[mouse, i] = state.pack[mouse, i + 1]
    if table.cards[card].type != A_TRICK:
        state.n_things[mouse] -= 1
        return
    timings = _ZERO
    for i in range(state.n_pack[mouse]):
        other = table.cards[_in_pack(state, mouse, i)]
        if other.type == A_TRICK:
            timings |= _bit(other.timing)
    state.trick_timings[mouse] = timings


@kernel
def _discard(state, card):
    """Put a search card on the discards.  Modifies state."""
    if state.n_discards == COPIES:
        _unknown(state, DECKS, card)
        return
    state.discards[state.n_discards] = card
    state.n_discards += 1


@kernel
def _ask_to_drop(state, table, mouse, point, step):
    """Ask which card goes out of a pack that is too full, tricks apart (M63).  Modifies state."""
    before = _NONE
    for place in range(state.n_pack[mouse]):
        card = _in_pack(state, mouse, place)
        if card != before and table.cards[card].type != A_TRICK:
            _offer_one(state, DROP, card)
        before = card
    _ask(state, point, mouse, step)


@kernel
def _drop(state, table, record, mouse):
    """The card of the entry DROP goes out of a pack (M63).  Modifies state and record."""
    card = _first(state.picked)
    _take_from_pack(state, table, mouse, card)
    _discard(state, card)
    record.cards_overflow += 1


@kernel
def _slot_for(state, table, mouse, card):
    """The slot that a card could be put into as it is, -1 if there is none (M64).

    Filch's tail comes before his paws.
    """
    slot = table.cards[card].slot
    if slot < 0:
        return _NONE
    if slot != PAW:
        return slot if state.slots[mouse, slot] == EMPTY else _NONE
    if table.heroes[state.hero[mouse]].tail_card == card and state.slots[mouse, TAIL] == EMPTY:
        return TAIL
    if table.cards[card].paws == 2:
        free = state.slots[mouse, PAW] == EMPTY and state.slots[mouse, OTHER_PAW] == EMPTY
        return PAW if free else _NONE
    if state.slots[mouse, PAW] == EMPTY:
        return PAW
    return OTHER_PAW if state.slots[mouse, OTHER_PAW] == EMPTY else _NONE


@kernel
def _equip(state, table, mouse, card, slot):
    """Put a card into a slot that `_slot_for` has given.  Modifies state."""
    state.slots[mouse, slot] = card
    if slot == PAW and table.cards[card].paws == 2:
        state.slots[mouse, OTHER_PAW] = TAKEN
    _sum_gear(state, table, mouse)


@kernel
def _take_off(state, table, mouse, card):
    """Take one copy of an equipped card out of its slot: out of a paw before the tail.

    Modifies state.
    """
    slot = _ZERO
    while state.slots[mouse, slot] != card:
        slot += 1
    state.slots[mouse, slot] = EMPTY
    if slot == PAW and state.slots[mouse, OTHER_PAW] == TAKEN:
        state.slots[mouse, OTHER_PAW] = EMPTY
    _sum_gear(state, table, mouse)


@inline_kernel
def _meets(state, table, mouse, card):
    """Whether a mouse meets what is printed on a card, to equip or use it (M64)."""
    required = table.cards[card]
    if required.words != 0 and required.words & table.heroes[state.hero[mouse]].words == 0:
        return False
    return _lore(state, table, mouse) >= required.lore


@kernel
def _spend_token(state, table, record, token):
    """The party discards a token that it holds (M117).  Modifies state and record."""
    state.tokens[token] -= 1
    record.used[table.token_cards[token]] += 1
    _discard(state, table.token_cards[token])
