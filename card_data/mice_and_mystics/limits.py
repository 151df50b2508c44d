"""How much of everything there can be: what the engine has room for.  The reader checks it."""

#: Mice of a party at most, heroes to choose from, and their copies of starting gear.
MICE = 6
HEROES = 8
GEAR = 4
#: Types of minions, bosses included, and figures of minions on a tile (M6).
MINIONS = 16
#: Initiative cards of bosses that have several (M16).
BOSS_CARDS = 8
FIGURES = 20
ABILITIES = 40
#: Kinds of search cards, and copies of all of them together.
SEARCH_CARDS = 96
COPIES = 160
ENCOUNTERS = 32
#: Sides of tiles in one chapter, and spaces on one side.
TILES = 16
SPACES = 40
#: The last page that a chapter can end on.
PAGES = 20
#: Effects of one entry.
EFFECTS = 4
#: Different classes that heroes have.
MAX_CLASSES = 24

#: The most that a number on a card, hero or minion can be, and the most wounds.
NUMBER = 9
CAPACITY = 16
#: Spaces stand on a square of this width.
WIDTH = 1000
