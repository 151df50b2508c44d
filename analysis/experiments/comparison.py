"""Two runs of a game compared: what differs, and whether that is real.

Game i of a seed is dealt the same cards and has the same luck in both runs (common random numbers
[1]_), so the runs are paired game by game.  A line's estimate is a ratio r of sums over games
(`paired_sums`).  With N observations in all, n_i of them in game i with total s_i, the *influence*
of game i on the difference between the variant and the base is

    u_i = (s'_i - r' n'_i) / N' - (s_i - r n_i) / N,

and the variance of the difference is G / (G - 1) times the sum of the squares of u_i, where G is
the number of games with an observation in either run.  What both runs share cancels inside u_i.
Without the products across the runs the same sums give the variance that two independent runs would
have had; the ratio of both is the *variance reduction*, measured and not assumed.

The word for a difference is what its interval allows (`verdicts.changes`).  Whoever reads a
comparison looks at all its lines, so the intervals are corrected for all of them [2]_ [3]_: where
nothing changed, one leaves zero out in 5% of comparisons.  Or all intervals hold together
(`simultaneous`).

References
----------
.. [1] P. Glasserman, D. D. Yao, "Some guidelines and guarantees for common random numbers",
   Management Science 38 (1992), 884-908.
.. [2] Y. Benjamini, D. Yekutieli, "False discovery rate-adjusted multiple confidence intervals for
   selected parameters", J. Amer. Statist. Assoc. 100 (2005), 71-81.
.. [3] Y. Benjamini, Y. Hochberg, "Controlling the false discovery rate", J. Royal Statist. Soc. B
   57 (1995), 289-300.
"""

import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import numpy as np
import pandas as pd
from attrs import field, frozen
from numpy.typing import ArrayLike
from scipy.special import gammainccinv, ndtr, ndtri

from analysis.confidence import normal_z
from analysis.estimates import adjust_p, corrected_z, two_sided_p
from analysis.experiments.paired_sums import ACROSS, BASE, VARIANT, Lines, PairCounter, PairSums
from analysis.games import analysis_of
from analysis.runs import Run, open_run
from analysis.simultaneous import BLOCKS, joint_z
from analysis.verdicts import CHANGES, MIN_GAMES, NOT_SETTLED, changes
from simcore.sealed import RunError
from simcore.work.parts import seeds_text
from simcore.work.progress import Progress

#: Differences of up to one percentage point do not matter; of means up to 1% of the base.
BAND = 0.01
#: With fewer games in which a line differs the normal approximation cannot show that it changed.
MIN_DIFFERING = 10
#: The chance with which the games asked for would decide, if the difference is as estimated.
POWER = 0.8


@frozen
class Comparison:
    """What came of a comparison.

    ``table`` has a row for each line; its columns are described in docs/columns.md.  ``paired``
    says whether the games were compared one by one, ``same_deals`` is the share of these games in
    which both runs were dealt the same cards.  ``joint_z`` is half the width of the intervals in
    standard errors where all hold together, None where each holds by itself.  ``more`` are tables
    that the game adds, by name.
    """

    base: Run
    variant: Run
    paired: bool
    same_deals: float
    table: pd.DataFrame
    joint_z: float | None = None
    more: Mapping[str, pd.DataFrame] = field(factory=dict)

    @property
    def tables(self) -> dict[str, pd.DataFrame]:
        """All tables of the comparison, by name."""
        return {"comparison": self.table, **self.more}

    def __repr__(self) -> str:
        """What was compared, and the verdicts on the main lines, in one line."""
        main = self.table[analysis_of(self.base.game.name).main_lines(self.table)]
        told = [f"{(main['verdict'] == verdict).sum()} {verdict}" for verdict in CHANGES]
        how = "paired" if self.paired else "not paired"
        names = f"{self.base.folder.name} with {self.variant.folder.name}"
        return f"Comparison({names}, {how}; {', '.join(told)})"


