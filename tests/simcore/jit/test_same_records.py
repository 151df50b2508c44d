"""Records do not depend on the processor that kernels are compiled for."""

import ast
from pathlib import Path

from simcore.mindbug import parse_player
from support.same_records import FEW_GAMES, GAMES, play

ROOT = Path(__file__).parents[3]
#: Functions of ``math`` of which IEEE 754 fixes the result to the bit.
EXACT = {"sqrt", "floor", "ceil", "fabs", "ldexp", "factorial", "inf", "prod"}
INEXACT_SETTINGS = {"fastmath", "parallel"}
INEXACT = {"exp", "log", "power", "dot", "sin", "cos", "tanh", "matmul", "einsum"}


def test_kernels_use_arithmetic_of_fixed_rounding_alone() -> None:
    """No library function that rounds as it likes, no reordering of sums, no threads."""
    found = set()
    for file in (ROOT / "simcore").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                library, name = node.value.id, node.attr
                if (library == "math" and name not in EXACT) or (
                    library == "np" and name in INEXACT
                ):
                    found.add(f"{file.name}:{node.lineno}: {library}.{name}")
            elif isinstance(node, ast.keyword) and node.arg in INEXACT_SETTINGS:
                found.add(f"{file.name}:{node.value.lineno}: {node.arg}")
    assert not found


def test_every_processor_plays_the_same_games() -> None:
    """Searching, thinking and random players; networks learn the same numbers, too."""
    assert play("any processor", "together") == play("this processor", "together")


def test_every_player_of_the_comparison_plays() -> None:
    """`make processors` plays longer than a test may, so a wrong name would be seen late."""
    for players in [*GAMES, *FEW_GAMES]:
        for player in players:
            parse_player(player)
