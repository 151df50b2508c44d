"""A position of Mindbug on the table, and a game told move by move."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from reports.play.scene import POINTS, Area, Moment, Move, Option, Piece, Scene, Side
from simcore.mindbug.face.laid_out import LaidCard, LaidSide, Layout
from simcore.narration import Step

#: What ratings of options mean that are no points.
CHANCES = "Chance of winning, as {player} sees it"


class Seats(NamedTuple):
    """Who sits at the table, by seat: the players, and what their sides are called.

    ``say`` gives a line of a story these names in place of numbers; the player in the seat
    ``below`` sits nearest.
    """

    players: Sequence[str]
    sides: Sequence[str]
    say: Callable[[str], str]
    below: int = 0


def scene_of(layout: Layout, names: Sequence[str], below: int, heading: str) -> Scene:
    """A position on the table; the player in the seat ``below`` sits nearest.

    ``names`` are those of the sides by seat.
    """
    top, bottom = (
        _side(layout.sides[seat], names[seat], layout, is_own=seat == below)
        for seat in (1 - below, below)
    )
    middle = [
        Area(name, _pieces(cards))
        for name, cards in (("On the way", layout.shown), ("Set aside", layout.set_aside))
        if cards
    ]
    if layout.power_cards:
        middle.append(Area("Power cards, by cost", _pieces(layout.power_cards)))
    between = [Side("Between the players", areas=middle)] if middle else []
    return Scene(heading, [top, *between, bottom])


def _side(side: LaidSide, name: str, layout: Layout, *, is_own: bool) -> Side:
    """What a player has; their creatures lie towards the other one."""
    numbers = [("Life", str(side.life)), ("Mindbugs", str(side.mindbugs))]
    numbers += [("Energy", str(side.energy))] * layout.with_energy
    numbers.append(("Draw pile", str(side.draw_pile)))
    hand = Area("Hand", _pieces(side.hand), side.face_down)
    in_play = Area("In play", _pieces(side.in_play))
    pile = Area("Discard pile", _pieces(side.discard_pile), small=True)
    return Side(name, numbers, [in_play, hand, pile] if is_own else [hand, pile, in_play], is_own)


def _pieces(cards: Iterable[LaidCard]) -> list[Piece]:
    return [
        Piece(card.name, str(card.power), card.says, (*card.keywords, *card.marks))
        for card in cards
    ]


def moments_of(steps: Iterable[Step], seats: Seats) -> list[Moment]:
    """A game told move by move."""
    return [_moment(step, seats) for step in steps]


def _moment(step: Step, seats: Seats) -> Moment:
    layout, move, say = step.layout, step.move, seats.say
    heading = f"Turn {layout.turn}: player {layout.active}" if layout.turn else "Before the game"
    told = None
    if move is not None:
        scale = (POINTS if move.in_points else CHANCES).format(player=seats.players[move.player])
        thoughts = move.thoughts or ("",) * len(move.options)
        options = [
            Option(say(text), thought=thought)
            for text, thought in zip(move.options, thoughts, strict=True)
        ]
        told = Move(say(move.asked), options, move.chosen, scale if move.thoughts else "")
    scene = scene_of(layout, seats.sides, seats.below, say(heading))
    return Moment([*map(say, step.lines)], scene, told, layout.turn)
