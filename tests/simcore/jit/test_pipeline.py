"""What touches the inside of Numba is in one module, and plain ``njit`` takes over without it."""

import ast
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from simcore.jit.pipeline import TRIED

ROOT = Path(__file__).parents[3]
SOURCES = sorted(
    file
    for room in ("card_data", "simcore", "analysis", "reports")
    for file in (ROOT / room).rglob("*.py")
)
#: What Numba's guide to extending it uses of its inside.
FOR_EXTENSIONS = "numba.core.cgutils"


def test_one_module_touches_the_inside_of_numba() -> None:
    """All others import what Numba documents."""
    touching = set()
    for file in SOURCES:
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module:
                names = {f"{node.module}.{one.name}" for one in node.names}
            elif isinstance(node, ast.Import):
                names = {one.name for one in node.names}
            else:
                continue
            inside = ("numba.core.", "numba.np.", "numba.cpython.")
            if any(name.startswith(inside) and name != FOR_EXTENSIONS for name in names):
                touching.add(file.relative_to(ROOT).as_posix())
    assert touching == {"simcore/jit/pipeline.py"}


def test_versions_of_numba_are_those_that_were_tried() -> None:
    """A newer version is not installed before somebody has tried it."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    (first, last) = TRIED
    wanted = f"numba>={first[0]}.{first[1]},<{last[0]}.{last[1] + 1}"
    assert wanted in project["dependencies"]


PROGRAM = """
import numba
{before}
import numpy as np
from numba import types
from simcore.jit import (
    _call_at, _general, address_of, apart_kernel, cached_kernel, inline_kernel, kernel,
    plain_kernel,
)

PAIR = np.dtype([("low", np.int64), ("high", np.float64)])

@inline_kernel
def _lower(pair):
    return pair.low - 1

@apart_kernel
def _count(pair, n):
    pair.high += n / 4
    return np.int64(_lower(pair) * n)

@kernel
def _think(pair, table):
    return _count(pair, table.low) + 1 // table.low

@cached_kernel
def _think_apart(pair, table):
    return _think(pair, table)

def _play(pairs, tables, address):
    if _general():
        return _call_at(address, pairs[0], tables[0]) + _think(pairs[0], tables[0])
    return _think(pairs[0], tables[0]) + _call_at(address, pairs[0], tables[0])

address = np.uint64(address_of(_think_apart, PAIR, PAIR))
for play in (cached_kernel(_play), plain_kernel(_play)):
    pairs, tables = np.array([(5, 0.5)], PAIR), np.array([(3, 0.0)], PAIR)
    print(play(pairs, tables, address), pairs[0])
"""
RESULT = "24 (5, 2.0)\n" * 2


def run(folder: Path, before: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the program in a process and with a cache of its own."""
    (folder / "program.py").write_text(PROGRAM.format(before=before))
    paths = os.pathsep.join([str(ROOT), *(path for path in sys.path if path)])
    return subprocess.run(
        [sys.executable, folder / "program.py"],
        env={**os.environ, "PYTHONPATH": paths, "NUMBA_CACHE_DIR": str(folder), **environment},
        capture_output=True,
        text=True,
        check=False,
    )


NEW = "numba.version_info = numba.version_info._replace(short=(0, 99))"
HOOKS = {
    "a class": "import numba.core.typed_passes as inside; del inside.NativeLowering",
    "a function": "import numba.core.cgutils as inside; del inside.insert_pure_function",
    "a method": (
        "from numba.core.compiler_machinery import PassManager as inside; del inside.add_pass_after"
    ),
}


@pytest.mark.parametrize("before", ["", NEW], ids=["a version that was tried", "a new version"])
def test_the_pipeline_compiles_where_it_can(tmp_path: Path, before: str) -> None:
    """A new version of Numba that still has all that is needed is used without a word."""
    done = run(tmp_path, before)
    assert (done.returncode, done.stdout, done.stderr) == (0, RESULT, "")


