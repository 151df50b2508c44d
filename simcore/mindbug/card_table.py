"""Cards as integers: ``compile_cards`` turns checked cards into one record for the kernels.

The record is an *argument* of the compiled engine: a new card or a changed number never recompiles
anything.  Descriptions, values and conditions are rows of their own small columns, so that
instructions and constant abilities share one reading of "enemy creatures with power <= 4".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from attrs import evolve, fields

from card_data.schema import (
    Card,
    Cards,
    CardSet,
    Condition,
    ConstantAbility,
    Creatures,
    Instruction,
    Value,
)
from card_data.vocabulary import (
    Choice,
    Effect,
    Keyword,
    Quantity,
    Rule,
    Side,
    Timing,
    Trigger,
    Zone,
)
from simcore.mindbug.greedy import card_worth
from simcore.mindbug.state import (
    CHANGES_POWER,
    COPIES_KEYWORDS,
    GIVES,
    GRANTS_KEYWORDS,
    HAS_TRIGGER,
    MAX_POOL,
    STOPS_ATTACKS,
    STOPS_BLOCKS,
    STOPS_BLOCKS_OF_THIS,
    STOPS_PLAY_EFFECTS,
    TIMED,
    VOLATILE,
)

MAX_CARDS = 1024
MAX_ROWS = 4096
N_TRIGGERS = len(Trigger)
#: Stands for an open upper bound: current power has no maximum.
NO_LIMIT = 32_767

_TRAIT_OF_RULE = {
    Rule.POWER: CHANGES_POWER,
    Rule.KEYWORDS: GRANTS_KEYWORDS,
    Rule.COPY_KEYWORDS: COPIES_KEYWORDS,
    Rule.CANNOT_ATTACK: STOPS_ATTACKS,
    Rule.CANNOT_BLOCK: STOPS_BLOCKS,
    Rule.CANNOT_BLOCK_THIS: STOPS_BLOCKS_OF_THIS,
    Rule.NO_PLAY_EFFECTS: STOPS_PLAY_EFFECTS,
}
_MODIFIERS = frozenset({Rule.POWER, Rule.KEYWORDS, Rule.COPY_KEYWORDS})

# Rows of the table.  A row number of -1 means "none".
CARD = np.dtype(
    [
        ("traits", np.uint64),  # bit t set for trait t of state.py
        ("power", np.uint16),
        ("worth", np.int16),  # points of greedy.card_worth
        ("program", np.int16, (N_TRIGGERS,)),  # (trigger) first instruction
        ("first_rule", np.uint16),
        ("end_power_rule", np.uint16),  # rules that change power come first
        ("end_rule", np.uint16),  # one past the last rule
    ],
    align=True,
)
GROUP = np.dtype(
    [
        ("allied", np.uint64),  # 1 if creatures of "you" are meant
        ("enemy", np.uint64),  # 1 if creatures of the opponent are meant
        ("other", np.int8),
        ("this", np.int8),
        ("filtered", np.int8),  # any of the filters below asks for something
        ("power_min", np.int16),
        ("power_max", np.int16),
        ("keywords", np.uint8),  # at least one of these; 0 asks for nothing
        ("extreme", np.int8),
    ],
    align=True,
)
INSTRUCTION = np.dtype(
    [
        ("effect", np.int8),
        ("player", np.int8),
        ("choice", np.int8),
        ("is_last", np.int8),
        ("count", np.int16),
        ("value", np.int16),
        ("condition", np.int16),
        ("group", GROUP),
    ],
    align=True,
)
RULE = np.dtype(
    [
        ("rule", np.int8),
        ("timing", np.int8),
        ("keywords", np.uint8),  # bit k for keyword k
        ("power", np.int16),
        ("condition", np.int16),
        ("group", GROUP),
    ],
    align=True,
)
VALUE = np.dtype(
    [
        ("quantity", np.int8),
        ("player", np.int8),
        ("number", np.int16),
        ("group", GROUP),
    ],
    align=True,
)
CONDITION = np.dtype(
    [("comparison", np.int8), ("left", np.int16), ("right", np.int16)],
    align=True,
)

#: Rows next to each other keep what one ability needs in one or two cache lines; columns of a power
#: of two would collide in the cache.
CARD_TABLE = np.dtype(
    [
        ("pool_size", np.int64),
        ("turn_cap", np.int64),
        ("effect_cap", np.int64),
        ("extra_action", np.int64),  # after_mindbug: 1 = action, 0 = turn
        ("cards", CARD, (MAX_CARDS,)),
        ("instructions", INSTRUCTION, (MAX_ROWS,)),
        ("rules", RULE, (MAX_ROWS,)),
        ("values", VALUE, (MAX_ROWS,)),
        ("conditions", CONDITION, (MAX_ROWS,)),
        ("pool", np.uint16, (MAX_POOL,)),  # card row of every copy in the pool
    ],
    align=True,
)


@dataclass(frozen=True)
class CardTable:
    """A compiled pool of cards.

    ``rows`` is an array (1,) of CARD_TABLE, the argument of every kernel that is called from
    Python: handing over the record itself costs a hundred times more.  ``cards[i]`` is the card of
    row i (the ``cards`` column of game records); ``set_ids[i]`` names its set.
    """

    rows: npt.NDArray[np.void]
    cards: tuple[Card, ...]
    set_ids: tuple[str, ...]

    @property
    def pool_size(self) -> int:
        """Number of cards in the pool, copies counted (R7)."""
        return int(self.rows[0]["pool_size"])


class _Compiler:
    """Fills one CARD_TABLE record; equal descriptions, values and conditions share a row."""

    def __init__(self, record: np.void) -> None:
        self.record = record
        self._row_of: dict[object, int] = {}
        self._used = dict.fromkeys(("instructions", "rules", "values", "conditions"), 0)

    def _add(self, rows: str, **fields: int | tuple[int, ...]) -> int:
        """Fill the next free row of ``rows``; its number."""
        row = self._used[rows]
        if row >= MAX_ROWS:
            raise ValueError(f"the cards need more than {MAX_ROWS} {rows}; use fewer cards")
        self._used[rows] += 1
        for name, value in fields.items():
            self.record[rows][name][row] = value
        return row

    def _value(self, value: Value | None) -> int:
        if value is None:
            return -1
        if value not in self._row_of:
            self._row_of[value] = self._add(
                "values",
                quantity=value.quantity,
                player=value.player,
                number=value.number,
                group=_group(value.creatures),
            )
        return self._row_of[value]

    def _condition(self, condition: Condition | None) -> int:
        if condition is None:
            return -1
        if condition not in self._row_of:
            self._row_of[condition] = self._add(
                "conditions",
                comparison=condition.comparison,
                left=self._value(condition.left),
                right=self._value(condition.right),
            )
        return self._row_of[condition]

    def _program(self, instructions: Sequence[Instruction]) -> int:
        """Rows of one triggered ability, one after another; the number of the first."""
        rows = [
            self._add(
                "instructions",
                effect=instruction.effect,
                player=instruction.player,
                choice=instruction.choice,
                is_last=number == len(instructions),
                count=instruction.count,
                group=_group(instruction.creatures),
                value=self._value(instruction.value),
                condition=self._condition(instruction.condition),
            )
            for number, instruction in enumerate(instructions, start=1)
        ]
        return rows[0]

    def _rule(self, ability: ConstantAbility) -> int:
        """Row of one constant ability; the traits that it gives its card, as bits."""
        self._add(
            "rules",
            rule=ability.rule,
            timing=ability.timing,
            keywords=_keyword_bits(ability.keywords),
            power=ability.power,
            group=_group(ability.creatures),
            condition=self._condition(ability.condition),
        )
        traits = 1 << _TRAIT_OF_RULE[ability.rule]
        if ability.rule not in _MODIFIERS:
            return traits
        if ability.rule == Rule.POWER and ability.keywords:
            traits |= 1 << GRANTS_KEYWORDS
        if ability.timing != Timing.ALWAYS:
            traits |= 1 << TIMED
        if _reads_more_than_creatures(ability.condition):
            traits |= 1 << VOLATILE
        return traits | _keyword_bits(ability.keywords) << GIVES

    def card(self, index: int, card: Card) -> None:
        """Compile one card into row ``index``."""
        row = self.record["cards"][index]
        traits = _keyword_bits(card.keywords)
        row["power"] = card.power
        row["worth"] = card_worth(card)
        row["program"] = -1
        for triggered in card.triggered:
            traits |= 1 << (HAS_TRIGGER + triggered.trigger)
            row["program"][triggered.trigger] = self._program(triggered.instructions)
        row["first_rule"] = row["end_power_rule"] = self._used["rules"]
        for constant in sorted(card.constant, key=lambda constant: constant.rule != Rule.POWER):
            traits |= self._rule(constant)
            row["end_power_rule"] += constant.rule == Rule.POWER
        row["end_rule"] = self._used["rules"]
        row["traits"] = traits


#: What the engine plays so far: the words of First Contact.
_PLAYABLE_TRIGGERS = frozenset({Trigger.PLAY, Trigger.ATTACK, Trigger.DEFEATED})
_PLAYABLE_INSTRUCTION = ("effect", "player", "creatures", "choice", "count", "value", "condition")
_PLAYABLE_RULE = ("rule", "creatures", "power", "keywords", "timing", "condition")
_PLAYABLE_CREATURES = ("side", "other", "this", "power_min", "power_max", "keywords", "extreme")


def why_unplayable(card_set: CardSet) -> str:
    """Why the engine cannot play a set yet, as a sentence; empty if it can."""
    for card in card_set.cards:
        if not _is_playable(card):
            return (
                f"{card_set.set_id}: the engine does not play {card.name!r} yet. Its text is read, "
                "checked and printed, but only the words of First Contact can be played so far."
            )
    return ""


def _is_playable(card: Card) -> bool:
    """Whether the engine knows every word of a card."""
    instructions = [i for ability in card.triggered for i in ability.instructions]
    return (
        card.dice == 0
        and card.evolves_to is None
        and card.stage == 1
        and all(ability.trigger in _PLAYABLE_TRIGGERS for ability in card.triggered)
        and all(_is_playable_instruction(instruction) for instruction in instructions)
        and all(
            rule.rule in _TRAIT_OF_RULE
            and _has_only(rule, _PLAYABLE_RULE)
            and _is_playable_group(rule.creatures)
            and _is_playable_condition(rule.condition)
            for rule in card.constant
        )
    )


def _is_playable_instruction(instruction: Instruction) -> bool:
    """Whether the engine performs an instruction."""
    known = evolve(instruction, cards=None)
    whole_pile = Cards(Zone.DISCARD_PILE, instruction.player)
    return (
        instruction.effect <= Effect.STEAL_RANDOM
        and _has_only(known, _PLAYABLE_INSTRUCTION)
        and instruction.cards in (None, whole_pile)
        and (instruction.creatures is not None or instruction.choice == Choice.EXACTLY)
        and (instruction.effect != Effect.PLAY_CARD or instruction.count == 1)
        and _is_playable_group(instruction.creatures)
        and _is_playable_condition(instruction.condition)
        and (instruction.value is None or _is_playable_value(instruction.value))
    )


def _is_playable_condition(condition: Condition | None) -> bool:
    """Whether the engine reads both sides of a condition."""
    return condition is None or (
        _is_playable_value(condition.left) and _is_playable_value(condition.right)
    )


def _is_playable_value(value: Value) -> bool:
    """Whether the engine reads a value."""
    return (
        value.quantity <= Quantity.CREATURES
        and (value.number == 0 or value.quantity == Quantity.NUMBER)
        and _is_playable_group(value.creatures)
    )


def _is_playable_group(creatures: Creatures | None) -> bool:
    """Whether the engine knows every filter of a description."""
    return creatures is None or _has_only(creatures, _PLAYABLE_CREATURES)


def _has_only(thing: Any, names: Sequence[str]) -> bool:
    """Whether every field of an object but the named ones has its default."""
    return all(
        getattr(thing, field.name) == field.default
        for field in fields(type(thing))
        if field.name not in names
    )


def _reads_more_than_creatures(condition: Condition | None) -> bool:
    """Whether a condition depends on life, Mindbugs or cards outside play."""
    if condition is None:
        return False
    values = condition.left, condition.right
    return any(v.quantity not in (Quantity.NUMBER, Quantity.CREATURES) for v in values)


def _group(creatures: Creatures | None) -> tuple[int, ...]:
    """A description as a GROUP row; all 0 for none."""
    if creatures is None:
        return (0,) * len(GROUP.names or ())
    filters = evolve(creatures, side=Side.ANY, other=False, this=False)
    return (
        creatures.side != Side.ENEMY,
        creatures.side != Side.ALLIED,
        creatures.other,
        creatures.this,
        filters != Creatures(),
        creatures.power_min,
        NO_LIMIT if creatures.power_max == Creatures().power_max else creatures.power_max,
        _keyword_bits(creatures.keywords),
        creatures.extreme,
    )


def _keyword_bits(keywords: frozenset[Keyword]) -> int:
    """Keyword set as bits, bit k for keyword k."""
    return sum(1 << keyword for keyword in keywords)


def compile_cards(
    sets: Sequence[CardSet],
    *,
    after_mindbug: str = "turn",
    turn_cap: int = 500,
    effect_cap: int = 2000,
) -> CardTable:
    """Compile card sets into the one table that the engine reads.

    Parameters
    ----------
    sets
        The sets of the pool, each card with its number of copies (R7).
    after_mindbug
        ``"turn"`` for a whole extra turn (R37) or ``"action"`` for one more turn action (R38).
    turn_cap, effect_cap
        Limits of R20.

    Raises
    ------
    ValueError
        If the pool has fewer than 20 cards (R7) or more than the table holds, a card has words
        that the engine does not play yet, or a mode has an unknown value.
    """
    pairs = [(card_set.set_id, card) for card_set in sets for card in card_set.cards]
    pool = [index for index, (_, card) in enumerate(pairs) for _ in range(card.copies)]
    names = ", ".join(card_set.set_id for card_set in sets)
    if len(pool) < 20:
        raise ValueError(
            f"{names}: the pool has {len(pool)} cards, copies counted; a game deals 20 (R8). "
            "Add cards or copies."
        )
    if len(pool) > MAX_POOL or len(pairs) > MAX_CARDS:
        raise ValueError(
            f"{names}: the pool has {len(pairs)} different cards and {len(pool)} in all; "
            f"at most {MAX_CARDS} and {MAX_POOL} fit"
        )
    for card_set in sets:
        if reason := why_unplayable(card_set):
            raise ValueError(reason)
    if after_mindbug not in ("turn", "action"):
        raise ValueError(f"after_mindbug is {after_mindbug!r}; it must be 'turn' or 'action'")
    for name, cap in (("turn_cap", turn_cap), ("effect_cap", effect_cap)):
        if not 1 <= cap <= 30_000:
            raise ValueError(f"{name} is {cap}; it must be 1 to 30000")
    rows = np.zeros(1, CARD_TABLE)
    record = rows[0]
    record["pool_size"] = len(pool)
    record["turn_cap"], record["effect_cap"] = turn_cap, effect_cap
    record["extra_action"] = after_mindbug == "action"
    record["pool"][: len(pool)] = pool
    compiler = _Compiler(record)
    for index, (_, card) in enumerate(pairs):
        compiler.card(index, card)
    return CardTable(rows, tuple(card for _, card in pairs), tuple(set_id for set_id, _ in pairs))
