"""How often branches of kernels are taken: what LLVM lays out and copies code by.

In random games most branches nearly always go the same way, which no compiler can see.  Told how
often, LLVM puts what hardly ever runs out of the way of the rest, makes it small, and copies
kernels into their callers where that pays (profile-guided optimisation [1]_).  The counts are kept
in ``branch_counts.json`` and made by ``make counts``, which plays games with kernels that
count.

Counts change the speed of kernels, never what they do.  A kernel has none if it has been edited
since, or if another version of Numba or Python makes more or fewer branches of it.

References
----------
.. [1] K. Pettis, R. C. Hansen, "Profile guided code positioning", PLDI 1990, 16-27.
"""

import ast
import hashlib
import inspect
import json
import textwrap
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from attrs import field, frozen
from llvmlite import ir
from llvmlite.binding import add_symbol
from numba import types

#: Where the counts are kept: by the name of a kernel how often it was called, and of each of its
#: branches how often it was not taken and taken.
COUNTS_FILE = Path(__file__).with_name("branch_counts.json")

_WORD = ir.IntType(64)
_ROOM = 1 << 16  # branches and kernels that can be counted
_COUNTERS = "fairdeal.branch_counts"  # symbol of the array in compiled code
# Of which shares of all that is counted, in millionths, LLVM wants to know how few counts they are.
_CUTOFFS = (
    10_000,
    *range(100_000, 1_000_000, 100_000),
    950_000,
    990_000,
    999_000,
    999_900,
    999_999,
)


def name_of(function: Callable[..., Any], arguments: Sequence[Any]) -> str:
    """What a kernel compiled for some types of arguments is called in the file.

    Its text is a part of that, its place is not: a kernel that moves keeps its counts.
    """
    words = ", ".join(_type_word(kind) for kind in arguments)
    return f"{function.__qualname__}({words}) {digest_of(function)}"


def _type_word(kind: Any) -> str:
    """A type in words that do not depend on what has been compiled before."""
    if isinstance(kind, types.Record):
        return "record"
    if isinstance(kind, types.Literal):
        return repr(kind.literal_value)
    if isinstance(kind, types.Array):
        return f"{_type_word(kind.dtype)}[{kind.ndim}]"
    return str(kind)


def digest_of(function: Callable[..., Any]) -> str:
    """Hex digest of the text of a kernel without decorators, comments and documentation."""
    (definition,) = ast.parse(textwrap.dedent(inspect.getsource(function))).body
    assert isinstance(definition, ast.FunctionDef)
    definition.decorator_list.clear()
    if ast.get_docstring(definition) is not None:
        del definition.body[0]
    return hashlib.sha256(ast.unparse(definition).encode()).hexdigest()[:8]


@frozen
class Counting:
    """What kernels compiled from now on count while they run."""

    counts: npt.NDArray[np.int64] = field(factory=lambda: np.zeros((_ROOM, 2), np.int64))
    """Not taken and taken, shape (branches, 2); of a kernel itself, in its first row, calls."""
    kernels: dict[str, tuple[int, int]] = field(factory=dict)
    """By the name of a kernel its first row and its number of rows."""

    def n_rows(self) -> int:
        """How many rows are taken."""
        return sum(n for _, n in self.kernels.values())

    def table(self) -> dict[str, list[int]]:
        """What has been counted so far, as the file has it."""
        return {
            name: self.counts[first : first + n].ravel()[1:].tolist()
            for name, (first, n) in sorted(self.kernels.items())
        }


_running: list[Counting] = []  # what counts in this process, if anything does


def count_branches() -> Counting:
    """Let every kernel that is compiled from now on in this process count its branches.

    To be called before the first one is compiled, with a cache of compiled kernels of its own.
    """
    counting = Counting()
    add_symbol(_COUNTERS, counting.counts.ctypes.data)
    _running.append(counting)
    return counting


def write_counts(table: dict[str, list[int]], path: Path) -> None:
    """Write what `Counting.table` has, a kernel a line."""
    lines = (f"{json.dumps(name)}: {json.dumps(row)}" for name, row in sorted(table.items()))
    path.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


@cache
def kept_counts() -> dict[str, list[int]]:
    """The counts in ``branch_counts.json``."""
    table: dict[str, list[int]] = json.loads(COUNTS_FILE.read_text(encoding="utf-8"))
    return table


