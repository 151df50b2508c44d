"""The closed word lists of Mindbug's cards.

Each list is an ``IntEnum``: the member's name is the word, its value is the integer that the
compiled engine sees.  CONTRIBUTING.md says what else a new word needs; the tests name
whatever is missing.
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
    """When a triggered ability triggers (R52).

    ACTION is activated as a turn action (R98); DISCARDED triggers when the card is put into a
    discard pile (R107); LIFE_LOST when its player loses life, while the card lies in their discard
    pile (C16); MINDBUG_USED when the opponent uses a Mindbug (R36); EXHAUSTED is performed at once,
    before any trigger (C45).
    """

    PLAY = 0
    ATTACK = 1
    DEFEATED = 2
    ACTION = 3
    DISCARDED = 4
    END_OF_TURN = 5
    MINDBUG_USED = 6
    LIFE_LOST = 7
    EXHAUSTED = 8


class Player(IntEnum):
    """A player as seen from the controller of an ability (R53)."""

    YOU = 0
    OPPONENT = 1


class Zone(IntEnum):
    """Where the cards meant by an instruction lie."""

    HAND = 0
    DRAW_PILE = 1
    DISCARD_PILE = 2
    EITHER_DISCARD_PILE = 3
    UNUSED_PILE = 4
    BOOSTS_OF_THIS = 5


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
    GIVE_CONTROL = 9
    RETURN_TO_HAND = 10
    THIS_TURN = 11
    EVOLVE = 12
    BECOME = 13
    BOOST = 14
    TAKE_BOOST = 15
    DRAW_CARDS = 16
    DISCARD_RANDOM = 17
    DISCARD_WHOLE = 18
    PLAY_THIS = 19
    TAKE_GIVEN_CARD = 20
    PUT_RANDOM_CARD = 21
    PUT_UNDER_DRAW_PILE = 22
    COPY_PLAY_EFFECT = 23
    TRIGGER_PLAY_EFFECT = 24
    FORCE_ATTACK = 25
    NAME_KEYWORD = 26
    EXCHANGE_HANDS = 27
    SET_ASIDE = 28
    RETURN_SET_ASIDE = 29
    WIN = 30
    LOSE = 31
    GAIN_ENERGY = 32
    BUY_FREE = 33
    BUY_TOP = 34
    CHOOSE_ONE = 35


class Rule(IntEnum):
    """What a constant ability does (section 10; layers of R85)."""

    POWER = 0
    KEYWORDS = 1
    COPY_KEYWORDS = 2
    CANNOT_ATTACK = 3
    CANNOT_BLOCK = 4
    CANNOT_BLOCK_THIS = 5
    NO_PLAY_EFFECTS = 6
    CANNOT_BE_DEFEATED = 7
    EVOLVE_INSTEAD = 8
    ONLY_BLOCK_THIS = 9
    CANNOT_HUNT = 10
    MUST_HUNT_THIS = 11
    REVERSE_FIGHT = 12
    HAVE_ATTACK = 13
    MORE_LIFE_LOSS = 14
    NO_LIFE_LOSS = 15
    NO_CARDS_TO_HAND = 16
    CANNOT_PLAY = 17
    NO_MINDBUGS = 18
    MORE_DICE = 19
    MORE_REROLLS = 20


class Quantity(IntEnum):
    """A number that can be read off the table.

    DISCARDED counts the cards that the instruction before discarded; MY_TURN is 1 during the turn
    of "you", else 0; DEFEATED_BY_THIS counts the enemy creatures that fought this creature and were
    defeated in that combat this turn (C56).
    """

    NUMBER = 0
    LIFE = 1
    MINDBUGS = 2
    HAND = 3
    DRAW_PILE = 4
    DISCARD_PILE = 5
    CREATURES = 6
    ENERGY = 7
    DISCARDED = 8
    MY_TURN = 9
    DEFEATED_BY_THIS = 10


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


class WhoStarts(IntEnum):
    """How the starting player is found: by revealed cards (R11), by chance, by the hands dealt."""

    HIGHER_CARD = 0
    LOWER_CARD = 1
    RANDOM = 2
    WEAKER_HAND = 3
    STRONGER_HAND = 4


class Ruling(IntEnum):
    """Other answers to open points of the rules text that a pool may choose (rules section 17)."""

    SETTING_LIFE_IS_NO_LOSS = 0  # O2
    OWN_CREATURES_CAN_BE_TAKEN = 1  # O6
    TRIGGERS_NEED_THEIR_SOURCE = 2  # O8
    NEWEST_TRIGGERS_FIRST = 3  # O9
    FRENZY_IN_FORCED_ATTACKS = 4  # O11
    PRINTED_POWER_COUNTS = 5  # O13
