"""A new game: cards dealt, life, Mindbugs and power cards laid out (R7-R13)."""

import numpy as np

from simcore.jit import _general, apart_kernel, cached_kernel, inline_kernel
from simcore.mindbug.rules.call_stack import FRESH
from simcore.mindbug.rules.deal import _first_player, _set_printed
from simcore.mindbug.rules.power_cards import _lay_out_power_cards, _look_up_power_cards
from simcore.mindbug.rules.unused_pile import _lay_unused_pile, _look_up_unused, _take_card
from simcore.mindbug.table.masks import NONE, ONE, _bit
from simcore.mindbug.table.records import DEALT, DEALT_EACH
from simcore.mindbug.table.state import MAX_SLOTS, N_KEYWORDS, STALE
from simcore.random_streams import (
    CHANCE,
    CHOICE,
    DEAL,
    _below,
    _next_numbers,
    _random_below,
    _seed_streams,
)

#: Game i + k * REPLAY is replay k of game i (`_vary`); games themselves have lower numbers.
REPLAY = 1 << 52
# What a replay does not share with its game: what the players choose, chance too, or the order of
# the cards as well.  Replays 1, 2 and 3 are of these kinds, 4, 5 and 6 again, and so on.
_FRESH_CHOICES, _FRESH_ORDER, _N_KINDS = 0, 2, 3

_SECOND_PLAYER = np.uint64(DEALT_EACH)
_DEALT_CARDS = np.uint64((1 << DEALT_EACH) - 1)


@apart_kernel
def _new_game(state, table, seed, game, dealing):
    """Set ``state`` up as game ``game`` of a seed (modified in place).

    ``dealing`` is work space, a record of DEALING.
    """
    _clear(state)
    state.game = game
    _seed_streams(state.streams, seed, game % REPLAY)
    for place in range(table.pool_size):
        state.pool[place] = table.pool[place]
    pool_size = table.pool_size
    _next_numbers(state.streams, DEAL, dealing.number, DEALT)
    for slot in range(DEALT):
        place = _below(dealing.number[slot], pool_size - slot)
        state.card[slot] = _take_card(state, slot, place)
    first, taken = _first_player(state, table)
    if game >= REPLAY:
        _vary(state, seed, game)
    if _general() and table.uses_unused_pile:
        _lay_unused_pile(state, table, taken)
    _set_printed(state, table, dealing, DEALT)
    hand = _bit(table.hand_size) - ONE
    state.hand[0] = hand
    state.draw_pile[0] = _DEALT_CARDS ^ hand
    state.hand[1] = hand << _SECOND_PLAYER
    state.draw_pile[1] = state.draw_pile[0] << _SECOND_PLAYER
    state.drawn = state.hand[0] | state.hand[1]
    _set_table(state, table, first)


