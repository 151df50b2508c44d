"""Checked card objects: what a set of cards holds once its file has been read.

The objects are immutable and know nothing of files, arrays or the engine.  ``Creatures`` describes
a group of creatures, ``Instruction`` and ``ConstantAbility`` are the parsed lines of the card
language; rule numbers refer to ``docs/rules.md``.  ``display.py`` says what a person sees of them.
"""

from attrs import frozen

from card_data.mindbug import vocabulary
from card_data.mindbug.modes import USUAL_MODES, Modes
from card_data.shown import Shown

#: Limits that the loader checks.  Powers are printed with at most two digits.
MIN_POWER, MAX_POWER = 1, 99
MAX_NUMBER = 99
MAX_COPIES = 20
MAX_DICE = 2
MAX_COST = 99
#: Different cards of a pool, and of a file: as many as the engine can play.
MAX_CARDS = 1_000


@frozen
class Creatures:
    """A description of creatures in play, judged with current power and keywords (R45, R87).

    ``this`` means the source alone; everything else is then at its default.  ``keywords`` asks for
    at least one of the named keywords; empty asks for nothing.  A ``power_max`` of MAX_NUMBER is
    no limit, even for a creature whose current power is above it.

    ``weaker_than_this`` and ``within_of_this`` (a difference of at most so much, None asks for
    nothing) compare with the power of the source; ``twin_side`` asks for the same power as another
    creature of that side, seen from "you" (C25); ``equal_power`` asks that the chosen creatures
    have equal power among themselves (C31); ``named_keyword`` is the one named by the instruction
    before (C35); ``has_blocked`` is true of creatures that blocked this turn (C47, C57).
    """

    side: vocabulary.Side = vocabulary.Side.ANY
    other: bool = False
    this: bool = False
    power_min: int = 0
    power_max: int = MAX_NUMBER
    keywords: frozenset[vocabulary.Keyword] = frozenset()
    extreme: vocabulary.Extreme = vocabulary.Extreme.NONE
    no_keyword: bool = False
    boosted: bool = False
    named_keyword: bool = False
    has_blocked: bool = False
    weaker_than_this: bool = False
    within_of_this: int | None = None
    twin_side: vocabulary.Side | None = None
    equal_power: bool = False


@frozen
class Cards:
    """A description of cards outside play, judged with printed values (R6).

    ``player`` says whose hand or pile (it does not matter for EITHER_DISCARD_PILE, UNUSED_PILE and
    BOOSTS_OF_THIS); ``ability`` asks for a card with such an ability (C42).
    """

    zone: vocabulary.Zone
    player: vocabulary.Player = vocabulary.Player.YOU
    power_min: int = 0
    power_max: int = MAX_NUMBER
    ability: vocabulary.Trigger | None = None


@frozen
class Value:
    """A number read off the table: life, Mindbugs, cards in a zone, creatures, or a constant.

    ``player`` matters for a quantity that belongs to a player; ``creatures`` only for CREATURES;
    ``number`` is the constant itself for NUMBER and is added to every other quantity.
    """

    quantity: vocabulary.Quantity
    number: int = 0
    player: vocabulary.Player = vocabulary.Player.YOU
    creatures: Creatures | None = None


@frozen
class Condition:
    """``left comparison right``, looked at when the effect resolves (R59) or continuously (R84)."""

    left: Value
    comparison: vocabulary.Comparison
    right: Value


@frozen
class Conditions:
    """Several conditions of which all have to hold, or with ``any_of`` at least one."""

    parts: tuple[Condition, ...]
    any_of: bool = False


def parts_of(condition: Condition | Conditions | None) -> tuple[Condition, ...]:
    """The single conditions that something depends on."""
    if isinstance(condition, Conditions):
        return condition.parts
    return () if condition is None else (condition,)


@frozen
class Instruction:
    """One instruction of a triggered ability; several are performed in order (R43).

    ``player`` is who loses, gains, discards or whose pile is used; ``creatures``, ``choice`` and
    ``count`` say which creatures are affected (``count`` is 0 with ALL, and ``this`` is ALL);
    ``count`` is also the number of life, cards or energy; ``value`` is the new life total of
    SET_LIFE, which with ``as_loss`` only takes what is above it, as a loss (C8).  STEAL_RANDOM
    takes from the opponent's hand.  Other fields keep their default.

    ``condition`` is looked at when the instruction's turn has come (R59); ``may`` asks the player
    first (R47); ``if_done`` performs it only if the instruction before was carried out (R48).
    ``per`` multiplies the count by a value (R51, C49), or repeats an instruction that picks
    creatures.  ``die_from`` (2 to 6, 0 = not at all) repeats it as often as a die shows at least
    that number (C55).

    By effect: ``cards`` describes the cards of PLAY_CARD, DRAW_CARDS and DISCARD_WHOLE (a hand or a
    draw pile; None for both at once, R33); PLAY_CARD and DRAW_CARDS with UP_TO and a count of
    MAX_NUMBER take any number; ``without_play_effects`` belongs to PLAY_CARD.  BOOST puts up to
    ``count`` cards under ``creatures``: ``this``, one creature (EXACTLY) or one for each card
    (ALL).  DISCARD with UP_TO may stop early.  TAKE_GIVEN_CARD: the opponent gives a card, which is
    played, or with ``or_keep`` played or kept (C15).  THIS_TURN makes ``rule`` hold until the end
    of the turn: for a group whoever fits at each moment, for ``this`` or chosen ``creatures`` those
    (R26); the creatures stand in the instruction if they are chosen, else in the rule.  BECOME
    replaces printed power and keywords by ``count`` and ``keywords`` (C45).  CHOOSE_ONE performs
    one of ``modes`` (D12).
    """

    effect: vocabulary.Effect
    player: vocabulary.Player = vocabulary.Player.YOU
    creatures: Creatures | None = None
    choice: vocabulary.Choice = vocabulary.Choice.EXACTLY
    count: int = 1
    value: Value | None = None
    as_loss: bool = False
    condition: Condition | Conditions | None = None
    may: bool = False
    if_done: bool = False
    per: Value | None = None
    die_from: int = 0
    cards: Cards | None = None
    without_play_effects: bool = False
    or_keep: bool = False
    rule: "ConstantAbility | None" = None
    keywords: frozenset[vocabulary.Keyword] = frozenset()
    modes: "tuple[Instruction, ...]" = ()


