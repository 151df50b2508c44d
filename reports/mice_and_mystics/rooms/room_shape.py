"""The lines of a room as it is drawn: in pictures, and on the table of the studio."""

from math import hypot

from card_data.mice_and_mystics.facts import Exit, Space, Tile
from card_data.mice_and_mystics.limits import WIDTH

_LARGEST = 46  # radius of a space

#: Where a line begins and ends: x, y, x, y; y runs downward.
Line = tuple[float, float, float, float]


class Shape:
    """Where things of a room lie on a square of ``WIDTH``; ``radius`` is that of a space."""

    def __init__(self, tile: Tile) -> None:
        self.tile = tile
        self.spaces = {space.id: space for space in tile.spaces}
        gaps = [
            hypot(a.x - b.x, a.y - b.y) for a in tile.spaces for b in tile.spaces if a.id < b.id
        ]
        self.radius = min([_LARGEST, *(0.42 * gap for gap in gaps)])

    def size(self, space: Space) -> float:
        """The radius of a space; special areas are larger."""
        return self.radius * (1.45 if space.special_area else 1)

    def line(self, a: Space, end: tuple[float, float], short: float) -> Line:
        """A line from the rim of a space to a point, or ``short`` of it."""
        dx, dy = end[0] - a.x, end[1] - a.y
        length = hypot(dx, dy)
        first, last = self.size(a) / length, 1 - short / length
        return a.x + dx * first, a.y + dy * first, a.x + dx * last, a.y + dy * last

    def bar(self, a: Space, b: Space) -> Line:
        """A short line across the way between two spaces."""
        x, y, dx, dy = (a.x + b.x) / 2, (a.y + b.y) / 2, a.y - b.y, b.x - a.x
        length = hypot(dx, dy) / self.radius / 0.6
        return x - dx / length, y - dy / length, x + dx / length, y + dy / length

    def way_off(self, space: Space) -> tuple[float, float]:
        """Where a current that leaves the tile points: on as it came, else to the nearest edge."""
        for one, target in self.tile.current:
            if target == space.id:
                a = self.spaces[one]
                length = hypot(space.x - a.x, space.y - a.y) / (2.4 * self.radius)
                return space.x + (space.x - a.x) / length, space.y + (space.y - a.y) / length
        ends = [(0, space.y), (WIDTH, space.y), (space.x, 0), (space.x, WIDTH)]
        return min(ends, key=lambda end: hypot(end[0] - space.x, end[1] - space.y))

    def door(self, way: Exit) -> Line:
        """The bar on the frame beside the spaces of an exit."""
        spaces = [self.spaces[one] for one in way.spaces]
        along = [space.x if way.edge in "NS" else space.y for space in spaces]
        low, high = min(along) - self.radius, max(along) + self.radius
        at = 0 if way.edge in "NW" else WIDTH
        return (low, at, high, at) if way.edge in "NS" else (at, low, at, high)
