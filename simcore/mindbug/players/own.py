"""Players of a person's own at the table: functions that choose where a kernel would.

What such a function is shown, and how it is named, is said in ``face/own_players.py``.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from simcore.mindbug.table.card_table import CardTable
from simcore.own_code import used

#: Gives the number of the option that is chosen in states[0], an array of GAME_STATE.
Chooser = Callable[[CardTable, npt.NDArray[np.void]], int]

_choosers: dict[str, Chooser] = {}


def seat_function(text: str, chooser: Chooser) -> None:
    """Let what is spelled ``text`` choose by a function, in this process."""
    _choosers[text] = chooser


def chooser_of(text: str) -> Chooser:
    """Who chooses for a player.  Raises OwnCodeError where nobody named them in this process."""
    return _choosers[text] if text in _choosers else _choosers[used(text).text]


class OwnRows(np.ndarray):
    """The rows of a table at which somebody sits who chooses by a function.

    ``table`` is what they are the rows of, ``choosers`` has a function or None for each player.
    """

    table: CardTable
    choosers: tuple[Chooser | None, ...]

    def ask(self, player: int, states: npt.NDArray[np.void]) -> int:
        """The option that a player, who is a function, chooses in states[0]."""
        chooser = self.choosers[player]
        assert chooser is not None
        return chooser(self.table, states)

    def __array_finalize__(self, other: Any) -> None:
        """Keep who plays in a view of the rows."""
        if isinstance(other, OwnRows) and hasattr(other, "choosers"):
            self.table, self.choosers = other.table, other.choosers
