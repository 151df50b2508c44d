"""The phrase table of Mindbug's cards, and its fields as the objects of ``schema``."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from attrs import fields, has

from card_data.mindbug import schema, vocabulary
from card_data.phrases import PRINTED, PhraseTable

#: The word list or class of each field that is not a number, truth or text.
_FIELDS: dict[str, type] = {
    "effect": vocabulary.Effect,
    "player": vocabulary.Player,
    "than": vocabulary.Player,
    "creatures": schema.Creatures,
    "choice": vocabulary.Choice,
    "value": schema.Value,
    "condition": schema.Condition,
    "per": schema.Value,
    "cards": schema.Cards,
    "rule": schema.ConstantAbility,
    "keywords": vocabulary.Keyword,
    "Keyword": vocabulary.Keyword,
    "modes": schema.Instruction,
    "instructions": schema.Instruction,
    "parts": schema.Condition,
    "side": vocabulary.Side,
    "extreme": vocabulary.Extreme,
    "twin_side": vocabulary.Side,
    "zone": vocabulary.Zone,
    "ability": vocabulary.Trigger,
    "trigger": vocabulary.Trigger,
    "quantity": vocabulary.Quantity,
    "comparison": vocabulary.Comparison,
    "left": schema.Value,
    "right": schema.Value,
    "timing": vocabulary.Timing,
}
_CLASSES = (
    schema.Instruction,
    schema.ConstantAbility,
    schema.Creatures,
    schema.Cards,
    schema.Value,
    schema.Condition,
    schema.Conditions,
    schema.TriggeredAbility,
)
_OTHER_SIDE = {
    vocabulary.Side.ALLIED: vocabulary.Side.ENEMY,
    vocabulary.Side.ENEMY: vocabulary.Side.ALLIED,
}
_SIDES = {
    vocabulary.Player.YOU: vocabulary.Side.ALLIED,
    vocabulary.Player.OPPONENT: vocabulary.Side.ENEMY,
}


@cache
def table() -> PhraseTable:
    """The phrase table."""
    text = Path(__file__).with_name("phrases.txt").read_text(encoding="utf-8")
    return PhraseTable(text, _FIELDS | {"rule": vocabulary.Rule}, _CLASSES)


def made(kind: type, values: Mapping[str, Any]) -> Any:
    """The object of a class that fields describe."""
    if kind is schema.Condition and "parts" in values:
        kind = schema.Conditions
    given = dict(values)
    if "than" in given:
        given["right"] = _mirrored(given["left"], given.pop("than")) | dict(given.get("right", {}))
    for name, value in given.items():
        one = _FIELDS.get(name)
        if name == "keywords":
            given[name] = frozenset(value)
        elif isinstance(value, Mapping):
            assert one is not None
            given[name] = made(one, value)
        elif isinstance(value, tuple):
            assert one is not None
            given[name] = tuple(made(one, item) for item in value)
    return kind(**given)


def fields_of(thing: Any, register: int) -> dict[str, Any]:
    """The fields of an object that differ from their defaults, as phrases speak of them."""
    found: dict[str, Any] = {}
    for attribute in fields(type(thing)):
        value = getattr(thing, attribute.name)
        if value == attribute.default or (value == frozenset() or value == ()):
            continue
        if isinstance(value, frozenset):
            value = tuple(sorted(value))
        elif isinstance(value, tuple):
            value = tuple(fields_of(item, register) for item in value)
        elif has(type(value)):
            value = fields_of(value, register)
        found[attribute.name] = value
    if register == PRINTED and isinstance(thing, schema.Condition):
        _shorten(found)
    return found


def _mirrored(left: Mapping[str, Any], player: vocabulary.Player) -> dict[str, Any]:
    """The same amount of a player."""
    if left.get("creatures") is not None:
        return {**left, "number": 0, "creatures": {**left["creatures"], "side": _SIDES[player]}}
    return {**left, "number": 0, "player": player}


def _shorten(condition: dict[str, Any]) -> None:
    """Says "your opponent" in place of the same amount of the other player.  Modifies condition."""
    left, right = condition["left"], condition["right"]
    if left["quantity"] in (
        vocabulary.Quantity.NUMBER,
        vocabulary.Quantity.MY_TURN,
        vocabulary.Quantity.DEFEATED_BY_THIS,
    ):
        return
    if "creatures" in left:
        side = _OTHER_SIDE.get(left["creatures"].get("side", vocabulary.Side.ANY))
        player = next((one for one in vocabulary.Player if _SIDES[one] is side), None)
    else:
        player = vocabulary.Player(1 - left.get("player", vocabulary.Player.YOU))
    if player is None:
        return
    wanted = {**_mirrored(left, player), "number": right.get("number", 0)}
    if _plain(wanted) == _plain(right):
        condition["than"] = player
        condition["right"] = {k: v for k, v in right.items() if k == "number"}


def _plain(values: Mapping[str, Any]) -> dict[str, Any]:
    """Fields without those that say nothing; a twin on any side says something."""
    return {
        name: _plain(value) if isinstance(value, Mapping) else value
        for name, value in values.items()
        if isinstance(value, (Mapping, vocabulary.Quantity)) or value or name == "twin_side"
    }
