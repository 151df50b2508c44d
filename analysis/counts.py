"""What is counted of the games of a run: `Counts`, which each game has in its own way."""

from collections.abc import Mapping
from typing import Protocol, Self

import numpy as np
import pandas as pd


class Counts(Protocol):
    """What is counted of some games of a run, and the facts of the run that its tables need.

    Counts are never changed, and their size does not grow with the number of games.
    """

    @property
    def sums(self) -> Mapping[str, np.ndarray]:
        """All that was counted, as arrays of int64 by name."""

    def of_sums(self, sums: Mapping[str, np.ndarray]) -> Self:
        """These facts with other counts, as `sums` gives them."""

    def count(self, games: np.ndarray) -> Self:
        """These counts with those of more games, an array of the game's records."""

    def __add__(self, other: Self) -> Self:
        """The counts of the games of both."""

    def restate(self, tables: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
        """The tables with the intervals that a stopping rule promised, where one ended the run."""
