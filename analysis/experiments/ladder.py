"""The tables of a ladder: who beats whom, and how strong each player is.

Each pair plays every deal several times, with seats exchanged and the same cards and luck, so that
neither has better ones: two players twice, once from either side.  The games of a deal depend on
each other, so the deal is the unit of independence: the score of a pair is a ratio of sums over
deals, with the interval of any other rate (`analysis.estimates`).

Ratings follow Bradley and Terry [1]_: player i beats player j with the probability
1 / (1 + 10^((Elo_j - Elo_i) / 400)).  They are maximum-likelihood estimates with a mean of 0; a
draw counts as half a win.  The likelihood has a maximum only if no group of players wins all its
games against the others [2]_, so each pair gets one more game, drawn; without it the rating of a
player who never loses would be infinite.  The intervals come from the delta method: the ratings are
a smooth function of the scores of the pairs, whose variances between deals are known whether or not
the model fits (a sandwich estimator).

References
----------
.. [1] R. A. Bradley, M. E. Terry, "Rank analysis of incomplete block designs: I. The method of
   paired comparisons", Biometrika 39 (1952), 324-345.
.. [2] D. R. Hunter, "MM algorithms for generalized Bradley-Terry models", Annals of Statistics 32
   (2004), 384-406.
"""

import os
import warnings
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.special import expit

from analysis.confidence import normal_z
from analysis.estimates import (
    Estimate,
    RatioSums,
    corrected_z,
    estimate_rate,
    interval,
    two_sided_p,
)
from analysis.experiments.pair_games import ContestKind, PairGames, read_ladder, speed_table
from analysis.registry import HIGH, LOW, Registry, Table, with_interval
from analysis.tables import write_tables
from simcore.arrays import Floats, Integers
from simcore.places import located
from simcore.work.folder import identity

#: Elo for one unit of log-odds.
ELO = 400 / np.log(10)

_SCORE = "A win counts 1, a draw one half, a loss 0."


def analyze_ladder(kind: ContestKind, folder: str | os.PathLike[str]) -> dict[str, pd.DataFrame]:
    """Read the games in a ladder's folder and write its tables to ``tables/``; return them.

    ``kind`` is that of the ladders of its game.  Raises RunError when the ladder is missing,
    unfinished or damaged, or cannot be written to.
    """
    manifest, games = read_ladder(kind, folder)
    tables = ladder_tables(manifest["players"], games)
    write_tables(tables, located(folder), identity(kind.folder, manifest, ""))
    return tables


def ladder_tables(players: Sequence[str], games: Sequence[PairGames]) -> dict[str, pd.DataFrame]:
    """The tables ``ratings``, ``pairs`` and ``speed``, described in ``docs/columns.md``.

    Only ``speed`` depends on the clock.

    Parameters
    ----------
    players
        At least two.
    games
        Those of each pair of them, every pair once, at least one deal each.
    """
    deals = np.array([_deals_by_points(pair.results) for pair in games])
    elo, covariance = _bradley_terry(_design(players, games), deals)
    best_first = [players[i] for i in np.argsort(-elo, kind="stable")]
    games = _best_first(games, best_first)
    design = _design(players, games)
    pairs = _pairs_table(games, design @ elo, _std_err(design, covariance))
    table = _ratings_table(players, pairs, elo, _std_err(np.eye(len(players)), covariance))
    table = table.sort_values("elo", ascending=False, kind="stable", ignore_index=True)
    return {
        "ratings": table[list(RATINGS.columns)],
        "pairs": pairs[list(PAIRS.columns)],
        "speed": speed_table(
            [(pair.player, pair.opponent, pair.results.size, pair.seconds) for pair in games]
        ),
    }


def _design(players: Sequence[str], games: Sequence[PairGames]) -> Floats:
    """A row for each pair, (n_pairs, n_players): 1 for its player, -1 for the opponent."""
    design = np.zeros((len(games), len(players)))
    for row, pair in enumerate(games):
        design[row, players.index(pair.player)] = 1
        design[row, players.index(pair.opponent)] = -1
    return design


def _best_first(games: Sequence[PairGames], players: Sequence[str]) -> list[PairGames]:
    """The pairs in the order of players, each with the player who comes first as its player."""
    place = {player: i for i, player in enumerate(players)}
    turned = [
        pair
        if place[pair.player] < place[pair.opponent]
        else PairGames(pair.opponent, pair.player, -pair.results, pair.seconds)
        for pair in games
    ]
    return sorted(turned, key=lambda pair: (place[pair.player], place[pair.opponent]))


def _deals_by_points(results: npt.NDArray[np.int8]) -> Integers:
    """Deals in which the first player won 0, 0.5, … points, shape (n_points,).

    Of k games of a deal there are 0 to k points, so 2 k + 1 of them.
    """
    n_games = results.shape[1]
    return np.bincount(results.sum(axis=1, dtype=np.int64) + n_games, minlength=2 * n_games + 1)


def _sums(deals: Integers, *, prior: bool = False) -> RatioSums:
    """Sums over the deals of each pair, (n_pairs, n_points); a ``prior`` is a drawn game more."""
    points = np.arange(deals.shape[1]) / 2
    n = np.full(len(points), points[-1])
    if not prior:
        return RatioSums.of_cells(deals, n, points)
    with_prior = np.column_stack([deals, np.ones(len(deals))])
    return RatioSums.of_cells(with_prior, np.append(n, 1), np.append(points, 0.5))


