"""Positions written in words, and a driver that plays any engine in words.

Nothing here belongs to one engine: :class:`Position` says what lies where, :class:`Table` wraps any
game with the interface ``decision``, ``choose``, ``over``, ``winner``, ``ending`` and ``snapshot``.

Instances of a position are numbered consecutively in the order: player 0 play, hand, draw, discard,
then player 1 play, hand, draw, discard; then the boost cards in order of appearance. Cards that
leave the unused pile get the next numbers, top first. Alice is player 0, Bob is player 1.

    table.choose("attack gorillion")
    table.choose("block bob bee_bear")
"""

import random
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, Protocol

from support.reference_cards import POWER_CARDS, stage_one

ALICE = 0
BOB = 1
NAMES = ("alice", "bob")
ZONES = ("play", "hand", "draw", "discard")

# Cards without abilities: padding for hands, so that both players always have several turn actions.
NEUTRAL = ("gorillion", "luchataur", "plated_scorpion")

Option = tuple[Any, ...]


@dataclass
class Side:
    """What one player has. Cards are card ids.

    In ``play`` more words may follow a card id: ``"rhino_turtle exhausted"``, boost cards under a
    creature ``"sea_rex boosts:peacasus,robopup"``, a chosen profile ``"sluggernaut exhausted
    profile:1"`` (C45). There a card may be of a later stage (R101).
    """

    play: list[str] = field(default_factory=list)
    hand: list[str] = field(default_factory=list)
    draw: list[str] = field(default_factory=list)
    discard: list[str] = field(default_factory=list)
    life: int = 3
    mindbugs: int = 0
    energy: int = 0


@dataclass(frozen=True)
class PlacedCard:
    """One card of a position: its instance number, where it lies and in which state.

    The zone is one of :data:`ZONES`, or ``"boost"`` for a card under the creature ``under``.
    """

    instance: int
    card_id: str
    player: int
    zone: str
    exhausted: bool = False
    profile: int | None = None
    under: int | None = None


@dataclass
class Position:
    """A whole position at the start of the active player's turn, in turn 1.

    ``unused`` has card ids and ``power_deck`` power card ids, both top first; the first three power
    cards are the display (R10).
    """

    alice: Side
    bob: Side
    active: int = ALICE
    after_mindbug: str = "turn"
    unused: list[str] = field(default_factory=list)
    power_deck: list[str] = field(default_factory=list)
    kot_parts: bool = False

    def cards(self) -> list[PlacedCard]:
        """List all cards in the order of their instance numbers."""
        placed: list[PlacedCard] = []
        boosts: list[tuple[str, int, int]] = []
        for player, side in enumerate((self.alice, self.bob)):
            for zone in ZONES:
                for text in getattr(side, zone):
                    words = _read_card_words(text, zone)
                    number = len(placed)
                    placed.append(
                        PlacedCard(
                            number, words.card_id, player, zone, words.exhausted, words.profile
                        )
                    )
                    boosts += [(boost, player, number) for boost in words.boosts]
        for card_id, player, under in boosts:
            placed.append(PlacedCard(len(placed), card_id, player, "boost", under=under))
        return placed


def board(
    alice: list[str], bob: list[str], *, alice_life: int = 3, bob_life: int = 3, active: int = ALICE
) -> Position:
    """Return a position of two play areas; each player holds the padding :data:`NEUTRAL`."""
    return Position(
        alice=Side(play=alice, hand=list(NEUTRAL), life=alice_life),
        bob=Side(play=bob, hand=list(NEUTRAL), life=bob_life),
        active=active,
    )


@dataclass
class _CardWords:
    """The words that describe one card of a position."""

    card_id: str
    exhausted: bool = False
    profile: int | None = None
    boosts: list[str] = field(default_factory=list)


def _read_card_words(text: str, zone: str) -> _CardWords:
    """Read ``"sea_rex exhausted boosts:peacasus,robopup"``; outside play just a card id."""
    card_id, *rest = text.split()
    words = _CardWords(card_id)
    for word in rest:
        name, _, value = word.partition(":")
        if zone == "play" and word == "exhausted":
            words.exhausted = True
        elif zone == "play" and name == "boosts" and value:
            words.boosts = value.split(",")
        elif zone == "play" and name == "profile" and value in ("0", "1"):
            words.profile = int(value)
        else:
            raise ValueError(
                f"{text!r} in {zone}: must be a card id, in play also 'ID exhausted', "
                "'ID boosts:ID,ID' and 'ID profile:0'"
            )
    return words


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
        """Why the game is over: life, no_action, effect (a win by a card), capped or looped."""

    def choose(self, option: Option) -> None:
        """Carry out one of the offered options."""

    def snapshot(self) -> dict[str, Any]:
        """Return the whole state."""


