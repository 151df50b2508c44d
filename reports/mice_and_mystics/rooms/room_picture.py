"""A room as a picture: spaces, neighbours, arrows, red lines, water, exits, entries and traps."""

from collections.abc import Iterator
from typing import Any

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Circle, FancyBboxPatch, Rectangle

from card_data.mice_and_mystics.facts import OFF, Facts, Space, Tile
from card_data.mice_and_mystics.limits import WIDTH
from reports.kit import theme
from reports.kit.figure_files import figure_bytes
from reports.kit.theme import AMBER, BLUE, INK, LIGHT, MUTED, ORANGE, PAPER
from reports.mice_and_mystics.rooms.room_shape import Shape
from reports.mice_and_mystics.rooms.room_text import leads_to, room_title

#: What pictures can be written as, by the suffix of the file.
SUFFIXES = (".png", ".svg", ".pdf")

_WATER = "#cfe3f1"
_MARGIN = 60  # around the tile
_HEIGHT = 9.0


def picture_of(facts: Facts, tile: Tile, suffix: str) -> bytes:
    """The picture of a room as a file with one of SUFFIXES: the same bytes for the same room."""
    with theme.off_screen(), theme.style():
        figure = theme.figure_of(plot_room(facts, tile))
        return figure_bytes(figure, suffix.removeprefix("."))


def plot_room(facts: Facts, tile: Tile) -> Axes:
    """Draw a room on a new figure."""
    figure = theme.new_figure(_HEIGHT, theme.WIDE)
    axes = figure.add_axes((0.02, 0.09, 0.96, 0.85))
    axes.set_xlim(-_MARGIN, WIDTH + _MARGIN)
    axes.set_ylim(WIDTH + _MARGIN, -_MARGIN)  # y runs downward
    axes.set_aspect("equal")
    axes.axis("off")
    figure.text(0.04, 0.955, f"{tile.id} {tile.name}", fontsize=15, fontweight="bold")
    title = room_title(tile).partition(": ")[2]
    figure.text(0.96, 0.957, title, fontsize=9, color=MUTED, ha="right")
    axes.add_patch(Rectangle((0, 0), WIDTH, WIDTH, fill=False, edgecolor=MUTED, linewidth=1))
    drawing = _Drawing(axes, tile)
    drawing.draw_ways()
    drawing.draw_spaces()
    drawing.draw_exits(facts)
    _add_legend(figure, facts, tile)
    return axes


class _Drawing(Shape):
    """One room on one pair of axes."""

    def __init__(self, axes: Axes, tile: Tile) -> None:
        super().__init__(tile)
        self.axes = axes

    def draw_ways(self) -> None:
        """Lines between neighbours, arrows of yellow lines and currents, and red lines."""
        for edge in self.tile.edges:
            a, b = self.spaces[edge.a], self.spaces[edge.b]
            if edge.cost_ab == edge.cost_ba:
                self.axes.plot([a.x, b.x], [a.y, b.y], color=LIGHT, linewidth=1.6, zorder=1)
            else:
                self.arrow(a, (b.x, b.y), self.size(b), AMBER, 2.4)
                x, y = (a.x + 2 * b.x) / 3, (a.y + 2 * b.y) / 3
                self.axes.text(x, y, "3", **_LABEL, color=INK, fontsize=10, bbox=_CHIP)
        for one, other in self.tile.red_lines:
            a, b = self.spaces[one], self.spaces[other]
            self.axes.plot([a.x, b.x], [a.y, b.y], ":", color=ORANGE, linewidth=1.8, zorder=1)
            x, y, to_x, to_y = self.bar(a, b)
            self.axes.plot(
                [x, to_x], [y, to_y], color=ORANGE, linewidth=3, zorder=1.5, solid_capstyle="butt"
            )
        for one, target in self.tile.current:
            a = self.spaces[one]
            if target == OFF:
                self.arrow(a, self.way_off(a), 0, BLUE, 2)
            else:
                b = self.spaces[target]
                self.arrow(a, (b.x, b.y), self.size(b), BLUE, 2)

    def arrow(
        self, a: Space, end: tuple[float, float], short: float, color: str, width: float
    ) -> None:
        """An arrow from the rim of a space to a point, or ``short`` of it."""
        x, y, to_x, to_y = self.line(a, end, short)
        self.axes.annotate(
            "",
            (to_x, to_y),
            (x, y),
            arrowprops={"arrowstyle": "-|>", "color": color, "linewidth": width, "shrinkA": 0}
            | {"shrinkB": 0, "mutation_scale": 15},
            zorder=1.8,
        )

    def draw_spaces(self) -> None:
        """The spaces with their ids and marks."""
        for space in self.tile.spaces:
            size, fill = self.size(space), _WATER if space.water else PAPER
            look: dict[str, Any] = {"facecolor": fill, "edgecolor": INK, "linewidth": 1.2}
            look["zorder"] = 2
            if space.special_area:
                corner = (space.x - size, space.y - size)
                box = f"round,pad=0,rounding_size={size / 3}"
                patch = FancyBboxPatch(corner, 2 * size, 2 * size, boxstyle=box, **look)
                self.axes.add_patch(patch)
            else:
                self.axes.add_patch(Circle((space.x, space.y), size, **look))
            letters = 11 if self.radius > 35 else 8
            self.axes.text(space.x, space.y, space.id, **_LABEL, fontsize=letters)
            for mark, (dx, dy) in zip(self.marks(space), _CORNERS, strict=False):
                x, y = space.x + dx * size, space.y + dy * size
                self.axes.plot(x, y, **_MARKS[mark], zorder=4, linestyle="none", markersize=10)

    def marks(self, space: Space) -> Iterator[str]:
        """What a space is marked with."""
        if space.id in self.tile.minion_entry:
            yield "minions enter"
        if space.id in self.tile.mousetrap_spaces:
            yield "mousetrap"
        if self.tile.flip is not None and self.tile.flip.space == space.id:
            yield "turned over here"

    def draw_exits(self, facts: Facts) -> None:
        """Bars on the frame beside the spaces of each exit, and where it leads."""
        for way in self.tile.exits:
            text = ", ".join(leads_to(facts, self.tile, way.edge)) or "exit"
            x, y, to_x, to_y = self.door(way)
            self.axes.plot([x, to_x], [y, to_y], **_EXIT)
            beside = -28 if way.edge in "NW" else 28
            look = {**_LABEL, "fontsize": 9, "color": MUTED}
            if way.edge in "NS":
                self.axes.text((x + to_x) / 2, y + beside, text, **look)
            else:
                self.axes.text(x + beside, (y + to_y) / 2, text, **look, rotation=90)


