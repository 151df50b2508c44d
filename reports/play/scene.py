"""How a game lies on the table, in the words of no game in particular: what a game hands to a page.

A game lays itself out as sides (a player's things, a room), each with numbers and areas, each area
with pieces that have a title, a number, words and marks.  A card game has a hand and creatures; a
game with rooms also has a plan of where figures stand.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple, TypeVar

_Thing = TypeVar("_Thing")

#: What ratings in points of a player mean.
POINTS = "How good each option looks to {player}; more is better"


class Piece(NamedTuple):
    """A card, figure or token that can be seen: a creature with its power, a mouse with its wounds.

    ``number`` is what matters most of it now, ``words`` what it says, and ``marks`` what is true of
    it now, each in a word or a few.
    """

    title: str
    number: str = ""
    words: str = ""
    marks: Sequence[str] = ()


class Area(NamedTuple):
    """A place on the table: the pieces in it, and how many more lie there face down.

    One that is ``small`` is a pile: its pieces are listed by their titles, for those who look.  In
    a ``row`` pieces are as narrow as they can be, and their order counts.
    """

    name: str
    pieces: Sequence[Piece] = ()
    face_down: int = 0
    small: bool = False
    row: bool = False


class Spot(NamedTuple):
    """A space of a plan at its place: ``kind`` is "", "water" or "area", a larger one.

    ``friends`` and ``foes`` are short words for who stands there, ``marks`` single letters or signs
    for what lies there.
    """

    name: str
    x: float
    y: float
    kind: str = ""
    friends: Sequence[str] = ()
    foes: Sequence[str] = ()
    marks: Sequence[str] = ()


class Way(NamedTuple):
    """A line of a plan from one place to another.

    ``kind`` is "" for a way, "arrow" for one that is easy along the arrow only, "current",
    "barrier" for a line that not everybody crosses, or "door" for a way out.
    """

    x: float
    y: float
    to_x: float
    to_y: float
    kind: str = ""
    text: str = ""


class Plan(NamedTuple):
    """A room from above, ``size`` wide and high: spaces of some radius, and ways between them.

    ``legend`` says what words and lines mean.
    """

    name: str
    size: float
    radius: float
    spots: Sequence[Spot]
    ways: Sequence[Way]
    legend: Sequence[str] = ()


class Side(NamedTuple):
    """What belongs together on the table, with its numbers by what they count.

    ``is_own`` says that it is the person's, ``words`` what is to be known of it; one that is
    ``narrow`` shares its row with the next.
    """

    name: str
    numbers: Sequence[tuple[str, str]] = ()
    areas: Sequence[Area] = ()
    is_own: bool = False
    narrow: bool = False
    words: str = ""
    plan: Plan | None = None


class Scene(NamedTuple):
    """The table at one moment: a heading, such as whose turn it is, and the sides from the top."""

    heading: str
    sides: Sequence[Side]


class Option(NamedTuple):
    """An option of a decision: what is done, to which of several things, if there are several.

    ``thought`` is what the player thought of it, if that is known.
    """

    text: str
    item: str = ""
    thought: str = ""

    @property
    def whole(self) -> str:
        """The option in words."""
        return f"{self.text} {self.item}".strip()


class Move(NamedTuple):
    """A decision that was taken: the options, the number of the one chosen, what thoughts mean."""

    asked: str
    options: Sequence[Option]
    chosen: int
    scale: str = ""


class Moment(NamedTuple):
    """A told game at one of its decisions: what had happened since the one before, and the table.

    ``turn`` is the number of the turn, ``move`` what was decided then; the last moment of a game
    has none.
    """

    lines: Sequence[str]
    scene: Scene
    move: Move | None = None
    turn: int = 0


def together(
    things: Iterable[_Thing], said_of: Callable[[_Thing], str]
) -> list[list[tuple[int, _Thing]]]:
    """Things with their numbers in groups: those of which the same is said.

    One of which "" is said stays alone.
    """
    found: dict[str, list[tuple[int, _Thing]]] = {}
    for number, thing in enumerate(things):
        found.setdefault(said_of(thing) or f"{number}", []).append((number, thing))
    return [*found.values()]
