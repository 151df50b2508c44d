"""What a pool has beyond plain creatures: evolution lines, Actions, boosts, dice, power cards.

`ExpansionFeatures` says which of these a pool has, by what its cards say and never by their names.
A report has a section only for those that the pool has.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from card_data.mindbug.schema import Card, ConstantAbility, Instruction, Pool, PowerCard
from card_data.mindbug.vocabulary import Effect, Rule, Trigger


@dataclass(frozen=True)
class ExpansionFeatures:
    """The expansion features of a pool, and how its cards are numbered in the records."""

    pool: Pool

    @cached_property
    def cards(self) -> list[tuple[str, Card]]:
        """Set id and card of each row of the card table."""
        return [(card_set.set_id, card) for card_set in self.pool.sets for card in card_set.cards]

    @cached_property
    def set_of_card(self) -> np.ndarray:
        """Number of the set of each card, shape (n_cards,)."""
        numbers = {card_set.set_id: number for number, card_set in enumerate(self.pool.sets)}
        return np.array([numbers[set_id] for set_id, _ in self.cards], np.int64)

    @cached_property
    def lines(self) -> list[int]:
        """The rows of the cards with which an evolution line begins (R101)."""
        return [
            row
            for row, (_, card) in enumerate(self.cards)
            if card.evolves_to is not None and card.stage == 1
        ]

    def stages(self, line: int) -> list[str]:
        """The names of the stages of a line, in order; ``line`` is one of `lines`."""
        set_id, card = self.cards[line]
        by_id = {other.card_id: other for of_set, other in self.cards if of_set == set_id}
        names = [card.name]
        while card.evolves_to is not None:
            card = by_id[card.evolves_to]
            names.append(card.name)
        return names

    @cached_property
    def power_cards(self) -> list[tuple[str, PowerCard]]:
        """Set id and card of each different power card; none in a pool without them."""
        if not self.pool.modes.kot_parts:
            return []
        return [(s.set_id, card) for s in self.pool.sets for card in s.power_cards]

    @cached_property
    def power_card_copies(self) -> list[int]:
        """The row of `power_cards` of each copy, by its bit in ``power_bought``."""
        return [row for row, (_, card) in enumerate(self.power_cards) for _ in range(card.copies)]

    @cached_property
    def quantities(self) -> tuple[str, ...]:
        """Those of `selections.PER_GAME` that the pool has."""
        parts = self.pool.modes.kot_parts
        effects = {
            instruction.effect for _, card in self.cards for instruction in _instructions(card)
        }
        effects |= {i.effect for _, card in self.power_cards for i in _nested(card.bought)}
        has = {
            "actions": any(a.trigger is Trigger.ACTION for _, c in self.cards for a in c.triggered),
            "boosted": Effect.BOOST in effects,
            "dice": parts and any(card.dice > 0 or _adds_dice(card) for _, card in self.cards),
            "energy": parts,
            "power_bought": bool(self.power_cards),
        }
        return tuple(name for name, present in has.items() if present)


def _instructions(card: Card) -> Iterator[Instruction]:
    """Every instruction of a card, those inside others included."""
    for ability in card.triggered:
        yield from _nested(ability.instructions)
    for constant in card.constant:
        yield from _nested(constant.instructions)


def _nested(instructions: tuple[Instruction, ...]) -> Iterator[Instruction]:
    """Instructions and those inside them."""
    for instruction in instructions:
        yield instruction
        yield from _nested(instruction.modes)
        if isinstance(instruction.rule, ConstantAbility):
            yield from _nested(instruction.rule.instructions)


def _adds_dice(card: Card) -> bool:
    return any(ability.rule is Rule.MORE_DICE for ability in card.constant)
