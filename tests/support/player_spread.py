"""How far strong players differ on cards, and by how much stronger play stretches advantages.

`make spreads` plays each set of Mindbug among players of several kinds, each with deals of its own,
and prints what is learned from all cards.  `analysis.mindbug.experiments.skill_panel` has the
numbers: the prior of the spread of players, and the stretch.  The runs stay in a folder, so a
second start plays only what is missing.

The spread is that of `analysis.panel`: over all sets the likelihood of its prior has one maximum,
found on a grid.  The stretch is the slope of what cards do among the stronger player over what they
do among `expert`, by moments: the errors of both sides, which would make it smaller, are taken out
[1]_, and cards may differ beyond it.  Its interval is the infinitesimal jackknife's over cards.

References
----------
.. [1] W. A. Fuller, *Measurement Error Models*, Wiley 1987, sections 1.2 and 3.1.
"""

import sys
from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path

import numpy as np
import numpy.typing as npt

from analysis.confidence import normal_z
from analysis.mindbug import analyze
from analysis.panel import SpreadPrior
from analysis.shrinkage import spread_shares
from support.agreement import played
from support.verdicts_of_record import SETS

#: The panel of the verdicts of record and a much stronger player: games of each.
GAMES = {
    "expert": 30_000,
    "expert=second": 20_000,
    "expert=third": 20_000,
    "search:16": 12_000,
    "search:64": 6_000,
    "search:400": 4_000,
}
_SEED = 2032
#: The sets that the slowest player plays; it takes minutes for each.
SLOWEST, SLOWEST_SETS = "search:400", ("first_contact", "king_of_tokyo")
_DEGREES, _FACTORS = (np.inf, 16.0, 8.0, 6.0, 4.0, 3.0, 2.0, 1.0), np.geomspace(1.05, 3, 30)
_SPREADS = 1e-4 * 2 ** (np.arange(41) / 4)

_FLOAT = npt.NDArray[np.float64]
Known = tuple[_FLOAT, _FLOAT]


def spread_prior(sets: Mapping[str, Known]) -> SpreadPrior:
    """The prior that makes the estimates of all sets most likely; arrays of (n_cards, n_players).

    How far sets differ is hardly known from a few, so the factor is the largest that is not ruled
    out: other pools and players are to be learned of from themselves.
    """
    found: dict[SpreadPrior, float] = {}
    likelihoods = [_likelihood(*of_set) for of_set in sets.values()]
    for degrees in _DEGREES:
        shares = spread_shares(_SPREADS, degrees)
        of_sets = np.array([np.log(one @ shares.T).sum(axis=0) for one in likelihoods])
        most = of_sets.max(axis=1, keepdims=True)
        for scale, factor in product(_SPREADS, _FACTORS):
            prior = SpreadPrior(float(scale), float(factor), degrees)
            chances = prior.chances(_SPREADS)
            of_each = np.log(np.exp(of_sets - most) @ (chances / chances.sum()))
            found[prior] = float((of_each + most[:, 0]).sum())
    best = max(found, key=found.__getitem__)
    limit = found[best] - normal_z() ** 2 / 2
    return max(
        (one for one, value in found.items() if one.degrees == best.degrees and value > limit),
        key=lambda one: (one.factor, found[one]),
    )


def _likelihood(x: _FLOAT, errors: _FLOAT) -> _FLOAT:
    """How likely each spread makes the estimates of each card, (n_cards, n_spreads)."""
    variance = _SPREADS[:, None] ** 2 + errors[:, None] ** 2
    information = (1 / variance).sum(axis=-1)
    mean = (x[:, None] / variance).sum(axis=-1) / information
    fit = ((x[:, None] - mean[..., None]) ** 2 / variance).sum(axis=-1)
    found = -(np.log(variance).sum(axis=-1) + np.log(information) + fit) / 2
    return np.asarray(np.exp(found - found.max(axis=1, keepdims=True)))


def stretch(weaker: list[Known], stronger: list[Known]) -> tuple[float, float]:
    """The slope and its standard error; one pair of estimates and errors for each set."""
    shared, own = [], []  # what a card adds to the covariance, and to the variance
    for (x, error), (y, _) in zip(weaker, stronger, strict=True):
        x, y = x - x.mean(), y - y.mean()
        shared.append(x * y)
        own.append(x**2 - error**2 * (1 - 1 / len(x)))
    covariance, variance = np.concatenate(shared), np.concatenate(own)
    slope = covariance.sum() / variance.sum()
    n = len(variance)
    influence = (covariance - slope * variance) / variance.sum()
    return float(slope), float(np.sqrt((influence**2).sum() * n / (n - 1)))


def known(name: str, player: str, folder: Path) -> Known:
    """What the cards of a set do among a player, and the errors; plays what is missing."""
    seed = _SEED + list(GAMES).index(player)
    cards = analyze(played(name, player, GAMES[player], folder, seed))["cards"]
    cards = cards[cards["decided_advantage"].notna()].sort_values("card_id")
    widths = cards["decided_advantage_ci_high"] - cards["decided_advantage_ci_low"]
    return cards["decided_advantage"].to_numpy(), (widths / (2 * normal_z())).to_numpy()


def _rows(cards: Mapping[tuple[str, str], Known]) -> Iterator[str]:
    """What is printed."""
    panel = [player for player in GAMES if player != SLOWEST]
    of_sets = {}
    for name in SETS:
        columns = [cards[name, player] for player in panel]
        of_sets[name] = tuple(np.column_stack(one) for one in zip(*columns, strict=True))
    prior = spread_prior(of_sets)
    yield (
        f"spread of players: {prior.scale:.5f}, by a factor of {prior.factor:.2f} from set to set,"
        f" {prior.degrees:g} degrees of freedom\n"
    )
    yield "| | `search:16` | `search:64` | `search:400` |"
    yield "|---|---|---|---|"
    for names in (*((name,) for name in SETS), SETS):
        cells = []
        for player in panel[-2:] + [SLOWEST]:
            there = [name for name in names if (name, player) in cards]
            if not there:
                cells.append("not measured")
                continue
            slope, error = stretch(
                *([cards[name, who] for name in there] for who in ("expert", player))
            )
            reach = normal_z() * error
            cells.append(f"{slope:.2f} ({slope - reach:.2f} to {slope + reach:.2f})")
        title = "all together" if len(names) > 1 else names[0].replace("_", " ")
        yield f"| {title} | {' | '.join(cells)} |"


def main() -> None:
    """Play what is missing, and print what is learned."""
    folder = Path(sys.argv[1])
    cards = {
        (name, player): known(name, player, folder)
        for player in GAMES
        for name in (SLOWEST_SETS if player == SLOWEST else SETS)
    }
    print("\n".join(_rows(cards)))


if __name__ == "__main__":
    main()