def test_a_switch_has_plain_njit_compile(tmp_path: Path) -> None:
    """Every kind of kernel gives the same, after one line that names the switch."""
    done = run(tmp_path, FAIRDEAL_PLAIN_JIT="1")
    assert (done.returncode, done.stdout) == (0, RESULT)
    (line,) = done.stderr.splitlines()
    assert "plain njit" in line and "FAIRDEAL_PLAIN_JIT is set" in line
    assert not list(tmp_path.rglob("*.nbc"))


@pytest.mark.parametrize("hook", HOOKS)
def test_plain_njit_takes_over_where_a_hook_is_missing(tmp_path: Path, hook: str) -> None:
    """One line says which version of Numba lacks what, and kernels give the same."""
    done = run(tmp_path, f"{NEW}\n{HOOKS[hook]}")
    assert (done.returncode, done.stdout) == (0, RESULT)
    (line,) = done.stderr.splitlines()
    assert "plain njit" in line and "has changed inside" in line


BESIDE = """
import logging
import os
import numpy as np
from simcore.jit import cached_kernel, compile_all, kernel, pipeline

@kernel
def _triple(n):
    return 3 * n

@cached_kernel
def _six(n):
    return _triple(n) * 2

@cached_kernel
def _nine(n):
    return _triple(_triple(n))

optimise = pipeline._EntryLibrary._optimize_final_module
def told(library):
    os.write(1, b"made here\\n" if os.getpid() == here else b"made beside\\n")
    optimise(library)
here = os.getpid()
pipeline._EntryLibrary._optimize_final_module = told
{before}
compile_all({families})
print(_six(7), _nine(7))
"""


FAMILIES = {
    "one family": "[[lambda: _six(np.int64(0)), lambda: _nine(np.int64(0))]]",
    "two families": "[[lambda: _six(np.int64(0))], [lambda: _nine(np.int64(0))]]",
}


def beside(folder: Path, before: str = "", families: str = FAMILIES["one family"]) -> list[str]:
    """What a program says that compiles two entries at once, each line once and sorted."""
    program = folder / "program.py"
    program.write_text(BESIDE.format(before=before, families=families))
    paths = os.pathsep.join([str(ROOT), *(path for path in sys.path if path)])
    done = subprocess.run(
        [sys.executable, program],
        env={**os.environ, "PYTHONPATH": paths, "NUMBA_CACHE_DIR": str(folder)},
        capture_output=True,
        text=True,
        check=False,
        timeout=100,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return sorted(done.stdout.splitlines())


@pytest.mark.skipif(sys.platform != "linux", reason="processes are forked on Linux alone")
@pytest.mark.parametrize("families", FAMILIES.values(), ids=FAMILIES)
@pytest.mark.parametrize("processors", [1, 2, 9])
def test_machine_code_is_made_beside(tmp_path: Path, families: str, processors: int) -> None:
    """Children make it and keep it on disk; this process, and the next, find it there."""
    before = f"os.cpu_count = lambda: {processors}"
    assert beside(tmp_path, before, families) == ["42 63", "made beside", "made beside"]
    assert beside(tmp_path, before, families) == ["42 63"]


@pytest.mark.parametrize(
    ("before", "said"),
    {
        "killed": ("logging.disable = lambda: os.kill(os.getpid(), 9)", ["made here"] * 2),
        "nothing kept": (
            "pipeline.KernelFiles.keep = lambda *_: None",
            ["made beside"] * 2 + ["made here"] * 2,
        ),
    }.values(),
    ids=["killed", "nothing kept"],
)
@pytest.mark.parametrize("families", FAMILIES.values(), ids=FAMILIES)
def test_what_a_child_does_not_keep_is_compiled_here(
    tmp_path: Path, before: str, said: list[str], families: str
) -> None:
    """A child that was killed or found no room on the disk costs time and nothing else."""
    if sys.platform != "linux":
        said = ["made here"] * 2
    assert beside(tmp_path, before, families) == ["42 63", *said]
