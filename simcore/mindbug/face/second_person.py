"""The words of the narrator without numbers of players.

Spoken to one of the players, "Player 0 draws" is "You draw"; told of one, it is "The card's player
draws".
"""

import re

_PILES = "hand|draw pile|discard pile"
_IRREGULAR = {"has": "have", "was": "were"}


def addressed(text: str, seat: int) -> str:
    """A line of a story as the player in a seat is told it; the other one is "the opponent"."""
    own = re.sub(rf"the ({_PILES}) of player {seat}\b", r"your \1", text)
    own = re.sub(rf"\bof player {seat}\b", "of yours", own)
    own = re.sub(rf"\b([Pp])layer {seat}\b(?: (\w+))?", _you, own)
    return _called(own, 1 - seat, "the opponent")


def told_of(text: str, seat: int, who: str) -> str:
    """A line of a story with the player in a seat called ``who``; the other is "the opponent"."""
    return _called(_called(text, seat, who), 1 - seat, "the opponent")


def _called(text: str, seat: int, who: str) -> str:
    """A line with words for one player, which begin a sentence as the number did."""
    names = {"p": who, "P": f"{who[0].upper()}{who[1:]}"}
    return re.sub(rf"\b([Pp])layer {seat}\b", lambda found: names[found[1]], text)


def _you(found: re.Match[str]) -> str:
    """The player who is spoken to, and the verb that follows."""
    you = "You" if found[1] == "P" else "you"
    return you if found[2] is None else f"{you} {_verb(found[2])}"


def _verb(word: str) -> str:
    """A verb as it stands behind "you"; another word as it is."""
    plain = word.removesuffix("s") if len(word) > 2 and not word.endswith("ss") else word
    return _IRREGULAR.get(word, plain)
