"""A plan of a room as it is drawn: rings for spaces, lines between them, and who stands there."""

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from reports.play.scene import Plan, Spot, Way

# In radii of a space: a larger one, letters, the chip that says who stands there, and its steps.
_AREA, _LETTERS, _LETTER, _CHIP, _STEP = 1.45, 0.72, 0.78, 0.92, 0.98
#: Where marks lie at a space, in its sizes.
_CORNERS = ((-0.78, -0.78), (0.78, -0.78), (0.78, 0.78))
#: What is left around the room for the names of doors, as a share of its size.
_MARGIN = 0.065
#: The size of letters at doors, as a share of the size of a room.
_NAMES = 0.034


class Chip(NamedTuple):
    """A word in a space: its box, its middle, and whether it is about foes."""

    text: str
    x: float
    y: float
    width: float
    height: float
    kind: str


class Ring(NamedTuple):
    """A space: its middle and size, its name with its height, and what is in it.

    ``marks`` lie at its rim; ``option`` is the number of an option that leads there, None where
    none does.
    """

    name: str
    kind: str
    x: float
    y: float
    size: float
    name_y: float
    chips: list[Chip]
    marks: list[tuple[str, float, float]]
    option: int | None


def drawn(plan: Plan, options: Mapping[str, int]) -> dict[str, Any]:
    """What the template draws; ``options`` are the numbers of those that lead to a space."""
    margin = plan.size * _MARGIN
    box = plan.size + 2 * margin
    return {
        "says": _says(plan),
        "box": f"{-margin:g} {-margin:g} {box:g} {box:g}",
        "size": plan.size,
        "radius": plan.radius,
        "letters": plan.radius * _LETTERS,
        "names": plan.size * _NAMES,
        "rings": [_ring(spot, plan.radius, options.get(spot.name)) for spot in plan.spots],
        "ways": [one for one in plan.ways if one.kind != "door"],
        "doors": [(one, *_beside(one, plan.size)) for one in plan.ways if one.kind == "door"],
        "legend": plan.legend,
    }


def _says(plan: Plan) -> str:
    """The plan for whoever does not see it."""
    there = [
        f"{spot.name}: {', '.join((*spot.friends, *spot.foes))}"
        for spot in plan.spots
        if spot.friends or spot.foes
    ]
    return f"{plan.name}. {'; '.join(there)}" if there else plan.name


def _ring(spot: Spot, radius: float, option: int | None) -> Ring:
    """A space; its name moves up where somebody stands."""
    size = radius * (_AREA if spot.kind == "area" else 1)
    chips = [*_chips(spot, radius)]
    name_y = spot.y - radius * 0.5 if chips else spot.y
    marks = [
        (mark, spot.x + dx * size, spot.y + dy * size)
        for mark, (dx, dy) in zip(spot.marks, _CORNERS, strict=False)
    ]
    return Ring(spot.name, spot.kind, spot.x, spot.y, size, name_y, chips, marks, option)


def _chips(spot: Spot, radius: float) -> Iterator[Chip]:
    """The words in a space, below each other."""
    words = [(kind, text) for kind in ("friends", "foes") for text in getattr(spot, kind)]
    for place, (kind, text) in enumerate(words):
        width = radius * max(_CHIP, _LETTER * len(text) * _LETTERS + 0.5)
        y = spot.y + radius * (0.4 + _STEP * place)
        yield Chip(text, spot.x, y, width, radius * _CHIP, kind)


def _beside(door: Way, size: float) -> tuple[float, float, int]:
    """Where the name of a door stands, and by how much it is turned."""
    out = size * _MARGIN / 2
    x, y = (door.x + door.to_x) / 2, (door.y + door.to_y) / 2
    if door.y == door.to_y:
        return x, y + (out if door.y > 0 else -out), 0
    return x + (out if door.x > 0 else -out), y, 90
