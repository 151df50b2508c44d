"""How a game lies on the table, in the words of no game in particular: what a game hands to a page.

A game lays itself out as sides (a player's things, a room, a track), each with numbers and areas,
each area with pieces that have a title, a number, words and marks.  A card game has a hand and
creatures; in a game with rooms an area is a space, and its pieces are the figures on it.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple


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

    One that is ``small`` is a pile: its pieces are listed by their titles, for those who look.
    """

    name: str
    pieces: Sequence[Piece] = ()
    face_down: int = 0
    small: bool = False


class Side(NamedTuple):
    """What belongs together on the table, with its numbers by what they count.

    ``is_own`` says that it is the person's.
    """

    name: str
    numbers: Sequence[tuple[str, str]] = ()
    areas: Sequence[Area] = ()
    is_own: bool = False


class Scene(NamedTuple):
    """The table at one moment: a heading, such as whose turn it is, and the sides from the top.

    A game that cannot lay itself out so tells in ``lines`` how it stands, with letters of one
    width.
    """

    heading: str
    sides: Sequence[Side] = ()
    lines: Sequence[str] = ()


class Option(NamedTuple):
    """An option of a decision in words, and what the player thought of it, if that is known."""

    text: str
    thought: str = ""


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


def in_turns(lines: Iterable[str]) -> list[Moment]:
    """A game that is told in words alone, in the pieces between which it leaves a line empty.

    The first line of each is its heading.
    """
    found: list[list[str]] = [[]]
    for line in lines:
        if line:
            found[-1].append(line)
        elif found[-1]:
            found.append([])
    return [Moment((), Scene(head.strip(), lines=piece)) for head, *piece in filter(None, found)]
