"""The state of one game: a small flat record that a search can copy in tens of nanoseconds.

Zones are masks over slots (``masks.py``): a card sits in exactly one of hand, draw pile, discard
pile, play area or ``limbo``.  A draw pile is drawn in ascending slot order, because slots are dealt
in draw order.  ``(2,)`` fields are indexed by player.
"""

from enum import IntEnum

import numpy as np

from simcore.mindbug.records import DEALT
from simcore.random_streams import N_STREAMS

MAX_SLOTS = 64
MAX_POOL = 2048  # cards, copies counted
MAX_WAITING = MAX_SLOTS  # every creature can wait with one trigger

# Traits of a card, one mask over slots each.  The five keywords come first, in Keyword order.
FRENZY, HUNTER, POISONOUS, SNEAKY, TOUGH = range(5)
N_KEYWORDS = 5
HAS_TRIGGER = 5  # HAS_TRIGGER + Trigger
CHANGES_POWER = 8  # layer L2 of R85
GRANTS_KEYWORDS = 9  # L3
COPIES_KEYWORDS = 10  # L4
GIVES = 11  # GIVES + Keyword: may grant or copy that keyword
STOPS_ATTACKS = 16  # "cannot attack" (L5)
STOPS_BLOCKS = 17  # "cannot block" (L5)
STOPS_BLOCKS_OF_THIS = 18  # "cannot block this" (L5)
STOPS_PLAY_EFFECTS = 19  # R90
TIMED = 20  # changes power or keywords during one player's turns
VOLATILE = 21  # changes power or keywords on a condition on life or on cards outside play
N_TRAITS = 24  # whole bytes, see deal._set_printed

# Bits of ``stale``.
STALE_POWERS, STALE_KEYWORDS = 1, 2
STALE = STALE_POWERS | STALE_KEYWORDS


class Phase(IntEnum):
    """Where the machine stands; ``turn._run`` performs the phases one after another."""

    PAUSE = -1
    OVER = 0
    ACTION = 1
    PLAY = 2
    ENTER = 3
    DECLARE = 4
    HUNT = 5
    BLOCK = 6
    COMBAT = 7
    FRENZY = 8
    ACTION_DONE = 9
    QUEUE = 10
    EFFECT = 11
    START_TURN = 12


class Decision(IntEnum):
    """The decision points D1 … of the rules text; NONE while the machine can go on by itself."""

    NONE = 0
    ACTION = 1
    MINDBUG = 2
    HUNT = 3
    BLOCK = 4
    SECOND_ATTACK = 5
    TARGET = 6
    TARGETS = 7
    UP_TO = 8
    DISCARD = 10
    ORDER = 11


GAME_STATE = np.dtype(
    [
        ("streams", np.uint64, (N_STREAMS, 2)),  # see random_streams.py
        ("hand", np.uint64, (2,)),
        ("draw_pile", np.uint64, (2,)),
        ("discard_pile", np.uint64, (2,)),
        ("play_area", np.uint64, (2,)),
        ("limbo", np.uint64),  # a card being played, in no zone (R34)
        ("exhausted", np.uint64),
        ("attacked", np.uint64),  # creatures that attacked this turn (R74)
        ("options", np.uint64),  # slots (ORDER: queue positions) offered by the decision
        ("attack_options", np.uint64),  # ACTION only: creatures that may attack
        ("fitting", np.uint64),  # slots that the running instruction may affect
        ("chosen", np.uint64),  # slots picked so far for the running instruction
        ("modified", np.int64),  # whether a ``power`` may not be the printed one
        ("keyword", np.uint64, (N_KEYWORDS,)),  # current keywords, see constant_abilities._known
        ("trait", np.uint64, (N_TRAITS,)),  # printed traits of all slots
        ("phase", np.int64),
        ("after_queue", np.int64),  # phase that follows when no trigger waits
        ("decision", np.int64),
        ("decider", np.int64),
        ("fixed_options", np.int64),  # leading options that name no card: refuse, use, stop …
        ("n_options", np.int64),
        ("active", np.int64),
        ("stale", np.int64),  # STALE_… : must be recalculated before they are read (R84)
        ("mindbugged", np.int64),  # the card in limbo was taken with a Mindbug
        ("extra", np.int64),  # extra turns or extra turn actions due (R37, R38)
        ("attacker", np.int64),  # slot, -1 = the attacker has left play (R64)
        ("blocker", np.int64),  # slot, -1 = not blocked
        ("may_repeat", np.int64),  # first attack of this turn, control never changed (R74, R75)
        ("waiting", np.int64),  # triggers in the queue
        ("queue_head", np.int64),
        ("batch", np.int64),  # number of the newest batch of triggers
        ("effects", np.int64),  # effects resolved this turn (R20)
        ("pc", np.int64),  # instruction being performed
        ("source", np.int64),  # slot of the source of the running effect
        ("source_object", np.int64),
        ("effect_player", np.int64),  # "you" of the running effect (R53)
        ("picks_left", np.int64),  # -1 = the running instruction has not been started
        ("picker", np.int64),  # player who picks for the running instruction
        ("pick_point", np.int64),  # Decision at which he does
        ("life", np.int64, (2,)),
        ("mindbugs", np.int64, (2,)),
        ("winner", np.int64),  # -1 = none or draw
        ("ending", np.int64),  # records.Ending, -1 while the game runs
        ("turn", np.int64),
        ("first_player", np.int64),
        ("game", np.int64),
        ("decisions", np.int64),  # for the record from here on, see records.py
        ("attacks", np.int64),
        ("second_attacks", np.int64),
        ("hunts", np.int64),
        ("blocks", np.int64),
        ("defeats", np.int64),
        ("tough_saves", np.int64),
        ("drawn", np.uint64),
        ("played", np.uint64, (2,)),
        ("taken", np.uint64, (2,)),
        ("defeated", np.uint64),
        ("queue", np.uint64, (MAX_WAITING,)),  # ring of waiting triggers, packed by triggers.py
        ("power", np.int16, (MAX_SLOTS,)),  # current power of creatures in play
        ("printed", np.int16, (MAX_SLOTS,)),  # printed power
        ("object", np.uint8, (MAX_SLOTS,)),  # counts entries into play: a new object each (R5)
        ("card", np.uint16, (MAX_SLOTS,)),  # row of the card table
        ("turn_played", np.int16, (DEALT,)),
        ("offers", np.uint8, (DEALT,)),
        ("thefts", np.uint8, (DEALT,)),
    ],
    align=True,
)

#: Work space of the dealer, see deal._new_game.
DEALING = np.dtype(
    [
        ("pool", np.uint16, (MAX_POOL,)),  # card rows, shuffled as far as cards have been drawn
        ("traits", np.uint8, (MAX_SLOTS,)),  # eight traits of each slot
    ],
    align=True,
)
