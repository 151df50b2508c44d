"""What a game hands to `play`: one game, told and asked as the person who plays may see it."""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, NamedTuple

from reports.play.scene import Moment, Option, Scene, together

if TYPE_CHECKING:
    import numpy as np

    from reports.play.log import GameLog


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

    def __init__(self, log: "GameLog") -> None:
        self.log = log

    @property
    def named(self) -> "Mapping[str, Any]":
        """Options by which commands about this game name code of somebody's own."""
        return {}

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
    @abstractmethod
    def over(self) -> bool:
        """Whether the game has ended."""

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
    @abstractmethod
    def n_options(self) -> int:
        """How many options the present decision has."""

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

    @abstractmethod
    def think(self, decision: int) -> Opinion:
        """What the player whose decision it is chooses, and what they think of the options.

        ``decision`` counts from 0: their random numbers follow from it, so that they choose the
        same whenever they are asked.
        """

    def prepare(self) -> None:
        """Let the players think about the first decision, which compiles what they think with."""

        def once() -> int:
            self.think(0)
            self.hint(0)
            raise _PreparedError

        with suppress(_PreparedError):
            deque(self.tell(once), maxlen=0)

    @abstractmethod
    def hint(self, decision: int) -> Opinion:
        """What a strong player would choose in the person's place."""
