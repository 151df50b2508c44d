"""What names and ids are, in the files of any game."""

import re
import unicodedata
from collections.abc import Collection
from itertools import chain, count
from pathlib import Path

from card_data.faults import shown

MAX_NAME = 60

#: What an id is, as a regular expression for all of it.
ID_PATTERN = rf"^[a-z][a-z0-9_]{{0,{MAX_NAME - 1}}}$"
_ID = re.compile(ID_PATTERN[1:-1])


def is_name(text: str) -> bool:
    """Whether a text can be a printed name."""
    return 1 <= len(text) <= MAX_NAME and text.isprintable() and text == text.strip()


def is_id(text: str) -> bool:
    """Whether a text can be an id: a-z, 0-9 and _, a letter first."""
    return _ID.fullmatch(text) is not None


def plain_words(text: str) -> str:
    """Small letters and digits, words joined by "_": "Élan Vital" -> "elan_vital"."""
    letters = unicodedata.normalize("NFKD", text.casefold()).encode("ascii", "ignore").decode()
    return re.sub(r"[^a-z0-9]+", "_", letters).strip("_")


def free_id(name: str, taken: Collection[str], thing: str) -> str:
    """An id made of a name, and of none that is taken; ``thing`` begins one that has no letter."""
    words = plain_words(name)
    if not words[:1].isalpha() or words == "name":
        words = f"{plain_words(thing)}_{words}".strip("_")
    endings = chain([""], (f"_{number}" for number in count(2)))
    ids = (words[: MAX_NAME - len(ending)].strip("_") + ending for ending in endings)
    return next(one for one in ids if one not in taken)


def parts_of(named: str) -> list[str]:
    """What is joined with "+" in what a person named: "my_game.py+changed.toml".

    A "+" in the place of a file or folder that is there joins nothing.
    """
    parts = named.split("+")
    found = list[str]()
    while parts:
        n = next((n for n in range(len(parts), 1, -1) if _is_there("+".join(parts[:n]))), 1)
        found.append("+".join(parts[:n]))
        del parts[:n]
    return found


def _is_there(place: str) -> bool:
    try:
        return Path(place).exists()
    except (OSError, ValueError):  # too long for a name, or none
        return False


def plain_key(text: str) -> str:
    """A key as it may appear in a message."""
    return text if is_id(text) or not text else shown(text)
