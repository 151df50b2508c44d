"""What an entry is worth, by experiment: against another one, by copies, by parts, by changes.

All of it is about the result of those who hold the entry, on the same deals with the same luck
(`analysis.questions.sensitivity`), and made of the influences of games (`analysis.influence`).

**Parts.**  With every combination of the parts of an entry played, each part is credited with what
it adds on average over all orders of adding them, its Shapley value [1]_.

**Changes.**  One change, made to K entries one at a time, moves the result of holders of entry c by
D_c; V is the covariance of the errors of these differences.  D is their mean, with the variance
1'V1 / K^2; the entries are *fixed*, so the interval covers only the luck of the games.  S is the
standard deviation of the true differences.  The estimates spread further than the true values,
because of their errors: with the centring matrix C and W = CVC / (K - 1)

    Q = sum (D_c - D)^2 / (K - 1),        E Q = S^2 + trace W,

so Q - trace W estimates S^2, and 0 does where that is negative (a variance component by the method
of moments [2]_).  For its interval, Q / w is treated as non-central chi-squared with f degrees of
freedom and non-centrality S^2 / w, where w = trace W^2 / trace W and f = trace W / w
(Satterthwaite [3]_; exact where all errors are alike).  The interval contains every S^2 for which
the observed Q is not too unlikely.

References
----------
.. [1] L. S. Shapley, "A value for n-person games", in H. W. Kuhn, A. W. Tucker (eds.),
   *Contributions to the Theory of Games II*, Princeton 1953, 307-317.
.. [2] S. R. Searle, G. Casella, C. E. McCulloch, *Variance Components*, Wiley 1992, chapter 4.
.. [3] F. E. Satterthwaite, "An approximate distribution of estimates of variance components",
   Biometrics Bulletin 2 (1946), 110-114.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import factorial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import chndtr

from analysis.confidence import confidence, normal_z, tail
from analysis.estimates import adjust_p, corrected_z, interval, two_sided_p
from analysis.experiments.comparison import MIN_DIFFERING, most_differing
from analysis.influence import Influence, covariance
from analysis.verdicts import MIN_GAMES
from simcore.arrays import Floats, Integers

#: How the worth of an entry is divided among its parts.
SHAPLEY, ONE_AT_A_TIME = "shapley", "one_at_a_time"

# Standard errors from 0 that the worth of all parts must be for shares of it to mean something.
_CLEAR = 3
_INT = npt.NDArray[np.integer]


class Held(NamedTuple):
    """Holders of an entry in each game, n, and what they score with and without a change."""

    n: _INT
    before: _INT
    after: _INT
    unit: float = 1.0

    @property
    def effect(self) -> Influence:
        """By how much more they score with the change."""
        return Influence.ratio(self.after - self.before, self.n, self.unit)

    @property
    def worth(self) -> Influence:
        """By how much more they score without the change."""
        return Influence.ratio(self.before - self.after, self.n, self.unit)

    @property
    def rate(self) -> Influence:
        """What they score without it."""
        return Influence.ratio(self.before, self.n, self.unit)


class Spread(NamedTuple):
    """The standard deviation of the true differences of entries, with its interval."""

    estimate: float
    low: float
    high: float


def with_q_values(table: pd.DataFrame, column: str, family: Sequence[str] = ()) -> pd.DataFrame:
    """The table with q-values and intervals, the tests of each family corrected together."""
    if len(table) == 0:
        return table
    p_values = table["p_value"].astype(float)
    groups = p_values.groupby([table[name] for name in family] or np.zeros(len(table)))
    table["q_value"] = groups.transform(lambda tests: adjust_p(tests.to_numpy()))
    reach = groups.transform(lambda tests: corrected_z(tests.to_numpy())) * table["std_err"]
    for end, side in (("low", -1), ("high", 1)):
        tested = table[column] + side * reach
        table[f"{column}_ci_{end}"] = table[f"{column}_ci_{end}"].where(p_values.isna(), tested)
    return table


def tested(column: str, effect: Influence, *, known: bool) -> dict[str, float]:
    """The columns of an effect, its interval, error and, where it is ``known``, its p-value."""
    p_value = float(two_sided_p(effect.estimate, effect.std_err)) if known else np.nan
    return {**effect.interval(column), "std_err": effect.std_err, "p_value": p_value}


# ------------------------------------------------------------------------- copies and parts


def by_copies(held: Iterable[tuple[int, Held]]) -> Iterator[dict[str, Any]]:
    """A row for each number of copies that somebody holds, against the change without them."""
    for number, one in held:
        if one.n.any():
            differing = np.count_nonzero(one.before != one.after)
            known = one.worth.games >= MIN_GAMES and bool(differing >= MIN_DIFFERING)
            yield {
                "copies_dealt": number,
                "n": int(one.n.sum()),
                "dealt_win_rate": one.rate.estimate,
                **tested("value", one.worth, known=known),
            }


def part_rows(
    parts: Sequence[Any], scores: Mapping[tuple[int, ...], _INT], n: _INT, unit: float
) -> list[dict[str, Any]]:
    """A row for each part, with ``kind`` and ``label``, and one for all of them together.

    ``scores`` are what holders score in each game with some parts of the entry, by the places of
    these parts: with all of them and none, and with all but one, or every combination.  ``n`` are
    the holders, ``unit`` is what 1 is worth in scores.
    """

    def effect(s: _INT, times: int = 1) -> Influence:
        return Influence.ratio(s, n, unit / times)

    everything = tuple(range(len(parts)))
    total = effect(scores[everything] - scores[()])
    shapley = len(scores) == 2 ** len(parts)
    rows: list[tuple[str, str, Influence, dict[str, float], dict[str, float]]] = []
    unknown = {name: interval(name, np.nan, np.nan) for name in ("alone", "last", "share")}
    for place, part in enumerate(parts):
        others = tuple(other for other in everything if other != place)
        worth = last = effect(scores[everything] - scores[others])
        alone = unknown["alone"]
        if shapley:
            worth = effect(_shapley(scores, place, others), factorial(len(parts)))
            alone = effect(scores[place,] - scores[()]).interval("alone")
        rows.append((part.kind, part.label, worth, alone, last.interval("last")))
    clear = abs(total.estimate) > _CLEAR * total.std_err
    shared = shapley and clear and all(one.estimate * total.estimate >= 0 for _, _, one, *_ in rows)
    rows.append(("total", "all parts together", total, unknown["alone"], unknown["last"]))
    return [
        {
            "part": number,
            "kind": kind,
            "label": label,
            "method": SHAPLEY if shapley else ONE_AT_A_TIME,
            "n": int(n.sum()),
            **tested("worth", worth, known=worth.games >= MIN_GAMES and worth.std_err > 0),
            **alone,
            **last,
            **((worth / total).interval("share") if shared else unknown["share"]),
        }
        for number, (kind, label, worth, alone, last) in enumerate(rows)
    ]


def _shapley(
    scores: Mapping[tuple[int, ...], _INT], place: int, others: tuple[int, ...]
) -> Integers:
    """What a part adds to the scores of each game, over all orders of adding the parts [1]_."""
    added = np.zeros(len(scores[()]), np.int64)
    for size in range(len(others) + 1):
        orders = factorial(size) * factorial(len(others) - size)
        for places in combinations(others, size):
            added += orders * (scores[tuple(sorted((*places, place)))] - scores[places])
    return added


# ------------------------------------------------------------------------- changes of many entries


def change_row(held: Sequence[Held]) -> dict[str, Any] | None:
    """Mean and spread of one change over entries that somebody holds; None where nobody does."""
    held = [one for one in held if one.n.any()]
    if not held:
        return None
    n_games, k, unit = len(held[0].n), len(held), held[0].unit
    s, n = [one.after - one.before for one in held], [one.n for one in held]
    found = covariance(s, n) * unit**2
    players = np.array([one.sum(dtype=np.int64) for one in n])
    estimates = unit * np.array([one.sum(dtype=np.int64) for one in s]) / players
    games, differ = (np.array([np.count_nonzero(one) for one in each]) for each in (n, s))
    mean, std_err = float(estimates.mean()), float(np.sqrt(found.sum())) / k
    differing = int(differ.sum())
    known = differing >= MIN_DIFFERING and n_games >= MIN_GAMES
    reach = normal_z() * std_err
    hidden = float(most_differing(differing, n_games))
    low, high = (mean - reach, mean + reach) if known else (-hidden, hidden)
    spread = spread_of(estimates, found)
    alone = two_sided_p(estimates, np.sqrt(np.diag(found)))
    shown = adjust_p(np.where((games >= MIN_GAMES) & (differ >= MIN_DIFFERING), alone, np.nan))
    shown = shown < 1 - confidence()
    return {
        "n_games": n_games,
        "n_cards": k,
        "n": int(players.sum()),
        "effect": mean,
        "effect_ci_low": low,
        "effect_ci_high": high,
        "std_err": std_err,
        "spread": spread.estimate,
        "spread_ci_low": spread.low,
        "spread_ci_high": spread.high,
        "cards_up": int(np.count_nonzero(shown & (estimates > 0))),
        "cards_down": int(np.count_nonzero(shown & (estimates < 0))),
        "p_value": float(two_sided_p(mean, std_err)) if known else np.nan,
    }


def spread_of(estimates: Floats, covariance: Floats) -> Spread:
    """The spread of the true values behind some estimates; nan for fewer than two.

    Parameters
    ----------
    estimates : ndarray(float), shape (k,)
    covariance : ndarray(float), shape (k, k)
        Of the errors of the estimates, which are assumed to be normal.
    """
    k = len(estimates)
    if k < 2:
        return Spread(np.nan, np.nan, np.nan)
    seen = float(np.var(estimates, ddof=1))
    centred = covariance - covariance.mean(axis=0) - covariance.mean(axis=1)[:, None]
    noise = (centred + covariance.mean()) / (k - 1)
    mean, squares = float(np.trace(noise)), float((noise * noise).sum())
    if mean <= 0:  # without errors the spread is known exactly
        return Spread(*(3 * (float(np.sqrt(seen)),)))
    unit = squares / mean
    ends = (_non_centrality(seen / unit, mean / unit, level) for level in (1 - tail(), tail()))
    low, high = (float(np.sqrt(unit * end)) for end in ends)
    return Spread(float(np.sqrt(max(seen - mean, 0.0))), low, high)


def _non_centrality(value: float, freedom: float, level: float) -> float:
    """The non-centrality at which ``value`` is the quantile of that level; at least 0."""
    from scipy.optimize import brentq  # a third of a second

    def beyond(non_centrality: float) -> float:
        return float(chndtr(value, freedom, non_centrality)) - level

    if beyond(0.0) <= 0:
        return 0.0
    highest = value + 1.0
    while beyond(highest) > 0:
        highest *= 2
    return float(brentq(beyond, 0.0, highest))
