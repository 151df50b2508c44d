"""A linear mixed model: planted effects, things left out, and what was never met."""

import numpy as np
import pytest
from attrs import evolve
from scipy.sparse import csr_array

from analysis.mixed_model import FREE, OWN, MixedModel, effects_of_many, spread_of

_BLOCKS = [FREE, *["wide"] * 20, *["narrow"] * 40]
_SPREADS = {"wide": 3.0, "narrow": 0.5, FREE: 2.0}
_OWN, _NOISE = 1.0, 1.5


def _planted(seed, n=300):
    """Features, true worths and measured worths of things, whose effects are drawn."""
    rng = np.random.default_rng(seed)
    features = (rng.random((n, len(_BLOCKS))) < 0.1).astype(float)
    features[:, 0] = 1.0
    effects = rng.normal(size=len(_BLOCKS)) * [_SPREADS[one] for one in _BLOCKS]
    truth = features @ effects + rng.normal(0, _OWN, n)
    return features, truth, truth + rng.normal(0, _NOISE, n)


def _fitted(features, measured):
    return MixedModel.fit(features, _BLOCKS, measured, np.full(len(measured), _NOISE**2), {})


def test_intervals_of_things_that_were_not_measured_hold():
    """Of 95% intervals of new things 93 to 97% hold, and they are no wider than they must be."""
    inside = []
    for seed in range(6):
        features, truth, measured = _planted(seed, n=900)
        found = _fitted(features[:600], measured[:600]).forecast(features[600:])
        z = (truth[600:] - found.mean) / np.sqrt(found.variance)
        inside += [*(np.abs(z) < 1.96)]
    assert 0.93 <= np.mean(inside) <= 0.97


def test_variances_are_found():
    """A block of large effects has a large variance, one of small effects a small one."""
    variances = [_fitted(f, m).variances for f, _, m in map(_planted, range(6))]
    wide, narrow, own = (
        np.sqrt(np.mean([one[name] for one in variances])) for name in ("wide", "narrow", OWN)
    )
    assert wide == pytest.approx(3.0, rel=0.25)
    assert narrow == pytest.approx(0.5, abs=0.25)
    assert own == pytest.approx(_OWN, abs=0.35)


def test_what_is_left_out_has_no_part_in_its_forecast():
    """Left out alone or with its group, a thing is told as by a model without it."""
    features, _, measured = _planted(1, n=60)
    model = _fitted(features, measured)
    groups = np.array([-1] * 20 + [0] * 20 + [1] * 20)
    found = model.left_out(groups)
    for out in ([3], [*range(20, 40)]):
        gone = np.isin(np.arange(60), out)
        kept = {name: getattr(model, name)[~gone] for name in ("features", "worth", "error")}
        expected = evolve(model, **kept).forecast(features[gone])
        np.testing.assert_allclose(found.mean[gone], expected.mean, rtol=1e-6)
        np.testing.assert_allclose(found.variance[gone], expected.variance, rtol=1e-6)


def test_an_effect_that_was_never_met_is_not_known():
    """Its mean is 0, and its variance that of its block."""
    features, _, measured = _planted(2)
    features[:, 5] = 0.0
    model = _fitted(features, measured)
    alone = np.eye(len(_BLOCKS))[[5]]
    found = model.contrast(alone)
    assert found.mean[0] == 0.0
    assert found.variance[0] == pytest.approx(model.variances["wide"])


def test_many_things_have_the_effects_of_the_model():
    """By as many equations as there are features, the same as by one for each thing."""
    rng = np.random.default_rng(4)
    features = rng.integers(0, 2, (60, 7)).astype(float)
    blocks, variances = ("one",) * 4 + ("other",) * 3, {"one": 2.0, "other": 0.3, OWN: 0.7}
    worth, error = rng.normal(size=60), rng.uniform(0.5, 2.0, 60)
    model = MixedModel(features, blocks, worth, error, variances)
    spread = spread_of(blocks, variances)
    found = effects_of_many(csr_array(features), worth, error + variances[OWN], spread)
    np.testing.assert_allclose(found, model.effects)
