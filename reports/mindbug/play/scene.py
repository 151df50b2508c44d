"""A position of Mindbug on the table, and a game told move by move."""

from collections.abc import Iterable, Sequence

from reports.play.scene import Area, Moment, Move, Option, Piece, Scene, Side
from simcore.mindbug.face.laid_out import LaidCard, LaidSide, Layout
from simcore.mindbug.face.steps import Step

#: What ratings of options mean.
CHANCES, POINTS = "Chance of winning, as {player} sees it", "Points of {player}"


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


def moments_of(
    steps: Iterable[Step], players: Sequence[str], names: Sequence[str], below: int = 0
) -> list[Moment]:
    """A game told move by move; ``players`` decided, in the sides called ``names``, by seat."""
    return [_moment(step, players, names, below) for step in steps]


def _moment(step: Step, players: Sequence[str], names: Sequence[str], below: int) -> Moment:
    layout, move = step.layout, step.move
    heading = f"Turn {layout.turn}, player {layout.active}" if layout.turn else "Before the game"
    told = None
    if move is not None:
        scale = (POINTS if move.in_points else CHANCES).format(player=players[move.player])
        thoughts = move.thoughts or ("",) * len(move.options)
        options = [Option(*one) for one in zip(move.options, thoughts, strict=True)]
        told = Move(move.asked, options, move.chosen, scale if move.thoughts else "")
    return Moment(step.lines, scene_of(layout, names, below, heading), told, layout.turn)
