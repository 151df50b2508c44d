"""Panels against planted truths: intervals, verdicts, agreement of ranks."""

import numpy as np
import pytest
from scipy.stats import norm, spearmanr

from analysis.panel import (
    DEPENDS,
    MORE_PLAYERS,
    PANEL_VERDICTS,
    Panel,
    SpreadPrior,
    crossover_p,
    judge_panel,
    rank_agreement,
)
from analysis.verdicts import FAIR, NEEDS_GAMES, TOO_STRONG, TOO_WEAK, verdicts

N_ITEMS = 32
#: How far players differ on each item: not at all, alike on all items, much on a few.
SPREADS = {
    "none": np.zeros(N_ITEMS),
    "alike": np.full(N_ITEMS, 1.5),
    "a few": np.where(np.arange(N_ITEMS) % 8 == 0, 4.0, 0.3),
}
#: Players of other items differed by about this much.
PRIOR = SpreadPrior(scale=1.0, factor=2.0, degrees=4.0)
#: Errors of the players: of three and of five.
ERRORS = [(0.3, 0.3, 1.0), (0.3, 0.5, 0.5, 0.8, 1.2)]


class Planted:
    """Items with known means and spreads, and what players of the kind estimate."""

    def __init__(
        self, seed: int, spread: np.ndarray, errors: tuple[float, ...], alike: float = 0.2
    ) -> None:
        rng = np.random.default_rng(seed)
        n = len(errors)
        self.errors = np.array(errors) * rng.choice([0.7, 1.0], (N_ITEMS, 1))
        self.mean = rng.normal(0, 2.5, N_ITEMS)
        self.true = self.mean[:, None] + spread[:, None] * rng.standard_normal((N_ITEMS, n))
        self.further = self.mean + spread * rng.standard_normal(N_ITEMS)
        luck = np.full((n, n), alike) + (1 - alike) * np.eye(n)
        noise = rng.standard_normal((N_ITEMS, n)) @ np.linalg.cholesky(luck).T
        self.x = self.true + self.errors * noise
        self.covariance = self.errors[:, :, None] * self.errors[:, None] * luck
        self.panel = Panel(self.x, self.covariance, PRIOR)

    def verdicts(self) -> np.ndarray:
        """The verdict on each item."""
        judged = judge_panel(self.panel, self.x, self.errors, band=2.0)
        return judged["panel_verdict"].to_numpy()


# ----------------------------------------------------------------------- mean and spread


@pytest.mark.parametrize("spread", SPREADS)
@pytest.mark.parametrize("errors", ERRORS, ids=["three players", "five players"])
def test_intervals_hold_both_sources_of_chance(spread: str, errors: tuple[float, ...]) -> None:
    """From 93 to 97% of them contain the mean over all players of the kind.

    More where these players do not differ at all: others did.
    """
    inside = []
    for seed in range(60):
        planted = Planted(seed, SPREADS[spread], errors)
        mean = planted.panel.mean
        inside.append((mean.ci_low <= planted.mean) & (planted.mean <= mean.ci_high))
    assert 0.93 <= np.mean(inside) <= (0.99 if spread == "none" else 0.97)


#: Standard errors of `verdict`'s two players, and of five, in points.
BUDGETS = [(0.2, 0.45), (0.2, 0.45, 0.45, 0.5, 0.6)]


