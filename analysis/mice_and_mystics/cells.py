"""Estimates from the sums of a run: of games alike, and of games with something against without.

Games of one party are a cell.  Games *with* something are compared with games *without* within each
party; the mean over the parties, weighted by their games, is then free of what parties differ in.
Where the something was drawn at random when a game was set up, the difference is caused by it;
otherwise it is observed.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pandas as pd

from analysis import estimates
from analysis.mice_and_mystics.counts import RunCounts
from analysis.mice_and_mystics.tallies import GIVEN
from analysis.registry import HIGH, LOW, q_value, with_interval
from analysis.shrinkage import shrink
from analysis.simultaneous import together
from analysis.verdicts import judge, judged_meanings

# Weights this small are 0 but for rounding.
_NOTHING = 1e-9


class Sums(NamedTuple):
    """Number of games, sum and sum of squares of one number of a game; arrays of one shape."""

    n: np.ndarray
    s: np.ndarray
    ss: np.ndarray

    def rate(self) -> estimates.Estimate:
        """The share of games, of a number that is 0 or 1."""
        return estimates.estimate_rate(estimates.RatioSums.one_each(*self))

    def mean(self) -> estimates.Estimate:
        """The mean of a number that is not negative."""
        return estimates.estimate_mean(estimates.RatioSums.one_each(*self))

    def std_dev(self) -> np.ndarray:
        """The standard deviation over games; nan for fewer than two."""
        with np.errstate(divide="ignore", invalid="ignore"):
            squares = np.maximum(self.ss - self.s * self.s / self.n, 0)
            return np.sqrt(squares / np.where(self.n > 1, self.n - 1, np.nan))


def number_of(counts: RunCounts, name: str) -> Sums:
    """The sums of one number by party, shape (n_parties,); a score in rooms."""
    place = counts.facts.places[name]
    n, s, ss = counts.sums["numbers"][:, place, :3].astype(float).T
    unit = 1 / counts.facts.page_end if name == "score" else 1.0
    return Sums(n, s * unit, ss * unit * unit)


def all_games(sums: Sums) -> Sums:
    """The sums over all parties."""
    return Sums(*(column.sum(axis=0) for column in sums))


def picked(sums: np.ndarray, columns: Sequence[str], name: str) -> Sums:
    """The sums of one of several things, whose names are ``columns``, on the last axis of sums.

    A thing without squares is a share.
    """
    n, s = (sums[..., columns.index(column)].astype(float) for column in ("n", name))
    squared = f"{name}²"
    return Sums(n, s, sums[..., columns.index(squared)].astype(float) if squared in columns else s)


def result_of(counts: RunCounts, given: np.ndarray, name: str) -> Sums:
    """The sums of one of `tallies.RESULTS`, of sums of `GIVEN` on the last axis."""
    n, s, ss = picked(given, GIVEN, name)
    unit = 1 / counts.facts.page_end if name == "score" else 1.0
    return Sums(n, s * unit, ss * unit * unit)


def party_results(counts: RunCounts, name: str) -> estimates.Estimate:
    """A result of each party, shape (n_parties,)."""
    sums = result_of(counts, counts.sums["results"], name)
    return sums.rate() if name == "win" else sums.mean()


def combined(parties: estimates.Estimate, weights: np.ndarray) -> estimates.Estimate:
    """Weighted sums of the results of parties, one for each row of weights.

    ``weights`` has shape (n_rows, n_parties); nan where a whole row is 0.
    """
    weights = np.where(np.abs(weights) > _NOTHING, weights, 0)
    return estimates.estimate_combination(_in_rows(parties, weights), weights)


def mean_win_rates(wins: estimates.Estimate, weights: np.ndarray) -> estimates.Estimate:
    """Means of the win rates of parties, one for each row of weights, which add up to 1."""
    return estimates.estimate_over_strata(_in_rows(wins, weights), weights, are_shares=True)


def _in_rows(parties: estimates.Estimate, weights: np.ndarray) -> estimates.Estimate:
    return estimates.Estimate(*(np.broadcast_to(values, weights.shape) for values in parties))


class Contrast(NamedTuple):
    """Games with something and games without: each shape (n_things,)."""

    n_with: np.ndarray
    n_without: np.ndarray
    with_it: estimates.Estimate
    without: estimates.Estimate
    difference: estimates.Estimate


def contrast(counts: RunCounts, names: Sequence[str], result: str) -> Contrast:
    """A result of games in which numbers are above 0, and of games in which they are not."""
    places = [counts.facts.places[name] for name in names]
    given = counts.sums["numbers"][:, places, 3:]
    rest = counts.sums["results"][:, None] - given
    sides = [result_of(counts, np.moveaxis(one, 0, 1), result) for one in (given, rest)]
    return contrast_of(counts, *sides, are_shares=result == "win")


def contrast_of(
    counts: RunCounts, with_it: Sums, without: Sums, *, are_shares: bool = False
) -> Contrast:
    """Sums of games with something against those of games without, of shape (n_things, n_parties).

    Compared party by party, and averaged over the parties by their games; a party with hardly any
    games on one side is left out.
    """
    sides = with_it, without
    known = (with_it.n >= estimates.MIN_GAMES_OF_MEAN) & (without.n >= estimates.MIN_GAMES_OF_MEAN)
    weights = np.where(known, counts.n_games, 0)
    with np.errstate(invalid="ignore"):
        weights = np.nan_to_num(weights / weights.sum(axis=1, keepdims=True))
    here, there = (side.rate() if are_shares else side.mean() for side in sides)
    both = estimates.Estimate(
        *(np.concatenate(pair, axis=1) for pair in zip(here, there, strict=True))
    )
    n_with, n_without = ((side.n * known).sum(axis=1).astype(np.int64) for side in sides)
    difference = estimates.estimate_combination(both, np.concatenate([weights, -weights], axis=1))
    mean_here, mean_there = (
        estimates.estimate_over_strata(side, weights, are_shares=are_shares)
        for side in (here, there)
    )
    difference = difference._replace(n=np.minimum(n_with, n_without))
    return Contrast(n_with, n_without, mean_here, mean_there, difference)


def effect_columns(
    counts: RunCounts, names: Sequence[str], word: str, *, of_foe: bool = False
) -> pd.DataFrame:
    """What something drawn at random does to the results; see `effect_meanings`."""
    wins, scores = (contrast(counts, names, result) for result in ("win", "score"))
    shrunk = shrink(wins.difference.estimate, wins.difference.std_err)
    score_p = estimates.two_sided_p(scores.difference.estimate, scores.difference.std_err)
    judged = together(wins.difference)
    numbers = {
        f"{word}_n": wins.n_with,
        f"not_{word}_n": wins.n_without,
        **estimates.interval_columns(f"{word}_win_rate", wins.with_it),
        **estimates.interval_columns(f"not_{word}_win_rate", wins.without),
        **estimates.interval_columns("win_effect", judged),
        **dict(
            zip(
                ("win_effect_shrunk", "win_effect_shrunk_ci_low", "win_effect_shrunk_ci_high"),
                shrunk,
                strict=True,
            )
        ),
    }
    more = {
        **estimates.interval_columns("score_effect", scores.difference),
        "score_p_value": score_p,
        "score_q_value": estimates.adjust_p(score_p),
    }
    return pd.concat(
        [pd.DataFrame(numbers), judge(judged, of_foe=of_foe), pd.DataFrame(more)], axis="columns"
    )


def effect_meanings(word: str, given: str, family: str, *, of_foe: bool = False) -> dict[str, str]:
    """The columns of `effect_columns`; ``given`` ends "games in which …"."""
    return {
        f"{word}_n": f"games in which {given}, of the parties in which that can be",
        f"not_{word}_n": "the other games of these parties",
        **with_interval(
            f"{word}_win_rate", f"win rate of the games in which {given}, averaged over parties"
        ),
        **with_interval(f"not_{word}_win_rate", "win rate of the other games, averaged the same"),
        **with_interval(
            "win_effect",
            "the first win rate minus the second, compared within each party; drawn at random when"
            " the game is set up, so this is what it does",
            f"all {family}",
        ),
        **with_interval(
            "win_effect_shrunk",
            f"`win_effect` drawn towards zero by what is known of all {family}: the better guess"
            " of a size that is looked at because it is the largest or the smallest",
        ),
        **judged_meanings("win_effect", family, of_foe=of_foe),
        **with_interval("score_effect", "the same difference of the mean score, in rooms"),
        "score_p_value": "probability of a `score_effect` at least this large if the truth is zero",
        "score_q_value": q_value(family, "`score_p_value`"),
    }


def more_effects(counts: RunCounts, names: Sequence[str], word: str) -> pd.DataFrame:
    """What something drawn at random does to pages and captures; see `more_effect_meanings`."""
    columns = dict[str, np.ndarray]()
    for result in ("pages_lost", "captures"):
        columns |= mean_effect(contrast(counts, names, result), word, result)
    return pd.DataFrame(columns)


def mean_effect(found: Contrast, word: str, what: str) -> dict[str, np.ndarray]:
    """A mean with something, and what that does to it; see `mean_effect_meanings`."""
    p_value = estimates.two_sided_p(found.difference.estimate, found.difference.std_err)
    return {
        **estimates.interval_columns(f"{word}_{what}", found.with_it),
        **estimates.interval_columns(f"{what}_effect", found.difference),
        f"{what}_q_value": estimates.adjust_p(p_value),
    }


def more_effect_meanings(word: str, family: str) -> dict[str, str]:
    """The columns of `more_effects`."""
    return {
        **mean_effect_meanings(word, "pages_lost", "pages lost in these games", family),
        **mean_effect_meanings(word, "captures", "captures in these games", family),
    }


def mean_effect_meanings(word: str, what: str, meaning: str, family: str) -> dict[str, str]:
    """The columns of `mean_effect`."""
    return {
        **with_interval(f"{word}_{what}", f"{meaning}, on average"),
        **with_interval(f"{what}_effect", "that minus the mean of the other games"),
        f"{what}_q_value": q_value(family, f"that of a `{what}_effect` this large"),
    }


def observed_columns(counts: RunCounts, names: Sequence[str], word: str) -> pd.DataFrame:
    """Games in which a number is above 0, their win rate, and the number's mean over all games."""
    chosen = [counts.facts.places[name] for name in names]
    sums = counts.sums["numbers"][:, chosen].sum(axis=0)
    wins = result_of(counts, sums[:, 3:], "win")
    columns = {
        f"{word}_n": wins.n.astype(np.int64),
        **estimates.interval_columns(f"{word}_win_rate", wins.rate()),
    }
    if not all(counts.facts.numbers[place].is_share for place in chosen):
        n, s, _ = sums[:, :3].T
        with np.errstate(invalid="ignore"):
            columns[f"{word}_per_game"] = s / n
    return pd.DataFrame(columns)


def observed_meanings(word: str, what: str, *, mean: str = "") -> dict[str, str]:
    """The columns of `observed_columns`; ``mean`` says what is counted, if that can be many."""
    return {
        f"{word}_n": f"games in which {what}",
        f"{word}_win_rate": f"win rate of these games. {OBSERVED}",
        f"{word}_win_rate_ci_low": f"`{word}_win_rate`: {LOW}",
        f"{word}_win_rate_ci_high": f"`{word}_win_rate`: {HIGH}",
        **({f"{word}_per_game": f"{mean} in a game, on average"} if mean else {}),
    }


#: Said of what came about in the game.
OBSERVED = "Observed, not caused: long games see more of everything"
