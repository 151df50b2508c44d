"""Every counter of the rules text, and the ledger of cheese: ``counters`` and ``cheese``."""

import numpy as np
import pandas as pd

from analysis.estimates import Estimate
from analysis.mice_and_mystics.cells import Sums, all_games, number_of, one_interval
from analysis.mice_and_mystics.counts import RunCounts
from analysis.mice_and_mystics.tallies import LEDGERS
from analysis.registry import HIGH, LOW, Table, with_interval


def counters_table(counts: RunCounts) -> pd.DataFrame:
    """One row per counter; see `COUNTERS`."""
    numbers = [one for one in counts.facts.numbers if one.is_counter]
    units = np.array([1 / counts.facts.page_end if one.name == "score" else 1 for one in numbers])
    n, s, ss = counts.sums["numbers"][:, : len(numbers), :3].sum(axis=0).astype(float).T
    sums = Sums(n, s * units, ss * units * units)
    shares = np.array([one.is_share for one in numbers])
    rates, means = sums.rate(), sums.mean()
    found = Estimate(*(np.where(shares, *pair) for pair in zip(rates, means, strict=True)))
    return pd.DataFrame(
        {
            "counter": [one.name for one in numbers],
            "n": n.astype(np.int64),
            "mean": found.estimate,
            "std_dev": sums.std_dev(),
            "ci_low": found.ci_low,
            "ci_high": found.ci_high,
        }
    )


def cheese_table(counts: RunCounts) -> pd.DataFrame:
    """One row per flow of cheese; see `CHEESE`."""
    rows = []
    n_games = int(counts.n_games.sum())
    off = counts.sums["balances"].sum(axis=0)
    for (where, sides), unbalanced in zip(LEDGERS.items(), off, strict=True):
        totals = [sum(all_games(number_of(counts, name)).s for name in side) for side in sides]
        for direction, side, total in zip(("in", "out"), sides, totals, strict=True):
            for name in side:
                sums = all_games(number_of(counts, name))
                rows.append(
                    {
                        "where": where,
                        "direction": "left" if name.endswith("_left") else direction,
                        "flow": name,
                        "n_games": n_games,
                        "total": int(sums.s),
                        **one_interval("per_game", sums.mean()),
                        "share": sums.s / total if total else np.nan,
                        "in_minus_out": int(totals[0] - totals[1]),
                        "games_unbalanced": int(unbalanced),
                    }
                )
    return CHEESE.frame(rows)


COUNTERS = Table(
    "counters",
    "One row per counter of section 29 of the rules text",
    {
        "counter": "its name in the rules text; outcomes, `first_e`, `dealt_a` and `owned_a` are 1"
        " or 0 in each game",
        "n": "games that it rests on: all, but for rooms entered those that entered the room, and"
        " for `first_level_up_round` those with one",
        "mean": "its mean",
        "std_dev": "its standard deviation over games",
        "ci_low": f"`mean`: {LOW}",
        "ci_high": f"`mean`: {HIGH}",
    },
    make=counters_table,
    numbers=("mean", "std_dev"),
)
CHEESE = Table(
    "cheese",
    "One row per flow of cheese",
    {
        "where": "the minion wheel or the mice",
        "direction": "in, out, or left at the end",
        "flow": "the counter, by its name in the rules text",
        "n_games": "number of games",
        "total": "cheese in all games",
        **with_interval("per_game", "cheese in a game, on average"),
        "share": "the share of all that came in, or of all that went out or was left",
        "in_minus_out": "what came in, minus what went out or was left, in all games: 0, or"
        " something was miscounted",
        "games_unbalanced": "games in which that difference is not 0: none, or something was"
        " miscounted",
    },
    make=cheese_table,
    numbers=("per_game",),
)
