"""Sets as bits of an int64: spaces of a tile, figures, mice, abilities.

All numbers in kernels are int64, so that each kernel is compiled once: a mask never has bit 63, and
constants that are arguments are ``np.int64``, since Numba compiles a kernel anew for each literal.
"""

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from simcore.jit import inline_kernel

ONE = np.int64(1)


def numbers(*bounds: int) -> tuple[np.int64, ...]:
    """The numbers of ``range(*bounds)`` as constants for kernels."""
    return tuple(map(np.int64, range(*bounds)))


@intrinsic
def _count(typing_context, mask):  # noqa: ARG001 - asked for by Numba
    """Number of bits of a mask."""

    def generate(context, builder, signature, arguments):  # noqa: ARG001
        return builder.ctpop(arguments[0])

    return types.int64(types.int64), generate


@intrinsic
def _lowest(typing_context, mask):  # noqa: ARG001
    """Place of the lowest bit; undefined for an empty mask."""

    def generate(context, builder, signature, arguments):  # noqa: ARG001
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.int64), generate


@intrinsic
def _copy_record(typing_context, target, source, size):  # noqa: ARG001
    """Copy the first ``size`` bytes of a record onto another of the same type.  Modifies target."""

    def generate(context, builder, signature, arguments):  # noqa: ARG001
        *records, size = arguments
        pointers = [builder.bitcast(value, ir.IntType(8).as_pointer()) for value in records]
        cgutils.raw_memcpy(builder, *pointers, size, 1)

    return types.void(target, source, types.int64), generate


@intrinsic
def _clear_record(typing_context, record, size):  # noqa: ARG001
    """Set the first ``size`` bytes of a record to 0.  Modifies record."""

    def generate(context, builder, signature, arguments):  # noqa: ARG001
        record, size = arguments
        cgutils.memset(builder, builder.bitcast(record, ir.IntType(8).as_pointer()), size, 0)

    return types.void(record, types.int64), generate


@inline_kernel
def _bit(place):
    """The mask of one place."""
    return ONE << place


@inline_kernel
def _has(mask, place):
    """1 if a mask has a place, else 0."""
    return (mask >> place) & ONE


@inline_kernel
def _nth(mask, n):
    """Place of the n-th bit of a mask, counted from 0."""
    for _ in range(n):
        mask &= mask - ONE
    return _lowest(mask)
