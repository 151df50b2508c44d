"""Text made from abilities: the canonical line of a file, and what a card says.

Both are said by the phrase table.  ``rules_text`` never looks at a card file; two cards that do the
same read the same.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import zip_longest

from attrs import evolve

from card_data.mindbug import schema
from card_data.mindbug.language.phrases import fields_of, table
from card_data.mindbug.vocabulary import Quantity, Rule, Trigger
from card_data.phrases import CANONICAL, PRINTED, tidy

Ability = schema.TriggeredAbility | schema.ConstantAbility

#: Triggers that are no header but begin the sentence.
EVENTS = {
    Trigger.DISCARDED: "When this card is put into your discard pile, ",
    Trigger.END_OF_TURN: "At the end of each turn, ",
    Trigger.MINDBUG_USED: "When your opponent uses a Mindbug, ",
    Trigger.EXHAUSTED: "When this becomes exhausted, ",
}
TURN_ENDS = ("At the end of your opponent's turn, ", "At the end of your turn, ")
IN_DISCARD = "In your discard pile: "

#: How a text begins that does not tell "you" to do something.
_NO_ORDER = r"(?:your|you|this|the|creatures|enemy|other|if) "
_ORDER = re.compile(rf"(?:if [^,]*, )?(?:you may |(?!{_NO_ORDER}|if ))")


def format_line(ability: Ability) -> str:
    """The canonical line of the card language for an ability that such a line gave."""
    return _said(ability, CANONICAL)


def format_instructions(instructions: Iterable[schema.Instruction]) -> str:
    """The canonical line for the instructions of a triggered ability or a power card."""
    return _say("triggered", {"instructions": tuple(instructions)}, CANONICAL)


def format_ability(ability: Ability | tuple[schema.Instruction, ...]) -> str:
    """The canonical line for what a line of any field gave."""
    return format_instructions(ability) if isinstance(ability, tuple) else format_line(ability)


def printed_line(ability: Ability) -> str:
    """The line of the card language for an ability, as a card says it without its header."""
    return _sentence(_said(ability, PRINTED))


def rules_text(card: schema.Card | schema.PowerCard) -> list[str]:
    """The abilities of a card, one entry each: triggered, constant, in the discard pile."""
    if isinstance(card, schema.PowerCard):
        return [_sentence(_said(schema.TriggeredAbility(Trigger.PLAY, card.bought), PRINTED))]
    headers: dict[str, list[str]] = {}
    events, lying = [], []
    for ability in card.triggered:
        if ability.trigger is Trigger.LIFE_LOST:
            lying.append(IN_DISCARD + printed_line(ability))
        elif ability.trigger in EVENTS:
            events.append(_event(ability))
        else:
            text = printed_line(ability)
            headers.setdefault(text, []).append(ability.trigger.name.capitalize())
    in_play = [ability for ability in card.constant if not ability.in_discard]
    in_discard = [ability for ability in card.constant if ability.in_discard]
    return [
        *(f"{'/'.join(triggers)}: {text}" for text, triggers in headers.items()),
        *events,
        *_constants(in_play),
        *(IN_DISCARD + text for text in _constants(in_discard)),
        *lying,
    ]


def _event(ability: schema.TriggeredAbility) -> str:
    """An ability whose trigger begins the sentence."""
    event, instructions = EVENTS[ability.trigger], ability.instructions
    if ability.trigger is Trigger.END_OF_TURN and len(instructions) == 1:
        turn, *rest = [*schema.parts_of(instructions[0].condition), None]
        joined = instructions[0].condition
        if turn and turn.left.quantity is Quantity.MY_TURN and not getattr(joined, "any_of", False):
            event = TURN_ENDS[turn.right.number]
            kept: Sequence[schema.Condition] = tuple(filter(None, rest))
            left = schema.Conditions(tuple(kept)) if len(kept) > 1 else next(iter(kept), None)
            instructions = (evolve(instructions[0], condition=left),)
    said = _said(evolve(ability, instructions=instructions), PRINTED)
    return _sentence(event + said)


def _constants(abilities: Sequence[schema.ConstantAbility]) -> list[str]:
    """A sentence for each ability; creatures that can neither attack nor block share one."""
    texts: list[str] = []
    shared = None
    for ability, following in zip_longest(abilities, abilities[1:]):
        if ability is shared:
            continue
        both = ability.rule is Rule.CANNOT_ATTACK
        both = both and evolve(ability, rule=Rule.CANNOT_BLOCK) == following
        shared = following if both else None
        texts.append(_sentence(_said(ability, PRINTED, **({"also_block": True} if both else {}))))
    return texts


@lru_cache(maxsize=4096)
def _said(ability: Ability, register: int, **more: object) -> str:
    """An ability in words, without its header; who watches a game is told all at each move."""
    if isinstance(ability, schema.TriggeredAbility) and ability.trigger is not Trigger.LIFE_LOST:
        return _say("triggered", {"instructions": ability.instructions}, register)
    lying = isinstance(ability, schema.TriggeredAbility) or ability.in_discard
    category = "in_discard" if lying else "constant"
    return tidy(table().say(category, fields_of(ability, register) | more, register))


def _say(category: str, values: dict[str, tuple[schema.Instruction, ...]], register: int) -> str:
    fields = {
        name: tuple(fields_of(one, register) for one in several) for name, several in values.items()
    }
    return tidy(table().say(category, fields, register))


@lru_cache(maxsize=4096)
def _sentence(text: str) -> str:
    """A text as a sentence of good English."""
    text = re.sub(r'(?<=Attack: )(.+?)(?=")', lambda found: _addressed(found[1]), text)
    for pattern, by in _ENGLISH:
        text = re.sub(pattern, by, text)
    text = _addressed(text)
    return f"{text[0].upper()}{text[1:]}."


#: What no single phrase can know.
_ENGLISH = (
    (r"\bfewer( than \d+)?(?= (?:life|energy)\b)", r"less\1"),
    (r"\bas many(?= (?:life|energy)\b)", "as much"),
    (r"\bnumber(?= of energy\b)", "amount"),
    (r"(has [A-Z]+(?:, [A-Z]+)* and [A-Z]+)(?= while an enemy creature has it)", r"\1, each"),
    (
        r"((?:your opponent|they) (?:loses?|discards?|gains?) [^,;.]*for each of )your opponent's",
        r"\1their",
    ),
    (rf"\b(you may )(?={_NO_ORDER})", r"\1decide that "),
)


def _addressed(text: str) -> str:
    """A text that says "they" of an opponent just named, and "you" where another was told."""
    text = re.sub(
        r"(?i)\b((?:if|when) [^,.]*your opponent[^,.]*, )your opponent (\w+)s ", r"\1they \2 ", text
    )
    pieces = re.split(r"(, then (?!roll again)|\. If you do, )", text)
    said, told = pieces[0], bool(_ORDER.match(pieces[0]))
    for link, piece in zip(pieces[1::2], pieces[2::2], strict=True):
        order = not re.match(_NO_ORDER, piece)
        said += link + ("you " if link == ", then " and order and not told else "") + piece
        told = bool(_ORDER.match(piece))
    return said
