"""Files to facts: the base game."""

import tomllib
from collections.abc import Iterator, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Any

from card_data.mice_and_mystics.facts import (
    Ability,
    Band,
    Chapter,
    Die,
    Edge,
    Effect,
    Encounter,
    Exit,
    Face,
    Facts,
    Flip,
    Group,
    Hero,
    Link,
    Minion,
    RoomRule,
    SearchCard,
    Space,
    Start,
    Tile,
    Win,
)

_BASE = Path(__file__).parent / "base"


def load_facts() -> Facts:
    """The facts of the base game."""
    tables: dict[str, Any] = {}
    for path in sorted(_BASE.glob("*.toml")):
        for kind, entries in tomllib.loads(path.read_text()).items():
            tables.setdefault(kind, {}).update(entries)
    die = _common(tables["die"])
    return Facts(
        die=Die(id="die", **die | {"faces": tuple(Face(**face) for face in die["faces"])}),
        heroes=tuple(
            Hero(id=key, **_common(table) | {"innate": _effects(table["innate"])})
            for key, table in tables["hero"].items()
        ),
        minions=tuple(
            Minion(id=key, **_common(table) | {"abilities": _effects(table["abilities"])})
            for key, table in tables["minion"].items()
        ),
        abilities=tuple(
            Ability(id=key, **_common(table) | _cost(table) | {"effect": _effects(table["effect"])})
            for key, table in tables["ability"].items()
        ),
        search_cards=tuple(
            _search_card(key, table) for key, table in tables["search_card"].items()
        ),
        encounters=tuple(
            Encounter(
                id=key,
                **_common(table)
                | {"bands": tuple(_bands(table["bands"])), "surge": _groups(table["surge"])},
            )
            for key, table in tables["encounter"].items()
        ),
        tiles=tuple(_tile(key, table) for key, table in tables["tile"].items()),
        chapters=tuple(_chapter(key, table) for key, table in tables["chapter"].items()),
    )


def _common(table: Mapping[str, Any]) -> dict[str, Any]:
    """Fields as they are, lists as tuples."""
    found = {
        key: tuple(value) if isinstance(value, list) else value for key, value in table.items()
    }
    return found | {"field_confidence": tuple(table.get("field_confidence", {}).items())}


def _effects(tables: list[dict[str, Any]]) -> tuple[Effect, ...]:
    return tuple(
        Effect(table["op"], tuple((key, value) for key, value in table.items() if key != "op"))
        for table in tables
    )


def _cost(table: Mapping[str, Any]) -> dict[str, Any]:
    least, _, most = str(table["cost"]).partition("..")
    by_class = tuple(table.get("cost_by_class", {}).items())
    return {"cost": int(least), "cost_most": int(most or least), "cost_by_class": by_class}


def _search_card(card_id: str, table: Mapping[str, Any]) -> SearchCard:
    fields = _common(table) | {"effect": _effects(table["effect"])}
    if table["type"] == "weapon":
        fields["slot"] = "paw"
    return SearchCard(id=card_id, **fields)


def _groups(counts: Mapping[str, int]) -> tuple[Group, ...]:
    return tuple(Group(type=minion, count=count) for minion, count in counts.items())


def _bands(bands: Mapping[str, Mapping[str, int]]) -> Iterator[Band]:
    for pages, counts in bands.items():
        first, _, last = pages.partition("-")
        yield Band(first=int(first), last=int(last) if last else None, minions=_groups(counts))


def _pairs(lines: list[str]) -> Iterator[tuple[str, str]]:
    for line in lines:
        a, _, others = line.partition(":")
        for b in others.split():
            yield a.strip(), b


def _tile(tile_id: str, table: Mapping[str, Any]) -> Tile:
    edges = [Edge(a=a, b=b) for a, b in _pairs(table["edges"])]
    for arrow in table.get("arrows", []):
        a, b = arrow.split(" > ")
        edges.append(Edge(a=a, b=b, cost_ab=1, cost_ba=3))
    current: list[tuple[str, str]] = []
    for line in table.get("current", []):
        chain = line.split(" > ")
        current += pairwise(chain)
    fields = _common(table) | {
        "spaces": tuple(Space(**space) for space in table["spaces"]),
        "edges": tuple(edges),
        "red_lines": tuple(_pairs(table.get("red_lines", []))),
        "no_line_of_sight": tuple(_pairs(table.get("no_line_of_sight", []))),
        "exits": tuple(
            Exit(edge=edge, spaces=tuple(spaces)) for edge, spaces in table["exits"].items()
        ),
        "flip": Flip(**table["flip"]) if "flip" in table else None,
        "current": tuple(current),
    }
    fields.pop("arrows", None)
    return Tile(id=tile_id, **fields)


def _link(line: str) -> Link:
    parts = line.split()
    if parts[1] == "flip":
        return Link(kind="flip", a=parts[0], b=parts[2])
    return Link(kind="exit", a=parts[0], a_edge=parts[1], b_edge=parts[3], b=parts[4])


def _chapter(chapter_id: str, table: Mapping[str, Any]) -> Chapter:
    start, win = table["start"], table["win"]
    fields = _common(table) | {
        "route": tuple(map(str, table["route"])),
        "start": Start(
            tile=str(start["tile"]),
            mice_spaces=tuple(start["mice_spaces"]),
            minions=_groups(start["minions"]),
        ),
        "links": tuple(map(_link, table["links"])),
        "room_rules": tuple(
            RoomRule(
                **rule | {"tile": str(rule["tile"]), "minions": _groups(rule.get("minions", {}))}
            )
            for rule in table["room_rules"]
        ),
        "win": Win(**win | {"tile": str(win["tile"])}),
    }
    return Chapter(id=chapter_id, **fields)