@pytest.mark.parametrize("errors", BUDGETS, ids=["two players", "five players"])
@pytest.mark.parametrize("spread", ["as others", "one point"])
def test_what_is_said_of_a_further_player_is_true(spread: str, errors: tuple[float, ...]) -> None:
    """Of items told to be inside the band with about 95%, as many are for a further player.

    Where players differ on each item by two and a half times as much as players of other items do,
    which no two players can tell, it is a few less.
    """
    inside, told, true = [], [], []
    for seed in range(100):
        rng = np.random.default_rng(seed)
        scale = 0.4 / np.sqrt(rng.chisquare(4, N_ITEMS) / 4)
        each = scale if spread == "as others" else np.full(N_ITEMS, 1.0)
        mean = rng.normal(0, 1.5, N_ITEMS)
        x = mean[:, None] + each[:, None] * rng.standard_normal((N_ITEMS, len(errors)))
        x += errors * rng.standard_normal(x.shape)
        covariance = np.diag(np.square(errors)) * np.ones((N_ITEMS, 1, 1))
        panel = Panel(x, covariance, SpreadPrior(0.4, 2.0, 4.0))
        inside.append((panel.mean.ci_low <= mean) & (mean <= panel.mean.ci_high))
        told.append(panel.further_above(-2.0) - panel.further_above(2.0))
        true.append(norm.cdf((2 - mean) / each) - norm.cdf((-2 - mean) / each))
    assert 0.93 <= np.mean(inside) <= 0.97
    about = (np.abs(np.array(told) - 0.945) < 0.015).ravel()
    assert about.sum() > 80
    assert np.ravel(true)[about].mean() > (0.93 if spread == "as others" else 0.87)


def test_shared_luck_counts() -> None:
    """Where players meet the same luck, an interval that knows nothing of it is too narrow."""
    known: list[np.ndarray] = []
    unknown: list[np.ndarray] = []
    for seed in range(25):
        planted = Planted(seed, SPREADS["none"], (0.8,) * 4, alike=0.6)
        apart = planted.covariance * np.eye(4)
        for panel, inside in ((planted.panel, known), (Panel(planted.x, apart, PRIOR), unknown)):
            low, high = panel.mean.ci_low, panel.mean.ci_high
            inside.append((low <= planted.mean) & (planted.mean <= high))
    assert 0.93 <= np.mean(known) <= 0.98
    assert np.mean(unknown) < 0.9


def test_spreads_are_found() -> None:
    """Items on which players differ much have a large spread, the others a small one."""
    planted = Planted(1, SPREADS["a few"], (0.3,) * 6)
    spread, far = planted.panel.spread, SPREADS["a few"] > 1
    assert spread.estimate[far].min() > 1.2 and np.median(spread.estimate[~far]) < 0.6
    inside = (spread.ci_low <= SPREADS["a few"]) & (SPREADS["a few"] <= spread.ci_high)
    assert inside.mean() > 0.85


def test_many_players_without_errors_are_a_sample() -> None:
    """The mean is then the plain mean, and its interval that of the mean of all these numbers."""
    rng = np.random.default_rng(0)
    x = rng.normal(1, 2, (20, 60))
    panel = Panel(x, np.broadcast_to(1e-4 * np.eye(60), (20, 60, 60)), PRIOR)
    np.testing.assert_allclose(panel.mean.estimate, x.mean(axis=1), atol=1e-3)
    width = panel.mean.ci_high - panel.mean.ci_low
    np.testing.assert_allclose(width, 2 * 1.98 * x.std(axis=1, ddof=1) / np.sqrt(60), rtol=0.15)
    np.testing.assert_allclose(panel.spread.estimate, x.std(axis=1, ddof=1), rtol=0.2)


def test_nobody_comes_first() -> None:
    """Neither the order of the players nor that of the items matters."""
    planted = Planted(3, SPREADS["alike"], ERRORS[1])
    order, items = np.array([3, 0, 4, 2, 1]), np.arange(N_ITEMS)[::-1]
    covariance = planted.covariance[items][:, order][:, :, order]
    turned = Panel(planted.x[items][:, order], covariance, PRIOR).mean
    for one, other in zip(turned, planted.panel.mean, strict=True):
        np.testing.assert_allclose(one, other[items])


