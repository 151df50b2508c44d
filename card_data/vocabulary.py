"""The closed word lists of Mindbug's cards.

Each list is an ``IntEnum``: the member's name is the word, its value is the integer that the
compiled engine sees.  A new word gets a member here, a line in ``mindbug/language.lark``, a text in
``mindbug/rules_text.py`` and a kernel in ``simcore.mindbug``.
"""

from enum import IntEnum


class Keyword(IntEnum):
    """The five keywords (rules section 9).  The value is a bit number in keyword sets."""

    FRENZY = 0
    HUNTER = 1
    POISONOUS = 2
    SNEAKY = 3
    TOUGH = 4


class Trigger(IntEnum):
    """When a triggered ability triggers (R52)."""

    PLAY = 0
    ATTACK = 1
    DEFEATED = 2


class Player(IntEnum):
    """A player as seen from the controller of an ability (R53)."""

    YOU = 0
    OPPONENT = 1


class Side(IntEnum):
    """Whose creatures are meant, as seen from the controller of an ability (R1)."""

    ANY = 0
    ALLIED = 1
    ENEMY = 2


class Extreme(IntEnum):
    """Restricts a described group to the creatures tied for an extreme of power (R88)."""

    NONE = 0
    HIGHEST = 1
    LOWEST = 2


class Choice(IntEnum):
    """How many of the creatures that fit a description an instruction affects (R46, R49, R50)."""

    ALL = 0
    EXACTLY = 1
    UP_TO = 2


class Effect(IntEnum):
    """What an instruction of a triggered ability does."""

    DEFEAT = 0
    TAKE_CONTROL = 1
    PLAY_CARD = 2
    DRAW_ALL = 3
    GAIN_LIFE = 4
    LOSE_LIFE = 5
    SET_LIFE = 6
    DISCARD = 7
    STEAL_RANDOM = 8


class Rule(IntEnum):
    """What a constant ability does (section 10; layers of R85)."""

    POWER = 0
    KEYWORDS = 1
    COPY_KEYWORDS = 2
    CANNOT_ATTACK = 3
    CANNOT_BLOCK = 4
    CANNOT_BLOCK_THIS = 5
    NO_PLAY_EFFECTS = 6


class Quantity(IntEnum):
    """A number that can be read off the table, for conditions and for life totals that are set."""

    NUMBER = 0
    LIFE = 1
    MINDBUGS = 2
    HAND = 3
    DRAW_PILE = 4
    DISCARD_PILE = 5
    CREATURES = 6


class Comparison(IntEnum):
    """How the two sides of a condition are compared."""

    LESS = 0
    AT_MOST = 1
    EQUAL = 2
    AT_LEAST = 3
    MORE = 4


class Timing(IntEnum):
    """Whose turn it must be for a constant ability to work (C7: the active player's)."""

    ALWAYS = 0
    YOUR_TURN = 1
    OPPONENTS_TURN = 2
