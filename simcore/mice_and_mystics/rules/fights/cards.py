"""Free actions with cards: equipping, sharing, levelling up (M100-M102, D5)."""

from simcore.jit import inline_kernel, kernel
from simcore.mice_and_mystics.rules.fights.weapons import _next_equipped
from simcore.mice_and_mystics.rules.gear import (
    _add_to_pack,
    _ask_to_drop,
    _drop,
    _equip,
    _in_pack,
    _meets,
    _place_in_pack,
    _slot_for,
    _take_from_pack,
    _take_off,
)
from simcore.mice_and_mystics.rules.options import (
    _ask,
    _first,
    _kind,
    _offer,
    _offer_one,
    _offer_two,
    _second,
)
from simcore.mice_and_mystics.rules.stack import W1, W2, W3, _pop, _push, _top
from simcore.mice_and_mystics.table.limits import MICE, SLOTS
from simcore.mice_and_mystics.table.masks import _bit, _has, _lowest, numbers
from simcore.mice_and_mystics.table.steps import EQUIP_MENU, SHARE_MENU, TAKE_EQUIP, TAKE_SHARE
from simcore.mice_and_mystics.table.unknown_words import A_STEP, AN_OPTION, _unknown
from simcore.mice_and_mystics.table.words import (
    A_TRICK,
    ALL_PAWS,
    D5,
    DROP,
    EMPTY,
    GIVE,
    GIVE_CHEESE,
    LEVEL_UP,
    NO_CARD,
    PAW,
    PUT,
    STOP,
    TAIL,
    TAKE,
    TAKE_CHEESE,
    TAKE_OFF,
)

# Words of the frames.
_MOUSE = W1
_CHANGES = W2  # made so far
_OTHER = W3  # with whom it shares

_NONE, _ZERO = numbers(-1, 1)
_SLOTS = numbers(SLOTS, SLOTS + 1)[0]
_MOST = numbers(12, 13)[0]  # changes, or transfers, of one free action (D5)


@kernel
def _slot_of(state, mouse, card):
    """The slot in which a card is equipped, paws before the tail."""
    for slot in range(SLOTS):
        if state.slots[mouse, slot] == card:
            return _ZERO + slot
    return _NONE


@kernel
def _makes_room(state, table, mouse, card, slot):
    """Whether a card of paws has room once what is in a slot is taken off (M64)."""
    if slot == TAIL:
        return card == table.heroes[state.hero[mouse]].tail_card
    free = table.cards[state.slots[mouse, slot]].paws
    for paw in range(PAW, TAIL):
        if state.slots[mouse, paw] == EMPTY:
            free += 1
    return free >= table.cards[card].paws


@inline_kernel
def _end_of_paws(table):
    """The slot behind those that are cleared for a card that needs all paws (S20)."""
    return TAIL if table.keeps_tail != 0 else _SLOTS


@kernel
def _n_in_paws(state, table, mouse):
    """How many cards of paws come off for one that needs all of them."""
    n = _ZERO
    for slot in range(PAW, _end_of_paws(table)):
        if state.slots[mouse, slot] >= 0:
            n += 1
    return n


@kernel
def _offer_paw_card(state, table, mouse, card):
    """Offer PUT for a card of paws: as it is, or for one that makes room, or for all (D5)."""
    if _slot_for(state, table, mouse, card) >= 0:
        _offer_two(state, PUT, card, NO_CARD)
        return
    after = state.n_things[mouse] - 1  # things in the pack, if nothing is replaced
    single = False
    other = _next_equipped(state, mouse, _NONE)
    while other >= 0:
        slot = _slot_of(state, mouse, other)
        if slot >= PAW and _makes_room(state, table, mouse, card, slot):
            single = True
            _offer_two(state, PUT, card, other)
        other = _next_equipped(state, mouse, other)
    most = table.hand_limit + 1  # one is discarded at once
    if not single and after + _n_in_paws(state, table, mouse) <= most:
        _offer_two(state, PUT, card, ALL_PAWS)


