"""A position on the table that any engine can be asked about: the worked examples' façade.

A ``Position`` says how things lie.  An engine's ``set_up(position, seed)`` gives a ``Table``, which
plays on from there: ``act(card)`` makes a card of the track act next and runs to the next decision,
whoever decides; ``take(label)`` takes an entry and runs on.  Both stop as well when the game is
over.  Between decisions a table can be looked at; nothing that is looked at can be changed.

Labels are those of decisions: ``MOVE t18``, ``BATTLE collins_sword 2``.  Ids are those of the data;
tiles and spaces are ids too, figures numbers from 0.  What is chance comes from the chance stream
of ``(seed, game 0)``, but faces handed to ``dice`` come first, in the order in which they are
rolled.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Protocol

from card_data.mice_and_mystics import load_facts
from card_data.mice_and_mystics.facts import Facts

CHAPTER_1, STAND_IN = "ch1_flight_to_barksburg", "standin_four_rooms"
PARTY = ("collin", "nez", "tilda", "filch")


@dataclass(frozen=True)
class MouseAt:
    """A mouse as it is set up; ``space`` is None for one that is captured or missing."""

    space: str | None
    wounds: int = 0
    poison: int = 0
    cheese: int = 0
    equipped: tuple[str, ...] | None = None  # None: its starting gear
    pack: tuple[str, ...] = ()  # tricks too
    abilities: tuple[str, ...] = ()
    captured: bool = False
    missing: bool = False
    stunned: bool = False
    webbed: bool = False
    knocked_down: bool = False
    searched: bool = False  # this side of the tile, with success


@dataclass(frozen=True)
class MinionAt:
    """A minion as it is set up."""

    type: str
    space: str
    wounds: int = 0
    knocked_down: bool = False


@dataclass(frozen=True)
class Position:
    """How things lie when an example begins; what is left out is as section 30 says.

    ``mice`` has the whole party.  The track is that of ``track``, or the mice in the order of
    ``mice`` and then the minion cards in the order of the data.  Minions have the numbers 0, 1, …
    in their order; greedy roaches make the others greedy.  Decks have their top card first.  The
    current tile counts as explored and so do those of ``explored``.  It is round 1.  Switches are
    called S1 … S22, knobs page_end, wheel_size, start_cheese, life and minion_dice.
    """

    chapter: str
    tile: str
    mice: Mapping[str, MouseAt]
    minions: tuple[MinionAt, ...] = ()
    track: tuple[str, ...] | None = None
    page: int = 1
    wheel: int = 0
    face_up: str | None = None
    search_deck: tuple[str, ...] = ()
    search_discard: tuple[str, ...] = ()
    encounter_deck: tuple[str, ...] = ()
    party_cards: tuple[str, ...] = ()
    mousetraps: tuple[str, ...] = ()
    counter_cheese: int = 0
    explored: tuple[str, ...] = ()
    switches: Mapping[str, str] = field(default_factory=dict)
    knobs: Mapping[str, int] = field(default_factory=dict)
    facts: Facts | None = None  # None: those of the base game


@dataclass(frozen=True)
class MouseSeen:
    """A mouse as it is; equipped, pack and abilities are sorted by id."""

    space: str | None
    wounds: int
    poison: int
    cheese: int
    equipped: tuple[str, ...]
    pack: tuple[str, ...]
    abilities: tuple[str, ...]
    captured: bool
    missing: bool
    stunned: bool
    webbed: bool
    knocked_down: bool


@dataclass(frozen=True)
class MinionSeen:
    """A minion as it is; a roach in play with greedy ones is a greedy_roach."""

    number: int
    type: str
    space: str
    wounds: int
    knocked_down: bool


class Look(Protocol):
    """What can be seen of a game between two decisions, or at its end."""

    @property
    def heroes(self) -> tuple[str, ...]:
        """The party in the order of the data."""

    @property
    def labels(self) -> list[str]:
        """The labels of the present decision, in order; empty when the game is over."""

    @property
    def decider(self) -> str | None:
        """The mouse that decides; None for a decision of the party (Disguises) and at the end."""

    def best(self) -> list[int]:
        """The entries of the present decision that H chooses among, by index, rising."""

    @property
    def outcome(self) -> str | None:
        """win, loss_page, loss_captured or timeout; None while the game goes on."""

    def mouse(self, hero: str) -> MouseSeen:
        """A mouse of the party."""

    @property
    def minions(self) -> list[MinionSeen]:
        """The minions on the tile by number."""

    @property
    def tile(self) -> str:
        """The current tile."""

    @property
    def track(self) -> list[str]:
        """Top card first; empty before it is made."""

    @property
    def page(self) -> int:
        """Where the hourglass is."""

    @property
    def wheel(self) -> int:
        """Cheese on the wheel."""

    @property
    def round(self) -> int:
        """The number of the present round, from 1; 0 during set-up."""

    @property
    def face_up(self) -> str | None:
        """The encounter card that lies face up."""

    @property
    def party_cards(self) -> list[str]:
        """Sorted by id."""

    @property
    def mousetraps(self) -> list[str]:
        """The spaces with a mousetrap, by index."""

    @property
    def set_traps(self) -> list[str]:
        """The spaces with a trap that a mouse has set, by index."""

    @property
    def counter_cheese(self) -> int:
        """What is left on the counter of the kitchen (M128)."""

    @property
    def search_deck(self) -> list[str]:
        """Top card first."""

    @property
    def search_discard(self) -> list[str]:
        """In the order of discarding."""

    def distance(self, a: str, b: str) -> int:
        """d0 of P1 between two spaces of the current tile."""

    def count(self, name: str) -> int:
        """A counter of section 29 so far; those of the end of a game only at its end."""


class Table(Look, Protocol):
    """A game that goes on from a position."""

    def act(self, card: str) -> None:
        """A card acts next in this round, the cards above it count as having acted.

        Only before the first decision.
        """

    def take(self, label: str) -> None:
        """Take the entry with this label; ValueError if there is none."""

    def dice(self, *faces: int) -> None:
        """These faces come next, after those that are still to come."""

    @property
    def dice_left(self) -> int:
        """How many of these faces have not been rolled yet."""


SetUp = Callable[[Position, int], Table]


@cache
def base_facts() -> Facts:
    """The facts of the base game."""
    return load_facts()
