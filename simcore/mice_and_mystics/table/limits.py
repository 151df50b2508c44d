"""How much of everything there can be: the sizes of all arrays of the engine.

They are the same for all data, so that a changed hero, card or room compiles nothing.
"""

#: Mice of a party.
MICE = 4
HEROES = 8
#: Types of minions, bosses included.
MINIONS = 8
ABILITIES = 40
#: Kinds of search cards, and copies of all of them together.
CARDS = 96
COPIES = 160
ENCOUNTERS = 32
#: Sides of tiles in one chapter, and spaces of one side.
TILES = 16
SPACES = 40
#: Figures of minions on the tile (M6).
FIGURES = 16
#: Cards on the initiative track.
TRACK = MICE + MINIONS
#: Rooms of a route.
ROUTE = 16
#: Ways out of a tile: exits N, E, S, W, and the flip space.
LINKS = 5
#: Pages that an encounter card can tell apart; a later page counts as the last.
PAGES = 24
#: Legal parties: sets of four of eight heroes.
PARTIES = 70
#: Slots of a mouse: head, body, back, trinket, feet, two paws, tail (M64).
SLOTS = 8
#: Cards in one pack; tricks are not limited (M63).
PACK = 24
#: Faces of the die.
FACES = 6
#: Effects of all abilities and cards together.
EFFECTS = 256
#: Entries of one decision.
OPTIONS = 768
#: Activities that wait for each other, and numbers that each keeps.
FRAMES = 12
FRAME_WORDS = 16
#: Dice that a test may fix in advance.
SCRIPTED = 64
#: Causes of capture.
CAUSES = 4
