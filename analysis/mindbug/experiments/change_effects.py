"""What one change does to the cards of a pool on average, and how much cards differ in that.

Each card is changed by itself and in place, so that game i is dealt the same cards and has the same
luck in every variant (`analysis.mindbug.experiments.sensitivity`).  The change of card c moves the
win rate of players who are dealt it by D_c, an estimate on which game i has the influence u_ic.
All cards share the games of the base, so their errors depend on each other, with the covariance
V = sum u_i u_i'.

**Mean.**  D is the mean of D_c over K cards, with the variance 1'V1 / K^2; a card counts once,
however many copies it has.  The cards are *fixed*: they are all cards of the pool that the change
suits, so the interval covers only the luck of the games.

**Spread.**  S is the standard deviation of the true differences of these cards.  The estimates
spread further than the true values, because of their errors: with the centring matrix C and
W = CVC / (K - 1)

    Q = sum (D_c - D)^2 / (K - 1),        E Q = S^2 + trace W,

so Q - trace W estimates S^2, and 0 does where that is negative (a variance component by the method
of moments [1]_).  For its interval, Q / w is treated as non-central chi-squared with f degrees of
freedom and non-centrality S^2 / w, where w = trace W^2 / trace W and f = trace W / w
(Satterthwaite [2]_; exact where all errors are alike).  The interval contains every S^2 for which
the observed Q is not too unlikely.

References
----------
.. [1] S. R. Searle, G. Casella, C. E. McCulloch, *Variance Components*, Wiley 1992, chapter 4.
.. [2] F. E. Satterthwaite, "An approximate distribution of estimates of variance components",
   Biometrics Bulletin 2 (1946), 110-114.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.optimize import brentq
from scipy.special import chndtr

from analysis.confidence import confidence, normal_z, tail
from analysis.estimates import adjust_p, two_sided_p
from analysis.experiments.comparison import MIN_DIFFERING, most_differing
from analysis.mindbug.experiments.trials import Scores, Trials
from analysis.verdicts import MIN_GAMES
from card_data.mindbug.variants import Variant

#: Kinds of changes that suit any card and leave the deals as they are.
EVERY_CARD = ("power", "add_keyword", "remove_keyword", "remove_all")

_FLOAT = npt.NDArray[np.float64]
# How many games have their influences in memory at a time.
_BATCH = 8192


class Differences(NamedTuple):
    """The differences D_c of some cards, the covariance of their errors, and the games behind them.

    Arrays of shape (n_cards,), the covariance (n_cards, n_cards).
    """

    estimate: _FLOAT
    covariance: _FLOAT
    n: npt.NDArray[np.int64]  # player-games
    games: npt.NDArray[np.int64]  # games with a player who was dealt the card
    differing: npt.NDArray[np.int64]  # games with another result for these players


class Spread(NamedTuple):
    """The standard deviation of the true differences of cards, with its interval."""

    estimate: float
    low: float
    high: float


def change_effects(
    scores: Scores, tested: Sequence[Trials], kinds: Iterable[str] = EVERY_CARD
) -> list[dict[str, Any]]:
    """A row for each change of ``kinds``, in their order.

    The columns are those of `sensitivity.BY_CHANGE` without ``policy`` and ``q_value``.
    """
    order = {kind: place for place, kind in enumerate(kinds)}
    changes = {
        (order[variant.kind], _step(variant), variant.change, variant.kind)
        for one in tested
        for variant in one.variants
        if variant.kind in order
    }
    rows = []
    for *_, change, kind in sorted(changes):
        pairs = [
            (one, outcome)
            for one in tested
            for variant, outcome in zip(one.variants, one.outcomes, strict=True)
            if variant.change == change
        ]
        found = _differences(scores, pairs)
        if len(found.n):
            rows.append({"change": change, "kind": kind, **_row(found, len(scores.base))})
    return rows


def spread_of(estimates: _FLOAT, covariance: _FLOAT) -> Spread:
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

    def beyond(non_centrality: float) -> float:
        return float(chndtr(value, freedom, non_centrality)) - level

    if beyond(0.0) <= 0:
        return 0.0
    highest = value + 1.0
    while beyond(highest) > 0:
        highest *= 2
    return float(brentq(beyond, 0.0, highest))


def _step(variant: Variant) -> int:
    """By how much the power is changed; 0 for another change."""
    return int(variant.change.removeprefix("power")) if variant.kind == "power" else 0


def _differences(
    scores: Scores, pairs: Sequence[tuple[Trials, npt.NDArray[np.void]]]
) -> Differences:
    """What a change does to each card that was dealt at all."""
    moved, held = [], []
    for one, outcome in pairs:
        dealt = scores.dealt(one.card)
        difference = scores.of(outcome, dealt) - scores.of(scores.base, dealt)
        if dealt.any():
            moved.append(np.rint(2 * difference).astype(np.int8))  # a draw is half a point
            held.append(dealt.sum(axis=1).astype(np.int8))
    n = np.array([one.sum(dtype=np.int64) for one in held], np.int64)
    estimate = np.array([one.sum(dtype=np.int64) for one in moved], float) / (2 * n)
    covariance = np.zeros((len(n), len(n)))
    n_games = len(scores.base)
    for first in range(0, n_games if len(n) else 0, _BATCH):
        batch = slice(first, first + _BATCH)
        points = np.stack([one[batch] for one in moved]) / 2
        players = np.stack([one[batch] for one in held])
        influence = (points - estimate[:, None] * players) / n[:, None]
        covariance += influence @ influence.T
    return Differences(
        estimate,
        covariance * n_games / max(n_games - 1, 1),
        n,
        np.array([np.count_nonzero(one) for one in held], np.int64),
        np.array([np.count_nonzero(one) for one in moved], np.int64),
    )


def _row(found: Differences, n_games: int) -> dict[str, Any]:
    """Mean and spread of a change over the cards."""
    mean, k = float(found.estimate.mean()), len(found.n)
    std_err = float(np.sqrt(found.covariance.sum())) / k
    differing = int(found.differing.sum())
    known = differing >= MIN_DIFFERING and n_games >= MIN_GAMES
    hidden = float(most_differing(differing, n_games))
    reach = normal_z() * std_err
    low, high = (mean - reach, mean + reach) if known else (-hidden, hidden)
    spread = spread_of(found.estimate, found.covariance)
    alone = two_sided_p(found.estimate, np.sqrt(np.diag(found.covariance)))
    tested = (found.games >= MIN_GAMES) & (found.differing >= MIN_DIFFERING)
    shown = adjust_p(np.where(tested, alone, np.nan)) < 1 - confidence()
    return {
        "n_games": n_games,
        "n_cards": k,
        "n": int(found.n.sum()),
        "effect": mean,
        "effect_ci_low": low,
        "effect_ci_high": high,
        "std_err": std_err,
        "spread": spread.estimate,
        "spread_ci_low": spread.low,
        "spread_ci_high": spread.high,
        "cards_up": int(np.count_nonzero(shown & (found.estimate > 0))),
        "cards_down": int(np.count_nonzero(shown & (found.estimate < 0))),
        "p_value": float(two_sided_p(mean, std_err)) if known else np.nan,
    }
