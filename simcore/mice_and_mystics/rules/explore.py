"""Exploring (M67-M72), and rooms with encounters (M73, M80, M81, P5)."""

from simcore.jit import kernel
from simcore.mice_and_mystics.rules.dice import _die, _number, _shuffle
from simcore.mice_and_mystics.rules.ending import _check_win
from simcore.mice_and_mystics.rules.fights.preemptive import _begin_preemptive
from simcore.mice_and_mystics.rules.figures import _clear_tile, _put_mouse
from simcore.mice_and_mystics.rules.gear import _spend_token
from simcore.mice_and_mystics.rules.movement import _offer_spaces
from simcore.mice_and_mystics.rules.options import _ask, _first, _kind, _offer, _offer_one
from simcore.mice_and_mystics.rules.placement import _place_minions
from simcore.mice_and_mystics.rules.stack import STEP, W1, W2, W3, W4, W5, _go, _pop, _push, _top
from simcore.mice_and_mystics.rules.surge import _discard_face_up
from simcore.mice_and_mystics.rules.track import _mice_ahead, _move_up, _new_track
from simcore.mice_and_mystics.table.limits import LINKS, MICE, PAGES
from simcore.mice_and_mystics.table.masks import _bit, _has, numbers
from simcore.mice_and_mystics.table.steps import (
    AFTER_ENCOUNTER,
    NEW_ROUND,
    PLACE_ENCOUNTER,
    PLACE_MICE,
    TAKE_DISGUISES,
    TAKE_PLACE,
)
from simcore.mice_and_mystics.table.words import (
    D6,
    D9,
    DISGUISE,
    DISGUISES,
    EXPLORE,
    FISH_HOOK,
    FLIP_CLASS,
    FLIP_HOOK,
    PASS,
    PLACE,
)

_ZERO, _ONE = numbers(2)
_NONE = numbers(-1, 0)[0]
_LAST_PAGE = numbers(PAGES - 1, PAGES)[0]
# A frame: the mouse that explores, the mice that are still to be placed, where they may arrive and
# the neighbours of that, and the mouse that is being placed.
_MOUSE, _TO_PLACE, _ARRIVAL, _NEAR, _PLACING = W1, W2, W3, W4, W5


@kernel
def _offer_explores(state, table, mouse):
    """Offer EXPLORE x for each link that a mouse can use (D1, 3).  Modifies state."""
    if state.figures != 0:
        return
    space = state.space[mouse]
    for place in range(LINKS):
        link = table.tiles[state.tile].links[place]
        if link.tile < 0 or _has(link.spaces, space) == 0:
            continue
        if link.requires == FLIP_HOOK and state.tokens[FISH_HOOK] == 0:
            continue
        if link.requires == FLIP_CLASS and table.heroes[state.hero[mouse]].flips == 0:
            continue
        _offer_one(state, EXPLORE, _ZERO + place)


@kernel
def _begin_explore(state, table, record, mouse, place):
    """Start exploring by a link; a new encounter ends the turn by itself (S1).

    Modifies state and record.
    """
    record.explores += 1
    link = table.tiles[state.tile].links[place]
    frame = _push(state, PLACE_MICE)
    frame[_MOUSE] = mouse
    frame[_TO_PLACE] = state.active
    frame[_ARRIVAL] = link.arrival
    frame[_NEAR] = link.near_arrival
    _clear_tile(state, table)
    state.tile = link.tile


@kernel
def _place_mice(state, table, record):
    """Ask where the next mouse, in track order, arrives (D6).  Modifies state and record."""
    frame = _top(state)
    for place in range(state.n_track):
        mouse = state.track[place]
        if mouse < MICE and _has(frame[_TO_PLACE], mouse) != 0:
            spaces = frame[_ARRIVAL] & ~state.full
            if spaces == 0:
                spaces = frame[_NEAR] & ~state.full
                if spaces == 0:
                    spaces = table.tiles[state.tile].spaces & ~state.full
            frame[_PLACING] = mouse
            _offer_spaces(state, PLACE, spaces)
            _ask(state, D6, mouse, TAKE_PLACE)
            return
    _enter_room(state, table, record)


@kernel
def _take_place(state, table):
    """Put a mouse where it arrives.  Modifies state."""
    frame = _top(state)
    frame[_TO_PLACE] &= ~_bit(frame[_PLACING])
    _put_mouse(state, table, frame[_PLACING], _first(state.picked))
    _go(state, PLACE_MICE)


