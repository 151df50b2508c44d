"""How near a few games of the strong player, joined with others, come to many games of theirs.

`make strong` plays pools among the players of `fairdeal balance --strong`, in folders that can be
resumed.  Of the many games of the strong player some are joined with those of the others, as the
command does, and set beside the rest: ``gain`` is how many times smaller the mean square of the
error is than without the others, the error of the rest taken out; ``covered`` how many of the 95%
intervals hold the truth.
"""

import sys
from pathlib import Path

import numpy as np

from analysis.estimates import Estimate, RatioSums, estimate_rate
from analysis.mindbug import open_run
from analysis.mindbug.experiments.strong import SLOPES, SPREADS
from analysis.mindbug.experiments.usual import PLAYER, STRONG, STRONGER, STRONGER_GAMES
from analysis.own_games.counts import squares
from analysis.partial_pooling import pool_partially
from card_data.mindbug import load_pool
from simcore.mindbug.play.run import new_run
from simcore.work.runs import run_games

SEED, GAMES = 5, {PLAYER: 100_000, STRONGER: STRONGER_GAMES, STRONG: 20_000}
SIZES, SPLITS = (512, 1024, 2048, 4096, 8192), 10


def records(folder: Path, pool: str, player: str, games: int) -> np.ndarray:
    """The games of a player against an equal."""
    cards = load_pool([pool])
    run_games(new_run(cards, n_games=games, seed=SEED, policies=(player, player)), folder)
    return np.concatenate([*open_run(folder).parts()])


def advantages(games: np.ndarray, n_cards: int) -> Estimate:
    """The win rate of players dealt each card minus one half; (n_cards,)."""
    winner, hands = games["winner"], games["cards"].reshape(len(games), 2, -1)
    points = np.where(winner[:, None] < 0, 0.5, winner[:, None] == [0, 1])
    held = (hands[..., None] == np.arange(n_cards)).any(axis=2)
    n, s = held.sum(axis=1), np.einsum("gp,gpc->gc", points, held)
    found = estimate_rate(RatioSums(*squares(n, s).astype(float)))
    return found._replace(estimate=found.estimate - 0.5)


def rows(place: Path, pool: str) -> None:
    """Print what is found of a pool, in squared points and in points."""
    games = {
        player: records(place / f"{pool}-{player.replace(':', '-')}", pool, player, n)
        for player, n in GAMES.items()
    }
    n_cards = 1 + int(games[STRONG]["cards"].max())
    one, two = (advantages(games[player], n_cards) for player in (PLAYER, STRONGER))
    std_err = np.hypot(one.std_err, two.std_err) / 2
    others = one._replace(estimate=(one.estimate + two.estimate) / 2, std_err=std_err)
    for size in SIZES:
        found = []
        for first in np.linspace(0, GAMES[STRONG] - size, SPLITS).astype(int):
            some = np.arange(GAMES[STRONG]) - first
            is_mine = (some >= 0) & (some < size)
            own = advantages(games[STRONG][is_mine], n_cards)
            rest = advantages(games[STRONG][~is_mine], n_cards)
            pooled = pool_partially(own, others, SPREADS, SLOPES)
            off, luck = pooled.items.estimate - rest.estimate, rest.std_err**2
            inside = np.abs(off) < 1.96 * np.sqrt(pooled.items.std_err**2 + luck)
            alone = ((own.estimate - rest.estimate) ** 2 - luck).mean()
            width = (pooled.items.ci_high - pooled.items.ci_low).mean() / 2
            found.append([alone, (off**2 - luck).mean(), inside.mean(), width, pooled.slope[0]])
        alone, joined, covered, width, slope = np.mean(found, axis=0)
        print(
            f"| {pool} | {size:,} | {1e4 * alone:.2f} | {1e4 * joined:.2f} | {alone / joined:.1f}"
            f" | {100 * covered:.1f} | {100 * width:.1f} | {slope:.2f} |"
        )


if __name__ == "__main__":
    print("| pool | games | alone | joined | gain | covered, % | half width | slope |")
    print("|---|---|---|---|---|---|---|---|")
    for named in sys.argv[2:]:
        rows(Path(sys.argv[1]), named)
