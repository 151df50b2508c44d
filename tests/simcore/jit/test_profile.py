"""Counts of branches: counted right, used where they fit, and still those of the kernels."""

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from pkgutil import walk_packages
from typing import Any

import pytest
from llvmlite import ir
from llvmlite.binding import parse_assembly
from numba import types
from numba.core.dispatcher import Dispatcher

import simcore
from simcore.jit import profile as branch_counts
from simcore.jit.profile import add_summary, annotate, digest_of, kept_counts, name_of

#: The share of all calls counted that may have been of kernels edited since.
STALE = 0.1


def kernels_of(value: object, seen: set[int]) -> Iterator[Any]:
    """The functions of a kernel and of all kernels that it was made with."""
    if isinstance(value, Dispatcher) and id(value) not in seen:
        seen.add(id(value))
        yield value.py_func
        for cell in value.py_func.__closure__ or ():
            yield from kernels_of(cell.cell_contents, seen)


def kernels_today() -> set[tuple[str, str]]:
    """Name and digest of every kernel of a game."""
    seen: set[int] = set()
    return {
        (function.__qualname__, digest_of(function))
        for module in walk_packages(simcore.__path__, "simcore.")
        for value in vars(importlib.import_module(module.name)).values()
        for function in kernels_of(value, seen)
        if function.__module__.startswith("simcore.")
    }


def test_most_counts_are_of_the_kernels_as_they_are() -> None:
    """Counts of edited kernels are not used, so they have to be made again now and then."""
    found, calls, stale = kernels_today(), 0, {}
    for name, (n, *_) in kept_counts().items():
        calls += n
        if (name.partition("(")[0], name.rpartition(" ")[2]) not in found:
            stale[name] = n
    assert sum(stale.values()) <= STALE * calls, f"run `make counts`: no kernel is {list(stale)}"


KERNELS = '''
import json, sys
from simcore.jit.profile import count_branches
counting = count_branches()
from simcore.jit import cached_kernel, kernel

@kernel
def _halve_or_grow(n):
    """One step of the Collatz sequence."""
    if n % 2 == 0:
        return n // 2
    return 3 * n + 1

@cached_kernel
def _steps(n):
    steps = 0
    while n != 1:
        n = _halve_or_grow(n)
        steps += 1
    return steps

assert _steps(27) == 111
json.dump(counting.table(), sys.stdout)
'''


def test_calls_and_branches_are_counted(tmp_path: Path) -> None:
    """From 27 the sequence of Collatz takes 111 steps: 70 halve an even number, 41 do not."""
    script = tmp_path / "collatz.py"
    script.write_text(KERNELS)
    environment = {"NUMBA_CACHE_DIR": str(tmp_path), "PYTHONPATH": ":".join(sys.path)}
    run = subprocess.run(
        [sys.executable, script], env=environment, capture_output=True, text=True, check=True
    )
    ((name, (calls, *ways)),) = json.loads(run.stdout).items()
    assert name.startswith("_halve_or_grow(int64) ")
    assert calls == 111
    assert [41, 70] in [sorted(pair) for pair in zip(ways[::2], ways[1::2], strict=True)]


def absolute(n: int) -> int:
    """Stand-in for a kernel: only its name and its text are looked at."""
    return -n if n < 0 else n


def code_with_a_branch() -> ir.Module:
    """What could have been made of `absolute`."""
    word = ir.IntType(64)
    module = ir.Module()
    function = ir.Function(module, ir.FunctionType(word, [word]), "absolute")
    builder = ir.IRBuilder(function.append_basic_block())
    (n,) = function.args
    with builder.if_then(builder.icmp_signed("<", n, word(0))):
        builder.ret(builder.neg(n))
    builder.ret(n)
    return module


def keep(monkeypatch: pytest.MonkeyPatch, table: dict[str, list[int]]) -> None:
    monkeypatch.setattr(branch_counts, "kept_counts", lambda: table)


def test_counts_become_weights_of_branches(monkeypatch: pytest.MonkeyPatch) -> None:
    name = name_of(absolute, [types.int64])
    keep(monkeypatch, {name: [100, 93, 7]})
    module = code_with_a_branch()
    annotate(module, absolute, [types.int64])
    text = str(parse_assembly(str(module)))
    assert '!{!"function_entry_count", i64 100}' in text
    assert '!{!"branch_weights", i32 7, i32 93}' in text


@pytest.mark.parametrize(
    ("name", "row"),
    [
        pytest.param("absolute(int64) 0123abcd", [100, 93, 7], id="edited since"),
        pytest.param(None, [100, 93, 7, 5, 2], id="another number of branches"),
        pytest.param(None, [0, 0, 0, 1], id="cut off"),
    ],
)
def test_counts_that_do_not_fit_are_left_out(
    name: str | None, row: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(monkeypatch, {name or name_of(absolute, [types.int64]): row})
    module = code_with_a_branch()
    annotate(module, absolute, [types.int64])
    assert str(module) == str(code_with_a_branch())


def plain_five() -> Any:
    def five() -> int:
        return 5

    return five


def documented_five() -> Any:
    def five() -> int:
        """Five."""
        return 5  # as explained

    return five


def six() -> Any:
    def five() -> int:
        return 6

    return five


def test_a_kernel_that_moves_keeps_its_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The name in the file says what a kernel does, not where it lies."""
    before = name_of(absolute, [types.int64])
    monkeypatch.setattr(absolute, "__module__", "simcore.elsewhere")
    assert name_of(absolute, [types.int64]) == before


def test_a_digest_is_of_what_a_kernel_does() -> None:
    """Neither documentation nor comments count."""
    assert digest_of(plain_five()) == digest_of(documented_five())
    assert digest_of(plain_five()) != digest_of(six())


def test_the_summary_says_which_counts_are_high(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of counts 900, 90, 9 and 1 the first is nine tenths of all, two are 99 of a hundred."""
    keep(monkeypatch, {"a": [90, 9, 900], "b": [1]})
    module = ir.Module()
    add_summary(module)
    text = str(parse_assembly(str(module)))
    assert '!{!"TotalCount", i64 1000}' in text
    assert '!{!"MaxFunctionCount", i64 90}' in text
    assert "!{i32 900000, i64 900, i32 1}" in text
    assert "!{i32 950000, i64 90, i32 2}" in text
    assert "!{i32 990000, i64 90, i32 2}" in text
    assert "!{i32 999000, i64 9, i32 3}" in text
