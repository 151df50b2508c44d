"""Searching, and what becomes of cards that are found (P8, M61-M66, D4)."""

from simcore.jit import inline_kernel, kernel
from simcore.mice_and_mystics.rules.dice import _below, _roll, _shuffle, _stars
from simcore.mice_and_mystics.rules.ending import _check_win
from simcore.mice_and_mystics.rules.fights.reactions import (
    _offer_reactions,
    _use_reaction,
)
from simcore.mice_and_mystics.rules.figures import _take_mouse
from simcore.mice_and_mystics.rules.gear import _add_to_pack, _ask_to_drop, _discard, _drop
from simcore.mice_and_mystics.rules.mice import _wound
from simcore.mice_and_mystics.rules.options import (
    _ask,
    _first,
    _kind,
    _offer,
    _offer_one,
)
from simcore.mice_and_mystics.rules.returning import _begin_return, _friend_is_near
from simcore.mice_and_mystics.rules.stack import W1, W2, W3, _go, _pop, _push, _top
from simcore.mice_and_mystics.rules.wheel import _give_cheese, _settle
from simcore.mice_and_mystics.table.masks import _bit, _count, _lowest, _nth, numbers
from simcore.mice_and_mystics.table.records import ROLLED
from simcore.mice_and_mystics.table.steps import (
    FIND_WINDOW,
    PICK_CARD,
    SEARCH_WINDOW,
    TAKE_DROP,
    TAKE_FIND,
    TAKE_FOUND,
    TAKE_PICK,
    TAKE_SEARCH_REACTION,
)
from simcore.mice_and_mystics.table.unknown_words import A_OPERATION, A_STEP, _unknown
from simcore.mice_and_mystics.table.words import (
    D4,
    D9,
    DISCARD,
    EVENT,
    IN_EVENT,
    KEEP,
    NO_CARD,
    OP_ABDUCT,
    OP_CHEESE,
    OP_DRAW,
    OP_SEARCH_DICE,
    OP_WOUND,
    PARTY,
    PASS,
    PICK,
    REACT,
    T_FOUND,
    T_SEARCH,
    TO_WHEEL,
)

# Words of the frame.
_SEARCHER = W1
_DICE = W2  # later: how many cards are drawn
_CARD = W3  # found, -1 = none yet

_NONE, _ZERO, _ONE = numbers(-1, 2)
_ROLLED_DICE, _ROLLED_STARS = ROLLED.index("search_dice"), ROLLED.index("search_stars")


@kernel
def _begin_search(state, record, mouse):
    """Start a search.  Modifies state and record."""
    record.search_tries += 1
    frame = _push(state, SEARCH_WINDOW)
    frame[_SEARCHER] = mouse
    frame[_DICE] = _ONE


@kernel
def _begin_draw(state, mouse, n):
    """Start drawing several cards of which a mouse finds one.  Modifies state."""
    frame = _push(state, PICK_CARD)
    frame[_SEARCHER] = mouse
    frame[_DICE] = n
    frame[_CARD] = _NONE


@inline_kernel
def _card_at(state, place):
    """The card at a place of the search deck."""
    return _ZERO + state.deck[place]


@kernel
def _make_ready(state, n):
    """See to it that n cards can be drawn, if there are as many; how many there are (M66).

    Where the deck has too few, the discards are shuffled and lie below what is left of it.
    Modifies state.
    """
    left = state.deck_end - state.deck_first
    if left < n and state.n_discards > 0:
        for i in range(left):
            state.deck[i] = state.deck[state.deck_first + i]
        for i in range(state.n_discards):
            state.deck[left + i] = state.discards[i]
        state.deck_first = 0
        state.deck_end = left + state.n_discards
        state.n_discards = 0
        _shuffle(state, state.deck, left, state.deck_end)
        left = _ZERO + state.deck_end
    return min(left, n)


@inline_kernel
def _count_drawn(record, card):
    """Count a card that was drawn.  Modifies record."""
    record.cards_drawn += 1
    record.drawn[card] += 1


@kernel
def _party_place(state, table):
    """Where the topmost party card of the search deck lies, -1 = there is none (M133)."""
    for place in range(state.deck_first, state.deck_end):
        if table.cards[_card_at(state, place)].type == PARTY:
            return place
    return _NONE


