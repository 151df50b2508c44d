"""The policy ``expert``: every choice is played to the end of the turn, and a network judges.

What the player cannot see is dealt anew, at random, and luck falls at random.  From there each
option is tried; where the opponent decides next, what is worst for the player follows (minimax;
what cannot change the choice is left out, Knuth and Moore 1975, "An analysis of alpha-beta
pruning").  Other choices are those of the player's weights.  Where the turn action ends, the
network judges (``network.py``).

Late in a game, when nothing is hidden and few cards are left, every choice of both players is tried
for some turns, unless these are too many.
"""

import numpy as np

from simcore.jit import inline_kernel, kernel
from simcore.mindbug.players.hidden_cards import (
    _deal_hidden_cards,
    _hidden_slots,
    _list_hidden_cards,
)
from simcore.mindbug.players.network import WIDTH, _judge, _network_at
from simcore.mindbug.players.policies import _choose
from simcore.mindbug.players.position_features import MAX_ACTIVE
from simcore.mindbug.rules.turn import _perform, _take
from simcore.mindbug.table.masks import NONE, _copy_record, _copy_words, _popcount
from simcore.mindbug.table.state import MOSTLY_EMPTY, NOTES, Phase
from simcore.random_streams import CHANCE, CHOICE, _random_below, _seed_streams

#: Slots of the states that are work space: the game, a deal that fits, what follows it.
GAME, DEAL = 0, 1
#: Choices one after another that are tried late in a game, and turns; with how many cards in sight,
#: and how many positions may be judged.  More solves more puzzles and takes longer: without it
#: ``expert`` plays 1.1 times as many games a second.
MAX_LEVELS, _LATE_TURNS, _LATE_CARDS, _LATE_BUDGET = 6, 4, 4, 40
N_STATES = DEAL + MAX_LEVELS + 1
_MANY = np.int64(1 << 32)
WIN = 100.0  # log odds of a victory
_EACH_TURN = 0.01  # what a turn of waiting takes off a victory

LOOK_AHEAD = [
    ("active", np.int32, (MAX_ACTIVE,)),  # features of the position that is judged
    ("sums", np.int16, (WIDTH,)),
    ("exact", np.int64),  # 1 if all choices of both players are tried
    ("horizon", np.int64),  # turn before which positions are judged
    ("luck", np.uint64),  # counter of the random numbers of chance, at first
    ("budget", np.int64),  # positions that may still be judged
    ("first", np.int64, (MAX_LEVELS,)),  # (level) the option to try first
    ("tried", np.int64, (MAX_LEVELS,)),  # (level) options tried
    ("mine", np.int64, (MAX_LEVELS,)),  # (level) whether the player decides
    ("best", np.float64, (MAX_LEVELS,)),  # (level) value of the best option so far
    ("low", np.float64, (MAX_LEVELS,)),  # (level) the player has at least this elsewhere
    ("high", np.float64, (MAX_LEVELS,)),  # (level) the opponent allows at most this elsewhere
]


@inline_kernel
def _copy_state(target, source):
    """Copy a state, but for what players note and what is empty.  Modifies target."""
    nested = source.depth | source.n_forced | source.attacks_open
    filled = nested | source.waiting | source.n_turn_rules
    _copy_record(target, source, NOTES if filled else MOSTLY_EMPTY)


@inline_kernel
def _enter(work, level, first, mine, low, high):
    """Begin to try the options of a choice, ``first`` before the others.  Modifies work."""
    work.first[level] = first
    work.tried[level] = 0
    work.mine[level] = np.int64(mine)
    work.best[level] = -2.0 * WIN if mine else 2.0 * WIN
    work.low[level] = low
    work.high[level] = high


@inline_kernel
def _present(work, level):
    """The option to try now."""
    n, first = work.tried[level], work.first[level]
    return first if n == 0 else (n - 1 if n <= first else n)


@inline_kernel
def _ends(state, work, phase):
    """Whether the present position is judged instead of being played on.

    That is where the turn action has ended, or in an exact look ahead the last turn of it; also
    where luck has decided something, since it will not fall that way again.
    """
    if phase == Phase.START_TURN:
        return state.turn + 1 >= work.horizon or state.streams[CHANCE, 0] != work.luck
    return phase == Phase.ACTION and work.exact == 0


