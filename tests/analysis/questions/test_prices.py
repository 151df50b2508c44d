"""Intervals and figures of price lists, where the truth is planted."""

import numpy as np
import pytest

from analysis.mixed_model import Forecast
from analysis.questions.prices import Calibration, Held, Quality, cross_calibrated

_BATCHES, _CARDS = 8, 125


def _held(seed, *, slopes=0.1, widened=1.0, growing=0.0, noise=1.6):
    """Prices that miss by what is planted, though the model says 2 points of everything."""
    rng = np.random.default_rng(seed)
    batch = np.repeat(np.arange(_BATCHES), _CARDS)
    price = rng.normal(0, 5, len(batch))
    modifiers = rng.integers(0, 3, len(batch))
    missing = 2 * widened * np.exp(growing * np.clip(price / 10, -0.8, 1.2) / 2)
    slope = 1 + slopes * rng.normal(size=_BATCHES)[batch]
    worth = slope * price + rng.normal(size=len(batch)) * missing
    error = np.full(len(batch), noise**2)
    worth += rng.normal(size=len(batch)) * noise
    return Held(Forecast(price, np.full(len(batch), 4.0)), worth, error, modifiers, batch)


@pytest.mark.parametrize("planted", [{}, {"widened": 1.6}, {"growing": 1.3}, {"slopes": 0.2}])
def test_intervals_hold_where_the_model_is_wrong(planted):
    """Calibrated on other batches, 93 to 97% of the intervals hold, and 90% in bands of price."""
    held_true: list[bool] = []
    priced: list[float] = []
    for seed in range(4):
        held = _held(seed, **planted)
        variance, times = cross_calibrated(held)
        off = np.abs(held.worth - held.price.mean)
        held_true += [*(off <= times * np.sqrt(variance + held.error))]
        priced += [*held.price.mean]
    inside, prices = np.array(held_true), np.array(priced)
    assert 0.93 <= inside.mean() <= 0.97
    for low, high in ((-20, -4), (-4, 0), (0, 4), (4, 20)):
        assert inside[(prices >= low) & (prices < high)].mean() >= 0.9


def test_the_slope_between_batches_is_found():
    """Players who learned another batch stretch its prices; by how much is in the intervals."""
    found = [Calibration.of(_held(seed, slopes=0.2)).slope for seed in range(8)]
    assert np.mean(found) == pytest.approx(0.2, abs=0.06)
    assert np.mean([Calibration.of(_held(seed, slopes=0)).slope for seed in range(8)]) < 0.05


def test_the_share_of_chance_is_taken_out():
    """Twice the noise in games is more error as played, and the same error without chance."""
    few, many = (
        Quality.of(held, np.full(len(held.worth), 4.0), np.full(len(held.worth), 1.96))
        for held in (_held(3, slopes=0, noise=3.0), _held(3, slopes=0, noise=0.5))
    )
    assert few.error_played > many.error_played + 1
    assert few.error == pytest.approx(2.0, abs=0.3)
    assert many.error == pytest.approx(2.0, abs=0.2)
    assert few.correlation == pytest.approx(many.correlation, abs=0.03)
    assert many.slope == pytest.approx(1.0, abs=0.05)


def test_too_few_cards_say_nothing():
    """Of two cards no figure is told."""
    held = _held(1)
    two = held.where(np.arange(len(held.worth)) < 2)
    found = Quality.of(two, np.ones(2), np.ones(2))
    assert found.n == 2
    assert np.isnan(found.error)
