"""Text for reading, made from abilities: what a card says, in words of our own.

``rules_text`` never looks at a card file; two cards that do the same read the same.
"""

import re
from collections.abc import Callable, Iterable

from attrs import evolve

from card_data.mindbug.language import rules_phrases as words
from card_data.mindbug.language.effect_words import say, word_for
from card_data.mindbug.language.line_formatter import listing
from card_data.mindbug.schema import (
    Card,
    Condition,
    Conditions,
    ConstantAbility,
    Instruction,
    PowerCard,
    TriggeredAbility,
    parts_of,
)
from card_data.mindbug.vocabulary import (
    Choice,
    Effect,
    Player,
    Quantity,
    Rule,
    Side,
    Timing,
    Trigger,
    Zone,
)

_TIMING = {
    Timing.ALWAYS: "",
    Timing.YOUR_TURN: "during your turn, ",
    Timing.OPPONENTS_TURN: "during your opponent's turn, ",
}

#: Triggers that are no header but begin the sentence.
_EVENT = {
    Trigger.DISCARDED: "when this card is put into your discard pile, ",
    Trigger.END_OF_TURN: "at the end of each turn, ",
    Trigger.MINDBUG_USED: "when your opponent uses a Mindbug, ",
    Trigger.LIFE_LOST: "when you lose life, ",
    Trigger.EXHAUSTED: "when this becomes exhausted, ",
}
_IN_DISCARD = "In your discard pile: "


def rules_text(card: Card | PowerCard) -> list[str]:
    """The abilities of a card, one entry each: triggered, constant, in the discard pile."""
    if isinstance(card, PowerCard):
        return [_sentence(_instructions(card.bought))]
    headers: dict[str, list[str]] = {}
    events, lying = [], []
    for ability in card.triggered:
        if ability.trigger is Trigger.LIFE_LOST:
            lying.append(_IN_DISCARD + _event(ability))
        elif ability.trigger in _EVENT:
            events.append(_event(ability))
        else:
            text = _sentence(_instructions(ability.instructions))
            headers.setdefault(text, []).append(ability.trigger.name.capitalize())
    in_play = [ability for ability in card.constant if not ability.in_discard]
    in_discard = [ability for ability in card.constant if ability.in_discard]
    return [
        *(f"{'/'.join(triggers)}: {text}" for text, triggers in headers.items()),
        *events,
        *_constants(in_play),
        *(_IN_DISCARD + text for text in _constants(in_discard)),
        *lying,
    ]


def _event(ability: TriggeredAbility) -> str:
    """An ability whose trigger begins the sentence."""
    event, instructions = _EVENT[ability.trigger], ability.instructions
    if ability.trigger is Trigger.END_OF_TURN and len(instructions) == 1:
        turn, rest = _turn_and_rest(instructions[0].condition)
        if turn is not None:
            whose = words.WHOSE[Player.YOU if turn.right.number else Player.OPPONENT]
            event = f"at the end of {whose} turn, "
            instructions = (evolve(instructions[0], condition=rest),)
    return _sentence(event + _instructions(instructions, event))


def _turn_and_rest(
    asked: Condition | Conditions | None,
) -> tuple[Condition | None, Condition | Conditions | None]:
    """Whose turn it has to be, if that is asked for in any case, and what else has to hold."""
    parts = parts_of(asked)
    turns = [part for part in parts if part.left.quantity is Quantity.MY_TURN]
    if len(turns) != 1 or (isinstance(asked, Conditions) and asked.any_of):
        return None, asked
    rest = tuple(part for part in parts if part not in turns)
    return turns[0], Conditions(rest) if len(rest) > 1 else next(iter(rest), None)


def _constants(abilities: list[ConstantAbility]) -> list[str]:
    """A sentence for each ability; creatures that can neither attack nor block share one."""
    neither = [
        ability
        for ability in abilities
        if ability.rule is Rule.CANNOT_ATTACK and _no_block(ability) in abilities
    ]
    shared = list(map(_no_block, neither))
    texts = []
    for ability in abilities:
        if ability in neither:
            texts.append(f"{_constant(ability)[:-1]} or block.")
        elif ability not in shared:
            texts.append(_constant(ability))
    return texts


def _no_block(ability: ConstantAbility) -> ConstantAbility:
    """The same ability about blocking."""
    return evolve(ability, rule=Rule.CANNOT_BLOCK)


def _constant(ability: ConstantAbility) -> str:
    proviso = f"while {words.condition(ability.condition)}, " if ability.condition else ""
    return _sentence(_TIMING[ability.timing] + proviso + _rule(ability))


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


# ---------------------------------------------------------------- instructions