def compare_runs(
    base: str | os.PathLike[str],
    variant: str | os.PathLike[str],
    *,
    band: float = BAND,
    simultaneous: bool = False,
    threads: int | None = None,
    on_progress: Progress | None = None,
) -> Comparison:
    """Compare two finished runs; nothing is written.

    With ``simultaneous`` all intervals of the table hold together with 95%; otherwise as large a
    share of those that leave zero out holds, in the mean over comparisons.  The words are what the
    intervals say.

    Runs of one seed are paired game by game, those of different seeds compared as independent.
    Parts are read one by one (of both runs side by side), so memory does not grow with the games.

    Raises
    ------
    RunError
        When a run is missing, unfinished or damaged, or the two cannot be compared: another game,
        other players, or the same seed with different numbers of games.
    """
    if not 0 < band < 1:
        raise ValueError(f"the band is {band}; it must be between 0 and 1, for instance {BAND}")
    runs = open_run(base), open_run(variant)
    paired = can_be_paired(*runs)
    counter = analysis_of(runs[0].game.name).pair_counter(*runs)
    sums, blocks = _count(runs, counter, paired, simultaneous, threads, on_progress)
    lines = counter.lines
    z = None if blocks is None else lines_z(lines, sums, blocks, paired=paired)
    same = paired and counter.alike
    table = comparison_table(sums, lines, paired, band, same_pool=same, joint_z=z)
    share = sums.same_deals / runs[0].n_games
    more = {**counter.tables(sums), **analysis_of(runs[0].game.name).compared(*runs)}
    return Comparison(*runs, paired, share, table, z, more)


def lines_z(lines: Lines, sums: PairSums, blocks: np.ndarray, *, paired: bool) -> float:
    """Half the width in standard errors of intervals that hold for all lines together.

    All that are tested, and those in which no game differs.  ``blocks`` are the sums of n and s
    of either run over blocks of games, shape (n_blocks, n_lines, 4): they show how lines depend
    on each other (`simultaneous.joint_z`).
    """
    numbers = lines.numbers(sums.lines)
    found = estimate_lines(numbers, paired=paired)
    seen = (found["base_n"] > 0) & (found["variant_n"] > 0)
    counts = (_tested_error(found) > 0) | (found["differing"] == 0)
    there = (seen & counts).to_numpy()
    _, n, s, *_ = numbers[there, BASE].T
    _, m, t, *_ = numbers[there, VARIANT].T
    of_blocks = lines.numbers(blocks)[:, there]
    base = (of_blocks[..., 1] - s / n * of_blocks[..., 0]) / n
    variant = (of_blocks[..., 3] - t / m * of_blocks[..., 2]) / m
    return joint_z(variant - base)


def comparison_table(
    sums: PairSums,
    lines: Lines,
    paired: bool,
    band: float = BAND,
    *,
    same_pool: bool = False,
    joint_z: float | None = None,
) -> pd.DataFrame:
    """One row for each line with observations in both runs; see docs/columns.md.

    ``same_pool`` says that the same pool was played with the same luck: a line in which no game
    differs is then alike for certain.  (Games can differ where another version played.)  With
    ``joint_z`` intervals are so many standard errors wide either way.
    """
    estimates = estimate_lines(lines.numbers(sums.lines), paired=paired)
    table = pd.concat([lines.facts, estimates], axis="columns")
    table = table[(table["base_n"] > 0) & (table["variant_n"] > 0)].reset_index(drop=True)
    return _judge(table, int(sums.games.min()), band, same_pool, joint_z)


def can_be_paired(base: Run, variant: Run) -> bool:
    """Whether game i of one run belongs to game i of the other.

    Raises RunError for runs that cannot be compared.
    """
    one, other = base.manifest, variant.manifest
    if (base.game.name, base.game.title) != (variant.game.name, variant.game.title):
        raise RunError(
            f"{base.folder} is of {base.game.title}, {variant.folder} of {variant.game.title}; only"
            " runs of one game can be compared"
        )
    if one["policies"] != other["policies"]:
        players = [base.game.players_text(manifest["policies"]) for manifest in (one, other)]
        raise RunError(
            f"{base.folder} was played by {players[0]}, {variant.folder} by {players[1]}; only runs"
            " of the same players can be compared"
        )
    if differing := analysis_of(base.game.name).differing_player(one, other):
        raise RunError(
            f"{base.folder} and {variant.folder} were played with {differing};"
            " only runs of the same players can be compared"
        )
    if one["seed"] != other["seed"]:
        return False
    if one["games"] != other["games"]:
        raise RunError(
            f"{base.folder} has {one['games']:,} games of seed {seeds_text(one)} and"
            f" {variant.folder} {other['games']:,}: they are paired game by game; play both with"
            " the same --games, or with different seeds"
        )
    if one["part_games"] != other["part_games"]:
        raise RunError(
            f"{base.folder} and {variant.folder} are cut into parts of different size; play one of"
            " them again into a new folder"
        )
    return True


