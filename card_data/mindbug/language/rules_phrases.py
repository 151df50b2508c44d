"""Phrases of the text for reading: creatures, cards, conditions and amounts."""

from collections.abc import Iterable

from card_data.mindbug.schema import (
    MAX_NUMBER,
    Cards,
    Condition,
    Conditions,
    Creatures,
    Instruction,
    Value,
)
from card_data.mindbug.vocabulary import Choice, Comparison, Keyword, Player, Quantity, Side, Zone

WHO = {Player.YOU: "you", Player.OPPONENT: "your opponent"}
WHOSE = {Player.YOU: "your", Player.OPPONENT: "your opponent's"}
#: Whose something is, of a player who has just been named.
_THEIR = WHOSE | {Player.OPPONENT: "their"}
SIDE = {Side.ANY: "", Side.ALLIED: "allied ", Side.ENEMY: "enemy "}

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
    Quantity.DRAW_PILE: "cards in {} draw pile",
    Quantity.DISCARD_PILE: "cards in {} discard pile",
    Quantity.ENERGY: "energy",
}
_UNCOUNTED = (Quantity.LIFE, Quantity.ENERGY)

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


# ---------------------------------------------------------------- creatures


def targets(instruction: Instruction) -> str:
    """The creatures that an instruction affects."""
    creatures, count = instruction.creatures, instruction.count
    assert creatures is not None
    if creatures.this:
        return "this"
    other = "other " if creatures.other else ""
    noun = f"{SIDE[creatures.side]}creature"
    if instruction.choice is Choice.ALL:
        number = f"every {other}"
    elif instruction.choice is Choice.UP_TO or count > 1:
        number = f"{'up to ' if instruction.choice is Choice.UP_TO else ''}{count} {other}"
    else:
        return one_creature(creatures)
    return f"{number}{noun}{'s' if count > 1 else ''}{_filters(creatures)}"


def one_creature(creatures: Creatures) -> str:
    """A single creature."""
    article = "another" if creatures.other else "an" if creatures.side else "a"
    return f"{article} {SIDE[creatures.side]}creature{_filters(creatures)}"


def group(creatures: Creatures) -> str:
    """All creatures that fit, or the source."""
    if creatures.this:
        return "this"
    other = "other " if creatures.other else ""
    whose = {Side.ANY: other, Side.ALLIED: f"your {other}", Side.ENEMY: f"{other}enemy "}
    return f"{whose[creatures.side]}creatures{_filters(creatures)}"


def _filters(creatures: Creatures) -> str:
    having = []
    if creatures.within_of_this is not None:
        having.append(f"power within {creatures.within_of_this} of this creature's")
    if creatures.weaker_than_this:
        having.append("less power than this")
    if creatures.twin_side is not None:
        having.append(f"the same power as another {SIDE[creatures.twin_side]}creature")
    having.append("equal power" if creatures.equal_power else "")
    having.append(" or ".join(names(creatures.keywords)))
    having.append("no keyword" if creatures.no_keyword else "")
    having.append("that keyword" if creatures.named_keyword else "")
    having.append("a boost" if creatures.boosted else "")
    having.append(f"the {creatures.extreme.name.lower()} power" if creatures.extreme else "")
    qualities = " and ".join(filter(None, having))
    blocked = " that blocked this turn" if creatures.has_blocked else ""
    power = _range(creatures.power_min, creatures.power_max)
    return f"{power} with {qualities}{blocked}" if qualities else power + blocked


def _range(least: int, most: int) -> str:
    if least == most:
        return f" of power {least}"
    if least and most < MAX_NUMBER:
        return f" of power {least} to {most}"
    if least:
        return f" of power {least} or more"
    return f" of power {most} or less" if most < MAX_NUMBER else ""


def names(keywords: Iterable[Keyword]) -> list[str]:
    """The names of keywords, in their order."""
    return [keyword.name for keyword in sorted(keywords)]


# ---------------------------------------------------------------- cards


def cards_of(instruction: Instruction) -> str:
    """How many cards, and which."""
    count = instruction.count
    number = "a" if count == 1 else str(count)
    if instruction.choice is Choice.UP_TO:
        number = "any number of" if count == MAX_NUMBER else f"up to {count}"
    filters = card_filters(instruction.cards) if instruction.cards else ""
    return f"{number} card{'s' if count > 1 else ''}{filters}"


def card_filters(cards: Cards) -> str:
    """What is asked of cards outside play."""
    power = _range(cards.power_min, cards.power_max)
    if cards.ability is None:
        return power
    name = cards.ability.name.capitalize()
    return f"{power} with {'an' if name.startswith('A') else 'a'} {name} effect"


def place_of(cards: Cards) -> str:
    """Where cards lie."""
    return {
        Zone.HAND: f"{WHOSE[cards.player]} hand",
        Zone.DISCARD_PILE: f"{WHOSE[cards.player]} discard pile",
        Zone.EITHER_DISCARD_PILE: "either discard pile",
    }[cards.zone]