@frozen
class TriggeredAbility:
    """A trigger and its instructions (R52).

    A LIFE_LOST ability works while its card lies in a discard pile (R106), a DISCARDED ability as
    the card gets there (R107), every other one while its card is in play.
    """

    trigger: vocabulary.Trigger
    instructions: tuple[Instruction, ...]


@frozen
class ConstantAbility:
    """A constant ability (R84): ``rule`` applied to ``creatures`` while the condition holds.

    ``power`` is the signed power modifier of POWER.  ``keywords`` are those given by POWER (may be
    empty) and KEYWORDS or copied by COPY_KEYWORDS (from enemy creatures, R89).  NO_PLAY_EFFECTS
    concerns the opponent's Play effects and needs no creatures (R90).

    ``in_discard`` abilities work while their card lies in a discard pile, for the player whose pile
    it is (R106), all others while it is in play.  ``per`` multiplies ``power``.  ``amount`` is the
    number of MORE_LIFE_LOSS (the opponent's, R91), MORE_DICE (of ``creatures``) and MORE_REROLLS
    (yours).  ``creatures`` of CANNOT_BLOCK_THIS, ONLY_BLOCK_THIS, CANNOT_HUNT and MUST_HUNT_THIS
    are the enemies of this creature that are meant.  ``instructions`` is the Attack effect that
    HAVE_ATTACK gives to ``creatures`` (C60).  ``cards`` are those of the opponent's hand that
    CANNOT_PLAY means (C48).  NO_LIFE_LOSS protects you (C52), NO_CARDS_TO_HAND binds the opponent
    (C44), NO_MINDBUGS both players (C46).
    """

    rule: vocabulary.Rule
    creatures: Creatures | None = None
    power: int = 0
    keywords: frozenset[vocabulary.Keyword] = frozenset()
    timing: vocabulary.Timing = vocabulary.Timing.ALWAYS
    condition: Condition | Conditions | None = None
    in_discard: bool = False
    per: Value | None = None
    amount: int = 0
    instructions: tuple[Instruction, ...] = ()
    cards: Cards | None = None


@frozen
class Card(Shown):
    """One creature card: its printed facts and abilities.  ``card_id`` is its key in the file.

    ``dice`` are its dice symbols (R113).  ``evolves_to`` is the id of its next stage (R101), a card
    of the same set with ``copies`` 0; ``stage`` is 1, 2 or 3.
    """

    card_id: str
    name: str
    power: int
    keywords: frozenset[vocabulary.Keyword] = frozenset()
    copies: int = 1
    triggered: tuple[TriggeredAbility, ...] = ()
    constant: tuple[ConstantAbility, ...] = ()
    dice: int = 0
    evolves_to: str | None = None
    stage: int = 1


@frozen
class PowerCard(Shown):
    """One power card of King of Tokyo: its price in energy and its effect (R109-R112)."""

    card_id: str
    name: str
    cost: int
    bought: tuple[Instruction, ...]
    copies: int = 1


@frozen
class CardSet(Shown):
    """The cards of one file, sorted by ``card_id``, with the set's id and printed name.

    A set with power cards brings dice, energy and power cards with it (``kot_parts``), and asks for
    an extra turn action after a Mindbug instead of an extra turn (``after_mindbug``).
    """

    set_id: str
    name: str
    cards: tuple[Card, ...]
    power_cards: tuple[PowerCard, ...] = ()

    __repr__ = Shown.__str__

    @property
    def all_cards(self) -> tuple[Card | PowerCard, ...]:
        """Creatures and power cards."""
        return (*self.cards, *self.power_cards)


@frozen
class Pool(Shown):
    """Everything that one game is played with: the sets with their copies, and the modes (R7)."""

    sets: tuple[CardSet, ...]
    modes: Modes = USUAL_MODES

    __repr__ = Shown.__str__
