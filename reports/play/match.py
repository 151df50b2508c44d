"""What a game hands to `play`: one game, told and asked as the person who plays may see it."""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from card_data.faults import nearest
from reports.cli.console import InputError
from reports.play.scene import Moment, Option, Scene, together

if TYPE_CHECKING:
    import numpy as np

    from analysis.story_games import Judge
    from reports.play.course import Course
    from reports.play.log import GameLog


_Entry = TypeVar("_Entry")


class Choice(NamedTuple):
    """An option: what is done, to which of several things, and what helps to judge it.

    ``spot`` is the space of the plan to which it leads, if it leads to one.
    """

    text: str
    item: str = ""
    note: str = ""
    spot: str = ""

    @property
    def whole(self) -> str:
        """The option in words."""
        return f"{self.text} {self.item}".strip()


class Question(NamedTuple):
    """What the person has to decide."""

    asked: str
    choices: Sequence[Choice]

    @property
    def groups(self) -> list[list[tuple[int, Choice]]]:
        """The options with their numbers, those that do the same to several things together."""
        return together(self.choices, lambda one: one.text if one.item and not one.note else "")


class Opinion(NamedTuple):
    """What a player thought of the options of a decision.

    ``ratings`` has each option that may be shown and was rated, with its number; it is empty for a
    player who rates nothing.  ``scale`` says what ratings mean.
    """

    player: str
    asked: str
    chosen: int
    choice: str
    scale: str
    ratings: Sequence[tuple[int, Option]]
    n_hidden: int = 0


class _PreparedError(Exception):
    """The first decision has come."""


class Match(ABC):
    """One game with a person in it, which stands at its beginning until it is told."""

    #: The game, which can say whether it is ``over`` and has the ``options`` of a decision.
    _game: Any

    def __init__(self, log: "GameLog") -> None:
        self.log = log

    @property
    def named(self) -> "Mapping[str, Any]":
        """Options by which commands about this game name code of somebody's own."""
        return {}

    @property
    def manifest(self) -> "Mapping[str, Any]":
        """What a run of such games would say of them."""
        return self.log.asked

    @property
    def judge(self) -> "Judge | None":
        """Who says how likely each side is to win; None where nobody does."""
        return None

    @property
    def side(self) -> int:
        """The side of the person in what the judge says."""
        return 0

    @property
    def rungs(self) -> Sequence[str]:
        """Players beside whom a person's choices are set, weak to strong."""
        return ()

    def course(self, decisions: "Sequence[tuple[int, int]]") -> "Course | None":
        """How likely the person was to win all along, by the decisions of the finished game."""
        from reports.play.course import course_of

        log, judge = self.log, self.judge
        if judge is None:
            return None
        own = {at for at, (place, _) in enumerate(decisions) if place in log.person}
        taken = [option for _, option in decisions]
        return course_of(judge, log.number, taken, "You", self.side, own)

    @property
    @abstractmethod
    def who(self) -> str:
        """Who plays, as in "you against expert"."""

    @abstractmethod
    def tell(
        self, choose: Callable[[], int], *, openly: bool = False, brief: bool = False
    ) -> Iterator[str]:
        """Play the game from its beginning and tell it, line by line, as the person sees it.

        ``choose`` gives the number of the option to take at each decision.  ``openly`` tells what
        is hidden from the person too; ``brief`` leaves out how the table lies.
        """

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._game.over)

    @property
    @abstractmethod
    def record(self) -> "np.void":
        """The record of the finished game."""

    @property
    @abstractmethod
    def place(self) -> int:
        """Who decides now."""

    @property
    def mine(self) -> bool:
        """Whether the person decides now."""
        return self.place in self.log.person

    @property
    def n_options(self) -> int:
        """How many options the present decision has."""
        return len(self._game.options)

    @abstractmethod
    def question(self) -> Question:
        """The present decision."""

    @abstractmethod
    def glance(self) -> Iterator[str]:
        """Where the game stands, in a few lines."""

    @abstractmethod
    def table(self) -> Iterator[str]:
        """What lies where, as far as the person may see it, and what it says."""

    @abstractmethod
    def scene(self) -> Scene:
        """What lies where, laid out, as far as the person may see it."""

    @abstractmethod
    def moments(self, choose: Callable[[], int]) -> list[Moment]:
        """Play the game from its beginning and tell it move by move, with nothing hidden."""

    @abstractmethod
    def card(self, name: str) -> Sequence[str]:
        """What a card says.  Raises InputError for a name that there is not."""

    def player(self, place: int) -> str:
        """Who decides at a place that is not the person's."""
        return self.log.players[place % len(self.log.players)]

    @property
    @abstractmethod
    def adviser(self) -> str:
        """Who gives hints: strong, and quick enough to be asked at any time."""

    @abstractmethod
    def opinion(self, player: str, decision: int) -> Opinion:
        """What a player chooses at the present decision, and what they think of the options.

        ``decision`` counts from 0: their random numbers follow from it, so that they choose the
        same whenever they are asked.
        """

    def think(self, decision: int) -> Opinion:
        """The opinion of the player whose decision it is."""
        return self.opinion(self.player(self.place), decision)

    def hint(self, decision: int) -> Opinion:
        """What a strong player would choose in the person's place."""
        return self.opinion(self.adviser, decision)

    def prepare(self) -> None:
        """Let the players think about the first decision, which compiles what they think with."""

        def once() -> int:
            self.think(0)
            self.hint(0)
            raise _PreparedError

        with suppress(_PreparedError):
            deque(self.tell(once), maxlen=0)


def entry_called(name: str, entries: "Mapping[str, _Entry]", where: str = "this game") -> "_Entry":
    """The entry with a name, of those by their names in small letters.

    Raises InputError for a name that there is not.
    """
    if found := entries.get(name.casefold()):
        return found
    guess = nearest(name, entries) if name else ""
    meant = f"; did you mean '{_called(entries[guess])}'?" if guess else "."
    what = f"There is no card '{name}' in {where}" if name else "Name a card"
    example = f" For instance: card {_called(next(iter(entries.values())))}" if entries else ""
    raise InputError(f"{what}{meant}{example}")


def _called(entry: Any) -> str:
    return str(entry.name or entry.id)