@apart_kernel
def _vary(state, seed, game):
    """Give a replay random numbers of its own, as far as it does not share those of its game.

    The players' private ones are always its own.  A replay with fresh chance has dice and random
    cards of its own as well, and one with fresh order also shuffles the ten cards of each player:
    they and who starts stay.  Modifies state.
    """
    kind = (game // REPLAY - 1) % _N_KINDS
    if kind == _FRESH_CHOICES:
        _seed_streams(state.streams[CHOICE:], seed, game)
        return
    _seed_streams(state.streams[CHANCE:], seed, game)
    if kind == _FRESH_ORDER:
        for n in range(DEALT_EACH, 1, -1):
            for player in range(2):
                last = player * DEALT_EACH + n - 1
                other = player * DEALT_EACH + _random_below(state.streams, CHANCE, n)
                card = state.card[last]
                state.card[last] = state.card[other]
                state.card[other] = card


@inline_kernel
def _look_up(state, table):
    """Look every card up that lies face down, for who wants to see or to imagine it.

    Modifies state.
    """
    _look_up_unused(state, table)
    _look_up_power_cards(state)


@inline_kernel
def _set_table(state, table, first):
    """Life, Mindbugs, power cards and the start of the first turn (R9, R10).  Modifies state."""
    for player in range(2):
        state.life[player] = table.life
        state.mindbugs[player] = table.mindbugs
    state.first_player = first
    state.active = first
    state.last_turn = table.turn_cap
    if _general() and table.n_power_cards > 0:
        _lay_out_power_cards(state, table)


@inline_kernel
def _clear(state):
    """Reset what ``_set_printed`` and ``_set_table`` do not set.  Modifies state."""
    _clear_cards(state)
    state.modified = 0
    state.turn = 0
    state.effects = 0
    state.batch = 0
    state.decision = 0
    state.this_turn = 0
    state.fought = 0
    state.owed = 0
    state.n_turn_rules = 0
    state.may_repeat = 0
    state.mindbugged = 0
    state.extra = 0
    state.waiting = 0
    state.queue_head = 0
    state.n_forced = 0
    state.attacks_open = 0
    state.depth = 0
    state.stage = FRESH
    state.done = 0
    state.discarded = 0
    state.keyword_named = -1
    state.plain_dice = NONE
    state.power_deck_next = 0
    state.power_deck_size = 0
    state.power_deck_known = 0
    state.winner = -1
    state.ending = -1
    state.stale = STALE
    state.attacker = -1
    state.blocker = -1
    state.picks_left = -1
    state.repeats = -1
    _clear_counts(state)


@inline_kernel
def _clear_cards(state):
    """Empty all zones and marks.  Modifies state."""
    for player in range(2):
        state.discard_pile[player] = NONE
        state.play_area[player] = NONE
        state.set_aside_from[player] = NONE
        state.energy[player] = 0
    for k in range(N_KEYWORDS):
        state.turn_keyword[k] = NONE
        state.turn_gives[k] = NONE
    for slot in range(MAX_SLOTS):
        state.object[slot] = 0
    state.at_work_in_piles = NONE
    state.limbo = NONE
    state.unused = NONE
    state.face_down = NONE
    state.dealt_at = NONE
    state.boosts = NONE
    state.set_aside = NONE
    state.fallen = NONE
    state.exhausted = NONE
    state.attacked = NONE
    state.blocked = NONE
    state.victors = NONE
    state.undefeatable = NONE
    state.no_block = NONE
    state.no_attack = NONE
    state.grown = NONE
    state.more_dice[0] = NONE
    state.more_dice[1] = NONE
    state.evolved = NONE
    state.turned = NONE
    state.fitting = NONE
    state.chosen = NONE
    state.gathered = NONE
    state.options = NONE
    state.attack_options = NONE
    state.action_options = NONE
    state.display = NONE
    state.power_discard = NONE
    state.bought = NONE


@inline_kernel
def _clear_counts(state):
    """Begin to count for the record of the game.  Modifies state."""
    for player in range(2):
        state.played[player] = NONE
        state.taken[player] = NONE
        state.energy_gained[player] = 0
        state.power_bought[player] = NONE
    for slot in range(DEALT):
        state.turn_played[slot] = 0
        state.offers[slot] = 0
        state.thefts[slot] = 0
        state.best_stage[slot] = 0
    for face in range(len(state.rolled)):
        state.rolled[face] = 0
    state.defeated = NONE
    state.decisions = 0
    state.attacks = 0
    state.second_attacks = 0
    state.hunts = 0
    state.blocks = 0
    state.defeats = 0
    state.tough_saves = 0
    state.actions = 0
    state.boosted = 0
    state.open_points = 0


@cached_kernel
def _place_cards(tables, seed, states, dealings, cards):
    """Give slots 0 … their cards, for a position that is set up by hand.

    Modifies states[0] and dealings[0].
    """
    state = states[0]
    _clear(state)
    state.last_turn = tables[0].turn_cap
    _seed_streams(state.streams, seed, 0)
    for slot in range(len(cards)):
        state.card[slot] = cards[slot]
    _set_printed(state, tables[0], dealings[0], len(cards))
