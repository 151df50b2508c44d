"""Compiling kernels, and keeping them on disk by everything that a compiled kernel depends on.

Numba's own cache notices when the file that defines a function changes, but not when a function or
a constant that it uses in another file does; it reads whatever lies there, whoever wrote it and
however damaged; and where it can write nowhere, nothing runs.  So kernels are kept here instead
(`_KernelCache`), in folders whose names have a digest of all sources that a kernel can see
(``kernel_sources.py``), of the versions of Numba and Python and of the processor, by the rules of
``card_data/cache.py``.

Every module takes its ``kernel`` and ``cached_kernel`` decorators from here.
"""

import gc
import hashlib
import inspect
import pickle
import platform
import re
import resource
import shutil
import sys
from collections.abc import Callable, Sequence
from functools import partial
from graphlib import TopologicalSorter
from importlib import import_module
from itertools import groupby
from pathlib import Path
from typing import Any, ClassVar

import llvmlite
import numba
import numpy as np
from llvmlite import ir
from llvmlite.binding import Linkage
from numba import njit, types
from numba.core import cgutils
from numba.core.caching import NullCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult, Flags
from numba.core.compiler_machinery import LoweringPass, register_pass
from numba.core.serialize import dumps
from numba.core.typed_passes import NativeLowering
from numba.extending import intrinsic
from numba.np.numpy_support import from_dtype

from card_data.cache import cache_folder, cannot_keep, keep, make_folder, read_kept
from simcore.jit import profile as branch_counts
from simcore.jit.sources import digest_of_sources

_KERNELS = "kernels"  # their folder in the cache folder, with one for each module and digest
_KEPT_FOLDERS = 4
# What LLVM, Arrow and Matplotlib take to play and report a run, in bytes of address space.
_LEAST_MEMORY = 1_500_000_000

# LLVM and Arrow end the process where they find no memory, without a word that helps.
if 0 <= resource.getrlimit(resource.RLIMIT_AS)[0] < _LEAST_MEMORY:
    raise MemoryError(f"this needs {_LEAST_MEMORY:,} bytes of address space")

_IN_GENERAL = "balancelab.in_general"  # function that the kernel called from Python adds


@intrinsic
def _general(typing_context):  # noqa: ARG001 - asked for by Numba
    """True, but False in what belongs to a ``plain_kernel``: a constant by the time of linking."""

    def generate(context, builder, signature, arguments):  # noqa: ARG001
        kind = ir.FunctionType(ir.IntType(1), [])
        return builder.call(cgutils.insert_pure_function(builder.module, kind, _IN_GENERAL), [])

    return types.boolean(), generate


class _InnerLibrary(JITCodeLibrary):
    """Code of an inner kernel: only ever a part of the kernels that call it.

    Numba would link it with everything that it calls, optimise that and turn it into machine code,
    again and again from the leaves of the call graph to its root; only the code of the root is ever
    run.
    """

    kernel: tuple[Callable[..., Any], Sequence[Any]]  # what is compiled, and types of arguments

    def add_ir_module(self, ir_module: Any) -> None:
        """Add what Numba made of the kernel, with how often its branches are taken."""
        branch_counts.annotate(ir_module, *self.kernel)
        super().add_ir_module(ir_module)

    def finalize(self) -> None:
        """Leave all that to the kernel called from Python."""
        self._finalize_dynamic_globals()
        self._finalized = True


def _callees_last(libraries: Sequence[JITCodeLibrary]) -> list[JITCodeLibrary]:
    """Libraries and all that they call, directly or not, each behind those that call it.

    Linking passes over what nothing linked before it calls.
    """
    calls: dict[JITCodeLibrary, Sequence[JITCodeLibrary]] = {}
    waiting: list[Any] = list(libraries)
    while waiting:
        library = waiting.pop()
        if library not in calls:
            inner = isinstance(library, _InnerLibrary)
            calls[library] = library._linking_libraries if inner else ()
            waiting.extend(calls[library])
    return list(TopologicalSorter(calls).static_order())[::-1]


class _ApartLibrary(_InnerLibrary):
    """Code of an inner kernel that is never copied into its callers."""

    def add_ir_module(self, ir_module: Any) -> None:
        """Add what Numba made of the kernel."""
        for function in ir_module.functions:
            if not function.is_declaration:
                function.attributes.add("noinline")
        super().add_ir_module(ir_module)


