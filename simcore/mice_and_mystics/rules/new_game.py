"""A new game: party, decks, gear, starting abilities, the first room (M7-M13, D10)."""

from simcore.jit import apart_kernel, kernel
from simcore.mice_and_mystics.rules.dice import _below, _part_stream, _shuffle
from simcore.mice_and_mystics.rules.explore import _note_entry
from simcore.mice_and_mystics.rules.figures import _put_mouse
from simcore.mice_and_mystics.rules.gear import _add_to_pack, _equip, _slot_for
from simcore.mice_and_mystics.rules.movement import _offer_spaces
from simcore.mice_and_mystics.rules.options import _ask, _first, _offer_one
from simcore.mice_and_mystics.rules.placement import _place_minions
from simcore.mice_and_mystics.rules.stack import STEP, W1, _go, _top
from simcore.mice_and_mystics.rules.track import _mice_ahead, _new_track
from simcore.mice_and_mystics.rules.wheel import _give_cheese
from simcore.mice_and_mystics.table.limits import COPIES, FIRST_TRACK, MICE, ROUTE, SLOTS, TILES
from simcore.mice_and_mystics.table.masks import _bit, _clear_record, _has, numbers
from simcore.mice_and_mystics.table.state import CHOICES, GAME_BYTES, LUCK
from simcore.mice_and_mystics.table.steps import (
    CHOOSE_ABILITY,
    NEW_ROUND,
    PLACE_AT_START,
    TAKE_ABILITY,
    TAKE_START,
)
from simcore.mice_and_mystics.table.unknown_words import DECKS, _unknown
from simcore.mice_and_mystics.table.words import D6, D10, EMPTY, PLACE, START
from simcore.random_streams import _seed_streams

_ZERO = numbers(1)[0]
_NONE = numbers(-1, 0)[0]
_TOP_CARDS = 8  # of the first search deck that the record counts
# In the lowest frame while a game is set up: the mouse whose turn it is to be set up.
_MOUSE = W1


