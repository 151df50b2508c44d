"""What the network's own values could take off results as luck of draws (AIVAT: Burch et al. 2018).

Whenever a player draws a card, the network's value of the position with that card, less the mean of
its values over all cards that it might have been, is luck with a mean of zero, whatever the network
is.  So is its value of the opening, less the mean over all deals.  Among the games that a card is
dealt in, the mean is that over draws in accordance with it.  Coefficients come from the other half
of the games.  Run from the project's folder::

    PYTHONPATH=. .venv/bin/python tests/benchmarks/bench_network_values.py \\
        expert 20000 first_contact

for 20,000 games.  Printed is how many times as long a game takes with the values; the mean of the
luck in standard errors, and its standard deviation over the cards, which is 1 if nothing but chance
moves it from 0; and how many times as many games plain estimates take, of the win rate and of the
median card's advantage.
"""

import sys
import time

import numpy as np

from card_data.mindbug import load_pool
from simcore.jit import cached_kernel, kernel
from simcore.logistic import _logistic
from simcore.mindbug import CardTable, compile_cards
from simcore.mindbug.play.simulate import play_rows
from simcore.mindbug.players.hidden_cards import _hidden_slots, _print_cards
from simcore.mindbug.players.look_ahead import DEAL, N_STATES
from simcore.mindbug.players.network import _judge, _network_at
from simcore.mindbug.players.search import SEARCH, _consider
from simcore.mindbug.players.seats import seat
from simcore.mindbug.rules.new_game import _look_up, _new_game
from simcore.mindbug.rules.turn import _perform, _take
from simcore.mindbug.table.card_table import MAX_CARDS
from simcore.mindbug.table.masks import NONE, ONE, _bit, _copy_record, _lowest, _popcount
from simcore.mindbug.table.records import DEALT, DEALT_EACH
from simcore.mindbug.table.state import DEALING, GAME_STATE, NOTES, Phase

SEED = 11
#: Of a game: ``opening`` is the network's value of it to player 0, less one half; ``luck`` that of
#: player 0's draws less that of player 1's, and ``luck_of`` the same among the games that have the
#: card of a slot.
GAME = np.dtype(
    [
        ("won", np.float64),
        ("opening", np.float64),
        ("luck", np.float64),
        ("card", np.int64, (DEALT,)),
        ("luck_of", np.float64, (DEALT,)),
    ]
)
_DEALT_CARDS = (ONE << np.uint64(DEALT)) - ONE
_SIDES = np.repeat([1.0, -1.0], DEALT_EACH)  # whose slot it is


@kernel
def _odds(state, tables, work, player, hidden):
    """The network's log odds of a player who has not seen some slots.  Modifies work and notes."""
    table = tables[1 + player]
    return _judge(state, table, _network_at(table.network[player]), work, player, hidden)


@kernel
def _value_draw(states, tables, work, values, counts, game, player, slot, later):
    """Add the luck of one drawn card to a game.  Modifies all but tables.

    Player ``player`` has just drawn ``slot`` and, unseen so far, the slots ``later``.
    """
    state, copy = states[0], states[DEAL]
    mine = _bit(slot) | later | state.draw_pile[player]
    _count_unseen(state, tables[0], counts, mine | state.draw_pile[1 - player] | state.unused)
    _copy_record(copy, state, NOTES)
    other = _odds(copy, tables, work, 1 - player, _hidden_slots(state, 1 - player))
    hidden = _hidden_slots(state, player) | later
    n, total, drawn = 0, 0.0, state.card[slot]
    for row in range(MAX_CARDS):
        if counts[row] > 0:
            copy.card[slot] = row
            _print_cards(copy, tables[0], _bit(slot), work)
            values[row] = _logistic((_odds(copy, tables, work, player, hidden) - other) / 2)
            n += counts[row]
            total += counts[row] * values[row]
    side = 1.0 - 2 * player
    game.luck += side * (values[drawn] - total / n)
    for place in range(DEALT):
        row, copies, left = game.card[place], 0, mine
        while left != NONE:
            copies += state.card[_lowest(left)] == row
            left &= left - ONE
        of_others = (total - counts[row] * values[row]) / (n - counts[row])
        share = copies / _popcount(mine)
        mean = of_others + share * (values[row] - of_others)
        game.luck_of[place] += side * (values[drawn] - mean)


@kernel
def _count_unseen(state, table, counts, unseen):
    """How many copies of each card of the pool nobody sees but in some slots.  Modifies counts."""
    counts[:] = 0
    for place in range(table.pool_size):
        counts[table.pool[place]] += 1
    seen = state.limbo | state.boosts | state.set_aside
    for player in range(2):
        seen |= state.hand[player] | state.play_area[player] | state.discard_pile[player]
    seen &= ~unseen
    while seen != NONE:
        counts[table.cards[state.card[_lowest(seen)]].first_face] -= 1
        seen &= seen - ONE