@pytest.mark.filterwarnings("error")
def test_gaps_are_no_estimates() -> None:
    """What a player does not say of an item is left out; a single estimate is not judged."""
    planted = Planted(4, SPREADS["none"], (0.3, 0.3, 0.3))
    x, errors = planted.x.copy(), planted.errors.copy()
    x[0, 2] = x[1, 1:] = x[2] = np.nan
    errors[np.isnan(x)] = np.nan
    covariance = np.where(
        np.isnan(x)[:, :, None] | np.isnan(x)[:, None], np.nan, planted.covariance
    )
    panel = Panel(x, covariance, PRIOR)
    pair = Panel(planted.x[3:, :2], planted.covariance[3:, :2, :2], PRIOR)
    assert panel.n.tolist()[:4] == [2, 1, 0, 3] and pair.n[0] == 2
    weights = 1 / errors[0, :2] ** 2
    expected = (weights * x[0, :2]).sum() / weights.sum()
    assert panel.mean.estimate[0] == pytest.approx(expected, abs=0.1)
    assert np.isnan(panel.mean.estimate[2]) and np.isnan(panel.spread.estimate[1])
    judged = judge_panel(panel, x, errors, band=2.0)
    assert judged["panel_verdict"][1:3].tolist() == [NEEDS_GAMES] * 2
    assert judged[["q_value", "same_side", "in_band", "depends_q_value"]][1:3].isna().all(axis=None)


def test_one_player_is_no_panel() -> None:
    """A sample of one has no spread."""
    with pytest.raises(ValueError, match="two players or more"):
        Panel(np.zeros((3, 1)), np.ones((3, 1, 1)), PRIOR)


# ------------------------------------------------------------------------------- verdicts


def test_words_are_those_of_a_further_player() -> None:
    """A word beside an interval is what it allows, unless more players or who plays come first."""
    for spread in SPREADS.values():
        planted = Planted(2, spread, (0.3, 0.5, 0.5, 0.8))
        judged = judge_panel(planted.panel, planted.x, planted.errors, band=2.0)
        word = verdicts(judged["further_ci_low"], judged["further_ci_high"], band=2.0)
        said = judged["panel_verdict"]
        open_ones = said.isin([MORE_PLAYERS, NEEDS_GAMES, DEPENDS])
        assert (said == word)[~open_ones].all()
        assert (word[open_ones & (said != DEPENDS)] == NEEDS_GAMES).all()


def test_planted_items_get_the_right_word() -> None:
    """Each of the verdicts is given to the item that it is about."""
    x = np.array(
        [
            [6.0, 5.5, 6.2, 5.8],  # for everyone
            [-6.0, -5.5, -6.2, -5.8],
            [0.2, -0.1, 0.0, 0.3],
            [5.0, -5.0, 5.0, -5.0],  # half of them
            [0.3, 1.0, 6.5, 3.0],  # above zero for these four; who knows for a fifth
            *[[3.0, 3.1, 2.9, 3.0]] * 8,
        ]
    )
    errors = np.full(x.shape, 0.3)
    said = judge_panel(
        Panel(x, 0.09 * np.eye(4) * np.ones((len(x), 1, 1)), PRIOR), x, errors, band=2.0
    )
    assert said["panel_verdict"][:5].tolist() == [TOO_STRONG, TOO_WEAK, FAIR, DEPENDS, MORE_PLAYERS]
    noisy = judge_panel(
        Panel(x, 25 * np.eye(4) * np.ones((len(x), 1, 1)), PRIOR), x, errors * 17, band=2.0
    )
    assert noisy["panel_verdict"][3] == NEEDS_GAMES
    assert set(PANEL_VERDICTS) == {TOO_STRONG, TOO_WEAK, FAIR, DEPENDS, MORE_PLAYERS, NEEDS_GAMES}


@pytest.mark.parametrize("noise", [1.0, 6.0], ids=["many games", "few games"])
def test_few_robust_items_fail_with_a_further_player(noise: float) -> None:
    """At most 5% of them, whether disagreement can be seen or is hidden by noise."""
    wrong = right = 0
    for seed in range(30):
        for spread in SPREADS.values():
            planted = Planted(seed, spread, tuple(noise * e for e in (0.3, 0.5, 0.5, 0.8)))
            verdict = planted.verdicts()
            sign = np.select([verdict == TOO_STRONG, verdict == TOO_WEAK], [1, -1], 0)
            wrong += (sign * planted.further < 0).sum()
            right += (sign * planted.further > 0).sum()
    assert right > 100
    assert wrong / (wrong + right) < 0.05


