"""What `analysis` asks a game for: ``ANALYSIS`` in its module ``analysis.x.contract``."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any

import pandas as pd

from analysis.counts import Counts
from analysis.experiments.paired_sums import PairCounter
from analysis.registry import Registry
from analysis.runs import Run
from simcore import games


class Analysis(ABC):
    """How the runs of a game are opened, counted and compared.

    A game defines what is abstract here, and overrides what does not suit it.
    """

    @property
    @abstractmethod
    def tables(self) -> Registry:
        """The tables of a run, in the order in which they are best read."""

    @property
    def all_tables(self) -> Registry:
        """These and all that something else than ``analyze`` makes, such as a comparison."""
        return self.tables

    def open(self, run: Run) -> Run:
        """The run as an object with what only runs of this game have.

        Raises RunError for a manifest that the game cannot read.
        """
        return run

    @abstractmethod
    def nothing(self, run: Run) -> Counts:
        """The counts of no games of a run, with the facts of the run that its tables need."""

    def check_players(self, _run: Run) -> None:
        """Raise RunError when a player of a run no longer exists, or plays differently now."""
        return

    def differing_player(self, _one: Mapping[str, Any], _other: Mapping[str, Any]) -> str:
        """Who plays differently in two manifests under the same name, and how.

        As in "different weights of learned"; empty if nobody does.
        """
        return ""

    @abstractmethod
    def pair_counter(self, base: Run, variant: Run) -> PairCounter:
        """What counts the games of two runs side by side, for a comparison."""

    def main_lines(self, table: pd.DataFrame) -> "pd.Series[bool]":
        """Which lines of a comparison come first."""
        return table["kind"] != ""


def analysis_of(game: str) -> Analysis:
    """What `analysis` knows of a game.  Raises UnknownGameError."""
    found: Analysis = games.find(game, "analysis")
    return found