# ---------------------------------------------------------------- conditions and amounts


def condition(asked: Condition | Conditions) -> str:
    """What has to hold, as a clause after "if" or "while"."""
    if isinstance(asked, Conditions):
        return (" or " if asked.any_of else " and ").join(map(condition, asked.parts))
    left, comparison, right = asked.left, asked.comparison, asked.right
    if left.quantity is Quantity.MY_TURN:
        return f"it is {WHOSE[Player.YOU if right.number else Player.OPPONENT]} turn"
    if left.quantity is Quantity.DEFEATED_BY_THIS:
        return "this defeated an enemy creature this turn"
    if left.quantity is Quantity.NUMBER:
        left, comparison, right = right, _MIRRORED[comparison], left
    if left.quantity is Quantity.NUMBER:
        return f"{left.number} is {_WITH_NUMBER[comparison].format(right.number)}"
    if right.quantity is Quantity.NUMBER:
        text = _with_number(left, comparison, right.number)
    else:
        text = _with_amount(left, comparison, right)
    if left.quantity in _UNCOUNTED:
        text = text.replace("fewer", "less", 1).replace(" many", " much", 1)
    return text


def _with_number(value: Value, comparison: Comparison, number: int) -> str:
    if number == 0 and comparison is Comparison.MORE:
        number, comparison = 1, Comparison.AT_LEAST
    how_many = _WITH_NUMBER[comparison].format(number)
    if number == 0 and comparison is Comparison.EQUAL:
        how_many = "no"
    return f"{_subject(value)} {how_many} {_noun(value, plural=number != 1)}{_plus(value)}"


def _with_amount(left: Value, comparison: Comparison, right: Value) -> str:
    rest = _rest(left, right)
    if right.number and not left.number and comparison in (Comparison.EQUAL, Comparison.AT_LEAST):
        how_many = _WITH_NUMBER[comparison].format(right.number)
        return f"{_subject(left)} {how_many} more {_noun(left)} than {rest}"
    more, than = _WITH_AMOUNT[comparison]
    return f"{_subject(left)} {more} {_noun(left)}{_plus(left)} {than} {rest}{_plus(right)}"


def _plus(value: Value) -> str:
    return f" plus {value.number}" if value.number else ""


def _rest(left: Value, right: Value) -> str:
    """What ``left`` is compared with, as short as it can be said."""
    player = _player(right)
    if player is not None and player is not _player(left) and _kind(left) == _kind(right):
        return WHO[player]
    return f"{_subject(right)} {_noun(right)}"


def _player(value: Value) -> Player | None:
    """Whose amount it is; None for creatures of both players."""
    return _CONTROLLER[value.creatures.side] if value.creatures else value.player


def _subject(value: Value) -> str:
    return _OWNS[_player(value)][value.creatures is not None]


def _noun(value: Value, *, plural: bool = True) -> str:
    """What is counted, after the player whose it is."""
    noun = _kind(value, plural=plural)
    return noun if value.creatures else noun.format(_THEIR[value.player])


def _kind(value: Value, *, plural: bool = True) -> str:
    """What is counted, whoever's it is."""
    if value.creatures is None:
        noun = _NOUN[value.quantity]
        return noun if plural else noun.replace("s ", " ", 1)
    other = "other " if value.creatures.other else ""
    in_play = "" if value.creatures.side else " in play"
    return f"{other}creature{'s' if plural else ''}{_filters(value.creatures)}{in_play}"


def total(value: Value) -> str:
    """An amount that a life total is set to."""
    if value.quantity is Quantity.NUMBER:
        return str(value.number)
    if value.quantity is Quantity.LIFE:
        return f"equal to {WHOSE[value.player]} life{_plus(value)}"
    amount = "amount" if value.quantity in _UNCOUNTED else "number"
    if value.quantity in (Quantity.DRAW_PILE, Quantity.DISCARD_PILE):
        noun = _kind(value).format(WHOSE[value.player])
    else:
        noun = _noun(value) + (f" {_subject(value)}" if _player(value) is not None else "")
    return f"the {amount} of {noun}{_plus(value)}"


def for_each(per: Value | None, *, theirs: bool = False) -> str:
    """What an amount is multiplied by, after the amount, which may be one of the opponent's."""
    if per is None:
        return ""
    if per.quantity is Quantity.DISCARDED:
        return " for each card discarded this way"
    if per.creatures is None:
        whose = "their" if theirs and per.player is Player.OPPONENT else WHOSE[per.player]
        return f" for each of {whose} unused Mindbugs"
    other = "other " if per.creatures.other else ""
    side = SIDE[per.creatures.side]
    in_play = "" if side else " in play"
    return f" for each {other}{side}creature{_filters(per.creatures)}{in_play}"
