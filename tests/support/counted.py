"""The tables of some games that are in no folder."""

from collections.abc import Collection, Sequence

import numpy as np
import pandas as pd

from analysis.mindbug.counts import RunCounts
from analysis.mindbug.tables import RUN_TABLES
from card_data.mindbug.schema import Pool


def counts_of(games: np.ndarray, pool: Pool, policies: Sequence[str]) -> RunCounts:
    """What is counted of some games of a pool."""
    return RunCounts.of_no_games(pool, {"policies": policies}).count(games)


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
