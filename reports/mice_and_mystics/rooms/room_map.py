"""A room as a map of letters, with what stands on its spaces."""

from collections.abc import Mapping, Sequence

from card_data.mice_and_mystics.facts import Space, Tile
from card_data.mice_and_mystics.limits import WIDTH

#: Columns and lines of a map, its frame included.
COLUMNS, LINES = 78, 26
_LEAST_COLUMNS = 30


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
