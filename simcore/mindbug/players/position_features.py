"""What a network sees of a position: the numbers of the rows that it adds up.

A position is seen by one player, ``me``, who knows what R4 allows.  Everything that it has is a
feature: a number of a row of weights (``network.py``).  Features of the table come first, section
after section of ``SECTIONS``; behind them each face of the pool has a row for each zone it can be
seen in.  A row of a face is made of what the card says (``card_features.py``), never of its name.
"""

import math

import numpy as np

from simcore.jit import inline_kernel, kernel
from simcore.mindbug.players.evaluation import _blockers_of, _find_blockers, _look_at_creatures
from simcore.mindbug.table.masks import NONE, ONE, _between, _bit, _holds, _lowest, _popcount
from simcore.mindbug.table.state import MAX_SLOTS, N_KEYWORDS, POISONOUS, SNEAKY, TOUGH

#: Sections of features and their shapes; the axis of length 2 that comes first is (mine, theirs).
SECTIONS = {
    "to_move": (2,),  # whose turn action is next
    "life": (2, 7),
    "mindbugs": (4, 4),  # (mine, theirs)
    "hand": (2, 7),  # cards
    "unknown": (6,),  # cards in my hand that I have not seen yet
    "draw_pile": (2, 8),  # cards
    "creatures": (6, 6),  # (mine, theirs) in play
    "energy": (2, 8),
    "affordable": (2, 4),  # power cards on display, for whoever has the energy
    "turn": (4,),  # four turns, eight, sixteen, more
    "lead": (11,),  # my highest power less theirs, from -5 to 5
    "free": (2, 4, 4),  # (creatures that none can stop, life of the opponent)
    "unanswered": (3,),  # of theirs, how many no card in my hand could stop either
    "power": (2, 16),  # of a creature
    "keywords": (2, 1 << N_KEYWORDS),  # of a creature: a bit for each
    "exhausted": (2,),  # a creature with TOUGH
    "faced": (2, 4, 3),  # of a creature: (enemies who may block it, those who would stop it)
}
_STARTS = np.cumsum([0, *(math.prod(shape) for shape in SECTIONS.values())])
#: Features of the table; the rows of faces come behind them.
N_FEATURES = int(_STARTS[-1])
_START = dict(zip(SECTIONS, map(int, _STARTS), strict=False))
_TO_MOVE, _LIFE, _MINDBUGS, _HAND = (_START[n] for n in ("to_move", "life", "mindbugs", "hand"))
_UNKNOWN, _DRAW_PILE, _CREATURES = (_START[n] for n in ("unknown", "draw_pile", "creatures"))
_ENERGY, _AFFORDABLE, _TURN = (_START[n] for n in ("energy", "affordable", "turn"))
_LEAD, _FREE = _START["lead"], _START["free"]
_UNANSWERED, _POWER, _KEYWORDS = (_START[n] for n in ("unanswered", "power", "keywords"))
_EXHAUSTED, _FACED = _START["exhausted"], _START["faced"]

#: Where a card can be seen: rows of a face are in this order.
ZONES = ("my play area", "their play area", "my hand", "my discard pile", "their discard pile")
N_ZONES = len(ZONES)
_IN_HAND, _DISCARDED = 2, 3
MAX_ACTIVE = 6 * MAX_SLOTS  # a creature has five features
_FAR, _NO_POWER, _MOST_POWER = np.int64(5), np.int64(0), np.int64(15)
_MOST = np.int16(np.iinfo(np.int16).max)


