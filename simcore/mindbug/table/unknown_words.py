"""Words of the vocabulary that no kernel performs: an error, and never the effect of another word.

A kernel that chooses by a word names every word that it knows.  What none of its branches knows is
noted in the state, ends the game, and becomes an `UnknownWordError` as soon as Python looks.
"""

from enum import IntEnum

import numpy as np
import numpy.typing as npt

from card_data.mindbug.vocabulary import (
    Choice,
    Comparison,
    Effect,
    Extreme,
    Quantity,
    Rule,
    Side,
    WhoStarts,
    Zone,
)
from simcore.jit import apart_kernel

#: The lists that kernels choose by.
LISTS: tuple[type[IntEnum], ...] = (
    *(Effect, Rule, Quantity, Comparison, Choice, Extreme, Side, Zone, WhoStarts),
)
EFFECT, RULE, QUANTITY, COMPARISON, CHOICE, EXTREME, SIDE, ZONE, WHO_STARTS = range(len(LISTS))

#: ``ending`` of a game that met such a word: in no record, since an error comes of it.
STOPPED = 99
_WORDS = 256


class UnknownWordError(Exception):
    """A card, or the pool, uses a word that the engine cannot perform."""

    def __init__(self, word: IntEnum | int, kind: type[IntEnum] | None = None) -> None:
        name = word.name if isinstance(word, IntEnum) else f"number {word}"
        super().__init__(
            f"the engine has no kernel for {name} of the word list"
            f" {(kind or type(word)).__name__}; nothing that was played with it counts. Card"
            " language and engine do not belong together: install fairdeal anew, or add the"
            " kernel (docs/architecture.md)"
        )


@apart_kernel
def _unknown(state, words, word):
    """Note a word of the list ``words`` (a place in LISTS) that no branch knows; the game ends.

    Modifies state.
    """
    state.unknown = 1 + words * _WORDS + np.int64(word) % _WORDS
    state.ending = STOPPED


def check_words(states: npt.NDArray[np.void]) -> None:
    """Raise UnknownWordError if states[0] has met a word that no kernel performs."""
    if code := int(states[0]["unknown"]):
        words, number = divmod(code - 1, _WORDS)
        members = {int(word): word for word in LISTS[words]}
        raise UnknownWordError(members.get(number, number), LISTS[words])