def _bradley_terry(design: Floats, deals: Integers) -> tuple[Floats, Floats]:
    """Ratings in Elo with mean 0, (n_players,), and their covariance, (n_players, n_players).

    ``design`` is that of `_design`; ``deals`` of its pairs are as `_deals_by_points` counts them.
    """
    import statsmodels.api as sm
    from statsmodels.tools.sm_exceptions import PerfectSeparationWarning

    sums = _sums(deals, prior=True)
    n_players = design.shape[1]
    # One parameter fewer than players, since only differences between ratings can be estimated.
    centred = np.eye(n_players)[:, 1:] - 1 / n_players
    x = design @ centred
    model = sm.GLM(np.column_stack([sums.s, sums.n - sums.s]), x, family=sm.families.Binomial())
    # Few pairs are fitted exactly, which statsmodels warns of; the drawn games make that harmless.
    with np.errstate(invalid="ignore", divide="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", PerfectSeparationWarning)
        fit = model.fit()
    expected = fit.fittedvalues
    information = x.T @ (x * (sums.n * expected * (1 - expected))[:, None])
    meat = x.T @ (x * (sums.n**2 * _variance(estimate_rate(sums)))[:, None])
    bread = np.linalg.inv(information)
    covariance = centred @ bread @ meat @ bread @ centred.T
    return ELO * centred @ fit.params, ELO**2 * covariance


def _variance(score: Estimate) -> Floats:
    """Variance of scores between deals; where all deals were alike, that of single games.

    Otherwise a pair with a score of one half in every deal would seem certain after one deal.
    """
    alone = score.estimate * (1 - score.estimate) / score.n
    return np.where(score.std_err > 0, score.std_err**2, alone)


def _std_err(contrasts: Floats, covariance: Floats) -> Floats:
    return np.sqrt(np.einsum("ij,jk,ik->i", contrasts, covariance, contrasts).clip(min=0))


def _pairs_table(games: Sequence[PairGames], elo: Floats, std_err: Floats) -> pd.DataFrame:
    score = estimate_rate(_sums(np.array([_deals_by_points(pair.results) for pair in games])))
    outcomes = {
        name: [int((pair.results == result).sum()) for pair in games]
        for name, result in (("wins", 1), ("draws", 0), ("losses", -1))
    }
    n_games = np.array([pair.results.size for pair in games])
    return pd.DataFrame(
        {
            "player": [pair.player for pair in games],
            "opponent": [pair.opponent for pair in games],
            "games": n_games,
            **outcomes,
            "score": score.estimate,
            "ci_low": score.ci_low,
            "ci_high": score.ci_high,
            "expected": expit(elo / ELO),
            **interval("elo_difference", elo, corrected_z(two_sided_p(elo, std_err)) * std_err),
        }
    )


def _ratings_table(
    players: Sequence[str], pairs: pd.DataFrame, elo: Floats, std_err: Floats
) -> pd.DataFrame:
    """One row per player, in the order in which they were named."""
    rows = []
    for player in players:
        first, second = pairs[pairs["player"] == player], pairs[pairs["opponent"] == player]
        n_games = first["games"].sum() + second["games"].sum()
        wins = first["wins"].sum() + second["losses"].sum()
        draws = first["draws"].sum() + second["draws"].sum()
        rows.append(
            {
                "player": player,
                "games": n_games,
                "wins": wins,
                "draws": draws,
                "losses": n_games - wins - draws,
                "score": (wins + draws / 2) / n_games,
            }
        )
    return pd.DataFrame(rows).assign(**interval("elo", elo, normal_z() * std_err))


RATINGS = Table(
    "ratings",
    "One row per player",
    {
        "player": "the player, best first",
        **with_interval(
            "elo",
            "rating (Bradley and Terry), in Elo: 400 more are ten wins for one loss; the mean of "
            "all players of the ladder is 0",
        ),
        "games": "games that the player played, against all others",
        "wins": "those that the player won",
        "draws": "those without a winner",
        "losses": "those that the player lost",
        "score": f"mean score of those games, whoever the opponents were. {_SCORE}",
    },
    where="in the folder of a ladder",
)
PAIRS = Table(
    "pairs",
    "One row per pair of players",
    {
        "player": "the player with the higher rating",
        "opponent": "the other player of the pair",
        "games": "games that they played, each deal with seats exchanged",
        "wins": "games that the player won",
        "draws": "games without a winner",
        "losses": "games that the opponent won",
        "score": f"mean score of the player. {_SCORE}",
        "ci_low": f"`score`: {LOW}, clustered by deal",
        "ci_high": f"`score`: {HIGH}, clustered by deal",
        "expected": "the score that the ratings of both expect",
        **with_interval(
            "elo_difference",
            "rating of the player minus rating of the opponent, its interval corrected for the"
            " number of pairs",
        ),
    },
    where="in the folder of a ladder",
)
SPEED = Table(
    "speed",
    "One row per pair",
    {
        "player": "the first player of the pair, or the player with the restriction",
        "opponent": "the other player of the pair",
        "games": "games that they played",
        "seconds": "seconds of processor time that these took, the thinking of both included",
        "games_per_second": "games of the pair for each second of processor time",
    },
    where="in the folder of a ladder or of restricted play",
    note="; no result, since it depends on the clock",
)
#: The tables in the folder of a ladder.
LADDER_TABLES = Registry(RATINGS, PAIRS, SPEED)