@kernel
def _list_features(state, table, me, hidden, active):
    """Number of the features of a position as player ``me`` sees it; fills ``active`` with them.

    ``hidden`` are slots that the player has not seen: cards of theirs that came to the hand count
    as unknown.  Makes the table readable.  Modifies active and the notes of state.
    """
    _look_at_creatures(state, table)
    _find_blockers(state, table)
    them = 1 - me
    hand = state.hand[me] & ~hidden
    n = _list_counts(state, table, me, them, hand, hidden, active)
    lead, unanswered = np.int64(0), NONE
    for side in range(2):
        player = me if side == 0 else them
        free, strongest = NONE, np.int64(0)
        left = state.play_area[player]
        while left != NONE:
            slot = _lowest(left)
            left &= left - ONE
            power = np.int64(state.power[slot])
            strongest = max(strongest, power)
            active[n] = N_FEATURES + N_ZONES * np.int64(state.card[slot]) + side
            active[n + 1] = _POWER + 16 * side + min(max(power, _NO_POWER), _MOST_POWER)
            blockers = _blockers_of(state, table, slot)
            stronger = _between(state.power, state.power[slot], _MOST)
            stopping = _popcount(blockers & (stronger | state.has[POISONOUS]))
            active[n + 2] = _FACED + 12 * side + 3 * min(_popcount(blockers), 3) + min(stopping, 2)
            n += 3
            if stopping == 0:
                free |= _bit(slot)
                if side == 1:
                    able = hand & (
                        _between(state.printed, state.power[slot], _MOST) | state.trait[POISONOUS]
                    )
                    if state.has[SNEAKY] & _bit(slot) != NONE:
                        able &= state.trait[SNEAKY]
                    unanswered |= _bit(slot) if able == NONE else NONE
            keywords = np.int64(0)
            for k in range(N_KEYWORDS):
                keywords |= _holds(state.has[k], slot) << k
            active[n] = _KEYWORDS + (side << N_KEYWORDS) + keywords
            active[n + 1] = _EXHAUSTED + side
            n += 1 + _holds(state.has[TOUGH] & state.exhausted, slot)
        lead += strongest if side == 0 else -strongest
        life = min(max(state.life[1 - player], 1), 4)
        active[n] = _FREE + 16 * side + 4 * min(_popcount(free), 3) + life - 1
        n += 1
    active[n] = _LEAD + 5 + min(max(lead, -_FAR), _FAR)
    active[n + 1] = _UNANSWERED + min(_popcount(unanswered), 2)
    return n + 2


@inline_kernel
def _list_counts(state, table, me, them, hand, hidden, active):
    """Fill ``active`` with all features but those of creatures; how many they are."""
    turn = state.turn
    active[0] = _TO_MOVE + np.int64(state.active != me)
    active[1] = _MINDBUGS + 4 * min(state.mindbugs[me], 3) + min(state.mindbugs[them], 3)
    active[2] = _UNKNOWN + min(_popcount(state.hand[me] & hidden), 5)
    mine, theirs = _popcount(state.play_area[me]), _popcount(state.play_area[them])
    active[3] = _CREATURES + 6 * min(mine, 5) + min(theirs, 5)
    active[4] = _TURN + np.int64(turn > 4) + np.int64(turn > 8) + np.int64(turn > 16)
    n = np.int64(5)
    for side in range(2):
        player = me if side == 0 else them
        active[n] = _LIFE + 7 * side + min(max(state.life[player], 0), 6)
        active[n + 1] = _HAND + 7 * side + min(_popcount(state.hand[player]), 6)
        active[n + 2] = _DRAW_PILE + 8 * side + min(_popcount(state.draw_pile[player]), 7)
        active[n + 3] = _ENERGY + 8 * side + min(state.energy[player], 7)
        active[n + 4] = _AFFORDABLE + 4 * side + _affordable(state, table, player)
        n += 5
    n = _list_cards(state, hand, _IN_HAND, active, n)
    n = _list_cards(state, state.discard_pile[me], _DISCARDED, active, n)
    return _list_cards(state, state.discard_pile[them], _DISCARDED + 1, active, n)


@inline_kernel
def _affordable(state, table, player):
    """Power cards on display that a player has the energy for, at most three (R109)."""
    if state.energy[player] < table.least_cost:
        return np.int64(0)
    found, left = NONE, state.display
    while left != NONE:
        card = _lowest(left)
        left &= left - ONE
        found |= _bit(card) if table.power_cards[card].cost <= state.energy[player] else NONE
    return min(_popcount(found), 3)


@inline_kernel
def _list_cards(state, slots, zone, active, n):
    """Add the faces of some cards outside play to ``active``; how many features there are then."""
    while slots != NONE:
        slot = _lowest(slots)
        slots &= slots - ONE
        active[n] = N_FEATURES + N_ZONES * np.int64(state.card[slot]) + zone
        n += 1
    return n
