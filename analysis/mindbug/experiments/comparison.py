"""Two runs compared: what differs between a pool and its variant, and whether that is real.

Game i of a seed is dealt the same cards and has the same luck in both runs (common random numbers
[1]_), so the runs are paired game by game.  A line's estimate is a ratio r of sums over games
(`paired_sums`).  With N observations in all, n_i of them in game i with total s_i, the *influence*
of game i on the difference between the variant and the base is

    u_i = (s'_i - r' n'_i) / N' - (s_i - r n_i) / N,

and the variance of the difference is G / (G - 1) times the sum of the squares of u_i, where G is
the number of games with an observation in either run.  What both runs share cancels inside u_i.
Without the products across the runs the same sums give the variance that two independent runs would
have had; the ratio of both is the *variance reduction*, measured and not assumed.

A difference can be shown to be no larger than a band (two one-sided tests [2]_), shown to differ
from zero, or neither yet.  Whoever reads a comparison looks at all its lines, so both kinds of
tests are corrected over all of them [3]_: where nothing changed, the table says "changed" anywhere
in 5 % of comparisons.  Or all intervals hold together (`simultaneous`), and verdicts follow them.

References
----------
.. [1] P. Glasserman, D. D. Yao, "Some guidelines and guarantees for common random numbers",
   Management Science 38 (1992), 884-908.
.. [2] D. J. Schuirmann, "A comparison of the two one-sided tests procedure and the power approach",
   J. Pharmacokinetics and Biopharmaceutics 15 (1987), 657-680.
.. [3] Y. Benjamini, Y. Hochberg, "Controlling the false discovery rate", J. Royal Statist. Soc. B
   57 (1995), 289-300.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import numpy as np
import pandas as pd
from attrs import frozen
from scipy.special import ndtr, ndtri

from analysis.estimates import CONFIDENCE, Z, adjust_p, two_sided_p
from analysis.mindbug.columns import POLICY
from analysis.mindbug.paired_sums import (
    ACROSS,
    BASE,
    CARD_MEASURES,
    VARIANT,
    BlockSums,
    PairCounter,
    PairSums,
    Units,
)
from analysis.mindbug.runs import Run, open_run, other_weights
from analysis.mindbug.selections import GAME_MEASURES, SELECTION_NAMES
from analysis.mindbug.summary import policy_label
from analysis.mindbug.tallies import N_VIEWS, groups
from analysis.registry import Table, q_value, with_interval
from analysis.simultaneous import BLOCKS, joint_z
from analysis.verdicts import CHANGED, CHANGES, MIN_GAMES, UNCHANGED, UNDECIDED
from card_data.mindbug.schema import Pool
from card_data.mindbug.vocabulary import Keyword
from simcore.mindbug.table.records import GAME_RECORD
from simcore.sealed import RunError
from simcore.work.parts import n_parts

#: Differences of up to one percentage point are called unchanged; of means up to 1 % of the base.
BAND = 0.01
#: With fewer games in which a line differs the normal approximation cannot show that it changed.
MIN_DIFFERING = 10
#: The chance with which the games asked for would decide, if the difference is as estimated.
POWER = 0.8

_LEVEL = 1 - CONFIDENCE
_ONE_PLAYER = "player_0_win_rate"  # says something only where two policies meet


@frozen
class Comparison:
    """What came of a comparison.

    ``table`` has a row for each line; see `COMPARISON`.  ``paired``
    says whether the games were compared one by one, ``same_deals`` is the share of these games in
    which both runs were dealt the same cards.  ``joint_z`` is half the width of the intervals in
    standard errors where all hold together, None where each holds by itself.
    """

    base: Run
    variant: Run
    paired: bool
    same_deals: float
    table: pd.DataFrame
    joint_z: float | None = None

    def __repr__(self) -> str:
        """What was compared, and the verdicts on the cards, in one line."""
        cards = self.table[(self.table["kind"] == "card") & (self.table["measure"] == "dealt")]
        told = [
            f"{(cards['verdict'] == verdict).sum()} {verdict}"
            for verdict in (CHANGED, UNCHANGED, UNDECIDED)
        ]
        how = "paired" if self.paired else "not paired"
        names = f"{self.base.folder.name} with {self.variant.folder.name}"
        return f"Comparison({names}, {how}; cards by win rate dealt: {', '.join(told)})"


def compare_runs(
    base: str | os.PathLike[str],
    variant: str | os.PathLike[str],
    *,
    band: float = BAND,
    simultaneous: bool = False,
    threads: int | None = None,
    on_progress: Callable[[int, int], None] | None = None,
) -> Comparison:
    """Compare two finished runs; nothing is written.

    With ``simultaneous`` all intervals of the table hold together with 95 %, and the verdicts are
    what they say; otherwise each interval holds by itself, and the verdicts are corrected.

    Runs of one seed are paired game by game, those of different seeds compared as independent.
    Parts are read one by one (of both runs side by side), so memory does not grow with the games.

    Raises
    ------
    RunError
        When a run is missing, unfinished or damaged, or the two cannot be compared: other players,
        or the same seed with different numbers of games.
    """
    if not 0 < band < 1:
        raise ValueError(f"the band is {band}; it must be between 0 and 1, for instance {BAND}")
    runs = open_run(base), open_run(variant)
    paired = _can_be_paired(*runs)
    pools = runs[0].pool(), runs[1].pool()
    policies = runs[0].manifest["policies"]
    counter = PairCounter(*pools, policies)
    sums, blocks = _count(runs, counter, paired, simultaneous, threads, on_progress)
    lines = Lines.of(counter.units, pools[0], policies)
    z = None if blocks is None else lines.joint_z(sums, blocks, paired=paired)
    same = pools[0] == pools[1] and paired
    table = comparison_table(sums, lines, paired, band, same_pool=same, joint_z=z)
    return Comparison(*runs, paired, sums.same_deals / runs[0].n_games, table, z)


@frozen
class Lines:
    """What is compared: a row of ``facts`` for each line, and where its sums stand."""

    facts: pd.DataFrame  # kind, id, name, policy, measure
    of_units: np.ndarray  # bool, (n_units, n_measures): a card has more measures than a keyword
    of_games: np.ndarray  # bool, (n_game_measures,)

    @classmethod
    def of(cls, units: Units, base: Pool, policies: Sequence[str]) -> "Lines":
        """The lines about units, with the names that these have in ``base``."""
        card_names = {card.card_id: card.name for s in base.sets for card in s.cards}
        set_names = {card_set.set_id: card_set.name for card_set in base.sets}
        about = [
            *(("card", card, card_names[card]) for card in units.cards),
            *(("keyword", keyword.name, keyword.name) for keyword in Keyword),
            *(("set", name, set_names[name]) for name in units.sets),
        ]
        of_units = np.array([kind == "card" for kind, *_ in about])[:, None] | (
            np.arange(len(CARD_MEASURES)) < N_VIEWS
        )
        of_games = np.array(
            [name != _ONE_PLAYER or policies[0] != policies[1] for name in GAME_MEASURES]
        )
        rows = [
            (*about[unit], policy, CARD_MEASURES[measure])
            for policy, _ in groups(policies)
            for unit, measure in np.argwhere(of_units)
        ]
        rows += [
            ("game", "", "", policy_label(policies), name)
            for name, there in zip(GAME_MEASURES, of_games, strict=True)
            if there
        ]
        columns = ["kind", "id", "name", "policy", "measure"]
        return cls(pd.DataFrame(rows, columns=columns), of_units, of_games)

    def numbers(self, sums: PairSums | BlockSums) -> np.ndarray:
        """The sums of each line, shape (…, n_lines, n_sums), scores in points."""
        of_units = sums.units[..., self.of_units, :]  # (…, n_groups, n_lines of a group, n_sums)
        *shape, n_groups, n_lines, n_sums = of_units.shape
        numbers = np.concatenate(
            [
                of_units.reshape(*shape, n_groups * n_lines, n_sums),
                sums.games[..., self.of_games, :],
            ],
            axis=-2,
        )
        # Win rates are counted in half points: how often s is a factor of each sum.
        factors = (
            np.array([0, 1, 0, 1])
            if isinstance(sums, BlockSums)
            else np.array([0, 0, 1, 0, 1, 2] * 2 + [0, 0, 1, 1, 2, 0])
        )
        measures = self.facts["measure"]
        halves = measures.isin(SELECTION_NAMES) | measures.str.endswith("win_rate")
        return numbers / 2.0 ** (factors * halves.to_numpy()[:, None])

    def joint_z(self, sums: PairSums, blocks: BlockSums, *, paired: bool) -> float:
        """Half the width in standard errors of intervals that hold for all lines together.

        All that are tested, and those in which no game differs.
        """
        numbers = self.numbers(sums)
        found = _estimates(numbers, self.facts["measure"], paired, same_pool=False)
        seen = (found["base_n"] > 0) & (found["variant_n"] > 0)
        counts = (_tested_error(found) > 0) | (found["differing"] == 0)
        there = (seen & counts).to_numpy()
        _, n, s, *_ = numbers[there, BASE].T
        _, m, t, *_ = numbers[there, VARIANT].T
        of_blocks = self.numbers(blocks)[:, there]
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
    """One row for each line with observations in both runs; see `COMPARISON`.

    ``same_pool`` says that both runs are the same games, so that nothing can differ.  With
    ``joint_z`` intervals are so many standard errors wide either way, and verdicts follow them.
    """
    estimates = _estimates(
        lines.numbers(sums), lines.facts["measure"], paired, same_pool, joint_z or Z
    )
    table = pd.concat([lines.facts, estimates], axis="columns")
    table = table[(table["base_n"] > 0) & (table["variant_n"] > 0)].reset_index(drop=True)
    n_games = int(sums.games[0, 0]), int(sums.games[0, 6])
    return _judge(table, min(n_games), band, same_pool, joint_z)


def _can_be_paired(base: Run, variant: Run) -> bool:
    """Whether game i of one run belongs to game i of the other.  Raises RunError."""
    one, other = base.manifest, variant.manifest
    if one["policies"] != other["policies"]:
        players = [" against ".join(manifest["policies"]) for manifest in (one, other)]
        raise RunError(
            f"{base.folder} was played by {players[0]}, {variant.folder} by {players[1]}; only runs"
            " of the same players can be compared"
        )
    if player := other_weights(one, other):
        raise RunError(
            f"{base.folder} and {variant.folder} were played with different weights of {player};"
            " only runs of the same players can be compared"
        )
    if one["seed"] != other["seed"]:
        return False
    if one["games"] != other["games"]:
        raise RunError(
            f"{base.folder} has {one['games']:,} games of seed {one['seed']} and {variant.folder}"
            f" {other['games']:,}: they are paired game by game; play both with the same --games,"
            " or with different seeds"
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
    on_progress: Callable[[int, int], None] | None,
) -> tuple[PairSums, BlockSums | None]:
    """The sums of all games of both runs, and those of blocks if they are asked for."""
    none = np.empty(0, GAME_RECORD)
    parts = [range(n_parts(run.manifest)) for run in runs]

    def count(of_base: int | None, of_variant: int | None) -> tuple[PairSums, BlockSums | None]:
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
    sums = counter.nothing()  # compiles the kernel before there are several threads
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
    return sums, BlockSums.joined(blocks) if blocks else None


def _estimates(
    sums: np.ndarray, measures: pd.Series, paired: bool, same_pool: bool, z: float = Z
) -> pd.DataFrame:
    """Estimates of both runs, their difference and its errors, one row for each line.

    Intervals are ``z`` standard errors wide either way.
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
        difference = rates[1] - rates[0]
        reach = z * std_err
        alike = paired & (across[5] == 0)
        if not same_pool:  # no game differs, but the next one might
            shares = ~measures.str.startswith("mean_").to_numpy()
            reach = np.where(alike, np.where(shares, _most_hidden(across[0], z), np.nan), reach)
        return pd.DataFrame(
            {
                "base_n": base[1].astype(np.int64),
                "base": rates[0],
                "variant_n": variant[1].astype(np.int64),
                "variant": rates[1],
                "difference": difference,
                "difference_ci_low": difference - reach,
                "difference_ci_high": difference + reach,
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


def _most_hidden(games: np.ndarray, z: float = Z) -> np.ndarray:
    """The largest share of games that may differ when none of so many did.

    As sure as an estimate is to be less than ``z`` standard errors too high.
    """
    return -np.log(ndtr(-z)) / games


def _judge(
    table: pd.DataFrame, n_games: int, band: float, same_pool: bool, joint_z: float | None = None
) -> pd.DataFrame:
    """The table with p-values, verdicts and the number of games that are still needed."""
    means = table["measure"].str.startswith("mean_")
    table["band"] = np.where(means, band * table["base"].abs(), band)
    table["p_value"] = two_sided_p(table["difference"], _tested_error(table))
    std_err = _known_error(table)
    table["q_value"] = adjust_p(table["p_value"])
    inside = pd.Series(ndtr((table["difference"].abs() - table["band"]) / std_err), table.index)
    # Where no game differs: the chance to see that if as many differed as the band allows.
    alike = table["differing"] == 0
    none_seen = (-table["band"] * table["games"]).map(np.exp)
    inside = inside.mask(alike & (same_pool | ~means), 0.0 if same_pool else none_seen)
    if joint_z is None:
        differs, is_inside = table["q_value"], adjust_p(inside)
        is_changed, is_unchanged = differs < _LEVEL, is_inside < _LEVEL
        levels = _next_level(differs), _next_level(is_inside)
    else:  # what the intervals say: they leave out zero, or lie within the band
        levels = 2 * float(ndtr(-joint_z)), float(ndtr(-joint_z))
        is_changed, is_unchanged = table["p_value"] < levels[0], inside < levels[1]
    table["verdict"] = np.select([is_unchanged, is_changed], [UNCHANGED, CHANGED], UNDECIDED)
    table["more_games"] = _more_games(table, n_games, *levels).where(table["verdict"] == UNDECIDED)
    whole = ["differing", "more_games"]
    return table.drop(columns="games").astype(dict.fromkeys(whole, "Int64"))


def _known_error(table: pd.DataFrame) -> pd.Series:
    """The standard errors that are known well enough for a test."""
    return table["std_err"].where((table["std_err"] > 0) & (table["games"] >= MIN_GAMES))


def _tested_error(table: pd.DataFrame) -> pd.Series:
    """The standard errors of the lines that are tested for a change."""
    shown = table["differing"].isna() | (table["differing"] >= MIN_DIFFERING)
    return _known_error(table).where(shown)


def _next_level(adjusted: np.ndarray | pd.Series) -> float:
    """The p-value that one more test would need, after those that hold already."""
    tests = max(int(np.count_nonzero(~np.isnan(adjusted))), 1)
    return min(_LEVEL * (int(np.count_nonzero(adjusted < _LEVEL)) + 1) / tests, 0.5)


def _more_games(table: pd.DataFrame, n_games: int, level: float, level_inside: float) -> pd.Series:
    """Games still needed for a verdict, if the difference stays as it is (two digits, upwards).

    The standard error must fall until the easier of the two proofs succeeds with the chance `POWER`
    or more; it falls with the root of the number of games.  That of the band can fail on two sides.
    """
    far: pd.Series = table["difference"].abs()
    for_change = far / (ndtri(POWER) - ndtri(level / 2))
    for_band = (table["band"] - far) / (ndtri((1 + POWER) / 2) - ndtri(level_inside))
    needed = n_games * (table["std_err"] / np.maximum(for_change, for_band)) ** 2
    least = n_games * MIN_GAMES / table[["base_n", "variant_n"]].min(axis="columns")
    unseen = n_games * -np.log(level_inside) / (table["band"] * table["games"])
    needed = np.maximum(needed.mask(table["differing"] == 0, unseen), least)
    return (needed - n_games).where(needed > n_games).map(_round_up)


def _round_up(number: float) -> float:
    """A number rounded upwards to two digits."""
    if not number > 0:
        return np.nan
    unit = 10.0 ** max(np.floor(np.log10(number)) - 1, 0)
    return float(np.ceil(number / unit) * unit)


def write_comparison(comparison: Comparison, folder: Path) -> None:
    """Write the table to ``folder``/tables as Parquet and CSV.  Raises RunError."""
    from analysis.tables import write_tables

    runs = comparison.base, comparison.variant
    said = {name: run.identity["run"] for name, run in zip(("base", "variant"), runs, strict=True)}
    write_tables({COMPARISON.name: comparison.table}, folder, said)


COMPARISON = Table(
    "comparison",
    "One row per number that is compared",
    {
        "kind": "what the row is about: card, keyword, set (in mixtures) or game",
        "id": "the card, keyword or set; empty for the whole game",
        "name": "its printed name, in the base",
        "policy": f"{POLICY}; for the whole game, who played",
        "measure": "for cards, keywords and sets a selection, which stands for its win rate "
        "(keywords and sets: once for each card), and for cards mindbug_rate, dead_rate and "
        "mean_turn_played; for the whole game one of the words below",
        "base_n": "observations in the base: player-games, cards, plays or games",
        "base": "the estimate in the base",
        "variant_n": "observations in the variant",
        "variant": "the estimate in the variant",
        **with_interval(
            "difference",
            "`variant` minus `base`; with --simultaneous the intervals of all rows hold together",
        ),
        "std_err": "standard error of `difference`; for paired runs from pairs of games",
        "std_err_independent": "the standard error that two independent runs would have had",
        "variance_reduction": "(`std_err_independent` / `std_err`)²: how many times as many games "
        "independent runs would have needed; missing where no game differs",
        "differing": "games in which the observations or their total differ; missing for runs "
        "that are not paired",
        "band": "differences between minus and plus this number are called unchanged",
        "p_value": "probability of a difference at least this large if the truth is zero; missing "
        "for too few games",
        "q_value": q_value("rows of this table"),
        "verdict": "; ".join(f"{word}: {meaning}" for word, meaning in CHANGES.items()),
        "more_games": "about how many more games would decide, if the difference stays as it is",
    },
    where="in the folder of a comparison (`balancelab compare`)",
    words=GAME_MEASURES,
    differences=("difference",),
    numbers=("variance_reduction",),
    json_rows=lambda table: (table["measure"] == "dealt") | (table["kind"] == "game"),
)
