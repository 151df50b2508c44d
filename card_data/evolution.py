"""Evolution lines: which card becomes which, and at what stage each is (R101)."""

from collections.abc import Iterator

from attrs import evolve

from card_data.faults import nearest
from card_data.schema import Card, ConstantAbility, Instruction
from card_data.vocabulary import Effect, Rule

MAX_STAGE = 3


class Evolution:
    """The evolution lines among the cards of a set."""

    def __init__(self, cards: list[Card]) -> None:
        self._cards = {card.card_id: card for card in cards}
        self._before: dict[str, str] = {}
        for card in cards:
            if card.evolves_to is not None:
                self._before.setdefault(card.evolves_to, card.card_id)

    def problems(self) -> Iterator[tuple[str, str, str, str]]:
        """Card id and field at fault, the problem, and the nearest right value."""
        for card_id, card in self._cards.items():
            before = self._before.get(card_id)
            if before is not None and card.copies != 0:
                yield card_id, "copies", f"{before} evolves into this card: copies has to be 0", ""
            elif before is None and card.copies == 0:
                problem = "0 is not a whole number from 1 to 20; 0 is for later stages"
                yield card_id, "copies", problem, ""
            if problem := self._problem(card):
                guess = nearest(card.evolves_to or "", self._cards.keys() - {card_id})
                yield (
                    card_id,
                    "evolves_to",
                    problem,
                    "" if card.evolves_to in self._cards else guess,
                )

    def _problem(self, card: Card) -> str:
        """What is wrong with the next stage of a card."""
        target = card.evolves_to
        if target is None:
            return ""
        if target not in self._cards:
            return f"there is no card {target!r} in this file"
        if self._before[target] != card.card_id:
            return f"{self._before[target]} evolves into {target} already"
        if not self._stage(card.card_id):
            return "the stages go round in a circle"
        if self._stage(card.card_id) == MAX_STAGE:
            return f"this card is stage {MAX_STAGE} already, the last one"
        return ""

    def _stage(self, card_id: str) -> int:
        """The stage of a card; 0 if its line has no beginning."""
        seen = {card_id}
        while card_id in self._before:
            card_id = self._before[card_id]
            if card_id in seen:
                return 0
            seen.add(card_id)
        return len(seen)

    def staged(self) -> list[Card]:
        """The cards with their stages."""
        return [
            evolve(card, stage=max(1, self._stage(card.card_id))) for card in self._cards.values()
        ]


def evolves(ability: Instruction | ConstantAbility) -> bool:
    """Whether an ability makes its own card evolve."""
    if isinstance(ability, ConstantAbility):
        return ability.rule is Rule.EVOLVE_INSTEAD
    return ability.effect is Effect.EVOLVE or any(map(evolves, ability.modes))
