"""What a network sees of a position: the numbers of the rows that it adds up.

A position is seen by one player, ``me``, who knows what R4 allows.  Everything that it has is a
feature: a number of a row of weights (``network.py``).  Features of the table come first, section
after section of ``SECTIONS``; behind them each face of the pool has a row for each zone it can be
seen in.  A row of a face is made of what the card says (``card_features.py``), never of its name.

Training learns the weights of features.  Features that come together are one row, which has the sum
of their weights: fewer rows are then added up.
"""

import math
from itertools import product

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
#: Features of the table; those of faces come behind them.
N_FEATURES = int(_STARTS[-1])
_START = dict(zip(SECTIONS, map(int, _STARTS), strict=False))
#: Features that come together, since whoever has one of a section has one of the others: their
#: weights are added up when players sit down, to one row.  "life 0" is mine, "life 1" theirs; what
#: a creature may be without is marked with "?".
_JOINED = (
    ("to_move", "unknown", "turn"),
    ("mindbugs", "creatures"),
    ("life 0", "life 1"),
    ("hand 0", "hand 1"),
    ("draw_pile 0", "draw_pile 1"),
    ("energy 0", "energy 1", "affordable 0", "affordable 1"),
    ("free 0", "free 1"),
    ("lead", "unanswered"),
    *(("power 0", "faced 0"), ("power 1", "faced 1")),
    *(("keywords 0", "exhausted 0 ?"), ("keywords 1", "exhausted 1 ?")),
)
_MOST_JOINED = max(map(len, _JOINED))  # features of a row


def _numbers(part: str) -> list[int]:
    """The features of a part of what is joined, -1 for none."""
    section, *more = part.split()
    shape, start = SECTIONS[section], _START[section]
    if more:
        shape = shape[1:]
        start += int(more[0]) * math.prod(shape)
    return [-1] * ("?" in more) + [*range(start, start + math.prod(shape))]


_joined_rows = [[*product(*map(_numbers, parts))] for parts in _JOINED]
_MOMENT, _FORCES, _LIVES, _HANDS, _PILES, _ENERGIES, _FREE, _LEAD, _BODY, _, _WORDS, _, N_JOINED = (
    int(start) for start in np.cumsum([0, *map(len, _joined_rows)])
)
#: The features that a row joins, shape (N_JOINED, _MOST_JOINED), -1 for none.
JOINED = np.array(
    [[*row] + [-1] * (_MOST_JOINED - len(row)) for rows in _joined_rows for row in rows], np.int32
)

#: Where a card can be seen: rows of a face are in this order.
ZONES = ("my play area", "their play area", "my hand", "my discard pile", "their discard pile")
N_ZONES = len(ZONES)
_IN_HAND, _DISCARDED = 2, 3
MAX_ACTIVE = 4 * MAX_SLOTS  # rows of a position; a creature has three
_FAR, _NO_POWER, _MOST_POWER = np.int64(5), np.int64(0), np.int64(15)
_MOST = np.int16(np.iinfo(np.int16).max)


@kernel
def _list_rows(state, table, me, hidden, active):
    """Number of the rows of a position as player ``me`` sees it; fills ``active`` with them.

    ``hidden`` are slots that the player has not seen: cards of theirs that came to the hand count
    as unknown.  Makes the table readable.  Modifies active and the notes of state.
    """
    _look_at_creatures(state, table)
    _find_blockers(state, table)
    them = 1 - me
    hand = state.hand[me] & ~hidden
    n = _list_counts(state, table, me, them, hand, hidden, active)
    lead, exposed, unanswered = np.int64(0), np.int64(0), NONE
    for side in range(2):
        player = me if side == 0 else them
        free, strongest = NONE, np.int64(0)
        left = state.play_area[player]
        while left != NONE:
            slot = _lowest(left)
            left &= left - ONE
            power = np.int64(state.power[slot])
            strongest = max(strongest, power)
            blockers = _blockers_of(state, table, slot)
            stronger = _between(state.power, state.power[slot], _MOST)
            stopping = _popcount(blockers & (stronger | state.has[POISONOUS]))
            shown = min(max(power, _NO_POWER), _MOST_POWER)
            faced = 3 * min(_popcount(blockers), 3) + min(stopping, 2)
            keywords = np.int64(0)
            for k in range(N_KEYWORDS):
                keywords |= _holds(state.has[k], slot) << k
            tired = _holds(state.has[TOUGH] & state.exhausted, slot)
            n = _add(active, n, N_JOINED + N_ZONES * np.int64(state.card[slot]) + side)
            n = _add(active, n, _BODY + 12 * (16 * side + shown) + faced)
            n = _add(active, n, _WORDS + 2 * ((side << N_KEYWORDS) + keywords) + tired)
            if stopping == 0:
                free |= _bit(slot)
                if side == 1:
                    able = hand & (
                        _between(state.printed, state.power[slot], _MOST) | state.trait[POISONOUS]
                    )
                    if state.has[SNEAKY] & _bit(slot) != NONE:
                        able &= state.trait[SNEAKY]
                    unanswered |= _bit(slot) if able == NONE else NONE
        lead += strongest if side == 0 else -strongest
        life = min(max(state.life[1 - player], 1), 4)
        exposed = 16 * exposed + 4 * min(_popcount(free), 3) + life - 1
    n = _add(active, n, _FREE + exposed)
    return _add(
        active, n, _LEAD + 3 * (5 + min(max(lead, -_FAR), _FAR)) + min(_popcount(unanswered), 2)
    )


@inline_kernel
def _add(active, n, row):
    """Add a row to the first ``n`` of ``active``; how many there are then.  Modifies active."""
    active[np.uint64(n)] = row  # a signed index would be tested for being negative
    return n + 1


@inline_kernel
def _list_counts(state, table, me, them, hand, hidden, active):
    """Fill ``active`` with all rows but those of creatures; how many they are."""
    turn = state.turn
    late = np.int64(turn > 4) + np.int64(turn > 8) + np.int64(turn > 16)
    unknown = min(_popcount(state.hand[me] & hidden), 5)
    active[0] = _MOMENT + 4 * (6 * np.int64(state.active != me) + unknown) + late
    mindbugs = 4 * min(state.mindbugs[me], 3) + min(state.mindbugs[them], 3)
    mine, theirs = _popcount(state.play_area[me]), _popcount(state.play_area[them])
    active[1] = _FORCES + 36 * mindbugs + 6 * min(mine, 5) + min(theirs, 5)
    lives, hands, piles = np.int64(0), np.int64(0), np.int64(0)
    energies, affordable = np.int64(0), np.int64(0)
    for side in range(2):
        player = me if side == 0 else them
        lives = 7 * lives + min(max(state.life[player], 0), 6)
        hands = 7 * hands + min(_popcount(state.hand[player]), 6)
        piles = 8 * piles + min(_popcount(state.draw_pile[player]), 7)
        energies = 8 * energies + min(state.energy[player], 7)
        affordable = 4 * affordable + _affordable(state, table, player)
    active[2] = _LIVES + lives
    active[3] = _HANDS + hands
    active[4] = _PILES + piles
    active[5] = _ENERGIES + 16 * energies + affordable
    n = _list_cards(state, hand, _IN_HAND, active, np.int64(6))
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
    """Add the faces of some cards outside play to ``active``; how many rows there are then."""
    while slots != NONE:
        slot = _lowest(slots)
        slots &= slots - ONE
        n = _add(active, n, N_JOINED + N_ZONES * np.int64(state.card[slot]) + zone)
    return n
