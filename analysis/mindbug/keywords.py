"""The table ``keywords``: win rates of players by their number of cards with a keyword.

The *effect* of a keyword is a regression coefficient: by how much a player's win rate rises with
one more dealt card that has the keyword, while the numbers of cards with other keywords and the
total power of the ten cards stay the same.  One row is one game, with the differences between the
players,

    score of player 0 - 1/2 = a + sum_k b_k (n_0k - n_1k) + c (P_0 - P_1) + error,

so that the two player-games of a game, which depend on each other, make one observation.  The
standard errors allow for unequal variances (HC1 [1]_).  Everything follows from sums of products of
four columns, which are added up over the games: memory does not grow with their number.  When the
players follow different policies, each policy has its own coefficients in the same regression.

A coefficient is an average over the cards that carry the keyword, their other abilities included;
it is not the effect of printing the keyword on some other card.

References
----------
.. [1] J. G. MacKinnon, H. White, "Some heteroskedasticity-consistent covariance matrix estimators
   with improved finite sample properties", J. Econometrics 29 (1985), 305-325.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from analysis.estimates import Estimate, RatioSums, estimate_rate, interval_columns
from analysis.mindbug import tallies
from analysis.mindbug.card_strength import rate_columns
from analysis.mindbug.selections import (
    KEYWORDS_OBSERVED,
    POLICY,
    SELECTION_NAMES,
    selection_columns,
)
from analysis.mindbug.tallies import N_HELD, N_KEYWORDS, N_OUTCOMES, SCORES, Tally
from analysis.registry import Table, with_ends, with_interval
from card_data.mindbug.schema import Card
from card_data.mindbug.vocabulary import Keyword


def keywords_table(tally: Tally, cards: Sequence[Card], policies: Sequence[str]) -> pd.DataFrame:
    """One row per keyword of the pool, policy and number of cards; see `KEYWORDS`."""
    in_pool = sorted(frozenset[Keyword]().union(*(card.keywords for card in cards)))
    blocks = []
    for group, (policy, players) in enumerate(tallies.groups(policies)):
        rates, effects = _rates_by_number(tally.keywords, players), estimate_effects(tally, group)
        for keyword in in_pool:
            columns: dict[str, Any] = {
                "keyword": keyword.name, "policy": policy, "n_cards": range(N_HELD)
            }  # fmt: skip
            for selection, name in enumerate(SELECTION_NAMES):
                columns |= rate_columns(name, rates.at((keyword, selection)))
            block = pd.DataFrame(columns | interval_columns("effect", effects.at(keyword)))
            blocks.append(block[(rates.n[keyword] > 0).any(axis=0)])
    if not blocks:
        return KEYWORDS.frame([])
    return pd.concat(blocks, ignore_index=True)


def estimate_effects(tally: Tally, group: int) -> Estimate:
    """Effects of one more card with each keyword and, last, of one more point of total power.

    Arrays of shape (n_keywords + 1,); nan for what the cards of the pool cannot tell apart.
    """
    n_columns = int((np.sqrt(8 * len(tally.moments) + 1) - 1) / 2)
    coefficients, covariance = fit_moments(tally.moments.astype(float), n_columns)
    sign = 1 if group == 0 else -1  # the score is that of player 0
    own = slice(1 + group * (N_KEYWORDS + 1), 1 + (group + 1) * (N_KEYWORDS + 1))
    effect, std_err = sign * coefficients[own], np.sqrt(np.diag(covariance)[own])
    n = np.full(effect.shape, tally.n_games)
    # The outcome column is twice the score less one, hence the halves.
    return Estimate.normal(effect / 2, std_err / 2, n)


def fit_moments(moments: np.ndarray, n_columns: int) -> tuple[np.ndarray, np.ndarray]:
    """Least squares of the last column on the others, with HC1 covariance, from sums of products.

    Parameters
    ----------
    moments : ndarray(float), shape (n_pairs, n_pairs)
        Sums over rows of w_i w_j w_k w_l for the pairs (i, j), (k, l) with i <= j, in the order of
        ``np.triu_indices(n_columns)``; w_0 is 1.
    n_columns
        Number of columns w.

    Returns
    -------
    coefficients : ndarray(float), shape (n_columns - 1,)
    covariance : ndarray(float), shape (n_columns - 1, n_columns - 1)
        A column without any variation (no card has the keyword) has nan in both; so has every
        column if the others are linearly dependent.
    """
    left, right = np.triu_indices(n_columns)
    pair = np.zeros((n_columns, n_columns), int)
    pair[left, right] = pair[right, left] = np.arange(len(left))
    products = moments[pair[0]][:, pair[0]]  # w_0 = 1, so these are plain second moments
    n, n_regressors = products[0, 0], n_columns - 1
    used = np.flatnonzero(np.diag(products)[:n_regressors] > 0)
    coefficients = np.full(n_regressors, np.nan)
    covariance = np.full((n_regressors, n_regressors), np.nan)
    gram, degrees_of_freedom = products[np.ix_(used, used)], n - len(used)
    scale = np.sqrt(np.diag(gram))
    if degrees_of_freedom <= 0 or np.linalg.cond(gram / np.outer(scale, scale)) > 1e10:
        return coefficients, covariance
    inverse = np.linalg.inv(gram)
    coefficients[used] = inverse @ products[used, -1]
    # A residual is a weighted sum of the columns, its square one of their pairs.
    weights = np.append(-np.nan_to_num(coefficients), 1.0)
    squared = weights[left] * weights[right] * np.where(left == right, 1, 2)
    meat = np.tensordot(squared, moments[:, pair[np.ix_(used, used)]], axes=1)
    covariance[np.ix_(used, used)] = inverse @ meat @ inverse * n / degrees_of_freedom
    return coefficients, covariance


def _rates_by_number(counts: np.ndarray, players: Sequence[int]) -> Estimate:
    """Win rates by keyword, selection and number of cards, arrays of shape (5, 7, n_held).

    ``counts`` is `Tally.keywords`.
    """
    counts = counts.reshape(*counts.shape[:2], -1)
    held = np.indices((N_OUTCOMES, N_HELD, N_HELD))[1:].reshape(2, -1, 1)  # (player, cell, 1)
    scores = np.repeat(SCORES, N_HELD * N_HELD, axis=1)[..., None]
    chosen = list(players)
    member = held[chosen] == np.arange(N_HELD)
    cells = member.sum(axis=0), (member * scores[chosen]).sum(axis=0)
    return estimate_rate(RatioSums.of_cells(counts, *cells))


KEYWORDS = Table(
    "keywords",
    "One row per keyword, policy and number of cards",
    {
        "keyword": "the keyword",
        "policy": POLICY,
        "n_cards": "number of the player's cards with the keyword in the selection, copies counted",
        **selection_columns("player-games in which, for exactly `n_cards` cards with the keyword,"),
        **with_interval(
            "effect",
            "observed: by how much the win rate differs with one more dealt card that has the "
            "keyword, the numbers of cards with the other keywords and the total power dealt held "
            f"fixed (a regression). {KEYWORDS_OBSERVED} The same in all rows of a keyword and "
            "policy",
        ),
    },
    make=lambda run: keywords_table(run.tally, [card for _, card in run.cards], run.policies),
    differences=("effect",),
    json_columns=("keyword", "policy", *with_ends("effect")),
    json_rows=lambda table: ~table.duplicated(["keyword", "policy"]),
)
