"""What options are called: the words of the options that come first, of slots and of numbers."""

from collections.abc import Mapping
from enum import IntEnum, auto

from simcore.mindbug.table.state import Decision, Named


class Word(IntEnum):
    """What an option does, as `simcore.mindbug.Option` says it in small letters."""

    PLAY = 0
    ATTACK = auto()
    ACTIVATE = auto()
    USE = auto()
    REFUSE = auto()
    HUNT = auto()
    NO_HUNT = auto()
    BLOCK = auto()
    NO_BLOCK = auto()
    ATTACK_AGAIN = auto()
    STOP = auto()
    TARGET = auto()
    PAIR = auto()
    PILE = auto()
    DISCARD = auto()
    RESOLVE = auto()
    YES = auto()
    NO = auto()
    MODE = auto()
    KEYWORD = auto()
    KEEP = auto()
    BUY = auto()
    REROLL = auto()
    REROLL_BOTH = auto()
    FIRST = auto()


#: Options that come first and name no card: what they do, and which die is meant, -1 = none.
FIXED: Mapping[Decision, tuple[tuple[Word, int], ...]] = {
    Decision.MINDBUG: ((Word.REFUSE, -1), (Word.USE, -1)),
    Decision.HUNT: ((Word.NO_HUNT, -1),),
    Decision.BLOCK: ((Word.NO_BLOCK, -1),),
    Decision.SECOND_ATTACK: ((Word.STOP, -1), (Word.ATTACK_AGAIN, -1)),
    Decision.UP_TO: ((Word.STOP, -1),),
    Decision.MAY: ((Word.NO, -1), (Word.YES, -1)),
    Decision.BOOST: ((Word.STOP, -1),),
    Decision.BUY: ((Word.STOP, -1),),
    Decision.REROLL: (
        (Word.KEEP, -1),
        (Word.REROLL, 0),
        (Word.REROLL, 1),
        (Word.REROLL_BOTH, -1),
    ),
    Decision.DICE_ORDER: ((Word.FIRST, 0), (Word.FIRST, 1)),
}
#: What is done with a card, where it is not a target.
SLOT_WORD: Mapping[Decision, Word] = {
    Decision.ACTION: Word.PLAY,
    Decision.HUNT: Word.HUNT,
    Decision.BLOCK: Word.BLOCK,
    Decision.DISCARD: Word.DISCARD,
}
#: What a number means, where options are numbers of something.
NUMBER_WORD: Mapping[Named, Word] = {
    Named.POWER_CARD: Word.BUY,
    Named.PLAYER: Word.PILE,
    Named.MODE: Word.MODE,
    Named.KEYWORD: Word.KEYWORD,
}
#: What PLAY_OR_KEEP offers.
PLAY_OR_KEEP = (Word.PLAY, Word.KEEP)
