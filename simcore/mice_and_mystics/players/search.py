"""The player ``search:N``: N simulated continuations for each decision.

The order of what lies hidden is dealt anew, at random (Ginsberg 2001, "GIB: imperfect information
in a computationally challenging game"), and so are the dice to come.  From there each of the
entries that ``learned`` likes best is tried, and the mice play on as their players would, those who
search as ``learned`` (Tesauro and Galperin 1996, "On-line policy improvement using Monte-Carlo
search").  When this round has been played, or the next one too if there are many continuations,
the position is judged (``position_points.py``), if the game is not over.

The entries share deals and dice, so that what differs is what came of them; half of them are given
up after each of several looks (sequential halving: Karnin, Koren and Somekh 2013, "Almost optimal
exploration in multi-armed bandits").  The favourite of ``learned`` stays to the end, and another
entry takes its place only where it was better by more than its error.
"""

import math

import numpy as np

from simcore.jit import apart_kernel, inline_kernel, kernel
from simcore.mice_and_mystics.players.choosing import NEVER, _choose_by_category
from simcore.mice_and_mystics.players.learned import _score_as_learned
from simcore.mice_and_mystics.players.policies import _SEARCH, _choose, _is_careless
from simcore.mice_and_mystics.players.position_points import _judge_position
from simcore.mice_and_mystics.rules.dice import _shuffle
from simcore.mice_and_mystics.rules.machine import _advance
from simcore.mice_and_mystics.table.masks import _copy_record, numbers
from simcore.mice_and_mystics.table.records import GAME_RECORD
from simcore.mice_and_mystics.table.state import CHOICES, GAME_BYTES
from simcore.mice_and_mystics.table.weight_names import N_FEATURES
from simcore.mice_and_mystics.table.words import D10, RUNNING, WIN
from simcore.random_streams import _random_below, _seed_streams

#: Rows of the states handed to `_decide`: the game, the deal that is tried, a continuation.
GAME, DEAL, CONTINUATION = range(3)
N_STATES = 3
# Entries that are tried at most.  With 100 continuations twice as many were no better in 250 games.
_MOST = numbers(4, 5)[0]
# From so many continuations on each looks a round further, which takes two to three times as long.
# In 4,000 games of chapter 1, 16 that look further won 84.1% in 42 s and 49 that do not 86.1% in
# 59 s, but 100 that do won 88.4% and 100 that do not 86.3%.
_MANY_DEALS = numbers(50, 51)[0]
# By how many of its standard errors an entry must be better than the favourite.  A game has two
# hundred decisions: without this the player loses far more games than ``learned``.
_ERRORS = 2.0
# What the differences of values are thought to vary by, and how many deals that counts as.
_USUAL_SQUARE, _USUAL_DEALS = 0.01, 4.0
_MANY = np.int64(1 << 32)
_ZERO, _ONE = numbers(2)

#: Where a search keeps its notes.
SEARCH = np.dtype(
    [
        ("record", GAME_RECORD),  # of continuations, which nobody reads
        ("features", np.float64, (N_FEATURES,)),
        ("n", np.int64),  # entries still tried
        ("entry", np.int64, (_MOST,)),  # their numbers, the favourite first
        ("rounds", np.int64),  # how many are played on before a position is judged
        ("deals", np.int64, (_MOST,)),
        ("gain", np.float64, (_MOST,)),  # sum over deals of the value, less the favourite's
        ("square", np.float64, (_MOST,)),  # sum of the squares of these differences
    ],
    align=True,
)


@inline_kernel
def _decide(states, table, works):
    """Number of the entry that the decider's player picks of two or more.

    ``states`` are N_STATES states of which the first waits for the decision, ``works`` one row of
    SEARCH.  Modifies all but the first state, and of that the stream CHOICES and the points.
    """
    state = states[GAME]
    player = table.players[state.decider]
    if player.policy == _SEARCH and state.point != D10:
        return _search(states, table, works[0], player)
    return _choose(state, table)


