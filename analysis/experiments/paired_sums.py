"""What a comparison keeps of two runs: sums over games, both runs side by side.

A *line* is one number of a game.  In each game it has n observations with the total s, and its
estimate is the ratio of their sums.  Game i of both runs has the same deal and luck, so besides the
sums of each run the products across the runs are kept: they hold the covariance.  All sums are
integers of a size that does not depend on the number of games; sums of parts can be added in any
order.  Which lines there are, and n and s of each game, is the game's business (`PairCounter`).
"""

import itertools
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import reduce
from typing import NamedTuple

import numpy as np
import pandas as pd
from attrs import frozen

from analysis.registry import Table, q_value, with_interval
from analysis.verdicts import CHANGES

#: Where sums stand: six of each run (`estimates.RatioSums`), then those across the runs: games with
#: an observation in either, n n', n s', s n', s s', and games that differ in n or s.
BASE, VARIANT, ACROSS = slice(0, 6), slice(6, 12), slice(12, 18)
N_SUMS = 18

#: Where the tables of a comparison lie.
COMPARED = "in the folder of a comparison (`fairdeal compare`)"

_N_AND_S = [1, 2, 7, 8]
# How often s is a factor of each sum, and of the sums of blocks.
_FACTORS = np.array([0, 0, 1, 0, 1, 2] * 2 + [0, 0, 1, 1, 2, 0])
_BLOCK_FACTORS = _FACTORS[_N_AND_S]


class PairSums(NamedTuple):
    """Sums over games; ``a.plus(b)`` are those of the games of both."""

    lines: np.ndarray  # (n_lines, 18) int64
    games: np.ndarray  # (2,) int64: games of the base and of the variant
    same_deals: int  # games in which both runs were dealt the same
    more: tuple[np.ndarray, ...] = ()  # what else a game counts, for `PairCounter.tables`

    def plus(self, other: "PairSums") -> "PairSums":
        """The sums of the games of both."""
        return PairSums(
            self.lines + other.lines,
            self.games + other.games,
            self.same_deals + other.same_deals,
            tuple(mine + theirs for mine, theirs in zip(self.more, other.more, strict=True)),
        )


@frozen
class Lines:
    """What is compared: a row of ``facts`` for each line: kind, id, name, policy, measure.

    A measure whose name begins with ``mean_`` is a mean, every other one a share between 0 and 1.
    ``unit`` is what 1 is worth in the s that is counted: 0.5 where half points are, so that draws
    are whole numbers; shape (n_lines,).
    """

    facts: pd.DataFrame
    unit: np.ndarray

    def numbers(self, sums: np.ndarray) -> np.ndarray:
        """The sums of each line in whole units; (…, n_lines, 18), or 4 for sums of blocks."""
        factors = _FACTORS if sums.shape[-1] == N_SUMS else _BLOCK_FACTORS
        return sums * self.unit[:, None] ** factors


class PairCounter(ABC):
    """Counts games of two runs side by side, as a game has it.

    ``lines`` are what is compared.  ``alike`` says whether both runs are of the same, so that
    nothing can differ where they are paired.
    """

    lines: Lines
    alike: bool

    @abstractmethod
    def count(self, base: np.ndarray, variant: np.ndarray) -> PairSums:
        """The sums of some games.

        ``base`` and ``variant`` are records with the same numbers of games; one may be empty, for
        runs that are not paired.  Called from several threads at once.
        """

    def tables(self, sums: PairSums) -> dict[str, pd.DataFrame]:  # noqa: ARG002
        """What a game tells besides its lines, by the names of its tables."""
        return {}

    def count_blocks(
        self, base: np.ndarray, variant: np.ndarray, n_blocks: int
    ) -> tuple[PairSums, np.ndarray]:
        """The sums of some games, as `count` gives them, and those of each block."""
        cuts = np.linspace(0, max(len(base), len(variant)), n_blocks + 1).astype(int)
        sums = [
            self.count(base[first:last], variant[first:last])
            for first, last in itertools.pairwise(cuts)
        ]
        blocks = np.stack([one.lines[:, _N_AND_S] for one in sums])
        return reduce(PairSums.plus, sums), blocks


def sum_pairs(
    base: tuple[np.ndarray, np.ndarray], variant: tuple[np.ndarray, np.ndarray]
) -> np.ndarray:
    """The sums of lines of which n and s are given for each game of either run.

    Both are integers of shape (n_lines, n_games); the games of one run may be none.  Shape
    (n_lines, 18).
    """
    sums = np.zeros((len(base[0]), N_SUMS), np.int64)
    for (n, s), place in zip((base, variant), (BASE, VARIANT), strict=True):
        columns = n > 0, n, s, n * n, n * s, s * s
        sums[:, place] = np.stack([column.sum(axis=1) for column in columns], axis=1)
    (n, s), (m, t) = base, variant
    if n.shape[1] and m.shape[1]:
        either, differ = (n > 0) | (m > 0), (n != m) | (s != t)
        columns = either, n * m, n * t, s * m, s * t, differ
        sums[:, ACROSS] = np.stack([column.sum(axis=1) for column in columns], axis=1)
    return sums


def comparison_entry(
    about: Mapping[str, str],
    *,
    observations: str,
    words: Mapping[str, str],
    json_rows: "Callable[[pd.DataFrame], pd.Series[bool]]",
) -> Table:
    """The entry of a game's table ``comparison``.

    ``about`` has the meanings of the columns of `Lines.facts`, ``observations`` says what a line
    has observations of, ``words`` what measures of the whole game mean.
    """
    return Table(
        "comparison",
        "One row per number that is compared",
        {
            **about,
            "base_n": f"observations in the base: {observations}",
            "base": "the estimate in the base",
            "variant_n": "observations in the variant",
            "variant": "the estimate in the variant",
            **with_interval(
                "difference",
                "`variant` minus `base`; with --simultaneous the intervals of all rows hold"
                " together",
            ),
            "std_err": "standard error of `difference`; for paired runs from pairs of games",
            "std_err_independent": "the standard error that two independent runs would have had",
            "variance_reduction": "(`std_err_independent` / `std_err`)²: how many times as many"
            " games independent runs would have needed; missing where no game differs",
            "differing": "games in which the observations or their total differ; missing for runs "
            "that are not paired",
            "band": "half the width of the band of `verdict`, around zero",
            "p_value": "probability of a difference at least this large if the truth is zero;"
            " missing for too few games",
            "q_value": q_value("rows of this table"),
            "verdict": "; ".join(f"{word}: {meaning}" for word, meaning in CHANGES.items()),
            "more_games": "about how many more games would decide, if the difference stays as it"
            " is",
        },
        where=COMPARED,
        words=words,
        differences=("difference",),
        numbers=("variance_reduction",),
        json_rows=json_rows,
    )
