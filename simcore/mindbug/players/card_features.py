"""What a network knows of a card: what it says, in numbers, never its name.

So a card that nobody has trained with is judged like any other.  Numbers are whole, in sixteenths.
"""

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from card_data.mindbug.schema import (
    Card,
    Cards,
    Condition,
    Conditions,
    ConstantAbility,
    Creatures,
    Instruction,
    Value,
    parts_of,
)
from card_data.mindbug.vocabulary import (
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
from simcore.arrays import Floats, Integers

#: What 1 is.
CARD_UNIT = 16
_POWERS = range(1, 11)  # the usual ones
_USUAL = (Trigger.PLAY, Trigger.ATTACK, Trigger.DEFEATED, Trigger.ACTION)
_TIMES = (*(t.name.lower() for t in _USUAL), "other")
#: Instructions that are bad for the player they name.
_LOSSES = frozenset(
    {Effect.LOSE_LIFE, Effect.DISCARD, Effect.DISCARD_RANDOM, Effect.DISCARD_WHOLE, Effect.LOSE}
)
_HARMFUL = frozenset({Effect.DEFEAT, Effect.RETURN_TO_HAND, Effect.SET_ASIDE})
_PREVENTING = frozenset({Rule.CANNOT_ATTACK, Rule.CANNOT_BLOCK})

_MOST_USUAL = _POWERS[-1]
#: What is known of the creatures and cards that an effect or a rule is about.
_ABOUT = ("allied", "any side", "itself", "power at most", "power at least", "otherwise narrowed")
_OF_EFFECTS = (
    *("count", "all", "up to", "highest or lowest", "you", "may", "if done", "condition"),
    *_ABOUT,
)
_OF_RULES = ("enemy", "your turn", "opponent's turn", "in discard", "amount", "condition", *_ABOUT)
_WHOSE = tuple(f"{player.name} {q.name}" for player in Player for q in Quantity)

#: What each number counts.
CARD_FEATURES = (
    "power",
    *(f"power from {power}" for power in _POWERS[1:]),
    *(k.name for k in Keyword),
    *(f"power with {k.name}" for k in Keyword),
    "SNEAKY and FRENZY",
    "dice",
    "stage 2",
    "stage 3",
    "evolves",
    *(f"{time}: {e.name}" for time in _TIMES for e in Effect),
    *(f"{time}: creatures it may affect" for time in _TIMES),
    *(f"itself: {r.name}" for r in Rule),
    *(f"others: {r.name}" for r in Rule),
    *(f"gives {k.name}" for k in Keyword),
    *(f"{e.name}: {part}" for e in Effect for part in _OF_EFFECTS),
    *(f"{r.name}: {part}" for r in Rule for part in _OF_RULES),
    *(f"if {what} {way}" for what in _WHOSE for way in ("at least", "at most")),
    *(f"per {what}" for what in _WHOSE),
)
_PLACE = {name: place for place, name in enumerate(CARD_FEATURES)}
N_CARD_FEATURES = len(CARD_FEATURES)


def describe_cards(cards: Sequence[Card]) -> Integers:
    """What networks know of cards, shape (len(cards), N_CARD_FEATURES), in ``CARD_UNIT``."""
    described = np.zeros((len(cards), N_CARD_FEATURES))
    for row, card in zip(described, cards, strict=True):
        _describe(row, card)
    return np.rint(described * CARD_UNIT).astype(np.int64)


def _describe(row: Floats, card: Card) -> None:
    """Fill the row of one card."""

    def add(name: str, amount: float) -> None:
        row[_PLACE[name]] += amount

    power = min(card.power, 16)
    add("power", power / 4)
    for least in _POWERS[1:]:
        add(f"power from {least}", power >= least)
    for keyword in card.keywords:
        add(keyword.name, 1.0)
        add(f"power with {keyword.name}", power / 4)
    add("SNEAKY and FRENZY", {Keyword.SNEAKY, Keyword.FRENZY} <= card.keywords)
    add("dice", card.dice)
    add("stage 2", card.stage == 2)
    add("stage 3", card.stage == 3)
    add("evolves", card.evolves_to is not None)
    for ability in card.triggered:
        time = ability.trigger.name.lower() if ability.trigger in _USUAL else "other"
        for instruction in ability.instructions:
            for part in instruction.modes or (instruction,):
                share = 1.0 / max(len(instruction.modes), 1)
                add(f"{time}: {part.effect.name}", share * _amount(part))
                if part.creatures is not None:
                    add(f"{time}: creatures it may affect", share * _breadth(part.creatures))
                for name, amount in _instruction_facts(part):
                    add(name, share * amount)
    for constant in card.constant:
        _add_constant(row, constant)
        for name, amount in _rule_facts(constant):
            add(name, amount)


def _instruction_facts(part: Instruction) -> Iterator[tuple[str, float]]:
    """What an instruction says besides its amount, whenever it is performed."""
    said = {
        "count": min(part.count, 4) / 2,
        "all": part.choice == Choice.ALL,
        "up to": part.choice == Choice.UP_TO,
        "you": part.player == Player.YOU,
        "may": part.may,
        "if done": part.if_done,
        **_about(part.creatures, part.cards),
    }
    if part.creatures is not None:
        said["highest or lowest"] = part.creatures.extreme != Extreme.NONE
    yield from _facts(part.effect.name, said, part.condition, part.per)


def _rule_facts(ability: ConstantAbility) -> Iterator[tuple[str, float]]:
    """What a constant ability says besides its amount."""
    creatures = ability.creatures
    said = {
        "enemy": creatures is not None and creatures.side == Side.ENEMY,
        "your turn": ability.timing == Timing.YOUR_TURN,
        "opponent's turn": ability.timing == Timing.OPPONENTS_TURN,
        "in discard": ability.in_discard,
        "amount": ability.amount / 2,
        **_about(creatures, ability.cards),
    }
    yield from _facts(ability.rule.name, said, ability.condition, ability.per)


def _facts(
    word: str,
    said: Mapping[str, float],
    condition: Condition | Conditions | None,
    per: Value | None,
) -> Iterator[tuple[str, float]]:
    """What is said of an effect or a rule, on what it depends, and what multiplies it."""
    for name, amount in said.items():
        yield f"{word}: {name}", amount
    for one in parts_of(condition):
        yield f"{word}: condition", 1.0
        more = one.comparison in (Comparison.AT_LEAST, Comparison.MORE)
        for value, other, way in ((one.left, one.right, more), (one.right, one.left, not more)):
            if value.quantity != Quantity.NUMBER:
                number = other.number if other.quantity == Quantity.NUMBER else 1
                name = f"if {value.player.name} {value.quantity.name}"
                yield f"{name} {'at least' if way else 'at most'}", 1 + min(number, 8) / 4
    if per is not None:
        yield f"per {per.player.name} {per.quantity.name}", 1.0


def _about(creatures: Creatures | None, cards: Cards | None) -> dict[str, float]:
    """What is known of the creatures or cards that are meant."""
    said: dict[str, float] = {}
    if creatures is not None:
        said["allied"] = creatures.side == Side.ALLIED
        said["any side"] = creatures.side == Side.ANY
        said["itself"] = creatures.this
        said["otherwise narrowed"] = sum(_narrowing(creatures))
    for meant in (creatures, cards):
        if meant is not None:
            said["power at most"] = max(_MOST_USUAL - meant.power_max, 0) / 4
            said["power at least"] = min(meant.power_min, _MOST_USUAL) / 4
    return said


def _amount(instruction: Instruction) -> float:
    """How much of its effect an instruction has, negative where it is bad for its player."""
    effect, creatures = instruction.effect, instruction.creatures
    amount = float(min(max(instruction.count, 1), 4))
    if effect in (Effect.DRAW_ALL, Effect.SET_LIFE):
        amount = 1.0
    if effect in _LOSSES and instruction.player == Player.YOU:
        amount = -amount
    if creatures is not None:
        amount *= _breadth(creatures)
        if effect in _HARMFUL:
            if creatures.side == Side.ALLIED or creatures.this:
                amount = -amount
            elif creatures.side == Side.ANY and instruction.choice == Choice.ALL:
                amount *= 0.25
    if instruction.choice == Choice.ALL and creatures is not None and not creatures.this:
        amount *= 2.0
    if instruction.condition is not None:
        amount *= 0.5
    if instruction.per is not None or instruction.die_from:
        amount *= 1.5
    return amount


def _breadth(creatures: Creatures) -> float:
    """Share of the usual powers that fit a description, less for what else it asks."""
    fitting = sum(creatures.power_min <= power <= creatures.power_max for power in _POWERS)
    share = max(fitting / len(_POWERS), 0.1)
    return share * 0.5 ** sum(_narrowing(creatures))


def _narrowing(creatures: Creatures) -> tuple[bool, ...]:
    """What else than power and side a description asks."""
    return (
        bool(creatures.keywords),
        creatures.no_keyword,
        creatures.boosted,
        creatures.has_blocked,
        creatures.weaker_than_this,
        creatures.within_of_this is not None,
        creatures.twin_side is not None,
    )


def _add_constant(row: Floats, ability: ConstantAbility) -> None:
    """Add one constant ability to a row, negative where it is bad for its player."""
    creatures = ability.creatures
    itself = creatures is None or creatures.this
    side = Side.ALLIED if creatures is None else creatures.side
    amount = 1.0 if creatures is None or itself else _breadth(creatures)
    amount *= 0.5 if ability.condition is not None else 1.0
    whose = -1.0 if side == Side.ENEMY else 1.0
    keywords = amount * (whose if ability.rule == Rule.KEYWORDS else 1.0)
    if ability.rule == Rule.POWER:
        keywords *= whose
        amount *= whose * ability.power / 4
    elif ability.rule in _PREVENTING:
        amount *= -whose
    elif ability.amount:
        amount *= ability.amount
    if ability.per is not None:
        amount *= 1.5
    row[_PLACE[f"{'itself' if itself else 'others'}: {ability.rule.name}"]] += amount
    for keyword in ability.keywords:
        row[_PLACE[f"gives {keyword.name}"]] += keywords
