"""New games: shuffle the pool, deal, find the starting player (R7-R13)."""

import numpy as np

from simcore.kernel_cache import cached_kernel, inline_kernel, kernel
from simcore.mindbug.masks import NONE, _columns
from simcore.mindbug.records import DEALT, DEALT_EACH, START_LIFE, START_MINDBUGS
from simcore.mindbug.state import N_TRAITS, STALE
from simcore.mindbug.zones import HAND_SIZE
from simcore.random_streams import DEAL, _random_below, _seed_streams

_OPENING_HAND = np.uint64((1 << HAND_SIZE) - 1)
_DRAW_PILE = np.uint64(((1 << DEALT_EACH) - 1) ^ ((1 << HAND_SIZE) - 1))
_BYTE = np.uint64(0xFF)
_SECOND_PLAYER = np.uint64(DEALT_EACH)


@kernel
def _new_game(state, table, seed, game, dealing):
    """Set ``state`` up as game ``game`` of a seed (modified in place).

    ``dealing`` is work space, a record of DEALING.
    """
    _clear(state)
    state.game = game
    _seed_streams(state.streams, seed, game)
    for place in range(table.pool_size):
        dealing.pool[place] = table.pool[place]
    for slot in range(DEALT):
        state.card[slot] = _draw_card(state, table, dealing, slot)
    first = _first_player(state, table, dealing)
    _set_printed(state, table, dealing, DEALT)
    state.hand[0] = _OPENING_HAND
    state.draw_pile[0] = _DRAW_PILE
    state.hand[1] = _OPENING_HAND << _SECOND_PLAYER
    state.draw_pile[1] = _DRAW_PILE << _SECOND_PLAYER
    state.drawn = state.hand[0] | state.hand[1]
    _set_table(state, first)


@inline_kernel
def _draw_card(state, table, dealing, n):
    """A random card of those left after ``n`` have been drawn (R8).  Modifies state and dealing.

    One step of the shuffle of Fisher and Yates (Durstenfeld 1964).
    """
    place = n + _random_below(state.streams, DEAL, table.pool_size - n)
    card = dealing.pool[place]
    dealing.pool[place] = dealing.pool[n]
    return card


@inline_kernel
def _set_table(state, first):
    """Life, Mindbugs and the start of the first turn (R9).  Modifies state."""
    for player in range(2):
        state.life[player] = START_LIFE
        state.mindbugs[player] = START_MINDBUGS
    state.first_player = first
    state.active = first


@inline_kernel
def _clear(state):
    """Reset what ``_set_printed`` and ``_set_table`` do not set.  Modifies state."""
    for player in range(2):
        state.discard_pile[player] = NONE
        state.play_area[player] = NONE
        state.played[player] = NONE
        state.taken[player] = NONE
    for slot in range(DEALT):
        state.object[slot] = 0
        state.turn_played[slot] = 0
        state.offers[slot] = 0
        state.thefts[slot] = 0
    state.limbo = NONE
    state.exhausted = NONE
    state.attacked = NONE
    state.modified = 0
    state.fitting = NONE
    state.chosen = NONE
    state.options = NONE
    state.attack_options = NONE
    state.defeated = NONE
    state.turn = 0
    state.effects = 0
    state.batch = 0
    state.decisions = 0
    state.attacks = 0
    state.second_attacks = 0
    state.hunts = 0
    state.blocks = 0
    state.defeats = 0
    state.tough_saves = 0
    state.decision = 0
    state.winner = -1
    state.ending = -1
    state.stale = STALE
    state.may_repeat = 0
    state.mindbugged = 0
    state.extra = 0
    state.attacker = -1
    state.blocker = -1
    state.waiting = 0
    state.queue_head = 0
    state.picks_left = -1


@inline_kernel
def _set_printed(state, table, dealing, n):
    """Printed powers and traits of the first ``n`` slots: traits become masks over slots.

    Modifies state and dealing.
    """
    for slot in range(n):
        power = table.cards[state.card[slot]].power
        state.printed[slot] = power
        state.power[slot] = power
    for first in range(0, N_TRAITS, 8):
        for slot in range(n):
            traits = table.cards[state.card[slot]].traits
            dealing.traits[slot] = np.uint8((traits >> np.uint64(first)) & _BYTE)
        _columns(state.trait, first, dealing.traits)


@inline_kernel
def _first_player(state, table, dealing):
    """Each player reveals random unused cards until the powers differ (R11, R13)."""
    drawn = DEALT
    while drawn + 2 <= table.pool_size:
        first = table.cards[_draw_card(state, table, dealing, drawn)].power
        second = table.cards[_draw_card(state, table, dealing, drawn + 1)].power
        drawn += 2
        if first != second:
            return 0 if first > second else 1
    return _random_below(state.streams, DEAL, 2)


@cached_kernel
def _place_cards(tables, seed, states, dealings, cards):
    """Give slots 0 … their cards, for a position that is set up by hand.

    Modifies states[0] and dealings[0].
    """
    state = states[0]
    _clear(state)
    _seed_streams(state.streams, seed, 0)
    for slot in range(len(cards)):
        state.card[slot] = cards[slot]
    _set_printed(state, tables[0], dealings[0], len(cards))
