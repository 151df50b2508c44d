"""What the players ``heuristic`` and ``learned`` think that things are worth.

What each weight counts is said in ``weight_names.py``.
"""

from pathlib import Path

from simcore.mindbug.table.weight_names import WEIGHTS
from simcore.weights import WeightFiles, Weights

__all__ = ["Weights", "own_weights", "read_weights", "write_weights"]

_FILES = WeightFiles(WEIGHTS, Path(__file__).parent)
read_weights, write_weights, own_weights = _FILES.read, _FILES.write, _FILES.own
