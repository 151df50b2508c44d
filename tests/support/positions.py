"""Positions written in words, and a driver that plays any engine in words.

Nothing here belongs to one engine: :class:`Position` says what lies where, :class:`Table` wraps any
game with the interface ``decision``, ``choose``, ``over``, ``winner``, ``ending`` and ``snapshot``.

Instances of a position are numbered consecutively in the order: player 0 play, hand, draw, discard,
then player 1 play, hand, draw, discard. Alice is player 0, Bob is player 1.

    table.choose("attack gorillion")
    table.choose("block bob bee_bear")
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

ALICE = 0
BOB = 1
NAMES = ("alice", "bob")
ZONES = ("play", "hand", "draw", "discard")

# Cards without abilities: padding for hands, so that both players always have several turn actions.
NEUTRAL = ("gorillion", "luchataur", "plated_scorpion")

Option = tuple[Any, ...]


@dataclass
class Side:
    """What one player has. Cards are card ids; in ``play`` also ``"rhino_turtle exhausted"``."""

    play: list[str] = field(default_factory=list)
    hand: list[str] = field(default_factory=list)
    draw: list[str] = field(default_factory=list)
    discard: list[str] = field(default_factory=list)
    life: int = 3
    mindbugs: int = 0


@dataclass(frozen=True)
class PlacedCard:
    """One card of a position: its instance number, where it lies and whether it is exhausted."""

    instance: int
    card_id: str
    player: int
    zone: str
    exhausted: bool


@dataclass
class Position:
    """A whole position at the start of the active player's turn action, in turn 1."""

    alice: Side
    bob: Side
    active: int = ALICE
    after_mindbug: str = "turn"

    def cards(self) -> list[PlacedCard]:
        """List all cards in the order of their instance numbers."""
        placed: list[PlacedCard] = []
        for player, side in enumerate((self.alice, self.bob)):
            for zone in ZONES:
                for words in getattr(side, zone):
                    card_id, exhausted = _read_card_words(words, zone)
                    placed.append(PlacedCard(len(placed), card_id, player, zone, exhausted))
        return placed


def board(
    alice: list[str],
    bob: list[str],
    *,
    alice_life: int = 3,
    bob_life: int = 3,
    active: int = ALICE,
) -> Position:
    """Return a position of two play areas; each player holds the padding :data:`NEUTRAL`."""
    return Position(
        alice=Side(play=alice, hand=list(NEUTRAL), life=alice_life),
        bob=Side(play=bob, hand=list(NEUTRAL), life=bob_life),
        active=active,
    )


def _read_card_words(words: str, zone: str) -> tuple[str, bool]:
    """Split ``"rhino_turtle exhausted"`` into the card id and whether it is exhausted."""
    card_id, *rest = words.split()
    if rest not in ([], ["exhausted"]) or (rest and zone != "play"):
        raise ValueError(f"{words!r} in {zone}: must be a card id, in play also 'ID exhausted'")
    return card_id, bool(rest)


@dataclass(frozen=True)
class Decision:
    """One decision point with at least two options (R120, R121)."""

    point: str
    player: int
    options: list[Option]


class Game(Protocol):
    """The interface that every engine has."""

    @property
    def decision(self) -> Decision | None:
        """Where the game stands; None when it is over."""

    @property
    def over(self) -> bool:
        """Whether the game is over."""

    @property
    def winner(self) -> int:
        """Who has won; -1 for a draw or a game that is not over."""

    @property
    def ending(self) -> str | None:
        """Why the game is over: life, no_action, capped or looped."""

    def choose(self, option: Option) -> None:
        """Carry out one of the offered options."""

    def snapshot(self) -> dict[str, Any]:
        """Return the whole state."""


