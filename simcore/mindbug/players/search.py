"""The policy ``search:N``: N simulated continuations for each decision.

What the player cannot see is dealt anew, at random and in accordance with what is seen (Ginsberg
2001, "GIB: imperfect information in a computationally challenging game"); from there each option is
tried.  What follows is first chosen by what came of it in earlier simulations (``search_tree.py``)
and then, where nothing was tried yet, by the player's weights, on both sides (Tesauro and Galperin
1996, "On-line policy improvement using Monte-Carlo search").  A few turns later the position is
judged, if the game is not over.  The options share deals and luck, and half of them are given up
after each round, so that most simulations go into the best ones (sequential halving: Karnin, Koren
and Somekh 2013, "Almost optimal exploration in multi-armed bandits").

A table of a game with a searching player comes in three: the real one, and for each player the one
that the player imagines, in which both sides think with that player's weights (``seats.seat``).
"""

import numpy as np

from simcore.jit import inline_kernel, kernel
from simcore.logistic import _logistic
from simcore.mindbug.players.play_out import _play_out
from simcore.mindbug.players.position_points import _judge_position
from simcore.mindbug.players.search_tree import MAX_DEPTH, TREE, _choose_in_tree, _plant, _remember
from simcore.mindbug.rules.powers import _in_play
from simcore.mindbug.rules.turn import _perform, _take
from simcore.mindbug.table.card_table import MAX_CARDS
from simcore.mindbug.table.masks import NONE, ONE, _bit, _columns, _copy_record, _lowest
from simcore.mindbug.table.state import (
    GAME_STATE,
    MAX_OPTIONS,
    MAX_POOL,
    MAX_SLOTS,
    N_TRAITS,
    STALE,
    Phase,
)
from simcore.mindbug.table.weight_names import POSITION, place_of
from simcore.random_streams import CHOICE, _random_below, _seed_streams

_TURNS = place_of("search.turns")
_EACH_TURN = 0.001  # what a turn of waiting takes off a victory
_MANY = np.int64(1 << 32)
_BYTE = np.uint64(255)
_N_BYTES, _N_SLOTS = N_TRAITS // 8, np.int64(MAX_SLOTS)
assert GAME_STATE.fields is not None
_NOTES = np.int64(GAME_STATE.fields["has"][1])  # where what players note begins: not copied
#: Slots of the states handed to `_search`: the game, a deal that fits, a continuation.
GAME, DEAL, CONTINUATION = range(3)
N_STATES = 3