def test_few_items_are_said_to_depend_on_who_plays_by_luck() -> None:
    """Hardly any that all players have on one side; nearly all that are far out on both sides."""
    wrong = said = missed = crossing = 0
    for seed in range(60):
        planted = Planted(seed, SPREADS["a few"], (0.3, 0.5, 0.5, 0.8))
        depends = planted.verdicts() == DEPENDS
        one_side = (np.abs(np.sign(planted.true).sum(axis=1)) == 4) & depends
        wrong, said = wrong + one_side.sum(), said + depends.sum()
        far = (planted.true.max(axis=1) > 3) & (planted.true.min(axis=1) < -3)
        crossing, missed = crossing + far.sum(), missed + (far & ~depends).sum()
    assert said > 50 and wrong / said < 0.05
    assert crossing > 20 and missed / crossing < 0.05


def test_crossover_of_two_players_takes_both() -> None:
    """For two it is the larger one-sided p-value, and 1 for estimates on one side."""
    x, errors = np.array([[2.0, -3.0], [2.0, 3.0], [2.0, np.nan]]), np.ones((3, 2))
    found = crossover_p(x, errors)
    assert found[0] == pytest.approx(norm.sf(2.0))
    assert found[1] == pytest.approx(0.5)  # as likely as one estimate on the wrong side of zero
    assert np.isnan(found[2])


def test_crossover_is_no_more_frequent_than_said() -> None:
    """Among four players with nothing, and with one far above, 5% at most fall below 5%."""
    rng = np.random.default_rng(0)
    for far in (0.0, 20.0):
        x = rng.standard_normal((20_000, 4)) + far * np.eye(4)[0]
        assert np.mean(crossover_p(x, np.ones_like(x)) < 0.05) <= 0.053


# ------------------------------------------------------------------------------ agreement


def correlated(seed: int, correlation: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """True values of two players, estimates, and the covariance of their errors."""
    rng = np.random.default_rng(seed)
    mixing = np.array([[1, correlation], [0, np.sqrt(1 - correlation**2)]])
    true = 2 * rng.standard_t(5, (N_ITEMS, 2)) @ mixing
    errors = np.array([0.6, 1.2]) * rng.choice([0.7, 1.0], (N_ITEMS, 1))
    luck = np.array([[1, 0.3], [0.3, 1]])
    noise = rng.standard_normal((N_ITEMS, 2)) @ np.linalg.cholesky(luck).T
    return true, true + errors * noise, errors[:, :, None] * errors[:, None] * luck


@pytest.mark.parametrize("correlation", [0.7, 0.95])
def test_ranks_agree_as_much_as_they_do(correlation: float) -> None:
    """The interval contains the rank correlation of the true values, which the plain one misses."""
    inside, off, plain = [], [], []
    for seed in range(25):
        true, x, covariance = correlated(seed, correlation)
        found, known = rank_agreement(x, covariance), spearmanr(*true.T)[0]
        inside.append(found.ci_low <= known <= found.ci_high)
        off.append(found.estimate - known)
        plain.append(spearmanr(*x.T)[0] - known)
    assert np.mean(inside) >= 0.9
    assert abs(np.mean(off)) < 0.04 and np.mean(plain) < -0.04
    assert np.mean(np.square(off)) < np.mean(np.square(plain))


def test_ranks_of_exact_values() -> None:
    """Without errors it is Spearman's correlation; less than four items have none."""
    true, _, covariance = correlated(1, 0.8)
    found = rank_agreement(true, covariance * 1e-8)
    assert found.estimate == pytest.approx(spearmanr(*true.T)[0], abs=0.01)
    assert found.ci_high - found.ci_low < 0.02 and found.n == N_ITEMS
    true[3:, 1] = np.nan
    few = rank_agreement(true, covariance)
    assert few.n == 3 and np.isnan(few.estimate) and np.isnan(few.ci_low)
