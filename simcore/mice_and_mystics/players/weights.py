"""What the player ``learned`` thinks that things are worth.

The files are those of `simcore.weights`; what each weight counts is said in ``weight_names.py``.
"""

from functools import cache
from pathlib import Path

from simcore import weights
from simcore.mice_and_mystics.table.weight_names import WEIGHTS
from simcore.weights import Weights

__all__ = ["Weights", "own_weights", "read_weights", "write_weights"]


def read_weights(path: Path) -> Weights:
    """The weights of a file, shape (N_WEIGHTS,).  Raises ValueError as `simcore.weights` does."""
    return weights.read_weights(path, WEIGHTS)


def write_weights(numbers: Weights, path: Path, *, heading: str) -> None:
    """Write weights as a file that `read_weights` reads; ``heading`` becomes comments on top.

    Raises RunError when the disk will not take it.
    """
    weights.write_weights(numbers, path, WEIGHTS, heading=heading)


@cache
def own_weights() -> Weights:
    """The weights that come with fairdeal, shape (N_WEIGHTS,); do not change."""
    return read_weights(Path(__file__).parent / "learned.toml")
