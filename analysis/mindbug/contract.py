"""Mindbug's side of the contract: what the shared code of `analysis` asks of it."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from analysis import runs
from analysis.games import Analysis
from analysis.mindbug.counts import RunCounts
from analysis.mindbug.game_records import card_games
from analysis.mindbug.paired_sums import PairCounter
from analysis.mindbug.runs import Run, pool_of
from analysis.playtests import Facts, plain_numbers
from analysis.registry import Registry
from simcore.mindbug.players.seats import fingerprints
from simcore.mindbug.table.records import DEALT, DEALT_EACH, SEATS

if TYPE_CHECKING:
    from analysis.story_games import Judge, Judges


class _Mindbug(Analysis):
    letters = "R"

    @property
    def tables(self) -> Registry:
        from analysis.mindbug.tables import RUN_TABLES

        return RUN_TABLES

    @property
    def all_tables(self) -> Registry:
        from analysis.mindbug.registry import TABLES

        return TABLES

    def open(self, run: runs.Run) -> Run:
        return Run(run.folder, run.manifest)

    def nothing(self, run: runs.Run) -> RunCounts:
        return RunCounts.of_no_games(self.open(run).pool(), run.manifest)

    def fingerprints(self, players: Sequence[str]) -> Mapping[str, str]:
        return fingerprints(players)

    def pair_counter(self, base: runs.Run, variant: runs.Run) -> PairCounter:
        return PairCounter(pool_of(base), pool_of(variant), base.manifest["policies"])

    def compared(self, base: runs.Run, variant: runs.Run) -> dict[str, pd.DataFrame]:
        from analysis.mindbug.experiments.luck import compare_luck

        return compare_luck(base.folder, variant.folder)

    def card_games(self, run: runs.Run, games: np.ndarray) -> pd.DataFrame:
        return card_games(games, run.manifest["cards"], run.manifest["policies"])

    def facts(self, manifest: Mapping[str, Any], games: np.ndarray) -> Facts:
        winner, rows, ids = games["winner"][:, None], np.arange(len(games)), manifest["cards"]
        scores = np.where(winner < 0, 0.5, winner == np.arange(SEATS))
        held = np.zeros((len(ids), len(games), SEATS), bool)
        for slot in range(DEALT):
            drawn = games["drawn"] >> np.uint64(slot) & np.uint64(1) == 1
            held[games["cards"][drawn, slot], rows[drawn], slot // DEALT_EACH] = True
        unknown = np.full(scores.shape, np.nan)
        first = games["first_player"].astype(np.int64)
        by_card = dict(zip(ids, held, strict=True))
        return Facts(scores, unknown, first, plain_numbers(games), by_card)

    @property
    def judges(self) -> "Judges":
        from analysis.mindbug.story import judge_of

        return judge_of

    def judge_in(self, run: runs.Run, game: int) -> "Judge":
        from analysis.mindbug.story import judge_in

        return judge_in(run, game)

    def main_lines(self, table: pd.DataFrame) -> "pd.Series[bool]":
        return (table["kind"] == "card") & (table["measure"] == "dealt")


ANALYSIS = _Mindbug()
