"""The players U and C of section 24; the heuristic H stands in ``heuristic``."""

from support.mice_and_mystics.chance import Numbers
from support.mice_and_mystics.decisions import Entry
from support.mice_and_mystics.game import SlowGame

CATEGORIES = {
    "END": ("END",),
    "MOVE": ("MOVE", "STAND", "LEAVE_WATER", "SWIM"),
    "BATTLE": ("BATTLE",),
    "SEARCH": ("SEARCH",),
    "SCURRY": ("SCURRY",),
    "RECOVER": ("RECOVER",),
    "EXPLORE": ("EXPLORE",),
    "ABILITY": ("ABILITY", "HEAL", "PAY_ACTION"),
    "USE": ("USE", "GRAPE"),
    "SHARE": ("SHARE",),
    "EQUIP": ("EQUIP",),
    "LEVEL_UP": ("LEVEL_UP",),
}
CATEGORY_OF = {word: name for name, words in CATEGORIES.items() for word in words}


def uniform(game: SlowGame, numbers: Numbers) -> int:
    """U: any entry."""
    return numbers.below(len(game.decision.entries))


def by_category(game: SlowGame, numbers: Numbers) -> int:
    """C: on the menu any category, then any entry of it; elsewhere any entry."""
    entries = game.decision.entries
    if game.decision.point != "D1":
        return numbers.below(len(entries))
    lists = [_of_category(entries, name) for name in CATEGORIES]
    lists = [places for places in lists if places]
    places = lists[numbers.below(len(lists))]
    return places[numbers.below(len(places))]


def _of_category(entries: list[Entry], name: str) -> list[int]:
    return [i for i, entry in enumerate(entries) if CATEGORY_OF[entry[0]] == name]
