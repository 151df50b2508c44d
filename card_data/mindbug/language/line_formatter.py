"""The canonical line of the card language for an ability."""

from collections.abc import Callable, Iterable

from card_data.mindbug.language.effect_words import say, word_for
from card_data.mindbug.schema import (
    MAX_NUMBER,
    Cards,
    Condition,
    Conditions,
    ConstantAbility,
    Creatures,
    Instruction,
    TriggeredAbility,
    Value,
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
    Zone,
)

_WHOSE = {Player.YOU: "your", Player.OPPONENT: "the opponent's"}
_SIDE = {Side.ANY: "", Side.ALLIED: "allied ", Side.ENEMY: "enemy "}
_EXTREME = {Extreme.HIGHEST: "the highest power", Extreme.LOWEST: "the lowest power"}
_COMPARISON = {
    Comparison.LESS: "<",
    Comparison.AT_MOST: "<=",
    Comparison.EQUAL: "=",
    Comparison.AT_LEAST: ">=",
    Comparison.MORE: ">",
}
_QUANTITY = {
    Quantity.LIFE: "life",
    Quantity.MINDBUGS: "Mindbugs",
    Quantity.HAND: "hand",
    Quantity.DRAW_PILE: "draw pile",
    Quantity.DISCARD_PILE: "discard pile",
    Quantity.ENERGY: "energy",
}
_TIMING = {
    Timing.ALWAYS: "",
    Timing.YOUR_TURN: "during your turn, ",
    Timing.OPPONENTS_TURN: "during the opponent's turn, ",
}


def format_line(ability: TriggeredAbility | ConstantAbility) -> str:
    """The canonical line of the card language for an ability that such a line gave."""
    if isinstance(ability, ConstantAbility):
        proviso = f"while {_condition(ability.condition)}, " if ability.condition else ""
        return _TIMING[ability.timing] + proviso + _rule(ability)
    event = "when you lose life, " if ability.trigger is Trigger.LIFE_LOST else ""
    return event + format_instructions(ability.instructions)


def format_instructions(instructions: Iterable[Instruction]) -> str:
    """The canonical line for the instructions of a triggered ability or a power card."""
    line = ""
    for instruction in instructions:
        link = ", if you do, " if instruction.if_done else ", then "
        line += (link if line else "") + _instruction(instruction)
    return line


def listing(words: list[str]) -> str:
    """Words as one phrase: ``A``, ``A and B``, ``A, B and C``."""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


# ---------------------------------------------------------------- instructions


def _instruction(instruction: Instruction) -> str:
    proviso = f"if {_condition(instruction.condition)}, " if instruction.condition else ""
    if instruction.may:
        proviso += "you may "
    elif instruction.die_from:
        proviso += f"as often as a die shows {instruction.die_from} or more, "
    return proviso + _effect(instruction)


def _effect(instruction: Instruction) -> str:
    word = word_for(instruction)
    if word is None:
        return _MORE_EFFECTS[instruction.effect](instruction)
    return say(word.canonical, instruction, _LINE_PARTS)


def _cards(instruction: Instruction) -> str:
    count = instruction.count
    if instruction.choice is Choice.UP_TO:
        return "any number of cards" if count == MAX_NUMBER else f"up to {_number(count)}"
    return "a card" if count == 1 else _number(count)


def _number(count: int) -> str:
    return f"{count} card{'s' if count > 1 else ''}"


def _random_cards(instruction: Instruction) -> str:
    count = instruction.count
    return "a random card" if count == 1 else f"{count} random cards"


def _this_turn(instruction: Instruction) -> str:
    assert instruction.rule is not None
    who, many = "", True
    if instruction.creatures is not None:
        who, many = _targets(instruction), instruction.count > 1
    return f"{_rule(instruction.rule, who, many=many)} this turn"


def _become(instruction: Instruction) -> str:
    keywords = " and ".join(_names(instruction.keywords))
    given = f" with {keywords}" if keywords else ""
    return f"this becomes power {instruction.count}{given}"


def _boost(instruction: Instruction) -> str:
    assert instruction.creatures is not None
    under = _group(instruction.creatures)
    if instruction.choice is Choice.EXACTLY:
        under = _one(instruction.creatures)
    return f"boost up to {_number(instruction.count)} to {under}"


def _play_card(instruction: Instruction) -> str:
    cards = instruction.cards
    assert cards is not None
    silently = " without play effects" if instruction.without_play_effects else ""
    what = f"{_cards(instruction)}{_card_filters(cards)}"
    return f"play {what} from {_place(cards)}{silently}"


