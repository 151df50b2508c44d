"""Functions for kernels that Python has no word for, by LLVM's instructions."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import from_dtype, types
from numba.core import cgutils
from numba.extending import intrinsic


@intrinsic
def _call_at(typing_context, address, state, table):  # noqa: ARG001 - asked for by Numba
    """What the kernel at an address, as `address_of` gives it, makes of a state and a table."""

    def generate(context, builder, signature, arguments):
        address, *given = arguments
        answer, kinds = signature.return_type, signature.args[1:]
        kind = ir.FunctionType(
            context.get_value_type(answer), [context.get_value_type(kind) for kind in kinds]
        )
        return builder.call(builder.inttoptr(address, kind.as_pointer()), given)

    return types.int64(types.uint64, state, table), generate


@intrinsic
def _lent(typing_context, array):  # noqa: ARG001 - asked for by Numba
    """The same array, whose users are not counted: its owner keeps it for as long.

    Numba counts many a kernel in and out that an array is handed to, in steps that no other thread
    may interrupt.
    """

    def generate(context, builder, signature, arguments):
        kind = signature.return_type
        lent = context.make_array(kind)(context, builder, arguments[0])
        lent.meminfo = cgutils.get_null_value(lent.meminfo.type)
        return lent._getvalue()

    return array(array), generate


@intrinsic
def _address(typing_context, record):  # noqa: ARG001 - asked for by Numba
    """Where a record is."""

    def generate(context, builder, signature, arguments):  # noqa: ARG001
        return builder.ptrtoint(arguments[0], ir.IntType(64))

    return types.uint64(record), generate


def record_at(kind: np.dtype) -> Any:
    """A function for kernels: the record of a kind at an address."""
    record = from_dtype(kind)

    @intrinsic
    def _record_at(typing_context, address):  # noqa: ARG001 - asked for by Numba
        def generate(context, builder, signature, arguments):
            kind = context.get_value_type(signature.return_type)
            return builder.inttoptr(arguments[0], kind)

        return record(types.uint64), generate

    return _record_at
