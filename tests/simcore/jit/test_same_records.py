"""Records do not depend on the processor that kernels are compiled for."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from support.same_records import play

ROOT = Path(__file__).parents[3]
#: Functions of ``math`` of which IEEE 754 fixes the result to the bit.
EXACT = {"sqrt", "floor", "ceil", "fabs", "ldexp", "factorial", "inf"}
INEXACT_SETTINGS = {"fastmath", "parallel"}


@pytest.mark.parametrize("file", sorted((ROOT / "simcore").rglob("*.py")), ids=str)
def test_kernels_use_arithmetic_of_fixed_rounding_alone(file: Path) -> None:
    """No library function that rounds as it likes, no reordering of sums, no threads."""
    for node in ast.walk(ast.parse(file.read_text())):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            if node.value.id == "math":
                assert node.attr in EXACT, f"{file.name}:{node.lineno}: math.{node.attr}"
            if node.value.id == "np":
                wrong = {"exp", "log", "power", "dot", "sin", "cos", "tanh", "matmul"}
                assert node.attr not in wrong, f"{file.name}:{node.lineno}: np.{node.attr}"
        if isinstance(node, ast.keyword):
            assert node.arg not in INEXACT_SETTINGS, f"{file.name}:{node.lineno}: {node.arg}"


def test_every_processor_plays_the_same_games() -> None:
    """Searching, thinking and random players: records as compiled for the oldest processor."""
    assert play("any processor", "together") == play("this processor", "together")
