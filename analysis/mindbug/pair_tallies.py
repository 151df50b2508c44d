"""Which cards were dealt together and how those games ended: counts, added up part by part.

All that `pairs` asks of a run: for any two cards, how many games there were with copies of them on
one side, and on different sides, by outcome.  Integers of a size that does not depend on the number
of games; sums of parts can be added in any order.
"""

from typing import NamedTuple

import numpy as np

from analysis.mindbug.tallies import N_OUTCOMES
from simcore.jit import cached_kernel
from simcore.mindbug.table.records import DEALT, DEALT_EACH


class PairTally(NamedTuple):
    """Counts of games; ``a.plus(b)`` are those of the games of both.

    ``counts[o, i, j]`` are the games with outcome o (player 0 won, draw, player 1 won) in which
    one slot holds i and a later slot j, over all pairs of slots; i and j are rows of the card table
    for player 0, rows plus n_cards for player 1.  Copies count: a player with two copies of one
    card and one of another has that pair twice.
    """

    counts: np.ndarray  # (3, 2 * n_cards, 2 * n_cards) int64

    def plus(self, other: "PairTally") -> "PairTally":
        """The counts of the games of both."""
        return PairTally(self.counts + other.counts)


def tally_pairs(games: np.ndarray, n_cards: int) -> PairTally:
    """Count pairs of dealt cards.

    Parameters
    ----------
    games : ndarray(GAME_RECORD), shape (n_games,)
    n_cards
        Rows of the card table that the records refer to.
    """
    counts = np.zeros((N_OUTCOMES, 2 * n_cards, 2 * n_cards), np.int64)
    _count_pairs(games, n_cards, counts)
    return PairTally(counts)


@cached_kernel
def _count_pairs(games, n_cards, counts):
    """Add the games to ``counts`` (see `PairTally`).  Modifies counts."""
    place = np.zeros(DEALT, np.int64)
    for i in range(len(games)):
        game = games[i]
        outcome = 1 if game.winner < 0 else 2 * game.winner
        for slot in range(DEALT):
            place[slot] = game.cards[slot] + n_cards * (slot // DEALT_EACH)
        for slot in range(DEALT):
            row = counts[outcome, place[slot]]
            for later in range(slot + 1, DEALT):
                row[place[later]] += 1
