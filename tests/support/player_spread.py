"""How far strong players differ on cards, and by how much stronger play stretches advantages.

`make spreads` plays each set of Mindbug, and all sets together, among players of several kinds,
each with deals of its own, and prints what is learned from all cards.
`analysis.mindbug.experiments.skill_panel` has the numbers: the prior of the spread of players, and
the stretch.  Two chapters of Mice & Mystics follow, with what their abilities, search cards and
first encounters do.  The runs stay in a folder, so a second start plays only what is missing.

The spread is that of `analysis.panel`: over all sets the likelihood of its prior has one maximum,
found on a grid.  The stretch is the slope of what cards do among the stronger player over what they
do among `expert`, by moments: the errors of both sides, which would make it smaller, are taken out
[1]_, and cards may differ beyond it.  Its interval is the infinitesimal jackknife's over cards.

References
----------
.. [1] W. A. Fuller, *Measurement Error Models*, Wiley 1987, sections 1.2 and 3.1.
"""

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from pathlib import Path

import numpy as np
import numpy.typing as npt

import analysis.mice_and_mystics
import analysis.mindbug
from analysis.confidence import normal_z
from analysis.panel import SpreadPrior
from analysis.shrinkage import spread_shares
from analysis.simultaneous import apart_z
from support.agreement import played
from support.verdicts_of_record import SETS

#: The panel of the verdicts of record and a much stronger player: games of each set.
GAMES = {
    "expert": 30_000,
    "expert=second": 20_000,
    "expert=third": 20_000,
    "search:16": 12_000,
    "search:64": 6_000,
    "search:400": 4_000,
}
#: The same of all sets together, which have five times as many cards.
ALL, GAMES_OF_ALL = "all_sets", {"expert": 120_000, "search:400": 6_000}
SLOWEST = "search:400"
#: The same for chapters of Mice & Mystics; the first is the one that the others are set beside.
CHAPTERS = ("ch1_flight_to_barksburg", "standin_four_rooms")
GAMES_OF_CHAPTER = {"learned": 200_000, "search:25": 6_000}
_TREATMENTS = ("abilities", "search_cards", "encounters")
#: Players that are no stronger than the first.
_SIMILAR = ("expert=second", "expert=third")
_SEED = 2032
#: Each run has a start and an end in which most processors wait, so several are played at once.
_THREADS_EACH = 4
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


def stretch(weaker: Iterable[Known], stronger: Iterable[Known]) -> tuple[float, float]:
    """The slope and its standard error; one pair of estimates and errors for each family."""
    shared, own = [], []  # what a card adds to the covariance, and to the variance
    for (x, error), (y, _) in zip(weaker, stronger, strict=True):
        known = np.isfinite(x + error + y)  # not where too few games of either say something
        x, error, y = x[known], error[known], y[known]
        x, y = x - x.mean(), y - y.mean()
        shared.append(x * y)
        own.append(x**2 - error**2 * (1 - 1 / len(x)))
    covariance, variance = np.concatenate(shared), np.concatenate(own)
    slope = covariance.sum() / variance.sum()
    n = len(variance)
    influence = (covariance - slope * variance) / variance.sum()
    return float(slope), float(np.sqrt((influence**2).sum() * n / (n - 1)))


def of_cards(name: str, player: str, folder: Path) -> list[Known]:
    """What the cards of a set do among a player, and the errors; plays what is missing."""
    games = (GAMES_OF_ALL if name == ALL else GAMES)[player]
    run = played(name, player, games, folder, _SEED + list(GAMES).index(player))
    cards = analysis.mindbug.analyze(run)["cards"].sort_values("card_id")
    return [(cards["advantage"].to_numpy(), cards["std_err"].to_numpy())]


def of_chapter(name: str, player: str, folder: Path) -> list[Known]:
    """The same of what is drawn at random in a chapter, one family after the other."""
    seed = _SEED + list(GAMES_OF_CHAPTER).index(player)
    tables = analysis.mice_and_mystics.analyze(
        played(name, player, GAMES_OF_CHAPTER[player], folder, seed)
    )
    found = []
    for table in (tables[one] for one in _TREATMENTS):
        low, high = table["win_effect_ci_low"], table["win_effect_ci_high"]
        reach = apart_z(int(low.notna().sum()))  # the intervals of a family hold together
        found.append((table["win_effect"].to_numpy(), ((high - low) / (2 * reach)).to_numpy()))
    return found


def _measured(
    measure: Callable[[str, str, Path], list[Known]],
    players: Iterable[str],
    names: Iterable[str],
    folder: Path,
) -> dict[tuple[str, str], list[Known]]:
    """What is known by set and player.  The slowest come first, several at a time."""
    keys = [(name, player) for player, name in product(players, names)]
    with ProcessPoolExecutor(-(-(os.cpu_count() or 1) // _THREADS_EACH)) as workers:
        jobs = {key: workers.submit(measure, *key, folder) for key in reversed(keys)}
        return {key: jobs[key].result() for key in keys}


def slopes(
    found: Mapping[tuple[str, str], list[Known]], rows: Mapping[str, Sequence[str]]
) -> Iterator[str]:
    """A table of slopes; the first player is the one that the others are set beside."""
    weakest, *others = dict.fromkeys(player for _, player in found)
    yield f"| | {' | '.join(f'`{player}`' for player in others)} |"
    yield "|---" * (len(others) + 1) + "|"
    for title, names in rows.items():
        cells = []
        for player in others:
            sides = (
                [one for name in names for one in found[name, who]] for who in (weakest, player)
            )
            slope, error = stretch(*sides)
            reach = normal_z() * error
            cells.append(f"{slope:.2f} ({slope - reach:.2f} to {slope + reach:.2f})")
        yield f"| {title} | {' | '.join(cells)} |"


def main() -> None:
    """Play what is missing, and print what is learned."""
    folder = Path(sys.argv[1])
    cards = _measured(of_cards, GAMES, SETS, folder)
    of_all = _measured(of_cards, GAMES_OF_ALL, [ALL], folder)
    sets = {
        name: tuple(
            np.column_stack(one)
            for one in zip(*(cards[name, who][0] for who in GAMES if who != SLOWEST), strict=True)
        )
        for name in SETS
    }
    prior = spread_prior(sets)
    print(
        f"spread of players: {prior.scale:.5f}, by a factor of {prior.factor:.2f} from set to set,"
        f" {prior.degrees:g} degrees of freedom\n"
    )
    strong = {key: known for key, known in cards.items() if key[1] not in _SIMILAR}
    rows: dict[str, Sequence[str]] = {name.replace("_", " "): [name] for name in SETS}
    print(*slopes(strong, rows | {"the six sets": SETS}), sep="\n")
    print("", *slopes(of_all, {"all sets in one pool": [ALL]}), sep="\n")
    chapters = _measured(of_chapter, GAMES_OF_CHAPTER, CHAPTERS, folder)
    rows = {f"`{name}`": [name] for name in CHAPTERS} | {"both": CHAPTERS}
    print("", *slopes(chapters, rows), sep="\n")


if __name__ == "__main__":
    main()