@kernel
def _offer_changes(state, table, mouse):
    """Offer PUT and TAKE_OFF (D5)."""
    before = _NONE
    for place in range(state.n_pack[mouse]):
        card = _in_pack(state, mouse, place)
        if card == before:
            continue
        before = card
        slot = table.cards[card].slot
        if slot < 0 or not _meets(state, table, mouse, card):
            continue
        if slot == PAW:
            _offer_paw_card(state, table, mouse, card)
        else:
            _offer_two(state, PUT, card, NO_CARD)
    if state.n_things[mouse] < table.hand_limit:
        card = _next_equipped(state, mouse, _NONE)
        while card >= 0:
            _offer_one(state, TAKE_OFF, card)
            card = _next_equipped(state, mouse, card)


@kernel
def _can_equip(state, table, mouse):
    """Whether a change is possible."""
    if state.n_things[mouse] < table.hand_limit and _next_equipped(state, mouse, _NONE) >= 0:
        return True
    n = state.n_options
    _offer_changes(state, table, mouse)
    can = state.n_options > n
    state.n_options = n
    return can


@kernel
def _stow(state, table, mouse, card):
    """An equipped card goes to the pack.  Modifies state."""
    _take_off(state, table, mouse, card)
    _add_to_pack(state, table, mouse, card)


@kernel
def _put_on(state, table, mouse, card, replaced):
    """Put a card of the pack into its slot, as an entry PUT says.  Modifies state."""
    _take_from_pack(state, table, mouse, card)
    slot = table.cards[card].slot
    if slot == PAW and replaced == ALL_PAWS:
        for paw in range(PAW, _end_of_paws(table)):
            if state.slots[mouse, paw] >= 0:
                _stow(state, table, mouse, state.slots[mouse, paw])
    elif slot == PAW and replaced != NO_CARD:
        _stow(state, table, mouse, replaced)
    elif slot != PAW and state.slots[mouse, slot] >= 0:
        _stow(state, table, mouse, state.slots[mouse, slot])
    _equip(state, table, mouse, card, _slot_for(state, table, mouse, card))


@kernel
def _begin_equip(state, record, mouse):
    """Start equipping.  Modifies state and record."""
    record.equips += 1
    _push(state, EQUIP_MENU)[_MOUSE] = mouse


@kernel
def _equip_step(state, table, record, step):
    """Perform a change, and ask for the next one.  Modifies state and record."""
    frame = _top(state)
    mouse, option = frame[_MOUSE], state.picked
    if step == TAKE_EQUIP:
        frame[_CHANGES] += 1
        if _kind(option) == DROP:
            frame[_CHANGES] -= 1  # it belongs to the change before
            _drop(state, table, record, mouse)
        elif _kind(option) == PUT:
            record.equipped[_first(option)] += 1
            _put_on(state, table, mouse, _first(option), _second(option))
        elif _kind(option) == TAKE_OFF:
            _stow(state, table, mouse, _first(option))
        else:
            _pop(state)
            return
        if state.n_things[mouse] > table.hand_limit:
            _ask_to_drop(state, table, mouse, D5, TAKE_EQUIP)
            return
    _offer(state, STOP)
    if frame[_CHANGES] < _MOST:
        _offer_changes(state, table, mouse)
    _ask_or_close(state, mouse, TAKE_EQUIP)


@inline_kernel
def _ask_or_close(state, mouse, step):
    """Ask for the next change, if there is one besides STOP.  Modifies state."""
    if state.n_options > 1:
        _ask(state, D5, mouse, step)
    else:
        state.n_options = 0
        _pop(state)


@inline_kernel
def _has_room_for(state, table, mouse, card):
    """Whether the pack of a mouse may take one more card (M63)."""
    return table.cards[card].type == A_TRICK or state.n_things[mouse] < table.hand_limit


@kernel
def _offer_cards(state, table, giver, taker, kind):
    """Offer an entry of a kind for each type of card that a mouse can give another one.

    These are the cards of its pack and those that it has equipped, by index.
    """
    before, place, worn = _NONE, _ZERO, _next_equipped(state, giver, _NONE)
    while place < state.n_pack[giver] or worn >= 0:
        packed = place < state.n_pack[giver]
        if packed and (worn < 0 or _in_pack(state, giver, place) <= worn):
            card = _in_pack(state, giver, place)
            place += 1
        else:
            card = worn
            worn = _next_equipped(state, giver, worn)
        if card != before and _has_room_for(state, table, taker, card):
            _offer_one(state, kind, card)
        before = card


