"""A game of Mindbug between a person and a player of fairdeal, and how it lies on the table."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from attrs import asdict

from card_data.mindbug.schema import Card, PowerCard
from card_data.shown import as_text
from reports.mindbug.run_text import called
from reports.play.log import GameLog
from reports.play.match import Choice, Match, Opinion, Question, entry_called
from reports.play.scene import POINTS, Area, Moment, Move, Option, Piece, Scene, Side
from simcore.mindbug.face.game import Game
from simcore.mindbug.face.laid_out import LaidCard, LaidSide, Layout, laid_out
from simcore.mindbug.face.replay import tell
from simcore.mindbug.face.replay_text import addressed, thoughts_text
from simcore.mindbug.face.seen import Seen
from simcore.mindbug.face.steps import steps
from simcore.mindbug.play.asked import read_asked
from simcore.mindbug.players.seats import parse_player, with_file
from simcore.narration import Step

if TYPE_CHECKING:
    from analysis.mindbug.story import Judge

#: Who gives hints: strong, and quick enough to be asked at any time.
ADVISER = "expert"

#: What ratings of options mean that are no points.
CHANCES = "Chance of winning, as {player} sees it"


class MindbugMatch(Match):
    """One game; the person sits in the only seat of ``log.person``.

    Raises RunError for cards that this version reads otherwise, and what comes of a log that nobody
    can have written: CardFileError, KeyError or ValueError.
    """

    def __init__(self, log: GameLog) -> None:
        super().__init__(log)
        self._table = read_asked(log.asked, log.data)
        if log.person not in ((0,), (1,)) or len(log.players) != 1:
            raise ValueError("a person and a player of fairdeal play it")
        [self._seat] = log.person
        self._begin(lambda: 0)

    def _begin(self, choose: Callable[[], int], *, brief: bool = False) -> None:
        """Deal the game anew."""
        self._game = Game(self._table, seed=self.log.seed, game=self.log.number, to_decision=False)
        self._seen = Seen(self._game, self._seat, lambda _: choose(), brief=brief)

    @property
    def who(self) -> str:
        """The person and the opponent."""
        return f"you against {called(self.log.players[0])}"

    def tell(
        self, choose: Callable[[], int], *, openly: bool = False, brief: bool = False
    ) -> Iterator[str]:
        """Play the game and tell it."""
        self._begin(choose, brief=brief)
        if openly:
            return map(self._say, tell(self._game, lambda _: choose()))
        return self._seen.tell()

    def moments(self, choose: Callable[[], int]) -> list[Moment]:
        """Play the game and tell it move by move, the person's side below."""
        self._begin(choose)
        who = ["you", called(self.log.players[0])]
        who = who if self._seat == 0 else who[::-1]
        seats = Seats(who, self._sides, self._say, self._seat)
        return moments_of(steps(self._game, lambda _: choose()), seats)

    @property
    def judge(self) -> "Judge":
        """``expert``."""
        from analysis.mindbug.story import Judge

        return Judge(self._table, self.log.seed)

    @property
    def side(self) -> int:
        """The seat of the person."""
        return self._seat

    @property
    def _sides(self) -> list[str]:
        """What the sides of the table are called, by seat."""
        return ["You", "Opponent"] if self._seat == 0 else ["Opponent", "You"]

    def _say(self, text: str) -> str:
        """A line of the story, spoken to the person."""
        return addressed(text, self._seat)

    @property
    def manifest(self) -> Mapping[str, Any]:
        """What was asked, and the cards by their places in the record."""
        return {**self.log.asked, "cards": [card.card_id for card in self._table.cards]}

    @property
    def record(self) -> np.void:
        """The record of the finished game."""
        return self._game.record()

    @property
    def place(self) -> int:
        """The player who decides."""
        return self._game.decider

    def question(self) -> Question:
        """What the person decides."""
        offers = self._seen.offers()
        return Question(
            self._seen.question(), [Choice(offer.text, note=offer.card) for offer in offers]
        )

    def glance(self) -> Iterator[str]:
        """Whose turn it is, and what both players have."""
        return self._seen.glance()

    def table(self) -> Iterator[str]:
        """What lies where."""
        return self._seen.table()

    def scene(self) -> Scene:
        """What lies where, the person's side below."""
        heading = next(self._seen.glance())
        return scene_of(laid_out(self._seen), self._sides, self._seat, heading)

    def card(self, name: str) -> Sequence[str]:
        """What a card of the pool says."""
        every: tuple[Card | PowerCard, ...] = (*self._table.faces, *self._table.power_cards)
        cards = {card.name.casefold(): card for card in every}
        return as_text(entry_called(name, cards, "this pool")).splitlines()

    @property
    def adviser(self) -> str:
        """``expert``, who knows new cards if the opponent does."""
        opponent = parse_player(self.log.players[0])
        knows = opponent.policy == ADVISER and opponent.weights is not None
        return with_file(ADVISER, opponent.weights or "") if knows else ADVISER

    @property
    def rungs(self) -> Sequence[str]:
        """Those who choose at once and need not know the cards."""
        return "greedy", "heuristic"

    def opinion(self, player: str, decision: int) -> Opinion:
        """What a player chooses at the present decision, and thinks of the options."""
        game = self._game
        luck = (self.log.seed, self.log.number, decision)
        chosen, thoughts = game.choose(player, luck), game.thoughts
        offers, ratings = self._seen.offers(chosen), list[tuple[int, Option]]()
        scale = POINTS
        if thoughts is not None:
            scale = CHANCES if thoughts.searched or thoughts.looked_ahead else POINTS
            texts = enumerate(thoughts_text(**asdict(thoughts)))
            ratings = [
                (number, Option(offers[number].text, thought=text))
                for number, text in texts
                if not offers[number].hidden and number not in game.barred
            ]
        return Opinion(
            player=called(player),
            asked=f"Turn {self._seen.turn}. {self._seen.question()}",
            chosen=chosen,
            choice=offers[chosen].text,
            scale=scale.format(player=called(player)),
            ratings=ratings,
            n_hidden=sum(offer.hidden for offer in offers) if ratings else 0,
        )


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
