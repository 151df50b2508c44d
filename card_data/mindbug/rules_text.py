"""Text for reading, made from abilities: what a card says, in words of our own.

``rules_text`` never looks at a card file; two cards that do the same read the same.
"""

from card_data.mindbug.formatter import listing
from card_data.schema import (
    MAX_NUMBER,
    Card,
    Condition,
    ConstantAbility,
    Creatures,
    Instruction,
    TriggeredAbility,
    Value,
)
from card_data.vocabulary import Choice, Comparison, Effect, Player, Quantity, Rule, Side, Timing

_WHO = {Player.YOU: "you", Player.OPPONENT: "your opponent"}
_WHOSE = {Player.YOU: "your", Player.OPPONENT: "your opponent's"}
_SIDE = {Side.ANY: "", Side.ALLIED: "allied ", Side.ENEMY: "enemy "}
_TIMING = {
    Timing.ALWAYS: "",
    Timing.YOUR_TURN: "during your turn, ",
    Timing.OPPONENTS_TURN: "during your opponent's turn, ",
}
_BAN = {
    Rule.CANNOT_ATTACK: "cannot attack",
    Rule.CANNOT_BLOCK: "cannot block",
    Rule.CANNOT_BLOCK_THIS: "cannot block this",
}

#: How an amount of things, and an amount of creatures, begins.
_OWNS = {
    None: ("", "there are"),
    Player.YOU: ("you have", "you control"),
    Player.OPPONENT: ("your opponent has", "your opponent controls"),
}
_CONTROLLER = {Side.ANY: None, Side.ALLIED: Player.YOU, Side.ENEMY: Player.OPPONENT}
_NOUN = {
    Quantity.LIFE: "life",
    Quantity.MINDBUGS: "Mindbugs left",
    Quantity.HAND: "cards in hand",
    Quantity.DRAW_PILE: "cards in the draw pile",
    Quantity.DISCARD_PILE: "cards in the discard pile",
}

#: A comparison with a number; with another amount, before and after the noun; turned round.
_WITH_NUMBER = {
    Comparison.LESS: "fewer than {}",
    Comparison.AT_MOST: "at most {}",
    Comparison.EQUAL: "exactly {}",
    Comparison.AT_LEAST: "at least {}",
    Comparison.MORE: "more than {}",
}
_WITH_AMOUNT = {
    Comparison.LESS: ("fewer", "than"),
    Comparison.AT_MOST: ("no more", "than"),
    Comparison.EQUAL: ("as many", "as"),
    Comparison.AT_LEAST: ("at least as many", "as"),
    Comparison.MORE: ("more", "than"),
}
_MIRRORED = {
    Comparison.LESS: Comparison.MORE,
    Comparison.AT_MOST: Comparison.AT_LEAST,
    Comparison.EQUAL: Comparison.EQUAL,
    Comparison.AT_LEAST: Comparison.AT_MOST,
    Comparison.MORE: Comparison.LESS,
}


def rules_text(card: Card) -> list[str]:
    """The abilities of a card, one sentence each, triggered ones first."""
    headers: dict[str, list[str]] = {}
    for ability in card.triggered:
        headers.setdefault(_triggered(ability), []).append(ability.trigger.name.capitalize())
    return [
        *(f"{'/'.join(triggers)}: {text}" for text, triggers in headers.items()),
        *map(_constant, card.constant),
    ]


def _triggered(ability: TriggeredAbility) -> str:
    return _sentence(", then ".join(map(_instruction, ability.instructions)))


def _constant(ability: ConstantAbility) -> str:
    proviso = f"while {_condition(ability.condition)}, " if ability.condition else ""
    return _sentence(_TIMING[ability.timing] + proviso + _rule(ability))


def _sentence(text: str) -> str:
    return f"{text[0].upper()}{text[1:]}."


# ---------------------------------------------------------------- instructions and rules


def _instruction(instruction: Instruction) -> str:
    proviso = f"if {_condition(instruction.condition)}, " if instruction.condition else ""
    return proviso + _effect(instruction)


def _effect(instruction: Instruction) -> str:
    whose, count = _WHOSE[instruction.player], instruction.count
    theirs = instruction.player is Player.OPPONENT
    cards = "a card" if count == 1 else f"{count} cards"
    match instruction.effect:
        case Effect.DEFEAT:
            return f"defeat {_targets(instruction)}"
        case Effect.TAKE_CONTROL:
            return f"take control of {_targets(instruction)}"
        case Effect.PLAY_CARD:
            return f"choose a card in {whose} discard pile and play it"
        case Effect.DRAW_ALL:
            return f"put {whose} whole discard pile into your hand"
        case Effect.GAIN_LIFE:
            return f"{'your opponent gains' if theirs else 'gain'} {count} life"
        case Effect.LOSE_LIFE:
            return f"{'your opponent loses' if theirs else 'lose'} {count} life"
        case Effect.SET_LIFE:
            assert instruction.value is not None
            return f"{whose} life becomes {_total(instruction.value)}"
        case Effect.DISCARD:
            return f"{'your opponent discards' if theirs else 'discard'} {cards}"
        case Effect.STEAL_RANDOM:
            return f"take {cards} at random from your opponent's hand into yours"


