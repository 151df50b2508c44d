"""Whether advantages that are corrected for the luck of the deal keep their word.

Part of docs/data/planted_truths.csv: `sections` has what `planted_table` plays at full size.  No
command corrects win rates in this way, since it saves few games (docs/methods.md); what it would
save is measured by ``tests/benchmarks/bench_control_variates.py``.  Here its intervals are held
against made-up games, in which it is known what each card is worth.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np
from scipy.stats import hypergeom

from analysis.confidence import normal_z
from simcore.mindbug.table.records import DEALT_EACH
from support.planted_panel import COPIES, N_CARDS, _advantages
from support.planted_truths import COVERED, Section, Share, of_each
from support.synthetic import synthetic_cards, synthetic_games

#: What goes first is worth, and the standard deviation of the worths of cards: advantages then
#: reach three points either way, as among strong players.
_FIRST, _SPREAD = 0.03, 0.015
#: Ways to estimate an advantage: which controls.
PLAIN, CARDS, START = "plain", "other cards", "other cards and who starts"


def controls(seeds: Sequence[int], n_games: int) -> list[Share]:
    """How often the intervals of advantages hold, with each kind of control."""
    inside = np.array(of_each(partial(_inside, n_games=n_games), seeds))
    said = {
        PLAIN: "plain advantages inside their interval",
        CARDS: "corrected for the other cards of both hands",
        START: "and for who starts",
    }
    return [
        Share(words, int(hits.sum()), hits.size, *COVERED)
        for words, hits in zip(said.values(), np.moveaxis(inside, 1, 0), strict=True)
    ]


def _inside(seed: int, n_games: int) -> np.ndarray:
    """Which intervals of a run hold the truth, shape (ways, N_CARDS)."""
    rng = np.random.default_rng([seed, 1])
    worth = np.clip(rng.normal(0, _SPREAD, N_CARDS), -0.03, 0.03)
    worth -= worth.mean()
    games = synthetic_games(
        synthetic_cards(N_CARDS, COPIES),
        n_games,
        seed=seed,
        worth=worth,
        first_player_advantage=_FIRST,
    )
    truth, hits = _advantages(worth), []
    for way in (PLAIN, CARDS, START):
        estimate, std_err = corrected(games, way)
        hits.append(np.abs(estimate - truth) <= normal_z() * std_err)
    return np.array(hits)


def corrected(games: np.ndarray, way: str) -> tuple[np.ndarray, np.ndarray]:
    """Advantages of all cards and their standard errors, corrected in one of the ways.

    From each result is taken what the controls explain, and their mean, which is known exactly, is
    added again: with coefficients from other games the estimate has the same mean as the plain one.
    """
    results = 0.5 - games["winner"]
    hands = [
        (half[:, :, None] == np.arange(N_CARDS)).sum(axis=1)
        for half in (games["cards"][:, :DEALT_EACH], games["cards"][:, DEALT_EACH:])
    ]
    held = hands[0] - hands[1]
    starts = np.where(way == START, 1.0 - 2 * games["first_player"], 0.0)
    explained = np.column_stack([held, starts]).astype(float)
    if way == PLAIN:
        explained[:] = 0
    half = len(games) // 2
    parts = (slice(0, half), slice(half, None))
    weights = np.zeros_like(explained)
    for mine, other in zip(parts, parts[::-1], strict=True):
        weights[mine] = _coefficients(explained, results, other)
    left = results - (weights * explained).sum(axis=1)
    mean = _mean_of_another()
    estimates, errors = [], []
    for card in range(N_CARDS):
        mine, theirs = (hand[:, card] > 0 for hand in hands)
        own = weights[:, card] * explained[:, card]  # what is asked about is no control
        others = weights[:, :N_CARDS].sum(axis=1) - weights[:, card]
        n = mine.astype(float) + theirs
        points = (mine.astype(float) - theirs) * (left + own) + n * mean * others
        estimate = points.sum() / n.sum()
        influence = (points - estimate * n) / n.sum()
        seen = (n > 0).sum()
        estimates.append(estimate)
        errors.append(np.sqrt((influence**2).sum() * seen / (seen - 1)))
    return np.array(estimates), np.array(errors)


def _coefficients(explained: np.ndarray, results: np.ndarray, of: slice) -> np.ndarray:
    """How much of a result each control explains in some games, shrunk a little."""
    square = explained[of].T @ explained[of]
    shrunk = square + 0.25 / (2 * _SPREAD) ** 2 * np.eye(len(square))
    found: np.ndarray = np.linalg.solve(shrunk, explained[of].T @ results[of])
    return found


def _mean_of_another() -> float:
    """Copies of another card in the hand of who holds a card, less those of the opponent: mean."""
    rest = COPIES * N_CARDS - COPIES
    held = np.arange(1, COPIES + 1)
    chance = hypergeom.pmf(held, rest + COPIES, COPIES, DEALT_EACH)
    mine = (DEALT_EACH - held) * COPIES / rest
    theirs = DEALT_EACH * (COPIES - mine) / (rest + COPIES - DEALT_EACH)
    return float(((mine - theirs) * chance).sum() / chance.sum())


def sections() -> list[Section]:
    """The experiments at full size: title, words, what is to be played."""
    return [
        (
            f"Corrected for the luck of the deal: {n_games:,} games",
            f"400 runs of {n_games:,} made-up games with 16 cards, whose worths are drawn anew for"
            " each, with advantages of up to three points as among strong players; going first is"
            " worth three points. Coefficients come from the other half of the games.",
            partial(controls, range(1, 401), n_games),
        )
        for n_games in (4_000, 400)
    ]
