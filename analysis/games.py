"""What `analysis` asks a game for: ``ANALYSIS`` in its module ``analysis.x.contract``."""

import sys
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np
import pandas as pd

from analysis import registry
from analysis.experiments.paired_sums import PairCounter
from analysis.playtests import Facts
from analysis.registry import Registry
from analysis.runs import Run
from simcore import games
from simcore.own_code import is_own
from simcore.sealed import RunError

if TYPE_CHECKING:
    from analysis.story_games import Judge, Judges


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

    def restate(
        self, tables: Mapping[str, pd.DataFrame], until: Mapping[str, Any], /
    ) -> dict[str, pd.DataFrame]:
        """The tables with the intervals that the stopping rule promised which ended the run.

        ``until`` is what the manifest says of it.
        """


class Analysis(ABC):
    """How the runs of a game are opened, counted and compared.

    A game defines what is abstract here, and overrides what does not suit it.
    """

    #: The title of its column dictionary, and the letters of the rules that are cited there.
    columns_title, letters = "Columns", ""

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

    def fingerprints(self, _players: Sequence[str]) -> Mapping[str, str]:
        """A digest of the weights of each player who has some, as a manifest's ``weights`` has it.

        Raises ValueError for a player who is not there any more.
        """
        return {}

    def check_players(self, run: Run) -> None:
        """Raise RunError when a player of a run no longer exists, or has other weights now."""
        try:
            now = self.fingerprints(run.manifest["policies"])
        except ValueError as error:
            raise RunError(f"the players of {run.folder} are not there any more: {error}") from None
        if player := _other_weights(run.manifest, {"weights": now}):
            raise RunError(
                f"{run.folder} was played with {_other(player)} now; put back what it was played"
                " with, or play the run again into a new folder"
            )

    def differing_player(self, one: Mapping[str, Any], other: Mapping[str, Any]) -> str:
        """Who plays differently in two manifests under the same name, and how.

        As in "different weights of learned"; empty if nobody does.
        """
        player = _other_weights(one, other)
        what = "versions" if is_own(player) else "weights"
        return f"different {what} of {player}" if player else ""

    @abstractmethod
    def pair_counter(self, base: Run, variant: Run) -> PairCounter:
        """What counts the games of two runs side by side, for a comparison."""

    def compared(self, _base: Run, _variant: Run) -> dict[str, pd.DataFrame]:
        """Tables of a comparison that come from the tables of both runs and not from their games.

        Raises RunError for a table that cannot be read.
        """
        return {}

    def card_games(self, run: Run, _games: np.ndarray) -> pd.DataFrame:
        """The table ``card_games`` of some games of a run: a row for each game, player and card.

        Every column is a plain number, text or truth value.  Raises RunError where the game has no
        such table, or the run cannot be read.
        """
        raise RunError(f"{run.folder}: {run.game.title} has no table card_games")

    def facts(self, manifest: Mapping[str, Any], _games: np.ndarray) -> Facts:
        """What people could have noted of some games that were played by a manifest.

        Raises RunError where the game does not say that.
        """
        raise RunError(f"games of {manifest['game']} have no figures for playtests")

    @property
    def judges(self) -> "Judges":
        """What makes the judge of games (`analysis.story_games.Judge`): a function of a module.

        Raises RunError where nobody judges the game.
        """
        raise RunError("this game has nobody who judges its decisions, so it has no story")

    def judge_in(self, _run: Run, _game: int) -> "Judge | None":
        """The judge of a game of a run, None where there is none."""
        return None

    def main_lines(self, table: pd.DataFrame) -> "pd.Series[bool]":
        """Which lines of a comparison come first."""
        return table["kind"] != ""


def _other(player: str) -> str:
    """What a player has changed in, who is known by the same name as before."""
    if is_own(player):
        return f"another version of {player} than there is"
    return f"other weights of {player} than there are"


def _other_weights(one: Mapping[str, Any], other: Mapping[str, Any]) -> str:
    """A player who has other weights in one manifest than in another; empty if there is none.

    Runs of older versions do not record their weights, so these cannot be compared.
    """
    weights, others = one.get("weights", {}), other.get("weights", {})
    differing = [who for who in weights if who in others and weights[who] != others[who]]
    return differing[0] if differing else ""


def analysis_of(game: str) -> Analysis:
    """What `analysis` knows of a game.  Raises UnknownGameError."""
    found: Analysis = games.find(game, "analysis")
    return found


def columns_page(game: str) -> str:
    """The column dictionary of a game, which ``python -m analysis.games GAME`` prints."""
    title, letters = analysis_of(game).columns_title, analysis_of(game).letters
    module, tables = f"analysis.games {game}", analysis_of(game).all_tables
    return registry.columns_page(tables, title=title, module=module, letters=letters)


if __name__ == "__main__":
    print(columns_page(*sys.argv[1:]), end="")
