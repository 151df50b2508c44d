"""The decorators of kernels: each names a role, and the compiler has settings for it.

An *inner* kernel is called by other kernels alone and is compiled as a part of them.  An *entry* is
called from Python and kept on disk.
"""

import logging
import multiprocessing
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from itertools import chain
from types import ModuleType
from typing import Any

import numba
from numba import njit

from simcore.jit.cache import keeps_kernels

#: Set to anything but 0, this environment variable has kernels compiled by plain ``njit``.
SWITCH = "FAIRDEAL_PLAIN_JIT"

_log = logging.getLogger(__name__)


def _choose_compiler() -> ModuleType:
    """The module that knows Numba's inside; where it cannot be used, the one that need not.

    Says so in the latter case, but not in the processes that a command starts.
    """
    if os.environ.get(SWITCH, "0") not in ("", "0"):
        reason = f"{SWITCH} is set"
    else:
        try:
            from simcore.jit import pipeline

            pipeline.try_out()
        except Exception as error:  # noqa: BLE001 - whatever a new Numba may fail with
            reason = f"Numba {numba.__version__} has changed inside ({error!r})"
        else:
            return pipeline
    if multiprocessing.parent_process() is None:
        _log.warning("plain njit compiles kernels, for minutes at each start: %s", reason)
    from simcore.jit import plain

    return plain


_compiler: Any = _choose_compiler()
_SETTINGS: dict[str, Any] = {"nogil": True, "error_model": "numpy"}

#: Decorator of an inner kernel.
kernel: Callable[..., Any] = partial(njit, **_SETTINGS, **_compiler.INNER)
#: Decorator of a large inner kernel that is never copied into its callers, not even where only one
#: calls it: the registers of the processor are too few for both.
apart_kernel: Callable[..., Any] = partial(njit, **_SETTINGS, **_compiler.APART)
#: Decorator of a small inner kernel that is worth copying into each caller.
inline_kernel: Callable[..., Any] = partial(njit, **_SETTINGS, **_compiler.INLINE)


def _entry(settings: Mapping[str, Any], function: Callable[..., Any]) -> Any:
    entry = njit(**_SETTINGS, **settings)(function)
    _compiler.keep_on_disk(entry)
    return entry


#: Decorator of a kernel called from Python.
cached_kernel: Callable[..., Any] = partial(_entry, _compiler.ENTRY)
#: The same for the plain engine: where ``_general`` is asked, the answer is no.
plain_kernel: Callable[..., Any] = partial(_entry, _compiler.PLAIN_ENTRY)

_general: Any = _compiler._general
address_of: Callable[..., int] = _compiler.address_of
for_types_of: Callable[..., Callable[..., Any]] = _compiler.for_types_of


def compile_all(families: Sequence[Sequence[Callable[[], object]]]) -> None:
    """Make calls that compile entries, on all processors where kernels can be kept on disk.

    Calls of a family share inner kernels.  Those of the first are made first, and in this process.
    """
    calls = [*chain.from_iterable(families)]
    if len(calls) > 1 and sys.platform == "linux" and keeps_kernels():
        _compiler.compile_beside(families)
    for call in calls:
        call()


def is_compiled(name: str) -> bool:
    """Whether a kernel, "module.kernel", is compiled in this process or kept on disk."""
    module, _, kernel_name = name.rpartition(".")
    entry = getattr(import_module(module), kernel_name)
    return bool(entry.overloads) or bool(_compiler.is_kept(entry))
