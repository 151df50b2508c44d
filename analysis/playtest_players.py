"""People who played: how strong each is, and what rates would be among equals.

The strength of named players is Bradley and Terry's, for more than two seats Luce's [1]_: who wins
is drawn in proportion to the odds of all seats.  Strengths are log-odds, normal around 0 with a
spread that is averaged over, each as likely as it makes the games (Laplace's approximation).  A
rate among equals comes from the same model, with one more term for whoever begins, sits there or
holds the card.

References
----------
.. [1] R. D. Luce, *Individual Choice Behavior*, Wiley 1959.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from math import nan
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.special import expit, logsumexp

from analysis.confidence import normal_z
from analysis.estimates import RatioSums, estimate_rate, interval_columns
from analysis.playtests import ALL, BEGINS, RATES, SEAT, WITH
from card_data.playtest_log import PlayedGame, PlaytestLog
from simcore.arrays import Bools, Floats

#: Players who met less often than this are not rated.
LEAST_MEETINGS = 10
# Spreads of log-odds of players; steps by which strengths are found, and where that ends.
_SPREADS = 0.05 * 2 ** (np.arange(13) / 2)
_STEPS, _ENOUGH = 50, 1e-9
# The spread of log-odds of whoever begins, of a seat and of a card beforehand.
_OF_TERMS = 1.0


class Meetings(NamedTuple):
    """Games of named players of which the result is known.

    ``scores`` are the shares of a win of each seat, (n_games, n_seats), ``there`` says which seats
    there are, and ``design`` is 1 where a player sits, (n_games, n_seats, n_players).
    """

    games: Sequence[PlayedGame]
    scores: Floats
    there: Bools
    design: Floats

    @classmethod
    def of(cls, log: PlaytestLog) -> "Meetings":
        """Those of a log."""
        names = [*log.players]
        games = [
            game
            for game in log.games
            if len(game.players) == len(game.scores) > 1
            and all(game.players)
            and np.isfinite(game.scores).all()
            and sum(game.scores) > 0
        ]
        shape = len(games), max((len(game.scores) for game in games), default=2)
        scores, there = np.zeros(shape), np.zeros(shape, bool)
        design = np.zeros((*shape, len(names)))
        for row, game in enumerate(games):
            seats = range(len(game.scores))
            scores[row, seats] = np.array(game.scores) / sum(game.scores)
            there[row, seats] = True
            design[row, seats, [names.index(one) for one in game.players]] = 1
        return cls(games, scores, there, design)

    @property
    def is_rated(self) -> bool:
        """Whether there are enough of them."""
        return len(self.games) >= LEAST_MEETINGS

    def who(self, kind: str, of: str = "", version: str | None = None) -> Floats:
        """1 where a seat is what a rate is about, (n_games, n_seats, 1); of one version, if said.

        The kinds are those of `analysis.playtests.Figure`.
        """
        found = np.zeros((*self.there.shape, 1))
        for row, game in enumerate(self.games):
            if version is None or game.version == version:
                found[row, [*_seats(game, kind, of)], 0] = 1
        return found

    def fit(self, *terms: Floats) -> tuple[Floats, Floats]:
        """Log-odds of players, then of the terms, and their standard deviations."""
        design = np.concatenate([self.design, *terms], axis=2)
        fits = [_fit(design, self, spread, self.design.shape[2]) for spread in _SPREADS]
        weight = np.exp(np.array([fit[2] for fit in fits]) - max(fit[2] for fit in fits))
        weight /= weight.sum()
        means, variances = (np.array([fit[part] for fit in fits]) for part in (0, 1))
        mean = weight @ means
        return mean, np.sqrt(weight @ (variances + (means - mean) ** 2))


def _seats(game: PlayedGame, kind: str, of: str) -> Iterator[int]:
    """The seats of a game that a rate is about."""
    for seat in range(len(game.scores)):
        is_it = {
            BEGINS: seat == game.first,
            SEAT: str(seat) == of,
            WITH: of in game.held[seat] or of in game.sides[seat],
        }
        if is_it[kind]:
            yield seat


def _fit(
    design: Floats, met: Meetings, spread: float, n_players: int
) -> tuple[Floats, Floats, float]:
    """Log-odds, their variances, and how likely this spread of players makes the games (log)."""
    precision = np.full(design.shape[2], _OF_TERMS**-2)
    precision[:n_players] = spread**-2.0
    x, outside = np.zeros(design.shape[2]), np.where(met.there, 0.0, -np.inf)
    for _ in range(_STEPS):
        odds = design @ x + outside
        chance = np.exp(odds - logsumexp(odds, axis=1, keepdims=True))
        mean = np.einsum("gs,gsp->gp", chance, design)
        hessian = np.einsum("gs,gsp,gsq->pq", chance, design, design, optimize=True)
        hessian += np.diag(precision) - mean.T @ mean
        step = np.einsum("gs,gsp->p", met.scores - chance, design) - precision * x
        step = np.linalg.solve(hessian, step)
        x = x + step
        if np.abs(step).max() < _ENOUGH:
            break
    odds = design @ x + outside
    known = np.where(met.there, odds, 0.0)
    fit = (met.scores * known).sum() - logsumexp(odds, axis=1).sum() - precision @ (x * x) / 2
    shape = (np.log(precision).sum() - np.linalg.slogdet(hessian)[1]) / 2
    return x, np.diag(np.linalg.inv(hessian)), float(fit + shape)


def strengths(log: PlaytestLog) -> pd.DataFrame:
    """The table ``playtest_players``: games, wins, and strength of each player who is named.

    ``strength`` is the chance against an average player of the log, shrunk; nan where nobody met
    often enough.
    """
    names, met = [*log.players], Meetings.of(log)
    n, won = np.zeros((2, len(names)))
    for game in log.games:
        for player, score in zip(game.players, game.scores, strict=True):
            if player and np.isfinite(score):
                n[names.index(player)] += 1
                won[names.index(player)] += score
    rate = estimate_rate(RatioSums.one_each(n, won, won))
    called = [log.players[one] for one in names]
    table = pd.DataFrame({"player": called, "n_games": n.astype(int), "won": won})
    table = table.assign(**interval_columns("rate", rate))
    odds = met.fit(met.who(BEGINS)) if met.is_rated else np.full((2, len(names)), nan)
    table = table.assign(**_chances("strength", [part[: len(names)] for part in odds]))
    return table.sort_values("rate", ascending=False, kind="stable", ignore_index=True)


def among_equals(log: PlaytestLog, figures: pd.DataFrame) -> pd.DataFrame:
    """The table ``playtests`` with its columns ``equals``: rates among players of one strength.

    nan where players are not named, met too seldom, or no seat of a game is what a rate is about
    while another is not.
    """
    met, odds = Meetings.of(log), np.full((2, len(figures)), nan)
    is_rate = figures["kind"].isin(RATES) & met.is_rated
    for place, (_, row) in enumerate(figures[is_rate].iterrows()):
        kind, of = row["kind"], row["of"]
        own = met.who(kind, of, None if row["version"] == ALL else row["version"])
        has = own[..., 0] > 0
        if (has.any(axis=1) & (met.there & ~has).any(axis=1)).any():
            first = [met.who(BEGINS)] if kind != BEGINS else []
            fit = met.fit(*first, met.who(kind, of) - own, own)
            odds[:, np.flatnonzero(is_rate)[place]] = [part[-1] for part in fit]
    seats = Counter(len(game.scores) for game in met.games).most_common(1)
    return figures.assign(**_chances("equals", [*odds], seats[0][0] if seats else 2))


def _chances(name: str, odds: Sequence[Floats], seats: int = 2) -> dict[str, Floats]:
    """Chances against as many average players as there are other seats, with their interval."""
    (mean, deviation), others = odds, np.log(seats - 1)
    return {
        f"{name}{end}": expit(mean + side * normal_z() * deviation - others)
        for end, side in (("", 0), ("_ci_low", -1), ("_ci_high", 1))
    }


def main_holder(log: PlaytestLog, entry: str) -> tuple[str, float]:
    """Who had a card or side most often, and in which share of the seats that had it."""
    had = Counter(
        player
        for game in log.games
        for player, *entries in zip(game.players, game.held, game.sides, strict=True)
        if any(entry in some for some in entries)
    )
    [(player, most)] = had.most_common(1) or [("", 0)]
    return player, most / max(had.total(), 1)
