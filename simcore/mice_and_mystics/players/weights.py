"""What the player ``learned`` thinks that things are worth.

What each weight counts is said in ``weight_names.py``.
"""

from pathlib import Path

from simcore.mice_and_mystics.table.weight_names import WEIGHTS, WIDTHS
from simcore.weights import WeightFiles, Weights

__all__ = ["Weights", "own_weights", "read_weights", "write_weights"]

_FILES = WeightFiles(WEIGHTS, Path(__file__).parent, WIDTHS)
read_weights, write_weights, own_weights = _FILES.read, _FILES.write, _FILES.own
