"""Matchups in games of two seats that each have a faction, deck or the like, and what they lead to.

The metagame is what people settle on who choose freely, know all matchups and want to win: the
mixed equilibrium of the game whose payoffs are the matchups [von Neumann 1928].
"""

import numpy as np
import pandas as pd

from analysis.confidence import confidence
from analysis.estimates import Estimate, RatioSums, estimate_rate, interval_columns
from analysis.own_games.counts import OwnCounts, holders_of, rows_of
from analysis.registry import Table, with_interval
from analysis.simultaneous import of_enough_games, together
from analysis.verdicts import changes
from simcore.own_games.run import teams_in

# Draws of a bootstrap, so many for each that lies outside of its interval, and the most.
_OUTSIDE, _MOST_DRAWS = 15, 3_000


def matchups_table(counts: OwnCounts) -> pd.DataFrame:
    """One row per pair of entries; see `MATCHUPS_TABLE`."""
    rows, kinds = rows_of(counts.manifest), _rivals(counts)
    pairs = np.array([(one, other) for places in kinds for one in places for other in places])
    if not len(pairs):
        return MATCHUPS_TABLE.frame([])
    rate, other = estimate_rate(counts.matchups()), pairs[:, 0] != pairs[:, 1]
    rate = Estimate(*(one[other] for one in rate))
    # Of both sides of a pair one says what the other does.
    joint = together(of_enough_games(rate), n=int(np.count_nonzero(rate.n)) // 2)
    facts = [
        (rows[one].kind, rows[one].id, rows[one].name, rows[against].id, rows[against].name)
        for one, against in pairs[other]
    ]
    table = pd.DataFrame(facts, columns=["kind", "id", "name", "against_id", "against"]).assign(
        n=rate.n.astype(int),
        **interval_columns("outcome", joint),
        verdict=changes(joint.ci_low - 0.5, joint.ci_high - 0.5),
    )
    return table[table["n"] > 0].reset_index(drop=True)


def _rivals(counts: OwnCounts) -> list[list[int]]:
    """`holders_of`, where what one of the two seats gains the other loses; else none."""
    games, unit = counts.of_games[0], counts.manifest["unit"]
    alone = len(teams_in(counts.manifest)) > 1
    adds_up = alone and counts.of_outcomes[0].sum() == games * unit
    return holders_of(counts.manifest) if adds_up else []


def metagame_table(counts: OwnCounts) -> pd.DataFrame:
    """One row per entry; see `METAGAME_TABLE`."""
    rows, found, first = rows_of(counts.manifest), [], 0
    sums = counts.matchups()
    for places in _rivals(counts):
        size = len(places)
        part = RatioSums(*(one[first : first + size**2] for one in sums))
        first += size**2
        rate = of_enough_games(estimate_rate(part))
        known = np.isfinite(rate.ci_low).reshape(size, size) | np.eye(size, dtype=bool)
        if size < 2 or not known.all():
            continue  # a pair has hardly met yet
        payoffs, errors = (one.reshape(size, size) for one in (rate.estimate, rate.std_err))
        shares, low, high = _settled(payoffs, errors)
        for at, place in enumerate(places):
            row = rows[place]
            told = row.kind, row.id, row.name, shares[at], low[at], high[at]
            found.append(dict(zip(METAGAME_TABLE.columns, told, strict=True)))
    return METAGAME_TABLE.frame(found)


def equilibria(payoffs: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The least and the most that each row is played in mixed equilibria, by linear programs.

    ``payoffs`` has shape (n, n): what a row has against a column, and the column the rest of 1.
    """
    ends = [
        [_one_equilibrium(payoffs, sign * row) @ row for row in np.eye(len(payoffs))]
        for sign in (1, -1)
    ]
    return np.array(ends[0]), np.array(ends[1])


def _one_equilibrium(payoffs: np.ndarray, costs: np.ndarray) -> np.ndarray:
    """The equilibrium with the least costs: no row may be ahead of it."""
    from scipy.optimize import linprog

    size = len(payoffs)
    ahead, slack = payoffs - payoffs.T, np.full(size, 1e-9)
    found = linprog(costs, A_ub=ahead, b_ub=slack, A_eq=np.ones((1, size)), b_eq=[1.0])
    return np.round(found.x, 6)


def _settled(payoffs: np.ndarray, errors: np.ndarray) -> tuple[np.ndarray, ...]:
    """The equilibrium, and the ends of its interval by a parametric bootstrap.

    Where there are several it is their middle, and the interval holds them all.
    """
    rng, size = np.random.default_rng(0), len(payoffs)
    upper, free, drawn = np.triu_indices(size, 1), np.zeros(size), []
    outside = (1 - confidence()) / 2
    for _ in range(min(round(_OUTSIDE / (2 * outside)), _MOST_DRAWS)):
        one = np.full((size, size), 0.5)
        one[upper] = rng.normal(payoffs[upper], errors[upper])
        one.T[upper] = 1 - one[upper]
        drawn.append(_one_equilibrium(one, free))
    low, high = np.quantile(drawn, [outside, 1 - outside], axis=0)
    least, most = equilibria(np.where(np.eye(size, dtype=bool), 0.5, payoffs))
    share = (least + most) / (least + most).sum()
    return share, np.minimum(low, least), np.maximum(high, most)


MATCHUPS_TABLE = Table(
    "matchups",
    "One row per pair of factions, decks or the like, of games of two seats against each other",
    {
        "kind": "the kind of both",
        "id": "the entry that one seat has",
        "name": "its name",
        "against_id": "the entry that the other seat has",
        "against": "its name",
        "n": "seats that had the one against the other",
        **with_interval("outcome", "mean outcome of the one against the other", "all pairs"),
        "verdict": "more or less than half",
    },
    make=matchups_table,
)
METAGAME_TABLE = Table(
    "metagame",
    "One row per faction, deck or the like",
    {
        "kind": "the kind",
        "id": "the entry",
        "name": "its name",
        **with_interval(
            "share",
            "how often it is chosen where all choose freely and know the matchups: the mixed"
            " equilibrium, its interval by bootstrap",
        ),
    },
    make=metagame_table,
)
