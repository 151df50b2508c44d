"""The tree of a search: what came of the first moves after each option.

An information-set tree, seen by the player who searches (Cowling, Powley and Whitehouse 2012,
"Information set Monte Carlo tree search"): a node is what has been chosen since the decision, by
both players, whatever the hidden cards are; so each simulation, with its own deal, finds
other options at a node.  A move is named by what can be seen of it: a creature by its slot, a card
that was hidden by what it is.

Where the tree ends, a simulation adds one move and leaves it.  Inside, moves are chosen by what
came of them and by how often they were tried, with most trust in the one that the player's weights
choose (Rosin 2011, "Multi-armed bandits with episode context").
"""

import math

import numpy as np

from simcore.jit import inline_kernel, kernel
from simcore.mindbug.players.policies import _choose
from simcore.mindbug.table.masks import NONE, ONE, _holds, _lowest
from simcore.mindbug.table.state import MAX_OPTIONS, MAX_SLOTS, Decision, Named

MAX_MOVES = 1 << 13  # of a tree; what does not fit is played and not remembered
MAX_DEPTH = 64  # moves of a simulation
_PLACES = 2 * MAX_MOVES  # of the largest tree
_SHIFT = np.uint64(64 - (_PLACES.bit_length() - 1))
_SPREAD = np.uint64(0x9E3779B97F4A7C15)  # 2**64 / golden ratio (Knuth, TAOCP 3, 6.4)
# Trust in the move that the weights choose, and how much moves that were tried little attract.
# Measured by matches: a quarter of the curiosity is as good for 400 simulations and worse for 1600,
# four times as much is worse.
_TRUST, _CURIOSITY = 0.5, 0.5

_WORST = -1.0  # less than anything is worth


TREE = [
    ("n_moves", np.int64),
    ("places", np.int64),  # that this tree uses: a power of 2, more than it can have moves
    ("shift", np.uint64),  # that makes the number of one of them of a hash
    ("visits", np.int64, (MAX_MOVES,)),  # (move) simulations that came by
    ("won", np.float64, (MAX_MOVES,)),  # (move) sum of their values for the player who searches
    ("key", np.int64, (_PLACES,)),  # (place) move before and name of a move, 0 = free
    ("move", np.int64, (_PLACES,)),  # (place) number of that move
    ("name", np.int64, (MAX_OPTIONS,)),  # (option) of the present decision
    ("place", np.int64, (MAX_OPTIONS,)),  # (option) of the present decision
    ("path", np.int64, (MAX_DEPTH,)),  # (step) moves of the present simulation
    ("ours", np.int64, (MAX_DEPTH,)),  # (step) whether the player who searches made the move
    ("better", np.float64, (MAX_DEPTH,)),  # (step) average of the best other move, if it is better
]


@inline_kernel
def _plant(work, n_options, simulations):
    """Begin a tree: its first moves are the options of the decision.

    ``simulations`` are those asked for; each adds one move at most.  A small tree uses few places,
    which are cleared soon and stay in the nearest cache.  Modifies work.
    """
    work.places, work.shift = _PLACES, _SHIFT
    while work.places >= 8 * (n_options + simulations):
        work.places //= 2
        work.shift += ONE
    for place in range(work.places):
        work.key[place] = 0
    for move in range(n_options):
        work.visits[move] = 0
        work.won[move] = 0.0
    work.n_moves = n_options
    work.ours[0] = 1
    work.better[0] = _WORST


@inline_kernel
def _key(before, name):
    """The key of a move: the move before it and its name; above 0."""
    return np.int64((before + 1) << 32 | name)


@inline_kernel
def _find(work, before, name):
    """Place of the move called ``name`` after a move; where it would be put if there is none."""
    key = _key(before, name)
    place = np.int64((np.uint64(key) * _SPREAD) >> work.shift)
    while work.key[place] != key and work.key[place] != 0:
        place = (place + 1) & (work.places - 1)
    return place


@inline_kernel
def _name_card(state, hidden, slot):
    """A card by its slot; by what it is if it was hidden, since each deal puts it elsewhere."""
    return MAX_SLOTS + np.int64(state.card[slot]) if _holds(hidden, slot) == 1 else np.int64(slot)


@inline_kernel
def _name_options(state, hidden, work):
    """Name the options of a decision.  Modifies ``name`` of work."""
    first = np.int64(state.decision) << 20
    option = np.int64(0)
    for number in range(state.fixed_options):
        work.name[option] = first + number
        option += 1
    left = state.options
    while left != NONE:
        bit = _lowest(left)
        left &= left - ONE
        named = _name_card(state, hidden, bit) if state.named == Named.SLOT else bit
        work.name[option] = first + (1 << 16) + named
        option += 1
    if state.decision == Decision.ACTION:
        for kind in range(2):
            left = state.action_options if kind else state.attack_options
            while left != NONE:
                slot = _lowest(left)
                left &= left - ONE
                work.name[option] = first + ((2 + kind) << 16) + _name_card(state, hidden, slot)
                option += 1


@kernel
def _choose_in_tree(state, table, work, player, step, hidden):
    """Option that a simulation takes next, as its move number ``step``.

    ``player`` searches; ``hidden`` are the slots that the player did not see at the start.  A move
    that was never tried is put into the tree as its last one, if there is room.  Modifies work, and
    the notes of state.
    """
    before = work.path[step - 1]
    ours = state.decider == player
    _name_options(state, hidden, work)
    trusted = np.int64(_choose(state, table))
    tried, won = np.int64(0), 0.0
    for option in range(state.n_options):
        place = _find(work, before, work.name[option])
        work.place[option] = place
        if work.key[place] != 0:
            tried += work.visits[work.move[place]]
            won += work.won[work.move[place]]
    chosen, best, best_value = trusted, trusted, _WORST
    if tried > 0:
        usual = won / tried
        reach = _CURIOSITY * math.sqrt(tried)
        most = _WORST
        for option in range(state.n_options):
            visits, value = np.int64(0), usual if ours else 1.0 - usual
            if work.key[work.place[option]] != 0:
                move = work.move[work.place[option]]
                visits = work.visits[move]
                average = work.won[move] / visits
                value = average if ours else 1.0 - average
                if value > best_value:
                    best, best_value = np.int64(option), value
            trust = _TRUST if option == trusted else (1.0 - _TRUST) / (state.n_options - 1)
            points = value + reach * trust / (1 + visits)
            if points > most:
                chosen, most = np.int64(option), points
    work.ours[step] = np.int64(ours)
    work.better[step] = best_value if best != chosen else _WORST
    work.path[step] = _move(work, before, chosen)
    return chosen


@inline_kernel
def _move(work, before, option):
    """Number of the move that an option is, a new one if it was never tried.  Modifies work.

    MAX_MOVES if there is no room for a new one.
    """
    place = work.place[option]
    if work.key[place] != 0:
        return work.move[place]
    move = work.n_moves
    if move < MAX_MOVES:
        work.key[place] = _key(before, work.name[option])
        work.move[place] = move
        work.visits[move] = 0
        work.won[move] = 0.0
        work.n_moves += 1
    return move


@inline_kernel
def _remember(work, last, value):
    """Count what a simulation was worth for each of its moves, up to step ``last``.

    A player who tries a move out of curiosity would play the best one if it mattered: so no move is
    worth less for what was tried after it.  Modifies work.
    """
    for step in range(last, -1, -1):
        move = work.path[step]
        if move < MAX_MOVES:
            work.visits[move] += 1
            work.won[move] += value
        better = work.better[step]
        value = max(value, better) if work.ours[step] == 1 else min(value, 1.0 - better)
