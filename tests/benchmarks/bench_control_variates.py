"""How many games could be saved if win rates of cards were corrected for the luck of the deal.

A control variate is what is known of a game without its result, with a mean that is known exactly;
what it explains of the result can be taken off without bias.  Printed for a pool and a player is
how many times as many games the plain advantage of the median card takes: with the other cards of
both hands as controls, with who starts as well, and with the place of each card in the draw order
as well.  Coefficients come from the other half of the games (ridge regression), so they are fixed
before the games that they correct are seen.

The limit of all that can be known of the cards and of who starts comes from replays
(`analysis.mindbug.experiments.luck`, without slips): what two games of the same cards have in
common is all that anything about the cards can explain.  Run from the project's folder::

    PYTHONPATH=. .venv/bin/python tests/benchmarks/bench_control_variates.py \\
        learned 100000 2000 first_contact

for 100,000 games and the replays of 2,000 deals.
"""

import sys

import numpy as np

from analysis.mindbug.experiments.luck import DEAL_RECORD, Deals, luck_table
from card_data.mindbug import load_pool
from simcore.mindbug import compile_cards, play_games
from simcore.mindbug.table.records import DEALT_EACH

SEED = 7
#: What the coefficients are expected to be like: the standard deviation of a card's advantage.
_USUAL = 0.03


def main() -> None:
    """Print the factors, and the limit with its 95% interval."""
    policy, n_games, n_deals = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
    pool = load_pool(sys.argv[4:])
    table = compile_cards(pool.sets, pool.modes)
    games = play_games(table, n_games=n_games, seed=SEED, policies=(policy, policy))
    n_cards = len(table.cards)
    results = np.where(games["winner"] < 0, 0.0, 0.5 - games["winner"])
    begins = 1.0 - 2 * games["first_player"][:, None]
    slots = [_held(games, [slot], n_cards) for slot in range(DEALT_EACH)]
    hands = np.sum(slots, axis=0)
    opening = np.sum(slots[:5], axis=0)
    dealt = np.array([card.copies > 0 for card in table.cards])
    print(f"{policy}, {n_games} games of {' + '.join(sys.argv[4:])}")
    for name, controls in (
        ("other cards", [hands]),
        ("and who starts", [hands, begins]),
        ("and the draw order", [hands, begins, opening, *slots[5:-1]]),
    ):
        factors = _factors(results, np.hstack(controls), hands)[dealt]
        print(f"{name:20} {np.median(factors):.3f} ({factors.min():.3f} to {factors.max():.3f})")
    deals = np.zeros(n_deals, DEAL_RECORD)
    Deals(table, SEED, (policy, policy)).play(0, deals)
    parts = luck_table(deals, policy, equals=True).set_index("source")
    share, low, high = (
        parts[f"share{end}"]["cards"] + parts["share"]["start"]
        for end in ("", "_ci_low", "_ci_high")
    )
    print(f"{'limit':20} {1 / (1 - share):.3f} ({1 / (1 - low):.3f} to {1 / (1 - high):.3f})")
    print((100 * parts[["share", "share_ci_low", "share_ci_high"]]).round(1).to_string())


def _held(games: np.ndarray, places: list[int], n_cards: int) -> np.ndarray:
    """Copies of each card at some places of player 0's ten less those of player 1's."""
    held = np.zeros((len(games), n_cards), np.float32)
    rows = np.arange(len(games))
    for place in places:
        np.add.at(held, (rows, games["cards"][:, place]), 1)
        np.add.at(held, (rows, games["cards"][:, DEALT_EACH + place]), -1)
    return held


def _factors(results: np.ndarray, controls: np.ndarray, hands: np.ndarray) -> np.ndarray:
    """For each card, the variance of its advantage by that with controls, by the other half."""
    half = len(results) // 2
    left = results.copy()
    for mine, other in ((slice(0, half), slice(half, None)), (slice(half, None), slice(0, half))):
        of_other = controls[other].astype(float)
        square = of_other.T @ of_other + 0.25 / _USUAL**2 * np.eye(controls.shape[1])
        fitted = np.linalg.solve(square, of_other.T @ results[other])
        left[mine] -= controls[mine] @ fitted
    return np.array(
        [_variance(results, card) / max(_variance(left, card), 1e-300) for card in hands.T]
    )


def _variance(results: np.ndarray, held: np.ndarray) -> float:
    """The variance, but for a factor, of the mean result of those with more copies of a card."""
    n, points = np.abs(held), held * results
    if not n.any():
        return 0.0
    influence = points - points.sum() / n.sum() * n
    return float(influence @ influence)


if __name__ == "__main__":
    main()
