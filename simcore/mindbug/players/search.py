"""The policy ``search:N``: N simulated continuations for each decision.

What the player cannot see is dealt anew, at random and in accordance with what is seen (Ginsberg
2001, "GIB: imperfect information in a computationally challenging game"); from there each option is
tried.  What follows is first chosen by what came of it in earlier simulations (``search_tree.py``)
and then, where nothing was tried yet, by the player's weights, on both sides (Tesauro and Galperin
1996, "On-line policy improvement using Monte-Carlo search").  A few turns later the position is
judged, if the game is not over.  The options share deals and luck, and half of them are given up
after each round, so that most simulations go into the best ones (sequential halving: Karnin, Koren
and Somekh 2013, "Almost optimal exploration in multi-armed bandits").

A player with a network looks first as ``expert`` does (``look_ahead.py``): what that finds counts
like a few simulations of each option, and where there are too few for all, the best are tried
(as Danihelka and others 2022 begin, "Policy improvement by planning with Gumbel").

A table of a game with a searching player comes in three: the real one, and for each player the one
that the player imagines, in which both sides think with that player's weights (``seats.seat``).
"""

import numpy as np

from simcore.jit import inline_kernel, kernel
from simcore.logistic import _logistic
from simcore.mindbug.players.hidden_cards import (
    HIDDEN_CARDS,
    _deal_hidden_cards,
    _hidden_slots,
    _list_hidden_cards,
)
from simcore.mindbug.players.look_ahead import (
    DEAL,
    GAME,
    LOOK_AHEAD,
    N_STATES,
    _copy_state,
    _look,
    _look_ahead,
)
from simcore.mindbug.players.network import _judge, _network_at
from simcore.mindbug.players.play_out import _play_out
from simcore.mindbug.players.policies import _choose, _choose_carelessly, _errs
from simcore.mindbug.players.position_points import _judge_position
from simcore.mindbug.players.registry import LEVELS
from simcore.mindbug.players.search_tree import MAX_DEPTH, TREE, _choose_in_tree, _plant, _remember
from simcore.mindbug.rules.turn import _pass_turn, _perform, _take
from simcore.mindbug.rules.unused_pile import _shuffle_pile
from simcore.mindbug.table.masks import NONE
from simcore.mindbug.table.state import MAX_OPTIONS, Phase
from simcore.mindbug.table.weight_names import POSITION, place_of
from simcore.random_streams import CHOICE, _random_below, _seed_streams

_TURNS = place_of("search.turns")
_EACH_TURN = 0.001  # what a turn of waiting takes off a victory
_MANY = np.int64(1 << 32)
#: How many simulations the first look is worth, and how many each option has that is tried.  By
#: matches 2 to 16 and 4 to 8 are as good; without the look 16 simulations lose to ``expert``.
_TRUST, _EACH = 4, 8
#: Slot of the states handed to `_search`, behind those of the game and of a deal that fits.
CONTINUATION = 2
assert CONTINUATION < N_STATES

SEARCH = np.dtype(
    [
        ("options", np.int16, (MAX_OPTIONS,)),  # those still tried
        ("features", np.float64, (len(POSITION),)),
        *HIDDEN_CARDS,
        *LOOK_AHEAD,
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
    _list_hidden_cards(game, imagined, player, work, states[DEAL])
    n = game.n_options
    for option in range(n):
        work.options[option] = option
    budget, dealt = imagined.simulations[player], 0
    _plant(work, n, budget)
    if imagined.network[player] != NONE:
        _look(states, imagined, work, player, private, np.int64(LEVELS))
        for option in range(n):
            work.visits[option] = _TRUST
            work.won[option] = _TRUST * _logistic(game.points[option])
        _sort_options(work, n)
        n = min(n, max(budget // _EACH, 2))
        dealt = 1
    rounds = 0
    while (1 << rounds) < n:
        rounds += 1
    while n > 1:
        for _ in range(max(budget // (rounds * n), 1)):
            _copy_state(states[DEAL], game)
            states[DEAL].last_turn = min(game.turn + turns, game.last_turn)
            _seed_streams(states[DEAL].streams, private, dealt)
            _deal_hidden_cards(states[DEAL], imagined, player, work)
            dealt += 1
            for place in range(n):
                _try_option(states, imagined, work, player, work.options[place])
            _shuffle_pile(states[DEAL])  # the next deal goes on from there
        _sort_options(work, n)
        n = (n + 1) // 2
    for option in range(game.n_options):
        game.points[option] = work.won[option] / work.visits[option]
    return np.int64(work.options[0])


@inline_kernel
def _try_option(states, imagined, work, player, first):
    """Play one option on from a deal and count what came of it.  Modifies states and work."""
    state = states[CONTINUATION]
    _copy_state(state, states[DEAL])
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
    if imagined.network[player] != NONE:  # which judges where the turn ends
        state.last_turn = min(state.turn, state.last_turn)
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
    _pass_turn(state)  # R20 stops the game before
    if imagined.network[player] == NONE:
        return _logistic(_judge_position(state, imagined, player, work.features))
    network = _network_at(imagined.network[player])
    hidden = _hidden_slots(states[GAME], player)
    return _logistic(_judge(state, imagined, network, work, player, hidden))


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


@kernel
def _consider(states, tables, work):
    """Option that the decider, who may search, chooses among those that are left.

    Modifies states and work.
    """
    state, table = states[0], tables[0]
    if state.n_options == 1:
        return 0
    simulations, levels = table.simulations[state.decider], table.levels[state.decider]
    if simulations == 0 and levels == 0:
        return _choose(state, table)
    if _errs(state, table):
        return _choose_carelessly(state)
    if levels > 0:
        return _look_ahead(states, tables, work)
    return _search(states, tables, work)
