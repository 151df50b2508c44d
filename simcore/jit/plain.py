"""Compiling kernels by what Numba documents alone: slower, with the same results.

It serves where ``pipeline.py`` cannot: every kernel is a plain ``njit`` function, and both engines
are the general one.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numba import cfunc, from_dtype, njit, types

#: Settings of ``njit`` for each role of a kernel.
INNER: Mapping[str, Any] = {}
APART: Mapping[str, Any] = {}
INLINE: Mapping[str, Any] = {}
ENTRY: Mapping[str, Any] = {}
PLAIN_ENTRY: Mapping[str, Any] = {}

_called: list[Any] = []  # what `address_of` has compiled, which lives as long as it is listed


@njit
def _general():
    """True: the general engine plays what the plain one can play."""
    return True


def keep_on_disk(entry: Any) -> None:
    """Nothing is kept: Numba's own cache would not notice edits in other files."""


def is_kept(entry: Any) -> bool:  # noqa: ARG001
    """Nothing is kept."""
    return False


def compile_beside(families: Sequence[Sequence[Callable[[], object]]]) -> None:
    """Nothing is compiled: what other processes compile cannot be kept for this one."""


def for_types_of(entry: Any, *arguments: Any) -> Any:  # noqa: ARG001
    """The entry, which looks at the types of its arguments in each call."""
    return entry


def address_of(entry: Any, *records: np.dtype) -> int:
    """Where the machine code of a kernel for such records is; compiles it."""
    signature = types.int64(*map(from_dtype, records))
    compiled = cfunc(signature, error_model="numpy")(entry.py_func)
    _called.append(compiled)
    address: int = compiled.address
    return address