class Table:
    """A game that started from a position, played and read in words.

    Players are 0, 1, ``"alice"`` or ``"bob"``. A creature is named by the card id of its stage,
    where needed with its controller: ``"bob explosive_toad"``; a boost card like a creature of the
    same side. Of equal copies the lowest instance is meant.
    """

    def __init__(self, game: Game, position: Position) -> None:
        """Wrap ``game``, which some engine has set up from ``position``."""
        self.game = game
        self.position = position
        self._power_ids = list(POWER_CARDS)
        self.card_ids = [stage_one(card.card_id) for card in position.cards()] + position.unused

    # Deciding -------------------------------------------------------------------------------------

    def choose(self, *words: str) -> None:
        """Choose the option that these words name, such as ``"target bob explosive_toad"``.

        The words are the kind of option and then any of: the controller, the card id, the trigger
        word or mode number. They may come in several arguments.
        """
        offered = self._options_by_words()
        wanted = " ".join(words).split()
        joined = "_".join(wanted)
        if joined in ("attack_again", "no_hunt", "no_block", "reroll_both"):
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
        if kind == "pile":
            return f"pile {NAMES[rest[0]]}"
        if kind == "buy":
            return f"buy {self._power_ids[rest[0]]}"
        if not rest or kind in ("mode", "keyword", "reroll", "first"):
            return " ".join(str(part) for part in option)
        state = self.game.snapshot()
        parts = [self._card_words(part, state) if isinstance(part, int) else part for part in rest]
        return " ".join([kind, *parts])

    def _card_words(self, instance: int, state: dict[str, Any]) -> str:
        """Name a card by the player in one of whose zones it lies and its card id."""
        return f"{self._place(instance, state)} {self._name(instance, state)}"

    def _name(self, instance: int, state: dict[str, Any]) -> str:
        """The card id of a card; of a creature that of its present stage."""
        creature = state["creatures"].get(instance, {})
        return creature.get("face", self.card_ids[instance])

    def _place(self, instance: int, state: dict[str, Any]) -> str:
        """Name the player in one of whose zones, or under whose creature, a card lies."""
        for name, player in zip(NAMES, state["players"], strict=True):
            under = (state["creatures"][c].get("boosts", []) for c in player["play"])
            if any(instance in zone for zone in (*(player[z] for z in ZONES), *under)):
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

    def energy(self, player: int | str) -> int:
        """A player's energy cubes."""
        return self._player(player)["energy"]

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

    def set_aside(self) -> list[str]:
        """The card ids of the cards set aside (C53), sorted."""
        return sorted(self.card_ids[i] for i in self.game.snapshot()["set_aside"])

    def power_cards(self, zone: str) -> list[str]:
        """The power card ids of the ``display``, ``power_deck`` or ``power_discard``."""
        return [self._power_ids[p] for p in self.game.snapshot()[zone]]

    def boosts(self, creature: str) -> list[str]:
        """The card ids of the boost cards under a creature, sorted."""
        return sorted(self.card_ids[i] for i in self._creature(creature)["boosts"])

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
        state = self.game.snapshot()
        return sorted(self._name(i, state) for i in self._player(player)[zone])

    def _creature(self, words: str) -> dict[str, Any]:
        """Find one creature in play by ``"ID"`` or ``"CONTROLLER ID"``."""
        state = self.game.snapshot()
        in_play = [
            (name, instance, self._name(instance, state))
            for name, player in zip(NAMES, state["players"], strict=True)
            for instance in player["play"]
        ]
        wanted = set(words.split())
        fitting = [(who, i) for who, i, card_id in in_play if wanted <= {who, card_id}]
        if len({who for who, _ in fitting}) != 1:
            there = sorted(f"{who} {card_id}" for who, _, card_id in in_play)
            fault = "no creature fits" if not fitting else "several creatures fit"
            raise ValueError(f"{words!r}: {fault}; in play: {there}")
        return state["creatures"][min(instance for _, instance in fitting)]


def _names(wanted: list[str], offered: list[str]) -> bool:
    """Whether the wanted words name the offered option: same kind, the rest in any order."""
    return wanted[:1] == offered[:1] and set(wanted) <= set(offered)


def hidden_anew(rng: random.Random, position: Position, deck: list[str]) -> Position:
    """The same position for the active player, with other cards where they see none (R4).

    The opponent's hand, both draw piles and the unused pile hold any cards of ``deck``, and the
    power cards below those shown lie in another order.
    """
    other = deepcopy(position)
    sides = (other.alice, other.bob)
    mine, theirs = sides[other.active], sides[1 - other.active]
    for pile in (theirs.hand, theirs.draw, mine.draw, other.unused):
        pile[:] = rng.choices(deck, k=len(pile))
    below = other.power_deck[3:]
    rng.shuffle(below)
    other.power_deck[3:] = below
    return other