_LABEL: dict[str, Any] = {"ha": "center", "va": "center", "zorder": 5}
_SIGN: dict[str, Any] = {"markeredgecolor": INK, "markersize": 11, "linestyle": "none"}
_CHIP = {"facecolor": PAPER, "edgecolor": "none", "pad": 1}
_EXIT: dict[str, Any] = {"color": INK, "linewidth": 6, "solid_capstyle": "butt", "zorder": 3}
#: Where marks stand at a space, in radii.
_CORNERS = ((-0.8, -0.8), (0.8, -0.8), (0.8, 0.8))
_MARKS: dict[str, dict[str, Any]] = {
    "minions enter": {"marker": "v", "color": ORANGE, "markeredgecolor": PAPER},
    "mousetrap": {"marker": "X", "color": INK, "markeredgecolor": PAPER},
    "turned over here": {"marker": "D", "color": BLUE, "markeredgecolor": PAPER},
}


def _add_legend(figure: Figure, facts: Facts, tile: Tile) -> None:
    """What the signs mean, as far as the room has them."""
    handles = []
    if any(edge.cost_ab != edge.cost_ba for edge in tile.edges):
        text = "yellow line: 1 with the arrow, 3 against it"
        handles.append(Line2D([], [], color=AMBER, linewidth=2.4, label=text))
    if tile.red_lines:
        text = "red line: minions cross it, mice do not"
        handles.append(Line2D([], [], color=ORANGE, linestyle=":", linewidth=1.8, label=text))
    if tile.current:
        handles.append(Line2D([], [], color=BLUE, linewidth=2, label="current"))
    if any(space.water for space in tile.spaces):
        look = {**_SIGN, "markerfacecolor": _WATER}
        handles.append(Line2D([], [], marker="o", label="water", **look))
    if any(space.special_area for space in tile.spaces):
        look = {**_SIGN, "markerfacecolor": PAPER}
        handles.append(Line2D([], [], marker="s", label="special area", **look))
    there = {
        "minions enter": tile.minion_entry,
        "mousetrap": tile.mousetrap_spaces,
        "turned over here": tile.flip,
    }
    other_side = ", ".join(leads_to(facts, tile, ""))
    meanings = {"turned over here": f"turned over: {other_side}"} if other_side else {}
    handles += [
        Line2D(
            [], [], linestyle="none", markersize=9, label=meanings.get(mark, mark), **_MARKS[mark]
        )
        for mark, spaces in there.items()
        if spaces
    ]
    if tile.exits:
        handles.append(Line2D([], [], color=INK, linewidth=6, label="exit"))
    look = {"fontsize": 9, "handlelength": 1.6, "handletextpad": 0.8}
    figure.legend(handles=handles, loc="lower center", ncols=4, **look)
