"""How much of a result could be taken off as the luck of draws (AIVAT: Burch et al. 2018).

Whenever a player draws, the value of the position with the card drawn, less its value on average
over the cards that might have been drawn, is luck with a mean of zero.  The sum over a game is a
control variate that leaves every win rate without bias, if all values are fixed before.  Values are
found here by playing on: games from the position between two players, with all cards that neither
has drawn dealt anew.  Two players' own games give the values that no network could better; those of
other players show what is left when values are only nearly right.  Run from the project's folder::

    PYTHONPATH=. .venv/bin/python tests/benchmarks/bench_luck_of_draws.py \\
        400 40 learned/learned learned/heuristic search:4/learned

for 400 games of First Contact and 40 games from each position, between the player before the stroke
with values by the player behind it.  Printed is the share of the variance of the result that the
luck of draws explains, with the noise of the played-on games taken out, and a bootstrap interval.
"""

import sys

import numpy as np

from card_data.mindbug import load_pool
from simcore.jit import kernel, plain_kernel
from simcore.mindbug import compile_cards
from simcore.mindbug.players.hidden_cards import _print_cards
from simcore.mindbug.players.look_ahead import N_STATES
from simcore.mindbug.players.search import SEARCH, _consider
from simcore.mindbug.players.seats import seat
from simcore.mindbug.rules.new_game import _look_up, _new_game
from simcore.mindbug.rules.turn import _perform, _take
from simcore.mindbug.table.masks import NONE, ONE, _bit, _copy_record, _lowest
from simcore.mindbug.table.records import DEALT
from simcore.mindbug.table.state import DEALING, GAME_STATE, Phase
from simcore.random_streams import _random_below, _seed_streams

SEED, RESAMPLES = 11, 2000
#: Moments of a game at which somebody draws, at most; the opening hands are the first.
MOMENTS = 24
assert GAME_STATE.fields is not None
_NOTES = np.int64(GAME_STATE.fields["has"][1])


@kernel
def _deal_anew(state, table, work, hidden):
    """Deal the hidden slots anew, from all cards that lie in no other slot.  Modifies both."""
    work.seen[:] = 0
    seen = (_bit(DEALT) - ONE) & ~hidden
    while seen != NONE:
        work.seen[state.card[_lowest(seen)]] += 1
        seen &= seen - ONE
    n_hidden = 0
    for place in range(table.pool_size):
        row = table.pool[place]
        if work.seen[row] > 0:
            work.seen[row] -= 1
        else:
            state.pool[n_hidden] = row
            n_hidden += 1
    left, n = hidden, 0
    while left != NONE:
        place = n + _random_below(state.streams, 0, n_hidden - n)
        row = state.pool[place]
        state.pool[place] = state.pool[n]
        state.card[_lowest(left)] = row
        left &= left - ONE
        n += 1
    _print_cards(state, table, hidden, work)


@kernel
def _value(state, states, tables, work, hidden, n_games, key):
    """How often player 0 wins games that are played on from a decision.  Modifies states, work."""
    won = 0.0
    for i in range(n_games):
        _copy_record(states[0], state, _NOTES)
        _seed_streams(states[0].streams, key, i)
        _deal_anew(states[0], tables[0], work, hidden)
        _play_on(states, tables, work, Phase.PAUSE)
        won += 0.5 if states[0].winner < 0 else 1.0 - states[0].winner
    return won / n_games


@kernel
def _play_on(states, tables, work, phase):
    """Play a game on to its end.  Modifies states and work."""
    while phase != Phase.OVER:
        if phase == Phase.PAUSE:
            phase = _take(states[0], tables[0], _consider(states, tables, work))
        else:
            phase = _perform(states[0], tables[0], phase)


@plain_kernel
def _measure(tables, of_values, seed, games, states, more, dealings, works, n_games, values, won):
    """Values before and after each draw of each game, and who won.

    ``values`` are (n_games, MOMENTS, 2), nan where nothing is drawn any more, and ``won`` is
    (n_games,): 1 where player 0 won, 0.5 for a draw.  Modifies all from ``states`` on.
    """
    state, table, work = states[0], tables[0], works[0]
    for i in range(len(games)):
        _new_game(state, table, seed, games[i], dealings[0])
        _look_up(state, table)
        known, moment, phase = NONE, 0, Phase.START_TURN
        while phase != Phase.OVER:
            phase = _perform(state, table, phase)
            if phase != Phase.PAUSE:
                continue
            drawn = state.drawn & ~known
            if drawn != NONE and moment < MOMENTS:
                piles = state.draw_pile[0] | state.draw_pile[1]
                for after in range(2):
                    hidden = piles if after else piles | drawn
                    key = (games[i] * MOMENTS + moment) * 2 + after
                    values[i, moment, after] = _value(
                        state, more, of_values, work, hidden, n_games, key
                    )
                moment += 1
                known = state.drawn
            phase = _take(state, table, _consider(states, tables, work))
        won[i] = 0.5 if state.winner < 0 else 1.0 - state.winner


def main() -> None:
    """Print a line for each pair of players."""
    n, n_games = int(sys.argv[1]), int(sys.argv[2])
    pool = load_pool(["first_contact"])
    table = compile_cards(pool.sets, pool.modes)
    for pair in sys.argv[3:]:
        player, other = pair.split("/")
        tables, of_values = (seat(table, (one, one)) for one in (player, other))
        values, won = np.full((n, MOMENTS, 2), np.nan), np.zeros(n)
        _measure(
            tables, of_values, SEED, np.arange(n),
            np.zeros(N_STATES, GAME_STATE), np.zeros(N_STATES, GAME_STATE),
            np.zeros(1, DEALING), np.zeros(1, SEARCH), n_games, values, won,
        )  # fmt: skip
        luck = np.nansum(values[:, :, 1] - values[:, :, 0], axis=1)
        noise = np.nansum(values * (1 - values), axis=(1, 2)) / (n_games - 1)
        rng = np.random.default_rng(SEED)
        again = [rng.integers(0, n, n) for _ in range(RESAMPLES)]
        shares = [_explained(won[rows], luck[rows], noise[rows]) for rows in again]
        low, high = np.percentile(shares, [2.5, 97.5])
        found = _explained(won, luck, noise)
        print(f"{pair:22} {100 * found:5.1f}% ({100 * low:.1f} to {100 * high:.1f})", flush=True)


def _explained(won: np.ndarray, luck: np.ndarray, noise: np.ndarray) -> float:
    """The share of the variance of the results that luck explains at best."""
    covariance = np.cov(won, luck)
    of_luck = max(covariance[1, 1] - noise.mean(), 1e-9)
    return float(min(covariance[0, 1] ** 2 / (of_luck * covariance[0, 0]), 1.0))


if __name__ == "__main__":
    main()
