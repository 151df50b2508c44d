"""Checked card objects: what a set of cards holds once its file has been read.

The objects are immutable and know nothing of files, arrays or the engine.  ``Creatures`` describes
a group of creatures, ``Instruction`` and ``ConstantAbility`` are the parsed lines of the card
language; rule numbers refer to ``docs/rules.md``.
"""

from attrs import frozen

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

#: Limits that the loader checks.  Powers are printed with at most two digits.
MIN_POWER, MAX_POWER = 1, 99
MAX_NUMBER = 99
MAX_COPIES = 20


@frozen
class Creatures:
    """A description of creatures in play, judged with current power and keywords (R45, R87).

    ``this`` means the source alone; everything else is then at its default.  ``keywords`` asks for
    at least one of the named keywords; empty asks for nothing.  A ``power_max`` of MAX_NUMBER is
    no limit, even for a creature whose current power is above it.
    """

    side: Side = Side.ANY
    other: bool = False
    this: bool = False
    power_min: int = 0
    power_max: int = MAX_NUMBER
    keywords: frozenset[Keyword] = frozenset()
    extreme: Extreme = Extreme.NONE


@frozen
class Value:
    """A number read off the table: life, Mindbugs, cards in a zone, creatures, or a constant.

    ``player`` matters for everything but NUMBER and CREATURES; ``creatures`` only for CREATURES;
    ``number`` only for NUMBER.
    """

    quantity: Quantity
    number: int = 0
    player: Player = Player.YOU
    creatures: Creatures | None = None


@frozen
class Condition:
    """``left comparison right``, looked at when the effect resolves (R59) or continuously (R84)."""

    left: Value
    comparison: Comparison
    right: Value


@frozen
class Instruction:
    """One instruction of a triggered ability; several are performed in order (R43).

    ``player`` is who loses, gains, discards or whose pile is used; ``creatures``, ``choice`` and
    ``count`` say whom DEFEAT and TAKE_CONTROL affect (``count`` is 0 with ALL, and ``this`` is
    ALL); ``count`` is also the number of life or cards; ``value`` is the new life total of
    SET_LIFE.  STEAL_RANDOM takes from the opponent's hand.  Other fields keep their default.
    """

    effect: Effect
    player: Player = Player.YOU
    creatures: Creatures | None = None
    choice: Choice = Choice.EXACTLY
    count: int = 1
    value: Value | None = None
    condition: Condition | None = None


@frozen
class TriggeredAbility:
    """A Play, Attack or Defeated ability: a trigger and its instructions (R52)."""

    trigger: Trigger
    instructions: tuple[Instruction, ...]


@frozen
class ConstantAbility:
    """A constant ability (R84): ``rule`` applied to ``creatures`` while the condition holds.

    ``power`` is the signed power modifier of POWER.  ``keywords`` are those given by POWER (may be
    empty) and KEYWORDS or copied by COPY_KEYWORDS (from enemy creatures, R89).  NO_PLAY_EFFECTS
    concerns the opponent's Play effects and needs no creatures (R90).
    """

    rule: Rule
    creatures: Creatures | None = None
    power: int = 0
    keywords: frozenset[Keyword] = frozenset()
    timing: Timing = Timing.ALWAYS
    condition: Condition | None = None


@frozen
class Card:
    """One creature card: its printed facts and abilities.  ``card_id`` is its key in the file."""

    card_id: str
    name: str
    power: int
    keywords: frozenset[Keyword] = frozenset()
    copies: int = 1
    triggered: tuple[TriggeredAbility, ...] = ()
    constant: tuple[ConstantAbility, ...] = ()


@frozen
class CardSet:
    """The cards of one file, sorted by ``card_id``, with the set's id and printed name."""

    set_id: str
    name: str
    cards: tuple[Card, ...]