class _EntryLibrary(JITCodeLibrary):
    """Code of a kernel called from Python, with that of all inner kernels that it calls.

    Nothing else calls those inner kernels.  Told so, LLVM leaves out what none of their callers
    needs: tests for errors that never happen, room to report them, results that are not used.
    """

    _linking_libraries: list[JITCodeLibrary]

    def answer_general(self, answer: bool) -> None:
        """Say what ``_general`` is here, and which counts of branches are high."""
        module = self.create_ir_module("general")
        kind = ir.FunctionType(ir.IntType(1), [])
        function = ir.Function(module, kind, _IN_GENERAL)
        ir.IRBuilder(function.append_basic_block()).ret(kind.return_type(answer))
        branch_counts.add_summary(module)
        self.add_ir_module(module)

    def finalize(self) -> None:
        """Link the code of all inner kernels, optimise it and turn it into machine code."""
        self._linking_libraries = _callees_last(self._linking_libraries)
        super().finalize()

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if function.linkage == Linkage.linkonce_odr or function.name == _IN_GENERAL:
                function.linkage = Linkage.internal
        super()._optimize_final_module()


@register_pass(mutates_CFG=False, analysis_only=False)
class _OfferToKernels(LoweringPass):
    """Make an inner kernel known to the kernels that call it."""

    _name = "offer_to_kernels"

    def __init__(self) -> None:
        super().__init__()

    def run_pass(self, state: Any) -> bool:
        """Name the compiled function: dispatchers want a built-in method, here never called."""
        name: Any = [].append
        state.targetctx.insert_user_function(name, state.cr.fndesc, [state.library])
        state.cr = state.cr._replace(cfunc=name)
        return True


class _ArgumentTypes(tuple[Any, ...]):
    """Types of a kernel's arguments.

    Numba writes them out for each of its passes, should anybody listen: of records like ours, a
    seventh of the time that compiling takes.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{len(self)} types>"


class _Flags(Flags):
    """Numba's settings for compiling a kernel, of which it makes a copy.

    It looks up by such a copy what any operator does with numbers, which compares dozens of
    settings each time: so all copies of equal settings are one object, compared as such.
    """

    _copies: ClassVar[dict[Flags, "_Flags"]] = {}
    __eq__, __hash__ = object.__eq__, object.__hash__

    def copy(self) -> "_Flags":
        """The copy that all equal settings share."""
        return self._copies.setdefault(Flags(self), _Flags(self))


class _InnerCompiler(Compiler):
    """Numba's compiler, but no machine code comes of it."""

    _library = _InnerLibrary

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.state.flags = _Flags(self.state.flags)
        self.state.args = _ArgumentTypes(self.state.args)

    def define_pipelines(self) -> list[Any]:
        """Numba's own passes, with the kernel kept as code of LLVM."""
        self.state.library = self._library(self.state.targetctx.codegen(), "inner kernel")
        self.state.library.kernel = self.state.func_id.func, self.state.args
        self.state.flags.no_compile = True
        (passes,) = super().define_pipelines()
        passes.add_pass_after(_OfferToKernels, NativeLowering)
        passes.finalize()
        return [passes]


class _ApartCompiler(_InnerCompiler):
    """The same for a kernel that is never copied into its callers."""

    _library = _ApartLibrary


class _EntryCompiler(Compiler):
    """Numba's compiler for a kernel called from Python."""

    _is_general = True

    def compile_extra(self, func: Any) -> Any:
        """Compile with all inner kernels, never looking for garbage: there is next to none."""
        collects = gc.isenabled()
        gc.disable()
        try:
            return super().compile_extra(func)
        finally:
            if collects:
                gc.enable()

    def define_pipelines(self) -> list[Any]:
        """Numba's own passes, the code of all kernels being one whole."""
        name = self.state.func_id.func_qualname
        self.state.library = _EntryLibrary(self.state.targetctx.codegen(), name)
        self.state.library.enable_object_caching()
        self.state.library.answer_general(self._is_general)
        passes: list[Any] = super().define_pipelines()
        return passes


class _PlainCompiler(_EntryCompiler):
    """The same with nothing of what ``_general`` is asked about."""

    _is_general = False


_settings: dict[str, Any] = {"nogil": True, "error_model": "numpy"}
_inner_settings = _settings | {
    "pipeline_class": _InnerCompiler,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}
#: Decorator of an inner kernel, called by kernels alone: a plain ``njit`` function would not find
#: what it calls.  Without the explicit
#: ``forceinline=False`` Numba would hand the option down from an ``inline_kernel``.
kernel: Callable[..., Any] = partial(njit, **_inner_settings, forceinline=False)
#: Decorator of a large inner kernel that is never copied into its callers, not even where only one
#: calls it: the registers of the processor are too few for both.
apart_kernel: Callable[..., Any] = partial(
    njit, **_inner_settings | {"pipeline_class": _ApartCompiler}, forceinline=False
)
#: Decorator of a small inner kernel that is worth copying into each caller.
inline_kernel: Callable[..., Any] = partial(njit, **_inner_settings, forceinline=True)


