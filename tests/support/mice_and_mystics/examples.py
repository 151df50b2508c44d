"""Short words for positions of the worked examples, and for what a menu offers."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import attrs

from card_data.mice_and_mystics.facts import Facts
from support.mice_and_mystics.table import (
    CHAPTER_1,
    PARTY,
    STAND_IN,
    MinionAt,
    MouseAt,
    Position,
    Table,
    base_facts,
)

Lay = Callable[..., Table]


def position(
    tile: str,
    mice: Mapping[str, MouseAt | str],
    rest: str | None = None,
    minions: Sequence[MinionAt | tuple[str, str]] = (),
    **more: Any,
) -> Position:
    """A position of the stand-in chapter for tiles 901 …, else of chapter 1.

    A mouse on its own is where it is; ``rest`` is where those of the party are that are not named,
    in full if anybody of ``mice`` is not of the usual party.
    """
    party = PARTY if set(mice) <= set(PARTY) else tuple(mice)
    places: dict[str, MouseAt] = {}
    for name in party:
        at = mice.get(name, rest)
        if at is None:
            at = MouseAt(None, captured=True)
        places[name] = MouseAt(at) if isinstance(at, str) else at
    figures = tuple(at if isinstance(at, MinionAt) else MinionAt(*at) for at in minions)
    chapter = STAND_IN if tile.startswith("90") else CHAPTER_1
    return Position(chapter, tile, places, figures, **more)


def offered(table: Table, word: str) -> set[str]:
    """What the menu offers after a word: ``offered(table, "MOVE")`` are spaces."""
    labels = (label.partition(" ") for label in table.labels)
    return {rest for first, _, rest in labels if first == word}


def words(table: Table) -> set[str]:
    """The first words of all labels."""
    return {label.split()[0] for label in table.labels}


def changed(kind: str, name: str, **fields: Any) -> Facts:
    """The base game with one entry changed: ``changed("heroes", "collin", move=0)``."""
    facts = base_facts()
    entries = getattr(facts, kind)
    others = tuple(attrs.evolve(e, **fields) if e.id == name else e for e in entries)
    return attrs.evolve(facts, **{kind: others})
