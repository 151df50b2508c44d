"""Arrays by what they hold, as the signatures of functions name them."""

import numpy as np
import numpy.typing as npt

#: Rows of a structured dtype: games, states, positions.
Records = npt.NDArray[np.void]
Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]
Bools = npt.NDArray[np.bool_]
