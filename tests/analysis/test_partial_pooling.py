"""Few games of a strong player joined with many of others, against planted truths."""

import numpy as np
import pytest

from analysis.estimates import Estimate
from analysis.panel import SpreadPrior
from analysis.partial_pooling import Pooled, SlopePrior, pool_partially

N_ITEMS = 32
#: What is known beforehand, in points: strong players of other items differed by about this much.
SPREADS, SLOPES = SpreadPrior(0.9, 1.6, 4.0), SlopePrior(1.2, 0.3)
#: What the strong player alone makes of items: nothing, as much of each, much of a few.
ALONE = {
    "nothing": lambda rng: np.zeros(N_ITEMS),
    "as much of each": lambda rng: rng.normal(0, 1.0, N_ITEMS),
    "much of a few": lambda rng: 0.7 * rng.standard_t(4, N_ITEMS),
}
WEAKER = 0.25


def estimates(truth: np.ndarray, errors: np.ndarray, std_err: float) -> Estimate:
    """Normal ones, with their intervals."""
    at = truth + std_err * errors
    width = np.full(len(at), std_err)
    return Estimate(at, at - 1.96 * width, at + 1.96 * width, width, np.full(len(at), 1_000))


def planted(seed: int, alone: str, std_err: float, alike: float = 0.0) -> tuple[np.ndarray, Pooled]:
    """True values among the strong, and what is found."""
    rng = np.random.default_rng(seed)
    weaker = rng.normal(0, 3.5, N_ITEMS)
    truth = 1.3 * weaker + ALONE[alone](rng)
    luck = rng.standard_normal((2, N_ITEMS))
    mine = alike * luck[0] + np.sqrt(1 - alike**2) * luck[1]
    own, others = estimates(truth, mine, std_err), estimates(weaker, luck[0], WEAKER)
    return truth, pool_partially(own, others, SPREADS, SLOPES, alike=alike)


@pytest.mark.parametrize("std_err", [2.0, 0.7], ids=["few games", "more games"])
@pytest.mark.parametrize("alone", ALONE)
def test_intervals_contain_the_truth(alone: str, std_err: float) -> None:
    """From 93 to 97% of them, and more where strong players differ less than they usually do.

    What is found is nearer to the truth than their own games: mean squares are a third or less
    with few games.  Together the intervals hold in nine of ten families of items, or more.
    """
    inside, all_inside, found, own, slopes = [], [], [], [], []
    for seed in range(30):
        truth, pooled = planted(seed, alone, std_err)
        items, joint = pooled.items, pooled.together
        inside.append((items.ci_low < truth) & (truth < items.ci_high))
        all_inside.append(((joint.ci_low < truth) & (truth < joint.ci_high)).all())
        found.append((items.estimate - truth) ** 2)
        own.append(std_err**2)
        slopes.append(pooled.slope.ci_low <= 1.3 <= pooled.slope.ci_high)
    assert 0.93 <= np.mean(inside) <= (0.97 if (alone, std_err) == ("as much of each", 0.7) else 1)
    assert np.mean(all_inside) >= 0.88 and np.mean(slopes) >= 0.9
    assert np.mean(found) < np.mean(own) / (3 if std_err == 2.0 else 1)


def test_an_item_of_which_the_strong_make_something_else_keeps_its_own_games() -> None:
    """Far more of them than one that is as the others say; it is told, and no other is."""
    rng = np.random.default_rng(0)
    weaker = rng.normal(0, 3.5, N_ITEMS)
    truth = 1.3 * weaker
    truth[5] += 8
    own, others = (estimates(of, np.zeros(N_ITEMS), e) for of, e in ((truth, 1.0), (weaker, 0.1)))
    pooled = pool_partially(own, others, SPREADS, SLOPES)
    assert abs(pooled.items.estimate[5] - truth[5]) < 1.0
    assert [*np.flatnonzero(pooled.differs_p_value < 0.001)] == [5]


def test_luck_that_both_share_counts() -> None:
    """Where players meet the same luck, intervals that know nothing of it are too narrow."""
    inside: dict[float, list[np.ndarray]] = {0.8: [], 0.0: []}
    for seed in range(30):
        rng = np.random.default_rng(seed)
        truth, luck = rng.normal(0, 3.5, N_ITEMS), rng.standard_normal((2, N_ITEMS))
        others = estimates(truth, luck[0], 0.7)
        own = estimates(truth, 0.8 * luck[0] + 0.6 * luck[1], 0.7)
        for alike, found in inside.items():
            items = pool_partially(own, others, SPREADS, SLOPES, alike=alike).items
            found.append((items.ci_low < truth) & (truth < items.ci_high))
    assert np.mean(inside[0.8]) > 0.93 > np.mean(inside[0.0])


def test_items_of_which_nothing_is_known() -> None:
    """They stay unknown and count for no other; where nothing is known of any, that is told."""
    truth = np.random.default_rng(1).normal(0, 3, 6)
    own = estimates(truth, np.zeros(6), 1.0)
    gap = own._replace(std_err=np.where(np.arange(6) == 2, np.nan, own.std_err))
    others = estimates(truth, np.zeros(6), 0.2)
    pooled = pool_partially(gap, others, SPREADS, SLOPES)
    assert np.isnan(pooled.items.estimate[2]) and np.isfinite(pooled.items.estimate[3])
    rest = np.arange(6) != 2
    own, others = (Estimate(*(values[rest] for values in one)) for one in (own, others))
    fewer = pool_partially(own, others, SPREADS, SLOPES)
    assert np.allclose(pooled.items.estimate[rest], fewer.items.estimate)
    with pytest.raises(ValueError, match="no item"):
        pool_partially(own._replace(std_err=np.full(5, np.nan)), others, SPREADS, SLOPES)