def _count(
    runs: tuple[Run, Run],
    counter: PairCounter,
    paired: bool,
    in_blocks: bool,
    threads: int | None,
    on_progress: Progress | None,
) -> tuple[PairSums, np.ndarray | None]:
    """The sums of all games of both runs, and those of blocks if they are asked for."""
    none = np.empty(0, runs[0].game.record)
    parts = [range(run.n_parts) for run in runs]

    def count(of_base: int | None, of_variant: int | None) -> tuple[PairSums, np.ndarray | None]:
        one, other = (
            none if part is None else run.part(part)
            for run, part in zip(runs, (of_base, of_variant), strict=True)
        )
        if not in_blocks:
            return counter.count(one, other), None
        n_blocks = min(-(-BLOCKS // len(parts[of_base is None])), max(len(one), len(other)))
        return counter.count_blocks(one, other, n_blocks)

    work: list[tuple[int | None, int | None]] = (
        [(part, part) for part in parts[0]]
        if paired
        else [*((part, None) for part in parts[0]), *((None, part) for part in parts[1])]
    )
    sums = counter.count(none, none)  # compiles the kernel before there are several threads
    with ThreadPoolExecutor(threads or os.cpu_count() or 1) as workers:
        try:
            jobs = [workers.submit(count, *of_both) for of_both in work]
            for done, job in enumerate(as_completed(jobs), start=1):
                sums = sums.plus(job.result()[0])
                if on_progress:
                    on_progress(done, len(work))
        except BaseException:
            workers.shutdown(cancel_futures=True)
            raise
    blocks = [found for job in jobs if (found := job.result()[1]) is not None]
    return sums, np.concatenate(blocks) if blocks else None


def estimate_lines(sums: np.ndarray, *, paired: bool) -> pd.DataFrame:
    """Estimates of both runs, their difference and its errors, one row for each line.

    ``sums`` are those of `paired_sums.Lines.numbers`, shape (n_lines, 18).
    """
    base, variant, across = sums[:, BASE].T, sums[:, VARIANT].T, sums[:, ACROSS].T
    with np.errstate(divide="ignore", invalid="ignore"):
        rates = base[2] / base[1], variant[2] / variant[1]
        spreads = [
            _products(side[[3, 4, 4, 5]], rate, rate) / (side[1] * side[1])
            for side, rate in zip((base, variant), rates, strict=True)
        ]
        apart = _unbiased(spreads[0], base[0]) + _unbiased(spreads[1], variant[0])
        if paired:
            shared = _products(across[1:5], *rates) / (base[1] * variant[1])
            variance = _unbiased(spreads[0] + spreads[1] - 2 * shared, across[0])
        else:
            variance = apart
        std_err = np.sqrt(np.maximum(variance, 0))
        return pd.DataFrame(
            {
                "base_n": base[1].astype(np.int64),
                "base": rates[0],
                "variant_n": variant[1].astype(np.int64),
                "variant": rates[1],
                "difference": rates[1] - rates[0],
                "difference_ci_low": np.nan,
                "difference_ci_high": np.nan,
                "std_err": std_err,
                "std_err_independent": np.sqrt(apart),
                "variance_reduction": np.where(variance > 0, apart / variance, np.nan),
                "differing": across[5] if paired else np.nan,
                "games": across[0] if paired else np.minimum(base[0], variant[0]),
            }
        )


def _products(sums: np.ndarray, rate: np.ndarray, other: np.ndarray) -> np.ndarray:
    """Sum over games of (s - rate n)(s' - other n'), from those of n n', n s', s n' and s s'."""
    nn, ns, sn, ss = sums
    return ss - (rate * ns + other * sn) + rate * other * nn


def _unbiased(squares: np.ndarray, games: np.ndarray) -> np.ndarray:
    """Squares of influences as a variance; nan for fewer than two games."""
    return np.where(games > 1, squares * games / (games - 1), np.nan)


def most_differing(differing: ArrayLike, games: ArrayLike, z: float | None = None) -> np.ndarray:
    """The largest share of games that may differ when so few of them did, at most all.

    As sure as an estimate is to be less than ``z`` standard errors too high, by default those of an
    interval: the upper end of the exact interval of a Poisson mean.
    """
    beyond = ndtr(-(normal_z() if z is None else z))
    most = gammainccinv(np.asarray(differing, float) + 1, beyond) / np.asarray(games, float)
    return np.minimum(most, 1.0)


def _judge(
    table: pd.DataFrame, n_games: int, band: float, same_pool: bool, joint_z: float | None = None
) -> pd.DataFrame:
    """The table with p-values, intervals, words and the number of games that are still needed."""
    means = table["measure"].str.startswith("mean_")
    table["band"] = np.where(means, band * table["base"].abs(), band)
    tested = _tested_error(table)
    table["p_value"] = two_sided_p(table["difference"], tested)
    table["q_value"] = adjust_p(table["p_value"])
    z = corrected_z(table["p_value"]) if joint_z is None else joint_z
    # Few games differ: how many more may, and which way, is all that is known of a share.
    hidden = most_differing(table["differing"], table["games"], z)
    few = table["differing"] < MIN_DIFFERING
    few_low, few_high = (pd.Series(side * hidden).mask(means) for side in (-1, 1))
    certain = (table["differing"] == 0) & same_pool
    for end, side, of_few in (("low", -1, few_low), ("high", 1, few_high)):
        normal = table["difference"] + side * z * _known_error(table)
        found = normal.where(~few, of_few)
        table[f"difference_ci_{end}"] = found.mask(certain, table["difference"])
    ends = table["difference_ci_low"], table["difference_ci_high"]
    table["verdict"] = changes(*ends, band=table["band"])
    settled = table["verdict"] != NOT_SETTLED
    table["more_games"] = _more_games(table, n_games, z).mask(settled)
    whole = ["differing", "more_games"]
    return table.drop(columns="games").astype(dict.fromkeys(whole, "Int64"))


def _known_error(table: pd.DataFrame) -> pd.Series:
    """The standard errors that are known well enough for a test."""
    return table["std_err"].where((table["std_err"] > 0) & (table["games"] >= MIN_GAMES))


def _tested_error(table: pd.DataFrame) -> pd.Series:
    """The standard errors of the lines that are tested for a change."""
    shown = table["differing"].isna() | (table["differing"] >= MIN_DIFFERING)
    return _known_error(table).where(shown)


def _more_games(table: pd.DataFrame, n_games: int, z: float) -> pd.Series:
    """Games still needed for a word, if the difference stays as it is (two digits, upwards).

    The standard error must fall until the easier of the two succeeds with the chance `POWER` or
    more: to leave zero out, or to lie inside the band, where it can fail on two sides.  It falls
    with the root of the number of games.
    """
    far: pd.Series = table["difference"].abs()
    for_change = far / (ndtri(POWER) + z)
    for_band = (table["band"] - far) / (ndtri((1 + POWER) / 2) + z)
    needed = n_games * (table["std_err"] / np.maximum(for_change, for_band)) ** 2
    least = n_games * MIN_GAMES / table[["base_n", "variant_n"]].min(axis="columns")
    unseen = n_games * -np.log(ndtr(-z)) / (table["band"] * table["games"])
    needed = np.maximum(needed.mask(table["differing"] == 0, unseen), least)
    return (needed - n_games).where(needed > n_games).map(_round_up)


def _round_up(number: float) -> float:
    """A number rounded upwards to two digits."""
    if not 0 < number < np.inf:
        return np.nan
    unit = 10.0 ** max(np.floor(np.log10(number)) - 1, 0)
    return float(np.ceil(number / unit) * unit)


def n_tested(table: pd.DataFrame) -> int:
    """The lines of a comparison for which its verdicts are corrected."""
    return int(table["p_value"].notna().sum())


def median_reduction(comparison: Comparison) -> float:
    """The median of the variance reduction over the main lines; nan where nothing differs."""
    table = comparison.table
    main = table[analysis_of(comparison.base.game.name).main_lines(table)]
    return float(main["variance_reduction"].median())


def write_comparison(comparison: Comparison, folder: Path) -> None:
    """Write the tables to ``folder``/tables as Parquet and CSV.  Raises RunError."""
    from analysis.tables import write_tables

    runs = comparison.base, comparison.variant
    said = {name: run.identity["run"] for name, run in zip(("base", "variant"), runs, strict=True)}
    write_tables(comparison.tables, folder, said)