def annotate(module: ir.Module, function: Callable[..., Any], arguments: Sequence[Any]) -> None:
    """Tell LLVM what was counted for a kernel; or, while counting, let it count.

    ``module`` is the code that Numba has made of the kernel ``function`` for these types of
    arguments.  Modifies module.
    """
    # Behind it stand functions that Numba adds for the arithmetic of fractions.
    code = next(code for code in module.functions if not code.is_declaration)
    branches = list(_branches(code))
    name = name_of(function, arguments)
    if _running:
        (counting,) = _running
        first, n = counting.kernels.setdefault(name, (counting.n_rows(), len(branches) + 1))
        if n == len(branches) + 1:
            _add_counters(module, code, branches, first)
    else:
        counts = kept_counts().get(name, [])
        if len(counts) == 2 * len(branches) + 1:
            _add_counts(module, code, branches, counts)


def _branches(code: ir.Function) -> Iterator[tuple[ir.Block, Any]]:
    """The conditional branches of a function, in order, each with the block that it ends."""
    for block in code.blocks:
        last = block.terminator
        if isinstance(last, ir.instructions.ConditionalBranch):
            yield block, last


def _add_counters(
    module: ir.Module, code: ir.Function, branches: Sequence[tuple[ir.Block, Any]], first: int
) -> None:
    """Count calls in the row ``first``, branches in those that follow.  Modifies module."""
    counters = ir.GlobalVariable(module, ir.ArrayType(_WORD, 2 * _ROOM), _COUNTERS)

    def count(builder: ir.IRBuilder, row: int, taken: Any) -> None:
        place = builder.add(_WORD(2 * row), builder.zext(taken, _WORD))
        counter = builder.gep(counters, [_WORD(0), place])
        builder.store(builder.add(builder.load(counter), _WORD(1)), counter)

    builder = ir.IRBuilder()
    builder.position_at_start(code.entry_basic_block)
    count(builder, first, ir.IntType(1)(1))
    for row, (_, branch) in enumerate(branches, first + 1):
        builder.position_before(branch)
        count(builder, row, branch.operands[0])


def _add_counts(
    module: ir.Module,
    code: ir.Function,
    branches: Sequence[tuple[ir.Block, Any]],
    counts: Sequence[int],
) -> None:
    """Note calls and branches in the code of a kernel.  Modifies module."""
    calls, *ways = counts
    entry = [ir.MetaDataString(module, "function_entry_count"), _WORD(calls)]
    code.set_metadata("prof", module.add_metadata(entry))
    for (_, branch), left_out, taken in zip(branches, ways[::2], ways[1::2], strict=True):
        if left_out + taken > 0:
            branch.set_weights([taken, left_out])


def add_summary(module: ir.Module) -> None:
    """Tell LLVM which counts are high and which low, once for all kernels.  Modifies module.

    Nothing while counting.  The form is that of LLVM's own profiles.
    """
    if _running:
        return
    table = kept_counts()
    counts = np.sort([count for row in table.values() for count in row])[::-1]
    sums = np.cumsum(counts)
    wanted = [np.searchsorted(sums * 1_000_000, sums[-1] * cutoff) for cutoff in _CUTOFFS]
    short = ir.IntType(32)

    def named(name: str, value: Any) -> Any:
        return module.add_metadata([ir.MetaDataString(module, name), value])

    shares = [
        module.add_metadata([short(cutoff), _WORD(int(counts[last])), short(int(last) + 1)])
        for cutoff, last in zip(_CUTOFFS, wanted, strict=True)
    ]
    summary = module.add_metadata(
        [
            named("ProfileFormat", ir.MetaDataString(module, "InstrProf")),
            named("TotalCount", _WORD(int(sums[-1]))),
            named("MaxCount", _WORD(int(counts[0]))),
            named("MaxInternalCount", _WORD(int(counts[0]))),
            named("MaxFunctionCount", _WORD(max(row[0] for row in table.values()))),
            named("NumCounts", _WORD(len(counts))),
            named("NumFunctions", _WORD(len(table))),
            named("DetailedSummary", module.add_metadata(shares)),
        ]
    )
    flag = [short(1), ir.MetaDataString(module, "ProfileSummary"), summary]
    module.add_named_metadata("llvm.module.flags", module.add_metadata(flag))
