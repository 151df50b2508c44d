"""Racing: of many candidates the few that are worth many games, by successive halving [1]_.

All candidates play a few games, the better half plays as many again, and so on.  All play the same
games, so a small sample tells much about differences.

References
----------
.. [1] K. Jamieson, A. Talwalkar, "Non-stochastic best arm identification and hyperparameter
   optimization", Proc. AISTATS 2016, 240-248.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from analysis.confidence import normal_z

#: Plays the first games of candidates: called with their numbers and how many games; by how much
#: each is better than nothing, and the standard errors of that.
Measure = Callable[[Sequence[int], int], tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]]


class Raced(NamedTuple):
    """Who is left, the best first, and how many games were played by all candidates together."""

    left: tuple[int, ...]
    games: int


def race(candidates: Sequence[int], measure: Measure, *, first: int, most: int, keep: int) -> Raced:
    """The ``keep`` best candidates, after ``first`` games each and twice as many in every round.

    Whoever is shown to be worse than nothing is out, however few are left.  No candidate plays more
    than ``most`` games.
    """
    left, games, played, in_all = list(candidates), min(first, most), 0, 0
    while len(left) > keep and games > played:
        in_all += (games - played) * len(left)
        gains, errors = measure(left, games)
        order = np.lexsort((np.arange(len(left)), -gains))
        able = [place for place in order.tolist() if gains[place] > -normal_z() * errors[place]]
        left = [left[place] for place in able[: max(keep, (len(left) + 1) // 2)]]
        played, games = games, min(2 * games, most)
    return Raced(tuple(left[:keep]), in_all)
