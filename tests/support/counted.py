"""The tables of some games that are in no folder."""

from collections.abc import Callable, Collection, Sequence
from typing import Any

import numpy as np
import pandas as pd

from analysis.mindbug.counts import RunCounts
from analysis.mindbug.tables import RUN_TABLES
from card_data.mindbug.schema import Pool


def counts_of(games: np.ndarray, pool: Pool, policies: Sequence[str]) -> RunCounts:
    """What is counted of some games of a pool."""
    return RunCounts.of_no_games(pool, {"policies": policies}).count(games)


def check_adding_up(tally: Callable[[np.ndarray], Any], games: np.ndarray) -> None:
    """Tallies of parts add up to the tally of the whole, wherever it is cut."""
    whole = tally(games)
    for cuts in ([1], [100, 101, 399], []):
        *parts, total = (tally(part) for part in np.split(games, cuts))
        for part in parts:
            total = part + total
        for name, values in vars(whole).items():
            np.testing.assert_array_equal(vars(total)[name], values)


def tables_of(
    games: np.ndarray, pool: Pool, policies: Sequence[str], names: Collection[str] = RUN_TABLES
) -> dict[str, pd.DataFrame]:
    """Tables of a run of some games of a pool, all unless some are named."""
    counts = counts_of(games, pool, policies)
    return {
        name: table.make(counts)
        for name, table in RUN_TABLES.items()
        if table.make and name in names
    }