def _draw_cards(instruction: Instruction) -> str:
    cards = instruction.cards
    assert cards is not None
    return f"draw {_cards(instruction)}{_card_filters(cards)} from {_place(cards)}"


def _discard_whole(instruction: Instruction) -> str:
    zones = {Zone.HAND: "hand", Zone.DRAW_PILE: "draw pile"}
    whole = zones[instruction.cards.zone] if instruction.cards else "hand and draw pile"
    theirs = instruction.player is Player.OPPONENT
    return f"{'the opponent discards their' if theirs else 'discard your'} {whole}"


def _for_each(per: Value | None) -> str:
    if per is None:
        return ""
    if per.quantity is Quantity.DISCARDED:
        return " for each card discarded"
    if per.creatures is not None:
        return f" for each {_group(per.creatures, plural=False)}"
    return f" for each of {_WHOSE[per.player]} {_QUANTITY[per.quantity]}"


# ---------------------------------------------------------------- creatures and cards


def _targets(instruction: Instruction) -> str:
    creatures, count = instruction.creatures, instruction.count
    assert creatures is not None
    if creatures.this:
        return "this"
    if instruction.choice is Choice.ALL:
        return f"all {_group(creatures)}"
    if instruction.choice is Choice.UP_TO or count > 1:
        up_to = "up to " if instruction.choice is Choice.UP_TO else ""
        return f"{up_to}{count} {_group(creatures, plural=count > 1)}"
    return _one(creatures)


def _one(creatures: Creatures) -> str:
    noun = f"{_SIDE[creatures.side]}creature{_filters(creatures)}"
    article = "an" if creatures.side is not Side.ANY else "a"
    return f"another {noun}" if creatures.other else f"{article} {noun}"


def _group(creatures: Creatures, *, plural: bool = True) -> str:
    if creatures.this:
        return "this"
    other = "other " if creatures.other else ""
    noun = "creatures" if plural else "creature"
    return f"{other}{_SIDE[creatures.side]}{noun}{_filters(creatures)}"


def _filters(creatures: Creatures) -> str:
    """The filters: first power, then keywords, then the rest, highest and lowest power last."""
    filters = [_range(creatures.power_min, creatures.power_max)]
    if creatures.within_of_this is not None:
        filters.append(f"power within {creatures.within_of_this} of this")
    filters.append("less power than this" if creatures.weaker_than_this else "")
    if creatures.twin_side is not None:
        filters.append(f"the same power as another {_SIDE[creatures.twin_side]}creature")
    filters.append("equal power" if creatures.equal_power else "")
    filters.append(" or ".join(_names(creatures.keywords)))
    filters.append("no keyword" if creatures.no_keyword else "")
    filters.append("the named keyword" if creatures.named_keyword else "")
    filters.append("a boost" if creatures.boosted else "")
    filters.append("a block this turn" if creatures.has_blocked else "")
    filters.append(_EXTREME.get(creatures.extreme, ""))
    return _with(filters)


def _card_filters(cards: Cards) -> str:
    ability = f"{cards.ability.name.capitalize()} effect" if cards.ability is not None else ""
    article = "an" if ability.startswith("A") else "a"
    effect = f"{article} {ability}" if ability else ""
    return _with([_range(cards.power_min, cards.power_max), effect])


def _with(filters: list[str]) -> str:
    text = " and ".join(filter(None, filters))
    return f" with {text}" if text else ""


def _range(least: int, most: int) -> str:
    if least == most:
        return f"power {least}"
    if least and most < MAX_NUMBER:
        return f"power {least} to {most}"
    if least:
        return f"power >= {least}"
    return f"power <= {most}" if most < MAX_NUMBER else ""


def _place(cards: Cards) -> str:
    return {
        Zone.HAND: "your hand",
        Zone.DISCARD_PILE: f"{_WHOSE[cards.player]} discard pile",
        Zone.EITHER_DISCARD_PILE: "either discard pile",
        Zone.UNUSED_PILE: "the unused pile",
    }[cards.zone]


def _names(keywords: Iterable[Keyword]) -> list[str]:
    return [keyword.name for keyword in sorted(keywords)]


# ---------------------------------------------------------------- conditions and amounts


