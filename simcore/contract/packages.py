"""Games that installed packages bring, by name: looked up before any game is needed."""

from importlib.metadata import EntryPoint, entry_points

#: The group of entry points of installed games.
GROUP = "fairdeal.games"


def installed() -> dict[str, EntryPoint]:
    """The installed games by name, none of them imported."""
    return {one.name: one for one in entry_points(group=GROUP)}