@cached_kernel
def _measure(tables, seed, states, dealings, works, values, counts, found):
    """Play the first games of a seed and fill ``found``, (n,) of GAME.  Modifies all but tables."""
    state, table, work = states[0], tables[0], works[0]
    for i in range(len(found)):
        game = found[i]
        _new_game(state, table, seed, i, dealings[0])
        _look_up(state, table)
        for slot in range(DEALT):
            game.card[slot] = state.card[slot]
            game.luck_of[slot] = 0.0
        _copy_record(states[DEAL], state, NOTES)
        odds = _odds(states[DEAL], tables, work, 0, _hidden_slots(state, 0))
        odds -= _odds(states[DEAL], tables, work, 1, _hidden_slots(state, 1))
        game.opening, game.luck, known = _logistic(odds / 2) - 0.5, 0.0, state.drawn
        phase = Phase.START_TURN
        while phase != Phase.OVER:
            phase = _perform(state, table, phase)
            drawn = state.drawn & ~known & _DEALT_CARDS
            known |= drawn
            while drawn != NONE:
                slot = _lowest(drawn)
                drawn &= drawn - ONE
                player = slot // DEALT_EACH
                _value_draw(states, tables, work, values, counts, game, player, slot, drawn)
            if phase == Phase.PAUSE:
                phase = _take(state, table, _consider(states, tables, work))
        game.won = 0.5 if state.winner < 0 else 1.0 - state.winner


def measured(table: CardTable, player: str, n: int) -> np.ndarray:
    """Games between two equals, shape (n,) of GAME."""
    found = np.zeros(n, GAME)
    _measure(
        seat(table, (player, player)), SEED, np.zeros(N_STATES, GAME_STATE),
        np.zeros(1, DEALING), np.zeros(1, SEARCH), np.zeros(MAX_CARDS),
        np.zeros(MAX_CARDS, np.int64), found,
    )  # fmt: skip
    return found


def main() -> None:
    """Print how long it takes, whether the luck is luck, and the factors."""
    player, n, sets = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    pool = load_pool(sets)
    table = compile_cards(pool.sets, pool.modes)
    rows = seat(table, (player, player))
    measured(table, player, 1)
    play_rows(rows, seed=SEED, games=np.arange(1))
    began = time.thread_time()
    play_rows(rows, seed=SEED, games=np.arange(n))
    played = time.thread_time()
    games = measured(table, player, n)
    longer = (time.thread_time() - played) / (played - began)
    print(f"{player}, {n} games of {' + '.join(sets)}: {longer:.2f} times as long a game")
    luck, (mean, variance) = games["luck"], _means(games["luck_of"], games["card"])
    off, spread = luck.mean() * n**0.5 / luck.std(), np.std(mean / np.sqrt(variance))
    print(f"mean luck: {off:.2f} standard errors; of cards {spread:.2f}")
    for controls in (["luck"], ["opening"], ["luck", "opening"]):
        factor, factors = _factors(games, controls)
        median, least, most = np.median(factors), factors.min(), factors.max()
        name = " and ".join(controls)
        print(f"{name:16} win rate {factor:.3f}, cards {median:.3f} ({least:.3f} to {most:.3f})")


def _factors(games: np.ndarray, controls: list[str]) -> tuple[float, np.ndarray]:
    """Variance by that with controls, of the win rate and of the advantage of each card."""
    results = games["won"] - 0.5
    values = np.column_stack([games[control] for control in controls])
    weights, half = np.zeros_like(values), len(games) // 2
    for mine, other in ((slice(0, half), slice(half, None)), (slice(half, None), slice(0, half))):
        weights[mine] = np.linalg.lstsq(values[other], results[other], rcond=None)[0]
    of_slots = np.repeat(results[:, None], DEALT, axis=1)
    left = of_slots.copy()
    for control, weight in zip(controls, weights.T, strict=True):
        of_cards = games["luck_of"] if control == "luck" else games[control][:, None]
        left -= weight[:, None] * of_cards
    plain, corrected = (_means(of, games["card"])[1] for of in (of_slots, left))
    return results.var() / (results - (weights * values).sum(axis=1)).var(), plain / corrected


def _means(of_slots: np.ndarray, cards: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The mean over those dealt a card, and its variance, for each card that was dealt.

    ``of_slots`` (n, DEALT) is what it is the mean of, as player 0 sees it.
    """
    found = []
    for card in np.unique(cards):
        here = cards == card
        held, points = here.sum(axis=1), (here * of_slots * _SIDES).sum(axis=1)
        mean = points.sum() / held.sum()
        influence = (points - mean * held) / held.sum()
        found.append((mean, influence @ influence))
    means, variances = np.transpose(found)
    return means, variances


if __name__ == "__main__":
    main()
