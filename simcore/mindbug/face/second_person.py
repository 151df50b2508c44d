"""The words of the narrator, spoken to one of the players: "Player 0 draws" is "You draw"."""

import re

_PILES = "hand|draw pile|discard pile"
_IRREGULAR = {"has": "have", "was": "were"}


def addressed(text: str, seat: int) -> str:
    """A line of a story as the player in a seat is told it; the other one is "the opponent"."""
    own = re.sub(rf"the ({_PILES}) of player {seat}\b", r"your \1", text)
    own = re.sub(rf"\bof player {seat}\b", "of yours", own)
    own = re.sub(rf"\b([Pp])layer {seat}\b(?: (\w+))?", _you, own)
    return re.sub(rf"\b([Pp])layer {1 - seat}\b", _the_opponent, own)


def _you(found: re.Match[str]) -> str:
    """The player who is spoken to, and the verb that follows."""
    you = "You" if found[1] == "P" else "you"
    return you if found[2] is None else f"{you} {_verb(found[2])}"


def _verb(word: str) -> str:
    """A verb as it stands behind "you"; another word as it is."""
    plain = word.removesuffix("s") if len(word) > 2 and not word.endswith("ss") else word
    return _IRREGULAR.get(word, plain)


def _the_opponent(found: re.Match[str]) -> str:
    return "The opponent" if found[1] == "P" else "the opponent"
