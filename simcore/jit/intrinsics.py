"""Functions for kernels that Python has no word for, by LLVM's instructions."""

from llvmlite import ir
from numba import types
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
