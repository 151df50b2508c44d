"""What is counted of runs, the table of lots, and what runs are compared in: ``ANALYSIS``."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd
from attrs import evolve, field, frozen

from analysis import stopping
from analysis.estimates import RatioSums, estimate_rate
from analysis.experiments import paired_sums
from analysis.experiments.paired_sums import Lines, PairSums, sum_pairs
from analysis.games import Analysis
from analysis.registry import Registry, Table, with_interval
from analysis.runs import Run
from analysis.stopping import Goal, GoalError, Watched
from simcore.work.runs import Look

#: A place scores 0 to 4.
BEST = 4


def takings(games: np.ndarray, n_lots: int) -> tuple[np.ndarray, np.ndarray]:
    """Whether each lot was taken in each game, and what the one who took it scored.

    Two arrays of int64 of shape (n_lots, n_games).
    """
    n, s = np.zeros((2, n_lots, len(games)), np.int64)
    game, turn = np.nonzero(games["taken_by"] >= 0)
    lot, seat = games["lots"][game, turn], games["taken_by"][game, turn]
    n[lot, game], s[lot, game] = 1, games["score"][game, seat]
    return n, s


@frozen
class LotCounts:
    """Sums over games of each lot (`RatioSums`), shape (6, n_lots); ``a + b`` are those of both."""

    lots: Sequence[str]
    of_lots: np.ndarray

    @property
    def sums(self) -> Mapping[str, np.ndarray]:
        """All that was counted."""
        return {"of_lots": self.of_lots}

    def of_sums(self, sums: Mapping[str, np.ndarray]) -> LotCounts:
        """The same lots with other sums."""
        return evolve(self, **sums)

    def count(self, games: np.ndarray) -> LotCounts:
        """These counts with those of more games."""
        n, s = takings(games, len(self.lots))
        more = [column.sum(axis=1) for column in (n > 0, n, s, n * n, n * s, s * s)]
        return evolve(self, of_lots=self.of_lots + np.array(more))

    def __add__(self, other: LotCounts) -> LotCounts:
        return evolve(self, of_lots=self.of_lots + other.of_lots)

    def restate(self, tables: Mapping[str, pd.DataFrame]) -> dict[str, pd.DataFrame]:
        """The tables as they are: a rule that ends a run makes no interval wrong here."""
        return dict(tables)

    def rates(self) -> RatioSums:
        """The sums of scores as shares of the best."""
        games, n, s, nn, ns, ss = self.of_lots.astype(float)
        return RatioSums(games, n, s / BEST, nn, ns / BEST, ss / BEST**2)


def lots_table(counts: LotCounts) -> pd.DataFrame:
    """One row per lot; see `LOTS`."""
    rate = estimate_rate(counts.rates())
    return pd.DataFrame(
        {
            "lot": counts.lots,
            "n": rate.n.astype(int),
            "score": rate.estimate,
            "score_ci_low": rate.ci_low,
            "score_ci_high": rate.ci_high,
        }
    )


LOTS = Table(
    "lots",
    "One row per lot",
    {
        "lot": "the lot",
        "n": "games in which somebody took it",
        **with_interval("score", "mean score of who took it, as a share of that of a first place"),
    },
    make=lots_table,
)
COMPARISON = Table("comparison", "One row per number that is compared", {"measure": "what it is"})


class LotPairs(paired_sums.PairCounter):
    """Counts games of two runs side by side: what those scored who took each lot."""

    def __init__(self, base: Run, variant: Run) -> None:
        here, there = base.manifest["lots"], variant.manifest["lots"]
        self._lots = [lot for lot in here if lot in there]
        self._rows = [[names.index(lot) for lot in self._lots] for names in (here, there)]
        self._sizes = len(here), len(there)
        self._same = base.identity["run"] == variant.identity["run"]

    @property
    def lines(self) -> Lines:
        """A line for each lot that both have."""
        facts = {"kind": "lot", "id": self._lots, "name": self._lots, "policy": ""}
        facts = pd.DataFrame(facts | {"measure": "score"})
        return Lines(facts, np.full(len(facts), 1 / BEST))

    @property
    def alike(self) -> bool:
        """Whether both runs are of the same fair and rounds."""
        return self._same

    def count(self, base: np.ndarray, variant: np.ndarray) -> PairSums:
        """The sums of some games."""
        counted = [
            tuple(part[rows] for part in takings(games, size))
            for games, rows, size in zip((base, variant), self._rows, self._sizes, strict=True)
        ]
        same = 0
        if len(base) and len(variant):
            same = int((base["lots"] == variant["lots"]).all(axis=1).sum())
        return PairSums(sum_pairs(*counted), np.array([len(base), len(variant)]), same)


@frozen
class UntilLots(stopping.PlayUntil):
    """The run ends when the score of who takes each lot, or one, is known."""

    goal: Goal
    lots: Sequence[str]
    anytime: bool = False
    on_look: Callable[[Look], None] | None = field(default=None, eq=False)

    def __attrs_post_init__(self) -> None:
        if self.goal.of and self.goal.of not in self.lots:
            raise GoalError(f"'{self.goal.of}' is no lot; there are: {', '.join(self.lots)}")

    @property
    def of(self) -> str:
        """A lot, or ``lots``: each of them."""
        return self.goal.of or "lots"

    @property
    def watched(self) -> Sequence[Watched]:
        """The lots that are watched."""
        return [Watched(lot, lot, "") for lot in self.lots if self.goal.of in ("", lot)]

    def count(self, records: np.ndarray) -> np.ndarray:
        """The sums of all lots."""
        nothing = np.zeros((6, len(self.lots)), np.int64)
        return LotCounts(self.lots, nothing).count(records).of_lots

    def rates(self, sums: np.ndarray) -> RatioSums:
        """Those of what is watched."""
        rows = [self.lots.index(one.key) for one in self.watched]
        return RatioSums(*(one[rows] for one in LotCounts(self.lots, sums).rates()))


class _Harvest(Analysis):
    @property
    def tables(self) -> Registry:
        return Registry(LOTS)

    @property
    def all_tables(self) -> Registry:
        return Registry(LOTS, COMPARISON)

    def nothing(self, run: Run) -> LotCounts:
        lots = run.manifest["lots"]
        return LotCounts(lots, np.zeros((6, len(lots)), np.int64))

    def pair_counter(self, base: Run, variant: Run) -> LotPairs:
        return LotPairs(base, variant)


ANALYSIS = _Harvest()
