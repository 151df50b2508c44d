"""Words over slots: a zone of a game is a uint64 with bit *s* set for the card in slot *s*.

``uint64 + int`` silently becomes a signed or floating type in Numba, so every constant here is a
``np.uint64``.
"""

import platform
from enum import IntEnum

import numba
import numpy as np
from llvmlite import ir
from llvmlite.binding import get_host_cpu_features
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from simcore.jit import inline_kernel

NONE = np.uint64(0)
ONE = np.uint64(1)


def bits_of(*words: IntEnum) -> np.uint64:
    """Some words of a list as bits: whether one is among them is then asked without a branch."""
    return np.uint64(sum(1 << word for word in words))


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


@inline_kernel
def _holds(mask, slot):
    """1 if a mask has a slot, else 0: a factor where a branch would often be guessed wrongly."""
    return np.int64((mask >> np.uint64(slot)) & ONE)


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

    @inline_kernel
    def _first(mask, n):
        """The lowest ``n`` slots of a mask, or all of them; n is less than 64."""
        return _deposit_bits(_bit(n) - ONE, mask)

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

    @inline_kernel
    def _first(mask, n):
        """The lowest ``n`` slots of a mask, or all of them; n is less than 64."""
        left = mask
        for _ in range(n):
            left &= left - ONE
        return mask ^ left


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
    """Add an amount to the powers of the slots of a mask.  Modifies powers.

    Half of the slots at a time: a game without an unused pile has no cards in the upper half.
    """

    def generate(context, builder, signature, arguments):
        data, mask, amount = arguments
        element, half = ir.IntType(16), signature.args[0].nitems // 2
        lanes = ir.VectorType(element, half)
        data = context.make_array(signature.args[0])(context, builder, data).data
        amounts = _splat(builder, amount, half)
        for first in (0, half):
            slots = builder.trunc(
                builder.lshr(mask, ir.Constant(mask.type, first)), ir.IntType(half)
            )
            with builder.if_then(builder.icmp_unsigned("!=", slots, slots.type(0))):
                place = builder.gep(data, [ir.Constant(ir.IntType(64), first)])
                pointer = builder.bitcast(place, lanes.as_pointer())
                before = builder.load(pointer, align=2)
                chosen = builder.bitcast(slots, ir.VectorType(ir.IntType(1), half))
                sums = builder.select(chosen, builder.add(before, amounts), before)
                builder.store(sums, pointer, align=2)

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
def _columns(typing_context, planes, byte, rows, n_slots):
    """Turn a byte of each of ``n_slots`` slots into eight masks over slots.  Modifies planes.

    Bit b of ``rows[byte, s]`` becomes bit s of plane 8 * ``byte`` + b, half of the slots at a time.
    """

    def generate(context, builder, signature, arguments):
        planes, rows = (
            context.make_array(signature.args[i])(context, builder, arguments[i]).data
            for i in (0, 2)
        )
        byte, n_slots, width = arguments[1], arguments[3], signature.args[2].shape[1]
        word, half = ir.IntType(64), width // 2
        lanes, none = ir.VectorType(ir.IntType(8), half), ir.VectorType(ir.IntType(8), half)(None)

        def turn(first):
            start = builder.add(builder.mul(byte, word(width)), word(first))
            pointer = builder.bitcast(builder.gep(rows, [start]), lanes.as_pointer())
            bits = builder.load(pointer, align=1)
            for b in reversed(range(8)):  # the sign of a lane is its highest bit
                has = builder.bitcast(builder.icmp_signed("<", bits, none), ir.IntType(half))
                column = builder.shl(builder.zext(has, word), word(first))
                place = builder.gep(planes, [builder.add(builder.mul(byte, word(8)), word(b))])
                if first > 0:
                    column = builder.or_(column, builder.load(place))
                builder.store(column, place)
                bits = builder.add(bits, bits)

        turn(0)
        with builder.if_then(builder.icmp_signed(">", n_slots, word(half))):
            turn(half)

    return types.void(planes, types.int64, rows, types.int64), generate
