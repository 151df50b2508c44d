"""Compiling kernels in Numba's own way, but all kernels of an entry as one whole.

All that touches the inside of Numba is in this module, so a new version of Numba is tried here; the
others get by with what Numba documents.  Where something of it is missing, ``plain.py`` serves.

Numba by itself links every kernel with all that it calls, optimises that and makes machine code of
it, at each floor of the call graph.  Here inner kernels stay LLVM's code, and an entry is linked,
optimised and turned into machine code once, with all that it calls.
"""

import gc
import logging
import os
import pickle
import signal
import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from graphlib import TopologicalSorter
from itertools import chain
from typing import Any, ClassVar

import numba
import numpy as np
from llvmlite import binding, ir
from llvmlite.binding import Linkage
from numba import from_dtype, njit, types
from numba.core import cgutils, event, typed_passes, untyped_passes
from numba.core.caching import NullCache
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult, Flags
from numba.core.compiler_machinery import LoweringPass, register_pass
from numba.core.runtime import rtsys
from numba.core.serialize import dumps
from numba.core.targetconfig import ConfigStack
from numba.core.typed_passes import NativeLowering
from numba.core.types.functions import BaseFunction
from numba.extending import intrinsic

from simcore.jit.cache import KernelFiles
from simcore.jit.profile import add_summary, annotate

#: The first and the last version of Numba that have been tried, as pyproject.toml has them.
TRIED = (0, 68), (0, 68)

_PAUSE = 0.02  # seconds until children are looked at again
_IN_GENERAL = "fairdeal.in_general"  # function that the kernel called from Python adds


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
        annotate(ir_module, *self.kernel)
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

    beside: ClassVar["_Children | None"] = None  # processes that make machine code, if any do
    _linking_libraries: list[JITCodeLibrary]

    def answer_general(self, answer: bool) -> None:
        """Say what ``_general`` is here, and which counts of branches are high."""
        module = self.create_ir_module("general")
        kind = ir.FunctionType(ir.IntType(1), [])
        function = ir.Function(module, kind, _IN_GENERAL)
        ir.IRBuilder(function.append_basic_block()).ret(kind.return_type(answer))
        add_summary(module)
        self.add_ir_module(module)

    def finalize(self) -> None:
        """Link the code of all inner kernels, optimise it and turn it into machine code.

        Raises _HandedOver where another process does that.
        """
        if self.beside is not None:
            self.beside.hand_over()
        self._linking_libraries = _callees_last(self._linking_libraries)
        super().finalize()

    def serialize_using_object_code(self) -> tuple[str, str, tuple[bytes, bytes]]:
        """What is kept on disk: machine code and, in place of LLVM's code, the names in it.

        Nothing else of that code is read when a kept kernel is loaded, and it is as long again.
        """
        name, kind, (machine_code, _) = super().serialize_using_object_code()
        names = ir.Module()
        for one in chain(self._final_module.functions, self._final_module.global_variables):
            if not one.is_declaration:
                function = ir.Function(names, ir.FunctionType(ir.VoidType(), []), one.name)
                ir.IRBuilder(function.append_basic_block()).unreachable()
        return name, kind, (machine_code, binding.parse_assembly(str(names)).as_bitcode())

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if function.linkage == Linkage.linkonce_odr or function.name == _IN_GENERAL:
                function.linkage = Linkage.internal
        super()._optimize_final_module()


class _HandedOver(BaseException):
    """A child process makes machine code of an entry and keeps it on disk."""


class _Children:
    """Child processes that make machine code: this process goes on meanwhile."""

    def __init__(self) -> None:
        self._running: list[int] = []

    def fork(self) -> bool:
        """Go on as two processes, when a processor is free; whether this is the child."""
        while len(self._running) >= (os.cpu_count() or 1):
            self._wait()
        with warnings.catch_warnings():
            # Whatever other threads hold, a child that neither prints nor imports does not need.
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
        if child:
            self._running.append(child)
            return False
        logging.disable()
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        return True

    def hand_over(self) -> None:
        """Fork.  Raises _HandedOver in this process; the child goes on where this one was."""
        if not self.fork():
            raise _HandedOver
        _EntryLibrary.beside = None

    def _wait(self) -> None:
        """Wait for the first child that ends."""
        while not (ended := [one for one in self._running if os.waitpid(one, os.WNOHANG)[0]]):
            time.sleep(_PAUSE)
        self._running = [one for one in self._running if one not in ended]

    def end(self, *, at_once: bool) -> None:
        """Wait for all children, or kill them."""
        for child in self._running if at_once else ():
            os.kill(child, signal.SIGKILL)
        while self._running:
            self._wait()