class Table:
    """A game that started from a position, played and read in words.

    Players are 0, 1, ``"alice"`` or ``"bob"``. A creature is named by its card id, where needed
    with its controller: ``"bob explosive_toad"``. Of equal copies the lowest instance is meant.
    """

    def __init__(self, game: Game, position: Position) -> None:
        """Wrap ``game``, which some engine has set up from ``position``."""
        self.game = game
        self.position = position
        self.card_ids = [card.card_id for card in position.cards()]

    # Deciding -------------------------------------------------------------------------------------

    def choose(self, *words: str) -> None:
        """Choose the option that these words name, such as ``"target bob explosive_toad"``.

        The words are the kind of option and then any of: the controller, the card id, the trigger
        word or mode number. The first three may come in several arguments.
        """
        offered = self._options_by_words()
        wanted = " ".join(words).split()
        joined = "_".join(wanted)
        if joined in ("attack_again", "no_hunt", "no_block"):
            wanted = [joined]
        fitting = {
            text: options for text, options in offered.items() if _names(wanted, text.split())
        }
        if len(fitting) != 1:
            fault = "no option fits" if not fitting else "several options fit"
            raise ValueError(
                f"{' '.join(wanted)!r}: {fault}; offered at {self.point}: {sorted(offered)}"
            )
        (options,) = fitting.values()
        self.game.choose(min(options))

    def options(self) -> list[str]:
        """Return the offered options in words, sorted; equal copies give equal lines."""
        by_words = self._options_by_words()
        return sorted(text for text, options in by_words.items() for _ in options)

    @property
    def point(self) -> str | None:
        """The decision point, such as ``"D4"``; None when the game is over."""
        return self.game.decision.point if self.game.decision else None

    @property
    def decider(self) -> int | None:
        """Who has to decide; None when the game is over."""
        return self.game.decision.player if self.game.decision else None

    def _options_by_words(self) -> dict[str, list[Option]]:
        """Group the offered options by their words."""
        if self.game.decision is None:
            raise ValueError(f"the game is over ({self.game.ending}); nothing is offered")
        by_words: dict[str, list[Option]] = {}
        for option in self.game.decision.options:
            by_words.setdefault(self._words(option), []).append(option)
        return by_words

    def _words(self, option: Option) -> str:
        """Write one option in words: ``("block", 7)`` is ``"block bob bee_bear"``."""
        kind, *rest = option
        if not rest or kind == "mode":
            return " ".join(str(part) for part in option)
        instance, *trigger_word = rest
        return " ".join([kind, self._place(instance), self.card_ids[instance], *trigger_word])

    def _place(self, instance: int) -> str:
        """Name the player in one of whose zones a card lies."""
        for name, player in zip(NAMES, self.game.snapshot()["players"], strict=True):
            if any(instance in player[zone] for zone in ZONES):
                return name
        return "nobody"

    # Looking --------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.game.over

    @property
    def winner(self) -> int:
        """Who has won; -1 for a draw or a game that is not over."""
        return self.game.winner

    @property
    def ending(self) -> str | None:
        """Why the game is over."""
        return self.game.ending

    @property
    def turn(self) -> int:
        """The number of the current turn; extra turns count."""
        return self.game.snapshot()["turn"]

    @property
    def active(self) -> int:
        """The active player."""
        return self.game.snapshot()["active"]

    @property
    def waiting(self) -> int:
        """How many triggers wait, without the one being resolved."""
        return self.game.snapshot()["waiting"]

    def life(self, player: int | str) -> int:
        """A player's life."""
        return self._player(player)["life"]

    def mindbugs(self, player: int | str) -> int:
        """A player's unused Mindbugs."""
        return self._player(player)["mindbugs"]

    def hand_size(self, player: int | str) -> int:
        """How many cards a player holds."""
        return len(self._player(player)["hand"])

    def draw_size(self, player: int | str) -> int:
        """How many cards a draw pile has."""
        return len(self._player(player)["draw"])

    def hand(self, player: int | str) -> list[str]:
        """The card ids of a hand, sorted."""
        return self._ids(player, "hand")

    def discard(self, player: int | str) -> list[str]:
        """The card ids of a discard pile, sorted."""
        return self._ids(player, "discard")

    def in_play(self, player: int | str) -> list[str]:
        """The card ids of a player's creatures, sorted."""
        return self._ids(player, "play")

    def limbo(self) -> list[str]:
        """The card ids of the cards in no zone, sorted."""
        return sorted(self.card_ids[i] for i in self.game.snapshot()["limbo"])

    def power(self, creature: str) -> int:
        """The current power of a creature."""
        return self._creature(creature)["power"]

    def keywords(self, creature: str) -> list[str]:
        """The current keywords of a creature, sorted, in upper case."""
        return self._creature(creature)["keywords"]

    def exhausted(self, creature: str) -> bool:
        """Whether a creature is exhausted."""
        return self._creature(creature)["exhausted"]

    def _player(self, player: int | str) -> dict[str, Any]:
        number = NAMES.index(player) if isinstance(player, str) else player
        return self.game.snapshot()["players"][number]

    def _ids(self, player: int | str, zone: str) -> list[str]:
        return sorted(self.card_ids[i] for i in self._player(player)[zone])

    def _creature(self, words: str) -> dict[str, Any]:
        """Find one creature in play by ``"ID"`` or ``"CONTROLLER ID"``."""
        wanted = words.split()
        fitting = [
            (name, instance)
            for name, instance in self._creatures_in_play()
            if set(wanted) <= {name, self.card_ids[instance]}
        ]
        if len({name for name, _ in fitting}) != 1:
            there = sorted(f"{name} {self.card_ids[i]}" for name, i in self._creatures_in_play())
            fault = "no creature fits" if not fitting else "several creatures fit"
            raise ValueError(f"{words!r}: {fault}; in play: {there}")
        return self.game.snapshot()["creatures"][min(instance for _, instance in fitting)]

    def _creatures_in_play(self) -> Iterator[tuple[str, int]]:
        for name, player in zip(NAMES, self.game.snapshot()["players"], strict=True):
            for instance in player["play"]:
                yield name, instance


def _names(wanted: list[str], offered: list[str]) -> bool:
    """Whether the wanted words name the offered option: same kind, the rest in any order."""
    return wanted[:1] == offered[:1] and set(wanted) <= set(offered)
