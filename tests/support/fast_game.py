"""The fast engine with the interface of the reference engine, so that one test can drive both."""

from functools import cache
from pathlib import Path
from typing import Any

from card_data.mindbug import load_sets
from simcore.mindbug import CardTable, Creature, Game, Side, compile_cards
from simcore.mindbug import Option as FastOption
from support.positions import Decision, Option, Position
from support.reference_cards import SETS as SHIPPED

DATA = Path(__file__).parent.parent / "data"

#: The sets that positions may use: the shipped ones, and cards written for the tests.
SETS = (*SHIPPED, str(DATA / "test_cards.toml"))


@cache
def card_table(
    after_mindbug: str = "turn",
    turn_cap: int = 500,
    effect_cap: int = 2000,
    sets: tuple[str, ...] = SETS,
    kot_parts: bool = False,
    at_turn_cap: str = "draw",
) -> CardTable:
    """The compiled cards of ``sets``, compiled once for each kind of game."""
    return compile_cards(
        load_sets(sets),
        after_mindbug=after_mindbug,
        turn_cap=turn_cap,
        effect_cap=effect_cap,
        kot_parts=kot_parts,
        at_turn_cap=at_turn_cap,
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
    ) -> "FastGame":
        """Start at the turn of a position; see ``ReferenceGame.from_position``."""
        if table is None:
            table = card_table(position.after_mindbug, kot_parts=position.kot_parts)
        numbers = {card.card_id: i for i, card in enumerate(table.power_cards)}
        game = Game.from_position(
            table,
            [_fast_side(position, player) for player in range(2)],
            active=position.active,
            unused=position.unused,
            power_deck=[numbers[card_id] for card_id in position.power_deck],
            seed=seed,
        )
        return cls(game)

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
        """The whole state as plain numbers, lists and dicts."""
        return self.game.snapshot()

    def _read_decision(self) -> None:
        """Write the present decision as the reference engine would."""
        self.decision = None
        if not self.game.over:
            options = [_as_tuple(option) for option in self.game.options]
            self.decision = Decision(f"D{self.game.decision.value}", self.game.decider, options)


def _fast_side(position: Position, player: int) -> Side:
    """What one player of a position has, as the fast engine takes it."""
    side = (position.alice, position.bob)[player]
    placed = position.cards()
    boosts: dict[int, list[str]] = {}
    for card in placed:
        if card.zone == "boost":
            assert card.under is not None
            boosts.setdefault(card.under, []).append(card.card_id)
    creatures = [
        Creature(card.card_id, card.exhausted, tuple(boosts.get(card.instance, ())), card.profile)
        for card in placed
        if (card.player, card.zone) == (player, "play")
    ]
    return Side(
        play=creatures,
        hand=side.hand,
        draw=side.draw,
        discard=side.discard,
        life=side.life,
        mindbugs=side.mindbugs,
        energy=side.energy,
    )


def _as_tuple(option: FastOption) -> Option:
    """An option as the reference engine writes it: ``("block", 7)``."""
    parts: list[Any] = [option.word]
    parts += [number for number in (option.slot, option.number) if number >= 0]
    if option.trigger is not None:
        parts.append(option.trigger.name.lower())
    if option.keyword is not None:
        parts.append(option.keyword.name)
    if option.other >= 0:
        parts.append(option.other)
    return tuple(parts)
