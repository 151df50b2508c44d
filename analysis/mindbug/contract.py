"""Mindbug's side of the contract: what the shared code of `analysis` asks of it."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from analysis import runs
from analysis.games import Analysis
from analysis.mindbug.counts import RunCounts
from analysis.mindbug.paired_sums import PairCounter
from analysis.mindbug.runs import Run, check_weights, other_weights, pool_of
from analysis.registry import Registry


class _Mindbug(Analysis):
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

    def check_players(self, run: runs.Run) -> None:
        check_weights(run)

    def differing_player(self, one: Mapping[str, Any], other: Mapping[str, Any]) -> str:
        player = other_weights(one, other)
        return f"different weights of {player}" if player else ""

    def pair_counter(self, base: runs.Run, variant: runs.Run) -> PairCounter:
        return PairCounter(pool_of(base), pool_of(variant), base.manifest["policies"])

    def main_lines(self, table: pd.DataFrame) -> "pd.Series[bool]":
        return (table["kind"] == "card") & (table["measure"] == "dealt")


ANALYSIS = _Mindbug()
