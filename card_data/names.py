"""What names and ids are, in the files of any game."""

import re

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


def plain_key(text: str) -> str:
    """A key as it may appear in a message."""
    return text if is_id(text) or not text else shown(text)