@kernel
def _take_party_card(state, table, record):
    """Draw the topmost party card; the deck is shuffled then (M133).  The card."""
    place = _party_place(state, table)
    card = _card_at(state, place)
    while place > state.deck_first:
        state.deck[place] = state.deck[place - 1]
        place -= 1
    state.deck_first += 1
    _shuffle(state, state.deck, state.deck_first, state.deck_end)
    _count_drawn(record, card)
    return card


@kernel
def _search(state, table, record):
    """Roll for a search; whether it succeeds (P8, M61).  Modifies record and the dice of state."""
    frame = _top(state)
    dice = max(_ZERO, frame[_DICE])
    stars = _stars(_roll(state, table, dice))
    record.rolled[_ROLLED_DICE] += dice
    record.rolled[_ROLLED_STARS] += stars
    return stars != 0


@kernel
def _succeed(state, table, record):
    """A search has succeeded: the tile is marked for this mouse.  Modifies state and record."""
    frame = _top(state)
    record.search_success += 1
    state.searched[frame[_SEARCHER]] |= table.tiles[state.tile].searched_bit
    frame[_DICE] = _ONE
    frame[_CARD] = _NONE


@kernel
def _take_search_reaction(state, table, record):
    """Perform what was chosen before a search.  Modifies state and record."""
    if _kind(state.picked) == PASS:
        return
    first, end = _use_reaction(state, table, record, state.decider, state.picked)
    for i in range(first, end):
        effect = table.effects[i]
        if effect.op == OP_SEARCH_DICE:
            _top(state)[_DICE] += effect.amount
        else:
            _unknown(state, A_OPERATION, effect.op)


@kernel
def _ask_for_find(state, table):
    """Ask the searcher what it does instead of drawing (P8); whether it can."""
    mouse = _top(state)[_SEARCHER]
    for_party = table.heroes[state.hero[mouse]].finds_party_items != 0
    for_party = for_party and _party_place(state, table) >= 0
    if not _offer_reactions(state, table, mouse, _bit(T_FOUND)):
        if not for_party:
            return False
        _offer(state, PASS)
    if for_party:
        _offer_one(state, REACT, NO_CARD)
    _ask(state, D9, mouse, TAKE_FIND)
    return True


@kernel
def _take_find(state, table, record):
    """Perform what was chosen instead of drawing.

    The frame has how many cards are drawn, or the card that is found.  Modifies state and record.
    """
    frame, option = _top(state), state.picked
    if _kind(option) == PASS:
        return
    if _kind(option) == REACT and _first(option) == NO_CARD:
        frame[_CARD] = _take_party_card(state, table, record)
        return
    first, end = _use_reaction(state, table, record, state.decider, option)
    for i in range(first, end):
        effect = table.effects[i]
        if effect.op == OP_DRAW:
            frame[_DICE] = effect.amount
        else:
            _unknown(state, A_OPERATION, effect.op)


@kernel
def _lies_above(state, place):
    """Whether a card like that at a place of the search deck lies above it."""
    for other in range(state.deck_first, place):
        if _card_at(state, other) == _card_at(state, place):
            return True
    return False


@kernel
def _draw(state, table, record):
    """Draw a card, or some of which the searcher is asked to keep one; whether a card is found.

    Modifies state and record.
    """
    frame = _top(state)
    n = _make_ready(state, frame[_DICE])
    frame[_DICE] = n
    if n == 1:
        frame[_CARD] = _card_at(state, state.deck_first)
        state.deck_first += 1
        _count_drawn(record, frame[_CARD])
        return True
    for place in range(state.deck_first, state.deck_first + n):
        if table.picks_alike_once == 0 or not _lies_above(state, place):
            _offer_one(state, PICK, _card_at(state, place))
    state.deck_first += n
    if n == 0:
        _pop(state)
    else:
        _ask(state, D4, frame[_SEARCHER], TAKE_PICK)
    return False


@kernel
def _take_pick(state, record):
    """Of the cards drawn one is found, the others are discarded.  Modifies state and record."""
    frame = _top(state)
    found = _NONE
    for place in range(state.deck_first - frame[_DICE], state.deck_first):
        card = _card_at(state, place)
        _count_drawn(record, card)
        if found < 0 and card == _first(state.picked):
            found = card
        else:
            _discard(state, card)
            record.cards_unchosen += 1
    frame[_CARD] = found


