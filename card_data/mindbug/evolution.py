"""Evolution lines: which card becomes which, and at what stage each is (R101)."""

from collections.abc import Iterator
from functools import cached_property

from attrs import evolve

from card_data.faults import shown
from card_data.mindbug.schema import Card, ConstantAbility, Instruction
from card_data.mindbug.vocabulary import Effect, Rule

MAX_STAGE = 3


class Evolution:
    """The evolution lines among the cards of a set."""

    def __init__(self, cards: list[Card]) -> None:
        self._cards = {card.card_id: card for card in cards}
        self._before: dict[str, str] = {}
        for card in cards:
            if card.evolves_to is not None:
                self._before.setdefault(card.evolves_to, card.card_id)

    def problems(self) -> Iterator[tuple[str, str, str]]:
        """Card id and field at fault, and the problem."""
        for card_id, card in self._cards.items():
            before = self._before.get(card_id)
            if before is not None and card.copies != 0:
                yield card_id, "copies", f"{before} evolves into this card: copies has to be 0"
            elif before is None and card.copies == 0:
                problem = "0 is not a whole number from 1 to 20; 0 is for later stages"
                yield card_id, "copies", problem
            if problem := self._problem(card):
                yield card_id, "evolves_to", problem

    def _problem(self, card: Card) -> str:
        """What is wrong with the next stage of a card."""
        target = card.evolves_to
        if target is None:
            return ""
        if target not in self._cards:
            return f"there is no card {shown(target)} in this file"
        if self._before[target] != card.card_id:
            return f"{self._before[target]} evolves into {target} already"
        stage = self._stages.get(card.card_id, 0)
        if not stage:
            return "the stages go round in a circle"
        if stage == MAX_STAGE:
            return f"this card is stage {MAX_STAGE} already, the last one"
        return ""

    @cached_property
    def _stages(self) -> dict[str, int]:
        """The stage of every card whose line has a beginning, found along the lines."""
        stages = {}
        for first in self._cards.keys() - self._before.keys():
            card_id: str | None = first
            stage = 0
            while card_id in self._cards and card_id not in stages:
                stage += 1
                stages[card_id] = stage
                later = self._cards[card_id].evolves_to
                card_id = later if later and self._before[later] == card_id else None
        return stages

    def staged(self) -> list[Card]:
        """The cards with their stages."""
        return [
            evolve(card, stage=self._stages.get(card_id, 1))
            for card_id, card in self._cards.items()
        ]


def evolves(ability: Instruction | ConstantAbility) -> bool:
    """Whether an ability makes its own card evolve."""
    if isinstance(ability, ConstantAbility):
        return ability.rule is Rule.EVOLVE_INSTEAD
    return ability.effect is Effect.EVOLVE or any(map(evolves, ability.modes))