def compile_beside(families: Sequence[Sequence[Callable[[], object]]]) -> None:
    """Make calls that compile entries; machine code comes from child processes, onto the disk.

    Calls of a family share inner kernels, which are prepared once.  Each processor has a process
    that prepares families, an entry at a time, while its children optimise those before it.  What a
    child failed to keep is compiled by whoever calls the entry next.  Calls that find everything on
    disk take no time, and do what they do.
    """
    n_shares = min(os.cpu_count() or 1, len(families))
    shares = [[*chain.from_iterable(families[one::n_shares])] for one in range(n_shares)]
    calls, apart, at_once, children = shares[0], False, True, _Children()
    for share in shares[1:]:
        if children.fork():
            calls, apart, children = share, True, _Children()
            break
    here, _EntryLibrary.beside = os.getpid(), children
    try:
        for call in calls:
            try:
                call()
            except _HandedOver:
                pass
            finally:
                if os.getpid() != here:
                    os._exit(0)
        at_once = False
    finally:
        _EntryLibrary.beside = None
        children.end(at_once=at_once)
        if apart:
            os._exit(0)


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


#: Passes of Numba for what no kernel has: closures, ``with``, unrolled loops, expressions of whole
#: arrays, overloads to be inlined; and those that only look for mistakes or draw pictures.
_UNUSED = frozenset(
    {
        untyped_passes.WithLifting,
        untyped_passes.InlineClosureLikes,
        untyped_passes.RewriteDynamicRaises,
        untyped_passes.MakeFunctionToJitFunction,
        untyped_passes.InlineInlinables,
        untyped_passes.FindLiterallyCalls,
        untyped_passes.LiteralUnroll,
        untyped_passes.LiteralPropagationSubPipelinePass,
        typed_passes.InlineOverloads,
        typed_passes.NopythonRewrites,
        typed_passes.AnnotateTypes,
        typed_passes.NoPythonSupportedFeatureValidation,
        typed_passes.DumpParforDiagnostics,
    }
)


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
        passes.passes = [one for one in passes.passes if one[0] not in _UNUSED]
        passes.add_pass_after(_OfferToKernels, NativeLowering)
        passes.finalize()
        return [passes]


class _ApartCompiler(_InnerCompiler):
    """The same for a kernel that is never copied into its callers."""

    _library = _ApartLibrary


_functions: Any = BaseFunction  # Numba's own functions and operators, as types
_resolve = _functions.get_call_type
_resolved: dict[tuple[Any, ...], Any] = {}


def _resolve_once(function: Any, context: Any, arguments: Any, named: Any) -> Any:
    """The signature of one of Numba's own functions or operators for types of arguments.

    Numba tries all that it has for each call, and of sixteen thousand calls one in ten is new.
    What it has written in Python it compiles with the settings of the caller.
    """
    if named:
        return _resolve(function, context, arguments, named)
    asked = ConfigStack().top(), function, *arguments
    if asked not in _resolved:
        _resolved[asked] = _resolve(function, context, arguments, named)
    return _resolved[asked]


_dispatchers: Any = types.Dispatcher
_resolve_call = _dispatchers.get_call_type


def _resolve_alike(function: Any, context: Any, arguments: Any, named: Any) -> Any:
    """The signature of a kernel for types of arguments: a constant is a number like any other.

    Numba compiles a function once more for each constant that it is called with; LLVM, which has
    the code of all kernels, puts constants in by itself.
    """
    named = {name: types.unliteral(kind) for name, kind in named.items()}
    return _resolve_call(function, context, tuple(map(types.unliteral, arguments)), named)


_records: Any = types.Record
_write = _records.__repr__
# A record is written out for each of its fields that is read, in a message that nobody sees.
_written = cache(_write)


