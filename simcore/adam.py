"""The steps by which networks learn: Adam's, which grow at first and then fall.

Steps are Adam's (Kingma and Ba 2015, "Adam: a method for stochastic optimization"); their size
follows Smith and Topin 2019, "Super-convergence".
"""

from typing import Any

import numpy as np
import numpy.typing as npt
from attrs import define

_FADE, _FADE_SQUARES, _LEAST = 0.9, 0.999, 1e-8

#: The numbers of a network, by the names of its layers.
Arrays = dict[str, npt.NDArray[Any]]


def size_of_step(progress: float) -> float:
    """Size of a step, as a share of the largest: up in a line, down in an S (a cubic)."""
    fallen = (progress - 0.1) / 0.9
    return progress / 0.1 if progress < 0.1 else 1.0 - fallen * fallen * (3.0 - 2.0 * fallen)


@define
class Adam:
    """The state of Adam: means of slopes and of their squares, and how much they lack by now."""

    means: Arrays
    squares: Arrays
    number: int = 0
    left: float = 1.0
    left_squares: float = 1.0

    @classmethod
    def of(cls, arrays: Arrays) -> "Adam":
        """Before the first step."""
        means, squares = (
            {name: np.zeros_like(array) for name, array in arrays.items()} for _ in range(2)
        )
        return cls(means, squares)

    def take_step(self, arrays: Arrays, slopes: Arrays, size: float) -> None:
        """One step.  Modifies arrays."""
        self.number += 1
        self.left *= _FADE
        self.left_squares *= _FADE_SQUARES
        for name, array in arrays.items():
            mean, square, slope = self.means[name], self.squares[name], slopes[name]
            mean += (1.0 - _FADE) * (slope - mean)
            square += (1.0 - _FADE_SQUARES) * (slope * slope - square)
            usual = np.sqrt(square / (1.0 - self.left_squares)) + _LEAST
            arrays[name] = array - size * mean / (1.0 - self.left) / usual
