"""Cards made up at random from every word of the card language, with numbers as in real cards."""

from __future__ import annotations

import random

from card_data.schema import (
    MAX_NUMBER,
    Card,
    CardSet,
    Condition,
    ConstantAbility,
    Creatures,
    Instruction,
    TriggeredAbility,
    Value,
)
from card_data.vocabulary import (
    Choice,
    Comparison,
    Effect,
    Extreme,
    Keyword,
    Player,
    Quantity,
    Rule,
    Side,
    Timing,
    Trigger,
)

THIS = Creatures(this=True)

#: The words that the fast engine plays so far.
TRIGGERS = list(Trigger)[: Trigger.DEFEATED + 1]
EFFECTS = list(Effect)[: Effect.STEAL_RANDOM + 1]
RULES = list(Rule)[: Rule.NO_PLAY_EFFECTS + 1]
QUANTITIES = list(Quantity)[: Quantity.CREATURES + 1]


def random_set(rng: random.Random, n_cards: int = 24) -> CardSet:
    """A set of made-up cards, one copy of each."""
    cards = [_random_card(rng, f"card_{number:02}") for number in range(n_cards)]
    return CardSet("random", "Random", tuple(cards))


def _random_card(rng: random.Random, card_id: str) -> Card:
    triggers = [trigger for trigger in TRIGGERS if rng.random() < 0.35]
    constant = [_constant(rng) for _ in range(rng.choice((0, 0, 1, 1, 2)))]
    return Card(
        card_id=card_id,
        name=card_id,
        power=rng.randint(1, 9),
        keywords=frozenset(k for k in Keyword if rng.random() < 0.2),
        triggered=tuple(
            TriggeredAbility(t, tuple(_instruction(rng) for _ in range(rng.choice((1, 1, 2, 3)))))
            for t in triggers
        ),
        constant=tuple(constant),
    )


def _keywords(rng: random.Random) -> frozenset[Keyword]:
    return frozenset(rng.sample(list(Keyword), rng.choice((1, 1, 2))))


def _group(
    rng: random.Random,
    *,
    power: bool = True,
    keywords: bool = True,
    sides: tuple[Side, ...] = tuple(Side),
) -> Creatures:
    """A description; without ``power`` or ``keywords`` it has no such filter (R85)."""
    least, most = 0, MAX_NUMBER
    if power and rng.random() < 0.4:
        least, most = rng.choice(((0, rng.randint(1, 8)), (rng.randint(2, 9), MAX_NUMBER), (3, 6)))
    return Creatures(
        side=rng.choice(sides),
        other=rng.random() < 0.3,
        power_min=least,
        power_max=most,
        keywords=_keywords(rng) if keywords and rng.random() < 0.25 else frozenset(),
        extreme=rng.choice((Extreme.HIGHEST, Extreme.LOWEST))
        if power and rng.random() < 0.2
        else Extreme.NONE,
    )


def _value(rng: random.Random, **filters: bool) -> Value:
    quantity = rng.choice([*QUANTITIES, Quantity.CREATURES, Quantity.CREATURES])
    if quantity == Quantity.NUMBER:
        return Value(quantity, rng.randint(0, 4))
    if quantity == Quantity.CREATURES:
        return Value(quantity, creatures=_group(rng, **filters))
    return Value(quantity, player=rng.choice(list(Player)))


def _condition(rng: random.Random, chance: float, **filters: bool) -> Condition | None:
    if rng.random() >= chance:
        return None
    comparison = rng.choice(list(Comparison))
    return Condition(_value(rng, **filters), comparison, _value(rng, **filters))


def _instruction(rng: random.Random) -> Instruction:
    effect = rng.choice([*EFFECTS, Effect.DEFEAT, Effect.DEFEAT, Effect.TAKE_CONTROL])
    fields: dict[str, object] = {"condition": _condition(rng, 0.25)}
    if effect in (Effect.DEFEAT, Effect.TAKE_CONTROL):
        sides = tuple(Side) if effect == Effect.DEFEAT else (Side.ANY, Side.ENEMY)
        fields["creatures"] = THIS if rng.random() < 0.1 else _group(rng, sides=sides)
        choice = Choice.ALL if fields["creatures"] is THIS else rng.choice(list(Choice))
        fields |= {"choice": choice, "count": 0 if choice == Choice.ALL else rng.randint(1, 3)}
    elif effect in (Effect.STEAL_RANDOM, Effect.DISCARD):
        fields["count"] = rng.randint(1, 3)
    elif effect in (Effect.GAIN_LIFE, Effect.LOSE_LIFE):
        fields["count"] = rng.choice((1, 1, 2))
    elif effect == Effect.SET_LIFE:
        fields["value"] = _value(rng)
    if effect not in (Effect.DEFEAT, Effect.TAKE_CONTROL, Effect.STEAL_RANDOM):
        fields["player"] = rng.choice(list(Player))
    return Instruction(effect, **fields)


def _constant(rng: random.Random) -> ConstantAbility:
    rule = rng.choice(RULES)
    filters = {
        "power": rule != Rule.POWER,
        "keywords": rule not in (Rule.POWER, Rule.KEYWORDS, Rule.COPY_KEYWORDS),
    }
    fields: dict[str, object] = {
        "timing": rng.choice((Timing.ALWAYS, *Timing)),
        "condition": _condition(rng, 0.4, **filters),
    }
    if rule == Rule.COPY_KEYWORDS or (rule != Rule.NO_PLAY_EFFECTS and rng.random() < 0.3):
        fields["creatures"] = THIS
    elif rule != Rule.NO_PLAY_EFFECTS:
        fields["creatures"] = _group(rng, **filters)
    if rule == Rule.POWER:
        fields["power"] = rng.choice((-3, -2, -1, 1, 2, 3))
        fields["keywords"] = _keywords(rng) if rng.random() < 0.3 else frozenset()
    elif rule in (Rule.KEYWORDS, Rule.COPY_KEYWORDS):
        fields["keywords"] = _keywords(rng)
    return ConstantAbility(rule, **fields)
