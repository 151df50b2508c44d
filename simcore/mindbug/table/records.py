"""The record of one finished game: one compact row, written by the engine, read by the analysis.

A *slot* is the game-local number of a card instance.  Slots 0–9 are the ten cards dealt to player
0 in draw order (0–4 are the opening hand), slots 10–19 those of player 1, slots 20–63 cards of the
unused pile.  Masks have bit *s* set for slot *s*.
"""

from enum import IntEnum

import numpy as np
import numpy.typing as npt

from simcore.arrays import Bools, Records

#: Version of the rules text (docs/rules.md) that the engine plays; run folders carry it.
RULES_VERSION = 3
#: Players at the table.
SEATS = 2
#: Cards dealt to each player (R8) and to both.
DEALT_EACH = 10
DEALT = 2 * DEALT_EACH
#: Cards of the unused pile that a game can reach (R8).
UNUSED = 44


class Ending(IntEnum):
    """How a game ended."""

    LIFE = 0  #: a player's life was 0 (R14)
    NO_ACTION = 1  #: a player had no legal turn action (R18)
    CAPPED = 2  #: stopped after ``turn_cap`` turns, a draw (R20)
    LOOPED = 3  #: stopped after ``effect_cap`` effects in one turn, a draw (R20)
    EFFECT = 4  #: a card ended the game (C52, C59)


#: Endings of games that were stopped; all others ended by the rules.
STOPPED = (Ending.CAPPED, Ending.LOOPED)

#: One finished game.  ``_0`` and ``_1`` are the two players; ``winner`` is -1 for a draw.
GAME_RECORD = np.dtype(
    [
        ("game", np.int64),  # game number: game i of a seed is always the same game
        ("first_player", np.int8),
        ("winner", np.int8),  # -1 = draw
        ("ending", np.int8),  # Ending
        ("turns", np.int16),  # extra turns count (R20)
        ("decisions", np.int32),  # decision points with two or more options (R120)
        ("life", np.int32, (2,)),  # (player) at the end
        ("mindbugs", np.int8, (2,)),  # (player) unused at the end
        ("attacks", np.int32),  # attacks declared, second attacks included
        ("second_attacks", np.int32),  # FRENZY attacks (R74)
        ("hunts", np.int32),  # attacks that hunted (R65)
        ("blocks", np.int32),  # attacks that were blocked without a hunt (R68)
        ("defeats", np.int32),  # creatures defeated (R92)
        ("tough_saves", np.int32),  # creatures exhausted instead (R81)
        ("actions", np.int32),  # Action abilities activated (R98)
        ("boosted", np.int32),  # boost cards put under creatures (R103)
        ("energy", np.int32, (2,)),  # (player) energy gained (R108)
        ("dice", np.int16, (6,)),  # (face) final results of dice, see dice.FACES (R115)
        ("power_bought", np.uint64, (2,)),  # (player) mask over power cards: bought (R110, R112)
        ("open_points", np.int32),  # bit n: open point On of the rules text came up
        ("cards", np.int16, (DEALT,)),  # (slot) row of the card table
        (
            "unused_cards",
            np.int16,
            (UNUSED,),
        ),  # (slot - DEALT) row of a card of the unused pile that was played or taken, else -1
        ("best_stage", np.uint8, (DEALT,)),  # (slot) highest stage in play, 0 = never in play
        (
            "drawn",
            np.uint64,
        ),  # mask: was in its first owner's hand because they were dealt and drew it
        ("played", np.uint64, (2,)),  # (player) mask: played from hand as a turn action and kept
        ("taken", np.uint64, (2,)),  # (player) mask: taken by this player with a Mindbug
        ("defeated", np.uint64),  # mask: was defeated at least once
        ("turn_played", np.int16, (DEALT,)),  # (slot) turn first played and kept, 0 = never
        (
            "offers",
            np.uint8,
            (DEALT,),
        ),  # (slot) plays from hand with a Mindbug available against it
        ("thefts", np.uint8, (DEALT,)),  # (slot) times it was taken with a Mindbug
    ],
    align=True,
)

#: What the deal alone decides of a game; the fields are those of GAME_RECORD.
DEAL_RECORD = np.dtype([(name, GAME_RECORD[name]) for name in ("first_player", "cards")])


def all_cards(games: Records) -> npt.NDArray[np.int16]:
    """The row of the card table of each slot of some games, -1 where there is nothing to tell.

    Shape (n_games, 20); (n_games, 64) if a card of the unused pile was played or taken in any.
    """
    unused = games["unused_cards"]
    if not (unused >= 0).any():
        return games["cards"]
    return np.concatenate([games["cards"], unused], axis=1)


def ended(games: Records) -> Bools:
    """Which games ended by the rules and were not stopped: (n_games,) of bool."""
    return ~np.isin(games["ending"], STOPPED)
