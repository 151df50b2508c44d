"""The worth of cards in play by their printed faces, under a vector of weights.

Cards are judged by their features alone, so a card that nobody has seen before is judged like any
other.
"""

import numpy as np
import numpy.typing as npt

from card_data.mindbug.schema import Card, ConstantAbility, Instruction, TriggeredAbility
from card_data.mindbug.vocabulary import Choice, Effect, Keyword, Player, Rule, Side, Trigger
from simcore.mindbug.players.weights import Weights
from simcore.mindbug.table.weight_names import WEIGHTS

_NAMES = list(WEIGHTS)

#: Points that instructions usually move, for abilities as printed; the unit of all others is one.
_USUAL = {
    Effect.DEFEAT: 60.0,
    Effect.TAKE_CONTROL: 120.0,
    Effect.PLAY_CARD: 60.0,
    Effect.DRAW_ALL: 3.0,
    Effect.LOSE_LIFE: 80.0,
    Effect.SET_LIFE: 80.0,
    Effect.GIVE_CONTROL: -1.0,
    Effect.RETURN_TO_HAND: 30.0,
    Effect.SET_ASIDE: 30.0,
    Effect.DISCARD_WHOLE: 4.0,
    Effect.WIN: 300.0,
    Effect.LOSE: -300.0,
}
#: Instructions that are bad for the player they name.
_LOSSES = frozenset(
    {Effect.LOSE_LIFE, Effect.DISCARD, Effect.DISCARD_RANDOM, Effect.DISCARD_WHOLE, Effect.LOSE}
)
_PREVENTING = frozenset({Rule.CANNOT_ATTACK, Rule.CANNOT_BLOCK})


def worths(cards: list[Card] | tuple[Card, ...], weights: Weights) -> npt.NDArray[np.float32]:
    """What cards are worth in play by their printed faces, shape (len(cards),), in points.

    Play abilities count nothing here: they are judged on the table when the card is played.
    """
    judge = _Judge(weights)
    by_id = {card.card_id: card for card in cards}
    values = [judge.card(card) for card in cards]
    for i, card in enumerate(cards):
        if card.evolves_to in by_id:
            more = judge.card(by_id[card.evolves_to]) - judge.card(card)
            values[i] += judge.weight("creature.next_stage") * more
    return np.array(values, np.float32)


class _Judge:
    """Points of printed things under one vector of weights."""

    def __init__(self, weights: Weights) -> None:
        self._weights = dict(zip(_NAMES, map(float, weights), strict=True))

    def weight(self, name: str) -> float:
        """One weight by its name."""
        return self._weights[name]

    def card(self, card: Card) -> float:
        """Points of a card in play, by its own face."""
        weight = self.weight
        points = weight("creature.each") + weight("creature.power") * card.power
        points += weight("creature.power_squared") * card.power**2 / 10
        points += sum(weight(f"creature.{keyword.name.lower()}") for keyword in card.keywords)
        if Keyword.HUNTER in card.keywords:
            points += weight("creature.hunter_power") * card.power
        if Keyword.POISONOUS in card.keywords:
            points += weight("creature.poisonous_power") * card.power
        if {Keyword.SNEAKY, Keyword.FRENZY} <= card.keywords:
            points += weight("creature.sneaky_frenzy")
        points += weight("creature.die") * card.dice
        points += sum(self._ability(ability) for ability in card.triggered)
        return points + sum(self._constant(ability) for ability in card.constant)

    def _ability(self, ability: TriggeredAbility) -> float:
        if ability.trigger == Trigger.PLAY:
            return 0.0
        share = self.weight(f"ability.{ability.trigger.name.lower()}")
        return share * sum(self._instruction(part) for part in ability.instructions)

    def _instruction(self, instruction: Instruction) -> float:
        if instruction.modes:
            return max(self._instruction(mode) for mode in instruction.modes)
        effect = instruction.effect
        points = self.weight(f"effect.{effect.name.lower()}") * _USUAL.get(effect, 1.0)
        if effect not in (Effect.SET_LIFE, Effect.DRAW_ALL):
            points *= min(max(instruction.count, 1), 3)
        mine = instruction.player == Player.YOU
        if effect in _LOSSES and mine and effect != Effect.LOSE:
            points = -points
        if instruction.creatures is not None and effect in (Effect.DEFEAT, Effect.RETURN_TO_HAND):
            side = instruction.creatures.side
            if side == Side.ALLIED:
                points = -points
            elif side == Side.ANY and instruction.choice == Choice.ALL:
                points = points / 4
        if instruction.condition is not None:
            points *= self.weight("ability.conditional")
        return points

    def _constant(self, ability: ConstantAbility) -> float:
        points = self.weight(f"rule.{ability.rule.name.lower()}")
        side = ability.creatures.side if ability.creatures is not None else Side.ALLIED
        if ability.rule == Rule.POWER:
            points *= ability.power * (-1 if side == Side.ENEMY else 1)
        if ability.rule in _PREVENTING and side != Side.ENEMY:
            points = -points
        points += sum(
            self.weight(f"creature.{keyword.name.lower()}")
            * self.weight("ability.conditional")
            * (-1 if side == Side.ENEMY and ability.rule == Rule.KEYWORDS else 1)
            for keyword in ability.keywords
        )
        if ability.condition is not None:
            points *= self.weight("ability.conditional")
        return points
