"""What no kernel performs: an error, and never something else instead.

A kernel that chooses by a word names every word that it knows.  What none of its branches knows,
and what there is no room for, is noted in the state, ends the game, and becomes an `EngineError` as
soon as Python looks.
"""

import numpy as np
import numpy.typing as npt

from simcore.jit import apart_kernel
from simcore.mice_and_mystics.table.masks import numbers
from simcore.mice_and_mystics.table.words import BROKEN, OP_WORDS

# What is unknown or full; the number noted beside it says which word.
KINDS = (
    "",
    "operation",
    "step",
    "option",
    "way to win",
    "place in a list of entries",
    "activity inside another",
    "place in a pack",
    "place in a deck",
    "step without end",
    "player",
)
(A_OPERATION, A_STEP, AN_OPTION, A_WIN, ENTRIES, ACTIVITIES, PACKS, DECKS, ENDLESS) = numbers(1, 10)
(A_POLICY,) = numbers(10, 11)
_WORDS = 256


class EngineError(Exception):
    """A game met something that no kernel performs; nothing that was played with it counts."""


@apart_kernel
def _unknown(state, kind, word):
    """Note a word that no branch knows, or what there is no room for; the game ends.

    Modifies state.
    """
    state.unknown = kind * _WORDS + word % _WORDS
    state.outcome = BROKEN


def check_words(states: npt.NDArray[np.void]) -> None:
    """Raise EngineError if states[0] has met something that no kernel performs."""
    if code := int(states[0]["unknown"]):
        kind, number = divmod(code, _WORDS)
        word = OP_WORDS[number] if kind == A_OPERATION else f"number {number}"
        raise EngineError(
            f"the engine has no kernel or no room for {word} as {KINDS[kind]}; nothing that was"
            " played with it counts"
        )
