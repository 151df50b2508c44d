"""A game at one moment, and what the engine has drawn between two moments."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from simcore.copies import copy_of
from simcore.jit import cached_kernel
from simcore.mice_and_mystics.face.game import Game
from simcore.mice_and_mystics.table.limits import FIGURES, MICE
from simcore.mice_and_mystics.table.records import ROLLED
from simcore.mice_and_mystics.table.state import LUCK
from simcore.mice_and_mystics.table.words import SLOT_WORDS
from simcore.random_streams import _random_below

_MOST_DRAWS = 4096  # in one step; the decks are shuffled before the first


class MouseAttack(NamedTuple):
    """The frame of an attack of a mouse (rules/fights/mouse_attack.py)."""

    attacker: int
    weapon: int
    figure: int
    later: int
    swords: int
    opens: int
    dice: int
    times: int
    change: int
    shown: int
    hits: int
    left: int
    killed: int
    visited: int
    means: int


class MinionAttack(NamedTuple):
    """The frame of an attack of a minion (rules/fights/minion_attack.py), as far as it is used."""

    figure: int
    victim: int


def bits(mask: int) -> Iterator[int]:
    """The members of a mask, the lowest first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


class Moment:
    """A copy of the state and the record of a game, taken between two steps of the machine.

    Fields of the state are its items, as Python numbers.
    """

    def __init__(self, game: Game) -> None:
        self.state = copy_of(game.states[:1])[0]
        self.record = copy_of(game.records)[0]

    def __getitem__(self, field: str) -> int:
        return int(self.state[field])

    def of(self, field: str, place: int) -> int:
        """A number of a field with several."""
        return int(self.state[field][place])

    def has(self, field: str, member: int) -> bool:
        """Whether a mask has a member."""
        return bool(self[field] >> member & 1)

    @property
    def frame(self) -> list[int]:
        """The frame of the running activity."""
        return [int(word) for word in self.state["frame"][self["depth"]]]

    @property
    def step(self) -> int:
        """What the machine does next."""
        return self.frame[0]

    @property
    def track(self) -> list[int]:
        """The cards of the initiative track, from the top."""
        return [int(card) for card in self.state["track"][: self["n_track"]]]

    def pack(self, mouse: int) -> list[int]:
        """The cards in the pack of a mouse."""
        return [int(card) for card in self.state["pack"][mouse, : self.of("n_pack", mouse)]]

    def worn(self, mouse: int) -> list[int]:
        """The cards that a mouse has equipped."""
        cards = (int(self.state["slots"][mouse, slot]) for slot in range(len(SLOT_WORDS)))
        return [card for card in cards if card >= 0]

    @property
    def mice(self) -> list[int]:
        """The mice with a figure on the tile."""
        return [mouse for mouse in range(MICE) if self.of("space", mouse) >= 0]

    @property
    def figures(self) -> list[int]:
        """The figures of minions on the tile."""
        return [figure for figure in range(FIGURES) if self.has("figures", figure)]


class Change:
    """Two moments with one step between them.

    An item is by how much a number of the record has grown.
    """

    def __init__(self, before: Moment, after: Moment) -> None:
        self.before, self.after = before, after
        self._six: list[int] | None = None

    def __getitem__(self, counter: str) -> int:
        return int(self.after.record[counter]) - int(self.before.record[counter])

    def grown(self, counter: str) -> list[int]:
        """The places of a number of the record with several that have grown, with repetition."""
        more = self.after.record[counter].astype(int) - self.before.record[counter].astype(int)
        return [place for place, n in enumerate(more) for _ in range(n)]

    def rolled(self, *kinds: str) -> int:
        """How many dice of some kinds of `ROLLED` were rolled."""
        more = self.after.record["rolled"].astype(int) - self.before.record["rolled"].astype(int)
        return int(sum(more[ROLLED.index(kind)] for kind in kinds))

    @property
    def dice(self) -> list[int]:
        """The faces of all dice, in the order in which they were rolled.

        Where chance decided something else, that number of the stream stands as a face too.
        """
        if self._six is None:
            self._six = self.drawn(6)
        return self._six

    def drawn(self, n: int) -> list[int]:
        """All that was drawn in the step, as if each had been drawn of ``n``."""
        numbers: npt.NDArray[np.int64] = np.zeros(_MOST_DRAWS, np.int64)
        streams = self.before.state["streams"].copy()
        drawn = _redraw(streams, self.after.state["streams"], np.int64(n), numbers)
        return [int(number) for number in numbers[:drawn]]

    def shuffled(self, cards: Sequence[int], first: int) -> list[int]:
        """Cards as a shuffle has left them whose first draw is that of a number."""
        cards = list(cards)
        for place, i in enumerate(range(len(cards) - 1, 0, -1), first):
            j = self.drawn(i + 1)[place]
            cards[i], cards[j] = cards[j], cards[i]
        return cards


@cached_kernel
def _redraw(streams, end, n, numbers):
    """Draw from LUCK as far as ``end`` has gone, each below ``n``; how many numbers.

    Modifies streams and numbers.
    """
    drawn = 0
    while streams[LUCK, 0] != end[LUCK, 0] and drawn < len(numbers):
        numbers[drawn] = _random_below(streams, LUCK, n)
        drawn += 1
    return drawn
