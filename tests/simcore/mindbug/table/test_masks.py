"""Masks of slots: the instruction for bits in places, and what stands in for it elsewhere."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = """
import numpy as np
from simcore.jit import cached_kernel
from simcore.mindbug.table.masks import _first, _nth

@cached_kernel
def _pick(mask, n):
    return _nth(mask, n), _first(mask, n)

rng = np.random.default_rng(5)
for mask in [1, 1 << 63, 2**64 - 1, *rng.integers(1, 2**64, 200, dtype=np.uint64).tolist()]:
    slots = [slot for slot in range(64) if mask >> slot & 1]
    for n in range(len(slots)):
        nth, first = _pick(np.uint64(mask), np.int64(n))
        assert nth == slots[n] and first == sum(1 << slot for slot in slots[:n])
    if len(slots) < 63:  # more than there are: all of them
        assert _pick(np.uint64(mask), np.int64(63))[1] == mask
"""


@pytest.mark.parametrize("processor", ["", "generic"])
def test_slots_are_counted_on_any_processor(processor: str, tmp_path: Path) -> None:
    """With and without the instruction the n-th slot and the first n slots are the same."""
    program = tmp_path / "pick.py"
    program.write_text(PROGRAM)
    own = {"NUMBA_CPU_NAME": processor, "NUMBA_CPU_FEATURES": ""} if processor else {}
    folders = {"PYTHONPATH": str(Path.cwd()), "NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    answer = subprocess.run(
        [sys.executable, program],
        env={**os.environ, **folders, **own},
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode == 0, answer.stderr
