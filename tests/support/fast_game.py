"""The fast engine with the interface of the reference engine, so that one test can drive both."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from card_data import load_sets
from card_data.vocabulary import Trigger
from simcore.mindbug import CardTable, Game, compile_cards
from simcore.mindbug import Option as FastOption
from support.positions import ZONES, Decision, Option, Position, Side
from support.reference_game import START_LIFE, START_MINDBUGS

HAND_SIZE = 5

DATA = Path(__file__).parent.parent / "data"

#: The sets that positions may use: the shipped one, and cards written for the tests.
SETS = ("first_contact", str(DATA / "new_servants_part.toml"), str(DATA / "test_cards.toml"))


@cache
def card_table(
    after_mindbug: str = "turn",
    turn_cap: int = 500,
    effect_cap: int = 2000,
    sets: tuple[str, ...] = SETS,
) -> CardTable:
    """The compiled cards of ``sets``, compiled once for each kind of game."""
    return compile_cards(
        load_sets(sets), after_mindbug=after_mindbug, turn_cap=turn_cap, effect_cap=effect_cap
    )


class FastGame:
    """A ``simcore.mindbug.Game`` that speaks like a ``ReferenceGame``."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.decision: Decision | None = None
        self._read_decision()

    @classmethod
    def from_position(
        cls, position: Position, *, table: CardTable | None = None, seed: int = 0
    ) -> FastGame:
        """Start at the turn action of a position; see ``ReferenceGame.from_position``."""
        if table is None:
            table = card_table(position.after_mindbug)
        placed = position.cards()
        zones: list[dict[str, list[str]]] = [{zone: [] for zone in ZONES} for _ in range(2)]
        for card in placed:
            zones[card.player][card.zone].append(card.card_id)
        sides = (position.alice, position.bob)
        game = Game.from_position(
            table,
            zones,
            active=position.active,
            life=(sides[0].life, sides[1].life),
            mindbugs=(sides[0].mindbugs, sides[1].mindbugs),
            exhausted=[card.instance for card in placed if card.exhausted],
            seed=seed,
        )
        return cls(game)

    @classmethod
    def from_deal(
        cls,
        decks: Sequence[list[str]],
        first_player: int,
        *,
        after_mindbug: str = "turn",
        **more: Any,
    ) -> FastGame:
        """Start a game from each player's ten cards in the order they are drawn (R8, R9)."""
        alice, bob = (
            Side(
                hand=deck[:HAND_SIZE],
                draw=deck[HAND_SIZE:],
                life=START_LIFE,
                mindbugs=START_MINDBUGS,
            )
            for deck in decks
        )
        position = Position(alice, bob, active=first_player, after_mindbug=after_mindbug)
        return cls.from_position(position, **more)

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
        """Why the game is over, in the words of the reference engine."""
        return None if self.game.ending is None else self.game.ending.name.lower()

    def choose(self, option: Option) -> None:
        """Carry out one of the options of :attr:`decision`."""
        number = -1 if self.decision is None else self.decision.options.index(option)
        self.game.step(number)
        self._read_decision()

    def snapshot(self) -> dict[str, Any]:
        """The whole state as plain numbers, lists and dicts.

        What the fast engine does not know yet is as it always is in a game without it.
        """
        state = self.game.snapshot()
        for player in state["players"]:
            player["energy"] = 0
        for slot, creature in state["creatures"].items():
            creature |= {"face": self.game.card(slot).card_id, "boosts": []}
        empty = ("set_aside", "display", "power_deck", "power_discard")
        return state | {zone: [] for zone in empty}

    def _read_decision(self) -> None:
        """Write the present decision as the reference engine would."""
        self.decision = None
        if not self.game.over:
            options = [_as_tuple(option) for option in self.game.options]
            self.decision = Decision(f"D{self.game.decision.value}", self.game.decider, options)


def _as_tuple(option: FastOption) -> Option:
    """An option as the reference engine writes it: ``("block", 7)``."""
    if option.trigger is not None:
        return option.word, option.slot, Trigger(option.trigger).name.lower()
    return (option.word,) if option.slot < 0 else (option.word, option.slot)
