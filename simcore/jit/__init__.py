"""Compiled code: the decorators of kernels, the compiler behind them and its cache on disk.

Everything else takes from here what it needs of them.
"""

import resource

from simcore.jit.cache import keeps_kernels, prune
from simcore.jit.decorators import (
    _general,
    address_of,
    apart_kernel,
    cached_kernel,
    compile_all,
    for_types_of,
    inline_kernel,
    is_compiled,
    kernel,
    plain_kernel,
)
from simcore.jit.intrinsics import _address, _call_at, _lent, record_at

__all__ = [
    "_address",
    "_call_at",
    "_general",
    "_lent",
    "address_of",
    "apart_kernel",
    "cached_kernel",
    "compile_all",
    "for_types_of",
    "inline_kernel",
    "is_compiled",
    "keeps_kernels",
    "kernel",
    "plain_kernel",
    "prune",
    "record_at",
]

# What LLVM, Arrow and Matplotlib take to play and report a run, in bytes of address space.
_LEAST_MEMORY = 1_500_000_000

# LLVM and Arrow end the process where they find no memory, without a word that helps.
if 0 <= resource.getrlimit(resource.RLIMIT_AS)[0] < _LEAST_MEMORY:
    raise MemoryError(f"this needs {_LEAST_MEMORY:,} bytes of address space")