@kernel
def _offer_transfers(state, table, mouse, other):
    """Offer what a mouse can give and take (D5)."""
    if state.cheese[mouse] > 0:
        _offer(state, GIVE_CHEESE)
    if state.cheese[other] > 0:
        _offer(state, TAKE_CHEESE)
    _offer_cards(state, table, mouse, other, GIVE)
    _offer_cards(state, table, other, mouse, TAKE)


@kernel
def _can_share(state, table, mouse, other):
    """Whether a transfer is possible."""
    if state.cheese[mouse] > 0 or state.cheese[other] > 0:
        return True
    n = state.n_options
    _offer_transfers(state, table, mouse, other)
    can = state.n_options > n
    state.n_options = n
    return can


@kernel
def _begin_share(state, record, mouse, other):
    """Start sharing.  Modifies state and record."""
    record.shares += 1
    frame = _push(state, SHARE_MENU)
    frame[_MOUSE] = mouse
    frame[_OTHER] = other


@kernel
def _give_card(state, table, giver, taker, card):
    """A card goes to another mouse's pack, if need be out of its slot (D5).  Modifies state."""
    if _place_in_pack(state, giver, card) >= 0:
        _take_from_pack(state, table, giver, card)
    else:
        _take_off(state, table, giver, card)
    _add_to_pack(state, table, taker, card)


@kernel
def _transfer(state, table, mouse, other, option):
    """Perform a transfer of `_offer_transfers`.  Modifies state."""
    kind = _kind(option)
    if kind == GIVE_CHEESE:
        state.cheese[mouse] -= 1
        state.cheese[other] += 1
    elif kind == TAKE_CHEESE:
        state.cheese[mouse] += 1
        state.cheese[other] -= 1
    elif kind == GIVE:
        _give_card(state, table, mouse, other, _first(option))
    elif kind == TAKE:
        _give_card(state, table, other, mouse, _first(option))
    else:
        _unknown(state, AN_OPTION, kind)


@kernel
def _share_step(state, table, record, step):
    """Perform a transfer, and ask for the next one.  Modifies state and record."""
    frame = _top(state)
    mouse, other = frame[_MOUSE], frame[_OTHER]
    if step == TAKE_SHARE:
        if _kind(state.picked) == STOP:
            _pop(state)
            return
        frame[_CHANGES] += 1
        record.share_transfers += 1
        _transfer(state, table, mouse, other, state.picked)
    _offer(state, STOP)
    if frame[_CHANGES] < _MOST:
        _offer_transfers(state, table, mouse, other)
    _ask_or_close(state, mouse, TAKE_SHARE)


@kernel
def _card_step(state, table, record, step):
    """Perform a step of equipping or sharing.  Modifies state and record."""
    if step == EQUIP_MENU or step == TAKE_EQUIP:
        _equip_step(state, table, record, step)
    elif step == SHARE_MENU or step == TAKE_SHARE:
        _share_step(state, table, record, step)
    else:
        _unknown(state, A_STEP, step)


@kernel
def _unowned(state, table, mouse):
    """Mask of the abilities that a mouse may take: fitting ones that nobody owns (M8, M102)."""
    owned = _ZERO
    for other in range(MICE):
        owned |= state.abilities[other]
    words = table.heroes[state.hero[mouse]].words
    free = _ZERO
    for ability in range(table.n_abilities):
        if table.abilities[ability].words & words != 0 and _has(owned, ability) == 0:
            free |= _bit(ability)
    return free


@kernel
def _offer_levels(state, table, mouse):
    """Offer LEVEL_UP for each ability that a mouse may take (M102)."""
    free = _unowned(state, table, mouse)
    while free != 0:
        _offer_one(state, LEVEL_UP, _lowest(free))
        free &= free - 1


@kernel
def _level_up(state, table, record, mouse, ability):
    """A mouse pays for an ability card and takes it (M102).  Modifies state and record."""
    state.cheese[mouse] -= table.level_cost
    record.cheese_out_level += table.level_cost
    state.abilities[mouse] |= _bit(ability)
    record.level_ups += 1
    record.level_ups_of[state.hero[mouse]] += 1
    if record.first_level_up_round < 0:
        record.first_level_up_round = state.round