class _EntryCompiler(Compiler):
    """Numba's compiler for a kernel called from Python."""

    _is_general = True

    def compile_extra(self, func: Any) -> Any:
        """Compile with all inner kernels, telling nobody and never looking for garbage.

        There is next to none, and Numba tells each step to a listener for every kernel that waits
        for one that it calls.
        """
        collects, tell = gc.isenabled(), event.broadcast
        gc.disable()
        event.broadcast = lambda _event: None
        _functions.get_call_type = _resolve_once
        _dispatchers.get_call_type = _resolve_alike
        _records.__repr__ = _written
        try:
            return super().compile_extra(func)
        finally:
            _functions.get_call_type, _records.__repr__ = _resolve, _write
            _dispatchers.get_call_type = _resolve_call
            event.broadcast = tell
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
    """Compiles the base-game engine: ``_general`` always answers no."""

    _is_general = False


_INNER: dict[str, Any] = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}
# Settings of ``njit`` for each role of a kernel.  Without the explicit ``forceinline=False`` Numba
# would hand the option down from an inlined kernel to those that it calls.
INNER: Mapping[str, Any] = _INNER | {"pipeline_class": _InnerCompiler, "forceinline": False}
APART: Mapping[str, Any] = _INNER | {"pipeline_class": _ApartCompiler, "forceinline": False}
INLINE: Mapping[str, Any] = _INNER | {"pipeline_class": _InnerCompiler, "forceinline": True}
ENTRY: Mapping[str, Any] = {"pipeline_class": _EntryCompiler}
PLAIN_ENTRY: Mapping[str, Any] = {"pipeline_class": _PlainCompiler}


class _KernelCache(NullCache):
    """What dispatchers of Numba ask before they compile, and hand what they compiled."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self.files = KernelFiles(function)

    @property
    def cache_path(self) -> str:
        """The folder of the files."""
        return self.files.folder

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What is kept for a signature, or None.

        Machine code calls nothing of Numba but its runtime, so none of the functions is loaded that
        Numba offers to code that is compiled.
        """
        kept = self.files.read(target_context.codegen().magic_tuple(), self._key(sig))
        if kept is None:
            return None
        rtsys.initialize(target_context)
        return CompileResult._rebuild(target_context, *pickle.loads(kept))

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what was compiled, unless its machine code holds addresses of this process."""
        if not data.library.has_dynamic_globals:
            # An annotation names the folder of the sources, and nobody reads it.
            content = dumps(data._replace(type_annotation="")._reduce())
            self.files.keep(data.codegen.magic_tuple(), self._key(sig), content)

    def _key(self, signature: Any) -> tuple[Any, ...]:
        """What the compiled code of a kernel depends on, besides sources and target."""
        code, closure = self._function.__code__, self._function.__closure__ or ()
        cells = dumps(tuple(cell.cell_contents for cell in closure))
        return signature, code.co_firstlineno, code.co_code, cells


def keep_on_disk(entry: Any) -> None:
    """Keep what is compiled of an entry for later starts.  Modifies entry."""
    entry._cache = _KernelCache(entry.py_func)


def is_kept(entry: Any) -> bool:
    """Whether anything that was compiled of an entry is on disk."""
    found: bool = entry._cache.files.has_any()
    return found


def address_of(entry: Any, *records: np.dtype) -> int:
    """Where the machine code of a kernel for such records is; compiles it where needed.

    Kernels that are called this way (``_call_at``) are compiled once, apart from their callers.
    """
    signature = tuple(from_dtype(record) for record in records)
    entry.compile(signature)
    compiled = entry.overloads[signature]
    address: int = compiled.library.get_pointer_to_function(compiled.fndesc.llvm_cfunc_wrapper_name)
    return address


def for_types_of(entry: Any, *arguments: Any) -> Any:
    """An entry compiled for the types of such arguments, which nobody looks at again in a call."""
    signature = tuple(map(numba.typeof, arguments))
    entry.compile(signature)
    return entry.overloads[signature].entry_point


def try_out() -> None:
    """Compile a small program if this version of Numba has never been tried.

    Raises
    ------
    Exception
        Of any kind, if that fails.
    """
    first, last = TRIED
    if first <= numba.version_info.short <= last:
        return

    @njit(**INNER)
    def _twice(n):
        return n + n if _general() else 0

    @njit(**ENTRY)
    def _program(n):
        return _twice(n) + 1

    if _program(3) != 7:
        raise ValueError("a small program gives a wrong result")
