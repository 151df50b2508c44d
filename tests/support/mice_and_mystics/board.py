"""One side of a room tile as a graph (M28-M31, M39, M55, M70, M79, P1)."""

from card_data.mice_and_mystics.facts import OFF, Tile

FAR = 1_000  # more steps than any tile has


class Board:
    """The spaces of a tile by their indices, and who may go and see where.

    ``adjacent`` are the listed edges (M28, M131), ``cost`` what a mouse pays along them (M29),
    ``red`` the pairs across red lines, ``steps`` the neighbours in the minion graph (M89).
    """

    def __init__(self, tile: Tile) -> None:
        self.id = tile.id
        self.physical = tile.physical_tile
        self.spaces = [space.id for space in tile.spaces]
        self.index = {name: i for i, name in enumerate(self.spaces)}
        self.capacity = [space.capacity for space in tile.spaces]
        self.water = [space.water for space in tile.spaces]
        self.special = [space.special_area for space in tile.spaces]
        n = len(self.spaces)
        self.cost: list[dict[int, int]] = [{} for _ in range(n)]
        for edge in tile.edges:
            a, b = self.index[edge.a], self.index[edge.b]
            self.cost[a][b], self.cost[b][a] = edge.cost_ab, edge.cost_ba
        self.adjacent = [sorted(costs) for costs in self.cost]
        self.red: list[set[int]] = [set() for _ in range(n)]
        for x, y in tile.red_lines:
            self.red[self.index[x]].add(self.index[y])
            self.red[self.index[y]].add(self.index[x])
        self.has_red_lines = any(self.red)
        self.steps = [sorted({*self.adjacent[i], *self.red[i]}) for i in range(n)]
        self.distance = [self._distances_from(i) for i in range(n)]
        self.near = [{i, *self.adjacent[i]} for i in range(n)]
        blind = {(self.index[x], self.index[y]) for x, y in tile.no_line_of_sight}
        blind |= {(y, x) for x, y in blind}
        self.sees = [[(i, j) not in blind for j in range(n)] for i in range(n)]
        self.exits = {way.edge: [self.index[x] for x in way.spaces] for way in tile.exits}
        self.entry = sorted(self.index[x] for x in tile.minion_entry)
        self.flip = self.index[tile.flip.space] if tile.flip else None
        self.flip_requires = tile.flip.requires if tile.flip else ""
        self.mousetraps = [self.index[x] for x in tile.mousetrap_spaces]
        self.current = {self.index[x]: None if y == OFF else self.index[y] for x, y in tile.current}

    def _distances_from(self, start: int) -> list[int]:
        """P1: steps in the minion graph from one space to all, figures ignored."""
        found = [FAR] * len(self.spaces)
        found[start] = 0
        line = [start]
        for space in line:
            for other in self.steps[space]:
                if found[other] == FAR:
                    found[other] = found[space] + 1
                    line.append(other)
        return found