@kernel
def _note_entry(state, table, record):
    """Count that a room is entered, if it is for the first time.  Modifies state and record."""
    tile = table.tiles[state.tile]
    state.explored |= _bit(state.tile)
    if _has(state.entered, state.tile) != 0:
        return
    state.entered |= _bit(state.tile)
    record.rooms_explored += 1
    if tile.route_place >= 0:
        state.route_depth += 1
        record.page_at_entry[tile.route_place] = state.page
        record.round_at_entry[tile.route_place] = max(_ONE, state.round)
    elif record.page_at_entry_kitchen < 0:
        record.page_at_entry_kitchen = state.page
    if tile.counter_space >= 0:
        state.counter[state.tile] = tile.counter_amount  # M128


@kernel
def _enter_room(state, table, record):
    """The mice are in the room: a known one, one with minions of its own, or an encounter.

    Modifies state and record.
    """
    if _has(state.explored, state.tile) != 0:
        record.returns_to_explored += 1
        _pop(state)
        return
    _note_entry(state, table, record)
    tile = table.tiles[state.tile]
    if tile.preset != 0:  # M130
        for kind in range(table.n_minions):
            state.to_place[kind] = tile.presets[kind]
        _place_encounter(state, table, record)
        return
    _discard_face_up(state)
    card = _draw_encounter(state)
    state.face_up = card
    if card < 0:
        _pop(state)
        return
    record.encounters += 1
    record.encounter_in[state.tile] = card
    record.drawn_e[card] += 1
    encounter = table.encounters[card]
    if encounter.mousetraps != 0:
        state.mousetraps = tile.traps  # M42
    _list_encounter(state, table)
    _go(state, PLACE_ENCOUNTER)
    if state.tokens[DISGUISE] > 0:
        for kind in range(table.n_minions):
            if state.to_place[kind] > 0 and table.minions[kind].disguised_from != 0:
                _offer(state, PASS)
                _offer(state, DISGUISES)
                _ask(state, D9, _top(state)[_MOUSE], TAKE_DISGUISES)
                return


@kernel
def _list_encounter(state, table):
    """Note in ``to_place`` what the face-up card lists for this page (M73).  Modifies state."""
    page = min(state.page, _LAST_PAGE)
    for kind in range(table.n_minions):
        state.to_place[kind] = table.encounters[state.face_up].places[page, kind]


@kernel
def _draw_encounter(state):
    """The top card of the encounter deck, -1 if there is none (M66).  Modifies state."""
    if state.events_first == state.events_end:
        for place in range(state.n_events_discarded):
            state.events[place] = state.events_discarded[place]
        state.events_first = 0
        state.events_end = state.n_events_discarded
        state.n_events_discarded = 0
        _shuffle(state, state.events, state.events_first, state.events_end)
        if state.events_end == 0:
            return _NONE
    state.events_first += 1
    return _ZERO + state.events[state.events_first - 1]


@kernel
def _place_encounter(state, table, record):
    """Place what ``to_place`` has; track, ambush and the window of shots (P5).

    Modifies state and record.
    """
    _go(state, AFTER_ENCOUNTER)
    _place_minions(state, table, record, _ZERO)
    _new_track(state, table)
    preset = table.tiles[state.tile].preset != 0
    if not preset and table.encounters[state.face_up].ambush != 0:
        record.ambushes += 1
        _ambush(state, table)
    record.mice_ahead[state.tile] = _mice_ahead(state)
    if state.just_placed != 0:
        _begin_preemptive(state)


@kernel
def _take_disguises(state, table, record):
    """Disguises keep those away who are disguised from (M117, S6).  Modifies state and record."""
    use = _kind(state.picked) == DISGUISES
    _list_encounter(state, table)
    if use:
        _spend_token(state, table, record, DISGUISE)
        for kind in range(table.n_minions):
            if table.minions[kind].disguised_from != 0:
                state.to_place[kind] = 0
    _go(state, PLACE_ENCOUNTER)


@kernel
def _ambush(state, table):
    """Each card of minions moves up, in the order in which they lie (M81).  Modifies state."""
    cards = _top(state)  # words that are free by now keep the order
    n = _ZERO
    for place in range(state.n_track):
        if state.track[place] >= MICE:
            cards[W2 + n] = state.track[place]
            n += 1
    for i in range(n):
        _move_up(state, cards[W2 + i], _number(_die(state, table)))


@kernel
def _after_encounter(state, table):
    """A new round, or the turn goes on (M21, S1).  Modifies state."""
    state.just_placed = 0
    _check_win(state, table)
    if table.continues_round != 0:
        _pop(state)
        return
    state.crossing = 0
    state.acting = _NONE
    state.depth = 0
    state.frame[0, STEP] = NEW_ROUND
