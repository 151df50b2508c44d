"""A room of Mice & Mystics from above, with who stands where."""

from collections.abc import Iterator

from attrs import evolve

from card_data.mice_and_mystics.facts import OFF, Chapter, Facts, Space, Tile
from card_data.mice_and_mystics.limits import WIDTH
from reports.mice_and_mystics.rooms.room_shape import Shape
from reports.mice_and_mystics.rooms.room_text import leads_to
from reports.play.scene import Plan, Spot, Way
from simcore.mice_and_mystics.face.laid_out import Layout

#: Signs at spaces.
_TRAP, _ENTRY, _FLIP = (
    "\N{MULTIPLICATION X}",
    "\N{BLACK DOWN-POINTING SMALL TRIANGLE}",
    "\N{CLOCKWISE OPEN CIRCLE ARROW}",
)


class Room:
    """The plan of a room in a chapter, for whoever stands in it."""

    def __init__(self, facts: Facts, chapter: Chapter, tile: Tile) -> None:
        self._facts = evolve(facts, chapters=(chapter,))
        self._shape, self._tile = Shape(tile), tile
        self._ways = [*self._paths(), *self._currents(), *self._bars(), *self._doors()]

    def plan(self, layout: Layout) -> Plan:
        """The room as it is in a position."""
        return Plan(
            self._tile.name,
            WIDTH,
            self._shape.radius,
            [self._spot(space, layout) for space in self._tile.spaces],
            self._ways,
            [*self._legend(layout), *self._meanings()],
        )

    def _legend(self, layout: Layout) -> Iterator[str]:
        """What stands in the room now."""
        if layout.legend:
            yield layout.legend
        if layout.traps:
            yield f"{_TRAP} a trap"

    def _spot(self, space: Space, layout: Layout) -> Spot:
        """A space with who stands there."""
        name = space.id
        mice = layout.mice_at.get(name, "")
        return Spot(
            name,
            space.x,
            space.y,
            "water" if space.water else "area" if space.special_area else "",
            [mice] if mice else [],
            layout.minions_at.get(name, ()),
            [*([_TRAP] if name in layout.traps else []), *self._marks(name)],
        )

    def _marks(self, space: str) -> Iterator[str]:
        """What a space is marked with, whoever stands there."""
        if space in self._tile.minion_entry:
            yield _ENTRY
        if self._tile.flip is not None and self._tile.flip.space == space:
            yield _FLIP

    def _paths(self) -> Iterator[Way]:
        """Lines between neighbours."""
        spaces = self._shape.spaces
        for edge in self._tile.edges:
            a, b = spaces[edge.a], spaces[edge.b]
            if edge.cost_ab == edge.cost_ba:
                yield Way(a.x, a.y, b.x, b.y)
            else:
                yield Way(*self._shape.line(a, (b.x, b.y), self._shape.size(b)), "arrow")

    def _currents(self) -> Iterator[Way]:
        """Where the water flows."""
        for one, target in self._tile.current:
            a = self._shape.spaces[one]
            if target == OFF:
                yield Way(*self._shape.line(a, self._shape.way_off(a), 0), "current")
            else:
                b = self._shape.spaces[target]
                yield Way(*self._shape.line(a, (b.x, b.y), self._shape.size(b)), "current")

    def _bars(self) -> Iterator[Way]:
        """Red lines."""
        spaces = self._shape.spaces
        for one, other in self._tile.red_lines:
            yield Way(*self._shape.bar(spaces[one], spaces[other]), "barrier")

    def _doors(self) -> Iterator[Way]:
        """Exits with the rooms to which they lead."""
        for way in self._tile.exits:
            leads = ", ".join(leads_to(self._facts, self._tile, way.edge))
            if leads:
                yield Way(*self._shape.door(way), "door", leads)

    def _meanings(self) -> Iterator[str]:
        """What lines and marks mean, as far as the room has them."""
        kinds = {way.kind for way in self._ways}
        if "arrow" in kinds:
            yield "yellow arrow: 1 space along it, 3 against it"
        if "barrier" in kinds:
            yield "red bar: minions cross it, mice do not"
        if "current" in kinds:
            yield "blue arrow: the current"
        if self._tile.minion_entry:
            yield f"{_ENTRY} minions enter here"
        if self._tile.flip is not None:
            rooms = " or ".join(leads_to(self._facts, self._tile, ""))
            yield f"{_FLIP} the tile is turned over here{f', to {rooms}' if rooms else ''}"