def _condition(condition: Condition | Conditions) -> str:
    if isinstance(condition, Conditions):
        return (" or " if condition.any_of else " and ").join(map(_condition, condition.parts))
    left, right = condition.left, condition.right
    if left.quantity is Quantity.MY_TURN:
        return f"it is {_WHOSE[Player.YOU if right.number else Player.OPPONENT]} turn"
    if left.quantity is Quantity.DEFEATED_BY_THIS:
        return "this defeated an enemy creature this turn"
    return f"{_value(left)} {_COMPARISON[condition.comparison]} {_value(right)}"


def _value(value: Value) -> str:
    if value.quantity is Quantity.NUMBER:
        return str(value.number)
    plus = f" + {value.number}" if value.number else ""
    if value.creatures is not None:
        return f"{_group(value.creatures)}{plus}"
    return f"{_WHOSE[value.player]} {_QUANTITY[value.quantity]}{plus}"


def _new_life(instruction: Instruction) -> str:
    assert instruction.value is not None
    return _value(instruction.value)


#: What stands in the place of a part of a line.
_LINE_PARTS: dict[str, Callable[[Instruction], str]] = {
    "targets": _targets,
    "creature": _targets,
    "cards": _cards,
    "random_cards": _random_cards,
    "count": lambda i: str(i.count),
    "left": _new_life,
    "whose": lambda i: _WHOSE[i.player],
    "value": _new_life,
    "repeat": lambda i: _for_each(i.per),
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
    Rule.NO_PLAY_EFFECTS: "the opponent's play effects do not trigger",
    Rule.REVERSE_FIGHT: "the higher power loses fights with this",
    Rule.EVOLVE_INSTEAD: "this evolves instead of being defeated",
    Rule.NO_LIFE_LOSS: "you cannot lose life",
    Rule.NO_CARDS_TO_HAND: "the opponent cannot put cards into their hand",
    Rule.NO_MINDBUGS: "Mindbugs cannot be used",
    Rule.CANNOT_ATTACK: "{} cannot attack",
    Rule.CANNOT_BLOCK: "{} cannot block",
    Rule.CANNOT_BLOCK_THIS: "{} cannot block this",
    Rule.CANNOT_BE_DEFEATED: "{} cannot be defeated",
    Rule.ONLY_BLOCK_THIS: "only {} can block this",
    Rule.CANNOT_HUNT: "this cannot hunt {}",
    Rule.MUST_HUNT_THIS: "{} must hunt this",
}


def _rule(ability: ConstantAbility, who: str = "", *, many: bool = True) -> str:
    """A rule; ``who`` and whether they are ``many`` if the creatures do not stand in it."""
    if ability.creatures is not None:
        who, many = _group(ability.creatures), not ability.creatures.this
    if ability.rule in _RULE:
        return _RULE[ability.rule].format(who)
    text = _MORE_RULES[ability.rule](ability)
    return f"{who} {'have' if many else 'has'} {text}" if who and ability.rule in _GIFTS else text


def _power(ability: ConstantAbility) -> str:
    given = [f"{ability.power:+} power", listing(_names(ability.keywords))]
    return " and ".join(filter(None, given)) + _for_each(ability.per)


def _more(ability: ConstantAbility, one: str, several: str) -> str:
    return f"{ability.amount} more {one if ability.amount == 1 else several}"


def _cannot_play(ability: ConstantAbility) -> str:
    assert ability.cards is not None
    cards = f"cards{_card_filters(ability.cards)}"
    return f"the opponent cannot play {cards} from their hand"


#: What creatures have, and rules that say more.
_GIFTS: dict[Rule, Callable[[ConstantAbility], str]] = {
    Rule.POWER: _power,
    Rule.KEYWORDS: lambda ability: listing(_names(ability.keywords)),
    Rule.HAVE_ATTACK: lambda ability: f"attack: {format_instructions(ability.instructions)}",
    Rule.MORE_DICE: lambda ability: _more(ability, "die", "dice"),
}
_MORE_RULES: dict[Rule, Callable[[ConstantAbility], str]] = {
    **_GIFTS,
    Rule.COPY_KEYWORDS: lambda ability: (
        f"this copies {listing(_names(ability.keywords))} from enemy creatures"
    ),
    Rule.CANNOT_PLAY: _cannot_play,
    Rule.MORE_REROLLS: lambda ability: f"you have {_more(ability, 'reroll', 'rerolls')}",
    Rule.MORE_LIFE_LOSS: lambda ability: (
        f"the opponent loses {ability.amount} more life each time they lose life"
    ),
}