class _KernelCache(NullCache):
    """What has been compiled of one kernel: a file for the types of arguments of each.

    Dispatchers of Numba ask it before they compile, and hand it what they compiled.
    """

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._name = re.sub(r"[^\w.]", "", function.__qualname__)
        digest = hashlib.sha256(_machine())
        sources = digest_of_sources(function.__module__, Path(inspect.getfile(function)).resolve())
        digest.update(sources.encode())
        self._folder = f"{_KERNELS}/{function.__module__}-{digest.hexdigest()[:16]}"

    @property
    def cache_path(self) -> str:
        """The folder of the files."""
        return str(cache_folder() / self._folder)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What is kept for a signature, or None; says so beforehand if nothing can be kept."""
        target_context.refresh()
        kept = read_kept(self._file(sig, target_context.codegen()))
        if kept is None:
            keeps_kernels()
            return None
        return CompileResult._rebuild(target_context, *pickle.loads(kept))

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled, unless its machine code holds addresses of this process."""
        if data.library.has_dynamic_globals:
            return
        try:
            keep(self._file(sig, data.codegen), dumps(data._reduce()))
        except OSError as error:
            cannot_keep(error)

    def has_any(self) -> bool:
        """Whether anything is kept of this kernel, and whole."""
        try:
            files = sorted(Path(self.cache_path).glob(f"{self._name}-*.nbc"))
        except OSError:
            return False
        return any(read_kept(f"{self._folder}/{file.name}") is not None for file in files)

    def _file(self, signature: Any, codegen: Any) -> str:
        """The name of what is kept for a signature and a processor."""
        code, closure = self._function.__code__, self._function.__closure__ or ()
        cells = dumps(tuple(cell.cell_contents for cell in closure))
        key = signature, codegen.magic_tuple(), code.co_firstlineno, code.co_code, cells
        return f"{self._folder}/{self._name}-{hashlib.sha256(repr(key).encode()).hexdigest()}.nbc"


def _machine() -> bytes:
    """What compiles, besides the sources of kernels."""
    versions = numba.__version__, llvmlite.__version__, sys.version, platform.machine()
    return repr(versions).encode() + branch_counts.COUNTS_FILE.read_bytes()


def _decorator(compiler: type[_EntryCompiler]) -> Callable[..., Any]:
    def decorate(function: Callable[..., Any]) -> Any:
        entry = njit(**_settings, pipeline_class=compiler)(function)
        entry._cache = _KernelCache(function)
        return entry

    return decorate


#: Decorator of a kernel called from Python: kept on disk.
cached_kernel = _decorator(_EntryCompiler)
#: The same for the plain engine: where ``_general`` is asked, the answer is no.
plain_kernel = _decorator(_PlainCompiler)


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


def address_of(entry: Any, *records: np.dtype) -> int:
    """Where the machine code of a kernel for such records is; compiles it where needed.

    Kernels that are called this way (``_call_at``) are compiled once, apart from their callers.
    """
    signature = tuple(from_dtype(record) for record in records)
    entry.compile(signature)
    compiled = entry.overloads[signature]
    address: int = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cfunc_wrapper_name)
    return address


def is_compiled(name: str) -> bool:
    """Whether a kernel, "module.kernel", is compiled in this process or kept on disk."""
    module, _, kernel_name = name.rpartition(".")
    entry = getattr(import_module(module), kernel_name)
    return bool(entry.overloads) or entry._cache.has_any()


def keeps_kernels() -> bool:
    """Whether what is compiled can be kept for later starts; says so if not."""
    try:
        make_folder(cache_folder() / _KERNELS)
    except OSError as error:
        cannot_keep(error)
        return False
    return True


def prune() -> None:
    """Remove what was compiled from sources long changed, keeping the last few of each module."""

    def module(folder: Path) -> str:
        return folder.name.rpartition("-")[0]

    try:
        folders = sorted((cache_folder() / _KERNELS).iterdir(), key=lambda p: -p.stat().st_mtime)
    except OSError:
        return
    for _, versions in groupby(sorted(folders, key=module), key=module):
        for folder in [*versions][_KEPT_FOLDERS:]:
            shutil.rmtree(folder, ignore_errors=True)
