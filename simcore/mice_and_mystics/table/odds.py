"""What dice do to each other, exactly (M118-M123): tables for players who think before they attack.

They are made from the faces of the die, so a changed die changes them.
"""

from collections.abc import Sequence

import numpy as np

from card_data.mice_and_mystics.facts import Face
from simcore.arrays import Floats
from simcore.mice_and_mystics.table.limits import ATTACK_DICE, DEFENSE_DICE, LIFE

# Of the points of an attack: for each wound that it may deal (section 24).
_EACH_WOUND = 0.2

Odds = Floats


def sums(counts: Sequence[int], n_dice: int) -> Odds:
    """P(dice show x in all): shape (n_dice, 1 + most), by the number of dice 0 … n_dice - 1.

    ``counts`` are what the faces of one die show.
    """
    one = np.bincount(counts) / len(counts)
    odds = np.zeros((n_dice, (n_dice - 1) * (len(one) - 1) + 1))
    odds[0, 0] = 1.0
    for n in range(1, n_dice):
        odds[n] = np.convolve(odds[n - 1], one)[: odds.shape[1]]
    return odds


def blocks_at_most(faces: Sequence[Face]) -> Odds:
    """P(defense dice block at most x hits), shape (DEFENSE_DICE, LIFE) by dice and x."""
    blocks = np.cumsum(sums([face.shield for face in faces], DEFENSE_DICE), axis=1)
    wide = np.ones((DEFENSE_DICE, LIFE))
    n = min(LIFE, blocks.shape[1])
    wide[:, :n] = blocks[:, :n]
    return wide


def wounds_at_least(hits: Sequence[int], shields: Sequence[int]) -> Odds:
    """P(an attack deals at least k wounds), by attack dice, defense dice and k.

    Shape (ATTACK_DICE, DEFENSE_DICE, LIFE); the two lists say what the faces of one die show.
    """
    struck = sums(hits, ATTACK_DICE)
    blocked = np.cumsum(sums(shields, DEFENSE_DICE), axis=1)
    odds = np.zeros((ATTACK_DICE, DEFENSE_DICE, LIFE))
    odds[:, :, 0] = 1.0
    for k in range(1, LIFE):
        for h in range(k, struck.shape[1]):
            at_most = blocked[:, min(h - k, blocked.shape[1] - 1)]
            odds[:, :, k] += struck[:, h, None] * at_most[None]
    return odds


def attack_points(hits: Sequence[int], shields: Sequence[int]) -> Odds:
    """The score of an attack (section 24), by attack dice, defense dice and life that is left.

    P(as many wounds as life is left) + 0.2 x the wounds to be expected up to that.  Shape
    (ATTACK_DICE, DEFENSE_DICE, LIFE).
    """
    odds = wounds_at_least(hits, shields)
    each = np.cumsum(odds[:, :, 1:], axis=2)
    odds[:, :, 1:] += _EACH_WOUND * each
    return odds
