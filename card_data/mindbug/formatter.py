"""Canonical card text: the one way in which cards and their abilities are written."""

import json
from collections.abc import Iterable

from card_data.card_reader import CARD_FIELDS
from card_data.loader import parse_set
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
from card_data.toml_places import KeyPath, Statement, TomlPlaces
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

WHOSE = {Player.YOU: "your", Player.OPPONENT: "the opponent's"}
SIDE = {Side.ANY: "", Side.ALLIED: "allied ", Side.ENEMY: "enemy "}
EXTREME = {Extreme.HIGHEST: "the highest power", Extreme.LOWEST: "the lowest power"}
COMPARISON = {
    Comparison.LESS: "<",
    Comparison.AT_MOST: "<=",
    Comparison.EQUAL: "=",
    Comparison.AT_LEAST: ">=",
    Comparison.MORE: ">",
}
QUANTITY = {
    Quantity.LIFE: "life",
    Quantity.MINDBUGS: "Mindbugs",
    Quantity.HAND: "hand",
    Quantity.DRAW_PILE: "draw pile",
    Quantity.DISCARD_PILE: "discard pile",
}
TIMING = {
    Timing.ALWAYS: "",
    Timing.YOUR_TURN: "during your turn, ",
    Timing.OPPONENTS_TURN: "during the opponent's turn, ",
}
BAN = {
    Rule.CANNOT_ATTACK: "cannot attack",
    Rule.CANNOT_BLOCK: "cannot block",
    Rule.CANNOT_BLOCK_THIS: "cannot block this",
}


# ---------------------------------------------------------------- lines


def format_line(ability: TriggeredAbility | ConstantAbility) -> str:
    """The canonical line of the card language for an ability that such a line gave."""
    if isinstance(ability, TriggeredAbility):
        return ", then ".join(map(_instruction, ability.instructions))
    proviso = f"while {_condition(ability.condition)}, " if ability.condition else ""
    return TIMING[ability.timing] + proviso + _rule(ability)


def _instruction(instruction: Instruction) -> str:
    proviso = f"if {_condition(instruction.condition)}, " if instruction.condition else ""
    return proviso + _effect(instruction)


def _effect(instruction: Instruction) -> str:
    whose, count = WHOSE[instruction.player], instruction.count
    theirs = instruction.player is Player.OPPONENT
    match instruction.effect:
        case Effect.DEFEAT:
            return f"defeat {_targets(instruction)}"
        case Effect.TAKE_CONTROL:
            return f"take control of {_targets(instruction)}"
        case Effect.PLAY_CARD:
            return f"play a card from {whose} discard pile"
        case Effect.DRAW_ALL:
            return f"draw all cards from {whose} discard pile"
        case Effect.GAIN_LIFE:
            return f"{'the opponent gains' if theirs else 'gain'} {count} life"
        case Effect.LOSE_LIFE:
            return f"{'the opponent loses' if theirs else 'lose'} {count} life"
        case Effect.SET_LIFE:
            assert instruction.value is not None
            return f"set {whose} life to {_value(instruction.value)}"
        case Effect.DISCARD:
            cards = "a card" if count == 1 else f"{count} cards"
            return f"{'the opponent discards' if theirs else 'discard'} {cards}"
        case Effect.STEAL_RANDOM:
            return "steal a random card" if count == 1 else f"steal {count} random cards"


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
    noun = f"{SIDE[creatures.side]}creature{_filters(creatures)}"
    article = "an" if creatures.side is not Side.ANY else "a"
    return f"another {noun}" if creatures.other else f"{article} {noun}"


def _group(creatures: Creatures, *, plural: bool = True) -> str:
    if creatures.this:
        return "this"
    other = "other " if creatures.other else ""
    noun = "creatures" if plural else "creature"
    return f"{other}{SIDE[creatures.side]}{noun}{_filters(creatures)}"


def _filters(creatures: Creatures) -> str:
    """The filters in the order power, keywords, extreme."""
    least, most = creatures.power_min, creatures.power_max
    filters = []
    if least == most:
        filters.append(f"power {least}")
    elif least and most < MAX_NUMBER:
        filters.append(f"power {least} to {most}")
    elif least:
        filters.append(f"power >= {least}")
    elif most < MAX_NUMBER:
        filters.append(f"power <= {most}")
    if creatures.keywords:
        filters.append(" or ".join(_names(creatures.keywords)))
    if creatures.extreme:
        filters.append(EXTREME[creatures.extreme])
    return f" with {' and '.join(filters)}" if filters else ""


