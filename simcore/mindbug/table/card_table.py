"""The compiled pool of cards: what its record holds, row by row.

``compile_cards.py`` fills it.
"""

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from card_data.mindbug.modes import Modes
from card_data.mindbug.schema import Card, PowerCard
from card_data.mindbug.vocabulary import Trigger
from simcore.mindbug.table.state import MAX_POOL, MAX_POWER_CARDS
from simcore.mindbug.table.weight_names import N_WEIGHTS

MAX_CARDS = 1024
MAX_FACES = 24  # of those, what cards become in play
MAX_ROWS = 4096
N_TRIGGERS = len(Trigger)

# Rows of the table.  A row number of -1 means "none".
CARD = np.dtype(
    [
        ("traits", np.uint64),  # bit t set for trait t of state.py
        ("power", np.uint16),
        ("worth", np.int16),  # points by which `greedy` plays, once it is seated
        ("program", np.int16, (N_TRIGGERS,)),  # (trigger) first instruction
        ("first_rule", np.uint16),
        ("end_power_rule", np.uint16),  # rules that change power come first
        ("end_rule", np.uint16),  # one past the last rule
        ("dice", np.uint8),  # dice symbols (R113)
        ("stage", np.uint8),  # 1, 2 or 3 (R101)
        ("next_face", np.int16),  # card row of the next stage
        ("first_face", np.int16),  # card row of stage I: the face in the deck
    ],
    align=True,
)
GROUP = np.dtype(
    [
        ("allied", np.uint64),  # 1 if creatures of "you" are meant
        ("enemy", np.uint64),  # 1 if creatures of the opponent are meant
        ("other", np.int8),  # 1 if "this" is left out
        ("this", np.int8),  # 1 if "this" alone is meant
        ("filtered", np.int8),  # any of the filters below asks for something
        ("power_min", np.int16),
        ("power_max", np.int16),
        ("keywords", np.uint8),  # at least one of these; 0 asks for nothing
        ("extreme", np.int8),
        ("special", np.int8),  # any of the filters below asks for something
        ("no_keyword", np.int8),
        ("boosted", np.int8),
        ("named_keyword", np.int8),
        ("has_blocked", np.int8),
        ("weaker", np.int8),  # less power than this
        ("within", np.int16),  # power within so much of this, -1 = any
        ("twin_side", np.int8),  # a Side, -1 = any power
        ("equal_power", np.int8),
    ],
    align=True,
)
INSTRUCTION = np.dtype(
    [
        ("effect", np.int8),
        ("player", np.int8),
        ("choice", np.int8),
        ("special", np.int8),  # 0 = performed by fast_effects.py
        ("may", np.int8),
        ("if_done", np.int8),
        ("die_from", np.int8),
        ("without_play", np.int8),
        ("or_keep", np.int8),
        ("as_loss", np.int8),  # of SET_LIFE: only takes life, as a loss (C8)
        ("zone", np.int8),  # of the cards meant, -1 = none
        ("ability", np.int8),  # trigger that those cards must have, -1 = any
        ("keywords", np.uint8),
        ("power_min", np.int16),  # printed, of those cards
        ("power_max", np.int16),
        ("count", np.int16),
        ("value", np.int16),
        ("condition", np.int16),
        ("per", np.int16),  # value row
        ("rule", np.int16),  # of THIS_TURN
        ("first_mode", np.int16),  # of CHOOSE_ONE: instruction rows, ``count`` of them
        ("face", np.int16),  # of BECOME: card row
        ("next", np.int16),  # instruction that follows
        ("group", GROUP),
    ],
    align=True,
)
RULE = np.dtype(
    [
        ("rule", np.int8),
        ("turns", np.int8),  # works in turns of: bit 0 = its player, bit 1 = the opponent (C7)
        ("place", np.int8),  # where the card must lie: 0 = in play, 1 = in a discard pile (R106)
        ("keywords", np.uint8),  # bit k for keyword k
        ("power", np.int16),
        ("condition", np.int16),
        ("per", np.int16),  # value row
        ("amount", np.int16),
        ("program", np.int16),  # of HAVE_ATTACK
        ("ability", np.int8),  # trigger that cards of CANNOT_PLAY must have, -1 = any
        ("power_min", np.int16),  # printed, of CANNOT_PLAY
        ("power_max", np.int16),
        ("group", GROUP),
    ],
    align=True,
)
VALUE = np.dtype(
    [
        ("quantity", np.int8),
        ("player", np.int8),
        ("number", np.int16),
        ("group", GROUP),
    ],
    align=True,
)
CONDITION = np.dtype(
    [
        ("comparison", np.int8),
        ("any_of", np.int8),  # 1 if this or the next one has to hold, 0 if both have to
        ("next", np.int16),  # the condition that it is joined with, -1 = none
        ("left", np.int16),  # value row
        ("right", np.int16),  # value row, -1 = ``number``
        ("number", np.int16),
    ],
    align=True,
)
POWER_CARD = np.dtype([("cost", np.int16), ("program", np.int16)], align=True)