def _rule(ability: ConstantAbility) -> str:
    keywords = listing([keyword.name for keyword in sorted(ability.keywords)])
    if ability.rule is Rule.NO_PLAY_EFFECTS:
        return "Play effects do not trigger for your opponent"
    if ability.rule is Rule.COPY_KEYWORDS:
        each = ", each" if len(ability.keywords) > 1 else ""
        return f"this has {keywords}{each} while an enemy creature has it"
    assert ability.creatures is not None
    who = _group(ability.creatures)
    if ability.rule in _BAN:
        return f"{who} {_BAN[ability.rule]}"
    given = [f"{ability.power:+} power"] if ability.rule is Rule.POWER else []
    given += [keywords] if keywords else []
    return f"{who} {'has' if ability.creatures.this else 'have'} {' and '.join(given)}"


# ---------------------------------------------------------------- creatures


def _targets(instruction: Instruction) -> str:
    creatures, count = instruction.creatures, instruction.count
    assert creatures is not None
    if creatures.this:
        return "this"
    other = "other " if creatures.other else ""
    noun = f"{_SIDE[creatures.side]}creature"
    if instruction.choice is Choice.ALL:
        number = f"every {other}"
    elif instruction.choice is Choice.UP_TO or count > 1:
        number = f"{'up to ' if instruction.choice is Choice.UP_TO else ''}{count} {other}"
    else:
        number = "another " if creatures.other else "an " if creatures.side else "a "
    return f"{number}{noun}{'s' if count > 1 else ''}{_filters(creatures)}"


def _group(creatures: Creatures) -> str:
    if creatures.this:
        return "this"
    other = "other " if creatures.other else ""
    whose = {Side.ANY: other, Side.ALLIED: f"your {other}", Side.ENEMY: f"{other}enemy "}
    return f"{whose[creatures.side]}creatures{_filters(creatures)}"


def _filters(creatures: Creatures) -> str:
    least, most = creatures.power_min, creatures.power_max
    power = ""
    if least == most:
        power = f" of power {least}"
    elif least and most < MAX_NUMBER:
        power = f" of power {least} to {most}"
    elif least:
        power = f" of power {least} or more"
    elif most < MAX_NUMBER:
        power = f" of power {most} or less"
    having = [" or ".join(keyword.name for keyword in sorted(creatures.keywords))]
    having += [f"the {creatures.extreme.name.lower()} power"] if creatures.extreme else []
    qualities = " and ".join(filter(None, having))
    return f"{power} with {qualities}" if qualities else power


# ---------------------------------------------------------------- conditions and amounts


def _condition(condition: Condition) -> str:
    left, comparison, right = condition.left, condition.comparison, condition.right
    if left.quantity is Quantity.NUMBER:
        left, comparison, right = right, _MIRRORED[comparison], left
    if left.quantity is Quantity.NUMBER:
        return f"{left.number} is {_WITH_NUMBER[comparison].format(right.number)}"
    if right.quantity is Quantity.NUMBER:
        text = _with_number(left, comparison, right.number)
    else:
        more, than = _WITH_AMOUNT[comparison]
        text = f"{_subject(left)} {more} {_noun(left)} {than} {_rest(left, right)}"
    if left.quantity is Quantity.LIFE:
        text = text.replace("fewer", "less", 1).replace(" many", " much", 1)
    return text


def _with_number(value: Value, comparison: Comparison, number: int) -> str:
    how_many = _WITH_NUMBER[comparison].format(number)
    if number == 0 and comparison is Comparison.EQUAL:
        how_many = "no"
    return f"{_subject(value)} {how_many} {_noun(value, plural=number != 1)}"


def _rest(left: Value, right: Value) -> str:
    """What ``left`` is compared with, as short as it can be said."""
    player = _player(right)
    if player is not None and player is not _player(left) and _noun(left) == _noun(right):
        return _WHO[player]
    return f"{_subject(right)} {_noun(right)}"


def _player(value: Value) -> Player | None:
    """Whose amount it is; None for creatures of both players."""
    return _CONTROLLER[value.creatures.side] if value.creatures else value.player


def _subject(value: Value) -> str:
    return _OWNS[_player(value)][value.creatures is not None]


def _noun(value: Value, *, plural: bool = True) -> str:
    if value.creatures is None:
        noun = _NOUN[value.quantity]
        return noun if plural else noun.replace("s ", " ", 1)
    other = "other " if value.creatures.other else ""
    in_play = "" if value.creatures.side else " in play"
    return f"{other}creature{'s' if plural else ''}{_filters(value.creatures)}{in_play}"


def _total(value: Value) -> str:
    """An amount that a life total is set to."""
    if value.quantity is Quantity.NUMBER:
        return str(value.number)
    if value.quantity is Quantity.LIFE:
        return f"equal to {_WHOSE[value.player]} life"
    owner = f" {_subject(value)}" if _player(value) is not None else ""
    return f"the number of {_noun(value)}{owner}"
