"""Words over slots: a zone of a game is a uint64 with bit *s* set for the card in slot *s*.

``uint64 + int`` silently becomes a signed or floating type in Numba, so every constant here is a
``np.uint64``.
"""

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from simcore.kernel_cache import inline_kernel

NONE = np.uint64(0)
ONE = np.uint64(1)


@intrinsic
def _popcount(typing_context, mask):
    """Number of cards in a mask, as int64 (one machine instruction)."""

    def generate(context, builder, signature, arguments):
        return builder.ctpop(arguments[0])

    return types.int64(types.uint64), generate


@intrinsic
def _copy_words(typing_context, target, source):
    """Copy all of one contiguous array of a record onto another of the same type.

    A plain loop is slow: the compiler must assume that the two records overlap.
    """

    def generate(context, builder, signature, arguments):
        kind = signature.args[0]
        size = kind.nitems * context.get_abi_sizeof(context.get_data_type(kind.dtype))
        pointers = [
            builder.bitcast(
                context.make_array(array)(context, builder, value).data,
                ir.IntType(8).as_pointer(),
            )
            for array, value in zip(signature.args, arguments, strict=True)
        ]
        cgutils.raw_memcpy(builder, *pointers, ir.Constant(ir.IntType(64), size), 1)

    return types.void(target, source), generate


@intrinsic
def _lowest(typing_context, mask):
    """Slot of the lowest set bit, as int64; undefined for an empty mask."""

    def generate(context, builder, signature, arguments):
        return builder.cttz(arguments[0], ir.Constant(ir.IntType(1), 1))

    return types.int64(types.uint64), generate


@inline_kernel
def _bit(slot):
    """Mask of one slot."""
    return ONE << np.uint64(slot)


@inline_kernel
def _nth(mask, n):
    """Slot of the n-th set bit (from 0, ascending); the mask has more than n bits.

    The first steps have no branch: which option is chosen is unpredictable, and a mispredicted loop
    exit costs more than the steps.
    """
    for i in range(4):
        mask = mask & (mask - ONE) if i < n else mask
    for _ in range(4, n):
        mask &= mask - ONE
    return _lowest(mask)


@inline_kernel
def _transpose(rows):
    """Transpose an 8 by 8 matrix of bits, byte i = row i (Warren, Hacker's Delight, 7-3)."""
    swap = (rows ^ (rows >> np.uint64(7))) & np.uint64(0x00AA00AA00AA00AA)
    rows ^= swap ^ (swap << np.uint64(7))
    swap = (rows ^ (rows >> np.uint64(14))) & np.uint64(0x0000CCCC0000CCCC)
    rows ^= swap ^ (swap << np.uint64(14))
    swap = (rows ^ (rows >> np.uint64(28))) & np.uint64(0x00000000F0F0F0F0)
    return rows ^ swap ^ (swap << np.uint64(28))