@apart_kernel
def _search(states, table, work, player):
    """The entry that continuations show to be best.  Modifies all but the table."""
    game, budget = states[GAME], player.number
    if _is_careless(game, player):
        return _choose_by_category(game)
    private = _random_below(game.streams, CHOICES, _MANY)
    _score_as_learned(game, table)
    _list_entries(game, work, budget)
    work.rounds = _rounds(budget)
    if work.n == 1:
        return work.entry[0]
    _hide(states)
    looks = _ZERO
    while (_ONE << looks) < work.n:
        looks += 1
    dealt = _ZERO
    while work.n > 1:
        for _ in range(max(_ONE, budget // (looks * work.n))):
            _deal_anew(states[DEAL], private, dealt)
            dealt += 1
            _try_entries(states, table, work)
        _sort_entries(work)
        if work.n == 2:
            break
        work.n = (work.n + 1) // 2
    best, most = _ZERO, 0.0
    for place in range(1, work.n):
        gain = _sure_gain(work, place)
        if gain > most:
            best, most = _ZERO + place, gain
    return work.entry[best]


@apart_kernel
def _judge_entries(states, table, work, n):
    """Give every entry as points the chance of winning after it, by so many continuations.

    The entries share deals and dice.  Modifies all but the table, of the game the stream CHOICES
    and the points.
    """
    game = states[GAME]
    private = _random_below(game.streams, CHOICES, _MANY)
    for entry in range(game.n_options):
        game.points[entry] = 0.0
    _hide(states)
    work.rounds = _rounds(n)
    for dealt in range(n):
        _deal_anew(states[DEAL], private, dealt)
        for entry in range(game.n_options):
            game.points[entry] += _try_entry(states, table, work, entry) / n


@inline_kernel
def _rounds(deals):
    """How many rounds continuations play on, this one included."""
    return _ONE if deals < _MANY_DEALS else _ONE + _ONE


@kernel
def _hide(states):
    """Let the deal be the game, but for what lies hidden: that lies in order.  Modifies states."""
    deal = states[DEAL]
    _copy_record(deal, states[GAME], GAME_BYTES)
    deal.n_scripted = 0
    _sort(deal.deck, deal.deck_first, deal.deck_end)
    _sort(deal.events, deal.events_first, deal.events_end)


@kernel
def _deal_anew(deal, private, number):
    """Deal what lies hidden anew.  Modifies deal."""
    _seed_streams(deal.streams, private, number)
    _shuffle(deal, deal.deck, deal.deck_first, deal.deck_end)
    _shuffle(deal, deal.events, deal.events_first, deal.events_end)


@kernel
def _list_entries(state, work, budget):
    """Note the entries that ``learned`` gives most points, best first.  Modifies state and work."""
    most = min(_MOST, max(budget // 2, 2))
    work.n = 0
    while work.n < most and work.n < state.n_options:
        best = _ZERO
        for i in range(1, state.n_options):
            if state.points[i] > state.points[best]:
                best = _ZERO + i
        work.entry[work.n] = best
        work.deals[work.n] = 0
        work.gain[work.n] = 0.0
        work.square[work.n] = 0.0
        work.n += 1
        state.points[best] = 2 * NEVER


@kernel
def _sort(cards, first, end):
    """Put the cards first … end - 1 in order, so that nothing hangs on how they lie.

    Modifies cards.
    """
    for place in range(first + 1, end):
        card = cards[place]
        before = place - 1
        while before >= first and cards[before] > card:
            cards[before + 1] = cards[before]
            before -= 1
        cards[before + 1] = card


@kernel
def _try_entries(states, table, work):
    """Play on after each entry and count what came of it.  Modifies states and work."""
    usual = _try_entry(states, table, work, work.entry[0])
    for place in range(1, work.n):
        gain = _try_entry(states, table, work, work.entry[place]) - usual
        work.deals[place] += 1
        work.gain[place] += gain
        work.square[place] += gain * gain


@apart_kernel
def _try_entry(states, table, work, entry):
    """The chance of winning after an entry, by one continuation.  Modifies states and work."""
    game, state = states[GAME], states[CONTINUATION]
    _copy_record(state, states[DEAL], GAME_BYTES)
    state.picked = game.options[entry]
    state.n_options = 0
    last = game.round + work.rounds
    _advance(state, table, work.record)
    while state.outcome == RUNNING and state.round < last:
        state.picked = state.options[_choose(state, table)]
        state.n_options = 0
        _advance(state, table, work.record)
    game.unknown = max(game.unknown, state.unknown)
    if state.outcome != RUNNING:
        return 1.0 if state.outcome == WIN else 0.0
    return _judge_position(state, table, table.players[game.decider].weights, work.features)


@kernel
def _sort_entries(work):
    """Sort the entries after the favourite by what came of them, best first.  Modifies work."""
    for place in range(2, work.n):
        entry, deals = work.entry[place], work.deals[place]
        gain, square = work.gain[place], work.square[place]
        before = place - 1
        while before >= 1 and work.gain[before] * deals < gain * work.deals[before]:
            work.entry[before + 1], work.deals[before + 1] = work.entry[before], work.deals[before]
            work.gain[before + 1] = work.gain[before]
            work.square[before + 1] = work.square[before]
            before -= 1
        work.entry[before + 1], work.deals[before + 1] = entry, deals
        work.gain[before + 1], work.square[before + 1] = gain, square


@inline_kernel
def _sure_gain(work, place):
    """By how much an entry was better than the favourite on average, less its error."""
    deals = work.deals[place]
    square = (work.square[place] + _USUAL_SQUARE * _USUAL_DEALS) / (deals + _USUAL_DEALS)
    return work.gain[place] / deals - _ERRORS * math.sqrt(square / deals)