@inline_kernel
def _advance(state, table, work, player, option, branches):
    """Play an option to the next choice that is tried, PAUSE, or to where a position is judged.

    The phase there.  Other choices are those of the player's weights: all if not ``branches``, and
    unless the look ahead is exact the player's own.  Modifies state.
    """
    while True:
        phase = _take(state, table, option)
        while phase != Phase.PAUSE and phase != Phase.OVER and not _ends(state, work, phase):
            phase = _perform(state, table, phase)
        if phase != Phase.PAUSE:
            return phase
        option = np.int64(0)
        if state.n_options > 1:
            if branches and (work.exact == 1 or state.decider != player):
                return phase
            option = _choose(state, table)


@kernel
def _try_options(states, table, network, work, player, favourite, levels, hidden):
    """Value of each option of a decision for the player, in log odds: fills its ``points``.

    ``states[DEAL]`` waits for the decision, with everything hidden dealt; those behind it are work
    space.  ``favourite`` is tried first.  An option that is not the best may count too much.
    Returns the best one, -1 if more positions would have to be judged than ``work.budget``.
    """
    root = states[DEAL]
    start = root.turn
    level, chosen = 0, np.int64(0)
    _enter(work, 0, favourite, True, -2.0 * WIN, 2.0 * WIN)
    while True:
        if work.tried[level] == states[DEAL + level].n_options or (
            work.low[level] >= work.high[level]
        ):
            value = work.best[level]
            if level == 0:
                return chosen
            level -= 1
        else:
            state = states[DEAL + level + 1]
            _copy_state(state, states[DEAL + level])
            option, branches = _present(work, level), level + 1 < levels
            phase = _advance(state, table, work, player, option, branches)
            if phase == Phase.PAUSE:
                mine, present = state.decider == player, level
                level += 1
                low, high = work.low[present], work.high[present]
                _enter(work, level, _choose(state, table), mine, low, high)
                continue
            root.unknown = max(root.unknown, state.unknown)
            if work.budget == 0:
                return np.int64(-1)
            work.budget -= 1
            value = _value(state, table, network, work, player, hidden, start, phase)
        option = _present(work, level)
        work.tried[level] += 1
        if level == 0:
            root.points[option] = value
            if value > work.best[0]:
                chosen = option
        if work.mine[level]:
            work.best[level] = max(work.best[level], value)
            work.low[level] = max(work.low[level], value)
        else:
            work.best[level] = min(work.best[level], value)
            work.high[level] = min(work.high[level], value)


@inline_kernel
def _value(state, table, network, work, player, hidden, start, phase):
    """Value of a position between two turn actions.  Modifies work and the notes of state."""
    if phase != Phase.OVER:
        return _judge(state, table, network, work, player, hidden)
    waited = _EACH_TURN * (state.turn - start)
    if state.winner < 0:
        return 0.0
    return WIN - waited if state.winner == player else waited - WIN


@kernel
def _look_ahead(states, tables, work):
    """Option that is best at the end of the turn, or of some turns, for the player who decides.

    ``states`` are N_STATES states of which the first waits for the decision; ``tables`` are the
    real one and for each player the one that they imagine.  Modifies the other states and ``work``,
    and of the first the decider's private random numbers and notes.
    """
    game, deal = states[GAME], states[DEAL]
    player = game.decider
    imagined = tables[1 + player]
    private = _random_below(game.streams, CHOICE + player, _MANY)
    _list_hidden_cards(game, imagined, player, work, deal)
    return _look(states, imagined, work, player, private, imagined.levels[player])


@kernel
def _look(states, imagined, work, player, private, levels):
    """Option that is best where what is hidden, which is listed, is dealt anew by ``private``.

    Fills the ``points`` of the game with values in log odds.  Modifies the other states and work.
    """
    game, deal = states[GAME], states[DEAL]
    _copy_state(deal, game)
    _seed_streams(deal.streams, private, 0)
    _deal_hidden_cards(deal, imagined, player, work)
    network = _network_at(imagined.network[player])
    hidden = _hidden_slots(game, player)
    work.exact, work.budget = 0, _MANY
    work.horizon, work.luck = game.turn, deal.streams[CHANCE, 0]
    first = _choose(deal, imagined)
    best = _try_options(states, imagined, network, work, player, first, levels, hidden)
    _copy_words(game.points, deal.points)
    left = game.play_area[0] | game.play_area[1] | game.hand[player]
    if hidden & ~game.unused == NONE and _popcount(left) <= _LATE_CARDS:
        work.exact, work.budget = 1, _LATE_BUDGET
        work.horizon = game.turn + _LATE_TURNS
        late = _try_options(states, imagined, network, work, player, best, MAX_LEVELS, hidden)
        if late >= 0:
            best = late
            _copy_words(game.points, deal.points)
    game.unknown = max(game.unknown, deal.unknown)
    return best
