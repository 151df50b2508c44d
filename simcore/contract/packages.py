"""Games that installed packages bring, by name: looked up before any game is needed."""

import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

#: The group of entry points of installed games.
GROUP = "fairdeal.games"


def installed() -> Mapping[str, EntryPoint]:
    """The installed games by name, none of them imported."""
    return _found(tuple((place, _changed(place)) for place in sys.path))


# All entry points are read for it, and a command asks several times.
@lru_cache(maxsize=1)
def _found(_places: tuple[tuple[str, int], ...]) -> Mapping[str, EntryPoint]:
    return {one.name: one for one in entry_points(group=GROUP)}


def _changed(place: str) -> int:
    """When something was last installed in a folder or removed, in nanoseconds; 0 if never."""
    with suppress(OSError):
        return Path(place).stat().st_mtime_ns
    return 0
