"""The phrase table of Mindbug's cards, and its fields as the objects of ``schema``."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from attrs import fields, has

from card_data.mindbug.schema import (
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
from card_data.phrases import PRINTED, PhraseTable

#: The word list or class of each field that is no number, truth or text.
_FIELDS: dict[str, type] = {
    "effect": Effect,
    "player": Player,
    "than": Player,
    "creatures": Creatures,
    "choice": Choice,
    "value": Value,
    "condition": Condition,
    "per": Value,
    "cards": Cards,
    "rule": ConstantAbility,
    "keywords": Keyword,
    "Keyword": Keyword,
    "modes": Instruction,
    "instructions": Instruction,
    "parts": Condition,
    "side": Side,
    "extreme": Extreme,
    "twin_side": Side,
    "zone": Zone,
    "ability": Trigger,
    "trigger": Trigger,
    "quantity": Quantity,
    "comparison": Comparison,
    "left": Value,
    "right": Value,
    "timing": Timing,
}
_CLASSES = (
    Instruction,
    ConstantAbility,
    Creatures,
    Cards,
    Value,
    Condition,
    Conditions,
    TriggeredAbility,
)
_OTHER_SIDE = {Side.ALLIED: Side.ENEMY, Side.ENEMY: Side.ALLIED}
_SIDES = {Player.YOU: Side.ALLIED, Player.OPPONENT: Side.ENEMY}


@cache
def table() -> PhraseTable:
    """The phrase table."""
    text = Path(__file__).with_name("phrases.txt").read_text(encoding="utf-8")
    return PhraseTable(text, _FIELDS | {"rule": Rule}, _CLASSES)


def made(kind: type, values: Mapping[str, Any]) -> Any:
    """The object of a class that fields describe."""
    if kind is Condition and "parts" in values:
        kind = Conditions
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
    if register == PRINTED and isinstance(thing, Condition):
        _shorten(found)
    return found


def _mirrored(left: Mapping[str, Any], player: Player) -> dict[str, Any]:
    """The same amount of a player."""
    if left.get("creatures") is not None:
        return {**left, "number": 0, "creatures": {**left["creatures"], "side": _SIDES[player]}}
    return {**left, "number": 0, "player": player}


def _shorten(condition: dict[str, Any]) -> None:
    """Says "your opponent" in place of the same amount of the other player.  Modifies condition."""
    left, right = condition["left"], condition["right"]
    if left["quantity"] in (Quantity.NUMBER, Quantity.MY_TURN, Quantity.DEFEATED_BY_THIS):
        return
    if "creatures" in left:
        side = _OTHER_SIDE.get(left["creatures"].get("side", Side.ANY))
        player = next((one for one in Player if _SIDES[one] is side), None)
    else:
        player = Player(1 - left.get("player", Player.YOU))
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
        if isinstance(value, (Mapping, Quantity)) or value or name == "twin_side"
    }
