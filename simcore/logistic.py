"""Odds of points by the logistic function, the same to the bit on every processor.

The ``exp`` of a C library is not: glibc's rounds differently where the processor can multiply and
add in one step, and one bit is enough to change what a search prefers.  Here every step is one
operation of IEEE 754, in a fixed order (argument reduction as in [1]_).

References
----------
.. [1] J.-M. Muller, "Elementary Functions", 3rd edition, 2016, chapter 11.
"""

import math

from simcore.jit import inline_kernel

_MOST = 700.0  # e to the power of that is a finite number, and of minus that not zero
_PER_LN2 = 1.4426950408889634  # 1 / ln 2
# ln 2 in two parts: whole multiples of the first, up to the largest that is needed, are exact.
_LN2 = 0.6931471803691238
_LN2_REST = 1.9082149292705877e-10
_SERIES = tuple(1.0 / math.factorial(n) for n in range(14, 1, -1))  # 1 / n!, down to 1 / 2


@inline_kernel
def _logistic(points):
    """1 / (1 + exp(-points))."""
    return 1.0 / (1.0 + _exp(-points))


@inline_kernel
def _exp(x):
    """E to the power of x, at most 0.65 units in the last place off; beyond ±700 as of ±700."""
    x = min(max(x, -_MOST), _MOST)
    twos = math.floor(x * _PER_LN2 + 0.5)
    start, rest = x - twos * _LN2, twos * _LN2_REST
    r = start - rest
    missing = (start - r) - rest
    series = 0.0
    for coefficient in _SERIES:
        series = series * r + coefficient
    whole = 1.0 + r
    lost = (1.0 - whole) + r
    return math.ldexp(whole + (lost + (missing + r * r * series)), twos)
