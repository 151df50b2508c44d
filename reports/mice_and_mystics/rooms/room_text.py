"""A room in words: what its spaces are, what is next to what, and where its exits lead."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from card_data.mice_and_mystics.facts import OFF, Chapter, Facts, Link, RoomRule, Space, Tile, by_id
from card_data.mice_and_mystics.limits import WIDTH

_EDGES = {"N": "north", "E": "east", "S": "south", "W": "west"}
_NEEDS = {"fish_hook": "with the fish hook", "tinkerer_or_scamp": "by a tinkerer or a scamp"}

_RULES = {
    "counter_cheese": "{rule.amount} cheese lie on {rule.space} for roaches to take (M128)",
    "minions_barred": "minions never enter {rule.space} (M129)",
    "preset_minions": "whoever enters first meets {who} (M72, M130)",
    "surge_minions": "every surge brings {who} (M83)",
}

#: Columns and lines of a map, its frame included.
COLUMNS, LINES = 78, 26
_LEAST_COLUMNS = 30


def room_lines(facts: Facts, tile: Tile) -> list[str]:
    """A room as a person reads it: its title, a map, its ways out, and its spaces one by one."""
    return [
        room_title(tile),
        "",
        *map_lines(tile),
        "",
        *_legend(tile),
        *ways_out(facts, tile),
        *special_rules(facts, tile),
        "",
        *(f"{name:<4} {text}" for name, text in space_rows(tile)),
    ]


def room_title(tile: Tile) -> str:
    """A room in one line: "5 Guard Room: the orange side of tile 3, 36 spaces, reported"."""
    which = f"the {tile.side} side of tile {tile.physical_tile}"
    return f"{tile.id} {tile.name}: {which}, {len(tile.spaces)} spaces, {tile.confidence}"


def _legend(tile: Tile) -> Iterator[str]:
    """What the signs of the map mean, as far as it has them."""
    signs = []
    if any(space.water for space in tile.spaces):
        signs.append("~water~")
    if any(space.special_area for space in tile.spaces):
        signs.append("[special area]")
    if tile.exits:
        signs.append("letters on the frame: exits")
    if signs:
        yield ", ".join(signs)


def ways_out(facts: Facts, tile: Tile) -> Iterator[str]:
    """Every exit and the flip space, with where they lead in each chapter that has the room."""
    for way in tile.exits:
        yield f"{_EDGES[way.edge]} exit at {_listed(way.spaces)}{_leading(facts, tile, way.edge)}"
    if tile.flip is not None:
        need = f" {_NEEDS[tile.flip.requires]}" if tile.flip.requires else ""
        yield f"turned over at {tile.flip.space}{need}{_leading(facts, tile, '')}"
    if not tile.exits and tile.flip is None:
        yield "no way out"


def special_rules(facts: Facts, tile: Tile) -> Iterator[str]:
    """What chapters say about the room, and its note."""
    for chapter in facts.chapters:
        for rule in chapter.room_rules:
            if rule.tile == tile.id:
                yield f"in {chapter.name}: {_RULES[rule.op].format(rule=rule, who=_who(rule))}"
    if tile.note:
        yield f"note: {tile.note}"


def _who(rule: RoomRule) -> str:
    return " and ".join(f"{group.count} {group.type}" for group in rule.minions)


def _leading(facts: Facts, tile: Tile, edge: str) -> str:
    """Where an exit leads, chapter by chapter, behind a colon."""
    found = leads_to(facts, tile, edge)
    parts = [
        f"{room} in {' and '.join(chapter.name for chapter in chapters)}"
        for room, chapters in found.items()
    ]
    return f": leads to {'; '.join(parts)}" if parts else ": leads nowhere in any chapter"


def leads_to(facts: Facts, tile: Tile, edge: str) -> dict[str, list[Chapter]]:
    """The rooms that an exit ("" for the flip space) leads to, each with the chapters where."""
    rooms = by_id(facts.tiles)
    found: dict[str, list[Chapter]] = {}
    for chapter in facts.chapters:
        for link in chapter.links:
            for other in _other_end(link, tile.id, edge):
                found.setdefault(f"{other} {rooms[other].name}", []).append(chapter)
    return found


def _other_end(link: Link, tile_id: str, edge: str) -> Iterator[str]:
    """The room at the other end of a link that begins at an exit of a room."""
    if (link.a, link.a_edge) == (tile_id, edge):
        yield link.b
    if (link.b, link.b_edge) == (tile_id, edge):
        yield link.a


def space_rows(tile: Tile) -> Iterator[tuple[str, str]]:
    """Every space with what it is, what is next to it, and what it does not see."""
    for space in tile.spaces:
        parts = [*_what(tile, space), *_next_to(tile, space.id)]
        yield space.id, "; ".join(parts)


def _what(tile: Tile, space: Space) -> Iterator[str]:
    """What a space is."""
    if space.special_area:
        yield f"special area for {space.capacity}"
    elif space.capacity != 4:
        yield f"holds {space.capacity}"
    if space.water:
        flows = dict(tile.current).get(space.id)
        where = "off the tile" if flows == OFF else f"to {flows}"
        yield "water" + (f", flows {where}" if flows else "")
    if space.id in tile.minion_entry:
        yield "minions enter"
    if space.id in tile.mousetrap_spaces:
        yield "mousetrap"
    for way in tile.exits:
        if space.id in way.spaces:
            yield f"{_EDGES[way.edge]} exit"
    if tile.flip is not None and tile.flip.space == space.id:
        yield "flip"


def _next_to(tile: Tile, space_id: str) -> Iterator[str]:
    """The neighbours of a space, what red lines part it from, and what it does not see."""
    near: list[str] = []
    dear: list[str] = []
    for edge in tile.edges:
        for a, b, cost in ((edge.a, edge.b, edge.cost_ab), (edge.b, edge.a, edge.cost_ba)):
            if a == space_id:
                (near if cost == 1 else dear).append(b)
    if near:
        yield f"next to {_listed(_sorted(tile, near))}"
    if dear:
        yield f"to {_listed(_sorted(tile, dear))} against the arrow (3)"
    red = [b if a == space_id else a for a, b in tile.red_lines if space_id in (a, b)]
    if red:
        yield f"red line to {_listed(_sorted(tile, red))}"
    blind = [b if a == space_id else a for a, b in tile.no_line_of_sight if space_id in (a, b)]
    if blind:
        seen = [one.id for one in tile.spaces if one.id not in (*blind, space_id)]
        if len(seen) < len(blind):
            yield f"sees {_listed(seen)}" if seen else "sees nothing else"
        else:
            yield f"does not see {_listed(_sorted(tile, blind))}"


def _sorted(tile: Tile, spaces: list[str]) -> list[str]:
    """Spaces in the order of the tile."""
    order = [space.id for space in tile.spaces]
    return sorted(spaces, key=order.index)


def _listed(words: Any) -> str:
    return ", ".join(words)


def room_facts(facts: Facts, tile: Tile) -> dict[str, Any]:
    """A room as JSON can hold it."""
    return {
        "id": tile.id,
        "name": tile.name,
        "side": tile.side,
        "physical_tile": tile.physical_tile,
        "confidence": tile.confidence,
        "ways_out": list(ways_out(facts, tile)),
        "spaces": dict(space_rows(tile)),
    }


def map_lines(
    tile: Tile,
    standing: Mapping[str, Sequence[str]] | None = None,
    *,
    columns: int = COLUMNS,
    lines: int = LINES,
) -> list[str]:
    """A room as lines of text: every space by its id, about where it lies on the tile.

    Parameters
    ----------
    standing
        Words for what stands on spaces, by their ids; each word is written below its space, as far
        as there is room.
    columns, lines
        The size of the map, its frame included; a map is at least 30 columns wide.

    Water is written ``~N1~``, a special area ``[K]``.  Letters on the frame are exits.
    """
    columns = max(columns, _LEAST_COLUMNS)
    grid = [[" "] * columns for _ in range(lines)]
    for line in (0, lines - 1):
        grid[line] = ["+", *"-" * (columns - 2), "+"]
    for row in grid[1:-1]:
        row[0] = row[-1] = "|"
    places = {space.id: _place(space, columns, lines) for space in tile.spaces}
    for way in tile.exits:
        _mark_exit(grid, way.edge, [places[space] for space in way.spaces])
    for space in tile.spaces:
        line, column = places[space.id]
        _put(grid, line, column, space_text(space))
    for space_id, words in (standing or {}).items():
        line, column = places[space_id]
        _put(grid, line + 1, column, " ".join(words))
    return ["".join(row).rstrip() for row in grid]


def space_text(space: Space) -> str:
    """A space as the map has it."""
    if space.water:
        return f"~{space.id}~"
    return f"[{space.id}]" if space.special_area else space.id


def _place(space: Space, columns: int, lines: int) -> tuple[int, int]:
    """The line and the column of the middle of a space, inside the frame."""
    inside = columns - 8, lines - 5
    return 2 + round(space.y * inside[1] / WIDTH), 4 + round(space.x * inside[0] / WIDTH)


def _put(grid: list[list[str]], line: int, column: int, text: str) -> None:
    """Write a text with its middle in a place, inside the frame and over nothing else."""
    if not 0 < line < len(grid) - 1:
        return
    row = grid[line]
    first = max(1, min(column - len(text) // 2, len(row) - 1 - len(text)))
    for place, sign in enumerate(text[: len(row) - 1 - first], first):
        if row[place] == " ":
            row[place] = sign


def _mark_exit(grid: list[list[str]], edge: str, places: list[tuple[int, int]]) -> None:
    """Write the letter of an exit on the frame, beside each of its spaces."""
    for line, column in places:
        if edge in "NS":
            grid[0 if edge == "N" else -1][column] = edge
        else:
            grid[line][0 if edge == "W" else -1] = edge
