"""The words of the narrator without numbers of players.

Spoken to one of the players, "Player 0 draws" is "You draw"; told of them, it is "The first player
draws".
"""

import re
from collections.abc import Sequence

_PILES = "hand|draw pile|discard pile"
_IRREGULAR = {"has": "have", "was": "were"}


def addressed(text: str, seat: int) -> str:
    """A line of a story as the player in a seat is told it; the other one is "the opponent"."""
    own = re.sub(rf"^(Turn \d+): player {seat}\b", r"\1, yours", text)
    own = re.sub(rf"^(Turn \d+): player {1 - seat}\b", r"\1, the opponent's", own)
    own = re.sub(rf"the ({_PILES}) of player {seat}\b", r"your \1", own)
    own = re.sub(rf"\bof player {seat}\b", "of yours", own)
    own = re.sub(rf"\b([Pp])layer {seat}\b(?: (\w+))?", _you, own)
    return _called(own, 1 - seat, "the opponent")


def named(text: str, names: Sequence[str]) -> str:
    """A line of a story with names for the players, by seat: "the first player"."""
    return _called(_called(text, 0, names[0]), 1, names[1])


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
