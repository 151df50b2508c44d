"""The logistic function is accurate, and no C library has a say in it."""

import math
import random
from decimal import Decimal, localcontext

import numpy as np

from simcore.jit import cached_kernel
from simcore.logistic import _exp, _logistic


@cached_kernel
def _of_all(numbers, powers, odds):
    """Both functions of some numbers.  Modifies powers and odds."""
    for i in range(len(numbers)):
        powers[i] = _exp(numbers[i])
        odds[i] = _logistic(numbers[i])


def test_it_is_accurate_to_the_last_place() -> None:
    """Powers of e are less than 0.65 units in the last place off, by decimals of 40 digits."""
    rng = random.Random(5)
    numbers = np.array([rng.uniform(-edge, edge) for edge in (1, 12, 700) for _ in range(700)])
    powers, odds = np.zeros_like(numbers), np.zeros_like(numbers)
    _of_all(numbers, powers, odds)
    with localcontext(prec=40):
        for number, power in zip(numbers.tolist(), powers.tolist(), strict=True):
            off = abs(Decimal(power) - Decimal(number).exp()) / Decimal(math.ulp(power))
            assert off < 0.65, number
    for number, odd in zip(numbers.tolist(), odds.tolist(), strict=True):
        assert math.isclose(odd, 1 / (1 + math.exp(-number)), rel_tol=1e-15)


def test_far_out_it_is_nearly_0_or_1() -> None:
    """Neither an overflow nor a division by zero."""
    numbers = np.array([-1e300, -800.0, 0.0, 800.0, 1e300])
    powers, odds = np.zeros_like(numbers), np.zeros_like(numbers)
    _of_all(numbers, powers, odds)
    assert np.isfinite(powers).all()
    assert odds[[2, 3, 4]].tolist() == [0.5, 1.0, 1.0]
    assert (odds[:2] < 1e-300).all()
    assert (odds[:2] > 0).all()


def test_steps_are_rounded_one_by_one() -> None:
    """Compiled code gives to the bit what Python gives, which multiplies and adds in two steps."""
    rng = random.Random(6)
    numbers = np.array([rng.uniform(-30, 30) for _ in range(2000)])
    powers, odds = np.zeros_like(numbers), np.zeros_like(numbers)
    _of_all(numbers, powers, odds)
    assert powers.tolist() == [_exp.py_func(number) for number in numbers.tolist()]