#: Rows next to each other keep what one ability needs in one or two cache lines; columns of a power
#: of two would collide in the cache.
CARD_TABLE = np.dtype(
    [
        ("pool_size", np.int64),
        ("turn_cap", np.int64),
        ("effect_cap", np.int64),
        ("life", np.int64),
        ("mindbugs", np.int64),
        ("hand_size", np.int64),
        ("who_starts", np.int64),  # a WhoStarts
        ("life_decides", np.int64),  # 1 if more life wins at the turn cap (R20)
        ("extra_action", np.int64),  # after_mindbug: 1 = action, 0 = turn
        ("kot_parts", np.int64),
        ("rulings", np.int64),  # bit r for Ruling r
        ("all_traits", np.uint64),  # traits of any face
        ("uses_unused_pile", np.int64),
        ("remembers_fights", np.int64),  # 1 if anything asks who blocked or won a fight this turn
        ("n_power_cards", np.int64),
        ("policy", np.int64, (2,)),  # (player) who plays, see seats.py
        ("thinking", np.uint64),  # where the code of players who think is, see policies.py
        ("mistakes", np.int64, (2,)),  # share of random decisions, of 2**32
        ("simulations", np.int64, (2,)),
        ("levels", np.int64, (2,)),  # choices that are looked ahead, 0 = none
        ("network", np.uint64, (2,)),  # where that of a player who looks ahead is, see network.py
        ("weight", np.float32, (2, N_WEIGHTS)),
        ("least_cost", np.int64),  # of a power card
        ("plain", np.int64),  # 1 if the plain engine knows all there is, see expansion_features.py
        ("cards", CARD, (MAX_CARDS,)),
        ("instructions", INSTRUCTION, (MAX_ROWS,)),
        ("rules", RULE, (MAX_ROWS,)),
        ("values", VALUE, (MAX_ROWS,)),
        ("conditions", CONDITION, (MAX_ROWS,)),
        ("power_cards", POWER_CARD, (MAX_POWER_CARDS,)),
        ("worth", np.float32, (2, MAX_CARDS)),  # points of a card by a player's weights
        ("pool", np.uint16, (MAX_POOL,)),  # card row of every copy in the pool
        ("forbidden", np.int64, (2,)),  # (player) a bit for each restriction, see restrictions.py
    ],
    align=True,
)


@dataclass(frozen=True)
class CardTable:
    """A compiled pool of cards.

    ``rows`` is an array (1,) of CARD_TABLE, the argument of every kernel that is called from
    Python: handing over the record itself costs a hundred times more.  ``cards[i]`` is the card of
    row i (the ``cards`` column of game records); ``set_ids[i]`` names its set.  ``faces`` goes on
    with what a card can become in play without being a card (C45).  ``power_cards[i]`` is the power
    card of instance i, copies expanded.  ``modes`` is how the pool is played.  ``judged`` keeps
    what players have thought of the faces.
    """

    rows: npt.NDArray[np.void]
    cards: tuple[Card, ...]
    set_ids: tuple[str, ...]
    faces: tuple[Card, ...]
    power_cards: tuple[PowerCard, ...]
    modes: Modes
    judged: dict[bytes, npt.NDArray[Any]] = field(default_factory=dict, repr=False)

    def profiles(self, row: int) -> tuple[int, ...]:
        """Rows of what a card can become in play without being a card (C45), in their order."""
        faces = range(len(self.cards), len(self.faces))
        return tuple(i for i in faces if self.faces[i].card_id == self.cards[row].card_id)

    @property
    def plain(self) -> bool:
        """Whether the plain engine knows all there is in the pool."""
        return bool(self.rows[0]["plain"])

    @property
    def pool_size(self) -> int:
        """Number of cards in the pool, copies counted (R7)."""
        return int(self.rows[0]["pool_size"])