def _condition(condition: Condition) -> str:
    left, right = _value(condition.left), _value(condition.right)
    return f"{left} {COMPARISON[condition.comparison]} {right}"


def _value(value: Value) -> str:
    if value.creatures is not None:
        return _group(value.creatures)
    if value.quantity is Quantity.NUMBER:
        return str(value.number)
    return f"{WHOSE[value.player]} {QUANTITY[value.quantity]}"


def _rule(ability: ConstantAbility) -> str:
    keywords = listing(_names(ability.keywords))
    if ability.rule is Rule.NO_PLAY_EFFECTS:
        return "the opponent's play effects do not trigger"
    if ability.rule is Rule.COPY_KEYWORDS:
        return f"this copies {keywords} from enemy creatures"
    assert ability.creatures is not None
    who = _group(ability.creatures)
    if ability.rule in BAN:
        return f"{who} {BAN[ability.rule]}"
    given = [f"{ability.power:+} power"] if ability.rule is Rule.POWER else []
    given += [keywords] if keywords else []
    return f"{who} {'has' if ability.creatures.this else 'have'} {' and '.join(given)}"


def _names(keywords: Iterable[Keyword]) -> list[str]:
    return [keyword.name for keyword in sorted(keywords)]


def listing(words: list[str]) -> str:
    """Words as one phrase: ``A``, ``A and B``, ``A, B and C``."""
    return " and ".join(filter(None, [", ".join(words[:-1]), *words[-1:]]))


# ---------------------------------------------------------------- files


def format_set(text: str, file: str = "cards.toml") -> str:
    """The text of a card file in canonical form; raises CardFileError if it has faults.

    Cards are sorted by id, fields stand in the order of ``CARD_FIELDS``, abilities are written
    canonically.  A comment stays above, or beside, the card or field that it was written at.
    """
    card_set = parse_set(text, file)
    places = TomlPlaces(text.replace("\r\n", "\n"))
    writer = _Writer(places.statements)
    writer.put(("name",), f"name = {_quoted(card_set.name)}")
    for card in card_set.cards:
        fields = _fields(card)
        writer.lines.append("")
        writer.put((card.card_id,), f"[{card.card_id}]")
        for name in CARD_FIELDS:
            writer.put((card.card_id, name), fields.get(name))
    return writer.text(places.tail)


class _Writer:
    """Lines of a card file, with the comments of the statements that they come from."""

    def __init__(self, statements: dict[KeyPath, Statement]) -> None:
        self.lines: list[str] = []
        self._statements = dict(statements)
        self._waiting: list[str] = []

    def put(self, path: KeyPath, line: str | None) -> None:
        """Writes a statement; without a ``line`` its comments wait for the next one."""
        old = self._statements.pop(path, None)
        above, beside = (old.above, old.beside) if old else ([], [])
        if line is None or "\n" in line or len(beside) > 1:
            above, beside = above + beside, []
        self._waiting += above
        if line is not None:
            self.lines += [*self._waiting, "  ".join([line, *beside])]
            self._waiting = []

    def text(self, tail: list[str]) -> str:
        """The whole file; comments that found no place come last."""
        lost = [comment for old in self._statements.values() for comment in old.above + old.beside]
        end = [*self._waiting, *lost, *tail]
        lines = [*self.lines, "", *end] if end else self.lines
        return "\n".join(line.rstrip() for line in lines) + "\n"


def _fields(card: Card) -> dict[str, str]:
    """The fields of a card that are to be written: name of the field to the whole line."""
    values = {"name": _quoted(card.name), "power": str(card.power), "copies": str(card.copies)}
    if card.keywords:
        values["keywords"] = f"[{', '.join(map(_quoted, _names(card.keywords)))}]"
    lines = {ability.trigger: format_line(ability) for ability in card.triggered}
    if Trigger.PLAY in lines and lines[Trigger.PLAY] == lines.get(Trigger.ATTACK):
        values["play_attack"] = _quoted(lines.pop(Trigger.PLAY))
        del lines[Trigger.ATTACK]
    values |= {trigger.name.lower(): _quoted(line) for trigger, line in lines.items()}
    constant = [_quoted(format_line(ability)) for ability in card.constant]
    if len(constant) > 1:
        values["constant"] = "[\n" + "".join(f"    {line},\n" for line in constant) + "]"
    elif constant:
        values["constant"] = constant[0]
    return {name: f"{name} = {value}" for name, value in values.items()}


def _quoted(text: str) -> str:
    """A printable text as a TOML basic string."""
    return json.dumps(text, ensure_ascii=False)
