"""Words over slots: a zone of a game is a uint64 with bit *s* set for the card in slot *s*.

``uint64 + int`` silently becomes a signed or floating type in Numba, so every constant here is a
``np.uint64``.
"""

import platform

import numba
import numpy as np
from llvmlite import ir
from llvmlite.binding import get_host_cpu_features
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
def _copy_record(typing_context, target, source, size):
    """Copy the first ``size`` bytes of a record onto another of the same type.  Modifies target."""

    def generate(context, builder, signature, arguments):
        *records, size = arguments
        pointers = [builder.bitcast(value, ir.IntType(8).as_pointer()) for value in records]
        cgutils.raw_memcpy(builder, *pointers, size, 1)

    return types.void(target, source, types.int64), generate


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


def _deposits_bits() -> bool:
    """Whether compiled code may use the instruction that puts bits into the places of a mask."""
    if numba.config.CPU_NAME or numba.config.CPU_FEATURES:  # the user asked for a certain processor
        return "+bmi2" in (numba.config.CPU_FEATURES or "")
    if platform.machine().lower() not in ("x86_64", "amd64"):
        return False
    return bool(get_host_cpu_features().get("bmi2"))


@intrinsic
def _deposit_bits(typing_context, bits, mask):
    """Put the low bits of ``bits`` into the places of ``mask``, ascending (x86 PDEP)."""

    def generate(context, builder, signature, arguments):
        word = ir.IntType(64)
        function = cgutils.get_or_insert_function(
            builder.module, ir.FunctionType(word, [word, word]), "llvm.x86.bmi.pdep.64"
        )
        return builder.call(function, arguments)

    return types.uint64(types.uint64, types.uint64), generate


if _deposits_bits():

    @inline_kernel
    def _nth(mask, n):
        """Slot of the n-th set bit (from 0, ascending); the mask has more than n bits."""
        return _lowest(_deposit_bits(_bit(n), mask))

else:

    @inline_kernel
    def _nth(mask, n):
        """Slot of the n-th set bit (from 0, ascending); the mask has more than n bits.

        The first steps have no branch: which option is chosen is unpredictable, and a mispredicted
        loop exit costs more than the steps.
        """
        for i in range(4):
            mask = mask & (mask - ONE) if i < n else mask
        for _ in range(4, n):
            mask &= mask - ONE
        return _lowest(mask)


# ---------------------------------------------------------------- all slots at once
#
# Branches that depend on cards are rarely predicted, and a wrong prediction costs more than doing
# the work for all 64 slots with vector instructions.


def _lanes(context, builder, kind, array):
    """The values of an array field of a record as one LLVM vector, and the pointer to it."""
    element = context.get_data_type(kind.dtype)
    vector = ir.VectorType(element, kind.nitems)
    data = context.make_array(kind)(context, builder, array).data
    pointer = builder.bitcast(data, vector.as_pointer())
    load = builder.load(pointer)
    load.align = kind.dtype.bitwidth // 8
    return load, pointer


def _splat(builder, value, count):
    """A vector of ``count`` times one scalar."""
    kind = ir.VectorType(value.type, count)
    none = ir.Constant(kind, ir.Undefined)
    one = builder.insert_element(none, value, ir.Constant(ir.IntType(32), 0))
    zeros = ir.Constant(ir.VectorType(ir.IntType(32), count), [0] * count)
    return builder.shuffle_vector(one, none, zeros)


@intrinsic
def _between(typing_context, powers, low, high):
    """Mask of the slots whose power lies between two numbers, both included."""

    def generate(context, builder, signature, arguments):
        kind = signature.args[0]
        lanes, _ = _lanes(context, builder, kind, arguments[0])
        low, high = (_splat(builder, value, kind.nitems) for value in arguments[1:])
        fits = builder.and_(
            builder.icmp_signed(">=", lanes, low), builder.icmp_signed("<=", lanes, high)
        )
        return builder.bitcast(fits, ir.IntType(kind.nitems))

    return types.uint64(powers, types.int16, types.int16), generate


@intrinsic
def _add_to(typing_context, powers, mask, amount):
    """Add an amount to the powers of the slots of a mask.  Modifies powers."""

    def generate(context, builder, signature, arguments):
        kind = signature.args[0]
        lanes, pointer = _lanes(context, builder, kind, arguments[0])
        chosen = builder.bitcast(arguments[1], ir.VectorType(ir.IntType(1), kind.nitems))
        amounts = _splat(builder, arguments[2], kind.nitems)
        sums = builder.select(chosen, builder.add(lanes, amounts), lanes)
        builder.store(sums, pointer, align=kind.dtype.bitwidth // 8)

    return types.void(powers, types.uint64, types.int16), generate


@intrinsic
def _at_least(typing_context, powers, least):
    """Raise every power to at least so much.  Modifies powers."""

    def generate(context, builder, signature, arguments):
        kind = signature.args[0]
        lanes, pointer = _lanes(context, builder, kind, arguments[0])
        floor = _splat(builder, arguments[1], kind.nitems)
        raised = builder.select(builder.icmp_signed(">", lanes, floor), lanes, floor)
        builder.store(raised, pointer, align=kind.dtype.bitwidth // 8)

    return types.void(powers, types.int16), generate


@intrinsic
def _columns(typing_context, planes, first, rows):
    """Turn eight bits of each row into columns.  Modifies planes.

    Bit s of plane ``first`` + b becomes bit ``first`` + b of row s of ``rows``, for b from 0 to 7.
    """

    def generate(context, builder, signature, arguments):
        kind = signature.args[2]
        lanes, _ = _lanes(context, builder, kind, arguments[2])
        lanes = builder.lshr(lanes, _splat(builder, arguments[1], kind.nitems))
        lanes = builder.trunc(lanes, ir.VectorType(ir.IntType(8), kind.nitems))
        planes = context.make_array(signature.args[0])(context, builder, arguments[0]).data
        none = ir.Constant(lanes.type, None)
        for b in range(8):
            bit = _splat(builder, ir.Constant(ir.IntType(8), 1 << b), kind.nitems)
            has = builder.icmp_unsigned("!=", builder.and_(lanes, bit), none)
            place = builder.add(arguments[1], ir.Constant(ir.IntType(64), b))
            builder.store(
                builder.bitcast(has, ir.IntType(kind.nitems)), builder.gep(planes, [place])
            )

    return types.void(planes, types.int64, rows), generate