def _instructions(instructions: Iterable[Instruction], before: str = "") -> str:
    """Instructions as one or more sentences; ``before`` is what stands before them."""
    text, addresses_you = "", True
    for instruction in instructions:
        new = _they(_instruction(instruction), before if not text else "")
        if not text:
            text = new
        elif instruction.if_done:
            text += f". If you do, {new}"
        else:
            text += f", then {'' if addresses_you or not _is_order(new) else 'you '}{new}"
        addresses_you = instruction.may or _is_order(_effect(instruction))
    return text


def _instruction(instruction: Instruction) -> str:
    effect = _effect(instruction)
    if instruction.may:
        decide = "" if _is_order(effect) else "decide that "
        effect = f"you may {decide}{effect}"
    elif instruction.die_from:
        least = instruction.die_from
        number = f"{least} or more" if least < 6 else f"a {least}"
        effect = f"roll a die; on {number}, {effect}, then roll again"
    if instruction.condition is None:
        return effect
    proviso = f"if {words.condition(instruction.condition)}, "
    return proviso + _they(effect, proviso)


#: How a text begins that does not tell "you" to do something.
_NO_ORDER = ("your ", "you ", "this ", "the ", "creatures ", "enemy ", "other ", "if ")


def _is_order(text: str) -> bool:
    return not text.startswith(_NO_ORDER)


def _they(text: str, before: str) -> str:
    """A text about "your opponent", who has just been named."""
    if words.WHO[Player.OPPONENT] not in before:
        return text
    return re.sub(r"^your opponent (\w+)s ", r"they \1 ", text)


def _effect(instruction: Instruction) -> str:
    word = word_for(instruction)
    if word is None:
        return _MORE_EFFECTS[instruction.effect](instruction)
    return say(word.text, instruction, TEXT_PARTS)


def _discard_whole(instruction: Instruction) -> str:
    whole = {Zone.HAND: "hand", Zone.DRAW_PILE: "draw pile"}
    what = whole[instruction.cards.zone] if instruction.cards else "hand and draw pile"
    theirs = instruction.player is Player.OPPONENT
    return f"{'your opponent discards their' if theirs else 'discard your'} {what}"


def _them(instruction: Instruction) -> str:
    return "it" if instruction.count == 1 else "them"


def _their_hand(instruction: Instruction) -> str:
    """The hand that creatures return to."""
    creatures = instruction.creatures
    assert creatures is not None
    hand = {Side.ALLIED: "your hand", Side.ENEMY: "your opponent's hand"}.get(creatures.side)
    many = instruction.count > 1
    return hand or ("their controllers' hands" if many else "its controller's hand")


def _this_turn(instruction: Instruction) -> str:
    ability = instruction.rule
    assert ability is not None
    if instruction.creatures is None:
        return f"{_rule(ability)} this turn"
    if instruction.creatures.this:
        return f"{_rule(ability, 'this', many=False)} this turn"
    many = instruction.count > 1
    text = _rule(ability, "they" if many else "it", many=many)
    return f"choose {words.targets(instruction)}; {text} this turn"


def _become(instruction: Instruction) -> str:
    keywords = listing(words.names(instruction.keywords))
    having = f"with {keywords}" if keywords else "without keywords"
    return f"this becomes a creature of power {instruction.count} {having}"


def _boost(instruction: Instruction) -> str:
    creatures, count = instruction.creatures, instruction.count
    assert creatures is not None
    under = words.group(creatures)
    if instruction.choice is Choice.EXACTLY:
        under = words.one_creature(creatures)
    elif not creatures.this:
        whose = "of " if creatures.side is Side.ALLIED else ""
        under = f"one or more {whose}{under}"
    cards = "card from a discard pile" if count == 1 else "cards from discard piles"
    boosts = "a boost" if count == 1 else "boosts"
    return f"put up to {count} {cards} under {under} as {boosts}"


def _play_card(instruction: Instruction) -> str:
    cards = instruction.cards
    assert cards is not None
    them = _them(instruction)
    its = "its Play effect" if them == "it" else "their Play effects"
    silently = f" without {its}" if instruction.without_play_effects else ""
    what = words.cards_of(instruction)
    return f"choose {what} in {words.place_of(cards)} and play {them}{silently}"


def _draw_cards(instruction: Instruction) -> str:
    cards = instruction.cards
    assert cards is not None
    if cards.zone is Zone.UNUSED_PILE:
        return f"draw {_top(instruction)}"
    what = words.cards_of(instruction)
    return f"take {what} of your choice from {words.place_of(cards)} into your hand"


def _top(instruction: Instruction) -> str:
    count = instruction.count
    return f"the top {'card' if count == 1 else f'{count} cards'} of the unused pile"


def _new_life(instruction: Instruction) -> str:
    assert instruction.value is not None
    return words.total(instruction.value)


