"""Which chapters come with the game, and how a chapter is named: read without the rest of the game.

The command line asks this of every game before it knows which one is meant.
"""

from functools import cache
from pathlib import Path

from card_data.names import parts_of

BASE = Path(__file__).parent / "base"


@cache
def offered_chapters() -> tuple[str, ...]:
    """The ids of the chapters that come with fairdeal."""
    from card_data.toml_files import parse_toml, read_text

    return tuple(parse_toml(read_text(BASE / "chapters.toml"))["chapter"])


def split_named(named: str) -> tuple[str, list[str]]:
    """What is joined with "+" in "ch1_flight_to_barksburg+my_changes.toml": a name and files.

    The name is "" where only files are named.
    """
    parts = parts_of(named)
    files = [part for part in parts if part.endswith(".toml")]
    names = [part for part in parts if not part.endswith(".toml")]
    return "+".join(names), files