@kernel
def _abduct(state, table, searcher):
    """One of the other mice on the tile is missing (M126).  Modifies state."""
    others = state.active & ~_bit(searcher)
    if others == 0:
        return
    mouse = _nth(others, _below(state, _count(others)))
    _take_mouse(state, table, mouse)
    state.missing |= _bit(mouse)
    state.down &= ~_bit(mouse)
    _check_win(state, table)


@kernel
def _resolve_event(state, table, record, mouse, card):
    """An event is followed and discarded (M62).  Modifies state and record."""
    one = table.cards[card]
    for i in range(one.first_effect, one.first_effect + one.n_effects):
        effect = table.effects[i]
        if effect.op == OP_CHEESE and effect.more == TO_WHEEL:
            state.wheel += effect.amount
            record.wheel_in_event += effect.amount
        elif effect.op == OP_CHEESE:
            _give_cheese(state, record, mouse, effect.amount)
            record.cheese_in_event += effect.amount
        elif effect.op == OP_WOUND:
            record.wounds_event += effect.amount
            _wound(state, table, record, mouse, effect.amount, _ZERO, IN_EVENT)
        elif effect.op == OP_ABDUCT:
            _abduct(state, table, mouse)
        else:
            _unknown(state, A_OPERATION, effect.op)
    _discard(state, card)
    record.cards_events += 1


@kernel
def _find_card(state, table, record):
    """The searcher finds the card of the frame (M62).  Modifies state and record."""
    frame = _top(state)
    mouse, card = frame[_SEARCHER], frame[_CARD]
    kind = table.cards[card].type
    if kind == EVENT:
        _pop(state)
        _resolve_event(state, table, record, mouse, card)
        _settle(state, table)
    elif kind == PARTY:
        _pop(state)
        state.tokens[table.cards[card].token] += 1
        record.cards_party += 1
    else:
        _offer(state, KEEP)
        _offer(state, DISCARD)
        _ask(state, D4, mouse, TAKE_FOUND)


@kernel
def _take_found(state, table, record):
    """The searcher keeps or discards what it has found (D4).  Modifies state and record."""
    frame = _top(state)
    mouse, card = frame[_SEARCHER], frame[_CARD]
    if _kind(state.picked) == KEEP:
        record.cards_kept += 1
        _add_to_pack(state, table, mouse, card)
        if state.n_things[mouse] > table.hand_limit:
            _ask_to_drop(state, table, mouse, D4, TAKE_DROP)
            return
    else:
        record.cards_discarded += 1
        _discard(state, card)
        _give_cheese(state, record, mouse, _ONE)
        record.cheese_in_discard += 1
    _pop(state)


@kernel
def _roll_for(state, table, record, step):
    """Ask for more dice and roll (P8); whether the search succeeds, and goes on at once.

    Modifies state and record.
    """
    if step == TAKE_SEARCH_REACTION:
        _take_search_reaction(state, table, record)
    else:
        mouse = _top(state)[_SEARCHER]
        if _offer_reactions(state, table, mouse, _bit(T_SEARCH)):
            _ask(state, D9, mouse, TAKE_SEARCH_REACTION)
            return False
    if not _search(state, table, record):
        _pop(state)
        return False
    searcher, friend = _top(state)[_SEARCHER], _friend_is_near(state)
    if friend and table.finds_friend_as_well == 0:
        _pop(state)  # no card is drawn, and the tile is not marked (M126)
    else:
        _succeed(state, table, record)
        _go(state, FIND_WINDOW)
    if friend:
        _begin_return(state, _lowest(state.missing), searcher)
    return not friend


@kernel
def _search_step(state, table, record, step):
    """Go on with a search until somebody is asked.  Modifies state and record."""
    if step == SEARCH_WINDOW or step == TAKE_SEARCH_REACTION:
        if not _roll_for(state, table, record, step):
            return
        step = FIND_WINDOW
    if step == FIND_WINDOW:
        if _ask_for_find(state, table):
            return
        step = PICK_CARD
    if step == TAKE_FIND:
        _take_find(state, table, record)
        step = PICK_CARD
    if step == PICK_CARD:
        if _top(state)[_CARD] >= 0 or _draw(state, table, record):
            _find_card(state, table, record)
    elif step == TAKE_PICK:
        _take_pick(state, record)
        _find_card(state, table, record)
    elif step == TAKE_FOUND:
        _take_found(state, table, record)
    elif step == TAKE_DROP:
        _drop(state, table, record, _top(state)[_SEARCHER])
        _pop(state)
    else:
        _unknown(state, A_STEP, step)