@apart_kernel
def _new_game(state, table, record, seed, game):
    """Set a game up as far as the first decision point (D10).

    The record must be empty, all bytes 0.  Modifies state and record.
    """
    _clear_record(state, GAME_BYTES)
    _seed_streams(state.streams, seed, game // table.replays)
    record.game = game
    state.page = table.page_start
    state.tile = table.start_tile
    state.face_up = _NONE
    state.greedy = _NONE
    state.acting = _NONE
    state.pay_cost = _NONE
    _clear_marks(record)
    party = _below(state, table.n_parties)
    for mouse in range(MICE):
        state.hero[mouse] = _NONE
        if mouse < table.n_mice:
            state.hero[mouse] = table.parties[party, mouse]
        record.party[mouse] = state.hero[mouse]
        state.space[mouse] = _NONE
        for slot in range(SLOTS):
            state.slots[mouse, slot] = EMPTY
    _build_decks(state, table, record)
    for mouse in range(table.n_mice):
        _arm(state, table, record, mouse)
    state.frame[0, STEP] = CHOOSE_ABILITY


@kernel
def _clear_marks(record):
    """Note what has not happened yet as -1.  Modifies record."""
    record.page_at_entry_kitchen = _NONE
    record.first_level_up_round = _NONE
    for place in range(ROUTE):
        record.page_at_entry[place] = _NONE
        record.round_at_entry[place] = _NONE
    for tile in range(TILES):
        record.encounter_in[tile] = _NONE
        record.mice_ahead[tile] = _NONE
    for place in range(FIRST_TRACK):
        record.first_track[place] = _NONE


@kernel
def _build_decks(state, table, record):
    """Shuffle what is left of the search cards, and the encounters (M9).

    Modifies state and record.
    """
    for card in range(table.n_cards):
        copies = table.cards[card].count
        for hero in range(table.n_heroes):
            in_party = _ZERO
            for mouse in range(MICE):
                if state.hero[mouse] == hero:
                    in_party += 1
            if in_party != 0 or table.gear_removed != 0:  # S13
                for i in range(table.heroes[hero].n_gear):
                    if table.heroes[hero].gear[i] == card:
                        copies -= 1
        for _ in range(copies):
            if state.deck_end == COPIES:
                _unknown(state, DECKS, _ZERO + card)
                return
            state.deck[state.deck_end] = card
            state.deck_end += 1
    _shuffle(state, state.deck, state.deck_first, state.deck_end)
    for place in range(min(_TOP_CARDS, state.deck_end)):
        record.top8[state.deck[place]] += 1
    for place in range(table.n_encounters):
        state.events[place] = table.encounter_deck[place]
    state.events_end = table.n_encounters
    _shuffle(state, state.events, state.events_first, state.events_end)
    record.first_e = _NONE
    if table.n_encounters > 0:
        record.first_e = state.events[0]


@kernel
def _arm(state, table, record, mouse):
    """Give a mouse its gear and cheese (M8, M12).  Modifies state and record."""
    hero = table.heroes[state.hero[mouse]]
    for i in range(hero.n_gear):
        card = hero.gear[i]
        slot = _slot_for(state, table, mouse, card)
        if slot >= 0:
            _equip(state, table, mouse, card, slot)
        else:
            _add_to_pack(state, table, mouse, card)
    _give_cheese(state, record, mouse, table.cheese_at_start)
    record.cheese_in_start += table.cheese_at_start


@kernel
def _choose_ability(state, table, record):
    """Ask for the starting ability of the next mouse (D10).  Modifies state."""
    mouse = _top(state)[_MOUSE]
    if mouse == table.n_mice:
        _part_replays(state, table, record)
        _top(state)[_MOUSE] = 0
        _go(state, PLACE_AT_START)
        return
    owned = _ZERO
    for other in range(MICE):
        owned |= state.abilities[other]
    words = table.heroes[state.hero[mouse]].words
    for ability in range(table.n_abilities):
        if _has(owned, ability) == 0 and table.abilities[ability].words & words != 0:
            _offer_one(state, START, _ZERO + ability)
    if state.n_options == 0:
        _top(state)[_MOUSE] += 1
    else:
        _ask(state, D10, mouse, TAKE_ABILITY)


@kernel
def _part_replays(state, table, record):
    """From here on a replay of a deal has decisions of its own, some have dice of their own too.

    Party, decks and starting abilities are those of the deal.  The first replay is the game that
    is played where each deal is played once.  Modifies state.
    """
    replay = record.game % table.replays
    if replay > 0:
        _part_stream(state, CHOICES, replay)
    if replay >= table.fresh_from:
        _part_stream(state, LUCK, replay)


@kernel
def _take_ability(state, record):
    """Give a mouse its starting ability.  Modifies state and record."""
    frame = _top(state)
    card = _bit(_first(state.picked))
    state.abilities[frame[_MOUSE]] |= card
    record.dealt |= card
    frame[_MOUSE] += 1
    _go(state, CHOOSE_ABILITY)


@kernel
def _place_at_start(state, table, record):
    """Ask where the next mouse begins; after the last one the game begins (M11, D6).

    Modifies state and record.
    """
    mouse = _top(state)[_MOUSE]
    if mouse < table.n_mice:
        spaces = table.start_spaces & ~state.full
        if spaces == 0:
            spaces = table.tiles[state.tile].spaces & ~state.full
        _offer_spaces(state, PLACE, spaces)
        _ask(state, D6, mouse, TAKE_START)
        return
    _note_entry(state, table, record)
    if table.start_explored == 0:
        state.explored = 0
    for kind in range(table.n_minions):
        state.to_place[kind] = table.start_minions[kind]
    _place_minions(state, table, record, _ZERO)
    state.just_placed = 0
    _new_track(state, table)
    for place in range(state.n_track):
        record.first_track[place] = state.track[place]
    record.mice_ahead[state.tile] = _mice_ahead(state)
    _go(state, NEW_ROUND)


@kernel
def _take_start(state, table):
    """Put a mouse on its first space.  Modifies state."""
    frame = _top(state)
    _put_mouse(state, table, frame[_MOUSE], _first(state.picked))
    frame[_MOUSE] += 1
    _go(state, PLACE_AT_START)
