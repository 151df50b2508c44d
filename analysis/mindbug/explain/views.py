"""The words of the tables ``card_parts`` and ``change_parts``: views, and the parts of each."""

from typing import NamedTuple


class Part(NamedTuple):
    """A part of an advantage: what its ``amount`` is, and how it is read."""

    name: str
    amount: str


class View(NamedTuple):
    """A way to take an advantage apart; its parts add up to it."""

    name: str
    about: str
    parts: tuple[Part, ...]


#: The fates of a card that a player was dealt, where two copies had two the last one.
FATES = ("not_drawn", "not_played", "late", "defeated", "stayed", "taken")
#: Numbers of a player-game that are counted; the last two are about how the game ended.
COURSE = ("kills", "losses", "mindbugs", "plays", "starts", "by_life", "by_no_action")

VIEWS = (
    View(
        "fate",
        "what became of the card; of several copies that were dealt, the last fate in this list",
        (
            Part("not_drawn", "share of the player-games in which it was dealt and not drawn"),
            Part("not_played", "share in which it was drawn and never played"),
            Part("late", "share in which it was played and kept on the last turn of the game or "
                 "the one before, as a rule without a turn to attack, and not defeated"),
            Part("defeated", "share in which it was played, kept and defeated later"),
            Part("stayed", "share in which it was played and kept earlier, and never defeated"),
            Part("taken", "share in which the opponent took it with a Mindbug"),
        ),
    ),
    View(
        "course",
        "what happened in the game, weighed by least squares over all games",
        (
            Part("kills", "cards dealt to the opponent that were defeated"),
            Part("losses", "cards dealt to the player that were defeated, this one included"),
            Part("mindbugs", "cards that the player took with a Mindbug, less those taken from "
                 "them"),
            Part("plays", "cards that the player played and kept, less those of the opponent"),
            Part("starts", "share of games in which the player starts, less that of the others"),
            Part("rest", "what these numbers leave over"),
        ),
    ),
    View(
        "ending",
        "how the game ended",
        (
            Part("by_life", "share won because the opponent's life was 0 (R14), less share lost "
                 "so"),
            Part("by_no_action", "the same with games that a player lost for want of a legal turn "
                 "action (R18)"),
            Part("by_other", "the same with all other games"),
        ),
    ),
)  # fmt: skip

#: All parts, with the name of their view.
PARTS = tuple((view.name, part) for view in VIEWS for part in view.parts)