#: What stands in the place of a part of a text.
TEXT_PARTS: dict[str, Callable[[Instruction], str]] = {
    "targets": words.targets,
    "creature": words.targets,
    "cards": words.cards_of,
    "random_cards": lambda i: f"{words.cards_of(i)} at random",
    "top_cards": _top,
    "their_hand": _their_hand,
    "count": lambda i: str(i.count),
    "left": _new_life,
    "whose": lambda i: words.WHOSE[i.player],
    "value": _new_life,
    "repeat": lambda i: words.for_each(i.per, theirs=i.player is Player.OPPONENT),
}
#: Effects that are more than words and parts.
_MORE_EFFECTS: dict[Effect, Callable[[Instruction], str]] = {
    Effect.PLAY_CARD: _play_card,
    Effect.THIS_TURN: _this_turn,
    Effect.BECOME: _become,
    Effect.BOOST: _boost,
    Effect.DRAW_CARDS: _draw_cards,
    Effect.DISCARD_WHOLE: _discard_whole,
    Effect.CHOOSE_ONE: lambda i: f"choose one: {'; or '.join(map(_effect, i.modes))}",
}


# ---------------------------------------------------------------- constant abilities

#: Rules of which there is nothing more to say, and those that only name creatures.
_RULE = {
    Rule.NO_PLAY_EFFECTS: "Play effects do not trigger for your opponent",
    Rule.REVERSE_FIGHT: "in a fight with this, the higher power is defeated instead of the lower",
    Rule.EVOLVE_INSTEAD: "if this would be defeated, evolve it instead",
    Rule.NO_LIFE_LOSS: "you cannot lose life",
    Rule.NO_CARDS_TO_HAND: "your opponent cannot put cards into their hand",
    Rule.NO_MINDBUGS: "nobody can use a Mindbug",
    Rule.CANNOT_ATTACK: "{} cannot attack",
    Rule.CANNOT_BLOCK: "{} cannot block",
    Rule.CANNOT_BLOCK_THIS: "{} cannot block this",
    Rule.CANNOT_BE_DEFEATED: "{} cannot be defeated",
    Rule.ONLY_BLOCK_THIS: "only {} can block this",
    Rule.CANNOT_HUNT: "this cannot hunt {}",
}


def _rule(ability: ConstantAbility, who: str = "", *, many: bool = True) -> str:
    """A rule; ``who`` and whether they are ``many`` if the creatures do not stand in it."""
    if ability.creatures is not None:
        who, many = words.group(ability.creatures), not ability.creatures.this
    if ability.rule in _RULE:
        return _RULE[ability.rule].format(who)
    text = _MORE_RULES[ability.rule](ability)
    return f"{who} {'have' if many else 'has'} {text}" if ability.rule in _GIFTS else text


def _power(ability: ConstantAbility) -> str:
    power = f"{ability.power:+}".replace("-", "\N{MINUS SIGN}")
    given = [f"{power} power", listing(words.names(ability.keywords))]
    return " and ".join(filter(None, given)) + words.for_each(ability.per)


def _attack(ability: ConstantAbility) -> str:
    return f'"Attack: {_sentence(_instructions(ability.instructions))[:-1]}"'


def _copy_keywords(ability: ConstantAbility) -> str:
    each = ", each" if len(ability.keywords) > 1 else ""
    return f"this has {listing(words.names(ability.keywords))}{each} while an enemy creature has it"


def _more(ability: ConstantAbility, noun: str) -> str:
    return f"{ability.amount} more {noun}{'s' if ability.amount > 1 else ''}"


def _must_hunt_this(ability: ConstantAbility) -> str:
    assert ability.creatures is not None
    hunter = words.one_creature(ability.creatures)
    return f"your opponent must attack with {hunter} and hunt this, if able"


def _cannot_play(ability: ConstantAbility) -> str:
    assert ability.cards is not None
    cards = f"cards{words.card_filters(ability.cards)}"
    return f"your opponent cannot play {cards} from their hand"


#: What creatures have, and rules that say more.
_GIFTS: dict[Rule, Callable[[ConstantAbility], str]] = {
    Rule.POWER: _power,
    Rule.KEYWORDS: lambda ability: listing(words.names(ability.keywords)),
    Rule.HAVE_ATTACK: _attack,
    Rule.MORE_DICE: lambda ability: _more(ability, "dice symbol"),
}
_MORE_RULES: dict[Rule, Callable[[ConstantAbility], str]] = {
    **_GIFTS,
    Rule.COPY_KEYWORDS: _copy_keywords,
    Rule.MUST_HUNT_THIS: _must_hunt_this,
    Rule.CANNOT_PLAY: _cannot_play,
    Rule.MORE_REROLLS: lambda ability: (
        f"when you roll dice, you may reroll {_more(ability, 'time')}"
    ),
    Rule.MORE_LIFE_LOSS: lambda ability: (
        f"when your opponent loses life, they lose {ability.amount} more"
    ),
}
