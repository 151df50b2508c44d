"""The ornament on a card: lines that its name alone decides, as on the back of a playing card.

No art is shipped, so each card is known by its own curve: a rose of a radius
r(t) = a + b (cos(kt) + c cos(mkt)), drawn six times, each smaller and turned a little.
"""

import hashlib
from math import cos, pi, sin
from typing import NamedTuple

# Lines of the curve and points of a line; how far it reaches from the middle.
_LINES, _POINTS, _REACH = 6, 180, 98.0
# The byte of the digest from which on it decides: here the studio's three examples look different.
_FIRST = 9
#: The grounds of cards, which the style sheet numbers.
GROUNDS = ("#1f4a38", "#553246", "#53361c", "#24435f", "#4b4420", "#403760")


class Ornament(NamedTuple):
    """The path of an SVG from −100 to 100 either way, and the number of its ground."""

    path: str
    ground: int


def ornament(name: str) -> Ornament:
    """The ornament of a card by its name."""
    digest = hashlib.sha256(name.casefold().encode()).digest()
    petals, second, depth, turn, ground = digest[_FIRST : _FIRST + 5]
    k, m = 4 + petals % 7, 2 + second % 2
    deep, turned = 0.22 + 0.3 * depth / 255, 0.05 + 0.15 * turn / 255
    lines = []
    for line in range(_LINES):
        size = 1 - 0.12 * line
        points = []
        for at in range(_POINTS):
            t = 2 * pi * at / _POINTS
            u = k * (t + turned * line)
            r = size * (1 - deep + deep * (cos(u) + 0.6 * cos(m * u)) / 1.6)
            points.append(f"{_REACH * r * cos(t):.1f} {_REACH * r * sin(t):.1f}")
        lines.append(f"M{'L'.join(points)}Z")
    return Ornament("".join(lines), ground % len(GROUNDS))
