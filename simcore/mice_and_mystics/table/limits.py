"""How much of everything there can be: the sizes of all arrays of the engine.

They are the same for all data, so that a changed hero, card or room compiles nothing; those that
data could exceed are checked where data are read (``card_data.mice_and_mystics.limits``).
"""

from card_data.mice_and_mystics.limits import (
    ABILITIES,
    BOSS_CARDS,
    COPIES,
    ENCOUNTERS,
    FIGURES,
    GEAR,
    HEROES,
    MICE,
    MINIONS,
    SPACES,
    TILES,
)
from card_data.mice_and_mystics.limits import EFFECTS as _EFFECTS_OF_ONE
from card_data.mice_and_mystics.limits import PAGES as _LAST_PAGE
from card_data.mice_and_mystics.limits import SEARCH_CARDS as CARDS

__all__ = [
    "ABILITIES",
    "CARDS",
    "CAUSES",
    "COPIES",
    "EFFECTS",
    "ENCOUNTERS",
    "FACES",
    "FIGURES",
    "FIRST_TRACK",
    "FRAMES",
    "FRAME_WORDS",
    "GEAR",
    "HEROES",
    "LINKS",
    "MICE",
    "MINIONS",
    "OPTIONS",
    "PACK",
    "PAGES",
    "PARTIES",
    "ROUTE",
    "ROWS",
    "SCRIPTED",
    "SLOTS",
    "SPACES",
    "TILES",
    "TRACK",
]

#: Rows of minions: their types, and behind these the cards of bosses that have several.
ROWS = MINIONS + BOSS_CARDS
#: Cards on the initiative track, and those of the first one that are noted.
TRACK = MICE + ROWS
FIRST_TRACK = MICE + MINIONS
#: Rooms of a route.
ROUTE = TILES
#: Ways out of a tile: exits N, E, S, W, and the flip space.
LINKS = 5
#: Pages that an encounter card can tell apart, from page 0.
PAGES = _LAST_PAGE + 1
#: Legal parties: sets of four of eight heroes, which are the most.
PARTIES = 70
#: Slots of a mouse: head, body, back, trinket, feet, two paws, tail (M64).
SLOTS = 8
#: Cards in one pack; tricks are not limited (M63).
PACK = 64
#: Faces of the die.
FACES = 6
#: Effects of all abilities and cards together.
EFFECTS = _EFFECTS_OF_ONE * (ABILITIES + CARDS)
#: Entries of one decision.
OPTIONS = 768
#: Activities that wait for each other, and numbers that each keeps.
FRAMES = 12
FRAME_WORDS = 16
#: Dice that a test may fix in advance.
SCRIPTED = 64
#: Causes of capture.
CAUSES = 4
#: Attack dice, defense dice and wounds up to which players know the odds; beyond, as at the end.
ATTACK_DICE, DEFENSE_DICE, LIFE = 32, 16, 16