SEARCH = np.dtype(
    [
        ("options", np.int16, (MAX_OPTIONS,)),  # those still tried
        ("hidden_cards", np.uint16, (MAX_POOL,)),  # card rows that may be hidden
        ("seen", np.uint8, (MAX_CARDS,)),  # (card row) copies that lie where the player sees them
        ("n_hidden", np.int64),
        ("traits", np.uint8, (N_TRAITS // 8, MAX_SLOTS)),  # of the cards just dealt, eight by eight
        ("trait", np.uint64, (N_TRAITS,)),  # (trait) the same as masks over slots
        ("features", np.float64, (len(POSITION),)),
        *TREE,
    ],
    align=True,
)


@kernel
def _search(states, tables, work):
    """Option with the best average of its continuations.

    ``states`` are N_STATES states of which the first waits for the decision; the others and
    ``work`` are modified, and of the first only the decider's private random numbers.
    """
    game = states[GAME]
    player = game.decider
    imagined = tables[1 + player]
    turns = np.int64(imagined.weight[player, _TURNS])
    private = _random_below(game.streams, CHOICE + player, _MANY)
    _list_hidden_cards(game, imagined, player, work)
    n = game.n_options
    for option in range(n):
        work.options[option] = option
    budget = imagined.simulations[player]
    _plant(work, n, budget)
    rounds = 0
    while (1 << rounds) < n:
        rounds += 1
    dealt = 0
    while n > 1:
        for _ in range(max(budget // (rounds * n), 1)):
            _copy_record(states[DEAL], game, _NOTES)
            states[DEAL].last_turn = min(game.turn + turns, game.last_turn)
            _seed_streams(states[DEAL].streams, private, dealt)
            _deal_hidden_cards(states[DEAL], imagined, player, work)
            dealt += 1
            for place in range(n):
                _try_option(states, imagined, work, player, work.options[place])
        _sort_options(work, n)
        n = (n + 1) // 2
    for option in range(game.n_options):
        game.points[option] = work.won[option] / work.visits[option]
    return np.int64(work.options[0])


@inline_kernel
def _try_option(states, imagined, work, player, first):
    """Play one option on from a deal and count what came of it.  Modifies states and work."""
    state = states[CONTINUATION]
    _copy_record(state, states[DEAL], _NOTES)
    hidden = _hidden_slots(states[GAME], player)
    option, step, known = np.int64(first), 0, True
    work.path[0] = first
    while True:
        phase = _take(state, imagined, option)
        if not known:
            break
        while phase != Phase.PAUSE and phase != Phase.OVER:
            phase = _perform(state, imagined, phase)
        if phase == Phase.OVER:
            break
        option = np.int64(0)
        if state.n_options > 1:
            n_moves = work.n_moves
            step += 1
            option = _choose_in_tree(state, imagined, work, player, step, hidden)
            known = work.path[step] < n_moves and step < MAX_DEPTH - 1
    _play_out(state, imagined, phase)
    states[GAME].unknown = max(states[GAME].unknown, state.unknown)
    _remember(work, step, _outcome(states, imagined, work, player))


@inline_kernel
def _outcome(states, imagined, work, player):
    """The value of the end of a continuation: 1 for a win, or the odds.  Modifies states, work."""
    state = states[CONTINUATION]
    waited = _EACH_TURN * (state.turn - states[GAME].turn)  # rather now than later
    if state.winner == player:
        return 1.0 - waited
    if state.winner >= 0:
        return waited
    if state.extra == 0:  # R20 stops the game before the turn passes on
        state.active = 1 - state.active
    points = _judge_position(state, imagined, player, work.features)
    return _logistic(points)


@inline_kernel
def _sort_options(work, n):
    """Sort the options that are still tried by their averages, the best first.  Modifies work."""
    for place in range(1, n):
        option = work.options[place]
        average = work.won[option] / work.visits[option]
        before = place - 1
        while before >= 0:
            other = work.options[before]
            if work.won[other] / work.visits[other] >= average:
                break
            work.options[before + 1] = other
            before -= 1
        work.options[before + 1] = option


@inline_kernel
def _hidden_slots(state, player):
    """Slots of cards that a player does not see (R4)."""
    piles = state.draw_pile[0] | state.draw_pile[1] | state.unused
    return piles | state.hand[1 - player]


@kernel
def _list_hidden_cards(state, table, player, work):
    """The cards of the pool that the player does not see anywhere.  Modifies work."""
    for row in range(MAX_CARDS):
        work.seen[row] = 0
    visible = state.hand[player] | state.discard_pile[0] | state.discard_pile[1] | _in_play(state)
    visible |= state.limbo | state.boosts | state.set_aside
    while visible != NONE:
        slot = _lowest(visible)
        visible &= visible - ONE
        work.seen[table.cards[state.card[slot]].first_face] += 1
    n = 0
    for place in range(table.pool_size):
        row = table.pool[place]
        if work.seen[row] > 0:
            work.seen[row] -= 1
        else:
            work.hidden_cards[n] = row
            n += 1
    work.n_hidden = n


@kernel
def _deal_hidden_cards(state, table, player, work):
    """Put random cards where the player does not see them (R8, R122).  Modifies state and work."""
    hidden = _hidden_slots(state, player)
    changed = NONE
    n = 0
    while hidden != NONE and n < work.n_hidden:
        slot = _lowest(hidden)
        hidden &= hidden - ONE
        place = n + _random_below(state.streams, 0, work.n_hidden - n)
        row = work.hidden_cards[place]
        work.hidden_cards[place] = work.hidden_cards[n]
        work.hidden_cards[n] = row
        n += 1
        if state.card[slot] != row:
            state.card[slot] = row
            changed |= _bit(slot)
    if changed != NONE:
        _print_cards(state, table, changed, work)
    if hidden != NONE:
        return  # a position that was set up by hand may hold more cards than the pool
    left = state.power_deck_size - state.power_deck_next
    for i in range(left):
        here = state.power_deck_next + i
        there = here + _random_below(state.streams, 0, left - i)
        card = state.power_deck[here]
        state.power_deck[here] = state.power_deck[there]
        state.power_deck[there] = card


@inline_kernel
def _print_cards(state, table, slots, work):
    """What `_show` does for a first face, for many slots of which ``card`` is new.

    Modifies state and work.
    """
    left = slots
    while left != NONE:
        slot = _lowest(left)
        left &= left - ONE
        card = table.cards[state.card[slot]]
        state.printed[slot] = card.power
        state.power[slot] = card.power
        for byte in range(_N_BYTES):
            work.traits[byte, slot] = card.traits >> np.uint64(8 * byte)
    for byte in range(_N_BYTES):
        if (table.all_traits >> np.uint64(8 * byte)) & _BYTE == NONE:
            continue  # these masks are empty for every card of the pool
        _columns(work.trait, byte, work.traits, _N_SLOTS)
        for trait in range(8 * byte, 8 * byte + 8):
            state.trait[trait] = state.trait[trait] & ~slots | work.trait[trait] & slots
    state.evolved &= ~slots
    state.modified = 1
    state.stale = STALE
