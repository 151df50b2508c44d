"""Players of a person's own at the table: functions that choose where a kernel would.

What such a function is shown, and how it is named, is the game's business (``face/own_players.py``
of each).
"""

import operator
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from attrs import define, field, frozen

from simcore.own_code import OwnCode, OwnCodeError, failure, used

#: Gives the number of the option that is chosen in states[0], an array of GAME_STATE, by the table.
Chooser = Callable[[Any, npt.NDArray[np.void]], int]
#: How such a function is asked by kernels: by Python, or where its compiled code lies.
BY_PYTHON = 1


@frozen
class Seated:
    """Who chooses by a function, and BY_PYTHON or the address of its code, which says the same."""

    chooser: Chooser
    address: int = BY_PYTHON


class OwnRows(np.ndarray):
    """The rows of a table at which somebody sits who chooses by a function.

    ``table`` is what they are the rows of, ``seated`` has for each player who chooses, or None.
    """

    table: Any
    seated: tuple[Seated | None, ...]

    @property
    def addresses(self) -> npt.NDArray[np.uint64]:
        """How each player is asked: 0 = by kernels, BY_PYTHON, or where compiled code lies."""
        return np.array([one.address if one else 0 for one in self.seated], np.uint64)

    def asks(self, player: int) -> bool:
        """Whether a player is a function."""
        return self.seated[player] is not None

    def ask(self, player: int, states: npt.NDArray[np.void]) -> int:
        """The option that a player, who is a function, chooses in states[0]."""
        one = self.seated[player]
        assert one is not None
        return one.chooser(self.table, states)

    def __array_finalize__(self, other: Any) -> None:
        """Keep who plays in a view of the rows."""
        if isinstance(other, OwnRows) and hasattr(other, "seated"):
            self.table, self.seated = other.table, other.seated


@define
class OwnSeats:
    """The functions that choose in a game, in this process, by how they are spelled."""

    seated: dict[str, Seated] = field(factory=dict)

    def seat(self, text: str, chooser: Chooser, address: int = BY_PYTHON) -> None:
        """Let what is spelled ``text`` choose by a function."""
        self.seated[text] = Seated(chooser, address)

    def rows(self, rows: npt.NDArray[np.void], table: Any, functions: Sequence[str]) -> OwnRows:
        """Rows of a table whose players choose by these functions, "" for one who does not.

        Raises OwnCodeError for a function that nobody named in this process.
        """
        own = rows.view(OwnRows)
        own.table = table
        own.seated = tuple(
            self.seated[text if text in self.seated else used(text).text] if text else None
            for text in functions
        )
        return own


def choose(code: OwnCode, seen: Any, n_options: int, where: str) -> int:
    """The option that a function chooses of so many when it is shown something.

    Raises OwnCodeError, which begins with the function and ``where``, as in "game 7, turn 2".
    """
    try:
        chosen = code.function(seen)
    except (Exception, SystemExit) as error:
        raise OwnCodeError(f"{code.text} in {where}: {failure(code, error)}") from error
    last = n_options - 1
    try:
        number = operator.index(chosen)
    except TypeError:
        raise OwnCodeError(
            f"{code.text} in {where} chose {chosen!r}; return the number of an option, 0 to {last}"
        ) from None
    if not 0 <= number <= last:
        raise OwnCodeError(f"{code.text} in {where} chose option {number}; options are 0 to {last}")
    return number
